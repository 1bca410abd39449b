/* Scripts in the window: typed into the inspector, wrong at their own line, new from a template, in files. */
#include "tests/editor/window/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char visual[400];

static const char document[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
                               "  <world extent=\"10000\" resolution=\"64\"/>\n"
                               "  <node id=\"hills\" type=\"noise\" x=\"40\" y=\"40\"/>\n"
                               "  <node id=\"more\" type=\"lua\" x=\"320\" y=\"40\">\n"
                               "    <script>\n"
                               "return {\n"
                               "  inputs = { { name = \"a\", type = \"field\" } },\n"
                               "  outputs = { { name = \"b\", type = \"field\" } },\n"
                               "  field = function(f, p) return f.a end,\n"
                               "}\n"
                               "</script>\n"
                               "    <in name=\"a\" from=\"hills.field\"/>\n"
                               "  </node>\n"
                               "  <node id=\"other\" type=\"ours\" x=\"320\" y=\"280\">\n"
                               "    <in name=\"a\" from=\"hills.field\"/>\n"
                               "  </node>\n"
                               "</orograph>\n";
static const char ours[] = "return {\n"
                           "  id = \"ours\",\n"
                           "  inputs = { { name = \"a\", type = \"field\" } },\n"
                           "  outputs = { { name = \"b\", type = \"field\" } },\n"
                           "  field = function(f, p) return f.a + 1 end,\n"
                           "}\n";

FIXTURE(start)
{
    if (window_make_folder(state) != 0)
        return -1;
    window_write(window_path("ours.lua"), ours);
    /* A program that notes what it is called with; its option has a letter that shells would take apart. */
    window_write(window_path("visual"), "#!/bin/sh\nprintf '%s|' \"$@\" > \"${0%/*}/opened\"\n");
    chmod(window_path("visual"), 0700);
    snprintf(visual, sizeof visual, "%s -x;y", window_path("visual"));
    setenv("VISUAL", visual, 1);
    window_open("scripts.oro", document, "nodes=3");
    drive_move(driver, "canvas@0.5,0.9");
    drive_key(driver, "Home");
    return 0;
}

FIXTURE(end)
{
    stop(state);
    return window_remove_folder(state);
}

TEST(a_mistake_is_shown_at_its_line_and_taken_back)
{
    drive_click(driver, "node:more@0.5,0.1");
    drive_wait(driver, "inspected=more", 10);
    drive_wait(driver, "script", 10);
    drive_click(driver, "script@0.5,0.1");
    drive_key(driver, "ctrl+End");
    drive_wait(driver, "script-line=7", 10);
    drive_key(driver, "ctrl+f"); /* not the graph's search */
    drive_wait(driver, "script:find", 10);
    drive_type(driver, "f.a end");
    drive_key(driver, "Return");
    drive_key(driver, "Escape");
    drive_wait(driver, "!script:find", 10);
    drive_wait(driver, "script-line=5", 10);
    drive_type(driver, "f.a + nothing end"); /* over what was found */
    drive_wait(driver, "script-dirty=1", 10);
    assert_string_equal(drive_state(driver, "changed"), "0");
    drive_key(driver, "ctrl+Return");
    drive_wait(driver, "undo=Change the script", 10);
    drive_wait(driver, "script-wrong=5", 30);
    drive_wait(driver, "script:wrong", 10);
    for (int i = 0; i < 6; i++)
        drive_key(driver, "ctrl+z"); /* of the text, as it has the keyboard */
    drive_key(driver, "ctrl+Return");
    drive_wait(driver, "script-wrong=0", 30);
    drive_key(driver, "Escape"); /* from here on it is the document that is undone */
    window_undo_to(driver, "script-wrong=5");
    window_undo_to(driver, "changed=0");
    drive_wait(driver, "script-wrong=0", 30);
}

/* Saving takes what is being typed. */
TEST(saving_takes_what_is_typed)
{
    drive_click(driver, "node:more@0.5,0.1");
    drive_wait(driver, "inspected=more", 10);
    drive_click(driver, "script@0.5,0.1");
    drive_key(driver, "ctrl+Home");
    drive_type(driver, "-- mine");
    drive_key(driver, "ctrl+s");
    drive_wait(driver, "changed=0", 20);
    assert_true(window_file_has(window_path("scripts.oro"), "-- mine"));
}

TEST(scripts_in_files_are_edited_and_followed)
{
    drive_click(driver, "node:other@0.5,0.95");
    drive_wait(driver, "inspected=other", 10);
    drive_click(driver, "group:Script");
    drive_click(driver, "script@0.5,0.1");
    drive_key(driver, "ctrl+Home");
    drive_type(driver, "-- changed here");
    drive_wait(driver, "script-dirty=1", 10);
    assert_false(window_file_has(window_path("ours.lua"), "changed here")); /* only when asked for */
    drive_key(driver, "ctrl+Return");
    drive_wait(driver, "script-dirty=0", 10);
    drive_wait(driver, "idle", 30);
    assert_true(window_file_has(window_path("ours.lua"), "changed here"));
    window_write(window_path("ours.lua"),
                 "return {\n  id = \"ours\",\n  inputs = {\n"); /* by another program */
    drive_wait(driver, "script-wrong!=0", 30);
    window_write(window_path("ours.lua"), ours);
    drive_wait(driver, "script-wrong=0", 30);
}

static void run_command(const char *words)
{
    drive_key(driver, "F3");
    drive_wait(driver, "dialog=commands", 10);
    drive_type(driver, words);
    drive_key(driver, "Return");
}

TEST(new_scripts_come_from_templates)
{
    drive_move(driver, "canvas@0.5,0.9");
    run_command("New script");
    drive_wait(driver, "dialog=new-script", 10);
    drive_click(driver, "new-script:kernel");
    drive_click(driver, "new-script:make");
    drive_wait(driver, "nodes=4", 10);
    drive_wait(driver, "dialog=", 10);
    window_undo_to(driver, "nodes=3");
    run_command("New script");
    drive_wait(driver, "dialog=new-script", 10);
    drive_click(driver, "new-script:file");
    drive_click(driver, "new-script:name");
    drive_key(driver, "ctrl+a");
    drive_type(driver, "rubble");
    drive_key(driver, "Return");
    drive_wait(driver, "nodes=4", 10);
    assert_true(window_file_has(window_path("rubble.lua"), "id = \"rubble\""));
}

TEST(scripts_are_trusted)
{
    run_command("Trust this project");
    drive_wait(driver, "dialog=trust", 10);
    drive_click(driver, "trust:yes");
    drive_wait(driver, "dialog=", 10);
    assert_true(window_file_has(window_path("home/state/orograph/trusted"), "ours.lua"));
    run_command("Trust this project");
    drive_wait(driver, "dialog=trust", 10);
    drive_click(driver, "trust:no-more");
    drive_wait(driver, "dialog=", 10);
    assert_false(window_file_has(window_path("home/state/orograph/trusted"), "ours.lua"));
}

/* The name of the file reaches the program as it is, by no shell. */
TEST(files_are_opened_outside)
{
    char said[400];
    snprintf(said, sizeof said, "-x;y|%s|", window_path("ours.lua"));
    drive_click(driver, "node:other@0.5,0.95");
    drive_wait(driver, "inspected=other", 10);
    run_command("Open the script outside");
    for (int i = 0; i < 100 && !window_exists(window_path("opened")); i++)
        window_pause(0.1);
    assert_true(window_file_has(window_path("opened"), said));
}

TEST_GROUP(start, end);
