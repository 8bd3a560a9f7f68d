// SPDX-License-Identifier: Apache-2.0
// OUTCAR: everything, for people and for the many programs that read VASP's.
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "dft/files/outcar_head.h"
#include "dft/files/run_text.h"
#include "dft/model/units.h"

// ---- The loop ----------------------------------------------------------------------------------------------------

static void put_timer(FILE *out, const char *name, double cpu_s, double real_s)
{
    fprintf(out, "%12s:  cpu time %10.4f: real time %10.4f\n", name, cpu_s, real_s);
}

static void put_electron_number(FILE *out, const pv_run *run, const pv_run_step *step)
{
    fprintf(out, " number of electron %15.7f magnetization", run->params->electrons);
    if (run->results->spins == 2) fprintf(out, " %15.7f", step->magnetisation);
    fputc('\n', out);
}

static void put_step(FILE *out, const pv_run *run, int number)
{
    const pv_run_step *step = &run->step[number - 1];
    const double share = step->seconds > 0.0 ? step->cpu_seconds / step->seconds : 1.0;
    fprintf(out,
            "\n--------------------------------------- Iteration %6d(%4d)  "
            "---------------------------------------\n\n\n",
            1, number);
    put_timer(out, "POTLOK", step->potential_s * share, step->potential_s);
    put_timer(out, "EDDAV", step->solver_s * share, step->solver_s);
    put_timer(out, "CHARGE", step->density_s * share, step->density_s);
    put_timer(out, "MIXING", step->mixing_s * share, step->mixing_s);
    if (step->fock_s > 0.0) put_timer(out, "FOCK", step->fock_s * share, step->fock_s);
    if (step->fock_s > 0.0) put_timer(out, "FOCKDP", step->fock_double_s * share, step->fock_double_s);
    if (step->way_s > 0.0) put_timer(out, "FOCKWAY", step->way_s * share, step->way_s);
    if (step->way_s > 0.0) put_timer(out, "FOCKWAIT", step->waited_s * share, step->waited_s);
    if (run->ranks > 1) put_timer(out, "COMM", step->comm_s * share, step->comm_s);
    fputs("    --------------------------------------------\n", out);
    put_timer(out, "LOOP", step->cpu_seconds, step->seconds);
    if (step->way_s > 0.0)
        fprintf(out, "\n messages of exchange hidden: %7.2f %%\n", 100.0 * (1.0 - step->waited_s / step->way_s));
    fprintf(out, "\n eigenvalue-minimisations  : %8lld\n", (long long)step->applications);
    fprintf(out, " total energy-change (2. order) :%15.7E  (%15.7E)\n", step->change_ev, step->band_change_ev);
    put_electron_number(out, run, step);
    if (isfinite(step->density_residual))
        fprintf(out, "\n Broyden mixing:\n  rms(total) =%12.5E    rms(broyden)=%12.5E\n", step->density_residual,
                step->density_residual);
    fputs("\n Free energy of the ion-electron system (eV)\n"
          "  ---------------------------------------------------\n",
          out);
    fprintf(out, "  free energy    TOTEN  = %18.8f eV\n\n", step->energy_ev);
    fprintf(out, "  energy without entropy = %18.8f  energy(sigma->0) = %18.8f\n\n\n",
            step->energy_ev - step->smearing_ev, step->sigma0_ev);
    pv_outcar_put_rule(out);
}

// The terms, each with the name that VASP has for the same one where it has one.
static void put_terms(FILE *out, const pv_run *run)
{
    const pv_results *results = run->results;
    static const char *const names[][2] = {
        {"ewald", "Ewald energy   TEWEN "}, {"smearing", "entropy T*S    EENTRO"}, {"fock", "exact exchange EXHF  "}};
    fputs("\n\n Terms of the free energy (eV)\n  ---------------------------------------------------\n", out);
    for (int i = 0; results->energy && i < results->energies; i++) {
        const char *name = results->energy[i].name;
        const double value = results->energy[i].value * PV_HARTREE_EV;
        if (strcmp(name, "fock") == 0 && !run->params->fock.on) continue;
        for (size_t n = 0; n < sizeof names / sizeof *names; n++)
            if (strcmp(results->energy[i].name, names[n][0]) == 0) name = names[n][1];
        fprintf(out, "  %-21s = %18.8f\n", name, pv_run_shown(value, 8));
    }
    fputs("  ---------------------------------------------------\n\n", out);
}

static void put_loop_end(FILE *out, const pv_run *run)
{
    fprintf(out, "\n------------------------ aborting loop %s ------------------------------------\n",
            run->results->converged ? "because EDIFF is reached" : "EDIFF was not reached (unconverged)");
    put_terms(out, run);
    if (!run->results->grid_error.known) return;
    char line[PV_RESULTS_LINE];
    pv_results_grid_error_line(&run->results->grid_error, run->results->atoms, line);
    fprintf(out, "  %s\n\n", line);
}

// ---- Bands -------------------------------------------------------------------------------------------------------

static void put_bands(FILE *out, const pv_run *run)
{
    const pv_results *r = run->results;
    fprintf(out, "\n E-fermi : %9.4f     XC(G=0): %9.4f     alpha+bet : %9.4f\n\n", r->fermi_ev, 0.0, 0.0);
    fprintf(out, "   Fermi energy: %17.10f\n\n", r->fermi_ev);
    for (int spin = 0; spin < r->spins; spin++) {
        fprintf(out, " spin component %d\n\n", spin + 1); // readers look for it without spin, too
        for (int k = 0; k < r->kpoints; k++) {
            fprintf(out, " k-point %5d : %12.4f %9.4f %9.4f\n  band No.  band energies     occupation \n", k + 1,
                    r->kpoint[k][0], r->kpoint[k][1], r->kpoint[k][2]);
            for (int b = 0; b < r->bands; b++) {
                const int64_t i = ((int64_t)spin * r->kpoints + k) * r->bands + b;
                fprintf(out, "%7d  %12.6f  %11.5f\n", b + 1, r->eigenvalue_ev[i], r->occupation[i]);
            }
            fputc('\n', out);
        }
    }
    fputc('\n', out);
    pv_outcar_put_rule(out);
}

// ---- Stress, forces, energy ----------------------------------------------------------------------------------------

static void put_stress(FILE *out, const pv_run *run)
{
    static const int order[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
    const double(*stress)[3] = run->results->stress_kbar;
    if (!stress) return;
    const double ev = run->cell->volume_bohr3 * PV_HARTREE_EV / PV_HARTREE_BOHR3_KBAR;
    fputs("\n  FORCE on cell =-STRESS in cart. coord.  units (eV):\n"
          "  Direction    XX          YY          ZZ          XY          YZ          ZX\n"
          "  --------------------------------------------------------------------------------------\n"
          "  Total  ",
          out);
    for (int i = 0; i < 6; i++) fprintf(out, " %11.5f", pv_run_shown(stress[order[i][0]][order[i][1]] * ev, 5));
    fputs("\n  in kB  ", out);
    for (int i = 0; i < 6; i++) fprintf(out, " %11.5f", pv_run_shown(stress[order[i][0]][order[i][1]], 5));
    fprintf(out, "\n  external pressure = %11.2f kB  Pullay stress = %11.2f kB\n\n",
            (stress[0][0] + stress[1][1] + stress[2][2]) / 3.0, 0.0);
}

static void put_cell(FILE *out, const pv_run *run)
{
    fputs("\n VOLUME and BASIS-vectors are now :\n"
          " -----------------------------------------------------------------------------\n",
          out);
    fprintf(out, "  energy-cutoff  : %11.2f\n  volume of cell : %11.4f\n", run->params->cutoff_ha * PV_HARTREE_EV,
            run->cell->volume_bohr3 * pow(PV_BOHR_ANGSTROM, 3));
    pv_outcar_put_lattice(out, run->cell);
}

// Where forces are not known the table says nan: readers take the positions from it.
static void put_forces(FILE *out, const pv_run *run)
{
    static const double unknown[3] = {NAN, NAN, NAN};
    static const char rule[] = " -----------------------------------------------------------------------------------\n";
    const double(*forces)[3] = run->results->force_ev_angstrom;
    fprintf(out, "\n POSITION                                       TOTAL-FORCE (eV/Angst)\n%s", rule);
    for (int a = 0; a < run->cell->atoms; a++) {
        double at[3];
        const double *force = forces ? forces[a] : unknown;
        pv_cell_to_cartesian(run->cell, run->cell->fractional[a], at);
        for (int c = 0; c < 3; c++) fprintf(out, " %12.7f", pv_run_shown(at[c] * PV_BOHR_ANGSTROM, 7));
        fputs("    ", out);
        for (int c = 0; c < 3; c++) fprintf(out, " %13.8f", pv_run_shown(force[c], 8));
        fputc('\n', out);
    }
    fputs(rule, out);
    if (isfinite(run->drift_ev_angstrom[0]))
        fprintf(out, "    total drift:                            %13.6f %13.6f %13.6f\n",
                pv_run_shown(run->drift_ev_angstrom[0], 6), pv_run_shown(run->drift_ev_angstrom[1], 6),
                pv_run_shown(run->drift_ev_angstrom[2], 6));
    fputs("\n\n", out);
    pv_outcar_put_rule(out);
}

// Two blanks between "free" and "energy": readers tell this block from those of the steps by them.
static void put_energy(FILE *out, const pv_run *run)
{
    const double free_ev = run->results->energy_ha * PV_HARTREE_EV;
    fputs("\n\n  FREE ENERGIE OF THE ION-ELECTRON SYSTEM (eV)\n"
          "  ---------------------------------------------------\n",
          out);
    fprintf(out, "  free  energy   TOTEN  = %18.8f eV\n\n", free_ev);
    fprintf(out, "  energy  without entropy= %18.8f  energy(sigma->0) = %18.8f\n\n\n", free_ev - run->smearing_ev,
            run->results->energy_sigma0_ha * PV_HARTREE_EV);
    pv_outcar_put_rule(out);
}

// What scaling studies need beyond VASP's lines, in their form. The whole run is set-up, steps, and what is left.
static void put_parts(FILE *out, const pv_run *run, double steps_s)
{
    double fock_s = 0.0, way_s = 0.0, waited_s = 0.0;
    for (int i = 0; i < run->steps; i++) {
        fock_s += run->step[i].fock_s;
        way_s += run->step[i].way_s;
        waited_s += run->step[i].waited_s;
    }
    fprintf(out, "                       Initialization (sec): %12.3f\n", run->setup_s);
    fprintf(out, "             After the last iteration (sec): %12.3f\n",
            fmax(run->seconds - run->setup_s - steps_s, 0.0));
    fprintf(out, "                       Exact exchange (sec): %12.3f\n", fock_s);
    if (way_s > 0.0)
        fprintf(out,
                "                 Messages of exchange (sec): %12.3f\n"
                "                   of which waited for (sec): %12.3f\n",
                way_s, waited_s);
    fprintf(out, "                        Communication (sec): %12.3f\n\n", run->comm_s);
}

// LOOP+ is the steps with energies, forces and stress after them.
static void put_end(FILE *out, const pv_run *run)
{
    double steps_s = 0.0, cpu_s = run->forces_s * (run->seconds > 0.0 ? run->cpu_seconds / run->seconds : 1.0);
    for (int i = 0; i < run->steps; i++) {
        steps_s += run->step[i].seconds;
        cpu_s += run->step[i].cpu_seconds;
    }
    fputc('\n', out);
    put_timer(out, "LOOP+", cpu_s, steps_s + run->forces_s);
    fputs("\n\n General timing and accounting informations for this job:\n"
          " ========================================================\n\n",
          out);
    fprintf(out, "                  Total CPU time used (sec): %12.3f\n", run->cpu_seconds);
    fprintf(out, "                         Elapsed time (sec): %12.3f\n\n", run->seconds);
    put_parts(out, run, steps_s);
    fprintf(out, "                   Maximum memory used (kb): %12.0f.\n", (double)run->peak_bytes / 1024.0);
}

static void put_found(FILE *out, const pv_run *run)
{
    put_loop_end(out, run);
    put_bands(out, run);
    put_stress(out, run);
    put_cell(out, run);
    put_forces(out, run);
    put_energy(out, run);
    put_end(out, run);
}

const pv_run_text pv_outcar_text = {"OUTCAR", pv_outcar_put_head, put_step, put_found};

pv_status pv_outcar_write(const char *path, const pv_run *run)
{
    PV_REQUIRE(run->results && run->step && run->results->eigenvalue_ev && run->results->occupation, PV_ERR_ARGUMENT,
               "OUTCAR of a run without steps, eigenvalues or occupations, for %s", path);
    return pv_run_text_write(&pv_outcar_text, path, run);
}
