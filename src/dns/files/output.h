// SPDX-License-Identifier: Apache-2.0
// The tables that a run leaves for people and plots, and its line of progress. Pure but for the memory of tables.
#ifndef PV_DNS_OUTPUT_H
#define PV_DNS_OUTPUT_H

#include <parseval/dns.h>

#include "dns/files/table.h"

// One line of progress: t, dt, CFL, E, eps, Re_lambda, kmax eta. Returns text.
const char *pv_dns_record_text(const pv_dns_record *record, char text[256]);

typedef enum pv_dns_table { PV_DNS_SERIES, PV_DNS_SPECTRA, PV_DNS_STRUCTURE, PV_DNS_TABLES } pv_dns_table;

const char *pv_dns_table_name(pv_dns_table table);
// A sentence about what is in it.
const char *pv_dns_table_about(pv_dns_table table);
// The columns of a run with so many scalars, without rows.
void pv_dns_table_begin(pv_dns_table which, int scalars, pv_table *table);

// A row a record; a row a shell: time, k, E(k), T(k), flux of energy through k, D(k), <c^2>(k) of each scalar,
// densities over k; a row a distance.
pv_status pv_dns_series_add(const pv_dns_record *record, pv_table *table);
pv_status pv_dns_spectra_add(double time, const pv_dns_shells *shells, pv_table *table);
pv_status pv_dns_structure_add(double time, const pv_dns_structure *structure, pv_table *table);

#endif
