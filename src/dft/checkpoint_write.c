// SPDX-License-Identifier: Apache-2.0
#include "dft/checkpoint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "device/array.h"
#include "dft/model/units.h"
#include "dft/model/whole_sphere.h"

// ---- Small arrays ------------------------------------------------------------------------------------------------

static pv_status put_reals(pv_checkpoint *file, const char *name, int dimensions, const int64_t *shape,
                           const double *values)
{
    pv_array array = {PV_NUMBER_REAL, dimensions, {0}};
    memcpy(array.shape, shape, (size_t)dimensions * sizeof *shape);
    return pv_checkpoint_put(file, name, &array, values);
}

static pv_status put_real(pv_checkpoint *file, const char *name, double value)
{
    return put_reals(file, name, 1, (int64_t[]){1}, &value);
}

static pv_status put_ints(pv_checkpoint *file, const char *name, int64_t count, const int32_t *values)
{
    const pv_array array = {PV_NUMBER_INT32, 1, {count}};
    return pv_checkpoint_put(file, name, &array, values);
}

static pv_status put_text(pv_checkpoint *file, const char *name, const char *text)
{
    const pv_array array = {PV_NUMBER_TEXT, 1, {(int64_t)strlen(text)}};
    return pv_checkpoint_put(file, name, &array, text);
}

static pv_status put_cell(pv_checkpoint *file, const pv_cell *cell)
{
    char species[1024] = "";
    size_t used = 0;
    for (int s = 0; s < cell->species && used < sizeof species - 10; s++)
        used += (size_t)snprintf(species + used, sizeof species - used, "%s%s", s ? " " : "", cell->species_name[s]);
    PV_TRY(put_reals(file, "cell/lattice_bohr", 2, (int64_t[]){3, 3}, &cell->lattice_bohr[0][0]));
    PV_TRY(put_reals(file, "cell/positions", 2, (int64_t[]){cell->atoms, 3}, &cell->fractional[0][0]));
    PV_TRY(put_ints(file, "cell/species_of", cell->atoms, cell->species_of));
    return put_text(file, "cell/species", species);
}

static pv_status put_parameters(pv_checkpoint *file, const pv_system *system)
{
    const pv_dft_params *params = &system->params;
    char functional[64], text[1024];
    pv_saved_functional(params, functional);
    snprintf(text, sizeof text,
             "%s: ENCUT = %.6f eV, NBANDS = %d, ISPIN = %d, NELECT = %.6f, ISMEAR = %d, SIGMA = %.6f eV", functional,
             params->cutoff_ha * PV_HARTREE_EV, params->bands, params->spins, params->electrons,
             params->smearing == PV_SMEARING_FERMI ? -1 : params->smearing_order, params->smearing_ha * PV_HARTREE_EV);
    PV_TRY(put_text(file, "parameters/text", text));
    PV_TRY(put_text(file, "parameters/functional", functional));
    PV_TRY(put_real(file, "parameters/electrons", params->electrons));
    return put_real(file, "parameters/cutoff_ha", params->cutoff_ha);
}

static pv_status put_bands(pv_checkpoint *file, const pv_electrons *electrons)
{
    const pv_system *system = electrons->system;
    const int64_t kpoints = system->kpoints->count;
    const int64_t shape[] = {system->params.spins, kpoints, system->params.bands};
    PV_TRY(put_reals(file, "kpoints/fractional", 2, (int64_t[]){kpoints, 3}, &system->kpoints->fractional[0][0]));
    PV_TRY(put_reals(file, "kpoints/weight", 1, &kpoints, system->kpoints->weight));
    PV_TRY(put_reals(file, "bands/eigenvalues_ha", 3, shape, electrons->eigenvalues_ha));
    PV_TRY(put_reals(file, "bands/filling", 3, shape, electrons->filling));
    return put_real(file, "bands/fermi_ha", electrons->occupation.fermi_ha);
}

// ---- Orbitals ------------------------------------------------------------------------------------------------------

// The columns of a state's orbitals that this rank has, in the file's order.
typedef struct part {
    const pv_basis *basis;
    const double _Complex *orbitals; // [bands][local]
    int64_t count;
    int64_t *local; // [count]
    double *scale;  // [count], negative where the coefficient is the conjugate
    pv_stretch *stretch;
    int64_t stretches;
} part;

static void part_release(part *part)
{
    pv_mem_free(part->local);
    pv_mem_free(part->scale);
    pv_mem_free(part->stretch);
}

static pv_status make_part(const pv_basis *basis, const pv_whole_sphere *sphere, const double _Complex *orbitals,
                           part *part)
{
    const int64_t most = 2 * basis->local;
    part->basis = basis;
    part->orbitals = orbitals;
    PV_TRY(PV_ALLOC(most, &part->local));
    PV_TRY(PV_ALLOC(most, &part->scale));
    PV_TRY(PV_ALLOC(most, &part->stretch));
    for (int64_t i = 0; i < sphere->count; i++) {
        if (sphere->from[i] < basis->lower || sphere->from[i] >= basis->upper) continue;
        const int64_t local = sphere->from[i] - basis->lower;
        part->local[part->count] = local;
        part->scale[part->count++] = (sphere->conjugate[i] ? -1.0 : 1.0) / pv_basis_fold(basis, local);
        pv_stretch *last = part->stretches > 0 ? &part->stretch[part->stretches - 1] : NULL;
        if (last && last->first + last->count == i)
            last->count++;
        else
            part->stretch[part->stretches++] = (pv_stretch){i, 1};
    }
    return PV_OK;
}

static void give_orbital(void *context, int64_t band, int64_t first, int64_t count, void *numbers)
{
    const part *part = context;
    const double _Complex *orbital = part->orbitals + band * part->basis->local;
    double _Complex *out = numbers;
    for (int64_t j = 0; j < count; j++) {
        const double scale = part->scale[first + j];
        const double _Complex c = orbital[part->local[first + j]];
        out[j] = scale > 0.0 ? scale * c : -scale * conj(c);
    }
}

static pv_status put_state(pv_checkpoint *file, const pv_electrons *electrons, int state, const pv_whole_sphere *sphere)
{
    const pv_system *system = electrons->system;
    const int kpoints = system->kpoints->count, k = state % kpoints;
    const pv_array array = {PV_NUMBER_COMPLEX, 2, {system->params.bands, sphere->count}};
    char name[64];
    part part = {0};
    pv_spread *spread = NULL;
    const double _Complex *orbitals = NULL;
    pv_status status = PV_OK;
    if (pv_electrons_owns(electrons, state)) {
        status = pv_electrons_fetch(electrons, state, &orbitals);
        if (status == PV_OK) status = make_part(system->basis[k], sphere, orbitals, &part);
    }
    status = pv_comm_agree(system->comm, status);
    if (status == PV_OK) status = pv_spread_create(system->comm, sphere->count, part.stretches, part.stretch, &spread);
    snprintf(name, sizeof name, "orbitals/%d/%s", k + 1, state / kpoints == 0 ? "up" : "down");
    if (status == PV_OK) status = pv_checkpoint_put_rows(file, name, &array, spread, give_orbital, &part);
    pv_spread_destroy(spread);
    part_release(&part);
    pv_electrons_release(electrons, state, orbitals);
    return status;
}

static pv_status put_orbitals(pv_checkpoint *file, const pv_electrons *electrons)
{
    const pv_system *system = electrons->system;
    pv_status status = PV_OK;
    for (int k = 0; k < system->kpoints->count && status == PV_OK; k++) {
        pv_whole_sphere *sphere = NULL;
        char name[64];
        snprintf(name, sizeof name, "orbitals/%d/miller", k + 1);
        status = pv_comm_agree(system->comm, pv_whole_sphere_create(system->basis[k], &sphere));
        if (status == PV_OK) {
            const pv_array array = {PV_NUMBER_INT32, 2, {sphere->count, 3}};
            status = pv_checkpoint_put(file, name, &array, sphere->miller);
        }
        for (int s = 0; s < system->params.spins && status == PV_OK; s++)
            status = put_state(file, electrons, s * system->kpoints->count + k, sphere);
        pv_whole_sphere_destroy(sphere);
    }
    return status;
}

// ---- Density -------------------------------------------------------------------------------------------------------

typedef struct slabs {
    const double *values;
    int64_t points;
} slabs;

static void give_slab(void *context, int64_t row, int64_t first, int64_t count, void *numbers)
{
    const slabs *slabs = context;
    memcpy(numbers, slabs->values + row * slabs->points + first, (size_t)count * sizeof(double));
}

static pv_status make_slabs(const pv_scf *scf, const double _Complex *density, double *values)
{
    pv_grid *grid = scf->system->grid;
    const int64_t points = grid->local_points;
    for (int s = 0; s < scf->system->params.spins; s++)
        PV_TRY(pv_grid_to_points(grid, density + s * grid->waves, values + s * points));
    for (int64_t i = 0; scf->system->params.spins == 2 && i < points; i++) {
        const double up = values[i], down = values[points + i];
        values[i] = up + down;
        values[points + i] = up - down;
    }
    return PV_OK;
}

static pv_status put_density(pv_checkpoint *file, const pv_scf *scf)
{
    const pv_system *system = scf->system;
    const pv_grid *grid = system->grid;
    const int64_t *n = grid->shape;
    const pv_array array = {PV_NUMBER_REAL, 4, {system->params.spins, n[0], n[1], n[2]}};
    const pv_stretch stretch = {grid->first_point, grid->local_points};
    double *values = NULL;
    pv_spread *spread = NULL;
    const double _Complex *density;
    pv_status status = pv_system_fetch_density(system, scf->in, &density);
    if (status == PV_OK) status = PV_ALLOC(system->params.spins * grid->local_points, &values);
    status = pv_comm_agree(system->comm, status);
    if (status == PV_OK) status = make_slabs(scf, density, values);
    pv_array_release(scf->in, density);
    if (status == PV_OK)
        status = pv_spread_create(system->comm, grid->points, grid->local_points > 0, &stretch, &spread);
    slabs slabs = {values, grid->local_points};
    if (status == PV_OK) status = pv_checkpoint_put_rows(file, "density", &array, spread, give_slab, &slabs);
    pv_spread_destroy(spread);
    pv_mem_free(values);
    return status;
}

// ---- Everything ----------------------------------------------------------------------------------------------------

static pv_status put_all(pv_checkpoint *file, const pv_scf *scf, double energy_ha)
{
    const pv_system *system = scf->system;
    PV_TRY(put_text(file, "format", PV_SAVED_FORMAT));
    PV_TRY(put_cell(file, system->cell));
    PV_TRY(put_parameters(file, system));
    PV_TRY(put_bands(file, scf->electrons));
    PV_TRY(put_ints(file, "run/steps", 1, &scf->steps));
    PV_TRY(put_ints(file, "run/converged", 1, &scf->converged));
    PV_TRY(put_real(file, "run/energy_ha", energy_ha));
    if (system->params.write_density) PV_TRY(put_density(file, scf));
    return system->params.write_orbitals ? put_orbitals(file, scf->electrons) : PV_OK;
}

pv_status pv_saved_write(const pv_scf *scf, double energy_ha, const char *path)
{
    const pv_system *system = scf->system;
    if (!system->params.write_orbitals && !system->params.write_density) return PV_OK;
    pv_checkpoint *file;
    PV_TRY(pv_checkpoint_create(system->comm, path, &file));
    pv_status status = put_all(file, scf, energy_ha);
    if (status == PV_OK) status = pv_checkpoint_commit(file);
    pv_checkpoint_destroy(file);
    return status;
}
