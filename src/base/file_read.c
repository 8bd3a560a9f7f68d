// SPDX-License-Identifier: Apache-2.0
#include "base/file_read.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/check.h"
#include "base/mem.h"

// To open a pipe would wait for a writer.
pv_status pv_file_check_read(const char *path)
{
    struct stat found;
    // What is not there was asked for in vain; what is there and cannot be read is the system's fault.
    PV_REQUIRE(stat(path, &found) == 0, errno == ENOENT || errno == ENOTDIR ? PV_ERR_INPUT : PV_ERR_IO,
               "cannot open %s: %s", path, strerror(errno));
    PV_REQUIRE(S_ISREG(found.st_mode), PV_ERR_INPUT, "%s is %s; a regular file, or a link to one, is accepted", path,
               S_ISDIR(found.st_mode) ? "a directory" : "a device, a pipe or a socket");
    return PV_OK;
}

static pv_status read_all(FILE *file, const char *path, size_t most, char **data_p, size_t *length_p)
{
    struct stat about;
    char *data;
    PV_REQUIRE(fstat(fileno(file), &about) == 0, PV_ERR_IO, "cannot read %s: %s", path, strerror(errno));
    PV_REQUIRE((size_t)about.st_size <= most, PV_ERR_INPUT, "%s has %lld bytes; at most %zu are read", path,
               (long long)about.st_size, most);
    PV_TRY(pv_mem_alloc_raw((size_t)about.st_size + 1, 1, (void **)&data));
    const size_t length = fread(data, 1, (size_t)about.st_size, file);
    if (ferror(file)) {
        pv_mem_free(data);
        PV_FAIL(PV_ERR_IO, "cannot read %s: %s", path, strerror(errno));
    }
    data[length] = '\0';
    *data_p = data;
    *length_p = length;
    return PV_OK;
}

pv_status pv_file_read(const char *path, size_t most, char **data_p, size_t *length_p)
{
    PV_TRY(pv_file_check_read(path));
    FILE *file = fopen(path, "rb");
    PV_REQUIRE(file, PV_ERR_IO, "cannot open %s: %s", path, strerror(errno));
    const pv_status status = read_all(file, path, most, data_p, length_p);
    fclose(file);
    return status;
}
