// SPDX-License-Identifier: Apache-2.0
#include "cli/same_request.h"

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_BYTES = 512, RUNS_SHOWN = 8 };

// What a rank was asked for: a fingerprint to compare, and the words to show.
typedef struct request_print {
    uint64_t hash;
    char text[TEXT_BYTES];
} request_print;

// FNV-1a over the words and the zero bytes that end them.
static uint64_t hash_words(int argc, char **argv)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 1; i < argc; i++)
        for (size_t c = 0; c <= strlen(argv[i]); c++) hash = (hash ^ (unsigned char)argv[i][c]) * 0x100000001b3u;
    return hash;
}

static request_print print_of(int argc, char **argv)
{
    request_print print = {.hash = hash_words(argc, argv)};
    size_t used = (size_t)snprintf(print.text, sizeof print.text, "parseval");
    for (int i = 1; i < argc && used < sizeof print.text; i++) {
        const char *quote = argv[i][0] == '\0' || strpbrk(argv[i], " \t\n'\"") ? "'" : "";
        used += (size_t)snprintf(print.text + used, sizeof print.text - used, " %s%s%s", quote, argv[i], quote);
    }
    if (used >= sizeof print.text) memcpy(print.text + sizeof print.text - 5, " ...", 5);
    return print;
}

static void append_run(char *message, size_t size, int first, int last, const char *text)
{
    const size_t used = strlen(message);
    if (first == last) snprintf(message + used, size - used, "  rank %d: %s\n", first, text);
    else snprintf(message + used, size - used, "  ranks %d to %d: %s\n", first, last, text);
}

// On rank 0; the others send, so that it holds two prints whatever their number.
static void report(const request_print *mine, int size)
{
    char message[(RUNS_SHOWN + 2) * (TEXT_BYTES + 64)] =
        "parseval: every rank must have the same command and the same arguments; found\n";
    request_print run = *mine, next;
    int first = 0, runs = 0;
    for (int r = 1; r <= size; r++) {
        if (r < size) MPI_Recv(&next, (int)sizeof next, MPI_BYTE, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (r < size && next.hash == run.hash) continue;
        if (runs++ < RUNS_SHOWN) append_run(message, sizeof message, first, r - 1, run.text);
        first = r;
        run = next;
    }
    const size_t used = strlen(message);
    if (runs > RUNS_SHOWN)
        snprintf(message + used, sizeof message - used, "  and %d more that differ\n", runs - RUNS_SHOWN);
    // One call a message: what a launcher writes meanwhile does not come between.
    fputs(message, stderr);
}

int pv_same_request(int argc, char **argv)
{
    const request_print mine = print_of(argc, argv);
    uint64_t ends[2] = {mine.hash, ~mine.hash}, largest[2];
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(ends, largest, 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    if (largest[0] == ~largest[1]) return 1;
    if (rank == 0) report(&mine, size);
    else MPI_Send(&mine, (int)sizeof mine, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    return 0;
}
