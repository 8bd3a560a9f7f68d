// SPDX-License-Identifier: Apache-2.0
#include "fft/request.h"

#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "fft/layout.h"

// Every argument as a number, so that one gather compares them all.
typedef struct pv_argument {
    const char *name;
    int64_t value;
} pv_argument;

enum { ARGUMENTS_MAX = 32 };

static int64_t hash_bytes(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < bytes; i++) hash = (hash ^ byte[i]) * 1099511628211u;   // FNV-1a
    return (int64_t)hash;
}

int64_t pv_request_hash_layout(const pv_layout *layout)
{
    if (!layout) return 0;
    int64_t hash = hash_bytes(14695981039346656037u, layout->shape, sizeof layout->shape);
    hash = hash_bytes((uint64_t)hash, layout->order, sizeof layout->order);
    if (layout->ranks > 0 && layout->boxes)
        hash = hash_bytes((uint64_t)hash, layout->boxes, (size_t)layout->ranks * sizeof *layout->boxes);
    return hash;
}

static int64_t hash_text(const char *text) { return text ? hash_bytes(14695981039346656037u, text, strlen(text)) : 0; }

static int64_t bits_of(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static pv_status compare(pv_comm *comm, const pv_argument *arguments, int count)
{
    int ranks = pv_comm_size(comm);
    int64_t mine[ARGUMENTS_MAX], *all = NULL;
    for (int i = 0; i < count; i++) mine[i] = arguments[i].value;
    PV_TRY(pv_comm_agree(comm, PV_ALLOC((int64_t)ranks * count, &all)));
    pv_status status = pv_comm_gather(comm, (size_t)count * sizeof *mine, mine, all);
    // Rank 0 finds the disagreement and says it to all.
    for (int r = 1; r < ranks && status == PV_OK && pv_comm_rank(comm) == 0; r++)
        for (int i = 0; i < count && status == PV_OK; i++)
            if (all[(int64_t)r * count + i] != all[i])
                status = pv_fail(PV_ERR_MISMATCH, "pv_fft_plan_create",
                                 "rank %d passed %s = %lld, rank 0 passed %lld; every rank must pass the same", r,
                                 arguments[i].name, (long long)all[(int64_t)r * count + i], (long long)all[i]);
    status = pv_comm_agree(comm, status);
    pv_mem_free(all);
    return status;
}

static pv_status compare_request(const pv_plan_request *request)
{
    const pv_fft_options *o = request->options;
    const pv_argument arguments[] = {
        {"shape[0]", request->shape[0]}, {"shape[1]", request->shape[1]}, {"shape[2]", request->shape[2]},
        {"type", request->type}, {"precision", request->precision}, {"batch", o->batch},
        {"the space layout (hash)", pv_request_hash_layout(o->space)}, {"the spectrum layout (hash)", pv_request_hash_layout(o->spectrum)},
        {"decomposition", o->decomposition}, {"grid[0]", o->grid[0]}, {"grid[1]", o->grid[1]},
        {"output", o->output}, {"padded", o->padded}, {"scale_forward (bits)", bits_of(o->scale_forward)},
        {"scale_inverse (bits)", bits_of(o->scale_inverse)}, {"engine (hash)", hash_text(o->engine)},
        {"rigor", o->rigor}, {"chunks", o->chunks}, {"defer_workspace", o->defer_workspace}, {"convolution", o->convolution},
    };
    return compare(request->comm, arguments, (int)(sizeof arguments / sizeof *arguments));
}

static pv_status check_layout(const char *which, const pv_layout *layout, const int64_t shape[3], int ranks)
{
    if (!layout) return PV_OK;
    PV_REQUIRE(layout->ranks == ranks, PV_ERR_SHAPE, "the %s layout is for %d ranks, the communicator has %d", which,
               layout->ranks, ranks);
    PV_REQUIRE(memcmp(layout->shape, shape, sizeof layout->shape) == 0, PV_ERR_SHAPE,
               "the %s layout has shape %lld x %lld x %lld, expected %lld x %lld x %lld", which, (long long)layout->shape[0],
               (long long)layout->shape[1], (long long)layout->shape[2], (long long)shape[0], (long long)shape[1],
               (long long)shape[2]);
    return pv_layout_check(layout);
}

static pv_status check_values(const pv_plan_request *request)
{
    const pv_fft_options *o = request->options;
    int ranks = pv_comm_size(request->comm);
    PV_TRY(pv_shape_check(request->shape));
    PV_REQUIRE(request->type == PV_C2C || request->type == PV_R2C, PV_ERR_ARGUMENT, "type %d, accepted are PV_C2C and PV_R2C",
               (int)request->type);
    PV_REQUIRE(request->precision == PV_FP64 || request->precision == PV_FP32, PV_ERR_ARGUMENT,
               "precision %d, accepted are PV_FP64 and PV_FP32", (int)request->precision);
    PV_REQUIRE(o->batch >= 1 && o->batch < ((int64_t)1 << 40), PV_ERR_ARGUMENT, "batch %lld, accepted is 1 and more",
               (long long)o->batch);
    PV_REQUIRE(o->decomposition >= PV_DECOMPOSE_AUTO && o->decomposition <= PV_DECOMPOSE_PENCIL, PV_ERR_ARGUMENT,
               "decomposition %d is not one of pv_decomposition", (int)o->decomposition);
    PV_REQUIRE(o->output >= PV_OUTPUT_NATURAL && o->output <= PV_OUTPUT_TRANSPOSED_AXES, PV_ERR_ARGUMENT,
               "output %d is not one of pv_output", (int)o->output);
    PV_REQUIRE(o->rigor == PV_ESTIMATE || o->rigor == PV_MEASURE, PV_ERR_ARGUMENT, "rigor %d is not one of pv_rigor", (int)o->rigor);
    PV_REQUIRE(o->chunks >= 0 && o->chunks <= 1024, PV_ERR_ARGUMENT, "%d chunks, accepted are 0 (chosen) to 1024", o->chunks);
    PV_REQUIRE(o->engine && strlen(o->engine) < 16, PV_ERR_ARGUMENT, "engine is %s, accepted is \"auto\" or an engine's name",
               o->engine ? "too long a name" : "NULL");
    int64_t half[3] = {request->shape[0], request->shape[1], request->type == PV_R2C ? request->shape[2] / 2 + 1 : request->shape[2]};
    PV_TRY(check_layout("space", o->space, request->shape, ranks));
    PV_TRY(check_layout("spectrum", o->spectrum, half, ranks));
    if (request->type == PV_R2C && o->padded && o->space) {
        for (int r = 0; r < ranks; r++) {
            const pv_box *box = &o->space->boxes[r];
            int whole = pv_box_count(box) == 0 || (box->lower[2] == 0 && box->upper[2] == request->shape[2]);
            PV_REQUIRE(whole && o->space->order[2] == 2, PV_ERR_SHAPE,
                       "padded rows need a space layout whose last axis is whole and fastest in memory; rank %d's box or the order is not",
                       r);
        }
    }
    return PV_OK;
}

pv_status pv_request_check(const pv_plan_request *request)
{
    PV_REQUIRE(request->comm, PV_ERR_ARGUMENT, "communicator is NULL");
    PV_TRY(pv_comm_agree(request->comm, request->shape ? PV_OK : pv_fail(PV_ERR_ARGUMENT, __func__, "shape is NULL")));
    PV_TRY(compare_request(request));
    return pv_comm_agree(request->comm, pv_comm_rank(request->comm) == 0 ? check_values(request) : PV_OK);
}

static pv_status check_move(pv_comm *comm, const pv_layout *from, const pv_layout *to, int64_t element_bytes, int64_t batch)
{
    PV_REQUIRE(element_bytes == 4 || element_bytes == 8 || element_bytes == 16, PV_ERR_ARGUMENT,
               "elements of %lld bytes, accepted are 4, 8 and 16", (long long)element_bytes);
    PV_REQUIRE(batch >= 1, PV_ERR_ARGUMENT, "batch %lld, accepted is 1 and more", (long long)batch);
    PV_TRY(check_layout("source", from, from->shape, pv_comm_size(comm)));
    return check_layout("target", to, from->shape, pv_comm_size(comm));
}

pv_status pv_request_check_move(pv_comm *comm, const pv_layout *from, const pv_layout *to, int64_t element_bytes, int64_t batch)
{
    PV_REQUIRE(comm, PV_ERR_ARGUMENT, "communicator is NULL");
    PV_TRY(pv_comm_agree(comm, from && to ? PV_OK : pv_fail(PV_ERR_ARGUMENT, __func__, "a layout is NULL")));
    const pv_argument arguments[] = {
        {"the source layout (hash)", pv_request_hash_layout(from)}, {"the target layout (hash)", pv_request_hash_layout(to)},
        {"element_bytes", element_bytes}, {"batch", batch},
    };
    PV_TRY(compare(comm, arguments, (int)(sizeof arguments / sizeof *arguments)));
    return pv_comm_agree(comm, pv_comm_rank(comm) == 0 ? check_move(comm, from, to, element_bytes, batch) : PV_OK);
}
