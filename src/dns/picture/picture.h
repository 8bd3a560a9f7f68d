// SPDX-License-Identifier: Apache-2.0
// Pictures of a running flow: a surface of constant |vorticity| or Q coloured by the speed, |vorticity| as a
// translucent volume, or a slice of it, made where the field lies. Each rank follows the rays through its own planes;
// the nearest hit of all ranks is seen, or their light laid over each other.
#ifndef PV_DNS_PICTURE_H
#define PV_DNS_PICTURE_H

#include "dns/picture/kernel.h"
#include "dns/state.h"

// Whether the ranks can make pictures: none of them has a part of a plane. Local, the same on all ranks.
pv_status pv_dns_picture_check(const pv_dns_state *state);

// Takes the work fields. energy, enstrophy: of the present field, the units of colours and levels. Collective.
pv_status pv_dns_picture_write(pv_dns_state *state, double energy, double enstrophy, const char *path);

// Where things are on an image: the flow in a window, a line of text above it, the scale of colours to its right.
typedef struct pv_dns_page {
    int64_t width, height;
    double window[4]; // left, top, right, bottom
    double letter;    // size of letters; 0: none, the image is too small for them
} pv_dns_page;
pv_dns_page pv_dns_page_of(int64_t width, int64_t height, const double size[3]); // of a box with these sides; pure

typedef struct pv_dns_legend {
    char caption[96], title[48]; // of the picture, of the scale; as pv_lettering takes them
    double low, high;            // of the scale
    dns_rgb (*colour)(double);   // 0 to 1
} pv_dns_legend;
// Into rgb [height][width][3]. Local.
pv_status pv_dns_page_letter(const pv_dns_page *page, const pv_dns_legend *legend, unsigned char *rgb);

// Axes with numbers: of a box with these sides, the lengths of which are told, as the camera sees it, or of a slice of
// it across an axis. Local.
pv_status pv_dns_page_axes(const pv_dns_page *page, const dns_camera *camera, const double size[3],
                           const double length[3], unsigned char *rgb);
pv_status pv_dns_page_frame(const pv_dns_page *page, int across, const double size[3], const double length[3],
                            unsigned char *rgb);

// A camera that looks at a box with these sides, from azimuth and elevation in degrees, so that it fills the page's
// window; with is_fine it has four rays a pixel. Pure.
dns_camera pv_dns_camera_of(const double size[3], const pv_dns_page *page, int is_fine, double azimuth,
                            double elevation);

// Where in its rays a camera sees a place of the box; the reciprocal of its depth. Pure.
void pv_dns_camera_place(const dns_camera *camera, const double at[3], double seen[2], double *near);

// Rays of a fine camera as an image, with the edges of the box: rgb [height / 2][width / 2][3]. Pure.
void pv_dns_picture_develop(const dns_camera *camera, const double size[3], int with_edges, int64_t *pixels,
                            unsigned char *rgb);

// Of volumes: two parts of a ray as one, and the rays' light over a finished image. Pure.
int64_t pv_dns_picture_behind(int64_t front, int64_t behind);
void pv_dns_picture_overlay(int64_t pixels, const int64_t *gathered, unsigned char *rgb);

#endif
