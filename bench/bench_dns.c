// SPDX-License-Identifier: Apache-2.0
// Time of a step of `parseval dns`, of its parts, and the memory that it takes: one JSON record a case.
//
//   mpirun -n R bench_dns --device cuda --grid 512 --precision fp64 --form 9 --steps 20 --with "scalars = 1"
//       --commit ID
//
// --with: a line of a case file, "forcing = frozen", any number of times.
// of_limit: what the step's bytes take at the 4.0 TB/s of an H200's kernel that copies over what it takes;
// parts are medians, each with the stream waited for: velocity (to rows), products (rows, points, rows), others
// (vorticity to rows, products to modes), update (and scalars). Energy and enstrophy after the steps agree between grids, precisions,
// devices and ranks as far as the flow is resolved and the precision reaches.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <parseval/comm_mpi.h>

#include "base/check.h"
#include "base/clock.h"
#include "dns/files/case_file.h"
#include "dns/flow.h"
#include "dns/forecast.h"
#include "dns/statistics/statistics.h"
#include "dns/step/products.h"
#include "dns/step/step.h"

enum { MOST_STEPS = 1000 };

typedef struct setup {
    pv_dns_params params;
    const char *device, *transport, *commit;
    char with[256]; // the lines, with commas between them
    int steps;
} setup;

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef pv_status (*part)(pv_dns_state *s, pv_dns_forcing_state *f, pv_dns_evaluation *e);

static pv_status velocity(pv_dns_state *s, pv_dns_forcing_state *f, pv_dns_evaluation *e)
{
    const pv_dns_now now = pv_dns_now_of(s);
    (void)f, (void)e;
    return pv_dns_rhs_begin(s, &now);
}

static pv_status products(pv_dns_state *s, pv_dns_forcing_state *f, pv_dns_evaluation *e)
{
    (void)f, (void)e;
    return pv_dns_products_run(s);
}

static pv_status evaluation(pv_dns_state *s, pv_dns_forcing_state *f, pv_dns_evaluation *e)
{
    const pv_dns_now now = pv_dns_now_of(s);
    (void)f;
    PV_TRY(pv_dns_rhs_begin(s, &now));
    return pv_dns_rhs_velocity(s, &now, &e->term);
}

static pv_status step(pv_dns_state *s, pv_dns_forcing_state *f, pv_dns_evaluation *e)
{
    return pv_dns_step_take(s, f, e);
}

// Median seconds of the slowest rank.
static pv_status time_part(pv_dns_state *s, pv_dns_forcing_state *f, part run, int count, double *seconds_p)
{
    static double seconds[MOST_STEPS];
    pv_dns_evaluation e = {0};
    for (int i = -2; i < count; i++) {
        PV_TRY(pv_stream_wait(s->stream));
        PV_TRY(pv_comm_barrier(s->comm));
        double taken = pv_clock_s();
        PV_TRY(run(s, f, &e));
        PV_TRY(pv_stream_wait(s->stream));
        taken = pv_clock_s() - taken;
        PV_TRY(pv_comm_reduce_f64(s->comm, PV_MAX, 1, &taken));
        if (i >= 0) seconds[i] = taken;
    }
    qsort(seconds, (size_t)count, sizeof *seconds, by_value);
    *seconds_p = seconds[count / 2];
    return PV_OK;
}

// Steps one after another, as a run takes them: the host does not wait more than it must.
static pv_status time_run(pv_dns_state *s, pv_dns_forcing_state *f, int count, double *seconds_p)
{
    pv_dns_evaluation e = {0};
    PV_TRY(pv_stream_wait(s->stream));
    PV_TRY(pv_comm_barrier(s->comm));
    double taken = pv_clock_s();
    for (int i = 0; i < count; i++) PV_TRY(pv_dns_step_take(s, f, &e));
    PV_TRY(pv_stream_wait(s->stream));
    taken = (pv_clock_s() - taken) / count;
    *seconds_p = taken;
    return pv_comm_reduce_f64(s->comm, PV_MAX, 1, seconds_p);
}

static pv_status measure(pv_comm *comm, const setup *c)
{
    pv_dns_state *s = NULL;
    pv_dns_forcing_state forcing = {0};
    const pv_dns_params *p = &c->params;
    double of_run = 0.0, of_step = 0.0, of_velocity = 0.0, of_products = 0.0, of_evaluation = 0.0;
    PV_TRY(pv_dns_state_create(comm, p, &s));
    pv_status status = pv_dns_flow_set(s);
    if (status == PV_OK) status = pv_dns_forcing_create(s, &forcing);
    if (status == PV_OK) status = time_part(s, &forcing, step, c->steps, &of_step);
    if (status == PV_OK) status = time_run(s, &forcing, c->steps, &of_run);
    if (status == PV_OK) status = time_part(s, &forcing, velocity, c->steps, &of_velocity);
    if (status == PV_OK) status = time_part(s, &forcing, evaluation, c->steps, &of_evaluation);
    if (status == PV_OK) status = time_part(s, &forcing, products, c->steps, &of_products);
    const dns_term term = {.modes = s->modes, .form = -1};
    double sums[DNS_SUMS] = {0.0};
    if (status == PV_OK) status = pv_dns_sum_modes(s, &term, pv_dns_field(s, DNS_VELOCITY), sums);
    const pv_dns_memory m = pv_dns_memory_of(s);
    pv_dns_rates rates = pv_dns_rates_h200(PV_FP64);
    rates.memory_bytes_per_s = 4.0e12;
    const int ranks = pv_comm_size(comm);
    const pv_dns_forecast f = pv_dns_forecast_of(p, ranks, &rates, 1.5);
    const double points = (double)p->grid[0] * (double)p->grid[1] * (double)p->grid[2], mine = points / ranks;
    if (status == PV_OK && pv_comm_rank(comm) == 0)
        printf(
            "{\"bench\": \"dns\", \"grid\": \"%lldx%lldx%lld\", \"precision\": \"%s\", \"transforms\": %d, \"scheme\": "
            "\"ab2\", \"with\": \"%s\", \"ranks\": %d, \"device\": \"%s\", \"transport\": \"%s\", \"ms_a_step\": %.3f, "
            "\"ms_alone\": %.3f, "
            "\"ns_a_point\": %.4f, \"bytes_a_point\": %.1f, \"plan_bytes_a_point\": %.1f, \"volumes\": %.1f, "
            "\"of_limit\": %.3f, \"ms_velocity\": %.3f, \"ms_products\": %.3f, \"ms_others\": %.3f, \"ms_update\": "
            "%.3f, "
            "\"steps\": %lld, \"energy\": %.15g, \"enstrophy\": %.15g, "
            "\"commit\": \"%s\"}\n",
            (long long)p->grid[0], (long long)p->grid[1], (long long)p->grid[2],
            p->precision == PV_FP64 ? "fp64" : "fp32", p->form == PV_FORM_VORTICITY ? 9 : 8, c->with, ranks, c->device,
            pv_comm_transport(comm), 1e3 * of_run, 1e3 * of_step, 1e9 * of_run * ranks / points,
            (double)(m.modes + m.work) / mine, (double)m.plan / mine, f.volumes, f.compute_s / of_run,
            1e3 * of_velocity, 1e3 * of_products, 1e3 * (of_evaluation - of_velocity - of_products),
            1e3 * (of_step - of_evaluation), (long long)s->step, sums[0], sums[1], c->commit);
    fflush(stdout);
    pv_dns_forcing_destroy(&forcing);
    pv_dns_state_destroy(s);
    return status;
}

static int take_line(const char *line, setup *c)
{
    char text[128];
    const size_t at = strlen(c->with);
    if (snprintf(text, sizeof text, "%s", line) >= (int)sizeof text || at + strlen(line) + 3 > sizeof c->with) return 0;
    snprintf(c->with + at, sizeof c->with - at, "%s%s", at > 0 ? ", " : "", line);
    if (pv_dns_case_parse("--with", text, &c->params) == PV_OK) return 1;
    fprintf(stderr, "bench_dns: %s\n", pv_last_error());
    return 0;
}

static int read_arguments(int argc, char **argv, setup *c)
{
    *c = (setup){
        .params = pv_dns_params_defaults(), .device = "cpu", .transport = "auto", .commit = "unknown", .steps = 20};
    c->params.dt = 1e-3;
    c->params.time_end = 1e9;
    c->params.viscosity = 1.0 / 1600.0;
    for (int i = 1; i + 1 < argc; i += 2) {
        const char *value = argv[i + 1];
        if (strcmp(argv[i], "--grid") == 0)
            for (int d = 0; d < 3; d++) c->params.grid[d] = atoll(value);
        else if (strcmp(argv[i], "--precision") == 0)
            c->params.precision = strcmp(value, "fp32") == 0 ? PV_FP32 : PV_FP64;
        else if (strcmp(argv[i], "--form") == 0)
            c->params.form = atoi(value) == 8 ? PV_FORM_DIVERGENCE : PV_FORM_VORTICITY;
        else if (strcmp(argv[i], "--steps") == 0)
            c->steps = atoi(value) < MOST_STEPS ? atoi(value) : MOST_STEPS;
        else if (strcmp(argv[i], "--cfl") == 0)
            c->params.cfl = atof(value);
        else if (strcmp(argv[i], "--device") == 0)
            c->device = value;
        else if (strcmp(argv[i], "--transport") == 0)
            c->transport = value;
        else if (strcmp(argv[i], "--commit") == 0)
            c->commit = value;
        else if (strcmp(argv[i], "--with") == 0 && !take_line(value, c))
            return 0;
        else if (strcmp(argv[i], "--with") == 0)
            continue;
        else
            return 0;
    }
    return c->steps > 0;
}

int main(int argc, char **argv)
{
    setup c;
    pv_device *device = NULL;
    pv_comm *comm = NULL;
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS) return 1;
    if (!read_arguments(argc, argv, &c)) {
        fprintf(stderr, "bench_dns: --grid, --precision, --form, --steps, --cfl, --with, --device, --transport and "
                        "--commit, each with a value\n");
        return 2;
    }
    pv_comm_options options = pv_comm_options_defaults();
    options.transport = c.transport;
    // Ranks take GPUs in turn.
    char name[32];
    int rank = 0, gpus = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s", c.device);
    if (strcmp(c.device, "cuda") == 0 && pv_device_count("cuda", &gpus) == PV_OK)
        snprintf(name, sizeof name, "cuda:%d", rank % gpus);
    pv_status status = pv_device_open(name, &device);
    if (status == PV_OK) status = pv_comm_open_mpi(MPI_COMM_WORLD, device, &options, &comm);
    if (status == PV_OK) status = measure(comm, &c);
    if (status != PV_OK) fprintf(stderr, "bench_dns: %s\n", pv_last_error());
    pv_comm_close(comm);
    pv_device_close(device);
    MPI_Finalize();
    return status == PV_OK ? 0 : 1;
}
