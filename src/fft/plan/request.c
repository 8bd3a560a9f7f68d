// SPDX-License-Identifier: Apache-2.0
#include "fft/plan/request.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "fft/layout/layout.h"

enum { INTEGER, REAL, NAME, LAYOUT };

// Every argument in 16 bytes, so that one gather compares them all.
typedef struct pv_argument {
    const char *name;
    int kind;
    union {
        int64_t integer;           // of a layout its hash
        double real;
        char name[16];             // longer ones are refused later, on all ranks alike
    } value;
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

enum { VALUE_BYTES = sizeof((pv_argument *)0)->value };

static pv_argument argument_of(const char *name, int kind)
{
    pv_argument argument;
    memset(&argument, 0, sizeof argument);      // all 16 bytes are compared
    argument.name = name;
    argument.kind = kind;
    return argument;
}

static pv_argument integer(const char *name, int64_t value)
{
    pv_argument argument = argument_of(name, INTEGER);
    argument.value.integer = value;
    return argument;
}

static pv_argument real(const char *name, double value)
{
    pv_argument argument = argument_of(name, REAL);
    argument.value.real = value;
    return argument;
}

static pv_argument layout_of(const char *name, const pv_layout *layout)
{
    pv_argument argument = argument_of(name, LAYOUT);
    argument.value.integer = pv_request_hash_layout(layout);
    return argument;
}

static pv_argument text_of(const char *name, const char *value)
{
    pv_argument argument = argument_of(name, NAME);
    snprintf(argument.value.name, sizeof argument.value.name, "%s", value ? value : "NULL");
    return argument;
}

static void print_value(const pv_argument *argument, const char *bytes, char text[32])
{
    pv_argument shown = *argument;
    memcpy(&shown.value, bytes, VALUE_BYTES);
    if (shown.kind == REAL)
        snprintf(text, 32, "%.17g", shown.value.real);
    else if (shown.kind == NAME)
        snprintf(text, 32, "\"%.15s\"", shown.value.name);
    else
        snprintf(text, 32, "%lld", (long long)shown.value.integer);
}

static pv_status disagreement(const char *where, const pv_argument *argument, int rank, const char *his,
                              const char *first)
{
    char his_text[32], first_text[32];
    if (argument->kind == LAYOUT)
        return pv_fail(PV_ERR_MISMATCH, where, "rank %d passed another %s than rank 0; every rank must pass the same",
                       rank, argument->name);
    print_value(argument, his, his_text);
    print_value(argument, first, first_text);
    return pv_fail(PV_ERR_MISMATCH, where, "rank %d passed %s = %s, rank 0 passed %s; every rank must pass the same",
                   rank, argument->name, his_text, first_text);
}

static pv_status compare(pv_comm *comm, const char *where, const pv_argument *arguments, int count)
{
    int ranks = pv_comm_size(comm);
    char mine[ARGUMENTS_MAX][VALUE_BYTES], (*all)[VALUE_BYTES] = NULL;
    for (int i = 0; i < count; i++) memcpy(mine[i], &arguments[i].value, VALUE_BYTES);
    PV_TRY(pv_comm_agree(comm, PV_ALLOC((int64_t)ranks * count, &all)));
    pv_status status = pv_comm_gather(comm, (size_t)count * VALUE_BYTES, mine, all);
    // Rank 0 finds the disagreement and says it to all.
    for (int r = 1; r < ranks && status == PV_OK && pv_comm_rank(comm) == 0; r++)
        for (int i = 0; i < count && status == PV_OK; i++)
            if (memcmp(all[(int64_t)r * count + i], all[i], VALUE_BYTES) != 0)
                status = disagreement(where, &arguments[i], r, all[(int64_t)r * count + i], all[i]);
    status = pv_comm_agree(comm, status);
    pv_mem_free(all);
    return status;
}

static pv_status compare_request(const pv_plan_request *request)
{
    const pv_fft_options *o = request->options;
    const pv_argument arguments[] = {
        integer("shape[0]", request->shape[0]),
        integer("shape[1]", request->shape[1]),
        integer("shape[2]", request->shape[2]),
        integer("type", request->type),
        integer("precision", request->precision),
        integer("batch", o->batch),
        layout_of("space layout", o->space),
        layout_of("spectrum layout", o->spectrum),
        integer("decomposition", o->decomposition),
        integer("grid[0]", o->grid[0]),
        integer("grid[1]", o->grid[1]),
        integer("output", o->output),
        integer("padded", o->padded),
        real("scale_forward", o->scale_forward),
        real("scale_inverse", o->scale_inverse),
        text_of("engine", o->engine),
        integer("rigor", o->rigor),
        integer("chunks", o->chunks),
        integer("defer_workspace", o->defer_workspace),
        integer("convolution", o->convolution),
        integer("wire", o->wire),
        integer("kept[0]", o->kept[0]),
        integer("kept[1]", o->kept[1]),
        integer("kept[2]", o->kept[2]),
        integer("last_axis_as_is", o->last_axis_as_is),
        integer("space_pitch", o->space_pitch),
    };
    return compare(request->comm, "pv_fft_plan_create", arguments, (int)(sizeof arguments / sizeof *arguments));
}

static pv_status check_layout(const char *which, const pv_layout *layout, const int64_t shape[3], int ranks)
{
    if (!layout) return PV_OK;
    PV_REQUIRE(layout->ranks == ranks, PV_ERR_SHAPE, "the %s layout is for %d ranks, the communicator has %d", which,
               layout->ranks, ranks);
    PV_REQUIRE(memcmp(layout->shape, shape, sizeof layout->shape) == 0, PV_ERR_SHAPE,
               "the %s layout has shape %lld x %lld x %lld, expected %lld x %lld x %lld", which,
               (long long)layout->shape[0], (long long)layout->shape[1], (long long)layout->shape[2],
               (long long)shape[0], (long long)shape[1], (long long)shape[2]);
    return pv_layout_check(layout);
}

static pv_status check_kept(const pv_plan_request *request)
{
    const pv_fft_options *o = request->options;
    const int64_t *shape = request->shape;
    const int any = o->kept[0] != 0 || o->kept[1] != 0 || o->kept[2] != 0;
    for (int d = 0; d < 3; d++)
        PV_REQUIRE(o->kept[d] >= 0 && (o->kept[d] == 0 || 2 * o->kept[d] + 1 < shape[d]), PV_ERR_ARGUMENT,
                   "kept[%d] is %lld of %lld points; accepted are 0 (all) and 1 to %lld", d, (long long)o->kept[d],
                   (long long)shape[d], (long long)((shape[d] - 2) / 2));
    PV_REQUIRE(!any || (o->batch == 1 && !o->convolution && (shape[0] > 1 || shape[1] > 1)), PV_ERR_ARGUMENT,
               "kept was given; it goes without batch and convolution, in two or three dimensions");
    PV_REQUIRE(o->kept[2] == 0 || (request->type == PV_C2C && !o->last_axis_as_is), PV_ERR_ARGUMENT,
               "kept[2] was given, and the last axis is %s; accepted is 0",
               request->type == PV_C2C ? "left as it is" : "real");
    PV_REQUIRE(!o->last_axis_as_is || (request->type == PV_C2C && shape[0] > 1 && shape[1] > 1), PV_ERR_ARGUMENT,
               "last_axis_as_is was given; it is for C2C plans whose first two axes are longer than 1");
    PV_REQUIRE(o->space_pitch == 0 || (request->type == PV_C2C && o->space_pitch >= shape[2] && o->batch == 1),
               PV_ERR_ARGUMENT,
               "space_pitch is %lld and a row %lld; accepted are 0 and a row or more, in C2C plans without batch",
               (long long)o->space_pitch, (long long)shape[2]);
    PV_REQUIRE(o->space_pitch <= INT64_MAX / 16 / shape[0] / shape[1], PV_ERR_ARGUMENT,
               "space_pitch is %lld for %lld rows; fewer than 2^59 elements in all are accepted",
               (long long)o->space_pitch, (long long)(shape[0] * shape[1]));
    return PV_OK;
}

// Rows with gaps between them.
static pv_status check_rows(const pv_plan_request *request, const char *rows)
{
    const pv_layout *space = request->options->space;
    for (int r = 0; space && r < space->ranks; r++) {
        const pv_box *box = &space->boxes[r];
        const int is_whole = box->lower[2] == 0 && box->upper[2] == request->shape[2];
        PV_REQUIRE(space->order[2] == 2 && (is_whole || pv_box_count(box) == 0), PV_ERR_SHAPE,
                   "%s need a space layout whose last axis is whole and fastest in memory; rank %d's box or the order "
                   "is not",
                   rows, r);
    }
    return PV_OK;
}

static pv_status check_values(const pv_plan_request *request)
{
    const pv_fft_options *o = request->options;
    int ranks = pv_comm_size(request->comm);
    PV_TRY(pv_shape_check(request->shape));
    PV_REQUIRE(request->type == PV_C2C || request->type == PV_R2C, PV_ERR_ARGUMENT,
               "type %d, accepted are PV_C2C and PV_R2C", (int)request->type);
    PV_REQUIRE(request->precision == PV_FP64 || request->precision == PV_FP32, PV_ERR_ARGUMENT,
               "precision %d, accepted are PV_FP64 and PV_FP32", (int)request->precision);
    PV_REQUIRE(o->batch >= 1 && o->batch < ((int64_t)1 << 40), PV_ERR_ARGUMENT, "batch %lld, accepted is 1 and more",
               (long long)o->batch);
    PV_REQUIRE(o->decomposition >= PV_DECOMPOSE_AUTO && o->decomposition <= PV_DECOMPOSE_PENCIL, PV_ERR_ARGUMENT,
               "decomposition %d is not one of pv_decomposition", (int)o->decomposition);
    PV_REQUIRE(o->decomposition != PV_DECOMPOSE_SLAB || (o->grid[0] == 0 && o->grid[1] == 0), PV_ERR_ARGUMENT,
               "a grid of %d x %d ranks was asked for with slabs; it goes with pencils, slabs have 0 x 0", o->grid[0],
               o->grid[1]);
    PV_REQUIRE(o->output >= PV_OUTPUT_NATURAL && o->output <= PV_OUTPUT_TRANSPOSED_AXES, PV_ERR_ARGUMENT,
               "output %d is not one of pv_output", (int)o->output);
    PV_REQUIRE(o->rigor == PV_ESTIMATE || o->rigor == PV_MEASURE, PV_ERR_ARGUMENT, "rigor %d is not one of pv_rigor",
               (int)o->rigor);
    PV_REQUIRE(o->wire == PV_WIRE_EXACT || o->wire == PV_WIRE_REDUCED, PV_ERR_ARGUMENT,
               "wire %d, accepted are PV_WIRE_EXACT and PV_WIRE_REDUCED", (int)o->wire);
    PV_REQUIRE(isfinite(o->scale_forward) && isfinite(o->scale_inverse), PV_ERR_ARGUMENT,
               "scale_forward is %g and scale_inverse %g, accepted are finite numbers", o->scale_forward,
               o->scale_inverse);
    PV_REQUIRE(!o->padded || request->type == PV_R2C, PV_ERR_ARGUMENT,
               "padded rows were asked for with type PV_C2C; they exist for PV_R2C");
    PV_REQUIRE(o->chunks >= 0 && o->chunks <= 1024, PV_ERR_ARGUMENT, "%d chunks, accepted are 0 (chosen) to 1024",
               o->chunks);
    PV_REQUIRE(o->engine && strlen(o->engine) < 16, PV_ERR_ARGUMENT,
               "engine is %s, accepted is \"auto\" or an engine's name", o->engine ? "too long a name" : "NULL");
    PV_TRY(check_kept(request));
    int64_t spectrum[3] = {request->shape[0], request->shape[1],
                           request->type == PV_R2C ? request->shape[2] / 2 + 1 : request->shape[2]};
    for (int d = 0; d < 3; d++)
        if (o->kept[d] > 0) spectrum[d] = 2 * o->kept[d] + 1;
    PV_TRY(check_layout("space", o->space, request->shape, ranks));
    PV_TRY(check_layout("spectrum", o->spectrum, spectrum, ranks));
    if (o->space_pitch > 0) PV_TRY(check_rows(request, "rows with a space_pitch"));
    return o->padded ? check_rows(request, "padded rows") : PV_OK;
}

pv_status pv_request_check(const pv_plan_request *request)
{
    PV_REQUIRE(request->comm, PV_ERR_ARGUMENT, "communicator is NULL");
    PV_TRY(pv_comm_agree(request->comm, request->shape ? PV_OK : pv_fail(PV_ERR_ARGUMENT, __func__, "shape is NULL")));
    PV_TRY(compare_request(request));
    return pv_comm_agree(request->comm, pv_comm_rank(request->comm) == 0 ? check_values(request) : PV_OK);
}

static pv_status check_move(pv_comm *comm, const pv_layout *from, const pv_layout *to, int64_t element_bytes,
                            int64_t batch)
{
    PV_REQUIRE(element_bytes == 4 || element_bytes == 8 || element_bytes == 16, PV_ERR_ARGUMENT,
               "elements of %lld bytes, accepted are 4, 8 and 16", (long long)element_bytes);
    PV_REQUIRE(batch >= 1, PV_ERR_ARGUMENT, "batch %lld, accepted is 1 and more", (long long)batch);
    PV_TRY(check_layout("source", from, from->shape, pv_comm_size(comm)));
    PV_TRY(check_layout("target", to, from->shape, pv_comm_size(comm)));
    PV_REQUIRE(batch <= INT64_MAX / 16 / (from->shape[0] * from->shape[1] * from->shape[2]), PV_ERR_ARGUMENT,
               "batch %lld of %lld x %lld x %lld points; fewer than 2^59 points in all are accepted", (long long)batch,
               (long long)from->shape[0], (long long)from->shape[1], (long long)from->shape[2]);
    return PV_OK;
}

pv_status pv_request_check_move(pv_comm *comm, const pv_layout *from, const pv_layout *to, int64_t element_bytes,
                                int64_t batch)
{
    PV_REQUIRE(comm, PV_ERR_ARGUMENT, "communicator is NULL");
    PV_TRY(pv_comm_agree(comm, from && to ? PV_OK : pv_fail(PV_ERR_ARGUMENT, __func__, "a layout is NULL")));
    const pv_argument arguments[] = {
        layout_of("source layout", from), layout_of("target layout", to), integer("element_bytes", element_bytes),
        integer("batch", batch),
    };
    PV_TRY(compare(comm, "pv_reshape_create", arguments, (int)(sizeof arguments / sizeof *arguments)));
    return pv_comm_agree(comm, pv_comm_rank(comm) == 0 ? check_move(comm, from, to, element_bytes, batch) : PV_OK);
}

static pv_status check_array(const void *array, size_t bytes, size_t alignment, const char *name)
{
    PV_REQUIRE(array || bytes == 0, PV_ERR_ARGUMENT, "the array `%s` is NULL, and this rank has %zu bytes of it", name,
               bytes);
    PV_REQUIRE((uintptr_t)array % alignment == 0, PV_ERR_ARGUMENT,
               "the array `%s` begins at %p; addresses divisible by %zu are accepted", name, array, alignment);
    return PV_OK;
}

pv_status pv_request_check_arrays(const void *in, size_t in_bytes, const void *out, size_t out_bytes, size_t alignment)
{
    const uintptr_t from = (uintptr_t)in, to = (uintptr_t)out;
    PV_TRY(check_array(in, in_bytes, alignment, "in"));
    PV_TRY(check_array(out, out_bytes, alignment, "out"));
    if (in_bytes == 0 || out_bytes == 0) return PV_OK;
    PV_REQUIRE(from == to || from + in_bytes <= to || to + out_bytes <= from, PV_ERR_ARGUMENT,
               "the arrays `in`, %zu bytes, and `out`, %zu bytes, begin %zu bytes apart; the same array and such that "
               "do not overlap are accepted",
               in_bytes, out_bytes, from < to ? to - from : from - to);
    return PV_OK;
}
