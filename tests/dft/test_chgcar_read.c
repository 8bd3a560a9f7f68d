// SPDX-License-Identifier: Apache-2.0
#include "dft/files/chgcar_read.h"

#include <string.h>

#include "harness.h"

#define HEAD "made up\n 1.0\n 2.0 0 0\n 0 3.0 0\n 0 0 4.0\n Si\n 1\nDirect\n 0.1 0.2 0.3\n\n"

static pv_status parse(const char *text, pv_chgcar **chgcar_p)
{
    return pv_chgcar_parse(text, strlen(text), "CHGCAR", chgcar_p);
}

// First axis fastest in the file; values per volume; what stands between the fields is passed over.
static void fields_are_read(void **state)
{
    (void)state;
    pv_chgcar *chgcar;
    assert_ok(parse(HEAD " 2 1 3\n 0.1E+01 2 3 4 5\n 6\naugmentation occupancies 1 2\n 0.5 0.25\n  0.0 2 1 3\n"
                         " 2 1 3\n -1 -2 -3 -4 -5\n -6\n",
                    &chgcar));
    assert_int_equal(chgcar->spins, 2);
    assert_int_equal(chgcar->grid[0], 2);
    assert_int_equal(chgcar->grid[1], 1);
    assert_int_equal(chgcar->grid[2], 3);
    const double volume = chgcar->cell->volume_bohr3;
    for (int x = 0; x < 2; x++)
        for (int z = 0; z < 3; z++) {
            assert_near(chgcar->density[x * 3 + z] * volume, 1 + x + 2 * z, 1e-12);
            assert_near(chgcar->density[6 + x * 3 + z] * volume, -(1 + x + 2 * z), 1e-12);
        }
    assert_near(chgcar->cell->fractional[0][2], 0.3, 1e-15);
    pv_chgcar_destroy(chgcar);
    assert_ok(parse(HEAD " 1 1 2\n 3 4\n", &chgcar));
    assert_int_equal(chgcar->spins, 1);
    pv_chgcar_destroy(chgcar);
}

static void others_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"made up\n 1.0\n", "without an empty line"},
        {"made up\n\n", "CHGCAR"},
        {HEAD, "the grid should follow"},
        {HEAD " 2 1\n 1 2\n", "CHGCAR:11: found ' 2 1'; the grid is three positive integers"},
        {HEAD " 0 1 2\n", "three positive integers"},
        {HEAD " 99999 99999 99999\n 1 2\n", "no room for it"},
        {HEAD " 2 1 2\n 1 2 3\n", "with 3 of 4 values"},
        {HEAD " 2 1 2\n 1 2 x 3\n", "CHGCAR:12: found 'x'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pv_chgcar *chgcar = NULL;
        assert_fails(PV_ERR_INPUT, parse(cases[i].text, &chgcar));
        pv_test_mute(0);
        assert_null(chgcar);
        if (!strstr(pv_last_error(), cases[i].words)) fail_msg("'%s' lacks '%s'", pv_last_error(), cases[i].words);
    }
}

PV_TEST_MAIN(PV_TEST(fields_are_read), PV_TEST(others_are_refused))
