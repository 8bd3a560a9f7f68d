// SPDX-License-Identifier: Apache-2.0
// The local potential on blocks of bands at Gamma of a cubic box, one record a line: whole bands to each rank, and
// bands that NCORE ranks share, for every NCORE that divides the ranks. Moves between slices and bands count.
#include <math.h>
#include <stdio.h>

#include <mpi.h>
#include <parseval/comm_mpi.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/rng.h"
#include "bench_options.h"
#include "dft/model/band_split.h"
#include "dft/model/grid.h"

enum { REPEATS = 9 };

typedef struct settings {
    const char *device, *commit, *machine;
    double box_bohr, cutoff_ha;
    int64_t bands, rounds;
} settings;

typedef struct problem {
    pv_cell *cell;
    pv_comm *team;
    pv_basis *basis;
    pv_band_split *split;
    int64_t shape[3];
    double *packed;
    double _Complex *in, *out;
} problem;

static pv_status make(pv_comm *comm, const settings *s, int each, problem *p)
{
    static const double gamma[3] = {0.0, 0.0, 0.0};
    const double lattice[3][3] = {{s->box_bohr, 0.0, 0.0}, {0.0, s->box_bohr, 0.0}, {0.0, 0.0, s->box_bohr}};
    const int rank = pv_comm_rank(comm);
    PV_TRY(pv_cell_create(1, 1, 0, &p->cell));
    PV_TRY(pv_cell_set_lattice(p->cell, lattice));
    pv_grid_choose_shape(p->cell, 2.0 * sqrt(2.0 * s->cutoff_ha), NULL, p->shape);
    PV_TRY(pv_comm_split(comm, rank / each, rank, &p->team));
    PV_TRY(pv_basis_create(comm, p->cell, gamma, s->cutoff_ha, NULL, 1, "auto", &p->basis));
    PV_TRY(pv_basis_share_sphere(p->basis, p->team, p->shape, "auto"));
    PV_TRY(pv_band_split_create(p->basis, s->bands, &p->split));
    PV_TRY(PV_ALLOC(pv_sphere_reals_count(p->basis->sphere), &p->packed));
    PV_TRY(PV_ALLOC(s->bands * p->basis->local, &p->in));
    PV_TRY(PV_ALLOC(s->bands * p->basis->local, &p->out));
    for (int64_t i = 0; i < pv_sphere_reals_count(p->basis->sphere); i++)
        p->packed[i] = pv_rng_uniform(1, 0, (uint64_t)i);
    for (int64_t i = 0; i < s->bands * p->basis->local; i++) p->in[i] = pv_rng_uniform(2, 0, (uint64_t)i);
    return PV_OK;
}

static void release(problem *p)
{
    pv_mem_free(p->packed);
    pv_mem_free(p->in);
    pv_mem_free(p->out);
    pv_band_split_destroy(p->split);
    if (p->basis) pv_basis_destroy(p->basis);
    pv_comm_close(p->team);
    pv_cell_destroy(p->cell);
}

// seconds: of moves, and of the potential.
static pv_status apply(const problem *p, int64_t bands, double seconds[2])
{
    const double _Complex *whole;
    int64_t lower, upper;
    const int64_t count = pv_band_split_count(p->split);
    const double start = pv_clock_s();
    PV_TRY(pv_band_split_gather(p->split, bands, p->in, &whole));
    const double gathered = pv_clock_s();
    pv_band_split_range(p->split, bands, &lower, &upper);
    PV_TRY(pv_sphere_multiply(p->basis->sphere, upper - lower, p->packed, whole, count,
                              pv_band_split_room(p->split, p->out), count));
    const double multiplied = pv_clock_s();
    PV_TRY(pv_band_split_scatter(p->split, bands, p->out));
    seconds[0] += gathered - start + pv_clock_s() - multiplied;
    seconds[1] += multiplied - gathered;
    return PV_OK;
}

// Of the slowest rank, in the best of some repetitions.
static pv_status measure(pv_comm *comm, const settings *s, const problem *p, double best[3])
{
    best[2] = INFINITY;
    for (int i = 0; i <= REPEATS; i++) {
        double seconds[3] = {0.0, 0.0, 0.0};
        PV_TRY(pv_comm_barrier(comm));
        const double start = pv_clock_s();
        for (int64_t r = 0; r < s->rounds; r++) PV_TRY(apply(p, s->bands, seconds));
        seconds[2] = pv_clock_s() - start;
        PV_TRY(pv_comm_reduce_f64(comm, PV_MAX, 3, seconds));
        for (int j = 0; i > 0 && seconds[2] < best[2] && j < 3; j++) best[j] = seconds[j]; // the first warms up
    }
    for (int j = 0; j < 3; j++) best[j] /= (double)s->rounds;
    return PV_OK;
}

static void print_record(pv_comm *comm, const settings *s, const problem *p, int each, const double seconds[3])
{
    pv_json *json = pv_json_create(0);
    pv_json_object(json, NULL);
    pv_json_integer(json, "ranks", pv_comm_size(comm));
    pv_json_integer(json, "ncore", each);
    pv_json_integer(json, "bands", s->bands);
    pv_json_integer(json, "grid", p->shape[0]);
    pv_json_integer(json, "plane_waves", p->basis->count);
    pv_json_number(json, "move_s", seconds[0]);
    pv_json_number(json, "transform_s", seconds[1]);
    pv_json_number(json, "all_s", seconds[2]);
    pv_json_text_value(json, "machine", s->machine);
    pv_json_text_value(json, "commit", s->commit);
    pv_json_end(json);
    if (pv_comm_rank(comm) == 0) printf("%s\n", pv_json_text(json));
    fflush(stdout);
    pv_json_destroy(json);
}

static pv_status run(pv_comm *comm, const settings *s)
{
    for (int each = 1; each <= pv_comm_size(comm); each++) {
        if (pv_comm_size(comm) % each != 0) continue;
        problem p = {0};
        double seconds[3];
        pv_status status = make(comm, s, each, &p);
        if (status == PV_OK) status = measure(comm, s, &p, seconds);
        if (status == PV_OK) print_record(comm, s, &p, each, seconds);
        release(&p);
        PV_TRY(status);
    }
    return PV_OK;
}

static pv_status parse(int argc, char **argv, settings *s, int *help_p)
{
    const pv_option options[] = {
        {.name = "device", .type = PV_OPTION_TEXT, .value = &s->device, .unit = "NAME", .help = "cpu, cpu:N."},
        {.name = "box", .type = PV_OPTION_REAL, .value = &s->box_bohr, .unit = "bohr", .help = "Edge of the cell."},
        {.name = "cutoff", .type = PV_OPTION_REAL, .value = &s->cutoff_ha, .unit = "Ha", .help = "Of orbitals."},
        {.name = "bands", .type = PV_OPTION_INT, .value = &s->bands, .unit = "N", .help = "In a block."},
        {.name = "rounds", .type = PV_OPTION_INT, .value = &s->rounds, .unit = "N", .help = "Of each repetition."},
        BENCH_RECORD_OPTIONS(s),
    };
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return bench_options_parse(options, sizeof options / sizeof options[0], rank, argc, argv, help_p);
}

int main(int argc, char **argv)
{
    settings s = {.device = "cpu:1", .box_bohr = 18.9, .cutoff_ha = 18.4, .bands = 2, .rounds = 10};
    int help = 0;
    pv_device *device = NULL;
    pv_comm *comm = NULL;
    MPI_Init(&argc, &argv);
    pv_status status = parse(argc, argv, &s, &help);
    if (status == PV_OK && !help) status = pv_device_open(s.device, &device);
    if (status == PV_OK && !help) status = pv_comm_open_mpi(MPI_COMM_WORLD, device, NULL, &comm);
    if (status == PV_OK && !help) status = run(comm, &s);
    pv_comm_close(comm);
    pv_device_close(device);
    if (status != PV_OK) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
