// SPDX-License-Identifier: Apache-2.0
// Which Fourier modes a run keeps, and which of them this rank holds. Pure.
#ifndef PV_DNS_MODES_H
#define PV_DNS_MODES_H

#include <parseval/dns.h>

#include "dns/modes_kernel.h"

// Largest |index| that is kept along a direction with n points. Below n / 2: Nyquist modes are never kept.
int64_t pv_dns_keep(int64_t n, int dealias);

// Radius of the largest sphere of kept modes.
double pv_dns_largest_wave_number(const pv_dns_params *params);

// Numbers of a row of modes along x, kept ones and what fills up to whole sectors of memory.
int64_t pv_dns_row_modes(const pv_dns_params *params);

// How ranks share `planes` of points and `kept` wave numbers along y: 0 for slabs of both, or the columns of pencils
// where there are more ranks than either.
int pv_dns_pencil_columns(int64_t planes, int64_t kept, int64_t ranks);

// The share of `rank` in a spectrum of kept modes. Axis 2 - d of the layout is direction d.
dns_modes pv_dns_modes_of(const pv_dns_params *params, const pv_layout *spectrum, int rank);

// Where along a position kept number j lies: signed index.
int64_t pv_dns_signed_index(const dns_modes *modes, int position, int64_t j);

// The modes of |index| <= edge, by position, of those that are kept; all of the rank's where these are fewer. Pure.
dns_box pv_dns_box_of(const dns_modes *modes, const double edge[3]);

#endif
