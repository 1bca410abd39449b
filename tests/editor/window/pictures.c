/* Takes the pictures of docs/editor.md: `window_pictures FOLDER`, from the root of the repository. Each of
 * them is the window, or a part of it, in a state that the mouse and the keyboard led to. */
#include "tests/editor/window/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct driver *driver;
static const char *target;

/* ---- Steps ---- */

static void open_at(const char *file, const char *home, const char *more)
{
    const char *args[] = {"--no-tour", file, NULL};
    window_settings(window_path(home), more);
    driver = drive_start(
        &(struct drive_options){.args = args, .home = window_path(home), .width = 1600, .height = 1000});
}

/* Works on copies of documents, so that the examples stay untouched. */
static void open_example(const char *name, const char *more)
{
    char from[200], own[100];
    snprintf(from, sizeof from, "examples/%s.oro", name);
    snprintf(own, sizeof own, "%s.oro", name);
    window_copy(from, window_path(own));
    open_at(window_path(own), "home", more);
    drive_wait(driver, "nodes>0", 30);
}

static void close_window(void)
{
    drive_kill(driver);
    drive_stop(driver);
    driver = NULL;
}

static void take_part(const char *name, struct drive_rect part)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s.png", target, name);
    drive_wait(driver, "live=idle", 600);
    drive_settle(driver, 120);
    drive_screenshot_part(driver, path, part);
    print_message("  %s\n", path);
}

static void take(const char *name)
{
    take_part(name, (struct drive_rect){0, 0, 1600, 1000});
}

static void take_item(const char *name, const char *item)
{
    take_part(name, drive_find(driver, item));
}

static void rest(void)
{
    drive_move(driver, "800,8"); /* beside the menus */
}

static void show_graph(void)
{
    drive_move(driver, "canvas@0.5,0.5");
    drive_key(driver, "Home");
}

static void chosen(const char *node)
{
    char name[100], what[100];
    snprintf(name, sizeof name, "title:%s", node);
    snprintf(what, sizeof what, "inspected=%s", node);
    drive_click(driver, name);
    drive_wait(driver, what, 10);
}

/* ---- Pictures ---- */

static void with_amplify(void)
{
    open_example("amplify", ", \"resolution\": 256");
    show_graph();
    drive_key(driver, "l");
    drive_key(driver, "Home");
    chosen("detail");
    drive_key(driver, "v");
    drive_key(driver, "3");
    drive_drag(driver, "view:0@0.5,0.5", "view:0@0.4,0.42", 1, NULL);
    drive_wheel(driver, "view:0@0.5,0.55", 3);
    rest();
    take("main");
    take_item("scene", "view");
    take_item("inspector", "inspector");

    drive_click(driver, "button:wipe");
    drive_wheel(driver, "choose:massifs.field", -4);
    drive_click(driver, "choose:ground.field");
    drive_wait(driver, "wipe-divider", 30);
    rest();
    take_item("wipe", "view");
    drive_click(driver, "button:wipe");

    drive_click(driver, "button:depth");
    window_choose(driver, "combo:mode", "Shaded");
    rest();
    take_item("map", "view");
    drive_click(driver, "combo:output");
    drive_click(driver, "output:drainage");
    window_choose(driver, "combo:mode", "Drainage");
    rest();
    take_item("drainage", "view");

    drive_key(driver, "ctrl+b");
    drive_wait(driver, "dialog=build", 10);
    rest();
    take("build");
    close_window();
}

/* Two frames around parts of a larger graph. */
static void frame_around(const char *from, const char *to, const char *title)
{
    drive_drag(driver, from, to, 1, NULL);
    drive_key(driver, "shift+f");
    drive_type(driver, title);
    drive_key(driver, "Return");
}

static void with_range(void)
{
    open_example("mountain-range", ", \"layout\": \"down 0.35 view graph\", "
                                   "\"resolution\": 128");
    show_graph();
    drive_key(driver, "l");
    drive_key(driver, "Home");
    frame_around("canvas@0.005,0.02", "canvas@0.4,0.97", "Uplift");
    frame_around("canvas@0.67,0.02", "canvas@0.995,0.98", "Pictures");
    drive_click(driver, "canvas@0.5,0.03");
    rest();
    take_item("graph", "canvas");
    close_window();
}

static void with_uplift(void)
{
    open_example("uplift-tree", ", \"resolution\": 320");
    show_graph();
    chosen("massif");
    drive_key(driver, "v");
    rest();
    take("handles");
    close_window();
}

static void with_paint(void)
{
    open_example("first-range", ", \"resolution\": 256");
    show_graph();
    drive_click(driver, "button:brush");
    drive_click(driver, "button:new-layer");
    drive_click(driver, "button:create-layer");
    drive_wait(driver, "idle", 60);
    drive_drag(driver, "view:0@0.4,0.3", "view:0@0.6,0.5", 1, NULL);
    drive_drag(driver, "view:0@0.6,0.5", "view:0@0.45,0.7", 1, NULL);
    take_item("paint", "view");
    close_window();
}

/* Ground that rises evenly, by a number or `more` nodes, seen from above. */
static void open_even(const char *name, const char *more, const char *uplift)
{
    char file[60], text[800];
    snprintf(file, sizeof file, "%s.oro", name);
    snprintf(text, sizeof text,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
             "  <world extent=\"30000\" resolution=\"256\" seed=\"5\"/>\n"
             "%s"
             "  <node id=\"mountains\" type=\"stream_power\" version=\"1\" x=\"600\" y=\"80\">\n"
             "    <in name=\"uplift\" %s/>\n"
             "  </node>\n"
             "</orograph>\n",
             more, uplift);
    window_write(window_path(file), text);
    open_at(window_path(file), "home", ", \"resolution\": 256");
    drive_wait(driver, "nodes>0", 30);
    chosen("mountains");
    drive_key(driver, "v");
    window_choose(driver, "combo:mode", "Shaded");
    drive_wait(driver, "live=idle", 60);
}

/* A range with a valley through it, a part of it copied twice and turned, and a peak: figures 22 and 23 of
 * Schott 2023. */
static void with_regions(void)
{
    static const char *const crest[] = {"view:0@0.37,0.84", "view:0@0.42,0.66", "view:0@0.46,0.55",
                                        "view:0@0.49,0.36", NULL};
    static const char *const valley[] = {"view:0@0.36,0.56", "view:0@0.43,0.6", "view:0@0.52,0.68", NULL};
    open_even("copied",
              "  <node id=\"plain\" type=\"uplift_constant\" x=\"360\" y=\"80\">\n"
              "    <in name=\"uplift\" value=\"0.00001\"/>\n"
              "  </node>\n",
              "from=\"plain.uplift\"");
    drive_click(driver, "button:sketch");
    drive_stroke(driver, crest, NULL);
    drive_wait(driver, "undo=draw range", 10);
    window_choose(driver, "sketch-kind", "Valley");
    drive_stroke(driver, valley, NULL);
    drive_wait(driver, "undo=draw valley", 10);
    drive_wait(driver, "live=idle", 60);
    drive_click(driver, "button:region");
    drive_drag(driver, "view:0@0.38,0.28", "view:0@0.53,0.62", 1, NULL);
    drive_wait(driver, "region=selected", 10);
    rest();
    take_item("region", "view");
    drive_move(driver, "view:0@0.61,0.65");
    drive_key(driver, "ctrl+c");
    drive_key(driver, "ctrl+v");
    drive_wait(driver, "undo=paste region", 10);
    drive_wait(driver, "inspected=copies", 10);
    drive_move(driver, "view:0@0.6,0.3");
    drive_key(driver, "ctrl+v");
    drive_wait(driver, "handle:copies.places.0t", 10);
    drive_drag(driver, "handle:copies.places.0t", "handle:copies.places.0+-78,16", 1, NULL);
    drive_wait(driver, "undo=turn copy", 10);
    drive_wait(driver, "live=idle", 60);
    show_graph();
    rest();
    take("regions");
    drive_click(driver, "button:sketch");
    window_choose(driver, "sketch-kind", "Peak");
    drive_click(driver, "view:0@0.41,0.7");
    drive_wait(driver, "undo=draw peak", 10);
    drive_wait(driver, "live=idle", 60);
    drive_click(driver, "button:sketch");
    rest();
    take_item("peak", "view");
    close_window();
}

/* Level ground that a range, a valley and a second range are drawn on. */
static void with_strokes(void)
{
    static const char *const crest[] = {"view:0@0.36,0.86", "view:0@0.42,0.62", "view:0@0.5,0.5",
                                        "view:0@0.6,0.42",  "view:0@0.66,0.2",  NULL};
    static const char *const spur[] = {"view:0@0.5,0.5", "view:0@0.56,0.66", "view:0@0.66,0.76", NULL};
    static const char *const valley[] = {"view:0@0.41,0.4", "view:0@0.5,0.58", "view:0@0.48,0.72",
                                         "view:0@0.54,0.9", NULL};
    open_even("drawn", "", "value=\"0.00002\"");
    drive_click(driver, "button:sketch");
    drive_stroke(driver, crest, NULL);
    drive_wait(driver, "undo=draw range", 10);
    drive_wait(driver, "live=idle", 60);
    drive_stroke(driver, spur, NULL);
    drive_wait(driver, "live=idle", 60);
    window_choose(driver, "sketch-kind", "Valley");
    drive_stroke(driver, valley, NULL);
    drive_wait(driver, "undo=draw valley", 10);
    show_graph();
    rest();
    take("strokes");
    drive_click(driver, "button:sketch");

    drive_click(driver, "palette");
    drive_type(driver, "brush");
    drive_drag(driver, "palette:brush_volcanic_arc.oro", "view:0@0.46,0.78", 1, NULL);
    drive_wait(driver, "undo=drop uplift", 10);
    drive_wait(driver, "live=idle", 60);
    drive_drag(driver, "palette:brush_dome.oro", "view:0@0.37,0.3", 1, NULL);
    drive_wait(driver, "inspected=brush_dome", 10);
    drive_move(driver, "canvas@0.5,0.5");
    drive_key(driver, "Home");
    rest();
    take("brushes");
    drive_key(driver, "ctrl+s");
    close_window();
}

static void with_nothing(void)
{
    open_at(NULL, "home", "");
    drive_wait(driver, "start=1", 30);
    rest();
    take("start");
    close_window();
    open_at("examples/first-range.oro", "light", ", \"theme\": 1, \"preview\": 128");
    show_graph();
    chosen("mountains");
    rest();
    take_part("palette-light", (struct drive_rect){0, 0, 1600, 1000});
    close_window();
    driver =
        drive_start(&(struct drive_options){.home = window_path("first"), .width = 1600, .height = 1000});
    drive_wait(driver, "tour_step=1", 30);
    drive_move(driver, "canvas@0.1,0.2");
    drive_key(driver, "Tab");
    drive_type(driver, "noise");
    drive_key(driver, "Return");
    drive_wait(driver, "tour_step=2", 30);
    drive_key(driver, "3");
    rest();
    take("tour");
    close_window();
}

/* One command has another key, and the key of a second one is asked for. */
static void with_keys(void)
{
    open_at("examples/first-range.oro", "keys", ", \"keys\": {\"mute\": \"Ctrl+M\"}, \"preview\": 128");
    show_graph();
    drive_key(driver, "ctrl+comma");
    drive_click(driver, "settings:keys");
    drive_click(driver, "keys:search");
    drive_type(driver, "node");
    drive_click(driver, "keys:change:add");
    drive_key(driver, "ctrl+n");
    drive_wait(driver, "keys:take", 10);
    rest();
    take_item("keys", "window:Settings");
    close_window();
}

/* A version, and what has changed since. */
static void with_history(void)
{
    open_example("amplify", ", \"preview\": 128");
    drive_key(driver, "ctrl+alt+s");
    drive_type(driver, "Before the canyon");
    drive_key(driver, "Return");
    drive_wait(driver, "versions=1", 10);
    drive_key(driver, "Escape");
    show_graph();
    drive_click(driver, "title:rock");
    drive_key(driver, "Delete");
    drive_click(driver, "title:bays");
    window_type_number(driver, "input:bays.octaves", "7");
    drive_key(driver, "ctrl+h");
    drive_click(driver, "version-compare:0");
    drive_wait(driver, "differences>2", 10);
    rest();
    take("history");
    close_window();
}

FIXTURE(quit)
{
    if (driver)
        drive_stop(driver);
    driver = NULL;
    return 0;
}

/* One part alone, where it is named. */
static const char *only;

static const struct {
    const char *name;
    void (*run)(void);
} parts[] = {{"amplify", with_amplify}, {"range", with_range},     {"uplift", with_uplift},
             {"paint", with_paint},     {"strokes", with_strokes}, {"regions", with_regions},
             {"nothing", with_nothing}, {"keys", with_keys},       {"history", with_history}};

static void all(void **state)
{
    (void)state;
    bool any = false;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!only || strcmp(only, parts[i].name) == 0) {
            parts[i].run();
            any = true;
        }
    if (!any)
        fail_msg("no part is called '%s'", only);
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 3) {
        fputs("usage: window_pictures FOLDER [PART]\n", stderr);
        return 2;
    }
    target = argv[1];
    only = argc > 2 ? argv[2] : NULL;
    if (!window_can_run())
        return 77;
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(all, quit)};
    return cmocka_run_group_tests(tests, window_make_folder, window_remove_folder);
}
