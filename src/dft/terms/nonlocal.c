// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/nonlocal.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "device/array.h"
#include "dft/terms/nonlocal_kernels.h"
#include "dft/terms/waves.h"
#include "linalg/ortho.h"

// Functions of one atom that D couples with one of angular momentum l.
static int partners_of(const pv_pseudo *pseudo, int l)
{
    int count = 0;
    for (int i = 0; i < pseudo->projectors; i++) count += pseudo->l[i] == l;
    return count;
}

static int widest(const pv_cell *cell, pv_pseudo *const *pseudo)
{
    int width = 0;
    for (int s = 0; s < cell->species; s++)
        for (int i = 0; i < pseudo[s]->projectors; i++) {
            const int partners = partners_of(pseudo[s], pseudo[s]->l[i]);
            if (partners > width) width = partners;
        }
    return width;
}

// The rows of D of one atom, whose functions are (i, m), m fastest.
static void fill_atom(const pv_pseudo *pseudo, int width, int64_t first, int32_t *partner, double *coupling)
{
    int64_t row = first;
    for (int i = 0; i < pseudo->projectors; i++)
        for (int m = 0; m < 2 * pseudo->l[i] + 1; m++, row++) {
            int64_t column = first, used = 0;
            for (int j = 0; j < pseudo->projectors; column += 2 * pseudo->l[j] + 1, j++) {
                if (pseudo->l[i] != pseudo->l[j]) continue;
                partner[row * width + used] = (int32_t)(column + m);
                coupling[row * width + used++] = pseudo->coupling_ha[j * pseudo->projectors + i];
            }
            for (; used < width; used++) partner[row * width + used] = (int32_t)row;
        }
}

static pv_status make_coupling(pv_nonlocal *nonlocal, const pv_cell *cell, pv_pseudo *const *pseudo)
{
    const int64_t count = nonlocal->count * nonlocal->width;
    int32_t *partner = NULL;
    double *coupling;
    PV_TRY(PV_ALLOC(count, &coupling));
    pv_status status = PV_ALLOC(count, &partner);
    for (int a = 0; status == PV_OK && a < cell->atoms; a++)
        fill_atom(pseudo[cell->species_of[a]], nonlocal->width, nonlocal->first[a], partner, coupling);
    if (status == PV_OK) status = PV_ARRAY(nonlocal->device, "couplings", count, &nonlocal->partner);
    if (status == PV_OK) status = PV_ARRAY(nonlocal->device, "couplings", count, &nonlocal->coupling_ha);
    if (status == PV_OK)
        status = pv_array_write(nonlocal->device, nonlocal->partner, partner, (size_t)count * sizeof *partner);
    if (status == PV_OK)
        status = pv_array_write(nonlocal->device, nonlocal->coupling_ha, coupling, (size_t)count * sizeof *coupling);
    pv_mem_free(partner);
    pv_mem_free(coupling);
    return status;
}

static int64_t functions_of(const pv_cell *cell, pv_pseudo *const *pseudo)
{
    int64_t count = 0;
    for (int a = 0; a < cell->atoms; a++) count += pv_projector_functions(pseudo[cell->species_of[a]]);
    return count;
}

pv_status pv_nonlocal_room_create(pv_device *device, const pv_cell *cell, pv_pseudo *const *pseudo, pv_scalar scalar,
                                  int64_t local_most, int64_t bands_most, pv_nonlocal_room **room_p)
{
    const int64_t count = functions_of(cell, pseudo), scratch = bands_most * count * pv_scalar_reals(scalar);
    pv_nonlocal_room *room;
    PV_TRY(PV_ALLOC(1, &room));
    room->device = device;
    pv_status status = PV_ARRAY(device, "projectors", count * local_most, &room->projector);
    if (status == PV_OK) status = PV_ARRAY(device, "projections", scratch, &room->overlap);
    if (status == PV_OK) status = PV_ARRAY(device, "projections", scratch, &room->coupled);
    if (status != PV_OK) {
        pv_nonlocal_room_destroy(room);
        return status;
    }
    *room_p = room;
    return PV_OK;
}

void pv_nonlocal_room_destroy(pv_nonlocal_room *room)
{
    if (!room) return;
    pv_array_destroy(room->device, room->projector);
    pv_array_destroy(room->device, room->overlap);
    pv_array_destroy(room->device, room->coupled);
    pv_mem_free(room);
}

static pv_status make(pv_nonlocal *nonlocal, const pv_cell *cell, pv_pseudo *const *pseudo, int64_t bands_most)
{
    const pv_basis *basis = nonlocal->basis;
    pv_device *device = nonlocal->device;
    PV_TRY(PV_ALLOC(cell->atoms + 1, &nonlocal->first));
    for (int a = 0; a < cell->atoms; a++)
        nonlocal->first[a + 1] = nonlocal->first[a] + pv_projector_functions(pseudo[cell->species_of[a]]);
    nonlocal->count = nonlocal->first[cell->atoms];
    nonlocal->width = widest(cell, pseudo);
    PV_TRY(make_coupling(nonlocal, cell, pseudo));
    PV_TRY(PV_ARRAY(device, "fillings", bands_most, &nonlocal->weight));
    PV_TRY(PV_ARRAY(device, "sums over bands", nonlocal->count, &nonlocal->sums));
    if (nonlocal->room) return pv_projector_parts_create(basis, cell, pseudo, &nonlocal->parts);
    PV_TRY(pv_nonlocal_room_create(device, cell, pseudo, basis->scalar, basis->local, bands_most, &nonlocal->own));
    nonlocal->room = nonlocal->own;
    nonlocal->room->owner = nonlocal;
    return pv_projectors_fill(basis, cell, pseudo, nonlocal->room->projector);
}

// The room has this one's projectors from here on.
static pv_status take_room(pv_nonlocal *nonlocal)
{
    if (nonlocal->count == 0 || nonlocal->room->owner == nonlocal) return PV_OK;
    nonlocal->room->owner = nonlocal;
    return pv_projector_parts_place(nonlocal->parts, nonlocal->room->projector);
}

pv_status pv_nonlocal_create(pv_dense *dense, const pv_basis *basis, const pv_cell *cell, pv_pseudo *const *pseudo,
                             int64_t bands_most, pv_nonlocal **nonlocal_p)
{
    return pv_nonlocal_create_in(NULL, dense, basis, cell, pseudo, bands_most, nonlocal_p);
}

pv_status pv_nonlocal_create_in(pv_nonlocal_room *room, pv_dense *dense, const pv_basis *basis, const pv_cell *cell,
                                pv_pseudo *const *pseudo, int64_t bands_most, pv_nonlocal **nonlocal_p)
{
    pv_nonlocal *nonlocal;
    PV_TRY(PV_ALLOC(1, &nonlocal));
    *nonlocal = (pv_nonlocal){.basis = basis, .dense = dense, .device = pv_dense_device(dense), .atoms = cell->atoms,
                              .room = room};
    const pv_status status = make(nonlocal, cell, pseudo, bands_most);
    if (status != PV_OK) {
        pv_nonlocal_destroy(nonlocal);
        return status;
    }
    *nonlocal_p = nonlocal;
    return PV_OK;
}

void pv_nonlocal_destroy(pv_nonlocal *nonlocal)
{
    if (!nonlocal) return;
    void *arrays[] = {nonlocal->partner, nonlocal->coupling_ha, nonlocal->weight, nonlocal->sums};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) pv_array_destroy(nonlocal->device, arrays[i]);
    if (nonlocal->room && nonlocal->room->owner == nonlocal) nonlocal->room->owner = NULL;
    pv_nonlocal_room_destroy(nonlocal->own);
    pv_projector_parts_destroy(nonlocal->parts);
    pv_mem_free(nonlocal->first);
    pv_mem_free(nonlocal);
}

static pv_stream *stream_of(const pv_nonlocal *nonlocal) { return pv_device_stream(nonlocal->device); }

static coupling_table table_of(const pv_nonlocal *nonlocal)
{
    return (coupling_table){nonlocal->width, nonlocal->partner, nonlocal->coupling_ha};
}

pv_status pv_nonlocal_diagonal(pv_nonlocal *nonlocal, double *diagonal_ha)
{
    PV_TRY(take_room(nonlocal));
    const pv_basis *basis = nonlocal->basis;
    const double twice = basis->scalar == PV_SCALAR_REAL ? 2.0 : 1.0;
    const int64_t single = basis->scalar == PV_SCALAR_REAL && basis->single >= 0 ? basis->single - basis->lower : -1;
    const projector_diagonal_arguments arguments = {
        nonlocal->count, basis->local, table_of(nonlocal), single,
        1.0 / twice,     (const double *)nonlocal->room->projector, diagonal_ha};
    return pv_kernel_launch(stream_of(nonlocal), &projector_diagonal, basis->local, &arguments);
}

// overlap := <beta|in>, coupled := D overlap.
static pv_status project(pv_nonlocal *nonlocal, int64_t bands, const double _Complex *in)
{
    const pv_basis *basis = nonlocal->basis;
    const pv_nonlocal_room *room = nonlocal->room;
    PV_TRY(take_room(nonlocal));
    PV_TRY(pv_ortho_overlap(nonlocal->dense, basis->scalar, basis->length, nonlocal->count, room->projector, bands, in,
                            room->overlap));
    const couple_arguments arguments = {nonlocal->count, pv_scalar_reals(basis->scalar), table_of(nonlocal),
                                        room->overlap, room->coupled};
    return pv_kernel_launch(stream_of(nonlocal), &couple_projections, bands, &arguments);
}

pv_status pv_nonlocal_apply(pv_nonlocal *nonlocal, int64_t bands, const double _Complex *in, double _Complex *out)
{
    const pv_basis *basis = nonlocal->basis;
    if (nonlocal->count == 0) return PV_OK;
    PV_TRY(project(nonlocal, bands, in));
    if (basis->length == 0) return PV_OK;
    return pv_dense_gemm(nonlocal->dense, basis->scalar, 'N', 'N', basis->length, bands, nonlocal->count, 1.0,
                         nonlocal->room->projector, basis->length, nonlocal->room->coupled, nonlocal->count, 1.0, out,
                         basis->length);
}

// ---- Sums over bands ------------------------------------------------------------------------------------------------

// sums[count] on the host: over bands, weight Re <left|coupled> of each function.
static pv_status contract(pv_nonlocal *nonlocal, int64_t bands, const double *weight, const double *left, double *sums)
{
    const int64_t reals = pv_scalar_reals(nonlocal->basis->scalar);
    PV_TRY(pv_array_write(nonlocal->device, nonlocal->weight, weight, (size_t)bands * sizeof *weight));
    const contract_arguments arguments = {
        nonlocal->count, reals, bands, nonlocal->weight, left, nonlocal->room->coupled, nonlocal->sums};
    PV_TRY(pv_kernel_launch(stream_of(nonlocal), &contract_projections, nonlocal->count, &arguments));
    return pv_array_read(nonlocal->device, nonlocal->sums, sums, (size_t)nonlocal->count * sizeof *sums);
}

static double total(int64_t count, const double *sums)
{
    double sum = 0.0;
    for (int64_t f = 0; f < count; f++) sum += sums[f];
    return sum;
}

pv_status pv_nonlocal_energy(pv_nonlocal *nonlocal, int64_t bands, const double *weight, const double _Complex *in,
                             double *energy_ha_p)
{
    double *sums;
    *energy_ha_p = 0.0;
    if (nonlocal->count == 0) return PV_OK;
    PV_TRY(PV_ALLOC(nonlocal->count, &sums));
    pv_status status = project(nonlocal, bands, in);
    if (status == PV_OK) status = contract(nonlocal, bands, weight, nonlocal->room->overlap, sums);
    if (status == PV_OK) *energy_ha_p = total(nonlocal->count, sums);
    pv_mem_free(sums);
    return status;
}

// What the derivatives need beside the operator's own.
typedef struct derivative_room {
    double _Complex *block;            // orbitals or projectors
    double *overlap;                   // [bands][count] scalars
    double *sums;                      // [count], on the host
} derivative_room;

static pv_status make_room(const pv_nonlocal *nonlocal, int64_t vectors, int64_t bands, derivative_room *room)
{
    const int64_t scalars = bands * nonlocal->count * pv_scalar_reals(nonlocal->basis->scalar);
    PV_TRY(PV_ALLOC(nonlocal->count, &room->sums));
    PV_TRY(PV_ARRAY(nonlocal->device, "derivatives", vectors * nonlocal->basis->local, &room->block));
    return PV_ARRAY(nonlocal->device, "derivatives", scalars, &room->overlap);
}

static void release_room(const pv_nonlocal *nonlocal, derivative_room *room)
{
    pv_mem_free(room->sums);
    pv_array_destroy(nonlocal->device, room->block);
    pv_array_destroy(nonlocal->device, room->overlap);
}

// d/d tau |beta> = -i q |beta>, hence the force on an atom is -2 Re sum D <psi|beta'> <beta|psi> with
// <beta'|psi> = <beta| i q psi>: overlaps with i q_d psi, one direction after the other.
static pv_status add_force(pv_nonlocal *nonlocal, int d, int64_t bands, const double *weight, const double _Complex *in,
                           const derivative_room *room, double (*forces_ha_bohr)[3])
{
    const pv_basis *basis = nonlocal->basis;
    PV_TRY(pv_waves_differentiate(stream_of(nonlocal), bands, basis->local, (const double (*)[3])basis->device_q, d, in,
                                  room->block));
    PV_TRY(pv_ortho_overlap(nonlocal->dense, basis->scalar, basis->length, nonlocal->count,
                            nonlocal->room->projector, bands, room->block, room->overlap));
    PV_TRY(contract(nonlocal, bands, weight, room->overlap, room->sums));
    for (int a = 0; a < nonlocal->atoms; a++) {
        const int64_t first = nonlocal->first[a];
        forces_ha_bohr[a][d] -= 2.0 * total(nonlocal->first[a + 1] - first, room->sums + first);
    }
    return PV_OK;
}

pv_status pv_nonlocal_add_forces(pv_nonlocal *nonlocal, int64_t bands, const double *weight, const double _Complex *in,
                                 double (*forces_ha_bohr)[3])
{
    if (nonlocal->count == 0) return PV_OK;
    derivative_room room = {0};
    pv_status status = make_room(nonlocal, bands, bands, &room);
    if (status == PV_OK) status = project(nonlocal, bands, in);
    for (int d = 0; status == PV_OK && d < 3; d++)
        status = add_force(nonlocal, d, bands, weight, in, &room, forces_ha_bohr);
    release_room(nonlocal, &room);
    return status;
}

static pv_status add_strain(pv_nonlocal *nonlocal, const pv_cell *cell, pv_pseudo *const *pseudo, int64_t bands,
                            const double *weight, const double _Complex *in, const derivative_room *room,
                            double (*strain_ha)[3])
{
    const pv_basis *basis = nonlocal->basis;
    PV_TRY(project(nonlocal, bands, in));
    PV_TRY(contract(nonlocal, bands, weight, nonlocal->room->overlap, room->sums));
    const double energy = total(nonlocal->count, room->sums);
    for (int i = 0; i < 3; i++) {
        strain_ha[i][i] -= energy;
        for (int j = i; j < 3; j++) {
            PV_TRY(pv_projectors_fill_strain(basis, cell, pseudo, i, j, room->block));
            PV_TRY(pv_ortho_overlap(nonlocal->dense, basis->scalar, basis->length, nonlocal->count, room->block, bands,
                                    in, room->overlap));
            PV_TRY(contract(nonlocal, bands, weight, room->overlap, room->sums));
            const double value = 2.0 * total(nonlocal->count, room->sums);
            strain_ha[i][j] += value;
            if (i != j) strain_ha[j][i] += value;
        }
    }
    return PV_OK;
}

pv_status pv_nonlocal_add_strain(pv_nonlocal *nonlocal, const pv_cell *cell, pv_pseudo *const *pseudo, int64_t bands,
                                 const double *weight, const double _Complex *in, double (*strain_ha)[3])
{
    if (nonlocal->count == 0) return PV_OK;
    derivative_room room = {0};
    pv_status status = make_room(nonlocal, nonlocal->count, bands, &room);
    if (status == PV_OK) status = add_strain(nonlocal, cell, pseudo, bands, weight, in, &room, strain_ha);
    release_room(nonlocal, &room);
    return status;
}
