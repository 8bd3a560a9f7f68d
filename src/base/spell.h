// SPDX-License-Identifier: Apache-2.0
// Which known name a mistyped one was meant to be.
#ifndef PV_BASE_SPELL_H
#define PV_BASE_SPELL_H

#include <stddef.h>

// `first_name` points to the name (a const char *) in the first of `count` records, `stride` bytes apart. NULL when
// no name is near: more than a third of the word's letters would have to change. Case does not matter; neighbours that
// changed places are one change; names with a '*' are patterns, and never meant.
const char *pv_spell_nearest(const char *word, const char *const *first_name, int count, size_t stride);

#endif
