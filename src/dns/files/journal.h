// SPDX-License-Identifier: Apache-2.0
// The tables of a run in its folder: NAME.csv, which has every row as soon as there is one, and series.h5, all tables
// as they were at the last save, replaced whole or not at all.
#ifndef PV_DNS_JOURNAL_H
#define PV_DNS_JOURNAL_H

#include "dns/files/output.h"

typedef struct pv_dns_journal pv_dns_journal;

// Of a run with so many scalars. A run that goes on keeps the rows up to `time`, which another run may have made, and adds none of that time again;
// otherwise tables, pictures and files of fields of an earlier run are renamed to NAME.before. Collective.
pv_status pv_dns_journal_open(pv_comm *comm, const char *folder, int scalars, int goes_on, double time,
                              pv_dns_journal **journal_p);
void pv_dns_journal_close(pv_dns_journal *journal);

// shells, structure: NULL where they were not looked at. Saves now and then. Collective.
pv_status pv_dns_journal_add(pv_dns_journal *journal, const pv_dns_record *record, const pv_dns_shells *shells,
                             const pv_dns_structure *structure);
// Brings series.h5 up to date; nothing where HDF5 is not built in. Collective.
pv_status pv_dns_journal_save(pv_dns_journal *journal);

#endif
