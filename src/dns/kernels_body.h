// SPDX-License-Identifier: Apache-2.0
// Kernels in one precision; included by kernels_both.h once with DNS_REAL float and once with double.

typedef struct DNS_PAIRED(DNS_REAL) DNS(complex) {
    DNS_REAL x, y;
} DNS(complex);

PV_KERNEL_FUNCTION dns_complex DNS(load)(const void *field, int64_t i)
{
    const DNS(complex) v = ((const DNS(complex) *)field)[i];
    dns_complex c;
    c.x = v.x;
    c.y = v.y;
    return c;
}

PV_KERNEL_FUNCTION void DNS(store)(void *field, int64_t i, dns_complex v)
{
    DNS(complex) c;
    c.x = (DNS_REAL)v.x;
    c.y = (DNS_REAL)v.y;
    ((DNS(complex) *)field)[i] = c;
}

// ---- Modes that are transformed ---------------------------------------------------------------------

PV_KERNEL_FUNCTION void DNS(spread_at)(dns_spread a, int64_t i)
{
    const dns_mode mode = dns_mode_at(&a.modes, i);
    dns_complex v = {0.0, 0.0};
    if (mode.kept) {
        if (a.field) {
            v = DNS(load)(a.field, i);
        } else {
            const dns_complex p = DNS(load)(a.a, i);
            const double k = dns_along(&mode, a.along);
            v.x = -k * p.y;
            v.y = k * p.x;
        }
        v = dns_turn(v, dns_phase(&a.modes, &mode));
    }
    DNS(store)(a.to, i, v);
}
DNS_KERNEL(DNS(spread), dns_spread, DNS(spread_at))

// i k x u
PV_KERNEL_FUNCTION void DNS(curl_at)(dns_curl a, int64_t i)
{
    const dns_mode k = dns_mode_at(&a.modes, i);
    const dns_complex phase = dns_phase(&a.modes, &k);
    const dns_complex u = DNS(load)(a.u, i), v = DNS(load)(a.u, i + a.modes.total);
    const dns_complex w = DNS(load)(a.u, i + 2 * a.modes.total);
    const dns_complex x = {k.kz * v.y - k.ky * w.y, k.ky * w.x - k.kz * v.x};
    const dns_complex y = {k.kx * w.y - k.kz * u.y, k.kz * u.x - k.kx * w.x};
    const dns_complex z = {k.ky * u.y - k.kx * v.y, k.kx * v.x - k.ky * u.x};
    DNS(store)(a.to[0], i, dns_turn(x, phase));
    DNS(store)(a.to[1], i, dns_turn(y, phase));
    DNS(store)(a.to[2], i, dns_turn(z, phase));
}
DNS_KERNEL(DNS(curl), dns_curl, DNS(curl_at))

PV_KERNEL_FUNCTION void DNS(poisson_at)(dns_poisson a, int64_t i)
{
    const dns_mode mode = dns_mode_at(&a.modes, i);
    dns_complex p = {0.0, 0.0};
    if (mode.kept && mode.k2 > 0.0) {
        const dns_complex q = DNS(load)(a.spectrum, i);
        const dns_complex u = DNS(load)(a.u, i), v = DNS(load)(a.u, i + a.modes.total);
        p.x = -2.0 * (q.x - a.rotation * (mode.kx * v.y - mode.ky * u.y)) / mode.k2;
        p.y = -2.0 * (q.y + a.rotation * (mode.kx * v.x - mode.ky * u.x)) / mode.k2;
    }
    DNS(store)(a.spectrum, i, p);
}
DNS_KERNEL(DNS(poisson), dns_poisson, DNS(poisson_at))

// ---- Products at points -----------------------------------------------------------------------------------------

PV_KERNEL_FUNCTION void DNS(cross_at)(dns_points a, int64_t i)
{
    DNS_REAL v[6];
    for (int c = 0; c < 3; c++) v[c] = ((const DNS_REAL *)a.u[c])[i], v[3 + c] = ((const DNS_REAL *)a.f[c])[i];
    DNS(cross_of)(v);
    for (int c = 0; c < 3; c++) ((DNS_REAL *)a.f[c])[i] = v[3 + c];
}
DNS_KERNEL(DNS(cross), dns_points, DNS(cross_at))

PV_KERNEL_FUNCTION void DNS(products_at)(dns_points a, int64_t i)
{
    DNS_REAL v[6];
    for (int c = 0; c < 3; c++) v[c] = ((const DNS_REAL *)a.u[c])[i];
    DNS(products_of)(v);
    for (int c = 0; c < 3; c++) ((DNS_REAL *)a.u[c])[i] = v[c];
    for (int c = 0; c < 2; c++) ((DNS_REAL *)a.f[c])[i] = v[3 + c];
}
DNS_KERNEL(DNS(products), dns_points, DNS(products_at))

PV_KERNEL_FUNCTION void DNS(fluxes_at)(dns_points a, int64_t i)
{
    const DNS_REAL theta = ((const DNS_REAL *)a.f[0])[i];
    ((DNS_REAL *)a.f[0])[i] = theta * ((const DNS_REAL *)a.u[0])[i];
    ((DNS_REAL *)a.f[1])[i] = theta * ((const DNS_REAL *)a.u[1])[i];
    ((DNS_REAL *)a.f[2])[i] = theta * ((const DNS_REAL *)a.u[2])[i];
}
DNS_KERNEL(DNS(fluxes), dns_points, DNS(fluxes_at))

// ---- The nonlinear term at a mode ---------------------------------------------------------------------------------

PV_KERNEL_FUNCTION dns_complex DNS(product_at)(const dns_term *t, int p, int64_t i, dns_complex back)
{
    return dns_turn(DNS(load)(t->product[p], i), back);
}

PV_KERNEL_FUNCTION void DNS(products_of_mode)(const dns_term *t, int64_t i, const dns_mode *mode, dns_complex n[3])
{
    const dns_complex forth = dns_phase(&t->modes, mode);
    const dns_complex back = {forth.x, -forth.y};
    n[0] = DNS(product_at)(t, 0, i, back);
    n[1] = DNS(product_at)(t, 1, i, back);
    n[2] = DNS(product_at)(t, 2, i, back);
    if (t->form == 0) return;
    // u u - v v, u v, u w, w w - v v, v w
    const dns_complex uu = n[0], uv = n[1], uw = n[2];
    const dns_complex ww = DNS(product_at)(t, 3, i, back), vw = DNS(product_at)(t, 4, i, back);
    n[0].x = mode->kx * uu.y + mode->ky * uv.y + mode->kz * uw.y;
    n[0].y = -(mode->kx * uu.x + mode->ky * uv.x + mode->kz * uw.x);
    n[1].x = mode->kx * uv.y + mode->kz * vw.y;
    n[1].y = -(mode->kx * uv.x + mode->kz * vw.x);
    n[2].x = mode->kx * uw.y + mode->ky * vw.y + mode->kz * ww.y;
    n[2].y = -(mode->kx * uw.x + mode->ky * vw.x + mode->kz * ww.x);
}

// Without the mean mode: the pressure and a moving frame take it.
PV_KERNEL_FUNCTION void DNS(velocity_term)(const dns_term *t, int64_t i, const dns_mode *mode, dns_complex n[3])
{
    const dns_complex zero = {0.0, 0.0};
    n[0] = n[1] = n[2] = zero;
    if (!mode->kept || mode->k2 == 0.0) return;
    DNS(products_of_mode)(t, i, mode, n);
    const double push = dns_push_of(t, mode);
    if (t->rotation != 0.0 || push != 0.0) {
        const dns_complex u = DNS(load)(t->now, i), v = DNS(load)(t->now, i + t->modes.total);
        const dns_complex w = DNS(load)(t->now, i + 2 * t->modes.total);
        n[0].x += 2.0 * t->rotation * v.x + push * u.x;
        n[0].y += 2.0 * t->rotation * v.y + push * u.y;
        n[1].x += -2.0 * t->rotation * u.x + push * v.x;
        n[1].y += -2.0 * t->rotation * u.y + push * v.y;
        n[2].x += push * w.x;
        n[2].y += push * w.y;
    }
    dns_project(mode, n);
}

// -div (u theta) - gradient.u
PV_KERNEL_FUNCTION dns_complex DNS(scalar_term)(const dns_term *t, int64_t i, const dns_mode *mode)
{
    dns_complex n = {0.0, 0.0};
    if (!mode->kept) return n;
    const dns_complex forth = dns_phase(&t->modes, mode);
    const dns_complex back = {forth.x, -forth.y};
    const dns_complex f = DNS(product_at)(t, 0, i, back), g = DNS(product_at)(t, 1, i, back);
    const dns_complex h = DNS(product_at)(t, 2, i, back);
    n.x = mode->kx * f.y + mode->ky * g.y + mode->kz * h.y;
    n.y = -(mode->kx * f.x + mode->ky * g.x + mode->kz * h.x);
    for (int c = 0; c < 3; c++) {
        if (t->gradient[c] == 0.0) continue;
        const dns_complex u = DNS(load)(t->now, i + c * t->modes.total);
        n.x -= t->gradient[c] * u.x;
        n.y -= t->gradient[c] * u.y;
    }
    return n;
}

// Components of the term: 3, or 1 for a scalar.
PV_KERNEL_FUNCTION int DNS(term_at)(const dns_term *t, int64_t i, const dns_mode *mode, dns_complex n[3])
{
    if (t->form >= 0) {
        DNS(velocity_term)(t, i, mode, n);
        return 3;
    }
    n[0] = DNS(scalar_term)(t, i, mode);
    return 1;
}

// ---- Steps ------------------------------------------------------------------------------------------------------

// Whatever the precision of the field, the step is taken in double: a stored e^z in single precision biases the energy.
PV_KERNEL_FUNCTION void DNS(advance_at)(dns_advance a, int64_t i)
{
    const dns_mode mode = dns_mode_at(&a.term.modes, i);
    dns_complex n[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    const int components = DNS(term_at)(&a.term, i, &mode, n);
    const double z = -dns_rate(&a.damping, mode.k2) * a.dt;
    const dns_phi phi = dns_phi_of(z);
    const double c0 = a.dt * (a.o[0] * phi.one + a.p[0] * phi.two + a.q[0] * phi.three);
    const double c1 = a.dt * (a.o[1] * phi.one + a.p[1] * phi.two + a.q[1] * phi.three);
    const double c2 = a.dt * (a.o[2] * phi.one + a.p[2] * phi.two + a.q[2] * phi.three);
    const double decay = a.stay ? 0.0 : z * phi.one;
    // All loads stand before the first store, which they cannot pass.
    dns_complex next[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    for (int c = 0; c < components; c++) {
        const int64_t at = i + c * a.term.modes.total;
        dns_complex u = DNS(load)(a.u, at);
        u.x += decay * u.x + c0 * n[c].x;
        u.y += decay * u.y + c0 * n[c].y;
        if (a.before[0]) {
            const dns_complex b = DNS(load)(a.before[0], at);
            u.x += c1 * b.x;
            u.y += c1 * b.y;
        }
        if (a.before[1]) {
            const dns_complex b = DNS(load)(a.before[1], at);
            u.x += c2 * b.x;
            u.y += c2 * b.y;
        }
        next[c] = u;
    }
    for (int c = 0; c < components; c++) {
        const int64_t at = i + c * a.term.modes.total;
        DNS(store)(a.u, at, next[c]);
        if (a.keep) DNS(store)(a.keep, at, n[c]);
    }
}
DNS_KERNEL(DNS(advance), dns_advance, DNS(advance_at))

PV_KERNEL_FUNCTION void DNS(stage_at)(dns_stage a, int64_t i)
{
    const dns_mode mode = dns_mode_at(&a.term.modes, i);
    dns_complex n[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    const int components = DNS(term_at)(&a.term, i, &mode, n);
    const double z = -dns_rate(&a.damping, mode.k2) * a.dt;
    const double to_sum = a.sum_weight * a.dt * exp(a.sum_decay * z);
    const double to_next = a.next_weight * a.dt * exp(a.next_decay * z), decay = expm1(a.u_decay * z), all = expm1(z);
    for (int c = 0; c < components; c++) {
        const int64_t at = i + c * a.term.modes.total;
        const dns_complex u = DNS(load)(a.u, at);
        dns_complex sum = a.first ? u : DNS(load)(a.sum, at), next = u;
        if (a.first) {
            sum.x += all * u.x;
            sum.y += all * u.y;
        }
        sum.x += to_sum * n[c].x;
        sum.y += to_sum * n[c].y;
        next.x += decay * u.x + to_next * n[c].x;
        next.y += decay * u.y + to_next * n[c].y;
        DNS(store)(a.sum, at, sum);
        if (a.next) DNS(store)(a.next, at, next);
        if (a.keep) DNS(store)(a.keep, at, n[c]);
    }
}
DNS_KERNEL(DNS(stage), dns_stage, DNS(stage_at))

PV_KERNEL_FUNCTION void DNS(accelerate_at)(dns_accelerate a, int64_t n)
{
    const int64_t i = dns_box_mode(&a.term.modes, &a.box, n);
    if (i < 0) return;
    const dns_mode mode = dns_mode_at(&a.term.modes, i);
    dns_complex f[3];
    if (!dns_acceleration_of(&a.term, &mode, f)) return;
    const double push = a.dt * dns_phi_of(-dns_rate(&a.damping, mode.k2) * a.dt).one;
    for (int c = 0; c < 3; c++) {
        const int64_t at = i + c * a.term.modes.total;
        dns_complex u = DNS(load)(a.u, at);
        u.x += push * f[c].x;
        u.y += push * f[c].y;
        DNS(store)(a.u, at, u);
    }
}
DNS_KERNEL(DNS(accelerate), dns_accelerate, DNS(accelerate_at))

PV_KERNEL_FUNCTION void DNS(rescale_at)(dns_rescale a, int64_t n)
{
    const int64_t i = dns_box_mode(&a.modes, &a.box, n);
    if (i < 0) return;
    const dns_mode mode = dns_mode_at(&a.modes, i);
    const int64_t shell = dns_shell(&mode, a.per_width);
    if (shell >= a.shells || mode.k2 == 0.0) return;
    dns_complex u[3];
    for (int c = 0; c < 3; c++) u[c] = DNS(load)(a.u, i + c * a.modes.total);
    dns_project(&mode, u);
    for (int c = 0; c < 3; c++) {
        u[c].x *= a.factor[shell];
        u[c].y *= a.factor[shell];
        DNS(store)(a.u, i + c * a.modes.total, u[c]);
    }
}
DNS_KERNEL(DNS(rescale), dns_rescale, DNS(rescale_at))

PV_KERNEL_FUNCTION void DNS(conjugates_at)(dns_conjugates a, int64_t i)
{
    const dns_mode mode = dns_mode_at(&a.modes, i);
    const int64_t y = dns_nearest(mode.ky / a.modes.unit_y), z = dns_nearest(mode.kz / a.modes.unit_z);
    if (mode.kx != 0.0 || !mode.kept || y > a.edge_y || y < -a.edge_y || z > a.edge_z || z < -a.edge_z) return;
    double *entry = a.plane + 6 * ((z + a.edge_z) * (2 * a.edge_y + 1) + (y + a.edge_y));
    for (int c = 0; c < 3; c++) {
        const int64_t at = i + c * a.modes.total;
        dns_complex u;
        if (a.puts) {
            u.x = entry[2 * c];
            u.y = entry[2 * c + 1];
            DNS(store)(a.u, at, u);
        } else {
            u = DNS(load)(a.u, at);
            entry[2 * c] = u.x;
            entry[2 * c + 1] = u.y;
        }
    }
}
DNS_KERNEL(DNS(conjugates), dns_conjugates, DNS(conjugates_at))
