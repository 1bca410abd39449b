/* orograph-bench: a run beside an earlier one, and what rows say. No test looks at how long anything takes.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "tests/cli/support.h"
#include "tests/support/test.h"

#define BENCH "\"" OROGRAPH_BENCH_PROGRAM "\" "
/* The quickest suite; it is the same at all sizes. */
#define DOCUMENT BENCH "document --repeats 1 --threads 2 "
#define RANGE BENCH "document balance --only implicit --repeats 1 --threads 2 "

static json_t *load(const char *name)
{
    json_error_t problem;
    json_t *root = json_load_file(name, 0, &problem);
    if (!root)
        fail_msg("%s: %s", name, problem.text);
    return root;
}

static json_t *row(const json_t *root, const char *what, int size)
{
    const json_t *rows = json_object_get(root, "rows");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        json_t *found = json_array_get(rows, i);
        if (strcmp(json_string_value(json_object_get(found, "what")), what) == 0 &&
            json_integer_value(json_object_get(found, "size")) == size)
            return found;
    }
    fail_msg("there is no row '%s' of %d", what, size);
    return NULL;
}

static double number(const json_t *object, const char *member)
{
    const json_t *value = json_object_get(object, member);
    if (!json_is_number(value))
        fail_msg("'%s' is no number", member);
    return json_number_value(value);
}

static void copy_earlier(const char *name)
{
    expect(DONE, "cp earlier.json %s", name);
}

TEST(rows_of_both_runs_are_compared)
{
    expect(DONE, RANGE "--sizes 16,8 --against earlier.json --json >now.json");
    says_not("warning");
    json_t *earlier = load("earlier.json"), *now = load("now.json");
    const json_t *time = row(now, "groups, reading", 5000), *height = row(now, "implicit, mean height", 8);
    double before = number(time, "before");
    assert_true(before == number(row(earlier, "groups, reading", 5000), "milliseconds"));
    assert_true(fabs(number(time, "ratio") - number(time, "milliseconds") / before) < 1e-9);
    assert_true(number(height, "before") == number(row(earlier, "implicit, mean height", 8), "figure"));
    assert_true(number(height, "before") > 0 && fabs(number(height, "ratio") - 1) < 1e-6);
    assert_null(json_object_get(row(now, "implicit", 16), "before"));
    assert_int_equal(json_array_size(json_object_get(json_object_get(now, "against"), "only_before")), 0);
    json_decref(earlier);
    json_decref(now);
    expect(DONE, DOCUMENT "--against now.json"); /* which was compared itself */
    says("groups, reading ");
    assert_int_equal(count(" only in 'now.json'\n"), 4);
}

TEST(rows_of_one_run_are_named)
{
    copy_earlier("other.json");
    replace("other.json", "one graph, ", "two graphs, ");
    expect(DONE, DOCUMENT "--against other.json");
    assert_int_equal(count(" only in this run\n"), 9);
    assert_int_equal(count(" only in 'other.json'\n"), 11);
    assert_int_equal(count("two graphs, "), 9);
    expect(DONE, DOCUMENT "--against other.json --json >now.json");
    json_t *now = load("now.json");
    const json_t *only = json_object_get(json_object_get(now, "against"), "only_before");
    assert_int_equal(json_array_size(only), 11);
    assert_null(json_object_get(row(now, "one graph, reading", 5000), "ratio"));
    assert_non_null(json_object_get(row(now, "groups, reading", 5000), "ratio"));
    json_decref(now);
}

TEST(other_circumstances_are_told)
{
    json_t *earlier = load("earlier.json");
    json_object_set_new(earlier, "device", json_string("Slide rule"));
    json_object_del(earlier, "layout");
    assert_int_equal(json_dump_file(earlier, "other.json", 0), 0);
    json_decref(earlier);
    expect(DONE, DOCUMENT "--against other.json");
    says("warning: 'other.json' was made on another device, Slide rule");
    assert_int_equal(count(" only in this run\n"), 0);
    expect(DONE, BENCH "document --repeats 1 --threads 1 --against earlier.json --json");
    says("warning: 'earlier.json' was made with another number of threads, 2");
    says("\"threads\": 1,");
}

TEST(other_units_are_an_error)
{
    json_t *earlier = load("earlier.json");
    json_object_update_new(row(earlier, "one graph, reading", 5000),
                           json_pack("{s:s, s:i}", "unit", "ft", "figure", 3));
    assert_int_equal(json_dump_file(earlier, "feet.json", 0), 0);
    json_decref(earlier);
    expect(FAILED, DOCUMENT "--against feet.json");
    says("document 'one graph, reading' at 5000 is in ms, and in 'feet.json' in ft");
    assert_int_equal(count(" only in this run\n"), 1); /* what was measured is not lost */
}

/* There is no such device, either: the file is looked at first, so that no run is lost. */
TEST(files_that_are_no_runs_are_refused)
{
    static const struct {
        const char *from, *to, *says;
    } cases[] = {
        {"\"layout\": 1", "\"layout\": 2", "'bad.json' is of layout 2, and this program reads layout 1"},
        {"\"layout\": 1", "\"layout\": []", "'bad.json' is not what orograph-bench prints with --json"},
        {"\"rows\"", "\"lines\"", "'bad.json' is not what orograph-bench prints with --json"},
        {"\"what\": \"groups, reading\"", "\"what\": 7", "with --json: row 12"},
        {"\"unit\": \"m\"", "\"unit\": \"\"", "with --json: row "},
        {"\"milliseconds\"", "\"hours\"", "with --json: row 1"},
        {"\"version\"", "version", "'bad.json' is not JSON: line 4: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        copy_earlier("bad.json");
        replace("bad.json", cases[i].from, cases[i].to);
        expect(FAILED, DOCUMENT "--device 255 --against bad.json");
        says(cases[i].says);
    }
    write_file("list.json", "[1]");
    expect(FAILED, DOCUMENT "--device 255 --against list.json");
    says("'list.json' is not what orograph-bench prints");
    expect(FAILED, DOCUMENT "--device 255 --against gone.json");
    says("gone.json: No such file");
    expect(USAGE, DOCUMENT "--against");
    expect(USAGE, BENCH "--threads 0");
}

TEST(erosion_tells_what_a_cell_costs)
{
    expect(DONE, BENCH "erosion --only stream_power --sizes 8 --repeats 1 --json >now.json");
    json_t *now = load("now.json");
    static const char *const whats[] = {"stream_power explicit", "stream_power implicit"};
    for (int i = 0; i < 2; i++) {
        const json_t *found = row(now, whats[i], 8);
        double cell = 1e6 * number(found, "milliseconds") / 64;
        assert_true(fabs(number(found, "nanoseconds_per_cell") - cell) <= 1e-9 * fabs(cell));
        assert_true(number(found, "peak_bytes") >= 8 * 8 * 4);
    }
    json_decref(now);
}

TEST(sizes_that_do_not_fit_are_skipped)
{
    expect(DONE, BENCH "erosion --only hydraulic_erosion --sizes 32768 --repeats 1");
    says("erosion 'hydraulic_erosion 4' at 32768 is skipped: ");
    says("erosion 'hydraulic_erosion 8' at 32768 is skipped: ");
}

FIXTURE(measure_earlier)
{
    if (make_folder(state) != 0)
        return -1;
    expect(DONE, RANGE "--sizes 8 --json >earlier.json");
    return 0;
}

TEST_GROUP(measure_earlier, remove_folder);
