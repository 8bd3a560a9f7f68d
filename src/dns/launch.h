// SPDX-License-Identifier: Apache-2.0
// Running a kernel in the precision of a run; the arguments are those of kernels.h.
#ifndef PV_DNS_LAUNCH_H
#define PV_DNS_LAUNCH_H

#include "dns/kernels.h"

typedef enum dns_kernel {
    DNS_CURL,
    DNS_SPREAD,
    DNS_CROSS,
    DNS_PRODUCTS,
    DNS_FLUXES,
    DNS_ADVANCE,
    DNS_STAGE,
    DNS_ACCELERATE,
    DNS_RESCALE,
    DNS_CONJUGATES,
    DNS_SHELL_SUMS,
    DNS_SCALAR_SHELLS,
    DNS_POISSON,
    DNS_MAGNITUDE,
    DNS_PAIR,
    DNS_SURFACE,
    DNS_VOLUME,
    DNS_SLICE,
    DNS_KERNELS
} dns_kernel;
typedef enum dns_reduction {
    DNS_SPEED,
    DNS_MOMENT,
    DNS_MIXED,
    DNS_DIFFERENCE,
    DNS_SUM_MODES,
    DNS_SUM_PUSHED,
    DNS_DIVERGENCE,
    DNS_SUM_SCALAR,
    DNS_REDUCTIONS
} dns_reduction;

// precision: pv_precision.
pv_status pv_dns_launch(pv_stream *stream, dns_kernel kernel, int precision, int64_t count, const void *arguments);
// A product of an evaluation at `count` points, by a thread of the host; its speeds go to a part of its own.
void pv_dns_product_on_host(dns_made made, int precision, const dns_product *product, int thread, int64_t count,
                            void *const *fields);
// Of this rank alone; result has the reduction's values.
pv_status pv_dns_reduce(pv_stream *stream, dns_reduction reduction, int precision, int64_t count, const void *arguments,
                        pv_buffer *parts, double *result);

#endif
