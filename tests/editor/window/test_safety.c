/* Work is not lost: after a crash, when others change the file, on leaving, and when nothing can be written.
 * Documents that cannot be opened or evaluated say so. */
#define _GNU_SOURCE /* prlimit */
#include "tests/editor/window/fixture.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const char document[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
                               "  <world resolution=\"64\"/>\n"
                               "  <node id=\"hills\" type=\"noise\" x=\"40\" y=\"40\"/>\n"
                               "</orograph>\n";
static const char other_document[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                     "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
                                     "  <world resolution=\"64\"/>\n"
                                     "  <node id=\"slab\" type=\"constant\" x=\"40\" y=\"40\"/>\n"
                                     "</orograph>\n";

static void open_document(const char *path)
{
    window_write(path, document);
    driver = window_start(path);
    drive_wait(driver, "node:hills", 20);
}

/* An edit that can be seen: a second node. */
static void edit(void)
{
    window_add(driver, "canvas@0.6,0.1", "ramp");
    drive_wait(driver, "nodes=2", 10);
    drive_wait(driver, "changed=1", 10);
}

/* ---- Crashes ---- */

static bool any_recovery(void)
{
    char command[300];
    snprintf(command, sizeof command, "grep -rqs --include='*.oro' ramp '%s/state/orograph/recovery'",
             window_path("home"));
    return system(command) == 0;
}

TEST_WITH(a_crash_loses_nothing, NULL, stop)
{
    static const char *const args[] = {"--no-tour", NULL};
    open_document(window_path("crash.oro"));
    edit();
    for (int i = 0; i < 400 && !any_recovery(); i++)
        window_pause(0.1);
    drive_kill(driver);
    drive_restart(driver, args);
    drive_wait(driver, "recover:0", 20);
    drive_click(driver, "recover:0");
    drive_wait(driver, "nodes=2", 20);
    assert_true(drive_is(driver, "node:hills") && drive_is(driver, "node:ramp"));
    assert_string_equal(drive_state(driver, "path"), window_path("crash.oro"));
    assert_string_equal(drive_state(driver, "changed"), "1");
    assert_false(window_file_has(window_path("crash.oro"), "ramp"));
    drive_key(driver, "ctrl+s");
    drive_wait(driver, "changed=0", 10);
    assert_true(window_file_has(window_path("crash.oro"), "ramp"));
}

/* However the file is opened; until the user says otherwise. */
TEST_WITH(a_newer_copy_is_offered_wherever_its_file_is_opened, NULL, stop)
{
    const char *path = window_path("offer.oro"), *args[] = {"--no-tour", path, NULL};
    open_document(path);
    edit();
    kill(drive_pid(driver), SIGTERM);
    assert_int_equal(drive_ended(driver, 20), 0);
    drive_restart(driver, args);
    drive_wait(driver, "asking=1", 20);
    assert_string_equal(drive_state(driver, "copy_differs"), "1 node added (ramp)");
    drive_wait(driver, "nodes=1", 10);
    drive_key(driver, "Escape");
    drive_wait(driver, "asking=0", 10);
    drive_click(driver, "menu:File");
    drive_click(driver, "menu:start");
    drive_wait(driver, "recover:0", 10); /* it was kept */
    drive_click(driver, "recent:0");
    drive_wait(driver, "asking=1", 10);
    drive_click(driver, "button:Recover the copy");
    drive_wait(driver, "nodes=2", 10);
    assert_true(drive_is(driver, "changed=1") && drive_is(driver, "asking=0"));
    drive_key(driver, "ctrl+s");
    drive_wait(driver, "changed=0", 10);
    assert_true(window_file_has(path, "ramp"));
    assert_false(any_recovery());
}

/* The session ends: nobody is there to answer a question. */
TEST_WITH(a_signal_keeps_the_work, NULL, stop)
{
    static const char *const args[] = {"--no-tour", NULL};
    const char *path = window_path("signal.oro");
    open_document(path);
    edit();
    kill(drive_pid(driver), SIGTERM);
    assert_int_equal(drive_ended(driver, 20), 0);
    assert_false(window_file_has(path, "ramp"));
    drive_restart(driver, args);
    drive_wait(driver, "recover:0", 20);
    drive_click(driver, "recover:0");
    drive_wait(driver, "nodes=2", 20);
    drive_key(driver, "ctrl+s");
    drive_wait(driver, "changed=0", 10);
    kill(drive_pid(driver), SIGHUP); /* nothing is left to keep */
    assert_int_equal(drive_ended(driver, 20), 0);
    assert_false(any_recovery());
}

/* ---- Another program writes the file ---- */

static void change_behind(const char *path)
{
    edit();
    window_write(path, other_document);
    drive_wait(driver, "asking=1", 20);
}

TEST_WITH(going_on_keeps_both, NULL, stop)
{
    const char *path = window_path("disk.oro");
    open_document(path);
    change_behind(path);
    drive_click(driver, "button:Go on");
    drive_wait(driver, "asking=0", 10);
    drive_wait(driver, "nodes=2", 10);
    assert_true(window_file_has(path, "slab"));

    window_write(path, document);
    drive_wait(driver, "asking=1", 20);
    drive_click(driver, "button:Save mine over it");
    drive_wait(driver, "changed=0", 10);
    assert_true(window_file_has(path, "ramp"));
    assert_string_equal(drive_state(driver, "asking"), "0");
}

TEST_WITH(it_can_be_loaded_anew, NULL, stop)
{
    const char *path = window_path("anew.oro");
    open_document(path);
    change_behind(path);
    drive_click(driver, "button:Load it anew");
    drive_wait(driver, "node:slab", 10);
    drive_wait(driver, "nodes=1", 10);
    assert_string_equal(drive_state(driver, "changed"), "0");
}

TEST_WITH(mine_can_go_elsewhere, NULL, stop)
{
    const char *path = window_path("theirs.oro");
    open_document(path);
    edit();
    drive_key(driver, "ctrl+shift+s");
    drive_wait(driver, "dialog=chooser", 10);
    window_write(path, other_document);
    window_pause(2.5); /* the question waits until the chooser is gone */
    assert_true(drive_is(driver, "dialog=chooser") && drive_is(driver, "asking=0"));
    drive_key(driver, "Escape");
    drive_wait(driver, "asking=1", 20);
    drive_click(driver, "button:Save as…");
    window_choose_path(driver, window_path("mine.oro"));
    drive_wait(driver, "changed=0", 10);
    assert_true(window_file_has(window_path("mine.oro"), "ramp"));
    assert_true(window_file_has(path, "slab"));
}

/* A graph that is used as a node changes: the node has the sockets that it has now. */
TEST_WITH(a_graph_that_is_used_is_followed, NULL, stop)
{
    static const char part[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
                               "  <interface><out name=\"%s\" from=\"n.field\"/></interface>\n"
                               "  <node id=\"n\" type=\"noise\"/>\n"
                               "</orograph>\n";
    char text[sizeof part + 16];
    snprintf(text, sizeof text, part, "old");
    window_write(window_path("part.oro"), text);
    window_write(window_path("user.oro"),
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                 "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
                 "  <world resolution=\"64\"/>\n"
                 "  <node id=\"use\" type=\"graph\" href=\"part.oro\" x=\"40\" y=\"40\"/>\n"
                 "</orograph>\n");
    driver = window_start(window_path("user.oro"));
    drive_wait(driver, "socket:use.out.old", 20);
    snprintf(text, sizeof text, part, "new");
    window_write(window_path("part.oro"), text);
    drive_wait(driver, "socket:use.out.new", 20);
    assert_true(drive_is(driver, "!socket:use.out.old"));
    assert_string_equal(drive_state(driver, "changed"), "0");
}

/* ---- Leaving ---- */

TEST_WITH(leaving_asks, NULL, stop)
{
    const char *path = window_path("leave.oro");
    open_document(path);
    edit();
    drive_key(driver, "ctrl+q");
    drive_wait(driver, "asking=1", 10);
    drive_key(driver, "Escape");
    drive_wait(driver, "asking=0", 10);
    drive_wait(driver, "nodes=2", 10);
    drive_key(driver, "ctrl+q");
    drive_wait(driver, "asking=1", 10);
    drive_click(driver, "button:Discard");
    assert_int_equal(drive_ended(driver, 20), 0);
    assert_false(window_file_has(path, "ramp"));

    const char *const args[] = {"--no-tour", path, NULL};
    drive_restart(driver, args);
    drive_wait(driver, "nodes=1", 20);
    edit();
    drive_key(driver, "ctrl+q");
    drive_wait(driver, "asking=1", 10);
    drive_key(driver, "Return");
    assert_int_equal(drive_ended(driver, 20), 0);
    assert_true(window_file_has(path, "ramp"));
}

/* ---- What cannot be written ---- */

TEST_WITH(a_folder_that_refuses, NULL, stop)
{
    char folder[256], path[300], good[300];
    if (geteuid() == 0) { /* root is refused nothing, except a folder that is no folder */
        snprintf(folder, sizeof folder, "%s", window_path("none"));
    } else {
        snprintf(folder, sizeof folder, "%s", window_path("locked"));
        mkdir(folder, 0500);
    }
    snprintf(path, sizeof path, "%s/x.oro", folder);
    snprintf(good, sizeof good, "%s", window_path("good.oro"));
    open_document(good);
    edit();
    drive_key(driver, "ctrl+shift+s");
    drive_wait(driver, "dialog=chooser", 10);
    drive_click(driver, "chooser:name");
    drive_key(driver, "ctrl+a");
    drive_type(driver, path);
    drive_key(driver, "Return");
    assert_true(drive_is(driver, "dialog=chooser")); /* it says why, and stays */
    drive_key(driver, "Escape");
    drive_wait(driver, "dialog=", 10);
    drive_wait(driver, "nodes=2", 10);
    assert_string_equal(drive_state(driver, "changed"), "1");

    /* The folder is removed while the document is open. */
    char *gone = strdup(window_path("gone"));
    mkdir(gone, 0700);
    snprintf(path, sizeof path, "%s/x.oro", gone);
    window_save_as(driver, path);
    drive_wait(driver, "changed=0", 10);
    window_add(driver, "canvas@0.3,0.6", "constant");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(gone), 0);
    drive_key(driver, "ctrl+s");
    drive_wait(driver, "asking=1", 10);
    assert_non_null(strstr(drive_state(driver, "save_failed"), "gone/x.oro"));
    drive_click(driver, "button:Try again");
    drive_wait(driver, "asking=1", 10); /* it is still gone */
    drive_click(driver, "button:Cancel");
    drive_wait(driver, "asking=0", 10);
    assert_string_equal(drive_state(driver, "changed"), "1");
    drive_wait(driver, "nodes=3", 10);
    drive_key(driver, "ctrl+q"); /* what follows a save waits until it is done */
    drive_wait(driver, "asking=1", 10);
    drive_click(driver, "button:Save");
    drive_wait(driver, "button:Try again", 10);
    assert_int_equal(mkdir(gone, 0700), 0);
    drive_click(driver, "button:Try again");
    assert_int_equal(drive_ended(driver, 20), 0);
    assert_true(window_file_has(path, "constant"));
    free(gone);
}

/* What is not known is kept when the document is saved. */
static void write_large(const char *path)
{
    enum { LENGTH = 100000 };
    char *text = malloc(LENGTH + sizeof document + 100);
    const char *end = strstr(document, "</orograph>");
    assert_non_null(text);
    int length = sprintf(text, "%.*s<later words=\"", (int)(end - document), document);
    memset(text + length, 'a', LENGTH);
    strcpy(text + length + LENGTH, "\"/></orograph>\n");
    window_write(path, text);
    free(text);
}

/* A disk without room: files may not grow beyond some bytes, which the description of the window needs. */
static void allow_bytes(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(prlimit(drive_pid(driver), RLIMIT_FSIZE, NULL, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(prlimit(drive_pid(driver), RLIMIT_FSIZE, &limit, NULL), 0);
}

TEST_WITH(a_save_that_fails_asks_and_the_title_tells, NULL, stop)
{
    const char *path = window_path("full.oro"), *good = window_path("elsewhere.oro");
    write_large(path);
    driver = window_start(path);
    drive_wait(driver, "node:hills", 20);
    assert_string_equal(drive_title(driver), "full.oro - Orograph");
    edit();
    assert_string_equal(drive_title(driver), "*full.oro - Orograph");
    allow_bytes(64 << 10);
    drive_key(driver, "ctrl+s");
    drive_wait(driver, "asking=1", 10);
    assert_non_null(strstr(drive_state(driver, "save_failed"), "File too large"));
    assert_false(window_file_has(path, "ramp"));
    allow_bytes(RLIM_INFINITY);
    drive_key(driver, "Return"); /* Save as */
    drive_wait(driver, "dialog=chooser", 10);
    drive_click(driver, "chooser:name");
    drive_key(driver, "ctrl+a");
    drive_click(driver, "chooser:name");
    drive_key(driver, "ctrl+a");
    drive_type(driver, good);
    drive_key(driver, "Return");
    drive_wait(driver, "changed=0", 10);
    assert_true(window_file_has(good, "ramp"));
    assert_string_equal(drive_title(driver), "elsewhere.oro - Orograph");
}

/* ---- What cannot be opened ---- */

TEST_WITH(no_xml_is_told, NULL, stop)
{
    const char *path = window_path("broken.oro");
    window_write(path, "<orograph><node id=\"a\" ");
    driver = window_start(path);
    drive_wait(driver, "messages>0", 20);
    assert_string_equal(drive_state(driver, "nodes"), drive_is(driver, "start=1") ? "" : "0");
    assert_true(window_file_has(path, "<orograph><node id=\"a\" "));
}

TEST_WITH(unknown_nodes_stay, NULL, stop)
{
    const char *path = window_path("unknown.oro");
    window_write(path, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
                       "  <node id=\"magic\" type=\"wizardry\" x=\"40\" y=\"40\"/>\n"
                       "  <node id=\"steep\" type=\"slope\" x=\"300\" y=\"40\">\n"
                       "    <in name=\"terrain\" from=\"nobody.field\"/>\n"
                       "  </node>\n"
                       "</orograph>\n");
    driver = window_start(path);
    drive_wait(driver, "nodes=2", 20);
    drive_wait(driver, "problems>0", 20);
    drive_key(driver, "ctrl+l");
    window_save_as(driver, window_path("unknown-too.oro"));
    window_assert_same(path, window_path("unknown-too.oro"));
}

TEST_WITH(no_device_is_told, NULL, stop)
{
    const char *path = window_path("device.oro");
    window_write(path, document);
    const char *const args[] = {"--no-tour", "--device", "99", path, NULL};
    driver = drive_start(&(struct drive_options){.args = args, .unpainted = true});
    drive_wait(driver, "nodes=1", 20);
    drive_wait(driver, "trouble!=", 20);
    edit();
    drive_key(driver, "ctrl+z");
    drive_wait(driver, "nodes=1", 10);
}

TEST_GROUP(window_make_folder, window_remove_folder);
