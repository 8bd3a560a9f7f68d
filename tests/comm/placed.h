// SPDX-License-Identifier: Apache-2.0
// Memory of a communicator's device, which tests fill and see by copies.
#ifndef PV_TESTS_COMM_PLACED_H
#define PV_TESTS_COMM_PLACED_H

#include <parseval/comm.h>

#include "harness.h"

static inline pv_buffer *placed(pv_comm *comm, size_t bytes)
{
    pv_buffer *buffer;
    assert_ok(pv_buffer_create(pv_comm_device(comm), bytes, &buffer));
    return buffer;
}

// Complete on return; after what the device's own stream has been given.
static inline void put(pv_comm *comm, void *to, const void *host, size_t bytes)
{
    pv_stream *stream = pv_device_stream(pv_comm_device(comm));
    assert_ok(pv_stream_copy(stream, to, host, bytes));
    assert_ok(pv_stream_wait(stream));
}

static inline void get(pv_comm *comm, void *host, const void *from, size_t bytes)
{
    put(comm, host, from, bytes);
}

#endif
