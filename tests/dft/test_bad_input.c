// SPDX-License-Identifier: Apache-2.0
// ranks: 1
// Damaged input files: the reading stage takes them or says once what is wrong, and keeps nothing.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/rng.h"
#include "capture.h"
#include "dft/model/system.h"
#include "fixture.h"

enum { FILES = 4, ROOM = 40000 };

// scripts/fuzz has the readers alone, and makes many more.
static uint64_t cases(void) { return getenv("PARSEVAL_TEST_ALL") ? 1000 : 300; }

static const char *const names[FILES] = {"POSCAR", "INCAR", "KPOINTS", "Si.upf"};
static const char *const good[FILES - 1] = {
    "silicon\n1.0\n0.0 2.7 2.7\n2.7 0.0 2.7\n2.7 2.7 0.0\nSi\n2\nSelective dynamics\nDirect\n0 0 0 T T F\n"
    "0.25 0.25 0.25 T F T\n",
    "SYSTEM = silicon ! two atoms\nENCUT = 163.3 eV; NBANDS = 8\nEDIFF = 1E-6\nISMEAR = 0; SIGMA = 0.02\n"
    "ISPIN = 2; MAGMOM = 1.0 -1.0\nGGA = PE\nLHFCALC = .FALSE.; NKRED = 2; PRECFOCK = Fast\nALGO = All\nISYM = 2\n"
    "NGX = 12; NGY = 12; NGZ = 12\n",
    "mesh\n0\nGamma\n2 2 2\n0 0 0\n"};

// What hands slip into: numbers that are none, numbers out of all range, words in the wrong place.
static const char *const words[] = {"-1", "0", "1", "2", "1e308", "-1e308", "nan", "inf", "1e-320", "99999999999999",
                                    "0.5", "3*", "*3", "1*1*1", "2000000000*1", ".TRUE.", "T", "F", "=", ";", "#", "\"",
                                    "{", "}", "\\", "\n", "\r\n", "\t", "-140.0", "Si_sv", "/abc", "Xx", "Direct",
                                    "Cartesian", "Line", "Monkhorst", "ISMEAR = -2", "ISMEAR = -5", "FERWE = 4*1 4*0",
                                    "ISPIN = 1", "LHFCALC = T", "MAGMOM = 2*1e300", "NELECT = 9", "NUPDOWN = 3",
                                    "KSPACING = 1e-9", "ENCUT =", "\xef\xbb\xbf", "\0"};

typedef struct text {
    char data[ROOM];
    size_t length;
} text;

static uint64_t draw(uint64_t seed, uint64_t *at, uint64_t below)
{
    return (uint64_t)(pv_rng_uniform(seed, 0, (*at)++) * (double)below);
}

static void replace(text *t, size_t from, size_t to, const char *with, size_t length)
{
    if (t->length - (to - from) + length > ROOM) return;
    memmove(t->data + from + length, t->data + to, t->length - to);
    memcpy(t->data + from, with, length);
    t->length += length - (to - from);
}

// The word or number that stands at or after a place.
static void word_at(const text *t, size_t place, size_t *from, size_t *to)
{
    while (place < t->length && strchr(" \n\t", t->data[place])) place++;
    *from = *to = place;
    while (*to < t->length && !strchr(" \n\t", t->data[*to])) ++*to;
}

static void damage(text *t, uint64_t seed, uint64_t *at)
{
    const char *word = words[draw(seed, at, sizeof words / sizeof *words)];
    const size_t place = draw(seed, at, t->length + 1), other = draw(seed, at, t->length + 1);
    const size_t low = place < other ? place : other, high = place < other ? other : place;
    size_t from, to;
    char copy[64];
    switch (draw(seed, at, 7)) {
    case 0: // a word in place of another
        word_at(t, place, &from, &to);
        replace(t, from, to, word, strlen(word));
        break;
    case 1: replace(t, place, place, word, strlen(word)); break;
    case 2: t->length = place; break;
    case 3: // a piece is missing
        replace(t, low, high - low > 40 ? low + 40 : high, "", 0);
        break;
    case 4: // or twice there
        from = high - low > sizeof copy ? sizeof copy : high - low;
        memcpy(copy, t->data + low, from);
        replace(t, high, high, copy, from);
        break;
    case 5: // one letter
        if (place < t->length) t->data[place] = (char)draw(seed, at, 256);
        break;
    default: // a line is missing
        from = place;
        while (from > 0 && t->data[from - 1] != '\n') from--;
        for (to = place; to < t->length && t->data[to] != '\n';) to++;
        replace(t, from, to, "", 0);
    }
}

static void load(int which, text *t)
{
    if (which < FILES - 1) {
        t->length = strlen(good[which]);
        memcpy(t->data, good[which], t->length);
        return;
    }
    FILE *in = fopen("tests/dft/data/analytic.upf", "r");
    assert_non_null(in);
    t->length = fread(t->data, 1, ROOM, in);
    fclose(in);
}

static void write_file(const char *folder, int which, const text *t)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, names[which]);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_int_equal(fwrite(t->data, 1, t->length, out), t->length);
    assert_int_equal(fclose(out), 0);
}

// How many errors a call to the reading stage puts on stderr, and its status.
static int errors_of(pv_comm *comm, const char *folder, const char *potentials, pv_status *status_p)
{
    pv_system *system = NULL;
    char said[8192];
    capture c = begin_capture();
    *status_p = pv_system_read(comm, folder, potentials, &system);
    const int errors = end_capture(&c, "error:", said, sizeof said);
    assert_true((*status_p == PV_OK) == (system != NULL));
    pv_system_destroy(system);
    return errors;
}

static void damaged_files_give_one_error_or_none(void **state)
{
    (void)state;
    fixture f = fixture_open();
    static text files[FILES], damaged;
    char folder[] = "/tmp/parseval_bad_XXXXXX";
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < FILES; i++) {
        load(i, &files[i]);
        write_file(folder, i, &files[i]);
    }
    pv_log_set_level(PV_LOG_ERROR);
    uint64_t taken = 0, refused = 0;
    for (uint64_t seed = 0; seed < cases(); seed++) {
        uint64_t at = 0;
        const int which = (int)draw(seed, &at, FILES);
        damaged = files[which];
        for (uint64_t left = 1 + draw(seed, &at, 3); left > 0; left--) damage(&damaged, seed, &at);
        write_file(folder, which, &damaged);
        pv_status status;
        const int errors = errors_of(f.comm, folder, which == FILES - 1 || seed % 4 == 0 ? folder : NULL, &status);
        if (errors != (status != PV_OK) || (status != PV_OK && strlen(pv_last_error()) < 20))
            fail_msg("seed %d, %s: status %d with %d errors, the last '%s'", (int)seed, names[which], (int)status,
                     errors, pv_last_error());
        *(status == PV_OK ? &taken : &refused) += 1;
        write_file(folder, which, &files[which]);
    }
    pv_log_set_level(PV_LOG_WARN);
    assert_true(taken > cases() / 10 && refused > cases() / 4);
    for (int i = 0; i < FILES; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
    fixture_close(&f);
}

PV_TEST_MAIN(PV_TEST(damaged_files_give_one_error_or_none))
