// SPDX-License-Identifier: Apache-2.0
// Counters in device memory by which streams of several processes wait for each other, without their hosts.
#ifndef PV_DEVICE_FLAGS_H
#define PV_DEVICE_FLAGS_H

#include <stdint.h>

#include <parseval/device.h>

#define PV_FLAG_NEXT UINT64_MAX

// Counters of one kind to (or from) several others, each with the last value given. Both arrays are device memory.
typedef struct pv_flag_set {
    uint64_t *const *flags;    // NULL entries are passed over
    uint64_t *last;            // what PV_FLAG_NEXT is one more than
    int first, count, skip;    // entries first .. first + count - 1, without `skip`
    const uint64_t *base;      // device memory: added to values other than PV_FLAG_NEXT; NULL: nothing is
    int number;                // what the error of a late wait calls the counter
} pv_flag_set;

// One kernel each, whatever the number of entries. In the order of `stream`; a device whose streams are immediate
// leaves them to the caller's own atomics and fails with PV_ERR_UNSUPPORTED.
typedef struct pv_flag_ops {
    // What the stream has stored so far, in any memory, is visible to a wait that sees the value.
    pv_status (*post)(pv_stream *stream, const pv_flag_set *set, uint64_t value);
    // The stream goes on when every counter is at least `value`; or, after limit_s, with a failure that the next
    // pv_stream_wait of the device tells. Until it has told, other waits do not hold their streams up.
    pv_status (*wait)(pv_stream *stream, const pv_flag_set *set, uint64_t value, double limit_s);
    // Both, in this order, in one kernel.
    pv_status (*meet)(pv_stream *stream, const pv_flag_set *posted, const pv_flag_set *awaited, uint64_t value,
                      double limit_s);
    // From now on no wait holds any stream of the device up, and pv_stream_wait fails with PV_ERR_COMM: another rank is
    // gone for good.
    void (*abandon)(pv_device *device);
    // Whether what the stream is given goes into a graph.
    int (*is_recorded)(const pv_stream *stream);
} pv_flag_ops;

#endif
