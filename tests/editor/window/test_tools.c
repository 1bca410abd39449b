/* The window apart from building a graph: searches, references, settings, the log, arranging a graph, and the
 * tools of the views. */
#include "tests/editor/window/fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/format.h"

static const char document[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
                               "  <world extent=\"10000\" resolution=\"64\"/>\n"
                               "  <node id=\"hills\" type=\"noise\" x=\"40\" y=\"40\"/>\n"
                               "  <node id=\"dunes\" type=\"noise\" x=\"40\" y=\"280\">\n"
                               "    <in name=\"seed\" value=\"4\"/>\n"
                               "  </node>\n"
                               "  <node id=\"both\" type=\"combine\" x=\"320\" y=\"40\">\n"
                               "    <in name=\"a\" from=\"hills.field\"/>\n"
                               "    <in name=\"b\" from=\"dunes.field\"/>\n"
                               "  </node>\n"
                               "  <node id=\"massif\" type=\"uplift_disc\" x=\"600\" y=\"40\">\n"
                               "    <in name=\"centre\" value=\"5000 5000\"/>\n"
                               "    <in name=\"radius\" value=\"3000\"/>\n"
                               "  </node>\n"
                               "</orograph>\n";

static int show(struct driver *(*start)(const char *file))
{
    const char *path = window_path("tools.oro");
    window_write(path, document);
    driver = start(path);
    drive_wait(driver, "nodes=4", 20);
    drive_move(driver, "canvas@0.5,0.9");
    drive_key(driver, "Home");
    return 0;
}

FIXTURE(start)
{
    return show(window_start);
}

FIXTURE(start_painted)
{
    return show(window_start_painted);
}

/* ---- Searches and references ---- */

TEST_WITH(nodes_and_commands_are_found, start, stop)
{
    drive_key(driver, "ctrl+f");
    drive_type(driver, "dune");
    drive_wait(driver, "found:dunes", 10);
    drive_key(driver, "Return");
    drive_wait(driver, "selected=dunes", 10);
    drive_key(driver, "Escape");
    drive_key(driver, "F3");
    drive_wait(driver, "dialog=commands", 10);
    drive_type(driver, "select all");
    drive_key(driver, "Return");
    drive_wait(driver, "dialog=", 10);
    drive_wait(driver, "selected!=dunes", 10);
}

static void leads_to(const char *key, const char *dialog)
{
    char what[60];
    drive_key(driver, key);
    snprintf(what, sizeof what, "dialog=%s", dialog);
    drive_wait(driver, what, 10);
}

static void opens_and_closes(const char *key, const char *dialog)
{
    leads_to(key, dialog);
    leads_to("Escape", "");
}

TEST_WITH(windows_open_and_close, start, stop)
{
    drive_click(driver, "title:hills");
    opens_and_closes("F1", "help");
    opens_and_closes("shift+F1", "keys");
    opens_and_closes("ctrl+comma", "settings");
    opens_and_closes("ctrl+b", "build");
    leads_to("F1", "help");
    leads_to("ctrl+comma", "settings");
    leads_to("Escape", "help"); /* one at a time, the newest first */
    leads_to("Escape", "");
}

TEST_WITH(settings_are_kept, start, stop)
{
    static const char *const args[] = {"--no-tour", NULL};
    drive_key(driver, "ctrl+comma");
    drive_click(driver, "settings:light");
    drive_key(driver, "Escape");
    drive_click(driver, "menu:Edit"); /* a picture of the light theme */
    drive_key(driver, "Escape");
    drive_key(driver, "ctrl+q");
    assert_int_equal(drive_ended(driver, 20), 0);
    assert_true(window_file_has(window_path("home/config/orograph/settings.json"), "\"theme\": 1"));
    drive_restart(driver, args);
    drive_key(driver, "ctrl+comma");
    drive_click(driver, "settings:dark");
    drive_key(driver, "Escape");
}

/* ---- Arranging ---- */

TEST_WITH(links_are_cut_and_bent, start, stop)
{
    drive_drag(driver, "link:both.b+0,-12", "link:both.b+0,14", 3, "ctrl");
    drive_wait(driver, "links=1", 10);
    window_undo_to(driver, "links=2");
    drive_drag(driver, "link:both.b+0,-12", "link:both.b+0,14", 3, "shift");
    drive_wait(driver, "nodes=5", 10);
    drive_wait(driver, "links=3", 10);
    window_undo_to(driver, "nodes=4");
}

TEST_WITH(nodes_are_chosen_and_arranged, start, stop)
{
    drive_drag(driver, "canvas@0.04,0.05", "canvas@0.36,0.97", 1, NULL);
    drive_wait(driver, "selected=hills dunes", 10);
    drive_key(driver, "shift+d");
    drive_click(driver, "canvas@0.8,0.8");
    drive_wait(driver, "nodes=6", 10);
    drive_key(driver, "Delete");
    drive_wait(driver, "nodes=4", 10);
    drive_key(driver, "l");
    drive_wait(driver, "undo=Tidy", 10);
    while (drive_is(driver, "undo!="))
        drive_key(driver, "ctrl+z");
    assert_string_equal(drive_state(driver, "changed"), "0");
}

TEST_WITH(the_palette_adds, start, stop)
{
    drive_click(driver, "palette");
    drive_type(driver, "ramp");
    drive_drag(driver, "palette:ramp", "canvas@0.8,0.8", 1, NULL);
    drive_wait(driver, "node:ramp", 10);
    drive_wait(driver, "nodes=5", 10);
}

/* ---- Views ---- */

/* From its first button to its last. */
static bool toolbar_has_one_row(void)
{
    return drive_find(driver, "button:depth").y == drive_find(driver, "button:screenshot").y;
}

TEST_WITH(views_show_and_measure, start_painted, stop)
{
    drive_click(driver, "title:both");
    drive_key(driver, "v");
    drive_wait(driver, "view0=both.field", 10);
    window_wait_picture(driver);
    assert_true(toolbar_has_one_row());
    drive_click(driver, "button:measure");
    drive_drag(driver, "view:0@0.4,0.4", "view:0@0.6,0.6", 1, NULL);
    drive_wait(driver, "measure!=", 10);
    drive_click(driver, "button:measure");
    drive_click(driver, "button:profile");
    drive_click(driver, "view:0@0.4,0.4");
    drive_double_click(driver, "view:0@0.6,0.6");
    drive_wait(driver, "profile!=", 10);
    drive_click(driver, "button:profile");

    drive_click(driver, "button:pin");
    drive_click(driver, "title:hills");
    drive_key(driver, "v");
    assert_string_equal(drive_state(driver, "view0"), "both.field");
    drive_click(driver, "button:pin");
    drive_click(driver, "button:split");
    drive_wait(driver, "view:1", 10);
    drive_key(driver, "ctrl+shift+d");
    drive_wait(driver, "!view:1", 10);
    drive_click(driver, "button:wipe");
    drive_click(driver, "choose:dunes.field");
    drive_wait(driver, "wipe-divider", 10);
    drive_click(driver, "button:wipe");
    drive_wait(driver, "!wipe-divider", 10);
    char written[40];
    const char *picture = window_path("view.png");
    snprintf(written, sizeof written, "messages>%s", drive_state(driver, "messages"));
    drive_click(driver, "button:screenshot");
    drive_click(driver, "button:Save picture");
    window_choose_path(driver, picture);
    drive_wait(driver, written, 30);
    assert_true(window_file_has(picture, "PNG"));
    drive_click(driver, "button:depth");
    drive_wait(driver, "view0_depth=1", 10);
    drive_wait(driver, "sharp=1", 60);
    assert_true(toolbar_has_one_row());
    assert_in_range(window_tones(driver, "view:0"), 8, 64);
}

TEST_WITH(handles_move_inputs, start, stop)
{
    drive_click(driver, "title:massif");
    drive_key(driver, "v");
    window_wait_picture(driver);
    drive_wait(driver, "value:centre=5000 5000", 10);
    drive_drag(driver, "handle:massif.centre", "handle:massif.centre+30,0", 1, NULL);
    drive_wait(driver, "value:centre!=5000 5000", 10);
    char *after;
    double x = strtod(drive_state(driver, "value:centre"), &after), y = strtod(after, NULL);
    assert_true(x > 5100 && fabs(y - 5000) < 200);
    window_undo_to(driver, "value:centre=5000 5000");
}

/* What the layer holds that the brush is on. */
static char *painted(void)
{
    return strdup(drive_state(driver, "painted"));
}

static void await_painted(const char *before, bool same)
{
    char what[100];
    snprintf(what, sizeof what, "painted%s%s", same ? "=" : "!=", before);
    drive_wait(driver, what, 10);
}

/* Of a layer's file, at shares of its sides. */
static float layer_at(const char *path, double x, double y)
{
    struct oro_error err = {0};
    struct oro_heightfield field = {0};
    struct oro_read_options options = {.has_range = true, .high = 1, .no_sidecar = true};
    if (!oro_heightfield_read(path, &options, &field, &err))
        drive_fail(driver, "%s", err.text);
    float value = field.data[(int)(y * field.height) * field.width + (int)(x * field.width)];
    oro_heightfield_free(&field);
    return value;
}

/* Before the chosen node, and all of it in sight. */
static void expect_in_sight(const char *layer, const char *chosen)
{
    struct drive_rect canvas = drive_find(driver, "canvas"), at = drive_find(driver, layer);
    assert_true(at.x >= canvas.x && at.x + at.w <= canvas.x + canvas.w);
    assert_true(at.y >= canvas.y && at.y + at.h <= canvas.y + canvas.h);
    assert_true(at.x + at.w < drive_find(driver, chosen).x);
}

TEST_WITH(brushes_paint_layers, start, stop)
{
    drive_click(driver, "title:hills");
    drive_key(driver, "v");
    window_wait_picture(driver);
    drive_click(driver, "button:brush");
    drive_click(driver, "button:new-layer");
    drive_click(driver, "layer-name");
    drive_key(driver, "ctrl+a");
    drive_type(driver, "meadow");
    drive_click(driver, "button:create-layer");
    drive_wait(driver, "nodes=5", 10);
    drive_wait(driver, "idle", 60);
    expect_in_sight("node:meadow", "node:hills");
    char *before = painted();
    drive_drag(driver, "view:0@0.5,0.4", "view:0@0.55,0.45", 1, "alt"); /* moves the map */
    drive_drag(driver, "view:0@0.55,0.45", "view:0@0.5,0.4", 1, "alt");
    drive_wait(driver, "undo=new layer", 10);
    drive_drag(driver, "view:0@0.45,0.4", "view:0@0.55,0.6", 1, NULL);
    await_painted(before, false);
    drive_move(driver, "canvas@0.5,0.97");
    drive_key(driver, "ctrl+z");
    await_painted(before, true);
    /* There and back between two frames: both ends are painted. */
    drive_flick(driver, "view:0@0.5,0.25", "view:0@0.5,0.7", "view:0@0.5,0.25");
    await_painted(before, false);
    free(before);
    drive_wait(driver, "idle", 60);
    /* A list is closed before the tool is put away. */
    drive_click(driver, "button:new-layer");
    drive_wait(driver, "idle", 10);
    drive_key(driver, "Escape");
    drive_click(driver, "brush-size");
    drive_key(driver, "ctrl+shift+s");
    drive_wait(driver, "dialog=chooser", 10);
    drive_key(driver, "ctrl+a");
    drive_type(driver, "own");
    drive_key(driver, "Return");
    drive_wait(driver, "value:file=own.layers/meadow.png", 10);
    assert_true(layer_at(window_path("own.layers/meadow.png"), 0.5, 0.7) > 0.5f);
}

TEST_GROUP(window_make_folder, window_remove_folder);
