// SPDX-License-Identifier: Apache-2.0
#include "dft/files/vasprun_input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "dft/files/text.h"
#include "dft/model/element.h"
#include "dft/model/units.h"

// Text between tags; what no encoding can have is left out.
static void put_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '&') fputs("&amp;", out);
        else if (*text == '<') fputs("&lt;", out);
        else if (*text == '>') fputs("&gt;", out);
        else if (*text == '"') fputs("&quot;", out);
        else if ((unsigned char)*text >= ' ' && (unsigned char)*text < 127) fputc(*text, out);
        else fputc(' ', out);
    }
}

static void put_string(FILE *out, const char *name, const char *value)
{
    fprintf(out, "  <i type=\"string\" name=\"%s\">", name);
    put_text(out, value);
    fputs("</i>\n", out);
}

static void put_int(FILE *out, const char *name, int value)
{
    fprintf(out, "  <i type=\"int\" name=\"%s\">%8d</i>\n", name, value);
}

static void put_logical(FILE *out, const char *name, int value)
{
    fprintf(out, "  <i type=\"logical\" name=\"%s\"> %c </i>\n", name, value ? 'T' : 'F');
}

static void put_real(FILE *out, const char *name, double value)
{
    fprintf(out, "  <i name=\"%s\"> %18.10g</i>\n", name, value);
}

static void put_program(FILE *out, const pv_run *run)
{
    fputs(" <generator>\n", out);
    put_string(out, "program", "parseval");
    put_string(out, "version", run->version);
    put_string(out, "date", run->date);
    put_string(out, "time", run->time);
    fputs(" </generator>\n", out);
}

// ---- INCAR -------------------------------------------------------------------------------------------------------

// What only looks like a number or a logical (ALGO = F).
static int is_word(const char *tag)
{
    static const char *const tags[] = {"SYSTEM", "ALGO", "PREC", "PRECFOCK", "GGA", "METAGGA", "LREAL"};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (strcasecmp(tag, tags[i]) == 0) return 1;
    return 0;
}

// -1 when the value is none.
static int logical_of(const char *value)
{
    static const char *const words[] = {"F", ".F.", "FALSE", ".FALSE.", "T", ".T.", "TRUE", ".TRUE."};
    for (int i = 0; i < 8; i++)
        if (strcasecmp(value, words[i]) == 0) return i / 4;
    return -1;
}

// One number, or n*number. Returns how many numbers it is, 0 when it is none.
static int numbers_of(pv_word word, double *value)
{
    int repeat = 1;
    const char *star = memchr(word.begin, '*', (size_t)(word.end - word.begin));
    if (star) {
        if (!pv_word_int((pv_word){word.begin, star}, &repeat) || repeat < 1) return 0;
        word.begin = star + 1;
    }
    return pv_word_real(word, value) ? repeat : 0;
}

// Up to the first word that is none, such as a unit.
static int count_numbers(pv_word rest)
{
    int count = 0, more;
    double value;
    pv_word word;
    while (pv_word_next(&rest, &word) && (more = numbers_of(word, &value)) > 0) count += more;
    return count;
}

static void put_numbers(FILE *out, const char *tag, pv_word rest)
{
    int count;
    double value;
    pv_word word;
    fprintf(out, "  <v name=\"%s\">", tag);
    while (pv_word_next(&rest, &word) && (count = numbers_of(word, &value)) > 0)
        while (count-- > 0) fprintf(out, " %.10g", value);
    fputs(" </v>\n", out);
}

static void put_number(FILE *out, const char *tag, pv_word rest)
{
    int integer;
    double real;
    pv_word word;
    pv_word_next(&rest, &word);
    if (pv_word_int(word, &integer)) put_int(out, tag, integer);
    else if (numbers_of(word, &real)) put_real(out, tag, real);
}

static void put_tag(FILE *out, const char *tag, const char *value)
{
    const pv_word whole = {value, value + strlen(value)};
    const int numbers = is_word(tag) ? 0 : count_numbers(whole);
    if (numbers > 1 || (numbers == 1 && strcasecmp(tag, "MAGMOM") == 0)) put_numbers(out, tag, whole);
    else if (numbers == 1) put_number(out, tag, whole);
    else if (!is_word(tag) && logical_of(value) >= 0) put_logical(out, tag, logical_of(value));
    else put_string(out, tag, value);
}

static void put_incar(FILE *out, const pv_incar *incar)
{
    fputs(" <incar>\n", out);
    for (int i = 0; incar && i < pv_incar_count(incar); i++)
        put_tag(out, pv_incar_tag(incar, i), pv_incar_value(incar, i));
    fputs(" </incar>\n", out);
}

// ---- Parameters --------------------------------------------------------------------------------------------------

static void put_parameters(FILE *out, const pv_run *run)
{
    static const char *const precisions[] = {"low", "normal", "accurate"};
    const pv_dft_params *p = run->params;
    fputs(" <parameters>\n  <separator name=\"electronic\" >\n", out);
    put_string(out, "SYSTEM", p->system);
    put_string(out, "PREC", precisions[p->precision]);
    put_real(out, "ENMAX", p->cutoff_ha * PV_HARTREE_EV);
    put_real(out, "ENCUT", p->cutoff_ha * PV_HARTREE_EV);
    put_real(out, "EDIFF", p->tolerance_ha * PV_HARTREE_EV);
    put_real(out, "NELECT", p->electrons);
    put_int(out, "NBANDS", p->bands);
    put_int(out, "NELM", p->steps_max);
    put_int(out, "NELMIN", p->steps_min);
    put_int(out, "ISTART", p->start_orbitals);
    put_int(out, "ICHARG", p->start_density);
    put_int(out, "ISMEAR", pv_dft_params_ismear(p));
    put_real(out, "SIGMA", p->smearing_ha * PV_HARTREE_EV);
    put_int(out, "ISPIN", p->spins);
    put_logical(out, "LNONCOLLINEAR", 0);
    put_logical(out, "LSORBIT", 0);
    put_real(out, "NUPDOWN", p->spin_difference);
    put_string(out, "GGA", pv_functional_tag(&p->functional));
    put_logical(out, "LDAU", 0);
    put_logical(out, "LHFCALC", p->fock.on);
    put_real(out, "AEXX", p->functional.exact_fraction);
    put_real(out, "HFSCREEN", p->functional.screening_bohr / PV_BOHR_ANGSTROM);
    fputs("  </separator>\n  <separator name=\"ionic\" >\n", out);
    put_int(out, "NSW", 0);
    put_int(out, "IBRION", -1);
    put_int(out, "ISIF", p->stress ? 2 : 0);
    put_int(out, "ISYM", p->symmetry);
    put_real(out, "SYMPREC", p->symmetry_angstrom);
    fputs("  </separator>\n  <separator name=\"grids\" >\n", out);
    static const char *const grids[] = {"NGX", "NGY", "NGZ", "NGXF", "NGYF", "NGZF"};
    for (int i = 0; i < 6; i++) put_int(out, grids[i], (int)(i < 3 ? run->orbital_grid[i] : run->grid[i - 3]));
    put_int(out, "NEDOS", run->dos.points);
    fputs("  </separator>\n </parameters>\n", out);
}

// ---- k-points and atoms --------------------------------------------------------------------------------------------

static void put_mesh(FILE *out, const pv_kpoints *kpoints)
{
    fputs("  <generation param=\"Gamma\">\n", out);
    fprintf(out, "   <v type=\"int\" name=\"divisions\"> %8d %8d %8d </v>\n", kpoints->mesh[0], kpoints->mesh[1],
            kpoints->mesh[2]);
    fputs("   <v name=\"usershift\">", out);
    // Whole steps move the mesh onto itself.
    for (int i = 0; i < 3; i++) fprintf(out, " %16.8f", kpoints->shift[i] - floor(kpoints->shift[i] + 1e-9));
    fputs(" </v>\n", out);
    for (int i = 0; i < 3; i++) {
        fprintf(out, "   <v name=\"genvec%d\">", i + 1);
        for (int j = 0; j < 3; j++) fprintf(out, " %16.8f", i == j ? 1.0 / kpoints->mesh[i] : 0.0);
        fputs(" </v>\n", out);
    }
    fputs("   <v name=\"shift\">       0.00000000       0.00000000       0.00000000 </v>\n  </generation>\n", out);
}

static void put_kpoints(FILE *out, const pv_run *run)
{
    const pv_results *r = run->results;
    fputs(" <kpoints>\n", out);
    if (run->kpoints && run->kpoints->is_mesh) put_mesh(out, run->kpoints);
    fputs("  <varray name=\"kpointlist\" >\n", out);
    for (int k = 0; k < r->kpoints; k++)
        fprintf(out, "   <v> %16.10f %16.10f %16.10f </v>\n", r->kpoint[k][0], r->kpoint[k][1], r->kpoint[k][2]);
    fputs("  </varray>\n  <varray name=\"weights\" >\n", out);
    for (int k = 0; k < r->kpoints; k++) fprintf(out, "   <v> %16.10f </v>\n", r->weight[k]);
    fputs("  </varray>\n </kpoints>\n", out);
}

static void put_types(FILE *out, const pv_run *run)
{
    const pv_cell *cell = run->cell;
    fputs("  <array name=\"atomtypes\" >\n   <dimension dim=\"1\">type</dimension>\n"
          "   <field type=\"int\">atomspertype</field>\n   <field type=\"string\">element</field>\n"
          "   <field>mass</field>\n   <field>valence</field>\n   <field type=\"string\">pseudopotential</field>\n"
          "   <set>\n", out);
    for (int a = 0; a < cell->atoms; a += pv_run_group_at(cell, a).count) {
        const int s = cell->species_of[a];
        const char *element = cell->species_name[s];
        fprintf(out, "    <rc><c>%4d</c><c>%-2s</c><c> %15.8f</c><c> %15.8f</c><c>  NC %s ",
                pv_run_group_at(cell, a).count, element, pv_element_mass(pv_element_number(element)),
                run->valence ? run->valence[s] : 0.0, element);
        put_text(out, run->potential ? run->potential[s] : "");
        fputs("</c></rc>\n", out);
    }
    fputs("   </set>\n  </array>\n", out);
}

static void put_atoms(FILE *out, const pv_run *run)
{
    const pv_cell *cell = run->cell;
    fprintf(out, " <atominfo>\n  <atoms> %8d </atoms>\n  <types> %8d </types>\n", cell->atoms, pv_run_groups(cell));
    fputs("  <array name=\"atoms\" >\n   <dimension dim=\"1\">ion</dimension>\n"
          "   <field type=\"string\">element</field>\n   <field type=\"int\">atomtype</field>\n   <set>\n", out);
    for (int a = 0, type = 0; a < cell->atoms; a++) {
        type += a == 0 || cell->species_of[a] != cell->species_of[a - 1];
        fprintf(out, "    <rc><c>%-2s</c><c>%4d</c></rc>\n", cell->species_name[cell->species_of[a]], type);
    }
    fputs("   </set>\n  </array>\n", out);
    put_types(out, run);
    fputs(" </atominfo>\n", out);
}

void pv_vasprun_put_input(FILE *out, const pv_run *run)
{
    put_program(out, run);
    put_incar(out, run->incar);
    put_kpoints(out, run);
    put_parameters(out, run);
    put_atoms(out, run);
}
