// SPDX-License-Identifier: Apache-2.0
#include "dft/model/symmetry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spglib.h>

#include "base/check.h"
#include "base/log.h"
#include "base/mem.h"
#include "dft/model/sites.h"
#include "dft/model/units.h"

static const double equal_moments = 1e-4; // Bohr magnetons
static const double wider = 10.0;         // spglib fits translations: an atom may miss by a little more than asked for

// ---- Operations --------------------------------------------------------------------------------------------------

static int determinant(int m[3][3])
{
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
           + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

// The inverse transpose is the matrix of cofactors: the determinant is 1 or -1.
static void set_reciprocal(pv_operation *operation)
{
    int (*r)[3] = operation->rotation;
    const int sign = determinant(r);
    for (int i = 0; i < 3; i++) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            operation->reciprocal[i][j] = sign * (r[i1][j1] * r[i2][j2] - r[i1][j2] * r[i2][j1]);
        }
    }
}

static void apply(const pv_operation *operation, const double x[3], double image[3])
{
    for (int i = 0; i < 3; i++) {
        image[i] = operation->translation[i];
        for (int j = 0; j < 3; j++) image[i] += operation->rotation[i][j] * x[j];
    }
}

static int is_identity(const pv_operation *operation)
{
    static const int one[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double shift = 0.0;
    for (int i = 0; i < 3; i++)
        shift = fmax(shift, fabs(operation->translation[i] - round(operation->translation[i])));
    return memcmp(operation->rotation, one, sizeof one) == 0 && shift < 1e-4;
}

static int count_rotations(const pv_symmetry *symmetry)
{
    int count = 0;
    for (int o = 0; o < symmetry->count; o++) {
        int before = 0;
        while (memcmp(symmetry->operation[before].rotation, symmetry->operation[o].rotation,
                      sizeof symmetry->operation[o].rotation) != 0)
            before++;
        count += before == o;
    }
    return count;
}

static pv_status allocate(int count, int atoms, pv_symmetry **symmetry_p)
{
    pv_symmetry *symmetry;
    PV_TRY(PV_ALLOC(1, &symmetry));
    symmetry->count = count;
    symmetry->atoms = atoms;
    pv_status status = PV_ALLOC(count, &symmetry->operation);
    if (status == PV_OK) status = PV_ALLOC((size_t)count * (size_t)atoms, &symmetry->image);
    if (status != PV_OK) {
        pv_symmetry_destroy(symmetry);
        return status;
    }
    *symmetry_p = symmetry;
    return PV_OK;
}

static void set_identity(pv_symmetry *symmetry)
{
    symmetry->operation[0] = (pv_operation){.rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    set_reciprocal(&symmetry->operation[0]);
    for (int a = 0; a < symmetry->atoms; a++) symmetry->image[a] = a;
    symmetry->rotations = 1;
}

// ---- Finding -----------------------------------------------------------------------------------------------------

// Atoms of one label may be mapped to each other: same species, same moment.
static void set_labels(const pv_cell *cell, const double *moments, int *label, int *first)
{
    int labels = 0;
    for (int a = 0; a < cell->atoms; a++) {
        int l = 0;
        while (l < labels && (cell->species_of[first[l]] != cell->species_of[a]
                              || (moments && fabs(moments[first[l]] - moments[a]) > equal_moments)))
            l++;
        if (l == labels) first[labels++] = a;
        label[a] = l + 1;
    }
}

static SpglibDataset *ask_spglib(const pv_cell *cell, const int *label, double tolerance_angstrom)
{
    double columns[3][3];
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) columns[c][i] = cell->lattice_bohr[i][c] * PV_BOHR_ANGSTROM;
    return spg_get_dataset(columns, cell->fractional, label, cell->atoms, tolerance_angstrom);
}

// The mean over atoms makes translations, found to the tolerance only, compose exactly: the error of a product is the
// sum of the errors of its factors for each atom, hence for their mean.
static int map_atoms(const pv_cell *cell, const pv_sites *sites, const int *label, double reach_bohr,
                     pv_operation *operation, int *image)
{
    double mean[3] = {0.0};
    for (int a = 0; a < cell->atoms; a++) {
        double place[3];
        apply(operation, cell->fractional[a], place);
        image[a] = pv_sites_find(sites, label[a], place, reach_bohr);
        if (image[a] < 0) return 0;
        for (int d = 0; d < 3; d++) {
            const double miss = cell->fractional[image[a]][d] - place[d];
            mean[d] += (miss - round(miss)) / cell->atoms;
        }
    }
    for (int d = 0; d < 3; d++) {
        const double t = operation->translation[d] + mean[d];
        operation->translation[d] = t - floor(t + 1e-9);
    }
    return 1;
}

// The identity goes first, the rest keep spglib's order. 0 when an operation turns out to be none.
static int take_operations(const SpglibDataset *found, const pv_cell *cell, const pv_sites *sites, const int *label,
                           double reach_bohr, pv_symmetry *symmetry)
{
    int next = 1, identities = 0;
    for (int i = 0; i < found->n_operations; i++) {
        pv_operation operation = {0};
        memcpy(operation.rotation, found->rotations[i], sizeof operation.rotation);
        memcpy(operation.translation, found->translations[i], sizeof operation.translation);
        if (is_identity(&operation)) {
            identities++;
            continue;
        }
        if (next == symmetry->count || abs(determinant(operation.rotation)) != 1
            || !map_atoms(cell, sites, label, reach_bohr, &operation, symmetry->image + (size_t)next * cell->atoms))
            return 0;
        set_reciprocal(&operation);
        symmetry->operation[next++] = operation;
    }
    return identities == 1 && next == symmetry->count;
}

static pv_status build(const SpglibDataset *found, const pv_cell *cell, const int *label, double reach_bohr,
                       pv_symmetry **symmetry_p)
{
    pv_sites *sites;
    PV_TRY(pv_sites_create(cell, label, &sites));
    pv_symmetry *symmetry = NULL;
    pv_status status = allocate(found ? found->n_operations : 1, cell->atoms, &symmetry);
    if (status == PV_OK) {
        set_identity(symmetry);
        if (found && take_operations(found, cell, sites, label, reach_bohr, symmetry)) {
            symmetry->rotations = count_rotations(symmetry);
            symmetry->number = found->spacegroup_number;
            snprintf(symmetry->symbol, sizeof symmetry->symbol, "%s", found->international_symbol);
        } else {
            pv_log(PV_LOG_WARN, "no symmetry is used: spglib found no space group at this SYMPREC (%s)",
                   found ? "its operations miss atoms" : spg_get_error_message(spg_get_error_code()));
            symmetry->count = 1;
        }
        *symmetry_p = symmetry;
    }
    pv_sites_destroy(sites);
    return status;
}

static pv_status find(const pv_cell *cell, const double *moments, double tolerance_angstrom, pv_symmetry **symmetry_p)
{
    int *label;
    PV_TRY(PV_ALLOC(2 * cell->atoms, &label));
    set_labels(cell, moments, label, label + cell->atoms);
    SpglibDataset *found = ask_spglib(cell, label, tolerance_angstrom);
    const pv_status status = build(found, cell, label, wider * tolerance_angstrom / PV_BOHR_ANGSTROM, symmetry_p);
    if (found) spg_free_dataset(found);
    pv_mem_free(label);
    return status;
}

pv_status pv_symmetry_create(const pv_cell *cell, const double *moments, int level, double tolerance_angstrom,
                             pv_symmetry **symmetry_p)
{
    PV_REQUIRE(level >= -1 && level <= 3, PV_ERR_ARGUMENT, "symmetry level (ISYM) %d; -1 to 3 are accepted", level);
    PV_REQUIRE(tolerance_angstrom > 0.0, PV_ERR_ARGUMENT, "a tolerance (SYMPREC) of %g Angstrom; must be positive",
               tolerance_angstrom);
    pv_symmetry *symmetry;
    if (level >= 1) {
        PV_TRY(find(cell, moments, tolerance_angstrom, &symmetry));
    } else {
        PV_TRY(allocate(1, cell->atoms, &symmetry));
        set_identity(symmetry);
    }
    symmetry->time_reversal = level >= 0;
    *symmetry_p = symmetry;
    return PV_OK;
}

void pv_symmetry_destroy(pv_symmetry *symmetry)
{
    if (!symmetry) return;
    pv_mem_free(symmetry->operation);
    pv_mem_free(symmetry->image);
    pv_mem_free(symmetry);
}

pv_status pv_symmetry_create_part(const pv_symmetry *symmetry, const unsigned char *keep, pv_symmetry **part_p)
{
    int count = 0;
    for (int o = 0; o < symmetry->count; o++) count += keep[o] != 0;
    PV_REQUIRE(keep[0], PV_ERR_ARGUMENT, "a part of a symmetry without the identity; it must keep operation 0");
    pv_symmetry *part;
    PV_TRY(allocate(count, symmetry->atoms, &part));
    part->time_reversal = symmetry->time_reversal;
    const size_t atoms = (size_t)symmetry->atoms;
    for (int o = 0, next = 0; o < symmetry->count; o++) {
        if (!keep[o]) continue;
        part->operation[next] = symmetry->operation[o];
        memcpy(part->image + (size_t)next++ * atoms, symmetry->image + (size_t)o * atoms, atoms * sizeof *part->image);
    }
    part->rotations = count_rotations(part);
    if (count == symmetry->count) {
        part->number = symmetry->number;
        memcpy(part->symbol, symmetry->symbol, sizeof part->symbol);
    }
    *part_p = part;
    return PV_OK;
}

// ---- Grids -------------------------------------------------------------------------------------------------------

// The least number of points, of small prime factors, in steps of which every translation along an axis is whole.
static int multiple_of(const pv_symmetry *symmetry, int axis)
{
    static const int numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12};
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        int whole = 1;
        for (int o = 0; o < symmetry->count && whole; o++) {
            const double steps = numbers[n] * symmetry->operation[o].translation[axis];
            whole = fabs(steps - round(steps)) < 1e-6;
        }
        if (whole) return numbers[n];
    }
    return 1;
}

void pv_symmetry_grid_multiples(const pv_symmetry *symmetry, int multiple[3])
{
    for (int d = 0; d < 3; d++) multiple[d] = multiple_of(symmetry, d);
}

// ---- Making it exact ---------------------------------------------------------------------------------------------

// Each atom goes to the mean of where the operations want it.
static void refine_atoms(const pv_symmetry *symmetry, const pv_cell *cell, double (*shift)[3])
{
    for (int o = 0; o < symmetry->count; o++)
        for (int a = 0; a < cell->atoms; a++) {
            const int image = symmetry->image[(size_t)o * (size_t)cell->atoms + (size_t)a];
            double place[3];
            apply(&symmetry->operation[o], cell->fractional[a], place);
            for (int d = 0; d < 3; d++) {
                const double miss = place[d] - cell->fractional[image][d];
                shift[image][d] += (miss - round(miss)) / symmetry->count;
            }
        }
}

// Metric M = A A^T of the rows, averaged over the rotations: R^T M R.
static void mean_metric(const pv_symmetry *symmetry, const pv_cell *cell, double mean[3][3])
{
    double metric[3][3] = {{0.0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int c = 0; c < 3; c++) metric[i][j] += cell->lattice_bohr[i][c] * cell->lattice_bohr[j][c];
    memset(mean, 0, sizeof metric);
    for (int o = 0; o < symmetry->count; o++) {
        const int (*r)[3] = (const int (*)[3])symmetry->operation[o].rotation;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++)
                    for (int l = 0; l < 3; l++) mean[i][j] += r[k][i] * metric[k][l] * r[l][j] / symmetry->count;
    }
}

// The lattice A (1 + e) with that metric and symmetric e: (1 + e)^2 = D = A^-1 M A^-T, whose root is a short series.
static void stretched(const pv_cell *cell, double mean[3][3], double lattice[3][3])
{
    double x[3][3] = {{0.0}}, x2[3][3] = {{0.0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    x[i][j] += cell->reciprocal[k][i] * mean[k][l] * cell->reciprocal[l][j] / (4.0 * PV_PI * PV_PI);
            x[i][j] -= i == j;
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) x2[i][j] += x[i][k] * x[k][j];
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) {
            lattice[i][c] = cell->lattice_bohr[i][c];
            for (int k = 0; k < 3; k++) lattice[i][c] += cell->lattice_bohr[i][k] * (0.5 * x[k][c] - 0.125 * x2[k][c]);
        }
}

// What rounding alone has moved stays as it was given.
static int is_noise(double moved) { return fabs(moved) < 1e-12; }

static int is_same_lattice(double a[3][3], double b[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++)
            if (!is_noise(a[i][c] - b[i][c])) return 0;
    return 1;
}

pv_status pv_symmetry_refine_cell(const pv_symmetry *symmetry, pv_cell *cell, double *moved_bohr_p)
{
    *moved_bohr_p = 0.0;
    if (symmetry->count == 1) return PV_OK;
    double (*shift)[3], mean[3][3], lattice[3][3];
    PV_TRY(PV_ALLOC(cell->atoms, &shift));
    refine_atoms(symmetry, cell, shift);
    mean_metric(symmetry, cell, mean);
    stretched(cell, mean, lattice);
    double moved = 0.0;
    for (int a = 0; a < cell->atoms; a++) {
        double way[3];
        pv_cell_to_cartesian(cell, shift[a], way);
        moved = fmax(moved, sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]));
        for (int d = 0; d < 3; d++) cell->fractional[a][d] += is_noise(shift[a][d]) ? 0.0 : shift[a][d];
    }
    pv_mem_free(shift);
    if (!is_same_lattice(lattice, cell->lattice_bohr))
        PV_TRY(pv_cell_set_lattice(cell, (const double (*)[3])lattice));
    *moved_bohr_p = moved;
    return PV_OK;
}
