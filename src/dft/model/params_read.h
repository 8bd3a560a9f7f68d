// SPDX-License-Identifier: Apache-2.0
// What the readers of INCAR tags share; private to params*.c.
#ifndef PV_DFT_PARAMS_READ_H
#define PV_DFT_PARAMS_READ_H

#include "dft/model/params.h"

// A word and what it stands for; a list of them ends with a NULL.
typedef struct pv_params_word {
    const char *text;
    int value;
} pv_params_word;

// The tag's value as one of the words or their first letters ("Accurate", "Acc", "A" alike): the first that fits. An
// absent tag leaves *value_p as it is.
pv_status pv_params_read_word(pv_incar *incar, const char *tag, const pv_params_word *words, int *value_p);
// A number between two bounds, in the file's unit; an absent tag leaves *value_p.
pv_status pv_params_read_real(pv_incar *incar, const char *tag, double minimum, double maximum, double *value_p);
pv_status pv_params_read_int(pv_incar *incar, const char *tag, int minimum, int maximum, int *value_p);

// GGA, LHFCALC and all that belongs to it.
pv_status pv_params_read_hybrid(pv_incar *incar, pv_dft_params *params);
// ISMEAR, FERWE, FERDO; after ISPIN.
pv_status pv_params_read_occupation(pv_incar *incar, pv_dft_params *params);

#endif
