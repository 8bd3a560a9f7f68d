// SPDX-License-Identifier: Apache-2.0
#include "comm/cuda/gpus_apart.h"

#include <string.h>

#include "base/mem.h"
#include "device/cuda/cuda_check.h"
#include "device/cuda/cuda_device.h"

pv_status pv_gpus_check_apart(pv_comm *comm, const char *transport)
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
    for (int rank = 0; status == PV_OK && rank < comm->size; rank++)
        for (int other = 0; status == PV_OK && other < rank; other++)
            if (memcmp(&all[rank], &all[other], sizeof *all) == 0)
                status = pv_fail(PV_ERR_UNSUPPORTED, __func__,
                                 "ranks %d and %d are on the same GPU; transport \"%s\" needs one for each rank "
                                 "(devices cuda:0, cuda:1, ...), mpi and peer do not",
                                 other, rank, transport);
    pv_mem_free(all);
    return status;
}
