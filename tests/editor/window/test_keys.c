/* Who gets a key: the topmost dialog, else the field that is typed into, else the command whose key it is,
 * which the user may change. */
#include "tests/editor/window/fixture.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "editor/shell/commands.h"

static const char document[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
                               "  <world extent=\"10000\" resolution=\"64\"/>\n"
                               "  <node id=\"hills\" type=\"noise\" x=\"40\" y=\"40\"/>\n"
                               "  <node id=\"dunes\" type=\"noise\" x=\"40\" y=\"280\"/>\n"
                               "</orograph>\n";

FIXTURE(start)
{
    window_open("keys.oro", document, "nodes=2");
    drive_click(driver, "title:hills");
    return 0;
}

/* ---- Dialogs ---- */

/* "Ctrl+Shift+Z", up to its end or a '|', as X names it. */
static void x_name(const char *key, char out[64])
{
    static const char *const names[][2] = {
        {"Enter", "Return"}, {"Backspace", "BackSpace"}, {",", "comma"}, {"Space", "space"}};
    char one[64];
    snprintf(one, sizeof one, "%.*s", (int)strcspn(key, "|"), key);
    char *last = strrchr(one, '+'), *name = last ? last + 1 : one;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i][0]) == 0)
            snprintf(name, sizeof one - (size_t)(name - one), "%s", names[i][1]);
    for (char *c = one; c < name; c++)
        *c = (char)tolower((unsigned char)*c);
    if (strlen(name) == 1)
        *name = (char)tolower((unsigned char)*name);
    snprintf(out, 64, "%s", one);
}

/* Keys that dialogs themselves have a use for. */
static bool is_answer(const char *name)
{
    return strcmp(name, "Escape") == 0 || strcmp(name, "Return") == 0;
}

static char *states(void)
{
    static const char *const keys[] = {"dialog",   "asking", "nodes",       "content", "path",  "viewed",
                                       "switches", "undo",   "view0_depth", "start",   "depth", "messages"};
    char *text = calloc(1, 4000);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        snprintf(text + strlen(text), 300, "%s=%s; ", keys[i], drive_state(driver, keys[i]));
    return text;
}

static void expect_states(const char *before, const char *what)
{
    char *after = states();
    if (strcmp(before, after) != 0)
        drive_fail(driver, "%s: %s instead of %s", what, after, before);
    free(after);
}

static void nothing_but_answers(void)
{
    char *before = states();
    for (const struct ed_command *command = ed_commands; command->id; command++) {
        const char *keys = command->keys;
        char name[64];
        if (!keys)
            continue;
        x_name(keys, name);
        if (is_answer(name))
            continue;
        drive_tap(driver, name);
        expect_states(before, command->id);
    }
    free(before);
}

static void ask_to_replace(void)
{
    drive_key(driver, "ctrl+shift+s");
    drive_wait(driver, "dialog=chooser", 10);
    drive_click(driver, "chooser:name");
    drive_key(driver, "ctrl+a");
    drive_type(driver, window_path("keys.oro"));
    drive_key(driver, "Return");
    drive_wait(driver, "chooser:replace", 10);
}

static void edit(void)
{
    drive_move(driver, "canvas@0.8,0.5");
    drive_key(driver, "shift+d");
    drive_click(driver, "canvas@0.8,0.5");
    drive_wait(driver, "changed=1", 10);
}

static void closed(void)
{
    drive_key(driver, "Escape");
    drive_wait(driver, "dialog=", 10);
    drive_wait(driver, "asking=0", 10);
}

TEST_WITH(every_command_behind_the_chooser, start, stop)
{
    edit();
    drive_move(driver, "canvas@0.8,0.9");
    ask_to_replace();
    nothing_but_answers();
    drive_wait(driver, "chooser:replace", 1);
    drive_key(driver, "Escape");
    drive_click(driver, "chooser:new-folder");
    nothing_but_answers();
    drive_key(driver, "Escape");
    closed();
}

TEST_WITH(every_command_behind_questions, start, stop)
{
    edit();
    drive_move(driver, "canvas@0.8,0.9");
    drive_key(driver, "ctrl+q");
    drive_wait(driver, "asking=1", 10);
    nothing_but_answers();
    closed();
    window_write(window_path("keys.oro"), document);
    FILE *file = fopen(window_path("keys.oro"), "a");
    assert_true(file && fputs("<!-- by another program -->\n", file) >= 0 && fclose(file) == 0);
    drive_wait(driver, "asking=1", 20);
    nothing_but_answers();
    closed();
}

TEST_WITH(every_command_behind_searches_and_menus, start, stop)
{
    drive_move(driver, "canvas@0.8,0.9");
    drive_key(driver, "F3");
    drive_wait(driver, "dialog=commands", 10);
    nothing_but_answers();
    closed();
    drive_key(driver, "shift+a");
    drive_wait(driver, "dialog=add", 10);
    nothing_but_answers();
    closed();
    drive_click(driver, "menu:Node");
    nothing_but_answers();
    closed();
    drive_click(driver, "button:sun");
    nothing_but_answers();
}

/* One press of Enter or Escape is one answer. */
TEST_WITH(answers_count_once, start, stop)
{
    drive_click(driver, "button:measure");
    edit();
    ask_to_replace();
    drive_key(driver, "Escape"); /* of the question alone */
    drive_wait(driver, "!chooser:replace", 10);
    assert_string_equal(drive_state(driver, "dialog"), "chooser");
    drive_click(driver, "chooser:name");
    drive_key(driver, "Return");
    drive_wait(driver, "chooser:replace", 10);
    assert_string_equal(drive_state(driver, "changed"), "1");
    drive_key(driver, "Return");
    drive_wait(driver, "dialog=", 10);
    drive_wait(driver, "changed=0", 10);
    edit();
    drive_key(driver, "ctrl+n");
    drive_wait(driver, "asking=1", 10);
    drive_key(driver, "Return"); /* saves, and goes on */
    drive_wait(driver, "nodes=0", 10);
    assert_string_equal(drive_state(driver, "asking"), "0");
    window_add(driver, "canvas@0.5,0.5", "ramp");
    drive_key(driver, "ctrl+o");
    drive_wait(driver, "asking=1", 10);
    drive_key(driver, "Return"); /* asks for a name, and does not take the one that is offered */
    drive_wait(driver, "dialog=chooser", 10);
    window_pause(0.3);
    assert_string_equal(drive_state(driver, "dialog"), "chooser");
    assert_string_equal(drive_state(driver, "changed"), "1");
}

/* ---- Fields ---- */

TEST_WITH(saving_from_a_field, start, stop)
{
    drive_double_click(driver, "input:hills.octaves");
    drive_key(driver, "ctrl+a");
    drive_type(driver, "3");
    drive_key(driver, "ctrl+s");
    drive_wait(driver, "value:octaves=3", 10);
    drive_wait(driver, "changed=0", 10);
    assert_true(window_file_has(window_path("keys.oro"), "name=\"octaves\" value=\"3\""));
    drive_move(driver, "canvas@0.8,0.9");
    drive_key(driver, "F2");
    drive_wait(driver, "rename", 10);
    drive_key(driver, "ctrl+a");
    drive_type(driver, "heights");
    drive_key(driver, "ctrl+s");
    drive_wait(driver, "node:heights", 10);
    drive_wait(driver, "changed=0", 10);
    assert_true(window_file_has(window_path("keys.oro"), "id=\"heights\""));
}

TEST_WITH(other_shortcuts_from_a_field, start, stop)
{
    static const char *const keys[][2] = {{"ctrl+b", "build"}, {"F1", "help"}};
    for (size_t i = 0; i < 2; i++) {
        char what[40], octaves[40];
        drive_double_click(driver, "input:hills.octaves");
        drive_key(driver, "ctrl+a");
        drive_type(driver, i ? "5" : "4");
        drive_key(driver, keys[i][0]);
        snprintf(what, sizeof what, "dialog=%s", keys[i][1]);
        drive_wait(driver, what, 10);
        snprintf(octaves, sizeof octaves, "value:octaves=%d", i ? 5 : 4);
        drive_wait(driver, octaves, 10);
        drive_key(driver, "Escape");
        drive_wait(driver, "dialog=", 10);
    }
    drive_double_click(driver, "input:hills.octaves");
    drive_key(driver, "ctrl+a");
    drive_type(driver, "6");
    drive_key(driver, "ctrl+o");
    drive_wait(driver, "asking=1", 10); /* of the change that was committed */
    drive_key(driver, "Escape");
    drive_wait(driver, "value:octaves=6", 10);
    /* Undo in a field is the field's. */
    drive_double_click(driver, "input:hills.octaves");
    drive_type(driver, "7");
    drive_key(driver, "ctrl+z");
    drive_key(driver, "Escape");
    drive_wait(driver, "value:octaves=6", 10);
}

/* ---- Bindings ---- */

static void search_keys(const char *words)
{
    drive_click(driver, "keys:search");
    drive_key(driver, "ctrl+a");
    drive_type(driver, words);
    drive_wait(driver, "idle", 10);
}

TEST_WITH(keys_are_changed, start, stop)
{
    static const char *const args[] = {"--no-tour", NULL};
    drive_key(driver, "ctrl+comma");
    drive_click(driver, "settings:keys");
    search_keys("save");
    drive_click(driver, "keys:change:save");
    drive_key(driver, "Escape"); /* never mind: and the window stays */
    assert_string_equal(drive_state(driver, "dialog"), "settings");
    assert_string_equal(drive_state(driver, "keys:save"), "Ctrl+S");
    drive_click(driver, "keys:change:save");
    drive_key(driver, "ctrl+shift+F9");
    drive_wait(driver, "keys:save=Ctrl+Shift+F9", 10);
    drive_click(driver, "keys:change:save-as");
    drive_key(driver, "ctrl+b");
    drive_wait(driver, "keys:take", 10);
    assert_string_equal(drive_state(driver, "keys:save-as"), "Ctrl+Shift+S");
    drive_click(driver, "keys:take");
    drive_wait(driver, "keys:save-as=Ctrl+B", 10);
    search_keys("build");
    drive_wait(driver, "keys:build=F5", 10);
    drive_key(driver, "Escape"); /* of the field */
    drive_key(driver, "Escape");
    drive_wait(driver, "dialog=", 10);

    edit();
    drive_key(driver, "ctrl+s");
    assert_string_equal(drive_state(driver, "changed"), "1");
    drive_key(driver, "ctrl+shift+F9");
    drive_wait(driver, "changed=0", 10);
    drive_key(driver, "ctrl+q");
    assert_int_equal(drive_ended(driver, 20), 0);
    drive_restart(driver, args);
    drive_wait(driver, "start=1", 20);
    drive_key(driver, "ctrl+comma");
    drive_click(driver, "settings:keys");
    search_keys("save");
    drive_wait(driver, "keys:save=Ctrl+Shift+F9", 10);
    drive_click(driver, "keys:reset:save");
    drive_wait(driver, "keys:save=Ctrl+S", 10);
    drive_click(driver, "keys:reset-all");
    drive_wait(driver, "keys:save-as=Ctrl+Shift+S", 10);
}

FIXTURE(start_with_wrong_keys)
{
    window_settings(window_path("home"),
                    ", \"keys\": {\"save\": \"F9\", \"log\": \"Ctrl+S|\", \"no\": \"F8\"}");
    return start(NULL);
}

FIXTURE(stop_and_forget)
{
    window_settings(window_path("home"), "");
    return stop(NULL);
}

TEST_WITH(wrong_keys_are_told, start_with_wrong_keys, stop_and_forget)
{
    drive_wait(driver, "messages>0", 10);
    edit();
    drive_key(driver, "F9");
    drive_wait(driver, "changed=0", 10);
}

TEST_GROUP(window_make_folder, window_remove_folder);
