// SPDX-License-Identifier: Apache-2.0
#include "comm/cuda/gpus_apart.h"

#include <string.h>

#include "base/mem.h"
#include "device/cuda/cuda_check.h"
#include "device/cuda/cuda_device.h"

pv_status pv_gpus_find_pair(pv_comm *comm, int pair[2])
{
    struct cudaDeviceProp properties;
    cudaUUID_t *all = NULL;
    pv_status status = PV_ALLOC(comm->size, &all);
    if (status == PV_OK) {
        const cudaError_t error = cudaGetDeviceProperties(&properties, pv_cuda_of(comm->device)->gpu);
        if (error != cudaSuccess) status = pv_cuda_fail(error, __func__, "cudaGetDeviceProperties");
    }
    status = pv_comm_agree(comm, status);
    if (status == PV_OK) status = pv_comm_gather(comm, sizeof *all, &properties.uuid, all);
    pair[0] = pair[1] = -1;
    for (int rank = 0; status == PV_OK && rank < comm->size; rank++)
        for (int other = 0; pair[0] < 0 && other < rank; other++)
            if (memcmp(&all[rank], &all[other], sizeof *all) == 0) pair[0] = other, pair[1] = rank;
    pv_mem_free(all);
    return status;
}

pv_status pv_gpus_check_apart(pv_comm *comm, const char *transport)
{
    int pair[2];
    PV_TRY(pv_gpus_find_pair(comm, pair));
    PV_REQUIRE(pair[0] < 0, PV_ERR_UNSUPPORTED,
               "ranks %d and %d are on the same GPU; transport \"%s\" needs one for each rank (devices cuda:0, cuda:1, "
               "...), mpi and peer do not", pair[0], pair[1], transport);
    return PV_OK;
}
