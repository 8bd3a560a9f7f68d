// SPDX-License-Identifier: Apache-2.0
// What stands beside the flow on a picture: a line of text, and the scale of its colours.
#include <math.h>
#include <stdio.h>

#include "base/check.h"
#include "dns/picture/picture.h"
#include "io/lettering.h"
#include "io/plot.h"

// In sizes of letters.
static const double margin = 1.0, axes = 3.2, head = 2.6, side = 8.2, bar_from = 2.0, bar_wide = 0.9, gap = 0.5;

pv_dns_page pv_dns_page_of(int64_t width, int64_t height, const double size[3])
{
    const double w = (double)width, h = (double)height, least = fmin(w, h);
    const double most = fmax(size[0], fmax(size[1], size[2])), few = fmin(size[0], fmin(size[1], size[2]));
    pv_dns_page page = {.width = width, .height = height, .window = {0.02 * w, 0.02 * h, 0.98 * w, 0.98 * h}};
    if (least < 240.0) return page;
    page.letter = fmax(least / 40.0, 10.0);
    page.window[0] = axes * page.letter;
    page.window[1] = head * page.letter;
    page.window[2] = w - side * page.letter;
    page.window[3] = h - axes * page.letter;
    // The scale stands near the flow on a wide image.
    const double wide = 1.15 * most / fmax(few, 1e-3 * most) * (page.window[3] - page.window[1]);
    const double spare = fmax(page.window[2] - page.window[0] - wide, 0.0);
    page.window[0] += 0.5 * spare;
    page.window[2] -= 0.5 * spare;
    return page;
}

static void put_pixel(const pv_dns_page *page, int64_t row, int64_t column, dns_rgb c, unsigned char *rgb)
{
    unsigned char *out = rgb + 3 * (row * page->width + column);
    out[0] = (unsigned char)(255.0 * dns_clamp(c.r, 0.0, 1.0) + 0.5);
    out[1] = (unsigned char)(255.0 * dns_clamp(c.g, 0.0, 1.0) + 0.5);
    out[2] = (unsigned char)(255.0 * dns_clamp(c.b, 0.0, 1.0) + 0.5);
}

typedef struct bar {
    int64_t left, top, right, bottom, line; // line: thickness of its frame
} bar;

static bar bar_of(const pv_dns_page *page)
{
    const double left = page->window[2] + bar_from * page->letter;
    bar b = {.left = (int64_t)left,
             .top = (int64_t)(0.2 * (double)page->height),
             .right = (int64_t)(left + bar_wide * page->letter),
             .bottom = (int64_t)(0.8 * (double)page->height)};
    b.line = 1 + (int64_t)(page->letter / 24.0);
    return b;
}

static void put_bar(const pv_dns_page *page, const pv_dns_legend *legend, const bar *b, unsigned char *rgb)
{
    const dns_rgb grey = {0.25, 0.25, 0.25};
    for (int64_t row = b->top; row < b->bottom; row++)
        for (int64_t column = b->left; column < b->right; column++) {
            const int inside = row >= b->top + b->line && row < b->bottom - b->line && column >= b->left + b->line &&
                               column < b->right - b->line;
            const double at = ((double)(b->bottom - row) - 0.5) / (double)(b->bottom - b->top);
            put_pixel(page, row, column, inside ? legend->colour(at) : grey, rgb);
        }
}

static pv_status put_number(const pv_dns_page *page, double value, double step, double x, double y, unsigned char *rgb)
{
    char text[32];
    value = fabs(value) < 1e-9 * step ? 0.0 : value; // no -0
    const double lead = step < 1.0 ? ceil(-log10(step) - 1e-9) : 0.0;
    if (step < 1e-4 || step > 1e5)
        snprintf(text, sizeof text, "%.3g", value);
    else
        snprintf(text, sizeof text, "%.*f", (int)lead, value);
    return pv_lettering_put(rgb, (int)page->width, (int)page->height, x, y, page->letter, text);
}

static pv_status put_ticks(const pv_dns_page *page, const pv_dns_legend *legend, const bar *b, unsigned char *rgb)
{
    const double range = legend->high - legend->low, step = pv_plot_step(range, 6);
    const dns_rgb grey = {0.25, 0.25, 0.25};
    for (double n = ceil(legend->low / step - 1e-9); n * step <= legend->high + 1e-9 * range; n += 1.0) {
        const double at = (n * step - legend->low) / range, y = (double)b->bottom - at * (double)(b->bottom - b->top);
        const int64_t row = (int64_t)dns_clamp(y, (double)b->top, (double)(b->bottom - b->line));
        for (int64_t i = row; i < row + b->line; i++)
            for (int64_t column = b->right; column < b->right + (int64_t)(0.3 * page->letter); column++)
                put_pixel(page, i, column, grey, rgb);
        PV_TRY(put_number(page, n * step, step, (double)b->right + gap * page->letter, y + 0.35 * page->letter, rgb));
    }
    return PV_OK;
}

pv_status pv_dns_page_letter(const pv_dns_page *page, const pv_dns_legend *legend, unsigned char *rgb)
{
    if (page->letter == 0.0) return PV_OK;
    const int width = (int)page->width, height = (int)page->height;
    const bar b = bar_of(page);
    PV_TRY(
        pv_lettering_put(rgb, width, height, margin * page->letter, 1.7 * page->letter, page->letter, legend->caption));
    // A field of nothing has no scale, nor has one whose ends only round-off tells apart.
    const double size = fmax(fabs(legend->low), fabs(legend->high));
    if (!(legend->high - legend->low > 1e-9 * size)) return PV_OK;
    PV_TRY(pv_lettering_put(rgb, width, height, (double)b.left, (double)b.top - page->letter, page->letter,
                            legend->title));
    put_bar(page, legend, &b, rgb);
    return put_ticks(page, legend, &b, rgb);
}
