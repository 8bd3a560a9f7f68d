// SPDX-License-Identifier: Apache-2.0
// Crystals with known space groups, lengths in Angstrom.
#ifndef PV_TESTS_DFT_CRYSTALS_H
#define PV_TESTS_DFT_CRYSTALS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dft/model/cell.h"
#include "dft/model/units.h"
#include "harness.h"

typedef struct crystal {
    const char *name;
    int number, operations;    // of the space group and of the cell below
    double lattice[3][3];
    int atoms;
    struct {
        const char *element;
        double at[3];
    } atom[12];
} crystal;

#define SQRT3_2 0.86602540378443864676

static const crystal silicon = {"Si", 227, 48, {{0, 2.715, 2.715}, {2.715, 0, 2.715}, {2.715, 2.715, 0}}, 2,
                                {{"Si", {0, 0, 0}}, {"Si", {0.25, 0.25, 0.25}}}};
static const crystal magnesia = {"MgO", 225, 48, {{0, 2.105, 2.105}, {2.105, 0, 2.105}, {2.105, 2.105, 0}}, 2,
                                 {{"Mg", {0, 0, 0}}, {"O", {0.5, 0.5, 0.5}}}};
static const crystal hafnia = {
    "HfO2", 14, 4, {{5.142319, 0, 0}, {0, 5.195148, 0}, {-0.895044237, 0, 5.250293001}}, 12,
    {{"Hf", {0.275959, 0.042681, 0.207891}}, {"Hf", {0.724041, 0.542681, 0.292109}},
     {"Hf", {0.724041, 0.957319, 0.792109}}, {"Hf", {0.275959, 0.457319, 0.707891}},
     {"O", {0.067849, 0.330122, 0.347094}},  {"O", {0.932151, 0.830122, 0.152906}},
     {"O", {0.932151, 0.669878, 0.652906}},  {"O", {0.067849, 0.169878, 0.847094}},
     {"O", {0.448887, 0.757397, 0.477708}},  {"O", {0.551113, 0.257397, 0.022292}},
     {"O", {0.551113, 0.242603, 0.522292}},  {"O", {0.448887, 0.742603, 0.977708}}}};
static const crystal magnesium = {
    "Mg", 194, 24, {{3.2094, 0, 0}, {-1.6047, 3.2094 * SQRT3_2, 0}, {0, 0, 5.2108}}, 2,
    {{"Mg", {1.0 / 3, 2.0 / 3, 0.25}}, {"Mg", {2.0 / 3, 1.0 / 3, 0.75}}}};
static const crystal rutile = {"TiO2", 136, 16, {{4.594, 0, 0}, {0, 4.594, 0}, {0, 0, 2.959}}, 6,
                               {{"Ti", {0, 0, 0}}, {"Ti", {0.5, 0.5, 0.5}}, {"O", {0.3053, 0.3053, 0}},
                                {"O", {-0.3053, -0.3053, 0}}, {"O", {0.8053, 0.1947, 0.5}},
                                {"O", {0.1947, 0.8053, 0.5}}}};
// The conventional cell: four pure translations.
static const crystal silicon_cubic = {
    "Si8", 227, 192, {{5.43, 0, 0}, {0, 5.43, 0}, {0, 0, 5.43}}, 8,
    {{"Si", {0, 0, 0}}, {"Si", {0, 0.5, 0.5}}, {"Si", {0.5, 0, 0.5}}, {"Si", {0.5, 0.5, 0}},
     {"Si", {0.25, 0.25, 0.25}}, {"Si", {0.25, 0.75, 0.75}}, {"Si", {0.75, 0.25, 0.75}}, {"Si", {0.75, 0.75, 0.25}}}};

static inline pv_cell *cell_of(const crystal *crystal)
{
    pv_cell *cell;
    int species = 0;
    const char *names[12];
    for (int a = 0; a < crystal->atoms; a++) {
        int s = 0;
        while (s < species && strcmp(names[s], crystal->atom[a].element) != 0) s++;
        if (s == species) names[species++] = crystal->atom[a].element;
    }
    assert_ok(pv_cell_create(crystal->atoms, species, 0, &cell));
    double lattice[3][3];
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) lattice[i][c] = crystal->lattice[i][c] / PV_BOHR_ANGSTROM;
    assert_ok(pv_cell_set_lattice(cell, (const double (*)[3])lattice));
    for (int s = 0; s < species; s++) strcpy(cell->species_name[s], names[s]);
    for (int a = 0; a < crystal->atoms; a++) {
        memcpy(cell->fractional[a], crystal->atom[a].at, sizeof cell->fractional[a]);
        while (strcmp(cell->species_name[cell->species_of[a]], crystal->atom[a].element) != 0) cell->species_of[a]++;
        cell->count_of[cell->species_of[a]]++;
    }
    return cell;
}

// Every Miller index with |G| <= reach, or one of each pair G, -G; the caller frees them.
static inline int64_t waves_of(const pv_cell *cell, double reach, int half, int32_t (**miller_p)[3])
{
    const int most = 40;
    int32_t (*miller)[3] = NULL;
    int64_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) miller = calloc((size_t)count, sizeof *miller);
        count = 0;
        for (int x = -most; x <= most; x++)
            for (int y = -most; y <= most; y++)
                for (int z = half ? 0 : -most; z <= most; z++) {
                    double g2 = 0.0;
                    for (int c = 0; c < 3; c++) {
                        const double (*b)[3] = (const double (*)[3])cell->reciprocal;
                        const double g = x * b[0][c] + y * b[1][c] + z * b[2][c];
                        g2 += g * g;
                    }
                    if (g2 > reach * reach || (half && z == 0 && (y < 0 || (y == 0 && x < 0)))) continue;
                    if (miller) memcpy(miller[count], (int32_t[3]){x, y, z}, sizeof *miller);
                    count++;
                }
    }
    *miller_p = miller;
    return count;
}

#endif
