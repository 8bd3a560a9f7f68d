// SPDX-License-Identifier: Apache-2.0
#include "dft/model/params_read.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/check.h"

static pv_status check_range(const pv_incar *incar, const char *tag, double minimum, double maximum, double value)
{
    PV_REQUIRE(value >= minimum && value <= maximum, PV_ERR_INPUT, "%s: found %s = %g; %g to %g is accepted",
               pv_incar_name(incar), tag, value, minimum, maximum);
    return PV_OK;
}

pv_status pv_params_read_real(pv_incar *incar, const char *tag, double minimum, double maximum, double *value_p)
{
    double value = 0.0;
    if (!pv_incar_has(incar, tag)) return PV_OK;
    PV_TRY(pv_incar_real(incar, tag, &value));
    PV_TRY(check_range(incar, tag, minimum, maximum, value));
    *value_p = value;
    return PV_OK;
}

pv_status pv_params_read_int(pv_incar *incar, const char *tag, int minimum, int maximum, int *value_p)
{
    int value = 0;
    if (!pv_incar_has(incar, tag)) return PV_OK;
    PV_TRY(pv_incar_int(incar, tag, &value));
    PV_TRY(check_range(incar, tag, minimum, maximum, value));
    *value_p = value;
    return PV_OK;
}

pv_status pv_params_read_word(pv_incar *incar, const char *tag, const pv_params_word *words, int *value_p)
{
    const char *text = NULL;
    PV_TRY(pv_incar_text(incar, tag, &text));
    if (!text) return PV_OK;
    const size_t length = strcspn(text, " \t\n");
    char accepted[160] = "";
    size_t used = 0;
    for (const pv_params_word *w = words; w->text; w++) {
        const size_t compared = length < strlen(w->text) ? length : strlen(w->text);
        if (length > 0 && strncasecmp(text, w->text, compared) == 0) {
            *value_p = w->value;
            return PV_OK;
        }
        if (used < sizeof accepted)
            used += (size_t)snprintf(accepted + used, sizeof accepted - used, "%s%s", used ? ", " : "", w->text);
    }
    PV_FAIL(PV_ERR_INPUT, "%s: found %s = '%.40s'; %s are accepted", pv_incar_name(incar), tag, text, accepted);
}
