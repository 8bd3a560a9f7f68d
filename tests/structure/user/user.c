// SPDX-License-Identifier: Apache-2.0
// A program outside the tree: it sees what is installed and nothing else.
#include <stdio.h>
#include <stdlib.h>

#include <parseval/comm_mpi.h>
#include <parseval/parseval.h>

// One transform of ones: N at wave number zero.
static pv_status transform(pv_comm *comm, double *first_p)
{
    const int64_t shape[3] = {4, 4, 4};
    static double data[128];
    for (int i = 0; i < 64; i++) data[2 * i] = 1;
    pv_fft_plan *plan = NULL;
    pv_status status = pv_fft_plan_create(comm, shape, PV_C2C, PV_FP64, NULL, &plan);
    if (status == PV_OK) status = pv_fft_forward(plan, data, data);
    *first_p = data[0];
    pv_fft_plan_destroy(plan);
    return status;
}

int main(void)
{
    pv_device *device = NULL;
    pv_comm *comm = NULL;
    double first = 0;
    pv_status status = pv_device_open("cpu", &device);
    if (status == PV_OK) status = pv_comm_open_self(device, &comm);
    if (status == PV_OK) status = transform(comm, &first);
    pv_comm_close(comm);
    pv_device_close(device);
    printf("%s, %g\n", pv_status_text(status), first);
    return status == PV_OK && first == 64 ? EXIT_SUCCESS : EXIT_FAILURE;
}
