// SPDX-License-Identifier: Apache-2.0
// Notes of a figure of parallel efficiency: the number at which a line falls under a level, and the level's own name at
// the edge of the frame that these leave free. Along x are logarithms of numbers.
#ifndef PV_SCALE_LEVEL_NOTES_H
#define PV_SCALE_LEVEL_NOTES_H

#include "io/plot.h"

enum { PV_LEVEL_NOTES = 16 };

typedef struct pv_level_notes {
    double x[2];       // where the axis begins and ends
    int is_left_taken;
    int count;
    pv_plot_note note[PV_LEVEL_NOTES];
    char text[PV_LEVEL_NOTES][16];
} pv_level_notes;

// One number at a place, in one of printf's formats. What is more than there is room for is left out.
void pv_level_notes_add(pv_level_notes *notes, pv_plot_note place, const char *format, double number);
// count: where a line of this colour falls under the level; not finite: nowhere.
void pv_level_notes_add_crossing(pv_level_notes *notes, double count, double percent, int colour);
// After all crossings.
void pv_level_notes_add_level(pv_level_notes *notes, double percent);

#endif
