// SPDX-License-Identifier: Apache-2.0
#include "dft/files/poscar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dft/model/units.h"
#include "capture.h"

#define LATTICE "4 0 0\n0 5 0\n0 0 6\n"
#define ATOMS "0 0 0\n0.5 0.5 0.25\n"

static pv_cell *parsed(const char *text)
{
    pv_cell *cell = NULL;
    assert_ok(pv_poscar_parse(text, strlen(text), "POSCAR", &cell));
    return cell;
}

static void refused(const char *text, const char *said)
{
    pv_cell *cell = NULL;
    assert_fails(PV_ERR_INPUT, pv_poscar_parse(text, strlen(text), "POSCAR", &cell));
    assert_null(cell);
    if (!strstr(pv_last_error(), said)) fail_msg("'%s' does not say '%s'", pv_last_error(), said);
}

static void assert_lattice(const pv_cell *cell, double a, double b, double c)
{
    const double lengths[3] = {a, b, c};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_near(cell->lattice_bohr[i][j] * PV_BOHR_ANGSTROM, i == j ? lengths[i] : 0.0, 1e-12);
}

static void a_plain_file(void **state)
{
    (void)state;
    pv_cell *cell = parsed("two atoms\n1.0\n" LATTICE "Hf O\n1 1\nDirect\n" ATOMS);
    assert_int_equal(cell->atoms, 2);
    assert_int_equal(cell->species, 2);
    assert_string_equal(cell->species_name[0], "Hf");
    assert_string_equal(cell->species_name[1], "O");
    assert_string_equal(cell->comment, "two atoms");
    assert_int_equal(cell->species_of[1], 1);
    assert_int_equal(cell->selective, 0);
    assert_null(cell->movable);
    assert_lattice(cell, 4, 5, 6);
    assert_near(cell->volume_bohr3 * pow(PV_BOHR_ANGSTROM, 3), 120.0, 1e-11);
    assert_near(cell->fractional[1][2], 0.25, 0.0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double product = 0.0;
            for (int c = 0; c < 3; c++) product += cell->lattice_bohr[i][c] * cell->reciprocal[j][c];
            assert_near(product, i == j ? 2.0 * PV_PI : 0.0, 1e-13);
        }
    pv_cell_destroy(cell);
}

static void a_negative_factor_is_the_volume(void **state)
{
    (void)state;
    pv_cell *cell = parsed("c\n-960\n" LATTICE "Hf O\n1 1\nCartesian\n0 0 0\n2 2.5 1.5\n");
    assert_lattice(cell, 8, 10, 12); // 120 becomes 960
    assert_near(cell->scale_angstrom, 2.0, 1e-14);
    for (int c = 0; c < 3; c++) assert_near(cell->fractional[1][c], c < 2 ? 0.5 : 0.25, 1e-14);
    pv_cell_destroy(cell);
}

static void three_factors_stretch_x_y_z(void **state)
{
    (void)state;
    pv_cell *cell = parsed("c\n2 3 0.5 ! x y z\n4 4 0\n0 5 0\n0 0 6\nHf O\n1 1\nKartesian\n0 0 0\n1 1 1\n");
    assert_near(cell->lattice_bohr[0][0] * PV_BOHR_ANGSTROM, 8.0, 1e-12);
    assert_near(cell->lattice_bohr[0][1] * PV_BOHR_ANGSTROM, 12.0, 1e-12);
    assert_near(cell->scale_angstrom, 1.0, 0.0);
    double cartesian[3];
    pv_cell_to_cartesian(cell, cell->fractional[1], cartesian);
    const double expected[3] = {2.0, 3.0, 0.5};
    for (int c = 0; c < 3; c++) assert_near(cartesian[c] * PV_BOHR_ANGSTROM, expected[c], 1e-12);
    pv_cell_destroy(cell);
    refused("c\n2 3\n" LATTICE "Hf\n1\nDirect\n0 0 0\n", "POSCAR:2: found '2 3'");
    refused("c\n2 -3 1\n" LATTICE "Hf\n1\nDirect\n0 0 0\n", "three positive");
    refused("c\n0\n" LATTICE "Hf\n1\nDirect\n0 0 0\n", "scale factor");
}

static void names_lose_their_suffixes(void **state)
{
    (void)state;
    pv_cell *cell = parsed("c\n1\n" LATTICE "Hf_sv/0123abcd O/ffff Fe1 ! names\n1 1 1\nD\n" ATOMS "0.1 0.2 0.3\n");
    assert_string_equal(cell->species_name[0], "Hf");
    assert_string_equal(cell->species_name[1], "O");
    assert_string_equal(cell->species_name[2], "Fe");
    pv_cell_destroy(cell);
    refused("c\n1\n" LATTICE "Hafnium\n1\nDirect\n0 0 0\n", "'Hafnium' is not an element");
    refused("c\n1\n" LATTICE "Qq\n1\nDirect\n0 0 0\n", "POSCAR:6: 'Qq'");
}

static void equal_elements_become_one_species(void **state)
{
    (void)state;
    pv_cell *cell = parsed("c\n1\n" LATTICE "O Hf O\n1 1 2\nDirect\n" ATOMS "0 0 .5\n0.5 0 0\n");
    assert_int_equal(cell->species, 2);
    assert_int_equal(cell->count_of[0], 3);
    assert_int_equal(cell->count_of[1], 1);
    const int species[4] = {0, 1, 0, 0};
    assert_memory_equal(cell->species_of, species, sizeof species);
    pv_cell_destroy(cell);
}

static void names_are_never_guessed(void **state)
{
    (void)state;
    refused("Hf O\n1\n" LATTICE "1 1\nDirect\n" ATOMS, "POSCAR:6: found the number '1'");
}

static void selective_dynamics(void **state)
{
    (void)state;
    pv_cell *cell =
        parsed("c\n1\n" LATTICE "Hf O\n1 1\nSelective dynamics\nCartesian\n0 0 0 T F T\n2 2 2 .FALSE. .T. f\n");
    const unsigned char movable[2][3] = {{1, 0, 1}, {0, 1, 0}};
    assert_int_equal(cell->selective, 1);
    assert_memory_equal(cell->movable, movable, sizeof movable);
    pv_cell_destroy(cell);
}

static void poor_flags_are_a_warning(void **state)
{
    (void)state;
    pv_cell *cell = parsed("c\n1\n" LATTICE "Hf O\n1 1\nselective\nDirect\n0 0 0 F\n.5 .5 .5 F maybe\n");
    const unsigned char movable[2][3] = {{0, 1, 1}, {0, 1, 1}};
    assert_memory_equal(cell->movable, movable, sizeof movable);
    pv_cell_destroy(cell);
}

static void line_ends_tabs_and_marks(void **state)
{
    (void)state;
    static const char *const texts[] = {
        ("\xef\xbb\xbf"
         "c\r\n1.0\r\n4\t0\t0\r\n0 5 0\r\n0 0 6\r\n Hf\tO \r\n1\t1\r\n\tDirect\r\n0 0 0\r\n0.5\t0.5\t0.25"),
        "c\r1.0\r4 0 0\r0 5 0\r0 0 6\rHf O\r1 1\rDirect\r0 0 0\r0.5 0.5 0.25\r",
        "\n1.0\n\n4,0,0\n0, 5, 0\n0 0 6.D0\nHf O\n\n1 1\nDirect\n\n0 0 0 Hf\n5d-1 0.5 2.5E-1 O\n\n\n",
        "c\n1.0\n4 0 0\n0 5 0\n0 0 6\nHf O\n1 1\nfrac\n0 0 0\n0.5 0.5 0.25\n\n0 0 0\n0 1 0\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        pv_cell *cell = parsed(texts[i]);
        assert_lattice(cell, 4, 5, 6);
        assert_int_equal(cell->atoms, 2);
        assert_near(cell->fractional[1][0], 0.5, 0.0);
        assert_near(cell->fractional[1][2], 0.25, 0.0);
        pv_cell_destroy(cell);
    }
}

static void what_is_wrong_is_said_with_its_line(void **state)
{
    (void)state;
    refused("", "is empty");
    refused("c\n1\n4 0 0\n0 5\n", "POSCAR:4: found '0 5'; lattice vector 2");
    refused("c\n1\n4 0 0\n0 nan 0\n0 0 6\nHf\n1\nD\n0 0 0\n", "POSCAR:4:");
    refused("c\n1\n4 0 0\n0 inf 0\n0 0 6\nHf\n1\nD\n0 0 0\n", "POSCAR:4:");
    refused("c\n1\n4 0 0\n0 0x5 0\n0 0 6\nHf\n1\nD\n0 0 0\n", "POSCAR:4:");
    refused("c\n1\n4 0 0\n0 1e400 0\n0 0 6\nHf\n1\nD\n0 0 0\n", "POSCAR:4:");
    refused("c\n1\n4 0 0\n8 0 0\n0 0 6\nHf\n1\nD\n0 0 0\n", "span no volume");
    refused("c\n1e300\n4 0 0\n0 4 0\n0 0 6\nHf\n1\nD\n0 0 0\n", "POSCAR:2: found '1e300', an absurd length");
    refused("c\n-10\n4 0 0\n8 0 0\n0 0 6\nHf\n1\nD\n0 0 0\n", "span no volume");
    refused("c\n1\n" LATTICE "Hf O\n1\nD\n0 0 0\n", "1 counts; the line above names 2 elements");
    refused("c\n1\n" LATTICE "Hf\n0\nD\n0 0 0\n", "found '0'; the number of Hf atoms");
    refused("c\n1\n" LATTICE "Hf\n-1\nD\n0 0 0\n", "found '-1'");
    refused("c\n1\n" LATTICE "Hf\n2147483647\nD\n0 0 0\n", "has room for at most");
    refused("c\n1\n" LATTICE "Hf O\n2147483647 2147483647\nD\n0 0 0\n", "4294967294 atoms");
    refused("c\n1\n" LATTICE "Hf\n99999999999999999999\nD\n0 0 0\n", "positive integer");
    refused("c\n1\n" LATTICE "Hf\n1\n0 0 0\n", "'Direct' or 'Cartesian'");
    refused("c\n1\n" LATTICE "Hf\n2\nDirect\n0 0 0\n              \n", "with 1 of 2 positions");
    refused("c\n1\n" LATTICE "Hf\n1\nDirect\n0 0\n\n\n\n\n", "POSCAR:9: found '0 0'; the position of atom 1");
    refused("c\n1\n" LATTICE "Hf\n1\nDirect\n0 0 1e9\n", "cells away");
    refused("c\n1\n" LATTICE "Hf\n1\nSelective\n", "'Direct' or 'Cartesian'");
    refused("c\n1\n" LATTICE "Hf\n1", "room");
}

static void atoms_on_each_other_are_refused(void **state)
{
    (void)state;
    refused("c\n1\n" LATTICE "Hf O\n1 1\nDirect\n0.999 0 0\n0.001 0 1\n", "atom 1 (Hf) and atom 2 (O)");
    refused("c\n1\n" LATTICE "O\n3\nDirect\n0.1 0.5 0.5\n0.5 0.5 0.5\n0.5 -0.5 1.5\n", "atom 2 (O) and atom 3 (O)");
    refused("c\n0.01\n" LATTICE "O\n1\nDirect\n0.1 0.5 0.5\n", "atom 1 (O) and its own image");
}

// Nearer than any bond, and as near as bonds are.
static void short_distances_are_warned_about(void **state)
{
    (void)state;
    static const struct {
        const char *poscar, *said; // NULL: nothing
    } cases[] = {
        {"c\n1\n8 0 0\n0 8 0\n0 0 8\nH\n2\nCartesian\n0 0 0\n0 0 0.74\n", NULL},
        {"c\n1\n8 0 0\n0 8 0\n0 0 8\nO H\n1 1\nCartesian\n0 0 0\n0.97 8 -8\n", NULL},
        {"c\n1\n8 0 0\n0 8 0\n0 0 8\nH\n3\nCartesian\n0 0 0\n0 0 0.74\n7.7 0 0\n",
         "atom 1 (H) and atom 3 (H) are 0.3 Angstrom apart, where a bond has about 0.62"},
        {"c\n1\n8 0 0\n0 8 0\n0 0 8\nHf O\n1 1\nCartesian\n0 0 0\n0 1.1 0\n", "atom 1 (Hf) and atom 2 (O) are 1.1 "},
        {"c\n0.543\n0 .5 .5\n.5 0 .5\n.5 .5 0\nSi\n1\nDirect\n0 0 0\n",
         "atom 1 (Si) and its own image are 0.384 Angstrom apart"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        capture c = begin_capture();
        pv_cell *cell = parsed(cases[i].poscar);
        const int warnings = end_capture(&c, "warn:", text, sizeof text);
        pv_cell_destroy(cell);
        assert_int_equal(warnings, cases[i].said != NULL);
        if (cases[i].said && !strstr(text, cases[i].said)) fail_msg("'%s' does not say '%s'", text, cases[i].said);
    }
}

static void left_handed_lattices_have_a_positive_volume(void **state)
{
    (void)state;
    pv_cell *cell = parsed("c\n1\n0 4 0\n5 0 0\n0 0 6\nHf\n1\nDirect\n0 0 0\n");
    assert_near(cell->volume_bohr3 * pow(PV_BOHR_ANGSTROM, 3), 120.0, 1e-11);
    assert_near(cell->reciprocal[0][1] * cell->lattice_bohr[0][1], 2.0 * PV_PI, 1e-13);
    pv_cell_destroy(cell);
}

static void zeros_are_written_as_zeros(void **state)
{
    (void)state;
    char *text = NULL;
    size_t length = 0;
    pv_cell *cell = parsed("c\n1.0\n4 9e-16 -9e-16\n0 2.735 0\n0 0 61.3\nO\n1\nDirect\n"
                           "0.0000000000000009 -1e-14 0.5\n");
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    pv_poscar_put(out, cell);
    assert_int_equal(fclose(out), 0);
    assert_null(strstr(text, "-0.0"));
    assert_null(strstr(text, "00009"));
    assert_non_null(strstr(text, "    0.0000000000000000    2.7350000000000000    0.0000000000000000\n"));
    assert_non_null(strstr(text, "   61.3000000000000000\n"));
    assert_non_null(strstr(text, "  0.0000000000000000  0.0000000000000000  0.5000000000000000"));
    free(text);
    pv_cell_destroy(cell);
}

static void what_is_written_reads_back_the_same(void **state)
{
    (void)state;
    char directory[] = "/tmp/parseval-poscar-XXXXXX", path[128];
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/CONTCAR", directory);
    pv_cell *cell = parsed("comment, kept\n1.1\n4.1 0.2 -0.3\n0 5.3 0.1\n-1.7 0 6.123456789\nO Hf O\n1 1 1\nSelective\n"
                           "Direct\n-0.123456789012 0 0 T F T\n1.5 0.25 0.75 F F F\n0.3 0.3 0.3 T T T\n");
    assert_ok(pv_poscar_write(path, cell));
    pv_cell *back;
    assert_ok(pv_poscar_read(path, &back));
    assert_string_equal(back->comment, "comment, kept");
    assert_int_equal(back->atoms, 3);
    assert_memory_equal(back->species_of, cell->species_of, 3 * sizeof(int));
    assert_memory_equal(back->movable, cell->movable, 9);
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) {
            assert_near(back->lattice_bohr[i][c], cell->lattice_bohr[i][c], 1e-14);
            assert_near(back->fractional[i][c], cell->fractional[i][c], 1e-15);
        }
    pv_cell_destroy(back);
    pv_cell_destroy(cell);
    remove(path);
    assert_fails(PV_ERR_INPUT, pv_poscar_read(path, &back));
    assert_int_equal(rmdir(directory), 0);
    assert_fails(PV_ERR_INPUT, pv_poscar_read("/tmp", &back));
}

#define TWO_ATOMS "c\n1\n" LATTICE "O\n2\nDirect\n0 0 0\n0.5 0.5 0.5\n"

static void velocities_are_carried(void **state)
{
    (void)state;
    static const struct {
        const char *after;
        int kept, direct;
    } cases[] = {{"\n1 -2.5 3E-3\n0.125 0 -1D-4\n", 1, 0},
                 {"Cartesian\n1 -2.5 3E-3\n0.125 0 -1E-4\n", 1, 0},
                 {"Direct\n1 -2.5 3E-3\n0.125 0 -1E-4\n", 1, 1},
                 {"\n1 -2.5 3E-3\n0.125 0 -1E-4\n\n0 0 0\n", 1, 0},
                 {"\n1 -2.5 3E-3\n0.125 0 -1E-4\n\n1\n0.5\n", 1, 0}, // of molecular dynamics
                 {"\n\n  \n", 0, 0},
                 {"\n1 2 3\n", 0, 0},
                 {"\n1 2 3\n1 2\n", 0, 0},
                 {"Direct\n", 0, 0},
                 {"Lattice velocities and vectors\n1\n", 0, 0},
                 {"0.5 0.5 0.5\n0.5 0 0.5\n", 0, 0}}; // right behind them: positions that the counts leave out
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512], *written = NULL;
        size_t length = 0;
        snprintf(text, sizeof text, TWO_ATOMS "%s", cases[i].after);
        pv_test_mute(1);
        pv_cell *cell = parsed(text);
        pv_test_mute(0);
        FILE *out = open_memstream(&written, &length);
        assert_non_null(out);
        pv_poscar_put(out, cell);
        assert_int_equal(fclose(out), 0);
        pv_cell *back = parsed(written); // says nothing
        assert_int_equal(cell->velocity != NULL, cases[i].kept);
        assert_int_equal(back->velocity != NULL, cases[i].kept);
        if (cases[i].kept) {
            assert_near(cell->velocity[0][1], -2.5, 0.0);
            assert_near(cell->velocity[1][2], -1e-4, 0.0);
            assert_int_equal(cell->velocity_is_direct, cases[i].direct);
            assert_int_equal(back->velocity_is_direct, cases[i].direct);
            assert_memory_equal(back->velocity, cell->velocity, 2 * sizeof *cell->velocity);
        }
        free(written);
        pv_cell_destroy(back);
        pv_cell_destroy(cell);
    }
}

static void the_example_is_hafnia(void **state)
{
    (void)state;
    pv_cell *cell;
    assert_ok(pv_poscar_read("examples/hfo2/POSCAR", &cell));
    assert_int_equal(cell->atoms, 12);
    assert_int_equal(cell->count_of[0], 4);
    assert_near(cell->volume_bohr3 * pow(PV_BOHR_ANGSTROM, 3), 140.262, 1e-2);
    pv_cell_destroy(cell);
}

PV_TEST_MAIN(PV_TEST(a_plain_file), PV_TEST(a_negative_factor_is_the_volume), PV_TEST(three_factors_stretch_x_y_z),
             PV_TEST(names_lose_their_suffixes), PV_TEST(equal_elements_become_one_species),
             PV_TEST(names_are_never_guessed), PV_TEST(selective_dynamics), PV_TEST(poor_flags_are_a_warning),
             PV_TEST(line_ends_tabs_and_marks), PV_TEST(what_is_wrong_is_said_with_its_line),
             PV_TEST(atoms_on_each_other_are_refused), PV_TEST(short_distances_are_warned_about),
             PV_TEST(left_handed_lattices_have_a_positive_volume),
             PV_TEST(zeros_are_written_as_zeros), PV_TEST(what_is_written_reads_back_the_same),
             PV_TEST(velocities_are_carried), PV_TEST(the_example_is_hafnia))
