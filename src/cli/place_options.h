// SPDX-License-Identifier: Apache-2.0
// Options that say where a command works; every command that runs on ranks has both.
#ifndef PV_CLI_PLACE_OPTIONS_H
#define PV_CLI_PLACE_OPTIONS_H

#include "base/options.h"

#define PV_DEVICE_OPTION(device)                                                                                       \
    {                                                                                                                  \
        .name = "device", .type = PV_OPTION_TEXT, .value = (device), .unit = "NAME",                                   \
        .help = "Where the data live and the work is done: cpu, cpu:N for N threads a rank, cuda, or cuda:N for GPU "  \
                "N.",                                                                                                  \
    }
#define PV_TRANSPORT_OPTION(transport)                                                                                 \
    {                                                                                                                  \
        .name = "transport", .type = PV_OPTION_TEXT, .value = (transport), .unit = "NAME",                             \
        .help = "How bytes move between ranks: self (one rank), mpi, shared; on GPUs peer, nccl, nvshmem; or auto.",   \
    }

#endif
