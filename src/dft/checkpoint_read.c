// SPDX-License-Identifier: Apache-2.0
#include "dft/checkpoint.h"

#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"

void pv_saved_functional(const pv_dft_params *params, char text[64])
{
    pv_functional_text(&params->functional, 64, text);
}

static pv_status get_reals(pv_checkpoint *file, const char *name, int dimensions, const int64_t *shape, double *values)
{
    pv_array array = {PV_NUMBER_REAL, dimensions, {0}};
    memcpy(array.shape, shape, (size_t)dimensions * sizeof *shape);
    return pv_checkpoint_get(file, name, &array, values);
}

static pv_status get_real(pv_checkpoint *file, const char *name, double *value)
{
    return get_reals(file, name, 1, (int64_t[]){1}, value);
}

static pv_status get_ints(pv_checkpoint *file, const char *name, int64_t count, int32_t *values)
{
    const pv_array array = {PV_NUMBER_INT32, 1, {count}};
    return pv_checkpoint_get(file, name, &array, values);
}

// An array whose shape the file knows.
static pv_status find(pv_checkpoint *file, const char *name, pv_number type, int dimensions, pv_array *array_p)
{
    int found;
    PV_TRY(pv_checkpoint_find(file, name, array_p, &found));
    PV_REQUIRE(found && array_p->type == type && array_p->dimensions == dimensions, PV_ERR_INPUT,
               "the checkpoint has no %s as it should be: it is not one of parseval dft, or of a later version", name);
    return PV_OK;
}

static pv_status get_text(pv_checkpoint *file, const char *name, size_t room, char *text)
{
    pv_array array;
    PV_TRY(find(file, name, PV_NUMBER_TEXT, 1, &array));
    PV_REQUIRE((size_t)array.shape[0] < room, PV_ERR_INPUT,
               "the checkpoint's %s has %lld letters; fewer than %zu are read", name, (long long)array.shape[0], room);
    memset(text, 0, room);
    return pv_checkpoint_get(file, name, &array, text);
}

// ---- Cell --------------------------------------------------------------------------------------------------------

static int count_words(const char *text)
{
    int words = 0;
    for (const char *at = text; *at; at++) words += *at != ' ' && (at == text || at[-1] == ' ');
    return words;
}

static pv_status set_species(const char *text, pv_cell *cell)
{
    const char *at = text;
    for (int s = 0; s < cell->species; s++) {
        at += strspn(at, " ");
        const size_t length = strcspn(at, " ");
        snprintf(cell->species_name[s], sizeof cell->species_name[s], "%.*s", (int)length, at);
        at += length;
    }
    for (int a = 0; a < cell->atoms; a++) {
        PV_REQUIRE(cell->species_of[a] >= 0 && cell->species_of[a] < cell->species, PV_ERR_INPUT,
                   "atom %d of the checkpoint is of species %d of %d", a + 1, cell->species_of[a] + 1, cell->species);
        cell->count_of[cell->species_of[a]]++;
    }
    return PV_OK;
}

static pv_status get_cell(pv_checkpoint *file, pv_saved *saved)
{
    char species[1024];
    double lattice[3][3];
    pv_array positions;
    PV_TRY(get_text(file, "cell/species", sizeof species, species));
    PV_TRY(find(file, "cell/positions", PV_NUMBER_REAL, 2, &positions));
    PV_REQUIRE(positions.shape[0] > 0 && positions.shape[0] < 1 << 24 && positions.shape[1] == 3, PV_ERR_INPUT,
               "the checkpoint has %lld atoms", (long long)positions.shape[0]);
    PV_TRY(pv_comm_agree(pv_checkpoint_comm(file),
                         pv_cell_create((int)positions.shape[0], count_words(species), 0, &saved->cell)));
    pv_cell *cell = saved->cell;
    PV_TRY(get_reals(file, "cell/lattice_bohr", 2, (int64_t[]){3, 3}, &lattice[0][0]));
    PV_TRY(pv_cell_set_lattice(cell, (const double (*)[3])lattice));
    PV_TRY(get_reals(file, "cell/positions", 2, positions.shape, &cell->fractional[0][0]));
    PV_TRY(get_ints(file, "cell/species_of", cell->atoms, cell->species_of));
    return set_species(species, cell);
}

// ---- Bands -------------------------------------------------------------------------------------------------------

static pv_status allocate_bands(pv_saved *saved)
{
    const int64_t states = (int64_t)saved->spins * saved->kpoints;
    PV_TRY(PV_ALLOC(saved->kpoints, &saved->kpoint));
    PV_TRY(PV_ALLOC(saved->kpoints, &saved->weight));
    PV_TRY(PV_ALLOC(states * saved->bands, &saved->eigenvalues_ha));
    return PV_ALLOC(states * saved->bands, &saved->filling);
}

static pv_status get_bands(pv_checkpoint *file, pv_saved *saved)
{
    pv_array array;
    PV_TRY(find(file, "bands/eigenvalues_ha", PV_NUMBER_REAL, 3, &array));
    const int64_t *n = array.shape;
    PV_REQUIRE((n[0] == 1 || n[0] == 2) && n[1] > 0 && n[1] < 1 << 24 && n[2] > 0 && n[2] < 1 << 24, PV_ERR_INPUT,
               "the checkpoint has %lld spins, %lld k-points and %lld bands", (long long)n[0], (long long)n[1],
               (long long)n[2]);
    saved->spins = (int)n[0];
    saved->kpoints = (int)n[1];
    saved->bands = (int)n[2];
    PV_TRY(pv_comm_agree(pv_checkpoint_comm(file), allocate_bands(saved)));
    PV_TRY(get_reals(file, "kpoints/fractional", 2, (int64_t[]){n[1], 3}, &saved->kpoint[0][0]));
    PV_TRY(get_reals(file, "kpoints/weight", 1, &n[1], saved->weight));
    PV_TRY(get_reals(file, "bands/eigenvalues_ha", 3, n, saved->eigenvalues_ha));
    PV_TRY(get_reals(file, "bands/filling", 3, n, saved->filling));
    return get_real(file, "bands/fermi_ha", &saved->fermi_ha);
}

static pv_status look_for_large(pv_checkpoint *file, pv_saved *saved)
{
    pv_array array;
    PV_TRY(pv_checkpoint_find(file, "orbitals/1/miller", &array, &saved->has_orbitals));
    PV_TRY(pv_checkpoint_find(file, "density", &array, &saved->has_density));
    if (!saved->has_density) return PV_OK;
    PV_TRY(find(file, "density", PV_NUMBER_REAL, 4, &array));
    PV_REQUIRE(array.shape[0] == saved->spins, PV_ERR_INPUT, "the checkpoint's density has %lld spins, its bands %d",
               (long long)array.shape[0], saved->spins);
    memcpy(saved->grid, array.shape + 1, sizeof saved->grid);
    return PV_OK;
}

static pv_status get_all(pv_checkpoint *file, pv_saved *saved)
{
    char format[64];
    PV_TRY(get_text(file, "format", sizeof format, format));
    PV_REQUIRE(strcmp(format, PV_SAVED_FORMAT) == 0, PV_ERR_INPUT, "the checkpoint is '%.40s'; '%s' is accepted",
               format, PV_SAVED_FORMAT);
    PV_TRY(get_cell(file, saved));
    PV_TRY(get_text(file, "parameters/functional", sizeof saved->functional, saved->functional));
    PV_TRY(get_real(file, "parameters/electrons", &saved->electrons));
    PV_TRY(get_real(file, "parameters/cutoff_ha", &saved->cutoff_ha));
    PV_TRY(get_bands(file, saved));
    PV_TRY(get_ints(file, "run/steps", 1, &saved->steps));
    PV_TRY(get_ints(file, "run/converged", 1, &saved->converged));
    PV_TRY(get_real(file, "run/energy_ha", &saved->energy_ha));
    return look_for_large(file, saved);
}

// What fails here fails alike on every rank: all see the same numbers.
pv_status pv_saved_read(pv_checkpoint *file, pv_saved **saved_p)
{
    pv_saved *saved = NULL;
    pv_status status = pv_comm_agree(pv_checkpoint_comm(file), PV_ALLOC(1, &saved));
    if (status == PV_OK) status = get_all(file, saved);
    if (status == PV_OK)
        *saved_p = saved;
    else
        pv_saved_destroy(saved);
    return status;
}

void pv_saved_destroy(pv_saved *saved)
{
    if (!saved) return;
    pv_cell_destroy(saved->cell);
    pv_mem_free(saved->kpoint);
    pv_mem_free(saved->weight);
    pv_mem_free(saved->eigenvalues_ha);
    pv_mem_free(saved->filling);
    pv_mem_free(saved);
}

// ---- Density -----------------------------------------------------------------------------------------------------

typedef struct slabs {
    double *values;
    int64_t points;
} slabs;

static void take_slab(void *context, int64_t row, int64_t first, int64_t count, const void *numbers)
{
    const slabs *slabs = context;
    memcpy(slabs->values + row * slabs->points + first, numbers, (size_t)count * sizeof(double));
}

pv_status pv_saved_take_density(pv_checkpoint *file, const pv_saved *saved, const pv_grid *grid, double *values)
{
    const int64_t *n = grid->shape;
    const pv_array array = {PV_NUMBER_REAL, 4, {saved->spins, n[0], n[1], n[2]}};
    const pv_stretch stretch = {grid->first_point, grid->local_points};
    slabs slabs = {values, grid->local_points};
    pv_spread *spread;
    PV_TRY(pv_spread_create(grid->comm, grid->points, grid->local_points > 0, &stretch, &spread));
    const pv_status status = pv_checkpoint_get_rows(file, "density", &array, saved->spins, spread, take_slab, &slabs);
    pv_spread_destroy(spread);
    return status;
}
