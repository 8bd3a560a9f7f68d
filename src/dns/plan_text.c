// SPDX-License-Identifier: Apache-2.0
#include "dns/plan_text.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"

static void write_equations(FILE *out, const pv_dns_params *p)
{
    static const char *const forms[] = {"u x w, 9 transforms", "div uu, 8 transforms"};
    static const char *const schemes[] = {"exponential Adams-Bashforth 2", "exponential Adams-Bashforth 3",
                                          "Runge-Kutta 4 with integrating factor"};
    static const char *const forcings[] = {"none", "frozen shells", "constant power", "Ornstein-Uhlenbeck"};
    fprintf(out, "equations   Navier-Stokes, %s, nu = %g", forms[p->form], p->viscosity);
    if (p->hyperviscosity > 0.0)
        fprintf(out, ", nu_h = %g of k^%lld", p->hyperviscosity, 2 * (long long)p->hyper_order);
    if (p->rotation != 0.0) fprintf(out, ", Omega = %g", p->rotation);
    if (p->scalars > 0)
        fprintf(out, "; %lld scalar%s, Sc = %g", (long long)p->scalars, p->scalars == 1 ? "" : "s", p->schmidt[0]);
    for (int64_t i = 1; i < p->schmidts; i++) fprintf(out, ", %g", p->schmidt[i]);
    fprintf(out, "\nforcing     %s", forcings[p->forcing]);
    if (p->forcing != PV_FORCING_NONE) fprintf(out, " of k <= %g", p->forcing_k);
    if (p->forcing != PV_FORCING_NONE && p->forcing_until > 0.0) fprintf(out, " until %g", p->forcing_until);
    fprintf(out, "\nscheme      %s, ", schemes[p->scheme]);
    if (p->cfl > 0.0)
        fprintf(out, "CFL %g, dt <= %g", p->cfl, p->dt);
    else
        fprintf(out, "dt = %g", p->dt);
    fprintf(out, ", to time %g\n", p->time_end);
}

static void write_modes(FILE *out, const pv_dns_state *s)
{
    static const char *const kept[] = {"cube of two thirds", "sphere of two thirds",
                                       "sphere of 2 sqrt(2) / 3, shifted grids"};
    const pv_dns_params *p = &s->params;
    fprintf(out, "grid        %lld x %lld x %lld in %.6g x %.6g x %.6g, %s\n", (long long)p->grid[0],
            (long long)p->grid[1], (long long)p->grid[2], p->length_x, p->length_y, p->length_z,
            p->precision == PV_FP32 ? "fp32" : "fp64");
    fprintf(out, "modes       %s: k <= %.6g\n", kept[p->dealias], pv_dns_largest_wave_number(p));
}

static void write_memory(FILE *out, const pv_dns_state *s)
{
    const pv_dns_memory m = pv_dns_memory_of(s);
    const double mib = 1.0 / (1 << 20), points = s->points > 0 ? (double)s->points : 1.0;
    fprintf(out, "ranks       %d, transport %s, device %s\n", pv_comm_size(s->comm), pv_comm_transport(s->comm),
            pv_device_name(s->device));
    fprintf(out,
            "memory      a rank: %.1f MiB of modes, %.1f MiB of fields (%.1f bytes a point), %.1f MiB of transforms",
            (double)m.modes * mib, (double)m.work * mib, (double)(m.modes + m.work) / points, (double)m.plan * mib);
}

pv_status pv_dns_plan_write(const pv_dns_state *s, char **text_p)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    PV_REQUIRE(out, PV_ERR_MEMORY, "no memory for the plan's text");
    write_modes(out, s);
    write_equations(out, &s->params);
    write_memory(out, s);
    fclose(out);
    const pv_status status = pv_mem_strdup(text, text_p);
    free(text);
    return status;
}
