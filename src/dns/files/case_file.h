// SPDX-License-Identifier: Apache-2.0
// Parameter files: lines "name = value" with the names of params.h, # and ; begin comments, [headings] order the
// text for
// the reader. Later lines win.
#ifndef PV_DNS_CASE_FILE_H
#define PV_DNS_CASE_FILE_H

#include <parseval/dns.h>

// Texts in *params belong to *memory_p, which pv_mem_free frees. PV_ERR_INPUT names file and line. Local.
pv_status pv_dns_case_read(const char *path, pv_dns_params *params, char **memory_p);
// The same of a text; `path` is for messages. The text is changed and must outlive params.
pv_status pv_dns_case_parse(const char *path, char *text, pv_dns_params *params);

#endif
