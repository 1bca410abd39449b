/* The user's library: a group is kept, found by its tag in another document, dragged in, changed, brought
 * back; what is broken in it is said and stops nothing. */
#include "tests/editor/window/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>

static const char document[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
                               "  <world extent=\"10000\" resolution=\"32\"/>\n"
                               "  <node id=\"hills\" type=\"noise\" x=\"0\" y=\"0\"/>\n"
                               "  <node id=\"soft\" type=\"blur\" x=\"260\" y=\"0\">\n"
                               "    <in name=\"field\" from=\"hills.field\"/>\n"
                               "  </node>\n"
                               "</orograph>\n";

static const char library[] = "home/data/orograph/library";

static const char *in_library(const char *name)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", library, name);
    return window_path(path);
}

static void make_folder(const char *name)
{
    mkdir(window_path(name), 0700);
}

FIXTURE(start)
{
    window_settings(window_path("home"), ", \"show_pictures\": true");
    make_folder("home/data");
    make_folder("home/data/orograph");
    make_folder(library);
    make_folder("home/data/orograph/library/Odd");
    window_write(in_library("Odd/junk.oro"), "no graph");
    window_write(in_library("Odd/endless.lua"), "while true do end");
    mkfifo(in_library("Odd/pipe.oro"), 0600);
    return window_open("first.oro", document, "nodes=2");
}

/* ---- Keeping ---- */

static void fill(const char *field, const char *text)
{
    drive_click(driver, field);
    drive_key(driver, "ctrl+a");
    drive_type(driver, text);
}

static void keep_group(const char *name)
{
    drive_click(driver, "node:group");
    drive_move(driver, "canvas@0.9,0.9");
    drive_key(driver, "ctrl+k");
    drive_wait(driver, "dialog=keep", 10);
    fill("keep:name", name);
    fill("keep:category", "Felsen");
    fill("keep:tags", "wollsack, tor");
    drive_click(driver, "keep:save");
    drive_wait(driver, "dialog=", 10);
}

/* Keys belong to the question, and a name without letters is refused. */
static void refuse_names(void)
{
    drive_click(driver, "node:group");
    drive_move(driver, "canvas@0.9,0.9");
    drive_key(driver, "ctrl+k");
    drive_wait(driver, "dialog=keep", 10);
    fill("keep:name", "///");
    drive_key(driver, "Return");
    drive_wait(driver, "dialog=keep", 10);
    drive_key(driver, "Escape");
    drive_wait(driver, "dialog=", 10);
    drive_wait(driver, "nodes=1", 10);
}

TEST_WITH(a_group_is_kept, start, NULL)
{
    drive_move(driver, "canvas@0.9,0.9");
    drive_key(driver, "ctrl+a");
    drive_key(driver, "ctrl+g");
    drive_wait(driver, "node:group", 10);
    refuse_names();
    keep_group("Granit");
    assert_true(window_file_has(in_library("Felsen/Granit.oro"), "words=\"wollsack, tor\""));
    assert_true(window_file_has(in_library("Felsen/Granit.oro"), "type=\"blur\""));
    assert_string_equal(drive_state(driver, "changed"), "1"); /* the group; keeping it changed nothing more */
    drive_wait(driver, "undo=Group group", 10);
}

/* ---- Using ---- */

static void new_document(void)
{
    drive_move(driver, "canvas@0.9,0.9");
    drive_key(driver, "ctrl+n");
    drive_click(driver, "button:Discard");
    drive_wait(driver, "nodes=0", 10);
}

TEST(it_is_found_by_its_tag_and_dragged)
{
    new_document();
    drive_click(driver, "palette");
    drive_type(driver, "wollsack");
    drive_wait(driver, "palette:Felsen/Granit.oro", 10);
    drive_drag(driver, "palette:Felsen/Granit.oro", "canvas@0.5,0.5", 1, NULL);
    drive_wait(driver, "nodes=1", 10);
    drive_wait(driver, "node:Granit", 10);
    drive_move(driver, "canvas@0.9,0.9");
    window_save_as(driver, window_path("second.oro"));
    assert_true(window_file_has(window_path("second.oro"), "href=\"Felsen/Granit.oro\""));
}

/* The command line finds it, too. */
TEST(it_renders)
{
    char command[1600];
    snprintf(
        command, sizeof command,
        "XDG_DATA_HOME='%s' XDG_CACHE_HOME='%s' XDG_CONFIG_HOME='%s' '%s' render '%s' --device processor "
        "--output Granit.field -o '%s' --progress off",
        window_path("home/data"), window_path("home/cache"), window_path("home/config"), OROGRAPH_PROGRAM,
        window_path("second.oro"), window_path("second.r32"));
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): a command line as a user types it */
    assert_true(window_exists(window_path("second.r32")));
}

/* ---- Versions, favourites, removal ---- */

static void menu(const char *item)
{
    drive_right_click(driver, "palette:Felsen/Granit.oro");
    drive_click(driver, item);
}

TEST(versions_come_back)
{
    char *first = window_read(in_library("Felsen/Granit.oro"), NULL);
    menu("asset:tags");
    drive_wait(driver, "dialog=shelf", 10);
    fill("tags:words", "wollsack, alt");
    drive_click(driver, "tags:save");
    drive_wait(driver, "dialog=", 10);
    assert_true(window_file_has(in_library("Felsen/Granit.oro"), "words=\"wollsack, alt\""));
    char *second = window_read(in_library("Felsen/Granit.oro"), NULL);

    /* Saving again under its name keeps what was there. */
    drive_click(driver, "node:Granit");
    drive_move(driver, "canvas@0.9,0.9");
    drive_key(driver, "ctrl+k");
    drive_wait(driver, "dialog=keep", 10);
    fill("keep:name", "Granit");
    fill("keep:category", "Felsen");
    fill("keep:tags", "wollsack, tor");
    drive_click(driver, "keep:save");
    drive_wait(driver, "dialog=", 10);
    char *third = window_read(in_library("Felsen/Granit.oro"), NULL);
    assert_string_equal(third, first);

    menu("asset:versions");
    drive_wait(driver, "dialog=shelf", 10);
    drive_click(driver, "versions:0");
    drive_click(driver, "versions:restore");
    drive_wait(driver, "dialog=", 10);
    char *now = window_read(in_library("Felsen/Granit.oro"), NULL);
    assert_string_equal(now, second);
    free(first);
    free(second);
    free(third);
    free(now);
}

TEST(favourites_come_first)
{
    menu("asset:favourite");
    drive_click(driver, "palette");
    drive_key(driver, "ctrl+a");
    drive_key(driver, "Delete");
    drive_wait(driver, "palette:category:favourites", 10);
    struct drive_rect favourite = drive_find(driver, "palette:Felsen/Granit.oro");
    struct drive_rect own = drive_find(driver, "palette:category:my/Felsen");
    assert_true(favourite.y < own.y);
    assert_true(window_file_has(window_path("home/state/orograph/favourites"), "Felsen/Granit.oro"));
}

/* All this time the palette has shown what is wrong beside what is not. */
TEST(what_is_wrong_is_said)
{
    drive_wait(driver, "palette:Odd/junk.oro", 10);
    drive_wait(driver, "palette:Odd/pipe.oro", 10);
    drive_wait(driver, "samples=0", 60);
    drive_double_click(driver, "palette:Odd/junk.oro");
    drive_double_click(driver, "palette:endless");
    drive_wait(driver, "nodes=1", 10);
}

TEST_WITH(it_is_removed, NULL, stop)
{
    menu("asset:remove");
    drive_click(driver, "remove:no");
    drive_wait(driver, "dialog=", 10);
    assert_true(window_exists(in_library("Felsen/Granit.oro")));
    menu("asset:remove");
    drive_click(driver, "remove:yes");
    drive_wait(driver, "!palette:Felsen/Granit.oro", 10);
    assert_false(window_exists(in_library("Felsen/Granit.oro")));
}

TEST_GROUP(window_make_folder, window_remove_folder);
