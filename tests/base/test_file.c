/* Files: whole or not at all. */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "tests/support/test.h"

static char folder[64];

FIXTURE(open_folder)
{
    snprintf(folder, sizeof folder, P_tmpdir "/orograph-file-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

FIXTURE(close_folder)
{
    return rmdir(folder); /* fails unless every test left it empty, without temporary files */
}

static const char *path_of(const char *name)
{
    static char paths[2][256];
    static int next;
    char *path = paths[next++ % 2];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static int files_in_folder(void)
{
    int count = 0;
    DIR *entries = opendir(folder);
    for (struct dirent *entry; (entry = readdir(entries));)
        count += entry->d_name[0] != '.';
    closedir(entries);
    return count;
}

static void expect_content(const char *name, const char *content)
{
    void *data = NULL;
    size_t size = 0;
    struct oro_error err;
    if (!oro_file_read(path_of(name), 1000, &data, &size, &err))
        fail_msg("%s", err.text);
    assert_int_equal(size, strlen(content));
    assert_string_equal(data, content);
    oro_free(data);
}

TEST(written_files_come_back)
{
    assert_true(oro_file_write(path_of("a"), "hello", 5, NULL));
    expect_content("a", "hello");
    assert_true(oro_file_write(path_of("a"), "", 0, NULL));
    expect_content("a", "");
    struct stat info;
    mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(stat(path_of("a"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0666 & ~mask);
    unlink(path_of("a"));
}

/* Nobody but root may write a read-only file, though its owner could still replace it. */
TEST(permissions_stay)
{
    struct oro_error err = {0};
    struct stat info;
    assert_true(oro_file_write(path_of("a"), "hello", 5, NULL));
    assert_int_equal(chmod(path_of("a"), 0600), 0);
    assert_true(oro_file_write(path_of("a"), "secret", 6, NULL));
    assert_int_equal(stat(path_of("a"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_equal(chmod(path_of("a"), 0400), 0);
    if (access(path_of("a"), W_OK) != 0) {
        assert_false(oro_file_write(path_of("a"), "new", 3, &err));
        assert_non_null(strstr(err.text, "read-only"));
        assert_false(oro_file_may_write(path_of("a"), NULL));
        expect_content("a", "secret");
    }
    unlink(path_of("a"));
}

TEST(the_limit_holds)
{
    void *data = NULL;
    size_t size;
    struct oro_error err = {0};
    assert_true(oro_file_write(path_of("a"), "hello", 5, NULL));
    assert_true(oro_file_read(path_of("a"), 5, &data, &size, NULL));
    oro_free(data);
    assert_false(oro_file_read(path_of("a"), 4, &data, &size, &err));
    assert_int_equal(err.code, ORO_E_FILE);
    assert_non_null(strstr(err.text, "at most 4"));
    oro_memory_fail_at(1);
    assert_false(oro_file_read(path_of("a"), 5, &data, &size, &err));
    assert_int_equal(err.code, ORO_E_MEMORY);
    unlink(path_of("a"));
}

TEST(only_regular_files_are_read)
{
    void *data;
    size_t size;
    struct oro_error err = {0};
    assert_int_equal(mkfifo(path_of("fifo"), 0666), 0);
    assert_false(oro_file_read(path_of("fifo"), 10, &data, &size, &err)); /* and does not wait for a writer */
    assert_non_null(strstr(err.text, "not a regular file"));
    assert_false(oro_file_read(folder, 10, &data, &size, &err));
    assert_int_equal(err.code, ORO_E_FILE);
    assert_false(oro_file_read("/dev/zero", 10, &data, &size, &err));
    assert_false(oro_file_read(path_of("none"), 10, &data, &size, &err));
    assert_non_null(strstr(err.text, "No such file"));
    unlink(path_of("fifo"));
}

TEST(a_missing_folder_is_said)
{
    struct oro_error err = {0};
    struct oro_file_output output;
    assert_false(oro_file_write(path_of("none/a"), "x", 1, &err));
    assert_int_equal(err.code, ORO_E_WRITE);
    assert_non_null(strstr(err.text, "none/a"));
    assert_false(oro_file_begin(&output, path_of("none/a"), &err));
    oro_file_abort(&output); /* nothing to clean up, and no harm in trying */
}

/* As long as the file system allows, and with letters that must not be cut in two. */
TEST(long_names_can_be_written)
{
    char plain[256] = {0}, letters[256] = {0};
    memset(plain, 'n', 255);
    letters[0] = 'n';
    for (size_t i = 1; i < 255; i++)
        letters[i] = i % 2 == 1 ? '\xc3' : '\xa9';
    const char *names[] = {plain, letters};
    for (int i = 0; i < 2; i++) {
        char path[512];
        struct oro_file_output output;
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_true(oro_file_begin(&output, path, NULL));
        const char *temporary = strrchr(output.temporary, '/') + 1;
        assert_memory_equal(temporary, names[i], 100);
        assert_int_not_equal((unsigned char)strrchr(temporary, '.')[-1], 0xc3);
        assert_true(oro_file_commit(&output, NULL));
        assert_int_equal(unlink(path), 0);
    }
}

TEST(an_abort_leaves_the_old_file)
{
    struct oro_file_output output;
    assert_true(oro_file_write(path_of("a"), "old", 3, NULL));
    assert_true(oro_file_begin(&output, path_of("a"), NULL));
    fputs("new", output.stream);
    assert_int_equal(files_in_folder(), 2);
    expect_content("a", "old");
    oro_file_abort(&output);
    assert_int_equal(files_in_folder(), 1);
    expect_content("a", "old");
    assert_true(oro_file_begin(&output, path_of("a"), NULL));
    fputs("new", output.stream);
    assert_true(oro_file_commit(&output, NULL));
    expect_content("a", "new");
    assert_int_equal(files_in_folder(), 1);
    unlink(path_of("a"));
}

TEST(a_failed_commit_leaves_the_old_file)
{
    struct oro_error err = {0};
    assert_int_equal(mkdir(path_of("taken"), 0777), 0); /* a folder cannot be replaced by a file */
    assert_false(oro_file_write(path_of("taken"), "x", 1, &err));
    assert_int_equal(err.code, ORO_E_WRITE);
    assert_int_equal(files_in_folder(), 1);
    assert_int_equal(rmdir(path_of("taken")), 0);
}

static void expect_not_written(const char *path)
{
    struct oro_error err = {0};
    assert_false(oro_file_may_write(path, &err));
    assert_int_equal(err.code, ORO_E_WRITE);
    err = (struct oro_error){0};
    assert_false(oro_file_write(path, "x", 1, &err));
    assert_int_equal(err.code, ORO_E_WRITE);
}

/* A rename would put a file in the place of a device, if the user may write its folder. */
TEST(only_regular_files_are_replaced)
{
    struct stat info;
    assert_int_equal(mkfifo(path_of("fifo"), 0666), 0);
    assert_int_equal(symlink("/dev/null", path_of("link")), 0);
    assert_int_equal(mkdir(path_of("folder"), 0777), 0);
    expect_not_written(path_of("fifo"));
    expect_not_written(path_of("link"));
    expect_not_written(path_of("folder"));
    expect_not_written(path_of("fifo/a"));
    expect_not_written(path_of("none/a"));
    expect_not_written("");
    assert_int_equal(lstat(path_of("fifo"), &info), 0);
    assert_true(S_ISFIFO(info.st_mode));
    assert_int_equal(lstat(path_of("link"), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_true(oro_file_may_write(path_of("a"), NULL));
    unlink(path_of("fifo"));
    unlink(path_of("link"));
    rmdir(path_of("folder"));
}

TEST(one_file_has_many_paths)
{
    assert_int_equal(mkdir(path_of("x"), 0777), 0);
    assert_true(oro_path_same(path_of("a"), path_of("x/../a"))); /* neither exists */
    assert_false(oro_path_same(path_of("a"), path_of("x/a")));
    assert_false(oro_path_same(path_of("none/a"), path_of("none/a")));
    assert_true(oro_file_write(path_of("x/a"), "", 0, NULL));
    assert_int_equal(symlink("x/a", path_of("link")), 0);
    assert_true(oro_path_same(path_of("link"), path_of("x/a")));
    assert_true(oro_path_same("a", "./a"));
    unlink(path_of("link"));
    unlink(path_of("x/a"));
    rmdir(path_of("x"));
}

/* A limit on file sizes stands in for a full disk. */
TEST(a_full_disk_leaves_the_old_file)
{
    struct rlimit before, small = {4096, 4096};
    struct oro_error err = {0};
    static char big[100000];
    assert_true(oro_file_write(path_of("a"), "old", 3, NULL));
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    bool ok = oro_file_write(path_of("a"), big, sizeof big, &err);
    struct oro_file_output output;
    bool begun = oro_file_begin(&output, path_of("a"), NULL);
    if (begun)
        fwrite(big, 1, 5000, output.stream); /* fails only when it is flushed */
    bool committed = begun && oro_file_commit(&output, &err);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_false(ok);
    assert_true(begun);
    assert_false(committed);
    assert_int_equal(err.code, ORO_E_WRITE);
    assert_non_null(strstr(err.text, strerror(EFBIG)));
    assert_int_equal(files_in_folder(), 1);
    expect_content("a", "old");
    unlink(path_of("a"));
}

/* What cannot be flushed is gone; what was flushed can be gone on with, and given up. */
TEST(flushing)
{
    struct rlimit before, small = {4096, 4096};
    struct oro_error err = {0};
    struct oro_file_output output;
    static char big[5000];
    assert_true(oro_file_begin(&output, path_of("a"), NULL));
    fputs("one ", output.stream);
    assert_true(oro_file_flush(&output, NULL));
    fputs("two", output.stream);
    assert_true(oro_file_commit(&output, NULL));
    expect_content("a", "one two");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    bool begun = oro_file_begin(&output, path_of("a"), NULL);
    if (begun)
        fwrite(big, 1, sizeof big, output.stream);
    bool flushed = begun && oro_file_flush(&output, &err);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_true(begun);
    assert_false(flushed);
    assert_int_equal(err.code, ORO_E_WRITE);
    assert_non_null(strstr(err.text, strerror(EFBIG)));
    oro_file_abort(&output); /* there is nothing left to give up */
    assert_true(oro_file_begin(&output, path_of("a"), NULL));
    assert_true(oro_file_flush(&output, NULL));
    oro_file_abort(&output);
    assert_int_equal(files_in_folder(), 1);
    expect_content("a", "one two");
    unlink(path_of("a"));
}

TEST(folders_are_made)
{
    struct oro_error err = {0};
    struct stat info;
    assert_true(oro_make_folders(path_of("x/y//z/"), &err));
    assert_true(oro_make_folders(path_of("x/y/z"), &err));
    assert_int_equal(stat(path_of("x/y/z"), &info), 0);
    assert_true(oro_make_folders("/", &err));
    assert_true(oro_make_folders("", &err));
    assert_true(oro_file_write(path_of("x/file"), "", 0, NULL));
    assert_false(oro_make_folders(path_of("x/file"), &err)); /* it exists, but is no folder */
    assert_int_equal(err.code, ORO_E_WRITE);
    assert_false(oro_make_folders(path_of("x/file/below"), &err));
    unlink(path_of("x/file"));
    rmdir(path_of("x/y/z"));
    rmdir(path_of("x/y"));
    rmdir(path_of("x"));
}

static void expect_beside(const char *base, const char *path, const char *wanted)
{
    char *joined = oro_path_beside(base, path);
    assert_string_equal(joined, wanted);
    oro_free(joined);
}

TEST(paths)
{
    assert_string_equal(oro_path_extension("a/b.png"), "png");
    assert_string_equal(oro_path_extension("a.b/c"), "");
    assert_string_equal(oro_path_extension("a.tar.gz"), "gz");
    assert_string_equal(oro_path_extension("a."), "");
    assert_string_equal(oro_path_extension(""), "");
    expect_beside("folder/doc.oro", "a.png", "folder/a.png");
    expect_beside("doc.oro", "a.png", "a.png");
    expect_beside("/doc.oro", "a.png", "/a.png");
    expect_beside(NULL, "a.png", "a.png");
    expect_beside("folder/doc.oro", "/a.png", "/a.png");
    oro_memory_fail_at(1);
    assert_null(oro_path_beside("folder/doc.oro", "a.png"));
}

TEST(memory_may_be_out_at_any_point)
{
    for (size_t n = 1; n < 20; n++) {
        struct oro_error err = {0};
        oro_memory_fail_at(n);
        bool ok = oro_file_write(path_of("a"), "x", 1, &err);
        oro_memory_fail_at(0);
        assert_true(ok || err.code == ORO_E_MEMORY);
        if (!ok)
            assert_int_equal(files_in_folder(), 0);
        unlink(path_of("a"));
    }
}

TEST_GROUP(open_folder, close_folder);
