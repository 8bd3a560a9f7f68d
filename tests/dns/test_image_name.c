// SPDX-License-Identifier: Apache-2.0
// What a run names its pictures and files of fields is what the next run in the folder recognises.
#include <string.h>

#include "dns/picture/image_name.h"
#include "harness.h"

static void names_are_recognised(void **state)
{
    (void)state;
    char name[PV_DNS_IMAGE_NAME];
    static const int64_t steps[] = {0, 7, 12345678, 1000000000000};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        for (int kind = PV_PICTURE_VORTICITY; kind <= PV_PICTURE_VOLUME; kind++) {
            pv_dns_picture_name(kind, steps[i], name);
            assert_true(pv_dns_is_image_name(name));
        }
        pv_dns_fields_name(steps[i], name);
        assert_true(pv_dns_is_image_name(name));
    }
    pv_dns_picture_name(PV_PICTURE_Q, 40, name);
    assert_string_equal(name, "picture_q_00000040.png");
    pv_dns_fields_name(40, name);
    assert_string_equal(name, "fields_00000040.vtkhdf");
    assert_true(pv_dns_is_image_name("picture_00000040.png"));
}

static void what_others_have_left_is_not(void **state)
{
    (void)state;
    static const char *const names[] = {"picture_.png",   "fields_.vtkhdf", "picture_mine.png",
                                        "my_fields_0.vtkhdf", "picture_q_00000040.png.before", "fields_00000040.xdmf",
                                        "series.csv",     "picture_",       ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) assert_false(pv_dns_is_image_name(names[i]));
}

PV_TEST_MAIN(PV_TEST(names_are_recognised), PV_TEST(what_others_have_left_is_not))
