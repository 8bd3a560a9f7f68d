// SPDX-License-Identifier: Apache-2.0
#include "dft/model/params.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/log.h"
#include "base/mem.h"
#include "dft/files/text.h"
#include "dft/model/params_read.h"
#include "dft/model/tags.h"
#include "dft/model/units.h"

#define EV (1.0 / PV_HARTREE_EV)
#define PER_ANGSTROM PV_BOHR_ANGSTROM // 1/Angstrom in 1/bohr
#define AT(field) offsetof(pv_dft_params, field)

// Tags that are one number or one logical: where it goes, in which unit, and what is accepted.
typedef struct number {
    const char *tag;
    enum { REAL, INT, LOGICAL } type;
    size_t offset;
    double factor;             // REAL
    double minimum, maximum;   // in the file's unit
} number;

static const number numbers[] = {
    {"ENMAX", REAL, AT(cutoff_ha), EV, 1.0, 1e5}, // ENCUT's older name
    {"ENCUT", REAL, AT(cutoff_ha), EV, 1.0, 1e5},
    {"NBANDS", INT, AT(bands), 0, 1, 1e6},
    {"NELECT", REAL, AT(electrons), 1.0, 1e-3, 1e7},
    {"EDIFF", REAL, AT(tolerance_ha), EV, 0.0, 1.0},
    {"NELM", INT, AT(steps_max), 0, 1, 1e6},
    {"NELMIN", INT, AT(steps_min), 0, 0, 1e6},
    {"SIGMA", REAL, AT(smearing_ha), EV, 1e-6, 10.0},
    {"ISPIN", INT, AT(spins), 0, 1, 2},
    {"NUPDOWN", REAL, AT(spin_difference), 1.0, -1.0, 1e6},
    {"NGX", INT, AT(grid[0]), 0, 1, 1e5},
    {"NGY", INT, AT(grid[1]), 0, 1, 1e5},
    {"NGZ", INT, AT(grid[2]), 0, 1, 1e5},
    {"NGXF", INT, AT(fine_grid[0]), 0, 1, 1e5},
    {"NGYF", INT, AT(fine_grid[1]), 0, 1, 1e5},
    {"NGZF", INT, AT(fine_grid[2]), 0, 1, 1e5},
    {"AMIX", REAL, AT(mix_amount), 1.0, 1e-6, 1.0},
    {"BMIX", REAL, AT(mix_wave_bohr), PER_ANGSTROM, 1e-6, 100.0},
    {"AMIX_MAG", REAL, AT(mix_moment_amount), 1.0, 1e-6, 100.0},
    {"BMIX_MAG", REAL, AT(mix_moment_wave_bohr), PER_ANGSTROM, 1e-6, 100.0},
    {"ISTART", INT, AT(start_orbitals), 0, 0, 3},
    {"ISYM", INT, AT(symmetry), 0, -1, 3},
    {"SYMPREC", REAL, AT(symmetry_angstrom), 1.0, 1e-12, 1.0},
    {"KSPACING", REAL, AT(spacing), 1.0, 1e-4, 100.0},
    {"KGAMMA", LOGICAL, AT(gamma_centred), 0, 0, 0},
    {"LWAVE", LOGICAL, AT(write_orbitals), 0, 0, 0},
    {"LCHARG", LOGICAL, AT(write_density), 0, 0, 0},
    {"LKPOINTS_OPT", LOGICAL, AT(read_path), 0, 0, 0},
    {"NEDOS", INT, AT(dos.points), 0, 2, 1e6},
    {"EMIN", REAL, AT(dos.lowest_ha), EV, -1e5, 1e5},
    {"EMAX", REAL, AT(dos.highest_ha), EV, -1e5, 1e5},
    {"NWRITE", INT, AT(output_level), 0, 0, 4},
};

// Tags that are one word: what VASP compares, the first letters, without case.
static const pv_params_word precisions[] = {{"LOW", PV_PRECISION_LOW},       {"MED", PV_PRECISION_NORMAL},
                                  {"NORMAL", PV_PRECISION_NORMAL}, {"SINGLE", PV_PRECISION_NORMAL},
                                  {"HIGH", PV_PRECISION_NORMAL},   {"ACCURATE", PV_PRECISION_ACCURATE},
                                  {NULL, 0}};
static const pv_params_word algorithms[] = {
    {"NORMAL", PV_ALGORITHM_NORMAL}, {"FAST", PV_ALGORITHM_FAST},       {"VERYFAST", PV_ALGORITHM_VERYFAST},
    {"ALL", PV_ALGORITHM_ALL},       {"CONJUGATE", PV_ALGORITHM_ALL},   {"DAMPED", PV_ALGORITHM_DAMPED},
    {"EXACT", PV_ALGORITHM_EXACT},   {"SUBROT", PV_ALGORITHM_EXACT},    {"NOTHING", PV_ALGORITHM_NOTHING},
    {"NONE", PV_ALGORITHM_NOTHING},  {"EIGENVAL", PV_ALGORITHM_EIGENVALUES}, {NULL, 0}};

void pv_dft_params_defaults(pv_dft_params *params_p)
{
    *params_p = (pv_dft_params){
        .precision = PV_PRECISION_NORMAL,
        .tolerance_ha = 1e-4 * EV,
        .steps_max = 60,
        .steps_min = 2,
        .algorithm = PV_ALGORITHM_NORMAL,
        .smearing = PV_SMEARING_METHFESSEL,
        .smearing_order = 1,
        .smearing_ha = 0.2 * EV,
        .spins = 1,
        .spin_difference = -1.0,
        .functional = pv_functional_of(PV_FUNCTIONAL_PBE),
        .mix_kind = 4,
        .mix_history = PV_MIX_HISTORY,
        .start_orbitals = 1,
        .start_density = -1,
        .symmetry = 2,
        .symmetry_angstrom = 1e-5,
        .spacing = 0.5,
        .gamma_centred = 1,
        .write_orbitals = 1,
        .write_density = 1,
        .read_path = 1,
        .stress = 1,
        .fock = {.fraction = 0.25, .precision = PV_PRECISION_NORMAL, .reduction = {1, 1, 1}, .compressed = 1,
                 .compares = 1},
        .dos = {.points = 301},
        .output_level = 2,
    };
}

static pv_status read_number(pv_incar *incar, const number *n, pv_dft_params *params)
{
    void *field = (char *)params + n->offset;
    if (n->type == LOGICAL) return pv_incar_logical(incar, n->tag, field);
    if (n->type == INT) return pv_params_read_int(incar, n->tag, (int)n->minimum, (int)n->maximum, field);
    PV_TRY(pv_params_read_real(incar, n->tag, n->minimum, n->maximum, field));
    if (pv_incar_has(incar, n->tag)) *(double *)field *= n->factor;
    return PV_OK;
}

static pv_status read_words(pv_incar *incar, pv_dft_params *params)
{
    int precision = params->precision, algorithm = params->algorithm, ialgo = 0;
    PV_TRY(pv_params_read_word(incar, "PREC", precisions, &precision));
    PV_TRY(pv_params_read_word(incar, "ALGO", algorithms, &algorithm));
    params->precision = (pv_dft_precision)precision;
    PV_TRY(pv_incar_int(incar, "IALGO", &ialgo));
    if (ialgo && !pv_incar_has(incar, "ALGO")) {
        static const int numbered[][2] = {{2, PV_ALGORITHM_NOTHING},   {38, PV_ALGORITHM_NORMAL},
                                          {48, PV_ALGORITHM_VERYFAST}, {53, PV_ALGORITHM_DAMPED},
                                          {58, PV_ALGORITHM_ALL},      {68, PV_ALGORITHM_FAST},
                                          {90, PV_ALGORITHM_EXACT}};
        size_t i = 0;
        while (i < sizeof numbered / sizeof numbered[0] && numbered[i][0] != ialgo) i++;
        PV_REQUIRE(i < sizeof numbered / sizeof numbered[0], PV_ERR_INPUT,
                   "%s: found IALGO = %d; 2, 38, 48, 53, 58, 68 and 90 are accepted, ALGO says the same in words",
                   pv_incar_name(incar), ialgo);
        algorithm = numbered[i][1];
    }
    params->algorithm = (pv_dft_algorithm)algorithm;
    return PV_OK;
}

static pv_status read_mixing(pv_incar *incar, pv_dft_params *params)
{
    PV_TRY(pv_incar_int(incar, "IMIX", &params->mix_kind));
    PV_REQUIRE(params->mix_kind == 0 || params->mix_kind == 1 || params->mix_kind == 4, PV_ERR_INPUT,
               "%s: found IMIX = %d; 0 (none), 1 (Kerker) and 4 (Pulay) are accepted", pv_incar_name(incar),
               params->mix_kind);
    int history = 0;
    PV_TRY(pv_incar_int(incar, "MAXMIX", &history));
    PV_REQUIRE(history >= -1000 && history <= 1000, PV_ERR_INPUT, "%s: found MAXMIX = %d; -1000 to 1000 is accepted",
               pv_incar_name(incar), history);
    params->mix_history = history == 0 ? PV_MIX_HISTORY : history < 0 ? -history : history;
    return PV_OK;
}

static pv_status read_start(pv_incar *incar, pv_dft_params *params)
{
    PV_TRY(pv_incar_int(incar, "ICHARG", &params->start_density));
    const int kind = params->start_density;
    PV_REQUIRE((kind >= -1 && kind <= 2) || (kind >= 10 && kind <= 12), PV_ERR_INPUT,
               "%s: found ICHARG = %d; 0, 1, 2 and 10, 11, 12 are accepted", pv_incar_name(incar), kind);
    double *seeds;
    int count;
    PV_TRY(pv_incar_reals(incar, "RANDOM_SEED", &seeds, &count));
    if (count > 0 && fabs(seeds[0]) < 2e9) params->seed = (int)seeds[0];
    pv_mem_free(seeds);
    return PV_OK;
}

// The stress of exact exchange is not there, and what is left without it would be wrong.
static pv_status read_stress(pv_incar *incar, pv_dft_params *params)
{
    int kind = params->fock.on ? 0 : 2;
    PV_TRY(pv_incar_int(incar, "ISIF", &kind));
    PV_REQUIRE(kind >= 0 && kind <= 8, PV_ERR_INPUT, "%s: found ISIF = %d; 0 to 8 is accepted", pv_incar_name(incar),
               kind);
    params->stress = kind > 0 && !params->fock.on;
    if (kind > 0 && params->fock.on)
        pv_log(PV_LOG_WARN,
               "%s: ISIF = %d asks for the stress, which is not available with LHFCALC = .TRUE.; it is left out",
               pv_incar_name(incar), kind);
    return PV_OK;
}

// How work is shared out changes no result, and so its tag ends no run.
static pv_status read_share(pv_incar *incar, const char *tag, const char *instead, int *count_p)
{
    const char *text = NULL;
    char shown[PV_WORD_SHOWN];
    PV_TRY(pv_incar_text(incar, tag, &text));
    if (!text) return PV_OK;
    pv_word rest = {text, text + strlen(text)}, word = {text, text};
    int asked = 0;
    pv_word_next(&rest, &word);
    const int is_number = pv_word_int(word, &asked);
    if (!is_number)
        pv_log(PV_LOG_WARN, "%s: found %s = '%s'; an integer is accepted, and %s instead", pv_incar_name(incar), tag,
               pv_word_show(word, shown), instead);
    else if (asked < 1)
        pv_log(PV_LOG_WARN, "%s: found %s = %d; 1 is the least, and is taken", pv_incar_name(incar), tag, asked);
    *count_p = is_number && asked < 1 ? 1 : asked;
    return PV_OK;
}

static pv_status read_groups(pv_incar *incar, pv_dft_params *params)
{
    PV_TRY(read_share(incar, "KPAR", "the number of groups is chosen", &params->kpoint_groups));
    PV_TRY(read_share(incar, "NCORE", "it is left out", &params->band_ranks));
    return read_share(incar, "NPAR", "it is left out", &params->band_groups);
}

// Every ALGO is one solver here; those that would not have iterated in VASP are worth more than a note.
static void tell_algorithm(const pv_incar *incar, const pv_dft_params *params)
{
    static const char *const names[] = {"Normal", "Fast", "VeryFast", "All", "Damped", "Exact", "Nothing", "Eigenval"};
    const pv_dft_algorithm algorithm = params->algorithm;
    if (algorithm == PV_ALGORITHM_NORMAL) return;
    const int iterates = algorithm != PV_ALGORITHM_NOTHING && algorithm != PV_ALGORITHM_EIGENVALUES;
    const int refused_by_vasp =
        params->fock.on && (algorithm == PV_ALGORITHM_FAST || algorithm == PV_ALGORITHM_VERYFAST);
    pv_log(iterates && !refused_by_vasp ? PV_LOG_INFO : PV_LOG_WARN,
           "%s: ALGO = %s%s is taken as Normal: blocked Davidson steps with mixing of the density to self-consistency",
           pv_incar_name(incar), names[algorithm], refused_by_vasp ? ", which VASP does not offer for hybrids," : "");
}

static void tell_spins(const pv_incar *incar, const pv_dft_params *params)
{
    static const char *const tags[] = {"MAGMOM", "NUPDOWN"};
    for (size_t i = 0; params->spins == 1 && i < sizeof tags / sizeof *tags; i++)
        if (pv_incar_has(incar, tags[i]) && !(i == 1 && params->spin_difference < 0.0))
            pv_log(PV_LOG_WARN, "%s: %s gives no spins without ISPIN = 2", pv_incar_name(incar), tags[i]);
}

static pv_status read_all(pv_incar *incar, pv_dft_params *params)
{
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) PV_TRY(read_number(incar, &numbers[i], params));
    PV_TRY(read_words(incar, params));
    PV_TRY(pv_params_read_occupation(incar, params));
    PV_TRY(read_mixing(incar, params));
    PV_TRY(read_start(incar, params));
    PV_TRY(pv_params_read_hybrid(incar, params));
    PV_TRY(read_stress(incar, params));
    PV_TRY(read_groups(incar, params));
    tell_algorithm(incar, params);
    tell_spins(incar, params);
    const char *system = "";
    PV_TRY(pv_incar_text(incar, "SYSTEM", &system));
    snprintf(params->system, sizeof params->system, "%s", system);
    return pv_incar_reals(incar, "MAGMOM", &params->magnetic_moments, &params->magnetic_count);
}

// Ionic motion that NSW = 0 does not switch off: phonons by displacement or response.
static int asks_phonons(const char *tag, const char *value)
{
    return strcmp(tag, "IBRION") == 0 && strchr("5678", *value) && *value;
}

// NSW counts steps that leave ions where they are then.
static int keeps_ions(pv_incar *incar)
{
    for (int i = 0; i < pv_incar_count(incar); i++)
        if (strcmp(pv_incar_tag(incar, i), "IBRION") == 0)
            return pv_tag_is_off(pv_tag_find("IBRION"), pv_incar_value(incar, i));
    return 0;
}

// "F or 0"
static const char *alternatives(const char *values, char text[64])
{
    size_t used = 0;
    for (const char *at = values; *at && used < 63; at++)
        used += (size_t)snprintf(text + used, 64 - used, *at == '|' ? " or " : "%c", *at);
    return text;
}

static pv_status refuse_physics(pv_incar *incar, int index)
{
    const char *name = pv_incar_name(incar), *tag = pv_incar_tag(incar, index), *value = pv_incar_value(incar, index);
    const int line = pv_incar_line(incar, index);
    const pv_tag *known = pv_tag_find(tag);
    char text[64] = "";
    PV_REQUIRE(!asks_phonons(tag, value), PV_ERR_UNSUPPORTED, "%s:%d: found IBRION = %.40s; phonons are not available",
               name, line, value);
    if (!known || known->class != PV_TAG_PHYSICS || pv_tag_is_off(known, value)) return PV_OK;
    if (strcmp(tag, "NSW") == 0 && keeps_ions(incar)) return PV_OK;
    PV_FAIL(PV_ERR_UNSUPPORTED, "%s:%d: found %s = %.40s, which sets %s; not available%s%s%s", name, line, tag, value,
            known->note, *known->off ? ", " : "", alternatives(known->off, text), *known->off ? " is accepted" : "");
}

// LELF = F and its like say what is done here.
static int is_as_here(const pv_tag *known, const char *value)
{
    static const pv_tag off = {.off = "F"};
    return pv_tag_is_off(known, value) || (*known->name == 'L' && pv_tag_is_off(&off, value));
}

static void tell_ignored(const pv_incar *incar, int index)
{
    const char *name = pv_incar_name(incar), *tag = pv_incar_tag(incar, index), *value = pv_incar_value(incar, index);
    const int line = pv_incar_line(incar, index);
    const pv_tag *known = pv_tag_find(tag);
    if (!known) {
        const char *nearest = pv_tag_nearest(tag);
        pv_log(PV_LOG_WARN, "%s:%d: %s is not a known tag and is ignored%s%s", name, line, tag,
               nearest ? "; the nearest known one is " : "", nearest ? nearest : "");
    } else if (known->class == PV_TAG_HARMLESS && !is_as_here(known, value))
        pv_log(PV_LOG_WARN, "%s:%d: %s = %.40s is not used and changes no result; it sets %s", name, line, tag, value,
               known->note);
}

pv_status pv_dft_params_read(pv_incar *incar, pv_dft_params *params_p)
{
    pv_dft_params params;
    pv_dft_params_defaults(&params);
    for (int i = 0; i < pv_incar_count(incar); i++) PV_TRY(refuse_physics(incar, i));
    for (int i = 0; i < pv_incar_count(incar); i++) tell_ignored(incar, i);
    pv_status status = read_all(incar, &params);
    if (status == PV_OK) *params_p = params;
    else pv_dft_params_release(&params);
    return status;
}

void pv_dft_params_release(pv_dft_params *params)
{
    pv_mem_free(params->magnetic_moments);
    pv_mem_free(params->fixed_filling[0]);
    pv_mem_free(params->fixed_filling[1]);
    *params = (pv_dft_params){0};
}
