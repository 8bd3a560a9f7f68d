// SPDX-License-Identifier: Apache-2.0
// Reading JSON in place: values are pieces of the text, found when they are asked for. Pure.
#ifndef PV_BASE_JSON_READ_H
#define PV_BASE_JSON_READ_H

#include <stddef.h>

typedef struct pv_json_value {
    const char *begin, *end;
} pv_json_value;

// The outermost value of a text; 0 where its brackets and strings do not close or more follows.
int pv_json_read(const char *data, size_t length, pv_json_value *value_p);
// The member of an object; 0 where it has none of that name, or is no object. Names with escapes are not found.
int pv_json_member(pv_json_value object, const char *name, pv_json_value *value_p);
// The first element of a list, then, `at` being one of them, the next; 0 at the end, or where it is no list.
int pv_json_first(pv_json_value list, pv_json_value *at);
int pv_json_next(pv_json_value list, pv_json_value *at);
int pv_json_length(pv_json_value list);
// 0 where it is something else.
int pv_json_as_number(pv_json_value value, double *number_p);
int pv_json_as_bool(pv_json_value value, int *bool_p);
// Cut to size - 1 bytes; escapes stay as they are.
int pv_json_as_text(pv_json_value value, size_t size, char *text);

#endif
