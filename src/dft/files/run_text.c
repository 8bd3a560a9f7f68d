// SPDX-License-Identifier: Apache-2.0
#include "dft/files/run_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "base/file_replace.h"

enum { BEGIN = 1, LAST_STEP = 2, ALL_STEPS = 4, END = 8 };

static void put(FILE *out, const pv_run_text *text, int parts, const pv_run *run)
{
    if (parts & BEGIN) text->begin(out, run);
    for (int i = parts & ALL_STEPS ? 1 : run->steps; parts & (LAST_STEP | ALL_STEPS) && i <= run->steps; i++)
        text->step(out, run, i);
    if (parts & END) text->end(out, run);
}

// *made_p belongs to the caller (free).
static pv_status make(const pv_run_text *text, int parts, const char *path, const pv_run *run, char **made_p,
                      size_t *length_p)
{
    *made_p = NULL;
    FILE *out = open_memstream(made_p, length_p);
    PV_REQUIRE(out, PV_ERR_MEMORY, "cannot write %s: no memory for its text", path);
    put(out, text, parts, run);
    const int failed = ferror(out) | fclose(out);
    PV_REQUIRE(!failed, PV_ERR_MEMORY, "cannot write %s: no memory for its text", path);
    return PV_OK;
}

static pv_status replace(const pv_run_text *text, int parts, const char *path, const pv_run *run, pv_run_grown *grown_p)
{
    char *made;
    size_t length = 0;
    pv_status status = make(text, parts, path, run, &made, &length);
    if (status == PV_OK) status = pv_file_replace(path, made);
    free(made);
    *grown_p = status == PV_OK ? (pv_run_grown)length : -1;
    return status;
}

static int is_as_left(const char *path, pv_run_grown grown)
{
    struct stat about;
    return grown >= 0 && stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size == grown;
}

// All of it, or the file is as before.
static pv_status write_behind(int file, const char *path, const char *made, size_t length, pv_run_grown grown)
{
    size_t done = 0;
    while (done < length) {
        const ssize_t written = pwrite(file, made + done, length - done, (off_t)grown + (off_t)done);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) break;
        done += (size_t)written;
    }
    if (done == length) return PV_OK;
    const int reason = errno;
    const int is_cut = ftruncate(file, (off_t)grown) == 0;
    PV_FAIL(PV_ERR_IO, "cannot write %s: %s%s", path, strerror(reason),
            is_cut ? "" : "; a part of a step stands there");
}

static pv_status append(const pv_run_text *text, int parts, const char *path, const pv_run *run, pv_run_grown *grown)
{
    char *made;
    size_t length = 0;
    pv_status status = make(text, parts, path, run, &made, &length);
    if (status == PV_OK) {
        const int file = open(path, O_WRONLY | O_CLOEXEC);
        status = file < 0 ? pv_fail(PV_ERR_IO, __func__, "cannot open %s: %s", path, strerror(errno))
                          : write_behind(file, path, made, length, *grown);
        if (status == PV_OK && parts & END && fsync(file) != 0)
            status = pv_fail(PV_ERR_IO, __func__, "cannot flush %s to disk: %s", path, strerror(errno));
        if (file >= 0 && close(file) != 0 && status == PV_OK)
            status = pv_fail(PV_ERR_IO, __func__, "cannot close %s: %s", path, strerror(errno));
    }
    free(made);
    *grown = status == PV_OK ? *grown + (pv_run_grown)length : -1;
    return status;
}

pv_status pv_run_text_begin(const pv_run_text *text, const char *path, const pv_run *run, pv_run_grown *grown_p)
{
    return replace(text, BEGIN, path, run, grown_p);
}

pv_status pv_run_text_add(const pv_run_text *text, const char *path, const pv_run *run, pv_run_grown *grown)
{
    if (is_as_left(path, *grown)) return append(text, LAST_STEP, path, run, grown);
    *grown = -1;
    PV_FAIL(PV_ERR_IO, "%s has been changed by others since the last step", path);
}

pv_status pv_run_text_finish(const pv_run_text *text, const char *path, const pv_run *run, pv_run_grown grown)
{
    return is_as_left(path, grown) ? append(text, END, path, run, &grown)
                                   : replace(text, BEGIN | ALL_STEPS | END, path, run, &grown);
}

pv_status pv_run_text_write(const pv_run_text *text, const char *path, const pv_run *run)
{
    return pv_run_text_finish(text, path, run, -1);
}

pv_status pv_run_write(const char *path, void (*put)(FILE *out, const pv_run *run), const pv_run *run)
{
    return pv_run_text_begin(&(pv_run_text){.begin = put}, path, run, &(pv_run_grown){0});
}
