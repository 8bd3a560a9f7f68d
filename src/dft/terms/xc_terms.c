// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/xc_terms.h"

#include <string.h>

#include "base/check.h"

#define LEAST_MINORITY 1e-6            // of one less the polarisation, as in Quantum ESPRESSO

// Short-range exchange of the gradient-corrected kinds: of the hole of Ernzerhof and Perdew for PBE, as HSE was made
// (J. Heyd, G. E. Scuseria and M. Ernzerhof, J. Chem. Phys. 118, 8207 (2003)); of Henderson, Janesko and Scuseria
// (J. Chem. Phys. 128, 194105 (2008)) for PBEsol. Of LDA: P. M. W. Gill, R. D. Adamson and J. A. Pople, Mol. Phys. 88,
// 1005 (1996).
// The LDA part of correlation has the constants that Perdew and Wang published, as in Quantum ESPRESSO; inside libxc's
// gradient-corrected ones they have more digits, which is 3e-6 of the correlation.
static const struct {
    int exchange, correlation, short_exchange, lda_correlation, lda_inside;
} known[] = {
    [PV_FUNCTIONAL_LDA] = {0, 0, 0, XC_LDA_C_PZ, 0},
    [PV_FUNCTIONAL_PBE] = {XC_GGA_X_PBE, XC_GGA_C_PBE, XC_GGA_X_WPBEH, XC_LDA_C_PW, XC_LDA_C_PW_MOD},
    [PV_FUNCTIONAL_PBESOL] = {XC_GGA_X_PBE_SOL, XC_GGA_C_PBE_SOL, XC_GGA_X_HJS_PBE_SOL, XC_LDA_C_PW, XC_LDA_C_PW_MOD},
};

// libxc's parameter is the w of erfc(w r)/r in 1/bohr itself; the hybrids that libxc knows by name rescale theirs.
static pv_status set_screening(xc_func_type *functional, int id, double screening_bohr)
{
    const int count = xc_func_info_get_n_ext_params(functional->info);
    for (int i = 0; i < count; i++)
        if (strcmp(xc_func_info_get_ext_params_name(functional->info, i), "_omega") == 0) {
            xc_func_set_ext_params_name(functional, "_omega", screening_bohr);
            return PV_OK;
        }
    PV_FAIL(PV_ERR_INTERNAL, "functional %d of libxc has no parameter _omega", id);
}

typedef struct wanted {
    int id;
    pv_xc_part part;
    double weight, screening_bohr;
} wanted;

static pv_status add(const wanted *w, int spins, double density_floor, pv_xc_terms *terms)
{
    if (w->id == 0 || w->weight == 0.0) return PV_OK;
    xc_func_type *functional = &terms->term[terms->count].functional;
    PV_REQUIRE(xc_func_init(functional, w->id, spins == 2 ? XC_POLARIZED : XC_UNPOLARIZED) == 0, PV_ERR_INTERNAL,
               "libxc does not know functional %d", w->id);
    const int gradients = xc_func_info_get_family(functional->info) != XC_FAMILY_LDA;
    terms->term[terms->count].weight = w->weight;
    terms->term[terms->count].part = w->part;
    terms->term[terms->count].capped = w->id == XC_GGA_X_WPBEH;
    terms->term[terms->count++].gradients = gradients;
    terms->gradients |= gradients;
    xc_func_set_dens_threshold(functional, density_floor);
    // The slope of correlation by the spin grows without bound towards full polarisation.
    if (w->part == PV_XC_CORRELATION_CORRECTION) xc_func_set_zeta_threshold(functional, LEAST_MINORITY);
    return w->screening_bohr > 0.0 ? set_screening(functional, w->id, w->screening_bohr) : PV_OK;
}

static int number_of(const pv_xc_terms *terms, int t)
{
    return xc_func_info_get_number(terms->term[t].functional.info);
}

// A functional that counts at every point and leaves again with a correction.
static void find_opposites(pv_xc_terms *terms)
{
    for (int t = 0; t < terms->count; t++) {
        terms->term[t].opposite = -1;
        for (int u = 0; u < terms->count; u++)
            if (number_of(terms, u) == number_of(terms, t)
                && (terms->term[u].part == PV_XC_LDA) != (terms->term[t].part == PV_XC_LDA)
                && terms->term[u].weight == -terms->term[t].weight)
                terms->term[t].opposite = u;
    }
}

static void find_published(int spins, pv_xc_terms *terms)
{
    terms->published = terms->exact = -1;
    for (int t = 0; t < terms->count && spins == 1; t++)
        for (int u = 0; u < terms->count; u++)
            if (number_of(terms, t) == XC_LDA_C_PW && number_of(terms, u) == XC_LDA_C_PW_MOD
                && terms->term[u].weight == -terms->term[t].weight) {
                terms->published = t;
                terms->exact = u;
            }
}

pv_status pv_xc_terms_open(const pv_functional *f, int spins, double density_floor, pv_xc_terms *terms_p)
{
    PV_REQUIRE((size_t)f->kind < sizeof known / sizeof *known, PV_ERR_ARGUMENT, "functional %d is not known",
               (int)f->kind);
    const int corrected = known[f->kind].exchange != 0, screened = f->screening_bohr > 0.0;
    const double w = f->screening_bohr, c = corrected ? f->gradient_correlation : 0.0;
    // Of the whole exchange and, screened, of its short range.
    const double lda = screened ? 1.0 : f->lda_exchange, lda_short = screened ? f->lda_exchange - 1.0 : 0.0;
    const double x = !corrected ? 0.0 : screened ? 1.0 : f->gradient_exchange;
    const double x_short = corrected && screened ? f->gradient_exchange - 1.0 : 0.0;
    // As in Quantum ESPRESSO, where all of the short range is part of the gradient's correction and vanishes with it.
    const int vanishes = corrected && screened && !f->flat_counts;
    const wanted list[PV_XC_TERMS] = {
        {XC_LDA_X, PV_XC_LDA, lda, 0.0},
        {XC_LDA_X_ERF, PV_XC_LDA, vanishes ? 0.0 : lda_short, w},
        {known[f->kind].lda_correlation, PV_XC_LDA, f->lda_correlation, 0.0},
        {known[f->kind].exchange, PV_XC_EXCHANGE_CORRECTION, x, 0.0},
        {XC_LDA_X, PV_XC_EXCHANGE_CORRECTION, -x, 0.0},
        {known[f->kind].short_exchange, PV_XC_EXCHANGE_CORRECTION, x_short, w},
        {XC_LDA_X_ERF, PV_XC_EXCHANGE_CORRECTION, (vanishes ? lda_short : 0.0) - x_short, w},
        {known[f->kind].correlation, PV_XC_CORRELATION_CORRECTION, c, 0.0},
        {known[f->kind].lda_inside, PV_XC_CORRELATION_CORRECTION, -c, 0.0},
    };
    pv_xc_terms terms = {0};
    for (int i = 0; i < PV_XC_TERMS; i++) {
        if (list[i].id == known[f->kind].short_exchange) terms.short_range = terms.count;
        const pv_status status = add(&list[i], spins, density_floor, &terms);
        if (status == PV_OK) continue;
        pv_xc_terms_close(&terms);
        return status;
    }
    terms.flat_weight = vanishes && x_short != 0.0 ? lda_short : 0.0;
    find_opposites(&terms);
    find_published(spins, &terms);
    *terms_p = terms;
    return PV_OK;
}

void pv_xc_terms_close(pv_xc_terms *terms)
{
    for (int i = 0; i < terms->count; i++) xc_func_end(&terms->term[i].functional);
    terms->count = 0;
}
