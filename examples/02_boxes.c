// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3
//
// Example 2: boxes. A layout says which box of the grid each rank owns and in which order it keeps the points; a
// reshape moves an array from one layout to another. No transform yet.
//
//     mpirun -n 3 ./02_boxes
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>
#include <parseval/comm_mpi.h>
#include <parseval/parseval.h>

#define TRY(call)                                \
    do {                                         \
        pv_status status = (call);               \
        if (status != PV_OK) return status;      \
    } while (0)

static const int64_t shape[3] = {10, 7, 6}; // need not divide by the number of ranks

// Each point carries its own number, so that a misplaced one shows.
static double number_of(const int64_t point[3])
{
    return (double)((point[0] * shape[1] + point[1]) * shape[2] + point[2]);
}

// Calls pv_layout_offset for every point of this rank's box: the plain way to address an array in any layout. In the
// natural order {0, 1, 2} a box is simply u[n0][n1][n2], last index fastest.
static int64_t visit(const pv_layout *layout, int rank, double *values, int is_fill)
{
    int64_t wrong = 0, point[3];
    const pv_box *box = &layout->boxes[rank];
    for (point[0] = box->lower[0]; point[0] < box->upper[0]; point[0]++)
        for (point[1] = box->lower[1]; point[1] < box->upper[1]; point[1]++)
            for (point[2] = box->lower[2]; point[2] < box->upper[2]; point[2]++) {
                double *value = &values[pv_layout_offset(layout, rank, point)];
                if (is_fill) *value = number_of(point);
                wrong += *value != number_of(point);
            }
    return wrong;
}

static void print_boxes(const char *title, const pv_layout *layout)
{
    printf("%s\n", title);
    for (int rank = 0; rank < layout->ranks; rank++) {
        const pv_box *box = &layout->boxes[rank];
        printf("  rank %d: [%d, %d) x [%d, %d) x [%d, %d), %d points\n", rank, (int)box->lower[0], (int)box->upper[0],
               (int)box->lower[1], (int)box->upper[1], (int)box->lower[2], (int)box->upper[2],
               (int)pv_layout_count(layout, rank));
    }
}

static pv_status run(int *is_right_p)
{
    pv_device *device = NULL;
    pv_comm *comm = NULL;
    TRY(pv_device_open("cpu", &device));
    TRY(pv_comm_open_mpi(MPI_COMM_WORLD, device, NULL, &comm));
    int rank = pv_comm_rank(comm), size = pv_comm_size(comm);

    // Split along the first axis; and along the second, which then becomes the slowest in memory. Layouts are plain
    // data: any rank can make and read those of all ranks without talking to anyone. The header has pencils, blocks
    // and boxes of your own, too.
    pv_layout *from = NULL, *to = NULL;
    TRY(pv_layout_slab(shape, size, 0, &from));
    TRY(pv_layout_slab(shape, size, 1, &to));
    TRY(pv_layout_set_order(to, (int[3]){1, 0, 2}));
    if (rank == 0) {
        print_boxes("slabs of the first axis:", from);
        print_boxes("slabs of the second axis:", to);
    }

    // Memory comes from the device; on "cpu" it can be touched directly.
    pv_buffer *in = NULL, *out = NULL;
    TRY(pv_buffer_create(device, (size_t)pv_layout_count(from, rank) * sizeof(double), &in));
    TRY(pv_buffer_create(device, (size_t)pv_layout_count(to, rank) * sizeof(double), &out));
    visit(from, rank, pv_buffer_data(in), 1);

    // Made once, run as often as needed.
    pv_reshape *reshape = NULL;
    TRY(pv_reshape_create(comm, from, to, sizeof(double), 1, &reshape));
    TRY(pv_reshape_execute(reshape, pv_buffer_data(in), pv_buffer_data(out)));

    int64_t wrong = visit(to, rank, pv_buffer_data(out), 0);
    TRY(pv_comm_reduce_i64(comm, PV_SUM, 1, &wrong));
    int64_t points = shape[0] * shape[1] * shape[2];
    if (rank == 0) printf("%d of %d points arrived in the wrong place\n", (int)wrong, (int)points);
    *is_right_p = wrong == 0;

    pv_reshape_destroy(reshape);
    pv_buffer_destroy(out);
    pv_buffer_destroy(in);
    pv_layout_destroy(to);
    pv_layout_destroy(from);
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
