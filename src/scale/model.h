// SPDX-License-Identifier: Apache-2.0
// A closed formula for the time of a run on P GPUs (or cores), in the manner of
//   T(P) = t0 + W / P + V / P u(P) + max(R u(P) - F / P, 0) + M (P - g) o,
//   u(P) = max((min(g, P) - 1) / P / B_node, (P - g) / P / (e B_network)),
// with g of them a node: what does not scale, what does, V bytes of all of them, of which each sends its share, R bytes
// that each has to send in the ring of exact exchange, whatever their number, while it builds exchange for F / P, and M
// rounds of messages to every rank beyond the node at o seconds each. A fit to few points, not a law. Pure.
#ifndef PV_SCALE_MODEL_H
#define PV_SCALE_MODEL_H

typedef struct pv_scale_rates {
    double node_bytes_per_s;    // that a GPU sends inside its node
    double network_bytes_per_s; // and to other nodes, nominal
    double efficiency;          // of the network: e
    double overhead_s;          // o
    int node_gpus;              // g
} pv_scale_rates;

// NVLink of H200s as measured, a network card of 400 Gbit/s a GPU; e and o as published transforms on up to 2048 GPUs
// (cuFFTMp on Eos) are fitted by them. Of cores: nodes of 64 that share a card of 200 Gbit/s, e and o the same.
pv_scale_rates pv_scale_rates_h200(void);
pv_scale_rates pv_scale_rates_cores(void);

typedef struct pv_scale_model {
    double serial_s, work_s; // t0, W
    double bytes;            // V
    double ring_bytes;       // R
    double builds_s;         // F
    double rounds;           // M
    pv_scale_rates rates;
    double error; // largest of the fit, relative
    int points;   // fitted to
} pv_scale_model;

typedef struct pv_scale_sample {
    double count;   // P
    double seconds; // T(P)
    double comm_s;  // of them in communication, the ring's left out; NaN: not known
    double builds_s, ring_s; // exchange builds, and their messages under way; 0 or NaN: none, or not known
} pv_scale_sample;

// rounds: M. Where communication was measured on more than one GPU, V and R are what explains it, and W and t0 are
// fitted to the rest; else W, t0 and V are fitted to the times, as many of them, in this order, as there are points.
// None is negative. Where measured communication leaves a point more than a tenth off, and the times alone do better,
// these are fitted.
pv_scale_model pv_scale_model_fit(int count, const pv_scale_sample *samples, double rounds,
                                  const pv_scale_rates *rates);
double pv_scale_model_seconds(const pv_scale_model *model, double count);

#endif
