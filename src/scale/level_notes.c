// SPDX-License-Identifier: Apache-2.0
#include "scale/level_notes.h"

#include <math.h>
#include <stdio.h>

void pv_level_notes_add(pv_level_notes *notes, pv_plot_note place, const char *format, double number)
{
    if (notes->count == PV_LEVEL_NOTES) return;
    char *text = notes->text[notes->count];
    snprintf(text, sizeof notes->text[0], format, number);
    place.text = text;
    notes->note[notes->count++] = place;
}

// To the left of where it is near the right edge.
void pv_level_notes_add_crossing(pv_level_notes *notes, double count, double percent, int colour)
{
    if (!isfinite(count)) return;
    const double at = log10(count), share = (at - notes->x[0]) / (notes->x[1] - notes->x[0]);
    notes->is_left_taken |= share <= 0.15;
    pv_level_notes_add(notes, (pv_plot_note){.x = at, .y = percent, .colour = colour, .ends = share > 0.9},
                       count < 100.0 ? "%.1f" : "%.0f", count);
}

void pv_level_notes_add_level(pv_level_notes *notes, double percent)
{
    const int right = notes->is_left_taken;
    pv_level_notes_add(notes, (pv_plot_note){.x = notes->x[right], .y = percent, .ends = right}, "%.0f %%", percent);
}
