// SPDX-License-Identifier: Apache-2.0
#include "dft/files/results.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/file_replace.h"
#include "base/json_write.h"
#include "dft/model/units.h"

static double mev_of(double ha)
{
    return 1e3 * ha * PV_HARTREE_EV;
}

static void put_row(pv_json *json, const char *key, const double *values, int count)
{
    if (!values) {
        pv_json_null(json, key);
        return;
    }
    pv_json_list(json, key);
    for (int i = 0; i < count; i++) pv_json_number(json, NULL, values[i]);
    pv_json_end(json);
}

static void put_vectors(pv_json *json, const char *key, const double (*vectors)[3], int count)
{
    if (!vectors) {
        pv_json_null(json, key);
        return;
    }
    pv_json_list(json, key);
    for (int i = 0; i < count; i++) put_row(json, NULL, vectors[i], 3);
    pv_json_end(json);
}

static void put_texts(pv_json *json, const char *key, const char *const *texts, int count)
{
    if (!texts) {
        pv_json_null(json, key);
        return;
    }
    pv_json_list(json, key);
    for (int i = 0; i < count; i++) pv_json_text_value(json, NULL, texts[i]);
    pv_json_end(json);
}

// [spin][k][band]
static void put_bands(pv_json *json, const char *key, const double *values, const pv_results *results)
{
    if (!values) {
        pv_json_null(json, key);
        return;
    }
    pv_json_list(json, key);
    for (int spin = 0; spin < results->spins; spin++) {
        pv_json_list(json, NULL);
        for (int k = 0; k < results->kpoints; k++, values += results->bands)
            put_row(json, NULL, values, results->bands);
        pv_json_end(json);
    }
    pv_json_end(json);
}

static void put_gap(pv_json *json, const pv_results_gap *gap)
{
    if (!gap->known) {
        pv_json_null(json, "gap_ev");
        return;
    }
    pv_json_object(json, "gap_ev");
    pv_json_number(json, "fundamental", gap->fundamental);
    pv_json_number(json, "direct", gap->direct);
    pv_json_number(json, "vbm", gap->vbm);
    pv_json_number(json, "cbm", gap->cbm);
    put_row(json, "vbm_k", gap->vbm_k, 3);
    put_row(json, "cbm_k", gap->cbm_k, 3);
    put_row(json, "spins", isfinite(gap->spin[0]) || isfinite(gap->spin[1]) ? gap->spin : NULL, 2);
    pv_json_end(json);
}

// Each spin of a fixed moment has its own Fermi energy: one's filled states may be above the other's empty ones.
void pv_results_gap_line(const pv_results_gap *gap, char line[PV_RESULTS_LINE])
{
    char spins[64] = "";
    if (isfinite(gap->spin[0]) && isfinite(gap->spin[1]))
        snprintf(spins, sizeof spins, "; spin up %.4f, down %.4f eV", gap->spin[0], gap->spin[1]);
    if (gap->fundamental >= 0.0)
        snprintf(line, PV_RESULTS_LINE, "band gap   %10.4f eV (direct %.4f), from %.4f to %.4f eV%s", gap->fundamental,
                 gap->direct, gap->vbm, gap->cbm, spins);
    else
        snprintf(line, PV_RESULTS_LINE, "band gap   none: states are filled up to %.4f eV and empty from %.4f eV on%s",
                 gap->vbm, gap->cbm, spins);
}

static void put_shape(pv_json *json, const char *key, const int64_t shape[3])
{
    pv_json_list(json, key);
    for (int d = 0; d < 3; d++) pv_json_integer(json, NULL, shape[d]);
    pv_json_end(json);
}

static void put_grid_error(pv_json *json, const pv_dft_grid_error *error, int atoms)
{
    if (!error->known) {
        pv_json_null(json, "exchange_grid");
        return;
    }
    pv_json_object(json, "exchange_grid");
    put_shape(json, "points", error->grid);
    put_shape(json, "full_points", error->full);
    pv_json_number(json, "energy_error_mev_atom", mev_of(error->energy_ha / atoms));
    pv_json_number(json, "gap_error_mev", mev_of(error->gap_ha));
    pv_json_integer(json, "filled_bands", error->filled);
    pv_json_integer(json, "sums", error->sums);
    pv_json_end(json);
}

void pv_results_grid_error_line(const pv_dft_grid_error *error, int atoms, char line[PV_RESULTS_LINE])
{
    const int64_t *n = error->grid, *m = error->full;
    char gap[40] = "", sample[80] = "";
    if (isfinite(error->gap_ha)) snprintf(gap, sizeof gap, ", gap %+.2g meV", mev_of(error->gap_ha));
    if (error->sums < error->filled)
        snprintf(sample, sizeof sample, " (from %d sums of %d filled bands)", error->sums, error->filled);
    snprintf(line, PV_RESULTS_LINE,
             "exchange grid %" PRId64 "x%" PRId64 "x%" PRId64 " against full %" PRId64 "x%" PRId64 "x%" PRId64
             ": energy %+.2g meV/atom%s%s",
             n[0], n[1], n[2], m[0], m[1], m[2], mev_of(error->energy_ha / atoms), gap, sample);
}

static void put_entries(pv_json *json, const char *key, const pv_results_entry *entries, int count)
{
    if (!entries) {
        pv_json_null(json, key);
        return;
    }
    pv_json_object(json, key);
    for (int i = 0; i < count; i++) pv_json_number(json, entries[i].name, entries[i].value);
    pv_json_end(json);
}

static void put_machine(pv_json *json, const pv_results_machine *machine)
{
    if (!machine->device) {
        pv_json_null(json, "machine");
        return;
    }
    pv_json_object(json, "machine");
    pv_json_integer(json, "ranks", machine->ranks);
    pv_json_integer(json, "threads", machine->threads);
    pv_json_integer(json, "nodes", machine->nodes);
    pv_json_integer(json, "gpus", machine->gpus);
    pv_json_integer(json, "kpoint_groups", machine->groups);
    pv_json_text_value(json, "device", machine->device);
    pv_json_text_value(json, "transport", machine->transport);
    pv_json_end(json);
}

static void put_system(pv_json *json, const pv_results_system *system)
{
    const pv_cell *cell = system->cell;
    const pv_dft_params *params = system->params;
    char functional[96];
    if (!cell) {
        pv_json_null(json, "system");
        return;
    }
    pv_functional_text(&params->functional, sizeof functional, functional);
    pv_json_object(json, "system");
    pv_json_list(json, "elements");
    for (int a = 0; a < cell->atoms; a++) pv_json_text_value(json, NULL, cell->species_name[cell->species_of[a]]);
    pv_json_end(json);
    pv_json_number(json, "volume_angstrom3", cell->volume_bohr3 * pow(PV_BOHR_ANGSTROM, 3));
    put_texts(json, "potentials", system->potential, cell->species);
    pv_json_text_value(json, "functional", functional);
    pv_json_number(json, "cutoff_ev", params->cutoff_ha * PV_HARTREE_EV);
    pv_json_number(json, "electrons", params->electrons);
    pv_json_integer(json, "spins", params->spins);
    pv_json_integer(json, "bands", params->bands);
    pv_json_end(json);
}

static const char *const step_names[PV_RESULTS_SECONDS] = {
    "iteration_seconds", "iteration_exchange_seconds", "iteration_exchange_double_seconds",
    "iteration_exchange_message_seconds", "iteration_exchange_wait_seconds", "iteration_communication_seconds"};

static void put_results(pv_json *json, const pv_results *results)
{
    pv_json_object(json, NULL);
    pv_json_text_value(json, "version", results->system.version);
    put_system(json, &results->system);
    pv_json_bool(json, "converged", results->converged);
    pv_json_number(json, "energy_ha", results->energy_ha);
    pv_json_number(json, "energy_sigma0_ha", results->energy_sigma0_ha);
    put_entries(json, "energies_ha", results->energy, results->energies);
    put_vectors(json, "kpoints", results->kpoint, results->kpoints);
    put_row(json, "weights", results->weight, results->kpoints);
    put_bands(json, "eigenvalues_ev", results->eigenvalue_ev, results);
    put_bands(json, "occupations", results->occupation, results);
    pv_json_number(json, "fermi_ev", results->fermi_ev);
    pv_json_number(json, "moment_mu_b", results->moment_mu_b);
    put_gap(json, &results->gap_ev);
    put_grid_error(json, &results->grid_error, results->atoms);
    put_vectors(json, "forces_ev_angstrom", results->force_ev_angstrom, results->atoms);
    put_vectors(json, "stress_kbar", results->stress_kbar, 3);
    pv_json_integer(json, "iterations", results->iterations);
    for (int i = 0; i < PV_RESULTS_SECONDS; i++)
        put_row(json, step_names[i], results->step_s ? results->step_s + i * results->iterations : NULL,
                results->iterations);
    put_machine(json, &results->machine);
    put_entries(json, "seconds", results->seconds, results->seconds_count);
    pv_json_integer(json, "peak_bytes", results->peak_bytes);
    pv_json_end(json);
}

static int has_total(const pv_results *results)
{
    for (int i = 0; results->seconds && i < results->seconds_count; i++)
        if (strcmp(results->seconds[i].name, "total") == 0) return 1;
    return 0;
}

pv_status pv_results_write(const char *path, const pv_results *results)
{
    PV_REQUIRE(has_total(results), PV_ERR_ARGUMENT, "seconds without an entry \"total\", for %s; it must be among them",
               path);
    pv_json *json = pv_json_create(1);
    put_results(json, results);
    const char *text = pv_json_text(json);
    pv_status status = text ? pv_file_replace(path, text)
                            : pv_fail(PV_ERR_MEMORY, __func__, "no memory for the text of %s", path);
    pv_json_destroy(json);
    return status;
}
