// SPDX-License-Identifier: Apache-2.0
// Exchange and correlation at a point of the grid, for both compilers; included by xc_points.c and cuda/xc_points.cu
// alone. Every point takes the same path: what it lacks is computed of something harmless and multiplied by 0, since a
// compiler makes branches of choices between things that are dear, and no vectors of branches.
#ifndef PV_DFT_XC_KERNELS_H
#define PV_DFT_XC_KERNELS_H

#include "dft/terms/xc_gradient_cap.h"
#include "dft/terms/xc_pbe.h"
#include "dft/terms/xc_points.h"
#include "dft/terms/xc_screened.h"

#define XC_DENSITY_FLOOR 1e-10         // no energy below
#define XC_MOST_CHANGES 6.0            // of one point between counting and not, then it does not count
#define XC_LEAST_MINORITY 1e-6         // of 1 - |z| in corrections of correlation: their slope by z grows without bound
#define XC_FLAT_FLOOR 1e-6             // density below which what flat points lack is not added up

typedef struct xc_arguments {
    pv_xc_terms terms;
    pv_xc_fields fields;
} xc_arguments;

// Energies jump where a correction vanishes (short-range exchange at a flat point, correlation where a spin's density
// turns negative), and a point near a floor may come and go for ever, as its density answers. history: 0 for a point
// not seen yet, else one more than the changes so far, negative where it did not count last. 1 where it counts, else 0.
PV_KERNEL_FUNCTION double xc_settle(double *history, int counted)
{
    const double was = *history, seen = fabs(was);
    const int changed = ((was > 0.0) != counted) & (seen > 0.0) & (seen <= 1.0 + XC_MOST_CHANGES);
    const double now = (seen > 0.0 ? seen : 1.0) + (changed ? 1.0 : 0.0);
    *history = counted ? now : -now;
    return (counted & (now <= 1.0 + XC_MOST_CHANGES)) ? 1.0 : 0.0;
}

// An energy a volume and its derivatives.
typedef struct xc_volume {
    double energy, by_density, by_sigma;
} xc_volume;

// The LDA part of exchange of both spins together.
PV_KERNEL_FUNCTION xc_volume xc_exchange_local(const pv_xc_terms *t, int short_range, xc_slater x, double density)
{
    xc_volume v = {t->lda_exchange * x.energy, t->lda_exchange * x.by_density, 0.0};
    if (!short_range) return v;
    const double nu = t->screening_bohr / x.fermi;
    const xc_slope share = xc_short_range_share(nu);
    v.energy += t->lda_short * x.energy * share.value;
    v.by_density += t->lda_short * (x.by_density * share.value - x.energy * share.by * nu / (3.0 * density));
    return v;
}

// The correction of exchange of both spins together. *flat_p: the hole's short range.
PV_KERNEL_FUNCTION xc_volume xc_exchange_corrected(const pv_xc_terms *t, int short_range, pv_xc_hole hole, xc_slater x,
                                                   double density, double sigma, double *flat_p)
{
    const double unit = 1.0 / (4.0 * x.fermi * x.fermi * density * density), s2 = sigma * unit;
    const xc_slope whole = xc_pbe_enhancement(t->mu, s2);
    double value = t->exchange * whole.value, by_s2 = t->exchange * whole.by, by_nu = 0.0, nu = 0.0;
    if (hole != PV_XC_HOLE_NONE) {
        nu = t->screening_bohr / x.fermi;
        const xc_slope cap = {s2, 1.0}, capped = hole == PV_XC_HOLE_EP ? xc_cap_gradient(s2) : cap;
        const xc_screened f =
            hole == PV_XC_HOLE_EP ? xc_ep_screened(nu, capped.value) : xc_hjs_screened(nu, capped.value);
        value += t->hole_short * f.value;
        by_nu = t->hole_short * f.by_nu;
        by_s2 += t->hole_short * f.by_s2 * capped.by;
        *flat_p = x.energy * f.value;
        if (short_range) {
            const xc_slope share = xc_short_range_share(nu);
            value += t->uniform_short * share.value;
            by_nu += t->uniform_short * share.by;
        }
    }
    const xc_volume v = {x.energy * value,
                         x.by_density * value - x.energy * (by_nu * nu + 8.0 * by_s2 * s2) / (3.0 * density),
                         x.energy * by_s2 * unit};
    return v;
}

PV_KERNEL_FUNCTION double xc_squared(const double *a, const double *b, int64_t n)
{
    return a[0] * b[0] + a[n] * b[n] + a[2 * n] * b[2 * n];
}

// ---- Without spin ------------------------------------------------------------------------------------------------

// A gradient counts where the density exceeds 1e-6 and the squared gradient 1e-10.
PV_KERNEL_FUNCTION void xc_plain_at(xc_arguments a, int64_t i, int gradients, int short_range, pv_xc_hole hole)
{
    const pv_xc_terms *t = &a.terms;
    const pv_xc_fields *f = &a.fields;
    const double rho = f->density[i], size = fabs(rho);
    const double alive = size > XC_DENSITY_FLOOR ? 1.0 : 0.0, density = size > XC_DENSITY_FLOOR ? size : 1.0;
    const xc_slater x = xc_slater_at(density);
    const double rs = 1.91915829267751300662 / x.fermi; // (9 pi / 4)^(1/3)
    const xc_volume local = xc_exchange_local(t, short_range, x, density);
    const xc_uniform c = gradients ? xc_pw_unpolarised_at(0, rs) : xc_pz_unpolarised_at(rs);
    double energy = local.energy + t->lda_correlation * density * c.energy;
    double potential = local.by_density + t->lda_correlation * (c.energy - rs / 3.0 * c.by_rs);
    if (gradients) {
        double *gradient = f->gradient + i, flat = 0.0;
        const double square = xc_squared(gradient, gradient, f->points);
        const double counted = xc_settle(f->history + i, (size > 1e-6) & (square > 1e-10)), sigma = counted * square;
        const xc_volume v = xc_exchange_corrected(t, short_range, hole, x, density, sigma, &flat);
        const xc_uniform inside = xc_pw_unpolarised_at(1, rs);
        const double unit = XC_PI / (16.0 * x.fermi * density * density), t2 = unit * sigma;
        const xc_pbe_h h = xc_pbe_correlation(t->beta, inside.energy, 1.0, t2);
        const double by_density = h.value - rs / 3.0 * h.by_uniform * inside.by_rs - 7.0 / 3.0 * h.by_t2 * t2;
        const double by_sigma = v.by_sigma + t->correlation * density * h.by_t2 * unit;
        energy += counted * (v.energy + t->correlation * density * h.value);
        potential += counted * (v.by_density + t->correlation * by_density);
        for (int d = 0; d < 3; d++) gradient[d * f->points] *= 2.0 * counted * by_sigma;
        if (hole != PV_XC_HOLE_NONE)
            f->left_out[i] = (1.0 - counted) * (size > XC_FLAT_FLOOR ? 1.0 : 0.0) * t->flat_weight * flat;
    }
    f->energy[i] = copysign(alive, rho) * energy;
    f->potential[i] = alive * potential;
}

// ---- With spin ---------------------------------------------------------------------------------------------------

// Exchange of one spin: half of that of twice its density.
typedef struct xc_one {
    double energy, potential, by_sigma, left_out;
} xc_one;

PV_KERNEL_FUNCTION xc_one xc_exchange_of(const xc_arguments *a, int64_t i, int spin, double shared, int gradients,
                                         int short_range, pv_xc_hole hole, double any)
{
    const pv_xc_terms *t = &a->terms;
    const pv_xc_fields *f = &a->fields;
    const double alive = shared > XC_DENSITY_FLOOR ? 1.0 : 0.0;
    const double density = shared > XC_DENSITY_FLOOR ? 2.0 * shared : 1.0;
    const xc_slater x = xc_slater_at(density);
    const xc_volume local = xc_exchange_local(t, short_range, x, density);
    xc_one one = {0.5 * alive * local.energy, alive * local.by_density, 0.0, 0.0};
    if (!gradients) return one;
    const double *gradient = f->gradient + spin * 3 * f->points + i, rho = f->density[spin * f->points + i];
    const double square = xc_squared(gradient, gradient, f->points);
    double flat = 0.0;
    const double counted = any * xc_settle(f->history + spin * f->points + i, (rho > 1e-10) & (square > 1e-20));
    const double own = counted > 0.0 ? 2.0 * rho : density;
    const xc_volume v =
        xc_exchange_corrected(t, short_range, hole, xc_slater_at(own), own, 4.0 * counted * square, &flat);
    one.energy += 0.5 * counted * v.energy;
    one.potential += counted * v.by_density;
    one.by_sigma = 2.0 * counted * v.by_sigma;
    one.left_out = 0.5 * (1.0 - counted) * (shared > XC_FLAT_FLOOR ? 1.0 : 0.0) * t->flat_weight * flat;
    return one;
}

// Correlation: its potentials, and its correction's derivative by the squared gradient of the total.
typedef struct xc_both {
    double energy, up, down, by_sigma;
} xc_both;

PV_KERNEL_FUNCTION xc_both xc_correlation_of(const xc_arguments *a, int64_t i, double size, const double shared[2],
                                             int gradients)
{
    const pv_xc_terms *t = &a->terms;
    const pv_xc_fields *f = &a->fields;
    const int alive = size > XC_DENSITY_FLOOR;
    const double density = alive ? size : 1.0, fermi = xc_slater_at(density).fermi, rs = 1.91915829267751300662 / fermi;
    const double one_plus = 2.0 * shared[0] / density, one_minus = 2.0 * shared[1] / density; // 1 + z, 1 - z
    const double up = alive ? one_plus : 1.0, down = alive ? one_minus : 1.0;
    const double z = 0.5 * (up - down);
    const xc_slope between = xc_between(pv_cbrt(up > 1e-30 ? up : 1e-30), pv_cbrt(down > 1e-30 ? down : 1e-30));
    const xc_uniform c = gradients ? xc_pw_at(0, rs, z, between) : xc_pz_at(rs, between);
    const double by_rho = c.energy - rs / 3.0 * c.by_rs;
    xc_both both = {t->lda_correlation * density * c.energy, t->lda_correlation * (by_rho + down * c.by_z),
                    t->lda_correlation * (by_rho - up * c.by_z), 0.0};
    if (!gradients) return both;
    const double *rho = f->density + i, *g = f->gradient + i, *other = g + 3 * f->points;
    const double square = xc_squared(g, g, f->points) + 2.0 * xc_squared(g, other, f->points)
                          + xc_squared(other, other, f->points);
    const int wanted = (rho[0] >= 0.0) & (rho[f->points] >= 0.0) & (rho[0] + rho[f->points] > 1e-6) & (square > 1e-12);
    const double counted = xc_settle(f->history + 2 * f->points + i, wanted), sigma = counted * square;
    const double many_up = up < XC_LEAST_MINORITY ? 0.0 : 1.0, many_down = down < XC_LEAST_MINORITY ? 0.0 : 1.0;
    const double root_up = pv_cbrt(up < XC_LEAST_MINORITY ? XC_LEAST_MINORITY : up);
    const double root_down = pv_cbrt(down < XC_LEAST_MINORITY ? XC_LEAST_MINORITY : down);
    const xc_slope held = {xc_between(root_up, root_down).value,
                           4.0 / 3.0 * (many_up * root_up - many_down * root_down) / XC_BETWEEN};
    const xc_uniform inside = xc_pw_at(1, rs, z, held);
    const double phi = 0.5 * (root_up * root_up + root_down * root_down);
    const double phi_by_z = (many_up / root_up - many_down / root_down) / 3.0;
    const double unit = XC_PI / (16.0 * fermi * density * density * phi * phi), t2 = unit * sigma;
    const xc_pbe_h h = xc_pbe_correlation(t->beta, inside.energy, phi, t2);
    const double by_density = h.value - rs / 3.0 * h.by_uniform * inside.by_rs - 7.0 / 3.0 * h.by_t2 * t2;
    const double by_z = h.by_uniform * inside.by_z + (h.by_phi - 2.0 * h.by_t2 * t2 / phi) * phi_by_z;
    const double weight = counted * t->correlation;
    both.energy += weight * density * h.value;
    both.up += weight * (by_density + down * by_z);
    both.down += weight * (by_density - up * by_z);
    both.by_sigma = weight * density * h.by_t2 * unit;
    return both;
}

// A spin's exchange is corrected where its density exceeds 1e-10 and its squared gradient 1e-20; correlation where the
// total exceeds 1e-6, its squared gradient 1e-12 and no spin is negative. Where one spin's density is negative the
// other has all of the total in the LDA part.
PV_KERNEL_FUNCTION void xc_spins_at(xc_arguments a, int64_t i, int gradients, int short_range, pv_xc_hole hole)
{
    const pv_xc_fields *f = &a.fields;
    const int64_t n = f->points;
    const double rho[2] = {f->density[i], f->density[n + i]}, total = rho[0] + rho[1], size = fabs(total);
    const double half = 0.5 * (size + rho[0] - rho[1]), least = half > 0.0 ? half : 0.0;
    const double up = least < size ? least : size, shared[2] = {up, size - up};
    const double alive = size > XC_DENSITY_FLOOR ? 1.0 : 0.0, any = total > XC_DENSITY_FLOOR ? 1.0 : 0.0;
    const xc_one x0 = xc_exchange_of(&a, i, 0, shared[0], gradients, short_range, hole, any);
    const xc_one x1 = xc_exchange_of(&a, i, 1, shared[1], gradients, short_range, hole, any);
    const xc_both c = xc_correlation_of(&a, i, size, shared, gradients);
    if (gradients) {
        double *g = f->gradient + i;
        const double both = 2.0 * c.by_sigma, u = 2.0 * x0.by_sigma + both, v = 2.0 * x1.by_sigma + both;
        for (int d = 0; d < 3; d++) {
            const double old_up = g[d * n], old_down = g[(3 + d) * n];
            g[d * n] = u * old_up + both * old_down;
            g[(3 + d) * n] = v * old_down + both * old_up;
        }
        if (hole != PV_XC_HOLE_NONE) f->left_out[i] = x0.left_out + x1.left_out;
    }
    const double energy = x0.energy + x1.energy + c.energy;
    f->energy[i] = copysign(alive, total) * energy;
    f->potential[i] = alive * (x0.potential + c.up);
    f->potential[n + i] = alive * (x1.potential + c.down);
}

// ---- Kernels -----------------------------------------------------------------------------------------------------

// `short_range`: whether that of LDA counts, which costs as much as all of PBE.
#define XC_KERNEL(name, point, gradients, short_range, hole)                                                \
    PV_KERNEL_FUNCTION void name##_at(xc_arguments a, int64_t i) { point(a, i, gradients, short_range, hole); } \
    PV_KERNEL(name, xc_arguments, name##_at)
#define XC_KERNELS(spins)                                                             \
    XC_KERNEL(xc_##spins##_lda, xc_##spins##_at, 0, 0, PV_XC_HOLE_NONE)               \
    XC_KERNEL(xc_##spins##_lda_short, xc_##spins##_at, 0, 1, PV_XC_HOLE_NONE)         \
    XC_KERNEL(xc_##spins##_pbe, xc_##spins##_at, 1, 0, PV_XC_HOLE_NONE)               \
    XC_KERNEL(xc_##spins##_ep, xc_##spins##_at, 1, 0, PV_XC_HOLE_EP)                  \
    XC_KERNEL(xc_##spins##_ep_short, xc_##spins##_at, 1, 1, PV_XC_HOLE_EP)            \
    XC_KERNEL(xc_##spins##_hjs, xc_##spins##_at, 1, 0, PV_XC_HOLE_HJS)                \
    XC_KERNEL(xc_##spins##_hjs_short, xc_##spins##_at, 1, 1, PV_XC_HOLE_HJS)

XC_KERNELS(plain)
XC_KERNELS(spins)

#endif
