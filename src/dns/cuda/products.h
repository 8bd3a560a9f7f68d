// SPDX-License-Identifier: Apache-2.0
// Products of an evaluation with the transforms along rows around them, by one kernel.
#ifndef PV_DNS_CUDA_PRODUCTS_H
#define PV_DNS_CUDA_PRODUCTS_H

#include "dns/kernels.h"

// Rows begin every `pitch` complex numbers, of which `kept` are there; roots: those of
// pv_rows. Returns a cudaError_t, or -1 where there is no kernel for rows of n points.
typedef struct dns_rows_call {
    void *fields[6];
    int64_t n, pitch, count, kept;
    int fp64;
    dns_made made;
    const void *roots;
    dns_product product;
} dns_rows_call;

#ifdef __cplusplus
extern "C"
#endif
    int
    pv_dns_products_on_cuda(const dns_rows_call *call, void *stream);

#endif
