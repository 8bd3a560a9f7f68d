// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 4
//
// Example 5: several plans, little memory, groups of ranks. The ranks split into two groups that work on grids of
// their own; in each group a fine and a coarse transform, real, in single precision and in place, take turns with one
// workspace.
//
//     mpirun -n 4 ./05_shared_workspace
#include <math.h>
#include <stdio.h>

#include <mpi.h>
#include <parseval/comm_mpi.h>
#include <parseval/parseval.h>

#define TRY(call)                                \
    do {                                         \
        pv_status status = (call);               \
        if (status != PV_OK) return status;      \
    } while (0)

static const double two_pi = 6.283185307179586;

typedef struct grid {
    int64_t shape[3];
    pv_fft_plan *plan;
    pv_buffer *buffer;
} grid;

static pv_status make_plan(pv_comm *comm, grid *g)
{
    pv_fft_options options = pv_fft_options_defaults();
    options.padded = 1;          // rows of n2 reals have room for n2 / 2 + 1 complex values: transforms run in place
    options.defer_workspace = 1; // the plan says what it needs, and gets it later
    options.scale_inverse = 1.0 / (double)(g->shape[0] * g->shape[1] * g->shape[2]);
    TRY(pv_fft_plan_create(comm, g->shape, PV_R2C, PV_FP32, &options, &g->plan));
    size_t space = pv_fft_plan_space_bytes(g->plan), spectrum = pv_fft_plan_spectrum_bytes(g->plan);
    TRY(pv_buffer_create(pv_comm_device(comm), space > spectrum ? space : spectrum, &g->buffer));
    return PV_OK;
}

static double field_at(const grid *g, int64_t i0, int64_t i1, int64_t i2)
{
    return 1.5 + cos(two_pi * (double)i0 / (double)g->shape[0]) * sin(two_pi * 2.0 * (double)i1 / (double)g->shape[1]) +
           sin(two_pi * 3.0 * (double)i2 / (double)g->shape[2]);
}

// Fills this rank's slab, or returns the largest distance from the field.
static double visit(const grid *g, int rank, int is_fill)
{
    const pv_box *box = &pv_fft_plan_space(g->plan)->boxes[rank];
    int64_t row = 2 * (g->shape[2] / 2 + 1), middle = box->upper[1] - box->lower[1];
    float *values = pv_buffer_data(g->buffer);
    double largest = 0.0;
    for (int64_t i0 = box->lower[0]; i0 < box->upper[0]; i0++)
        for (int64_t i1 = box->lower[1]; i1 < box->upper[1]; i1++)
            for (int64_t i2 = 0; i2 < g->shape[2]; i2++) {
                float *value = &values[((i0 - box->lower[0]) * middle + i1 - box->lower[1]) * row + i2];
                if (is_fill) *value = (float)field_at(g, i0, i1, i2);
                largest = fmax(largest, fabs(*value - field_at(g, i0, i1, i2)));
            }
    return largest;
}

// The coefficient of k = 0 is N times the mean, which is 1.5.
static double mean_error(const grid *g, int rank)
{
    const pv_layout *spectrum = pv_fft_plan_spectrum(g->plan);
    const pv_box *box = &spectrum->boxes[rank];
    int64_t origin[3] = {0, 0, 0};
    if (pv_layout_count(spectrum, rank) == 0 || box->lower[0] > 0 || box->lower[1] > 0 || box->lower[2] > 0) return 0.0;
    const float *values = pv_buffer_data(g->buffer);
    double points = (double)(g->shape[0] * g->shape[1] * g->shape[2]);
    return fabs(values[2 * pv_layout_offset(spectrum, rank, origin)] / points - 1.5);
}

static pv_status there_and_back(pv_comm *comm, grid *g, double *error_p)
{
    int rank = pv_comm_rank(comm);
    void *data = pv_buffer_data(g->buffer);
    visit(g, rank, 1);
    TRY(pv_fft_forward(g->plan, data, data));
    double error = mean_error(g, rank);
    TRY(pv_fft_inverse(g->plan, data, data));
    *error_p = fmax(error, visit(g, rank, 0));
    return PV_OK;
}

static pv_status run(int *is_right_p)
{
    pv_device *device = NULL;
    pv_comm *world = NULL, *group = NULL;
    TRY(pv_device_open("cpu", &device));
    TRY(pv_comm_open_mpi(MPI_COMM_WORLD, device, NULL, &world));

    // Even and odd ranks go separate ways; each rank is a member of one of the two groups.
    int color = pv_comm_rank(world) % 2;
    TRY(pv_comm_split(world, color, pv_comm_rank(world), &group));

    grid fine = {.shape = {24, 20 + 4 * color, 30}}, coarse = {.shape = {12, 10, 15 + color}};
    TRY(make_plan(group, &fine));
    TRY(make_plan(group, &coarse));

    // The largest need of both is enough, as they never run at the same time.
    size_t needed = pv_fft_plan_workspace_bytes(fine.plan);
    if (needed < pv_fft_plan_workspace_bytes(coarse.plan)) needed = pv_fft_plan_workspace_bytes(coarse.plan);
    pv_workspace *workspace = NULL;
    TRY(pv_workspace_create(group, needed, &workspace));
    TRY(pv_fft_plan_set_workspace(fine.plan, workspace));
    TRY(pv_fft_plan_set_workspace(coarse.plan, workspace));

    double errors[2];
    TRY(there_and_back(group, &fine, &errors[0]));
    TRY(there_and_back(group, &coarse, &errors[1]));
    TRY(pv_comm_reduce_f64(world, PV_MAX, 2, errors));
    if (pv_comm_rank(world) == 0)
        printf("one workspace of %zu bytes for two plans; largest errors: fine %.1e, coarse %.1e\n", needed, errors[0],
               errors[1]);
    *is_right_p = errors[0] < 1e-5 && errors[1] < 1e-5;

    pv_fft_plan_destroy(coarse.plan);
    pv_fft_plan_destroy(fine.plan);
    pv_buffer_destroy(coarse.buffer);
    pv_buffer_destroy(fine.buffer);
    pv_workspace_destroy(workspace);
    pv_comm_close(group);
    pv_comm_close(world);
    pv_device_close(device);
    return PV_OK;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int is_right = 0;
    pv_status status = run(&is_right);
    MPI_Finalize();
    return status == PV_OK && is_right ? 0 : 1;
}
