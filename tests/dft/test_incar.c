// SPDX-License-Identifier: Apache-2.0
#include "dft/files/incar.h"

#include <string.h>

#include "base/mem.h"
#include "capture.h"

static pv_incar *parsed(const char *text)
{
    pv_incar *incar = NULL;
    assert_ok(pv_incar_parse(text, strlen(text), "INCAR", &incar));
    return incar;
}

static void assert_value(const pv_incar *incar, const char *tag, const char *value)
{
    for (int i = 0; i < pv_incar_count(incar); i++)
        if (strcmp(pv_incar_tag(incar, i), tag) == 0) {
            assert_string_equal(pv_incar_value(incar, i), value);
            return;
        }
    fail_msg("no %s", tag);
}

static void statements_comments_and_continuations(void **state)
{
    (void)state;
    pv_incar *incar = parsed("Start parameters:\nSYSTEM = hafnia  # a comment; NELM = 3\n"
                             " encut=  500.00 eV ; Nelm =40;;EDIFF = 1D-6 ! NELM = 5\n"
                             "MAGMOM = 2*1.0 \\  \n  3*-1.5 \\\n 0.25\n"
                             "no sense at all\n= 5\nISPIN\n2 = 3\n");
    assert_int_equal(pv_incar_count(incar), 5);
    assert_value(incar, "SYSTEM", "hafnia");
    assert_value(incar, "ENCUT", "500.00 eV");
    assert_value(incar, "NELM", "40");
    assert_int_equal(pv_incar_line(incar, 1), 3);
    assert_int_equal(pv_incar_line(incar, 4), 4);
    double real = 0.0, *list;
    int whole = 0, count;
    assert_ok(pv_incar_real(incar, "ENCUT", &real));
    assert_near(real, 500.0, 0.0);
    assert_ok(pv_incar_real(incar, "EDIFF", &real));
    assert_near(real, 1e-6, 1e-20);
    assert_ok(pv_incar_int(incar, "nelm", &whole));
    assert_int_equal(whole, 40);
    assert_ok(pv_incar_reals(incar, "MAGMOM", &list, &count));
    const double expected[6] = {1.0, 1.0, -1.5, -1.5, -1.5, 0.25};
    assert_int_equal(count, 6);
    for (int i = 0; i < 6; i++) assert_near(list[i], expected[i], 0.0);
    pv_mem_free(list);
    assert_int_equal(pv_incar_asked(incar, 0), 0);
    assert_int_equal(pv_incar_asked(incar, 1), 1);
    pv_incar_destroy(incar);
}

static void line_ends_and_marks(void **state)
{
    (void)state;
    static const char *const texts[] = {"\xef\xbb\xbfNELM = 7\r\nENCUT =\t300 # c\r\nISPIN=2",
                                        "NELM = 7\rENCUT = 300 \\ \r\n eV\rISPIN=2\r", "NELM=7;ENCUT=300;ISPIN=2"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        pv_incar *incar = parsed(texts[i]);
        int nelm = 0, ispin = 0;
        double encut = 0.0;
        assert_int_equal(pv_incar_count(incar), 3);
        assert_ok(pv_incar_int(incar, "NELM", &nelm));
        assert_ok(pv_incar_int(incar, "ISPIN", &ispin));
        assert_ok(pv_incar_real(incar, "ENCUT", &encut));
        assert_int_equal(nelm, 7);
        assert_int_equal(ispin, 2);
        assert_near(encut, 300.0, 0.0);
        pv_incar_destroy(incar);
    }
}

static void quotes_hold_lines_and_signs(void **state)
{
    (void)state;
    pv_incar *incar =
        parsed("SYSTEM = \"a; b # c = d\"\nWANNIER90_WIN = \"\nbegin projections\nSi:sp3 ! all\nend\n\"\nNELM = 3\n");
    assert_value(incar, "SYSTEM", "a; b # c = d");
    assert_non_null(strstr(pv_incar_value(incar, 1), "Si:sp3 ! all\nend"));
    assert_value(incar, "NELM", "3");
    assert_int_equal(pv_incar_line(incar, 2), 7);
    pv_incar_destroy(incar);
    assert_fails(PV_ERR_INPUT, pv_incar_parse("NELM = 3\nSYSTEM = \"open\n", 24, "INCAR", &incar));
    assert_non_null(strstr(pv_last_error(), "INCAR:2:"));
}

static void blocks_are_prefixes(void **state)
{
    (void)state;
    pv_incar *incar = parsed("NELM = 3\nKERNEL_TRUNCATION {\n LTRUNCATE = T\n inner { A = 1; B = 2 }\n C = 4 }\n"
                             "PLUGINS/FORCE = F\nNELMIN = 4\n");
    assert_value(incar, "KERNEL_TRUNCATION/LTRUNCATE", "T");
    assert_value(incar, "KERNEL_TRUNCATION/INNER/A", "1");
    assert_value(incar, "KERNEL_TRUNCATION/INNER/B", "2");
    assert_value(incar, "KERNEL_TRUNCATION/C", "4");
    assert_value(incar, "PLUGINS/FORCE", "F");
    assert_value(incar, "NELMIN", "4");
    pv_incar_destroy(incar);
    assert_fails(PV_ERR_INPUT, pv_incar_parse("A { B = 1\n", 10, "INCAR", &incar));
    assert_fails(PV_ERR_INPUT, pv_incar_parse("A = 1 }\n", 8, "INCAR", &incar));
    const char *deep = "A{A{A{A{A{A{A{A{A{A{A{A{";
    assert_fails(PV_ERR_INPUT, pv_incar_parse(deep, strlen(deep), "INCAR", &incar));
}

static void the_first_of_two_counts(void **state)
{
    (void)state;
    pv_incar *incar = parsed("NELM = 3\nnelm = 4; NELM = 5\n");
    assert_int_equal(pv_incar_count(incar), 1);
    assert_value(incar, "NELM", "3");
    pv_incar_destroy(incar);
}

static int is_warned_of(const char *text)
{
    char said[1024];
    capture c = begin_capture();
    pv_incar *incar = parsed(text);
    double real = 0.0;
    pv_status status = PV_OK;
    for (int i = 0; i < 2 && status == PV_OK; i++) status = pv_incar_real(incar, "ENCUT", &real);
    pv_incar_destroy(incar);
    const int warnings = end_capture(&c, "warn:", said, sizeof said);
    assert_int_equal(status, PV_OK);
    return warnings;
}

static void what_looks_meant_and_does_not_count_is_said_once(void **state)
{
    (void)state;
    assert_int_equal(is_warned_of("Start parameters:\nElectrons\n--\nENCUT = 400 eV\n"), 0);
    assert_int_equal(is_warned_of("ENCUT\n"), 1);
    assert_int_equal(is_warned_of("ENCUT 400\n"), 1);
    assert_int_equal(is_warned_of("ENCUT = 400 500\n"), 1);
    assert_int_equal(is_warned_of("set EDIFF = 1E-3\nENCUT = 400\n"), 1);
    assert_int_equal(is_warned_of("Sigma : 0.05\n"), 1);
    assert_int_equal(is_warned_of("algo: fast\n"), 1);
    assert_int_equal(is_warned_of("# set EDIFF = 1E-3\n"), 0);
    assert_int_equal(is_warned_of("ENCUT = 400\nENCUT = 500\n"), 1);
}

static void logicals(void **state)
{
    (void)state;
    static const struct { const char *text; int value; } cases[] = {
        {"L = .TRUE.", 1}, {"L = T", 1}, {"L = true", 1}, {"L=.t.", 1}, {"L = .True. ! yes", 1},
        {"L = .FALSE.", 0}, {"L = F", 0}, {"L = false", 0}, {"L = .F", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pv_incar *incar = parsed(cases[i].text);
        int value = -1;
        assert_ok(pv_incar_logical(incar, "L", &value));
        assert_int_equal(value, cases[i].value);
        pv_incar_destroy(incar);
    }
}

static void wrong_values_are_named_with_their_line(void **state)
{
    (void)state;
    pv_incar *incar =
        parsed("\nA = many\nB = 3.5\nC = yes\nD =\nE = 1 2 x\nF = 0*3\nG = 999999999*0\nH = 99999999999\nI=3*\n"
               "J=200.5eV\nK=eV\nM = 62 Ha\nN = 30 ry\nO = 5 Haworth\n");
    double real = 7.0, *list;
    int whole = 7, count;
    assert_fails(PV_ERR_INPUT, pv_incar_real(incar, "A", &real));
    assert_non_null(strstr(pv_last_error(), "INCAR:2: found A = 'many'; a number is accepted"));
    assert_fails(PV_ERR_INPUT, pv_incar_int(incar, "B", &whole));
    assert_ok(pv_incar_real(incar, "J", &real));
    assert_near(real, 200.5, 0.0);
    assert_fails(PV_ERR_INPUT, pv_incar_real(incar, "K", &real));
    assert_fails(PV_ERR_INPUT, pv_incar_real(incar, "M", &real));
    assert_non_null(strstr(pv_last_error(), "found M = '62 Ha'; a number in VASP's unit"));
    assert_fails(PV_ERR_INPUT, pv_incar_real(incar, "N", &real));
    assert_ok(pv_incar_real(incar, "O", &real)); // a word of comment, as VASP takes it
    real = 7.0;
    assert_fails(PV_ERR_INPUT, pv_incar_logical(incar, "C", &whole));
    assert_non_null(strstr(pv_last_error(), ".TRUE."));
    assert_fails(PV_ERR_INPUT, pv_incar_int(incar, "D", &whole));
    assert_fails(PV_ERR_INPUT, pv_incar_reals(incar, "D", &list, &count));
    assert_fails(PV_ERR_INPUT, pv_incar_reals(incar, "E", &list, &count));
    assert_fails(PV_ERR_INPUT, pv_incar_reals(incar, "F", &list, &count));
    assert_fails(PV_ERR_INPUT, pv_incar_reals(incar, "G", &list, &count));
    assert_fails(PV_ERR_INPUT, pv_incar_int(incar, "H", &whole));
    assert_fails(PV_ERR_INPUT, pv_incar_reals(incar, "I", &list, &count));
    assert_near(real, 7.0, 0.0);
    assert_int_equal(whole, 7);
    pv_incar_destroy(incar);
}

static void absent_tags_leave_the_value(void **state)
{
    (void)state;
    pv_incar *incar = parsed("");
    double real = 1.5, *list = &real;
    int whole = 2, count = 9;
    const char *text = "as it was";
    assert_ok(pv_incar_real(incar, "A", &real));
    assert_ok(pv_incar_int(incar, "A", &whole));
    assert_ok(pv_incar_logical(incar, "A", &whole));
    assert_ok(pv_incar_text(incar, "A", &text));
    assert_ok(pv_incar_reals(incar, "A", &list, &count));
    assert_near(real, 1.5, 0.0);
    assert_int_equal(whole, 2);
    assert_string_equal(text, "as it was");
    assert_null(list);
    assert_int_equal(count, 0);
    assert_int_equal(pv_incar_has(incar, "A"), 0);
    pv_incar_destroy(incar);
}

PV_TEST_MAIN(PV_TEST(statements_comments_and_continuations), PV_TEST(line_ends_and_marks),
             PV_TEST(quotes_hold_lines_and_signs), PV_TEST(blocks_are_prefixes), PV_TEST(the_first_of_two_counts),
             PV_TEST(logicals), PV_TEST(what_looks_meant_and_does_not_count_is_said_once),
             PV_TEST(wrong_values_are_named_with_their_line), PV_TEST(absent_tags_leave_the_value))
