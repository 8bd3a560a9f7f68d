// SPDX-License-Identifier: Apache-2.0
// A small calculation, solved, and what tests compare of it.
#ifndef PV_TESTS_DFT_SOLVED_H
#define PV_TESTS_DFT_SOLVED_H

#include <parseval/dft.h>

#include "case.h"

// Of a calculation: what tests compare. The first atoms, the first bands of the first k-point.
typedef struct outcome {
    double energy, exchange, forces[8][3], stress[3][3], eigenvalues[8];
} outcome;

// pseudo: folder with potentials, NULL for built-in ones. orbital_comm: NULL for the host alone. The calculation,
// converged; what *s_p shows is its own.
static inline pv_dft *solve_in(const fixture *f, pv_comm *orbital_comm, const char *poscar, const char *incar,
                               const char *kpoints, const char *pseudo, char folder[64], pv_dft_summary *s_p)
{
    pv_dft *dft;
    pv_dft_options options = pv_dft_options_defaults();
    make_case(f, poscar, incar, kpoints, folder);
    options.directory = folder;
    options.pseudo_directory = pseudo;
    options.orbital_comm = orbital_comm;
    assert_ok(pv_dft_create(f->comm, &options, &dft));
    assert_ok(pv_dft_solve(dft));
    pv_dft_summarise(dft, s_p);
    assert_true(s_p->converged);
    return dft;
}

static inline outcome solve_case_on(const fixture *f, pv_comm *orbital_comm, const char *poscar, const char *incar,
                                    const char *kpoints, const char *pseudo)
{
    char folder[64];
    pv_dft_summary s;
    pv_dft *dft = solve_in(f, orbital_comm, poscar, incar, kpoints, pseudo, folder, &s);
    outcome o = {.energy = s.energies.free_ha, .exchange = s.energies.fock_ha};
    for (int a = 0; a < s.atoms && a < 8; a++) memcpy(o.forces[a], s.forces_ha_bohr[a], sizeof o.forces[a]);
    for (int b = 0; b < s.bands && b < 8; b++) o.eigenvalues[b] = s.eigenvalues_ha[b];
    if (s.stress_ha_bohr3) memcpy(o.stress, s.stress_ha_bohr3, sizeof o.stress);
    pv_dft_destroy(dft);
    remove_case(f, folder);
    return o;
}

static inline outcome solve_case(const fixture *f, const char *poscar, const char *incar, const char *kpoints,
                                 const char *pseudo)
{
    return solve_case_on(f, NULL, poscar, incar, kpoints, pseudo);
}

#endif
