// SPDX-License-Identifier: Apache-2.0
#include "comm/mpi/mpi_exchange.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"

typedef struct turn {
    int round;
    const pv_message *message;
} turn;

typedef int (*round_of)(pv_schedule schedule, int size, int rank, int peer);

static int by_round(const void *a, const void *b)
{
    const turn *left = a, *right = b;
    return (left->round > right->round) - (left->round < right->round);
}

static pv_status cut(const turn *turns, int count, size_t piece_bytes, int *legs_count_p, pv_mpi_leg **legs_p)
{
    size_t total = 0;
    for (int i = 0; i < count; i++) total += (size_t)pv_piece_count(turns[i].message->bytes, piece_bytes);
    PV_TRY(pv_int_from_size(total, "the number of pieces of an exchange", legs_count_p));
    PV_TRY(PV_ALLOC(total, legs_p));
    pv_mpi_leg *leg = *legs_p;
    for (int i = 0; i < count; i++) {
        const pv_message *message = turns[i].message;
        const int64_t pieces = pv_piece_count(message->bytes, piece_bytes);
        for (int64_t piece = 0; piece < pieces; piece++, leg++) {
            leg->peer = message->rank;
            leg->offset_bytes = message->offset_bytes + (size_t)piece * piece_bytes;
            PV_TRY(pv_int_from_size(pv_piece_bytes(message->bytes, piece_bytes, piece), "a piece", &leg->bytes));
        }
    }
    return PV_OK;
}

static pv_status order_and_cut(const pv_comm *comm, const pv_message_list *list, pv_schedule schedule,
                               size_t piece_bytes, round_of round, int *count_p, pv_mpi_leg **legs_p)
{
    turn *turns;
    PV_TRY(PV_ALLOC(list->count, &turns));
    for (int i = 0; i < list->count; i++)
        turns[i] = (turn){round(schedule, comm->size, comm->rank, list->messages[i].rank), &list->messages[i]};
    if (list->count > 1) qsort(turns, (size_t)list->count, sizeof *turns, by_round);
    const pv_status status = cut(turns, list->count, piece_bytes, count_p, legs_p);
    pv_mem_free(turns);
    return status;
}

pv_status pv_mpi_legs_create(const pv_exchange *exchange, pv_schedule schedule, size_t piece_bytes, pv_mpi_legs *legs_p)
{
    const pv_comm *comm = exchange->comm;
    pv_mpi_comm *mpi = comm->state;
    pv_mpi_legs legs = {.tag = mpi->next_tag};
    mpi->next_tag = mpi->next_tag == mpi->last_tag ? 0 : mpi->next_tag + 1;
    pv_status status = order_and_cut(comm, &exchange->send, schedule, piece_bytes, pv_schedule_send_round,
                                     &legs.send_count, &legs.send);
    if (status == PV_OK)
        status = order_and_cut(comm, &exchange->receive, schedule, piece_bytes, pv_schedule_receive_round,
                               &legs.receive_count, &legs.receive);
    if (status != PV_OK) {
        pv_mpi_legs_destroy(&legs);
        return status;
    }
    *legs_p = legs;
    return PV_OK;
}

void pv_mpi_legs_destroy(pv_mpi_legs *legs)
{
    pv_mem_free(legs->send);
    pv_mem_free(legs->receive);
}
