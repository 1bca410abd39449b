/* Folders as the file chooser lists them: order, filters, completion, names of any bytes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include "editor/panels/files.h"
#include "tests/support/test.h"

static char folder[] = "/tmp/orograph-chooser-XXXXXX";
static const char *const documents[] = {".oro", NULL};

static void make(const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void make_folder(const char *name)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(mkdir(path, 0700), 0);
}

FIXTURE(set_up)
{
    if (!mkdtemp(folder))
        return -1;
    make("range10.oro", "1234567890");
    make("range2.oro", "12");
    make("Range1.ORO", "");
    make("notes.txt", "");
    make(".hidden.oro", "");
    make("bad\xff\xfename.oro", "");
    make_folder("zebra");
    make_folder("alps");
    char path[300];
    snprintf(path, sizeof path, "%s/link", folder);
    return symlink("alps", path) == 0 ? 0 : -1;
}

FIXTURE(tear_down)
{
    static const char *const all[] = {"range10.oro", "range2.oro",          "Range1.ORO", "notes.txt",
                                      ".hidden.oro", "bad\xff\xfename.oro", "link"};
    char path[300];
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, all[i]);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/zebra", folder);
    rmdir(path);
    snprintf(path, sizeof path, "%s/alps", folder);
    rmdir(path);
    return rmdir(folder);
}

TEST(folders_then_numbers_in_order)
{
    static const char *const wanted[] = {"alps",       "link",       "zebra",      "bad\xff\xfename.oro",
                                         "Range1.ORO", "range2.oro", "range10.oro"};
    struct ed_files files = {0};
    struct oro_error err;
    assert_true(ed_files_list(&files, folder, documents, &err));
    assert_int_equal(files.count, sizeof wanted / sizeof wanted[0]);
    for (size_t i = 0; i < files.count; i++)
        assert_string_equal(files.items[i].name, wanted[i]);
    assert_true(files.items[1].folder);
    assert_false(files.items[4].folder);
    assert_int_equal(files.items[6].size, 10);
    assert_true(files.items[6].seconds > 0);
    assert_true(ed_files_list(&files, folder, NULL, &err)); /* again, all files */
    assert_int_equal(files.count, 8);
    ed_files_free(&files);
}

TEST(what_cannot_be_read_is_an_error)
{
    struct ed_files files = {0};
    struct oro_error err;
    assert_false(ed_files_list(&files, "/tmp/no-such-folder-here", NULL, &err));
    assert_int_equal(err.code, ORO_E_FILE);
    assert_int_equal(files.count, 0);
    ed_files_free(&files);
}

TEST(order)
{
    assert_true(ed_file_order("a2", "a10") < 0);
    assert_true(ed_file_order("a010", "a9") > 0);
    assert_true(ed_file_order("B", "a") > 0);
    assert_true(ed_file_order("a", "ab") < 0);
    assert_int_equal(ed_file_order("same 7", "same 7"), 0);
    assert_true(ed_file_order("A", "a") != 0); /* never equal unless it is the same */
    assert_true(ed_file_order("a1", "a01") != 0);
    assert_true((ed_file_order("a1", "a01") < 0) != (ed_file_order("a01", "a1") < 0));
}

TEST(extensions)
{
    assert_true(ed_file_has_extension("a.oro", documents));
    assert_true(ed_file_has_extension("a.ORO", documents));
    assert_false(ed_file_has_extension(".oro", documents)); /* nothing but one */
    assert_false(ed_file_has_extension("oro", documents));
    assert_true(ed_file_has_extension("anything", NULL));
}

static void resolves(const char *base, const char *typed, const char *wanted)
{
    char *path = ed_file_resolve(base, typed);
    assert_non_null(path);
    assert_string_equal(path, wanted);
    oro_free(path);
}

TEST(paths)
{
    setenv("HOME", "/people/someone", 1);
    resolves("/a/b", "c.oro", "/a/b/c.oro");
    resolves("/a/b", "../c/./d", "/a/c/d");
    resolves("/a/b", "/x//y/", "/x/y");
    resolves("/a", "../../..", "/");
    resolves("/", "x", "/x");
    resolves("/a", "~/x", "/people/someone/x");
    resolves("/a", "~", "/people/someone");
    resolves("/a", "~x", "/a/~x");
    resolves("/a", "", "/a");
}

static void completes(const char *typed, const char *wanted)
{
    char text[300];
    snprintf(text, sizeof text, "%s", typed);
    ed_file_complete(folder, documents, text, sizeof text);
    assert_string_equal(text, wanted);
}

TEST(completion)
{
    completes("al", "alps/");
    completes("ran", "range");
    completes("range2", "range2.oro");
    completes("./ze", "./zebra/");
    completes("notes", "notes"); /* not of that kind */
    completes("nothing", "nothing");
    completes("missing/x", "missing/x");
    char small[6] = "al";
    ed_file_complete(folder, documents, small, sizeof small);
    assert_string_equal(small, "al"); /* no room */
}

static void shows(const char *name, const char *wanted)
{
    char out[64];
    assert_string_equal(ed_file_shown(name, out, sizeof out), wanted);
}

TEST(names_of_any_bytes_can_be_shown)
{
    char out[4];
    shows("plain", "plain");
    shows("höhe…", "höhe…");
    shows("bad\xff\xfename", "bad??name");
    shows("cut\xc3", "cut?");
    shows("line\nbreak", "line?break");
    assert_string_equal(ed_file_shown("aaö", out, sizeof out), "aa"); /* no half characters */
}

TEST_GROUP(set_up, tear_down);
