// SPDX-License-Identifier: Apache-2.0
// ranks: 2 3
// long ranks: 4 7
// Where there is a time limit, a rank that leaves out a call is not waited for without end, inside MPI neither.
#include <string.h>
#include <unistd.h>

#include "comm/mpi/mpi_patience.h"
#include "over_transports.h"

enum { WORDS = 100000 };

static int is_silent(const pv_comm *comm) { return pv_comm_rank(comm) == pv_comm_size(comm) - 1; }

// What a call needs, made by all ranks.
typedef struct needs {
    pv_comm *comm;
    pv_exchange *exchange;
    char *sent, *received;   // WORDS doubles for each rank
    pv_comm *part;
    pv_window *window;
} needs;

static double numbers[WORDS];
static int64_t integers[WORDS];

static pv_status meet(needs *n) { return pv_comm_barrier(n->comm); }
static pv_status sum_few(needs *n) { return pv_comm_reduce_f64(n->comm, PV_SUM, 3, numbers); }
static pv_status sum_many(needs *n) { return pv_comm_reduce_f64(n->comm, PV_SUM, WORDS, numbers); }
static pv_status sum_integers(needs *n) { return pv_comm_reduce_i64(n->comm, PV_SUM, WORDS, integers); }
static pv_status broadcast(needs *n)
{
    return pv_comm_broadcast(n->comm, pv_comm_size(n->comm) - 1, sizeof numbers, numbers);
}
static pv_status gather(needs *n) { return pv_comm_gather(n->comm, 800, numbers, n->received); }
static pv_status agree(needs *n) { return pv_comm_agree(n->comm, PV_OK); }
static pv_status split(needs *n) { return pv_comm_split(n->comm, 0, 0, &n->part); }
static pv_status share(needs *n) { return pv_window_create(n->comm, 100, &n->window); }

static pv_status exchange(needs *n)
{
    PV_TRY(pv_exchange_start(n->exchange, n->sent, n->received));
    return pv_exchange_wait(n->exchange);
}

static const struct {
    const char *text;
    pv_status (*run)(needs *n);
} calls[] = {{"barrier", meet}, {"short sum", sum_few}, {"long sum", sum_many}, {"sum of integers", sum_integers},
             {"broadcast", broadcast}, {"gather", gather}, {"agreement", agree}, {"split", split}, {"window", share},
             {"exchange", exchange}};
enum { CALLS = sizeof calls / sizeof *calls };

static void prepare(pv_comm *comm, needs *n)
{
    const size_t size = (size_t)pv_comm_size(comm), bytes = WORDS * sizeof(double);
    pv_message messages[8];
    *n = (needs){.comm = comm, .sent = calloc(size, bytes), .received = calloc(size, bytes)};
    assert_non_null(n->sent);
    assert_non_null(n->received);
    for (int rank = 0; rank < (int)size; rank++) messages[rank] = (pv_message){rank, (size_t)rank * bytes, bytes};
    assert_ok(pv_exchange_create(comm, (int)size, messages, (int)size, messages, &n->exchange));
}

static void forget(needs *n)
{
    pv_window_destroy(n->window);
    pv_comm_close(n->part);
    pv_exchange_destroy(n->exchange);
    free(n->sent);
    free(n->received);
}

static pv_status mute(pv_status (*run)(needs *n), needs *n)
{
    pv_test_mute(1);
    const pv_status status = run(n);
    pv_test_mute(0);
    return status;
}

// Whether the one that is silent is among the ranks that a text blames.
static int names(const char *text, const pv_comm *comm)
{
    const char *at = strstr(text, "from rank ");
    const int silent = pv_comm_size(comm) - 1;
    if (!at) return 0;
    for (at += strlen("from rank "); *at >= '0' && *at <= '9'; at = strncmp(at, ", ", 2) == 0 ? at + 2 : at) {
        char *end;
        if (strtol(at, &end, 10) == silent) return 1;
        at = end;
    }
    return 0;
}

// All but one make the call; then everything they call fails at once, by the same error.
static void leave_out(pv_comm *comm, int call)
{
    needs n;
    prepare(comm, &n);
    comm->timeout_s = 0.1;
    if (!is_silent(comm)) {
        char text[512];
        if (mute(calls[call].run, &n) != PV_ERR_TIMEOUT) fail_msg("%s: %s", calls[call].text, pv_last_error());
        snprintf(text, sizeof text, "%s", pv_last_error());
        assert_non_null(strstr(text, "waited 0.1 s for"));
        assert_non_null(strstr(text, "All ranks must make the same calls"));
        if (!names(text, comm)) fail_msg("%s: not named in: %s", calls[call].text, text);
        comm->timeout_s = 600; // longer than the test may take
        for (int i = 0; i < CALLS; i++) {
            if (mute(calls[i].run, &n) != PV_ERR_TIMEOUT) fail_msg("%s after it: %s", calls[i].text, pv_last_error());
            assert_string_equal(pv_last_error(), text);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    forget(&n);
}

static void over_calls(const char *transport, pv_mpi_schedule schedule, int first)
{
    pv_device *device = open_test_device();
    for (int call = first; call < CALLS; call++) {
        pv_comm_options options = {.transport = transport, .schedule = schedule, .timeout_s = 60};
        pv_comm *comm;
        assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, device, &options, &comm));
        leave_out(comm, call);
        pv_comm_close(comm);
    }
    pv_device_close(device);
}

static void silent_ranks_are_not_waited_for(void **state)
{
    (void)state;
    over_calls("mpi", PV_MPI_AUTO, 0);
    if (strcmp(by_stores(), "shared") == 0) over_calls("shared", PV_MPI_AUTO, 0);
}

static void exchanges_end_however_they_are_run(void **state)
{
    (void)state;
    for (int schedule = PV_MPI_PAIRWISE; schedule <= PV_MPI_PERSISTENT; schedule++)
        over_calls("mpi", (pv_mpi_schedule)schedule, CALLS - 1);
}

// The error says whom an exchange has waited for.
static void exchange_without_one(pv_comm *comm)
{
    needs n;
    prepare(comm, &n);
    comm->timeout_s = 0.1;
    if (!is_silent(comm)) {
        assert_int_equal(mute(exchange, &n), PV_ERR_TIMEOUT);
        if (!names(pv_last_error(), comm)) fail_msg("not named in: %s", pv_last_error());
    }
    MPI_Barrier(MPI_COMM_WORLD);
    forget(&n);
}

static void missing_ranks_are_named(void **state)
{
    (void)state;
    over_transport("mpi", PV_MPI_AUTO, 0, 60, exchange_without_one);
    over_transport("mpi", PV_MPI_RING, 0, 60, exchange_without_one);
}

// It may find what the others have left behind, or hear of them, and is alone with the call after.
static void come_late(pv_comm *comm)
{
    for (int late = 0; late < 2; late++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (is_silent(comm) != late) continue;
        comm->timeout_s = 0.1;
        needs n = {.comm = comm};
        const pv_status first = mute(sum_few, &n), second = mute(sum_few, &n);
        if (!late) assert_int_equal(first, PV_ERR_TIMEOUT);
        assert_true(second == PV_ERR_TIMEOUT || (late && second == PV_ERR_PEER));
        assert_true(second == first || (late && first == PV_OK));
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void late_ranks_do_not_hang(void **state)
{
    (void)state;
    over_transport("mpi", PV_MPI_AUTO, 0, 60, come_late);
    if (strcmp(by_stores(), "shared") == 0) over_transport("shared", PV_MPI_AUTO, 0, 60, come_late);
}

static void nobody_opens_alone(void **state)
{
    (void)state;
    MPI_Comm all;
    pv_device *device = open_test_device();
    pv_comm *comm = NULL;
    pv_comm_options options = {.transport = "mpi", .timeout_s = 0.1};
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    for (int late = 0; late < 2; late++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if ((pv_test_rank() == pv_test_size() - 1) == late)
            assert_fails(PV_ERR_TIMEOUT, pv_comm_open_mpi(all, device, &options, &comm));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    assert_null(comm);
    pv_device_close(device);
}

// One rank's limit makes all wait patiently, since MPI's calls differ.
static void one_limit_is_of_all(void **state)
{
    (void)state;
    pv_device *device = open_test_device();
    pv_comm *comm;
    pv_comm_options options = {.transport = "mpi", .timeout_s = pv_test_rank() == 1 ? 60 : 0};
    assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, device, &options, &comm));
    assert_true(comm->is_limited);
    assert_true(comm->timeout_s == (pv_test_rank() == 1 ? 60 : 600));
    assert_ok(pv_comm_barrier(comm));
    pv_comm_close(comm);
    options.timeout_s = 0;
    assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, device, &options, &comm));
    assert_false(comm->is_limited);
    pv_comm_close(comm);
    pv_device_close(device);
}

// The limit is of the time in which nothing comes.
static void wait_for_two(pv_comm *comm)
{
    pv_mpi_comm *mpi = comm->state;
    comm->timeout_s = 0.01;
    pv_patience patience = pv_patience_begin(comm);
    const double begin_s = patience.since_s;
    usleep(20000);
    mpi->arrived++;
    assert_int_equal(pv_patience_rest(&patience), 1);
    assert_true(patience.since_s >= begin_s + 0.01);
    usleep(20000);
    for (int looks = 0; pv_patience_rest(&patience); looks++) assert_true(looks < 1000000);
    comm->timeout_s = 60;
}

static void what_comes_starts_the_clock_anew(void **state)
{
    (void)state;
    over_transport("mpi", PV_MPI_AUTO, 0, 60, wait_for_two);
}

PV_TEST_MAIN(PV_TEST(silent_ranks_are_not_waited_for), PV_TEST(exchanges_end_however_they_are_run),
             PV_TEST(missing_ranks_are_named), PV_TEST(late_ranks_do_not_hang), PV_TEST(nobody_opens_alone),
             PV_TEST(one_limit_is_of_all), PV_TEST(what_comes_starts_the_clock_anew))
