// SPDX-License-Identifier: Apache-2.0
// Tables, made and given by hand: a file has the form in which tables are printed.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/file_read.h"
#include "base/mem.h"
#include "cli/launch/table.h"

enum { RANK, GPU, CORES, NUMA, NIC, FIELDS };

enum { OPEN = -2, NONE = -1 };

// What a line says beside the GPU, from which the open rest follows.
typedef struct wish {
    int is_named, has_cores;
    cpu_set_t cpus;
    int numa; // whose cores the rank shares; OPEN
    int nic;  // of the topology, NONE, OPEN
} wish;

typedef struct reading {
    const char *file;
    const pv_topology *topology;
    int choice_count, ranks;
    const pv_gpu_choice *choices;
    pv_binding *bindings;
    wish *wishes; // [ranks]
    int line, rows;
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
    char known[256];
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
    pv_gpu_choices_print(r->choice_count, r->choices, known, sizeof known);
    PV_FAIL(PV_ERR_INPUT,
            "%s, line %d: '%s' is no GPU of this node that may be used; there are: %s; - is none, * the one that is "
            "chosen without the file",
            r->file, r->line, field, known);
}

// All cores that this process may use.
static cpu_set_t usable(const pv_topology *topology)
{
    cpu_set_t all;
    CPU_ZERO(&all);
    for (int i = 0; i < topology->core_count; i++) CPU_OR(&all, &all, &topology->cores[i].cpus);
    return all;
}

static pv_status set_cores(const reading *r, const char *field, wish *w)
{
    char what[512], missing[256];
    const cpu_set_t all = usable(r->topology);
    cpu_set_t common;
    if (is_open(field)) return PV_OK;
    snprintf(what, sizeof what, "%s, line %d", r->file, r->line);
    PV_TRY(pv_cpu_list_parse(field, what, &w->cpus));
    CPU_AND(&common, &w->cpus, &all);
    CPU_XOR(&common, &w->cpus, &common);
    pv_cpu_list_print(&common, missing, sizeof missing);
    PV_REQUIRE(CPU_COUNT(&common) == 0, PV_ERR_INPUT,
               "%s: of the processors %s these are not there or may not be used: %s", what, field, missing);
    w->has_cores = 1;
    return PV_OK;
}

static const pv_numa *find_numa(const pv_topology *topology, int number)
{
    for (int i = 0; i < topology->numa_count; i++)
        if (topology->numas[i].number == number) return &topology->numas[i];
    return NULL;
}

// Beside cores it is a check, instead of them it stands for those of the node.
static pv_status set_numa(const reading *r, const char *field, wish *w)
{
    int number = 0;
    cpu_set_t common;
    if (is_open(field) || is_none(field)) return PV_OK;
    PV_TRY(to_number(r, "NUMA node", field, &number));
    const pv_numa *numa = find_numa(r->topology, number);
    PV_REQUIRE(numa, PV_ERR_INPUT, "%s, line %d: NUMA node %d is not there; this node has %d", r->file, r->line, number,
               r->topology->numa_count);
    PV_REQUIRE(w->has_cores || pv_bindings_core_count(r->topology, &numa->cpus) > 0, PV_ERR_INPUT,
               "%s, line %d: NUMA node %d has no cores that may be used", r->file, r->line, number);
    CPU_AND(&common, &numa->cpus, &w->cpus);
    PV_REQUIRE(!w->has_cores || CPU_EQUAL(&common, &w->cpus), PV_ERR_INPUT,
               "%s, line %d: the cores are not all of NUMA node %d; - leaves the node open", r->file, r->line, number);
    if (!w->has_cores) w->numa = number;
    return PV_OK;
}

static pv_status set_nic(const reading *r, const char *field, wish *w)
{
    if (is_open(field)) return PV_OK;
    w->nic = NONE;
    if (is_none(field)) return PV_OK;
    for (int i = 0; i < r->topology->nic_count; i++)
        if (strcmp(field, r->topology->nics[i].name) == 0) w->nic = i;
    PV_REQUIRE(w->nic >= 0, PV_ERR_INPUT,
               "%s, line %d: network card '%s' is not there or has no active port; this node has %d%s%s", r->file,
               r->line, field, r->topology->nic_count, r->topology->nic_count > 0 ? ", the first is " : "",
               r->topology->nic_count > 0 ? r->topology->nics[0].name : "");
    return PV_OK;
}

static pv_status read_row(reading *r, char *fields[FIELDS])
{
    int rank = 0;
    PV_TRY(to_number(r, "rank", fields[RANK], &rank));
    r->rows++;
    if (rank >= r->ranks) return PV_OK; // of a fuller node
    wish *w = &r->wishes[rank];
    PV_REQUIRE(!w->is_named, PV_ERR_INPUT, "%s, line %d: rank %d has a row already", r->file, r->line, rank);
    w->is_named = 1;
    PV_TRY(set_gpu(r, fields[GPU], &r->bindings[rank]));
    PV_TRY(set_cores(r, fields[CORES], w));
    PV_TRY(set_numa(r, fields[NUMA], w));
    return set_nic(r, fields[NIC], w);
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
    PV_REQUIRE(r->rows > 0, PV_ERR_INPUT,
               "the table %s has no line; lines such as '0 * * * *' are accepted: rank gpu cores numa nic", r->file);
    return PV_OK;
}

static pv_status read_file(reading *r)
{
    PV_TRY(pv_file_check_read(r->file));
    FILE *file = fopen(r->file, "r");
    PV_REQUIRE(file, PV_ERR_INPUT, "the table %s cannot be read: %s", r->file, strerror(errno));
    const pv_status status = read_lines(r, file);
    fclose(file);
    return status;
}

// ---- The table ----------------------------------------------------------------------------------------------------

static void give_cores(const reading *r)
{
    for (int rank = 0; rank < r->ranks; rank++) {
        const wish *mine = &r->wishes[rank];
        int index = 0, count = 0;
        if (mine->has_cores) r->bindings[rank].cpus = mine->cpus;
        if (mine->numa == OPEN) continue;
        for (int other = 0; other < r->ranks; other++) {
            index += other < rank && r->wishes[other].numa == mine->numa;
            count += r->wishes[other].numa == mine->numa;
        }
        pv_bindings_take_share(r->topology, &find_numa(r->topology, mine->numa)->cpus, index, count,
                               &r->bindings[rank].cpus);
    }
}

// Cores follow from GPUs, cards from both, whoever has chosen these.
static pv_status make(reading *r)
{
    for (int rank = 0; rank < r->ranks; rank++) r->wishes[rank] = (wish){.numa = OPEN, .nic = OPEN};
    pv_bindings_choose_gpus(r->choice_count, r->choices, r->ranks, r->bindings);
    if (r->file) PV_TRY(read_file(r));
    PV_TRY(pv_bindings_choose_cores(r->topology, r->ranks, r->bindings));
    give_cores(r);
    PV_TRY(pv_bindings_choose_nics(r->topology, r->ranks, r->bindings));
    for (int rank = 0; rank < r->ranks; rank++)
        if (r->wishes[rank].nic != OPEN) r->bindings[rank].nic = r->wishes[rank].nic;
    pv_bindings_complete(r->topology, r->ranks, r->bindings);
    return PV_OK;
}

pv_status pv_bindings_make(const char *file, const pv_topology *topology, int choice_count,
                           const pv_gpu_choice *choices, int ranks, pv_binding *bindings)
{
    reading r = {.file = file,
                 .topology = topology,
                 .choice_count = choice_count,
                 .ranks = ranks,
                 .choices = choices,
                 .bindings = bindings};
    PV_TRY(PV_ALLOC(ranks, &r.wishes));
    const pv_status status = make(&r);
    pv_mem_free(r.wishes);
    return status;
}
