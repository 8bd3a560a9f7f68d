// SPDX-License-Identifier: Apache-2.0
// What a text of INCAR gives, or why it is refused.
#ifndef PV_TESTS_DFT_PARAMS_OF_H
#define PV_TESTS_DFT_PARAMS_OF_H

#include <string.h>

#include "dft/model/params.h"
#include "harness.h"

static inline pv_dft_params params_of(const char *text)
{
    pv_incar *incar;
    pv_dft_params params;
    assert_ok(pv_incar_parse(text, strlen(text), "INCAR", &incar));
    assert_ok(pv_dft_params_read(incar, &params));
    pv_incar_destroy(incar);
    return params;
}

static inline void assert_refused(pv_status status, const char *text, const char *said)
{
    pv_incar *incar;
    pv_dft_params params;
    assert_ok(pv_incar_parse(text, strlen(text), "INCAR", &incar));
    assert_fails(status, pv_dft_params_read(incar, &params));
    if (!strstr(pv_last_error(), said)) fail_msg("'%s' does not say '%s'", pv_last_error(), said);
    pv_incar_destroy(incar);
}

#endif
