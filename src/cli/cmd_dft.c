// SPDX-License-Identifier: Apache-2.0
// parseval dft: options, and the order of the work.
#include "cli/commands.h"

#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <parseval/comm_mpi.h>
#include <parseval/dft.h>

#include "base/check.h"
#include "base/file_replace.h"
#include "base/folder_lock.h"
#include "base/log.h"
#include "base/options.h"
#include "cli/interrupt.h"
#include "cli/manual.h"
#include "cli/place_options.h"
#include "cli/rank.h"
#include "dft/figure.h"
#include "dft/run_files.h"

static const char synopsis[] =
    "parseval dft [DIR] [--pseudo DIR] [OPTIONS]\n"
    "parseval dft --plot [DIR]\n"
    "mpirun -n RANKS parseval dft [DIR] [OPTIONS]\n";

static const char description[] =
    "Solves the calculation that POSCAR, INCAR and KPOINTS in DIR (default: here) describe,\n"
    "with VASP's tags and meanings, by plane waves and norm-conserving pseudopotentials, and\n"
    "writes results.json there, and OUTCAR, OSZICAR, EIGENVAL, DOSCAR, CONTCAR, vasprun.xml and\n"
    "(unless LCHARG = F) CHGCAR, for the programs that read VASP's. OUTCAR and OSZICAR have a step\n"
    "as soon as it is done; what an earlier run left is kept as NAME.before.\n"
    "\n"
    "The run begins from parseval.h5, where an earlier one has left it (ISTART = 0: from scratch),\n"
    "and leaves its orbitals and density there: at the end, every five minutes, and when SIGTERM,\n"
    "SIGINT, SIGUSR1 or a file STOPCAR with LABORT = T stop it (mpirun itself then ends with 1).\n"
    "ICHARG = 11 keeps the density of parseval.h5 or CHGCAR fixed and finds the bands of KPOINTS, a\n"
    "path in line mode for instance.\n"
    "\n"
    "Potentials: of each element of POSCAR the first UPF or psp8 file in --pseudo DIR; without\n"
    "it the built-in analytic GTH potentials for PBE. POTCAR is not read, and total energies\n"
    "are not comparable with VASP's. Without ENCUT the cutoff is the largest that a potential\n"
    "advises, or is found to need where its file is silent.\n"
    "\n"
    "Prints the plan before the work, then a line a step: energy (Harris-Foulkes), its change,\n"
    "the electrostatic energy of the density's change, expansions of the eigensolver's search\n"
    "space, gap, seconds. Converged when both changes are below EDIFF; a run that reaches NELM\n"
    "steps first writes its results with \"converged\": false and fails.\n"
    "\n"
    "Ranks form KPAR groups, each with k-points of its own, in which NCORE ranks share the transforms\n"
    "of a band; without these tags what promises the least time is taken. The plan says what, and how\n"
    "much memory a rank will need; a run that its nodes have no room for is refused with what would\n"
    "help. No result depends on ranks or groups.\n"
    "On --device cuda set-up and the ions' forces stay on the host, with OMP_NUM_THREADS threads.\n";

static const char examples[] =
    "parseval dft examples/hfo2\n"
    "mpirun -n 2 parseval dft examples/hfo2 --pseudo ~/potentials\n"
    "parseval dft si/bands --checkpoint si/parseval.h5 && parseval dft --plot si/bands\n";

typedef struct request {
    pv_dft_options dft;
    const char *device, *transport, *results;
    char checkpoint[4096];             // in the folder of the input
    int quiet;
    int plot;
    double plot_width_ev;
} request;

static pv_status parse(int argc, char **argv, request *r, int *help_p)
{
    const pv_option options[] = {
        {.name = "pseudo", .type = PV_OPTION_TEXT, .value = &r->dft.pseudo_directory, .unit = "DIR",
         .help = "Folder of UPF or psp8 potentials; without it the built-in GTH ones."},
        {.name = "results", .type = PV_OPTION_TEXT, .value = &r->results, .unit = "FILE",
         .help = "Write results.json here, and no other file."},
        {.name = "checkpoint", .type = PV_OPTION_TEXT, .value = &r->dft.checkpoint, .unit = "FILE",
         .help = "Orbitals and density, read and written; DIR/parseval.h5, only read with --results."},
        {.name = "engine", .type = PV_OPTION_TEXT, .value = &r->dft.engine, .unit = "NAME",
         .help = "What transforms the lines: fftw, lines, ref, or auto."},
        PV_DEVICE_OPTION(&r->device),
        PV_TRANSPORT_OPTION(&r->transport),
        {.name = "plot", .type = PV_OPTION_FLAG, .value = &r->plot,
         .help = "Compute nothing; draw bands.svg and dos.svg in DIR from the EIGENVAL of a finished run."},
        {.name = "plot-width", .type = PV_OPTION_REAL, .value = &r->plot_width_ev, .unit = "eV", .minimum = 1e-4,
         .maximum = 10.0, .help = "Width of the Gaussians in dos.svg."},
        {.name = "quiet", .type = PV_OPTION_FLAG, .value = &r->quiet, .help = "Print nothing but errors."},
    };
    const int count = sizeof options / sizeof options[0];
    const pv_manual manual = {.name = "dft",
                              .summary = "solve a plane-wave density-functional calculation",
                              .synopsis = synopsis,
                              .description = description,
                              .options = options,
                              .option_count = count,
                              .examples = examples,
                              .stopped_by = "a signal or STOPCAR"};
    PV_TRY(pv_options_parse(options, count, 1, &argc, argv, help_p));
    if (*help_p) {
        if (pv_rank_speaks()) pv_manual_print(stdout, &manual);
        return PV_OK;
    }
    PV_REQUIRE(argc <= 2, PV_ERR_ARGUMENT, "folders '%s' and '%s' given; at most one is accepted", argv[1], argv[2]);
    if (argc == 2) r->dft.directory = argv[1];
    if (r->dft.checkpoint) return PV_OK;
    snprintf(r->checkpoint, sizeof r->checkpoint, "%s/parseval.h5", r->dft.directory);
    r->dft.checkpoint = r->checkpoint;
    r->dft.checkpoint_read_only = r->results != NULL;
    return PV_OK;
}

static void print_line(void *context, const char *line)
{
    (void)context;
    printf("%s\n", line);
    fflush(stdout);
}

static const char *results_path(const request *r, char path[4096])
{
    if (r->results) return r->results;
    snprintf(path, 4096, "%s/results.json", r->dft.directory);
    return path;
}

static pv_status check_folder(const char *folder)
{
    struct stat found;
    PV_REQUIRE(stat(folder, &found) == 0, PV_ERR_INPUT, "cannot open the folder %s: %s", folder, strerror(errno));
    PV_REQUIRE(S_ISDIR(found.st_mode), PV_ERR_INPUT,
               "%s is a file; the folder that holds POSCAR, INCAR and KPOINTS is accepted", folder);
    return PV_OK;
}

typedef struct locks {
    int folder, file;
} locks;

// Runs that write one file each may share a folder.
static pv_status lock_outputs(const request *r, locks *locks)
{
    char folder[4096];
    if (!r->results) return pv_folder_lock(r->dft.directory, 0, &locks->folder);
    snprintf(folder, sizeof folder, "%s", r->results);
    char *end = strrchr(folder, '/');
    if (end) end[end == folder] = '\0';
    PV_TRY(pv_folder_lock(end ? folder : ".", 1, &locks->folder));
    return pv_file_lock(r->results, &locks->file);
}

static void unlock_outputs(const request *r, const locks *locks)
{
    if (r->results) pv_file_unlock(r->results, locks->file);
    pv_folder_unlock(locks->folder);
}

// Better now than after hours. Rank 0 alone.
static pv_status check_files(const request *r, locks *locks)
{
    char path[4096];
    PV_TRY(check_folder(r->dft.directory));
    PV_TRY(pv_file_check_replace(results_path(r, path)));
    PV_TRY(pv_run_input_check_apart(results_path(r, path), r->dft.directory));
    if (!r->results) PV_TRY(pv_run_files_check(r->dft.directory));
    return lock_outputs(r, locks);
}

static pv_status solve_and_write(pv_dft *dft, const request *r)
{
    char path[4096];
    if (!r->quiet && pv_rank_speaks()) print_line(NULL, pv_dft_plan_text(dft));
    PV_TRY(pv_dft_solve(dft));
    PV_TRY(pv_dft_write_results(dft, results_path(r, path)));
    if (!r->results) PV_TRY(pv_dft_write_files(dft, r->dft.directory));
    pv_dft_summary summary;
    pv_dft_summarise(dft, &summary);
    PV_REQUIRE(summary.converged, PV_ERR_CONVERGENCE,
               "not converged after %d step%s: raise NELM, or loosen EDIFF; the results say \"converged\": false",
               summary.steps, summary.steps == 1 ? "" : "s");
    return PV_OK;
}

static pv_status plot(const request *r)
{
    pv_figures figures;
    if (!pv_rank_speaks()) return PV_OK;
    PV_TRY(check_folder(r->dft.directory));
    PV_TRY(pv_figures_write(r->dft.directory, r->plot_width_ev, &figures));
    PV_REQUIRE(figures.bands || figures.dos, PV_ERR_INPUT, "EIGENVAL in %s has neither a path nor points with weight",
               r->dft.directory);
    if (r->quiet) return PV_OK;
    if (figures.bands) printf("bands are drawn in %s/bands.svg\n", r->dft.directory);
    if (figures.dos) printf("the density of states is drawn in %s/dos.svg\n", r->dft.directory);
    if (figures.gap_ev > 0.0) printf("gap %.4f eV\n", figures.gap_ev);
    return PV_OK;
}

// Where the work is done; orbital_comm is comm where that is the host.
typedef struct place {
    pv_device *host, *device;
    pv_comm *comm, *orbital_comm;
} place;

static pv_status open_devices(const request *r, place *place)
{
    PV_TRY(pv_rank_open_device(r->device, &place->device));
    if (!pv_device_is_host(place->device)) return pv_device_open("cpu", &place->host);
    place->host = place->device;
    return PV_OK;
}

static pv_status open_comms(const request *r, place *place)
{
    const int apart = place->host != place->device;
    pv_comm_options options = pv_comm_options_defaults();
    if (!apart) options.transport = r->transport;
    PV_TRY(pv_comm_open_mpi(MPI_COMM_WORLD, place->host, &options, &place->comm));
    place->orbital_comm = place->comm;
    options.transport = r->transport;
    return apart ? pv_comm_open_mpi(MPI_COMM_WORLD, place->device, &options, &place->orbital_comm) : PV_OK;
}

static void close_place(place *place)
{
    if (place->orbital_comm != place->comm) pv_comm_close(place->orbital_comm);
    pv_comm_close(place->comm);
    if (place->host != place->device) pv_device_close(place->host);
    pv_device_close(place->device);
}

static pv_status run_alone(place *place, request *r)
{
    PV_TRY(open_comms(r, place));
    pv_dft *dft = NULL;
    r->dft.orbital_comm = place->orbital_comm;
    pv_status status = pv_dft_create(place->comm, &r->dft, &dft);
    if (status == PV_OK) status = solve_and_write(dft, r);
    pv_dft_destroy(dft);
    return status;
}

static pv_status run(place *place, request *r)
{
    locks locks = {-1, -1};
    pv_status status = pv_rank_agree(pv_rank_speaks() ? check_files(r, &locks) : PV_OK);
    if (status == PV_OK) status = run_alone(place, r);
    unlock_outputs(r, &locks);
    return status;
}

int pv_cmd_dft(int argc, char **argv)
{
    request r = {.dft = pv_dft_options_defaults(), .device = "cpu", .transport = "auto", .plot_width_ev = 0.1};
    int help = 0;
    PV_TRY(parse(argc, argv, &r, &help));
    if (help) return PV_OK;
    if (r.plot) return plot(&r);
    r.dft.version = PV_VERSION;
    if (!r.quiet) r.dft.say = print_line;
    if (!r.results) r.dft.progress_directory = r.dft.directory;
    r.dft.stop = pv_interrupt_signal;
    pv_interrupt_begin(NULL);
    // Every rank reads the input; what there is to warn about in it is said once.
    if (!pv_rank_speaks() && !getenv("PARSEVAL_LOG")) pv_log_set_level(PV_LOG_ERROR);
    place place = {0};
    pv_status status = pv_rank_agree(open_devices(&r, &place));
    if (status == PV_OK) status = run(&place, &r);
    close_place(&place);
    return status;
}
