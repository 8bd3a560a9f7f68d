// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/xc_terms.h"

#include "base/check.h"

// mu, beta: PBE's exchange keeps the linear response of LDA, mu = beta pi^2 / 3; PBEsol's has the gradient expansion's.
static const struct {
    int corrected;
    pv_xc_hole hole;
    double mu, beta;
} known[] = {
    [PV_FUNCTIONAL_LDA] = {0, PV_XC_HOLE_NONE, 0.0, 0.0},
    [PV_FUNCTIONAL_PBE] = {1, PV_XC_HOLE_EP, 0.2195149727645171, 0.06672455060314922},
    [PV_FUNCTIONAL_PBESOL] = {1, PV_XC_HOLE_HJS, 10.0 / 81.0, 0.046},
};

pv_status pv_xc_terms_of(const pv_functional *f, pv_xc_terms *terms_p)
{
    PV_REQUIRE((size_t)f->kind < sizeof known / sizeof *known, PV_ERR_ARGUMENT, "functional %d is not known",
               (int)f->kind);
    const int corrected = known[f->kind].corrected, screened = f->screening_bohr > 0.0;
    // Of the whole exchange and, screened, of its short range.
    const double lda_short = screened ? f->lda_exchange - 1.0 : 0.0;
    const double hole_short = corrected && screened ? f->gradient_exchange - 1.0 : 0.0;
    // As in Quantum ESPRESSO, where all of the short range is part of the gradient's correction and vanishes with it.
    const int vanishes = corrected && screened && !f->flat_counts;
    *terms_p = (pv_xc_terms){
        .hole = screened ? known[f->kind].hole : PV_XC_HOLE_NONE,
        .screening_bohr = f->screening_bohr,
        .mu = known[f->kind].mu,
        .beta = known[f->kind].beta,
        .lda_exchange = screened ? 1.0 : f->lda_exchange,
        .lda_short = vanishes ? 0.0 : lda_short,
        .lda_correlation = f->lda_correlation,
        .exchange = !corrected ? 0.0 : screened ? 1.0 : f->gradient_exchange,
        .correlation = corrected ? f->gradient_correlation : 0.0,
        .hole_short = hole_short,
        .uniform_short = (vanishes ? lda_short : 0.0) - hole_short,
        .flat_weight = vanishes && hole_short != 0.0 ? lda_short : 0.0,
    };
    terms_p->gradients = terms_p->exchange != 0.0 || terms_p->correlation != 0.0;
    return PV_OK;
}
