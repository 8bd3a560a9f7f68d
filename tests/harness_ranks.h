// SPDX-License-Identifier: Apache-2.0
// What the harness needs of the ranks; harness_mpi.c and harness_alone.c are its two forms.
#ifndef PV_TESTS_HARNESS_RANKS_H
#define PV_TESTS_HARNESS_RANKS_H

void pv_test_ranks_start(int *argc, char ***argv);
void pv_test_ranks_end(void);
// 1 when no rank has failed. A rank that has failed ends all ranks if the others do not come within a grace time.
int pv_test_ranks_agree(int has_failed);

#endif
