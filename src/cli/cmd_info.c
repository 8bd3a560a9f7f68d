// SPDX-License-Identifier: Apache-2.0
// parseval info: what is built in, and what this machine offers.
#include "cli/commands.h"

#include <math.h>
#include <stdio.h>

#include <parseval/comm.h>

#include "base/check.h"
#include "base/json_write.h"
#include "base/options.h"
#include "cli/info/hardware.h"
#include "cli/info/libraries.h"
#include "cli/info/machine.h"
#include "cli/manual.h"
#include "cli/rank.h"
#include "comm/comm_list.h"
#include "comm/measure.h"
#include "device/device_ops.h"
#include "fft/engine/engine.h"

enum { VERSION_BYTES = 256 };

#ifdef __clang__
static const char compiler[] = __VERSION__; // begins with the name
#else
static const char compiler[] = "gcc " __VERSION__;
#endif

// Name of the index-th device, transport or engine; NULL after the last.
typedef const char *(*name_at)(int index, int *is_built_p);

static const char *engine_at(int index, int *is_built_p)
{
    const pv_engine_ops *engine = pv_engine_at(index);
    *is_built_p = engine != NULL;
    return engine ? engine->name : NULL;
}

static const struct {
    const char *title;
    name_at at;
} backends[] = {{"devices", pv_device_known}, {"transports", pv_transport_known}, {"engines", engine_at}};
enum { BACKEND_COUNT = sizeof backends / sizeof backends[0] };

// ---- For people -------------------------------------------------------------------------------------------------

static void print_names(name_at at, int wanted, const char *before)
{
    const char *separator = before;
    int is_built = 0;
    for (int i = 0; at(i, &is_built); i++) {
        if (is_built != wanted) continue;
        printf("%s%s", separator, at(i, &is_built));
        separator = ", ";
    }
}

static void print_bytes(const char *title, int64_t bytes)
{
    double value = (double)bytes;
    const char *unit = "B";
    if (bytes >= (int64_t)1 << 30) value /= 0x1p30, unit = "GiB";
    else if (bytes >= 1 << 20) value /= 0x1p20, unit = "MiB";
    else if (bytes >= 1 << 10) value /= 0x1p10, unit = "KiB";
    if (bytes > 0) printf("  %-14s  %.4g %s\n", title, value, unit);
}

static void print_text(const pv_machine *machine, const pv_hardware *hardware, int threads, double copy_bytes_per_s)
{
    char version[VERSION_BYTES];
    const char *name;
    printf("Parseval %s\n\nbuilt in\n", PV_VERSION);
    for (int i = 0; i < BACKEND_COUNT; i++) {
        printf("  %-14s", backends[i].title);
        print_names(backends[i].at, 1, "  ");
        print_names(backends[i].at, 0, "; not built: ");
        putchar('\n');
    }
    printf("  %-14s  %s\n  %-14s  %d\n", "compiler", compiler, "OpenMP", _OPENMP);
    for (int i = 0; (name = pv_library_at(i, version, sizeof version)); i++)
        printf("  %-14s  %s\n", name, version[0] ? version : "not built");

    printf("\nthis machine\n  %-14s  %s\n  %-14s  %s\n", "CPU", machine->cpu, "SIMD", machine->simd);
    printf("  %-14s  %d of %d allowed\n  %-14s  %d\n", "cores", machine->cores_allowed, machine->cores_online,
           "NUMA nodes", machine->numa_nodes);
    print_bytes("L1 data cache", machine->l1d_bytes);
    print_bytes("L2 cache", machine->l2_bytes);
    print_bytes("L3 cache", machine->l3_bytes);
    print_bytes("memory", machine->memory_bytes);
    print_bytes("memory free", machine->memory_available_bytes);
    pv_hardware_print(hardware);
    printf("\nmeasured\n  %-14s  ", "copy");
    if (isnan(copy_bytes_per_s))
        printf("not measured: there is no memory for it\n");
    else
        printf("%.4g GB/s read + written, %d thread%s\n", 1e-9 * copy_bytes_per_s, threads, threads == 1 ? "" : "s");
}

// ---- For programs -----------------------------------------------------------------------------------------------

static void add_backends(pv_json *json, const char *key, name_at at)
{
    int is_built = 0;
    const char *name;
    pv_json_object(json, key);
    for (int i = 0; (name = at(i, &is_built)); i++) pv_json_bool(json, name, is_built);
    pv_json_end(json);
}

static void add_libraries(pv_json *json)
{
    char version[VERSION_BYTES];
    const char *name;
    pv_json_object(json, "libraries");
    for (int i = 0; (name = pv_library_at(i, version, sizeof version)); i++)
        pv_json_text_value(json, name, version[0] ? version : NULL);
    pv_json_end(json);
}

static pv_status print_json(const pv_machine *machine, const pv_hardware *hardware, int threads,
                            double copy_bytes_per_s)
{
    pv_json *json = pv_json_create(2);
    pv_json_object(json, NULL);
    pv_json_text_value(json, "version", PV_VERSION);
    for (int i = 0; i < BACKEND_COUNT; i++) add_backends(json, backends[i].title, backends[i].at);
    pv_json_text_value(json, "compiler", compiler);
    pv_json_integer(json, "openmp", _OPENMP);
    add_libraries(json);
    pv_json_text_value(json, "cpu", machine->cpu);
    pv_json_text_value(json, "simd", machine->simd);
    pv_json_integer(json, "cores_allowed", machine->cores_allowed);
    pv_json_integer(json, "cores_online", machine->cores_online);
    pv_json_integer(json, "numa_nodes", machine->numa_nodes);
    pv_json_integer(json, "l1d_bytes", machine->l1d_bytes);
    pv_json_integer(json, "l2_bytes", machine->l2_bytes);
    pv_json_integer(json, "l3_bytes", machine->l3_bytes);
    pv_json_integer(json, "memory_bytes", machine->memory_bytes);
    pv_json_integer(json, "memory_available_bytes", machine->memory_available_bytes);
    pv_hardware_add(json, hardware);
    pv_json_integer(json, "threads", threads);
    pv_json_number(json, "copy_bytes_per_s", copy_bytes_per_s);
    pv_json_end(json);
    const char *text = pv_json_text(json);
    if (text) printf("%s\n", text);
    pv_json_destroy(json);
    PV_REQUIRE(text, PV_ERR_MEMORY, "no memory for the text of the answer");
    return PV_OK;
}

// The rate stays as it is where memory is too short.
static pv_status measure_copy(int *threads_p, double *copy_bytes_per_s_p)
{
    pv_device *device = NULL;
    pv_comm *comm = NULL;
    pv_comm_rates rates;
    PV_TRY(pv_device_open("cpu", &device));
    pv_status status = pv_comm_open_self(device, &comm);
    // Beyond most caches where memory allows.
    size_t bytes = (size_t)1 << 28;
    if (status == PV_OK)
        while ((status = pv_comm_measure(comm, bytes, &rates)) == PV_ERR_MEMORY && bytes > (size_t)1 << 22) bytes /= 4;
    if (device) *threads_p = pv_device_threads(device);
    if (status == PV_OK) *copy_bytes_per_s_p = rates.copy_bytes_per_s;
    if (status == PV_ERR_MEMORY) status = PV_OK;        // not measured
    pv_comm_close(comm);
    pv_device_close(device);
    return status;
}

int pv_cmd_info(int argc, char **argv)
{
    int json = 0, help = 0;
    const pv_option options[] = {
        {.name = "json", .type = PV_OPTION_FLAG, .value = &json, .help = "Print one JSON object."}};
    const pv_manual manual = {
        .name = "info",
        .summary = "what is built in, and what this machine offers",
        .synopsis = "parseval info [--json]\n",
        .description = "Prints the version, the devices, transports and engines that are built in, the libraries that\n"
                       "the program is linked with, what the operating system says of this machine, its NUMA\n"
                       "nodes, network cards, GPUs and the links between them, and the copy bandwidth that this\n"
                       "process reaches now with its threads (OMP_NUM_THREADS).\n",
        .options = options,
        .option_count = 1,
        .examples = "parseval info\nparseval info --json | python3 -m json.tool\n"};
    PV_TRY(pv_options_parse(options, 1, 0, &argc, argv, &help));
    if (!pv_rank_speaks()) return PV_OK;
    if (help) {
        pv_manual_print(stdout, &manual);
        return PV_OK;
    }
    pv_machine machine = pv_machine_read();
    int threads = 0;
    double copy_bytes_per_s = NAN;
    PV_TRY(measure_copy(&threads, &copy_bytes_per_s));
    pv_hardware hardware;
    PV_TRY(pv_hardware_read(&hardware));
    pv_status status = PV_OK;
    if (json) status = print_json(&machine, &hardware, threads, copy_bytes_per_s);
    else print_text(&machine, &hardware, threads, copy_bytes_per_s);
    pv_hardware_forget(&hardware);
    return status;
}
