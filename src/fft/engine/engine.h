// SPDX-License-Identifier: Apache-2.0
// What a local engine must do: transform a tile, `lanes` lines of one length held side by side in cache.
// Passes gather lines into tiles and scatter them out, so an engine sees one shape only: whatever the number of
// ranks and the layout, a line goes through the same instructions, hence the same bits.
#ifndef PV_FFT_ENGINE_ENGINE_H
#define PV_FFT_ENGINE_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#include <parseval/fft.h>

typedef enum pv_line_kind { PV_LINE_FORWARD, PV_LINE_INVERSE, PV_LINE_R2C, PV_LINE_C2R } pv_line_kind;

// Element k of lane w lies at in[k * in_step + w * in_lane] (elements of the input's type, real or complex); the
// same for out. Lane or step is 1. Both tiles are aligned to 64 bytes and do not overlap; execute may destroy `in`.
// n is the number of real-space points; the complex side of R2C and C2R has n / 2 + 1.
typedef struct pv_line_plan {
    const struct pv_engine_ops *ops;
    pv_line_kind kind;
    int64_t n;
    pv_precision precision;
    int lanes;
    int64_t in_step, in_lane, out_step, out_lane;
    size_t in_bytes, out_bytes, scratch_bytes;
    void *state;                        // the engine's own
} pv_line_plan;

typedef struct pv_engine_ops {
    const char *name;
    int on_gpu;                         // runs lines where the device's runner has them; execute is not called
    // 1 when the engine has this transform.
    int (*supports)(pv_line_kind kind, int64_t n, pv_precision precision);
    // Fills every field but ops, kind, n, precision. Not thread-safe.
    pv_status (*create)(pv_line_plan *plan, pv_rigor rigor);
    void (*destroy)(pv_line_plan *plan);
    // Thread-safe for distinct tiles; scratch has scratch_bytes, aligned to 64.
    void (*execute)(const pv_line_plan *plan, void *in, void *out, void *scratch);
    // What planning has learnt, as text (malloc'ed by pv_mem; NULL: nothing), and back.
    pv_status (*wisdom_export)(char **text_p);
    pv_status (*wisdom_import)(const char *text);
    // Whether wisdom_import would take the text, without taking it; messages begin with `from`. NULL: any text is good.
    pv_status (*wisdom_check)(const char *text, const char *from);
} pv_engine_ops;

extern const pv_engine_ops pv_engine_ref, pv_engine_fftw, pv_engine_lines, pv_engine_cuda, pv_engine_cufft;

// list.c: by name ("auto" is the caller's business); the error lists the known ones.
pv_status pv_engine_find(const char *name, const pv_engine_ops **engine_p);
const pv_engine_ops *pv_engine_at(int index);   // NULL after the last
int pv_engine_is_name(const char *name);        // of an engine of any build: wisdom may come from another

// Thin calls.
pv_status pv_line_plan_create(const pv_engine_ops *engine, pv_line_kind kind, int64_t n, pv_precision precision,
                              pv_rigor rigor, pv_line_plan *plan);
void pv_line_plan_destroy(pv_line_plan *plan);

static inline size_t pv_real_bytes(pv_precision precision) { return precision == PV_FP64 ? 8 : 4; }

#endif
