// SPDX-License-Identifier: Apache-2.0
// The products of an evaluation at one point, in one precision: u, v, w and what else there is become what is
// transformed back. Included by kernels_both.h and by cuda/products.cu.

// v[0 .. 2] = u, v[3 .. 5] = w: w becomes u x w.
PV_KERNEL_FUNCTION void DNS(cross_of)(DNS_REAL v[6])
{
    const DNS_REAL p = v[3], q = v[4], r = v[5];
    v[3] = v[1] * r - v[2] * q;
    v[4] = v[2] * p - v[0] * r;
    v[5] = v[0] * q - v[1] * p;
}

// u, v, w become u u - v v, u v, u w, w w - v v, v w.
PV_KERNEL_FUNCTION void DNS(products_of)(DNS_REAL v[6])
{
    const DNS_REAL x = v[0], y = v[1], z = v[2];
    v[0] = x * x - y * y;
    v[1] = x * y;
    v[2] = x * z;
    v[3] = z * z - y * y;
    v[4] = y * z;
}

// v[0 .. 2] = u, v[3] = theta: v[3 .. 5] become theta u.
PV_KERNEL_FUNCTION void DNS(fluxes_of)(DNS_REAL v[6])
{
    const DNS_REAL theta = v[3];
    for (int d = 0; d < 3; d++) v[3 + d] = theta * v[d];
}

// |u| / dx + |v| / dy + |w| / dz, and u.u
PV_KERNEL_FUNCTION void DNS(speed_of)(const double per_dx[3], const DNS_REAL v[3], DNS_REAL term[2])
{
    term[0] = term[1] = 0;
    for (int d = 0; d < 3; d++) {
        term[0] += (v[d] < 0 ? -v[d] : v[d]) * (DNS_REAL)per_dx[d];
        term[1] += v[d] * v[d];
    }
}
