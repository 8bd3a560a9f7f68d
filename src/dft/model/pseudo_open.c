// SPDX-License-Identifier: Apache-2.0
#include "dft/model/pseudo.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/files/psp8.h"
#include "dft/files/text.h"
#include "dft/files/upf.h"
#include "dft/model/gth.h"

typedef struct format {
    const char *name;
    int (*is)(const char *text, size_t length);
    void (*element)(const char *text, size_t length, char element[8]);
    pv_status (*parse)(const char *text, size_t length, const char *name, pv_pseudo **pseudo_p);
} format;

// In order of preference.
static const format formats[] = {{"UPF", pv_upf_is, pv_upf_element, pv_upf_parse},
                                 {"psp8", pv_psp8_is, pv_psp8_element, pv_psp8_parse}};
enum { FORMATS = sizeof formats / sizeof formats[0] };

static int format_of(const char *text, size_t length)
{
    int f = 0;
    while (f < FORMATS && !formats[f].is(text, length)) f++;
    return f;
}

static void list_gth(char *list, size_t room)
{
    for (size_t i = 0, used = 0; i < (size_t)pv_gth_count && used < room; i++)
        used += (size_t)snprintf(list + used, room - used, "%s%s", i ? " " : "", pv_gth_table[i].element);
}

static void fill_gth(const pv_gth *gth, pv_pseudo *pseudo)
{
    const int n = pseudo->projectors;
    int first = 0;
    for (int l = 0; l < PV_GTH_CHANNELS; l++) {
        const int count = gth->channel[l].count;
        for (int i = 0; i < count; i++) {
            pseudo->l[first + i] = l;
            for (int j = 0; j < count; j++)
                pseudo->coupling_ha[(first + i) * n + first + j] = gth->channel[l].h[i][j];
        }
        first += count;
    }
    snprintf(pseudo->element, sizeof pseudo->element, "%s", gth->element);
    snprintf(pseudo->functional, sizeof pseudo->functional, "PBE");
    pseudo->valence = gth->valence;
    pseudo->cutoff_ha = gth->cutoff_ha;
    pseudo->gth = gth;
}

static pv_status open_gth(const char *element, pv_pseudo **pseudo_p)
{
    char text[512];
    const pv_gth *gth = pv_gth_find(element);
    list_gth(text, sizeof text);
    PV_REQUIRE(gth, PV_ERR_INPUT,
               "no built-in potential for '%s'; there are those of %s, and files of others can be given", element,
               text);
    pv_pseudo *pseudo;
    PV_TRY(PV_ALLOC(1, &pseudo));
    pv_status status;
    for (int l = 0; l < PV_GTH_CHANNELS; l++) pseudo->projectors += gth->channel[l].count;
    snprintf(text, sizeof text, "built-in GTH-PBE-q%d", gth->valence);
    PV_TRY_GOTO(pv_mem_strdup(text, &pseudo->source), status, failed);
    PV_TRY_GOTO(PV_ALLOC(pseudo->projectors, &pseudo->l), status, failed);
    PV_TRY_GOTO(PV_ALLOC(pseudo->projectors * pseudo->projectors, &pseudo->coupling_ha), status, failed);
    fill_gth(gth, pseudo);
    PV_TRY_GOTO(pv_pseudo_prepare(pseudo), status, failed);
    *pseudo_p = pseudo;
    return PV_OK;
failed:
    pv_pseudo_destroy(pseudo);
    return status;
}

static pv_status parse(const char *text, size_t length, const char *path, pv_pseudo **pseudo_p)
{
    const int f = format_of(text, length);
    PV_REQUIRE(f < FORMATS, PV_ERR_INPUT, "%s is not a pseudopotential in a known format; UPF 2 and psp8 are accepted",
               path);
    pv_pseudo *pseudo;
    PV_TRY(formats[f].parse(text, length, path, &pseudo));
    pv_status status = pv_pseudo_prepare(pseudo);
    if (status != PV_OK) pv_pseudo_destroy(pseudo);
    else *pseudo_p = pseudo;
    return status;
}

pv_status pv_pseudo_open_file(const char *path, pv_pseudo **pseudo_p)
{
    PV_TEXT_PARSE_FILE(path, parse, pseudo_p);
}

// What a look through a directory found.
typedef struct choice {
    const char *element;
    int format;                // FORMATS while none is found
    char path[4096];
    char others[512];          // elements of the files that are for others, each once
    char strange[512];         // names of files passed over, and why
} choice;

static void note_other(choice *best, const char *element)
{
    char listed[16];
    size_t used = strlen(best->others);
    snprintf(listed, sizeof listed, "%s ", element);
    if (!strstr(best->others, listed) && used + strlen(listed) < sizeof best->others)
        strcpy(best->others + used, listed);
}

static void note_strange(choice *best, const char *path, const char *why)
{
    const char *name = strrchr(path, '/') + 1;
    const size_t used = strlen(best->strange);
    snprintf(best->strange + used, sizeof best->strange - used, "%s%s (%s)", used ? ", " : "", name, why);
}

static pv_status consider(const char *path, choice *best)
{
    char *text, element[8] = "";
    size_t length;
    PV_TRY(pv_text_load(path, &text, &length));
    const int f = format_of(text, length);
    if (f < FORMATS) formats[f].element(text, length, element);
    if (!*element)
        note_strange(best, path, length == 0   ? "empty"
                                 : f < FORMATS ? "names no element as UPF 2 and psp8 do; upfconv converts UPF 1"
                                               : "neither UPF 2 nor psp8, or damaged");
    pv_mem_free(text);
    if (strcmp(element, best->element) != 0) {
        if (*element) note_other(best, element);
    } else if (f < best->format) {
        best->format = f;
        snprintf(best->path, sizeof best->path, "%s", path);
    }
    return PV_OK;
}

static int may_be_potential(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return entry->d_name[0] != '.' && dot &&
           (strcasecmp(dot, ".upf") == 0 || strcasecmp(dot, ".psp8") == 0 || strcasecmp(dot, ".psp") == 0);
}

static pv_status search(const char *directory, choice *best)
{
    struct dirent **entries;
    const int count = scandir(directory, &entries, may_be_potential, alphasort);
    PV_REQUIRE(count >= 0, errno == ENOENT || errno == ENOTDIR ? PV_ERR_INPUT : PV_ERR_IO,
               "cannot read the directory of potentials %s: %s", directory, strerror(errno));
    pv_status status = PV_OK;
    for (int i = 0; i < count; i++) {
        char path[sizeof best->path];
        const int length = snprintf(path, sizeof path, "%s/%s", directory, entries[i]->d_name);
        if (status == PV_OK && length > 0 && (size_t)length < sizeof path) status = consider(path, best);
        free(entries[i]);
    }
    free(entries);
    return status;
}

pv_status pv_pseudo_open(const char *element, const char *directory, pv_pseudo **pseudo_p)
{
    if (!directory) return open_gth(element, pseudo_p);
    choice best = {.element = element, .format = FORMATS};
    PV_TRY(search(directory, &best));
    PV_REQUIRE(best.format < FORMATS, PV_ERR_INPUT,
               "no pseudopotential for %s in %s (files .upf and .psp8); there are those for: %s%s%s", element,
               directory, *best.others ? best.others : "no element", *best.strange ? "; passed over: " : "",
               best.strange);
    return pv_pseudo_open_file(best.path, pseudo_p);
}
