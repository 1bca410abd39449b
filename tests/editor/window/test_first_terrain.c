/* A first start: the tour leads from nothing to a terrain in at most 12 actions, each of them a click, a
 * drag, a key or a word. */
#include "tests/editor/window/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int actions;

FIXTURE(start)
{
    actions = 0;
    driver = drive_start(&(struct drive_options){.home = window_path("first")});
    return 0;
}

FIXTURE(start_elsewhere)
{
    driver = drive_start(&(struct drive_options){.home = window_path("skipped"), .unpainted = true});
    return 0;
}

/* ---- Actions, which are counted ---- */

static void key(const char *keys)
{
    drive_key(driver, keys);
    actions++;
}

static void word(const char *text)
{
    drive_type(driver, text);
    actions++;
}

static void drag(const char *from, const char *to)
{
    drive_drag(driver, from, to, 1, NULL);
    actions++;
}

/* ---- Tests ---- */

static void add_uplift(void)
{
    drive_wait(driver, "tour_step=1", 20);
    drive_move(driver, "canvas@0.1,0.1");
    key("Tab");
    word("uplift range");
    key("Return");
    drive_wait(driver, "node:uplift_range", 20);
}

static void add_rivers(void)
{
    drive_wait(driver, "tour_step=3", 20);
    drag("socket:uplift_range.out.uplift", "canvas@0.45,0.3");
    drive_wait(driver, "dialog=add", 20);
    word("young range");
    key("Return");
    drive_wait(driver, "nodes=2", 20);
    drive_wait(driver, "links=1", 10);
    drive_wait(driver, "value:uplift=from uplift_range.uplift", 20);
}

TEST_WITH(the_tour_leads_to_a_terrain, start, stop)
{
    add_uplift();
    drive_wait(driver, "tour_step=2", 20);
    key("3");
    add_rivers();
    drive_wait(driver, "tour_step=4", 20);
    print_message("  %d actions\n", actions);
    assert_in_range(actions, 1, 12);
    assert_string_equal(drive_state(driver, "view0"), "stream_power.terrain");
    assert_string_equal(drive_state(driver, "view0_depth"), "1");
    drive_wait(driver, "live=idle", 60);
    drive_wait(driver, "view0_level>=256", 20);
    assert_in_range(window_tones(driver, "view:0"), 12, 64);
    assert_string_equal(drive_state(driver, "problems"), "0");

    drag("input:stream_power.erodibility@0.2,0.5", "input:stream_power.erodibility@0.3,0.5");
    drive_wait(driver, "tour_step=5", 20);
    drag("view:0@0.5,0.5", "view:0@0.3,0.55");
    drive_wait(driver, "tour_step=6", 20);
    drive_key(driver, "ctrl+s");
    window_choose_path(driver, window_path("first.oro"));
    drive_wait(driver, "tour:finish", 20);
    drive_click(driver, "tour:finish");
    drive_wait(driver, "tour_step=0", 20);
    assert_true(window_file_has(window_path("first.oro"), "type=\"stream_power\""));

    assert_true(drive_stop(driver));
    driver = NULL;
    start(NULL);
    drive_wait(driver, "start=1", 20);
    assert_string_equal(drive_state(driver, "tour_step"), "0");
    assert_true(drive_is(driver, "recent:0"));
}

/* Sent away, it stays away; the menu brings it back. */
TEST_WITH(the_tour_can_be_sent_away, start_elsewhere, stop)
{
    drive_click(driver, "tour:skip");
    drive_wait(driver, "tour_step=0", 20);
    assert_true(drive_stop(driver));
    driver = NULL;
    start_elsewhere(NULL);
    drive_wait(driver, "start=1", 20);
    assert_string_equal(drive_state(driver, "tour_step"), "0");
    drive_click(driver, "start:tour");
    drive_wait(driver, "tour_step=1", 20);
    assert_string_equal(drive_state(driver, "start"), "0");
}

TEST_GROUP(window_make_folder, window_remove_folder);
