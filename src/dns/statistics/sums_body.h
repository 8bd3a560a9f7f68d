// SPDX-License-Identifier: Apache-2.0
// Sums over modes and points in one precision; included after kernels_body.h.

PV_KERNEL_FUNCTION void DNS(speed_at)(dns_speed a, int64_t i, double term[2])
{
    const int64_t row = dns_quotient(i, a.per_columns), at = row * a.pitch + (i - row * a.columns);
    DNS_REAL v[3], found[2];
    for (int c = 0; c < 3; c++) v[c] = ((const DNS_REAL *)a.u[c])[at];
    DNS(speed_of)(a.per_dx, v, found);
    for (int t = 0; t < 2; t++) term[t] = found[t];
}
DNS_REDUCTION(DNS(speed), dns_speed, 2, PV_REDUCE_MAX, DNS(speed_at))

PV_KERNEL_FUNCTION void DNS(moment_at)(dns_moment a, int64_t i, double term[DNS_POWERS])
{
    const int64_t row = dns_quotient(i, a.per_columns);
    const double g = ((const DNS_REAL *)a.g)[row * a.pitch + (i - row * a.columns)];
    term[0] = g * g;
    term[1] = g * g * g;
    term[2] = g * g * g * g;
    term[3] = g;
}
DNS_REDUCTION(DNS(moment), dns_moment, DNS_POWERS, PV_REDUCE_ADD, DNS(moment_at))

PV_KERNEL_FUNCTION void DNS(mixed_at)(dns_mixed a, int64_t i, double term[DNS_MIXED_MOMENTS])
{
    const int64_t row = dns_quotient(i, a.per_columns), at = row * a.pitch + (i - row * a.columns);
    const double g = ((const DNS_REAL *)a.g)[at], h = ((const DNS_REAL *)a.h)[at];
    term[0] = h * h;
    term[1] = g * h * h;
}
DNS_REDUCTION(DNS(mixed), dns_mixed, DNS_MIXED_MOMENTS, PV_REDUCE_ADD, DNS(mixed_at))

PV_KERNEL_FUNCTION void DNS(difference_at)(dns_difference a, int64_t i, double term[DNS_MOMENTS])
{
    const int64_t row = dns_quotient(i, a.per_columns), at = row * a.pitch + (i - row * a.columns);
    const double d = (double)((const DNS_REAL *)a.there)[at] - (double)((const DNS_REAL *)a.here)[at];
    const double d2 = d * d, d3 = d2 * d;
    term[0] = d2;
    term[1] = d3;
    term[2] = d2 * d2;
    term[3] = d2 * d3;
    term[4] = d3 * d3;
    term[5] = fabs(d3);
}
DNS_REDUCTION(DNS(difference), dns_difference, DNS_MOMENTS, PV_REDUCE_ADD, DNS(difference_at))

PV_KERNEL_FUNCTION void DNS(sums_at)(dns_sums a, int64_t i, double term[DNS_SUMS])
{
    const dns_mode k = dns_mode_at(&a.term.modes, i);
    const int64_t total = a.term.modes.total;
    const dns_complex u = DNS(load)(a.u, i), v = DNS(load)(a.u, i + total), w = DNS(load)(a.u, i + 2 * total);
    const double energy = 0.5 * k.weight * (u.x * u.x + u.y * u.y + v.x * v.x + v.y * v.y + w.x * w.x + w.y * w.y);
    dns_complex f[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    term[0] = energy;
    term[1] = k.k2 * energy;
    term[2] = 2.0 * dns_rate(&a.damping, k.k2) * energy;
    // Re conj(u) . (i k x u)
    term[3] = 2.0 * k.weight *
              (k.kx * (v.x * w.y - v.y * w.x) + k.ky * (w.x * u.y - w.y * u.x) + k.kz * (u.x * v.y - u.y * v.x));
    if (a.term.acceleration) dns_acceleration_of(&a.term, &k, f);
    term[4] = k.weight * (f[0].x * u.x + f[0].y * u.y + f[1].x * v.x + f[1].y * v.y + f[2].x * w.x + f[2].y * w.y);
}
DNS_REDUCTION(DNS(sums), dns_sums, DNS_SUMS, PV_REDUCE_ADD, DNS(sums_at))

PV_KERNEL_FUNCTION void DNS(pushed_at)(dns_pushed a, int64_t n, double term[1])
{
    const int64_t i = dns_box_mode(&a.modes, &a.box, n), total = a.modes.total;
    term[0] = 0.0;
    if (i < 0) return;
    const dns_mode k = dns_mode_at(&a.modes, i);
    if (k.k2 == 0.0 || k.k2 > a.push_k2) return;
    for (int c = 0; c < 3; c++) {
        const dns_complex u = DNS(load)(a.u, i + c * total);
        term[0] += 0.5 * k.weight * (u.x * u.x + u.y * u.y);
    }
}
DNS_REDUCTION(DNS(pushed), dns_pushed, 1, PV_REDUCE_ADD, DNS(pushed_at))

PV_KERNEL_FUNCTION void DNS(divergence_at)(dns_divergence a, int64_t i, double term[1])
{
    const dns_mode k = dns_mode_at(&a.modes, i);
    const int64_t total = a.modes.total;
    const dns_complex u = DNS(load)(a.u, i), v = DNS(load)(a.u, i + total), w = DNS(load)(a.u, i + 2 * total);
    const double x = k.kx * u.x + k.ky * v.x + k.kz * w.x, y = k.kx * u.y + k.ky * v.y + k.kz * w.y;
    term[0] = k.k2 > 0.0 ? (x * x + y * y) / k.k2 : 0.0;
}
DNS_REDUCTION(DNS(divergence), dns_divergence, 1, PV_REDUCE_MAX, DNS(divergence_at))

PV_KERNEL_FUNCTION void DNS(scalar_sums_at)(dns_scalar_sums a, int64_t i, double term[DNS_SCALAR_SUMS])
{
    const dns_mode k = dns_mode_at(&a.modes, i);
    const dns_complex c = DNS(load)(a.scalar, i);
    const double weight = k.k2 > 0.0 ? k.weight : 0.0, variance = weight * (c.x * c.x + c.y * c.y);
    term[0] = variance;
    term[1] = 2.0 * dns_rate(&a.damping, k.k2) * variance;
    for (int d = 0; d < 3; d++) {
        const dns_complex u = DNS(load)(a.u, i + d * a.modes.total);
        term[2 + d] = weight * (u.x * c.x + u.y * c.y);
    }
}
DNS_REDUCTION(DNS(scalar_sums), dns_scalar_sums, DNS_SCALAR_SUMS, PV_REDUCE_ADD, DNS(scalar_sums_at))

// Bins of its own for every part: sums in an order that does not change.
PV_KERNEL_FUNCTION void DNS(shell_sums_at)(dns_shell_sums a, int64_t part)
{
    double *energy = a.bins + part * DNS_SHELL_VALUES * a.shells, *transfer = energy + a.shells,
           *loss = transfer + a.shells;
    const int64_t total = a.term.modes.total;
    for (int64_t n = DNS_PART_BEGIN(part, a.parts, a.box.count); n < DNS_PART_END(part, a.parts, a.box.count);
         n += DNS_PART_STEP(a.parts)) {
        const int64_t i = dns_box_mode(&a.term.modes, &a.box, n);
        if (i < 0) continue;
        const dns_mode mode = dns_mode_at(&a.term.modes, i);
        const int64_t shell = dns_shell(&mode, a.per_width);
        if (shell >= a.shells) continue;
        dns_complex f[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
        double sum = 0.0, work = 0.0;
        if (a.term.form >= 0) DNS(velocity_term)(&a.term, i, &mode, f);
        for (int c = 0; c < 3; c++) {
            const dns_complex u = DNS(load)(a.u, i + c * total);
            sum += 0.5 * mode.weight * (u.x * u.x + u.y * u.y);
            if (a.term.form >= 0) work += mode.weight * (u.x * f[c].x + u.y * f[c].y);
        }
        energy[shell] += sum;
        transfer[shell] += work;
        loss[shell] += 2.0 * dns_rate(&a.damping, mode.k2) * sum;
    }
}
DNS_KERNEL(DNS(shell_sums), dns_shell_sums, DNS(shell_sums_at))

PV_KERNEL_FUNCTION void DNS(scalar_shells_at)(dns_shell_sums a, int64_t part)
{
    double *variance = a.bins + part * DNS_SHELL_VALUES * a.shells, *transfer = variance + a.shells,
           *loss = transfer + a.shells;
    for (int64_t n = DNS_PART_BEGIN(part, a.parts, a.box.count); n < DNS_PART_END(part, a.parts, a.box.count);
         n += DNS_PART_STEP(a.parts)) {
        const int64_t i = dns_box_mode(&a.term.modes, &a.box, n);
        if (i < 0) continue;
        const dns_mode mode = dns_mode_at(&a.term.modes, i);
        const int64_t shell = dns_shell(&mode, a.per_width);
        if (shell >= a.shells) continue;
        const dns_complex c = DNS(load)(a.u, i);
        const double sum = mode.weight * (c.x * c.x + c.y * c.y);
        variance[shell] += sum;
        loss[shell] += 2.0 * dns_rate(&a.damping, mode.k2) * sum;
        if (!a.term.product[0]) continue;
        const dns_complex f = DNS(scalar_term)(&a.term, i, &mode);
        transfer[shell] += 2.0 * mode.weight * (c.x * f.x + c.y * f.y);
    }
}
DNS_KERNEL(DNS(scalar_shells), dns_shell_sums, DNS(scalar_shells_at))
