// SPDX-License-Identifier: Apache-2.0
#include "dft/model/carry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/model/carry_kernels.h"

struct pv_carry {
    pv_device *device;
    int64_t from_count, count;
    int64_t single; // what is real in the new list, being its own partner; -1: none
    pv_buffer *from, *factor;
};

// On the host, while it is made.
typedef struct table {
    int64_t *from;
    double _Complex *factor;
} table;

static int by_miller(const void *a, const void *b)
{
    const int32_t *g = a, *h = b;
    for (int d = 0; d < 3; d++)
        if (g[d] != h[d]) return g[d] < h[d] ? -1 : 1;
    return 0;
}

// Index in the sorted list of a basis, -1 when it is not there.
static int64_t index_of(const pv_basis *basis, const int32_t g[3])
{
    const int32_t(*found)[3] = bsearch(g, basis->miller, (size_t)basis->count, sizeof *basis->miller, by_miller);
    return found ? found - (const int32_t(*)[3])basis->miller : -1;
}

// The other one of a pair of a half sphere: -g - 2 k.
static void partner_of(const pv_basis *basis, const int32_t g[3], int32_t other[3])
{
    for (int d = 0; d < 3; d++) other[d] = -g[d] - (int32_t)lround(2.0 * basis->k_fractional[d]);
}

// A stored coefficient of a pair is sqrt(2) times the wave's.
static double stored(const pv_basis *basis, const int32_t g[3])
{
    int32_t other[3];
    if (basis->scalar == PV_SCALAR_COMPLEX) return 1.0;
    partner_of(basis, g, other);
    return memcmp(other, g, sizeof other) == 0 ? 1.0 : sqrt(2.0);
}

typedef struct turn {
    const pv_operation *operation;
    const pv_kpoint_image *image;
} turn;

// Wave g of `from`, stored at index i or (conjugated) its partner there, goes to its place in `to`.
static void carry_wave(table *table, const pv_basis *from, const turn *turn, const pv_basis *to, int64_t i,
                       const int32_t g[3], int conjugated)
{
    int32_t h[3];
    double _Complex factor = 1.0;
    int reversed = 0;
    memcpy(h, g, sizeof h);
    if (turn->operation) {
        factor = pv_symmetry_carry_wave(turn->operation, turn->image, to->k_fractional, g, h);
        reversed = turn->image->reversed;
    }
    const int64_t p = index_of(to, h);
    if (p < 0) return;
    table->from[p] = conjugated != reversed ? ~i : i;
    table->factor[p] = factor * stored(to, h) / stored(from, g);
}

static void fill_table(const pv_basis *from, const turn *turn, const pv_basis *to, table *table)
{
    for (int64_t i = 0; i < from->count; i++) {
        int32_t other[3];
        carry_wave(table, from, turn, to, i, from->miller[i], 0);
        if (from->scalar == PV_SCALAR_COMPLEX) continue;
        partner_of(from, from->miller[i], other);
        if (memcmp(other, from->miller[i], sizeof other) != 0) carry_wave(table, from, turn, to, i, other, 1);
    }
}

static pv_status upload(pv_device *device, size_t bytes, const void *data, pv_buffer **buffer_p)
{
    PV_TRY(pv_buffer_create(device, bytes, buffer_p));
    return pv_buffer_write(*buffer_p, 0, data, bytes);
}

static pv_status make(const pv_basis *from, const turn *turn, const pv_basis *to, pv_carry *carry)
{
    table table = {NULL, NULL};
    pv_status status = PV_ALLOC(to->count, &table.from);
    if (status == PV_OK) status = PV_ALLOC(to->count, &table.factor);
    if (status == PV_OK) {
        const size_t count = (size_t)to->count;
        fill_table(from, turn, to, &table);
        status = upload(carry->device, count * sizeof *table.from, table.from, &carry->from);
        if (status == PV_OK) status = upload(carry->device, count * sizeof *table.factor, table.factor, &carry->factor);
    }
    pv_mem_free(table.from);
    pv_mem_free(table.factor);
    return status;
}

pv_status pv_carry_create(pv_device *device, const pv_basis *from, const pv_operation *operation,
                          const pv_kpoint_image *image, const pv_basis *to, pv_carry **carry_p)
{
    const turn turn = {operation, image};
    pv_carry *carry;
    PV_TRY(PV_ALLOC(1, &carry));
    carry->device = device;
    carry->from_count = from->count;
    carry->count = to->count;
    carry->single = to->scalar == PV_SCALAR_REAL ? to->single : -1;
    const pv_status status = make(from, &turn, to, carry);
    if (status != PV_OK) {
        pv_carry_destroy(carry);
        return status;
    }
    *carry_p = carry;
    return PV_OK;
}

void pv_carry_destroy(pv_carry *carry)
{
    if (!carry) return;
    pv_buffer_destroy(carry->from);
    pv_buffer_destroy(carry->factor);
    pv_mem_free(carry);
}

pv_status pv_carry_apply(const pv_carry *carry, int64_t vectors, const double _Complex *in, double _Complex *out)
{
    const carry_arguments a = {.count = carry->count,
                               .single = carry->single,
                               .in_stride = carry->from_count,
                               .out_stride = carry->count,
                               .from = pv_buffer_data(carry->from),
                               .factor = pv_buffer_data(carry->factor),
                               .in = (const double *)in,
                               .out = (double *)out};
    return pv_kernel_launch(pv_device_stream(carry->device), &carry_vectors, vectors * carry->count, &a);
}
