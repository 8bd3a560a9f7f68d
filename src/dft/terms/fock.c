// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/fock.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/model/exchange_grid.h"
#include "dft/terms/fock_parts.h"

// ---- Points ------------------------------------------------------------------------------------------------------

static int is_half_integer(const double k[3])
{
    for (int d = 0; d < 3; d++)
        if (fabs(2.0 * k[d] - round(2.0 * k[d])) > 1e-9) return 0;
    return 1;
}

static pv_status add_image(pv_fock *fock, const pv_kpoint_image *image, const double k[3], double weight)
{
    const pv_system *system = fock->system;
    pv_fock_point *point = &fock->image[fock->images++];
    *point = (pv_fock_point){.from = image->from, .k = {k[0], k[1], k[2]}, .weight = weight};
    PV_TRY(pv_basis_create(fock->self, system->cell, k, system->params.cutoff_ha, fock->shape, fock->real,
                           system->engine, &point->basis));
    return pv_carry_create(fock->device, fock->home[image->from].basis,
                           &system->symmetry->operation[image->operation], image, point->basis, &point->carry);
}

// The points of a mesh that are not the first of their star; the first are home.
static pv_status points_of_mesh(pv_fock *fock)
{
    const pv_system *system = fock->system;
    const pv_kpoints *full = system->full_kpoints;
    PV_TRY(PV_ALLOC(full->count, &fock->image));
    for (int f = 0; f < full->count; f++) {
        const pv_kpoint_image *image = &system->image[f];
        if (full->weight[f] == 0.0) continue;
        const double *home = system->kpoints->fractional[image->from];
        if (memcmp(home, full->fractional[f], sizeof(double[3])) == 0)
            fock->home[image->from].weight = full->weight[f];
        else
            PV_TRY(add_image(fock, image, full->fractional[f], full->weight[f]));
    }
    return PV_OK;
}

// Of a list of k-points every star counts whole, whether the list holds one of each star or all.
static pv_status star_of(pv_fock *fock, int k)
{
    const pv_symmetry *symmetry = fock->system->symmetry;
    const double *home = fock->system->kpoints->fractional[k];
    const int first = fock->images;
    for (int turn = 0; turn < symmetry->count * (1 + symmetry->time_reversal); turn++) {
        const pv_operation *operation = &symmetry->operation[turn / (1 + symmetry->time_reversal)];
        pv_kpoint_image image = {.from = k,
                                 .operation = (int)(operation - symmetry->operation),
                                 .reversed = turn % (1 + symmetry->time_reversal)};
        double to[3];
        for (int i = 0; i < 3; i++) {
            to[i] = 0.0;
            for (int j = 0; j < 3; j++) to[i] += operation->reciprocal[i][j] * home[j];
            if (image.reversed) to[i] = -to[i];
            image.umklapp[i] = (int)lround(-ceil(to[i] - 0.5 - 1e-9));
            to[i] += image.umklapp[i];
        }
        int known = pv_kpoints_key(to, 1.0) == pv_kpoints_key(home, 1.0);
        for (int i = first; i < fock->images; i++)
            known |= pv_kpoints_key(to, 1.0) == pv_kpoints_key(fock->image[i].k, 1.0);
        if (!known) PV_TRY(add_image(fock, &image, to, 0.0));
    }
    const double weight = fock->system->kpoints->weight[k] / (fock->images - first + 1);
    fock->home[k].weight = weight;
    for (int i = first; i < fock->images; i++) fock->image[i].weight = weight;
    return PV_OK;
}

static pv_status points_of_list(pv_fock *fock)
{
    const pv_system *system = fock->system;
    PV_TRY(PV_ALLOC(2 * system->symmetry->rotations * fock->kpoints, &fock->image));
    for (int k = 0; k < fock->kpoints; k++)
        if (system->kpoints->weight[k] > 0.0) PV_TRY(star_of(fock, k));
    return PV_OK;
}

static pv_status make_points(pv_fock *fock)
{
    const pv_system *system = fock->system;
    fock->kpoints = system->kpoints->count;
    fock->real = 1;
    for (int k = 0; k < fock->kpoints; k++) fock->real &= is_half_integer(system->kpoints->fractional[k]);
    PV_TRY(PV_ALLOC(fock->kpoints, &fock->home));
    for (int k = 0; k < fock->kpoints; k++) {
        pv_fock_point *point = &fock->home[k];
        const pv_basis *run = system->basis[k];
        point->from = k;
        memcpy(point->k, system->kpoints->fractional[k], sizeof point->k);
        fock->one_way |= system->kpoints->weight[k] == 0.0;
        PV_TRY(pv_basis_create(fock->self, system->cell, point->k, system->params.cutoff_ha, fock->shape, fock->real,
                               system->engine, &point->basis));
        if (run->scalar == point->basis->scalar) continue;
        PV_TRY(pv_carry_create(fock->device, run, NULL, NULL, point->basis, &point->carry));
        PV_TRY(pv_carry_create(fock->device, point->basis, NULL, NULL, run, &point->back));
    }
    PV_TRY(system->full_kpoints->is_mesh ? points_of_mesh(fock) : points_of_list(fock));
    // Those of a thinned mesh that take part in a sum stand for those that do not.
    const int *reduction = system->params.fock.reduction, each = reduction[0] * reduction[1] * reduction[2];
    for (int k = 0; k < fock->kpoints; k++) fock->home[k].weight *= each;
    for (int i = 0; i < fock->images; i++) fock->image[i].weight *= each;
    return PV_OK;
}

// ---- Making ------------------------------------------------------------------------------------------------------

static pv_status choose_coulomb(pv_fock *fock)
{
    const pv_system *system = fock->system;
    const pv_dft_params *params = &system->params;
    const pv_kpoints *full = system->full_kpoints;
    if (params->fock.screening_bohr > 0.0) {
        fock->coulomb = pv_coulomb_screened(params->fock.screening_bohr);
        return PV_OK;
    }
    int mesh[3];
    for (int i = 0; i < 3; i++) mesh[i] = full->is_mesh ? full->mesh[i] / params->fock.reduction[i] : 1;
    PV_REQUIRE(full->is_mesh || full->count == 1, PV_ERR_UNSUPPORTED,
               "an unscreened hybrid (HFSCREEN = 0) on a list of %d k-points: its Coulomb singularity needs a regular "
               "mesh (Gamma or Monkhorst-Pack)",
               full->count);
    fock->coulomb = params->fock.divergence == PV_FOCK_SPHERE
                        ? pv_coulomb_truncated(system->cell, mesh, params->fock.radius_bohr)
                        : pv_coulomb_auxiliary(system->cell, mesh, params->cutoff_ha);
    return PV_OK;
}

static void write_text(pv_fock *fock)
{
    const char *const kinds[] = {"screened, erfc(omega r) / r", "1 / r, Gygi-Baldereschi", "1 / r inside a sphere"};
    const int points = fock->images + fock->kpoints;
    int64_t waves = 0;
    for (int m = 0; m < fock->momenta; m++) waves += fock->momentum[m].waves;
    snprintf(fock->text, sizeof fock->text,
             "exact exchange  fraction %.4g, %s\n"
             "                grid %" PRId64 " x %" PRId64 " x %" PRId64 ", pairs to %.4g 1/bohr (%" PRId64
             " plane waves), %s orbitals\n"
             "                %d k-point%s from %d, %d wave vector%s of pairs%s\n",
             fock->fraction, kinds[fock->coulomb.kind], fock->shape[0], fock->shape[1], fock->shape[2],
             fock->pair_reach, waves / fock->momenta, fock->real ? "real" : "complex", points, points == 1 ? "" : "s",
             fock->kpoints, fock->momenta, fock->momenta == 1 ? "" : "s",
             fock->system->params.fock.single ? ", in single precision until little is missed" : "");
}

static pv_status make(pv_fock *fock)
{
    PV_TRY(pv_comm_open_self(fock->device, &fock->self));
    PV_TRY(pv_exchange_grid_choose(fock->system->cell, &fock->system->params, fock->shape, &fock->pair_reach));
    fock->points = fock->shape[0] * fock->shape[1] * fock->shape[2];
    PV_TRY(choose_coulomb(fock));
    PV_TRY(make_points(fock));
    PV_TRY(pv_fock_make_momenta(fock));
    write_text(fock);
    return PV_OK;
}

pv_status pv_fock_create_as(const pv_fock_ops *ops, const pv_system *system, pv_fock **fock_p)
{
    pv_fock *fock;
    PV_TRY(PV_ALLOC(1, &fock));
    fock->ops = ops;
    fock->system = system;
    fock->device = system->device;
    fock->stream = pv_device_stream(fock->device);
    fock->fraction = system->params.fock.fraction;
    fock->threads = pv_device_threads(fock->device);
    fock->bands = system->params.bands;
    const pv_status status = pv_comm_agree(system->comm, make(fock));
    if (status != PV_OK) {
        pv_fock_destroy(fock);
        return status;
    }
    *fock_p = fock;
    return PV_OK;
}

pv_status pv_fock_create(const pv_system *system, pv_fock **fock_p)
{
    return pv_fock_create_as(pv_device_is_host(system->device) ? &pv_fock_slices : &pv_fock_in_boxes, system, fock_p);
}

static void destroy_points(pv_fock_point *point, int count)
{
    for (int p = 0; point && p < count; p++) {
        pv_basis_destroy(point[p].basis);
        pv_carry_destroy(point[p].carry);
        pv_carry_destroy(point[p].back);
    }
    pv_mem_free(point);
}

void pv_fock_destroy(pv_fock *fock)
{
    if (!fock) return;
    destroy_points(fock->home, fock->kpoints);
    destroy_points(fock->image, fock->images);
    pv_fock_free_momenta(fock);
    if (fock->self) pv_comm_close(fock->self);
    pv_mem_free(fock);
}

const char *pv_fock_text(const pv_fock *fock)
{
    return fock->text;
}
const int64_t *pv_fock_grid(const pv_fock *fock)
{
    return fock->shape;
}
pv_fock_effort pv_fock_effort_of(const pv_fock *fock)
{
    return fock->effort;
}
void pv_fock_set_precision(pv_fock *fock, pv_precision precision)
{
    fock->precision = precision;
}
void pv_fock_set_bands(pv_fock *fock, int64_t bands)
{
    fock->bands = bands;
}
int64_t pv_fock_felt_bands(const pv_fock *fock, const double *filling)
{
    const pv_dft_params *params = &fock->system->params;
    const int64_t count = (int64_t)params->spins * fock->kpoints * params->bands;
    const double full = pv_dft_params_full(params);
    int64_t felt = 1;
    for (int64_t i = 0; i < count; i++)
        if (pv_fock_is_felt(filling[i] / full) && i % params->bands >= felt) felt = i % params->bands + 1;
    return felt;
}
