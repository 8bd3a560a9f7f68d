// SPDX-License-Identifier: Apache-2.0
// What the driver's management library knows and the CUDA runtime does not. It comes with the driver and is opened at
// run time; without it nothing is known.
#ifndef PV_DEVICE_CUDA_NVML_H
#define PV_DEVICE_CUDA_NVML_H

#include <stddef.h>

// GPUs go by their PCI address. Active NVLinks of one, -1: not known.
int pv_nvml_link_count(const char *pci);
// Whether two reach each other over NVLink, -1: not known.
int pv_nvml_are_linked(const char *pci, const char *other_pci);
// "process 4711 (python3) 12.3 GB, ...": who holds its memory; "" when not known.
void pv_nvml_print_holders(const char *pci, char *text, size_t size);

#endif
