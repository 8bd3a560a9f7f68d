// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3
// Builds of exact exchange in both forms, slices and boxes, from the same random orbitals: every way through them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "case.h"
#include "dft/solve/electrons.h"
#include "dft/terms/fock_parts.h"
#include "dft/terms/fock_room.h"
#include "dft/terms/fock_probe.h"

#define COMMON "ENCUT = 120\nISMEAR = 0; SIGMA = 0.02\nLHFCALC = T; HFSCREEN = 0.2\nPRECFOCK = Single\n"

typedef struct job {
    char folder[64];
    pv_system *system;
    pv_electrons *electrons;
    pv_band_split **split;
    double *filling;
    unsigned char *rests;
} job;

static job open_job(const fixture *f, const char *poscar, const char *incar, const char *kpoints)
{
    job j = {.system = NULL};
    make_case(f, poscar, incar, kpoints, j.folder);
    assert_ok(pv_system_create(f->comm, j.folder, NULL, "auto", &j.system));
    assert_ok(pv_electrons_create(j.system, &j.electrons));
    const int states = j.electrons->states, points = j.system->kpoints->count, bands = j.system->params.bands;
    j.split = calloc((size_t)points, sizeof *j.split);
    j.rests = calloc((size_t)points, sizeof *j.rests);
    j.filling = calloc((size_t)(states * bands), sizeof *j.filling);
    for (int k = 0; k < points; k++) j.split[k] = j.electrons->hamiltonian[k].split;
    // Full, partly full, negative and empty bands.
    static const double shares[] = {1.0, 1.0, 0.75, 1.0, 0.25, -0.01, 0.0, 0.0};
    for (int i = 0; i < states * bands; i++)
        j.filling[i] = (j.system->params.spins == 2 ? 1.0 : 2.0) * shares[i % bands < 8 ? i % bands : 7];
    return j;
}

static void close_job(const fixture *f, job *j)
{
    pv_electrons_destroy(j->electrons);
    pv_system_destroy(j->system);
    remove_case(f, j->folder);
    free(j->split), free(j->filling), free(j->rests);
}

static int64_t length_of(const job *j, int state)
{
    const pv_basis *basis = j->system->basis[state % j->system->kpoints->count];
    return pv_electrons_owns(j->electrons, state) ? j->system->params.bands * basis->local : 0;
}

typedef struct built {
    double _Complex **out;
    double energy_ha;
    pv_fock_effort effort;
} built;

// Of the lowest bands alone.
static built build_lowest(const job *j, int64_t bands, const pv_fock_ops *form, pv_precision precision,
                          size_t room_bytes)
{
    built b = {.out = calloc((size_t)j->electrons->states, sizeof *b.out)};
    pv_fock *fock;
    for (int s = 0; s < j->electrons->states; s++)
        if (pv_electrons_owns(j->electrons, s)) b.out[s] = calloc((size_t)length_of(j, s), sizeof **b.out);
    assert_ok(pv_fock_create_as(form, j->system, &fock));
    pv_fock_set_precision(fock, precision);
    pv_fock_set_bands(fock, bands);
    fock->room_bytes = room_bytes;
    for (int again = 0; again < 2; again++)
        assert_ok(pv_fock_build(fock, j->split, j->electrons->orbitals, j->filling, j->rests, NULL, NULL, b.out,
                                &b.energy_ha));
    b.effort = pv_fock_effort_of(fock);
    pv_fock_destroy(fock);
    return b;
}

static built build(const job *j, const pv_fock_ops *form, pv_precision precision, size_t room_bytes)
{
    return build_lowest(j, j->system->params.bands, form, precision, room_bytes);
}

static void drop(const job *j, built *b)
{
    for (int s = 0; s < j->electrons->states; s++) free(b->out[s]);
    free(b->out);
}

// Largest difference over the largest value, of the lowest bands. Where the operator is not wanted there is anything.
static double difference_of_lowest(const job *j, int64_t bands, const built *a, const built *b)
{
    double most = 0.0, largest = 0.0;
    for (int s = 0; s < j->electrons->states; s++)
        for (int64_t i = 0;
             !j->rests[s % j->system->kpoints->count] && i < length_of(j, s) / j->system->params.bands * bands; i++) {
            largest = fmax(largest, cabs(a->out[s][i]));
            if (!(cabs(a->out[s][i] - b->out[s][i]) <= most)) most = cabs(a->out[s][i] - b->out[s][i]); // NaN too
        }
    return largest > 0.0 ? most / largest : most;
}

static double difference(const job *j, const built *a, const built *b)
{
    return difference_of_lowest(j, j->system->params.bands, a, b);
}

// Empty bands have no part in what others do and become.
static void leave_out_empty_bands(const job *j, const pv_fock_ops *form, const built *all)
{
    pv_fock *fock;
    assert_ok(pv_fock_create_as(form, j->system, &fock));
    const int64_t felt = pv_fock_felt_bands(fock, j->filling);
    pv_fock_destroy(fock);
    assert_int_equal(felt, 6);
    built lowest = build_lowest(j, felt, form, PV_FP64, 0);
    assert_near(difference_of_lowest(j, felt, all, &lowest), 0.0, 1e-12);
    assert_near(lowest.energy_ha / all->energy_ha, 1.0, 1e-12);
    drop(j, &lowest);
}

// A state's lowest bands, whole on every rank.
static pv_fock_probe probe_of(const job *j, int state, int64_t count)
{
    const pv_basis *basis = j->system->basis[state % j->system->kpoints->count];
    double _Complex *whole = calloc((size_t)(count * basis->count), sizeof *whole);
    for (int64_t b = 0; pv_electrons_owns(j->electrons, state) && b < count; b++)
        memcpy(whole + b * basis->count + basis->lower, j->electrons->orbitals[state] + b * basis->local,
               (size_t)basis->local * sizeof *whole);
    assert_ok(pv_comm_reduce_f64(j->system->comm, PV_SUM, 2 * count * basis->count, (double *)whole));
    return (pv_fock_probe){.state = state, .count = count, .vectors = whole};
}

// Vectors that are looked at have the expectation values of bands that a build acts on.
static void probe(const job *j, const pv_fock_ops *form, const built *all)
{
    enum { VECTORS = 3 };
    const int states = j->electrons->states, kpoints = j->system->kpoints->count;
    pv_fock_probe *probes = calloc((size_t)states, sizeof *probes);
    double *found = calloc((size_t)(VECTORS * states), sizeof *found),
           *expected = calloc((size_t)(VECTORS * states), sizeof *expected);
    pv_fock *fock;
    for (int s = 0; s < states; s++) {
        const int64_t local = j->system->basis[s % kpoints]->local;
        probes[s] = probe_of(j, s, VECTORS);
        for (int64_t i = 0; pv_electrons_owns(j->electrons, s) && i < VECTORS * local; i++)
            expected[VECTORS * s + i / local] += creal(conj(j->electrons->orbitals[s][i]) * all->out[s][i]);
    }
    assert_ok(pv_comm_reduce_f64(j->system->comm, PV_SUM, VECTORS * states, expected));
    assert_ok(pv_fock_create_as(form, j->system, &fock));
    assert_true(pv_fock_probe_work(fock, j->filling) > 0.0);
    assert_ok(pv_fock_probe_run(fock, j->split, j->electrons->orbitals, j->filling, states, probes, found));
    for (int i = 0; i < VECTORS * states; i++)
        if (!j->rests[i / VECTORS % kpoints]) assert_near(found[i], expected[i], 1e-12);
    pv_fock_destroy(fock);
    for (int s = 0; s < states; s++) free((void *)probes[s].vectors);
    free(probes), free(found), free(expected);
}

// Before work: how many bands builds will have as fields at once.
static void tells_its_room(const job *j)
{
    pv_fock *fock;
    char text[160], tiles[160];
    assert_ok(pv_fock_create_as(&pv_fock_in_boxes, j->system, &fock));
    assert_ok(pv_fock_room_describe(fock, text, sizeof text));
    fock->room_bytes = 1;
    assert_ok(pv_fock_room_describe(fock, tiles, sizeof tiles));
    const int ranks = pv_comm_size(j->system->comm);
    assert_non_null(strstr(text, "bands a rank, all of them on the grid at once"));
    if (ranks == 1 && j->electrons->states > 1) assert_null(strstr(tiles, "all of them"));
    assert_true((strstr(text, "come by") != NULL) == (ranks > 1));
    pv_fock_destroy(fock);
}

static void compare(const fixture *f, const char *poscar, const char *incar, const char *kpoints, int all_work)
{
    pv_log_set_level(PV_LOG_ERROR); // of smaller tiles
    job j = open_job(f, poscar, incar, kpoints);
    if (!all_work)
        for (int k = 0; k < j.system->kpoints->count; k++) j.rests[k] = j.electrons->rests[k];
    built slices = build(&j, &pv_fock_slices, PV_FP64, 0);
    static const struct {
        pv_precision precision;
        size_t room_bytes;
        double tolerance;
    } cases[] = {{PV_FP64, 0, 1e-12}, {PV_FP64, 200000, 1e-12}, {PV_FP64, 1, 1e-12}, {PV_FP32, 0, 1e-5}};
    assert_true(fabs(slices.energy_ha) > 1e-3);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        built boxes = build(&j, &pv_fock_in_boxes, cases[c].precision, cases[c].room_bytes);
        assert_near(difference(&j, &slices, &boxes), 0.0, cases[c].tolerance);
        assert_near(boxes.energy_ha / slices.energy_ha, 1.0, cases[c].tolerance);
        assert_int_equal(boxes.effort.pairs, slices.effort.pairs);
        drop(&j, &boxes);
    }
    tells_its_room(&j);
    probe(&j, &pv_fock_slices, &slices);
    probe(&j, &pv_fock_in_boxes, &slices);
    leave_out_empty_bands(&j, &pv_fock_slices, &slices);
    leave_out_empty_bands(&j, &pv_fock_in_boxes, &slices);
    drop(&j, &slices);
    close_job(f, &j);
}

static const char gamma_only[] = "mesh\n0\nGamma\n1 1 1\n0 0 0\n", halves[] = "mesh\n0\nGamma\n2 2 1\n0 0 0\n";
static const char general[] = "mesh\n0\nMonkhorst\n3 1 1\n0 0 0\n", thirds[] = "mesh\n0\nGamma\n3 2 1\n0 0 0\n";
static const char weightless[] = "list\n3\nReciprocal\n0 0 0 1\n0.5 0 0 1\n0.25 0.125 0 0\n";
static const char real_weightless[] = "list\n3\nReciprocal\n0 0 0 1\n0.5 0 0 1\n0 0.5 0 0\n";

static void real_orbitals(void **state)
{
    (void)state;
    fixture f = fixture_open();
    compare(&f, SILICON("0.27 0.24 0.25"), COMMON "NBANDS = 7\n", gamma_only, 1);
    compare(&f, SILICON("0.27 0.24 0.25"), COMMON "NBANDS = 8\nISYM = 0\n", halves, 1);
    compare(&f, SILICON("0.25 0.25 0.25"), COMMON "NBANDS = 7\n", halves, 1);
    fixture_close(&f);
}

static void complex_orbitals(void **state)
{
    (void)state;
    fixture f = fixture_open();
    compare(&f, SILICON("0.27 0.24 0.25"), COMMON "NBANDS = 7\n", general, 1);
    compare(&f, SILICON("0.28 0.24 0.24"), COMMON "NBANDS = 6\n", thirds, 1);
    fixture_close(&f);
}

static void spins(void **state)
{
    (void)state;
    fixture f = fixture_open();
    compare(&f, SILICON("0.27 0.24 0.25"), COMMON "NBANDS = 7\nISPIN = 2\nMAGMOM = 2*1\n", gamma_only, 1);
    compare(&f, SILICON("0.27 0.24 0.25"), COMMON "NBANDS = 6\nISPIN = 2\nMAGMOM = 2*1\n", thirds, 1);
    fixture_close(&f);
}

static void points_of_no_weight(void **state)
{
    (void)state;
    fixture f = fixture_open();
    for (int all = 0; all < 2; all++) {
        compare(&f, SILICON("0.27 0.24 0.25"), COMMON "NBANDS = 7\n", weightless, all);
        compare(&f, SILICON("0.27 0.24 0.25"), COMMON "NBANDS = 7\n", real_weightless, all);
    }
    fixture_close(&f);
}

// The last rank has heard enough after a few calls: the build is given up on all, and the next one is whole.
static int give_up(void *context, double done)
{
    int *calls = context;
    assert_true(done >= 0.0 && done <= 1.0);
    return ++*calls > 3 && pv_test_rank() == pv_test_size() - 1;
}

// What is told grows, to the whole where one rank does all.
static int note_done(void *context, double done)
{
    double *before = context;
    assert_true(done >= *before && done <= 1.0);
    *before = done;
    return 0;
}

static void a_build_is_given_up(void **state)
{
    (void)state;
    static const pv_fock_ops *const forms[] = {&pv_fock_slices, &pv_fock_in_boxes};
    fixture f = fixture_open();
    job j = open_job(&f, SILICON("0.27 0.24 0.25"), COMMON "NBANDS = 8\nISYM = 0\n", halves);
    for (int i = 0; i < 2; i++) {
        built whole = build(&j, forms[i], PV_FP64, 0);
        pv_fock *fock;
        int calls = 0;
        double energy_ha, done = 0.0;
        assert_ok(pv_fock_create_as(forms[i], j.system, &fock));
        assert_int_equal(pv_fock_build(fock, j.split, j.electrons->orbitals, j.filling, j.rests, give_up, &calls,
                                       whole.out, &energy_ha),
                         PV_ERR_STOPPED);
        assert_ok(pv_fock_build(fock, j.split, j.electrons->orbitals, j.filling, j.rests, note_done, &done, whole.out,
                                &energy_ha));
        assert_near(energy_ha / whole.energy_ha, 1.0, 1e-12);
        if (pv_test_size() == 1) assert_near(done, 1.0, 1e-9);
        pv_fock_destroy(fock);
        drop(&j, &whole);
    }
    close_job(&f, &j);
    fixture_close(&f);
}

PV_TEST_MAIN(PV_TEST(a_build_is_given_up), PV_TEST(real_orbitals), PV_TEST(complex_orbitals), PV_TEST(spins),
             PV_TEST(points_of_no_weight))
