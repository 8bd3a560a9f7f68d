// SPDX-License-Identifier: Apache-2.0
// The pseudopotential of one species: norm-conserving, from UPF 2 or psp8 radial tables, or analytic (GTH).
//
//   V = V_loc(r) + sum_ij,m |beta_i Y_lm> D_ij <beta_j Y_lm|,   D_ij only between projectors of equal l.
#ifndef PV_DFT_PSEUDO_H
#define PV_DFT_PSEUDO_H

#include <parseval/status.h>

#include "dft/model/atom_density.h"

// A uniform or nearly uniform radial mesh and functions on it, in Hartree atomic units.
typedef struct pv_pseudo_radial {
    int points;                // of all arrays
    int integrated;            // integrals take the first `integrated` points (odd): to the first beyond 10 bohr
    int projector_integrated;  // the same for projectors, which end earlier (odd)
    double *r, *dr;            // [points]; dr: weight dr/di
    double *local_ha;          // V_loc(r)
    double *projector;         // [projectors][points]: r beta_i(r)
    double *core;              // core density rho_core(r) (no r^2), NULL without core correction
    double *density;           // 4 pi r^2 times the atom's valence density; NULL when the file has none
} pv_pseudo_radial;

struct pv_gth;                 // model/gth.h
struct pv_pseudo_tables;       // model/pseudo_tables.h

typedef struct pv_pseudo {
    char element[8];
    char *source;              // "UPF ../pseudo/O.upf", "built-in GTH-PBE-q6": one phrase for the log
    double valence;            // Z, electrons
    int has_core;
    int projectors;
    int *l;                    // [projectors], 0 to 3
    double *coupling_ha;       // D, [projectors][projectors], symmetric
    int l_max;                 // largest l, -1 without projectors
    double cutoff_ha;          // advised plane-wave cutoff; 0 when the source says nothing
    int cutoff_is_found;       // by pseudo_cutoff.h instead
    char functional[32];       // as the source says: "PBE"; "" when it says nothing
    pv_pseudo_radial *radial;  // exactly one of radial and gth is set
    const struct pv_gth *gth;
    struct pv_pseudo_tables *tables; // form factors of a radial potential on a fine q mesh; set by pv_pseudo_prepare
    pv_atom_density model;     // the start density where there is no other; set by pv_pseudo_prepare
} pv_pseudo;

enum { PV_PSEUDO_L_MAX = 3, PV_PSEUDO_PROJECTORS = 64 }; // most that files may have

// With a directory: the first file of the element there, UPF before psp8, then by name; what element a file is for is
// taken from its content. Without (NULL): the built-in GTH-PBE table. Ready for pseudo_form.h.
// PV_ERR_INPUT when there is none for this element (the error lists the elements that there are), when the potential
// is ultrasoft or PAW, or when the file is damaged (file, line).
pv_status pv_pseudo_open(const char *element, const char *directory, pv_pseudo **pseudo_p);
// One file, format by content.
pv_status pv_pseudo_open_file(const char *path, pv_pseudo **pseudo_p);
void pv_pseudo_destroy(pv_pseudo *pseudo);

// For readers of files. A potential with radial arrays of `points` points and `projectors` projectors, all zero; core
// and density only where asked for.
pv_status pv_pseudo_create_radial(int points, int projectors, int has_core, int has_density, pv_pseudo **pseudo_p);
// Checks a potential that a reader has filled, sets l_max, the extent of integrals and all that form factors need.
pv_status pv_pseudo_prepare(pv_pseudo *pseudo);

#endif
