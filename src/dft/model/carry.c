// SPDX-License-Identifier: Apache-2.0
#include "dft/model/carry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"

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
static void carry_wave(pv_carry *carry, const pv_basis *from, const turn *turn, const pv_basis *to, int64_t i,
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
    carry->from[p] = conjugated != reversed ? ~i : i;
    carry->factor[p] = factor * stored(to, h) / stored(from, g);
}

pv_status pv_carry_create(const pv_basis *from, const pv_operation *operation, const pv_kpoint_image *image,
                          const pv_basis *to, pv_carry **carry_p)
{
    pv_carry *carry;
    PV_TRY(PV_ALLOC(1, &carry));
    carry->count = to->count;
    carry->single = to->scalar == PV_SCALAR_REAL ? to->single : -1;
    pv_status status = PV_ALLOC(to->count, &carry->from);
    if (status == PV_OK) status = PV_ALLOC(to->count, &carry->factor);
    if (status != PV_OK) {
        pv_carry_destroy(carry);
        return status;
    }
    const turn turn = {operation, image};
    for (int64_t i = 0; i < from->count; i++) {
        int32_t other[3];
        carry_wave(carry, from, &turn, to, i, from->miller[i], 0);
        if (from->scalar == PV_SCALAR_COMPLEX) continue;
        partner_of(from, from->miller[i], other);
        if (memcmp(other, from->miller[i], sizeof other) != 0) carry_wave(carry, from, &turn, to, i, other, 1);
    }
    *carry_p = carry;
    return PV_OK;
}

void pv_carry_destroy(pv_carry *carry)
{
    if (!carry) return;
    pv_mem_free(carry->from);
    pv_mem_free(carry->factor);
    pv_mem_free(carry);
}

void pv_carry_apply(const pv_carry *carry, const double _Complex *in, double _Complex *out)
{
    for (int64_t p = 0; p < carry->count; p++) {
        const int64_t from = carry->from[p];
        out[p] = carry->factor[p] * (from < 0 ? conj(in[~from]) : in[from]);
    }
    // An imaginary part, of rounding only, would be a direction that no operator knows.
    if (carry->single >= 0) out[carry->single] = creal(out[carry->single]);
}
