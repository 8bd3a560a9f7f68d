// SPDX-License-Identifier: Apache-2.0
// Separable non-local potential of one k-point: sum over atoms of |beta> D <beta|.
#ifndef PV_DFT_NONLOCAL_H
#define PV_DFT_NONLOCAL_H

#include <complex.h>

#include "dft/model/basis.h"
#include "dft/model/pseudo_form.h"
#include "dft/terms/projector.h"
#include "linalg/dense.h"

// Room for the projectors of one k-point and for a block's projections, in which several take turns: what stays of the
// others is what their projectors are made from.
typedef struct pv_nonlocal_room {
    pv_device *device;
    double _Complex *projector;        // [count][local of the largest basis]
    double *overlap, *coupled;         // [most bands][count] scalars: scratch
    const struct pv_nonlocal *owner;   // whose projectors are there; NULL: nobody's
} pv_nonlocal_room;

typedef struct pv_nonlocal {
    const pv_basis *basis;
    pv_dense *dense;
    pv_device *device;                 // where these arrays lie, but for `first`
    int64_t count;                     // projectors of all atoms, m counted
    pv_nonlocal_room *room, *own;      // own: NULL when the room is that of others too
    pv_projector_parts *parts;         // NULL with a room of its own
    int atoms;
    int64_t *first;                    // [atoms + 1], projectors of an atom
    int width;                         // most functions that D couples with one
    int32_t *partner;                  // [count][width]: these
    double *coupling_ha;               // [count][width]: D of the function and each of them
    double *weight, *sums;             // [most bands], [count]: scratch
} pv_nonlocal;

// For blocks of at most `bands_most` orbitals. basis and dense are kept. Orbitals are arrays of their device. Local.
pv_status pv_nonlocal_create(pv_dense *dense, const pv_basis *basis, const pv_cell *cell,
                             pv_pseudo *const *pseudo, int64_t bands_most, pv_nonlocal **nonlocal_p);
// The same in a room, made for bases of at most local_most plane waves here. Local.
pv_status pv_nonlocal_room_create(pv_device *device, const pv_cell *cell, pv_pseudo *const *pseudo, pv_scalar scalar,
                                  int64_t local_most, int64_t bands_most, pv_nonlocal_room **room_p);
void pv_nonlocal_room_destroy(pv_nonlocal_room *room); // after all that are in it
pv_status pv_nonlocal_create_in(pv_nonlocal_room *room, pv_dense *dense, const pv_basis *basis, const pv_cell *cell,
                                pv_pseudo *const *pseudo, int64_t bands_most, pv_nonlocal **nonlocal_p);
void pv_nonlocal_destroy(pv_nonlocal *nonlocal);

// diagonal_ha[local] = <k+G|V|k+G>, on the device. Local.
pv_status pv_nonlocal_diagonal(pv_nonlocal *nonlocal, double *diagonal_ha);

// out[bands] += V in[bands]; both sliced over ranks, [bands][local]. Collective.
pv_status pv_nonlocal_apply(pv_nonlocal *nonlocal, int64_t bands, const double _Complex *in, double _Complex *out);

// sum over bands of weight <psi|V|psi>. Collective.
pv_status pv_nonlocal_energy(pv_nonlocal *nonlocal, int64_t bands, const double *weight, const double _Complex *in,
                             double *energy_ha_p);

// Adds minus the derivative of that energy by the atoms' positions. The same on every rank. Collective.
pv_status pv_nonlocal_add_forces(pv_nonlocal *nonlocal, int64_t bands, const double *weight, const double _Complex *in,
                                 double (*forces_ha_bohr)[3]);

// Adds the derivative of that energy by the strain, for fixed coefficients; cell and pseudo are those it was made from.
// The same on every rank. Collective.
pv_status pv_nonlocal_add_strain(pv_nonlocal *nonlocal, const pv_cell *cell, pv_pseudo *const *pseudo, int64_t bands,
                                 const double *weight, const double _Complex *in, double (*strain_ha)[3]);

#endif
