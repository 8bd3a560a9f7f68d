// SPDX-License-Identifier: Apache-2.0
#include "base/spell.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST = 63 }; // names are short

static int same(char a, char b) { return toupper((unsigned char)a) == toupper((unsigned char)b); }

static int smaller(int a, int b) { return a < b ? a : b; }

// Edits between two words, capped in length, without case: insert, delete, replace, swap neighbours.
static int edit_distance(const char *a, const char *b)
{
    int edits[LONGEST + 1][LONGEST + 1];
    const int rows = (int)strnlen(a, LONGEST), columns = (int)strnlen(b, LONGEST);
    for (int i = 0; i <= rows; i++)
        for (int j = 0; j <= columns; j++) {
            if (i == 0 || j == 0) {
                edits[i][j] = i + j;
                continue;
            }
            const int replaced = edits[i - 1][j - 1] + !same(a[i - 1], b[j - 1]);
            edits[i][j] = smaller(replaced, 1 + smaller(edits[i - 1][j], edits[i][j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                edits[i][j] = smaller(edits[i][j], 1 + edits[i - 2][j - 2]);
        }
    return edits[rows][columns];
}

const char *pv_spell_nearest(const char *word, const char *const *first_name, int count, size_t stride)
{
    const char *nearest = NULL;
    int least = 1 + (int)strlen(word) / 3;
    for (int i = 0; i < count; i++) {
        const char *name = *(const char *const *)((const char *)first_name + (size_t)i * stride);
        if (strchr(name, '*')) continue; // a pattern
        int distance = edit_distance(word, name);
        if (distance < least) least = distance, nearest = name;
    }
    return nearest;
}
