// SPDX-License-Identifier: Apache-2.0
#include "cli/plan/dns.h"

#include <stdio.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/message.h"
#include "dns/files/case_file.h"
#include "dns/params.h"

static void print_row(const pv_dns_params *p, int64_t gpus, const pv_dns_forecast *f)
{
    char grid[48];
    snprintf(grid, sizeof grid, "%lldx%lldx%lld", (long long)p->grid[0], (long long)p->grid[1], (long long)p->grid[2]);
    printf("%-17s %6lld %11.2f %9.1f%s %11.4g %9.4g %9.4g %9.4g %9.1f %9.3g\n", grid, (long long)gpus,
           f->device_bytes / 1e9, f->device_bytes * (double)gpus / f->points, f->fits ? " " : "*", 1e3 * f->step_s,
           1e3 * f->compute_s, 1e3 * f->exchange_s, 1e3 * f->messages_s, f->reynolds_taylor, f->viscosity);
}

// That of the case where there are no others.
static void choose_grid(pv_dns_params *p, const pv_plan_dns *plan, int g)
{
    for (int axis = 0; axis < 3 && plan->grid_count > 0; axis++) p->grid[axis] = plan->grids[g];
}

// Of a list the message names the one that is meant.
static pv_status check_grid(const pv_dns_params *p, const char *grids)
{
    char reason[1024];
    const pv_status status = pv_dns_params_check(p);
    if (status == PV_OK || !grids) return status;
    snprintf(reason, sizeof reason, "%s", pv_message_without_function(pv_last_error()));
    return pv_fail(status, __func__, "--grids %.200s: with %lld: %s", grids, (long long)p->grid[0], reason);
}

static void print_assumptions(const pv_dns_params *p, const pv_plan_dns *plan, const pv_dns_rates *rates)
{
    static const char *const schemes[] = {[PV_SCHEME_AB2] = "ab2", [PV_SCHEME_AB3] = "ab3", [PV_SCHEME_RK4] = "rk4"};
    char transforms[64];
    const int of_velocity = p->form == PV_FORM_DIVERGENCE ? 8 : 9;
    if (p->scalars == 0)
        snprintf(transforms, sizeof transforms, "%d transforms", of_velocity);
    else
        snprintf(transforms, sizeof transforms, "%d + %d x 4 transforms", of_velocity, (int)p->scalars);
    printf(
        "%s, %s, %s, kmax eta = %g; %.3g TB/s of memory, %.4g GB/s to each node's GPUs, %.3g of %.4g GB/s of network,\n"
        "%.3g us a message to another node, %.3g us an exchange; nodes of %d GPUs\n",
        p->precision == PV_FP32 ? "fp32" : "fp64", schemes[p->scheme],
        transforms, plan->kmax_eta,
        rates->memory_bytes_per_s / 1e12, rates->link_bytes_per_s / 1e9, rates->network_efficiency,
        rates->network_bytes_per_s / 1e9, 1e6 * rates->message_s, 1e6 * rates->exchange_s, rates->node_devices);
}

static pv_status print_table(pv_dns_params *p, const pv_plan_dns *plan, const pv_dns_rates *rates)
{
    const int rows = plan->grid_count > 0 ? plan->grid_count : 1;
    int misfits = 0;
    for (int g = 0; g < rows; g++) {
        choose_grid(p, plan, g);
        PV_TRY(check_grid(p, plan->grids_given));
    }
    printf("%-17s %6s %11s %10s %11s %9s %9s %9s %9s %9s\n", "grid", "GPUs", "GB a GPU", "B a point", "ms a step",
           "compute", "exchange", "messages", "Re_lambda", "nu");
    for (int g = 0; g < rows; g++)
        for (int d = 0; d < plan->gpu_count; d++) {
            choose_grid(p, plan, g);
            const pv_dns_forecast f = pv_dns_forecast_of(p, plan->gpus[d], rates, plan->kmax_eta);
            print_row(p, plan->gpus[d], &f);
            misfits += !f.fits;
        }
    if (misfits > 0) printf("* more than the %.0f GB of a GPU\n", rates->device_bytes / 1e9);
    print_assumptions(p, plan, rates);
    return PV_OK;
}

pv_status pv_plan_dns_print(const pv_plan_dns *plan)
{
    pv_dns_params params = pv_dns_params_defaults();
    pv_dns_rates rates = plan->rates;
    char *memory = NULL;
    pv_status status = pv_dns_case_read(plan->path, &params, &memory);
    if (status == PV_OK) {
        const pv_dns_rates h200 = pv_dns_rates_h200(params.precision);
        if (rates.memory_bytes_per_s == 0.0) rates.memory_bytes_per_s = h200.memory_bytes_per_s;
        if (rates.device_bytes == 0.0) rates.device_bytes = h200.device_bytes;
        status = print_table(&params, plan, &rates);
    }
    pv_mem_free(memory);
    return status;
}
