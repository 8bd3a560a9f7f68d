// SPDX-License-Identifier: Apache-2.0
// Products of some points on the host, in one precision; included by launch.c.

// Maxima of lanes side by side, so that the loop may use vectors; a NaN stays.
#define DNS_PRODUCT_ON_HOST(name, of)                                                                                  \
    static void DNS(name)(const dns_product *product, int64_t count, void *const *fields, double found[2])             \
    {                                                                                                                  \
        const dns_product given = *product;                                                                            \
        DNS_REAL *f[6];                                                                                                \
        DNS_REAL lane[2][PV_REDUCE_LANES] = {{0}};                                                                     \
        for (int c = 0; c < 6; c++) f[c] = fields[c];                                                                  \
        for (int64_t i = 0; i < count; i += PV_REDUCE_LANES) {                                                         \
            const int lanes = count - i < PV_REDUCE_LANES ? (int)(count - i) : PV_REDUCE_LANES;                        \
            _Pragma("omp simd") for (int l = 0; l < lanes; l++)                                                        \
            {                                                                                                          \
                DNS_REAL v[6], term[2];                                                                                \
                for (int c = 0; c < 6; c++) v[c] = f[c][i + l];                                                        \
                DNS(speed_of)(given.per_dx, v, term);                                                                  \
                DNS(of)(v);                                                                                            \
                for (int c = 0; c < 6; c++) f[c][i + l] = v[c];                                                        \
                for (int t = 0; t < 2; t++) lane[t][l] = PV_REDUCE_MAX(lane[t][l], term[t]);                           \
            }                                                                                                          \
        }                                                                                                              \
        for (int t = 0; t < 2; t++)                                                                                    \
            for (int l = 0; l < PV_REDUCE_LANES; l++) found[t] = PV_REDUCE_MAX(found[t], lane[t][l]);                  \
    }
DNS_PRODUCT_ON_HOST(cross_on_host, cross_of)
DNS_PRODUCT_ON_HOST(products_on_host, products_of)
DNS_PRODUCT_ON_HOST(fluxes_on_host, fluxes_of)
#undef DNS_PRODUCT_ON_HOST
