// SPDX-License-Identifier: Apache-2.0
#include "cli/fft/record.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/json_write.h"

static const char *type_name(const pv_fft_record *record)
{
    return record->type == PV_R2C ? "r2c" : "c2c";
}

static const char *precision_name(const pv_fft_record *record)
{
    return record->precision == PV_FP32 ? "fp32" : "fp64";
}

// 5 N log2 N for complex, half of it for real transforms, over the median time.
static double gflops(const pv_fft_record *record)
{
    double points = (double)record->shape[0] * (double)record->shape[1] * (double)record->shape[2];
    double flops = 5.0 * points * log2(points) * (double)record->batch * (record->type == PV_R2C ? 0.5 : 1.0);
    return flops / record->seconds.median_s * 1e-9;
}

pv_status pv_fft_record_print_json(FILE *out, const pv_fft_record *record)
{
    pv_json *json = pv_json_create(0);
    pv_json_object(json, NULL);
    pv_json_list(json, "shape");
    for (int axis = 0; axis < 3; axis++) pv_json_integer(json, NULL, record->shape[axis]);
    pv_json_end(json);
    pv_json_text_value(json, "type", type_name(record));
    pv_json_text_value(json, "precision", precision_name(record));
    pv_json_text_value(json, "direction", record->direction);
    pv_json_integer(json, "ranks", record->ranks);
    pv_json_text_value(json, "layout", record->layout);
    pv_json_text_value(json, "transport", record->transport);
    pv_json_text_value(json, "means", record->means);
    pv_json_text_value(json, "device", record->device);
    pv_json_number(json, "seconds_min", record->seconds.min_s);
    pv_json_number(json, "seconds_median", record->seconds.median_s);
    pv_json_number(json, "seconds_max", record->seconds.max_s);
    pv_json_number(json, "gflops", gflops(record));
    pv_json_integer(json, "bytes_sent", (int64_t)record->sent_bytes);
    pv_json_integer(json, "peak_bytes", (int64_t)record->peak_bytes);
    pv_json_number(json, "forward_error", record->forward_error);
    pv_json_number(json, "roundtrip_error", record->roundtrip_error);
    pv_json_number(json, "limit_seconds", record->limit_s);
    pv_json_number(json, "fraction_of_limit", record->limit_s / record->seconds.median_s);
    pv_json_number(json, "model_seconds", record->model_s);
    pv_json_number(json, "fraction_of_model", record->model_s / record->seconds.median_s);
    pv_json_number(json, "hidden_share", record->hidden_share);
    pv_json_text_value(json, "wire", record->wire);
    pv_json_number(json, "wire_bound", record->wire_bound);
    pv_json_end(json);
    const char *text = pv_json_text(json);
    if (text) fprintf(out, "%s\n", text);
    pv_json_destroy(json);
    PV_REQUIRE(text, PV_ERR_MEMORY, "no memory for a record of the results");
    return PV_OK;
}

static void print_error(FILE *out, double error)
{
    if (isnan(error)) fprintf(out, "  %10s", "-");
    else fprintf(out, "  %10.2e", error);
}

// What GPUs are measured by beside.
static void print_model(FILE *out, const pv_fft_record *record)
{
    if (isnan(record->model_s)) return;
    fprintf(out, "%s: %.1f%% of cuFFTMp's model (6 memory passes, then the exchange: %.4g ms)", record->direction,
            100.0 * record->model_s / record->seconds.median_s, 1e3 * record->model_s);
    if (!isnan(record->hidden_share)) fprintf(out, "; %.0f%% of the exchange hidden", 100.0 * record->hidden_share);
    fputc('\n', out);
}

void pv_fft_record_print_table(FILE *out, const pv_fft_record *records, int count)
{
    const pv_fft_record *first = &records[0];
    fprintf(out, "%" PRId64 "x%" PRId64 "x%" PRId64 " %s %s, batch %" PRId64 ", %d rank%s, %s, %s, %s\n",
            first->shape[0], first->shape[1], first->shape[2], type_name(first), precision_name(first), first->batch,
            first->ranks, first->ranks == 1 ? "" : "s", first->layout, first->transport, first->device);
    if (strcmp(first->means, first->transport) != 0) fprintf(out, "%s\n", first->means);
    fprintf(out, "\n%-9s  %9s  %9s  %9s  %9s  %9s  %9s  %10s  %10s  %9s  %9s\n", "direction", "min ms", "median ms",
            "max ms", "GFlop/s", "sent MB", "peak MB", "fwd error", "trip error", "limit ms", "of limit");
    for (int i = 0; i < count; i++) {
        const pv_fft_record *record = &records[i];
        fprintf(out, "%-9s  %9.4g  %9.4g  %9.4g  %9.4g  %9.4g  %9.4g", record->direction, 1e3 * record->seconds.min_s,
                1e3 * record->seconds.median_s, 1e3 * record->seconds.max_s, gflops(record), 1e-6 * record->sent_bytes,
                1e-6 * record->peak_bytes);
        print_error(out, record->forward_error);
        print_error(out, record->roundtrip_error);
        fprintf(out, "  %9.4g  %8.1f%%\n", 1e3 * record->limit_s, 100.0 * record->limit_s / record->seconds.median_s);
    }
    for (int i = 0; i < count; i++) print_model(out, &records[i]);
    if (first->wire_bound > 0.0)
        fprintf(out, "wire: %s, which adds a relative error of at most %.2g\n", first->wire, first->wire_bound);
}
