// SPDX-License-Identifier: Apache-2.0
#include "cli/fft/case.h"

#include <float.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>

#include <parseval/comm_mpi.h>
#include <parseval/fft.h>

#include "base/check.h"
#include "base/file_replace.h"
#include "base/free_memory.h"
#include "base/mem.h"
#include "cli/fft/field.h"
#include "cli/fft/limit.h"
#include "cli/fft/record.h"
#include "cli/fft/time.h"
#include "cli/rank.h"

typedef struct fft_case {
    const pv_fft_request *request;
    pv_device *device;
    pv_comm *comm;
    int node_size;                              // ranks that share this one's memory, whatever the transport
    pv_fft_plan *plan;
    pv_workspace *workspace;
    pv_buffer *space_buffer, *spectrum_buffer;  // the second is NULL in place
    pv_fft_array space, spectrum;
    double forward_error, roundtrip_error;
    pv_fft_times times;
    pv_fft_times alone;                         // of a rank's share without the others; on GPUs
    int has_alone;
    double sent_bytes, peak_bytes;              // of the busiest rank
} fft_case;

pv_fft_request pv_fft_request_defaults(void)
{
    pv_fft_options options = pv_fft_options_defaults();
    return (pv_fft_request){.shape = {128, 128, 128},
                            .type = PV_C2C,
                            .precision = PV_FP64,
                            .layout = (int)options.decomposition,
                            .output = (int)options.output,
                            .rigor = PV_MEASURE,
                            .transport = "auto",
                            .device = "cpu",
                            .engine = options.engine,
                            .batch = 1,
                            .repeat = 10,
                            .chunks = options.chunks};
}

// ---- Making -----------------------------------------------------------------------------------------------------

static double points_of(const pv_fft_request *request)
{
    return (double)request->shape[0] * (double)request->shape[1] * (double)request->shape[2];
}

// Says so before the work, where the system would first promise the memory and later end the process.
static pv_status check_memory(const fft_case *c, double rank_bytes)
{
    if (!pv_device_is_host(c->device)) return PV_OK;        // its driver says so itself
    double available = (double)pv_free_memory_bytes();
    double needed = rank_bytes * (double)c->node_size;
    PV_REQUIRE(available == 0.0 || needed <= available, PV_ERR_MEMORY,
               "the arrays need %.4g GB on this node, and %.4g GB are free; a smaller shape or batch, fp32, r2c, "
               "--in-place or more nodes need less", 1e-9 * needed, 1e-9 * available);
    return PV_OK;
}

static double least_array_bytes(const fft_case *c)
{
    const pv_fft_request *request = c->request;
    double element_bytes = (request->precision == PV_FP64 ? 8.0 : 4.0) * (request->type == PV_R2C ? 1.0 : 2.0);
    double copies = request->in_place ? 1.0 : 2.0;
    return copies * points_of(request) * (double)request->batch * element_bytes / (double)pv_comm_size(c->comm);
}

static int is_padded(const pv_fft_request *request)
{
    return request->in_place && request->type == PV_R2C;
}

// Planning may take long: what it learns has a place to go to before it begins.
static pv_status begin_wisdom(fft_case *c)
{
    const char *path = c->request->wisdom;
    if (!path) return PV_OK;
    PV_TRY(pv_comm_agree(c->comm, pv_comm_rank(c->comm) == 0 ? pv_file_check_replace(path) : PV_OK));
    return pv_wisdom_load(c->comm, path);
}

static pv_status make_plan(fft_case *c)
{
    const pv_fft_request *request = c->request;
    pv_fft_options options = pv_fft_options_defaults();
    options.batch = request->batch;
    options.decomposition = (pv_decomposition)request->layout;
    options.output = (pv_output)request->output;
    for (int i = 0; i < 2; i++) options.grid[i] = (int)request->grid[i + 1];
    options.padded = is_padded(request);
    options.engine = request->engine;
    options.rigor = (pv_rigor)request->rigor;
    options.chunks = (int)request->chunks;
    options.wire = (pv_wire)request->wire;
    options.defer_workspace = 1;
    PV_TRY(begin_wisdom(c));
    PV_TRY(pv_fft_plan_create(c->comm, request->shape, (pv_fft_type)request->type,
                              (pv_precision)request->precision, &options, &c->plan));
    return request->wisdom ? pv_wisdom_save(c->comm, request->wisdom) : PV_OK;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static pv_status make_buffers(fft_case *c)
{
    size_t space_bytes = pv_fft_plan_space_bytes(c->plan), spectrum_bytes = pv_fft_plan_spectrum_bytes(c->plan);
    if (c->request->in_place)
        return pv_buffer_create(c->device, larger(space_bytes, spectrum_bytes), &c->space_buffer);
    PV_TRY(pv_buffer_create(c->device, space_bytes, &c->space_buffer));
    return pv_buffer_create(c->device, spectrum_bytes, &c->spectrum_buffer);
}

static pv_status make_memory(fft_case *c)
{
    size_t space_bytes = pv_fft_plan_space_bytes(c->plan), spectrum_bytes = pv_fft_plan_spectrum_bytes(c->plan);
    size_t workspace_bytes = pv_fft_plan_workspace_bytes(c->plan);
    double arrays = c->request->in_place ? (double)larger(space_bytes, spectrum_bytes)
                                         : (double)space_bytes + (double)spectrum_bytes;
    PV_TRY(pv_comm_agree(c->comm, check_memory(c, arrays + (double)workspace_bytes)));
    PV_TRY(pv_workspace_create(c->comm, workspace_bytes, &c->workspace));
    PV_TRY(pv_fft_plan_set_workspace(c->plan, c->workspace));
    PV_TRY(pv_comm_agree(c->comm, make_buffers(c)));

    const pv_fft_request *request = c->request;
    pv_precision precision = (pv_precision)request->precision;
    int rank = pv_comm_rank(c->comm);
    c->space = pv_fft_array_describe(pv_fft_plan_space(c->plan), rank, request->batch, request->type == PV_C2C,
                                     precision, is_padded(request));
    c->spectrum = pv_fft_array_describe(pv_fft_plan_spectrum(c->plan), rank, request->batch, 1, precision, 0);
    c->space.device = c->spectrum.device = c->device;
    c->space.buffer = c->space_buffer;
    c->spectrum.buffer = request->in_place ? c->space_buffer : c->spectrum_buffer;
    return PV_OK;
}

static pv_status open_device(fft_case *c)
{
    PV_TRY(pv_rank_open_device(c->request->device, &c->device));
    if (!pv_device_is_host(c->device)) return PV_OK;
    // Threads that this command would wake beside the device's own would spin through the timed runs.
    omp_set_num_threads(pv_device_threads(c->device));
    return PV_OK;
}

static pv_status open_case(fft_case *c)
{
    PV_TRY(pv_rank_agree(open_device(c)));
    pv_comm_options options = pv_comm_options_defaults();
    options.transport = c->request->transport;
    PV_TRY(pv_comm_open_mpi(MPI_COMM_WORLD, c->device, &options, &c->comm));
    c->node_size = pv_rank_node_size();
    PV_TRY(pv_comm_agree(c->comm, check_memory(c, least_array_bytes(c))));
    PV_TRY(make_plan(c));
    pv_mem_restart_peak();             // of the transform, without planning's trials
    return make_memory(c);
}

static void close_case(fft_case *c)
{
    pv_buffer_destroy(c->spectrum_buffer);
    pv_buffer_destroy(c->space_buffer);
    pv_fft_plan_destroy(c->plan);
    pv_workspace_destroy(c->workspace);
    pv_comm_close(c->comm);
    pv_device_close(c->device);
}

// ---- Running ----------------------------------------------------------------------------------------------------

static pv_status forward(fft_case *c)
{
    PV_TRY(pv_fft_forward(c->plan, pv_fft_array_data(&c->space), pv_fft_array_data(&c->spectrum)));
    return pv_stream_wait(pv_device_stream(c->device));
}

static pv_status inverse(fft_case *c)
{
    PV_TRY(pv_fft_inverse(c->plan, pv_fft_array_data(&c->spectrum), pv_fft_array_data(&c->space)));
    return pv_stream_wait(pv_device_stream(c->device));
}

static pv_status verify(fft_case *c)
{
    PV_TRY(pv_comm_agree(c->comm, pv_field_write_exact(&c->space)));
    PV_TRY(forward(c));
    PV_TRY(pv_field_spectrum_error(c->comm, &c->spectrum, &c->space, &c->forward_error));
    PV_TRY(pv_comm_agree(c->comm, pv_field_write_random(&c->space)));
    PV_TRY(forward(c));
    PV_TRY(inverse(c));
    return pv_field_random_error(c->comm, &c->space, 1.0 / points_of(c->request), &c->roundtrip_error);
}

static pv_status judge(const fft_case *c)
{
    double epsilon = c->request->precision == PV_FP64 ? DBL_EPSILON : (double)FLT_EPSILON;
    const double exact = 20.0 * epsilon * sqrt(1.0 + log2(points_of(c->request)));
    const double wire = pv_fft_plan_wire_bound(c->plan);
    PV_REQUIRE(c->forward_error <= exact + wire && c->roundtrip_error <= exact + 2.0 * wire, PV_ERR_INTERNAL,
               "the forward error is %.3g and the round-trip error %.3g; at most %.3g and %.3g are accepted",
               c->forward_error, c->roundtrip_error, exact + wire, exact + 2.0 * wire);
    return PV_OK;
}

static pv_status run_case(fft_case *c)
{
    c->forward_error = c->roundtrip_error = NAN;
    if (c->request->verify) PV_TRY(verify(c));
    PV_TRY(pv_comm_agree(c->comm, pv_field_write_random(&c->space)));
    PV_TRY(pv_fft_time(c->comm, c->plan, &c->space, &c->spectrum, (int)c->request->repeat, &c->times));
    double busiest[2] = {(double)pv_fft_plan_sent_bytes(c->plan), (double)pv_memory_peak_bytes()};
    PV_TRY(pv_comm_reduce_f64(c->comm, PV_MAX, 2, busiest));
    c->sent_bytes = busiest[0];
    c->peak_bytes = busiest[1];
    return PV_OK;
}

// ---- Reporting --------------------------------------------------------------------------------------------------

static const char *wire_text(const pv_fft_request *request)
{
    if (request->wire == PV_WIRE_EXACT) return "exact";
    return request->precision == PV_FP64 ? "FP32 for FP64" : "block float of 16 bits for FP32";
}

// What was asked for; where the choice was the plan's, what it chose.
static int is_pencil(const fft_case *c)
{
    if (c->request->layout != PV_DECOMPOSE_AUTO) return c->request->layout == PV_DECOMPOSE_PENCIL;
    const pv_layout *space = pv_fft_plan_space(c->plan);
    int split_axes = 0;
    for (int axis = 0; axis < 3; axis++) {
        int is_split = 0;
        for (int rank = 0; rank < space->ranks; rank++) {
            int64_t length = space->boxes[rank].upper[axis] - space->boxes[rank].lower[axis];
            is_split |= pv_box_count(&space->boxes[rank]) > 0 && length < space->shape[axis];
        }
        split_axes += is_split;
    }
    return split_axes > 1;
}

static pv_fft_record record_of(const fft_case *c, const char *direction, pv_timing seconds)
{
    const pv_fft_request *request = c->request;
    return (pv_fft_record){.shape = {request->shape[0], request->shape[1], request->shape[2]},
                           .batch = request->batch,
                           .type = (pv_fft_type)request->type,
                           .precision = (pv_precision)request->precision,
                           .direction = direction,
                           .ranks = pv_comm_size(c->comm),
                           .layout = is_pencil(c) ? "pencil" : "slab",
                           .transport = pv_comm_transport(c->comm),
                           .means = pv_comm_text(c->comm),
                           .device = pv_device_name(c->device),
                           .seconds = seconds,
                           .sent_bytes = c->sent_bytes,
                           .peak_bytes = c->peak_bytes,
                           .forward_error = c->forward_error,
                           .roundtrip_error = c->roundtrip_error,
                           .limit_s = NAN,
                           .model_s = NAN,
                           .hidden_share = NAN,
                           .wire = wire_text(request),
                           .wire_bound = pv_fft_plan_wire_bound(c->plan)};
}

// How near the time is to what the machine allows.
static void judge_speed(const fft_case *c, const pv_comm_rates *rates, double alone_s, pv_fft_record *record)
{
    const pv_fft_request *request = c->request;
    const pv_fft_cost cost =
        pv_fft_least_cost(request->shape, (pv_fft_type)request->type, (pv_precision)request->precision, request->batch,
                          pv_comm_size(c->comm), is_pencil(c), c->sent_bytes);
    record->limit_s = pv_fft_limit_s(cost, rates);
    if (pv_device_is_host(c->device)) return;
    const double spectrum_bytes = (double)pv_fft_plan_spectrum_bytes(c->plan);
    record->model_s = pv_fft_model_s(cost, spectrum_bytes, rates);
    if (c->has_alone) record->hidden_share = pv_fft_hidden_share(cost, record->seconds.median_s, alone_s, rates);
}

static void free_arrays(fft_case *c)
{
    pv_buffer_destroy(c->spectrum_buffer);
    pv_buffer_destroy(c->space_buffer);
    c->spectrum_buffer = c->space_buffer = NULL;
}

// Copies as large as the transform's own, as far as memory goes, so that both meet the same caches.
static pv_status measure_rates(fft_case *c, pv_comm_rates *rates_p)
{
    const int on_host = pv_device_is_host(c->device);
    const double least = 65536.0, most = on_host ? 0x1p29 : 0x1p31;
    double available = on_host ? (double)pv_free_memory_bytes() / (4.0 * (double)c->node_size) : most;
    double bytes = fmin(fmin((double)pv_fft_plan_space_bytes(c->plan), available), most);
    PV_TRY(pv_comm_reduce_f64(c->comm, PV_MAX, 1, &bytes));
    return pv_comm_measure(c->comm, (size_t)fmax(bytes, least), rates_p);
}

// ---- What communication costs -------------------------------------------------------------------------------------

static void share_request(const fft_case *c, pv_fft_request *request)
{
    const pv_box *box = &pv_fft_plan_space(c->plan)->boxes[pv_comm_rank(c->comm)];
    *request = *c->request;
    for (int axis = 0; axis < 3; axis++) request->shape[axis] = box->upper[axis] - box->lower[axis];
    request->wisdom = NULL;
}

static pv_status run_share(fft_case *share)
{
    PV_TRY(pv_comm_open_self(share->device, &share->comm));
    PV_TRY(make_plan(share));
    PV_TRY(make_memory(share));
    PV_TRY(pv_field_write_random(&share->space));
    return pv_fft_time(share->comm, share->plan, &share->space, &share->spectrum, (int)share->request->repeat,
                       &share->times);
}

// Each rank transforms its part of the grid by itself, all at once: the computing without the exchange, or nearly so.
// The slowest rank counts.
static pv_status time_alone(fft_case *c)
{
    pv_fft_request request;
    fft_case share = {.request = &request, .device = c->device, .node_size = c->node_size};
    if (pv_device_is_host(c->device) || pv_comm_size(c->comm) == 1) return PV_OK;
    share_request(c, &request);
    const int is_empty = request.shape[0] * request.shape[1] * request.shape[2] == 0;
    pv_status status = is_empty ? PV_OK : run_share(&share);
    share.device = NULL;
    close_case(&share);
    PV_TRY(pv_comm_agree(c->comm, status));
    double medians[2] = {share.times.forward.median_s, share.times.inverse.median_s};
    PV_TRY(pv_comm_reduce_f64(c->comm, PV_MAX, 2, medians));
    c->alone.forward.median_s = medians[0];
    c->alone.inverse.median_s = medians[1];
    c->has_alone = 1;
    return PV_OK;
}

static pv_status report(fft_case *c)
{
    const pv_fft_request *request = c->request;
    pv_comm_rates rates;
    free_arrays(c);
    PV_TRY(time_alone(c));
    PV_TRY(measure_rates(c, &rates));
    if (!pv_rank_speaks()) return PV_OK;
    pv_fft_record records[] = {record_of(c, "forward", c->times.forward),
                               record_of(c, "inverse", c->times.inverse)};
    judge_speed(c, &rates, c->alone.forward.median_s, &records[0]);
    judge_speed(c, &rates, c->alone.inverse.median_s, &records[1]);
    if (request->show_plan) fprintf(request->json ? stderr : stdout, "%s\n", pv_fft_plan_text(c->plan));
    if (!request->json) {
        pv_fft_record_print_table(stdout, records, 2);
        return PV_OK;
    }
    PV_TRY(pv_fft_record_print_json(stdout, &records[0]));
    return pv_fft_record_print_json(stdout, &records[1]);
}

pv_status pv_fft_case_run(const pv_fft_request *request)
{
    fft_case c = {.request = request};
    pv_status status = open_case(&c);
    if (status == PV_OK) status = run_case(&c);
    if (status == PV_OK) status = report(&c);
    if (status == PV_OK && request->verify) status = judge(&c);
    close_case(&c);
    return status;
}
