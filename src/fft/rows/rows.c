// SPDX-License-Identifier: Apache-2.0
#include "fft/rows/rows.h"

#include "base/check.h"
#include "base/mem.h"

static const pv_rows_ops *ops_of(const pv_device *device)
{
#if PV_HAVE_CUDA
    if (!pv_device_is_host(device)) return &pv_rows_cufft;
#endif
    (void)device;
    return &pv_rows_host;
}

static pv_status make(const pv_rows_desc *desc, pv_rows *rows)
{
    rows->desc = *desc;
    rows->lines = (pv_line_set){.comm = desc->comm, .engine = "auto", .precision = desc->precision};
    PV_TRY(pv_line_set_add(&rows->lines, PV_LINE_C2R, desc->n, INT64_MAX));
    PV_TRY(pv_line_set_add(&rows->lines, PV_LINE_R2C, desc->n, INT64_MAX));
    rows->to_points = pv_line_set_find(&rows->lines, PV_LINE_C2R, desc->n);
    rows->to_modes = pv_line_set_find(&rows->lines, PV_LINE_R2C, desc->n);
    rows->ops = ops_of(pv_comm_device(desc->comm));
    return pv_comm_agree(desc->comm, rows->ops->create(rows));
}

pv_status pv_rows_create(const pv_rows_desc *desc, pv_rows **rows_p)
{
    pv_rows *rows = NULL;
    PV_TRY(pv_comm_agree(desc->comm, PV_ALLOC(1, &rows)));
    const pv_status status = make(desc, rows);
    if (status != PV_OK) {
        pv_rows_destroy(rows);
        return status;
    }
    *rows_p = rows;
    return PV_OK;
}

void pv_rows_destroy(pv_rows *rows)
{
    if (!rows) return;
    if (rows->ops) rows->ops->destroy(rows);
    pv_line_set_destroy(&rows->lines);
    pv_mem_free(rows);
}

pv_status pv_rows_to_points(const pv_rows *rows, void *field)
{
    return rows->desc.count > 0 ? rows->ops->to_points(rows, field) : PV_OK;
}

pv_status pv_rows_to_modes(const pv_rows *rows, void *field)
{
    return rows->desc.count > 0 ? rows->ops->to_modes(rows, field) : PV_OK;
}

int pv_rows_keeps_inputs(const pv_rows *rows)
{
    return pv_device_is_host(pv_comm_device(rows->desc.comm)) || rows->roots != NULL;
}

pv_status pv_rows_multiply(const pv_rows *rows, const pv_rows_product *product, void *const *fields)
{
    return rows->desc.count > 0 ? rows->ops->multiply(rows, product, fields) : PV_OK;
}
