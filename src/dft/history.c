// SPDX-License-Identifier: Apache-2.0
#include "dft/history.h"

#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/model/units.h"
#include "dft/solve/energy.h"
#include "dft/solve/smearing.h"

double pv_history_cpu_s(void)
{
    struct timespec time;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0) return 0.0;
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double pv_history_peak_bytes(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024.0 * (double)usage.ru_maxrss : 0.0;
}

pv_history pv_history_begin(void) { return (pv_history){.cpu_s = pv_history_cpu_s(), .comm_s = pv_comm_seconds()}; }

void pv_history_release(pv_history *history)
{
    pv_mem_free(history->step);
    *history = (pv_history){0};
}

static pv_status grow(pv_history *history)
{
    if (history->count < history->room) return PV_OK;
    const int room = history->room > 0 ? 2 * history->room : 64;
    pv_run_step *step;
    PV_TRY(PV_ALLOC(room, &step));
    if (history->count > 0) memcpy(step, history->step, (size_t)history->count * sizeof *step);
    pv_mem_free(history->step);
    history->step = step;
    history->room = room;
    return PV_OK;
}

static double band_energy_ev(const pv_electrons *electrons)
{
    const pv_system *system = electrons->system;
    const int bands = system->params.bands;
    double sum = 0.0;
    for (int s = 0; s < electrons->states; s++)
        for (int b = 0; b < bands; b++)
            sum += system->kpoints->weight[s % system->kpoints->count] * electrons->filling[s * bands + b]
                   * electrons->eigenvalues_ha[s * bands + b];
    return sum * PV_HARTREE_EV;
}

static double since(double now, double *before)
{
    const double difference = now - *before;
    *before = now;
    return difference;
}

void pv_history_add(pv_history *history, const pv_scf *scf, const pv_scf_step *step)
{
    if (history->status != PV_OK) return;
    history->status = grow(history);
    if (history->status != PV_OK) return;
    const pv_electrons *electrons = scf->electrons;
    const pv_dft_params *params = &scf->system->params;
    const double smearing_ha = electrons->occupation.smearing_energy_ha;
    history->step[history->count++] = (pv_run_step){
        .energy_ev = step->energy_ha * PV_HARTREE_EV,
        .change_ev = step->change_ha * PV_HARTREE_EV,
        .sigma0_ev = (step->energy_ha - pv_smearing_beyond_sigma0(params, smearing_ha)) * PV_HARTREE_EV,
        .smearing_ev = smearing_ha * PV_HARTREE_EV,
        .band_change_ev = since(band_energy_ev(electrons), &history->band_ev),
        .applications = electrons->applied - history->applied,
        .residual = step->residual_ha * PV_HARTREE_EV,
        .density_residual = step->distance_ha * PV_HARTREE_EV,
        .magnetisation = pv_energy_moment(electrons),
        .seconds = step->seconds,
        .cpu_seconds = since(pv_history_cpu_s(), &history->cpu_s),
        .solver_s = since(electrons->solve_s, &history->solver_s),
        .density_s = since(electrons->density_s, &history->density_s),
        .potential_s = since(scf->potential_s, &history->potential_s),
        .mixing_s = since(scf->mix_s, &history->mixing_s),
        .fock_s = step->build_s,
        .fock_double_s = scf->hybrid ? since(scf->hybrid->double_s, &history->fock_double_s) : 0.0,
        .way_s = scf->hybrid ? since(scf->hybrid->way_s, &history->way_s) : 0.0,
        .waited_s = scf->hybrid ? since(scf->hybrid->waited_s, &history->waited_s) : 0.0,
        .comm_s = since(pv_comm_seconds(), &history->comm_s),
    };
    history->applied = electrons->applied;
}

void pv_history_seconds(const pv_history *history, double *seconds)
{
    for (int i = 0; i < history->count; i++) {
        const pv_run_step *step = &history->step[i];
        const double kinds[PV_RESULTS_SECONDS] = {step->seconds, step->fock_s,   step->fock_double_s,
                                                  step->way_s,   step->waited_s, step->comm_s};
        for (int n = 0; n < PV_RESULTS_SECONDS; n++) seconds[n * history->count + i] = kinds[n];
    }
}
