// SPDX-License-Identifier: Apache-2.0
// What programs read of a run: JSON, one record a line or indented.
#ifndef PV_BASE_JSON_WRITE_H
#define PV_BASE_JSON_WRITE_H

#include <stdint.h>

#include <parseval/status.h>

// A growing JSON text. The first call opens the outermost object or list. Keys are NULL there and inside lists.
// Non-finite numbers become null. After any failed allocation pv_json_text returns NULL; all calls accept a NULL
// json, so that only the text needs a check.
typedef struct pv_json pv_json;
pv_json *pv_json_create(int indent);            // spaces a level; 0: one line
void pv_json_destroy(pv_json *json);
void pv_json_object(pv_json *json, const char *key);
void pv_json_list(pv_json *json, const char *key);
void pv_json_end(pv_json *json);                // closes the innermost object or list
void pv_json_number(pv_json *json, const char *key, double value); // shortest digits that read back the same
void pv_json_integer(pv_json *json, const char *key, int64_t value);
void pv_json_text_value(pv_json *json, const char *key, const char *value); // UTF-8; NULL becomes null
void pv_json_bool(pv_json *json, const char *key, int value);
void pv_json_null(pv_json *json, const char *key);
// The text so far, without a newline at the end; belongs to json, valid until the next call.
const char *pv_json_text(pv_json *json);

#endif
