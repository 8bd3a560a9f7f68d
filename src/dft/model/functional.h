// SPDX-License-Identifier: Apache-2.0
// A density functional in the words of VASP's tags: a semilocal one (GGA), and with LHFCALC how much of its exchange
// makes room for exact exchange and at which range. With x exact, S the short-range part (erfc(w r)/r):
//
//   full range (w = 0)  AEXX x + ALDAX LDA_x + AGGAX (GGA_x - LDA_x)                            PBE0: 1/4, 3/4, 3/4
//   screened            AEXX S x + GGA_x - (1 - ALDAX) S LDA_x - (1 - AGGAX) S (GGA_x - LDA_x)   HSE06: w = 0.2 / Angstrom
//   and                 ALDAC LDA_c + AGGAC (GGA_c - LDA_c)
#ifndef PV_DFT_FUNCTIONAL_H
#define PV_DFT_FUNCTIONAL_H

#include <stddef.h>

typedef enum pv_functional_kind {
    PV_FUNCTIONAL_LDA,         // Perdew and Zunger, Phys. Rev. B 23, 5048 (1981)
    PV_FUNCTIONAL_PBE,         // Perdew, Burke and Ernzerhof, Phys. Rev. Lett. 77, 3865 (1996)
    PV_FUNCTIONAL_PBESOL       // Perdew et al., Phys. Rev. Lett. 100, 136406 (2008)
} pv_functional_kind;

typedef struct pv_functional {
    pv_functional_kind kind;   // GGA
    double exact_fraction;     // AEXX: what exact exchange is multiplied with, once; 0 without LHFCALC
    double screening_bohr;     // w, HFSCREEN in 1/bohr; 0: full range
    double lda_exchange, gradient_exchange;       // ALDAX, AGGAX
    double lda_correlation, gradient_correlation; // ALDAC, AGGAC
    int flat_counts;           // LXCFLAT: short-range exchange counts where the density is flat, too (terms/xc.h)
} pv_functional;

// The semilocal functional alone. Pure.
pv_functional pv_functional_of(pv_functional_kind kind);
// The hybrid with VASP's shares: the rest of the exchange semilocal, correlation whole (none beside pure exact
// exchange).
pv_functional pv_functional_hybrid_of(pv_functional_kind kind, double exact_fraction, double screening_bohr);
// VASP's two letters.
const char *pv_functional_tag(const pv_functional *functional);
// "PBE", "PBE0", "HSE06", "PBEsol + 0.3 exact exchange, erfc(0.106 r)/r".
void pv_functional_text(const pv_functional *functional, size_t size, char *text);

#endif
