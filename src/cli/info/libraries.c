// SPDX-License-Identifier: Apache-2.0
// Versions are looked up by symbol in what the dynamic linker has loaded: that tells what is really linked, and needs
// no vendor's header here.
#include "cli/info/libraries.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static void *find(const char *symbol)
{
    return dlsym(RTLD_DEFAULT, symbol);
}

// Of "Open MPI v4.1.4, package: ..., date: ..." the beginning says it all; MPICH writes lines.
static void mpi_version(char *version, size_t size)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0, major = 0, minor = 0;
    MPI_Get_library_version(text, &length);
    MPI_Get_version(&major, &minor);
    text[strcspn(text, ",\n")] = '\0';
    for (char *at = text; *at; at++)
        if (*at == '\t') *at = ' ';
    snprintf(version, size, "%s (MPI %d.%d)", text, major, minor);
}

static void text_version(const char *symbol, char *version, size_t size)
{
    const char *text = find(symbol);
    if (text) snprintf(version, size, "%s", text);
}

static void fftw_version(char *version, size_t size)
{
    text_version("fftw_version", version, size);
}

static void fftwf_version(char *version, size_t size)
{
    text_version("fftwf_version", version, size);
}

static void function_version(const char *symbol, char *version, size_t size)
{
    void *address = find(symbol);
    if (!address) return;
    const char *(*function)(void);
    memcpy(&function, &address, sizeof function);
    snprintf(version, size, "%s", function());
}

static void openblas_version(char *version, size_t size)
{
    function_version("openblas_get_config", version, size);
}

// spglib tells each number by a function of its own.
static int spglib_number(const char *symbol)
{
    void *address = find(symbol);
    if (!address) return -1;
    int (*function)(void);
    memcpy(&function, &address, sizeof function);
    return function();
}

static void spglib_version(char *version, size_t size)
{
    const int major = spglib_number("spg_get_major_version"), minor = spglib_number("spg_get_minor_version"),
              micro = spglib_number("spg_get_micro_version");
    if (major >= 0) snprintf(version, size, "%d.%d.%d", major, minor, micro);
}

static void hdf5_version(char *version, size_t size)
{
    void *address = find("H5get_libversion");
    unsigned major = 0, minor = 0, micro = 0;
    if (!address) return;
    int (*function)(unsigned *major, unsigned *minor, unsigned *micro);
    memcpy(&function, &address, sizeof function);
    if (function(&major, &minor, &micro) >= 0) snprintf(version, size, "%u.%u.%u", major, minor, micro);
}

const char *pv_library_at(int index, char *version, size_t size)
{
    static const struct {
        const char *name;
        void (*read)(char *version, size_t size);
    } libraries[] = {{"MPI", mpi_version},         {"FFTW fp64", fftw_version}, {"FFTW fp32", fftwf_version},
                     {"OpenBLAS", openblas_version}, {"spglib", spglib_version}, {"HDF5", hdf5_version}};
    if (index < 0 || index >= (int)(sizeof libraries / sizeof libraries[0])) return NULL;
    version[0] = '\0';
    libraries[index].read(version, size);
    return libraries[index].name;
}
