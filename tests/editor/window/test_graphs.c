/* Graphs of files: opened in place, changed, saved, discarded; read-only ones are made one's own. */
#include "tests/editor/window/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>

#define HEAD                                                                                                 \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"        \
    "<world extent=\"10000\" resolution=\"64\"/>\n"

/* One's own set-up, used by two documents. */
static const char hills[] = HEAD "<interface><out name=\"terrain\" from=\"rough.field\"/></interface>"
                                 "<node id=\"rough\" type=\"noise\" x=\"40\" y=\"40\"/></orograph>\n";
static const char uses[] = HEAD "<node id=\"range\" type=\"graph\" href=\"hills.oro\" x=\"40\" y=\"40\"/>"
                                "<node id=\"steps\" type=\"terrace\" version=\"1\" x=\"400\" y=\"40\">"
                                "<in name=\"terrain\" from=\"range.terrain\"/></node></orograph>\n";

FIXTURE(start)
{
    window_write(window_path("hills.oro"), hills);
    window_write(window_path("first.oro"), uses);
    window_write(window_path("second.oro"), uses);
    driver = window_start(window_path("second.oro"));
    drive_wait(driver, "node:range", 20);
    return 0;
}

FIXTURE(end)
{
    stop(state);
    chmod(window_path("hills.oro"), 0644);
    return 0;
}

static void open_range(void)
{
    drive_double_click(driver, "node:range");
    drive_wait(driver, "node:rough", 10);
    drive_wait(driver, "crumb:1", 10);
}

static void type_octaves(const char *number)
{
    char wanted[40];
    drive_click(driver, "title:rough");
    drive_wait(driver, "inspected=rough", 10);
    window_type_number(driver, "input:rough.octaves", number);
    snprintf(wanted, sizeof wanted, "value:octaves=%s", number);
    drive_wait(driver, wanted, 10);
}

static void open_document(const char *name)
{
    drive_key(driver, "ctrl+o");
    drive_wait(driver, "dialog=chooser", 10);
    window_choose_path(driver, window_path(name));
}

/* What the view of the range says at a place, once all is computed. */
static void read_height(char *text, size_t size)
{
    drive_click(driver, "title:range");
    drive_key(driver, "v");
    drive_wait(driver, "viewed=range", 10);
    window_wait_picture(driver);
    drive_move(driver, "view:0@0.45,0.45");
    drive_settle(driver, 0.2);
    snprintf(text, size, "%s", drive_state(driver, "readout"));
    assert_true(text[0]);
}

static void expect_other_height(const char *before)
{
    char now[200];
    read_height(now, sizeof now);
    assert_string_not_equal(now, before);
}

TEST_WITH(a_set_up_is_changed_in_one_document_and_has_changed_in_the_other, start, end)
{
    char before[200];
    drive_click(driver, "title:range");
    read_height(before, sizeof before);
    open_range();
    type_octaves("3");
    drive_wait(driver, "changed=1", 10);
    drive_click(driver, "crumb:0");
    drive_wait(driver, "node:range", 10);
    expect_other_height(before);
    open_range();
    assert_false(window_file_has(window_path("hills.oro"), "octaves\" value"));
    drive_key(driver, "ctrl+s");
    drive_wait(driver, "changed=0", 10);
    assert_true(window_file_has(window_path("hills.oro"), "<in name=\"octaves\" value=\"3\"/>"));
    assert_true(window_file_has(window_path("second.oro"), "href=\"hills.oro\""));
    /* Back by the crumbs; undo from there is told and saved, too. */
    drive_click(driver, "crumb:0");
    drive_wait(driver, "node:range", 10);
    open_document("first.oro");
    drive_wait(driver, "node:range", 10);
    drive_click(driver, "title:range");
    drive_key(driver, "Tab");
    drive_wait(driver, "node:rough", 10);
    drive_click(driver, "title:rough");
    drive_wait(driver, "value:octaves=3", 10);
    drive_key(driver, "shift+Tab");
    drive_wait(driver, "node:range", 10);
    expect_other_height(before);
}

TEST_WITH(edits_of_a_file_are_discarded, start, end)
{
    open_range();
    type_octaves("4");
    drive_wait(driver, "changed=1", 10);
    drive_key(driver, "ctrl+n");
    drive_wait(driver, "asking=1", 10);
    drive_click(driver, "button:Discard");
    drive_wait(driver, "nodes=0", 10);
    char *text = window_read(window_path("hills.oro"), NULL);
    assert_string_equal(text, hills);
    free(text);
}

/* By keys alone, but for the choice of the node. */
TEST_WITH(a_read_only_file_is_embedded_at_the_first_edit, start, end)
{
    chmod(window_path("hills.oro"), 0444);
    drive_click(driver, "title:range");
    drive_wait(driver, "selected=range", 10);
    drive_key(driver, "Return");
    drive_wait(driver, "node:rough", 10);
    drive_click(driver, "title:rough");
    drive_wait(driver, "selected=rough", 10);
    drive_key(driver, "m");
    drive_wait(driver, "read-only:embed", 10);
    drive_key(driver, "Return");
    drive_wait(driver, "changed=1", 10);
    drive_wait(driver, "depth=1", 10);
    type_octaves("2");
    drive_key(driver, "ctrl+s");
    drive_wait(driver, "changed=0", 10);
    assert_true(window_file_has(window_path("second.oro"), "href=\"#hills\""));
    assert_true(window_file_has(window_path("second.oro"), "<in name=\"octaves\" value=\"2\"/>"));
    assert_false(window_file_has(window_path("hills.oro"), "octaves"));
}

TEST_WITH(a_missing_file_is_located, start, end)
{
    window_write(window_path("missing.oro"),
                 HEAD "<node id=\"a\" type=\"graph\" href=\"gone.oro\" x=\"40\" y=\"40\"/>"
                      "<node id=\"b\" type=\"graph\" href=\"gone.oro\" x=\"400\" y=\"40\"/>"
                      "</orograph>\n");
    open_document("missing.oro");
    drive_wait(driver, "node:a", 10);
    drive_right_click(driver, "node:a");
    drive_wait(driver, "menu:Locate…", 10);
    drive_click(driver, "menu:Locate…");
    window_choose_path(driver, window_path("hills.oro"));
    drive_wait(driver, "changed=1", 10);
    drive_key(driver, "ctrl+s");
    drive_wait(driver, "changed=0", 10);
    assert_false(window_file_has(window_path("missing.oro"), "gone.oro"));
}
