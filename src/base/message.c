// SPDX-License-Identifier: Apache-2.0
#include "base/message.h"

#include <ctype.h>

const char *pv_message_without_function(const char *text)
{
    const char *end = text;
    while (isalnum((unsigned char)*end) || *end == '_') end++;
    return end > text && end[0] == ':' && end[1] == ' ' ? end + 2 : text;
}
