// SPDX-License-Identifier: Apache-2.0
// Letters for pictures: strokes with smooth edges, of any size.
#ifndef PV_IO_LETTERING_H
#define PV_IO_LETTERING_H

#include <parseval/status.h>

// Text: digits, signs and the letters that pictures need, as pv_plot's labels with x_{ab} and x^{ab}; what has no
// strokes is an empty box. size: of a letter with its room above and below, in pixels.
double pv_lettering_width(const char *text, double size);

// Dark on an image rgb [height][width][3], the first letter's left end and the base line at (x, y).
pv_status pv_lettering_put(unsigned char *rgb, int width, int height, double x, double y, double size,
                           const char *text);

#endif
