// SPDX-License-Identifier: Apache-2.0
// Direct numerical simulation of incompressible turbulence by a Fourier pseudo-spectral method.
//
//     du/dt = u x w - 2 Omega x u - grad P + nu lap u - nu_h (-lap)^p u + f,   div u = 0,   w = curl u
//
// in a periodic box. Directions x, y, z are numbers 0, 1, 2; x is the fastest in memory. Units are the user's own:
// those
// of length, viscosity and velocity go together. Wave numbers are 2 pi / length times integers.
#ifndef PARSEVAL_DNS_H
#define PARSEVAL_DNS_H

#include <stdint.h>

#include <parseval/comm.h>
#include <parseval/fft.h>
#include <parseval/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pv_dns_dealias {
    PV_DEALIAS_CUBE,   // |index| < n / 3 in each direction: products are exact
    PV_DEALIAS_SPHERE, // the ellipsoid inside that cube
    PV_DEALIAS_SHIFT   // |index| < sqrt(2) / 3 n, grids shifted at random by pairs of evaluations
} pv_dns_dealias;

typedef enum pv_dns_form {
    PV_FORM_VORTICITY, // u x w: 9 transforms
    PV_FORM_DIVERGENCE // five products of velocities: 8 transforms, a field less of memory
} pv_dns_form;

typedef enum pv_dns_scheme {
    PV_SCHEME_AB2, // exponential Adams-Bashforth, second order
    PV_SCHEME_AB3, // third order
    PV_SCHEME_RK4  // Runge-Kutta of fourth order with an integrating factor: four evaluations a step
} pv_dns_scheme;

typedef enum pv_dns_flow { PV_FLOW_TAYLOR_GREEN, PV_FLOW_TAYLOR_GREEN_2D, PV_FLOW_ABC, PV_FLOW_RANDOM } pv_dns_flow;

typedef enum pv_dns_spectrum {
    PV_SPECTRUM_K4,  // k^4 exp(-2 (k / k_peak)^2)
    PV_SPECTRUM_PAO, // von Karman and Pao: inertial range of -5/3, exponential end
    PV_SPECTRUM_CBC  // Comte-Bellot and Corrsin 1971, U0 t / M = 42; lengths in cm, seconds
} pv_dns_spectrum;

typedef enum pv_dns_forcing {
    PV_FORCING_NONE,
    PV_FORCING_FROZEN, // energy of shells k <= forcing_k kept at its initial value
    PV_FORCING_POWER,  // f = P u / 2 E over k <= forcing_k
    PV_FORCING_OU      // Eswaran and Pope 1988: accelerations of Ornstein-Uhlenbeck processes, 0 < k <= forcing_k
} pv_dns_forcing;

typedef enum pv_dns_picture_kind {
    PV_PICTURE_NONE,
    PV_PICTURE_VORTICITY,        // surface |w| = picture_level sqrt(<w.w>)
    PV_PICTURE_Q,                // surface Q = picture_level <w.w> / 4
    PV_PICTURE_SLICE,            // the plane picture_slice of an axis
    PV_PICTURE_VOLUME            // |w| above half of picture_level sqrt(<w.w>), translucent
} pv_dns_picture_kind;

// The field that colours of a picture mean.
typedef enum pv_dns_picture_colour {
    PV_COLOUR_AUTO, // |u| on surfaces, |w| on slices and in volumes
    PV_COLOUR_SPEED,
    PV_COLOUR_U,
    PV_COLOUR_V,
    PV_COLOUR_W,
    PV_COLOUR_VORTICITY, // |w|
    PV_COLOUR_VORTICITY_X,
    PV_COLOUR_VORTICITY_Y,
    PV_COLOUR_VORTICITY_Z,
    PV_COLOUR_Q,
    PV_COLOUR_PRESSURE,
    PV_COLOUR_SCALAR // picture_scalar
} pv_dns_picture_colour;

enum { PV_DNS_MOST_SCALARS = 16 };

typedef struct pv_dns_params {
    int64_t grid[3]; // points along x, y, z
    double length_x, length_y, length_z;
    int precision; // pv_precision
    int dealias, form, scheme;

    double viscosity;
    double hyperviscosity;  // nu_h
    int64_t hyper_order;    // p
    double rotation;        // Omega, about z
    int64_t scalars;        // passive scalars
    // How many numbers the next two have: 1, which holds for all scalars, or one for each.
    int64_t schmidts, scalar_gradients[3];
    double schmidt[PV_DNS_MOST_SCALARS];            // viscosity / diffusivity
    double scalar_gradient[3][PV_DNS_MOST_SCALARS]; // mean gradient along x, y and z

    double dt;  // fixed, or the largest
    double cfl; // > 0: dt follows max(|u| / dx + |v| / dy + |w| / dz) dt = cfl
    double time_end;
    int64_t steps; // at most; 0: until time_end alone

    int flow;
    double abc_a, abc_b, abc_c; // of the ABC flow, times amplitude
    int64_t abc_k;              // its wave number, in units of each side's
    double amplitude; // of Taylor-Green and ABC flows; RANDOM: root mean square of one velocity component
    int spectrum;
    double k_peak, k_kolmogorov; // of spectra
    int64_t seed;

    int forcing;
    double forcing_k, forcing_power, forcing_time, forcing_sigma;
    double forcing_until; // time at which forcing ends; 0: never

    int64_t series_every, spectra_every, checkpoint_every; // steps; 0: at the end alone; -1: no checkpoint
    double checkpoint_minutes;                             // of the clock, for `parseval dns`; 0: by steps alone
    int64_t structure_every;                               // steps; 0: at the end alone; -1: never
    int picture;
    int64_t picture_every;       // steps; 0: at the end alone
    double picture_level, picture_slice, picture_azimuth, picture_elevation;
    int picture_colour;                // pv_dns_picture_colour
    int64_t picture_scalar;            // 1, 2, ...
    double picture_low, picture_high;  // ends of the scale of colours; equal: by the field
    int picture_slice_axis; // that the plane of a slice is normal to: 0, 1, 2 for x, y, z
    int64_t picture_width, picture_height;
    const char *fields;   // files of fields: names of them with commas between; NULL: none
    int64_t fields_every; // steps; 0: at the end alone
    int fields_precision; // pv_precision
    const char *restart;                                   // checkpoint to begin from; NULL: from `flow`
} pv_dns_params;

pv_dns_params pv_dns_params_defaults(void);

typedef struct pv_dns pv_dns;

// Collective; params are copied (their strings stay the caller's).
pv_status pv_dns_create(pv_comm *comm, const pv_dns_params *params, pv_dns **dns_p);
void pv_dns_destroy(pv_dns *dns);

// What will be computed and how: grid, modes, equations, scheme, memory. Belongs to dns. Local.
const char *pv_dns_plan_text(const pv_dns *dns);

// What a field is like at one time. Averages are over the box.
typedef struct pv_dns_record {
    int64_t step;
    double time, dt;        // dt: of the step to come; at time_end of the last one
    double cfl;             // of dt
    double dt_taken;        // of the step that led here; 0: none has
    double energy;          // <u.u> / 2
    double enstrophy;       // <w.w> / 2
    double dissipation;     // 2 nu Z, and the part of hyperviscosity
    double injection;       // power of the forcing: <u.f>
    double helicity;        // <u.w>
    double rms;             // u' = sqrt(2 E / 3)
    double integral_scale;  // pi / (2 u'^2) int E(k) / k dk
    double taylor_scale;    // sqrt(15 nu u'^2 / eps)
    double reynolds_taylor; // u' lambda / nu
    double kolmogorov;      // (nu^3 / eps)^(1/4)
    double kmax_eta;
    double skewness, flatness; // of du_i / dx_i, mean over i; 0 where these are round-off
    double divergence;         // max |k.u| / (|k| max |u|)
    // Of each scalar: <c^2> without its mean, what diffusion takes of it, 2 nu / Sc <|grad c|^2> (and hyperviscosity /
    // Sc), and what the mean gradient brings in, -2 G.<u c>, in a unit of time; 0 beyond the last.
    double scalar_variance[PV_DNS_MOST_SCALARS];
    double scalar_dissipation[PV_DNS_MOST_SCALARS];
    double scalar_production[PV_DNS_MOST_SCALARS];
    // <du_i/dx_i (dc/dx_i)^2> / (<(du_i/dx_i)^2>^(1/2) <(dc/dx_i)^2>), each a mean over i; 0 where these are round-off.
    double mixed_skewness[PV_DNS_MOST_SCALARS];
} pv_dns_record;

// Evaluates the equations at the present time and looks at the field. Collective.
pv_status pv_dns_observe(pv_dns *dns, pv_dns_record *record_p);
// One step. Collective.
pv_status pv_dns_step(pv_dns *dns);
// A checkpoint (HDF5), replaced whole or not at all; what PATH was before becomes PATH.previous. It can be
// restarted on any
// ranks, device, precision and grid. Collective.
pv_status pv_dns_save(pv_dns *dns, const char *path);
// A PNG of the present field, as params.picture says. Collective.
pv_status pv_dns_picture(pv_dns *dns, const char *path);
// Fields at points as VTKHDF, which ParaView opens, as params.fields and fields_precision say; needs HDF5. Collective.
pv_status pv_dns_fields(pv_dns *dns, const char *path);
int64_t pv_dns_steps_done(const pv_dns *dns);
double pv_dns_time(const pv_dns *dns);

// Shells of width 2 pi / (largest length), shell n: n - 1/2 <= k / width < n + 1/2, all of them to the corners;
// the sums
// of energy[] and energy are equal. transfer: of energy by the nonlinear term, its sum is 0. As the last observe found
// them; arrays belong to dns.
typedef struct pv_dns_shells {
    int count;
    double width;
    const double *energy, *transfer, *dissipation; // [count]; E(k) = energy / width
    // Of scalars' variance <c^2> without the mean, likewise.
    int scalars;
    const double *scalar_variance, *scalar_transfer, *scalar_dissipation; // [scalars][count]
} pv_dns_shells;
void pv_dns_shells_of(const pv_dns *dns, pv_dns_shells *shells_p);

// Moments of differences of velocity, du = u(x + r e) - u(x) over all points x, for distances r of 1, 2, 4, ... grid
// spacings to half the box along each axis e. Longitudinal: of the component along e; transverse: the mean of the two
// others.
enum { PV_DNS_MOST_SEPARATIONS = 16, PV_DNS_MOMENTS = 6 };
typedef struct pv_dns_structure {
    int count[3]; // distances along x, y, z
    double r[3][PV_DNS_MOST_SEPARATIONS];
    // <du^2>, <du^3>, <du^4>, <du^5>, <du^6>, <|du|^3>
    double longitudinal[3][PV_DNS_MOST_SEPARATIONS][PV_DNS_MOMENTS];
    double transverse[3][PV_DNS_MOST_SEPARATIONS][PV_DNS_MOMENTS];
} pv_dns_structure;
// Of the present field. Collective.
pv_status pv_dns_structure_of(pv_dns *dns, pv_dns_structure *structure_p);

#ifdef __cplusplus
}
#endif
#endif
