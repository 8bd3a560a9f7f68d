// SPDX-License-Identifier: Apache-2.0
// A thread that sleeps, and once a second looks at a few of the processes. Found one gone, it leaves the others some
// seconds to come to an end by themselves, with a better word, and then ends the job.
#include "cli/watch.h"

#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "comm/life.h"

enum { LOOKS_A_SECOND = 8, GRACE_S = 5, ABORT_S = 5, EXIT_RUN_FAILED = 1 };

static struct {
    pv_process *all;
    int count, place;        // of this process among them
    int is_running, is_over;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER};

// Returns whether the watch is over.
static int sleep_s(int seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += seconds;
    pthread_mutex_lock(&watch.lock);
    while (!watch.is_over && pthread_cond_timedwait(&watch.wake, &watch.lock, &until) == 0) {}
    const int is_over = watch.is_over;
    pthread_mutex_unlock(&watch.lock);
    return is_over;
}

// The first of those that are left speaks. A launcher that is asked to abort ends the ranks of other nodes too.
static void end_job(const pv_process *gone)
{
    int speaker = 0;
    while (speaker != watch.place && pv_process_has_ended(&watch.all[speaker])) speaker++;
    if (speaker == watch.place)
        fprintf(stderr, "parseval: rank %d (process %d) has ended without a word; the others would wait for it: "
                "ending all\n", gone->rank, gone->pid);
    fflush(stderr);
    signal(SIGALRM, SIG_DFL); // should MPI not come back
    alarm(ABORT_S);
    MPI_Abort(MPI_COMM_WORLD, EXIT_RUN_FAILED);
}

static void *look_on(void *unused)
{
    (void)unused;
    for (int next = 0; !sleep_s(1);)
        for (int look = 0; look < LOOKS_A_SECOND && look < watch.count; look++) {
            const pv_process *one = &watch.all[next++ % watch.count];
            if (one == &watch.all[watch.place] || !pv_process_has_ended(one)) continue;
            if (sleep_s(GRACE_S)) return NULL;
            end_job(one);
        }
    return NULL;
}

static int gather(void)
{
    MPI_Comm node;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &watch.count);
    MPI_Comm_rank(node, &watch.place);
    watch.all = pv_process_gather(node, rank);
    MPI_Comm_free(&node);
    return watch.all != NULL;
}

void pv_watch_begin(void)
{
    sigset_t all, before;
    if (!gather() || watch.count < 2) return;
    pthread_cond_init(&watch.wake, NULL);
    // Signals go to the threads that wait for them.
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    watch.is_running = pthread_create(&watch.thread, NULL, look_on, NULL) == 0;
    if (watch.is_running) (void)pthread_setname_np(watch.thread, "watch"); // for who looks at the process
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void pv_watch_end(void)
{
    if (watch.is_running) {
        pthread_mutex_lock(&watch.lock);
        watch.is_over = 1;
        pthread_cond_signal(&watch.wake);
        pthread_mutex_unlock(&watch.lock);
        pthread_join(watch.thread, NULL);
    }
    pv_mem_free(watch.all);
    watch.all = NULL;
    watch.is_running = 0;
}
