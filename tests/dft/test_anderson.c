// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2
#include "dft/solve/anderson.h"

#include <math.h>
#include <string.h>

#include "fixture.h"

enum { WIDTH = 3, STEPS = 3 };

// Plain steps of x -> left x + (what makes it vanish at 1): what they began with and their residuals, the last first.
static pv_anderson steps_of(const double left[WIDTH], const double start[WIDTH], double x[STEPS][WIDTH],
                            double r[STEPS][WIDTH])
{
    pv_anderson p = {0};
    memcpy(x[STEPS - 1], start, sizeof x[0]);
    for (int s = STEPS - 1; s >= 0; s--)
        for (int i = 0; i < WIDTH; i++) {
            r[s][i] = (left[i] - 1.0) * (x[s][i] - 1.0);
            if (s > 0) x[s - 1][i] = x[s][i] + r[s][i];
        }
    for (int i = 0; i < WIDTH; i++) {
        p.square += r[0][i] * r[0][i];
        for (int j = 0; j < PV_ANDERSON_OTHERS; j++) {
            const double dr = r[1 + j][i] - r[0][i], dx = x[1 + j][i] - x[0][i];
            p.left[j] += dr * r[0][i];
            for (int k = 0; k < PV_ANDERSON_OTHERS; k++) {
                p.residuals[j][k] += dr * (r[1 + k][i] - r[0][i]);
                p.crossed[j][k] += dx * (r[1 + k][i] - r[0][i]);
                p.moves[j][k] += dx * (x[1 + k][i] - x[0][i]);
            }
        }
    }
    return p;
}

static double combined(const double weight[STEPS], double a[STEPS][WIDTH], int i)
{
    double sum = 0.0;
    for (int s = 0; s < STEPS; s++) sum += weight[s] * a[s][i];
    return sum;
}

// Three steps span a plane: two modes are found at once, however slow or swinging.
static void two_modes_end_in_three_steps(void **state)
{
    (void)state;
    fixture f = fixture_open();
    pv_dense *dense;
    assert_ok(pv_dense_open(f.comm, &dense));
    const double left[WIDTH] = {0.95, -0.8, 0.0}, start[WIDTH] = {0.3, 2.0, 1.0};
    double x[STEPS][WIDTH], r[STEPS][WIDTH], weight[STEPS];
    const pv_anderson p = steps_of(left, start, x, r);
    assert_ok(pv_anderson_weigh(dense, 2, &p, weight));
    assert_near(weight[0] + weight[1] + weight[2], 1.0, 1e-10);
    for (int i = 0; i < WIDTH; i++) {
        assert_near(combined(weight, r, i), 0.0, 1e-9);
        assert_near(combined(weight, x, i), 1.0, 1e-7);
    }
    assert_ok(pv_anderson_weigh(dense, 0, &p, weight));
    assert_near(weight[0], 1.0, 0.0);
    assert_near(fabs(weight[1]) + fabs(weight[2]), 0.0, 0.0);
    pv_dense_close(dense);
    fixture_close(&f);
}

// A mode that grows from step to step is not followed to where its residual vanishes, while one that shrinks is.
static void a_state_that_is_not_stable_is_left(void **state)
{
    (void)state;
    fixture f = fixture_open();
    pv_dense *dense;
    assert_ok(pv_dense_open(f.comm, &dense));
    const double left[WIDTH] = {1.3, 0.5, 0.0}, start[WIDTH] = {1.1, 0.8, 1.0};
    double x[STEPS][WIDTH], r[STEPS][WIDTH], weight[STEPS];
    const pv_anderson p = steps_of(left, start, x, r);
    assert_ok(pv_anderson_weigh(dense, 2, &p, weight));
    assert_near(combined(weight, x, 0), x[0][0], 1e-9);
    assert_near(combined(weight, x, 1), 1.0, 1e-9);
    pv_dense_close(dense);
    fixture_close(&f);
}

PV_TEST_MAIN(PV_TEST(two_modes_end_in_three_steps), PV_TEST(a_state_that_is_not_stable_is_left))
