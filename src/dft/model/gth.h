// SPDX-License-Identifier: Apache-2.0
// Analytic pseudopotentials of Goedecker, Teter and Hutter, Phys. Rev. B 54, 1703 (1996), in the form of Hartwigsen,
// Goedecker and Hutter, Phys. Rev. B 58, 3641 (1998), with the PBE parameters of Krack, Theor. Chem. Acc. 114, 145
// (2005). Transforms in closed form, as pseudo_form.h states them.
#ifndef PV_DFT_GTH_H
#define PV_DFT_GTH_H

#define PV_GTH_LOCAL 4     // most local coefficients
#define PV_GTH_CHANNELS 4  // s, p, d, f
#define PV_GTH_PROJECTORS 3 // most projectors of one l

typedef struct pv_gth {
    const char *element;
    int valence;               // electrons
    double cutoff_ha;          // advised, by the rule in scripts/make_gth_table
    double r_local;            // bohr
    double c_local[PV_GTH_LOCAL]; // Ha
    struct {
        double r;              // bohr
        int count;             // 0 to 3 projectors
        double h[PV_GTH_PROJECTORS][PV_GTH_PROJECTORS]; // Ha, symmetric
    } channel[PV_GTH_CHANNELS];
} pv_gth;

// Rows of gth_table.c, by atomic number.
extern const pv_gth pv_gth_table[];
extern const int pv_gth_count;

// The row of an element; NULL when there is none.
const pv_gth *pv_gth_find(const char *element);

double pv_gth_local_form(const pv_gth *gth, double q);
// Projector i (from 0) of angular momentum l.
double pv_gth_projector_form(const pv_gth *gth, int l, int i, double q);

#endif
