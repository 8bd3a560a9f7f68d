// SPDX-License-Identifier: Apache-2.0
// The run parameters of `parseval dft`: INCAR tags with VASP's names, meanings and defaults, in atomic units.
#ifndef PV_DFT_PARAMS_H
#define PV_DFT_PARAMS_H

#include "dft/files/incar.h"
#include "dft/model/cell.h"
#include "dft/model/functional.h"

typedef enum pv_dft_precision { // PREC; says how the grids follow from the cutoff when NGX.. are not given
    PV_PRECISION_LOW,           // 3/2 G_cut
    PV_PRECISION_NORMAL,        // 3/2 G_cut (Normal, Single, Medium, High)
    PV_PRECISION_ACCURATE       // 2 G_cut: no wrap-around in the density
} pv_dft_precision;

typedef enum pv_dft_smearing { // ISMEAR
    PV_SMEARING_FERMI,         // -1
    PV_SMEARING_GAUSSIAN,      // 0
    PV_SMEARING_METHFESSEL,    // N > 0, Methfessel-Paxton of order smearing_order
    PV_SMEARING_COLD,          // -6, Marzari and Vanderbilt; VASP has no number for it
    PV_SMEARING_FIXED,         // -2
    PV_SMEARING_TETRAHEDRA,    // -4
    PV_SMEARING_TETRAHEDRA_BLOECHL // -5
} pv_dft_smearing;

typedef enum pv_dft_algorithm { // ALGO; every one is accepted and mapped, the solver says what it does
    PV_ALGORITHM_NORMAL, PV_ALGORITHM_FAST, PV_ALGORITHM_VERYFAST, PV_ALGORITHM_ALL, PV_ALGORITHM_DAMPED,
    PV_ALGORITHM_EXACT, PV_ALGORITHM_NOTHING, PV_ALGORITHM_EIGENVALUES
} pv_dft_algorithm;

typedef enum pv_fock_divergence { // HFRCUT: what to do where exact exchange diverges, at k - q + G = 0
    PV_FOCK_PROBE_CHARGE,      // 0: correct by the energy of a periodic probe charge; of a screened kernel the limit
    PV_FOCK_SPHERE             // cut the kernel: -1 at the sphere as large as the k-mesh's supercell, > 0 at a radius
} pv_fock_divergence;

#define PV_MIX_HISTORY 10      // densities that the mixer remembers

typedef struct pv_dft_params {
    char system[64];           // SYSTEM
    double cutoff_ha;          // ENCUT; 0 until pv_dft_params_complete: the largest advised by the potentials
    int cutoff_is_advised;     // which it was
    pv_dft_precision precision; // PREC
    int bands;                 // NBANDS; 0 until completed
    double electrons;          // NELECT; 0 until completed: the sum of valences
    double tolerance_ha;       // EDIFF
    int steps_max, steps_min;  // NELM, NELMIN
    pv_dft_algorithm algorithm; // ALGO
    pv_dft_smearing smearing;  // ISMEAR
    int smearing_order;        // of Methfessel-Paxton
    double smearing_ha;        // SIGMA
    double *fixed_filling[2];  // FERWE, FERDO of ISMEAR = -2, [fixed_count]: shares, bands fastest, then k-points; NULL
    int fixed_count[2];        // all bands at all k-points, or all bands once
    int spins;                 // ISPIN
    double *magnetic_moments;  // MAGMOM, [magnetic_count]; NULL when absent, with ISPIN = 2 until completed
    int magnetic_count;
    double spin_difference;    // NUPDOWN; -1 when free
    int grid[3];               // NGX, NGY, NGZ; 0 means chosen from cutoff and precision
    int fine_grid[3];          // NGXF, NGYF, NGZF; 0 likewise
    pv_functional functional;  // GGA; with LHFCALC AEXX, HFSCREEN, ALDAX, AGGAX, ALDAC, AGGAC
    double mix_amount, mix_wave_bohr; // AMIX; BMIX in 1/bohr (VASP's are 1/Angstrom); 0: chosen
    double mix_moment_amount, mix_moment_wave_bohr; // AMIX_MAG, 0: as mix_amount; BMIX_MAG
    int mix_kind;              // IMIX: 0 none, 1 Kerker, 4 Broyden/Pulay
    int mix_history;           // MAXMIX, absolute value; PV_MIX_HISTORY when absent or 0
    int start_orbitals;        // ISTART: 0 from scratch, else from a file where there is one (also when absent)
    int start_density;         // ICHARG: 0 from orbitals, 1 from a file, 2 atoms; + 10 keeps the density fixed; -1
                               // when absent: 0 if orbitals were read, else 2
    int symmetry;              // ISYM: -1 none, 0 time reversal only, 1 to 3 all
    double symmetry_angstrom;  // SYMPREC
    double spacing;            // KSPACING, 1/Angstrom
    int gamma_centred;         // KGAMMA
    int seed;                  // RANDOM_SEED, first number
    int write_orbitals, write_density; // LWAVE, LCHARG
    int read_path;             // LKPOINTS_OPT: points of KPOINTS_OPT, where there is one
    int stress;                // ISIF: 0 for ISIF = 0, and with LHFCALC
    struct {
        int on;                // LHFCALC
        double fraction;       // AEXX; what acts is functional.exact_fraction, 0 without LHFCALC
        double screening_bohr; // HFSCREEN, in 1/bohr here; 0 is full range; what acts is functional.screening_bohr
        pv_dft_precision precision; // PRECFOCK: LOW (Fast, Low), NORMAL (Normal, Single), ACCURATE; Medium is as PREC;
                               // model/exchange_grid.c says what they hold
        int single;            // PRECFOCK = Single: pairs in single precision while exchange is far from its end
        double cutoff_ha;      // ENCUTFOCK: pair densities hold |G|^2 / 2 up to here; 0: as precision says
        int reduction[3];      // NKREDX, NKREDY, NKREDZ, NKRED
        pv_fock_divergence divergence; // HFRCUT
        double radius_bohr;    // of HFRCUT > 0; 0: from the supercell
        int compressed;        // LFOCKACE
        int compares;          // LFOCKCHECK: a reduced grid with the full one, at the end
    } fock;
    struct {
        int points;            // NEDOS
        double lowest_ha, highest_ha; // EMIN, EMAX; highest <= lowest means around the eigenvalues
    } dos;
    int output_level;          // NWRITE
    int kpoint_groups;         // KPAR; 0: chosen, absent or not a number
    int band_ranks;            // NCORE; 0: absent or not a number
    int band_groups;           // NPAR; likewise
} pv_dft_params;

// Fills *params_p from the INCAR with VASP's defaults for absent tags. Known tags that Parseval does not act on are
// warned about with what they would have changed; those that would change the physics are PV_ERR_UNSUPPORTED unless
// they have the value that means "off"; unknown tags are warned about with the nearest known one. On failure nothing
// is kept. Local.
pv_status pv_dft_params_read(pv_incar *incar, pv_dft_params *params_p);
// Defaults alone: as from an empty INCAR.
void pv_dft_params_defaults(pv_dft_params *params_p);
// Sets what depends on cell and potentials where the INCAR was silent: cutoff_ha, electrons, bands (VASP's rule).
// valence and advised_cutoff_ha are per species of the cell. PV_ERR_INPUT when bands cannot hold the electrons, when
// MAGMOM does not list every atom, or when no potential advises a cutoff and ENCUT is absent.
pv_status pv_dft_params_complete(pv_dft_params *params, const pv_cell *cell, const double *valence,
                                 const double *advised_cutoff_ha);
// Electrons that a full orbital holds: 1 with two spins, else 2.
double pv_dft_params_full(const pv_dft_params *params);
// ISMEAR as a number.
int pv_dft_params_ismear(const pv_dft_params *params);
// Frees what the struct holds and zeroes it.
void pv_dft_params_release(pv_dft_params *params);

#endif
