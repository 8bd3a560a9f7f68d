// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/xc_gradient_cap.h"

#include "harness.h"

static void small_gradients_stay(void **state)
{
    (void)state;
    for (double s = 0.0; s < 8.3; s += 0.1) {
        assert_true(xc_cap_gradient(s * s).value == s * s);
        assert_true(xc_cap_gradient(s * s).by == 1.0);
    }
}

static void large_ones_are_held(void **state)
{
    (void)state;
    for (double s = 8.3; s < 1e8; s *= 1.3)
        assert_near(sqrt(xc_cap_gradient(s * s).value), 8.572844 - 18.79622316 / (s * s), 1e-12);
    assert_near(sqrt(xc_cap_gradient(8.3 * 8.3).value), 8.3, 1e-6); // no step
}

static void derivatives_are_slopes(void **state)
{
    (void)state;
    static const double s[] = {0.5, 1.5, 6.0, 8.2, 8.6, 30.0, 300.0};
    for (size_t i = 0; i < sizeof s / sizeof *s; i++) {
        const double s2 = s[i] * s[i], step = 1e-5 * s2;
        const double slope = (xc_cap_gradient(s2 + step).value - xc_cap_gradient(s2 - step).value) / (2.0 * step);
        assert_near(xc_cap_gradient(s2).by, slope, 1e-6 * (slope + 1e-4));
    }
}

PV_TEST_MAIN(PV_TEST(small_gradients_stay), PV_TEST(large_ones_are_held), PV_TEST(derivatives_are_slopes))
