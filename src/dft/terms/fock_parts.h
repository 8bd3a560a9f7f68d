// SPDX-License-Identifier: Apache-2.0
// Parts of exact exchange that its files share.
#ifndef PV_DFT_FOCK_PARTS_H
#define PV_DFT_FOCK_PARTS_H

#include <math.h>

#include "dft/model/carry.h"
#include "dft/terms/fock.h"
#include "fft/sphere_convert.h"
#include "fft/sphere_pair.h"

#define PV_FOCK_FILLED 1e-10 // share of a band beyond which others feel it

// Of either sign: fillings by Methfessel and Paxton may be negative.
static inline int pv_fock_is_felt(double share)
{
    return fabs(share) > PV_FOCK_FILLED;
}

// A point of the whole q mesh.
typedef struct pv_fock_point {
    int from; // index of the k-point of the run whose orbitals it has
    double k[3];
    double weight;          // of the sum over q
    pv_basis *basis;        // on the grid of exchange, whole on every rank
    pv_carry *carry, *back; // from the run's list of plane waves, and to it; NULL: it is the same list
} pv_fock_point;

// Wave vector of products of orbitals, up to a reciprocal lattice vector.
typedef struct pv_fock_momentum {
    double kappa[3];
    int64_t waves;
    pv_pair_kernel *kernel[2]; // by precision
} pv_fock_momentum;

struct pv_fock {
    const pv_system *system;
    pv_comm *self; // this rank alone, on the device of the run
    pv_dense *dense;
    pv_coulomb coulomb;
    double fraction;
    double pair_reach;
    int64_t shape[3], points;
    int real;           // all orbitals are real fields
    pv_sphere *host[2]; // of pairs: lines and workspace, by precision; NULL where none is of that precision
    int64_t field_bytes[2];
    double *wide;           // [2 threads] fields of double precision on their way to or from single; NULL: never
    pv_precision precision; // of the build at hand
    int threads;
    int kpoints, images;
    int one_way;          // there are points of weight 0: targets alone
    pv_fock_point *home;  // [kpoints], the points of the run (weight 0: bands only)
    pv_fock_point *image; // [images], the points that symmetry adds
    int momenta;
    pv_fock_momentum *momentum;
    int *momentum_of; // [kpoints][kpoints + images]: of target and source point; -1: left out (NKRED)
    pv_fock_effort effort;
    char text[512];
};

// Momenta of all pairs of points, with spheres and kernels. Collective on the rank alone: local.
pv_status pv_fock_make_momenta(pv_fock *fock);
void pv_fock_free_momenta(pv_fock *fock);

// Home first, then images.
const pv_fock_point *pv_fock_point_at(const pv_fock *fock, int source);

// What a target of k-point `target` and a source at a point, home first, then images, have in common.
typedef struct pv_fock_meeting {
    const pv_fock_momentum *momentum; // NULL: no exchange between them
    int shift[3]; // of complex fields: the lattice vector from the momentum's waves to those of the product
} pv_fock_meeting;
pv_fock_meeting pv_fock_meet(const pv_fock *fock, int target, int source);

// Fields are memory of field_bytes[precision] each: sliced reals, or slots. Of many, the one at i.
static inline char *pv_fock_field(const pv_fock *fock, const void *fields, int64_t i)
{
    return (char *)fields + i * fock->field_bytes[fock->precision];
}

// Bands of one state on this rank, as fields, and the sums that gather what the operator makes of them.
typedef struct pv_fock_block {
    int kpoint;
    int64_t count;
    const double *share; // [count]: filling, 0 to 1
    void *field, *sum;   // [count] fields
} pv_fock_block;

// Bands of one point that others feel.
typedef struct pv_fock_sources {
    int point; // home first, then images
    int64_t count;
    const double *share;
    const void *field; // [count] fields
} pv_fock_sources;

// Targets go through transforms in groups: two where orbitals are real, else one by one.
static inline int64_t pv_fock_group(const pv_fock *fock)
{
    return fock->real ? 2 : 1;
}

// What pairs need while they are worked on: [threads][most sources] of real or complex pairs; with several threads
// [threads][2] fields.
typedef struct pv_fock_room {
    int64_t most;
    void *pairs, *sums;
} pv_fock_room;

// Some bands' action on the group of targets that begins at `first`, and theirs on these bands: to the sums of the block
// and to source_sum, fields as those of the sources. wanted [sources][2], for each target of the group: 0, this pair is
// left out; 1; 2, the target acts not back (being the source itself). Adds to the effort. Local.
enum { PV_FOCK_OUT, PV_FOCK_PAIR, PV_FOCK_SELF };
void pv_fock_pair_group(pv_fock *fock, const pv_fock_sources *sources, void *source_sum, const pv_fock_block *block,
                        int64_t first, const unsigned char (*wanted)[2], const pv_fock_room *room);

// The action of filled bands on all of the block, and nothing back. Adds to the effort. Local.
void pv_fock_act_on_block(pv_fock *fock, const pv_fock_sources *sources, const pv_fock_block *block,
                          const pv_fock_room *room);

// Coefficients [count][basis->count] of a point's basis to fields and back. Local.
void pv_fock_to_fields(const pv_fock *fock, const pv_basis *basis, int64_t count, const double _Complex *coefficients,
                       void *field);
void pv_fock_from_fields(const pv_fock *fock, const pv_basis *basis, int64_t count, const void *field,
                         double _Complex *coefficients);

#endif
