/* The search by typed words: what is found, and in which order. */
#include <stdint.h>

#include "editor/ui/search.h"
#include "tests/support/test.h"

static const struct ed_searched items[] = {
    {"thermal_erosion", "Thermal erosion", "erosion",
     "Lets slopes that are too steep slide until they rest."},
    {"fluvial_erosion", "Fluvial erosion", "erosion", "Carves valleys where water gathers."},
    {"noise", "Noise", "source", "Random hills, ridges or cells."},
    {"phasor_noise", "Phasor noise", "source", "Noise of waves that are all of the same height."},
    {"slope", "Slope", "mask", "Measures how steep the ground is."},
    {"river_network", "River network", "network", "Finds the rivers of a terrain."},
    {"mesa.oro", "Mesas", "landscape", "Table mountains and buttes above a desert plain."},
};
enum { ITEMS = sizeof items / sizeof items[0], THERMAL = 0, FLUVIAL, NOISE, PHASOR, SLOPE, RIVERS, MESA };

/* The best of all; -1: nothing is found. */
static int best(const char *typed)
{
    struct ed_found found[ITEMS];
    size_t count = 0;
    for (size_t i = 0; i < ITEMS; i++) {
        int score = ed_search_score(typed, &items[i]);
        if (score > 0)
            found[count++] = (struct ed_found){i, score};
    }
    ed_found_sort(found, count);
    return count ? (int)found[0].index : -1;
}

TEST(whole_names_come_first)
{
    assert_int_equal(best("noise"), NOISE);
    assert_int_equal(best("slope"), SLOPE);
    assert_int_equal(best("thermal erosion"), THERMAL);
    assert_int_equal(best("Thermal-Erosion"), THERMAL);
    assert_int_equal(best("  fluvial_erosion "), FLUVIAL);
}

TEST(all_words_must_be_somewhere)
{
    assert_int_equal(best("erosion slide"), THERMAL);
    assert_int_equal(best("water erosion"), FLUVIAL);
    assert_int_equal(best("erosion desert"), -1);
    assert_int_equal(best("desert"), MESA);
    assert_int_equal(ed_search_score("noise erosion", &items[NOISE]), 0);
}

TEST(beginnings_letters_and_gaps)
{
    assert_int_equal(best("the"), THERMAL);
    assert_int_equal(best("ero"), FLUVIAL < THERMAL ? FLUVIAL : THERMAL);
    assert_int_equal(best("rn"), RIVERS);
    assert_int_equal(best("thrml"), THERMAL);
    assert_int_equal(best("zzz"), -1);
    assert_true(ed_search_score("noi", &items[NOISE]) > ed_search_score("noi", &items[PHASOR]));
    assert_true(ed_search_score("steep", &items[SLOPE]) > 0);
}

TEST(nothing_typed_matches_all_alike)
{
    for (size_t i = 0; i < ITEMS; i++) {
        assert_int_equal(ed_search_score("", &items[i]), 1);
        assert_int_equal(ed_search_score("   ", &items[i]), 1);
    }
}

TEST(parts_may_be_missing)
{
    struct ed_searched none = {0}, label = {.label = "Only this"};
    assert_int_equal(ed_search_score("x", &none), 0);
    assert_true(ed_search_score("only", &label) > 0);
}

TEST(equal_ones_keep_their_order)
{
    struct ed_found found[] = {{3, 5}, {1, 5}, {2, 9}, {0, 5}};
    ed_found_sort(found, 4);
    assert_int_equal(found[0].index, 2);
    assert_int_equal(found[1].index, 0);
    assert_int_equal(found[2].index, 1);
    assert_int_equal(found[3].index, 3);
}
