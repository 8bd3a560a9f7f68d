// SPDX-License-Identifier: Apache-2.0
// Follows what the code allocates: tests compare it with what was held.
#include "dft/model/memory.h"

#include <math.h>

#include "base/check.h"

#define REAL 8.0
#define COMPLEX 16.0
#define INDEX 8.0
#define MILLER 12.0
#define LANES 8                        // lines side by side in a transform, at most
#define SEARCH 9.0                     // blocks of bands in the eigensolver: the space, H of it, one to turn them
#define TOGETHER 8                     // bands that symmetry takes to another point at a time
#define ROOM 0x1p27                    // of fields on their way between spheres and boxes; twice that of transforms
                                       // (fock_boxes.c)
#define LITTLE 12e9                    // a tenth of what an H200 has free
#define COMMUNICATOR 0x1p20            // what one keeps to exchange flags and small messages

static double share(double count, int ranks) { return ceil(count / ranks); }
static double round_up(double count, int step) { return step * ceil(count / step); }

// ---- k-points ----------------------------------------------------------------------------------------------------

typedef struct waves {
    double all;                        // of every k-point, all ranks
    double owned, most;                // of the group's: all, the largest
    double owned_local, most_local;    // this rank's share
    double owned_whole;                // with both halves of the spheres
    int owned_count;
    double reals;                      // of an element of its small matrices
} waves;

static waves count_waves(const pv_run_size *size)
{
    waves w = {.reals = 1.0};
    for (int k = 0; k < size->kpoints; k++) {
        const double count = size->waves[k], local = share(count, size->group_ranks);
        const int is_real = size->scalar[k] == PV_SCALAR_REAL;
        w.all += count;
        if (!size->is_owned[k]) continue;
        w.owned_count++;
        w.owned += count;
        w.most = fmax(w.most, count);
        w.owned_local += local;
        w.most_local = fmax(w.most_local, local);
        w.owned_whole += is_real ? 2.0 * count : count;
        if (!is_real) w.reals = 2.0;
    }
    return w;
}

static double eigensolver(const pv_run_size *size, const waves *w)
{
    const double bands = size->bands, space = 4.0 * bands;
    return COMPLEX * SEARCH * bands * w->most_local + REAL * w->reals * (2.0 * space * space + space * bands);
}

static double projectors(const pv_run_size *size, const waves *w)
{
    const double matrices = 2.0 * REAL * w->reals * size->bands * (double)size->projectors;
    const double shapes = 3.0 * (double)size->projectors_of_atom * w->owned_local; // of species, few
    if (size->on_gpu) return COMPLEX * ((double)size->projectors * w->most_local + shapes) + matrices;
    return COMPLEX * (double)size->projectors * w->owned_local + w->owned_count * matrices;
}

// Of `count` spheres with so many plane waves in all: these, their columns through the grid (of each plane rounded up to
// whole tiles), and slices of the planes that hold points; where `ranks` share them, also all columns through this
// rank's part of the grid, and what is on its way.
static double spheres(const pv_run_size *size, double count, double plane_waves, double reach, double height,
                      const int64_t grid[3], int ranks)
{
    const double n[3] = {(double)grid[0], (double)grid[1], round_up((double)grid[2], LANES)};
    const double planes = count * (2.0 * reach + 1.0), tiles = count * 2.0 * fmax(fmax(n[0], n[1]), n[2]) * LANES;
    const double columns = 0.75 * plane_waves / height + 0.5 * planes * LANES;
    const double here = columns * n[2] / ranks, there = columns * share(n[2] / LANES, ranks) * LANES;
    const double slices = planes * n[1] * LANES, messages = here + there;
    const double own = plane_waves / ranks + here + slices + tiles, shared = ranks > 1 ? there + slices : 0.0;
    return size->threads * COMPLEX * (own + shared) + (ranks > 1 ? COMPLEX * messages : 0.0)
           + 2.0 * INDEX * plane_waves / ranks;
}

// Bands of a block on the first of some ranks or teams; pairs stay together.
static double first_bands(const pv_run_size *size, int teams)
{
    return fmin(2.0 * share(ceil(size->bands / 2.0), teams), size->bands);
}

static double rank_bands(const pv_run_size *size) { return first_bands(size, size->group_ranks); }

// Blocks of bands between ranks: twice on this side, and once or twice in the messages.
static double moves(const pv_run_size *size, const waves *w)
{
    const double shared = first_bands(size, size->group_ranks / size->band_ranks) / size->band_ranks;
    const double sliced = size->bands * w->most_local;
    const double whole = w->most * (size->exchange.points ? fmax(shared, rank_bands(size)) : shared);
    return size->group_ranks > 1 ? COMPLEX * (sliced + whole + fmax(sliced, whole)) : 0.0;
}

static double transforms(const pv_run_size *size, const waves *w)
{
    const double lists = MILLER * w->all + (3.0 * REAL + REAL) * share(w->all, size->group_ranks);
    return lists + REAL * (w->owned_local + w->most_local) + moves(size, w)
           + spheres(size, w->owned_count, w->owned_whole, size->reach, size->height, size->grid,
                     size->band_ranks);
}

// ---- Grids -------------------------------------------------------------------------------------------------------

// Of the density's half sphere, what lies in the first rank's planes of the last axis: more than in those of others.
static double first_waves(const pv_run_size *size)
{
    const double planes = share((double)(size->grid[2] / 2 + 1), size->ranks), reach = size->density_reach;
    double here = 0.0, all = 0.0;
    for (double z = 0.0; z <= reach; z += 1.0) {
        const double area = 1.0 - z * z / (reach * reach + 1e-9);
        all += area;
        if (z < planes) here += area;
    }
    return size->density_waves * here / fmax(all, 1e-9);
}

// Room that a communicator keeps for sums of so many numbers: twice a piece (comm/arrays.h).
static double room_of_sums(double ranks, double reals)
{
    return ranks > 1.0 ? 2.0 * REAL * fmin(exp2(ceil(log2(reals))), 0x1p20) : 0.0;
}

// Of fields over all ranks, and over a group's of matrices, the largest of the order of the search space.
static double sums(const pv_run_size *size, const waves *w)
{
    const double points = (double)size->grid[0] * (double)size->grid[1] * (double)size->grid[2];
    const double fields = room_of_sums(size->ranks, points);
    const double matrices = room_of_sums(size->group_ranks, w->reals * pow(4.0 * size->bands, 2));
    return size->group_ranks < size->ranks ? fields + matrices : fmax(fields, matrices);
}

static double grids(const pv_run_size *size)
{
    const double n0 = (double)size->grid[0], n1 = (double)size->grid[1], n2 = (double)size->grid[2];
    const double points = n0 * n1 * n2, packed = n0 * n1 * round_up(n2, LANES), spins = size->spins;
    const double slab = share(n0, size->ranks) * n1 * n2, half = floor(n2 / 2.0) + 1.0;
    const double spectrum = n0 * n1 * share(half, size->ranks), waves = first_waves(size);
    const double transform = COMPLEX * (spectrum + n0 * n1 * round_up(half, LANES) / size->ranks);
    const double own = waves * (MILLER + 3.0 * REAL + 2.0 * REAL + INDEX);
    const double fields = COMPLEX * waves * (3.0 + size->has_core + 1.0 + spins + 2.0 * spins);
    const double mixing = waves * (REAL * 2.0 * spins + COMPLEX * 2.0 * spins * size->history);
    const double slabs = REAL * slab * (1.0 + spins + spins + (size->has_gradients ? 3.0 * spins : 0.0));
    const double whole = REAL * (2.0 * points + packed * (spins + 1.0));
    const double stars = size->density_waves * (2.0 * COMPLEX + MILLER + INDEX) + 4.0 * points;
    return transform + own + fields + mixing + slabs + whole + (size->is_symmetric ? stars : 0.0);
}

// ---- Exact exchange ----------------------------------------------------------------------------------------------

// Plane waves of the whole mesh and of products.
static double fixed(const pv_run_size *size, const pv_exchange_size *exchange, const waves *w)
{
    const int points = exchange->points, momenta = exchange->momenta;
    const int64_t *grid = exchange->grid;
    const double half = exchange->is_real ? 0.5 : 1.0, whole = w->most * (exchange->is_real ? 2.0 : 1.0);
    const double lists = points * half * whole * (MILLER + 4.0 * REAL);
    const double images = fmax(points - size->kpoints, 0.0) * half * whole * (INDEX + COMPLEX);
    const double own = spheres(size, points, points * whole, size->reach, size->height, grid, 1);
    // Kernels are padded to whole tiles; all share one sphere's workspace, in each precision.
    const double kernels = momenta * exchange->pair_waves * (1.3 * REAL + INDEX);
    const double host = spheres(size, 1.0, exchange->pair_waves, exchange->reach, exchange->height, grid, 1);
    const double pairs = (kernels + host) * (exchange->is_single ? 1.6 : 1.0);
    return points ? lists + images + own + pairs : 0.0;
}

static double field_of(const pv_exchange_size *exchange)
{
    const int64_t *grid = exchange->grid;
    return REAL * (double)(grid[0] * grid[1]) * round_up((double)grid[2], LANES) * (exchange->is_real ? 1.0 : 2.0);
}

// What mixing remembers of builds (solve/exchange_mixer.c): with the orbitals, or on the host beside a GPU where it is
// not little. What it needs while there are no builds is less than these do.
static double mixed(const pv_run_size *size, const waves *w)
{
    const double n = fmin(size->exchange.filled * (1.0 + 1.0 / 32.0) + 2.0, size->bands), frame = COMPLEX * n;
    const double small = REAL * (6.0 * n * n + 4.0 * n * size->bands);
    const double turns = REAL * 2.0 * n * n * size->spins * w->owned_count;
    const double remembered = frame * 4.0 * size->spins * w->owned_local;
    if (size->on_gpu) return small + turns + (remembered < LITTLE ? remembered : 0.0);
    return small + turns + remembered + REAL * 4.0 * n * size->bands;
}

// What is there all the time: that, and each state's compressed operator.
static double exchange(const pv_run_size *size, const waves *w)
{
    const double small = 2.0 * REAL * w->reals * size->bands * size->bands * w->owned_count;
    const double operators = size->spins * (2.0 * COMPLEX * size->bands * w->owned_local + small);
    const double rooms = size->on_gpu ? 5.0 * ROOM : 0.0; // transforms of both precisions
    return size->exchange.points ? fixed(size, &size->exchange, w) + rooms + operators + mixed(size, w) : 0.0;
}

// What is there for a moment in the end: exchange on another grid, and what acts on a few vectors.
static double comparison(const pv_run_size *size, const waves *w)
{
    const double fields = 2.0 * PV_MEMORY_COMPARED + TOGETHER, vectors = 2.0 * PV_MEMORY_COMPARED + 2.0 * TOGETHER;
    const double rooms = size->on_gpu ? 3.0 * ROOM : 0.0;
    return size->compared.points ? fixed(size, &size->compared, w) + rooms + fields * field_of(&size->compared)
                                       + vectors * COMPLEX * w->most
                                 : 0.0;
}

// What a build adds: this rank's bands whole and as fields with their sums, and bands of others on their way.
static double build(const pv_run_size *size, const waves *w)
{
    const double field = field_of(&size->exchange), bands = rank_bands(size);
    const double whole = COMPLEX * size->spins * bands * w->owned, fields = size->spins * w->owned_count * bands;
    const double portion = size->on_gpu ? 2.0 : bands; // of others, at once
    const double travelling = size->ranks > 1 ? 5.0 * whole + 2.0 * portion * field : 0.0;
    const double images = size->exchange.points > size->kpoints ? TOGETHER * (field + COMPLEX * w->most) : 0.0;
    const double apart = size->threads > 1 ? 2.0 * size->threads * field : 0.0;
    // Of tiles the least: the fields and sums of two states, and of all the coefficients of what is done for them.
    if (size->on_gpu && size->exchange.points)
        return 2.0 * whole + 2.0 * fmin(fields, 2.0 * bands) * field + travelling + images;
    return size->exchange.points ? whole + 2.0 * fields * field + travelling + images + apart : 0.0;
}

// In tiles of states, each of which meets one of others or of another tile. In double precision are filled bands alone,
// all in single, where a run has that.
static void add_tiles(const pv_run_size *size, const waves *w, pv_memory *memory)
{
    const double field = field_of(&size->exchange), bands = rank_bands(size);
    const double half = fmin(fmax(size->filled, 0.5 * size->bands) / size->bands, 1.0);
    const double part = size->exchange.is_single ? half : 1.0;
    const double whole = COMPLEX * size->spins * bands * w->owned * (size->ranks > 1 ? 7.0 : 2.0); // coefficients
    if (!size->on_gpu || !size->exchange.points) return;
    memory->states = size->spins * w->owned_count;
    memory->others = size->ranks > 1;
    memory->state_bytes = part * 2.0 * bands * field;
    memory->least_bytes = 2.0 * fmin(memory->states, 2.0) * bands * field + (1.0 - part) * whole;
}

static double tile_bytes(const pv_memory *memory, int tile)
{
    return memory->state_bytes * (tile + (memory->others || tile < memory->states));
}

// As fock_room.c chooses: of what is free tiles leave a tenth.
int pv_memory_tile(const pv_memory *memory, double limit_bytes, double *held_bytes_p)
{
    const double least = pv_memory_total(memory), rest = least - memory->least_bytes;
    *held_bytes_p = least;
    if (memory->states == 0) return 0;
    int tile = memory->states;
    for (int tiles = 1; tile > 1 && tile_bytes(memory, tile) > 0.9 * (limit_bytes - rest);)
        tile = (memory->states + tiles) / (tiles + 1), tiles++;
    *held_bytes_p = fmax(least, fmin(rest + tile_bytes(memory, tile), limit_bytes)); // portions of others shrink, too
    return tile;
}

// ---- The end -----------------------------------------------------------------------------------------------------

static double forces(const pv_run_size *size, const waves *w)
{
    const double small = REAL * w->reals * size->bands * (double)size->projectors;
    const double phases = COMPLEX * size->atoms * (double)(size->grid[0] + size->grid[1] + size->grid[2] + 3);
    const double force = COMPLEX * size->bands * w->most_local + small;
    const double functions = (double)(size->projectors + size->projectors_of_atom);
    const double stress = size->has_stress ? COMPLEX * functions * w->most_local + small + phases : 0.0;
    const double n0 = (double)size->grid[0], plane = (double)(size->grid[1] * size->grid[2]);
    const double files = size->writes_density ? REAL * plane * (size->spins * n0 + share(n0, size->ranks)) : 0.0;
    return fmax(fmax(force, stress), fmax(phases, files));
}

static double communicators(const pv_run_size *size)
{
    const int is_group = size->group_ranks < size->ranks;
    const int is_team = size->band_ranks > 1 && size->band_ranks < size->group_ranks;
    return COMMUNICATOR * (is_group + is_team);
}

pv_memory pv_memory_forecast(const pv_run_size *size)
{
    const waves w = count_waves(size);
    const double compared = comparison(size, &w), end = fmax(forces(size, &w), compared);
    pv_memory memory = {.comparison_bytes = compared, .bytes = {
        [PV_MEMORY_INPUT] = size->held_bytes + communicators(size),
        [PV_MEMORY_ORBITALS] = COMPLEX * size->bands * size->spins * w.owned_local,
        [PV_MEMORY_EIGENSOLVER] = eigensolver(size, &w),
        [PV_MEMORY_PROJECTORS] = projectors(size, &w),
        [PV_MEMORY_TRANSFORMS] = transforms(size, &w),
        [PV_MEMORY_GRIDS] = grids(size) + sums(size, &w),
        [PV_MEMORY_EXCHANGE] = exchange(size, &w) + build(size, &w),
        [PV_MEMORY_FORCES] = fmax(end - build(size, &w), 0.0), // builds are over by then
    }};
    add_tiles(size, &w, &memory);
    return memory;
}

double pv_memory_total(const pv_memory *memory)
{
    double total = 0.0;
    for (int part = 0; part < PV_MEMORY_PARTS; part++) total += memory->bytes[part];
    return total;
}

const char *pv_memory_part_name(pv_memory_part part)
{
    static const char *const names[PV_MEMORY_PARTS] = {
        "input", "orbitals", "eigensolver", "projectors", "transforms", "grids", "exchange", "forces and files",
    };
    return names[part];
}

pv_status pv_memory_check(double total_bytes, int node_ranks, double free_bytes, const char *help)
{
    PV_REQUIRE(free_bytes <= 0.0 || total_bytes * node_ranks <= free_bytes, PV_ERR_MEMORY,
               "the run needs about %.3g GB on each of %d rank%s of a node, %.3g GB in all; %.3g GB are free. %s",
               total_bytes * 1e-9, node_ranks, node_ranks == 1 ? "" : "s", total_bytes * node_ranks * 1e-9,
               free_bytes * 1e-9, help);
    return PV_OK;
}
