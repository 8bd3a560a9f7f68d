// SPDX-License-Identifier: Apache-2.0
#include "base/spell.h"

#include <string.h>

// Edits (insert, delete, replace) between two words, capped in length: names are short.
static int edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 63 };
    int row[LONGEST + 1];
    int columns = (int)strnlen(b, LONGEST), rows = (int)strnlen(a, LONGEST);
    for (int j = 0; j <= columns; j++) row[j] = j;
    for (int i = 1; i <= rows; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= columns; j++) {
            int replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            int edited = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
            row[j] = replaced < edited ? replaced : edited;
        }
    }
    return row[columns];
}

const char *pv_spell_nearest(const char *word, const char *const *first_name, int count, size_t stride)
{
    const char *nearest = NULL;
    int least = 1 + (int)strlen(word) / 2;
    for (int i = 0; i < count; i++) {
        const char *name = *(const char *const *)((const char *)first_name + (size_t)i * stride);
        int distance = edit_distance(word, name);
        if (distance < least) least = distance, nearest = name;
    }
    return nearest;
}
