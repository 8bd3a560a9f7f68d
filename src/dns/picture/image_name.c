// SPDX-License-Identifier: Apache-2.0
#include "dns/picture/image_name.h"

#include <stdio.h>
#include <string.h>

static const char picture_start[] = "picture_", picture_end[] = ".png";
static const char fields_start[] = "fields_", fields_end[] = ".vtkhdf";

void pv_dns_picture_name(int kind, int64_t step, char name[PV_DNS_IMAGE_NAME])
{
    static const char *const kinds[] = {[PV_PICTURE_NONE] = "none",
                                        [PV_PICTURE_VORTICITY] = "vorticity",
                                        [PV_PICTURE_Q] = "q",
                                        [PV_PICTURE_SLICE] = "slice",
                                        [PV_PICTURE_VOLUME] = "volume"};
    snprintf(name, PV_DNS_IMAGE_NAME, "%s%s_%08lld%s", picture_start, kinds[kind], (long long)step, picture_end);
}

void pv_dns_fields_name(int64_t step, char name[PV_DNS_IMAGE_NAME])
{
    snprintf(name, PV_DNS_IMAGE_NAME, "%s%08lld%s", fields_start, (long long)step, fields_end);
}

// start, something that ends in a digit of a step, end
static int is_between(const char *name, const char *start, const char *end)
{
    const size_t length = strlen(name), first = strlen(start), last = strlen(end);
    return length > first + last && strncmp(name, start, first) == 0 && strcmp(name + length - last, end) == 0 &&
           strchr("0123456789", name[length - last - 1]) != NULL;
}

int pv_dns_is_image_name(const char *name)
{
    return is_between(name, picture_start, picture_end) || is_between(name, fields_start, fields_end);
}
