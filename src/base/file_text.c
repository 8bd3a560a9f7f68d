// SPDX-License-Identifier: Apache-2.0
#include "base/file_text.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/file_replace.h"

pv_status pv_file_text_begin(const char *path, pv_file_text *text_p)
{
    *text_p = (pv_file_text){.path = path};
    text_p->out = open_memstream(&text_p->text, &text_p->length);
    PV_REQUIRE(text_p->out, PV_ERR_MEMORY, "cannot write %s: no memory for its text", path);
    return PV_OK;
}

pv_status pv_file_text_end(pv_file_text *text)
{
    const int failed = ferror(text->out) | fclose(text->out);
    const pv_status status =
        failed ? pv_fail(PV_ERR_MEMORY, __func__, "cannot write %s: no memory for its text", text->path)
               : pv_file_replace(text->path, text->text);
    free(text->text);
    return status;
}
