// SPDX-License-Identifier: Apache-2.0
// What the fuzz targets share: libFuzzer calls LLVMFuzzerTestOneInput with bytes that it varies. A reader may refuse
// them with a status and a message; it must not crash, leak, hang or take memory out of proportion. scripts/fuzz runs
// the targets.
#ifndef PV_TESTS_FUZZ_H
#define PV_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "base/log.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Errors and warnings are what most inputs get; only what goes wrong should be seen.
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    pv_log_mute_errors(1);
    pv_log_set_level(PV_LOG_ERROR);
    return 0;
}

// For properties that must hold whatever the input.
#define MUST(condition) ((condition) ? (void)0 : __builtin_trap())

#endif
