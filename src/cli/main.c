// SPDX-License-Identifier: Apache-2.0
// `parseval COMMAND ...`: the table of commands, the life of MPI, and the exit status. The only place that ends the
// process.
#include "cli/commands.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <parseval/status.h>

#include "base/log.h"
#include "base/message.h"
#include "base/spell.h"
#include "cli/better_kernels.h"
#include "cli/rank.h"
#include "cli/same_request.h"
#include "cli/watch.h"

enum { EXIT_RUN_FAILED = 1, EXIT_BAD_REQUEST = 2, EXIT_STOPPED = 3 };

// Whether ranks compute together, a single one answers, or each becomes another program.
typedef enum command_kind { TOGETHER, ALONE, BEFORE_MPI } command_kind;

typedef struct command {
    const char *name, *summary;
    command_kind kind;
    int (*run)(int argc, char **argv);
} command;

static const command commands[] = {
    {"fft", "transform, verify and time one problem given on the command line", TOGETHER, pv_cmd_fft},
    {"dft", "solve a plane-wave density-functional calculation", TOGETHER, pv_cmd_dft},
    {"dns", "simulate turbulence in a periodic box", TOGETHER, pv_cmd_dns},
    {"plan", "forecast memory and time of a run", ALONE, pv_cmd_plan},
    {"scale", "speed-up, efficiency and predictions from finished runs", ALONE, pv_cmd_scale},
    {"supercell", "repeat a structure, with substituted and missing atoms", ALONE, pv_cmd_supercell},
    {"info", "what is built in, and what this machine offers", ALONE, pv_cmd_info},
    {"launch", "start a program with each rank beside its GPU, cores and network card", BEFORE_MPI, pv_cmd_launch},
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_usage(FILE *out)
{
    fprintf(out, "usage: parseval COMMAND [OPTIONS]\n"
                 "       mpirun -n RANKS parseval COMMAND [OPTIONS]\n"
                 "       parseval help COMMAND\n"
                 "       parseval --version\n\n"
                 "commands:\n");
    for (int i = 0; i < COMMAND_COUNT; i++) fprintf(out, "    %-9s  %s\n", commands[i].name, commands[i].summary);
}

static const command *find_command(const char *name)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(name, commands[i].name) == 0) return &commands[i];
    return NULL;
}

// One rank speaks and fails; leave() passes its status on.
static int refuse_command(const char *name)
{
    if (!pv_rank_speaks()) return EXIT_SUCCESS;
    const char *nearest = pv_spell_nearest(name, &commands[0].name, COMMAND_COUNT, sizeof commands[0]);
    fprintf(stderr, "parseval: there is no command '%s'%s%s%s (parseval --help lists them)\n", name,
            nearest ? "; the nearest one is '" : "", nearest ? nearest : "", nearest ? "'" : "");
    return EXIT_BAD_REQUEST;
}

static int exit_status_of(int status)
{
    switch (status) {
    case PV_OK: return EXIT_SUCCESS;
    case PV_ERR_ARGUMENT:
    case PV_ERR_SHAPE:
    case PV_ERR_UNSUPPORTED:
    case PV_ERR_NOT_BUILT:
    case PV_ERR_INPUT: return EXIT_BAD_REQUEST;
    case PV_ERR_STOPPED: return EXIT_STOPPED;
    case PV_CMD_NOT_STARTED:
    case PV_CMD_NOT_FOUND: return status;
    default: return EXIT_RUN_FAILED;
    }
}

static void report(const char *name, int status)
{
    const char *text = pv_message_without_function(pv_last_error());
    if (*text == '\0') text = pv_status_text((pv_status)status);
    fflush(stdout);
    // One call a message: what a launcher writes meanwhile does not come between. No help tells what is wrong with
    // files.
    if (exit_status_of(status) == EXIT_BAD_REQUEST && status != PV_ERR_INPUT)
        fprintf(stderr, "parseval %s: %s\nTry 'parseval help %s'.\n", name, text, name);
    else
        fprintf(stderr, "parseval %s: %s\n", name, text);
}

// Every rank comes here with its own status. The lowest rank that knows a reason reports it, those that only heard of
// a failure stay silent.
static int agree_and_report(const char *name, int status)
{
    int size = 0, rank = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (status == PV_ERR_TIMEOUT || status == PV_ERR_COMM) { // the others may never come
        report(name, status);
        MPI_Abort(MPI_COMM_WORLD, EXIT_RUN_FAILED);
    }
    int priority = status == PV_OK ? 2 * size : status == PV_ERR_PEER ? size + rank : rank, first = 0;
    MPI_Allreduce(&priority, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first < 2 * size && first % size == rank) report(name, status);
    return exit_status_of(status);
}

static int run_alone(const command *command, int argc, char **argv)
{
    int status = command->run(argc, argv);
    if (!pv_rank_speaks()) return EXIT_SUCCESS;
    if (status != PV_OK) report(command->name, status);
    return exit_status_of(status);
}

// Every rank starts a program of its own, or fails alone. What all ranks of a node find the first one reports, and the
// others give it the time, since a launcher ends everybody at the first failing status; the rest each reports itself.
static int run_before_mpi(const command *command, int argc, char **argv)
{
    const struct timespec nap = {.tv_nsec = 500000000};
    const int status = command->run(argc, argv), local = pv_rank_local();
    const int is_own = status == PV_ERR_MISMATCH || status == PV_ERR_DEVICE;
    if (status == PV_OK) return EXIT_SUCCESS;
    if (is_own || local == 0 || (local < 0 && pv_rank_speaks())) report(command->name, status);
    else nanosleep(&nap, NULL);
    return exit_status_of(status);
}

// What follows "--" is meant for another program.
static int asks_for_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return 1;
    return 0;
}

static int run(const char *name, int argc, char **argv)
{
    static char help[] = "--help";
    const command *command = find_command(name);
    if (!command) return refuse_command(name);
    if (asks_for_help(argc, argv)) return run_alone(command, 2, (char *[]){argv[0], help, NULL});
    if (command->kind == BEFORE_MPI) return run_before_mpi(command, argc, argv);
    if (command->kind == ALONE) return run_alone(command, argc, argv);
    return agree_and_report(name, command->run(argc, argv));
}

static int knows_environment(void)
{
    const char *level = getenv("PARSEVAL_LOG");
    if (!level || !*level || pv_log_is_level(level)) return 1;
    if (pv_rank_speaks())
        fprintf(stderr, "parseval: PARSEVAL_LOG is \"%s\"; error, warn, info and debug are accepted\n", level);
    return 0;
}

static int dispatch(int argc, char **argv)
{
    static char help[] = "--help";
    if (!knows_environment()) return EXIT_BAD_REQUEST;
    if (argc < 2) {
        if (!pv_rank_speaks()) return EXIT_SUCCESS;
        print_usage(stderr);
        return EXIT_BAD_REQUEST;
    }
    int is_help_word = strcmp(argv[1], "help") == 0;
    if (is_help_word && argc > 2) return run(argv[2], 2, (char *[]){argv[2], help, NULL});
    if (is_help_word || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        if (pv_rank_speaks()) print_usage(stdout);
        return EXIT_SUCCESS;
    }
    if (strcmp(argv[1], "--version") == 0) {
        if (pv_rank_speaks()) printf("parseval %s\n", PV_VERSION);
        return EXIT_SUCCESS;
    }
    return run(argv[1], argc - 1, argv + 1);
}

// ---- The life of MPI ---------------------------------------------------------------------------------------------

// Ranks that were started together compare what they were asked for, whatever it is. A process alone starts MPI for
// the commands that compute with it, never for help.
static int wants_mpi(int argc, char **argv)
{
    const command *command = argc > 1 ? find_command(argv[1]) : NULL;
    if (command && command->kind == BEFORE_MPI) return 0;
    if (pv_rank_launched_together() > 1) return 1;
    return command && command->kind == TOGETHER && !asks_for_help(argc - 1, argv + 1);
}

// All ranks leave with the worst status, when the one that speaks has spoken: a launcher ends everybody at the first
// failing status. Those with nothing to do wait here, and leave the cores to the others.
static int leave(int mine)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    int worst = mine, done = 0;
    if (!pv_rank_mpi_runs()) return mine;
    MPI_Request request;
    MPI_Iallreduce(&mine, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
    for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done; MPI_Test(&request, &done, MPI_STATUS_IGNORE))
        nanosleep(&nap, NULL);
    pv_watch_end();
    MPI_Finalize();
    return worst;
}

int main(int argc, char **argv)
{
    int provided = 0;
    pv_better_kernels(argc, argv);
    // One message a failure: report() speaks for all ranks, unless the user asked to hear each of them.
    pv_log_mute_errors(getenv("PARSEVAL_LOG") == NULL);
    if (wants_mpi(argc, argv)) MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    int exit_status = EXIT_BAD_REQUEST;
    if (pv_rank_mpi_runs()) {
        if (pv_rank_launched_together() > 1) pv_log_set_rank(pv_rank_of_process());
        pv_watch_begin();
    }
    if (!pv_rank_mpi_runs() || pv_same_request(argc, argv)) exit_status = dispatch(argc, argv);
    if ((fflush(stdout) != 0 || ferror(stdout)) && exit_status == EXIT_SUCCESS) {
        fprintf(stderr, "parseval: standard output could not be written\n");
        exit_status = EXIT_RUN_FAILED;
    }
    return leave(exit_status);
}
