// SPDX-License-Identifier: Apache-2.0
#include "dft/run_describe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/mem.h"

static pv_status take_system(const pv_system *system, pv_run_description *d)
{
    PV_TRY(PV_ALLOC(system->kpoints->count, &d->plane_waves));
    PV_TRY(PV_ALLOC(system->cell->species, &d->potential));
    PV_TRY(PV_ALLOC(system->cell->species, &d->valence));
    for (int k = 0; k < system->kpoints->count; k++) d->plane_waves[k] = system->basis[k]->count;
    for (int s = 0; s < system->cell->species; s++) {
        d->potential[s] = system->pseudo[s]->source;
        d->valence[s] = system->pseudo[s]->valence;
    }
    return PV_OK;
}

static pv_status take_origin(const pv_run_origin *origin, pv_run_description *d)
{
    char path[4096];
    struct tm start;
    localtime_r(&origin->started, &start);
    strftime(d->date, sizeof d->date, "%Y.%m.%d", &start);
    strftime(d->time, sizeof d->time, "%H:%M:%S", &start);
    snprintf(path, sizeof path, "%s/INCAR", origin->input);
    return access(path, R_OK) == 0 ? pv_incar_read_again(path, &d->incar) : PV_OK;
}

static pv_results results_of(const pv_system *system)
{
    return (pv_results){
        .atoms = system->cell->atoms,
        .spins = system->params.spins,
        .kpoints = system->kpoints->count,
        .bands = system->params.bands,
        .kpoint = (const double(*)[3])system->kpoints->fractional,
        .weight = system->kpoints->weight,
    };
}

static pv_run run_of(const pv_run_origin *origin, const pv_run_description *d)
{
    const pv_system *system = origin->system;
    pv_run run = {
        .version = origin->version,
        .date = d->date,
        .time = d->time,
        .ranks = pv_comm_size(system->comm),
        .threads = pv_device_threads(pv_comm_device(system->comm)),
        .groups = system->groups.count,
        .band_ranks = system->groups.band_ranks,
        .nodes = origin->machine.nodes,
        .gpus = origin->machine.gpus,
        .device = pv_device_name(system->device),
        .transport = pv_comm_transport(system->all_orbital_comm),
        .cell = system->cell,
        .params = &system->params,
        .incar = d->incar,
        .kpoints = system->kpoints,
        .plane_waves = d->plane_waves,
        .potential = d->potential,
        .valence = d->valence,
        .results = &d->results,
        .drift_ev_angstrom = {NAN, NAN, NAN},
        .dos = {.points = system->params.dos.points},
        .forecast_bytes = pv_memory_total(&system->memory),
    };
    memcpy(run.grid, system->grid->shape, sizeof run.grid);
    memcpy(run.orbital_grid, system->grid->shape, sizeof run.orbital_grid);
    return run;
}

pv_status pv_run_describe(const pv_run_origin *origin, pv_run_description **description_p)
{
    pv_run_description *d;
    PV_TRY(PV_ALLOC(1, &d));
    pv_status status = take_system(origin->system, d);
    if (status == PV_OK) status = take_origin(origin, d);
    if (status != PV_OK) {
        pv_run_description_destroy(d);
        return status;
    }
    d->results = results_of(origin->system);
    d->run = run_of(origin, d);
    *description_p = d;
    return PV_OK;
}

void pv_run_description_destroy(pv_run_description *d)
{
    if (!d) return;
    pv_incar_destroy(d->incar);
    pv_mem_free(d->plane_waves);
    pv_mem_free(d->potential);
    pv_mem_free(d->valence);
    pv_mem_free(d);
}
