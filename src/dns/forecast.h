// SPDX-License-Identifier: Apache-2.0
// What a run would need on some number of devices: memory, time of a step, and the turbulence that its grid resolves.
// From counts of memory passes and bytes sent, over rates that the caller gives. Pure.
#ifndef PV_DNS_FORECAST_H
#define PV_DNS_FORECAST_H

#include <parseval/dns.h>

typedef struct pv_dns_rates {
    double memory_bytes_per_s;  // of a device, reads and writes together
    double link_bytes_per_s;    // that a device sends to others of its node
    double network_bytes_per_s; // that a device sends to other nodes
    int node_devices;
    double device_bytes;       // memory of a device
    double network_efficiency; // of the network's rate, when all send to all
    double message_s;          // of a message to a device of another node
    double exchange_s;         // of an exchange, whatever its size
} pv_dns_rates;

// Measured on NVIDIA H200s of one host (docs/dns.md); 50 GB/s of network a device is a 400 Gbit/s card for each. Its
// efficiency, messages and exchanges are a fit to cuFFTMp's published times on 8 to 2048 H100s (docs/scale.md).
// precision: pv_precision, with which the rate of memory changes.
pv_dns_rates pv_dns_rates_h200(int precision);

typedef struct pv_dns_forecast {
    double points;
    double modes_bytes, fields_bytes, exchange_bytes; // of all devices
    double device_bytes;                              // on each: the sum of them
    int fits;
    double volumes;                       // field volumes read or written in an evaluation
    int evaluations;                      // of the right-hand side a step
    // Of a step: memory, bytes sent, and what messages cost beside their bytes.
    double compute_s, exchange_s, messages_s;
    double step_s;                            // one after the other
    int columns;                              // of pencils; 0: slabs
    double kmax;
    double reynolds_taylor; // that kmax eta = kmax_eta resolves
    double viscosity; // for which a flow with u' = 0.68 and L = 1.36 is that turbulent, as in the Johns Hopkins data
} pv_dns_forecast;

pv_dns_forecast pv_dns_forecast_of(const pv_dns_params *params, int64_t devices, const pv_dns_rates *rates,
                                   double kmax_eta);

#endif
