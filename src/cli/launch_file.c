// SPDX-License-Identifier: Apache-2.0
// A table given by hand, in the form in which tables are printed.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "cli/launch_table.h"

enum { RANK, GPU, CORES, NUMA, NIC, FIELDS };

typedef struct reading {
    const char *file;
    const pv_topology *topology;
    int choice_count, ranks;
    const pv_gpu_choice *choices;
    pv_binding *bindings;
    int *numas;     // [ranks], the node whose cores the rank shares; -1: none
    char *is_named; // [ranks]
    int line;
} reading;

static int is_open(const char *field)
{
    return strcmp(field, "*") == 0;
}

static int is_none(const char *field)
{
    return strcmp(field, "-") == 0;
}

static pv_status to_number(const reading *r, const char *what, const char *field, int *number_p)
{
    char *end;
    errno = 0;
    const long number = strtol(field, &end, 10);
    PV_REQUIRE(end > field && *end == '\0' && number >= 0 && number < 1000000 && !errno, PV_ERR_INPUT,
               "%s, line %d: '%s' is no %s", r->file, r->line, field, what);
    *number_p = (int)number;
    return PV_OK;
}

static pv_status set_gpu(const reading *r, const char *field, pv_binding *row)
{
    if (is_open(field)) return PV_OK;
    row->has_gpu = !is_none(field);
    if (is_none(field)) return PV_OK;
    for (int i = 0; i < r->choice_count; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", r->choices[i].gpu);
        if (strcmp(field, r->choices[i].gpu >= 0 ? number : r->choices[i].token) != 0 &&
            strcmp(field, r->choices[i].token) != 0)
            continue;
        row->gpu = r->choices[i];
        return PV_OK;
    }
    PV_FAIL(PV_ERR_INPUT,
            "%s, line %d: GPU '%s' is not there; this node has %d that may be used, numbered by PCI address "
            "from 0; - is none, * the one that is chosen without the file",
            r->file, r->line, field, r->choice_count);
}

static pv_status set_cores(const reading *r, const char *field, pv_binding *row)
{
    char what[512];
    if (is_open(field)) return PV_OK;
    snprintf(what, sizeof what, "%s, line %d", r->file, r->line);
    PV_TRY(pv_cpu_list_parse(field, what, &row->cpus));
    PV_REQUIRE(pv_bindings_core_count(r->topology, &row->cpus) > 0, PV_ERR_INPUT,
               "%s: none of the processors %s is there or may be used", what, field);
    return PV_OK;
}

static const pv_numa *find_numa(const pv_topology *topology, int number)
{
    for (int i = 0; i < topology->numa_count; i++)
        if (topology->numas[i].number == number) return &topology->numas[i];
    return NULL;
}

// Beside cores it is a check, instead of them it stands for those of the node.
static pv_status set_numa(const reading *r, const char *field, int has_cores, int rank)
{
    int number = 0;
    if (is_open(field) || is_none(field)) return PV_OK;
    PV_TRY(to_number(r, "NUMA node", field, &number));
    const pv_numa *numa = find_numa(r->topology, number);
    PV_REQUIRE(numa, PV_ERR_INPUT, "%s, line %d: NUMA node %d is not there; this node has %d", r->file, r->line, number,
               r->topology->numa_count);
    if (!has_cores) {
        r->numas[rank] = number;
        return PV_OK;
    }
    cpu_set_t common;
    CPU_AND(&common, &numa->cpus, &r->bindings[rank].cpus);
    PV_REQUIRE(CPU_EQUAL(&common, &r->bindings[rank].cpus), PV_ERR_INPUT,
               "%s, line %d: the cores are not all of NUMA node %d; - leaves the node open", r->file, r->line, number);
    return PV_OK;
}

static pv_status set_nic(const reading *r, const char *field, pv_binding *row)
{
    if (is_open(field)) return PV_OK;
    row->nic = -1;
    if (is_none(field)) return PV_OK;
    for (int i = 0; i < r->topology->nic_count; i++)
        if (strcmp(field, r->topology->nics[i].name) == 0) row->nic = i;
    PV_REQUIRE(row->nic >= 0, PV_ERR_INPUT,
               "%s, line %d: network card '%s' is not there or has no active port; this node has %d%s%s", r->file,
               r->line, field, r->topology->nic_count, r->topology->nic_count > 0 ? ", the first is " : "",
               r->topology->nic_count > 0 ? r->topology->nics[0].name : "");
    return PV_OK;
}

static pv_status read_row(reading *r, char *fields[FIELDS])
{
    int rank = 0;
    PV_TRY(to_number(r, "rank", fields[RANK], &rank));
    if (rank >= r->ranks) return PV_OK; // of a fuller node
    PV_REQUIRE(!r->is_named[rank], PV_ERR_INPUT, "%s, line %d: rank %d has a row already", r->file, r->line, rank);
    r->is_named[rank] = 1;
    pv_binding *row = &r->bindings[rank];
    PV_TRY(set_gpu(r, fields[GPU], row));
    PV_TRY(set_cores(r, fields[CORES], row));
    PV_TRY(set_numa(r, fields[NUMA], !is_open(fields[CORES]), rank));
    return set_nic(r, fields[NIC], row);
}

static pv_status read_lines(reading *r, FILE *file)
{
    char line[4096];
    while (fgets(line, sizeof line, file)) {
        char *fields[FIELDS], *rest = NULL;
        int count = 0;
        r->line++;
        PV_REQUIRE(strchr(line, '\n') || feof(file), PV_ERR_INPUT, "%s, line %d: longer than %zu bytes, or no text",
                   r->file, r->line, sizeof line - 2);
        line[strcspn(line, "#\n")] = '\0';
        for (char *word = strtok_r(line, " \t\r", &rest); word; word = strtok_r(NULL, " \t\r", &rest)) {
            if (count < FIELDS) fields[count] = word;
            count++;
        }
        if (count == 0) continue;
        PV_REQUIRE(count == FIELDS, PV_ERR_INPUT,
                   "%s, line %d: %d words; five are accepted: rank gpu cores numa nic (see parseval launch --print)",
                   r->file, r->line, count);
        PV_TRY(read_row(r, fields));
    }
    PV_REQUIRE(!ferror(file), PV_ERR_INPUT, "the table %s cannot be read: %s", r->file, strerror(errno));
    return PV_OK;
}

static void share_numas(const reading *r)
{
    for (int rank = 0; rank < r->ranks; rank++) {
        int index = 0, count = 0;
        if (r->numas[rank] < 0) continue;
        for (int other = 0; other < r->ranks; other++) {
            index += other < rank && r->numas[other] == r->numas[rank];
            count += r->numas[other] == r->numas[rank];
        }
        pv_bindings_take_share(r->topology, &find_numa(r->topology, r->numas[rank])->cpus, index, count,
                               &r->bindings[rank].cpus);
    }
}

pv_status pv_bindings_read(const char *file, const pv_topology *topology, int choice_count,
                           const pv_gpu_choice *choices, int ranks, pv_binding *bindings)
{
    reading r = {.file = file,
                 .topology = topology,
                 .choice_count = choice_count,
                 .ranks = ranks,
                 .choices = choices,
                 .bindings = bindings};
    FILE *opened = fopen(file, "r");
    PV_REQUIRE(opened, PV_ERR_INPUT, "the table %s cannot be read: %s", file, strerror(errno));
    pv_status status = PV_ALLOC(ranks, &r.numas);
    if (status == PV_OK) status = PV_ALLOC(ranks, &r.is_named);
    for (int rank = 0; status == PV_OK && rank < ranks; rank++) r.numas[rank] = -1;
    if (status == PV_OK) status = read_lines(&r, opened);
    if (status == PV_OK) share_numas(&r);
    fclose(opened);
    pv_mem_free(r.numas);
    pv_mem_free(r.is_named);
    PV_TRY(status);
    pv_bindings_complete(topology, ranks, bindings);
    return PV_OK;
}
