// SPDX-License-Identifier: Apache-2.0
#ifndef PV_BASE_MESSAGE_H
#define PV_BASE_MESSAGE_H

// The text of a failure without the name of the function that noticed it, which the log tells: a part of `text`.
const char *pv_message_without_function(const char *text);

#endif
