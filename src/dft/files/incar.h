// SPDX-License-Identifier: Apache-2.0
// INCAR: `TAG = values`, the run parameters of VASP, as text; what tags mean is model/params.h.
// Accepted: several statements a line with `;`, comments from `#` or `!`, a backslash (blanks after it too) continues
// the line, double quotes hold text over several lines, `BLOCK { TAG = ... }` is BLOCK/TAG, `n*value` repeats, units
// after a number are ignored, logicals .TRUE. T .F. false in any case. Tags are case-insensitive and kept in upper
// case. Text that is not `tag = value` is ignored. Of a tag given twice the first counts, with a warning.
#ifndef PV_DFT_INCAR_H
#define PV_DFT_INCAR_H

#include <stddef.h>

#include <parseval/status.h>

typedef struct pv_incar pv_incar;

pv_status pv_incar_read(const char *path, pv_incar **incar_p);
// The same, for what was read before: what is odd is not said again.
pv_status pv_incar_read_again(const char *path, pv_incar **incar_p);
// The same from memory; `name` stands for the file in messages. `text` needs no terminating zero.
pv_status pv_incar_parse(const char *text, size_t length, const char *name, pv_incar **incar_p);
void pv_incar_destroy(pv_incar *incar);

// Getters mark the tag as asked for. An absent tag leaves *value as it is and returns PV_OK; a value of the wrong kind
// is PV_ERR_INPUT with file, line, what was found and what would be accepted.
pv_status pv_incar_real(pv_incar *incar, const char *tag, double *value);
pv_status pv_incar_int(pv_incar *incar, const char *tag, int *value);
pv_status pv_incar_logical(pv_incar *incar, const char *tag, int *value);
// The whole value without surrounding blanks and quotes; belongs to the incar.
pv_status pv_incar_text(pv_incar *incar, const char *tag, const char **value);
// Numbers with `n*value` expanded. *values_p (NULL when absent) belongs to the caller: pv_mem_free.
pv_status pv_incar_reals(pv_incar *incar, const char *tag, double **values_p, int *count_p);

// The entries in the file's order.
int pv_incar_count(const pv_incar *incar);
const char *pv_incar_tag(const pv_incar *incar, int index);
const char *pv_incar_value(const pv_incar *incar, int index);
int pv_incar_line(const pv_incar *incar, int index);
int pv_incar_asked(const pv_incar *incar, int index);
int pv_incar_has(const pv_incar *incar, const char *tag);
const char *pv_incar_name(const pv_incar *incar);

#endif
