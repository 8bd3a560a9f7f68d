// SPDX-License-Identifier: Apache-2.0
#include "comm/nvshmem/nvshmem_load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"

#define FILE_NAME "libparseval_nvshmem.so"

enum { PATH_BYTES = 1024, PLACES = 3 };

// The folder of the program or library that this code is in.
static void own_folder(char *folder, size_t size)
{
    static const int here = 0;
    Dl_info info;
    char path[PATH_BYTES - 64] = "";
    // A program that was found by PATH is known to the linker by its bare name.
    if (dladdr(&here, &info) && info.dli_fname && strchr(info.dli_fname, '/'))
        snprintf(path, sizeof path, "%s", info.dli_fname);
    else if (readlink("/proc/self/exe", path, sizeof path - 1) < 0)
        path[0] = '\0';
    char *slash = strrchr(path, '/');
    if (slash) *slash = '\0';
    snprintf(folder, size, "%s", slash ? path : ".");
}

// Names for dlopen in the order of search; how many.
static int list_places(char places[PLACES][PATH_BYTES])
{
    const char *given = getenv("PARSEVAL_NVSHMEM_PLUGIN");
    char folder[PATH_BYTES - 64];
    if (given) {
        snprintf(places[0], PATH_BYTES, "%s", given);
        return 1;
    }
    own_folder(folder, sizeof folder);
    snprintf(places[0], PATH_BYTES, "%s/" FILE_NAME, folder);
    snprintf(places[1], PATH_BYTES, "%s/../lib/" FILE_NAME, folder);
    snprintf(places[2], PATH_BYTES, FILE_NAME);
    return PLACES;
}

static pv_status open_plugin(void **library_p)
{
    char places[PLACES][PATH_BYTES], looked[2 * PATH_BYTES] = "", why[512] = "";
    const int count = list_places(places);
    size_t used = 0;
    *library_p = NULL;
    for (int i = 0; i < count && !*library_p; i++) {
        *library_p = dlopen(places[i], RTLD_NOW | RTLD_LOCAL);
        const char *error = *library_p ? NULL : dlerror();
        // That a file is missing says less than why one that is there does not open.
        if (error && (!why[0] || strncmp(error, places[i], strlen(places[i])) != 0))
            snprintf(why, sizeof why, "%s", error);
        if (used < sizeof looked)
            used += (size_t)snprintf(looked + used, sizeof looked - used, "%s%s", i ? ", " : "", places[i]);
    }
    PV_REQUIRE(*library_p, PV_ERR_NOT_BUILT,
               "transport \"nvshmem\" needs the plug-in " FILE_NAME ": %s; looked for %s, or for what "
               "PARSEVAL_NVSHMEM_PLUGIN names; it is built where NVSHMEM is installed (pip package "
               "nvidia-nvshmem-cu13 or NVSHMEM_HOME, then build again with PV_CUDA=ON)",
               why, looked);
    return PV_OK;
}

static pv_status check_plugin(const pv_nvshmem_plugin *plugin)
{
    int found[3] = {0};
    PV_REQUIRE(plugin->abi == PV_NVSHMEM_PLUGIN_ABI, PV_ERR_UNSUPPORTED,
               FILE_NAME " has interface %d, this library wants %d: both must be of one build", plugin->abi,
               (int)PV_NVSHMEM_PLUGIN_ABI);
    plugin->find_version(found);
    const int *built = plugin->built_for;
    PV_REQUIRE(memcmp(found, built, sizeof found) == 0, PV_ERR_UNSUPPORTED,
               "NVSHMEM's library is version %d.%d.%d, " FILE_NAME
               " was built for %d.%d.%d: load that one (LD_LIBRARY_PATH) or "
               "build the plug-in again",
               found[0], found[1], found[2], built[0], built[1], built[2]);
    return PV_OK;
}

pv_status pv_nvshmem_load(const pv_nvshmem_plugin **plugin_p)
{
    static const pv_nvshmem_plugin *loaded;
    void *library;
    if (!loaded) {
        PV_TRY(open_plugin(&library));
        void *symbol = dlsym(library, PV_NVSHMEM_PLUGIN_SYMBOL);
        pv_nvshmem_plugin_getter get;
        memcpy(&get, &symbol, sizeof get);
        PV_REQUIRE(symbol, PV_ERR_UNSUPPORTED,
                   FILE_NAME " lacks " PV_NVSHMEM_PLUGIN_SYMBOL ": it is no plug-in of Parseval");
        PV_TRY(check_plugin(get()));
        loaded = get();
    }
    *plugin_p = loaded;
    return PV_OK;
}
