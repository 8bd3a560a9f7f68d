// SPDX-License-Identifier: Apache-2.0
// Pictures of a running flow: a surface of constant |vorticity| or Q coloured by the speed, |vorticity| as a translucent
// volume, or a slice of it, made where the field lies. Each rank follows the rays through its own planes; the nearest hit
// of all ranks is seen, or their light laid over each other.
#ifndef PV_DNS_PICTURE_H
#define PV_DNS_PICTURE_H

#include "dns/picture_kernel.h"
#include "dns/state.h"

// Whether the ranks can make pictures: none of them has a part of a plane. Local, the same on all ranks.
pv_status pv_dns_picture_check(const pv_dns_state *state);

// Takes the work fields. rms_vorticity: sqrt(<w.w>), the unit of picture_level (its square a quarter, that of Q). Collective.
pv_status pv_dns_picture_write(pv_dns_state *state, double rms_vorticity, const char *path);

// A camera that looks at the middle of a box of n points, from azimuth and elevation in degrees. Pure.
dns_camera pv_dns_camera_of(const int64_t n[3], int64_t width, int64_t height, double azimuth, double elevation);

// Pixels of 2 width x 2 height points, with the edges of the box: rgb [height][width][3]. Pure.
void pv_dns_picture_develop(const dns_camera *camera, const int64_t n[3], int with_edges, int64_t *pixels,
                            unsigned char *rgb);

// Of volumes: two parts of a ray as one, and the rays' light over a finished image. Pure.
int64_t pv_dns_picture_behind(int64_t front, int64_t behind);
void pv_dns_picture_overlay(int64_t pixels, const int64_t *gathered, unsigned char *rgb);

#endif
