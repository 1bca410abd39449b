/* The table of levels as text: what it means, and what is said about a wrong one. */
#include <stdio.h>
#include <string.h>

#include "graph/type/registry.h"
#include "nodes/erosion/amplify_levels.h"
#include "tests/support/test.h"

static struct oro_amplify_level levels[ORO_LEVELS_MAX];

static int read_table(const char *text)
{
    struct oro_error err = {0};
    int count;
    memset(levels, 0x55, sizeof levels);
    if (!oro_amplify_levels_read(text, levels, &count, &err))
        fail_msg("'%s': %s", text, err.text);
    return count;
}

static int given(const struct oro_amplify_level *level)
{
    int count = 0;
    for (int i = 0; i < ORO_LEVEL_KEYS; i++)
        count += level->given[i];
    return count;
}

static int key(const char *name)
{
    int i = 0;
    while (i < ORO_LEVEL_KEYS && strcmp(oro_level_keys[i].name, name) != 0)
        i++;
    assert_true(i < ORO_LEVEL_KEYS);
    return i;
}

static bool has(const struct oro_amplify_level *level, const char *name, double value)
{
    return level->given[key(name)] && level->value[key(name)] == value;
}

TEST(levels_are_read)
{
    assert_int_equal(read_table("2; 1 iterations=30 depth=40.5 ;\n\t4 detail=1e-1;0"), 4);
    static const int factors[] = {2, 1, 4, 0}, keys[] = {0, 2, 1, 0};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(levels[i].factor, factors[i]);
        assert_int_equal(given(&levels[i]), keys[i]);
    }
    assert_true(has(&levels[1], "iterations", 30) && has(&levels[1], "depth", 40.5));
    assert_true(has(&levels[2], "detail", 0.1));
}

/* Each is told by the chain's reference, too, and sets inputs that both node types have. */
TEST(all_that_a_level_has)
{
    const struct oro_node_type *chain = oro_registry_find(&oro_builtin_nodes, "amplify_chain"),
                               *level = oro_registry_find(&oro_builtin_nodes, "amplify");
    for (int i = 0; i < ORO_LEVEL_KEYS; i++) {
        const char *name = oro_level_keys[i].name;
        char text[64];
        snprintf(text, sizeof text, "3 %s=1", name);
        assert_int_equal(read_table(text), 1);
        assert_int_equal(given(&levels[0]), 1);
        assert_true(has(&levels[0], name, 1));
        assert_non_null(strstr(oro_type_input(chain, "levels")->doc, name));
        for (const char *const *input = oro_level_keys[i].inputs; *input; input++)
            assert_true(oro_type_input(chain, *input) && oro_type_input(level, *input));
    }
}

TEST(a_table_may_be_empty_and_end_with_a_semicolon)
{
    assert_int_equal(read_table(""), 0);
    assert_int_equal(read_table(" \n"), 0);
    assert_int_equal(read_table("2;"), 1);
    assert_int_equal(read_table("2; 2 ; \n"), 2);
    assert_int_equal(read_table("1;2;3;4;5;6;7;8;9;10;11;12"), ORO_LEVELS_MAX);
}

TEST(what_is_wrong_is_said)
{
    static const char *const wrong[][2] = {
        {"x", "level 1 begins with 'x'"},
        {"2; iterations=3", "level 2 begins with 'iterations=3'"},
        {"-1", "level 1 begins with '-1'"},
        {"2.5", "level 1 begins with '2.5'"},
        {"65", "level 1 begins with '65': first comes how many times finer it is, from 0 (left out) to 64"},
        {"nan", "level 1 begins with 'nan'"},
        {"2x", "level 1 begins with '2x'"},
        {"2;;2", "level 2 is empty"},
        {"; 2", "level 1 is empty"},
        {"2 3", "level 1: '3' is nothing that a level has"},
        {"2; 2 depht=3", "level 2: 'depht=3' is nothing that a level has"},
        {"2 =3", "level 1: '=3' is nothing that a level has"},
        {"2 depth", "level 1: 'depth' should be depth=, then a number from 0 to 10000"},
        {"2 depth=", "'depth=' should be depth="},
        {"2 depth= 3", "'depth=' should be depth="},
        {"2 depth=3m", "'depth=3m' should be depth="},
        {"2 depth=-1", "'depth=-1' should be depth="},
        {"2 depth=nan", "'depth=nan' should be depth="},
        {"2 depth=1e9", "'depth=1e9' should be depth="},
        {"2 iterations=1.5", "'iterations=1.5' should be iterations=, then a whole number"},
        {"2 hardness=1.1", "'hardness=1.1' should be hardness=, then a number from 0 to 1"},
        {"2 depth=0000000000000000000000000000000000000000001", "should be depth="},
        {"2;2;2;2;2;2;2;2;2;2;2;2;2", "more than 12 levels"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct oro_error err = {0};
        int count;
        if (oro_amplify_levels_read(wrong[i][0], levels, &count, &err))
            fail_msg("'%s' was taken", wrong[i][0]);
        assert_int_equal(err.code, ORO_E_DOCUMENT);
        if (!strstr(err.text, wrong[i][1]))
            fail_msg("'%s': %s", wrong[i][0], err.text);
    }
}
