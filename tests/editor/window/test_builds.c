/* Builds that a document names, in the dialog: taken over, changed, kept, and what they write. */
#include "tests/editor/window/fixture.h"

#include <stdio.h>
#include <string.h>

static const char graph[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
    "  <world extent=\"6400\" resolution=\"=cells\"/>\n"
    "  <variable name=\"cells\" value=\"64\"/>\n"
    "  <interface>\n    <out name=\"ground\" from=\"hills.field\"/>\n"
    "    <out name=\"picture\" from=\"shade.image\"/>\n  </interface>\n"
    "  <build name=\"game\" resolution=\"=cells * 2 - 1\" for=\"unreal\" outputs=\"ground\"/>\n"
    "  <build name=\"web\" resolution=\"32\" outputs=\"ground picture\"/>\n"
    "  <node id=\"hills\" type=\"noise\" version=\"3\" x=\"40\" y=\"40\"/>\n"
    "  <node id=\"shade\" type=\"hillshade\" x=\"300\" y=\"40\">\n    <in name=\"terrain\" "
    "from=\"hills.field\"/>\n  </node>\n"
    "</orograph>\n";

FIXTURE(start)
{
    window_write(window_path("g.oro"), graph);
    driver = window_start_painted(window_path("g.oro"));
    drive_wait(driver, "nodes=2", 30);
    return 0;
}

static void take_over(const char *name)
{
    char entry[100], state[100];
    snprintf(entry, sizeof entry, "build:profile:%s", name);
    snprintf(state, sizeof state, "build_profile=%s", name);
    drive_click(driver, "build:profile");
    drive_click(driver, entry);
    drive_wait(driver, state, 10);
}

/* The size at which an output is written, as the dialog tells it. */
static void expect_size(const char *output, const char *cells)
{
    char key[100];
    snprintf(key, sizeof key, "build_size:%s", output);
    for (int i = 0; i < 200 && !strstr(drive_state(driver, key), cells); i++)
        window_pause(0.1);
    if (!strstr(drive_state(driver, key), cells))
        drive_fail(driver, "%s is '%s', not %s", key, drive_state(driver, key), cells);
}

TEST_WITH(builds_of_the_document, start, stop)
{
    drive_click(driver, "canvas@0.6,0.9"); /* nothing is chosen: the world is shown */
    drive_wait(driver, "value:world:resolution=64", 20);
    drive_key(driver, "ctrl+b");
    drive_wait(driver, "dialog=build", 10);
    take_over("web");
    expect_size("picture", "32 \xc3\x97 32");
    take_over("game");
    expect_size("ground", "127 \xc3\x97 127");
    drive_click(driver, "build:start");
    drive_wait(driver, "build=done", 60);
    assert_true(window_exists(window_path("g-game.png")));
    assert_true(window_file_has(window_path("g-game.png.json"), "\"width\": 127"));

    drive_click(driver, "build:resolution:256");
    drive_click(driver, "build:keep-as");
    drive_key(driver, "ctrl+a");
    drive_type(driver, "large");
    drive_click(driver, "build:keep");
    drive_wait(driver, "build_profile=large", 10);
    drive_wait(driver, "undo=Keep a build", 10);
    take_over("web");
    drive_click(driver, "build:forget");
    drive_wait(driver, "build_profile=", 10);
    drive_key(driver, "Escape");
    drive_wait(driver, "dialog=", 10);
    drive_key(driver, "ctrl+s");
    drive_wait(driver, "changed=0", 10);
    assert_true(
        window_file_has(window_path("g.oro"),
                        "<build name=\"large\" resolution=\"256\" for=\"unreal\" outputs=\"ground\"/>"));
    assert_false(window_file_has(window_path("g.oro"), "name=\"web\""));
    assert_true(window_file_has(window_path("g.oro"), "resolution=\"=cells\""));
}

TEST_WITH(the_worlds_sea_and_expressions, start, stop)
{
    drive_click(driver, "canvas@0.6,0.9"); /* nothing is chosen: the world is shown */
    drive_wait(driver, "value:world:resolution=64", 20);
    drive_click(driver, "world:sea");
    drive_key(driver, "ctrl+a");
    drive_type(driver, "12.5");
    drive_key(driver, "Return");
    drive_wait(driver, "value:world:sea=12.5", 10);
    window_type_number(driver, "world:extent", "=cells*50");
    drive_wait(driver, "value:world:extent=3200", 20);
    window_type_number(driver, "world:resolution", "48");
    drive_wait(driver, "value:world:resolution=48", 20);
    drive_key(driver, "ctrl+s");
    drive_wait(driver, "changed=0", 10);
    assert_true(window_file_has(window_path("g.oro"),
                                "<world extent=\"=cells*50\" resolution=\"48\" sea=\"12.5\"/>"));
}
