// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/projector.h"

#include <math.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "device/array.h"
#include "dft/model/harmonic.h"
#include "dft/model/phase.h"
#include "dft/model/slope.h"
#include "dft/model/units.h"
#include "dft/terms/projector_kernels.h"

int64_t pv_projector_functions(const pv_pseudo *pseudo)
{
    int64_t count = 0;
    for (int i = 0; i < pseudo->projectors; i++) count += 2 * pseudo->l[i] + 1;
    return count;
}

static const double _Complex minus_i_to[4] = {1.0, -I, -1.0, I};

// Direction of the strain; values themselves when i < 0.
typedef struct wanted {
    int i, j;
} wanted;

// F(q) / q^l and its slope; even functions of q.
static void radial(const pv_pseudo *pseudo, int p, double q, double *value, double *slope)
{
    const double h = PV_SLOPE_STEP, power = pow(q, pseudo->l[p]);
    double at[5];
    for (int n = -2; n <= 2; n++) {
        const double x = q + n * h, sign = x < 0.0 && pseudo->l[p] % 2 ? -1.0 : 1.0;
        at[n + 2] = sign * pv_pseudo_projector_form(pseudo, p, fabs(x));
    }
    *value = at[2] / power;
    *slope = pv_slope(at[0], at[1], at[3], at[4]) / power - pseudo->l[p] * *value / q;
}

// At plane wave g, all functions of one species for an atom at the origin, n apart.
static void fill_values(const pv_pseudo *pseudo, const double q[3], double length, double scale, int64_t n,
                        double _Complex *shape)
{
    double harmonic[PV_HARMONICS];
    pv_harmonics(pseudo->l_max, q, harmonic);
    int64_t function = 0;
    for (int p = 0; p < pseudo->projectors; p++) {
        const int l = pseudo->l[p];
        const double form = scale * pv_pseudo_projector_form(pseudo, p, length);
        for (int m = 0; m < 2 * l + 1; m++) shape[function++ * n] = minus_i_to[l] * (form * harmonic[l * l + m]);
    }
}

// The strain turns q_i by - epsilon_ij q_j.
static void fill_slopes(const pv_pseudo *pseudo, const double q[3], double length, double scale, const wanted *w,
                        int64_t n, double _Complex *shape)
{
    double solid[PV_HARMONICS], gradient[PV_HARMONICS][3];
    pv_solid_harmonics(pseudo->l_max, q, solid, gradient);
    int64_t function = 0;
    for (int p = 0; p < pseudo->projectors; p++) {
        const int l = pseudo->l[p];
        double value = 0.0, slope = 0.0;
        if (length > 1e-8) radial(pseudo, p, length, &value, &slope);
        for (int m = 0; m < 2 * l + 1; m++) {
            const double *d = gradient[l * l + m];
            const double turned = 0.5 * value * (d[w->i] * q[w->j] + d[w->j] * q[w->i]);
            const double stretched = length > 1e-8 ? slope / length * q[w->i] * q[w->j] * solid[l * l + m] : 0.0;
            shape[function++ * n] = -scale * minus_i_to[l] * (turned + stretched);
        }
    }
}

static void fill_species(const pv_basis *basis, double volume_bohr3, const pv_pseudo *pseudo, const wanted *w,
                         double _Complex *shape)
{
    const int threads = pv_device_host_threads(pv_comm_device(basis->comm));
#pragma omp parallel for num_threads(threads)
    for (int64_t g = 0; g < basis->local; g++) {
        const double length = sqrt(2.0 * basis->kinetic_ha[g]);
        const double scale = pv_basis_fold(basis, g) / sqrt(volume_bohr3);
        if (w->i < 0)
            fill_values(pseudo, basis->q[g], length, scale, basis->local, shape + g);
        else
            fill_slopes(pseudo, basis->q[g], length, scale, w, basis->local, shape + g);
    }
}

static void reach_of(const pv_basis *basis, int64_t reach[3])
{
    for (int d = 0; d < 3; d++) reach[d] = 0;
    for (int64_t i = 0; i < basis->count; i++)
        for (int d = 0; d < 3; d++) {
            const int64_t size = 2 * (int64_t)labs(basis->miller[i][d]);
            if (size > reach[d]) reach[d] = size;
        }
}

// On the device while projectors are made.
typedef struct desk {
    pv_device *device;
    int32_t *miller;       // [local][3]
    double *table[3];      // of all atoms
    double _Complex *shape, *host_shape; // of a species; one array where the device is the host
} desk;

static void clear_desk(desk *d)
{
    pv_array_destroy(d->device, d->miller);
    for (int i = 0; i < 3; i++) pv_array_destroy(d->device, d->table[i]);
    if (d->host_shape != d->shape) pv_mem_free(d->host_shape);
    pv_array_destroy(d->device, d->shape);
}

static pv_status set_desk(const pv_basis *basis, const pv_phase *phase, int atoms, int64_t functions, desk *d)
{
    const int64_t n = basis->local;
    d->device = pv_comm_device(basis->comm);
    PV_TRY(pv_array_create(d->device, "plane waves", 3 * n, sizeof(int32_t), (void **)&d->miller));
    PV_TRY(pv_array_write(d->device, d->miller, basis->miller[basis->lower], (size_t)(3 * n) * sizeof(int32_t)));
    for (int i = 0; i < 3; i++) {
        const int64_t numbers = 2 * atoms * (2 * phase->reach[i] + 1);
        PV_TRY(PV_ARRAY(d->device, "phases", numbers, &d->table[i]));
        PV_TRY(pv_array_write(d->device, d->table[i], phase->table[i], (size_t)numbers * sizeof(double)));
    }
    PV_TRY(PV_ARRAY(d->device, "projectors of an atom", functions * n, &d->shape));
    d->host_shape = d->shape;
    if (pv_device_is_host(d->device)) return PV_OK;
    d->host_shape = NULL;
    return PV_ALLOC(functions * n, &d->host_shape);
}

// exp(-i (k + G) tau) times the functions of an atom at the origin. With the phase of k a projector is a real function
// where orbitals are; of the single wave of a half sphere, which is a real number, rounding must not leave more.
static pv_status place(const pv_basis *basis, const pv_cell *cell, const pv_phase *phase, const desk *d, int atom,
                       int64_t functions, double _Complex *to)
{
    double kt = 0.0;
    for (int i = 0; i < 3; i++) kt += basis->k_fractional[i] * cell->fractional[atom][i];
    const double _Complex of_k = cexp(-2.0 * PV_PI * I * kt);
    place_atom_arguments arguments = {.rows = basis->local,
                                      .single = basis->single - basis->lower,
                                      .of_k = {creal(of_k), cimag(of_k)},
                                      .miller = d->miller,
                                      .shape = (const double *)d->shape,
                                      .out = (double *)to};
    if (basis->single < 0) arguments.single = -1;
    for (int i = 0; i < 3; i++) {
        arguments.reach[i] = phase->reach[i];
        arguments.table[i] = d->table[i] + 2 * atom * (2 * phase->reach[i] + 1);
    }
    return pv_kernel_launch(pv_device_stream(d->device), &place_atom, functions, &arguments);
}

static pv_status fill_atoms(const pv_basis *basis, const pv_cell *cell, pv_pseudo *const *pseudo, const wanted *w,
                            const pv_phase *phase, const desk *d, double _Complex *to)
{
    const int64_t n = basis->local;
    for (int s = 0; s < cell->species; s++) {
        fill_species(basis, cell->volume_bohr3, pseudo[s], w, d->host_shape);
        if (d->host_shape != d->shape)
            PV_TRY(pv_array_write(d->device, d->shape, d->host_shape,
                                  (size_t)(pv_projector_functions(pseudo[s]) * n) * sizeof *d->shape));
        double _Complex *atom = to;
        for (int a = 0; a < cell->atoms; a++) {
            const int64_t functions = pv_projector_functions(pseudo[cell->species_of[a]]);
            if (cell->species_of[a] == s) PV_TRY(place(basis, cell, phase, d, a, functions, atom));
            atom += functions * n;
        }
        PV_TRY(pv_stream_wait(pv_device_stream(d->device))); // before the species' functions make way for others
    }
    return PV_OK;
}

static pv_status fill(const pv_basis *basis, const pv_cell *cell, pv_pseudo *const *pseudo, const wanted *w,
                      double _Complex *to)
{
    int64_t reach[3], most = 0;
    reach_of(basis, reach);
    for (int s = 0; s < cell->species; s++)
        if (pv_projector_functions(pseudo[s]) > most) most = pv_projector_functions(pseudo[s]);
    desk d = {0};
    pv_phase *phase;
    PV_TRY(pv_phase_create(cell, reach, &phase));
    pv_status status = set_desk(basis, phase, cell->atoms, most, &d);
    if (status == PV_OK) status = fill_atoms(basis, cell, pseudo, w, phase, &d, to);
    clear_desk(&d);
    pv_phase_destroy(phase);
    return status;
}

pv_status pv_projectors_fill(const pv_basis *basis, const pv_cell *cell, pv_pseudo *const *pseudo, double _Complex *to)
{
    const wanted values = {-1, -1};
    return fill(basis, cell, pseudo, &values, to);
}

pv_status pv_projectors_fill_strain(const pv_basis *basis, const pv_cell *cell, pv_pseudo *const *pseudo, int i, int j,
                                    double _Complex *to)
{
    const wanted slopes = {i, j};
    return fill(basis, cell, pseudo, &slopes, to);
}
