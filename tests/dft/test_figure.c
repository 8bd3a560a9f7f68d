// SPDX-License-Identifier: Apache-2.0
#include "dft/figure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file_replace.h"
#include "harness.h"

static const char poscar[] = "one atom\n1.0\n5 0 0\n0 5 0\n0 0 5\nSi\n1\nDirect\n0 0 0\n";
static const char head[] = "1 1 1 %d\n0 0 0 0 0\n1e-4\nCAR\nname\n2 %d 2\n";
static const char *const files[] = {"POSCAR", "KPOINTS", "KPOINTS_OPT", "EIGENVAL", "DOSCAR", "bands.svg", "dos.svg"};

static void put(const char *directory, const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    assert_ok(pv_file_replace(path, text));
}

static void put_band(FILE *out, int spins, int band, double energy, double filling)
{
    fprintf(out, "%d", band + 1);
    for (int s = 0; s < spins; s++) fprintf(out, " %g", energy);
    for (int s = 0; s < spins; s++) fprintf(out, " %g", filling);
    fputc('\n', out);
}

// Two bands of a made-up semiconductor (gap 3 eV), or of a metal where the second is partly filled.
static void put_eigenval(const char *directory, int spins, int kpoints, int weighted, double second)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fprintf(out, head, spins, kpoints);
    for (int k = 0; k < kpoints; k++) {
        fprintf(out, "\n%g 0 0 %g\n", 0.5 * k / (kpoints - 1), k < weighted ? 1.0 / weighted : 0.0);
        for (int b = 0; b < 2; b++)
            put_band(out, spins, b, 3.0 * b - 0.25 * k * (1 - 2 * b), b == 0 ? 1.0 : second);
    }
    fclose(out);
    put(directory, "EIGENVAL", text);
    free(text);
}

static int holds(const char *directory, const char *name, const char *part)
{
    char path[128], *text = calloc(1, 1 << 18);
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *in = fopen(path, "rb");
    const size_t length = in ? fread(text, 1, (1 << 18) - 1, in) : 0;
    if (in) fclose(in);
    const int found = length > 0 && strstr(text, part) != NULL;
    free(text);
    return found;
}

static void clear(const char *directory)
{
    char path[128];
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        snprintf(path, sizeof path, "%s/%s", directory, files[f]);
        remove(path);
    }
}

static void what_a_folder_has_is_drawn(void **state)
{
    (void)state;
    static const struct {
        int spins, weighted, lines, metal, bands, dos; // metal: quarters of the second band that are filled
        const char *energies, *path;   // path: of KPOINTS_OPT, the last points
    } cases[] = {{1, 9, 1, 0, 1, 0, "VBM", NULL}, {1, 9, 0, 0, 0, 1, "VBM", NULL},
                 {2, 3, 0, 0, 1, 1, "VBM", NULL}, {1, 3, 0, 3, 1, 1, "F", NULL}, {1, 3, 0, 1, 1, 1, "F", NULL},
                 {1, 4, 1, 0, 1, 1, "VBM", "path\n5\nLine\nrec\n0.25 0 0 D\n0.5 0 0 X\n"},
                 {1, 4, 0, 0, 1, 1, "VBM", "path\n5\nLine\nrec\n0.25 0 0 D\n0 0.5 0 X\n"}};
    char directory[] = "/tmp/parseval-figure-XXXXXX", label[32];
    assert_non_null(mkdtemp(directory));
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        pv_figures figures;
        put(directory, "POSCAR", poscar);
        put_eigenval(directory, cases[c].spins, 9, cases[c].weighted, cases[c].metal / 4.0);
        if (cases[c].path) put(directory, "KPOINTS_OPT", cases[c].path);
        else if (cases[c].lines) put(directory, "KPOINTS", "path\n9\nLine\nrec\n0 0 0 GAMMA\n0.5 0 0 X\n");
        if (cases[c].metal) put(directory, "DOSCAR", "1 1 0 1\n0\n0\nCAR\nname\n5 -5 3 1.5 1.0\n");
        assert_ok(pv_figures_write(directory, 0.1, &figures));
        assert_int_equal(figures.bands, cases[c].bands);
        assert_int_equal(figures.dos, cases[c].dos);
        assert_near(figures.gap_ev, cases[c].metal ? 0.0 : 3.0, 1e-9);
        snprintf(label, sizeof label, ">%s</tspan>", cases[c].energies);
        assert_int_equal(holds(directory, "bands.svg", label), cases[c].bands);
        assert_int_equal(holds(directory, "dos.svg", label), cases[c].dos);
        assert_int_equal(holds(directory, "bands.svg", ">X</text>"), cases[c].lines);
        assert_int_equal(holds(directory, "bands.svg", "spin down"), cases[c].spins == 2);
        clear(directory);
    }
    assert_int_equal(rmdir(directory), 0);
}

static void missing_files_are_named(void **state)
{
    (void)state;
    char directory[] = "/tmp/parseval-figure-XXXXXX";
    assert_non_null(mkdtemp(directory));
    pv_figures untouched = {.bands = -1};
    assert_fails(PV_ERR_INPUT, pv_figures_write(directory, 0.1, &untouched));
    assert_non_null(strstr(pv_last_error(), "POSCAR"));
    put(directory, "POSCAR", poscar);
    assert_fails(PV_ERR_INPUT, pv_figures_write(directory, 0.1, &untouched));
    assert_non_null(strstr(pv_last_error(), "EIGENVAL"));
    assert_fails(PV_ERR_ARGUMENT, pv_figures_write(directory, 0.0, &untouched));
    assert_int_equal(untouched.bands, -1);
    clear(directory);
    assert_int_equal(rmdir(directory), 0);
}

// A tick of the energy axis: what of the bands is shown.
static void bands_are_shown_to_their_bottom(void **state)
{
    (void)state;
    static const struct {
        double bottom, top; // of the lower band, eV; the upper one is at 1
        int shows_10, shows_16;
    } cases[] = {{-12.0, -7.0, 1, 0}, {-18.0, -16.0, 0, 0}, {-40.0, -1.0, 0, 0}, {-17.0, -8.5, 1, 1}};
    char directory[] = "/tmp/parseval-figure-XXXXXX";
    assert_non_null(mkdtemp(directory));
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char text[512];
        pv_figures figures;
        snprintf(text, sizeof text,
                 "1 1 1 1\n0 0 0 0 0\n1e-4\nCAR\nname\n4 2 3\n\n0 0 0 .5\n1 %g 1\n2 0 1\n3 1 0\n\n"
                 ".5 0 0 .5\n1 %g 1\n2 0 1\n3 1 0\n", cases[c].bottom, cases[c].top);
        put(directory, "POSCAR", poscar);
        put(directory, "EIGENVAL", text);
        put(directory, "KPOINTS", "path\n2\nLine\nrec\n0 0 0 GAMMA\n0.5 0 0 X\n");
        assert_ok(pv_figures_write(directory, 0.1, &figures));
        assert_int_equal(holds(directory, "bands.svg", ">−10</"), cases[c].shows_10);
        assert_int_equal(holds(directory, "bands.svg", ">−16</"), cases[c].shows_16);
        clear(directory);
    }
    assert_int_equal(rmdir(directory), 0);
}

PV_TEST_MAIN(PV_TEST(what_a_folder_has_is_drawn), PV_TEST(missing_files_are_named),
             PV_TEST(bands_are_shown_to_their_bottom))
