// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/print.h"

#include "base/check.h"
#include "base/json_write.h"
#include "cli/launch/environment.h"

enum { LIST_BYTES = 2048 };

static const char *const nearness_texts[] = {[PV_NEAR_MACHINE] = "the same machine",
                                             [PV_NEAR_PACKAGE] = "the same socket",
                                             [PV_NEAR_NUMA] = "the same NUMA node",
                                             [PV_NEAR_ROOT] = "the same host bridge",
                                             [PV_NEAR_SWITCH] = "the same PCI switch"};

static const pv_gpu *gpu_of(const pv_topology *topology, const pv_binding *row)
{
    return row->has_gpu && row->gpu.gpu >= 0 ? &topology->gpus[row->gpu.gpu] : NULL;
}

static const char *nearness_of(const pv_topology *topology, const pv_binding *row)
{
    const pv_gpu *gpu = gpu_of(topology, row);
    if (!gpu || row->nic < 0) return NULL;
    return nearness_texts[pv_place_nearness(&gpu->place, &topology->nics[row->nic].place)];
}

// ---- For people ---------------------------------------------------------------------------------------------------

static void print_count(FILE *out, const char *before, int count, const char *what)
{
    if (count == 0)
        fprintf(out, "%sno %ss", before, what);
    else
        fprintf(out, "%s%d %s%s", before, count, what, count == 1 ? "" : "s");
}

static void print_remarks(FILE *out, const pv_topology *topology, const pv_binding *row)
{
    const pv_gpu *gpu = gpu_of(topology, row);
    const char *nearness = nearness_of(topology, row);
    const char *separator = "  # ";
    if (gpu) {
        fprintf(out, "%s%s%s%s", separator, gpu->pci, gpu->name[0] ? " " : "", gpu->name);
        separator = "; ";
    }
    if (row->has_gpu && !gpu) {
        fprintf(out, "%swhere the GPU is, is not known", separator);
        separator = "; ";
    }
    if (row->gpu_sharers > 1) {
        fprintf(out, "%sGPU shared by %d ranks", separator, row->gpu_sharers);
        separator = "; ";
    }
    if (row->core_sharers > 1) {
        fprintf(out, "%scores shared by %d ranks", separator, row->core_sharers);
        separator = "; ";
    }
    if (nearness) fprintf(out, "%scard on %s", separator, nearness);
}

static void print_row(FILE *out, const pv_topology *topology, int rank, const pv_binding *row)
{
    char cores[LIST_BYTES], gpu[PV_GPU_TOKEN_BYTES] = "-", numa[16] = "-";
    pv_cpu_list_print(&row->cpus, cores, sizeof cores);
    if (row->has_gpu && row->gpu.gpu >= 0)
        snprintf(gpu, sizeof gpu, "%d", row->gpu.gpu);
    else if (row->has_gpu)
        snprintf(gpu, sizeof gpu, "%s", row->gpu.token);
    if (row->numa >= 0) snprintf(numa, sizeof numa, "%d", row->numa);
    fprintf(out, "%6d %4s  %-22s %4s  %-8s", rank, gpu, cores, numa,
            row->nic >= 0 ? topology->nics[row->nic].name : "-");
    print_remarks(out, topology, row);
    fputc('\n', out);
}

static void print_environment(FILE *out, const pv_topology *topology, int ranks, const pv_binding *bindings, int rank)
{
    pv_launch_variable variables[PV_LAUNCH_VARIABLES];
    pv_launch_environment(topology, ranks, bindings, rank, variables);
    fprintf(out, "# rank %d:", rank);
    for (int i = 0; i < PV_LAUNCH_VARIABLES; i++) {
        if (variables[i].kept)
            fprintf(out, " %s=%s (kept)", variables[i].name, variables[i].kept);
        else if (variables[i].is_set)
            fprintf(out, " %s=%s", variables[i].name, variables[i].value);
    }
    fputc('\n', out);
}

void pv_launch_print_table(FILE *out, const pv_topology *topology, int ranks, const pv_binding *bindings)
{
    fprintf(out, "# node %s: ", topology->host);
    print_count(out, "", ranks, "rank");
    print_count(out, "; ", topology->core_count, "core");
    print_count(out, ", ", topology->numa_count, "NUMA node");
    print_count(out, ", ", topology->gpu_count, "GPU");
    print_count(out, ", ", topology->nic_count, "network card");
    fprintf(out, "\n# rank  gpu  %-22s numa  nic\n", "cores");
    for (int rank = 0; rank < ranks; rank++) print_row(out, topology, rank, &bindings[rank]);
    for (int rank = 0; rank < ranks; rank++) print_environment(out, topology, ranks, bindings, rank);
    fflush(out);
}

// ---- For programs -------------------------------------------------------------------------------------------------

static void add_variables(pv_json *json, const char *key, const pv_launch_variable *variables, int kept)
{
    pv_json_object(json, key);
    for (int i = 0; i < PV_LAUNCH_VARIABLES; i++) {
        if (kept && variables[i].kept) pv_json_text_value(json, variables[i].name, variables[i].kept);
        if (!kept && variables[i].is_set) pv_json_text_value(json, variables[i].name, variables[i].value);
    }
    pv_json_end(json);
}

static void add_row(pv_json *json, const pv_topology *topology, int ranks, const pv_binding *bindings, int rank)
{
    const pv_binding *row = &bindings[rank];
    const pv_gpu *gpu = gpu_of(topology, row);
    pv_launch_variable variables[PV_LAUNCH_VARIABLES];
    char cores[LIST_BYTES];
    pv_launch_environment(topology, ranks, bindings, rank, variables);
    pv_cpu_list_print(&row->cpus, cores, sizeof cores);
    pv_json_object(json, NULL);
    pv_json_integer(json, "rank", rank);
    if (gpu)
        pv_json_integer(json, "gpu", row->gpu.gpu);
    else
        pv_json_text_value(json, "gpu", row->has_gpu ? row->gpu.token : NULL);
    pv_json_text_value(json, "gpu_pci", gpu ? gpu->pci : NULL);
    pv_json_integer(json, "gpu_sharers", row->gpu_sharers);
    pv_json_text_value(json, "cores", cores);
    pv_json_integer(json, "core_count", pv_bindings_core_count(topology, &row->cpus));
    pv_json_integer(json, "core_sharers", row->core_sharers);
    if (row->numa >= 0)
        pv_json_integer(json, "numa", row->numa);
    else
        pv_json_null(json, "numa");
    pv_json_text_value(json, "nic", row->nic >= 0 ? topology->nics[row->nic].name : NULL);
    pv_json_text_value(json, "nic_nearness", nearness_of(topology, row));
    add_variables(json, "environment", variables, 0);
    add_variables(json, "kept", variables, 1);
    pv_json_end(json);
}

pv_status pv_launch_print_json(FILE *out, const pv_topology *topology, int ranks, const pv_binding *bindings)
{
    pv_json *json = pv_json_create(2);
    pv_json_object(json, NULL);
    pv_json_text_value(json, "host", topology->host);
    pv_json_list(json, "ranks");
    for (int rank = 0; rank < ranks; rank++) add_row(json, topology, ranks, bindings, rank);
    pv_json_end(json);
    pv_json_end(json);
    const char *text = pv_json_text(json);
    if (text) fprintf(out, "%s\n", text);
    fflush(out);
    pv_json_destroy(json);
    PV_REQUIRE(text, PV_ERR_MEMORY, "no memory for the text of the table");
    return PV_OK;
}
