// SPDX-License-Identifier: Apache-2.0
#include "dft/files/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file_replace.h"
#include "base/json_write.h"
#include "dft/files/run_text.h"
#include "made_up_run.h"

static const struct {
    const char *name;
    pv_status (*write)(const char *path, const pv_run *run);
} formats[] = {{"OSZICAR", pv_oszicar_write}, {"OUTCAR", pv_outcar_write},  {"EIGENVAL", pv_eigenval_write},
               {"DOSCAR", pv_doscar_write},   {"CHGCAR", pv_chgcar_write}, {"vasprun.xml", pv_vasprun_write}};
enum { FORMATS = sizeof formats / sizeof *formats };

static void put_numbers(pv_json *json, const char *key, const double *values, int count)
{
    pv_json_list(json, key);
    for (int i = 0; i < count; i++) pv_json_number(json, NULL, values[i]);
    pv_json_end(json);
}

// What readers should find, flat lists.
static void write_expected(const char *directory, const made_up_run *made)
{
    const int spins = made->results.spins, bands = spins * MADE_KPOINTS * MADE_BANDS;
    double lattice[9], positions[3 * MADE_ATOMS];
    for (int i = 0; i < 9; i++) lattice[i] = made->cell->lattice_bohr[i / 3][i % 3] * PV_BOHR_ANGSTROM;
    for (int a = 0; a < MADE_ATOMS; a++) {
        pv_cell_to_cartesian(made->cell, made->cell->fractional[a], positions + 3 * a);
        for (int c = 0; c < 3; c++) positions[3 * a + c] *= PV_BOHR_ANGSTROM;
    }
    pv_json *json = pv_json_create(1);
    pv_json_object(json, NULL);
    pv_json_integer(json, "spins", spins);
    put_numbers(json, "lattice", lattice, 9);
    put_numbers(json, "positions", positions, 3 * MADE_ATOMS);
    pv_json_number(json, "free", made->results.energy_ha * PV_HARTREE_EV);
    pv_json_number(json, "sigma0", made->results.energy_sigma0_ha * PV_HARTREE_EV);
    pv_json_number(json, "without_entropy", made->results.energy_ha * PV_HARTREE_EV - made->run.smearing_ev);
    pv_json_number(json, "fermi", made->results.fermi_ev);
    pv_json_number(json, "electrons", made->params.electrons);
    pv_json_number(json, "magnetisation", pv_run_magnetisation(&made->run));
    put_numbers(json, "forces", &made->force[0][0], 3 * MADE_ATOMS);
    put_numbers(json, "stress_kbar", &made->stress[0][0], 9);
    put_numbers(json, "kpoints", &made->kpoints->fractional[0][0], 3 * MADE_KPOINTS);
    put_numbers(json, "weights", made->kpoints->weight, MADE_KPOINTS);
    put_numbers(json, "eigenvalues", made->eigenvalue, bands);
    put_numbers(json, "occupations", made->occupation, bands);
    put_numbers(json, "dos_energies", made->dos_energy, MADE_DOS);
    put_numbers(json, "dos", made->dos, spins * MADE_DOS);
    put_numbers(json, "dos_integral", made->dos_integral, spins * MADE_DOS);
    put_numbers(json, "density", made->density, spins * MADE_POINTS);
    pv_json_list(json, "steps");
    for (int i = 0; i < MADE_STEPS; i++) pv_json_number(json, NULL, made->step[i].energy_ev);
    pv_json_end(json);
    pv_json_end(json);
    char path[256];
    snprintf(path, sizeof path, "%s/expected.json", directory);
    assert_ok(pv_file_replace(path, pv_json_text(json)));
    pv_json_destroy(json);
}

static void write_all(const char *directory, const made_up_run *made)
{
    char path[256];
    for (int f = 0; f < FORMATS; f++) {
        snprintf(path, sizeof path, "%s/%s", directory, formats[f].name);
        assert_ok(formats[f].write(path, &made->run));
    }
    snprintf(path, sizeof path, "%s/CONTCAR", directory);
    assert_ok(pv_poscar_write(path, made->cell));
    write_expected(directory, made);
}

static void remove_all(const char *directory)
{
    static const char *const others[] = {"CONTCAR", "expected.json"};
    char path[256];
    for (int f = 0; f < FORMATS + 2; f++) {
        snprintf(path, sizeof path, "%s/%s", directory, f < FORMATS ? formats[f].name : others[f - FORMATS]);
        remove(path);
    }
    assert_int_equal(rmdir(directory), 0); // nothing else was left there
}

// tests/dft/read_back compares every number; it exits with 77 where the readers are not installed.
static void read_back(const char *reader, int spins)
{
    made_up_run made;
    make_up_run(&made, spins);
    char directory[] = "/tmp/parseval-run-XXXXXX", command[256];
    assert_non_null(mkdtemp(directory));
    write_all(directory, &made);
    snprintf(command, sizeof command, "tests/dft/read_back %s %s", reader, directory);
    const int status = system(command);
    remove_all(directory);
    release_run(&made);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) pv_test_skip("%s is not there (scripts/setup)", reader);
    assert_int_equal(status, 0);
}

static void ase_reads_what_is_written(void **state)
{
    (void)state;
    read_back("ase", 1);
}

static void ase_reads_two_spins(void **state)
{
    (void)state;
    read_back("ase", 2);
}

static void pymatgen_reads_what_is_written(void **state)
{
    (void)state;
    read_back("pymatgen", 1);
}

static void pymatgen_reads_two_spins(void **state)
{
    (void)state;
    read_back("pymatgen", 2);
}

// *text_p belongs to the caller (free).
static void load(const char *path, char **text_p)
{
    enum { ROOM = 1 << 17 };
    *text_p = calloc(1, ROOM);
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    fread(*text_p, 1, ROOM - 1, in);
    fclose(in);
}

static void assert_file_holds(const char *path, const char *expected)
{
    char *found;
    load(path, &found);
    assert_string_equal(found, expected);
    free(found);
}

static void texts_of_outcar(void **state)
{
    (void)state;
    made_up_run made;
    make_up_run(&made, 1);
    made.results.converged = 0;
    made.results.stress_kbar = NULL;
    char path[] = "/tmp/parseval-outcar-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_ok(pv_outcar_write(path, &made.run));
    char *text;
    load(path, &text);
    remove(path);
    static const char *const parts[] = {
        "        LOOP:  cpu time     2.5000: real time     1.5000",
        "       LOOP+:  cpu time    10.8603: real time     7.7500",
        "               Initialization (sec):        0.500\n",
        "     After the last iteration (sec):        0.500\n",
        "                Communication (sec):        0.750\n",
        "        COMM:  cpu time ",
        "        FOCK:  cpu time     0.7000: real time     0.5000",
        " messages of exchange hidden:   75.00 %",
        "                 Messages of exchange (sec):        0.500\n"
        "                   of which waited for (sec):        0.125\n",
        "Iteration      1(   3)",
        "EDIFF was not reached",
        "free  energy   TOTEN  =      -102.00000000 eV",
        "energy(sigma->0) =      -101.87500000",
        "POSITION                                       TOTAL-FORCE (eV/Angst)",
        "Ewald energy   TEWEN  =       -54.42277249",
        " running on    6 total cores\n running    2 mpi-ranks, with    3 threads/rank, on    1 nodes\n"
        " running on    2 GPUs\n transport: mpi, device: cuda\n"
        " distrk:  each k-point on    3 cores,    2 groups\n"
        " distr:  one band on NCORE=   3 cores,    1 groups\n",
        "ISMEAR =      0;   SIGMA  =   0.05000",
        "Maximum memory used (kb):         7168."};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(text, parts[i])) fail_msg("'%s' is not in OUTCAR", parts[i]);
    assert_null(strstr(text, "in kB"));
    assert_non_null(strstr(text, " spin component 1\n\n k-point "));
    assert_null(strstr(text, "spin component 2"));
    assert_null(strstr(text, "EXHF"));
    free(text);
    release_run(&made);
}

static void grow(const pv_run_text *text, const char *path, const made_up_run *made, int steps, pv_run_grown *grown_p)
{
    pv_run run = made->run;
    run.step = NULL; // nor anything that is found
    run.results = &(pv_results){.atoms = MADE_ATOMS, .spins = made->results.spins, .kpoints = MADE_KPOINTS,
                                .bands = MADE_BANDS, .kpoint = made->results.kpoint, .weight = made->results.weight};
    run.steps = 0;
    assert_ok(pv_run_text_begin(text, path, &run, grown_p));
    run.step = made->step;
    for (run.steps = 1; run.steps <= steps; run.steps++) assert_ok(pv_run_text_add(text, path, &run, grown_p));
}

// In all of its parts a file is what it is at once.
static void files_grow(void **state)
{
    (void)state;
    static const pv_run_text *const texts[] = {&pv_oszicar_text, &pv_outcar_text};
    static const char *const marks[] = {"DAV:   2 ", "Iteration      1(   2)"};
    made_up_run made;
    make_up_run(&made, 2);
    for (int t = 0; t < 2; t++) {
        char path[] = "/tmp/parseval-grown-XXXXXX", *expected, *found;
        close(mkstemp(path));
        assert_ok(pv_run_text_write(texts[t], path, &made.run));
        load(path, &expected);
        pv_run_grown grown;
        grow(texts[t], path, &made, 2, &grown);
        load(path, &found);
        assert_int_equal(strlen(found), grown);
        assert_memory_equal(found, expected, grown);
        assert_non_null(strstr(found, marks[t]));
        free(found);
        assert_ok(pv_run_text_add(texts[t], path, &made.run, &grown));
        assert_ok(pv_run_text_finish(texts[t], path, &made.run, grown));
        assert_file_holds(path, expected);
        free(expected);
        remove(path);
    }
    release_run(&made);
}

// What others did to a file in the meantime is not built upon.
static void a_changed_file_is_written_anew(void **state)
{
    (void)state;
    char path[] = "/tmp/parseval-grown-XXXXXX", *expected;
    pv_run_grown grown;
    made_up_run made;
    make_up_run(&made, 1);
    close(mkstemp(path));
    assert_ok(pv_run_text_write(&pv_oszicar_text, path, &made.run));
    load(path, &expected);
    grow(&pv_oszicar_text, path, &made, 1, &grown);
    assert_ok(pv_file_replace(path, "something else"));
    assert_fails(PV_ERR_IO, pv_run_text_add(&pv_oszicar_text, path, &made.run, &grown));
    assert_true(grown < 0);
    assert_file_holds(path, "something else");
    assert_ok(pv_run_text_finish(&pv_oszicar_text, path, &made.run, grown));
    assert_file_holds(path, expected);
    grow(&pv_oszicar_text, path, &made, 1, &grown);
    remove(path);
    assert_ok(pv_run_text_finish(&pv_oszicar_text, path, &made.run, grown));
    assert_file_holds(path, expected);
    free(expected);
    remove(path);
    release_run(&made);
}

static void what_is_missing_is_said(void **state)
{
    (void)state;
    made_up_run made;
    make_up_run(&made, 1);
    pv_run run = made.run;
    run.density = NULL;
    run.dos.points = 0;
    run.step = NULL;
    made.results.eigenvalue_ev = NULL;
    for (int f = 0; f < FORMATS; f++) {
        assert_fails(PV_ERR_ARGUMENT, formats[f].write("/tmp/parseval-never-written", &run));
        assert_non_null(strstr(pv_last_error(), formats[f].name));
    }
    assert_int_equal(access("/tmp/parseval-never-written", F_OK), -1);
    assert_fails(PV_ERR_IO, pv_oszicar_write("/nowhere/OSZICAR", &made.run));
    release_run(&made);
}

static void groups_and_sums(void **state)
{
    (void)state;
    made_up_run made;
    make_up_run(&made, 2);
    assert_int_equal(pv_run_groups(made.cell), 3);
    const pv_run_group group = pv_run_group_at(made.cell, 1);
    assert_int_equal(group.count, 2);
    assert_int_equal(group.species, 1);
    assert_int_equal(pv_run_group_at(made.cell, 4).count, 0);
    assert_near(pv_run_electrons(&made.run, 0), 3.25, 1e-14);
    assert_near(pv_run_magnetisation(&made.run), 1.0, 1e-14);
    release_run(&made);
}

PV_TEST_MAIN(PV_TEST(ase_reads_what_is_written), PV_TEST(ase_reads_two_spins), PV_TEST(pymatgen_reads_what_is_written),
             PV_TEST(pymatgen_reads_two_spins), PV_TEST(texts_of_outcar), PV_TEST(files_grow),
             PV_TEST(a_changed_file_is_written_anew), PV_TEST(what_is_missing_is_said), PV_TEST(groups_and_sums))
