/* Looking at a document changes nothing: saved under another name it has the same bytes. */
#include "tests/editor/window/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Zooms, pans, chooses a node, turns the view, and looks from above and in depth. */
static void look_around(const char *node)
{
    char name[100];
    drive_move(driver, "canvas@0.5,0.5");
    drive_key(driver, "Home");
    drive_wheel(driver, "canvas@0.3,0.6", 1);
    drive_drag(driver, "canvas@0.5,0.9", "canvas@0.52,0.85", 2, NULL);
    drive_key(driver, "Home");
    snprintf(name, sizeof name, "title:%s", node);
    drive_click(driver, name);
    drive_wait(driver, "selected!=", 10);
    drive_key(driver, "f");
    drive_move(driver, "view:0@0.5,0.5");
    drive_key(driver, "3");
    drive_drag(driver, "view:0@0.5,0.5", "view:0@0.6,0.55", 1, NULL);
    drive_wheel(driver, "view:0@0.5,0.5", 1);
    drive_key(driver, "3");
    assert_string_equal(drive_state(driver, "changed"), "0");
    assert_string_equal(drive_state(driver, "undo"), "");
}

static void stays_the_same(const char *path, const char *node)
{
    const char *copy = window_path("copy.oro");
    remove(copy);
    driver = window_start(path);
    drive_wait(driver, "nodes>0", 20);
    drive_key(driver, "ctrl+p"); /* what is computed does not matter here */
    look_around(node);
    window_save_as(driver, copy);
    drive_wait(driver, "path!=", 10);
    assert_string_equal(drive_state(driver, "path"), copy);
    window_assert_same(path, copy);
    assert_true(drive_stop(driver));
    driver = NULL;
}

TEST_WITH(examples_stay_the_same, NULL, stop)
{
    stays_the_same("examples/amplify.oro", "bays");
    stays_the_same("examples/library.oro", "both");
}

/* Lines end as on other systems, attributes are in another order, and there are comments. */
TEST_WITH(odd_formatting_stays, NULL, stop)
{
    const char *path = window_path("odd.oro");
    window_write(path, "<?xml version='1.0' encoding='UTF-8'?>\r\n"
                       "<!-- by hand -->\r\n"
                       "<orograph version='1'   xmlns='urn:orograph:1'>\r\n"
                       "\t<world seed='7' resolution='64' extent='8000.0'/>\r\n\r\n"
                       "\t<node y='10' x='20' type='noise' id='hills'>\r\n"
                       "\t\t<!-- low -->\r\n"
                       "\t\t<in value='0300.50' name='amplitude'></in>\r\n"
                       "\t</node>\r\n"
                       "\t<node type=\"slope\" id=\"steep\" x=\"260\" y=\"10\"><in from=\"hills.field\"\r\n"
                       "\t\tname=\"terrain\"/></node>\r\n"
                       "</orograph>\r\n<!-- end -->\r\n");
    stays_the_same(path, "hills");
}

TEST_GROUP(window_make_folder, window_remove_folder);
