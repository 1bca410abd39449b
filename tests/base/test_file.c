/* Files: whole or not at all. */
#define _GNU_SOURCE /* for syscall */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/temporary.h"
#include "base/text.h"
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
    static const char *const pictures[] = {"png", "exr", NULL};
    assert_true(oro_path_ends_in("a/b.PNG", pictures));
    assert_false(oro_path_ends_in("a/png", pictures));
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

/* ---- Files that go together ---- */

static void begin_pair(struct oro_file_output pair[2], const char *content)
{
    static const char *const names[] = {"image", "sidecar"};
    for (int i = 0; i < 2; i++) {
        assert_true(oro_file_begin(&pair[i], path_of(names[i]), NULL));
        fputs(content, pair[i].stream);
        assert_true(oro_file_seal(&pair[i], NULL));
    }
}

TEST(a_pair_is_replaced_together)
{
    struct oro_file_output pair[2];
    begin_pair(pair, "old");
    assert_true(oro_files_place(pair, 2, NULL));
    oro_files_end(pair, 2);
    begin_pair(pair, "new");
    assert_true(oro_files_place(pair, 2, NULL));
    expect_content("image", "new");
    expect_content("sidecar", "new");
    oro_files_take_back(pair, 2);
    expect_content("image", "old");
    expect_content("sidecar", "old");
    oro_files_end(pair, 2);
    assert_int_equal(files_in_folder(), 2);
    unlink(path_of("image"));
    unlink(path_of("sidecar"));
}

/* The last file of the list gets its name first. */
TEST(a_failed_renaming_brings_the_older_files_back)
{
    struct oro_file_output pair[2];
    struct oro_error err = {0};
    assert_true(oro_file_write(path_of("sidecar"), "old", 3, NULL));
    begin_pair(pair, "new");
    assert_int_equal(mkdir(path_of("image"), 0777), 0);
    assert_false(oro_files_place(pair, 2, &err));
    assert_int_equal(err.code, ORO_E_WRITE);
    expect_content("sidecar", "old");
    oro_files_end(pair, 2);
    expect_content("sidecar", "old");
    assert_int_equal(files_in_folder(), 2);
    unlink(path_of("sidecar"));
    rmdir(path_of("image"));
}

TEST(folders_change_names_as_well)
{
    enum oro_replaced replaced;
    int place = open(folder, O_RDONLY | O_DIRECTORY);
    assert_int_equal(mkdir(path_of("new"), 0777), 0);
    assert_int_equal(mkdir(path_of("old"), 0777), 0);
    assert_true(oro_file_write(path_of("new/a"), "new", 3, NULL));
    assert_true(oro_file_write(path_of("old/a"), "old", 3, NULL));
    assert_true(oro_replace(place, "new", place, "old", &replaced));
    expect_content("old/a", "new");
    oro_replace_back(place, "new", place, "old", replaced);
    expect_content("old/a", "old");
    assert_true(oro_file_write(path_of("file"), "x", 1, NULL));
    assert_false(oro_replace(place, "file", place, "old", &replaced)); /* an exchange would not mind */
    assert_false(oro_replace(place, "old", place, "file", &replaced));
    oro_remove_all(place, "new");
    oro_remove_all(place, "old");
    oro_remove_all(place, "file");
    close(place);
}

/* ---- Temporary files ---- */

/* Begins a file in a process of its own, which is then killed, or goes on once it is let. */
static pid_t begin_elsewhere(const char *name, int ready[2])
{
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        struct oro_file_output output;
        char byte = 0;
        if (!oro_file_begin(&output, path_of(name), NULL) || write(ready[1], &byte, 1) != 1)
            _exit(1);
        fputs("whole", output.stream);
        pause();
        _exit(oro_file_commit(&output, NULL) ? 0 : 1);
    }
    char byte;
    assert_int_equal(read(ready[0], &byte, 1), 1);
    return child;
}

static void end_elsewhere(pid_t child, int ready[2])
{
    int status;
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    close(ready[0]);
    close(ready[1]);
}

TEST(what_a_killed_process_left_is_swept)
{
    int ready[2];
    pid_t child = begin_elsewhere("a", ready);
    assert_int_equal(files_in_folder(), 1);
    assert_true(oro_file_write(path_of("b"), "b", 1, NULL));
    assert_int_equal(files_in_folder(), 2); /* it lives, and may go on */
    end_elsewhere(child, ready);
    assert_true(oro_file_write(path_of("b"), "b", 1, NULL));
    assert_int_equal(files_in_folder(), 1);
    unlink(path_of("b"));
}

/* Names that look like those of temporary files, but for the host, the process or the ending. */
TEST(other_hosts_and_names_stay)
{
    struct oro_text own = {0};
    char name[300];
    unsigned host;
    oro_temporary_name(&own, "a");
    host = (unsigned)strtoul(own.data + 2, NULL, 16);
    assert_false(oro_temporary_is_stale(own.data)); /* we live */
    snprintf(name, sizeof name, "a.%08x-7ffffff0-1-0.part", host);
    assert_true(oro_temporary_is_stale(name));
    snprintf(name, sizeof name, "a.%08x-7ffffff0-1-0.part", host + 1);
    assert_false(oro_temporary_is_stale(name));
    snprintf(name, sizeof name, "a.%08x-7ffffff0-1-0.png", host);
    assert_false(oro_temporary_is_stale(name));
    snprintf(name, sizeof name, "a.%08x-0-1-0.part", host);
    assert_false(oro_temporary_is_stale(name));
    snprintf(name, sizeof name, "%08x-7ffffff0-1-0.part", host);
    assert_false(oro_temporary_is_stale(name));
    assert_false(oro_temporary_is_stale(".part"));
    assert_false(oro_temporary_is_stale("film.part"));
    snprintf(name, sizeof name, "a.%08x-%lx-1-0.part", host,
             (unsigned long)getpid()); /* its number is used again */
    assert_true(oro_temporary_is_stale(name));
    oro_text_free(&own);
}

/* ---- Other threads and processes ---- */

static int masks_set;

/* Stands in for that of the C library: asking for the mask is setting it. */
mode_t umask(mode_t mask)
{
    masks_set++;
    return (mode_t)syscall(SYS_umask, mask);
}

/* Changing it, be it for a moment, has another thread make files that everyone may write. */
TEST(the_mask_is_never_changed)
{
    masks_set = 0;
    assert_true(oro_file_write(path_of("a"), "a", 1, NULL));
    assert_true(oro_file_write(path_of("a"), "b", 1, NULL));
    assert_true(oro_make_folders(path_of("x"), NULL));
    assert_int_equal(masks_set, 0);
    unlink(path_of("a"));
    rmdir(path_of("x"));
}

/* The folder is held: what takes its name meanwhile gets nothing. */
TEST(an_exchanged_folder_gets_nothing)
{
    struct oro_file_output output;
    assert_int_equal(mkdir(path_of("in"), 0777), 0);
    assert_int_equal(mkdir(path_of("out"), 0777), 0);
    assert_true(oro_file_begin(&output, path_of("in/a"), NULL));
    fputs("whole", output.stream);
    assert_int_equal(rename(path_of("in"), path_of("moved")), 0);
    assert_int_equal(symlink("out", path_of("in")), 0);
    assert_true(oro_file_commit(&output, NULL));
    expect_content("moved/a", "whole");
    unlink(path_of("moved/a"));
    unlink(path_of("in"));
    assert_int_equal(rmdir(path_of("moved")), 0);
    assert_int_equal(rmdir(path_of("out")), 0);
}

TEST_GROUP(open_folder, close_folder);
