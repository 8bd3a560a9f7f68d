// SPDX-License-Identifier: Apache-2.0
// Which GPUs there are to choose from: CUDA_VISIBLE_DEVICES read as CUDA reads it, and orders given by number.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "cli/launch/table.h"

// A word of `length` characters as a number, -1 when it is none.
static int number_of(const char *word, size_t length)
{
    int number = 0;
    if (length == 0 || length > 6) return -1;
    for (size_t i = 0; i < length; i++) {
        if (!isdigit((unsigned char)word[i])) return -1;
        number = 10 * number + (word[i] - '0');
    }
    return number;
}

// CUDA takes the beginning of a UUID for the whole when no other begins so.
static int find_uuid(const pv_topology *topology, const char *word, size_t length)
{
    int found = -1;
    for (int i = 0; i < topology->gpu_count; i++) {
        if (strncmp(topology->gpus[i].uuid, word, length) != 0) continue;
        if (found >= 0) return -1;
        found = i;
    }
    return found;
}

// 0: the word names nothing.
static int read_choice(const pv_topology *topology, const char *word, size_t length, pv_gpu_choice *choice)
{
    const int number = number_of(word, length);
    if (length >= sizeof choice->token) return 0;
    snprintf(choice->token, sizeof choice->token, "%.*s", (int)length, word);
    choice->gpu = number >= 0 ? number : strncmp(word, "GPU-", 4) == 0 ? find_uuid(topology, word, length) : -1;
    if (number >= 0) return number < topology->gpu_count;
    return strncmp(word, "GPU-", 4) == 0 || strncmp(word, "MIG-", 4) == 0;
}

static size_t count_words(const char *text)
{
    size_t count = 1;
    for (; *text; text++) count += *text == ',';
    return count;
}

pv_status pv_gpu_choices_make(const pv_topology *topology, const char *visible, int *count_p, pv_gpu_choice **choices_p)
{
    pv_gpu_choice *choices;
    int count = 0;
    PV_TRY(PV_ALLOC(visible ? count_words(visible) : (size_t)topology->gpu_count + 1, &choices));
    for (; !visible && count < topology->gpu_count; count++) {
        snprintf(choices[count].token, sizeof choices[count].token, "%d", count);
        choices[count].gpu = count;
    }
    for (const char *at = visible; at && *at;) {
        at += strspn(at, " ");
        const size_t length = strcspn(at, ", ");
        if (!read_choice(topology, at, length, &choices[count])) break;
        count++;
        at += length + strspn(at + length, " ");
        if (*at++ != ',') break;
    }
    *count_p = count;
    *choices_p = choices;
    return PV_OK;
}

void pv_gpu_choices_print(int count, const pv_gpu_choice *choices, char *text, size_t size)
{
    size_t used = 0;
    snprintf(text, size, "none");
    for (int i = 0; i < count && used < size; i++)
        if (choices[i].gpu >= 0)
            used += (size_t)snprintf(text + used, size - used, "%s%d", used ? ", " : "", choices[i].gpu);
}

static pv_status take_number(const char *order, const char *word, size_t length, int left, pv_gpu_choice *choices,
                             int place)
{
    const int number = number_of(word, length);
    char known[256];
    pv_gpu_choices_print(left, choices, known, sizeof known);
    for (int i = place; i < left; i++) {
        if (number < 0 || choices[i].gpu != number) continue;
        const pv_gpu_choice taken = choices[i];
        memmove(&choices[place + 1], &choices[place], (size_t)(i - place) * sizeof taken);
        choices[place] = taken;
        return PV_OK;
    }
    PV_FAIL(PV_ERR_INPUT, "--gpus %s: '%.*s' is no GPU of this node that may be used, or is named twice; there are: %s",
            order, (int)length, word, known);
}

pv_status pv_gpu_choices_order(const char *order, int *count, pv_gpu_choice *choices)
{
    int place = 0;
    for (const char *at = order;; at++) {
        const size_t length = strcspn(at, ",");
        PV_TRY(take_number(order, at, length, *count, choices, place++));
        at += length;
        if (*at == '\0') break;
    }
    *count = place;
    return PV_OK;
}
