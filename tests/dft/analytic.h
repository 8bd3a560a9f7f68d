// SPDX-License-Identifier: Apache-2.0
// The made-up potential of data/analytic.upf and data/analytic.psp8 in closed form: the numbers of data/make_analytic.
#ifndef PV_TESTS_DFT_ANALYTIC_H
#define PV_TESTS_DFT_ANALYTIC_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dft/model/gth.h"
#include "dft/model/pseudo_form.h"
#include "harness.h"

#define ANALYTIC_UPF "tests/dft/data/analytic.upf"
#define ANALYTIC_PSP8 "tests/dft/data/analytic.psp8"

static const pv_gth analytic = {.element = "Si",
                                .valence = 4,
                                .r_local = 0.6,
                                .c_local = {-3.0, 0.7},
                                .channel = {{0.5, 2, {{4.0, 0.0}, {0.0, -1.25}}}, {0.65, 1, {{2.5}}}}};

static inline double analytic_gaussian(double charge, double width, double q)
{
    return charge * exp(-0.25 * q * q * width * width);
}

// Form factors of a potential read from a file against the closed forms.
static inline void assert_analytic_forms(const pv_pseudo *pseudo)
{
    static const int l[] = {0, 0, 1}, number[] = {0, 1, 0};
    assert_near(pv_pseudo_local_form(pseudo, 0.0), pv_gth_local_form(&analytic, 0.0), 1e-11);
    for (double q = 0.003; q < 15.0; q += 0.237) { // far from 2 pi / (2 step), where the mesh of the file ends
        assert_near(pv_pseudo_local_form(pseudo, q), pv_gth_local_form(&analytic, q),
                    1e-9 + 1e-14 * fabs(pv_gth_local_form(&analytic, q)));
        for (int i = 0; i < 3; i++)
            assert_near(pv_pseudo_projector_form(pseudo, i, q), pv_gth_projector_form(&analytic, l[i], number[i], q),
                        1e-9);
        assert_near(pv_pseudo_core_form(pseudo, q), analytic_gaussian(1.5, 0.55, q), 1e-9);
        assert_near(pv_pseudo_density_form(pseudo, q), analytic_gaussian(4.0, 0.9, q), 1e-9);
    }
}

// A whole file as text; the caller frees it.
static inline char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 16);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return text;
}

// `text` with the first `from` replaced by `to`; the caller frees it.
static inline char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    assert_non_null(at);
    char *copy = malloc(strlen(text) + strlen(to) + 1);
    assert_non_null(copy);
    sprintf(copy, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return copy;
}

#endif
