// SPDX-License-Identifier: Apache-2.0
#include "dft/rates_file.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/check.h"
#include "base/file_text.h"
#include "base/spell.h"
#include "dft/files/text.h"

typedef struct entry {
    const char *name;
    size_t offset;
} entry;

#define MOST 1e30
#define ENTRY(name)                                                                                                    \
    {                                                                                                                  \
#name, offsetof(pv_dft_rates, name)                                                                            \
    }
static const entry entries[] = {
    ENTRY(gemm_flops_per_s),
    ENTRY(eigen_flops_per_s),
    ENTRY(eigen_row_s),
    ENTRY(transform_flops_per_s),
    ENTRY(pair_flops_per_s),
    ENTRY(pair_single_flops_per_s),
    ENTRY(functional_points_per_s),
    ENTRY(screened_points_per_s),
    ENTRY(waves_per_s),
    ENTRY(launch_s),
    ENTRY(build_s),
    ENTRY(link_bytes_per_s),
    ENTRY(network_bytes_per_s),
    ENTRY(latency_s),
    ENTRY(start_s),
    ENTRY(device_bytes),
    ENTRY(context_bytes),
    ENTRY(spread),
    ENTRY(error),
    ENTRY(pair_bytes_most),
};
enum { ENTRIES = sizeof entries / sizeof *entries, NAMES = ENTRIES + 2 }; // with source and node_devices

// A name that an earlier line has: one of both values would be lost.
static pv_status refuse_repeated(const pv_text *text, pv_word name, const pv_word *earlier, int count)
{
    const size_t length = (size_t)(name.end - name.begin);
    char shown[PV_WORD_SHOWN];
    for (int i = 0; i < count; i++)
        PV_REQUIRE((size_t)(earlier[i].end - earlier[i].begin) != length
                       || strncasecmp(earlier[i].begin, name.begin, length) != 0,
                   PV_ERR_INPUT, "%s:%d: %s is given twice; each name is accepted once", text->name, text->line,
                   pv_word_show(name, shown));
    return PV_OK;
}

static pv_status take(const pv_text *text, pv_word name, pv_word value, pv_dft_rates *rates)
{
    char shown[PV_WORD_SHOWN], known[PV_WORD_SHOWN];
    double number;
    int whole;
    if (pv_word_is(name, "source")) {
        snprintf(rates->source, sizeof rates->source, "%.*s", (int)(value.end - value.begin), value.begin);
        return PV_OK;
    }
    PV_REQUIRE(pv_word_real(value, &number) && number >= 0.0 && number <= MOST, PV_ERR_INPUT,
               "%s:%d: %s = \"%s\"; a number from 0 to 1e30 is accepted", text->name, text->line,
               pv_word_show(name, known), pv_word_show(value, shown));
    if (pv_word_is(name, "node_devices")) {
        PV_REQUIRE(pv_word_int(value, &whole) && whole > 0, PV_ERR_INPUT,
                   "%s:%d: node_devices = \"%s\"; a whole number from 1 on is accepted", text->name,
                   text->line, pv_word_show(value, shown));
        rates->node_devices = whole;
        return PV_OK;
    }
    for (int i = 0; i < ENTRIES; i++)
        if (pv_word_is(name, entries[i].name)) {
            memcpy((char *)rates + entries[i].offset, &number, sizeof number);
            return PV_OK;
        }
    const char *near = pv_spell_nearest(pv_word_show(name, known), &entries[0].name, ENTRIES, sizeof entries[0]);
    PV_FAIL(PV_ERR_INPUT, "%s:%d: there is no rate \"%s\"%s%s; parseval plan dft --measure writes a file with all",
            text->name, text->line, known, near ? ", the nearest one is " : "", near ? near : "");
}

pv_status pv_dft_rates_parse(const char *data, size_t length, const char *name, pv_dft_rates *rates)
{
    pv_text text = pv_text_of(data, length, name);
    pv_dft_rates read = *rates;
    pv_word line, names[NAMES];
    char shown[PV_WORD_SHOWN];
    int named = 0;
    while (pv_text_filled_line(&text, &line)) {
        const char *hash = memchr(line.begin, '#', (size_t)(line.end - line.begin));
        if (hash) line.end = hash;
        line = pv_word_trim(line);
        if (line.begin == line.end) continue;
        const char *sign = memchr(line.begin, '=', (size_t)(line.end - line.begin));
        PV_REQUIRE(sign, PV_ERR_INPUT, "%s:%d: \"%s\" has no '='; lines \"name = value\" are accepted", name, text.line,
                   pv_word_show(line, shown));
        const pv_word rate = pv_word_trim((pv_word){line.begin, sign});
        PV_TRY(refuse_repeated(&text, rate, names, named));
        PV_TRY(take(&text, rate, pv_word_trim((pv_word){sign + 1, line.end}), &read));
        names[named++] = rate;
    }
    PV_REQUIRE(named > 0, PV_ERR_INPUT, "%s names no rate; lines \"name = value\" are accepted", name);
    const double needed[] = {
        read.gemm_flops_per_s,        read.eigen_flops_per_s,       read.transform_flops_per_s, read.pair_flops_per_s,
        read.pair_single_flops_per_s, read.functional_points_per_s, read.screened_points_per_s, read.waves_per_s,
        read.link_bytes_per_s,        read.network_bytes_per_s};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        PV_REQUIRE(needed[i] >= 1.0, PV_ERR_INPUT,
                   "%s: a rate is less than 1 a second; only start_s, launch_s, build_s, eigen_row_s, latency_s, "
                   "device_bytes, context_bytes, spread, error and pair_bytes_most may be", name);
    *rates = read;
    return PV_OK;
}

pv_status pv_dft_rates_read(const char *path, pv_dft_rates *rates)
{
    PV_TEXT_PARSE_FILE(path, pv_dft_rates_parse, rates);
}

pv_status pv_dft_rates_write(const char *path, const pv_dft_rates *rates)
{
    pv_file_text text;
    PV_TRY(pv_file_text_begin(path, &text));
    fprintf(text.out, "source = %s\n", rates->source);
    for (int i = 0; i < ENTRIES; i++) {
        double value;
        memcpy(&value, (const char *)rates + entries[i].offset, sizeof value);
        fprintf(text.out, "%s = %.4g\n", entries[i].name, value);
    }
    fprintf(text.out, "node_devices = %d\n", rates->node_devices);
    return pv_file_text_end(&text);
}
