// SPDX-License-Identifier: Apache-2.0
#include "dns/launch.h"

#include <parseval/fft.h>

#include "dns/kernels_both.h"

#define DNS_REAL  double
#define DNS(name) dns_##name##_fp64
#include "dns/step/product_host.h"
#undef DNS_REAL
#undef DNS

#define DNS_REAL  float
#define DNS(name) dns_##name##_fp32
#include "dns/step/product_host.h"
#undef DNS_REAL
#undef DNS

static const pv_kernel *const kernels[DNS_KERNELS][2] = {
    [DNS_CURL] = {&dns_curl_fp64, &dns_curl_fp32},
    [DNS_SPREAD] = {&dns_spread_fp64, &dns_spread_fp32},
    [DNS_CROSS] = {&dns_cross_fp64, &dns_cross_fp32},
    [DNS_PRODUCTS] = {&dns_products_fp64, &dns_products_fp32},
    [DNS_FLUXES] = {&dns_fluxes_fp64, &dns_fluxes_fp32},
    [DNS_ADVANCE] = {&dns_advance_fp64, &dns_advance_fp32},
    [DNS_STAGE] = {&dns_stage_fp64, &dns_stage_fp32},
    [DNS_ACCELERATE] = {&dns_accelerate_fp64, &dns_accelerate_fp32},
    [DNS_RESCALE] = {&dns_rescale_fp64, &dns_rescale_fp32},
    [DNS_CONJUGATES] = {&dns_conjugates_fp64, &dns_conjugates_fp32},
    [DNS_SHELL_SUMS] = {&dns_shell_sums_fp64, &dns_shell_sums_fp32},
    [DNS_SCALAR_SHELLS] = {&dns_scalar_shells_fp64, &dns_scalar_shells_fp32},
    [DNS_POISSON] = {&dns_poisson_fp64, &dns_poisson_fp32},
    [DNS_MAGNITUDE] = {&dns_magnitude_fp64, &dns_magnitude_fp32},
    [DNS_PAIR] = {&dns_pair_fp64, &dns_pair_fp32},
    [DNS_SURFACE] = {&dns_surface_fp64, &dns_surface_fp32},
    [DNS_VOLUME] = {&dns_volume_fp64, &dns_volume_fp32},
    [DNS_SLICE] = {&dns_slice_fp64, &dns_slice_fp32}};

static const pv_reduction *const reductions[DNS_REDUCTIONS][2] = {
    [DNS_SPEED] = {&dns_speed_fp64, &dns_speed_fp32},
    [DNS_MOMENT] = {&dns_moment_fp64, &dns_moment_fp32},
    [DNS_MIXED] = {&dns_mixed_fp64, &dns_mixed_fp32},
    [DNS_DIFFERENCE] = {&dns_difference_fp64, &dns_difference_fp32},
    [DNS_SUM_MODES] = {&dns_sums_fp64, &dns_sums_fp32},
    [DNS_SUM_PUSHED] = {&dns_pushed_fp64, &dns_pushed_fp32},
    [DNS_DIVERGENCE] = {&dns_divergence_fp64, &dns_divergence_fp32},
    [DNS_SUM_SCALAR] = {&dns_scalar_sums_fp64, &dns_scalar_sums_fp32}};

void pv_dns_product_on_host(dns_made made, int precision, const dns_product *product, int thread, int64_t count,
                            void *const *fields)
{
    static void (*const make[][2])(const dns_product *, int64_t, void *const *, double *) = {
        [DNS_MAKE_CROSS] = {dns_cross_on_host_fp64, dns_cross_on_host_fp32},
        [DNS_MAKE_PRODUCTS] = {dns_products_on_host_fp64, dns_products_on_host_fp32},
        [DNS_MAKE_FLUXES] = {dns_fluxes_on_host_fp64, dns_fluxes_on_host_fp32}};
    make[made][precision](product, count, fields, product->parts + 2 * thread);
}

pv_status pv_dns_launch(pv_stream *stream, dns_kernel kernel, int precision, int64_t count, const void *arguments)
{
    return pv_kernel_launch(stream, kernels[kernel][precision], count, arguments);
}

pv_status pv_dns_reduce(pv_stream *stream, dns_reduction reduction, int precision, int64_t count, const void *arguments,
                        pv_buffer *parts, double *result)
{
    return pv_reduction_run(stream, reductions[reduction][precision], count, arguments, parts, result);
}
