/* Digests of input files: kept while a file is the same, and never for longer. */
#include <stdlib.h>
#include <time.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "graph/cache/cache.h"
#include "graph/cache/notes.h"
#include "graph/plan/file_digests.h"
#include "tests/graph/reuse_support.h"

/* In place: the file stays the same one. `age` in seconds. */
static void write_in_place(const char *name, const char *text, int age)
{
    struct timespec times[2] = {{.tv_sec = time(NULL) - age, .tv_nsec = 1}};
    times[1] = times[0];
    int file = open(at(name), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    assert_int_equal(futimens(file, times), 0);
    close(file);
}

static struct oro_hash digest_of(struct oro_file_digests *digests, const char *name)
{
    struct oro_hash digest = {0};
    struct oro_error err = {0};
    if (!oro_file_digest(digests, at(name), NULL, &digest, &err))
        fail_msg("%s", err.text);
    return digest;
}

static void refuse_digest(const char *name, const char *says)
{
    struct oro_hash digest;
    struct oro_error err = {0};
    assert_false(oro_file_digest(NULL, at(name), NULL, &digest, &err));
    assert_non_null(strstr(err.text, says));
}

static void expect_true_digest(struct oro_file_digests *digests, const char *name)
{
    assert_true(oro_hash_equal(digest_of(digests, name), digest_of(NULL, name)));
}

TEST_WITH(changes, open_reuse, close_reuse)
{
    struct oro_file_digests *digests = oro_file_digests_create();
    write_in_place("map.png", "one map", 100);
    expect_true_digest(digests, "map.png");
    write_in_place("map.png", "two map", 50); /* of equal size, at another time */
    expect_true_digest(digests, "map.png");
    write_in_place("other.png", "six map", 50);
    assert_int_equal(rename(at("other.png"), at("map.png")), 0); /* of equal size and time: another file */
    expect_true_digest(digests, "map.png");
    write_in_place("map.png.json", "{}", 50); /* a sidecar comes, */
    expect_true_digest(digests, "map.png");
    write_in_place("map.png.json", "[]", 40); /* changes, */
    expect_true_digest(digests, "map.png");
    assert_int_equal(unlink(at("map.png.json")), 0); /* and goes */
    expect_true_digest(digests, "map.png");
    oro_file_digests_destroy(digests);
}

/* A folder that is an array is one file: whatever changes in it changes its digest. */
TEST_WITH(arrays, open_reuse, close_reuse)
{
    struct oro_file_digests *digests = oro_file_digests_create();
    assert_int_equal(mkdir(at("map.zarr"), 0700), 0);
    assert_int_equal(mkdir(at("map.zarr/height"), 0700), 0);
    refuse_digest("map.zarr", "not a regular file");
    write_in_place("map.zarr/.zgroup", "{}", 100);
    write_in_place("map.zarr/height/0.0", "one", 100);
    write_in_place("map.zarr/height/0.1", "two", 100);
    struct oro_hash before = digest_of(digests, "map.zarr");
    expect_true_digest(digests, "map.zarr");
    write_in_place("map.zarr/height/0.1", "six", 50); /* the folder itself does not change */
    assert_false(oro_hash_equal(digest_of(digests, "map.zarr"), before));
    expect_true_digest(digests, "map.zarr");
    write_in_place("map.zarr/height/0.1", "two", 40);
    assert_true(oro_hash_equal(digest_of(digests, "map.zarr"), before));
    assert_int_equal(rename(at("map.zarr/height/0.1"), at("map.zarr/height/1.0")), 0);
    assert_false(oro_hash_equal(digest_of(digests, "map.zarr"), before));
    assert_int_equal(symlink("../map.png", at("map.zarr/height/0.1")), 0);
    refuse_digest("map.zarr", "height/0.1");
    oro_file_digests_destroy(digests);
}

/* A file that did not change is not read: otherwise the changed content of this one would be noticed. */
TEST_WITH(kept, open_reuse, close_reuse)
{
    struct oro_file_digests *digests = oro_file_digests_create();
    write_in_place("map.png", "one map", 100);
    struct oro_hash before = digest_of(digests, "map.png");
    struct stat info;
    assert_int_equal(stat(at("map.png"), &info), 0);
    write_in_place("map.png", "two map", 100);
    const struct timespec times[2] = {info.st_mtim, info.st_mtim};
    assert_int_equal(utimensat(AT_FDCWD, at("map.png"), times, 0), 0);
    assert_true(oro_hash_equal(digest_of(digests, "map.png"), before));
    oro_file_digests_destroy(digests);
}

/* Written twice within one tick of the file system's clock. */
TEST_WITH(fresh, open_reuse, close_reuse)
{
    struct oro_file_digests *digests = oro_file_digests_create();
    const struct timespec now[2] = {{.tv_sec = time(NULL)}, {.tv_sec = time(NULL)}};
    static const char *const texts[] = {"one map", "two map", "six map"};
    for (int i = 0; i < 3; i++) {
        write_in_place("map.png", texts[i], 0);
        assert_int_equal(utimensat(AT_FDCWD, at("map.png"), now, 0), 0);
        expect_true_digest(digests, "map.png");
    }
    oro_file_digests_destroy(digests);
}

TEST_WITH(many, open_reuse, close_reuse)
{
    struct oro_file_digests *digests = oro_file_digests_create();
    char name[32], text[32];
    for (int turn = 0; turn < 2; turn++)
        for (int i = 0; i < 300; i++) {
            snprintf(name, sizeof name, "%d.png", i);
            snprintf(text, sizeof text, "%d %d", turn, i);
            write_in_place(name, text, 100 - turn);
            expect_true_digest(digests, name);
        }
    oro_file_digests_destroy(digests);
}

TEST_WITH(failures, open_reuse, close_reuse)
{
    struct oro_file_digests *digests = oro_file_digests_create();
    struct oro_hash digest;
    struct oro_error err = {0};
    write_in_place("map.png", "one map", 100);
    expect_true_digest(digests, "map.png");
    assert_int_equal(unlink(at("map.png")), 0);
    assert_false(oro_file_digest(digests, at("map.png"), NULL, &digest, &err));
    assert_int_equal(err.code, ORO_E_FILE);
    oro_file_digests_destroy(digests);
}

/* ---- Notes on disk ---- */

static size_t count_notes(const char *folder)
{
    struct oro_cache_stats stats;
    assert_true(oro_cache_disk_stats(folder, &stats, NULL));
    return (size_t)stats.files;
}

/* Other programs find the digest of a large file, until the file changes, and cannot be told a false one. The
 * status of a file that was just made is too young: the tests wait until it is not. */
TEST_WITH(notes, open_reuse, close_reuse)
{
    char folder[300];
    snprintf(folder, sizeof folder, "%s", at("notes"));
    write_in_place("map.png", "one map", 100);
    struct oro_hash digest = digest_of(NULL, "map.png");
    for (int turn = 0; turn < 80;
         turn++) { /* changed seconds ago at most: the time of the last change counts */
        struct oro_file_digests *digests = oro_file_digests_create();
        oro_file_digests_note(digests, folder, 1);
        assert_true(oro_hash_equal(digest_of(digests, "map.png"), digest));
        oro_file_digests_destroy(digests);
        if (count_notes(folder) > 0)
            break;
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    }
    assert_int_equal(count_notes(folder), 1);

    struct oro_file_digests *digests = oro_file_digests_create();
    oro_file_digests_note(digests, folder, 1);
    write_in_place("map.png", "two map", 100); /* the same size and time, but for that of the change */
    expect_true_digest(digests, "map.png");
    oro_file_digests_note(digests, folder, 1000);
    write_in_place("small.png", "a map", 100);
    expect_true_digest(digests, "small.png");
    assert_int_equal(count_notes(folder), 1);
    oro_file_digests_destroy(digests);
}

TEST_WITH(damaged_notes, open_reuse, close_reuse)
{
    const struct oro_hash key = {5, 6}, other = {5, 7};
    char folder[300], note[8] = "a note", found[8];
    snprintf(folder, sizeof folder, "%s", at("notes"));
    assert_false(oro_note_get(folder, key, found, sizeof found));
    oro_note_put(folder, key, note, sizeof note);
    assert_true(oro_note_get(folder, key, found, sizeof found));
    assert_memory_equal(note, found, sizeof note);
    assert_false(oro_note_get(folder, key, found, sizeof found - 1));
    assert_false(oro_note_get(folder, other, found, sizeof found));
    char hex[ORO_HASH_TEXT], path[400];
    snprintf(path, sizeof path, "notes/v1/%.2s/%s", oro_hash_text(key, hex), hex);
    FILE *file = fopen(at(path), "r+b");
    assert_non_null(file);
    fseek(file, -2, SEEK_END);
    fputc('x', file);
    fclose(file);
    assert_false(oro_note_get(folder, key, found, sizeof found));
}

/* A file of several blocks, of which each counts, as does its place. */
TEST_WITH(blocks, open_reuse, close_reuse)
{
    enum { BYTES = 40 << 20 };
    write_in_place("map.png", "", 100);
    assert_int_equal(truncate(at("map.png"), BYTES), 0);
    struct oro_hash empty = digest_of(NULL, "map.png"), last = empty;
    static const long places[] = {0, 17 << 20, BYTES - 1};
    for (int i = 0; i < 3; i++) {
        FILE *file = fopen(at("map.png"), "r+b");
        fseek(file, places[i], SEEK_SET);
        fputc('x', file);
        fclose(file);
        struct oro_hash now = digest_of(NULL, "map.png");
        assert_false(oro_hash_equal(now, last) || oro_hash_equal(now, empty));
        assert_true(oro_hash_equal(now, digest_of(NULL, "map.png")));
        last = now;
    }
}

/* What was never written is not read, and counts as the zeros that would be read. */
TEST_WITH(holes, open_reuse, close_reuse)
{
    enum { BYTES = 40 << 20 };
    char *zeros = calloc(BYTES, 1);
    assert_non_null(zeros);
    assert_true(oro_file_write(at("map.png"), zeros, BYTES, NULL));
    struct oro_hash written = digest_of(NULL, "map.png");
    write_in_place("map.png", "", 0);
    assert_int_equal(truncate(at("map.png"), BYTES), 0);
    assert_true(oro_hash_equal(written, digest_of(NULL, "map.png")));
    free(zeros);
    if (truncate(at("map.png"), (off_t)1 << 40) != 0)
        skip(); /* the file system has no such files */
    double start = oro_now();
    digest_of(NULL, "map.png");
    assert_true(oro_now() - start < 20); /* it would be minutes */
}

TEST_GROUP(NULL, clean_up_xml);
