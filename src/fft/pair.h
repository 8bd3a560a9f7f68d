// SPDX-License-Identifier: Apache-2.0
// A pair of exact exchange: two fields, and the sums that gather what the potential of their product does to each. On
// the host fields are in the sliced order of spheres (sphere/pair.h), on any device boxes (cubes.h). Shared by C and
// CUDA sources.
#ifndef PV_FFT_PAIR_H
#define PV_FFT_PAIR_H

// Two real fields times a third on their way through one complex transform:
//   V_t = inverse(kernel * transform(source * target[t])),
//   target_sum[t] += target_weight[t] * source * V_t,   source_sum += source_weight[t] * target[t] * V_t.
typedef struct pv_real_pair {
    const void *source, *target[2];   // target[1] may be NULL
    void *source_sum, *target_sum[2]; // source_sum may be NULL
    double source_weight[2], target_weight[2];
} pv_real_pair;

//   V = inverse(kernel * transform(conj(source) * target)),
//   target_sum += target_weight * source * V,   source_sum += source_weight * target * conj(V).
typedef struct pv_complex_pair {
    const void *source, *target;
    void *source_sum, *target_sum; // source_sum may be NULL
    double source_weight, target_weight;
} pv_complex_pair;

#endif
