// SPDX-License-Identifier: Apache-2.0
#include "dft/model/pseudo.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/model/element.h"
#include "dft/model/pseudo_tables.h"

static const double integrate_bohr = 10.0;
static const double beyond_core_bohr = 4.0;
static const double largest_valence = 118.0;
enum { FEWEST_POINTS = 5 };

static pv_status allocate_radial(int points, int projectors, int has_core, int has_density, pv_pseudo_radial *radial)
{
    radial->points = points;
    PV_TRY(PV_ALLOC(points, &radial->r));
    PV_TRY(PV_ALLOC(points, &radial->dr));
    PV_TRY(PV_ALLOC(points, &radial->local_ha));
    PV_TRY(PV_ALLOC((size_t)points * (size_t)projectors, &radial->projector));
    if (has_core) PV_TRY(PV_ALLOC(points, &radial->core));
    if (has_density) PV_TRY(PV_ALLOC(points, &radial->density));
    return PV_OK;
}

static pv_status allocate_projectors(int projectors, pv_pseudo *pseudo)
{
    pseudo->projectors = projectors;
    PV_TRY(PV_ALLOC(projectors, &pseudo->l));
    return PV_ALLOC((size_t)projectors * (size_t)projectors, &pseudo->coupling_ha);
}

pv_status pv_pseudo_create_radial(int points, int projectors, int has_core, int has_density, pv_pseudo **pseudo_p)
{
    PV_REQUIRE(
        points >= FEWEST_POINTS && projectors >= 0 && projectors <= PV_PSEUDO_PROJECTORS, PV_ERR_INPUT,
        "a potential of %d radial points and %d projectors; at least %d points and 0 to %d projectors are accepted",
        points, projectors, FEWEST_POINTS, PV_PSEUDO_PROJECTORS);
    pv_pseudo *pseudo;
    PV_TRY(PV_ALLOC(1, &pseudo));
    pv_status status;
    PV_TRY_GOTO(allocate_projectors(projectors, pseudo), status, failed);
    PV_TRY_GOTO(PV_ALLOC(1, &pseudo->radial), status, failed);
    PV_TRY_GOTO(allocate_radial(points, projectors, has_core, has_density, pseudo->radial), status, failed);
    pseudo->has_core = has_core;
    pseudo->radial->projector_integrated = points;
    *pseudo_p = pseudo;
    return PV_OK;
failed:
    pv_pseudo_destroy(pseudo);
    return status;
}

static void destroy_radial(pv_pseudo_radial *radial)
{
    if (!radial) return;
    pv_mem_free(radial->r);
    pv_mem_free(radial->dr);
    pv_mem_free(radial->local_ha);
    pv_mem_free(radial->projector);
    pv_mem_free(radial->core);
    pv_mem_free(radial->density);
    pv_mem_free(radial);
}

void pv_pseudo_destroy(pv_pseudo *pseudo)
{
    if (!pseudo) return;
    pv_mem_free(pseudo->source);
    pv_mem_free(pseudo->l);
    pv_mem_free(pseudo->coupling_ha);
    destroy_radial(pseudo->radial);
    pv_pseudo_tables_destroy(pseudo->tables);
    pv_mem_free(pseudo);
}

static int odd(int count)
{
    return count % 2 ? count : count - 1;
}

static pv_status check_mesh(const pv_pseudo *pseudo)
{
    const pv_pseudo_radial *radial = pseudo->radial;
    for (int i = 0; i < radial->points; i++)
        PV_REQUIRE(
            radial->r[i] >= 0.0 && radial->dr[i] > 0.0 && (i == 0 || radial->r[i] > radial->r[i - 1]), PV_ERR_INPUT,
            "%s: the radial mesh has r = %g with weight %g at point %d; radii that rise from 0 and positive weights "
            "are accepted",
            pseudo->source, radial->r[i], radial->dr[i], i + 1);
    return PV_OK;
}

static pv_status check_coupling(pv_pseudo *pseudo)
{
    const int n = pseudo->projectors;
    double largest = 0.0, *d = pseudo->coupling_ha;
    for (int i = 0; i < n * n; i++) largest = fmax(largest, fabs(d[i]));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double mean = 0.5 * (d[i * n + j] + d[j * n + i]);
            PV_REQUIRE(
                fabs(d[i * n + j] - mean) <= 1e-6 * largest &&
                    (pseudo->l[i] == pseudo->l[j] || fabs(mean) <= 1e-12 * largest),
                PV_ERR_INPUT,
                "%s: D between projectors %d (l = %d) and %d (l = %d) is %g one way and %g the other; a symmetric D "
                "between equal l is accepted",
                pseudo->source, i + 1, pseudo->l[i], j + 1, pseudo->l[j], d[i * n + j], d[j * n + i]);
            d[i * n + j] = d[j * n + i] = mean;
        }
    return PV_OK;
}

// As Quantum ESPRESSO 6.7: to the first point beyond 10 bohr, an odd number of points.
static void set_extents(pv_pseudo_radial *radial)
{
    int count = 0;
    while (count < radial->points && (count == 0 || radial->r[count - 1] <= integrate_bohr)) count++;
    radial->integrated = odd(count);
    if (radial->projector_integrated > count) radial->projector_integrated = count;
    if (radial->projector_integrated < FEWEST_POINTS) radial->projector_integrated = count;
    radial->projector_integrated = odd(radial->projector_integrated);
}

// Beyond its core a potential is that of its valence electrons' number of protons. A mesh that ends earlier says
// nothing.
static pv_status check_tail(const pv_pseudo *pseudo)
{
    const pv_pseudo_radial *radial = pseudo->radial;
    const int last = radial->integrated - 1;
    if (last < 0 || radial->r[last] < beyond_core_bohr) return PV_OK;
    const double tail = radial->r[last] * radial->local_ha[last];
    PV_REQUIRE(
        fabs(tail + pseudo->valence) <= 0.02 + 0.01 * pseudo->valence, PV_ERR_INPUT,
        "%s: its header says %g valence electrons and its local potential, %g / r at r = %g bohr, another number; "
        "a file that agrees with itself is accepted",
        pseudo->source, pseudo->valence, tail, radial->r[last]);
    return PV_OK;
}

pv_status pv_pseudo_prepare(pv_pseudo *pseudo)
{
    PV_REQUIRE(pseudo->valence > 0.0 && pseudo->valence <= largest_valence, PV_ERR_INPUT,
               "%s: %g valence electrons; more than 0 and at most %g are accepted", pseudo->source, pseudo->valence,
               largest_valence);
    pseudo->l_max = -1;
    for (int i = 0; i < pseudo->projectors; i++) {
        PV_REQUIRE(pseudo->l[i] >= 0 && pseudo->l[i] <= PV_PSEUDO_L_MAX, PV_ERR_INPUT,
                   "%s: projector %d has l = %d; 0 to %d are accepted", pseudo->source, i + 1, pseudo->l[i],
                   PV_PSEUDO_L_MAX);
        if (pseudo->l[i] > pseudo->l_max) pseudo->l_max = pseudo->l[i];
    }
    PV_TRY(check_coupling(pseudo));
    pseudo->model = pv_atom_density_of(pv_element_number(pseudo->element), pseudo->valence);
    if (!pseudo->radial) return PV_OK;
    PV_TRY(check_mesh(pseudo));
    set_extents(pseudo->radial);
    PV_TRY(check_tail(pseudo));
    return pv_pseudo_tables_create(pseudo, &pseudo->tables);
}
