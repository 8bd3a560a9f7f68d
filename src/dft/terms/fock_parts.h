// SPDX-License-Identifier: Apache-2.0
// Parts of exact exchange that its files share.
#ifndef PV_DFT_FOCK_PARTS_H
#define PV_DFT_FOCK_PARTS_H

#include <math.h>

#include "dft/model/carry.h"
#include "dft/terms/fock.h"
#include "fft/sphere/convert.h"
#include "fft/sphere/ops.h"
#include "fft/sphere/pair.h"

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

typedef struct pv_fock_ops pv_fock_ops;

// Wave vector of products of orbitals, up to a reciprocal lattice vector.
typedef struct pv_fock_momentum {
    double kappa[3];
    int64_t waves;
    pv_pair_kernel *kernel[2];    // by precision: of slices
    pv_buffer *factor, *phase[2]; // of boxes (fock_boxes.c)
} pv_fock_momentum;

struct pv_fock {
    const pv_fock_ops *ops;
    const pv_system *system;
    pv_comm *self; // this rank alone, on the device of the run
    pv_device *device;
    pv_stream *stream; // the device's own: all work on fields
    pv_coulomb coulomb;
    double fraction;
    double pair_reach;
    int64_t shape[3], points;
    int real;               // all orbitals are real fields
    int64_t field_bytes[2]; // by precision
    pv_precision precision; // of the build at hand
    int64_t bands;          // of each state, that take part in it
    pv_sphere *host[2]; // of slices: lines and workspace of pairs, by precision; NULL where none is of that precision
    double *wide;       // of slices: [2 threads] fields of double precision on their way to or from single
    void *pairs, *sums; // of slices, during a build: [threads][most sources] pairs, and two fields a thread
    int64_t most;       // sources at once of the build at hand
    struct pv_fock_boxes *boxes;
    size_t room_bytes;   // that fields of a build may take; 0: what the device has
    int said_tile;       // states of a tile, when the log was last told
    pv_exchange *coming; // what is on its way from other ranks, for those who wait
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

// Momenta of all pairs of points, with their kernels. Collective on the rank alone: local.
pv_status pv_fock_make_momenta(pv_fock *fock);
void pv_fock_free_momenta(pv_fock *fock);
// Lists the plane waves g of the grid with |g| <= reach, when points is not NULL; their number.
int64_t pv_fock_list_ball(const pv_fock *fock, double reach, int32_t (*points)[3]);
// The longest of the momenta, 1/bohr.
double pv_fock_longest_momentum(const pv_fock *fock);

// Home first, then images.
const pv_fock_point *pv_fock_point_at(const pv_fock *fock, int source);

// What a target of k-point `target` and a source at a point, home first, then images, have in common.
typedef struct pv_fock_meeting {
    const pv_fock_momentum *momentum; // NULL: no exchange between them
    int shift[3]; // of complex fields: the lattice vector from the momentum's waves to those of the product
} pv_fock_meeting;
pv_fock_meeting pv_fock_meet(const pv_fock *fock, int target, int source);

// Fields are memory of field_bytes[precision] each. Of many, the one at i.
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

// ---- Pairs (fock_pairs.c) ------------------------------------------------------------------------------------------

enum { PV_FOCK_OUT, PV_FOCK_PAIR, PV_FOCK_SELF };

// Targets that go through one transform.
static inline int64_t pv_fock_targets_each(const pv_fock *fock)
{
    return fock->real ? 2 : 1;
}

static inline size_t pv_fock_pair_bytes(const pv_fock *fock)
{
    return fock->real ? sizeof(pv_real_pair) : sizeof(pv_complex_pair);
}

// What all pairs of sources with a block share.
typedef struct pv_fock_common {
    const pv_fock *fock;
    const pv_fock_sources *sources;
    const pv_fock_block *block;
    pv_fock_meeting meeting;
    double target_weight; // times the source's share
    double source_weight; // times the target's share
} pv_fock_common;
pv_fock_common pv_fock_common_of(const pv_fock *fock, const pv_fock_sources *sources, const pv_fock_block *block);

// Pairs of all sources with the group of targets from `first` on, source by source; their number. wanted
// [sources][group]: whether a pair is left out, whether the target acts back (unless it is the source itself). Adds
// to *products_p. Pure.
int64_t pv_fock_list_group(const pv_fock_common *c, void *source_sum, int64_t first, const unsigned char *wanted,
                           int64_t *products_p, void *pairs);
// Pairs of the filled sources with targets first <= t < last, which do not act back; their number. Pure.
int64_t pv_fock_list_targets(const pv_fock_common *c, int64_t first, int64_t last, void *pairs);

// ---- Forms ---------------------------------------------------------------------------------------------------------

// What keeps fields, and works on pairs of them: slices in the host's cache, or boxes in memory of any device.
struct pv_fock_ops {
    int64_t transforms; // of a group
    int64_t together;   // bands at a point of symmetry whose fields are made together
    // After the momenta are known, before they have kernels. Sets field_bytes.
    pv_status (*create)(pv_fock *fock);
    void (*destroy)(pv_fock *fock);
    // values[count] at the plane waves points[count] of a momentum.
    pv_status (*make_momentum)(pv_fock *fock, pv_fock_momentum *momentum, int64_t count, const int32_t (*points)[3],
                               const double *values);
    void (*free_momentum)(pv_fock_momentum *momentum);
    // Of a build with at most fock->most sources at once. end is harmless without begin.
    pv_status (*begin)(pv_fock *fock);
    void (*end)(pv_fock *fock);
    // Coefficients [count][basis->count] of a point's basis to fields and back.
    pv_status (*to_fields)(const pv_fock *fock, const pv_basis *basis, int64_t count,
                           const double _Complex *coefficients, void *field);
    pv_status (*from_fields)(const pv_fock *fock, const pv_basis *basis, int64_t count, const void *field,
                             double _Complex *coefficients);
    // Some bands' action on the group of targets that begins at `first`, and theirs on these bands: to the sums of the
    // block and to source_sum, fields as those of the sources. Adds to the effort. Local.
    pv_status (*pair_group)(pv_fock *fock, const pv_fock_sources *sources, void *source_sum, const pv_fock_block *block,
                            int64_t first, const unsigned char *wanted);
    // The action of filled bands on all of the block, and nothing back. Adds to the effort. Local.
    pv_status (*act_on_block)(pv_fock *fock, const pv_fock_sources *sources, const pv_fock_block *block);
    // What these were given is under way: fields and sums may be used in the order of the stream.
    pv_status (*flush)(pv_fock *fock);
};
extern const pv_fock_ops pv_fock_slices, pv_fock_in_boxes;

// As pv_fock_create, in this form. Collective.
pv_status pv_fock_create_as(const pv_fock_ops *ops, const pv_system *system, pv_fock **fock_p);

// Targets that meet sources together.
static inline int64_t pv_fock_group(const pv_fock *fock)
{
    return fock->ops->transforms * pv_fock_targets_each(fock);
}

#endif
