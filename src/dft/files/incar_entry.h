// SPDX-License-Identifier: Apache-2.0
// What incar.c collects and incar_values.c gives out; private to the two.
#ifndef PV_DFT_INCAR_ENTRY_H
#define PV_DFT_INCAR_ENTRY_H

typedef struct pv_incar_entry {
    char *tag;                 // upper case, BLOCK/TAG inside blocks
    char *value;
    int line;
    int asked;                 // how often
} pv_incar_entry;

struct pv_incar {
    char *name;
    pv_incar_entry *entries;
    int count, room;
    int silent;                // about what is odd
};

// NULL when there is none. Without case.
pv_incar_entry *pv_incar_find(const struct pv_incar *incar, const char *tag);

#endif
