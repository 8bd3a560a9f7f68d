// SPDX-License-Identifier: Apache-2.0
#include "dns/params.h"

#include <math.h>

#include "base/check.h"
#include "base/log.h"
#include "dns/files/field_names.h"
#include "dns/modes.h"

#define TWO_PI 6.283185307179586476925286766559
#define MOST_SHELLS 1e6

enum { LEAST_POINTS = 4, MOST_POINTS = 65536 }; // along a direction

pv_dns_params pv_dns_params_defaults(void)
{
    return (pv_dns_params){.grid = {64, 64, 64},
                           .length_x = TWO_PI,
                           .length_y = TWO_PI,
                           .length_z = TWO_PI,
                           .viscosity = 0.01,
                           .hyper_order = 4,
                           .schmidts = 1,
                           .scalar_gradients = {1, 1, 1},
                           .schmidt = {1.0},
                           .dt = 0.01,
                           .time_end = 1.0,
                           .abc_a = 1.0,
                           .abc_b = 1.0,
                           .abc_c = 1.0,
                           .abc_k = 1,
                           .amplitude = 1.0,
                           .k_peak = 4.0,
                           .k_kolmogorov = 0.0,
                           .seed = 1,
                           .forcing_k = 2.5,
                           .forcing_power = 0.1,
                           .forcing_time = 1.0,
                           .forcing_sigma = 0.1,
                           .series_every = 10,
                           .structure_every = -1,
                           .checkpoint_minutes = 10.0,
                           .picture_level = 2.5,
                           .picture_slice = 0.5,
                           .picture_slice_axis = 2,
                           .picture_scalar = 1,
                           .picture_azimuth = 30.0,
                           .picture_elevation = 22.0,
                           .picture_width = 1280,
                           .picture_height = 1080,
                           .fields_precision = PV_FP32};
}

#define NUMBER(name_, type_, field, unit_, least, most, help_)                                                         \
    {.name = name_, .type = type_, .value = &p->field, .unit = unit_, .minimum = least, .maximum = most, .help = help_}
#define REAL(name_, field, unit_, least, most, help_)                                                                  \
    NUMBER(name_, PV_OPTION_REAL, field, unit_, least, most, help_)
#define REALS(name_, field, count_, unit_, least, most, help_)                                                         \
    {.name = name_,                                                                                                    \
     .type = PV_OPTION_REALS,                                                                                          \
     .value = p->field,                                                                                                \
     .count = &p->count_,                                                                                              \
     .unit = unit_,                                                                                                    \
     .minimum = least,                                                                                                 \
     .maximum = most,                                                                                                  \
     .help = help_}
#define INT(name_, field, unit_, least, most, help_)                                                                   \
    NUMBER(name_, PV_OPTION_INT, field, unit_, least, most, help_)
#define CHOICE(name_, field, choices_, help_)                                                                          \
    {.name = name_, .type = PV_OPTION_CHOICE, .value = &p->field, .choices = choices_, .help = help_}
#define TEXT(name_, field, unit_, help_)                                                                               \
    {.name = name_, .type = PV_OPTION_TEXT, .value = &p->field, .unit = unit_, .help = help_}
#define SHAPE(name_, field, least, most, help_)                                                                        \
    {.name = name_,                                                                                                    \
     .type = PV_OPTION_SHAPE,                                                                                          \
     .value = p->field,                                                                                                \
     .minimum = least,                                                                                                 \
     .maximum = most,                                                                                                  \
     .help = help_}

int pv_dns_declare(pv_dns_params *p, pv_option table[PV_DNS_PARAMETERS])
{
    // clang-format off
    const pv_option declared[] = {
        SHAPE("grid", grid, LEAST_POINTS, MOST_POINTS, "Points along x, y and z, as 256x256x256."),
        REAL("length-x", length_x, "length", 1e-300, 1e300, "Side of the periodic box along x."),
        REAL("length-y", length_y, "length", 1e-300, 1e300, "Along y."),
        REAL("length-z", length_z, "length", 1e-300, 1e300, "Along z."),
        CHOICE("precision", precision, "fp64|fp32",
               "Of fields and transforms; sums and coefficients are fp64 in either case."),
        CHOICE("dealias", dealias, "cube|sphere|shift",
               "Which modes are kept: |index| < n/3, the sphere inside, or sqrt(2)/3 n with shifted grids."),
        CHOICE("form", form, "vorticity|divergence",
               "Of the nonlinear term: u x w with 9 transforms, or five products with 8."),
        CHOICE("scheme", scheme, "ab2|ab3|rk4",
               "Exponential Adams-Bashforth of order 2 or 3, or Runge-Kutta 4 with an integrating factor."),
        REAL("viscosity", viscosity, "length^2/time", 0.0, 1e300, "Kinematic viscosity nu."),
        REAL("hyperviscosity", hyperviscosity, "length^2p/time", 0.0, 1e300, "nu_h of a further damping nu_h k^2p."),
        INT("hyper-order", hyper_order, "p", 1, 16, "p of hyperviscosity."),
        REAL("rotation", rotation, "1/time", -1e300, 1e300, "Angular velocity of the frame about z."),
        INT("scalars", scalars, "N", 0, PV_DNS_MOST_SCALARS, "Passive scalars carried with the flow."),
        REALS("schmidt", schmidt, schmidts, NULL, 1e-6, 1e6,
              "Viscosity over diffusivity: one number for all scalars, or one for each, as 1, 0.7."),
        REALS("scalar-gradient", scalar_gradient[0], scalar_gradients[0], "1/length,...", -1e300, 1e300,
              "Mean gradient along x, which feeds scalars: one number for all, or one for each."),
        REALS("scalar-gradient-y", scalar_gradient[1], scalar_gradients[1], "1/length,...", -1e300, 1e300, "Along y."),
        REALS("scalar-gradient-z", scalar_gradient[2], scalar_gradients[2], "1/length,...", -1e300, 1e300, "Along z."),
        REAL("dt", dt, "time", 1e-300, 1e300, "Time step; with cfl the largest one."),
        REAL("cfl", cfl, NULL, 0.0, 10.0, "Courant number that the step follows; 0 keeps dt fixed."),
        REAL("time-end", time_end, "time", 0.0, 1e300, "Where the run ends; the last two steps are shortened to meet it."),
        INT("steps", steps, "N", 0, 1e12, "Most steps of this run; 0: no limit."),
        CHOICE("flow", flow, "taylor-green|taylor-green-2d|abc|random", "Initial field."),
        REAL("amplitude", amplitude, "length/time", -1e300, 1e300,
               "Of the initial field; of a random one the r.m.s. of a component (cbc: its own) and of each scalar."),
        REAL("abc-a", abc_a, NULL, -1e100, 1e100, "A of the ABC flow, of its waves along z; times amplitude."),
        REAL("abc-b", abc_b, NULL, -1e100, 1e100, "B, of its waves along x."),
        REAL("abc-c", abc_c, NULL, -1e100, 1e100, "C, of its waves along y."),
        INT("abc-k", abc_k, "N", 1, MOST_POINTS, "Periods of the ABC flow in each side."),
        CHOICE("spectrum", spectrum, "k4|pao|cbc",
               "Of a random field: k^4 exp(-2 (k/k-peak)^2), von Karman-Pao, or Comte-Bellot and Corrsin's."),
        REAL("k-peak", k_peak, "1/length", 1e-300, 1e300, "Wave number where the spectrum is highest."),
        REAL("k-kolmogorov", k_kolmogorov, "1/length", 0.0, 1e300,
               "1/eta of the pao spectrum; 0: two thirds of the largest kept wave number."),
        INT("seed", seed, NULL, 0, 9e15,
               "Of random fields, random forcing and random shifts; results depend on no rank count."),
        CHOICE("forcing", forcing, "none|frozen|power|ou",
               "Frozen energy of low shells, constant power, or Ornstein-Uhlenbeck accelerations."),
        REAL("forcing-k", forcing_k, "1/length", 1e-300, 1e300,
             "Largest wave number that is forced; with frozen and ou at most the largest that is kept."),
        REAL("forcing-power", forcing_power, "length^2/time^3", 0.0, 1e300, "P of forcing = power."),
        REAL("forcing-time", forcing_time, "time", 1e-300, 1e300, "Correlation time of forcing = ou."),
        REAL("forcing-sigma", forcing_sigma, "length/time^2", 0.0, 1e300,
               "Standard deviation of an acceleration of forcing = ou."),
        REAL("forcing-until", forcing_until, "time", 0.0, 1e300, "Forcing ends here, as a step does, and the flow decays; 0: never."),
        INT("series-every", series_every, "steps", 0, 1e12, "Between lines of series.csv; 0: first and last alone."),
        INT("spectra-every", spectra_every, "steps", 0, 1e12,
               "Between spectra in spectra.csv, on steps that series-every chooses; 0: first (without restart) and "
               "last."),
        INT("structure-every", structure_every, "steps", -1, 1e12,
            "Between structure functions in structure.csv, on steps that series-every chooses; 0: at the end alone, "
            "-1: never."),
        INT("checkpoint-every", checkpoint_every, "steps", -1, 1e12,
            "Between checkpoints; 0: at the end and by checkpoint-minutes alone, -1: never."),
        REAL("checkpoint-minutes", checkpoint_minutes, "minutes", 0.0, 1e6,
             "Of the clock after which a checkpoint is written, whatever checkpoint-every says (but -1); 0: by steps "
             "alone."),
        CHOICE("picture", picture, "none|vorticity|q|slice|volume",
               "Pictures (PNG): a surface of |vorticity| or Q, a plane, or all |vorticity|, translucent."),
        CHOICE("picture-colour", picture_colour,
               "auto|speed|u|v|w|vorticity|vorticity-x|vorticity-y|vorticity-z|q|pressure|scalar",
               "The field that colours show; auto: speed on surfaces, |vorticity| on slices and in volumes."),
        INT("picture-scalar", picture_scalar, "N", 1, PV_DNS_MOST_SCALARS, "Which one picture-colour = scalar shows."),
        REAL("picture-low", picture_low, NULL, -1e300, 1e300,
             "Lower end of the scale of colours; equal to picture-high: both ends follow the field."),
        REAL("picture-high", picture_high, NULL, -1e300, 1e300, "Its upper end."),
        INT("picture-every", picture_every, "steps", 0, 1e12, "Between pictures; 0: at the end alone."),
        REAL("picture-level", picture_level, NULL, 0.0, 1e6,
             "Of the surface, in r.m.s. vorticities, or for q in quarters of its square."),
        REAL("picture-slice", picture_slice, NULL, 0.0, 1.0, "Plane of slice, in parts of the side along picture-slice-axis."),
        CHOICE("picture-slice-axis", picture_slice_axis, "x|y|z", "That the plane of slice is across."),
        REAL("picture-azimuth", picture_azimuth, "degrees", -360.0, 360.0, "Where the camera stands, about z."),
        REAL("picture-elevation", picture_elevation, "degrees", -89.0, 89.0, "And above the x-y plane."),
        INT("picture-width", picture_width, "pixels", 16, 8192, "Of a picture."),
        INT("picture-height", picture_height, "pixels", 16, 8192, "Of a picture."),
        TEXT("fields", fields, "NAMES",
             "Fields to be written as fields_STEP.vtkhdf for ParaView: some of velocity,vorticity,q,pressure,scalars."),
        INT("fields-every", fields_every, "steps", 0, 1e12, "Between files of fields; 0: at the end alone."),
        CHOICE("fields-precision", fields_precision, "fp64|fp32", "Of the numbers in files of fields."),
        TEXT("restart", restart, "FILE", "Checkpoint to begin from, of any grid, precision and number of ranks."),
    };
    // clang-format on
    const int count = sizeof declared / sizeof declared[0];
    _Static_assert(sizeof declared / sizeof declared[0] <= PV_DNS_PARAMETERS, "room for the table");
    _Static_assert((int)PV_OPTION_MOST_REALS <= (int)PV_DNS_MOST_SCALARS, "room for the lists");
    for (int i = 0; i < count; i++) table[i] = declared[i];
    return count;
}

// Shells are as wide as the smallest wave number, and reach to the corner of the kept ones.
static pv_status check_sides(const pv_dns_params *p)
{
    const double length[3] = {p->length_x, p->length_y, p->length_z};
    const double longest = fmax(length[0], fmax(length[1], length[2]));
    double shells = 0.0;
    for (int d = 0; d < 3; d++) shells += longest / length[d] * (double)p->grid[d];
    PV_REQUIRE(
        shells <= MOST_SHELLS, PV_ERR_INPUT,
        "length-x = %g, length-y = %g, length-z = %g with %lld x %lld x %lld points are %g shells of wave numbers; "
        "sides less unlike, of at most %g shells, are accepted",
        length[0], length[1], length[2], (long long)p->grid[0], (long long)p->grid[1], (long long)p->grid[2], shells,
        MOST_SHELLS);
    return PV_OK;
}

double pv_dns_schmidt(const pv_dns_params *p, int scalar)
{
    return p->schmidt[p->schmidts == 1 ? 0 : scalar - 1];
}

double pv_dns_scalar_gradient(const pv_dns_params *p, int scalar, int direction)
{
    return p->scalar_gradient[direction][p->scalar_gradients[direction] == 1 ? 0 : scalar - 1];
}

static pv_status check_list(const pv_dns_params *p, const char *name, int64_t count)
{
    PV_REQUIRE(count == 1 || count == p->scalars, PV_ERR_INPUT,
               "%s has %lld numbers with scalars = %lld; one, which holds for all scalars, or one for each is accepted", name,
               (long long)count, (long long)p->scalars);
    return PV_OK;
}

// Damping's rate at the corner of the kept modes is a number.
static pv_status check_damping(const pv_dns_params *p)
{
    const double length[3] = {p->length_x, p->length_y, p->length_z};
    double k2 = 0.0, schmidt = p->schmidt[0];
    for (int64_t i = 1; i < p->schmidts; i++) schmidt = fmin(schmidt, p->schmidt[i]);
    const double per = fmax(1.0, 1.0 / schmidt);
    for (int d = 0; d < 3; d++) k2 += pow(TWO_PI / length[d] * (double)pv_dns_keep(p->grid[d], p->dealias), 2.0);
    const double hyper = p->hyperviscosity > 0.0 ? p->hyperviscosity * pow(k2, (double)p->hyper_order) : 0.0;
    PV_REQUIRE(isfinite(per * (p->viscosity * k2 + hyper)), PV_ERR_INPUT,
               "viscosity = %g, hyperviscosity = %g, hyper-order = %lld and schmidt = %g damp wave numbers up to %g at a "
               "rate beyond what numbers reach; less damping, or a coarser grid, is accepted",
               p->viscosity, p->hyperviscosity, (long long)p->hyper_order, schmidt, sqrt(k2));
    return PV_OK;
}

// Forcing acts on scales that are there. Constant power may act on all of them.
static pv_status check_forcing(const pv_dns_params *p)
{
    static const char *const names[] = {[PV_FORCING_FROZEN] = "frozen", [PV_FORCING_OU] = "ou"};
    PV_REQUIRE(p->viscosity > 0.0 || p->hyperviscosity > 0.0 || p->forcing == PV_FORCING_NONE, PV_ERR_INPUT,
               "forcing without viscosity and hyperviscosity: energy would grow without end; give one of them");
    if (p->forcing != PV_FORCING_FROZEN && p->forcing != PV_FORCING_OU) return PV_OK;
    const double largest = pv_dns_largest_wave_number(p);
    PV_REQUIRE(p->forcing_k <= largest, PV_ERR_INPUT,
               "forcing-k = %g with forcing = %s, where the grid keeps wave numbers up to %g; at most that is accepted",
               p->forcing_k, names[p->forcing], largest);
    return PV_OK;
}

static pv_status check_flow(const pv_dns_params *p)
{
    PV_REQUIRE(p->flow != PV_FLOW_RANDOM || p->amplitude > 0.0, PV_ERR_INPUT,
               "amplitude = %g for a random field; its r.m.s. velocity, above 0, is accepted", p->amplitude);
    for (int d = 0; d < 3 && p->flow == PV_FLOW_ABC; d++) {
        const int64_t keep = pv_dns_keep(p->grid[d], p->dealias);
        PV_REQUIRE(p->abc_k <= keep, PV_ERR_INPUT,
                   "abc-k = %lld, where %lld points along %c keep %lld periods; at most that is accepted",
                   (long long)p->abc_k, (long long)p->grid[d], 'x' + d, (long long)keep);
    }
    return PV_OK;
}

static pv_status check_picture(const pv_dns_params *p)
{
    PV_REQUIRE(p->picture_high >= p->picture_low, PV_ERR_INPUT,
               "picture-low = %g is above picture-high = %g; lower, or both equal for a scale by the field, is "
               "accepted",
               p->picture_low, p->picture_high);
    if (p->picture == PV_PICTURE_NONE || p->picture_colour != PV_COLOUR_SCALAR) return PV_OK;
    PV_REQUIRE(p->picture_scalar <= p->scalars, PV_ERR_INPUT,
               "picture-colour = scalar with picture-scalar = %lld and scalars = %lld; scalars = %lld, or another "
               "colour, is accepted",
               (long long)p->picture_scalar, (long long)p->scalars, (long long)p->picture_scalar);
    return PV_OK;
}

pv_status pv_dns_params_check(const pv_dns_params *p)
{
    unsigned fields = 0;
    if (p->fields) PV_TRY(pv_dns_fields_parse(p->fields, &fields));
    PV_REQUIRE(p->scalars > 0 || !(fields & 1u << PV_DNS_SCALARS), PV_ERR_INPUT,
               "fields = %.60s with scalars = 0; scalars from 1 on, or fields without them, are accepted", p->fields);
    for (int d = 0; d < 3; d++)
        PV_REQUIRE(p->grid[d] >= LEAST_POINTS && p->grid[d] <= MOST_POINTS, PV_ERR_INPUT,
                   "grid has %lld points along %c; %d to %d are accepted, written for x, y and z, as 64x64x64",
                   (long long)p->grid[d], 'x' + d, LEAST_POINTS, MOST_POINTS);
    PV_TRY(check_sides(p));
    PV_TRY(check_list(p, "schmidt", p->schmidts));
    PV_TRY(check_list(p, "scalar-gradient", p->scalar_gradients[0]));
    PV_TRY(check_list(p, "scalar-gradient-y", p->scalar_gradients[1]));
    PV_TRY(check_list(p, "scalar-gradient-z", p->scalar_gradients[2]));
    PV_TRY(check_damping(p));
    PV_TRY(check_forcing(p));
    PV_REQUIRE(p->steps > 0 || p->time_end / p->dt < 1e12, PV_ERR_INPUT,
               "time-end = %g with dt = %g is more than 10^12 steps; give a larger dt or steps", p->time_end, p->dt);
    PV_TRY(check_picture(p));
    return check_flow(p);
}

void pv_dns_params_tell_idle(const pv_dns_params *p)
{
    const pv_dns_params d = pv_dns_params_defaults();
    const int scalars = p->scalars > 0, forcing = p->forcing != PV_FORCING_NONE, ou = p->forcing == PV_FORCING_OU,
              is_random = p->flow == PV_FLOW_RANDOM, abc = p->flow == PV_FLOW_ABC;
    const int pictures = p->picture != PV_PICTURE_NONE;
    // A translucent body's own light has the scale of its depth.
    const int scaled = pictures && !(p->picture == PV_PICTURE_VOLUME && p->picture_colour == PV_COLOUR_AUTO);
    const char *without_scale = pictures ? "picture-colour" : "picture";
    const struct {
        const char *name;
        int acts;
        double given, silent;
        const char *without;
    } all[] = {{"schmidt", scalars, p->schmidt[0], d.schmidt[0], "scalars"},
               {"scalar-gradient", scalars, p->scalar_gradient[0][0], d.scalar_gradient[0][0], "scalars"},
               {"scalar-gradient-y", scalars, p->scalar_gradient[1][0], d.scalar_gradient[1][0], "scalars"},
               {"scalar-gradient-z", scalars, p->scalar_gradient[2][0], d.scalar_gradient[2][0], "scalars"},
               {"forcing-k", forcing, p->forcing_k, d.forcing_k, "forcing"},
               {"forcing-power", p->forcing == PV_FORCING_POWER, p->forcing_power, d.forcing_power, "forcing = power"},
               {"forcing-time", ou, p->forcing_time, d.forcing_time, "forcing = ou"},
               {"forcing-sigma", ou, p->forcing_sigma, d.forcing_sigma, "forcing = ou"},
               {"forcing-until", forcing, p->forcing_until, d.forcing_until, "forcing"},
               {"hyper-order", p->hyperviscosity > 0.0, (double)p->hyper_order, (double)d.hyper_order, "hyperviscosity"},
               {"picture-scalar", pictures && p->picture_colour == PV_COLOUR_SCALAR, (double)p->picture_scalar,
                (double)d.picture_scalar, "picture and picture-colour = scalar"},
               {"picture-low", scaled, p->picture_low, d.picture_low, without_scale},
               {"picture-high", scaled, p->picture_high, d.picture_high, without_scale},
               {"abc-a", abc, p->abc_a, d.abc_a, "flow = abc"},
               {"abc-b", abc, p->abc_b, d.abc_b, "flow = abc"},
               {"abc-c", abc, p->abc_c, d.abc_c, "flow = abc"},
               {"abc-k", abc, (double)p->abc_k, (double)d.abc_k, "flow = abc"},
               {"k-peak", is_random, p->k_peak, d.k_peak, "flow = random"},
               {"k-kolmogorov", is_random && p->spectrum == PV_SPECTRUM_PAO, p->k_kolmogorov, d.k_kolmogorov,
                "flow = random and spectrum = pao"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!all[i].acts && all[i].given != all[i].silent)
            pv_log(PV_LOG_WARN, "%s = %g does nothing without %s", all[i].name, all[i].given, all[i].without);
}
