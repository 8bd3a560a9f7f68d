// SPDX-License-Identifier: Apache-2.0
// Bodies of the kernels for both compilers and both precisions; included by kernels.c and cuda/kernels.cu alone.
#ifndef PV_DNS_KERNELS_BOTH_H
#define PV_DNS_KERNELS_BOTH_H

#include <math.h>

#include "device/reduce.h"
#include "dns/kernels.h"
#include "dns/picture/kernel.h"

// On a GPU a complex number is loaded and stored as one.
#ifdef __CUDACC__
#define DNS_PAIRED(real) __align__(2 * sizeof(real))
#else
#define DNS_PAIRED(real)
#endif

typedef struct dns_complex {
    double x, y;
} dns_complex;

PV_KERNEL_FUNCTION double dns_along(const dns_mode *mode, int direction)
{
    return direction == 0 ? mode->kx : direction == 1 ? mode->ky : mode->kz;
}

PV_KERNEL_FUNCTION dns_complex dns_turn(dns_complex v, dns_complex by)
{
    dns_complex r;
    r.x = v.x * by.x - v.y * by.y;
    r.y = v.x * by.y + v.y * by.x;
    return r;
}

// exp(i k.shift)
PV_KERNEL_FUNCTION dns_complex dns_phase(const dns_modes *m, const dns_mode *mode)
{
    dns_complex r = {1.0, 0.0};
    if (m->shift_x != 0.0 || m->shift_y != 0.0 || m->shift_z != 0.0) {
        const double angle = mode->kx * m->shift_x + mode->ky * m->shift_y + mode->kz * m->shift_z;
        r.x = cos(angle);
        r.y = sin(angle);
    }
    return r;
}

PV_KERNEL_FUNCTION double dns_rate(const dns_damping *d, double k2)
{
    double hyper = d->hyperviscosity;
    if (hyper != 0.0)
        for (int64_t p = 0; p < d->hyper_order; p++) hyper *= k2;
    return d->viscosity * k2 + hyper;
}

// phi1 = (e^z - 1) / z, phi2 = (phi1 - 1) / z, phi3 = (phi2 - 1 / 2) / z. The differences lose every digit near 0:
// there
// their series sum z^n / (n + 3)! from the smallest term on.
typedef struct dns_phi {
    double one, two, three;
} dns_phi;

PV_KERNEL_FUNCTION dns_phi dns_phi_of(double z)
{
    dns_phi phi;
    if (z > -0.5) {
        double three = 0.0, factorial = 355687428096000.0; // 17!
        for (int n = 14; n >= 0; n--) {
            three = three * z + 1.0 / factorial;
            factorial /= n + 3;
        }
        phi.three = three;
        phi.two = 0.5 + z * three;
        phi.one = 1.0 + z * phi.two;
    } else {
        phi.one = expm1(z) / z;
        phi.two = (phi.one - 1.0) / z;
        phi.three = (phi.two - 0.5) / z;
    }
    return phi;
}

PV_KERNEL_FUNCTION int64_t dns_shell(const dns_mode *mode, double per_width)
{
    return (int64_t)(sqrt(mode->k2) * per_width + 0.5);
}

PV_KERNEL_FUNCTION int64_t dns_nearest(double x)
{
    return (int64_t)floor(x + 0.5);
}

// Of the velocity, what a forcing adds to the term.
PV_KERNEL_FUNCTION double dns_push_of(const dns_term *t, const dns_mode *mode)
{
    const int64_t shell = t->hold ? dns_shell(mode, t->per_width) : 0;
    const double hold = t->hold && shell < t->hold_shells ? t->hold[shell] : 0.0;
    return hold + (mode->k2 <= t->push_k2 ? t->push : 0.0);
}

// n without its part along k, which is not 0.
PV_KERNEL_FUNCTION void dns_project(const dns_mode *mode, dns_complex n[3])
{
    const double per = 1.0 / mode->k2;
    const double px = (mode->kx * n[0].x + mode->ky * n[1].x + mode->kz * n[2].x) * per;
    const double py = (mode->kx * n[0].y + mode->ky * n[1].y + mode->kz * n[2].y) * per;
    n[0].x -= mode->kx * px;
    n[0].y -= mode->kx * py;
    n[1].x -= mode->ky * px;
    n[1].y -= mode->ky * py;
    n[2].x -= mode->kz * px;
    n[2].y -= mode->kz * py;
}

// The acceleration of a mode, projected. Returns whether it has one.
PV_KERNEL_FUNCTION int dns_acceleration_of(const dns_term *t, const dns_mode *mode, dns_complex a[3])
{
    const int64_t edge = t->acceleration_edge;
    const int64_t x = dns_nearest(mode->kx / t->modes.unit_x), y = dns_nearest(mode->ky / t->modes.unit_y);
    const int64_t z = dns_nearest(mode->kz / t->modes.unit_z);
    if (!mode->kept || mode->k2 == 0.0) return 0;
    if (x > edge || y > edge || y < -edge || z > edge || z < -edge) return 0;
    const double *of = t->acceleration + 6 * (((z + edge) * (2 * edge + 1) + (y + edge)) * (edge + 1) + x);
    for (int c = 0; c < 3; c++) {
        a[c].x = of[2 * c];
        a[c].y = of[2 * c + 1];
    }
    dns_project(mode, a);
    return 1;
}

// How a part of a sum goes through its terms: in stretches where threads have caches of their own, interleaved where
// neighbouring threads read neighbouring memory.
#ifdef __CUDACC__
#define DNS_PART_BEGIN(part, parts, total) (part)
#define DNS_PART_END(part, parts, total)   (total)
#define DNS_PART_STEP(parts)               (parts)
#else
#define DNS_PART_BEGIN(part, parts, total) ((total) * (part) / (parts))
#define DNS_PART_END(part, parts, total)   ((total) * ((part) + 1) / (parts))
#define DNS_PART_STEP(parts)               1
#endif

// Names are expanded before they are pasted.
#define DNS_KERNEL(kernel, arguments, at)                     PV_KERNEL(kernel, arguments, at)
#define DNS_REDUCTION(kernel, arguments, values, combine, at) PV_REDUCTION(kernel, arguments, values, combine, at)

#define DNS_REAL  double
#define DNS(name) dns_##name##_fp64
#include "dns/step/product_body.h"
#include "dns/kernels_body.h"
#include "dns/statistics/sums_body.h"
#include "dns/picture/body.h"
#undef DNS_REAL
#undef DNS

#define DNS_REAL  float
#define DNS(name) dns_##name##_fp32
#include "dns/step/product_body.h"
#include "dns/kernels_body.h"
#include "dns/statistics/sums_body.h"
#include "dns/picture/body.h"
#undef DNS_REAL
#undef DNS

#endif
