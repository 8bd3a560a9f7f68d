// SPDX-License-Identifier: Apache-2.0
// Rates as a text of lines "name = value"; # begins a comment. Names are those of pv_dft_rates; source takes the whole
// rest of its line.
#ifndef PV_DFT_RATES_FILE_H
#define PV_DFT_RATES_FILE_H

#include "dft/forecast.h"

// Rates that the file does not name stay as they are. PV_ERR_INPUT where it names another, or a value that is no
// positive number. Local.
pv_status pv_dft_rates_read(const char *path, pv_dft_rates *rates);
pv_status pv_dft_rates_parse(const char *data, size_t length, const char *name, pv_dft_rates *rates);
// Replaces `path` whole or not at all. Local.
pv_status pv_dft_rates_write(const char *path, const pv_dft_rates *rates);

#endif
