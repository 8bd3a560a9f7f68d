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
PV_KERNEL_FUNCTION const DNS_REAL *DNS(plane)(const dns_brick *b, int which, int64_t z)
{
    const DNS_REAL *field = (const DNS_REAL *)b->field[which], *halo = (const DNS_REAL *)b->halo[which];
    return z < b->planes ? field + z * b->ny * b->pitch : halo;
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
        const DNS_REAL *at = DNS(plane)(b, which, iz + p) + iy * b->pitch + ix;
        const double low = (double)at[0] * (1.0 - fx) + (double)at[1] * fx;
        const double high = (double)at[b->pitch] * (1.0 - fx) + (double)at[b->pitch + 1] * fx;
        plane[p] = low * (1.0 - fy) + high * fy;
    }
    return plane[0] * (1.0 - fz) + plane[1] * fz;
}

PV_KERNEL_FUNCTION double DNS(along)(const dns_brick *b, const dns_ray *ray, double t)
{
    return DNS(sample)(b, 0, ray->o[0] + t * ray->d[0], ray->o[1] + t * ray->d[1], ray->o[2] + t * ray->d[2]);
}

// Where between t0 (below the level) and t1 (above) the ray meets the level.
PV_KERNEL_FUNCTION double DNS(meet)(const dns_brick *b, const dns_ray *ray, double level, double t0, double t1)
{
    for (int i = 0; i < 8; i++) {
        const double t = 0.5 * (t0 + t1);
        if (DNS(along)(b, ray, t) < level)
            t0 = t;
        else
            t1 = t;
    }
    return 0.5 * (t0 + t1);
}

// Differences over two cells, fewer at the end of the brick: as smooth as the field between its points.
PV_KERNEL_FUNCTION void DNS(slope)(const dns_brick *b, const double p[3], double n[3])
{
    const double last[3] = {(double)b->nx - 1.0, (double)b->ny - 1.0, (double)b->top};
    for (int d = 0; d < 3; d++) {
        const double low = dns_clamp(p[d] - 1.0, 0.0, last[d]), high = dns_clamp(p[d] + 1.0, 0.0, last[d]);
        const double above = DNS(sample)(b, 0, d == 0 ? high : p[0], d == 1 ? high : p[1], d == 2 ? high : p[2]);
        const double below = DNS(sample)(b, 0, d == 0 ? low : p[0], d == 1 ? low : p[1], d == 2 ? low : p[2]);
        n[d] = (above - below) / (high - low) * b->per[d];
    }
}

// How much of the sky the point of a surface sees: less where the field is high again some cells away from it.
PV_KERNEL_FUNCTION double DNS(openness)(const dns_surface *a, const double p[3], const double n[3])
{
    const double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) + 1e-300;
    double shut = 0.0;
    for (int i = 1; i <= 4; i++) {
        const double away = -0.25 * a->reach * (double)i / size;
        const double *per = a->brick.per;
        const double x = p[0] + away * n[0] * per[0], y = p[1] + away * n[1] * per[1], z = p[2] + away * n[2] * per[2];
        const double f = DNS(sample)(&a->brick, 0, x, y, z) / a->level;
        shut += dns_clamp(2.0 * (f - 0.5), 0.0, 1.0) * (1.1 - 0.2 * (double)i);
    }
    return 1.0 - dns_clamp(0.5 * shut, 0.0, 1.0);
}

// Where the ray, which is in the brick from t0 to t1, meets the level; past t1: nowhere.
PV_KERNEL_FUNCTION double DNS(find_surface)(const dns_surface *a, const dns_ray *ray, double t0, double t1)
{
    double before = DNS(along)(&a->brick, ray, t0), now = before;
    if (now >= a->level) return t0;
    // At the same places on the ray whatever the ranks.
    for (double t = (floor(t0 / a->step) + 1.0) * a->step; t < t1 + a->step; t += a->step) {
        const double last = fmin(t, t1), f = DNS(along)(&a->brick, ray, last);
        if (f >= a->level) return DNS(meet)(&a->brick, ray, a->level, fmax(t - a->step, t0), last);
        // What is thinner than a step: the highest point of a parabola through three samples.
        const double bend = 2.0 * now - before - f, slope = 0.5 * (f - before);
        if (now >= before && now >= f && bend > 0.0 && now + 0.5 * slope * slope / bend >= a->level) {
            const double peak = t - a->step + a->step * slope / bend;
            if (DNS(along)(&a->brick, ray, peak) >= a->level)
                return DNS(meet)(&a->brick, ray, a->level, fmax(t - 2.0 * a->step, t0), peak);
        }
        before = now;
        now = f;
    }
    return 2.0 * t1 + 1.0;
}

// A surface that the box cuts is seen from inside: it gets a flat lid.
PV_KERNEL_FUNCTION int DNS(lid)(const dns_brick *b, const double p[3], double n[3])
{
    const double last[3] = {(double)b->nx - 1.0, (double)b->ny - 1.0, (double)b->top};
    int is_lid = 0;
    for (int d = 0; d < 3; d++) {
        const int at = fabs(p[d]) < 1e-6 || fabs(p[d] - last[d]) < 1e-6;
        n[d] = at && !is_lid ? 1.0 : 0.0;
        is_lid = is_lid || at;
    }
    return is_lid;
}

PV_KERNEL_FUNCTION void DNS(surface_at)(dns_surface a, int64_t i)
{
    const dns_ray seen = dns_ray_of(&a.camera, i), ray = dns_ray_on_grid(&seen, &a.brick);
    a.pixels[i] = DNS_NOTHING;
    double t0, t1, n[3], open = 1.0;
    if (!(a.level > 0.0) || !dns_ray_through(&ray, &a.brick, &t0, &t1)) return;
    const double at = DNS(find_surface)(&a, &ray, t0, t1);
    if (at > t1) return;
    const double p[3] = {ray.o[0] + at * ray.d[0], ray.o[1] + at * ray.d[1], ray.o[2] + at * ray.d[2]};
    if (at > t0 || !DNS(lid)(&a.brick, p, n)) {
        DNS(slope)(&a.brick, p, n);
        open = DNS(openness)(&a, p, n);
    }
    const double colour = (DNS(sample)(&a.brick, 1, p[0], p[1], p[2]) - a.low) * a.per_colour;
    a.pixels[i] = dns_pixel(at, dns_shade(&a.camera, &seen, n, dns_map_at(a.map, colour), at, open));
}
DNS_KERNEL(DNS(surface), dns_surface, DNS(surface_at))

// Of the second field on the ray.
PV_KERNEL_FUNCTION double DNS(colour_at)(const dns_surface *a, const dns_ray *ray, double t)
{
    const double x = ray->o[0] + t * ray->d[0], y = ray->o[1] + t * ray->d[1], z = ray->o[2] + t * ray->d[2];
    return (DNS(sample)(&a->brick, 1, x, y, z) - a->low) * a->per_colour;
}

// The part of a ray in the brick, front to back: optical depth grows as the square of what the field has above half the
// level. Samples lie at the same places on the ray whatever the ranks, at others on the next ray: no fringes.
PV_KERNEL_FUNCTION void DNS(volume_at)(dns_surface a, int64_t i)
{
    const dns_ray seen = dns_ray_of(&a.camera, i), ray = dns_ray_on_grid(&seen, &a.brick);
    const double step = a.step, first = dns_dither(&a.camera, i);
    dns_gathered sum = {0.0, 0.0, 0.0, 1.0};
    double t0, t1;
    if (dns_ray_through(&ray, &a.brick, &t0, &t1))
        for (double n = ceil(t0 / step - first); (n + first) * step < t1 && sum.through > 1e-3; n += 1.0) {
            const double t = (n + first) * step;
            const double x = DNS(along)(&a.brick, &ray, t) / a.level;
            if (!(x >= 0.5)) continue; // nor where nothing moves
            const double thick = step * a.density * (x - 0.5) * (x - 0.5) * 4.0;
            const double left = exp(-thick), share = sum.through * (1.0 - left);
            const double haze = 0.35 * dns_clamp((t - a.camera.near) / (a.camera.far - a.camera.near), 0.0, 1.0);
            const double colour = a.map == DNS_MAP_GLOW ? 0.5 * (x - 0.5) : DNS(colour_at)(&a, &ray, t);
            const dns_rgb glow = dns_map_at(a.map, colour);
            sum.r += share * (glow.r * (1.0 - haze) + haze);
            sum.g += share * (glow.g * (1.0 - haze) + haze);
            sum.b += share * (glow.b * (1.0 - haze) + haze);
            sum.through *= left;
        }
    a.pixels[i] = dns_pack(sum);
}
DNS_KERNEL(DNS(volume), dns_surface, DNS(volume_at))

// A plane across an axis as colours of the field, as large as fits into the window; what lies on another rank's planes or
// outside stays empty.
PV_KERNEL_FUNCTION void DNS(slice_at)(dns_surface a, int64_t i)
{
    const int64_t row = i / a.camera.width, column = i - row * a.camera.width;
    const double last[3] = {(double)(a.brick.nx - 1), (double)(a.brick.ny - 1), (double)(a.brick.nz - 1)};
    double column_at, row_at, at[3];
    dns_place_of(&a.camera, row, column, &column_at, &row_at);
    dns_slice_place(&a.camera, &a.brick, a.axis, column_at, row_at, at);
    at[a.axis] = a.slice;
    a.pixels[i] = DNS_NOTHING;
    for (int d = 0; d < 3; d++)
        if (at[d] < 0.0 || at[d] > last[d]) return;
    if (at[2] < (double)a.brick.z0 || at[2] >= (double)(a.brick.z0 + a.brick.planes)) return;
    const double value = DNS(sample)(&a.brick, 0, at[0], at[1], at[2] - (double)a.brick.z0);
    a.pixels[i] = dns_pixel(0.0, dns_map_at(a.map, (value - a.low) * a.per_colour));
}
DNS_KERNEL(DNS(slice), dns_surface, DNS(slice_at))
