/* Versions with names, what differs between them, and steps that outlast closing. */
#include "tests/editor/window/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char document[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
                               "  <world extent=\"10000\" resolution=\"64\"/>\n"
                               "  <node id=\"hills\" type=\"noise\" x=\"40\" y=\"40\"/>\n"
                               "  <node id=\"steps\" type=\"terrace\" version=\"1\" x=\"320\" y=\"40\">\n"
                               "    <in name=\"terrain\" from=\"hills.field\"/>\n"
                               "  </node>\n"
                               "</orograph>\n";

FIXTURE(start)
{
    return window_open("history.oro", document, "node:steps");
}

static void keep(const char *name, const char *count)
{
    drive_key(driver, "ctrl+alt+s");
    drive_wait(driver, "dialog=history", 10);
    drive_type(driver, name);
    drive_key(driver, "Return");
    drive_wait(driver, count, 10);
    drive_key(driver, "Escape");
    drive_wait(driver, "dialog=", 10);
}

/* The pointer has to be over the canvas for Delete. */
static void change(void)
{
    drive_click(driver, "title:hills");
    drive_wait(driver, "inspected=hills", 10);
    window_type_number(driver, "input:hills.octaves", "3");
    drive_wait(driver, "value:octaves=3", 10);
    drive_click(driver, "title:steps");
    drive_key(driver, "Delete");
    drive_wait(driver, "nodes=1", 10);
    window_add(driver, "canvas@0.7,0.7", "ramp");
    drive_wait(driver, "nodes=2", 10);
}

TEST_WITH(versions_are_compared_and_brought_back, start, stop)
{
    char before[80];
    keep("first draft", "versions=1");
    snprintf(before, sizeof before, "content=%s", drive_state(driver, "content"));
    change();
    keep("with a ramp", "versions=2");
    drive_key(driver, "ctrl+h");
    drive_wait(driver, "version-compare:1", 10);
    drive_click(driver, "version-compare:1");
    drive_wait(driver, "differences=3", 10); /* octaves, steps, ramp */
    drive_key(driver, "Escape");
    drive_wait(driver, "dialog=", 10);
    drive_key(driver, "ctrl+h"); /* the comparison goes on, and follows edits */
    drive_wait(driver, "differences=3", 10);
    drive_click(driver, "version-back:1");
    drive_wait(driver, "differences=0", 10);
    drive_wait(driver, before, 10);
    drive_click(driver, "version-before:0");
    drive_wait(driver, "differences=3", 10);
    drive_click(driver, "comparison-end");
    drive_wait(driver, "differences=-1", 10);
    drive_click(driver, "version-remove:0");
    drive_click(driver, "version-remove-yes");
    drive_wait(driver, "versions=1", 10);
    drive_click(driver, "step:0");
    drive_wait(driver, "steps_done=0", 10);
    drive_wait(driver, before, 10);
    assert_string_equal(drive_state(driver, "changed"), "0");
}

TEST_WITH(steps_outlast_closing, start, stop)
{
    const char *const args[] = {"--no-tour", window_path("history.oro"), NULL};
    char before[80];
    snprintf(before, sizeof before, "content=%s", drive_state(driver, "content"));
    drive_key(driver, "ctrl+h");
    drive_click(driver, "history:kept");
    drive_key(driver, "Escape");
    change();
    drive_key(driver, "ctrl+s");
    drive_wait(driver, "changed=0", 10);
    drive_key(driver, "ctrl+q");
    assert_int_equal(drive_ended(driver, 20), 0);
    drive_restart(driver, args);
    drive_wait(driver, "nodes=2", 20);
    drive_move(driver, "canvas@0.5,0.97");
    assert_int_equal(window_undo_all(driver), 3);
    drive_wait(driver, before, 10);
    assert_int_equal(window_redo_all(driver), 3);
    assert_string_equal(drive_state(driver, "changed"), "0");
}

/* Another document is opened meanwhile, and the program ended; a broken file of what was kept is ignored. */
TEST_WITH(a_document_is_seen_again_as_it_was_left, start, stop)
{
    const char *const args[] = {"--no-tour", window_path("history.oro"), NULL};
    char command[300];
    drive_move(driver, "canvas@0.9,0.9");
    drive_key(driver, "ctrl+a");
    drive_key(driver, "ctrl+g");
    drive_wait(driver, "node:group", 10);
    drive_key(driver, "ctrl+s");
    drive_wait(driver, "changed=0", 10);
    drive_double_click(driver, "node:group");
    drive_wait(driver, "node:hills", 10);
    drive_click(driver, "title:hills");
    drive_key(driver, "v");
    drive_wait(driver, "viewed=hills", 10);
    drive_click(driver, "button:depth");
    drive_wait(driver, "view0_depth=1", 10);
    window_wait_picture(driver);
    drive_move(driver, "canvas@0.9,0.9");
    drive_key(driver, "ctrl+n");
    drive_wait(driver, "nodes=0", 10);
    drive_key(driver, "ctrl+q");
    assert_int_equal(drive_ended(driver, 20), 0);
    drive_restart(driver, args);
    drive_wait(driver, "node:hills", 20);
    drive_wait(driver, "viewed=hills", 10);
    drive_wait(driver, "view0_depth=1", 10);
    drive_wait(driver, "depth=1", 10);
    assert_string_equal(drive_state(driver, "changed"), "0");
    drive_key(driver, "ctrl+q");
    assert_int_equal(drive_ended(driver, 20), 0);
    snprintf(command, sizeof command,
             "for f in '%s'/state/orograph/views/*; do echo '{\"graph\": 7, \"views\": [[]]}' > $f; done",
             window_path("home"));
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): files of the test's own folder */
    drive_restart(driver, args);
    drive_wait(driver, "node:group", 20);
    drive_wait(driver, "depth=0", 10);
}

TEST_GROUP(window_make_folder, window_remove_folder);
