/* Parts of the window look as expected: the palette, the inspector and the canvas of a document that is not
 * evaluated, so that the pictures do not depend on a device. OROGRAPH_UPDATE_PICTURES=1 writes them anew. */
#include "tests/editor/window/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char document[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
    "  <world resolution=\"64\"/>\n"
    "  <variable name=\"relief\" value=\"700\"/>\n"
    "  <node id=\"hills\" type=\"noise\" x=\"40\" y=\"40\">\n"
    "    <in name=\"amplitude\" expr=\"relief * 2\"/>\n"
    "    <in name=\"seed\" value=\"4\"/>\n"
    "  </node>\n"
    "  <node id=\"rivers\" type=\"fluvial_erosion\" x=\"320\" y=\"40\" mute=\"true\">\n"
    "    <in name=\"terrain\" from=\"hills.field\"/>\n"
    "  </node>\n"
    "  <node id=\"shade\" type=\"hillshade\" x=\"600\" y=\"40\">\n"
    "    <in name=\"terrain\" from=\"rivers.terrain\"/>\n"
    "  </node>\n"
    "</orograph>\n";

static bool looks_the_same(const char *theme, const char *name, struct drive_rect part)
{
    char file[100], expected[200];
    snprintf(file, sizeof file, "%s-%s.png", name, theme);
    snprintf(expected, sizeof expected, "tests/editor/window/expected/%s", file);
    drive_screenshot_part(driver, window_path(file), part);
    return drive_compare(window_path(file), expected, 24, 0.02);
}

static void compare(const char *theme, const char *settings)
{
    const char *path = window_path("looks.oro"), *home = window_path(theme);
    const char *args[] = {"--no-tour", "--device", "99", path, NULL};
    window_write(path, document);
    window_settings(home, settings);
    driver = drive_start(&(struct drive_options){.args = args, .home = home});
    drive_wait(driver, "node:hills", 20);
    drive_wait(driver, "trouble!=", 20);
    drive_click(driver, "title:hills");
    drive_move(driver, "640,8"); /* over nothing */
    drive_settle(driver, 60);
    struct drive_rect canvas = drive_find(driver, "canvas");
    bool same = looks_the_same(theme, "inspector", drive_find(driver, "inspector"));
    same = looks_the_same(theme, "palette", (struct drive_rect){0, 0, 230, 600}) && same;
    same = looks_the_same(theme, "canvas", canvas) && same;
    drive_wheel(driver, "title:shade", -9);
    drive_settle(driver, 60);
    /* From far away: so small a part that a word broken in two makes another picture. */
    same = looks_the_same(theme, "far", drive_find(driver, "node:shade")) && same;
    if (!same)
        drive_fail(driver, "the window does not look as it did");
    stop(NULL);
}

TEST_WITH(both_themes_look_as_before, NULL, stop)
{
    compare("dark", ", \"layout\": \"across 230 palette across -340 down 0.1 view graph inspector\"");
    compare("light",
            ", \"layout\": \"across 230 palette across -340 down 0.1 view graph inspector\", \"theme\": 1");
}

TEST_GROUP(window_make_folder, window_remove_folder);
