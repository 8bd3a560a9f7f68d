// SPDX-License-Identifier: Apache-2.0
// Status of every call of Parseval that can fail, and the text of the last failure. NULL in place of an object or an
// output is PV_ERR_ARGUMENT; calls that return no status want what exists, but for destroy and close.
#ifndef PARSEVAL_STATUS_H
#define PARSEVAL_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

// One line a status: name, sentence. The enum and pv_status_text() are made from this list.
// The order says which status wins when ranks disagree: pv_comm_agree() adopts the largest.
#define PV_STATUS_LIST(X)                                                     \
    X(PV_OK, "success")                                                       \
    X(PV_IN_PROGRESS, "the operation has started and is not complete")        \
    X(PV_ERR_ARGUMENT, "an argument is outside what the call accepts")        \
    X(PV_ERR_SHAPE, "a shape, box or layout does not describe a valid grid")  \
    X(PV_ERR_MISMATCH, "ranks passed arguments that disagree")                \
    X(PV_ERR_UNSUPPORTED, "the combination asked for is not available")       \
    X(PV_ERR_NOT_BUILT, "the backend asked for is not built in")              \
    X(PV_ERR_INPUT, "an input file or option is not valid")                   \
    X(PV_ERR_IO, "a file could not be read or written")                       \
    X(PV_ERR_MEMORY, "memory could not be allocated")                         \
    X(PV_ERR_DEVICE, "the device reported an error")                          \
    X(PV_ERR_COMM, "communication between ranks failed")                      \
    X(PV_ERR_TIMEOUT, "another rank did not answer in time")                  \
    X(PV_ERR_CONVERGENCE, "an iteration did not converge")                    \
    X(PV_ERR_STOPPED, "the work was stopped on request")                      \
    X(PV_ERR_PEER, "another rank failed first and has said why")              \
    X(PV_ERR_INTERNAL, "an invariant of Parseval was violated")

#define PV_STATUS_ENUM(name, sentence) name,
typedef enum pv_status { PV_STATUS_LIST(PV_STATUS_ENUM) PV_STATUS_COUNT } pv_status;
#undef PV_STATUS_ENUM

// The sentence of a status; never NULL. Local.
const char *pv_status_text(pv_status status);

// The name of a status, such as "PV_ERR_SHAPE"; never NULL. Local.
const char *pv_status_name(pv_status status);

// What the last failed call of this thread reported (what was asked, found, accepted); "" when none failed.
// The pointer stays valid until the next failure in the same thread. Local.
const char *pv_last_error(void);

#ifdef __cplusplus
}
#endif
#endif
