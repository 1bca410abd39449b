/* Names, titles and texts: can be read, and are edited where they stand on the canvas; nodes below the
 * minimap, and beside what is seen. */
#include "tests/editor/window/fixture.h"

#include <stdio.h>

static const char document[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
    "  <about title=\"\xd0\x93\xd0\xbe\xd1\x80\xd0\xb0\"/>\n" /* Gora, in Russian */
    "  <world extent=\"10000\" resolution=\"16\"/>\n"
    "  <node id=\"hills\" type=\"noise\" x=\"0\" y=\"0\"/>\n"
    "  <node id=\"soft\" type=\"blur\" x=\"260\" y=\"0\">\n"
    "    <in name=\"field\" from=\"hills.field\"/>\n"
    "  </node>\n"
    "</orograph>\n";

FIXTURE(start)
{
    return window_open("names.oro", document, "nodes=2");
}

/* On a slow machine, two clicks may be too far apart. */
static void double_click(const char *at, const char *until)
{
    for (int i = 0; i < 8; i++) {
        drive_double_click(driver, at);
        if (drive_try(driver, until, 1))
            return;
    }
    drive_fail(driver, "a double click at %s does nothing", at);
}

static void add_unused_group(void)
{
    window_add(driver, "canvas@0.5,0.9", "ramp");
    drive_wait(driver, "node:ramp", 10);
    drive_key(driver, "ctrl+g");
    drive_wait(driver, "node:group", 10);
    drive_key(driver, "Delete");
    drive_wait(driver, "nodes=2", 10);
}

/* Within another group, whose interface has rows that can be removed, too. */
static void remove_unused_group(void)
{
    drive_click(driver, "canvas@0.9,0.9");
    drive_click(driver, "group:remove:group");
    drive_wait(driver, "undo=Remove a group", 10);
    drive_move(driver, "canvas");
}

/* Fonts are made with letters of another alphabet once a text has them: here the title, of which one letter
 * is enough to ask for its alphabet. */
TEST_WITH(titles_can_be_read, start, NULL)
{
    drive_wait(driver, "letters=1 of 1", 10);
}

TEST(groups_and_nodes)
{
    add_unused_group();
    drive_click(driver, "node:soft");
    drive_key(driver, "ctrl+g");
    drive_wait(driver, "node:group2", 10);
    drive_key(driver, "F2");
    drive_wait(driver, "rename", 10);
    drive_type(driver, "Soft rock");
    drive_key(driver, "Return");
    drive_wait(driver, "node:Soft_rock", 10);
    double_click("title:Soft_rock", "rename");
    drive_key(driver, "ctrl+a");
    drive_type(driver, "Rock");
    drive_key(driver, "Return");
    drive_wait(driver, "node:Rock", 10);
    double_click("node:Rock", "depth=1");
    remove_unused_group();
    drive_key(driver, "shift+Tab");
    drive_wait(driver, "depth=0", 10);
    drive_click(driver, "node:hills");
    drive_key(driver, "F2");
    drive_wait(driver, "rename", 10);
    drive_type(driver, "the hills");
    drive_key(driver, "Return");
    drive_wait(driver, "node:the_hills", 10);
}

TEST(start_screen_leads_back)
{
    drive_click(driver, "menu:File");
    drive_click(driver, "menu:start");
    drive_wait(driver, "start:back", 10);
    drive_key(driver, "Escape");
    drive_wait(driver, "start=0", 10);
    drive_wait(driver, "node:the_hills", 10);
    drive_move(driver, "canvas");
}

TEST(frames)
{
    drive_key(driver, "shift+f");
    drive_wait(driver, "rename", 10);
    drive_key(driver, "Return");
    drive_click(driver, "frame:0");
    drive_wait(driver, "selected=", 10);
    drive_key(driver, "F2");
    drive_wait(driver, "rename", 10);
    drive_type(driver, "Ground");
    drive_key(driver, "Return");
    drive_wait(driver, "undo=title frame", 10);
    drive_click(driver, "frame:0");
    drive_key(driver, "Delete");
    drive_wait(driver, "frames=0", 10);
}

/* Escape ends a text, and keeps it. */
TEST(notes)
{
    window_add(driver, "canvas@0.5,0.9", "note");
    drive_wait(driver, "selected=note", 10);
    drive_key(driver, "F2");
    drive_wait(driver, "note-text", 10);
    drive_type(driver, "Mind the gap");
    drive_key(driver, "Escape");
    drive_wait(driver, "!note-text", 10);
    drive_wait(driver, "undo=Change text", 10);
}

/* Held by its title, a node goes on the link that the title is brought to. */
TEST(nodes_go_on_links)
{
    window_add(driver, "canvas@0.15,0.9", "blur");
    drive_wait(driver, "node:blur", 10);
    drive_drag(driver, "title:blur", "link:Rock.field", 1, NULL);
    drive_wait(driver, "links=2", 10);
    drive_key(driver, "ctrl+z");
    drive_wait(driver, "links=1", 10);
    drive_key(driver, "ctrl+z");
    drive_wait(driver, "!node:blur", 10);
}

TEST(drags_take_the_view_along)
{
    struct drive_rect before = drive_find(driver, "node:the_hills");
    drive_drag(driver, "title:Rock", "canvas@1.1,0.5", 1, NULL);
    drive_wait(driver, "undo=move", 10);
    assert_true(drive_find(driver, "node:the_hills").x < before.x);
    drive_key(driver, "ctrl+z");
    drive_wait(driver, "undo!=move", 10);
    drive_key(driver, "Home");
}

TEST_WITH(nodes_below_the_minimap, NULL, stop)
{
    drive_click(driver, "node:Rock");
    drive_key(driver, "f");
    drive_wait(driver, "minimap", 10);
    drive_drag(driver, "title:Rock", "minimap", 1, NULL);
    drive_wait(driver, "minimap", 10);
    drive_click(driver, "canvas@0.3,0.1");
    drive_wait(driver, "selected=", 10);
    drive_click(driver, "minimap");
    drive_wait(driver, "selected=Rock", 10);
}

TEST_GROUP(window_make_folder, window_remove_folder);
