/* Tasks of artists, from beginning to end, with their actions counted: a click, a drag, a key, a text that is
 * typed. None takes more than ten. */
#include "tests/editor/window/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>

static int actions;

/* One action. */
#define DO(call)                                                                                             \
    do {                                                                                                     \
        actions++;                                                                                           \
        call;                                                                                                \
    } while (0)

#define HEAD                                                                                                 \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"        \
    "<world extent=\"10000\" resolution=\"64\"/>\n"
static const char eroded[] = HEAD "<node id=\"hills\" type=\"noise\" x=\"0\" y=\"0\"/>"
                                  "<node id=\"slide\" type=\"thermal_erosion\" x=\"300\" y=\"0\">"
                                  "<in name=\"terrain\" from=\"hills.field\"/></node></orograph>\n";

static void make_folder(const char *name)
{
    mkdir(window_path(name), 0700);
}

FIXTURE(start)
{
    make_folder("home");
    make_folder("home/data");
    window_write(window_path("eroded.oro"), eroded);
    driver = window_start(window_path("eroded.oro"));
    drive_wait(driver, "nodes=2", 20);
    drive_wait(driver, "idle", 60);
    drive_move(driver, "canvas@0.9,0.9");
    actions = 0;
    return 0;
}

static void expect_actions(const char *task)
{
    print_message("%s: %d actions\n", task, actions);
    assert_in_range(actions, 1, 10);
}

static void type_number(const char *input, const char *number)
{
    DO(drive_double_click(driver, input));
    DO(drive_type(driver, number));
    DO(drive_key(driver, "Return"));
}

/* One's own erosion set-up in another project; then it is changed, for both. */
TEST_WITH(a_set_up_is_used_again_and_changed_in_both, start, stop)
{
    DO(drive_click(driver, "title:slide"));
    drive_move(driver, "canvas@0.9,0.9");
    DO(drive_key(driver, "ctrl+k"));
    drive_wait(driver, "dialog=keep", 10);
    DO(drive_type(driver, "my slides"));
    DO(drive_key(driver, "Return"));
    drive_wait(driver, "dialog=", 10);
    assert_string_equal(drive_state(driver, "changed"), "0");
    DO(drive_key(driver, "ctrl+n"));
    drive_wait(driver, "nodes=0", 10);
    drive_move(driver, "canvas@0.5,0.5");
    DO(drive_key(driver, "Tab"));
    drive_wait(driver, "dialog=add", 10);
    DO(drive_type(driver, "my slides"));
    DO(drive_key(driver, "Return"));
    drive_wait(driver, "nodes=1", 10);
    expect_actions("an own erosion set-up in a new project");

    actions = 0;
    DO(drive_key(driver, "Tab")); /* it is chosen */
    drive_wait(driver, "node:slide", 10);
    DO(drive_click(driver, "title:slide"));
    drive_wait(driver, "inspected=slide", 10);
    type_number("input:slide.repose", "31");
    drive_wait(driver, "value:repose=31", 10);
    DO(drive_key(driver, "ctrl+s"));
    drive_wait(driver, "dialog=chooser", 10); /* the new document has no name yet */
    DO(drive_key(driver, "ctrl+a"));
    DO(drive_type(driver, window_path("again.oro")));
    DO(drive_key(driver, "Return"));
    drive_wait(driver, "changed=0", 10);
    expect_actions("changed in both");
    const char *kept = window_path("home/data/orograph/library/my slides.oro");
    assert_true(window_file_has(kept, "<in name=\"repose\" value=\"31\"/>"));
}

TEST_WITH(voronoi_mesas_are_found_and_added, start, stop)
{
    drive_move(driver, "canvas@0.1,0.1");
    DO(drive_key(driver, "Tab"));
    drive_wait(driver, "dialog=add", 10);
    DO(drive_type(driver, "voronoi"));
    DO(drive_key(driver, "Return"));
    drive_wait(driver, "nodes=3", 10);
    DO(drive_drag(driver, "socket:noise.out.field", "canvas@0.9,0.9", 1, NULL));
    drive_wait(driver, "dialog=add", 10);
    DO(drive_type(driver, "mesa"));
    DO(drive_key(driver, "Return"));
    drive_wait(driver, "nodes=4", 10);
    drive_wait(driver, "links=2", 10);
    expect_actions("Voronoi mesas");
}

/* What is painted stays as it was. */
TEST_WITH(a_valley_is_guarded_by_painting, start, stop)
{
    DO(drive_click(driver, "button:brush"));
    DO(drive_click(driver, "button:new-layer"));
    DO(drive_click(driver, "button:create-layer"));
    drive_wait(driver, "nodes=3", 10);
    char layer[64], socket[100], node[100];
    snprintf(layer, sizeof layer, "%s", drive_state(driver, "inspected"));
    DO(drive_drag(driver, "view:0@0.45,0.4", "view:0@0.55,0.6", 1, NULL));
    drive_wait(driver, "undo=brush stroke", 10);
    DO(drive_click(driver, "node:slide+0,40")); /* the new layer has moved the graph */
    drive_wait(driver, "inspected=slide", 10);
    DO(drive_click(driver, "link:slide.mask.button"));
    drive_wait(driver, "dialog=add", 10);
    DO(drive_type(driver, "invert"));
    DO(drive_key(driver, "Return"));
    drive_wait(driver, "nodes=4", 10);
    snprintf(socket, sizeof socket, "socket:%s.out.terrain", layer);
    snprintf(node, sizeof node, "node:%s", drive_state(driver, "inspected"));
    DO(drive_drag(driver, socket, node, 1, NULL));
    drive_wait(driver, "links=3", 10);
    expect_actions("a valley guarded by painting");
}

TEST_WITH(a_red_node_says_why, start, stop)
{
    window_write(window_path("red.oro"),
                 HEAD "<node id=\"hills\" type=\"noise\" x=\"0\" y=\"0\"/>"
                      "<node id=\"gone\" type=\"import\" x=\"0\" y=\"300\">"
                      "<in name=\"file\" value=\"gone.png\"/></node>"
                      "<node id=\"soft\" type=\"blur\" x=\"300\" y=\"300\">"
                      "<in name=\"field\" from=\"gone.terrain\"/></node></orograph>\n");
    drive_key(driver, "ctrl+o");
    window_choose_path(driver, window_path("red.oro"));
    drive_wait(driver, "node:soft", 10);
    actions = 0;
    DO(drive_key(driver, "F8"));
    drive_wait(driver, "inspected=gone", 10);
    assert_non_null(strstr(drive_state(driver, "trouble"), "gone.png"));
    expect_actions("why a node is red");
}

TEST_WITH(two_settings_are_compared, start, stop)
{
    DO(drive_click(driver, "title:slide"));
    drive_wait(driver, "inspected=slide", 10);
    DO(drive_key(driver, "ctrl+alt+s"));
    drive_wait(driver, "dialog=history", 10);
    DO(drive_type(driver, "steep"));
    DO(drive_key(driver, "Return"));
    drive_wait(driver, "versions=1", 10);
    DO(drive_key(driver, "Escape"));
    drive_wait(driver, "dialog=", 10);
    type_number("input:slide.repose", "20");
    drive_wait(driver, "value:repose=20", 10);
    DO(drive_key(driver, "ctrl+h"));
    DO(drive_click(driver, "version-compare:0"));
    drive_wait(driver, "differences=1", 10);
    expect_actions("two settings compared");
}

/* The dialog is followed up to the file; that its size is right is tested with small pictures. */
TEST_WITH(a_picture_of_4k_is_begun, start, stop)
{
    drive_move(driver, "view:0");
    DO(drive_key(driver, "F12"));
    drive_wait(driver, "combo:picture-size", 10);
    DO(drive_click(driver, "combo:picture-size"));
    DO(drive_click(driver, "picture-size:4K"));
    DO(drive_key(driver, "Return"));
    drive_wait(driver, "dialog=chooser", 10);
    DO(drive_key(driver, "ctrl+a"));
    DO(drive_type(driver, window_path("large.png")));
    DO(drive_key(driver, "Return"));
    drive_wait(driver, "dialog=", 10);
    expect_actions("a picture of 4K");
}

TEST_GROUP(window_make_folder, window_remove_folder);
