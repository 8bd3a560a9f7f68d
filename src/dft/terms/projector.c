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

// ---- What projectors are made from ----------------------------------------------------------------------------------

typedef struct placed_atom {
    int64_t functions;
    const double _Complex *shape;      // of its species
    double _Complex of_k;              // exp(-i k tau)
} placed_atom;

struct pv_projector_parts {
    pv_device *device;
    int64_t local, single;             // plane waves here; the one that is a real number, -1: none
    int64_t reach[3];
    int atoms;
    placed_atom *atom;                 // [atoms]
    // On the device.
    int32_t *miller;                   // [local][3]
    double *table[3];                  // of all atoms
    double _Complex *shape;            // of all species
};

void pv_projector_parts_destroy(pv_projector_parts *parts)
{
    if (!parts) return;
    pv_array_destroy(parts->device, parts->miller);
    for (int i = 0; i < 3; i++) pv_array_destroy(parts->device, parts->table[i]);
    pv_array_destroy(parts->device, parts->shape);
    pv_mem_free(parts->atom);
    pv_mem_free(parts);
}

static pv_status make_phases(pv_projector_parts *parts, const pv_basis *basis, const pv_cell *cell)
{
    pv_device *device = parts->device;
    const int64_t n = basis->local;
    pv_phase *phase;
    reach_of(basis, parts->reach);
    PV_TRY(pv_phase_create(cell, parts->reach, &phase));
    pv_status status = pv_array_create(device, "plane waves", 3 * n, sizeof(int32_t), (void **)&parts->miller);
    if (status == PV_OK)
        status = pv_array_write(device, parts->miller, basis->miller[basis->lower], (size_t)(3 * n) * sizeof(int32_t));
    for (int i = 0; status == PV_OK && i < 3; i++) {
        const int64_t numbers = 2 * cell->atoms * (2 * phase->reach[i] + 1);
        parts->reach[i] = phase->reach[i];
        status = PV_ARRAY(device, "phases", numbers, &parts->table[i]);
        if (status == PV_OK)
            status = pv_array_write(device, parts->table[i], phase->table[i], (size_t)numbers * sizeof(double));
    }
    pv_phase_destroy(phase);
    return status;
}

// Functions of a species at the origin, onto the device.
static pv_status make_shape(const pv_projector_parts *parts, const pv_basis *basis, const pv_cell *cell,
                            const pv_pseudo *pseudo, const wanted *w, double _Complex *to)
{
    const int64_t count = pv_projector_functions(pseudo) * basis->local;
    double _Complex *shape;
    if (pv_device_is_host(parts->device)) {
        fill_species(basis, cell->volume_bohr3, pseudo, w, to);
        return PV_OK;
    }
    PV_TRY(PV_ALLOC(count, &shape));
    fill_species(basis, cell->volume_bohr3, pseudo, w, shape);
    const pv_status status = pv_array_write(parts->device, to, shape, (size_t)count * sizeof *shape);
    pv_mem_free(shape);
    return status;
}

static void note_atoms(pv_projector_parts *parts, const pv_basis *basis, const pv_cell *cell, int species,
                       int64_t functions, const double _Complex *shape)
{
    for (int a = 0; a < cell->atoms; a++) {
        if (cell->species_of[a] != species) continue;
        double kt = 0.0;
        for (int i = 0; i < 3; i++) kt += basis->k_fractional[i] * cell->fractional[a][i];
        parts->atom[a] = (placed_atom){functions, shape, cexp(-2.0 * PV_PI * I * kt)};
    }
}

static pv_status make_parts(pv_projector_parts *parts, const pv_basis *basis, const pv_cell *cell,
                            pv_pseudo *const *pseudo, const wanted *w)
{
    int64_t functions = 0;
    for (int s = 0; s < cell->species; s++) functions += pv_projector_functions(pseudo[s]);
    PV_TRY(PV_ALLOC(cell->atoms, &parts->atom));
    PV_TRY(make_phases(parts, basis, cell));
    PV_TRY(PV_ARRAY(parts->device, "projectors at the origin", functions * basis->local, &parts->shape));
    double _Complex *shape = parts->shape;
    for (int s = 0; s < cell->species; s++) {
        const int64_t own = pv_projector_functions(pseudo[s]);
        PV_TRY(make_shape(parts, basis, cell, pseudo[s], w, shape));
        note_atoms(parts, basis, cell, s, own, shape);
        shape += own * basis->local;
    }
    return PV_OK;
}

static pv_status create_parts(const pv_basis *basis, const pv_cell *cell, pv_pseudo *const *pseudo, const wanted *w,
                              pv_projector_parts **parts_p)
{
    pv_projector_parts *parts;
    PV_TRY(PV_ALLOC(1, &parts));
    parts->device = pv_comm_device(basis->comm);
    parts->local = basis->local;
    parts->single = basis->single < 0 ? -1 : basis->single - basis->lower;
    parts->atoms = cell->atoms;
    const pv_status status = make_parts(parts, basis, cell, pseudo, w);
    if (status != PV_OK) {
        pv_projector_parts_destroy(parts);
        return status;
    }
    *parts_p = parts;
    return PV_OK;
}

pv_status pv_projector_parts_create(const pv_basis *basis, const pv_cell *cell, pv_pseudo *const *pseudo,
                                    pv_projector_parts **parts_p)
{
    const wanted values = {-1, -1};
    return create_parts(basis, cell, pseudo, &values, parts_p);
}

// exp(-i (k + G) tau) times the functions of an atom at the origin. With the phase of k a projector is a real function
// where orbitals are; of the single wave of a half sphere, which is a real number, rounding must not leave more.
pv_status pv_projector_parts_place(const pv_projector_parts *parts, double _Complex *to)
{
    place_atom_arguments arguments = {.rows = parts->local, .single = parts->single, .miller = parts->miller};
    for (int a = 0; a < parts->atoms; a++) {
        const placed_atom *atom = &parts->atom[a];
        arguments.of_k[0] = creal(atom->of_k);
        arguments.of_k[1] = cimag(atom->of_k);
        arguments.shape = (const double *)atom->shape;
        arguments.out = (double *)to;
        for (int i = 0; i < 3; i++) {
            arguments.reach[i] = parts->reach[i];
            arguments.table[i] = parts->table[i] + 2 * a * (2 * parts->reach[i] + 1);
        }
        PV_TRY(pv_kernel_launch(pv_device_stream(parts->device), &place_atom, atom->functions, &arguments));
        to += atom->functions * parts->local;
    }
    return PV_OK;
}

// ---- At once --------------------------------------------------------------------------------------------------------

static pv_status fill(const pv_basis *basis, const pv_cell *cell, pv_pseudo *const *pseudo, const wanted *w,
                      double _Complex *to)
{
    pv_projector_parts *parts;
    PV_TRY(create_parts(basis, cell, pseudo, w, &parts));
    pv_status status = pv_projector_parts_place(parts, to);
    if (status == PV_OK) status = pv_stream_wait(pv_device_stream(parts->device));
    pv_projector_parts_destroy(parts);
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
