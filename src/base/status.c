// SPDX-License-Identifier: Apache-2.0
#include <parseval/status.h>

#define PV_STATUS_NAME(name, sentence) [name] = #name,
static const char *const names[] = {PV_STATUS_LIST(PV_STATUS_NAME)};

#define PV_STATUS_SENTENCE(name, sentence) [name] = sentence,
static const char *const sentences[] = {PV_STATUS_LIST(PV_STATUS_SENTENCE)};

static int is_known(pv_status status)
{
    return (unsigned)status < (unsigned)PV_STATUS_COUNT;
}

const char *pv_status_text(pv_status status)
{
    return is_known(status) ? sentences[status] : "not a status of Parseval";
}

const char *pv_status_name(pv_status status)
{
    return is_known(status) ? names[status] : "PV_STATUS_UNKNOWN";
}
