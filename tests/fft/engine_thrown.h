// SPDX-License-Identifier: Apache-2.0
// An engine for a test by chance, among those that have the transform.
#ifndef PV_TESTS_FFT_ENGINE_THROWN_H
#define PV_TESTS_FFT_ENGINE_THROWN_H

#include "fft/engine/engine.h"
#include "fft_case.h"
#include "random_boxes.h"

static inline int engine_has(const pv_engine_ops *engine, const fft_case *c)
{
    if (engine->on_gpu == pv_device_is_host(pv_comm_device(c->comm))) return 0;
    for (int axis = 0; axis < 3; axis++) {
        int real = c->type == PV_R2C && axis == 2;
        if (!engine->supports(real ? PV_LINE_R2C : PV_LINE_FORWARD, c->shape[axis], c->precision)) return 0;
        if (!engine->supports(real ? PV_LINE_C2R : PV_LINE_INVERSE, c->shape[axis], c->precision)) return 0;
    }
    return 1;
}

// Looks at device, shape, type and precision; "auto" comes as often as each engine.
static inline const char *engine_thrown(dice *d, const fft_case *c)
{
    const char *able[16] = {"auto"};
    int count = 1;
    for (int i = 0; pv_engine_at(i); i++)
        if (engine_has(pv_engine_at(i), c)) able[count++] = pv_engine_at(i)->name;
    return able[dice_throw(d, count)];
}

#endif
