// SPDX-License-Identifier: Apache-2.0
// A folder with the input of a small calculation.
#ifndef PV_TESTS_DFT_CASE_H
#define PV_TESTS_DFT_CASE_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fixture.h"
#include "write_file.h"

#define SILICON(x) "silicon\n1.0\n0.0 2.7 2.7\n2.7 0.0 2.7\n2.7 2.7 0.0\nSi\n2\nDirect\n0 0 0\n" x "\n"

// A folder of this test run, the same on all ranks of the fixture, filled by rank 0.
static inline void make_case(const fixture *f, const char *poscar, const char *incar_text, const char *kpoints,
                      char folder[64])
{
    snprintf(folder, 64, "/tmp/parseval_scf_XXXXXX");
    if (pv_comm_rank(f->comm) == 0) {
        assert_non_null(mkdtemp(folder));
        write_file(folder, "POSCAR", poscar);
        write_file(folder, "INCAR", incar_text);
        write_file(folder, "KPOINTS", kpoints);
    }
    assert_ok(pv_comm_broadcast(f->comm, 0, 64, folder));
}

static inline void remove_case(const fixture *f, const char *folder)
{
    assert_ok(pv_comm_barrier(f->comm));
    if (pv_comm_rank(f->comm) > 0) return;
    static const char *const names[] = {"POSCAR", "INCAR", "KPOINTS", "results.json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

#endif
