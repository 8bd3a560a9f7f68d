// SPDX-License-Identifier: Apache-2.0
#include "dft/model/defects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"

// ---- Search ------------------------------------------------------------------------------------------------------

// A choice is a tuple of atoms, ascending within a kind. Of those that the operations take into each other the smallest
// is kept; since a beginning of a smallest tuple is a smallest tuple, no other beginning need be followed
// (R. C. Read, Ann. Discrete Math. 2, 107 (1978)).
typedef struct search {
    const pv_cell *cell;
    const pv_symmetry *symmetry;
    int kinds;
    int species[PV_DEFECT_KINDS];          // replaced by each kind
    int first[PV_DEFECT_KINDS + 1];        // slot that each kind begins at
    int *site, *image;                     // [slots]
    unsigned char *used;                   // [atoms]
    int most;
    pv_placements *found;
    int room;
} search;

static int kind_of(const search *s, int slot)
{
    int kind = 0;
    while (slot >= s->first[kind + 1]) kind++;
    return kind;
}

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

// -1, 0 or 1: how the image of the first `slots` sites compares with them.
static int compare_image(const search *s, int operation, int slots)
{
    const int *image = s->symmetry->image + (size_t)operation * (size_t)s->cell->atoms;
    for (int i = 0; i < slots; i++) s->image[i] = image[s->site[i]];
    for (int k = 0; k < s->kinds && s->first[k] < slots; k++) {
        const int end = s->first[k + 1] < slots ? s->first[k + 1] : slots;
        qsort(s->image + s->first[k], (size_t)(end - s->first[k]), sizeof *s->image, ascending);
    }
    for (int i = 0; i < slots; i++)
        if (s->image[i] != s->site[i]) return s->image[i] < s->site[i] ? -1 : 1;
    return 0;
}

// How many operations leave the first `slots` sites as they are; 0 when one makes them smaller.
static int count_keeping(const search *s, int slots)
{
    int keeping = 0;
    for (int o = 0; o < s->symmetry->count; o++) {
        const int comparison = compare_image(s, o, slots);
        if (comparison < 0) return 0;
        keeping += comparison == 0;
    }
    return keeping;
}

static pv_status grow(search *s)
{
    pv_placements *found = s->found;
    if (found->count < s->room) return PV_OK;
    const int room = s->room > 0 ? 2 * s->room : 64;
    int *site, *copies = NULL;
    PV_TRY(PV_ALLOC((size_t)room * (size_t)found->defects, &site));
    const pv_status status = PV_ALLOC(room, &copies);
    if (status != PV_OK) {
        pv_mem_free(site);
        return status;
    }
    if (found->count > 0) {
        memcpy(site, found->site, (size_t)found->count * (size_t)found->defects * sizeof *site);
        memcpy(copies, found->copies, (size_t)found->count * sizeof *copies);
    }
    pv_mem_free(found->site);
    pv_mem_free(found->copies);
    found->site = site;
    found->copies = copies;
    s->room = room;
    return PV_OK;
}

static pv_status keep(search *s, int copies)
{
    pv_placements *found = s->found;
    if (found->count == s->most) {
        found->complete = 0;
        return PV_OK;
    }
    PV_TRY(grow(s));
    const size_t defects = (size_t)found->defects;
    memcpy(found->site + (size_t)found->count * defects, s->site, defects * sizeof *s->site);
    found->copies[found->count++] = copies;
    return PV_OK;
}

static int is_free(const search *s, int kind, int atom)
{
    return s->cell->species_of[atom] == s->species[kind] && !s->used[atom];
}

// A beginning that leaves too few atoms for the slots that follow is not gone into: where nearly all atoms of an
// element are replaced, most do.
static pv_status fill_slot(search *s, int slot)
{
    const int kind = kind_of(s, slot), needed = s->first[kind + 1] - slot;
    const int start = slot == s->first[kind] ? 0 : s->site[slot - 1] + 1;
    int left = 0;
    for (int a = start; a < s->cell->atoms; a++) left += is_free(s, kind, a);
    for (int a = start; left >= needed && s->found->complete; a++) {
        if (!is_free(s, kind, a)) continue;
        left--;
        s->site[slot] = a;
        const int keeping = count_keeping(s, slot + 1);
        if (keeping == 0) continue;
        s->used[a] = 1;
        pv_status status = slot + 1 < s->found->defects ? fill_slot(s, slot + 1)
                                                        : keep(s, s->symmetry->count / keeping);
        s->used[a] = 0;
        PV_TRY(status);
    }
    return PV_OK;
}

// ---- Request -----------------------------------------------------------------------------------------------------

static int find_species(const pv_cell *cell, const char *name)
{
    for (int s = 0; s < cell->species; s++)
        if (strcmp(cell->species_name[s], name) == 0) return s;
    return -1;
}

static const char *list_species(const pv_cell *cell, char *list, size_t room)
{
    size_t used = 0;
    *list = '\0';
    for (int s = 0; s < cell->species && used < room; s++)
        used += (size_t)snprintf(list + used, room - used, "%s%s", s ? ", " : "", cell->species_name[s]);
    return list;
}

static pv_status check_request(const pv_cell *cell, int kinds, const pv_defect *defects)
{
    char list[512];
    PV_REQUIRE(kinds >= 1 && kinds <= PV_DEFECT_KINDS, PV_ERR_ARGUMENT, "%d kinds of defects; 1 to %d are accepted",
               kinds, PV_DEFECT_KINDS);
    for (int k = 0; k < kinds; k++) {
        const int species = find_species(cell, defects[k].from);
        const char *what = defects[k].to[0] ? "replaced" : "removed";
        PV_REQUIRE(species >= 0, PV_ERR_INPUT, "%s is to be %s and the cell has none; it has %s", defects[k].from, what,
                   list_species(cell, list, sizeof list));
        PV_REQUIRE(defects[k].count >= 1, PV_ERR_INPUT, "%d atoms of %s are to be %s; at least 1 is accepted",
                   defects[k].count, defects[k].from, what);
        PV_REQUIRE(strcmp(defects[k].from, defects[k].to) != 0, PV_ERR_INPUT, "%s is to be replaced by itself",
                   defects[k].from);
        long long wanted = 0;
        for (int other = 0; other < kinds; other++) {
            if (strcmp(defects[other].from, defects[k].from) != 0) continue;
            wanted += defects[other].count;
            PV_REQUIRE(other == k || strcmp(defects[other].to, defects[k].to) != 0, PV_ERR_INPUT,
                       "the same defect of %s is asked for twice; one with the sum of the counts is accepted",
                       defects[k].from);
        }
        PV_REQUIRE(wanted <= cell->count_of[species], PV_ERR_INPUT,
                   "%lld atoms of %s are to be replaced or removed; the cell has %d", wanted, defects[k].from,
                   cell->count_of[species]);
    }
    return PV_OK;
}

static pv_status run_search(search *s, int kinds, const pv_defect *defects)
{
    for (int k = 0; k < kinds; k++) {
        s->species[k] = find_species(s->cell, defects[k].from);
        s->first[k + 1] = s->first[k] + defects[k].count;
    }
    s->found->defects = s->first[kinds];
    s->found->complete = 1;
    PV_TRY(PV_ALLOC(s->found->defects, &s->site));
    PV_TRY(PV_ALLOC(s->found->defects, &s->image));
    PV_TRY(PV_ALLOC(s->cell->atoms, &s->used));
    return fill_slot(s, 0);
}

pv_status pv_placements_create(const pv_cell *cell, const pv_symmetry *symmetry, int kinds, const pv_defect *defects,
                               int most, pv_placements **placements_p)
{
    PV_REQUIRE(most >= 1, PV_ERR_ARGUMENT, "at most %d choices asked for; a positive number is accepted", most);
    PV_TRY(check_request(cell, kinds, defects));
    search s = {.cell = cell, .symmetry = symmetry, .kinds = kinds, .most = most};
    PV_TRY(PV_ALLOC(1, &s.found));
    const pv_status status = run_search(&s, kinds, defects);
    pv_mem_free(s.site);
    pv_mem_free(s.image);
    pv_mem_free(s.used);
    if (status == PV_OK) *placements_p = s.found;
    else pv_placements_destroy(s.found);
    return status;
}

void pv_placements_destroy(pv_placements *placements)
{
    if (!placements) return;
    pv_mem_free(placements->site);
    pv_mem_free(placements->copies);
    pv_mem_free(placements);
}

// ---- Applying ----------------------------------------------------------------------------------------------------

enum { REMOVED = -1 };

// Names of the species after the change, those of the cell first; species_of: what each atom becomes.
static int change_species(const pv_cell *cell, int kinds, const pv_defect *defects, const int *site, int *species_of,
                          char (*name)[8])
{
    int species = cell->species;
    memcpy(species_of, cell->species_of, (size_t)cell->atoms * sizeof *species_of);
    memcpy(name, cell->species_name, (size_t)species * sizeof *name);
    for (int k = 0; k < kinds; k++) {
        int to = REMOVED;
        if (defects[k].to[0]) {
            for (to = 0; to < species && strcmp(name[to], defects[k].to) != 0;) to++;
            if (to == species) memcpy(name[species++], defects[k].to, sizeof *name);
        }
        for (int i = 0; i < defects[k].count; i++) species_of[*site++] = to;
    }
    return species;
}

// Species that no atom has any more are left out.
static pv_status build(const pv_cell *cell, int species, const int *species_of, const char (*name)[8], pv_cell **cell_p)
{
    int atoms = 0, present = 0;
    for (int s = 0; s < species; s++) {
        const int before = atoms;
        for (int a = 0; a < cell->atoms; a++) atoms += species_of[a] == s;
        present += atoms > before;
    }
    PV_REQUIRE(atoms > 0, PV_ERR_INPUT, "every atom is to be removed; at least one must stay");
    pv_cell *changed;
    PV_TRY(pv_cell_create(atoms, present, cell->selective, &changed));
    const pv_status status = pv_cell_set_lattice(changed, cell->lattice_bohr);
    if (status != PV_OK) {
        pv_cell_destroy(changed);
        return status;
    }
    for (int s = 0, group = 0, next = 0; s < species; s++) {
        const int first = next;
        for (int a = 0; a < cell->atoms; a++) {
            if (species_of[a] != s) continue;
            changed->species_of[next] = group;
            if (cell->selective) memcpy(changed->movable[next], cell->movable[a], sizeof cell->movable[a]);
            memcpy(changed->fractional[next++], cell->fractional[a], sizeof cell->fractional[a]);
        }
        if (next == first) continue;
        changed->count_of[group] = next - first;
        memcpy(changed->species_name[group++], name[s], sizeof name[s]);
    }
    *cell_p = changed;
    return PV_OK;
}

static void describe(const pv_cell *cell, int kinds, const pv_defect *defects, pv_cell *changed)
{
    size_t used = (size_t)snprintf(changed->comment, sizeof changed->comment, "%.80s", cell->comment);
    for (int k = 0; k < kinds && used < sizeof changed->comment; k++) {
        const pv_defect *d = &defects[k];
        used += (size_t)snprintf(changed->comment + used, sizeof changed->comment - used,
                                 d->to[0] ? ", %d %s for %s" : ", %d %svacant %s", d->count, d->to, d->from);
    }
}

pv_status pv_defects_apply(const pv_cell *cell, int kinds, const pv_defect *defects, const int *site, pv_cell **cell_p)
{
    int *species_of;
    char(*name)[8] = NULL;
    PV_TRY(PV_ALLOC(cell->atoms, &species_of));
    pv_status status = PV_ALLOC(cell->species + kinds, &name);
    if (status == PV_OK) {
        const int species = change_species(cell, kinds, defects, site, species_of, name);
        status = build(cell, species, species_of, (const char (*)[8])name, cell_p);
    }
    if (status == PV_OK) describe(cell, kinds, defects, *cell_p);
    pv_mem_free(species_of);
    pv_mem_free(name);
    return status;
}
