// SPDX-License-Identifier: Apache-2.0
// seeds: examples/forced_turbulence/case.ini
#include "fuzz.h"

#include <string.h>

#include "base/mem.h"
#include "dns/files/case_file.h"
#include "dns/params.h"

// Values that are accepted are inside their ranges, and those that go together have finite steps.
static void check(pv_dns_params *params)
{
    pv_option table[PV_DNS_PARAMETERS];
    const int count = pv_dns_declare(params, table);
    for (int i = 0; i < count; i++) {
        if (table[i].type == PV_OPTION_INT) {
            const double value = (double)*(const int64_t *)table[i].value;
            MUST(value >= table[i].minimum && value <= table[i].maximum);
        }
        const int64_t reals = table[i].type == PV_OPTION_REAL    ? 1
                              : table[i].type == PV_OPTION_REALS ? *table[i].count
                                                                 : 0;
        MUST(reals <= PV_OPTION_MOST_REALS);
        for (int64_t r = 0; r < reals; r++) {
            const double value = ((const double *)table[i].value)[r];
            MUST(value >= table[i].minimum && value <= table[i].maximum);
        }
    }
    (void)pv_dns_params_check(params);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = NULL;
    pv_dns_params params = pv_dns_params_defaults();
    if (size > 0 && memchr(data, '\0', size)) return 0;
    if (pv_mem_alloc(size + 1, 1, (void **)&text) != PV_OK) return 0;
    if (size > 0) memcpy(text, data, size);
    if (pv_dns_case_parse("case.ini", text, &params) == PV_OK) check(&params);
    pv_mem_free(text);
    return 0;
}
