/* A graph from nothing, by mouse and keyboard alone: built, rendered, saved, opened again, undone and redone.
 */
#include "tests/editor/window/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

FIXTURE(start)
{
    driver = window_start(NULL);
    drive_click(driver, "start:new");
    drive_wait(driver, "start=0", 10);
    return 0;
}

/* ---- Steps ---- */

static void link_erosion(void)
{
    window_add(driver, "canvas@0.03,0.1", "noise");
    drive_wait(driver, "node:noise", 10);
    drive_drag(driver, "socket:noise.out.field", "canvas@0.42,0.15", 1, NULL);
    drive_wait(driver, "dialog=add", 10);
    drive_type(driver, "thermal");
    drive_key(driver, "Return");
    drive_wait(driver, "nodes=2", 10);
    drive_wait(driver, "links=1", 10);
    assert_string_equal(drive_state(driver, "selected"), "thermal_erosion");
    assert_string_equal(drive_state(driver, "value:terrain"), "from noise.field");
}

static void change_values(void)
{
    drive_click(driver, "title:noise");
    drive_wait(driver, "inspected=noise", 10);
    char before[40];
    snprintf(before, sizeof before, "%s", drive_state(driver, "value:amplitude"));
    drive_drag(driver, "input:noise.amplitude@0.3,0.5", "input:noise.amplitude@0.7,0.5", 1, NULL);
    assert_string_not_equal(drive_state(driver, "value:amplitude"), before);
    window_type_number(driver, "input:noise.feature", "2500");
    drive_wait(driver, "value:feature=2500", 10);
    drive_move(driver, "canvas@0.05,0.9");
}

static void mute_twice(void)
{
    drive_click(driver, "title:thermal_erosion");
    drive_key(driver, "m");
    drive_wait(driver, "undo=Mute", 10);
    drive_key(driver, "m");
    drive_wait(driver, "undo!=Mute", 10);
}

/* A group of both, entered, left; and a frame around it. */
static void group_and_frame(void)
{
    drive_key(driver, "ctrl+a");
    drive_key(driver, "ctrl+g");
    drive_wait(driver, "nodes=1", 10);
    drive_key(driver, "Tab");
    drive_wait(driver, "depth=1", 10);
    drive_wait(driver, "node:noise", 10);
    drive_key(driver, "shift+Tab");
    drive_wait(driver, "depth=0", 10);
    drive_key(driver, "ctrl+a");
    drive_key(driver, "shift+f");
    drive_wait(driver, "frames=1", 10);
    drive_type(driver, "Hills");
    drive_key(driver, "Return");
}

/* Through the clipboard of the system, to another window. */
static void paste_elsewhere(void)
{
    drive_key(driver, "ctrl+a");
    drive_key(driver, "ctrl+c");
    const char *const args[] = {"--no-tour", NULL};
    window_settings(window_path("other"), "");
    struct driver *other = drive_start(&(struct drive_options){
        .args = args, .home = window_path("other"), .unpainted = true, .beside = driver});
    drive_click(other, "start:new");
    drive_wait(other, "start=0", 10);
    drive_move(other, "canvas@0.3,0.3");
    drive_key(other, "ctrl+v");
    drive_wait(other, "nodes=1", 10);
    drive_key(other, "Tab");
    drive_wait(other, "depth=1", 10);
    drive_wait(other, "nodes=2", 10);
    assert_string_equal(drive_state(other, "links"), "1");
    drive_kill(other);
    drive_stop(other);
    drive_take_window(driver);
}

/* ---- Saving and building ---- */

static void set_small_world(void)
{
    drive_click(driver, "canvas@0.6,0.9"); /* nothing is chosen */
    drive_wait(driver, "selected=", 10);
    window_type_number(driver, "world:resolution", "64");
    drive_wait(driver, "value:world:resolution=64", 10);
}

static void add_export(void)
{
    drive_click(driver, "canvas@0.6,0.9");
    window_add(driver, "canvas@0.5,0.1", "export");
    drive_wait(driver, "node:export", 10);
    drive_drag(driver, "socket:group.out.terrain", "socket:export.in.terrain", 1, NULL);
    drive_wait(driver, "links=1", 10);
    drive_click(driver, "title:export");
    drive_click(driver, "input:export.file");
    drive_key(driver, "ctrl+a");
    drive_type(driver, "made.png");
    drive_key(driver, "Return");
    drive_wait(driver, "value:file=made.png", 10);
}

static void save(const char *path)
{
    drive_key(driver, "ctrl+s");
    window_choose_path(driver, path);
    drive_wait(driver, "changed=0", 10);
    assert_string_equal(drive_state(driver, "path"), path);
}

static void build(void)
{
    drive_key(driver, "ctrl+b");
    drive_wait(driver, "dialog=build", 10);
    drive_click(driver, "build:start");
    drive_wait(driver, "build=done", 60);
    drive_wait(driver, "build_replaces=1", 10); /* the next would */
    drive_key(driver, "Escape");
    drive_wait(driver, "dialog=", 10);
}

/* The program is not left while a build runs, unless that is what the user wants. */
static void leave_while_building(void)
{
    drive_key(driver, "ctrl+b");
    drive_click(driver, "build:resolution:8192");
    drive_click(driver, "build:start");
    drive_wait(driver, "build=running", 10);
    drive_key(driver, "ctrl+q");
    drive_wait(driver, "button:Stop it and leave", 10);
    drive_click(driver, "button:Go on building");
    drive_wait(driver, "asking=0", 10);
    drive_wait(driver, "build=running", 10);
    drive_click(driver, "build:cancel");
    drive_wait(driver, "build=cancelled", 60);
    drive_click(driver, "build:resolution:256");
    drive_key(driver, "Escape");
    drive_wait(driver, "dialog=", 10);
}

static void render(const char *document)
{
    char command[1024];
    snprintf(command, sizeof command, "'%s' render --no-cache '%s' > /dev/null 2>&1", OROGRAPH_PROGRAM,
             document);
    assert_int_equal(system(command), 0);
}

static void open_again(const char *path)
{
    char nodes[20];
    snprintf(nodes, sizeof nodes, "%s", drive_state(driver, "nodes"));
    assert_true(drive_stop(driver));
    driver = window_start(path);
    drive_wait(driver, "nodes!=0", 10);
    assert_string_equal(drive_state(driver, "nodes"), nodes);
    assert_string_equal(drive_state(driver, "frames"), "1");
    assert_string_equal(drive_state(driver, "changed"), "0");
}

TEST_WITH(a_graph_is_made_from_nothing, start, stop)
{
    const char *path = window_path("made.oro"), *picture = window_path("made.png");
    link_erosion();
    change_values();
    mute_twice();
    group_and_frame();
    paste_elsewhere();
    set_small_world();
    add_export();
    save(path);
    assert_true(window_file_has(path, "\"Hills\""));
    assert_string_equal(drive_state(driver, "problems"), "0");

    build();
    window_copy(picture, window_path("built.png"));
    assert_int_equal(remove(picture), 0);
    render(path);
    window_assert_same(picture, window_path("built.png"));
    leave_while_building();

    int steps = window_undo_all(driver);
    print_message("  %d steps\n", steps);
    assert_in_range(steps, 9, 60);
    drive_wait(driver, "nodes=0", 10);
    assert_string_equal(drive_state(driver, "frames"), "0");
    assert_int_equal(window_redo_all(driver), steps);
    window_copy(path, window_path("before.oro"));
    window_save_as(driver, window_path("after.oro"));
    window_assert_same(window_path("before.oro"), window_path("after.oro"));
    open_again(path);
}

/* The search for what to add knows other programs' words, and what a link is for: an uplift becomes a
 * terrain. */
TEST_WITH(words_lead_to_what_is_meant, start, stop)
{
    window_add(driver, "canvas@0.03,0.1", "voronoi");
    drive_wait(driver, "nodes=1", 10);
    drive_wait(driver, "value:method=worley", 10);
    drive_key(driver, "ctrl+z"); /* one step */
    drive_wait(driver, "nodes=0", 10);
    window_add(driver, "canvas@0.03,0.1", "uplift disc");
    drive_wait(driver, "node:uplift_disc", 10);
    drive_drag(driver, "socket:uplift_disc.out.uplift", "canvas@0.42,0.15", 1, NULL);
    drive_wait(driver, "dialog=add", 10);
    drive_key(driver, "Return");
    drive_wait(driver, "links=1", 10);
    drive_wait(driver, "selected=stream_power", 10);
    assert_string_equal(drive_state(driver, "value:uplift"), "from uplift_disc.uplift");
    drive_move(driver, "canvas@0.05,0.9"); /* what was added before is offered first */
    drive_key(driver, "shift+a");
    drive_wait(driver, "dialog=add", 10);
    drive_wait(driver, "add:noise:voronoi", 10);
    drive_key(driver, "Escape");
}

TEST_GROUP(window_make_folder, window_remove_folder);
