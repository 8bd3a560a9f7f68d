// SPDX-License-Identifier: Apache-2.0
#include "io/image.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/file_replace.h"
#include "base/mem.h"

static pv_status write_over(const char *path, int width, int height, const unsigned char *rgb)
{
    char aside[4096 + 8];
    snprintf(aside, sizeof aside, "%.4096s.tmp", path);
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGB};
    const int written = png_image_write_to_file(&image, aside, 0, rgb, 0, NULL);
    if (!written || rename(aside, path) != 0) {
        const char *reason = written ? strerror(errno) : image.message;
        remove(aside);
        PV_FAIL(PV_ERR_IO, "cannot write %s: %s", path, reason);
    }
    return PV_OK;
}

pv_status pv_image_write(const char *path, int width, int height, const unsigned char *rgb)
{
    char *target = NULL;
    PV_REQUIRE(width > 0 && height > 0 && width <= 1 << 15 && height <= 1 << 15, PV_ERR_ARGUMENT,
               "a picture of %d x %d points; 1 to 32768 are accepted", width, height);
    PV_TRY(pv_file_target(path, &target));
    const pv_status status = write_over(target, width, height, rgb);
    pv_mem_free(target);
    return status;
}
