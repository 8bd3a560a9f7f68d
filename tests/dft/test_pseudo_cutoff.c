// SPDX-License-Identifier: Apache-2.0
#include "dft/model/pseudo_cutoff.h"

#include "analytic.h"
#include "base/mem.h"
#include "dft/model/units.h"

// A potential without projectors, -Z erf(r / (sqrt 2 a)) / r.
static pv_pseudo *soft_coulomb(double z, double a)
{
    enum { POINTS = 1201 };
    pv_pseudo *pseudo;
    assert_ok(pv_pseudo_create_radial(POINTS, 0, 0, 0, &pseudo));
    assert_ok(pv_mem_strdup("a softened nucleus", &pseudo->source));
    strcpy(pseudo->element, "Si");
    pseudo->valence = z;
    for (int i = 0; i < POINTS; i++) {
        const double r = 0.01 * i;
        pseudo->radial->r[i] = r;
        pseudo->radial->dr[i] = 0.01;
        pseudo->radial->local_ha[i] = -z * (i ? erf(r / (sqrt(2.0) * a)) / r : sqrt(2.0 / PV_PI) / a);
    }
    assert_ok(pv_pseudo_prepare(pseudo));
    return pseudo;
}

static double cutoff_of(const pv_pseudo *pseudo)
{
    double cutoff_ha = 0.0;
    assert_ok(pv_pseudo_find_cutoff(pseudo, &cutoff_ha));
    return cutoff_ha;
}

// The same potential in both formats, one with the atom's density and one without.
static void formats_agree(void **state)
{
    (void)state;
    pv_pseudo *upf, *psp8;
    assert_ok(pv_pseudo_open_file(ANALYTIC_UPF, &upf));
    assert_ok(pv_pseudo_open_file(ANALYTIC_PSP8, &psp8));
    const double cutoff_ha = cutoff_of(upf);
    assert_near(cutoff_of(psp8), cutoff_ha, 1.0);
    assert_true(cutoff_ha >= 3.0 && cutoff_ha <= 30.0);
    pv_pseudo_destroy(upf);
    pv_pseudo_destroy(psp8);
}

// Where orbitals end as exp(-q^2 a^2 / 2), half the width needs up to four times the cutoff.
static void harder_potentials_need_more(void **state)
{
    (void)state;
    static const double width[] = {0.8, 0.4, 0.2};
    double last = 0.0;
    for (int i = 0; i < 3; i++) {
        pv_pseudo *pseudo = soft_coulomb(1.0, width[i]);
        const double cutoff_ha = cutoff_of(pseudo);
        assert_true(cutoff_ha > 1.3 * last && (i == 0 || cutoff_ha <= 4.5 * last));
        last = cutoff_ha;
        pv_pseudo_destroy(pseudo);
    }
}

// What no cutoff that anybody would pay for completes is told the most.
static void there_is_an_end(void **state)
{
    (void)state;
    pv_pseudo *pseudo = soft_coulomb(8.0, 0.05);
    assert_near(cutoff_of(pseudo), 128.0, 0.0);
    pv_pseudo_destroy(pseudo);
    pv_pseudo *gth;
    double cutoff_ha;
    assert_ok(pv_pseudo_open("Si", NULL, &gth));
    assert_fails(PV_ERR_ARGUMENT, pv_pseudo_find_cutoff(gth, &cutoff_ha));
    pv_pseudo_destroy(gth);
}

PV_TEST_MAIN(PV_TEST(formats_agree), PV_TEST(harder_potentials_need_more), PV_TEST(there_is_an_end))
