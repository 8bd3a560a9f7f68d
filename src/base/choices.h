// SPDX-License-Identifier: Apache-2.0
// What a name may choose from, for the errors that tell of a wrong one.
#ifndef PV_BASE_CHOICES_H
#define PV_BASE_CHOICES_H

#include <stddef.h>

// "mpi (built in), nccl (not built in)": of choice(0), choice(1), ... until NULL. Cut to `size` characters.
void pv_choices_write(const char *(*choice)(int index, int *is_built_p), char *text, size_t size);

#endif
