/* Keys of commands: the table's, those that the user has chosen, and what is wrong in the settings. */
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL.h>

#include "base/memory.h"
#include "editor/shell/commands.h"
#include "tests/support/test.h"

static struct ed_session *session;

FIXTURE(begin)
{
    session = oro_alloc(1, sizeof *session);
    if (session)
        session->commands = ed_commands;
    return session ? 0 : -1;
}

FIXTURE(end)
{
    ed_settings_free(&session->settings);
    ed_messages_free(&session->messages);
    oro_free(session);
    return 0;
}

static const struct ed_command *command(const char *id)
{
    const struct ed_command *found = ed_command_find(session, id);
    if (!found)
        fail_msg("there is no command '%s'", id);
    return found;
}

static struct ed_chord key_of(SDL_Keycode code, unsigned modifiers)
{
    return (struct ed_chord){(int)SDL_GetScancodeFromKey(code), modifiers};
}

/* The id of the command that has a key; "": none. */
static const char *owner(SDL_Keycode code, unsigned modifiers)
{
    const struct ed_command *found = ed_command_of_key(session, key_of(code, modifiers));
    return found ? found->id : "";
}

static void expect_keys(const char *id, const char *wanted)
{
    const char *keys = ed_command_keys(session, command(id));
    assert_string_equal(keys ? keys : "", wanted);
}

/* Every key of the table exists, has the text that it is written as, and is of one command only. */
TEST_WITH(the_table, begin, end)
{
    int count = 0;
    for (const struct ed_command *one = ed_commands; one->id; one++) {
        const char *keys = one->keys;
        while (keys && *keys) {
            char name[ED_CHORD_TEXT], text[ED_CHORD_TEXT];
            size_t length = strcspn(keys, "|");
            snprintf(name, sizeof name, "%.*s", (int)length, keys);
            keys += length + (keys[length] == '|');
            struct ed_command alone = {.id = one->id, .keys = name};
            bool found = false;
            for (int scancode = 1; scancode < SDL_NUM_SCANCODES && !found; scancode++)
                for (unsigned modifiers = 0; modifiers < 8 && !found; modifiers++) {
                    struct ed_chord key = {scancode, modifiers};
                    found = ed_command_has_key(session, &alone, key);
                    if (!found)
                        continue;
                    assert_ptr_equal(ed_command_of_key(session, key), one);
                    assert_true(ed_chord_text(key, text));
                    assert_string_equal(text, name);
                }
            if (!found)
                fail_msg("'%s' of '%s' is no key", name, one->id);
            count++;
        }
    }
    assert_in_range(count, 50, 200);
}

TEST_WITH(keys_are_chosen, begin, end)
{
    assert_string_equal(owner(SDLK_s, ED_CTRL), "save");
    assert_true(ed_bind(session, command("save"), "F9"));
    expect_keys("save", "F9");
    assert_string_equal(owner(SDLK_s, ED_CTRL), "");
    assert_string_equal(owner(SDLK_F9, 0), "save");
    assert_string_equal(ed_command_key_text(session, "save"), "F9");
    /* What is another's is taken from it, and only that. */
    assert_true(ed_bind(session, command("new"), "F5"));
    expect_keys("new", "F5");
    expect_keys("build", "Ctrl+B");
    /* Back to the table. */
    assert_true(ed_bind(session, command("build"), NULL));
    expect_keys("build", "Ctrl+B|F5");
    expect_keys("new", "");
    assert_false(ed_is_bound(session, command("build")));
    assert_true(ed_bind(session, command("pin"), ""));
    expect_keys("pin", "");
    assert_string_equal(owner(SDLK_p, 0), "");
    ed_bind_none(session);
    expect_keys("save", "Ctrl+S");
    expect_keys("new", "Ctrl+N");
    expect_keys("pin", "P");
}

TEST_WITH(wrong_entries_are_told, begin, end)
{
    static const char *const entries[][2] = {
        {"save", "F9"},     {"nonsense", "F8"},    {"open", "Ctrl+Nothing"},
        {"quit", NULL},     {"build", "Ctrl+N"},   {"new", "F7"},
        {"redo", "Shift+"}, {"log", "F11|Ctrl+P"}, {"pause", "Ctrl+Alt+P"},
    };
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
        assert_true(ed_settings_bind(&session->settings, entries[i][0], entries[i][1]));
    ed_bindings_check(session);
    assert_int_equal(session->messages.count, 4);
    expect_keys("save", "F9");
    expect_keys("open", "Ctrl+O");
    expect_keys("quit", "Ctrl+Q");
    expect_keys("redo", "Ctrl+Shift+Z|Ctrl+Y");
    /* Two that change places with others are right. */
    expect_keys("build", "Ctrl+N");
    expect_keys("new", "F7");
    expect_keys("log", "F11|Ctrl+P");
    expect_keys("pause", "Ctrl+Alt+P");
    ed_bindings_check(session);
    assert_int_equal(session->messages.count, 4);
}

/* A key that the table gives to another command is not for two. */
TEST_WITH(a_key_is_of_one_command, begin, end)
{
    assert_true(ed_settings_bind(&session->settings, "save", "Ctrl+N"));
    ed_bindings_check(session);
    assert_int_equal(session->messages.count, 1);
    expect_keys("save", "Ctrl+S");
    assert_string_equal(owner(SDLK_n, ED_CTRL), "new");
}

/* While something is typed, what fields have a use for stays theirs; the rest gets to commands. */
TEST_WITH(shortcuts_from_fields, begin, end)
{
    assert_true(ed_command_key_while_typing(session, key_of(SDLK_s, ED_CTRL)));
    assert_true(ed_command_key_while_typing(session, key_of(SDLK_o, ED_CTRL)));
    assert_true(ed_command_key_while_typing(session, key_of(SDLK_b, ED_CTRL)));
    assert_true(ed_command_key_while_typing(session, key_of(SDLK_F1, 0)));
    assert_true(ed_command_key_while_typing(session, key_of(SDLK_s, ED_CTRL | ED_SHIFT)));
    assert_false(ed_command_key_while_typing(session, key_of(SDLK_z, ED_CTRL)));
    assert_false(ed_command_key_while_typing(session, key_of(SDLK_a, ED_CTRL)));
    assert_false(ed_command_key_while_typing(session, key_of(SDLK_3, 0)));
    assert_false(ed_command_key_while_typing(session, key_of(SDLK_DELETE, ED_CTRL)));
    assert_false(ed_command_key_while_typing(session, key_of(SDLK_ESCAPE, 0)));
    assert_false(ed_command_key_while_typing(session, key_of(SDLK_F2, 0))); /* of the canvas */
    assert_false(ed_command_key_while_typing(session, key_of(SDLK_F11, 0)));
}

/* SDL knows keys by a keyboard, which comes with the window system. */
FIXTURE(begin_keyboard)
{
    SDL_SetHint(SDL_HINT_VIDEODRIVER, "dummy");
    return SDL_Init(SDL_INIT_VIDEO);
}

FIXTURE(end_keyboard)
{
    SDL_Quit();
    return 0;
}

TEST_GROUP(begin_keyboard, end_keyboard);
