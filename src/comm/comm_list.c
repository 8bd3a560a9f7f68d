// SPDX-License-Identifier: Apache-2.0
// The only list of transports.
#include "comm/comm_list.h"

#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/choices.h"
#include "comm/mpi/mpi_comm.h"
#include "comm/self/self_comm.h"
#include "comm/shared/shared_comm.h"
#if PV_HAVE_CUDA
#include "comm/nvshmem/nvshmem_comm.h"
#include "comm/peer/peer_comm.h"
#endif
#if PV_HAVE_NCCL
#include "comm/nccl/nccl_comm.h"
#endif

static const pv_transport known[] = {
    {"self", NULL, pv_self_open},
    {"mpi", NULL, pv_mpi_open},
    {"shared", "cpu", pv_shared_open},
#if PV_HAVE_NCCL
    {"nccl", "cuda", pv_nccl_open},
#else
    {"nccl", "cuda", NULL},
#endif
#if PV_HAVE_CUDA
    {"peer", "cuda", pv_peer_open},
#else
    {"peer", "cuda", NULL},
#endif
#if PV_HAVE_CUDA
    {"nvshmem", "cuda", pv_nvshmem_open},
#else
    {"nvshmem", "cuda", NULL},
#endif
};

enum { KNOWN = sizeof known / sizeof known[0] };

const char *pv_transport_known(int index, int *is_built_p)
{
    if (index < 0 || index >= KNOWN) return NULL;
    *is_built_p = known[index].open != NULL;
    return known[index].name;
}

pv_status pv_transport_find(const char *name, const pv_transport **transport_p)
{
    char list[256];
    pv_choices_write(pv_transport_known, list, sizeof list);
    for (int i = 0; i < KNOWN; i++) {
        if (strcmp(known[i].name, name) != 0) continue;
        PV_REQUIRE(known[i].open, PV_ERR_NOT_BUILT, "transport \"%s\" is not built in; known: %s", name, list);
        *transport_p = &known[i];
        return PV_OK;
    }
    PV_FAIL(PV_ERR_ARGUMENT, "unknown transport \"%s\"; known: %s", name, list);
}

static int serves(const pv_transport *transport, const pv_device *device)
{
    return !transport->device || strcmp(transport->device, device->ops->name) == 0;
}

pv_status pv_transport_check(const pv_transport *transport, const pv_device *device)
{
    if (serves(transport, device)) return PV_OK;
    char list[128] = "";
    size_t used = 0;
    for (int i = 0; i < KNOWN && used < sizeof list; i++)
        if (known[i].open && serves(&known[i], device))
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", known[i].name);
    PV_FAIL(PV_ERR_UNSUPPORTED, "transport \"%s\" needs device %s; the device is \"%s\", for which there are: %s",
            transport->name, transport->device, device->name, list);
}
