// SPDX-License-Identifier: Apache-2.0
#include "dft/model/functional.h"

#include <math.h>
#include <stdio.h>

#include "dft/model/units.h"

static const struct {
    const char *tag, *name;
} known[] = {
    [PV_FUNCTIONAL_LDA] = {"CA", "LDA"},
    [PV_FUNCTIONAL_PBE] = {"PE", "PBE"},
    [PV_FUNCTIONAL_PBESOL] = {"PS", "PBEsol"},
};

pv_functional pv_functional_of(pv_functional_kind kind)
{
    return (pv_functional){kind, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0};
}

pv_functional pv_functional_hybrid_of(pv_functional_kind kind, double exact_fraction, double screening_bohr)
{
    const double rest = 1.0 - exact_fraction, correlation = exact_fraction == 1.0 ? 0.0 : 1.0;
    return (pv_functional){kind, exact_fraction, screening_bohr, rest, rest, correlation, correlation, 0};
}

const char *pv_functional_tag(const pv_functional *functional)
{
    return known[functional->kind].tag;
}

static int shares_are_plain(const pv_functional *f)
{
    const pv_functional plain = pv_functional_hybrid_of(f->kind, f->exact_fraction, f->screening_bohr);
    return f->lda_exchange == plain.lda_exchange && f->gradient_exchange == plain.gradient_exchange
           && f->lda_correlation == plain.lda_correlation && f->gradient_correlation == plain.gradient_correlation;
}

// Of the published hybrids with VASP's values of their screening; 0.106 / bohr is one more reading of HSE06.
static const char *name_of_hybrid(const pv_functional *f)
{
    static const struct {
        pv_functional_kind kind;
        double screening_angstrom;
        const char *name;
    } names[] = {{PV_FUNCTIONAL_PBE, 0.0, "PBE0"},    {PV_FUNCTIONAL_PBE, 0.2, "HSE06"},
                 {PV_FUNCTIONAL_PBE, 0.3, "HSE03"},   {PV_FUNCTIONAL_PBESOL, 0.0, "PBEsol0"},
                 {PV_FUNCTIONAL_PBESOL, 0.2, "HSEsol"}};
    if (f->exact_fraction != 0.25 || !shares_are_plain(f)) return NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].kind == f->kind
            && fabs(f->screening_bohr / PV_BOHR_ANGSTROM - names[i].screening_angstrom) < 1e-3)
            return names[i].name;
    return NULL;
}

void pv_functional_text(const pv_functional *f, size_t size, char *text)
{
    const char *name = name_of_hybrid(f);
    char exact[64] = "", screened[64] = "", shares[128] = "";
    if (!name && f->exact_fraction > 0.0) snprintf(exact, sizeof exact, " + %g exact exchange", f->exact_fraction);
    if (*exact && f->screening_bohr > 0.0) snprintf(screened, sizeof screened, ", erfc(%g r)/r", f->screening_bohr);
    if (!shares_are_plain(f))
        snprintf(shares, sizeof shares, ", shares %g %g %g %g", f->lda_exchange, f->gradient_exchange,
                 f->lda_correlation, f->gradient_correlation);
    snprintf(text, size, "%s%s%s%s", name ? name : known[f->kind].name, exact, screened, shares);
}
