// SPDX-License-Identifier: Apache-2.0
// Products of an evaluation at points: on the way of rows there and back, or of fields that are at points. The largest
// speeds are found on the way.
#ifndef PV_DNS_PRODUCTS_H
#define PV_DNS_PRODUCTS_H

#include "dns/launch.h"
#include "dns/state.h"

// u x w or the five products of velocities, as the form wants them, from rows of spectra to rows of spectra. Local.
pv_status pv_dns_products_run(pv_dns_state *state);
// theta u from those of u in work fields 0 to 2 and theta in 3, into 3 to 5. u stays where pv_rows_keeps_inputs. Local.
pv_status pv_dns_products_fluxes(pv_dns_state *state);
// The largest |u| / dx + |v| / dy + |w| / dz and u.u of this rank's points in the last run. Waits. Local.
pv_status pv_dns_products_found(pv_dns_state *state, double largest[2]);

// Of work fields at points: a kernel of dns_points, and the largest values as above of a velocity in fields `work` to
// work + 2. Local.
pv_status pv_dns_products_launch(pv_dns_state *state, dns_kernel kernel);
pv_status pv_dns_products_measure(pv_dns_state *state, int work, double largest[2]);

#endif
