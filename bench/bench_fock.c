// SPDX-License-Identifier: Apache-2.0
// Builds of exact exchange for the files of a folder, from orbitals of random numbers: one record of the fastest build.
// Speed is in units of 2 x 5 n log2 n operations for the transform of a product there and back, whatever is left out of
// it; real orbitals send two products through one. Pairs are products.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <mpi.h>
#include <parseval/comm_mpi.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "bench_options.h"
#include "device/array.h"
#include "dft/solve/electrons.h"
#include "dft/terms/fock.h"

enum { MOST_BUILDS = 1000 };

typedef struct settings {
    const char *device, *directory, *pseudo, *engine, *precision, *transport, *commit, *machine;
    int64_t builds;
} settings;

typedef struct job {
    pv_system *system;
    pv_electrons *electrons;
    pv_fock *fock;
    pv_band_split **split;
    double _Complex **out;
    double *filling;
} job;

static pv_status open_job(pv_comm *comm, pv_comm *orbital_comm, const settings *s, job *job)
{
    PV_TRY(pv_system_create_on(comm, orbital_comm, s->directory, s->pseudo, s->engine, &job->system));
    const int single = strcmp(s->precision, "fp32") == 0;
    PV_REQUIRE(single || strcmp(s->precision, "fp64") == 0, PV_ERR_INPUT, "--precision %s; fp64 and fp32 are accepted",
               s->precision);
    job->system->params.fock.single |= single;
    PV_TRY(pv_electrons_create(job->system, &job->electrons));
    PV_TRY(pv_fock_create(job->system, &job->fock));
    pv_fock_set_precision(job->fock, single ? PV_FP32 : PV_FP64);
    const pv_system *system = job->system;
    const int kpoints = system->kpoints->count, states = job->electrons->states, bands = system->params.bands;
    const double full = system->params.spins == 2 ? 1.0 : 2.0;
    PV_TRY(PV_ALLOC(kpoints, &job->split));
    PV_TRY(PV_ALLOC(states, &job->out));
    PV_TRY(PV_ALLOC(states * bands, &job->filling));
    for (int k = 0; k < kpoints; k++) job->split[k] = job->electrons->hamiltonian[k].split;
    for (int s = 0; s < states; s++) {
        if (pv_electrons_owns(job->electrons, s))
            PV_TRY(PV_ARRAY(system->device, "results", bands * system->basis[s % kpoints]->local, &job->out[s]));
        for (int b = 0; b < bands; b++) job->filling[s * bands + b] = 2 * b < system->params.electrons ? full : 0.0;
    }
    return PV_OK;
}

static void close_job(job *job)
{
    pv_fock_destroy(job->fock);
    for (int s = 0; job->out && s < job->electrons->states; s++)
        pv_array_destroy(job->system->device, job->out[s]);
    pv_mem_free(job->out);
    pv_mem_free(job->split);
    pv_mem_free(job->filling);
    pv_electrons_destroy(job->electrons);
    pv_system_destroy(job->system);
}

// effort: pairs and transforms of all ranks.
static void print_record(pv_comm *comm, const settings *s, const job *job, const double effort[2], double seconds,
                         double energy_ha)
{
    const int64_t *grid = pv_fock_grid(job->fock);
    const double points = (double)(grid[0] * grid[1] * grid[2]);
    pv_json *json = pv_json_create(0);
    pv_json_object(json, NULL);
    pv_json_text_value(json, "case", s->directory);
    pv_json_integer(json, "ranks", pv_comm_size(comm));
    pv_json_text_value(json, "device", s->device);
    pv_json_text_value(json, "precision", s->precision);
    pv_json_list(json, "grid");
    for (int d = 0; d < 3; d++) pv_json_integer(json, NULL, grid[d]);
    pv_json_end(json);
    pv_json_number(json, "build_s", seconds);
    pv_json_integer(json, "pairs", (int64_t)effort[0]);
    pv_json_integer(json, "transforms", (int64_t)effort[1]);
    pv_json_number(json, "pairs_per_s", effort[0] / seconds);
    pv_json_number(json, "gflops", 10e-9 * points * log2(points) * effort[1] / seconds);
    pv_json_text_value(json, "transport", pv_comm_transport(job->system->all_orbital_comm));
    pv_json_number(json, "way_s", pv_fock_effort_of(job->fock).way_s);
    pv_json_number(json, "waited_s", pv_fock_effort_of(job->fock).waited_s);
    pv_json_number(json, "energy_ha", energy_ha);
    pv_json_integer(json, "peak_bytes", (int64_t)pv_mem_peak_bytes());
    pv_json_text_value(json, "machine", s->machine);
    pv_json_text_value(json, "commit", s->commit);
    bench_record_print(json);
}

static pv_status run(pv_comm *comm, pv_comm *orbital_comm, const settings *s)
{
    job job = {.system = NULL};
    double best_s = 1e30, energy_ha = 0.0;
    pv_status status = open_job(comm, orbital_comm, s, &job);
    for (int64_t i = 0; status == PV_OK && i < s->builds; i++) {
        status = pv_comm_barrier(comm);
        const double start_s = pv_clock_s();
        if (status == PV_OK)
            status = pv_fock_build(job.fock, job.split, job.electrons->orbitals, job.filling, job.electrons->rests,
                                   NULL, NULL, job.out, &energy_ha);
        double taken_s = pv_clock_s() - start_s;
        if (status == PV_OK) status = pv_comm_reduce_f64(comm, PV_MAX, 1, &taken_s);
        best_s = fmin(best_s, taken_s);
    }
    if (status == PV_OK) {
        const pv_fock_effort own = pv_fock_effort_of(job.fock);
        double effort[2] = {(double)own.pairs, (double)own.transforms};
        status = pv_comm_reduce_f64(comm, PV_SUM, 2, effort);
        if (status == PV_OK && pv_comm_rank(comm) == 0) print_record(comm, s, &job, effort, best_s, energy_ha);
    }
    close_job(&job);
    return status;
}

// Ranks take the GPUs in turn.
static pv_status open_device(const char *name, pv_device **device_p)
{
    char numbered[64];
    int count, rank;
    if (strcmp(name, "cuda") != 0) return pv_device_open(name, device_p);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PV_TRY(pv_device_count(name, &count));
    snprintf(numbered, sizeof numbered, "%s:%d", name, count > 0 ? rank % count : 0);
    return pv_device_open(numbered, device_p);
}

static pv_status open_and_run(const settings *s)
{
    pv_device *device = NULL, *host = NULL;
    pv_comm *comm = NULL, *orbital_comm = NULL;
    pv_comm_options options = pv_comm_options_defaults();
    if (s->transport) options.transport = s->transport;
    PV_TRY(open_device(s->device, &device));
    const int apart = !pv_device_is_host(device);
    pv_status status = apart ? pv_device_open("cpu", &host) : PV_OK;
    if (status == PV_OK) status = pv_comm_open_mpi(MPI_COMM_WORLD, device, &options, &orbital_comm);
    if (status == PV_OK && apart) status = pv_comm_open_mpi(MPI_COMM_WORLD, host, NULL, &comm);
    if (status == PV_OK) status = run(apart ? comm : orbital_comm, orbital_comm, s);
    pv_comm_close(comm);
    pv_comm_close(orbital_comm);
    pv_device_close(host);
    pv_device_close(device);
    return status;
}

static pv_status parse(int argc, char **argv, settings *s, int *help_p)
{
    const pv_option options[] = {
        {.name = "directory",
         .type = PV_OPTION_TEXT,
         .value = &s->directory,
         .unit = "FOLDER",
         .help = "Of the input."},
        {.name = "pseudo", .type = PV_OPTION_TEXT, .value = &s->pseudo, .unit = "FOLDER", .help = "Of the potentials."},
        {.name = "device", .type = PV_OPTION_TEXT, .value = &s->device, .unit = "NAME", .help = "What computes."},
        {.name = "engine", .type = PV_OPTION_TEXT, .value = &s->engine, .unit = "NAME", .help = "Of the lines."},
        {.name = "precision", .type = PV_OPTION_TEXT, .value = &s->precision, .unit = "NAME", .help = "fp64 or fp32."},
        {.name = "transport", .type = PV_OPTION_TEXT, .value = &s->transport, .unit = "NAME", .help = "Between ranks."},
        {.name = "builds",
         .type = PV_OPTION_INT,
         .value = &s->builds,
         .unit = "N",
         .minimum = 1,
         .maximum = MOST_BUILDS,
         .help = "The fastest counts."},
        BENCH_RECORD_OPTIONS(s),
    };
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return bench_options_parse(options, sizeof options / sizeof options[0], rank, argc, argv, help_p);
}

int main(int argc, char **argv)
{
    settings s = {.device = "cpu:1", .directory = ".", .engine = "auto", .precision = "fp64", .builds = 5};
    int help = 0;
    MPI_Init(&argc, &argv);
    pv_status status = parse(argc, argv, &s, &help);
    if (status == PV_OK && !help) status = open_and_run(&s);
    if (status != PV_OK) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
