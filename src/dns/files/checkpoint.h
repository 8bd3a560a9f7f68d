// SPDX-License-Identifier: Apache-2.0
// A run in a file: kept modes in the order of signed wave numbers, so that a run on a smaller grid is the middle of one
// on a larger grid and nothing depends on ranks, device or precision; time, steps, terms of earlier steps and the
// forcing. After a restart on the same grid with the same scheme a run goes on bit for bit as if nothing had happened.
#ifndef PV_DNS_CHECKPOINT_H
#define PV_DNS_CHECKPOINT_H

#include "dns/state.h"
#include "dns/step/forcing.h"

// Written aside and renamed; what PATH was before becomes PATH.previous. Collective.
pv_status pv_dns_checkpoint_write(pv_dns_state *state, const pv_dns_forcing_state *forcing, const char *path);

// Field, time, steps; terms of earlier steps where grid and scheme are the same, else the scheme starts anew.
// Collective.
pv_status pv_dns_checkpoint_read(pv_dns_state *state, const char *path);
// The forcing's state, into one that pv_dns_forcing_create has made; a file without it changes nothing. Collective.
pv_status pv_dns_checkpoint_read_forcing(pv_dns_state *state, pv_dns_forcing_state *forcing, const char *path);

#endif
