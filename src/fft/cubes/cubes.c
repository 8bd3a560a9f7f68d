// SPDX-License-Identifier: Apache-2.0
#include "fft/cubes/cubes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "fft/cubes/ops.h"

// In order of preference.
static const pv_cubes_ops *const methods[] = {
#if PV_HAVE_CUDA
    &pv_cubes_cluster,
    &pv_cubes_by_planes,
    &pv_cubes_cufft,
#endif
    &pv_cubes_plan,
};

enum { METHODS = sizeof methods / sizeof *methods };

static const char *lacking(const pv_cubes_ops *ops, const pv_device *device, const int64_t shape[3],
                           pv_precision precision)
{
    if (ops->on_gpu == pv_device_is_host(device)) return ops->on_gpu ? "a GPU" : "device cpu";
    const char *why = NULL;
    ops->supports(device, shape, precision, &why);
    return why;
}

static pv_status choose(const pv_device *device, const char *name, const int64_t shape[3], pv_precision precision,
                        const pv_cubes_ops **ops_p)
{
    const int any = !name || strcmp(name, "auto") == 0;
    char known[64] = "auto";
    for (int i = 0; i < METHODS; i++) {
        const pv_cubes_ops *ops = methods[i];
        snprintf(known + strlen(known), sizeof known - strlen(known), ", %s", ops->name);
        if (!any && strcmp(name, ops->name) != 0) continue;
        const char *why = lacking(ops, device, shape, precision);
        if (!why) {
            *ops_p = ops;
            return PV_OK;
        }
        PV_REQUIRE(
            any, PV_ERR_UNSUPPORTED,
            "method '%s' was asked for boxes of %" PRId64 " x %" PRId64 " x %" PRId64 " points in %s on device %s; "
            "it needs %s",
            name, shape[0], shape[1], shape[2], precision == PV_FP32 ? "FP32" : "FP64", pv_device_name(device), why);
    }
#if !PV_HAVE_CUDA
    PV_REQUIRE(strcmp(name, "cluster") != 0 && strcmp(name, "planes") != 0 && strcmp(name, "cufft") != 0,
               PV_ERR_NOT_BUILT, "method '%s' of convolving boxes is not built in (PV_CUDA); there are %s", name,
               known);
#endif
    PV_FAIL(PV_ERR_ARGUMENT, "method '%s' of convolving boxes is unknown; known are %s", name, known);
}

static pv_status fill(pv_cubes *cubes)
{
    const size_t box_bytes = (size_t)cubes->points * (cubes->precision == PV_FP32 ? 8 : 16);
    snprintf(cubes->text, sizeof cubes->text, "%s", cubes->ops->name);
    PV_TRY(cubes->ops->create(cubes));
    if (cubes->ops->run_pairs || cubes->boxes) return PV_OK;
    PV_TRY(pv_buffer_create(cubes->device, (size_t)cubes->batch * box_bytes, &cubes->work));
    cubes->boxes = pv_buffer_data(cubes->work);
    return PV_OK;
}

pv_status pv_cubes_create(pv_device *device, const char *method, const int64_t shape[3], pv_precision precision,
                          int64_t batch, pv_cubes **cubes_p)
{
    enum { MOST = 1024 };
    const pv_cubes_ops *ops = NULL;
    for (int d = 0; d < 3; d++)
        PV_REQUIRE(shape[d] >= 1 && shape[d] <= MOST, PV_ERR_SHAPE, "a box of length %" PRId64 "; 1 to %d are accepted",
                   shape[d], MOST);
    PV_REQUIRE(batch >= 1 && batch <= UINT32_MAX / (shape[0] * shape[1] * shape[2]), PV_ERR_ARGUMENT,
               "a batch of %" PRId64 " boxes; 1 to %" PRId64 " are accepted, 2^32 points in all", batch,
               (int64_t)UINT32_MAX / (shape[0] * shape[1] * shape[2]));
    PV_TRY(choose(device, method, shape, precision, &ops));
    pv_cubes *cubes;
    PV_TRY(PV_ALLOC(1, &cubes));
    *cubes = (pv_cubes){
        .ops = ops, .device = device, .precision = precision, .batch = batch, .points = shape[0] * shape[1] * shape[2]};
    memcpy(cubes->shape, shape, sizeof cubes->shape);
    pv_status status = fill(cubes);
    if (status != PV_OK) {
        pv_cubes_destroy(cubes);
        return status;
    }
    *cubes_p = cubes;
    return PV_OK;
}

void pv_cubes_destroy(pv_cubes *cubes)
{
    if (!cubes) return;
    cubes->ops->destroy(cubes);
    pv_buffer_destroy(cubes->work);
    pv_mem_free(cubes);
}

const char *pv_cubes_text(const pv_cubes *cubes)
{
    return cubes->text;
}

const char *pv_cubes_method(const pv_cubes *cubes)
{
    return cubes->ops->name;
}

pv_status pv_cubes_convolve(pv_cubes *cubes, pv_stream *stream, const void *factor, int64_t count, const void *in,
                            void *out)
{
    PV_REQUIRE(count >= 0, PV_ERR_ARGUMENT, "%" PRId64 " boxes; 0 and more are accepted", count);
    if (count == 0) return PV_OK;
    PV_REQUIRE(factor && in && out, PV_ERR_ARGUMENT, "a NULL array of %" PRId64 " boxes", count);
    return cubes->ops->convolve(cubes, stream, factor, count, in, out);
}

pv_status pv_cubes_run_pairs(pv_cubes *cubes, pv_stream *stream, const void *factor, const pv_cubes_pairs *pairs)
{
    PV_REQUIRE(pairs->count >= 0, PV_ERR_ARGUMENT, "%" PRId64 " pairs; 0 and more are accepted", pairs->count);
    if (pairs->count == 0) return PV_OK;
    PV_REQUIRE(factor && pairs->list, PV_ERR_ARGUMENT, "a NULL factor or list of %" PRId64 " pairs", pairs->count);
    PV_REQUIRE(pairs->is_real || !pairs->phase[0], PV_ERR_ARGUMENT, "a phase of complex fields; none is accepted");
    if (cubes->ops->run_pairs) return cubes->ops->run_pairs(cubes, stream, factor, pairs);
    return pv_cubes_pairs_in_memory(cubes, stream, factor, pairs);
}
