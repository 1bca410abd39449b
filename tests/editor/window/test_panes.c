/* Panes: maximised, split, swapped, closed; layouts; menus and panes by keyboard alone. */
#include "tests/editor/window/fixture.h"

#include <stdio.h>

static const char usual[] = "layout=across 230 palette across -340 down 0.55 view graph inspector";

static void start(const char *name)
{
    driver = window_start_mountains(name);
    drive_wait(driver, "nodes>0", 20);
    drive_key(driver, "ctrl+p");
    drive_click(driver, "menu:Layout"); /* settings stay from test to test */
    drive_click(driver, "layout:Graph");
    drive_wait(driver, usual, 10);
}

TEST_WITH(panes_are_maximised_split_and_closed, NULL, stop)
{
    start("panes.oro");
    drive_move(driver, "canvas@0.9,0.9");
    drive_key(driver, "ctrl+space");
    drive_wait(driver, "maximised=Graph", 10);
    drive_wait(driver, "!view:0", 10);
    assert_true(drive_find(driver, "canvas").w > 1200);
    drive_key(driver, "ctrl+space");
    drive_wait(driver, "maximised=", 10);
    drive_wait(driver, "view:0", 10);

    /* Heads have a menu: what the pane shows, and what can be done with it. */
    drive_click(driver, "head:Graph");
    drive_click(driver, "pane-menu:split-across");
    drive_wait(driver,
               "layout=across 230 palette across -340 down 0.55 view across 0.5 graph view2 inspector", 10);
    drive_wait(driver, "view:1", 10);
    drive_click(driver, "head:View 2");
    drive_click(driver, "pane-menu:Inspector");
    drive_wait(driver,
               "layout=across 230 palette across -340 down 0.55 view across 0.5 graph inspector view2", 10);
    drive_click(driver, "head-close:Inspector");
    drive_wait(driver, "layout=across 230 palette across -340 down 0.55 view graph view2", 10);
    drive_drag(driver, "gap:0", "gap:0+70,0", 1, NULL);
    drive_wait(driver, "layout!=across 230 palette across -340 down 0.55 view graph view2", 10);
    assert_string_equal(drive_state(driver, "changed"), "0");
}

/* The pointer rests in a corner all the time. */
TEST_WITH(menus_and_panes_are_reached_by_keys, NULL, stop)
{
    start("keys.oro");
    drive_move(driver, "canvas@0.9,0.9");
    drive_key(driver, "alt+l");
    drive_wait(driver, "menu:layouts", 10);
    drive_key(driver, "Down");
    drive_key(driver, "Return");
    drive_wait(driver, "layout_name=Look", 10);
    drive_wait(driver, "layout=across -340 down 0.75 view graph inspector", 10);
    drive_key(driver, "alt+f");
    drive_wait(driver, "menu:open", 10);
    drive_key(driver, "Right");
    drive_wait(driver, "menu:select-all", 10);
    drive_key(driver, "Escape");
    drive_wait(driver, "!menu:select-all", 10);

    drive_key(driver, "F6");
    drive_wait(driver, "keys_in!=", 10);
    for (int i = 0; i < 4 && !drive_is(driver, "keys_in=View 1"); i++)
        drive_key(driver, "F6");
    assert_string_equal(drive_state(driver, "keys_in"), "View 1");
    assert_string_equal(drive_state(driver, "view0_depth"), "0");
    drive_key(driver, "3"); /* for the view, though the pointer is over the graph */
    drive_wait(driver, "view0_depth=1", 10);
    drive_key(driver, "F4");
    drive_wait(driver, "pane-menu:swap-panes", 10);
    drive_key(driver, "Escape");
    drive_wait(driver, "!pane-menu:swap-panes", 10);
    drive_key(driver, "shift+F6");
    drive_wait(driver, "keys_in!=View 1", 10);
}

TEST_WITH(layouts_are_saved_and_come_back, NULL, stop)
{
    start("layouts.oro");
    drive_move(driver, "canvas@0.9,0.9");
    drive_key(driver, "n"); /* no inspector */
    drive_wait(driver, "layout=across 230 palette down 0.55 view graph", 10);
    drive_key(driver, "alt+l");
    drive_click(driver, "menu:layouts");
    drive_wait(driver, "layout-name", 10);
    drive_type(driver, "Mine");
    drive_key(driver, "Return");
    drive_wait(driver, "layout_name=Mine", 10);
    drive_key(driver, "alt+l");
    drive_click(driver, "layout:Graph");
    drive_wait(driver, usual, 10);
    drive_key(driver, "alt+l");
    drive_click(driver, "layout:Mine");
    drive_wait(driver, "layout=across 230 palette down 0.55 view graph", 10);
    assert_true(drive_stop(driver));
    driver = window_start(window_path("layouts.oro"));
    drive_wait(driver, "layout_name=Mine", 20);
    drive_wait(driver, "layout=across 230 palette down 0.55 view graph", 10);
    drive_key(driver, "alt+f");
    for (int i = 0; i < 3; i++)
        drive_key(driver, "Down");
    drive_key(driver, "Right");
    drive_wait(driver, "recent:0", 10);
    drive_click(driver, "recent:clear");
    drive_key(driver, "alt+f");
    drive_wait(driver, "menu:open", 10);
    drive_wait(driver, "!recent:0", 10);
}

TEST_GROUP(window_make_folder, window_remove_folder);
