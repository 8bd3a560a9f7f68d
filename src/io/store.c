// SPDX-License-Identifier: Apache-2.0
#include "io/store.h"

const pv_store_ops *pv_store_built(void)
{
#if PV_HAVE_HDF5
    return &pv_store_hdf5;
#else
    return NULL;
#endif
}
