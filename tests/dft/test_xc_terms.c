// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/xc_points.h"

#include <math.h>
#include <xc.h>

#include "dft/model/units.h"
#include "dft/terms/xc_screened.h"
#include "harness.h"

// Energy a volume at one point; derivatives by rho (up, down) and sigma (up up, up down, down down) where not NULL. The
// gradients are in a plane, that of the up or total density along its first axis.
static double energy_at(const pv_functional *functional, int spins, const double *rho, const double *sigma,
                        double *by_rho, double *by_sigma)
{
    pv_device *device;
    pv_xc_terms terms;
    double energy, potential[2], history[3] = {0.0}, left_out;
    double up = sqrt(sigma[0]), field[2][3] = {{up}};
    if (spins == 2 && up > 0.0) {
        field[1][0] = sigma[1] / up;
        field[1][1] = sqrt(fmax(sigma[2] - field[1][0] * field[1][0], 0.0));
    }
    const double along = field[1][0], across = field[1][1];
    const pv_xc_fields fields = {1, rho, field[0], history, potential, &energy, &left_out};
    assert_ok(pv_device_open("cpu:1", &device));
    assert_ok(pv_xc_terms_of(functional, &terms));
    assert_ok(pv_xc_points(pv_device_stream(device), &terms, spins, &fields));
    pv_device_close(device);
    for (int i = 0; by_rho && i < spins; i++) by_rho[i] = potential[i];
    if (!by_sigma) return energy;
    for (int i = 0; i < 2 * spins - 1; i++) by_sigma[i] = 0.0;
    if (!terms.gradients) return energy;
    const double both = spins == 2 && across > 0.0 ? field[0][1] / across : 0.0;
    by_sigma[0] = up > 0.0 ? (field[0][0] - both * along) / (2.0 * up) : 0.0;
    if (spins == 2) {
        by_sigma[1] = both;
        by_sigma[2] = across > 0.0 ? field[1][1] / (2.0 * across) : 0.0;
    }
    return energy;
}

static double fermi_wave(double rho) { return cbrt(3.0 * PV_PI * PV_PI * rho); }
static double slater(double rho) { return -0.75 * cbrt(3.0 / PV_PI) * pow(rho, 4.0 / 3.0); }

// sigma of a reduced gradient s = |grad rho| / (2 k_F rho).
static double sigma_of(double rho, double s) { return pow(2.0 * fermi_wave(rho) * rho * s, 2.0); }

static double gga_energy(int id, double rho, double sigma)
{
    xc_func_type functional;
    double exc;
    assert_int_equal(xc_func_init(&functional, id, XC_UNPOLARIZED), 0);
    xc_gga_exc(&functional, 1, &rho, &sigma, &exc);
    xc_func_end(&functional);
    return exc * rho;
}

static double lda_energy(int id, double rho)
{
    xc_func_type functional;
    double exc;
    assert_int_equal(xc_func_init(&functional, id, XC_UNPOLARIZED), 0);
    xc_lda_exc(&functional, 1, &rho, &exc);
    xc_func_end(&functional);
    return exc * rho;
}

// What the constants that Perdew and Wang published add to libxc's gradient-corrected correlation.
static double published(double rho) { return lda_energy(XC_LDA_C_PW, rho) - lda_energy(XC_LDA_C_PW_MOD, rho); }

static double without_correlation(pv_functional functional, double rho, double sigma)
{
    functional.lda_correlation = functional.gradient_correlation = 0.0;
    return energy_at(&functional, 1, &rho, &sigma, NULL, NULL);
}

// Short-range exchange of a kind, from what screening leaves of the rest: PBE_x - (PBE_x - S PBE_x).
static double short_range(pv_functional_kind kind, double rho, double sigma, double w)
{
    return without_correlation(pv_functional_of(kind), rho, sigma)
           - without_correlation(pv_functional_hybrid_of(kind, 1.0, w), rho, sigma);
}

static void full_range_hybrids_scale_the_exchange(void **state)
{
    (void)state;
    static const double fractions[] = {0.0, 0.1, 0.25, 1.0};
    const double rho = 0.08, sigma = 0.01;
    const double x = gga_energy(XC_GGA_X_PBE, rho, sigma), more = published(rho);
    const double c = gga_energy(XC_GGA_C_PBE, rho, sigma) + more;
    for (size_t i = 0; i < sizeof fractions / sizeof *fractions; i++) {
        const pv_functional hybrid = pv_functional_hybrid_of(PV_FUNCTIONAL_PBE, fractions[i], 0.0);
        assert_near(energy_at(&hybrid, 1, &rho, &sigma, NULL, NULL),
                    (1.0 - fractions[i]) * x + (fractions[i] == 1.0 ? 0.0 : c), 1e-15);
    }
    const pv_functional pbe0 = pv_functional_hybrid_of(PV_FUNCTIONAL_PBE, 0.25, 0.0);
    assert_near(energy_at(&pbe0, 1, &rho, &sigma, NULL, NULL), gga_energy(XC_HYB_GGA_XC_PBEH, rho, sigma) + more,
                1e-12);
    pv_functional shares = pv_functional_of(PV_FUNCTIONAL_PBE); // of B3LYP's kind: gradient corrections by themselves
    shares.lda_exchange = 0.8;
    shares.gradient_exchange = 0.72;
    shares.lda_correlation = 1.0;
    shares.gradient_correlation = 0.81;
    const double c_lda = gga_energy(XC_GGA_C_PBE, rho, 0.0) + more;
    assert_near(energy_at(&shares, 1, &rho, &sigma, NULL, NULL),
                0.8 * slater(rho) + 0.72 * (x - slater(rho)) + c_lda + 0.81 * (c - c_lda), 1e-10);
}

// libxc's HSE06 has w = 0.11 / bohr, and the hole's exchange where PBE's own stands here.
static void hse06_is_that_of_libxc(void **state)
{
    (void)state;
    const pv_functional hse = pv_functional_hybrid_of(PV_FUNCTIONAL_PBE, 0.25, 0.11);
    for (double rho = 1e-3; rho < 2.0; rho *= 3.0)
        for (double s = 0.05; s < 1.0; s *= 2.0) { // which it bends from 1 on
            const double sigma = sigma_of(rho, s);
            const double whole = gga_energy(XC_GGA_X_PBE, rho, sigma) - gga_energy(XC_GGA_X_WPBEH, rho, sigma);
            assert_near(energy_at(&hse, 1, &rho, &sigma, NULL, NULL),
                        gga_energy(XC_HYB_GGA_XC_HSE06, rho, sigma) + whole + published(rho), 1e-12 * rho);
        }
}

// ---- The exchange hole of PBE: M. Ernzerhof and J. P. Perdew, J. Chem. Phys. 109, 3313 (1998) -------------------

typedef struct hole {
    double s2h, cubic, quintic; // s^2 H(s), C (1 + s^2 F), E (1 + s^2 G)
} hole;

static const double A = 1.0161144, B = -0.37170836, C = -0.077215461, D = 0.57786348, E = -0.051955731;

static double hole_at(const hole *h, double y)
{
    const double y2 = y * y;
    const double smooth = (A / y2 + B + h->cubic * y2 + h->quintic * y2 * y2) * exp(-D * y2);
    return (smooth - A / (y2 * (1.0 + 4.0 / 9.0 * A * y2))) * exp(-h->s2h * y2);
}

// Integral over y from 0 of y^power J(y) erfc(nu y), midpoints in t = y / (1 + y).
static double moment(const hole *h, int power, double nu)
{
    enum { POINTS = 20000 };
    double sum = 0.0;
    for (int i = 0; i < POINTS; i++) {
        const double t = (i + 0.5) / POINTS, y = t / (1.0 - t);
        sum += pow(y, power) * hole_at(h, y) * erfc(nu * y) / ((1.0 - t) * (1.0 - t));
    }
    return sum / POINTS;
}

// G is what makes the hole hold one electron: integral of y^2 J = -3 pi / 4.
static hole hole_of(double s)
{
    const double s2 = s * s, s4 = s2 * s2;
    const double h =
        (0.00979681 * s2 + 0.0410834 * s4) / (1.0 + 0.187440 * s4 + 0.00120824 * s4 * s + 0.0347188 * s4 * s2);
    hole found = {s2 * h, C * (1.0 + s2 * (6.4753871 * h + 0.47965830)), E};
    const double missing = -0.75 * PV_PI - moment(&found, 2, 0.0);
    found.quintic += missing * 16.0 * pow(D + s2 * h, 3.5) / (15.0 * sqrt(PV_PI));
    return found;
}

// E_x = -8/9 of the integral of y J erfc(w y / k_F), in units of LDA's exchange. libxc fits erfc by Gaussians there.
static void short_range_pbe_is_that_of_its_hole(void **state)
{
    (void)state;
    const double w = 0.2 * PV_BOHR_ANGSTROM;
    for (double s = 0.05; s < 1.0; s += 0.3) {
        const hole h = hole_of(s);
        for (double rho = 1e-3; rho < 1.0; rho *= 5.0) {
            const double sigma = sigma_of(rho, s), nu = w / fermi_wave(rho);
            const double expected = -8.0 / 9.0 * moment(&h, 1, nu);
            assert_near(short_range(PV_FUNCTIONAL_PBE, rho, sigma, w) / slater(rho), expected, 2e-6);
        }
    }
}

static void short_range_lda_is_known_in_closed_form(void **state)
{
    (void)state;
    for (double rho = 1e-4; rho < 10.0; rho *= 4.0) {
        const double w = 0.15, a = w / (2.0 * fermi_wave(rho)), a3 = a * a * a;
        const double rest = 1.0 - 8.0 / 3.0 * a * (sqrt(PV_PI) * erf(0.5 / a)
                                                   + (2.0 * a - 4.0 * a3) * exp(-0.25 / (a * a)) - 3.0 * a + 4.0 * a3);
        assert_near(short_range(PV_FUNCTIONAL_LDA, rho, 0.0, w) / slater(rho), rest, 1e-9);
        assert_near(xc_ep_screened(2.0 * a, 0.0).value, rest, 2e-3);
        assert_near(xc_hjs_screened(2.0 * a, 0.0).value, rest, 4e-3); // another hole
    }
}

static void screening_lies_between_its_limits(void **state)
{
    (void)state;
    static const pv_functional_kind kinds[] = {PV_FUNCTIONAL_LDA, PV_FUNCTIONAL_PBE, PV_FUNCTIONAL_PBESOL};
    const double rho = 0.05, sigma = sigma_of(rho, 0.7);
    for (int k = 0; k < 3; k++) {
        const double whole = without_correlation(pv_functional_of(kinds[k]), rho, sigma);
        assert_near(short_range(kinds[k], rho, sigma, 1e-5) / whole, 1.0, 5e-3);
        assert_near(short_range(kinds[k], rho, sigma, 1e3) / whole, 0.0, 1e-4);
        assert_true(short_range(kinds[k], rho, sigma, 0.1) / whole > short_range(kinds[k], rho, sigma, 0.2) / whole);
    }
}

// E_x[up, down] = (E_x[2 up] + E_x[2 down]) / 2, screened or not.
static void exchange_scales_with_the_spin(void **state)
{
    (void)state;
    const double rho[2] = {0.07, 0.02}, sigma[3] = {0.011, 0.003, 0.002};
    for (int kind = PV_FUNCTIONAL_LDA; kind <= PV_FUNCTIONAL_PBESOL; kind++)
        for (int screened = 0; screened <= 1; screened++) {
            pv_functional f = pv_functional_hybrid_of((pv_functional_kind)kind, 0.25, 0.106 * screened);
            f.lda_correlation = f.gradient_correlation = 0.0;
            const double both = energy_at(&f, 2, rho, sigma, NULL, NULL);
            double halves = 0.0;
            for (int s = 0; s < 2; s++)
                halves += 0.5 * without_correlation(f, 2.0 * rho[s], 4.0 * sigma[2 * s]);
            assert_near(both, halves, 1e-12);
        }
}

static void derivatives_are_slopes(void **state)
{
    (void)state;
    for (int kind = PV_FUNCTIONAL_LDA; kind <= PV_FUNCTIONAL_PBESOL; kind++)
        for (int screened = 0; screened <= 1; screened++) {
            const pv_functional f = pv_functional_hybrid_of((pv_functional_kind)kind, 0.3, 0.106 * screened);
            const double rho[2] = {0.07, 0.02}, sigma[3] = {0.011, 0.003, 0.002};
            double by_rho[2], by_sigma[3];
            energy_at(&f, 2, rho, sigma, by_rho, by_sigma);
            for (int i = 0; i < 5; i++) {
                double ends[2];
                const double step = i < 2 ? 1e-5 * rho[i] : 1e-5 * sigma[i - 2];
                for (int side = 0; side < 2; side++) {
                    double r[2] = {rho[0], rho[1]}, g[3] = {sigma[0], sigma[1], sigma[2]};
                    *(i < 2 ? &r[i] : &g[i - 2]) += side ? step : -step;
                    ends[side] = energy_at(&f, 2, r, g, NULL, NULL);
                }
                assert_near((ends[1] - ends[0]) / (2.0 * step), i < 2 ? by_rho[i] : by_sigma[i - 2], 1e-7);
            }
        }
}

static void nothing_overflows(void **state)
{
    (void)state;
    for (int kind = PV_FUNCTIONAL_LDA; kind <= PV_FUNCTIONAL_PBESOL; kind++)
        for (double w = 0.0; w < 1.0; w += 0.106) {
            const pv_functional f = pv_functional_hybrid_of((pv_functional_kind)kind, 0.25, w);
            for (double rho = 2e-10; rho < 1e3; rho *= 10.0)
                for (double s = 0.0; s < 1e3; s = 4.0 * s + 0.1) {
                    const double r[2] = {0.9 * rho, 0.1 * rho}, sigma = sigma_of(rho, s);
                    const double g[3] = {0.81 * sigma, 0.09 * sigma, 0.01 * sigma};
                    double by_rho[2], by_sigma[3];
                    assert_true(isfinite(energy_at(&f, 2, r, g, by_rho, by_sigma)));
                    for (int i = 0; i < 5; i++) assert_true(isfinite(i < 2 ? by_rho[i] : by_sigma[i - 2]));
                }
        }
}

static void functionals_have_names(void **state)
{
    (void)state;
    static const struct {
        pv_functional_kind kind;
        double fraction, screening_angstrom;
        const char *name;
    } cases[] = {{PV_FUNCTIONAL_PBE, 0.0, 0.0, "PBE"},
                 {PV_FUNCTIONAL_PBE, 0.25, 0.0, "PBE0"},
                 {PV_FUNCTIONAL_PBE, 0.25, 0.2, "HSE06"},
                 {PV_FUNCTIONAL_PBE, 0.25, 0.3, "HSE03"},
                 {PV_FUNCTIONAL_PBESOL, 0.25, 0.2, "HSEsol"},
                 {PV_FUNCTIONAL_LDA, 0.3, 0.0, "LDA + 0.3 exact exchange"},
                 {PV_FUNCTIONAL_PBE, 0.4, 0.5, "PBE + 0.4 exact exchange, erfc(0.264589 r)/r"}};
    char text[96];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const pv_functional f = pv_functional_hybrid_of(cases[i].kind, cases[i].fraction,
                                                        cases[i].screening_angstrom * PV_BOHR_ANGSTROM);
        pv_functional_text(&f, sizeof text, text);
        assert_string_equal(text, cases[i].name);
    }
    pv_functional shares = pv_functional_of(PV_FUNCTIONAL_PBE);
    shares.gradient_exchange = 0.5;
    pv_functional_text(&shares, sizeof text, text);
    assert_string_equal(text, "PBE, shares 1 0.5 1 1");
    assert_string_equal(pv_functional_tag(&shares), "PE");
}

PV_TEST_MAIN(PV_TEST(full_range_hybrids_scale_the_exchange), PV_TEST(hse06_is_that_of_libxc),
             PV_TEST(short_range_pbe_is_that_of_its_hole), PV_TEST(short_range_lda_is_known_in_closed_form),
             PV_TEST(screening_lies_between_its_limits), PV_TEST(exchange_scales_with_the_spin),
             PV_TEST(derivatives_are_slopes), PV_TEST(nothing_overflows), PV_TEST(functionals_have_names))
