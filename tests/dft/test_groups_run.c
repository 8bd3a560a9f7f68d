// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3 4 7
// Whole calculations with the ranks in groups, and some of a group sharing each band: nothing depends on how many.
#include <parseval/dft.h>

#include <math.h>

#include "case.h"
#include "dft/model/kpoint_groups.h"

#define COMMON "EDIFF = 1E-10\nISMEAR = 0\nNELM = 60\nLCHARG = F\n"

typedef struct calculation {
    const char *poscar, *incar, *kpoints;
    int points;
} calculation;

// Real and complex orbitals, states that are partly filled.
static const calculation silicon = {
    "silicon\n1.0\n0.0 2.7 2.7\n2.7 0.0 2.7\n2.7 2.7 0.0\nSi\n2\nDirect\n0 0 0\n0.27 0.24 0.25\n",
    COMMON "ENCUT = 140\nNBANDS = 7\nSIGMA = 0.8\n",
    "list\n4\nReciprocal\n0 0 0 1\n0.3 0.1 0 2\n0.2 0.4 0.1 2\n0 0.5 0.25 1\n", 4};
// Spin, one of them empty, and two k-points only.
static const calculation hydrogen = {
    "hydrogen\n1.0\n3.0 0 0\n0.1 3.1 0\n0 0.2 3.2\nH\n1\nDirect\n0 0 0\n",
    COMMON "ENCUT = 200\nNBANDS = 4\nSIGMA = 0.3\nISPIN = 2\nMAGMOM = 1\n",
    "list\n2\nReciprocal\n0 0 0 1\n0.3 0.1 0.2 2\n", 2};

// Exact exchange, which has whole bands whatever the Hamiltonian has.
static const calculation hybrid = {
    "silicon\n1.0\n0.0 2.7 2.7\n2.7 0.0 2.7\n2.7 2.7 0.0\nSi\n2\nDirect\n0 0 0\n0.27 0.24 0.25\n",
    COMMON "ENCUT = 100\nNBANDS = 7\nSIGMA = 0.1\nLHFCALC = T; HFSCREEN = 0.2\nPRECFOCK = Fast\n",
    "list\n2\nReciprocal\n0 0 0 1\n0.3 0.1 0 2\n", 2};

typedef struct outcome {
    pv_dft_energies energies;
    double fermi, forces[2][3], stress[3][3];
    int states;
    double eigenvalues[64], filling[64];
} outcome;

static outcome solve(pv_comm *comm, const char *folder, const char *wanted)
{
    pv_dft_options options = pv_dft_options_defaults();
    options.directory = folder;
    pv_dft *dft;
    pv_test_mute(1);
    assert_ok(pv_dft_create(comm, &options, &dft));
    pv_test_mute(0);
    if (wanted) assert_non_null(strstr(pv_dft_plan_text(dft), wanted));
    assert_ok(pv_dft_solve(dft));
    pv_dft_summary s;
    pv_dft_summarise(dft, &s);
    assert_true(s.converged);
    outcome o = {.energies = s.energies, .fermi = s.fermi_ha, .states = s.spins * s.kpoints * s.bands};
    memcpy(o.forces, s.forces_ha_bohr, (size_t)s.atoms * sizeof *o.forces);
    if (s.stress_ha_bohr3) memcpy(o.stress, s.stress_ha_bohr3, sizeof o.stress);
    assert_in_range(o.states, 1, 64);
    memcpy(o.eigenvalues, s.eigenvalues_ha, (size_t)o.states * sizeof *o.eigenvalues);
    memcpy(o.filling, s.filling, (size_t)o.states * sizeof *o.filling);
    pv_dft_destroy(dft);
    return o;
}

static void assert_same(const outcome *a, const outcome *b)
{
    const double *p = (const double *)&a->energies, *q = (const double *)&b->energies;
    assert_near(a->energies.free_ha, b->energies.free_ha, 1e-9);
    // Parts change in first order with the density, their sum in second.
    for (size_t i = 0; i < sizeof a->energies / sizeof *p; i++) assert_near(p[i], q[i], 1e-7);
    assert_near(a->fermi, b->fermi, 1e-7);
    for (int i = 0; i < 6; i++) assert_near(a->forces[i / 3][i % 3], b->forces[i / 3][i % 3], 1e-9);
    for (int i = 0; i < 9; i++) assert_near(a->stress[i / 3][i % 3], b->stress[i / 3][i % 3], 1e-9);
    assert_int_equal(a->states, b->states);
    for (int i = 0; i < a->states; i++) assert_near(a->filling[i], b->filling[i], 1e-6);
}

// A folder with KPAR as the text says, without it for "".
static outcome solve_with(const fixture *f, pv_comm *comm, const calculation *c, const char *kpar, const char *wanted)
{
    char folder[64], incar[512];
    snprintf(incar, sizeof incar, "%s%s\n", c->incar, kpar);
    make_case(f, c->poscar, incar, c->kpoints, folder);
    const outcome o = solve(comm, folder, wanted);
    remove_case(f, folder);
    return o;
}

static void groups_do_not_matter(const calculation *c)
{
    fixture f = fixture_open();
    pv_comm *alone;
    assert_ok(pv_comm_split(f.comm, pv_test_rank(), 0, &alone));
    const outcome expected = solve_with(&f, alone, c, "", "1 of 1 rank");
    pv_comm_close(alone);
    static const char *const kpar[] = {"", "KPAR = 1", "KPAR = 2", "KPAR = 3"};
    for (int i = 0; i < 4; i++) {
        if (i > 1 && pv_kpoint_groups_nearest(pv_test_size(), c->points, i) < i) continue; // has been seen
        const outcome found = solve_with(&f, f.comm, c, kpar[i], NULL);
        assert_same(&found, &expected);
    }
    fixture_close(&f);
}

static void real_and_complex_orbitals(void **state)
{
    (void)state;
    groups_do_not_matter(&silicon);
}

static void spins(void **state)
{
    (void)state;
    groups_do_not_matter(&hydrogen);
}

// NCORE, or as many bands at a time, is taken as given.
static void shared_bands_do_not_matter(const calculation *c)
{
    fixture f = fixture_open();
    pv_comm *alone;
    assert_ok(pv_comm_split(f.comm, pv_test_rank(), 0, &alone));
    const outcome expected = solve_with(&f, alone, c, "", NULL);
    pv_comm_close(alone);
    for (int each = 1; each <= pv_test_size(); each++) {
        char tags[64], wanted[64];
        const int teams = pv_test_size() / each;
        if (pv_test_size() % each != 0) continue;
        if (each == 2) snprintf(tags, sizeof tags, "KPAR = 1; NPAR = %d", teams);
        else snprintf(tags, sizeof tags, "KPAR = 1; NCORE = %d", each);
        snprintf(wanted, sizeof wanted, "(NCORE = %d, NPAR = %d), as given\n", each, teams);
        const outcome found = solve_with(&f, f.comm, c, tags, wanted);
        assert_same(&found, &expected);
    }
    fixture_close(&f);
}

static void shared_bands(void **state)
{
    (void)state;
    shared_bands_do_not_matter(&silicon);
}

static void shared_bands_with_spin(void **state)
{
    (void)state;
    shared_bands_do_not_matter(&hydrogen);
}

static void shared_bands_and_exact_exchange(void **state)
{
    (void)state;
    shared_bands_do_not_matter(&hybrid);
}

// Where ranks would wait for transforms they share them, and the plan says why.
static void ranks_without_bands_share(void **state)
{
    (void)state;
    fixture f = fixture_open();
    char folder[64], wanted[160];
    const int size = pv_test_size();
    make_case(&f, "hydrogen\n10.0\n1 0 0\n0 1 0\n0 0 1\nH\n2\nDirect\n0 0 0\n0 0 0.074\n",
              COMMON "ENCUT = 150\nNBANDS = 2\nSIGMA = 0.3\n", "mesh\n0\nGamma\n1 1 1\n0 0 0\n", folder);
    snprintf(wanted, sizeof wanted,
             "bands       1 at a time, each by %d ranks (NCORE = %d, NPAR = 1), chosen: a group has %d ranks for "
             "transforms of 1 pair of bands\n", size, size, size);
    pv_dft_options options = pv_dft_options_defaults();
    options.directory = folder;
    pv_dft *dft;
    assert_ok(pv_dft_create(f.comm, &options, &dft));
    assert_int_equal(strstr(pv_dft_plan_text(dft), wanted) != NULL, size > 1);
    assert_int_equal(strstr(pv_dft_plan_text(dft), "bands    ") != NULL, size > 1);
    pv_dft_destroy(dft);
    remove_case(&f, folder);
    fixture_close(&f);
}

// The plan says what became of it, and the run goes on.
static void nonsense_is_put_right(void **state)
{
    (void)state;
    fixture f = fixture_open();
    static const struct {
        const char *kpar;
        int asked, ncore; // groups; ranks of a band, 0: not said
    } cases[] = {{"KPAR = 0", 1, 0},
                 {"KPAR = -5", 1, 0},
                 {"KPAR = 1000", 1000, 0},
                 {"KPAR = 5; NCORE = 17; NPAR = -1; NSIM = 0", 5, 1000},
                 {"KPAR = 1; NCORE = 2", 1, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char folder[64], incar[512], wanted[64], bands[64] = "bands     ";
        snprintf(incar, sizeof incar, "%s%s\n", hydrogen.incar, cases[i].kpar);
        make_case(&f, hydrogen.poscar, incar, hydrogen.kpoints, folder);
        const int size = pv_test_size(), count = cases[i].asked > 1 && size % 2 == 0 ? 2 : 1;
        const int group = size / count, ncore = cases[i].ncore > group ? group : cases[i].ncore;
        const int shared = ncore > 0 && group % ncore == 0 ? ncore : 1;
        snprintf(wanted, sizeof wanted, "groups      %d of %d rank", count, group);
        if (ncore > 0)
            snprintf(bands, sizeof bands, "bands       %d at a time, each by %d rank", group / shared, shared);
        pv_dft_options options = pv_dft_options_defaults();
        options.directory = folder;
        pv_dft *dft;
        pv_test_mute(1);
        assert_ok(pv_dft_create(f.comm, &options, &dft));
        pv_test_mute(0);
        assert_non_null(strstr(pv_dft_plan_text(dft), wanted));
        if (ncore > 0) assert_non_null(strstr(pv_dft_plan_text(dft), bands));
        pv_dft_destroy(dft);
        remove_case(&f, folder);
    }
    fixture_close(&f);
}

PV_TEST_MAIN(PV_TEST(real_and_complex_orbitals), PV_TEST(spins), PV_TEST(shared_bands),
             PV_TEST(shared_bands_with_spin), PV_TEST(shared_bands_and_exact_exchange),
             PV_TEST(ranks_without_bands_share), PV_TEST(nonsense_is_put_right))
