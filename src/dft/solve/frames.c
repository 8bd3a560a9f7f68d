// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/frames.h"

#include <math.h>

#include "base/check.h"
#include "base/mem.h"
#include "device/array.h"
#include "linalg/matrix.h"
#include "linalg/ortho.h"

#define EMPTY 1e-12                    // filling, or its square, that is none

typedef double _Complex pv_c64;

static pv_status create_arrays(pv_frames *frames)
{
    const pv_system *system = frames->electrons->system;
    const char *what = "mixing of exchange";
    const int64_t n = frames->bands, square = 2 * n * n, wide = 2 * n * system->params.bands;
    PV_TRY(PV_ARRAY(system->device, what, square, &frames->a));
    PV_TRY(PV_ARRAY(system->device, what, square, &frames->b));
    PV_TRY(PV_ARRAY(system->device, what, square, &frames->c));
    PV_TRY(PV_ARRAY(system->device, what, wide, &frames->wide));
    PV_TRY(PV_ARRAY(system->device, what, wide, &frames->wide_turned));
    PV_TRY(PV_ARRAY(system->device, what, n, &frames->factor));
    PV_TRY(PV_ARRAY(system->device, what, n, &frames->order));
    PV_TRY(PV_ALLOC(n, &frames->values));
    PV_TRY(PV_ALLOC(n, &frames->factors));
    return PV_ALLOC(n, &frames->places);
}

pv_status pv_frames_create(pv_electrons *electrons, int64_t bands, pv_frames **frames_p)
{
    pv_frames *frames;
    PV_TRY(PV_ALLOC(1, &frames));
    frames->electrons = electrons;
    frames->bands = bands;
    const pv_status status = create_arrays(frames);
    if (status != PV_OK) {
        pv_frames_destroy(frames);
        return status;
    }
    *frames_p = frames;
    return PV_OK;
}

void pv_frames_destroy(pv_frames *frames)
{
    if (!frames) return;
    void *arrays[] = {frames->a,           frames->b,      frames->c,    frames->wide,
                      frames->wide_turned, frames->factor, frames->order};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pv_array_destroy(frames->electrons->system->device, arrays[i]);
    pv_mem_free(frames->values);
    pv_mem_free(frames->factors);
    pv_mem_free(frames->places);
    pv_mem_free(frames);
}

int pv_frames_have(const pv_frames *frames, int state)
{
    const pv_kpoints *kpoints = frames->electrons->system->kpoints;
    return pv_electrons_owns(frames->electrons, state) && kpoints->weight[state % kpoints->count] > 0.0;
}

double pv_frames_full(const pv_frames *frames) { return pv_dft_params_full(&frames->electrons->system->params); }

static const pv_basis *basis_of(const pv_frames *frames, int state)
{
    const pv_system *system = frames->electrons->system;
    return system->basis[state % system->kpoints->count];
}

int64_t pv_frames_length(const pv_frames *frames, int state) { return frames->bands * basis_of(frames, state)->local; }

// ---- Algebra of a state ------------------------------------------------------------------------------------------

static pv_dense *dense_of(const pv_frames *frames) { return frames->electrons->system->group_dense; }

static pv_stream *stream_of(const pv_frames *frames) { return pv_device_stream(frames->electrons->system->device); }

static pv_status send_factors(pv_frames *frames, const double *factors, int64_t count)
{
    return pv_array_write(frames->electrons->system->device, frames->factor, factors, (size_t)count * sizeof *factors);
}

// c[m][n] = a[m][n] op(b[n][n]).
static pv_status multiply(const pv_frames *frames, pv_scalar scalar, char op_b, int64_t m, const void *a,
                          const double *b, void *c)
{
    const int64_t n = frames->bands;
    if (m == 0) return PV_OK;
    return pv_dense_gemm(dense_of(frames), scalar, 'N', op_b, m, n, n, 1.0, a, m, b, n, 0.0, c, m);
}

// c := U diag(values) U^H of the eigenvectors U in b; `room` is lost.
static pv_status assemble(pv_frames *frames, pv_scalar scalar, double *room)
{
    const int64_t n = frames->bands;
    PV_TRY(send_factors(frames, frames->values, n));
    PV_TRY(pv_matrix_pick_columns(stream_of(frames), scalar, n, n, frames->b, n, NULL, frames->factor, room, n));
    return multiply(frames, scalar, 'C', n, room, frames->b, frames->c);
}

pv_status pv_frames_take(pv_frames *frames, int state, double _Complex *to)
{
    const pv_electrons *electrons = frames->electrons;
    const pv_basis *basis = basis_of(frames, state);
    const double *filling = electrons->filling + (int64_t)state * electrons->system->params.bands;
    const double full = pv_frames_full(frames);
    for (int64_t b = 0; b < frames->bands; b++) frames->values[b] = sqrt(fmax(filling[b] / full, 0.0));
    PV_TRY(send_factors(frames, frames->values, frames->bands));
    return pv_matrix_pick_columns(stream_of(frames), basis->scalar, basis->length, frames->bands,
                                  electrons->orbitals[state], basis->length, NULL, frames->factor, to, basis->length);
}

// Q = B (B^H B)^(-1/2) with B = from^H nearest; directions that hold nothing in both are left out.
pv_status pv_frames_turn(pv_frames *frames, int state, const double _Complex *from, const double _Complex *nearest,
                         double *turn, double _Complex *to)
{
    const pv_basis *basis = basis_of(frames, state);
    const int64_t n = frames->bands;
    pv_dense *dense = dense_of(frames);
    PV_TRY(pv_ortho_overlap(dense, basis->scalar, basis->length, n, from, n, nearest, frames->a));
    PV_TRY(pv_dense_gemm(dense, basis->scalar, 'C', 'N', n, n, n, 1.0, frames->a, n, frames->a, n, 0.0, frames->b, n));
    PV_TRY(pv_dense_heevd(dense, basis->scalar, n, frames->b, frames->values));
    const double least = EMPTY * frames->values[n - 1];
    for (int64_t b = 0; b < n; b++) frames->values[b] = frames->values[b] > least ? 1.0 / sqrt(frames->values[b]) : 0.0;
    PV_TRY(assemble(frames, basis->scalar, frames->wide));
    PV_TRY(multiply(frames, basis->scalar, 'N', n, frames->a, frames->c, turn));
    return multiply(frames, basis->scalar, 'N', basis->length, from, turn, to);
}

pv_status pv_frames_give(pv_frames *frames, int state, const double _Complex *frame, double _Complex *held)
{
    const pv_electrons *electrons = frames->electrons;
    const pv_basis *basis = basis_of(frames, state);
    const int64_t n = frames->bands;
    double *filling = electrons->filling + (int64_t)state * electrons->system->params.bands;
    PV_TRY(pv_ortho_overlap(dense_of(frames), basis->scalar, basis->length, n, frame, n, frame, frames->b));
    PV_TRY(pv_dense_heevd(dense_of(frames), basis->scalar, n, frames->b, frames->values));
    int64_t count = 0;                 // of orbitals that hold anything
    for (int64_t b = 0; b < n; b++) {
        const double f = frames->values[n - 1 - b];
        frames->places[b] = n - 1 - b;
        filling[b] = f > EMPTY ? pv_frames_full(frames) * fmin(f, 1.0) : 0.0;
        if (f > EMPTY) frames->factors[count++] = 1.0 / sqrt(f);
    }
    PV_TRY(send_factors(frames, frames->factors, count));
    PV_TRY(pv_array_write(electrons->system->device, frames->order, frames->places, (size_t)n * sizeof *frames->order));
    PV_TRY(pv_matrix_pick_columns(stream_of(frames), basis->scalar, n, count, frames->b, n, frames->order,
                                  frames->factor, frames->a, n));
    if (basis->length > 0)
        PV_TRY(pv_dense_gemm(dense_of(frames), basis->scalar, 'N', 'N', basis->length, count, n, 1.0, frame,
                             basis->length, frames->a, n, 0.0, electrons->orbitals[state], basis->length));
    for (int64_t b = 0; b < n; b++) frames->values[b] = frames->values[b] > 1.0 ? 1.0 / sqrt(frames->values[b]) : 1.0;
    PV_TRY(assemble(frames, basis->scalar, frames->a));
    return multiply(frames, basis->scalar, 'N', basis->length, frame, frames->c, held);
}

// ---- In bands ----------------------------------------------------------------------------------------------------

pv_status pv_frames_resolve(pv_frames *frames, int state, const double *turn, const double _Complex *change,
                            double *amplitudes)
{
    const pv_electrons *electrons = frames->electrons;
    const pv_basis *basis = basis_of(frames, state);
    const int64_t n = frames->bands, all = electrons->system->params.bands;
    PV_TRY(pv_ortho_overlap(dense_of(frames), basis->scalar, basis->length, all, electrons->orbitals[state], n, change,
                            frames->wide));
    PV_TRY(multiply(frames, basis->scalar, 'C', all, frames->wide, turn, frames->wide_turned));
    return pv_array_read(electrons->system->device, frames->wide_turned, amplitudes,
                         (size_t)(all * n * pv_scalar_reals(basis->scalar)) * sizeof *amplitudes);
}

pv_status pv_frames_add(pv_frames *frames, int state, const double *turn, const double *amplitudes,
                        double _Complex *change)
{
    const pv_electrons *electrons = frames->electrons;
    const pv_basis *basis = basis_of(frames, state);
    const int64_t n = frames->bands, all = electrons->system->params.bands;
    PV_TRY(pv_array_write(electrons->system->device, frames->wide_turned, amplitudes,
                          (size_t)(all * n * pv_scalar_reals(basis->scalar)) * sizeof *amplitudes));
    PV_TRY(multiply(frames, basis->scalar, 'N', all, frames->wide_turned, turn, frames->wide));
    if (basis->length == 0) return PV_OK;
    return pv_dense_gemm(dense_of(frames), basis->scalar, 'N', 'N', basis->length, n, all, 1.0,
                         electrons->orbitals[state], basis->length, frames->wide, all, 1.0, change, basis->length);
}
