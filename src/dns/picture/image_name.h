// SPDX-License-Identifier: Apache-2.0
// Names of the pictures and files of fields in a run's folder, where they are made and where they are recognised. Pure.
#ifndef PV_DNS_IMAGE_NAME_H
#define PV_DNS_IMAGE_NAME_H

#include <parseval/dns.h>

enum { PV_DNS_IMAGE_NAME = 64 };

// picture_KIND_STEP.png; kind: pv_dns_picture_kind.
void pv_dns_picture_name(int kind, int64_t step, char name[PV_DNS_IMAGE_NAME]);
// fields_STEP.vtkhdf
void pv_dns_fields_name(int64_t step, char name[PV_DNS_IMAGE_NAME]);

// Whether it is one of either, of any kind and step, or of a picture without a kind.
int pv_dns_is_image_name(const char *name);

#endif
