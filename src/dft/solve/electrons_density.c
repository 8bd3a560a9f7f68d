// SPDX-License-Identifier: Apache-2.0
// The density of the filled orbitals.
#include "dft/solve/electrons.h"

#include "base/check.h"
#include "base/clock.h"
#include "device/array.h"
#include "dft/terms/density.h"
#include "dft/terms/waves.h"

void pv_electrons_weights(const pv_electrons *electrons, int state, double *weights)
{
    const pv_system *system = electrons->system;
    const int bands = system->params.bands;
    for (int b = 0; b < bands; b++)
        weights[b] = system->kpoints->weight[state % system->kpoints->count] * electrons->filling[state * bands + b];
}

pv_status pv_electrons_wave_weights(pv_electrons *electrons, int state, double *wave_weights)
{
    const pv_system *system = electrons->system;
    pv_device *device = system->device;
    const pv_basis *basis = system->basis[state % system->kpoints->count];
    const int bands = system->params.bands;
    pv_electrons_weights(electrons, state, electrons->tolerance);
    PV_TRY(pv_array_write(device, electrons->weights, electrons->tolerance, (size_t)bands * sizeof(double)));
    PV_TRY(pv_waves_weigh(pv_device_stream(device), bands, basis->local, electrons->weights, electrons->orbitals[state],
                          electrons->diagonal));
    return pv_array_read(device, electrons->diagonal, wave_weights, (size_t)basis->local * sizeof(double));
}

// Bands up to the last one that holds anything: empty bands need no transforms.
static int filled_bands(const double *weights, int bands)
{
    while (bands > 0 && weights[bands - 1] == 0.0) bands--;
    return bands;
}

// The squares of this rank's bands of one spin, into `packed`.
static pv_status add_owned(pv_electrons *electrons, int spin)
{
    const pv_system *system = electrons->system;
    const int kpoints = system->kpoints->count, bands = system->params.bands;
    double *weights = electrons->tolerance;
    for (int k = 0; k < kpoints; k++) {
        const int state = spin * kpoints + k;
        if (!pv_electrons_owns(electrons, state) || system->kpoints->weight[k] == 0.0) continue;
        pv_electrons_weights(electrons, state, weights);
        for (int b = 0; b < bands; b++) weights[b] /= system->grid->volume_bohr3;
        PV_TRY(pv_density_add(system->basis[k], electrons->hamiltonian[k].split, filled_bands(weights, bands), weights,
                              electrons->orbitals[state], electrons->packed));
    }
    return PV_OK;
}

// Plane waves of what all ranks have in `packed`.
static pv_status to_waves(const pv_electrons *electrons, double _Complex *waves)
{
    const pv_system *system = electrons->system;
    pv_grid *grid = system->device_grid;
    double *whole = electrons->whole + grid->first_point % 2; // what is transformed begins at a multiple of 16 bytes
    PV_TRY(pv_comm_agree(system->comm, pv_sphere_unpack(pv_system_sphere(system), electrons->packed, whole)));
    PV_TRY(pv_comm_sum_on(grid->comm, grid->stream, grid->points, whole));
    return pv_grid_to_waves(grid, whole + grid->first_point, waves);
}

pv_status pv_electrons_density(pv_electrons *electrons, double _Complex *density)
{
    const double start = pv_clock_s();
    const pv_system *system = electrons->system;
    const int64_t waves = system->grid->waves;
    const pv_sphere *sphere = pv_system_sphere(system);
    for (int spin = 0; spin < system->params.spins; spin++) {
        PV_TRY(pv_stream_zero(pv_device_stream(system->device), electrons->packed,
                              (size_t)pv_sphere_reals_count(sphere) * sizeof *electrons->packed));
        PV_TRY(pv_comm_agree(system->comm, add_owned(electrons, spin)));
        PV_TRY(to_waves(electrons, density + spin * waves));
        PV_TRY(pv_grid_symmetry_apply(system->symmetriser, density + spin * waves));
    }
    electrons->density_s += pv_clock_s() - start;
    return PV_OK;
}
