// SPDX-License-Identifier: Apache-2.0
// vasprun.xml: the same for programs.
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "dft/files/run.h"
#include "dft/files/vasprun_input.h"
#include "dft/model/units.h"

static void put_vectors(FILE *out, const char *name, const double (*vectors)[3], int count, double factor)
{
    fprintf(out, "  <varray name=\"%s\" >\n", name);
    for (int i = 0; i < count; i++)
        fprintf(out, "   <v> %19.12f %19.12f %19.12f </v>\n", pv_run_shown(vectors[i][0] * factor, 12),
                pv_run_shown(vectors[i][1] * factor, 12), pv_run_shown(vectors[i][2] * factor, 12));
    fputs("  </varray>\n", out);
}

static void put_structure(FILE *out, const char *name, const pv_cell *cell)
{
    if (name) fprintf(out, " <structure name=\"%s\" >\n", name);
    else fputs(" <structure>\n", out);
    fputs("  <crystal>\n", out);
    put_vectors(out, "basis", cell->lattice_bohr, 3, PV_BOHR_ANGSTROM);
    fprintf(out, "   <i name=\"volume\"> %18.9f </i>\n", cell->volume_bohr3 * pow(PV_BOHR_ANGSTROM, 3));
    put_vectors(out, "rec_basis", cell->reciprocal, 3, 1.0 / (2.0 * PV_PI * PV_BOHR_ANGSTROM));
    fputs("  </crystal>\n", out);
    put_vectors(out, "positions", (const double (*)[3])cell->fractional, cell->atoms, 1.0);
    if (cell->selective) {
        fputs("  <varray type=\"logical\" name=\"selective\" >\n", out);
        for (int a = 0; a < cell->atoms; a++)
            fprintf(out, "   <v type=\"logical\"> %c %c %c </v>\n", cell->movable[a][0] ? 'T' : 'F',
                    cell->movable[a][1] ? 'T' : 'F', cell->movable[a][2] ? 'T' : 'F');
        fputs("  </varray>\n", out);
    }
    fputs(" </structure>\n", out);
}

static void put_energy(FILE *out, double free_ev, double smearing_ev, double sigma0_ev)
{
    fprintf(out, "   <energy>\n    <i name=\"e_fr_energy\"> %18.8f </i>\n    <i name=\"e_wo_entrp\"> %18.8f </i>\n"
                 "    <i name=\"e_0_energy\"> %18.8f </i>\n   </energy>\n", free_ev, free_ev - smearing_ev, sigma0_ev);
}

static void put_steps(FILE *out, const pv_run *run)
{
    for (int i = 0; i < run->steps; i++) {
        const pv_run_step *step = &run->step[i];
        fprintf(out, "  <scstep>\n   <time name=\"diag\"> %11.4f %11.4f</time>\n", step->solver_s, step->solver_s);
        fprintf(out, "   <time name=\"total\"> %11.4f %11.4f</time>\n", step->cpu_seconds, step->seconds);
        put_energy(out, step->energy_ev, step->smearing_ev, step->sigma0_ev);
        fputs("  </scstep>\n", out);
    }
}

static void put_eigenvalues(FILE *out, const pv_run *run)
{
    const pv_results *r = run->results;
    fputs("  <eigenvalues>\n   <array>\n    <dimension dim=\"1\">band</dimension>\n"
          "    <dimension dim=\"2\">kpoint</dimension>\n    <dimension dim=\"3\">spin</dimension>\n"
          "    <field>eigene</field>\n    <field>occ</field>\n    <set>\n", out);
    for (int spin = 0; spin < r->spins; spin++) {
        fprintf(out, "     <set comment=\"spin %d\">\n", spin + 1);
        for (int k = 0; k < r->kpoints; k++) {
            fprintf(out, "      <set comment=\"kpoint %d\">\n", k + 1);
            for (int b = 0; b < r->bands; b++)
                fprintf(out, "       <r> %12.6f %9.6f </r>\n",
                        r->eigenvalue_ev[((int64_t)spin * r->kpoints + k) * r->bands + b],
                        pv_run_filling(run, spin, k, b));
            fputs("      </set>\n", out);
        }
        fputs("     </set>\n", out);
    }
    fputs("    </set>\n   </array>\n  </eigenvalues>\n", out);
}

static void put_dos(FILE *out, const pv_run *run)
{
    const pv_run_dos *dos = &run->dos;
    fprintf(out, "  <dos>\n   <i name=\"efermi\"> %15.8f </i>\n   <total>\n    <array>\n"
                 "     <dimension dim=\"1\">gridpoints</dimension>\n     <dimension dim=\"2\">spin</dimension>\n"
                 "     <field>energy</field>\n     <field>total</field>\n     <field>integrated</field>\n     <set>\n",
            run->results->fermi_ev);
    for (int spin = 0; spin < run->results->spins; spin++) {
        fprintf(out, "      <set comment=\"spin %d\">\n", spin + 1);
        for (int i = 0; i < dos->points; i++)
            fprintf(out, "       <r> %12.6f %14.7f %14.7f </r>\n", dos->energy_ev[i],
                    dos->density[spin * dos->points + i], dos->integral[spin * dos->points + i]);
        fputs("      </set>\n", out);
    }
    fputs("     </set>\n    </array>\n   </total>\n  </dos>\n", out);
}

static void put_calculation(FILE *out, const pv_run *run)
{
    const pv_results *r = run->results;
    fputs(" <calculation>\n", out);
    put_steps(out, run);
    put_structure(out, NULL, run->cell);
    if (r->force_ev_angstrom) put_vectors(out, "forces", r->force_ev_angstrom, run->cell->atoms, 1.0);
    if (r->stress_kbar) put_vectors(out, "stress", r->stress_kbar, 3, 1.0);
    put_energy(out, r->energy_ha * PV_HARTREE_EV, run->smearing_ev, r->energy_sigma0_ha * PV_HARTREE_EV);
    fprintf(out, "  <time name=\"totalsc\"> %11.4f %11.4f</time>\n", run->cpu_seconds, run->seconds);
    put_eigenvalues(out, run);
    if (run->dos.points > 0) put_dos(out, run);
    fputs(" </calculation>\n", out);
}

static void put(FILE *out, const pv_run *run)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<modeling>\n", out);
    pv_vasprun_put_input(out, run);
    put_structure(out, "initialpos", run->cell);
    put_calculation(out, run);
    put_structure(out, "finalpos", run->cell);
    fputs("</modeling>\n", out);
}

pv_status pv_vasprun_write(const char *path, const pv_run *run)
{
    PV_REQUIRE(run->results && run->step && run->results->eigenvalue_ev && run->results->occupation, PV_ERR_ARGUMENT,
               "vasprun.xml of a run without steps, eigenvalues or occupations, for %s", path);
    return pv_run_write(path, put, run);
}
