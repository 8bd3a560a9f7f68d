// SPDX-License-Identifier: Apache-2.0
#include "dft/files/outcar_head.h"

#include <inttypes.h>
#include <math.h>

#include "dft/model/element.h"
#include "dft/model/exchange_grid.h"
#include "dft/model/units.h"

static char logical(int value) { return value ? 'T' : 'F'; }

void pv_outcar_put_rule(FILE *out)
{
    for (int i = 0; i < 104; i++) fputc('-', out);
    fputc('\n', out);
}

void pv_outcar_put_lattice(FILE *out, const pv_cell *cell)
{
    fputs("      direct lattice vectors                 reciprocal lattice vectors\n", out);
    for (int i = 0; i < 3; i++) {
        fputs("  ", out);
        for (int c = 0; c < 3; c++)
            fprintf(out, " %14.9f", pv_run_shown(cell->lattice_bohr[i][c] * PV_BOHR_ANGSTROM, 9));
        fputs("  ", out);
        for (int c = 0; c < 3; c++)
            fprintf(out, " %14.9f", pv_run_shown(cell->reciprocal[i][c] / (2.0 * PV_PI) / PV_BOHR_ANGSTROM, 9));
        fputc('\n', out);
    }
    fputc('\n', out);
}

static void put_machine(FILE *out, const pv_run *run)
{
    fprintf(out, " parseval %s, files in the format of VASP's\n", run->version);
    fprintf(out, " executed on date %s  %s\n", run->date, run->time);
    fprintf(out, " running on %4d total cores\n", run->ranks * run->threads);
    if (run->nodes > 0)
        fprintf(out, " running %4d mpi-ranks, with %4d threads/rank, on %4d nodes\n", run->ranks, run->threads,
                run->nodes);
    if (run->gpus > 0) fprintf(out, " running on %4d GPUs\n", run->gpus);
    if (run->transport) fprintf(out, " transport: %s, device: %s\n", run->transport, run->device);
    const int group = run->groups > 0 ? run->ranks * run->threads / run->groups : 0;
    if (group > 0) fprintf(out, " distrk:  each k-point on %4d cores, %4d groups\n", group, run->groups);
    if (group > 0 && run->band_ranks > 0)
        fprintf(out, " distr:  one band on NCORE=%4d cores, %4d groups\n", run->band_ranks * run->threads,
                group / run->threads / run->band_ranks);
    fputs("\n\n", out);
    pv_outcar_put_rule(out);
}

static void put_input(FILE *out, const pv_run *run)
{
    fputs("\n\n INCAR:\n", out);
    for (int i = 0; run->incar && i < pv_incar_count(run->incar); i++)
        fprintf(out, "   %s = %s\n", pv_incar_tag(run->incar, i), pv_incar_value(run->incar, i));
    fputc('\n', out);
}

// Readers take the elements from these lines, each of which VASP writes twice.
static void put_titles(FILE *out, const pv_run *run)
{
    const pv_cell *cell = run->cell;
    for (int twice = 0; twice < 2; twice++)
        for (int a = 0; a < cell->atoms; a += pv_run_group_at(cell, a).count) {
            const int s = cell->species_of[a];
            fprintf(out, " POTCAR:    NC %s %s\n", cell->species_name[s], run->potential ? run->potential[s] : "");
        }
    for (int s = 0; s < cell->species; s++) {
        fprintf(out, "\n   VRHFIN =%s\n", cell->species_name[s]);
        fprintf(out, "   TITEL  = NC %s %s\n", cell->species_name[s], run->potential ? run->potential[s] : "");
        fprintf(out, "   POMASS = %8.3f; ZVAL   = %8.3f    mass and valenz\n",
                pv_element_mass(pv_element_number(cell->species_name[s])), run->valence ? run->valence[s] : NAN);
    }
    fputc('\n', out);
}

static void put_positions(FILE *out, const pv_cell *cell)
{
    pv_outcar_put_rule(out);
    fputs("\n\n ion  position               nearest neighbor table\n", out);
    for (int a = 0; a < cell->atoms; a++)
        fprintf(out, " %4d  %7.5f  %7.5f  %7.5f-\n", a + 1, pv_run_shown(cell->fractional[a][0], 5),
                pv_run_shown(cell->fractional[a][1], 5), pv_run_shown(cell->fractional[a][2], 5));
    fprintf(out, "\n  volume of cell : %11.4f\n\n", cell->volume_bohr3 * pow(PV_BOHR_ANGSTROM, 3));
    pv_outcar_put_lattice(out, cell);
}

static void put_dimensions(FILE *out, const pv_run *run)
{
    const int64_t *n = run->orbital_grid, *f = run->grid;
    fputs(" Dimension of arrays:\n", out);
    const int kpoints = run->results->kpoints;
    fprintf(out, "   k-points           NKPTS = %6d   k-points in BZ     NKDIM = %6d", kpoints, kpoints);
    fprintf(out, "   number of bands    NBANDS= %6d\n", run->results->bands);
    fprintf(out, "   number of dos      NEDOS = %6d   number of ions     NIONS = %6d\n", run->dos.points,
            run->cell->atoms);
    fprintf(out, "   total plane-waves  NPLWV = %6" PRId64 "\n", n[0] * n[1] * n[2]);
    fprintf(out, "   dimension x,y,z NGX = %5" PRId64 " NGY = %5" PRId64 " NGZ = %5" PRId64 "\n", n[0], n[1], n[2]);
    fprintf(out, "   dimension x,y,z NGXF= %5" PRId64 " NGYF= %5" PRId64 " NGZF= %5" PRId64 "\n", f[0], f[1], f[2]);
    fputs("   ions per type =           ", out);
    for (int a = 0; a < run->cell->atoms; a += pv_run_group_at(run->cell, a).count)
        fprintf(out, " %4d", pv_run_group_at(run->cell, a).count);
    fputs("\n\n", out);
}

static void put_electrons(FILE *out, const pv_dft_params *p)
{
    fprintf(out, " SYSTEM =  %s\n\n", p->system);
    fputs(" Startparameter for this run:\n", out);
    fprintf(out, "   NWRITE = %6d    write-flag & timer\n", p->output_level);
    fprintf(out, "   ISTART = %6d    job   : 0-new  1-cont  2-samecut\n", p->start_orbitals);
    fprintf(out, "   ICHARG = %6d    charge: 1-file 2-atom 10-const\n", p->start_density);
    fprintf(out, "   ISPIN  = %6d    spin polarized calculation?\n", p->spins);
    fputs("   LNONCOLLINEAR =      F non collinear calculations\n   LSORBIT =      F    spin-orbit coupling\n\n", out);
    fputs(" Electronic Relaxation 1\n", out);
    fprintf(out, "   ENCUT  = %8.3f eV  %8.4f Ry   %8.4f a.u.\n", p->cutoff_ha * PV_HARTREE_EV, 2.0 * p->cutoff_ha,
            sqrt(2.0 * p->cutoff_ha));
    fprintf(out, "   NELM   = %6d;   NELMIN= %3d     # of ELM steps\n", p->steps_max, p->steps_min);
    fprintf(out, "   EDIFF  = %9.3E   stopping-criterion for ELM\n", p->tolerance_ha * PV_HARTREE_EV);
    fputs("\n Ionic relaxation\n   NSW    =      0    number of steps for IOM\n"
          "   IBRION =     -1    ionic relax\n", out);
    fprintf(out, "   ISYM   = %6d    0-nonsym 1-usesym 2-fastsym\n\n", p->symmetry);
    fputs(" DOS related values:\n", out);
    fprintf(out, "   ISMEAR = %6d;   SIGMA  = %9.5f  broadening in eV -1-fermi 0-gaus\n\n", pv_dft_params_ismear(p),
            p->smearing_ha * PV_HARTREE_EV);
    fputs(" Electronic relaxation 2 (details)\n", out);
    fprintf(out, "   NELECT = %13.4f    total number of electrons\n", p->electrons);
    fprintf(out, "   NUPDOWN= %13.4f    fix difference up-down\n\n", p->spin_difference);
}

// Of pairs of orbitals: half of what a hybrid's time depends on.
static void put_exchange_grid(FILE *out, const pv_run *run)
{
    int64_t n[3];
    double reach;
    if (pv_exchange_grid_choose(run->cell, run->params, n, &reach) != PV_OK) return;
    fprintf(out, "   exchange grid %5" PRId64 " %5" PRId64 " %5" PRId64 "\n", n[0], n[1], n[2]);
}

static void put_functional(FILE *out, const pv_run *run)
{
    const pv_dft_params *p = run->params;
    fputs(" Exchange correlation treatment:\n", out);
    fprintf(out, "   GGA     = %6s    GGA type\n", pv_functional_tag(&p->functional));
    fprintf(out, "   LHFCALC = %6c    Hartree Fock is set to\n", logical(p->fock.on));
    if (p->fock.on) {
        fprintf(out, "   AEXX    = %10.4f exact exchange contribution\n   HFSCREEN= %10.4f screening (1/Angstrom)\n",
                p->fock.fraction, p->fock.screening_bohr / PV_BOHR_ANGSTROM);
        put_exchange_grid(out, run);
    }
    fputc('\n', out);
    pv_outcar_put_rule(out);
}

static void put_kpoints(FILE *out, const pv_run *run)
{
    const pv_results *r = run->results;
    fputs("\n\n k-points in units of 2pi/SCALE and weight:\n", out);
    for (int k = 0; k < r->kpoints; k++) {
        for (int c = 0; c < 3; c++) {
            double sum = 0.0;
            for (int i = 0; i < 3; i++) sum += r->kpoint[k][i] * run->cell->reciprocal[i][c];
            sum *= run->cell->scale_angstrom / PV_BOHR_ANGSTROM / (2.0 * PV_PI);
            fprintf(out, " %11.8f", pv_run_shown(sum, 8));
        }
        fprintf(out, " %13.8f\n", r->weight[k]);
    }
    fputs("\n k-points in reciprocal lattice and weights:\n", out);
    for (int k = 0; k < r->kpoints; k++)
        fprintf(out, "  %11.8f %11.8f %11.8f %13.8f\n", r->kpoint[k][0], r->kpoint[k][1], r->kpoint[k][2],
                r->weight[k]);
    fputc('\n', out);
}

static void put_plane_waves(FILE *out, const pv_run *run)
{
    const pv_results *r = run->results;
    if (!run->plane_waves) return;
    int64_t least = run->plane_waves[0], most = least;
    fputs("\n\n\n", out);
    pv_outcar_put_rule(out);
    fputs("\n\n", out);
    for (int k = 0; k < r->kpoints; k++) {
        const int64_t waves = run->plane_waves[k];
        fprintf(out, " k-point %4d :  %7.4f%7.4f%7.4f  plane waves: %7" PRId64 "\n", k + 1, r->kpoint[k][0],
                r->kpoint[k][1], r->kpoint[k][2], waves);
        if (waves < least) least = waves;
        if (waves > most) most = waves;
    }
    fprintf(out, "\n maximum and minimum number of plane-waves per node : %9" PRId64 " %9" PRId64 "\n", most, least);
    fprintf(out, "\n maximum number of plane-waves: %9" PRId64 "\n\n", most);
}

static void put_memory(FILE *out, const pv_run *run)
{
    if (run->forecast_bytes > 0.0)
        fprintf(out, "\n total amount of memory used by MPI-rank0 %12.0f. kBytes\n\n", run->forecast_bytes / 1024.0);
}

void pv_outcar_put_head(FILE *out, const pv_run *run)
{
    put_machine(out, run);
    put_input(out, run);
    put_titles(out, run);
    put_positions(out, run->cell);
    pv_outcar_put_rule(out);
    fputs("\n\n", out);
    put_dimensions(out, run);
    put_electrons(out, run->params);
    put_functional(out, run);
    put_kpoints(out, run);
    put_plane_waves(out, run);
    put_memory(out, run);
}
