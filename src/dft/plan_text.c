// SPDX-License-Identifier: Apache-2.0
#include "dft/plan_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/model/pseudo_cutoff.h"
#include "dft/model/units.h"

static void write_cell(FILE *out, const pv_cell *cell)
{
    double length[3];
    for (int d = 0; d < 3; d++) {
        const double *a = cell->lattice_bohr[d];
        length[d] = PV_BOHR_ANGSTROM * sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    }
    fprintf(out, "cell        %d atoms, a b c = %.4f %.4f %.4f A, %.3f A^3\n", cell->atoms, length[0], length[1],
            length[2], cell->volume_bohr3 * pow(PV_BOHR_ANGSTROM, 3));
}

static void write_potentials(FILE *out, const pv_system *system)
{
    for (int s = 0; s < system->cell->species; s++) {
        const pv_pseudo *pseudo = system->pseudo[s];
        fprintf(out, "%-11s %d x %-2s  %g electrons, %d projectors, l <= %d%s: %s\n", s ? "" : "potentials",
                system->cell->count_of[s], system->cell->species_name[s], pseudo->valence, pseudo->projectors,
                pseudo->l_max, pseudo->has_core ? ", core correction" : "", pseudo->source);
    }
}

static void write_kpoints(FILE *out, const pv_system *system)
{
    const int count = system->kpoints->count, weightless = pv_kpoints_weightless(system->kpoints);
    int real = 0;
    for (int k = 0; k < count; k++) real += system->basis[k]->scalar == PV_SCALAR_REAL;
    fprintf(out, "k-points    %d", count);
    if (real > 0 && real < count) fprintf(out, ", %d of them", real);
    fprintf(out, "%s", real > 0 ? " with real orbitals, half spheres" : "");
    if (weightless > 0) fprintf(out, "; %d of weight 0, solved at the end", weightless);
    fputc('\n', out);
}

// Without ENCUT: whose cutoff it is.
static void write_cutoff_source(FILE *out, const pv_system *system)
{
    int hardest = 0;
    if (!system->params.cutoff_is_advised) return;
    for (int s = 1; s < system->cell->species; s++)
        if (system->pseudo[s]->cutoff_ha > system->pseudo[hardest]->cutoff_ha) hardest = s;
    const char *name = system->cell->species_name[hardest];
    if (system->pseudo[hardest]->cutoff_is_found)
        fprintf(out,
                "            at which the orbitals of %s are complete to %g Ha an atom (neither ENCUT nor its file "
                "names a cutoff)\n",
                name, PV_PSEUDO_CUTOFF_ERROR_HA);
    else
        fprintf(out, "            as advised for the potential of %s\n", name);
}

static void write_basis(FILE *out, const pv_system *system)
{
    const pv_dft_params *params = &system->params;
    const int64_t *n = system->grid->shape;
    int64_t least = system->basis[0]->count, most = least;
    for (int k = 1; k < system->kpoints->count; k++) {
        if (system->basis[k]->count < least) least = system->basis[k]->count;
        if (system->basis[k]->count > most) most = system->basis[k]->count;
    }
    fprintf(out, "cutoff      %.3f Ha = %.2f eV; density to |G| = %.3f 1/bohr on %" PRId64 " x %" PRId64 " x %" PRId64
                 " points\n",
            params->cutoff_ha, params->cutoff_ha * PV_HARTREE_EV, system->density_reach, n[0], n[1], n[2]);
    write_cutoff_source(out, system);
    const pv_symmetry *symmetry = system->symmetry;
    fprintf(out, "symmetry    %s%s%d operation%s%s\n", symmetry->symbol, *symmetry->symbol ? ", " : "", symmetry->count,
            symmetry->count == 1 ? "" : "s", symmetry->time_reversal ? " and time reversal" : "");
    write_kpoints(out, system);
    if (least == most)
        fprintf(out, "orbitals    %d bands for %g electrons, %" PRId64 " plane waves\n", params->bands,
                params->electrons, most);
    else
        fprintf(out, "orbitals    %d bands for %g electrons, %" PRId64 " to %" PRId64 " plane waves\n", params->bands,
                params->electrons, least, most);
}

static const char *plural(int count) { return count == 1 ? "" : "s"; }

// NCORE and NPAR change no result; why they are chosen: docs/decisions/0028-ncore.md.
static void write_band_ranks(FILE *out, const pv_system *system)
{
    const int size = system->groups.size, each = system->groups.band_ranks, pairs = (system->params.bands + 1) / 2;
    const int ncore = system->params.band_ranks, npar = system->params.band_groups;
    const int asked = npar > 0 ? npar : ncore, taken = npar > 0 ? size / each : each;
    if (asked == 0 && each == 1) return;
    fprintf(out, "bands       %d at a time, each by %d rank%s (NCORE = %d, NPAR = %d), ", size / each, each,
            plural(each), each, size / each);
    if (asked == taken) fputs("as given\n", out);
    else if (asked > 0) fprintf(out, "%s = %d asked for\n", npar > 0 ? "NPAR" : "NCORE", asked);
    else fprintf(out, "chosen: a group has %d ranks for transforms of %d pair%s of bands\n", size, pairs,
                 plural(pairs));
}

static void write_ranks(FILE *out, const pv_system *system)
{
    const pv_kpoint_groups *groups = &system->groups;
    const pv_device *device = pv_comm_device(system->comm);
    const int threads = pv_device_threads(device);
    fprintf(out, "ranks       %d (%s), %d thread%s each on %s\n", groups->ranks, pv_comm_transport(system->comm),
            threads, plural(threads), pv_device_name(device));
    if (system->device != device)
        fprintf(out, "device      orbitals and what acts on them on %s (%s), algebra by %s\n",
                pv_device_name(system->device), pv_comm_text(system->orbital_comm), pv_dense_name(system->group_dense));
    const int asked = system->params.kpoint_groups;
    char choice[32] = "chosen";
    if (asked) snprintf(choice, sizeof choice, asked == groups->count ? "as given" : "= %d asked for", asked);
    fprintf(out, "groups      %d of %d rank%s for %d k-point%s (KPAR %s); %s\n", groups->count, groups->size,
            plural(groups->size), groups->kpoints, plural(groups->kpoints), choice,
            groups->size > 1 ? "in a group bands for transforms, plane waves for products"
                             : "nothing moves in a group");
    write_band_ranks(out, system);
}

static void write_bytes(FILE *out, double bytes)
{
    if (bytes >= 1e10) fprintf(out, "%.1f GB", bytes * 1e-9);
    else if (bytes >= 1e9) fprintf(out, "%.2f GB", bytes * 1e-9);
    else fprintf(out, "%.*f MB", bytes < 1e8 ? 1 : 0, bytes * 1e-6);
}

static void write_memory(FILE *out, const pv_system *system)
{
    fputs("memory      ", out);
    write_bytes(out, pv_memory_total(&system->memory));
    fputs(" a rank:", out);
    for (int part = 0; part < PV_MEMORY_PARTS; part++) {
        if (system->memory.bytes[part] == 0.0) continue;
        fputs(part ? ", " : " ", out);
        write_bytes(out, system->memory.bytes[part]);
        fprintf(out, " %s", pv_memory_part_name(part));
    }
    fputc('\n', out);
}

pv_status pv_dft_plan_write(const pv_system *system, char **text_p)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    PV_REQUIRE(out, PV_ERR_MEMORY, "no memory for the text of the plan");
    fprintf(out, "system      %s\n", system->params.system);
    write_cell(out, system->cell);
    write_potentials(out, system);
    write_basis(out, system);
    char functional[96];
    pv_functional_text(&system->params.functional, sizeof functional, functional);
    fprintf(out, "functional  %s\n", functional);
    write_ranks(out, system);
    fprintf(out, "algebra     %s, kernels for %s\n", pv_dense_name(system->dense), pv_dense_kernels(system->dense));
    write_memory(out, system);
    const int failed = ferror(out) | fclose(out);
    pv_status status = failed ? pv_fail(PV_ERR_MEMORY, __func__, "no memory for the text of the plan") : PV_OK;
    if (status == PV_OK) status = pv_mem_strdup(text, text_p);
    free(text);
    return status;
}
