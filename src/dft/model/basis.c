// SPDX-License-Identifier: Apache-2.0
#include "dft/model/basis.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "device/array.h"
#include "dft/model/units.h"
#include "fft/layout/box.h"

static void cartesian_of(const pv_cell *cell, const double k[3], const int32_t n[3], double q[3])
{
    for (int d = 0; d < 3; d++) {
        q[d] = 0.0;
        for (int i = 0; i < 3; i++) q[d] += (k[i] + n[i]) * cell->reciprocal[i][d];
    }
}

// Where 2 k is a reciprocal lattice vector, so that -k - G is k + G': *twice_k is that vector, and k becomes exactly
// half of it.
static int is_real_point(double k[3], int twice_k[3])
{
    double halves[3];
    for (int d = 0; d < 3; d++) {
        halves[d] = rint(2.0 * k[d]);
        if (fabs(2.0 * k[d] - halves[d]) > 2e-9) return 0;
    }
    for (int d = 0; d < 3; d++) {
        twice_k[d] = (int)halves[d];
        k[d] = 0.5 * halves[d];
    }
    return 1;
}

int pv_basis_can_be_real(const double k_fractional[3])
{
    double k[3] = {k_fractional[0], k_fractional[1], k_fractional[2]};
    int twice_k[3];
    return is_real_point(k, twice_k);
}

// Of each pair k + G and -(k + G) the one whose first non-zero coordinate is positive; 0 has no partner.
static int is_kept(const pv_basis *basis, const int32_t n[3], int *single_p)
{
    *single_p = 0;
    if (basis->scalar == PV_SCALAR_COMPLEX) return 1;
    for (int d = 0; d < 3; d++) {
        const int twice = 2 * n[d] + basis->twice_k[d];
        if (twice) return twice > 0;
    }
    *single_p = 1;
    return 1;
}

// Counts, and with `fill` lists, the plane waves of all ranks.
static int64_t list_points(pv_basis *basis, const pv_cell *cell, double cutoff_ha, int fill)
{
    int32_t bound[3];
    for (int d = 0; d < 3; d++) {
        const double *a = cell->lattice_bohr[d];
        bound[d] = (int32_t)(sqrt(2.0 * cutoff_ha * (a[0] * a[0] + a[1] * a[1] + a[2] * a[2])) / (2.0 * PV_PI)
                             + fabs(basis->k_fractional[d])) + 1;
    }
    int64_t count = 0;
    int32_t n[3];
    basis->single = -1;
    for (n[0] = -bound[0]; n[0] <= bound[0]; n[0]++)
        for (n[1] = -bound[1]; n[1] <= bound[1]; n[1]++)
            for (n[2] = -bound[2]; n[2] <= bound[2]; n[2]++) {
                int single;
                if (!is_kept(basis, n, &single)) continue;
                double q[3];
                cartesian_of(cell, basis->k_fractional, n, q);
                if (0.5 * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) > cutoff_ha) continue;
                if (single) basis->single = count;
                if (fill) memcpy(basis->miller[count], n, sizeof n);
                count++;
            }
    return count;
}

int64_t pv_basis_count_waves(const pv_cell *cell, const double k_fractional[3], double cutoff_ha, int64_t enough)
{
    pv_basis basis = {.scalar = PV_SCALAR_COMPLEX};
    memcpy(basis.k_fractional, k_fractional, sizeof basis.k_fractional);
    // No point of the reciprocal lattice's cell is farther from the nearest lattice point than half its edges together,
    // so a sphere smaller by that is filled with whole cells.
    double inner = sqrt(2.0 * cutoff_ha);
    for (int i = 0; i < 3; i++) {
        const double *b = cell->reciprocal[i];
        inner -= 0.5 * sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
    }
    const double surely = inner > 0.0 ? cell->volume_bohr3 * inner * inner * inner / (6.0 * PV_PI * PV_PI) : 0.0;
    return surely > (double)enough + 1.0 ? enough + 1 : list_points(&basis, cell, cutoff_ha, 0);
}

static pv_status make_points(pv_basis *basis, const pv_cell *cell, double cutoff_ha)
{
    basis->count = list_points(basis, cell, cutoff_ha, 0);
    PV_TRY(PV_ALLOC(basis->count, &basis->miller));
    list_points(basis, cell, cutoff_ha, 1);
    pv_split(basis->count, pv_comm_size(basis->comm), pv_comm_rank(basis->comm), &basis->lower, &basis->upper);
    basis->local = basis->upper - basis->lower;
    basis->length = basis->scalar == PV_SCALAR_REAL ? 2 * basis->local : basis->local;
    PV_TRY(PV_ALLOC(basis->local, &basis->q));
    PV_TRY(PV_ALLOC(basis->local, &basis->kinetic_ha));
    for (int64_t i = 0; i < basis->local; i++) {
        double *q = basis->q[i];
        cartesian_of(cell, basis->k_fractional, basis->miller[basis->lower + i], q);
        basis->kinetic_ha[i] = 0.5 * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    }
    return PV_OK;
}

static pv_status copy_to_device(pv_basis *basis)
{
    pv_device *device = pv_comm_device(basis->comm);
    if (pv_device_is_host(device)) {
        basis->device_kinetic_ha = basis->kinetic_ha;
        basis->device_q = basis->q;
        return PV_OK;
    }
    const size_t bytes = (size_t)basis->local * sizeof(double);
    PV_TRY(PV_ARRAY(device, "plane waves", basis->local, &basis->device_kinetic_ha));
    PV_TRY(PV_ARRAY(device, "plane waves", basis->local, &basis->device_q));
    PV_TRY(pv_array_write(device, basis->device_kinetic_ha, basis->kinetic_ha, bytes));
    return pv_array_write(device, basis->device_q, basis->q, 3 * bytes);
}

pv_status pv_basis_create(pv_comm *comm, const pv_cell *cell, const double k_fractional[3], double cutoff_ha,
                          const int64_t grid_shape[3], int may_be_real, const char *engine, pv_basis **basis_p)
{
    pv_basis *basis;
    PV_TRY(PV_ALLOC(1, &basis));
    basis->comm = comm;
    memcpy(basis->k_fractional, k_fractional, sizeof basis->k_fractional);
    const int real = is_real_point(basis->k_fractional, basis->twice_k) && may_be_real;
    basis->scalar = real ? PV_SCALAR_REAL : PV_SCALAR_COMPLEX;
    pv_status status = make_points(basis, cell, cutoff_ha);
    if (status == PV_OK) status = copy_to_device(basis);
    status = pv_comm_agree(comm, status);
    if (status == PV_OK && grid_shape)
        status = pv_sphere_create(comm, grid_shape, basis->count, (const int32_t (*)[3])basis->miller,
                                  real ? basis->twice_k : NULL, PV_FP64, engine, PV_ESTIMATE, &basis->sphere);
    if (status != PV_OK) {
        pv_basis_destroy(basis);
        return status;
    }
    *basis_p = basis;
    return PV_OK;
}

pv_status pv_basis_share_sphere(pv_basis *basis, pv_comm *team, const int64_t grid_shape[3], const char *engine)
{
    const int *twice_k = basis->scalar == PV_SCALAR_REAL ? basis->twice_k : NULL;
    return pv_comm_agree(basis->comm, pv_sphere_create_shared(team, grid_shape, basis->count,
                                                              (const int32_t (*)[3])basis->miller, twice_k, engine,
                                                              PV_ESTIMATE, &basis->sphere));
}

void pv_basis_destroy(pv_basis *basis)
{
    if (!basis) return;
    pv_sphere_destroy(basis->sphere);
    pv_mem_free(basis->miller);
    pv_device *device = pv_comm_device(basis->comm);
    if (!pv_device_is_host(device)) {
        pv_array_destroy(device, basis->device_kinetic_ha);
        pv_array_destroy(device, basis->device_q);
    }
    pv_mem_free(basis->q);
    pv_mem_free(basis->kinetic_ha);
    pv_mem_free(basis);
}

double pv_basis_fold(const pv_basis *basis, int64_t i)
{
    if (basis->scalar == PV_SCALAR_COMPLEX) return 1.0;
    return basis->lower + i == basis->single ? 1.0 : sqrt(2.0);
}
