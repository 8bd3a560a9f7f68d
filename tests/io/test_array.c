// SPDX-License-Identifier: Apache-2.0
#include "io/array.h"

#include <string.h>

#include "harness.h"

#define MIB ((size_t)1 << 20)

// Pieces follow each other without a gap, are hyperslabs, fit, and begin where chunks begin; their number.
static int64_t check_pieces(const pv_array *array, size_t most_bytes)
{
    int64_t pieces = 0, at = 0, chunk[PV_ARRAY_DIMENSIONS], columns = 1;
    for (int d = 1; d < array->dimensions; d++) columns *= array->shape[d];
    pv_array_chunk(array, chunk);
    for (pv_piece piece = {0}; pv_array_next_piece(array, most_bytes, &piece); pieces++) {
        int64_t count = 1, offset = 0;
        for (int d = 0; d < array->dimensions; d++) {
            count *= piece.count[d];
            offset = offset * array->shape[d] + piece.offset[d];
            assert_true(piece.count[d] > 0 && piece.offset[d] + piece.count[d] <= array->shape[d]);
            assert_true(piece.offset[d] % chunk[d] == 0);
            assert_true(piece.count[d] % chunk[d] == 0 || piece.offset[d] + piece.count[d] == array->shape[d]);
        }
        assert_int_equal(offset, at);
        assert_int_equal(piece.row * columns + piece.column, offset);
        assert_int_equal(piece.rows * piece.columns, count);
        assert_true(piece.columns == columns || piece.rows == 1);
        assert_true((size_t)count * pv_number_bytes(array->type) <= most_bytes);
        at += count;
    }
    assert_int_equal(at, pv_array_count(array));
    return pieces;
}

static void small_arrays_are_one_piece(void **state)
{
    (void)state;
    const pv_array arrays[] = {{PV_NUMBER_INT32, 1, {1}},
                               {PV_NUMBER_REAL, 2, {3, 3}},
                               {PV_NUMBER_COMPLEX, 2, {7, 113}},
                               {PV_NUMBER_REAL, 4, {2, 12, 10, 8}}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) assert_int_equal(check_pieces(&arrays[i], 4 * MIB), 1);
    assert_int_equal(check_pieces(&(pv_array){PV_NUMBER_REAL, 2, {0, 5}}, 4 * MIB), 0);
}

static void large_arrays_are_cut(void **state)
{
    (void)state;
    assert_int_equal(check_pieces(&(pv_array){PV_NUMBER_COMPLEX, 2, {512, 30011}}, 32 * MIB), 8);
    check_pieces(&(pv_array){PV_NUMBER_COMPLEX, 2, {3, 5000011}}, 32 * MIB);
    check_pieces(&(pv_array){PV_NUMBER_REAL, 4, {2, 200, 180, 210}}, 32 * MIB);
    check_pieces(&(pv_array){PV_NUMBER_INT32, 1, {100000007}}, 32 * MIB);
}

// 2048 x 1024 x 1024 points and more: counts beyond 2^31.
static void counts_beyond_31_bits(void **state)
{
    (void)state;
    const pv_array field = {PV_NUMBER_REAL, 4, {3, 2048, 1024, 1024}};
    assert_true(pv_array_count(&field) > INT32_MAX);
    assert_int_equal(check_pieces(&field, 32 * MIB), 3 * 512);
    assert_true(check_pieces(&(pv_array){PV_NUMBER_COMPLEX, 2, {2, (int64_t)1 << 33}}, 1024 * MIB) == 2 * 128);
}

static void arrays_are_shown(void **state)
{
    (void)state;
    char text[96];
    const pv_array a = {PV_NUMBER_COMPLEX, 2, {7, 113}}, b = {PV_NUMBER_REAL, 2, {7, 113}};
    assert_string_equal(pv_array_show(&a, text), "7 x 113 complex numbers");
    assert_true(pv_array_is_same(&a, &a));
    assert_false(pv_array_is_same(&a, &b));
}

PV_TEST_MAIN(PV_TEST(small_arrays_are_one_piece), PV_TEST(large_arrays_are_cut), PV_TEST(counts_beyond_31_bits),
             PV_TEST(arrays_are_shown))
