// SPDX-License-Identifier: Apache-2.0
// Pictures as PNG files.
#ifndef PV_IO_IMAGE_H
#define PV_IO_IMAGE_H

#include <parseval/status.h>

// rgb: [height][width][3], rows from the top. Replaced as pv_file_replace does. Local.
pv_status pv_image_write(const char *path, int width, int height, const unsigned char *rgb);

#endif
