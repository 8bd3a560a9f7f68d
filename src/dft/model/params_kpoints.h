// SPDX-License-Identifier: Apache-2.0
// What the run parameters and the k-points must agree on.
#ifndef PV_DFT_PARAMS_KPOINTS_H
#define PV_DFT_PARAMS_KPOINTS_H

#include "dft/model/kpoints.h"
#include "dft/model/params.h"

// Of completed parameters and the reduced points: NKRED.. divide the mesh; FERWE and FERDO list every band, at all
// points or once for all, and hold NELECT electrons; at Gamma alone NELECT, with ISPIN = 2 NELECT less NUPDOWN, is even
// (warned about where there are more points). PV_ERR_INPUT when not.
pv_status pv_dft_params_check_kpoints(const pv_dft_params *params, const pv_kpoints *kpoints);

#endif
