// SPDX-License-Identifier: Apache-2.0
#include "io/plot_canvas.h"

#include <string.h>

void pv_plot_put_line(const canvas *c, double x1, double y1, double x2, double y2)
{
    fprintf(c->out, "M%.2f %.2fL%.2f %.2f", x1, y1, x2, y2);
}

static void put_escaped(FILE *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '&') fputs("&amp;", out);
        else if (text[i] == '<') fputs("&lt;", out);
        else if (text[i] == '>') fputs("&gt;", out);
        else if ((unsigned char)text[i] >= ' ') fputc(text[i], out);
    }
}

// Subscripts and superscripts by a shift and back: baseline-shift is not drawn everywhere.
static void put_marked_up(FILE *out, const char *text)
{
    while (*text) {
        const char *brace = strchr(text, '{'), *end = brace ? strchr(brace, '}') : NULL;
        while (end && (brace == text || (brace[-1] != '_' && brace[-1] != '^'))) {
            brace = strchr(brace + 1, '{');
            end = brace ? strchr(brace, '}') : NULL;
        }
        put_escaped(out, text, end ? (size_t)(brace - 1 - text) : strlen(text));
        if (!end) return;
        const double shift = brace[-1] == '_' ? 2.0 : -3.0;
        fprintf(out, "<tspan dy=\"%g\" font-size=\"%g\">", shift, PV_PLOT_SMALL_FONT);
        put_escaped(out, brace + 1, (size_t)(end - brace - 1));
        fprintf(out, "</tspan><tspan dy=\"%g\">&#8203;</tspan>", -shift);
        text = end + 1;
    }
}

void pv_plot_put_text(const canvas *c, double x, double y, const char *anchor, const char *more, const char *text)
{
    fprintf(c->out, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\"%s>", x, y, anchor, more);
    put_marked_up(c->out, text);
    fputs("</text>\n", c->out);
}

void pv_plot_put_letters(const canvas *c, const char *text, size_t length)
{
    put_escaped(c->out, text, length);
}
