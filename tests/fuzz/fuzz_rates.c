// SPDX-License-Identifier: Apache-2.0
// seeds: tests/dft/data/core.rates
#include "fuzz.h"

#include "dft/rates_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pv_dft_rates rates = {.gemm_flops_per_s = 1.0, .eigen_flops_per_s = 1.0, .transform_flops_per_s = 1.0,
                          .pair_flops_per_s = 1.0, .pair_single_flops_per_s = 1.0, .functional_points_per_s = 1.0,
                          .screened_points_per_s = 1.0, .waves_per_s = 1.0, .link_bytes_per_s = 1.0,
                          .network_bytes_per_s = 1.0, .node_devices = 1};
    if (pv_dft_rates_parse((const char *)data, size, "rates", &rates) == PV_OK)
        MUST(rates.gemm_flops_per_s > 0.0 && rates.link_bytes_per_s > 0.0 && rates.node_devices > 0);
    return 0;
}
