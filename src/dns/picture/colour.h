// SPDX-License-Identifier: Apache-2.0
// What the colours of a picture mean: which field, between which values, on which scale.
#ifndef PV_DNS_PICTURE_COLOUR_H
#define PV_DNS_PICTURE_COLOUR_H

#include "dns/picture/kernel.h"
#include "dns/state.h"

// The field that params' pictures have in their colours: never PV_COLOUR_AUTO. Pure.
int pv_dns_picture_shows(const pv_dns_params *params);

// Into one of the work fields w to w + 2, all of which are taken: *work_p. Collective.
pv_status pv_dns_picture_derive(pv_dns_state *state, int field, int w, int *work_p);

typedef struct pv_dns_colours {
    double low, high;      // of the field, at the ends of the scale
    double unit;           // that the scale's numbers are in
    dns_map map;
    char title[48];        // of the scale, as pv_lettering takes it
} pv_dns_colours;

// rms_speed, rms_vorticity: sqrt(<u.u>), sqrt(<w.w>). `work` has the field. Collective.
pv_status pv_dns_picture_colours(pv_dns_state *state, int field, int work, double rms_speed, double rms_vorticity,
                                 pv_dns_colours *colours_p);

#endif
