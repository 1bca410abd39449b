/* Walls: names that lead elsewhere, and folders that are exchanged while files are opened. */
#define _GNU_SOURCE /* for renameat2 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/walls.h"
#include "tests/support/folder.h"
#include "tests/support/test.h"

static char folder[64];

static const char *path_of(const char *name)
{
    static char paths[4][256];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* in/ is where files may be, out/ is not; own/ is the program's. */
FIXTURE(build)
{
    (void)state;
    snprintf(folder, sizeof folder, P_tmpdir "/orograph-walls-XXXXXX");
    return mkdtemp(folder) && mkdir(path_of("in"), 0777) == 0 && mkdir(path_of("in/sub"), 0777) == 0 &&
                   mkdir(path_of("out"), 0777) == 0 && mkdir(path_of("own"), 0777) == 0 &&
                   mkdir(path_of("seen"), 0777) == 0 && oro_file_write(path_of("out/a"), "out", 3, NULL) &&
                   oro_file_write(path_of("in/sub/a"), "in", 2, NULL) &&
                   oro_file_write(path_of("seen/a"), "seen", 4, NULL) &&
                   oro_walls_add(ORO_WALL_WRITE, path_of("in"), NULL) &&
                   oro_walls_add(ORO_WALL_READ, path_of("seen"), NULL) &&
                   oro_walls_add(ORO_WALL_OWN, path_of("own"), NULL)
               ? 0
               : -1;
}

FIXTURE(clear)
{
    (void)state;
    oro_walls_forget();
    return remove_tree(folder);
}

static int entries(const char *name)
{
    int count = -2;
    DIR *stream = opendir(path_of(name));
    while (readdir(stream))
        count++;
    closedir(stream);
    return count;
}

static bool reads(const char *name, const char *content)
{
    void *data = NULL;
    size_t size = 0;
    bool ok = oro_file_read(path_of(name), 100, &data, &size, NULL) && strcmp(data, content) == 0;
    oro_free(data);
    return ok;
}

static bool writes(const char *name)
{
    return oro_file_write(path_of(name), "x", 1, NULL);
}

TEST_WITH(each_wall_allows_what_it_is_for, build, clear)
{
    struct oro_error err = {0};
    assert_true(reads("out/a", "out")); /* none is raised yet */
    oro_walls_raise(true);
    assert_true(reads("in/sub/a", "in") && reads("seen/a", "seen") && writes("in/b") && writes("in/sub/b"));
    assert_true(oro_make_folders(path_of("in/x/y"), NULL) && writes("in/x/y/c"));
    assert_true(writes("own/b") && reads("own/b", "x"));
    assert_false(reads("out/a", "out"));
    assert_false(oro_file_write(path_of("seen/b"), "x", 1, &err));
    assert_non_null(strstr(err.text, strerror(EACCES)));
    assert_false(writes("out/b"));
    assert_false(writes("in/../out/b"));
    assert_false(oro_make_folders(path_of("out/x"), NULL));
    assert_int_equal(entries("out"), 1);
    oro_walls_raise(false);
    assert_true(reads("out/a", "out"));
    assert_false(writes("out/b"));
}

TEST_WITH(links_lead_no_further_than_names, build, clear)
{
    oro_walls_raise(true);
    assert_int_equal(symlink("../out", path_of("in/out")), 0);
    assert_int_equal(symlink("../out/a", path_of("in/file")), 0);
    assert_int_equal(symlink("../own", path_of("in/own")), 0);
    assert_int_equal(symlink("sub", path_of("in/link")), 0);
    assert_int_equal(symlink("../seen/a", path_of("in/seen")), 0);
    assert_false(reads("in/out/a", "out"));
    assert_false(reads("in/file", "out"));
    assert_false(writes("in/out/b"));
    assert_false(writes("in/own/b")); /* whoever means it says its name */
    assert_true(reads("in/link/a", "in") && writes("in/link/b") && reads("in/seen", "seen"));
    assert_int_equal(entries("out"), 1);
    assert_int_equal(entries("own"), 0);
}

/* A folder itself is held: another one under its name gets nothing. */
TEST_WITH(the_folder_is_held, build, clear)
{
    oro_walls_raise(true);
    assert_int_equal(rename(path_of("in"), path_of("moved")), 0);
    assert_int_equal(symlink("out", path_of("in")), 0);
    assert_false(writes("in/b"));
    assert_int_equal(unlink(path_of("in")), 0);
    assert_int_equal(mkdir(path_of("in"), 0777), 0);
    assert_true(writes("in/b"));
    assert_int_equal(entries("in"), 0);
    assert_true(access(path_of("moved/b"), F_OK) == 0);
}

/* ---- Exchanged meanwhile ---- */

static atomic_bool ended;

static void *exchange(void *user)
{
    char real[256], link[256];
    (void)user;
    snprintf(real, sizeof real, "%s/in/sub", folder);
    snprintf(link, sizeof link, "%s/in/other", folder);
    while (!atomic_load(&ended))
        renameat2(AT_FDCWD, real, AT_FDCWD, link, RENAME_EXCHANGE);
    return NULL;
}

TEST_WITH(nothing_lands_outside_while_folders_are_exchanged, build, clear)
{
    pthread_t thread;
    int written = 0, read = 0, wrong = 0;
    oro_walls_raise(true);
    assert_int_equal(symlink("../out", path_of("in/other")), 0);
    atomic_store(&ended, false);
    assert_int_equal(pthread_create(&thread, NULL, exchange, NULL), 0);
    for (int i = 0; i < 2000 || ((!written || !read) && i < 200000); i++) {
        char name[40];
        snprintf(name, sizeof name, "in/sub/b%d", i);
        if (i % 20 == 0)
            written += writes(name);
        read += reads("in/sub/a", "in");
        wrong += reads("in/sub/a", "out");
    }
    atomic_store(&ended, true);
    pthread_join(thread, NULL);
    assert_int_equal(entries("out"), 1);
    assert_int_equal(wrong, 0);
    assert_true(written > 0 && read > 0);
}
