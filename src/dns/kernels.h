// SPDX-License-Identifier: Apache-2.0
// What the kernels of a simulation are given. Fields hold numbers of the run's precision, hence void pointers; all
// coefficients and sums are double.
#ifndef PV_DNS_KERNELS_H
#define PV_DNS_KERNELS_H

#include "dns/modes_kernel.h"

// to[mode] = field[mode], or without it i k_along a[mode], as the present shift of the grid wants it.
typedef struct dns_spread {
    dns_modes modes;
    void *to;
    const void *field, *a;
    int along; // direction
} dns_spread;

// to = curl u, likewise.
typedef struct dns_curl {
    dns_modes modes;
    const void *u; // [3][total]
    void *to[3];
} dns_curl;

// Values at points, in place: w = u x w; or the five products u u - v v, u v, u w, w w - v v, v w in the place of
// u, v, w and two more; or theta u, theta v, theta w with theta in the first of three.
typedef struct dns_points {
    void *u[3], *f[3];
} dns_points;

// sum (+)= weight a b
typedef struct dns_pair {
    void *sum;
    const void *a, *b;
    double weight;
    int first;
} dns_pair;

// Points of a rank: rows of `columns` numbers, `pitch` apart.
typedef struct dns_speed {
    double *parts;
    const void *u[3];
    int64_t columns, pitch;
    double per_columns, per_dx[3];
} dns_speed;

// Powers 2, 3, 4 and 1 of g.
enum { DNS_POWERS = 4 };
typedef struct dns_moment {
    double *parts;
    const void *g;
    int64_t columns, pitch;
    double per_columns;
} dns_moment;

// h^2 and g h^2, of derivatives along the same axis.
enum { DNS_MIXED_MOMENTS = 2 };
typedef struct dns_mixed {
    double *parts;
    const void *g, *h;
    int64_t columns, pitch;
    double per_columns;
} dns_mixed;

// Moments of there - here: of order 2 to 6, and the third of its size.
enum { DNS_MOMENTS = 6 };
typedef struct dns_difference {
    double *parts;
    const void *here, *there;
    int64_t columns, pitch;
    double per_columns;
} dns_difference;

// What is made on the way of rows: w becomes u x w, u the five products, theta the three fluxes theta u.
typedef enum dns_made { DNS_MAKE_CROSS, DNS_MAKE_PRODUCTS, DNS_MAKE_FLUXES } dns_made;

// What goes with a product on its way: parts get the largest values of dns_speed, [PV_REDUCE_PARTS][2], zeroed before.
typedef struct dns_product {
    double per_dx[3];
    double *parts;
} dns_product;

// The nonlinear term at a mode, from spectra of products, and what else is linear in u but not damping.
typedef struct dns_term {
    dns_modes modes;
    int form;               // pv_dns_form; of scalars < 0
    const void *product[5]; // spectra
    const void *now;        // [3][total], the velocity that the products were made of
    double rotation;
    double push, push_k2; // + push u where 0 < k^2 <= push_k2
    double gradient[3];   // of scalars
    const double *hold;   // + hold[shell] u in shells below hold_shells; NULL: none
    int64_t hold_shells;
    double per_width;
    // Not of the term: accelerations that are constant over a step, at the modes of a small cube,
    // [2 a + 1][2 a + 1][a + 1][3] complex double by iz, iy, ix; NULL: none
    const double *acceleration;
    int64_t acceleration_edge;
} dns_term;

typedef struct dns_damping {
    double viscosity, hyperviscosity; // L = nu k^2 + nu_h k^2p
    int64_t hyper_order;
} dns_damping;

// u = e^z u + dt sum_j (o_j phi1 + p_j phi2 + q_j phi3) N_j, with z = -L dt, N_0 the term now and N_1, N_2 before; with
// stay the first e^z is 1. keep: where N_0 goes; may be N_1 or N_2.
typedef struct dns_advance {
    dns_term term;
    dns_damping damping;
    void *u; // [components][total]
    const void *before[2];
    void *keep; // NULL: nowhere
    int stay;
    double dt, o[3], p[3], q[3];
} dns_advance;

// A stage of Runge-Kutta with an integrating factor: E(f) = exp(-L f dt), N the term of this stage:
// sum = (first ? E(1) u : sum) + sum_weight dt E(sum_decay) N;  next = E(u_decay) u + next_weight dt E(next_decay) N.
typedef struct dns_stage {
    dns_term term;
    dns_damping damping;
    const void *u;
    void *sum, *next, *keep; // next: NULL in the last stage
    int first;
    double dt, sum_weight, sum_decay, u_decay, next_weight, next_decay;
} dns_stage;

// u += dt phi1 a, what the term's accelerations a and damping make of u in a time dt; the box has all of them.
typedef struct dns_accelerate {
    dns_term term;
    dns_box box;
    dns_damping damping;
    void *u;
    double dt;
} dns_accelerate;

// Sums over modes: energy, enstrophy, dissipation, helicity, power of the accelerations.
enum { DNS_SUMS = 5, DNS_MOST_SUMS = 6 }; // the most that a reduction has
typedef struct dns_sums {
    double *parts;
    dns_term term;
    dns_damping damping;
    const void *u;
} dns_sums;

// Energy of the modes with 0 < k^2 <= push_k2, which the box has.
typedef struct dns_pushed {
    double *parts;
    dns_modes modes;
    dns_box box;
    const void *u;
    double push_k2;
} dns_pushed;

typedef struct dns_divergence {
    double *parts;
    dns_modes modes;
    const void *u;
} dns_divergence;

// Sums over modes: variance <c^2> of a scalar without its mean, what damping takes of it in a unit of time, and <u c>.
enum { DNS_SCALAR_SUMS = 5 };
typedef struct dns_scalar_sums {
    double *parts;
    dns_modes modes;
    dns_damping damping;
    const void *scalar, *u;
} dns_scalar_sums;

// Energy, transfer and dissipation of shells by parts, bins[part][3][shells], zeroed before; of a scalar u those of its
// variance. Of velocities form < 0 leaves the transfer out, of scalars a term without products.
enum { DNS_SHELL_VALUES = 3 };
typedef struct dns_shell_sums {
    dns_term term;
    dns_damping damping;
    const void *u;
    double *bins;
    int64_t shells, parts;
    dns_box box;
    double per_width;
} dns_shell_sums;

// spectrum of p from that of Q at kept modes: - k^2 p = 2 Q + 2 rotation i (k_x v - k_y u); 0 elsewhere.
typedef struct dns_poisson {
    dns_modes modes;
    void *spectrum;
    const void *u; // [3][total]
    double rotation;
} dns_poisson;

// Velocities of modes without x wave number, from u to a plane [2 edge_z + 1][2 edge_y + 1][3] of complex double or
// back.
typedef struct dns_conjugates {
    dns_modes modes;
    void *u;
    double *plane;
    int64_t edge_y, edge_z;
    int puts;
} dns_conjugates;

// u = factor[shell] u, and without its part along k: no term would drain what a factor above 1 makes of it.
typedef struct dns_rescale {
    dns_modes modes;
    dns_box box;
    void *u;
    const double *factor; // [shells]
    int64_t shells;
    double per_width;
} dns_rescale;

#endif
