// SPDX-License-Identifier: Apache-2.0
// The forecast of a stage: bytes through memory at the rate of a copy with all ranks at work, plus bytes to other ranks
// at the rate of an all-to-all. Stores into a neighbour's memory overlap with the copying, messages mostly do not: the
// sum is the cautious figure.
#include <stdio.h>

#include "base/check.h"
#include "comm/measure.h"
#include "fft/engine/wisdom.h"
#include "fft/plan/plan.h"

enum { MEASURE_BYTES = 32 << 20 };

static int read_rates(const char *text, pv_rates *rates)
{
    pv_rates found;
    int used = 0;
    const double most = 1e30;
    if (!text ||
        sscanf(text, "copy %lf exchange %lf%n", &found.copy_bytes_per_s, &found.exchange_bytes_per_s, &used) != 2 ||
        text[used] || !(found.copy_bytes_per_s > 0 && found.copy_bytes_per_s < most) ||
        !(found.exchange_bytes_per_s >= 0 && found.exchange_bytes_per_s < most))
        return 0;
    *rates = found;
    return 1;
}

int pv_rates_accepts(const char *key, const char *value)
{
    pv_rates rates;
    (void)key;
    return read_rates(value, &rates);
}

pv_status pv_rates_get(const pv_plan_request *request, pv_rates *rates_p)
{
    char key[96];
    snprintf(key, sizeof key, "rates ranks %d transport %s node %d threads %d", pv_comm_size(request->comm),
             pv_comm_transport(request->comm), pv_comm_node_size(request->comm),
             pv_device_threads(pv_comm_device(request->comm)));
    pv_rates rates = {0, 0};
    read_rates(pv_wisdom_find(key), &rates);
    PV_TRY(pv_comm_broadcast(request->comm, 0, sizeof rates, &rates));
    if (rates.copy_bytes_per_s <= 0 && request->options->rigor == PV_MEASURE) {
        pv_comm_rates measured;
        PV_TRY(pv_comm_measure(request->comm, MEASURE_BYTES, &measured));
        rates = (pv_rates){measured.copy_bytes_per_s, measured.exchange_bytes_per_s};
        char value[96];
        snprintf(value, sizeof value, "copy %.4e exchange %.4e", rates.copy_bytes_per_s, rates.exchange_bytes_per_s);
        PV_TRY(pv_comm_agree(request->comm, pv_wisdom_learn(key, value)));
    }
    *rates_p = rates;
    return PV_OK;
}

void pv_rates_forecast(const pv_rates *rates, pv_program *program)
{
    for (int s = 0; program && rates->copy_bytes_per_s > 0 && s < program->stage_count; s++) {
        pv_stage *stage = &program->stages[s];
        stage->forecast_seconds = (double)stage->moved_bytes / rates->copy_bytes_per_s;
        if (stage->has_transfer && rates->exchange_bytes_per_s > 0)
            stage->forecast_seconds += (double)stage->transfer.sent_bytes / rates->exchange_bytes_per_s;
    }
}
