// SPDX-License-Identifier: Apache-2.0
// Kernels of pictures in one precision; included after kernels_body.h.

// f[0] = |(u[0], u[1], u[2])|
PV_KERNEL_FUNCTION void DNS(magnitude_at)(dns_points a, int64_t i)
{
    const DNS_REAL u = ((const DNS_REAL *)a.u[0])[i], v = ((const DNS_REAL *)a.u[1])[i],
                   w = ((const DNS_REAL *)a.u[2])[i];
    ((DNS_REAL *)a.f[0])[i] = (DNS_REAL)sqrt((double)(u * u + v * v + w * w));
}
DNS_KERNEL(DNS(magnitude), dns_points, DNS(magnitude_at))

PV_KERNEL_FUNCTION void DNS(pair_at)(dns_pair a, int64_t i)
{
    const double product = a.weight * (double)((const DNS_REAL *)a.a)[i] * (double)((const DNS_REAL *)a.b)[i];
    DNS_REAL *sum = (DNS_REAL *)a.sum;
    sum[i] = (DNS_REAL)(a.first ? product : (double)sum[i] + product);
}
DNS_KERNEL(DNS(pair), dns_pair, DNS(pair_at))

// The plane above the rank's last one is in the halo.
PV_KERNEL_FUNCTION double DNS(point)(const dns_brick *b, int which, int64_t x, int64_t y, int64_t z)
{
    const DNS_REAL *planes = (const DNS_REAL *)(z < b->planes ? b->field[which] : b->halo[which]);
    return (double)planes[((z < b->planes ? z : 0) * b->ny + y) * b->pitch + x];
}

// Trilinear at grid coordinates inside the brick, z counted from its first plane.
PV_KERNEL_FUNCTION double DNS(sample)(const dns_brick *b, int which, double x, double y, double z)
{
    x = dns_clamp(x, 0.0, (double)b->nx - 1.0);
    y = dns_clamp(y, 0.0, (double)b->ny - 1.0);
    z = dns_clamp(z, 0.0, (double)b->top);
    const int64_t ix = x < (double)b->nx - 2.0 ? (int64_t)x : b->nx - 2,
                  iy = y < (double)b->ny - 2.0 ? (int64_t)y : b->ny - 2;
    const int64_t iz = z < (double)b->top - 1.0 ? (int64_t)z : b->top - 1;
    const double fx = x - (double)ix, fy = y - (double)iy, fz = z - (double)iz;
    double plane[2];
    for (int p = 0; p < 2; p++) {
        const double low =
            DNS(point)(b, which, ix, iy, iz + p) * (1.0 - fx) + DNS(point)(b, which, ix + 1, iy, iz + p) * fx;
        const double high =
            DNS(point)(b, which, ix, iy + 1, iz + p) * (1.0 - fx) + DNS(point)(b, which, ix + 1, iy + 1, iz + p) * fx;
        plane[p] = low * (1.0 - fy) + high * fy;
    }
    return plane[0] * (1.0 - fz) + plane[1] * fz;
}

// Where between t0 (below the level) and t1 (above) the ray meets the level.
PV_KERNEL_FUNCTION double DNS(meet)(const dns_brick *b, const dns_ray *ray, double level, double t0, double t1)
{
    for (int i = 0; i < 6; i++) {
        const double t = 0.5 * (t0 + t1);
        if (DNS(sample)(b, 0, ray->o[0] + t * ray->d[0], ray->o[1] + t * ray->d[1], ray->o[2] + t * ray->d[2]) < level)
            t0 = t;
        else
            t1 = t;
    }
    return 0.5 * (t0 + t1);
}

PV_KERNEL_FUNCTION void DNS(surface_at)(dns_surface a, int64_t i)
{
    const dns_ray ray = dns_ray_of(&a.camera, i);
    a.pixels[i] = DNS_NOTHING;
    double t0, t1;
    if (!dns_ray_through(&ray, &a.brick, &t0, &t1)) return;
    const double step = 0.5;
    double before = t0;
    for (double t = t0; t < t1 + step; t += step) {
        const double now = t < t1 ? t : t1;
        const double x = ray.o[0] + now * ray.d[0], y = ray.o[1] + now * ray.d[1], z = ray.o[2] + now * ray.d[2];
        if (DNS(sample)(&a.brick, 0, x, y, z) >= a.level) {
            const double at = now > t0 ? DNS(meet)(&a.brick, &ray, a.level, before, now) : now;
            const double p[3] = {ray.o[0] + at * ray.d[0], ray.o[1] + at * ray.d[1], ray.o[2] + at * ray.d[2]};
            double n[3];
            for (int d = 0; d < 3; d++) {
                const double dx = d == 0 ? 0.7 : 0.0, dy = d == 1 ? 0.7 : 0.0, dz = d == 2 ? 0.7 : 0.0;
                n[d] = DNS(sample)(&a.brick, 0, p[0] + dx, p[1] + dy, p[2] + dz) -
                       DNS(sample)(&a.brick, 0, p[0] - dx, p[1] - dy, p[2] - dz);
            }
            const double colour = DNS(sample)(&a.brick, 1, p[0], p[1], p[2]) * a.per_colour;
            a.pixels[i] = dns_pixel(at, dns_shade(&a.camera, &ray, n, colour));
            return;
        }
        before = now;
    }
}
DNS_KERNEL(DNS(surface), dns_surface, DNS(surface_at))

// The plane z = slice as colours of the field; pixels that lie on another rank's planes stay empty.
PV_KERNEL_FUNCTION void DNS(slice_at)(dns_surface a, int64_t i)
{
    const int64_t row = i / a.camera.width, column = i - row * a.camera.width;
    const double x = ((double)column + 0.5) / (double)a.camera.width * (double)(a.brick.nx - 1);
    const double y = (1.0 - ((double)row + 0.5) / (double)a.camera.height) * (double)(a.brick.ny - 1);
    a.pixels[i] = DNS_NOTHING;
    if (a.slice < (double)a.brick.z0 || a.slice >= (double)(a.brick.z0 + a.brick.planes)) return;
    const double value = DNS(sample)(&a.brick, 0, x, y, a.slice - (double)a.brick.z0);
    a.pixels[i] = dns_pixel(0.0, dns_colour_of(value / a.level));
}
DNS_KERNEL(DNS(slice), dns_surface, DNS(slice_at))
