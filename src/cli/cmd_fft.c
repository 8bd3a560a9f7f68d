// SPDX-License-Identifier: Apache-2.0
// parseval fft: options, and the order of the work.
#include "cli/commands.h"

#include <stdio.h>

#include "base/check.h"
#include "base/options.h"
#include "cli/fft/case.h"
#include "cli/manual.h"
#include "cli/place_options.h"
#include "cli/rank.h"

static const char synopsis[] =
    "parseval fft [--shape AxBxC] [--type c2c|r2c] [--precision fp64|fp32] [OPTIONS]\n"
    "mpirun -n RANKS parseval fft [OPTIONS]\n";

static const char description[] =
    "Plans one transform on all ranks, runs it forward and inverse, and prints a record\n"
    "for each direction: times, errors when --verify is given, and how near the time is\n"
    "to what memory and links allow.\n"
    "\n"
    "Times: two warm-up runs, then --repeat runs of forward and inverse in turn. Each run\n"
    "starts at a barrier and counts as long as on the slowest rank; minimum, median and\n"
    "maximum are over the runs. GFlop/s are 5 N log2 N, half of it for r2c, over the median.\n"
    "sent and peak are the bytes that the busiest rank sends to others in one direction and\n"
    "the most memory that any rank ever held.\n"
    "\n"
    "Errors: forward is the relative L2 distance of the spectrum of a random field whose\n"
    "spectrum is known exactly; round trip is that of a second random field after forward\n"
    "and inverse. Both are over all ranks. The command fails when one of them is above\n"
    "20 epsilon sqrt(1 + log2 N).\n"
    "\n"
    "Limit: a slab decomposition needs two passes over memory (two axes in one pass, in\n"
    "cache), a pencil decomposition three; a pass reads its input and writes its output\n"
    "once, straight into the receiver's memory where data change ranks. The limit is these\n"
    "bytes over the copy bandwidth of a rank while all copy, or the bytes sent over the\n"
    "exchange bandwidth, whichever is longer; both bandwidths are measured on the spot.\n"
    "\n"
    "GPUs: --device cuda spreads the ranks of a node over its GPUs. A timing is then of as many\n"
    "transforms, out of place one after another, as last a millisecond. Two more figures are\n"
    "printed: the fraction of cuFFTMp's model peak, in which six memory passes and one exchange\n"
    "follow one another; and the share of the exchange that is hidden under computing,\n"
    "(alone + exchange - measured) / exchange, where alone is what a rank's part of the grid\n"
    "takes by itself, on all ranks at once.\n"
    "\n"
    "--wire reduced sends FP64 as FP32, and FP32 as 16-bit integers with an exponent for every\n"
    "16 values; the bound of the error that this adds is printed, and counts in --verify.\n";

static const char examples[] =
    "parseval fft --shape 128x128x128 --verify\n"
    "mpirun -n 4 parseval fft --shape 256x256x256 --type r2c --transport shared --json\n"
    "mpirun -n 4 parseval fft --shape 510x512x514 --layout pencil --output axes --plan\n"
    "mpirun -n 2 parseval fft --shape 1024x1024x1024 --precision fp32 --device cuda --transport nccl\n";

// Prints the manual instead when it is asked for: *help_p.
static pv_status parse(int argc, char **argv, pv_fft_request *request, int *help_p)
{
    const pv_option options[] = {
        {.name = "shape", .type = PV_OPTION_SHAPE, .value = request->shape, .help = "Points in each direction."},
        {.name = "type", .type = PV_OPTION_CHOICE, .value = &request->type, .choices = "c2c|r2c",
         .help = "Complex to complex, or real to complex forward and complex to real inverse."},
        {.name = "precision", .type = PV_OPTION_CHOICE, .value = &request->precision, .choices = "fp64|fp32",
         .help = "Double or single precision."},
        {.name = "layout", .type = PV_OPTION_CHOICE, .value = &request->layout, .choices = "auto|slab|pencil",
         .help = "How the grid is split over the ranks."},
        {.name = "grid", .type = PV_OPTION_SHAPE, .value = request->grid, .unit = "RxC",
         .help = "Rows and columns of ranks of a pencil layout, 2x3 of six ranks; chosen without."},
        {.name = "output", .type = PV_OPTION_CHOICE, .value = &request->output, .choices = "natural|owner|axes",
         .help = "Where the spectrum lies: as the input; another axis split; that axis slowest in memory too."},
        PV_TRANSPORT_OPTION(&request->transport),
        PV_DEVICE_OPTION(&request->device),
        {.name = "engine", .type = PV_OPTION_TEXT, .value = &request->engine, .unit = "NAME",
         .help = "What transforms the lines: fftw, lines, ref; on GPUs cuda, cufft; or auto."},
        {.name = "rigor", .type = PV_OPTION_CHOICE, .value = &request->rigor, .choices = "estimate|measure",
         .help = "Guess the best plan, or time the candidates."},
        {.name = "batch", .type = PV_OPTION_INT, .value = &request->batch, .minimum = 1, .maximum = 1000000,
         .help = "Transforms in one call."},
        {.name = "repeat", .type = PV_OPTION_INT, .value = &request->repeat, .minimum = 1, .maximum = 1000000,
         .help = "Timed runs of each direction."},
        {.name = "chunks", .type = PV_OPTION_INT, .value = &request->chunks, .minimum = 0, .maximum = 1024,
         .help = "Pieces in which work overlaps communication; 0: chosen."},
        {.name = "wire", .type = PV_OPTION_CHOICE, .value = &request->wire, .choices = "exact|reduced",
         .help = "Values as they are between ranks, or with half their bits and a stated error."},
        {.name = "in-place", .type = PV_OPTION_FLAG, .value = &request->in_place,
         .help = "Let input and output share their memory."},
        {.name = "verify", .type = PV_OPTION_FLAG, .value = &request->verify,
         .help = "Compare with fields whose spectra are known; fail when an error is too large."},
        {.name = "plan", .type = PV_OPTION_FLAG, .value = &request->show_plan,
         .help = "Print the plan: route, exchanges, engine, bytes (on standard error with --json)."},
        {.name = "wisdom", .type = PV_OPTION_TEXT, .value = &request->wisdom, .unit = "FILE",
         .help = "Read what earlier plans have learnt, and add what this one learns."},
        {.name = "json", .type = PV_OPTION_FLAG, .value = &request->json,
         .help = "Print a JSON object a line instead of a table."},
    };
    const int count = sizeof options / sizeof options[0];
    const pv_manual manual = {.name = "fft",
                              .summary = "transform, verify and time one problem",
                              .synopsis = synopsis,
                              .description = description,
                              .options = options,
                              .option_count = count,
                              .examples = examples};
    PV_TRY(pv_options_parse(options, count, 0, &argc, argv, help_p));
    if (*help_p && pv_rank_speaks()) pv_manual_print(stdout, &manual);
    const int64_t *grid = request->grid;
    PV_REQUIRE(grid[0] <= 1 && grid[1] <= INT32_MAX && grid[2] <= INT32_MAX, PV_ERR_ARGUMENT,
               "--grid %lldx%lldx%lld; rows and columns are accepted, 2x3", (long long)grid[0], (long long)grid[1],
               (long long)grid[2]);
    return PV_OK;
}

int pv_cmd_fft(int argc, char **argv)
{
    pv_fft_request request = pv_fft_request_defaults();
    int help = 0;
    PV_TRY(parse(argc, argv, &request, &help));
    return help ? PV_OK : pv_fft_case_run(&request);
}
