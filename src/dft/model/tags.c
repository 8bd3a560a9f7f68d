// SPDX-License-Identifier: Apache-2.0
// Mostly a table; its order is by class, then by subject.
#include "dft/model/tags.h"

#include <string.h>
#include <strings.h>

#include "base/spell.h"
#include "dft/files/text.h"

#define READ(name) {name, PV_TAG_READ, "", ""}
#define HARMLESS(name, note) {name, PV_TAG_HARMLESS, "", note}
#define AS_IS(name, value, note) {name, PV_TAG_HARMLESS, value, note}
#define PART_OF(name, tag, note) {name, PV_TAG_HARMLESS, "", note ", which " tag " switches on"}
#define PHYSICS(name, off, note) {name, PV_TAG_PHYSICS, off, note}

static const pv_tag tags[] = {
    READ("SYSTEM"), READ("ENCUT"), READ("ENMAX"), READ("PREC"), READ("NBANDS"), READ("NELECT"), READ("EDIFF"), READ("NELM"),
    READ("NELMIN"), READ("ALGO"), READ("IALGO"), READ("ISMEAR"), READ("SIGMA"), READ("FERWE"), READ("FERDO"), READ("ISPIN"), READ("MAGMOM"),
    READ("NUPDOWN"), READ("NGX"), READ("NGY"), READ("NGZ"), READ("NGXF"), READ("NGYF"), READ("NGZF"), READ("GGA"),
    READ("AMIX"), READ("BMIX"), READ("AMIX_MAG"), READ("BMIX_MAG"), READ("IMIX"), READ("MAXMIX"), READ("ISTART"), READ("ICHARG"), READ("ISYM"),
    READ("SYMPREC"), READ("KSPACING"), READ("KGAMMA"), READ("RANDOM_SEED"), READ("LWAVE"),
    READ("LCHARG"), READ("ISIF"), READ("LHFCALC"), READ("AEXX"), READ("HFSCREEN"), READ("PRECFOCK"), READ("NKRED"),
    READ("NKREDX"), READ("NKREDY"), READ("NKREDZ"), READ("LFOCKACE"), READ("LFOCKCHECK"), READ("LXCFLAT"),
    READ("ENCUTFOCK"), READ("HFRCUT"),
    READ("ALDAX"), READ("AGGAX"), READ("ALDAC"), READ("AGGAC"), READ("NWRITE"),
    READ("NEDOS"), READ("EMIN"), READ("EMAX"), READ("KPAR"), READ("NCORE"), READ("NPAR"),
    READ("LKPOINTS_OPT"),

    HARMLESS("NCORE_IN_IMAGE1", "how bands are spread over ranks"),
    HARMLESS("NTAUPAR", "how frequencies are spread over ranks"),
    HARMLESS("NOMEGAPAR", "how frequencies are spread over ranks"),
    HARMLESS("NSIM", "how many bands are optimised at a time: here all of a k-point"),
    HARMLESS("NBLK", "the block size of matrix operations"),
    HARMLESS("NBLOCK_FOCK", "how many bands of the exchange are handled at a time"),
    AS_IS("LPLANE", "T|F", "how planes of the grid are spread over ranks"),
    AS_IS("LSCALU", "T|F", "which LU decomposition is used"),
    HARMLESS("LSCALAPACK", "whether ScaLAPACK is used"),
    HARMLESS("LSCAAWARE", "whether ScaLAPACK distributes its data"),
    HARMLESS("LELPA", "whether ELPA is used"),
    HARMLESS("LASYNC", "whether communication overlaps"),
    HARMLESS("LUSENCCL", "whether NCCL is used (--transport decides)"),
    HARMLESS("NCSHMEM", "shared memory between ranks"),
    HARMLESS("MAXMEM", "how much memory may be used"),
    HARMLESS("KBLOCK", "how many k-points are handled at a time"),
    HARMLESS("NHC_*", "the thermostat of molecular dynamics"),

    HARMLESS("AMIN", "the least mixing of the density"),
    HARMLESS("INIMIX", "the first step of the mixing"),
    HARMLESS("MIXPRE", "the metric of the mixing"),
    HARMLESS("WC", "the weights of the mixing"),
    HARMLESS("INCREM", "the increments of a mixing study"),
    HARMLESS("TIME", "the step of ALGO = Damped: exchange is mixed by itself"),
    HARMLESS("NELMDL", "steps before the density is updated"),
    HARMLESS("LDIAG", "whether orbitals are rotated to eigenstates"),
    HARMLESS("LSUBROT", "how orbitals are rotated"),
    HARMLESS("INIWAV", "the start of the orbitals"),
    HARMLESS("NRMM", "the steps of the eigensolver"),
    HARMLESS("NDAV", "the steps of the eigensolver"),
    HARMLESS("EBREAK", "when the eigensolver stops"),
    HARMLESS("DEPER", "when the eigensolver stops"),
    HARMLESS("WEIMIN", "the occupation below which a band counts as empty"),
    HARMLESS("ENINI", "the cutoff of the first steps"),
    HARMLESS("STOP_ON", "when the run stops early"),
    HARMLESS("LREAL", "projection in real space (always in reciprocal space here)"),
    HARMLESS("ROPT", "the accuracy of projection in real space"),
    HARMLESS("ADDGRID", "a finer grid for augmentation charges, which norm-conserving potentials do not have"),
    HARMLESS("LASPH", "non-spherical terms inside PAW spheres, which norm-conserving potentials do not have"),
    HARMLESS("LMAXPAW", "terms inside PAW spheres, which norm-conserving potentials do not have"),
    HARMLESS("LMAXMIX", "what of the PAW spheres is mixed"),
    HARMLESS("LMAXFOCK", "exchange inside PAW spheres"),
    HARMLESS("LMAXFOCKAE", "exchange inside PAW spheres"),
    HARMLESS("NMAXFOCKAE", "exchange inside PAW spheres"),
    HARMLESS("QMAXFOCKAE", "exchange inside PAW spheres"),
    HARMLESS("LFOCKAEDFT", "functionals inside PAW spheres"),
    HARMLESS("ENAUG", "the cutoff of augmentation charges"),
    HARMLESS("HFALPHA", "the width of the probe charge that corrects the divergence of exact exchange"),
    HARMLESS("NLSPLINE", "the interpolation of projectors"),
    HARMLESS("LCOMPAT", "agreement with an older version of VASP"),
    HARMLESS("GGA_COMPAT", "agreement with an older version of VASP"),
    HARMLESS("LMIXTAU", "the mixing of the kinetic-energy density"),
    HARMLESS("LMAXTAU", "the kinetic-energy density inside PAW spheres"),
    HARMLESS("LCORR", "the correction of forces for a change of the density"),
    HARMLESS("IWAVPR", "how orbitals are extrapolated between ionic steps"),
    HARMLESS("POMASS", "ionic masses"),
    HARMLESS("RWIGS", "radii for projections"),
    HARMLESS("VOSKOWN", "the interpolation of spin in GGA correlation"),
    HARMLESS("SYMMETRIZE_*", "how results are symmetrised"),

    AS_IS("IBRION", "-1", "how ions move (NSW = 0 keeps them)"),
    AS_IS("EDIFFG", "0", "when a relaxation ends"),
    HARMLESS("POTIM", "the step of a relaxation or of molecular dynamics"),
    HARMLESS("NFREE", "the history of a relaxation"),
    HARMLESS("NBLOCK", "how often molecular dynamics writes"),
    HARMLESS("SMASS", "the thermostat of molecular dynamics"),
    HARMLESS("MDALGO", "the thermostat of molecular dynamics"),
    HARMLESS("TEBEG", "the temperature of molecular dynamics"),
    HARMLESS("TEEND", "the temperature of molecular dynamics"),
    HARMLESS("LANGEVIN_*", "the thermostat of molecular dynamics"),
    HARMLESS("ANDERSEN_PROB", "the thermostat of molecular dynamics"),
    HARMLESS("CSVR_PERIOD", "the thermostat of molecular dynamics"),
    HARMLESS("PMASS", "the barostat of molecular dynamics"),
    HARMLESS("PSTRESS", "an outer pressure on a relaxation"),
    HARMLESS("APACO", "pair correlations of molecular dynamics"),
    HARMLESS("NPACO", "pair correlations of molecular dynamics"),
    HARMLESS("SCALEE", "thermodynamic integration"),
    HARMLESS("LATTICE_CONSTRAINTS", "which lattice vectors relax"),
    HARMLESS("IOPT", "the optimiser of a relaxation"),
    HARMLESS("DIMER_DIST", "a search for saddle points"),
    HARMLESS("MINROT", "a search for saddle points"),
    HARMLESS("STEP_*", "a search for saddle points"),
    HARMLESS("SPRING", "a nudged elastic band"),
    HARMLESS("LCLIMB", "a nudged elastic band"),

    AS_IS("LORBIT", "0", "projected densities of states, which are not written"),
    HARMLESS("LORBMOM", "orbital moments, which are not written"),
    HARMLESS("EFERMI", "how the Fermi energy is reported"),
    HARMLESS("LVTOT", "the local potential, which is not written"),
    HARMLESS("LVHAR", "the electrostatic potential, which is not written"),
    HARMLESS("LVACPOTAV", "averages of the potential, which are not written"),
    HARMLESS("WRT_POTENTIAL", "potentials, which are not written"),
    HARMLESS("LELF", "the localisation function, which is not written"),
    HARMLESS("LAECHG", "the all-electron density, which is not written"),
    HARMLESS("LPARD", "band-decomposed densities, which are not written"),
    HARMLESS("LPARDH5", "band-decomposed densities, which are not written"),
    HARMLESS("LSEPB", "band-decomposed densities, which are not written"),
    HARMLESS("LSEPK", "band-decomposed densities, which are not written"),
    HARMLESS("IBAND", "band-decomposed densities, which are not written"),
    HARMLESS("EINT", "band-decomposed densities, which are not written"),
    HARMLESS("KPUSE", "band-decomposed densities, which are not written"),
    HARMLESS("NBMOD", "band-decomposed densities, which are not written"),
    HARMLESS("LSTM", "images of tunnelling microscopes, which are not written"),
    HARMLESS("LOPTICS", "optical properties, which are not computed"),
    HARMLESS("CSHIFT", "optical properties, which are not computed"),
    HARMLESS("LNABLA", "optical properties, which are not computed"),
    HARMLESS("LEPSILON", "the dielectric tensor, which is not computed"),
    HARMLESS("LRPA", "the dielectric tensor, which is not computed"),
    HARMLESS("LCALCEPS", "the dielectric tensor, which is not computed"),
    HARMLESS("LPEAD", "derivatives of orbitals, which are not computed"),
    HARMLESS("IPEAD", "derivatives of orbitals, which are not computed"),
    HARMLESS("LBERRY", "the polarisation, which is not computed"),
    HARMLESS("LCALCPOL", "the polarisation, which is not computed"),
    HARMLESS("IGPAR", "the polarisation, which is not computed"),
    HARMLESS("NPPSTR", "the polarisation, which is not computed"),
    HARMLESS("DIPOL", "the centre of a dipole (LDIPOL switches the correction)"),
    HARMLESS("LEFG", "field gradients, which are not computed"),
    HARMLESS("QUAD_EFG", "field gradients, which are not computed"),
    HARMLESS("LHYPERFINE", "hyperfine parameters, which are not computed"),
    HARMLESS("NGYROMAG", "hyperfine parameters, which are not computed"),
    HARMLESS("LCHIMAG", "shieldings, which are not computed"),
    HARMLESS("LBONE", "shieldings, which are not computed"),
    HARMLESS("LNMR_SYM_RED", "shieldings, which are not computed"),
    HARMLESS("ICHIBARE", "shieldings, which are not computed"),
    HARMLESS("DQ", "shieldings, which are not computed"),
    HARMLESS("CL*", "core levels, which are not computed"),
    HARMLESS("CH_*", "core-hole spectra, which are not computed"),
    HARMLESS("LDAUPRINT", "what of DFT+U is printed"),
    HARMLESS("LKPROJ", "projections on k-points, which are not computed"),
    HARMLESS("LOCPROJ", "local projections, which are not computed"),
    HARMLESS("LOCPROJ/*", "local projections, which are not computed"),
    HARMLESS("PROUTINE", "what of the run is printed"),
    HARMLESS("LWANNIER90*", "Wannier functions, which are not computed"),
    HARMLESS("LWRITE_*", "files for Wannier functions, which are not written"),
    HARMLESS("WANNIER90_WIN", "Wannier functions, which are not computed"),
    HARMLESS("NUM_WANN", "Wannier functions, which are not computed"),
    HARMLESS("LSCDM", "Wannier functions, which are not computed"),
    HARMLESS("CUTOFF_TYPE", "Wannier functions, which are not computed"),
    HARMLESS("CUTOFF_MU", "Wannier functions, which are not computed"),
    HARMLESS("CUTOFF_SIGMA", "Wannier functions, which are not computed"),
    HARMLESS("LH5", "the file format of orbitals and density"),
    HARMLESS("LWAVEH5", "the file format of the orbitals"),
    HARMLESS("LCHARGH5", "the file format of the density"),
    HARMLESS("KPOINTS_OPT_*", "how bands along a path are computed"),
    HARMLESS("TARGET_*", "checks of memory"),

    PHYSICS("NSW", "0|-1", "the number of ionic steps (ions stay where they are here)"),
    PHYSICS("IMAGES", "0", "a chain of images"),
    PHYSICS("LNONCOLLINEAR", "F", "non-collinear magnetism"),
    PHYSICS("LSORBIT", "F", "spin-orbit coupling"),
    PART_OF("SAXIS", "LSORBIT or LNONCOLLINEAR", "the axis of spins"),
    PHYSICS("LSPIRAL", "F", "spin spirals"),
    PART_OF("QSPIRAL", "LSPIRAL", "spin spirals"),
    PART_OF("LZEROZ", "LSPIRAL", "spin spirals"),
    PHYSICS("I_CONSTRAINED_M", "0", "constrained moments"),
    PART_OF("M_CONSTR", "I_CONSTRAINED_M", "constrained moments"),
    PART_OF("LAMBDA", "I_CONSTRAINED_M", "constrained moments"),
    PHYSICS("BEXT", "0", "an outer magnetic field"),
    PHYSICS("LDAU", "F", "DFT+U"),
    PART_OF("LDAUTYPE", "LDAU", "DFT+U"),
    PART_OF("LDAUL", "LDAU", "DFT+U"),
    PART_OF("LDAUU", "LDAU", "DFT+U"),
    PART_OF("LDAUJ", "LDAU", "DFT+U"),
    PHYSICS("METAGGA", "NONE|--", "a meta-GGA functional"),
    PART_OF("CMBJ*", "METAGGA = MBJ", "the modified Becke-Johnson potential"),
    PHYSICS("AMGGAX", "1", "a meta-GGA functional"),
    PHYSICS("AMGGAC", "1", "a meta-GGA functional"),
    PHYSICS("XC", "", "a functional by name"),
    PHYSICS("XC_C", "", "a functional by name"),
    PHYSICS("LIBXC*", "", "a functional of libxc"),
    PHYSICS("IVDW", "0", "dispersion corrections"),
    PHYSICS("LVDW", "F", "dispersion corrections"),
    PHYSICS("LUSE_VDW", "F", "a van der Waals functional"),
    PART_OF("LVDW_*", "IVDW", "dispersion corrections"),
    PART_OF("VDW_*", "IVDW", "dispersion corrections"),
    PHYSICS("LVDWSCS", "F", "dispersion corrections"),
    PHYSICS("LSCSGRAD", "T|F", "dispersion corrections"),
    PART_OF("ZAB_VDW", "LUSE_VDW", "a van der Waals functional"),
    PART_OF("BPARAM", "LUSE_VDW", "a van der Waals functional"),
    PHYSICS("PARAM1", "", "the parameters of a functional"),
    PHYSICS("PARAM2", "", "the parameters of a functional"),
    PHYSICS("PARAM3", "", "the parameters of a functional"),
    PHYSICS("HFSCREENC", "0", "screening of the correlation"),
    PHYSICS("HFKIDENT", "F", "the exchange between equal k-points"),
    PHYSICS("LRHFCALC", "F", "long-ranged exchange"),
    PHYSICS("LTHOMAS", "F", "Thomas-Fermi screened exchange"),
    PHYSICS("LMODELHF", "F", "dielectric-dependent exchange"),
    PHYSICS("LHARTREE", "T", "the Hartree term"),
    PHYSICS("EVENONLY", "F", "which k-points the exchange sums over"),
    PHYSICS("ODDONLY", "F", "which k-points the exchange sums over"),
    PHYSICS("LSINGLES", "F", "singles of the random-phase approximation"),
    PHYSICS("LDIPOL", "F", "the dipole correction"),
    PHYSICS("IDIPOL", "0", "the dipole correction"),
    PHYSICS("LMONO", "F", "the monopole correction"),
    PHYSICS("EPSILON", "1", "the dielectric constant of the monopole correction"),
    PHYSICS("EFIELD", "0", "an electric field"),
    PHYSICS("EFIELD_PEAD", "0", "an electric field"),
    PHYSICS("LSOL", "F", "an implicit solvent"),
    PHYSICS("ISOL", "0", "an implicit solvent"),
    PHYSICS("KERNEL_TRUNCATION/*", "F|0", "a truncated Coulomb kernel"),
    PHYSICS("PLUGINS/*", "F", "Python plug-ins"),
    PHYSICS("LFINITE_TEMPERATURE", "F", "occupations of finite temperature"),
    PHYSICS("SMEARINGS", "", "several smearings in one run"),
    PHYSICS("VCA", "1", "mixed atoms"),
    PHYSICS("VCAIMAGES", "", "mixed cells"),
    PHYSICS("ZVAL", "", "the valence of the potentials"),
    PHYSICS("ICORELEVEL", "0", "core holes"),
    PHYSICS("NUCIND", "F", "nuclear currents"),
    PHYSICS("MAGPOS", "", "a magnetic dipole"),
    PHYSICS("MAGDIPOL", "", "a magnetic dipole"),
    PHYSICS("ORBITALMAG", "F", "orbital magnetism"),
    PHYSICS("ML_LMLFF", "F", "machine-learned forces"),
    PHYSICS("ML_*", "", "machine-learned forces"),
    PHYSICS("PHON_*", "", "phonons"),
    PHYSICS("LPHON_*", "F", "phonons"),
    PHYSICS("ELPH_*", "", "electron-phonon coupling"),
    PHYSICS("LADDER", "T", "the Bethe-Salpeter equation"),
    PHYSICS("ANTIRES", "", "the Bethe-Salpeter equation"),
    PHYSICS("IBSE", "", "the Bethe-Salpeter equation"),
    PHYSICS("BSE*", "", "the Bethe-Salpeter equation"),
    PHYSICS("NBANDSO", "", "the Bethe-Salpeter equation"),
    PHYSICS("NBANDSV", "", "the Bethe-Salpeter equation"),
    PHYSICS("NBANDSGW", "", "GW"),
    PHYSICS("NBANDSEXACT", "", "GW"),
    PHYSICS("NELMGW", "", "GW"),
    PHYSICS("NOMEGA*", "", "GW"),
    PHYSICS("OMEGA*", "", "GW"),
    PHYSICS("ENCUTGW*", "", "GW"),
    PHYSICS("LSPECTRAL*", "F", "GW"),
    PHYSICS("LSELFENERGY", "F", "GW"),
    PHYSICS("LFXC*", "F", "a local-field kernel"),
    PHYSICS("LTRIPLET", "F", "a local-field kernel"),
    PHYSICS("LCRPA", "F", "constrained RPA"),
    PHYSICS("NCRPA_BANDS", "", "constrained RPA"),
    PHYSICS("NTARGET_STATES", "", "constrained RPA"),
    PHYSICS("ESTOP", "", "stochastic orbitals"),
    PHYSICS("NSTORB", "", "stochastic orbitals"),
    PHYSICS("CONCH", "", "charge of the cell by region"),
    PHYSICS("SHAKE*", "", "constrained molecular dynamics"),
    PHYSICS("HILLS_*", "", "metadynamics"),
    PHYSICS("NSUBSYS", "", "several thermostats"),
    PHYSICS("TSUBSYS", "", "several thermostats"),
    PHYSICS("PSUBSYS", "", "several thermostats"),
};

enum { TAGS = sizeof tags / sizeof tags[0] };

static int matches(const char *pattern, const char *name)
{
    size_t length = strlen(pattern);
    if (pattern[length - 1] == '*') return strncasecmp(pattern, name, length - 1) == 0;
    return strcasecmp(pattern, name) == 0;
}

// Exact names come before patterns.
const pv_tag *pv_tag_find(const char *name)
{
    for (int i = 0; i < TAGS; i++)
        if (strcasecmp(tags[i].name, name) == 0) return &tags[i];
    for (int i = 0; i < TAGS; i++)
        if (matches(tags[i].name, name)) return &tags[i];
    return NULL;
}

const char *pv_tag_nearest(const char *name) { return pv_spell_nearest(name, &tags[0].name, TAGS, sizeof tags[0]); }

// T for .TRUE. and its like, F alike, 0 for anything else.
static char logical_of(pv_word word)
{
    if (word.begin < word.end && *word.begin == '.') word.begin++;
    if (word.begin < word.end && word.end[-1] == '.') word.end--;
    if (pv_word_is(word, "T") || pv_word_is(word, "TRUE")) return 'T';
    return pv_word_is(word, "F") || pv_word_is(word, "FALSE") ? 'F' : 0;
}

static int same(pv_word a, pv_word b)
{
    double x, y;
    if (pv_word_real(a, &x) && pv_word_real(b, &y)) return x == y;
    if (logical_of(a)) return logical_of(a) == logical_of(b);
    const size_t length = (size_t)(a.end - a.begin);
    return length == (size_t)(b.end - b.begin) && strncasecmp(a.begin, b.begin, length) == 0;
}

// Every word of the value must be off: EFIELD_PEAD = 0 0 0.
int pv_tag_is_off(const pv_tag *tag, const char *value)
{
    pv_word rest = {value, value + strlen(value)}, word;
    int words = 0;
    for (; pv_word_next(&rest, &word); words++) {
        int off = 0;
        for (const char *at = tag->off; *at && !off;) {
            const char *end = at + strcspn(at, "|");
            off = same(word, (pv_word){at, end});
            at = *end ? end + 1 : end;
        }
        if (!off) return 0;
    }
    return words > 0;
}
