// SPDX-License-Identifier: Apache-2.0
// Small silicon in a folder that the ranks share, solved again and again with what the runs before have left.
#ifndef PV_TESTS_DFT_RESTART_CASE_H
#define PV_TESTS_DFT_RESTART_CASE_H

#include <parseval/dft.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fixture.h"
#include "io/checkpoint.h"
#include "write_file.h"

#define SILICON(a, x) "silicon\n1.0\n0.0 " a " " a "\n" a " 0.0 " a "\n" a " " a " 0.0\nSi\n2\nDirect\n0 0 0\n" x "\n"
#define INCAR(more)                                                                                                    \
    "ENCUT = 163.3\nEDIFF = 1E-9\nISMEAR = 0; SIGMA = 0.02\nNELM = 40\nNGX = 16; NGY = 16; NGZ = 16\n" more
#define MESH(n) "mesh\n0\nGamma\n" n "\n0 0 0\n"

static const char plain[] = SILICON("2.7", "0.27 0.24 0.25"), six_bands[] = INCAR("NBANDS = 6\n");
static const char gamma_point[] = MESH("1 1 1"), two_points[] = MESH("2 1 1");

typedef struct restart_case {
    fixture f;
    char folder[64], checkpoint[128];
    int read_only;  // the checkpoint stays as it is
    int stop_after; // times that a run was asked whether to stop; 0: never
} restart_case;

static inline const char *restart_path(const restart_case *c, const char *name, char path[128])
{
    snprintf(path, 128, "%s/%s", c->folder, name);
    return path;
}

static inline void restart_write(const restart_case *c, const char *name, const char *text)
{
    if (pv_test_rank() == 0) write_file(c->folder, name, text);
}

static inline void restart_remove(const restart_case *c, const char *name)
{
    char path[128];
    assert_ok(pv_comm_barrier(c->f.comm));
    if (pv_test_rank() == 0) unlink(restart_path(c, name, path));
    assert_ok(pv_comm_barrier(c->f.comm));
}

static inline void restart_open(restart_case *c)
{
    if (!pv_checkpoint_is_built()) pv_test_skip("this build has no HDF5");
    *c = (restart_case){.f = fixture_open(), .folder = "/tmp/parseval_restart_XXXXXX"};
    if (pv_test_rank() == 0) assert_non_null(mkdtemp(c->folder));
    assert_ok(pv_comm_broadcast(c->f.comm, 0, sizeof c->folder, c->folder));
    restart_path(c, "parseval.h5", c->checkpoint);
}

static inline void restart_close(restart_case *c)
{
    static const char *const names[] = {"POSCAR",      "INCAR",       "KPOINTS", "KPOINTS_OPT", "STOPCAR",
                                        "parseval.h5", "OUTCAR",      "OSZICAR", "EIGENVAL",    "DOSCAR",
                                        "CONTCAR",     "vasprun.xml", "CHGCAR"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) restart_remove(c, names[i]);
    if (pv_test_rank() == 0) assert_int_equal(rmdir(c->folder), 0);
    fixture_close(&c->f);
}

enum { MOST_STATES = 512 };

typedef struct outcome {
    int converged, steps, kpoints, bands;
    double energy, fermi;
    double kpoint[16][3];
    double eigenvalues[MOST_STATES]; // [spins][kpoints][bands]
} outcome;

typedef struct asked {
    int count, after;
} asked;

// On the last rank alone: one that wants to stop suffices.
static inline int restart_stop(void *context)
{
    asked *asked = context;
    asked->count++;
    return asked->after > 0 && asked->count >= asked->after && pv_test_rank() == pv_test_size() - 1 ? 15 : 0;
}

static inline pv_status restart_try_on(pv_comm *comm, const restart_case *c, int files, outcome *o)
{
    asked asked = {0, c->stop_after};
    *o = (outcome){0};
    pv_dft_options options = pv_dft_options_defaults();
    options.directory = c->folder;
    options.checkpoint = c->checkpoint;
    options.checkpoint_read_only = c->read_only;
    options.stop = restart_stop;
    options.stop_context = &asked;
    pv_dft *dft = NULL;
    pv_status status = pv_dft_create(comm, &options, &dft);
    if (status == PV_OK) status = pv_dft_solve(dft);
    if (status == PV_OK && files) assert_ok(pv_dft_write_files(dft, c->folder));
    if (status == PV_OK) {
        pv_dft_summary s;
        pv_dft_summarise(dft, &s);
        *o = (outcome){.converged = s.converged,
                       .steps = s.steps,
                       .kpoints = s.kpoints,
                       .bands = s.bands,
                       .energy = s.energies.free_ha,
                       .fermi = s.fermi_ha};
        const int states = s.spins * s.kpoints * s.bands;
        assert_true(s.kpoints <= 16 && states <= MOST_STATES);
        memcpy(o->kpoint, s.kpoint, (size_t)s.kpoints * sizeof *s.kpoint);
        memcpy(o->eigenvalues, s.eigenvalues_ha, (size_t)states * sizeof(double));
    }
    pv_dft_destroy(dft);
    return status;
}

static inline void restart_input(const restart_case *c, const char *poscar, const char *incar, const char *kpoints)
{
    restart_write(c, "POSCAR", poscar);
    restart_write(c, "INCAR", incar);
    restart_write(c, "KPOINTS", kpoints);
    assert_ok(pv_comm_barrier(c->f.comm));
}

static inline pv_status restart_try(const restart_case *c, const char *poscar, const char *incar, const char *kpoints,
                                    outcome *o)
{
    restart_input(c, poscar, incar, kpoints);
    return restart_try_on(c->f.comm, c, 0, o);
}

static inline outcome restart_run(const restart_case *c, const char *poscar, const char *incar, const char *kpoints)
{
    outcome o;
    assert_ok(restart_try(c, poscar, incar, kpoints, &o));
    assert_true(o.converged);
    return o;
}

// As if nothing had been there; the checkpoint that it leaves is of this run.
static inline outcome restart_scratch(const restart_case *c, const char *poscar, const char *incar, const char *kpoints)
{
    restart_remove(c, "parseval.h5");
    return restart_run(c, poscar, incar, kpoints);
}

#endif
