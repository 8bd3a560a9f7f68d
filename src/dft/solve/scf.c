// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/scf.h"

#include <math.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"
#include "device/array.h"
#include "device/vector.h"
#include "dft/model/units.h"
#include "dft/solve/energy.h"
#include "dft/solve/start_density.h"
#include "dft/terms/ewald.h"

#define MIXED 0.8                      // of the residual, unless AMIX says otherwise
#define EMPTY 1e-3                     // electrons of a spin, of those of the other
#define SCREENING_LEAST 0.1            // 1/bohr: of the damping of long waves in metals
#define SCREENING_MOST 0.8
#define START_HA 1e-4                  // distance of the density, an electron, at which exchange is first built
#define NEAR 30.0                      // tolerances by which the energy may still move without asking for exchange anew
#define SETTLED 0.01                   // distance between builds, of the exchange that the last one missed

// ---- Start -------------------------------------------------------------------------------------------------------

static pv_status ions(pv_scf *scf)
{
    const pv_cell *cell = scf->system->cell;
    double *charge;
    PV_TRY(PV_ALLOC(cell->atoms, &charge));
    for (int a = 0; a < cell->atoms; a++) charge[a] = scf->system->pseudo[cell->species_of[a]]->valence;
    const pv_status status = pv_ewald(cell, charge, 0.0, &scf->ewald_ha, NULL, NULL);
    pv_mem_free(charge);
    return status;
}

// A metal screens long waves, and they slosh: they are damped below the wave number of Thomas and Fermi for the states
// at the Fermi energy. What INCAR says comes first. Charge and moment are damped alike where they can be: else a spin
// without electrons gets a density that is noise, and its potential with it.
static pv_mixer_damping damping(const pv_dft_params *params, double states_per_bohr3_ha)
{
    const double wave = fmin(sqrt(4.0 * PV_PI * states_per_bohr3_ha), SCREENING_MOST);
    const double thomas_fermi = wave > SCREENING_LEAST ? wave : 0.0;
    const double amount = params->mix_amount > 0.0 ? params->mix_amount : MIXED;
    const double amount_moment = params->mix_moment_amount > 0.0 ? params->mix_moment_amount : amount;
    const double kerker = params->mix_kind == 1 && params->mix_wave_bohr == 0.0 ? SCREENING_MOST : params->mix_wave_bohr;
    return (pv_mixer_damping){amount, kerker > 0.0 ? kerker : thomas_fermi, amount_moment,
                              params->mix_moment_wave_bohr};
}

static pv_status begin_with_atoms(pv_scf *scf)
{
    const pv_system *system = scf->system;
    double _Complex *density;
    PV_TRY(pv_comm_agree(system->comm, PV_ALLOC(system->params.spins * system->grid->waves, &density)));
    pv_status status = pv_start_density(system, density);
    if (status == PV_OK) status = pv_comm_agree(system->comm, pv_system_put_density(system, density, scf->in));
    pv_mem_free(density);
    return status;
}

pv_status pv_scf_create(pv_system *system, pv_scf **scf_p)
{
    pv_scf *scf;
    PV_TRY(PV_ALLOC(1, &scf));
    scf->system = system;
    scf->first_residual = PV_SCF_RESIDUAL_OF_ATOMS;
    const int64_t length = system->params.spins * system->grid->waves;
    const pv_mixer_damping first = damping(&system->params, 0.0);
    pv_status status = PV_ARRAY(system->device, "the density", length, &scf->in);
    if (status == PV_OK) status = PV_ARRAY(system->device, "the density", length, &scf->out);
    if (status == PV_OK)
        status = pv_mixer_create(system->device_grid, system->dense, system->params.spins,
                                 system->params.mix_history, &first, &scf->mixer);
    if (status == PV_OK) status = ions(scf);
    PV_TRY_GOTO(pv_comm_agree(system->comm, status), status, failed);
    PV_TRY_GOTO(pv_potential_create(system, &scf->potential), status, failed);
    PV_TRY_GOTO(pv_electrons_create(system, &scf->electrons), status, failed);
    if (system->params.fock.on) PV_TRY_GOTO(pv_hybrid_create(scf->electrons, &scf->hybrid), status, failed);
    PV_TRY_GOTO(begin_with_atoms(scf), status, failed);
    *scf_p = scf;
    return PV_OK;
failed:
    pv_scf_destroy(scf);
    return status;
}

void pv_scf_destroy(pv_scf *scf)
{
    if (!scf) return;
    pv_mixer_destroy(scf->mixer);
    pv_hybrid_destroy(scf->hybrid);
    pv_electrons_destroy(scf->electrons);
    pv_potential_destroy(scf->potential);
    pv_array_destroy(scf->system->device, scf->in);
    pv_array_destroy(scf->system->device, scf->out);
    pv_mem_free(scf);
}

// ---- Loop --------------------------------------------------------------------------------------------------------

double pv_scf_gap(const pv_electrons *electrons)
{
    if (electrons->occupation.partly_filled) return 0.0;
    const pv_kpoints *kpoints = electrons->system->kpoints;
    const int bands = electrons->system->params.bands;
    const int64_t count = (int64_t)electrons->states * bands;
    const double half = electrons->system->params.spins == 2 ? 0.5 : 1.0;
    double below = -INFINITY, above = INFINITY;
    for (int64_t i = 0; i < count; i++) {
        const double e = electrons->eigenvalues_ha[i];
        if (kpoints->weight[i / bands % kpoints->count] == 0.0) continue;
        if (electrons->filling[i] > half)
            below = fmax(below, e);
        else
            above = fmin(above, e);
    }
    return isfinite(above) && isfinite(below) ? above - below : 0.0;
}

// Eigenvalues hold the exchange of the last build twice, once for each of two orbitals.
double pv_scf_energy(const pv_scf *scf)
{
    const double exchange = scf->hybrid && scf->hybrid->builds > 0 ? scf->hybrid->energy_ha : 0.0;
    return pv_energy_harris(scf->electrons, scf->potential, scf->ewald_ha) - exchange;
}

// A residual r costs about r^2 / gap of energy an electron.
double pv_scf_residual_for(const pv_scf *scf, double distance_ha)
{
    return fmax(sqrt(0.03 * distance_ha / scf->system->params.electrons), 1e-9);
}

// How well the orbitals must be known so that their error is small against that of the density. Each step asks for more
// than the one before, so that none returns the density of an earlier step with nothing new to learn from.
static double residual_wanted(const pv_scf *scf, double distance_ha, double before)
{
    return fmax(fmin(fmin(pv_scf_residual_for(scf, distance_ha), 2e-2), 0.7 * before), 1e-9);
}

static double first_residual(const pv_scf *scf)
{
    return scf->first_residual > 0.0 ? scf->first_residual
                                     : pv_scf_residual_for(scf, scf->system->params.tolerance_ha);
}

static pv_status step(pv_scf *scf, double *distance_p, double *tolerance_p, pv_scf_step *report)
{
    const int first = report->step == 1;
    double start = pv_clock_s();
    PV_TRY(pv_potential_update(scf->potential, scf->in));
    scf->potential_s += pv_clock_s() - start;
    const double tolerance = first ? first_residual(scf) : residual_wanted(scf, *distance_p, *tolerance_p);
    *tolerance_p = tolerance;
    // A density that is known is worth finding its orbitals before it is changed, and one that stays while the energy
    // does not.
    const int stays = *distance_p < scf->system->params.tolerance_ha;
    const int expansions = !first ? (stays ? 16 : 4) : scf->first_residual == PV_SCF_RESIDUAL_OF_A_DENSITY ? 16 : 8;
    pv_eigen_report eigen;
    PV_TRY(pv_electrons_solve(scf->electrons, scf->potential, tolerance, fmax(tolerance, 1e-4), expansions, &eigen));
    scf->is_loose = eigen.residual > 1.0;
    PV_TRY(pv_electrons_density(scf->electrons, scf->out));
    PV_TRY(pv_mixer_distance(scf->mixer, scf->in, scf->out, distance_p));
    const double energy = pv_scf_energy(scf);
    report->change_ha = energy - report->energy_ha;
    report->energy_ha = energy;
    report->distance_ha = *distance_p;
    report->expansions = eigen.expansions;
    report->residual_ha = eigen.residual * tolerance;
    report->gap_ha = pv_scf_gap(scf->electrons);
    return PV_OK;
}

// Exact exchange is built from semilocal orbitals that are roughly right, then whenever the density has settled to a
// small part of what the last build still changed: an error of the orbitals shrinks several times from build to build,
// and to solve more exactly in between is lost work.
static int wants_build(const pv_scf *scf, double distance_ha, double change_ha)
{
    const pv_hybrid *hybrid = scf->hybrid;
    if (!hybrid) return 0;
    if (pv_hybrid_is_settled(hybrid) && fabs(change_ha) < NEAR * scf->system->params.tolerance_ha) return 0;
    // Orbitals of an earlier run are right already.
    if (scf->steps < 2) return scf->first_residual == 0.0;
    if (hybrid->builds == 0) return distance_ha < START_HA * scf->system->params.electrons;
    const double left = fmin(hybrid->error_ha, START_HA * scf->system->params.electrons);
    return distance_ha < fmax(SETTLED * left, 0.3 * scf->system->params.tolerance_ha);
}

static pv_status build(pv_scf *scf, pv_scf_step *report)
{
    const double start = pv_clock_s();
    scf->hybrid->is_near |= scf->steps < 2; // with the orbitals of an earlier run
    PV_TRY(pv_hybrid_build(scf->hybrid, scf->note_build, scf->note_context));
    if (scf->hybrid->builds == 1) PV_TRY(pv_potential_take_functional(scf->potential, 1));
    pv_mixer_change_map(scf->mixer);
    report->builds = scf->hybrid->builds;
    report->exchange_ha = scf->hybrid->energy_ha;
    report->exchange_error_ha = scf->hybrid->error_ha;
    report->single_error_ha = scf->hybrid->single_error_ha;
    report->build_s = pv_clock_s() - start;
    report->energy_ha += scf->hybrid->precision_ha; // no change of the state
    return PV_OK;
}

// The last build has found nothing new, and the density and energy that follow from it neither.
static int is_converged(const pv_scf *scf, double distance_ha, double change_ha)
{
    const pv_dft_params *params = &scf->system->params;
    const pv_hybrid *hybrid = scf->hybrid;
    if (hybrid && !pv_hybrid_is_settled(hybrid)) return 0;
    return scf->steps >= params->steps_min && distance_ha < params->tolerance_ha
           && fabs(change_ha) < params->tolerance_ha;
}

// What mixing leaves of the density of a spin without electrons is noise, which exchange by gradients makes much of,
// while the orbitals have its density exactly. The total stays as it is mixed.
static pv_status renew_empty_spin(pv_scf *scf)
{
    const pv_system *system = scf->system;
    pv_stream *stream = system->device_grid->stream;
    const int64_t waves = system->grid->waves, zero = system->grid->zero;
    double electrons[2] = {0.0};
    if (system->params.spins < 2) return PV_OK;
    pv_status status = PV_OK;
    for (int s = 0; s < 2 && zero >= 0 && status == PV_OK; s++) // G = 0 is real
        status = pv_array_read(system->device, scf->out + s * waves + zero, &electrons[s], sizeof electrons[s]);
    PV_TRY(pv_comm_agree(system->comm, status));
    PV_TRY(pv_comm_reduce_f64(system->comm, PV_SUM, 2, electrons));
    const int empty = electrons[0] < electrons[1] ? 0 : 1;
    if (electrons[empty] > EMPTY * electrons[1 - empty]) return PV_OK;
    double _Complex *in = scf->in + empty * waves, *other = scf->in + (1 - empty) * waves;
    const double _Complex *out = scf->out + empty * waves;
    PV_TRY(pv_vector_axpy(stream, 2 * waves, 1.0, (const double *)in, (double *)other));
    PV_TRY(pv_vector_axpy(stream, 2 * waves, -1.0, (const double *)out, (double *)other));
    return pv_stream_copy(stream, in, out, (size_t)waves * sizeof *in);
}

static pv_status mix(pv_scf *scf)
{
    const double start = pv_clock_s();
    const double states = scf->electrons->occupation.states_per_ha / scf->system->grid->volume_bohr3;
    const pv_mixer_damping next = damping(&scf->system->params, states);
    PV_TRY(pv_mixer_damp(scf->mixer, &next));
    PV_TRY(pv_mixer_mix(scf->mixer, scf->in, scf->out));
    PV_TRY(renew_empty_spin(scf));
    scf->mix_s += pv_clock_s() - start;
    return PV_OK;
}

pv_status pv_scf_interrupt(const pv_scf_step *last, pv_scf_report report, void *context)
{
    pv_scf_step step = *last;
    step.interrupted = 1;
    if (report) PV_TRY(report(context, &step));
    PV_FAIL(PV_ERR_STOPPED, "stopped on request after step %d", step.step);
}

// One rank tells for all.
static pv_status check_numbers(const pv_scf *scf, const pv_scf_step *now)
{
    pv_comm *comm = scf->system->comm;
    const int sound = isfinite(now->energy_ha) && isfinite(now->distance_ha);
    if (pv_comm_rank(comm) > 0 || sound) return pv_comm_agree(comm, PV_OK);
    return pv_comm_agree(comm, pv_fail(PV_ERR_CONVERGENCE, __func__,
                                       "step %d: the energy is %g Ha and the density's change %g Ha, must be finite: two "
                                       "atoms at one place, a faulty potential file, or bands too few or not of this "
                                       "cell (ISTART = 0; ICHARG = 2 starts from the atoms)",
                                       now->step, now->energy_ha, now->distance_ha));
}

// Distance and tolerance of the step before become this one's.
static pv_status advance(pv_scf *scf, double *distance_p, double *tolerance_p, pv_scf_step *now)
{
    const pv_dft_params *params = &scf->system->params;
    const double start = pv_clock_s();
    int wanted = wants_build(scf, *distance_p, now->change_ha);
    now->build_s = 0.0;
    PV_TRY(pv_comm_broadcast(scf->system->comm, 0, sizeof wanted, &wanted));
    if (wanted) PV_TRY(build(scf, now));
    PV_TRY(step(scf, distance_p, tolerance_p, now));
    PV_TRY(check_numbers(scf, now));
    scf->converged = is_converged(scf, *distance_p, now->change_ha);
    PV_TRY(pv_comm_broadcast(scf->system->comm, 0, sizeof scf->converged, &scf->converged));
    if (!scf->converged && now->step < params->steps_max) PV_TRY(mix(scf));
    now->seconds = pv_clock_s() - start;
    return PV_OK;
}

pv_status pv_scf_run(pv_scf *scf, pv_scf_report report, void *context)
{
    const pv_dft_params *params = &scf->system->params;
    pv_scf_step now = {0};
    double distance = 0.0, tolerance = 0.0;
    scf->converged = 0;
    while (now.step < params->steps_max && !scf->converged) {
        scf->steps = ++now.step;
        const pv_status status = advance(scf, &distance, &tolerance, &now);
        if (status == PV_ERR_STOPPED) {
            scf->steps = --now.step;
            return pv_scf_interrupt(&now, report, context);
        }
        PV_TRY(status);
        if (report) PV_TRY(report(context, &now));
    }
    return PV_OK;
}
