/* The search by typed words: what is found, and in which order. */
#include <stdint.h>

#include "base/search.h"
#include "tests/support/test.h"

static const struct oro_searched items[] = {
    {.id = "thermal_erosion",
     .label = "Thermal erosion",
     .category = "erosion",
     .doc = "Lets slopes that are too steep slide until they rest."},
    {.id = "fluvial_erosion",
     .label = "Fluvial erosion",
     .category = "erosion",
     .doc = "Carves valleys where water gathers."},
    {.id = "noise", .label = "Noise", .category = "source", .doc = "Random hills, ridges or cells."},
    {.id = "phasor_noise",
     .label = "Phasor noise",
     .category = "source",
     .doc = "Noise of waves that are all of the same height."},
    {.id = "slope", .label = "Slope", .category = "mask", .doc = "Measures how steep the ground is."},
    {.id = "river_network",
     .label = "River network",
     .category = "network",
     .doc = "Finds the rivers of a terrain."},
    {.id = "mesa.oro",
     .label = "Mesas",
     .category = "landscape",
     .doc = "Table mountains and buttes above a desert plain."},
};
enum { ITEMS = sizeof items / sizeof items[0], THERMAL = 0, FLUVIAL, NOISE, PHASOR, SLOPE, RIVERS, MESA };

/* The best of all; -1: nothing is found. */
static int best(const char *typed)
{
    struct oro_match found[ITEMS];
    return oro_search(typed, items, ITEMS, found) ? (int)found[0].index : -1;
}

static int score(const char *typed, const struct oro_searched *item)
{
    struct oro_match found;
    return oro_search(typed, item, 1, &found) ? found.score : 0;
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
    assert_int_equal(best("hills desert"), -1);
    assert_int_equal(best("desert"), MESA);
}

TEST(beginnings_letters_and_gaps)
{
    assert_int_equal(best("the"), THERMAL);
    assert_int_equal(best("ero"), FLUVIAL < THERMAL ? FLUVIAL : THERMAL);
    assert_int_equal(best("rn"), RIVERS);
    assert_int_equal(best("thrml"), THERMAL);
    assert_int_equal(best("zzz"), -1);
    assert_true(score("noi", &items[NOISE]) > score("noi", &items[PHASOR]));
    assert_true(score("steep", &items[SLOPE]) > 0);
}

TEST(nothing_typed_matches_all_alike)
{
    for (size_t i = 0; i < ITEMS; i++) {
        assert_int_equal(score("", &items[i]), 1);
        assert_int_equal(score("   ", &items[i]), 1);
    }
}

TEST(parts_may_be_missing)
{
    struct oro_searched none = {0}, label = {.label = "Only this"};
    assert_int_equal(score("x", &none), 0);
    assert_true(score("only", &label) > 0);
    assert_int_equal(oro_search("x", items, 0, NULL), 0);
}

TEST(equal_ones_keep_their_order)
{
    static const struct oro_searched same[] = {
        {.label = "Sand"}, {.label = "Sand"}, {.label = "Sand", .favour = 5}, {.label = "Sand"}};
    struct oro_match found[4];
    assert_int_equal(oro_search("sand", same, 4, found), 4);
    static const size_t order[] = {2, 0, 1, 3};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(found[i].index, order[i]);
}

/* Which of two items is the better match. */
static void ranks(const char *typed, const struct oro_searched *first, const struct oro_searched *second)
{
    struct oro_searched both[] = {*second, *first};
    struct oro_match found[2];
    size_t count = oro_search(typed, both, 2, found);
    if (count != 2 || found[0].index != 1)
        fail_msg("'%s': '%s' does not come before '%s'", typed, first->label, second->label);
}

TEST(names_come_before_words_and_these_before_texts)
{
    const struct oro_searched name = {.label = "Sand dunes"}, words = {.label = "Waves", .words = "sand"},
                              farther = {.label = "Rows", .words = "waves, ripples, sand"},
                              part = {.label = "Grid", .words = "sand paper"},
                              text = {.label = "Gravel", .doc = "Coarser than sand."};
    ranks("sand", &name, &words);
    ranks("sand", &words, &farther);
    ranks("sand", &farther, &part);
    ranks("sand", &part, &text);
    const struct oro_searched liked = {.label = "Rows", .words = "sand", .favour = ORO_FAVOUR_MAX};
    ranks("sand", &name, &liked); /* use decides only between equal ones */
    ranks("sand", &liked, &words);
    const struct oro_searched phrase = {.label = "A", .words = "sand paper"},
                              apart = {.label = "B", .words = "sand, paper"};
    ranks("sand paper", &phrase, &apart);
    const struct oro_searched preset = {.label = "Sand dunes", .variant = true};
    ranks("sand", &name, &preset);
}

TEST(words_of_one_stem)
{
    static const char *const families[][2] = {
        {"terraces", "terrace"},      {"terracing", "terrace"},  {"eroding", "erode"},
        {"eroded", "erode"},          {"smoothing", "smooth"},   {"smoothness", "smooth"},
        {"simulate", "simulation"},   {"rotation", "rotate"},    {"rivers", "river"},
        {"valleys", "valley"},        {"cavities", "cavity"},    {"rocky", "rock"},
        {"blurring", "blur"},         {"sharpen", "sharp"},      {"flatten", "flat"},
        {"colour", "color"},          {"colourise", "colorize"}, {"normalisation", "normalize"},
        {"displacement", "displace"}, {"generator", "generate"}, {"erosive", "erosion"},
    };
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        for (int k = 0; k < 2; k++) {
            const struct oro_searched item = {.words = families[i][1 - k]};
            if (score(families[i][k], &item) == 0)
                fail_msg("'%s' is not like '%s'", families[i][k], families[i][1 - k]);
        }
    static const char *const strangers[][2] = {{"sand", "sandwich"}, {"ice", "rice"}, {"sea", "season"}};
    for (size_t i = 0; i < 3; i++) {
        const struct oro_searched item = {.doc = strangers[i][0]};
        assert_int_equal(score(strangers[i][1], &item), 0);
    }
}

TEST(height_map_is_heightmap)
{
    const struct oro_searched one = {.words = "heightmap"}, two = {.label = "Height map"};
    assert_true(score("height map", &one) > 0);
    assert_true(score("height-map", &one) > 0);
    assert_true(score("heightmap", &two) > 0);
    assert_true(score("heightm", &two) > 0);
    assert_int_equal(score("heightmop", &(struct oro_searched){.label = "Height"}), 0);
}

/* By one letter, or two in long words; only if nothing is found without. */
TEST(mistyped_words)
{
    static const char *const wrong[] = {"thremal", "termal",   "thermall",       "thermsl",
                                        "erosoin", "erossion", "thermal_erosoin"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        if (best(wrong[i]) != THERMAL && best(wrong[i]) != FLUVIAL)
            fail_msg("'%s' is not found", wrong[i]);
    assert_int_equal(best("phaosr nosie"), PHASOR);
    assert_int_equal(best("hpasor"), PHASOR); /* the first two swapped */
    assert_int_equal(best("networkk"), RIVERS);
    assert_int_equal(best("nwtwirk"), -1); /* two in a short one */
    assert_int_equal(best("slpo"), SLOPE); /* goes on */
    assert_int_equal(best("slapi"), -1);
    const struct oro_searched land = {.label = "Land"};
    assert_int_equal(score("sand", &land), 0);
    assert_int_equal(score("lnad", &land) > 0, 1);
    /* A word of the one, and like a word of the other. */
    static const struct oro_searched two[] = {{.label = "Marsh"}, {.doc = "A march."}};
    struct oro_match found[2];
    assert_int_equal(oro_search("march", two, 2, found), 1);
    assert_int_equal(found[0].index, 1);
}

TEST(what_says_nothing_is_passed_over)
{
    assert_int_equal(best("the noise of the waves"), PHASOR);
    assert_int_equal(best("noise with a twist"), NOISE); /* half of the words, by name */
    assert_int_equal(best("a twist of lemon and noise"), -1);
}

static void explained(const char *typed, const struct oro_searched *item, const char *wanted)
{
    struct oro_text text = {0};
    oro_search_explain(&text, typed, item);
    assert_string_equal(text.data ? text.data : "", wanted);
    oro_text_free(&text);
}

TEST(why_is_told)
{
    const struct oro_searched item = {
        .id = "noise", .label = "Noise", .words = "perlin, fractal", .category = "source", .doc = "Hills."};
    explained("noise", &item, "name: noise");
    explained("fractals hills", &item, "words: fractal, text: Hills");
    explained("perlni", &item, "like words: perlin");
    explained("nothing", &item, "");
    explained("", &item, "");
}

/* Typed text is anything. */
TEST(odd_texts)
{
    char text[5000];
    for (int seed = 0; seed < 200; seed++) {
        uint32_t random = (uint32_t)seed * 2654435761u + 1;
        size_t length = (size_t)seed * 24;
        for (size_t i = 0; i < length; i++) {
            random = random * 1664525u + 1013904223u;
            text[i] = (char)(1 + (random >> 24) % 255);
            text[i] = seed % 3 == 0 && text[i] == ' ' ? 'x' : text[i];
        }
        text[length] = '\0';
        const struct oro_searched item = {
            .id = text, .label = text, .words = text, .category = text, .doc = text};
        score(text, &item);
        best(text);
    }
}
