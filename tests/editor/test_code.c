/* Scripts as text: coloured pieces, the editor's model, messages at their lines, templates. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "editor/inspector/script.h"
#include "editor/project/script_templates.h"
#include "editor/ui/code_text.h"
#include "graph/derived/assets.h"
#include "graph/derived/scripts.h"
#include "lua/types/node_types.h"
#include "tests/support/test.h"

/* ---- Pieces ---- */

/* One letter for each byte: what it is. */
static const char *kinds(const char *text, struct ui_code_state *state)
{
    static char out[256];
    static const char *const library[] = {"math", "math.abs", "print", NULL};
    const char *end = text + strlen(text);
    size_t used = 0;
    while (text < end) {
        enum ui_token token;
        size_t length = ui_code_token(text, end, library, state, &token);
        assert_true(length > 0 && text + length <= end && used + length < sizeof out);
        memset(out + used, "_ctnklb"[token], length);
        used += length;
        text += length;
    }
    out[used] = '\0';
    return out;
}

static void is_cut(const char *text, const char *wanted)
{
    struct ui_code_state state = {0};
    assert_string_equal(kinds(text, &state), wanted);
}

TEST(lua_is_cut_into_pieces)
{
    is_cut("local x = 0x1p-3 -- no", "kkkkk_____nnnnnn_ccccc");
    is_cut("if a.b then", "kk_____kkkk");
    is_cut("math.abs(print)", "llllllllblllllb");
    is_cut("math.huge", "llll_____");
    is_cut("endless", "_______");
    is_cut("print = 1", "________n"); /* a key of a table */
    is_cut("print == 1", "lllll____n");
    is_cut("'a\\'b' .. \"c\"", "tttttt____ttt");
    is_cut("'open", "ttttt");
    is_cut("{1.5e-3}", "bnnnnnnb");
    is_cut("x--[[y]]z", "_ccccccc_");
}

TEST(long_texts_go_over_lines_with_glsl_within)
{
    struct ui_code_state at = {0};
    assert_string_equal(kinds("k = [=[", &at), "____ttt");
    assert_int_equal(at.within, 1);
    assert_string_equal(kinds("float a = 1.0; // ]]", &at), "kkkkk_____nnn__ccccc");
    assert_string_equal(kinds("/* x", &at), "cccc");
    assert_string_equal(kinds("y */ vec2", &at), "cccc_kkkk");
    assert_string_equal(kinds("]=] end", &at), "ttt_kkk");
    assert_int_equal(at.within, 0);
    assert_string_equal(kinds("--[[ if", &at), "ccccccc");
    assert_string_equal(kinds("then ]] if", &at), "ccccccc_kk");
}

/* Whatever comes, each piece has a length and stays in its line. */
TEST(any_bytes_are_cut)
{
    unsigned seed = 1;
    for (int round = 0; round < 4000; round++) {
        static const char letters[] = "[]=-'\"\\/*a0.x\xc3\xff {}\t";
        char text[40];
        struct ui_code_state at = {.within = (unsigned char)(round % 3), .level = (unsigned char)(round % 2)};
        for (size_t i = 0; i + 1 < sizeof text; i++) {
            seed = seed * 1103515245u + 12345u;
            text[i] = letters[(seed >> 16) % (sizeof letters - 1)];
        }
        text[sizeof text - 1] = '\0';
        assert_int_equal(strlen(kinds(text, &at)), sizeof text - 1);
    }
}

/* ---- The model ---- */

static struct ui_code code;

FIXTURE(stop)
{
    (void)state;
    ui_code_free(&code);
    return 0;
}

FIXTURE(start)
{
    (void)state;
    return 0;
}

static void type(const char *text)
{
    for (; *text; text++) {
        const char letter[2] = {*text, '\0'};
        if (*text == '\n')
            assert_true(ui_code_newline(&code));
        else
            assert_true(ui_code_typed(&code, letter));
    }
}

TEST_WITH(blocks_are_indented, start, stop)
{
    assert_true(ui_code_set(&code, ""));
    type("local function f(a)\nif a then\nreturn {\n1,\n}\nend\nend\nf(2)\ng(function() return 1 end)\nh()");
    assert_string_equal(code.text, "local function f(a)\n"
                                   "  if a then\n"
                                   "    return {\n"
                                   "      1,\n"
                                   "    }\n"
                                   "  end\n"
                                   "end\n"
                                   "f(2)\n"
                                   "g(function() return 1 end)\n"
                                   "h()");
    assert_int_equal(code.line_count, 10);
}

TEST_WITH(steps_are_undone_and_redone, start, stop)
{
    char whole[64];
    assert_true(ui_code_set(&code, "one two"));
    ui_code_move(&code, UI_CODE_END, false);
    type(" three four");
    assert_true(ui_code_delete(&code, false, true));
    assert_string_equal(code.text, "one two three ");
    ui_code_put(&code, 0, false);
    ui_code_put(&code, 3, true);
    assert_true(ui_code_insert(&code, "1\n2", 3));
    snprintf(whole, sizeof whole, "%s", code.text);
    int steps = 0;
    while (ui_code_undo(&code))
        steps++;
    assert_string_equal(code.text, "one two");
    assert_true(steps < 8); /* letters of a word go together */
    while (ui_code_redo(&code))
        steps--;
    assert_int_equal(steps, 0);
    assert_string_equal(code.text, whole);
    assert_int_equal(code.line_count, 2);
    assert_true(ui_code_undo(&code));
    assert_true(ui_code_typed(&code, "x")); /* what was undone is gone */
    assert_false(ui_code_redo(&code));
}

TEST_WITH(letters_are_whole, start, stop)
{
    assert_true(ui_code_set(&code, "a\xc3\xa4\xe2\x82\xac"
                                   "b"));
    ui_code_put(&code, 2, false); /* within a letter */
    assert_int_equal(code.cursor, 1);
    ui_code_move(&code, UI_CODE_RIGHT, false);
    assert_int_equal(code.cursor, 3);
    ui_code_move(&code, UI_CODE_RIGHT, true);
    assert_int_equal(code.cursor, 6);
    assert_true(ui_code_delete(&code, false, false));
    assert_string_equal(code.text, "a\xc3\xa4"
                                   "b");
    assert_true(ui_code_delete(&code, false, false));
    assert_string_equal(code.text, "ab");
}

TEST_WITH(lines_are_shifted_and_commented, start, stop)
{
    assert_true(ui_code_set(&code, "a\n\n  b\nc"));
    ui_code_put(&code, 0, false);
    ui_code_put(&code, 6, true); /* up to the end of b's line */
    assert_true(ui_code_indent(&code, false));
    assert_string_equal(code.text, "  a\n\n    b\nc");
    assert_true(ui_code_indent(&code, true) && ui_code_indent(&code, true));
    assert_string_equal(code.text, "a\n\nb\nc");
    assert_true(ui_code_comment(&code));
    assert_string_equal(code.text, "-- a\n-- \n-- b\nc");
    assert_true(ui_code_comment(&code));
    assert_string_equal(code.text, "a\n\nb\nc");
    while (ui_code_undo(&code))
        ;
    assert_string_equal(code.text, "a\n\n  b\nc");
}

TEST_WITH(brackets_and_words_are_found, start, stop)
{
    size_t own = 0, other = 0;
    assert_true(ui_code_set(&code, "f({ ')', --)\n  [1] })"));
    ui_code_put(&code, 1, false);
    assert_true(ui_code_bracket(&code, &own, &other));
    assert_int_equal(own, 1);
    assert_int_equal(other, code.length - 1);
    ui_code_put(&code, code.length, false);
    assert_true(ui_code_bracket(&code, &own, &other));
    assert_int_equal(other, 1);
    ui_code_put(&code, 5, false); /* within a text */
    assert_false(ui_code_bracket(&code, &own, &other));

    assert_true(ui_code_set(&code, "ab AB xab"));
    assert_true(ui_code_find(&code, "ab", true));
    assert_int_equal(code.anchor, 0);
    assert_true(ui_code_find(&code, "ab", true));
    assert_int_equal(code.anchor, 3);
    assert_true(ui_code_find(&code, "ab", true) && ui_code_find(&code, "ab", true));
    assert_int_equal(code.anchor, 0);
    assert_true(ui_code_find(&code, "ab", false));
    assert_int_equal(code.anchor, 7);
    assert_false(ui_code_find(&code, "abc", true));
}

TEST_WITH(the_size_is_limited, start, stop)
{
    char *large = oro_alloc(UI_CODE_BYTES + 1, 1);
    memset(large, 'x', UI_CODE_BYTES);
    assert_false(ui_code_set(&code, large));
    large[UI_CODE_BYTES - 1] = '\0';
    assert_true(ui_code_set(&code, large));
    assert_false(ui_code_typed(&code, "y"));
    assert_false(ui_code_undo(&code));
    assert_string_equal(code.text, large);
    oro_free(large);
}

/* ---- Messages and templates ---- */

TEST(messages_name_a_line_of_the_script)
{
    assert_int_equal(ed_script_line_of("a:b.oro:12: 'x' is no field", 10), 3);
    assert_int_equal(ed_script_line_of("s.lua:7: no", 1), 7);
    assert_int_equal(ed_script_line_of("a.oro:5: of another place", 10), 0);
    assert_int_equal(ed_script_line_of("no line at all: 12", 1), 0);
    assert_int_equal(ed_script_line_of("", 1), 0);
}

TEST(templates_are_scripts)
{
    for (const struct ed_script_template *t = ed_script_templates; t->form; t++) {
        struct oro_error err = {0};
        const struct oro_script_source source = {
            .path = t->form, .line = 1, .text = t->text, .length = strlen(t->text)};
        const struct oro_node_type *type = oro_lua_scripts.read(&source, NULL, &err);
        if (!type)
            fail_msg("%s: %s", t->form, err.text);
        oro_lua_scripts.destroy(type);
    }
}

/* A script that does not end is given up soon where nobody may wait for it. */
TEST(reading_has_a_limit)
{
    struct oro_error err = {0};
    const struct oro_script_source source = {
        .path = "x", .line = 1, .text = "while true do end", .length = 17, .seconds = 0.02};
    assert_null(oro_lua_scripts.read(&source, NULL, &err));
    assert_non_null(strstr(err.text, "0.02 s"));
}
