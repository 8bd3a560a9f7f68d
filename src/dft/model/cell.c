// SPDX-License-Identifier: Apache-2.0
#include "dft/model/cell.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/model/units.h"

pv_status pv_cell_create(int atoms, int species, int selective, pv_cell **cell_p)
{
    PV_REQUIRE(atoms > 0 && species > 0, PV_ERR_ARGUMENT, "asked for %d atoms of %d species; both must be positive",
               atoms, species);
    pv_cell *cell;
    PV_TRY(PV_ALLOC(1, &cell));
    pv_status status;
    PV_TRY_GOTO(PV_ALLOC(atoms, &cell->species_of), status, failed);
    PV_TRY_GOTO(PV_ALLOC(atoms, &cell->fractional), status, failed);
    PV_TRY_GOTO(PV_ALLOC(species, &cell->species_name), status, failed);
    PV_TRY_GOTO(PV_ALLOC(species, &cell->count_of), status, failed);
    if (selective) PV_TRY_GOTO(PV_ALLOC(atoms, &cell->movable), status, failed);
    cell->atoms = atoms;
    cell->species = species;
    cell->selective = selective;
    cell->scale_angstrom = 1.0;
    *cell_p = cell;
    return PV_OK;
failed:
    pv_cell_destroy(cell);
    return status;
}

void pv_cell_destroy(pv_cell *cell)
{
    if (!cell) return;
    pv_mem_free(cell->species_of);
    pv_mem_free(cell->fractional);
    pv_mem_free(cell->species_name);
    pv_mem_free(cell->count_of);
    pv_mem_free(cell->movable);
    pv_mem_free(cell->velocity);
    pv_mem_free(cell);
}

static void cross(const double a[3], const double b[3], double product[3])
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        product[i] = a[j] * b[k] - a[k] * b[j];
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

pv_status pv_cell_set_lattice(pv_cell *cell, const double lattice_bohr[3][3])
{
    double normal[3][3], shown[3][3];
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) shown[i][c] = lattice_bohr[i][c] * PV_BOHR_ANGSTROM;
    for (int i = 0; i < 3; i++) cross(lattice_bohr[(i + 1) % 3], lattice_bohr[(i + 2) % 3], normal[i]);
    double determinant = dot(lattice_bohr[0], normal[0]);
    double box = 1.0;
    for (int i = 0; i < 3; i++) box *= sqrt(dot(lattice_bohr[i], lattice_bohr[i]));
    PV_REQUIRE(isfinite(box) && isnormal(determinant) && fabs(determinant) > 1e-8 * box, PV_ERR_INPUT,
               "the lattice vectors (%.6g %.6g %.6g), (%.6g %.6g %.6g), (%.6g %.6g %.6g) Angstrom span no volume; "
               "three independent vectors are needed",
               shown[0][0], shown[0][1], shown[0][2], shown[1][0], shown[1][1], shown[1][2], shown[2][0], shown[2][1],
               shown[2][2]);

    memcpy(cell->lattice_bohr, lattice_bohr, sizeof cell->lattice_bohr);
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) cell->reciprocal[i][c] = 2.0 * PV_PI * normal[i][c] / determinant;
    cell->volume_bohr3 = fabs(determinant);
    return PV_OK;
}

void pv_cell_to_cartesian(const pv_cell *cell, const double fractional[3], double cartesian[3])
{
    for (int c = 0; c < 3; c++) {
        double sum = 0.0;
        for (int i = 0; i < 3; i++) sum += fractional[i] * cell->lattice_bohr[i][c];
        cartesian[c] = sum;
    }
}

void pv_cell_to_fractional(const pv_cell *cell, const double cartesian[3], double fractional[3])
{
    for (int i = 0; i < 3; i++) fractional[i] = dot(cell->reciprocal[i], cartesian) / (2.0 * PV_PI);
}
