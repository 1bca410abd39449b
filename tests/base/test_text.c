/* Numbers whatever the locale, the growable text, suggestions, identifiers. */
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "tests/support/test.h"

TEST(numbers_are_read)
{
    static const struct {
        const char *text;
        double value;
    } good[] = {{"0", 0},       {"-0", 0},     {"-0.00", 0},     {"-0e5", 0},
                {"-1e-999", 0}, {"+7", 7},     {"1.5", 1.5},     {".5", 0.5},
                {"5.", 5},      {"1e3", 1000}, {"1E-3", 0.001},  {"-2.5e+2", -250},
                {"1e-999", 0},  {"007", 7},    {"1e308", 1e308}, {"4.9e-324", 4.9e-324}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        double value = -1;
        if (!oro_parse_number(good[i].text, &value) || value != good[i].value ||
            signbit(value) != signbit(good[i].value))
            fail_msg("'%s' gave %g", good[i].text, value);
    }
}

TEST(what_is_no_number_is_refused)
{
    static const char *const bad[] = {"",    " ",     "1,5",      "1e999", "-1e999", "nan",  "NaN",
                                      "inf", "-inf",  "infinity", "0x10",  "0x1p4",  " 1",   "1 ",
                                      "1\n", "1e",    "1e+",      "e5",    ".",      "-",    "+",
                                      "--1", "1.2.3", "1_000",    "1'000", "12a",    "1e5.", "١"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double value = 42;
        if (oro_parse_number(bad[i], &value))
            fail_msg("'%s' gave %g", bad[i], value);
        assert_true(value == 42);
    }
    double value;
    assert_false(oro_parse_number(NULL, &value));
    char long_one[1000];
    memset(long_one, '1', sizeof long_one - 1);
    long_one[sizeof long_one - 1] = '\0';
    assert_false(oro_parse_number(long_one, &value));
}

TEST(numbers_are_written_short)
{
    static const struct {
        double value;
        const char *text;
    } good[] = {{0, "0"},         {-0.0, "0"},    {0.1, "0.1"},       {1e6, "1000000"},
                {-3, "-3"},       {1e9, "1e9"},   {2e-5, "2e-5"},     {1.5e-7, "1.5e-7"},
                {1e100, "1e100"}, {46.6, "46.6"}, {123456, "123456"}, {1.0 / 3, "0.3333333333333333"}};
    char text[ORO_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_string_equal(oro_format_number(good[i].value, text), good[i].text);
    assert_true(strlen(oro_format_number(-1.7976931348623157e308, text)) < ORO_NUMBER_SIZE);
    assert_true(strlen(oro_format_number((double)NAN, text)) < ORO_NUMBER_SIZE);
    assert_true(strlen(oro_format_number(-(double)INFINITY, text)) < ORO_NUMBER_SIZE);
}

static uint64_t random_bits(void)
{
    static uint64_t x = UINT64_C(0x9E3779B97F4A7C15);
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return x;
}

static void expect_same(double value)
{
    char text[ORO_NUMBER_SIZE], longer[64];
    double back = 0;
    if (!oro_parse_number(oro_format_number(value, text), &back) || back != value || strchr(text, ','))
        fail_msg("%.17g became '%s'", value, text);
    snprintf(longer, sizeof longer, "%.17g", value);
    assert_true(strlen(text) <= strlen(longer));
}

static void every_number_comes_back(void)
{
    for (int i = 0; i < 30000; i++) {
        uint64_t bits = random_bits();
        double value;
        float single;
        uint32_t half = (uint32_t)(bits >> 32);
        memcpy(&value, &bits, sizeof value);
        memcpy(&single, &half, sizeof single);
        if (isfinite(value))
            expect_same(value);
        if (isfinite(single))
            expect_same((double)single);
        expect_same((double)(int64_t)bits / 1000.0);
        expect_same((double)(int32_t)half);
    }
}

TEST(numbers_come_back)
{
    every_number_comes_back();
}

/* Short decimals are read without strtod, and give the same bits, but for -0. */
TEST(short_numbers_are_as_strtod_reads_them)
{
    static const double scales[] = {1, 10, 1e3, 1e7, 1e12, 1e15};
    char text[64];
    for (int i = 0; i < 30000; i++) {
        double value, digits = (double)(random_bits() % UINT64_C(100000000000000000));
        snprintf(text, sizeof text, "%.*f", i % 16, (i % 2 ? -digits : digits) / scales[i % 6]);
        assert_true(oro_parse_number(text, &value));
        double expected = strtod(text, NULL) + 0.0;
        if (value != expected || signbit(value) != signbit(expected))
            fail_msg("'%s' gave %.17g", text, value);
    }
}

/* A locale with a decimal comma, where one is installed. */
static bool use_comma(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8",  "de_DE",       "fr_FR.UTF-8",
                                        "fr_FR.utf8",  "pl_PL.UTF-8", "ru_RU.UTF-8", "es_ES.UTF-8",
                                        "it_IT.UTF-8", "nl_NL.UTF-8"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (setlocale(LC_ALL, names[i]) && strcmp(localeconv()->decimal_point, ",") == 0)
            return true;
    setlocale(LC_ALL, "C");
    return false;
}

TEST(numbers_ignore_the_locale)
{
    if (!use_comma()) {
        print_message("skipped: no locale with a decimal comma is installed\n");
        skip();
    }
    char printed[16];
    snprintf(printed, sizeof printed, "%.1f", 1.5);
    assert_string_equal(printed, "1,5");
    test_numbers_are_read(state);
    test_what_is_no_number_is_refused(state);
    test_numbers_are_written_short(state);
    every_number_comes_back();
    setlocale(LC_ALL, "C");
}

TEST(text_grows)
{
    struct oro_text text = {0};
    oro_text_add_bytes(&text, NULL, 0);
    assert_string_equal(text.data, "");
    for (int i = 0; i < 1000; i++)
        oro_text_addf(&text, "%d,", i);
    oro_text_add(&text, "end");
    assert_false(text.failed);
    assert_int_equal(text.length, strlen(text.data));
    assert_string_equal(text.data + text.length - 7, "999,end");
    oro_text_free(&text);
    assert_null(text.data);
}

TEST(text_failure_sticks)
{
    struct oro_text text = {0};
    oro_text_add(&text, "abc");
    oro_memory_fail_at(1);
    oro_text_addf(&text, "%1000d", 1);
    assert_true(text.failed);
    oro_text_add(&text, "def");
    assert_string_equal(text.data, "abc");
    oro_text_free(&text);
    assert_false(text.failed);
}

TEST(texts_are_taken)
{
    struct oro_text text = {0};
    char *taken = oro_text_of("%s/%d", "folder", 12);
    assert_string_equal(taken, "folder/12");
    oro_free(taken);
    oro_text_add(&text, "abc");
    oro_memory_fail_at(1);
    oro_text_addf(&text, "%1000d", 1);
    assert_null(oro_text_take(&text));
    assert_true(!text.failed && !text.data);
    oro_memory_fail_at(1);
    assert_null(oro_text_of("%s", "none"));
    oro_memory_fail_at(0);
}

TEST(near_words_are_suggested)
{
    static const char *const words[] = {"perlin", "simplex", "value", "worley", NULL, "thermal_erosion"};
    size_t count = sizeof words / sizeof words[0];
    assert_string_equal(oro_suggest("perln", words, count), "perlin");
    assert_string_equal(oro_suggest("PERLIN", words, count), "perlin");
    assert_string_equal(oro_suggest("vaule", words, count), "value"); /* two letters swapped */
    assert_string_equal(oro_suggest("termal_erosoin", words, count), "thermal_erosion");
    assert_null(oro_suggest("hillshade", words, count));
    assert_null(oro_suggest("", words, count));
    assert_null(oro_suggest("perlin", words, 0));
    char long_word[200];
    memset(long_word, 'a', sizeof long_word - 1);
    long_word[sizeof long_word - 1] = '\0';
    assert_null(oro_suggest(long_word, words, count));
    const char *only_long[] = {long_word};
    assert_null(oro_suggest("aaaa", only_long, 1));
    static const char *const close[] = {"a1c", "abc"};
    assert_string_equal(oro_suggest("abd", close, 2), "abc"); /* the nearer, not the first */
    assert_null(oro_suggest("xyz", close, 2));
}

TEST(identifiers)
{
    assert_true(oro_is_identifier("a"));
    assert_true(oro_is_identifier("_a-9_Z"));
    assert_false(oro_is_identifier(""));
    assert_false(oro_is_identifier("9a"));
    assert_false(oro_is_identifier("-a"));
    assert_false(oro_is_identifier("a.b"));
    assert_false(oro_is_identifier("a b"));
    assert_false(oro_is_identifier("\xe9t\xe9"));
    assert_false(oro_is_identifier("été"));
}

TEST(words_are_found_in_lists)
{
    static const char *const words[] = {"one", "two", NULL};
    assert_int_equal(oro_find_word("one", words), 0);
    assert_int_equal(oro_find_word("two", words), 1);
    assert_int_equal(oro_find_word("Two", words), -1);
    assert_int_equal(oro_find_word("", words), -1);
    assert_int_equal(oro_find_word(NULL, words), -1);
}
