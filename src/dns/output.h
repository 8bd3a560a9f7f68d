// SPDX-License-Identifier: Apache-2.0
// What a run leaves for people and plots: series.csv, a line an observation, and spectra.csv. Rank 0 writes.
#ifndef PV_DNS_OUTPUT_H
#define PV_DNS_OUTPUT_H

#include <parseval/dns.h>

// One line of progress: t, dt, CFL, E, eps, Re_lambda, kmax eta. Returns text.
const char *pv_dns_record_text(const pv_dns_record *record, char text[160]);

// Appends the record. When `is_new` the file begins with the names of the columns, and one of an earlier run is
// renamed to
// PATH.before. Numbers have all their digits.
pv_status pv_dns_series_add(const char *path, const pv_dns_record *record, int is_new);
// Appends a block of lines time, k, E(k), T(k), flux, D(k): densities over k, and the flux of energy through k.
pv_status pv_dns_spectra_add(const char *path, const pv_dns_record *record, const pv_dns_shells *shells, int is_new);

#endif
