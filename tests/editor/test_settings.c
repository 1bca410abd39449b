/* Settings: they are kept, and no file can do harm. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "editor/session/settings.h"
#include "tests/support/test.h"

static char folder[64], file[100], aside[100];

FIXTURE(set_up)
{
    snprintf(folder, sizeof folder, "/tmp/orograph-settings-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(file, sizeof file, "%s/settings.json", folder);
    snprintf(aside, sizeof aside, "%s/settings.damaged.json", folder);
    return 0;
}

FIXTURE(tear_down)
{
    remove(file);
    remove(aside);
    return rmdir(folder);
}

/* Loads a file with this text; `sound`: it does not count as damaged. */
static void reads(const char *text, bool sound, struct ed_settings *settings)
{
    struct oro_error err = {0};
    assert_true(oro_file_write(file, text, strlen(text), &err));
    assert_int_equal(ed_settings_load(settings, folder, &err), sound);
    assert_int_equal(access(file, F_OK) == 0, sound);
}

TEST_WITH(round_trip, set_up, tear_down)
{
    struct ed_settings settings, again;
    struct oro_error err = {0};
    assert_true(ed_settings_load(&settings, folder, &err));
    assert_int_equal(settings.preview, 256);
    settings.scale = 1.25f;
    settings.theme = ED_THEME_LIGHT;
    settings.preview = 512;
    settings.resolution = 0;
    settings.device = 2;
    settings.memory_mb = 4096;
    settings.snap = settings.show_minimap = false;
    settings.toured = true;
    ed_settings_recent(&settings, folder);
    assert_true(ed_settings_save(&settings, folder, &err));
    assert_true(ed_settings_load(&again, folder, &err));
    assert_string_equal(again.recent[0], settings.recent[0]);
    assert_float_equal(again.scale, 1.25f, 0);
    assert_int_equal(again.theme, ED_THEME_LIGHT);
    assert_int_equal(again.preview, 512);
    assert_int_equal(again.resolution, 0);
    assert_int_equal(again.device, 2);
    assert_int_equal(again.memory_mb, 4096);
    assert_false(again.snap || again.show_minimap);
    assert_true(again.toured);
    ed_settings_free(&settings);
    ed_settings_free(&again);
}

TEST_WITH(damaged, set_up, tear_down)
{
    static const char *const damaged[] = {"", "{", "[1, 2]", "{\"preview\": 1e999}", "\x01\xff"};
    struct ed_settings settings;
    for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++) {
        reads(damaged[i], false, &settings);
        assert_int_equal(settings.preview, 256);
        assert_int_equal(access(aside, F_OK), 0);
        ed_settings_free(&settings);
    }
}

/* Values that make no sense are replaced by defaults; the rest is used. */
TEST_WITH(odd_values, set_up, tear_down)
{
    struct ed_settings settings;
    reads("{\"scale\": \"large\", \"preview\": -5, \"resolution\": 1e12, \"theme\": 7, \"width\": 1,"
          " \"snap\": 0, \"memory_mb\": 512, \"unknown\": {}, \"recent\": [\"\", 3, \"/a.oro\", null]}",
          true, &settings);
    assert_float_equal(settings.scale, 0, 0);
    assert_int_equal(settings.preview, 256);
    assert_int_equal(settings.resolution, 1024);
    assert_int_equal(settings.theme, ED_THEME_DARK);
    assert_int_equal(settings.width, 1600);
    assert_false(settings.snap);
    assert_int_equal(settings.memory_mb, 512);
    assert_string_equal(settings.recent[0], "/a.oro");
    assert_null(settings.recent[1]);
    ed_settings_free(&settings);
}

static const char *keys_of(const struct ed_settings *settings, const char *command)
{
    for (size_t i = 0; i < settings->binding_count; i++)
        if (strcmp(settings->bindings[i].command, command) == 0)
            return settings->bindings[i].keys;
    return "-";
}

TEST_WITH(keys_are_kept, set_up, tear_down)
{
    struct ed_settings settings;
    struct oro_error err = {0};
    reads("{\"keys\": {\"save\": \"Ctrl+Alt+S|F9\", \"open\": \"\", \"new\": 3}}", true, &settings);
    assert_string_equal(keys_of(&settings, "save"), "Ctrl+Alt+S|F9");
    assert_string_equal(keys_of(&settings, "open"), "");
    assert_null(keys_of(&settings, "new"));
    assert_true(ed_settings_bind(&settings, "new", "F7"));
    assert_true(ed_settings_bind(&settings, "save", "F8"));
    assert_int_equal(settings.binding_count, 3);
    assert_true(ed_settings_save(&settings, folder, &err));
    ed_settings_free(&settings);
    assert_true(ed_settings_load(&settings, folder, &err));
    assert_string_equal(keys_of(&settings, "save"), "F8");
    assert_string_equal(keys_of(&settings, "new"), "F7");
    assert_string_equal(keys_of(&settings, "open"), "");
    ed_settings_free(&settings);
    reads("{\"preview\": 512, \"keys\": [1, 2]}", true, &settings);
    assert_int_equal(settings.preview, 512);
    ed_settings_free(&settings);
}

/* A folder that cannot be made is reported, and existing settings stay. */
TEST_WITH(no_place, set_up, tear_down)
{
    struct ed_settings settings;
    struct oro_error err = {0};
    char below[120];
    reads("{\"preview\": 512}", true, &settings);
    snprintf(below, sizeof below, "%s/below", file);
    assert_false(ed_settings_save(&settings, below, &err));
    assert_true(err.text[0] != '\0');
    ed_settings_free(&settings);
    assert_true(ed_settings_load(&settings, folder, &err));
    assert_int_equal(settings.preview, 512);
    ed_settings_free(&settings);
}

/* What is added most counts most, and of many different ones the oldest are forgotten. */
TEST_WITH(what_was_added_is_counted, set_up, tear_down)
{
    struct ed_settings settings, again;
    struct oro_error err = {0};
    char key[32];
    assert_true(ed_settings_load(&settings, folder, &err));
    for (int i = 0; i < 3; i++)
        ed_settings_use(&settings, "noise");
    ed_settings_use(&settings, "noise:voronoi");
    assert_true(ed_settings_save(&settings, folder, &err));
    assert_true(ed_settings_load(&again, folder, &err));
    assert_int_equal(again.used_count, 2);
    assert_string_equal(again.used[0].key, "noise:voronoi");
    assert_int_equal(ed_settings_used(&again, "noise"), 3);
    assert_int_equal(ed_settings_used(&again, "blur"), 0);
    for (int i = 0; i < ED_USED_MAX; i++) {
        snprintf(key, sizeof key, "k%d", i);
        ed_settings_use(&again, key);
    }
    assert_int_equal(again.used_count, ED_USED_MAX);
    assert_int_equal(ed_settings_used(&again, "noise"), 0);
    assert_int_equal(ed_settings_used(&again, "k0"), 1);
    ed_settings_free(&settings);
    ed_settings_free(&again);
    reads("{\"used\": [{\"key\": 3}, 7, {\"key\": \"a\", \"count\": -1}, {\"key\": \"b\", \"count\": 1e30}, "
          "{\"key\": \"c\", \"count\": 9000000000000}, {\"key\": \"c\", \"count\": 2}, {}]}",
          true, &again);
    assert_int_equal(again.used_count, 1);
    assert_true(ed_settings_used(&again, "c") > 1000000);
    ed_settings_use(&again, "c");
    assert_true(ed_settings_used(&again, "c") > 1000000);
    ed_settings_free(&again);
    reads("{\"used\": {\"noise\": 3}}", true, &again);
    assert_int_equal(again.used_count, 0);
    ed_settings_free(&again);
}
