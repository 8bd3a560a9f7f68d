// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3
//
// Example 4: a convolution. Find u with -laplace u = f in a periodic box of side 2 pi. In Fourier space that is a
// division by |k|^2, point by point; pv_fft_convolve runs forward transform, pointwise step and inverse as one, so it
// may keep the spectrum in whatever order is quickest.
//
//     mpirun -n 2 ./04_poisson
#include <complex.h>
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

static const int64_t shape[3] = {30, 32, 27};

// u = sin x cos 2y + cos(x - 3z), so -laplace u = 5 sin x cos 2y + 10 cos(x - 3z).
static double combine(const int64_t point[3], double first, double second)
{
    const double two_pi = 6.283185307179586;
    double x = two_pi * (double)point[0] / (double)shape[0];
    double y = two_pi * (double)point[1] / (double)shape[1];
    double z = two_pi * (double)point[2] / (double)shape[2];
    return first * sin(x) * cos(2.0 * y) + second * cos(x - 3.0 * z);
}

static double right_hand_side(const int64_t point[3])
{
    return combine(point, 5.0, 10.0);
}

static double solution(const int64_t point[3])
{
    return combine(point, 1.0, 1.0);
}

// The upper half of the indices stands for negative wave numbers.
static double wave_number(int64_t index, int64_t length)
{
    return (double)(2 * index <= length ? index : index - length);
}

// The pointwise step sees every point of this rank's share once, in lines: value j of line i has spectrum index
// start + i * line_step + j * step. It may be called from several threads at once.
static void divide_by_k_squared(void *context, const pv_fft_points *points)
{
    double normalization = *(const double *)context;
    double complex *values = points->values;
    for (int64_t i = 0; i < points->lines; i++)
        for (int64_t j = 0; j < points->count; j++) {
            double k_squared = 0.0;
            for (int axis = 0; axis < 3; axis++) {
                int64_t index = points->start[axis] + i * points->line_step[axis] + j * points->step[axis];
                double k = wave_number(index, shape[axis]);
                k_squared += k * k;
            }
            // f must have no mean, and the mean of u is ours to choose.
            values[i * points->line_stride + j * points->stride] *=
                k_squared > 0.0 ? normalization / k_squared : 0.0;
        }
}

static void fill(const pv_layout *layout, int rank, double *values)
{
    int64_t point[3];
    const pv_box *box = &layout->boxes[rank];
    for (point[0] = box->lower[0]; point[0] < box->upper[0]; point[0]++)
        for (point[1] = box->lower[1]; point[1] < box->upper[1]; point[1]++)
            for (point[2] = box->lower[2]; point[2] < box->upper[2]; point[2]++)
                values[pv_layout_offset(layout, rank, point)] = right_hand_side(point);
}

static double largest_error(const pv_layout *layout, int rank, const double *values)
{
    int64_t point[3];
    const pv_box *box = &layout->boxes[rank];
    double largest = 0.0;
    for (point[0] = box->lower[0]; point[0] < box->upper[0]; point[0]++)
        for (point[1] = box->lower[1]; point[1] < box->upper[1]; point[1]++)
            for (point[2] = box->lower[2]; point[2] < box->upper[2]; point[2]++)
                largest = fmax(largest, fabs(values[pv_layout_offset(layout, rank, point)] - solution(point)));
    return largest;
}

static pv_status run(int *is_right_p)
{
    pv_device *device = NULL;
    pv_comm *comm = NULL;
    TRY(pv_device_open("cpu", &device));
    TRY(pv_comm_open_mpi(MPI_COMM_WORLD, device, NULL, &comm));
    int rank = pv_comm_rank(comm);

    // The field is real, so a real-to-complex plan does half the work.
    pv_fft_options options = pv_fft_options_defaults();
    options.convolution = 1;
    pv_fft_plan *plan = NULL;
    TRY(pv_fft_plan_create(comm, shape, PV_R2C, PV_FP64, &options, &plan));
    pv_buffer *field = NULL;
    TRY(pv_buffer_create(device, pv_fft_plan_space_bytes(plan), &field));
    double *u = pv_buffer_data(field);
    const pv_layout *space = pv_fft_plan_space(plan);

    // In and out may be the same array.
    double normalization = 1.0 / (double)(shape[0] * shape[1] * shape[2]);
    fill(space, rank, u);
    TRY(pv_fft_convolve(plan, divide_by_k_squared, &normalization, u, u));

    double error = largest_error(space, rank, u);
    TRY(pv_comm_reduce_f64(comm, PV_MAX, 1, &error));
    if (rank == 0) printf("largest error of the solution: %.1e\n", error);
    *is_right_p = error < 1e-12;

    pv_buffer_destroy(field);
    pv_fft_plan_destroy(plan);
    pv_comm_close(comm);
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
