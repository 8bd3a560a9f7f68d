// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3
//
// Example 3: there and back. A plan resolves every choice once; forward and inverse then run as often as needed. A
// plane wave has one Fourier coefficient, of value N = n0 n1 n2, since nothing is normalised unless you ask.
//
//     mpirun -n 2 ./03_roundtrip
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

static const int64_t shape[3] = {24, 20, 18};
static const int64_t wave[3] = {2, 3, 17}; // the last one is -1, as indices wrap round

static double complex plane_wave(const int64_t point[3])
{
    const double two_pi = 6.283185307179586;
    double phase = 0.0;
    for (int axis = 0; axis < 3; axis++) phase += (double)(wave[axis] * point[axis]) / (double)shape[axis];
    return cexp(I * two_pi * phase);
}

static double complex coefficient(const int64_t point[3])
{
    int is_wave = point[0] == wave[0] && point[1] == wave[1] && point[2] == wave[2];
    return is_wave ? (double)(shape[0] * shape[1] * shape[2]) : 0.0;
}

typedef double complex (*field)(const int64_t point[3]);

static void fill(const pv_layout *layout, int rank, field exact, double complex *values)
{
    int64_t point[3];
    const pv_box *box = &layout->boxes[rank];
    for (point[0] = box->lower[0]; point[0] < box->upper[0]; point[0]++)
        for (point[1] = box->lower[1]; point[1] < box->upper[1]; point[1]++)
            for (point[2] = box->lower[2]; point[2] < box->upper[2]; point[2]++)
                values[pv_layout_offset(layout, rank, point)] = exact(point);
}

// The largest distance from factor * exact on any rank.
static pv_status distance(pv_comm *comm, const pv_layout *layout, double factor, field exact,
                          const double complex *values, double *distance_p)
{
    int rank = pv_comm_rank(comm);
    int64_t point[3];
    const pv_box *box = &layout->boxes[rank];
    double largest = 0.0;
    for (point[0] = box->lower[0]; point[0] < box->upper[0]; point[0]++)
        for (point[1] = box->lower[1]; point[1] < box->upper[1]; point[1]++)
            for (point[2] = box->lower[2]; point[2] < box->upper[2]; point[2]++)
                largest = fmax(largest, cabs(values[pv_layout_offset(layout, rank, point)] - factor * exact(point)));
    TRY(pv_comm_reduce_f64(comm, PV_MAX, 1, &largest));
    *distance_p = largest;
    return PV_OK;
}

static pv_status run(int *is_right_p)
{
    pv_device *device = NULL;
    pv_comm *comm = NULL;
    TRY(pv_device_open("cpu", &device));
    TRY(pv_comm_open_mpi(MPI_COMM_WORLD, device, NULL, &comm));
    int rank = pv_comm_rank(comm);

    // The spectrum may lie where the transform leaves it, split along another axis, which saves an exchange. The
    // layout says where that is, so the rest of the program need not know.
    pv_fft_options options = pv_fft_options_defaults();
    options.output = PV_OUTPUT_TRANSPOSED_AXES;
    pv_fft_plan *plan = NULL;
    TRY(pv_fft_plan_create(comm, shape, PV_C2C, PV_FP64, &options, &plan));
    if (rank == 0) printf("%s\n", pv_fft_plan_text(plan));

    pv_buffer *space = NULL, *spectrum = NULL;
    TRY(pv_buffer_create(device, pv_fft_plan_space_bytes(plan), &space));
    TRY(pv_buffer_create(device, pv_fft_plan_spectrum_bytes(plan), &spectrum));
    double complex *u = pv_buffer_data(space), *u_hat = pv_buffer_data(spectrum);

    double points = (double)(shape[0] * shape[1] * shape[2]), forward_error, roundtrip_error;
    fill(pv_fft_plan_space(plan), rank, plane_wave, u);
    TRY(pv_fft_forward(plan, u, u_hat));
    TRY(distance(comm, pv_fft_plan_spectrum(plan), 1.0, coefficient, u_hat, &forward_error));
    TRY(pv_fft_inverse(plan, u_hat, u));
    TRY(distance(comm, pv_fft_plan_space(plan), points, plane_wave, u, &roundtrip_error));
    if (rank == 0)
        printf("largest errors, relative: spectrum %.1e, round trip %.1e\n", forward_error / points,
               roundtrip_error / points);
    *is_right_p = forward_error < 1e-13 * points && roundtrip_error < 1e-13 * points;

    pv_buffer_destroy(spectrum);
    pv_buffer_destroy(space);
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
