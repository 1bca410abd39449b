/* The cache of results: budgets, the folder, damage, several processes. */
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
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "graph/cache/cache.h"
#include "graph/type/said.h"
#include "tests/support/fake_device.h"
#include "tests/support/folder.h"
#include "tests/support/test.h"

enum { CELLS = 16, BYTES = CELLS * CELLS * 4 };

static struct oro_device device;
static char folder[64];
static int warnings;
static char last_warning[512];

static void take_note(void *user, enum oro_level level, const char *text)
{
    (void)user;
    if (level != ORO_WARNING)
        return;
    warnings++;
    snprintf(last_warning, sizeof last_warning, "%.500s", text);
}
static const struct oro_log log_ = {take_note, NULL};

FIXTURE(open_folder)
{
    device = FAKE_DEVICE;
    warnings = 0;
    snprintf(folder, sizeof folder, P_tmpdir "/orograph-cache-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

FIXTURE(close_folder)
{
    assert_int_equal(device.used_bytes, 0); /* every test gives all back */
    return remove_tree(folder);
}

static struct oro_cache *cache_with(const char *where, size_t device_bytes, size_t host_bytes)
{
    struct oro_cache_options options = {.folder = where,
                                        .device_bytes = device_bytes,
                                        .host_bytes = host_bytes,
                                        .disk_seconds = -1,
                                        .log = &log_};
    struct oro_cache *cache = oro_cache_create(&options);
    assert_non_null(cache);
    return cache;
}

static struct oro_hash key_of(int number)
{
    return oro_hash_of(&number, sizeof number);
}

/* A result with one value full of `content`, on the device, and a figure. */
static struct oro_result result_of(float content)
{
    struct oro_grid grid = {CELLS, CELLS, 10, 1, 2};
    float data[CELLS * CELLS];
    for (int i = 0; i < CELLS * CELLS; i++)
        data[i] = content + (float)(i % 7);
    struct oro_buffer *buffer = device.ops->buffer_create(&device, BYTES, NULL);
    assert_non_null(buffer);
    device.ops->upload(&device, buffer, data, BYTES, NULL);
    struct oro_result result = {
        .value_count = 1, .figure_count = 1, .figures = {{"depth", "m", (double)content}}};
    result.values[0] = oro_value_create(&device, ORO_FIELD, &grid, buffer, NULL, NULL);
    assert_non_null(result.values[0]);
    return result;
}

static void put(struct oro_cache *cache, int number, float content)
{
    struct oro_result result = result_of(content);
    oro_cache_put(cache, key_of(number), &result, 1);
    oro_result_release(&result);
    oro_cache_settle(cache);
}

static void put_state(struct oro_cache *cache, int number, int iterations, float content)
{
    struct oro_result result = result_of(content);
    oro_cache_put_state(cache, key_of(number), iterations, &result, 1);
    oro_result_release(&result);
}

static void expect_result(const struct oro_result *result, float content)
{
    assert_int_equal(result->value_count, 1);
    assert_int_equal(result->figure_count, 1);
    assert_string_equal(result->figures[0].name, "depth");
    assert_string_equal(result->figures[0].unit, "m");
    assert_true(result->figures[0].value == (double)content);
    const struct oro_grid *grid = &result->values[0]->grid;
    assert_true(grid->width == CELLS && grid->height == CELLS && grid->cell == 10 && grid->x == 1 &&
                grid->y == 2);
    const float *data = oro_value_host(result->values[0], NULL);
    assert_non_null(data);
    for (int i = 0; i < CELLS * CELLS; i++)
        assert_true(data[i] == content + (float)(i % 7));
}

/* Looks up and checks the content if found. */
static enum oro_found get(struct oro_cache *cache, int number, float content)
{
    struct oro_result result = {0};
    enum oro_found found = oro_cache_get(cache, key_of(number), &device, &result);
    if (found != ORO_FOUND_NOT)
        expect_result(&result, content);
    oro_result_release(&result);
    return found;
}

/* What was said of a result is kept with it, in memory and on the disk. */
TEST_WITH(what_was_said_is_kept, open_folder, close_folder)
{
    struct oro_result result = result_of(3), found = {0};
    struct oro_text said = {0};
    oro_said_inherit(&said, "Nfirst\nWsecond\n");
    oro_said_add(&said, ORO_WARNING, "third");
    oro_said_add(&said, ORO_NOTICE, "first"); /* once is enough */
    assert_string_equal(said.data, "nfirst\nwsecond\nWthird\n");
    result.values[0]->said = oro_copy_text(said.data);
    for (int k = 0; k < 2; k++) {
        struct oro_cache *cache = cache_with(folder, 100 * BYTES, 100 * BYTES);
        if (k == 0)
            oro_cache_put(cache, key_of(1), &result, 1);
        oro_cache_settle(cache);
        assert_int_equal(oro_cache_get(cache, key_of(1), &device, &found),
                         k == 0 ? ORO_FOUND_MEMORY : ORO_FOUND_DISK);
        assert_string_equal(oro_result_said(&found), said.data);
        oro_result_release(&found);
        oro_cache_destroy(cache);
    }
    oro_result_release(&result);
    oro_text_free(&said);
}

TEST_WITH(memory_keeps_and_finds, open_folder, close_folder)
{
    struct oro_cache *cache = cache_with("", 100 * BYTES, 100 * BYTES);
    assert_int_equal(get(cache, 1, 0), ORO_FOUND_NOT);
    for (int i = 0; i < 50; i++)
        put(cache, i, (float)i);
    for (int i = 0; i < 50; i++)
        assert_int_equal(get(cache, i, (float)i), ORO_FOUND_MEMORY);
    put(cache, 3, 99); /* a key has one result: the first stays */
    assert_int_equal(get(cache, 3, 3), ORO_FOUND_MEMORY);
    oro_cache_destroy(cache);
}

TEST_WITH(the_least_used_goes_first, open_folder, close_folder)
{
    struct oro_cache *cache = cache_with("", 3 * BYTES, 0);
    for (int i = 0; i < 3; i++)
        put(cache, i, (float)i);
    assert_int_equal(get(cache, 0, 0), ORO_FOUND_MEMORY); /* counts as a use, and makes a copy on the host */
    put(cache, 3, 3);
    assert_int_equal(get(cache, 1, 1), ORO_FOUND_NOT);
    assert_int_equal(get(cache, 0, 0), ORO_FOUND_MEMORY);
    assert_int_equal(get(cache, 2, 2), ORO_FOUND_MEMORY);
    assert_int_equal(get(cache, 3, 3), ORO_FOUND_MEMORY);
    assert_true(device.used_bytes <= 3 * BYTES);
    oro_cache_destroy(cache);
}

TEST_WITH(the_host_takes_what_leaves_the_device, open_folder, close_folder)
{
    struct oro_cache *cache = cache_with("", 2 * BYTES, 3 * BYTES);
    for (int i = 0; i < 10; i++)
        put(cache, i, (float)i);
    assert_int_equal(device.used_bytes, 2 * BYTES);
    for (int i = 0; i < 5; i++)
        assert_int_equal(get(cache, i, (float)i), ORO_FOUND_NOT);
    for (int i = 5; i < 10; i++)
        assert_int_equal(get(cache, i, (float)i), ORO_FOUND_MEMORY);
    oro_cache_destroy(cache);
}

/* A copy on the host of what the device has too is no reason to forget a result. */
TEST_WITH(copies_on_the_host_go_first, open_folder, close_folder)
{
    struct oro_cache *cache = cache_with("", 10 * BYTES, 2 * BYTES);
    for (int i = 0; i < 10; i++)
        put(cache, i, (float)i);
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < 10; i++) {
            assert_int_equal(get(cache, i, (float)i), ORO_FOUND_MEMORY);
            oro_cache_settle(cache);
        }
    oro_cache_destroy(cache);
}

TEST_WITH(what_is_in_use_stays, open_folder, close_folder)
{
    struct oro_cache *cache = cache_with("", 0, 0);
    struct oro_result held = result_of(5);
    oro_cache_put(cache, key_of(0), &held, 1);
    for (int i = 1; i < 5; i++)
        put(cache, i, (float)i);
    assert_int_equal(get(cache, 0, 5), ORO_FOUND_MEMORY);
    assert_int_equal(get(cache, 4, 4), ORO_FOUND_NOT);
    assert_non_null(held.values[0]->buffer);
    oro_result_release(&held);
    oro_cache_settle(cache);
    assert_int_equal(get(cache, 0, 5), ORO_FOUND_NOT);
    oro_cache_destroy(cache);
}

/* The last state of a simulation and its result share their values: they count once, and can go. */
TEST_WITH(shared_values_count_once, open_folder, close_folder)
{
    struct oro_cache *cache = cache_with("", 3 * BYTES, 0);
    for (int i = 0; i < 6; i++) {
        struct oro_result result = result_of((float)i);
        oro_cache_put_state(cache, key_of(100 + i), 20, &result, 1);
        oro_cache_put(cache, key_of(i), &result, 1);
        oro_result_release(&result);
    }
    oro_cache_settle(cache);
    assert_int_equal(device.used_bytes, 3 * BYTES);
    assert_int_equal(get(cache, 3, 3), ORO_FOUND_MEMORY);
    assert_int_equal(get(cache, 2, 2), ORO_FOUND_NOT);
    oro_cache_destroy(cache);
}

TEST_WITH(room_is_made, open_folder, close_folder)
{
    struct oro_cache *cache = cache_with("", 100 * BYTES, 100 * BYTES);
    for (int i = 0; i < 10; i++)
        put(cache, i, (float)i);
    assert_true(oro_cache_make_room(cache, &device, BYTES)); /* no budget: all fits */
    device.budget_bytes = 10 * BYTES;
    assert_true(oro_cache_make_room(cache, &device, 4 * BYTES));
    assert_int_equal(device.used_bytes, 6 * BYTES);
    assert_false(oro_cache_make_room(cache, &device, 11 * BYTES));
    assert_int_equal(device.used_bytes, 0);
    for (int i = 0; i < 10; i++)
        assert_int_equal(get(cache, i, (float)i), ORO_FOUND_MEMORY); /* on the host */
    oro_cache_destroy(cache);
}

TEST_WITH(a_lost_device_takes_what_it_alone_had, open_folder, close_folder)
{
    struct oro_cache *cache = cache_with("", 100 * BYTES, 100 * BYTES);
    put(cache, 1, 1);
    put(cache, 2, 2);
    assert_int_equal(get(cache, 1, 1), ORO_FOUND_MEMORY); /* has a copy on the host now */
    oro_cache_device_lost(cache);
    assert_int_equal(get(cache, 1, 1), ORO_FOUND_MEMORY);
    assert_int_equal(get(cache, 2, 2), ORO_FOUND_NOT);
    struct oro_result held = result_of(3);
    oro_cache_put(cache, key_of(3), &held, 1);
    oro_cache_device_lost(cache);
    struct oro_error err = {0};
    assert_null(oro_value_host(held.values[0], &err)); /* a holder of a lost value gets an error */
    assert_int_equal(err.code, ORO_E_LOST);
    assert_null(oro_value_buffer(held.values[0], &err));
    assert_int_equal(err.code, ORO_E_LOST);
    oro_result_release(&held);
    oro_cache_destroy(cache);
}

/* ---- States ---- */

static int best_of(struct oro_cache *cache, int number, int limit)
{
    struct oro_result result = {0};
    int found = oro_cache_get_state(cache, key_of(number), limit, &device, &result);
    if (found)
        expect_result(&result, (float)found);
    oro_result_release(&result);
    return found;
}

static void expect_states(struct oro_cache *cache)
{
    assert_int_equal(best_of(cache, 1, 100), 40);
    assert_int_equal(best_of(cache, 1, 40), 40);
    assert_int_equal(best_of(cache, 1, 39), 20);
    assert_int_equal(best_of(cache, 1, 7), 7);
    assert_int_equal(best_of(cache, 1, 6), 0);
    assert_int_equal(best_of(cache, 1, 0), 0);
    assert_int_equal(best_of(cache, 1, -5), 0);
    assert_int_equal(best_of(cache, 2, 100), 0);
}

TEST_WITH(the_best_state_is_found, open_folder, close_folder)
{
    static const int iterations[] = {20, 7, 40};
    struct oro_cache *cache = cache_with(folder, 100 * BYTES, 100 * BYTES);
    for (int i = 0; i < 3; i++)
        put_state(cache, 1, iterations[i], (float)iterations[i]);
    expect_states(cache);
    oro_cache_destroy(cache);
    cache = cache_with(folder, 100 * BYTES, 100 * BYTES);
    expect_states(cache); /* and on the disk */
    oro_cache_destroy(cache);
}

/* ---- The folder ---- */

static void path_of(int number, const char *end, char path[256])
{
    char hex[ORO_HASH_TEXT];
    oro_hash_text(key_of(number), hex);
    snprintf(path, 256, "%s/v1/%.2s/%s%s", folder, hex, hex, end);
}

TEST_WITH(the_disk_brings_back, open_folder, close_folder)
{
    struct oro_cache *cache = cache_with(folder, 0, 0);
    for (int i = 0; i < 20; i++)
        put(cache, i, (float)i);
    oro_cache_destroy(cache);
    cache = cache_with(folder, 100 * BYTES, 100 * BYTES);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(get(cache, i, (float)i), ORO_FOUND_DISK);
        assert_int_equal(get(cache, i, (float)i), ORO_FOUND_MEMORY);
    }
    struct oro_cache_stats stats;
    assert_true(oro_cache_disk_stats(folder, &stats, NULL));
    assert_int_equal(stats.files, 20);
    assert_string_equal(stats.folder, folder);
    oro_cache_destroy(cache);
    assert_int_equal(warnings, 0);
}

TEST_WITH(cheap_results_stay_off_the_disk, open_folder, close_folder)
{
    struct oro_cache_options options = {.folder = folder, .host_bytes = BYTES};
    struct oro_cache *cache = oro_cache_create(&options);
    struct oro_result result = result_of(1);
    oro_cache_put(cache, key_of(1), &result, 0.001);
    oro_cache_put(cache, key_of(2), &result, 10);
    oro_result_release(&result);
    struct oro_cache_stats stats;
    assert_true(oro_cache_disk_stats(folder, &stats, NULL));
    assert_int_equal(stats.files, 1);
    oro_cache_destroy(cache);
}

/* With the file's content replaced by `bytes`, the result is as if it had never been there, and so is the
 * file. */
static void expect_dropped(const char *path, const void *bytes, size_t size, const char *what, size_t where)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
    struct oro_cache *cache = cache_with(folder, BYTES, BYTES);
    enum oro_found found = get(cache, 1, 1);
    oro_cache_destroy(cache);
    if (found != ORO_FOUND_NOT)
        fail_msg("%s at byte %zu went unnoticed", what, where);
    if (access(path, F_OK) == 0)
        fail_msg("a file with %s at byte %zu stays", what, where);
}

TEST_WITH(damaged_files_are_dropped, open_folder, close_folder)
{
    char path[256];
    void *good;
    size_t size;
    struct oro_cache *cache = cache_with(folder, BYTES, BYTES);
    put(cache, 1, 1);
    oro_cache_destroy(cache);
    path_of(1, "", path);
    assert_true(oro_file_read(path, 100000, &good, &size, NULL));
    unsigned char *bytes = oro_alloc(size + 100, 1);
    for (size_t i = 0; i < size; i++) {
        memcpy(bytes, good, size);
        bytes[i] ^= (unsigned char)(1 << i % 8);
        expect_dropped(path, bytes, size, "a flipped bit", i);
    }
    memcpy(bytes, good, size);
    for (size_t i = 0; i < size; i++)
        expect_dropped(path, bytes, i, "an end", i);
    expect_dropped(path, bytes, size + 1, "more than there should be", size);
    for (size_t i = 0; i < size + 100; i++)
        bytes[i] = (unsigned char)(i * 7919 >> 3);
    expect_dropped(path, bytes, size + 100, "garbage", 0);
    cache = cache_with(folder, BYTES, BYTES);
    put(cache, 1, 1); /* computed again, it is kept again */
    oro_cache_destroy(cache);
    cache = cache_with(folder, BYTES, BYTES);
    assert_int_equal(get(cache, 1, 1), ORO_FOUND_DISK);
    oro_cache_destroy(cache);
    oro_free(good);
    oro_free(bytes);
    assert_int_equal(warnings, 0);
}

/* A file that someone has renamed is whole, but holds another result than its name says. */
TEST_WITH(files_under_other_names_are_dropped, open_folder, close_folder)
{
    char one[256], two[256];
    struct oro_cache *cache = cache_with(folder, BYTES, BYTES);
    put(cache, 1, 1);
    oro_cache_destroy(cache);
    path_of(1, "", one);
    path_of(2, "", two);
    struct oro_error err;
    char shelf[256];
    snprintf(shelf, sizeof shelf, "%.*s", (int)(strrchr(two, '/') - two), two);
    assert_true(oro_make_folders(shelf, &err));
    assert_int_equal(rename(one, two), 0);
    cache = cache_with(folder, BYTES, BYTES);
    assert_int_equal(get(cache, 2, 1), ORO_FOUND_NOT);
    oro_cache_destroy(cache);
    assert_int_not_equal(access(two, F_OK), 0);
    assert_int_equal(warnings, 0);
}

/* A damaged state gives way to the one before it. */
TEST_WITH(a_damaged_state_is_passed_over, open_folder, close_folder)
{
    char path[256];
    struct oro_cache *cache = cache_with(folder, BYTES, BYTES);
    put_state(cache, 1, 10, 10);
    put_state(cache, 1, 20, 20);
    put_state(cache, 1, 30, 30);
    oro_cache_destroy(cache);
    path_of(1, ".30", path);
    assert_int_equal(truncate(path, 50), 0);
    path_of(1, ".20", path);
    assert_int_equal(truncate(path, 0), 0);
    cache = cache_with(folder, BYTES, BYTES);
    assert_int_equal(best_of(cache, 1, 100), 10);
    oro_cache_destroy(cache);
}

static void touch(const char *path, time_t age)
{
    int descriptor = open(path, O_WRONLY | O_CREAT, 0666);
    assert_true(descriptor >= 0);
    struct timespec then = {.tv_sec = time(NULL) - age};
    assert_int_equal(futimens(descriptor, (struct timespec[]){then, then}), 0);
    close(descriptor);
}

/* Files that the cache did not make stay, and so do files that another process is writing. */
TEST_WITH(strange_files_are_left_alone, open_folder, close_folder)
{
    char strange[256], fresh[256], stale[256], state_like[256];
    struct oro_cache *cache = cache_with(folder, BYTES, BYTES);
    put(cache, 1, 1);
    put_state(cache, 1, 10, 10);
    path_of(1, "", strange);
    strcpy(strrchr(strange, '/') + 1, "holiday.jpg");
    path_of(1, ".aB3xYz", fresh);
    path_of(1, ".20.123456", state_like); /* a temporary name, of digits by chance */
    path_of(1, ".Zz3xYz", stale);
    touch(strange, 100000);
    touch(fresh, 0);
    touch(state_like, 0);
    touch(stale, 100000);
    assert_int_equal(best_of(cache, 1, 100), 10);
    struct oro_cache_stats removed;
    assert_true(oro_cache_disk_clear(folder, &removed, NULL));
    assert_int_equal(removed.files, 3);
    assert_int_equal(access(strange, F_OK), 0);
    assert_int_equal(access(fresh, F_OK), 0);
    assert_int_equal(access(state_like, F_OK), 0);
    assert_int_not_equal(access(stale, F_OK), 0);
    oro_cache_destroy(cache);
}

/* A folder in the place of an entry is not the cache's, nor does it keep the tiles beside it; and a file that
 * is empty goes with the others. */
TEST_WITH(clearing_leaves_neither_tiles_beside_a_folder_nor_empty_files, open_folder, close_folder)
{
    char entry[256], tile[256], empty[256];
    struct oro_cache *cache = cache_with(folder, BYTES, BYTES);
    put(cache, 1, 1);
    put(cache, 2, 2);
    oro_cache_destroy(cache);
    path_of(1, "", entry);
    path_of(1, ".t000", tile);
    path_of(2, "", empty);
    assert_true(unlink(entry) == 0 && mkdir(entry, 0700) == 0);
    assert_true(oro_file_write(tile, "tile", 4, NULL));
    touch(tile, 100000);
    assert_int_equal(truncate(empty, 0), 0);
    struct oro_cache_stats stats, removed;
    assert_true(oro_cache_disk_clear(folder, &removed, NULL));
    assert_int_equal(removed.files, 2);
    assert_true(access(tile, F_OK) != 0 && access(empty, F_OK) != 0);
    assert_int_equal(access(entry, F_OK), 0);
    assert_true(oro_cache_disk_clear(folder, &removed, NULL) && oro_cache_disk_stats(folder, &stats, NULL));
    assert_int_equal(stats.files, 0);
}

TEST_WITH(clearing_takes_an_empty_file, open_folder, close_folder)
{
    char empty[256];
    struct oro_cache *cache = cache_with(folder, BYTES, BYTES);
    put(cache, 2, 2);
    oro_cache_destroy(cache);
    path_of(2, "", empty);
    assert_int_equal(truncate(empty, 0), 0);
    struct oro_cache_stats removed;
    assert_true(oro_cache_disk_clear(folder, &removed, NULL));
    assert_int_equal(access(empty, F_OK), -1);
}

TEST_WITH(the_oldest_files_go_first, open_folder, close_folder)
{
    char path[256];
    struct oro_cache *cache = cache_with(folder, 0, 0);
    for (int i = 0; i < 10; i++)
        put(cache, i, (float)i);
    oro_cache_destroy(cache);
    for (int i = 0; i < 10; i++) {
        path_of(i, "", path);
        touch(path, 1000 - (i * 7 % 10) * 10); /* the larger i * 7 % 10, the younger */
    }
    cache = cache_with(folder, 100 * BYTES, 100 * BYTES);
    assert_int_equal(get(cache, 0, 0), ORO_FOUND_DISK); /* the oldest, but used again */
    oro_cache_destroy(cache);
    struct oro_cache_stats stats, removed;
    assert_true(oro_cache_disk_stats(folder, &stats, NULL));
    assert_true(oro_cache_disk_trim(folder, stats.bytes / 2, &removed, NULL));
    assert_in_range(removed.files, 3, 7);
    int gone = (int)removed.files;
    cache = cache_with(folder, 100 * BYTES, 100 * BYTES);
    for (int i = 0; i < 10; i++)
        assert_int_equal(get(cache, i, (float)i),
                         i == 0 || i * 7 % 10 > gone ? ORO_FOUND_DISK : ORO_FOUND_NOT);
    oro_cache_destroy(cache);
}

TEST_WITH(the_folder_keeps_its_size, open_folder, close_folder)
{
    struct oro_cache_options options = {
        .folder = folder, .disk_bytes = 5000, .disk_seconds = -1, .log = &log_};
    struct oro_cache *cache = oro_cache_create(&options);
    struct oro_cache_stats stats;
    for (int i = 0; i < 100; i++) {
        put(cache, i, (float)i);
        assert_true(oro_cache_disk_stats(folder, &stats, NULL));
        assert_true(stats.bytes <= 5000);
    }
    assert_true(stats.files > 3);
    oro_cache_destroy(cache);
}

TEST_WITH(its_size_is_the_environment_s, open_folder, close_folder)
{
    struct oro_cache_options options = {.folder = folder, .disk_seconds = -1, .log = &log_};
    struct oro_cache_stats stats;
    setenv("OROGRAPH_CACHE_SIZE", "5K", 1);
    struct oro_cache *cache = oro_cache_create(&options);
    for (int i = 0; i < 30; i++)
        put(cache, i, (float)i);
    assert_true(oro_cache_disk_stats(folder, &stats, NULL));
    assert_true(stats.bytes <= 5120 && stats.limit_bytes == 5120);
    oro_cache_destroy(cache);
    setenv("OROGRAPH_CACHE_SIZE", "plenty", 1);
    cache = oro_cache_create(&options);
    unsetenv("OROGRAPH_CACHE_SIZE");
    assert_int_equal(warnings, 1);
    oro_cache_destroy(cache);
}

/* ---- Trouble with the disk: one warning, and work goes on ---- */

TEST_WITH(a_folder_that_cannot_be_is_a_warning, open_folder, close_folder)
{
    char path[128];
    snprintf(path, sizeof path, "%s/file", folder);
    touch(path, 0);
    struct oro_cache *cache = cache_with(path, 10 * BYTES, BYTES);
    for (int i = 0; i < 3; i++)
        put(cache, i, (float)i);
    assert_int_equal(get(cache, 1, 1), ORO_FOUND_MEMORY);
    assert_int_equal(warnings, 1);
    oro_cache_destroy(cache);
}

TEST_WITH(a_folder_that_turns_bad_is_one_warning, open_folder, close_folder)
{
    char path[128];
    struct oro_cache *cache = cache_with(folder, 10 * BYTES, BYTES);
    snprintf(path, sizeof path, "%s/v1", folder);
    touch(path, 0); /* a file where a folder should be: works for root too, whom no permission stops */
    for (int i = 0; i < 5; i++)
        put(cache, i, (float)i);
    assert_int_equal(warnings, 1);
    assert_non_null(strstr(last_warning, "no longer kept on disk"));
    assert_int_equal(get(cache, 4, 4), ORO_FOUND_MEMORY);
    oro_cache_destroy(cache);
}

static void make_strange(int kind, const char *path)
{
    char inner[300];
    snprintf(inner, sizeof inner, "%s/inner", path);
    switch (kind) {
    case 0:
        assert_int_equal(mkfifo(path, 0666), 0);
        break;
    case 1:
        assert_int_equal(mkdir(path, 0777), 0);
        break;
    case 2:
        assert_int_equal(symlink("/dev/zero", path), 0);
        break;
    default:
        assert_int_equal(mkdir(path, 0777), 0);
        assert_int_equal(mkdir(inner, 0777), 0); /* it belongs to someone, and stays */
    }
}

/* What is no file in the place of an entry is no reason to keep nothing any more, and nobody waits for it. */
TEST_WITH(strange_entries_are_no_entries, open_folder, close_folder)
{
    enum { KINDS = 4 };
    char path[256], shelf[256];
    struct oro_cache *cache = cache_with(folder, 0, 0);
    for (int i = 1; i <= KINDS; i++) {
        path_of(i, "", path);
        snprintf(shelf, sizeof shelf, "%.*s", (int)(strrchr(path, '/') - path), path);
        assert_true(oro_make_folders(shelf, NULL));
        make_strange(i - 1, path);
        path_of(i, ".30", path);
        make_strange(i - 1, path);
        assert_int_equal(get(cache, i, (float)i), ORO_FOUND_NOT);
        assert_int_equal(best_of(cache, i, 100), 0);
        put(cache, i, (float)i);
        assert_int_equal(get(cache, i, (float)i), i < KINDS ? ORO_FOUND_DISK : ORO_FOUND_NOT);
    }
    path_of(KINDS + 1, "", path);
    snprintf(shelf, sizeof shelf, "%.*s", (int)(strrchr(path, '/') - path), path);
    assert_int_equal(mkfifo(shelf, 0666), 0);
    put(cache, KINDS + 1, 5);
    assert_int_equal(get(cache, KINDS + 1, 5), ORO_FOUND_DISK);
    assert_int_equal(warnings, 0);
    oro_cache_destroy(cache);
}

TEST_WITH(a_full_disk_is_one_warning, open_folder, close_folder)
{
    struct rlimit before, small = {100, 100};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    struct oro_cache *cache = cache_with(folder, 10 * BYTES, BYTES);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    for (int i = 0; i < 5; i++)
        put(cache, i, (float)i);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(warnings, 1);
    assert_int_equal(get(cache, 4, 4), ORO_FOUND_MEMORY);
    struct oro_cache_stats stats;
    assert_true(oro_cache_disk_stats(folder, &stats, NULL));
    assert_int_equal(stats.files, 0);
    oro_cache_destroy(cache);
}

TEST_WITH(a_folder_that_was_cleared_is_made_again, open_folder, close_folder)
{
    char path[128];
    struct oro_cache *cache = cache_with(folder, 0, 0);
    put(cache, 1, 1);
    snprintf(path, sizeof path, "%s/v1", folder);
    assert_int_equal(remove_tree(path), 0);
    put(cache, 2, 2);
    assert_int_equal(get(cache, 1, 1), ORO_FOUND_NOT);
    assert_int_equal(get(cache, 2, 2), ORO_FOUND_DISK);
    assert_int_equal(warnings, 0);
    oro_cache_destroy(cache);
}

/* ---- Two processes ---- */

/* Writes, reads and trims in turn; every result found must be right. */
static void work(unsigned int random)
{
    struct oro_cache_options options = {
        .folder = folder, .disk_bytes = 20000, .disk_seconds = -1, .log = &log_};
    struct oro_cache *cache = oro_cache_create(&options);
    for (int i = 0; i < 400; i++) {
        random = random * 1103515245u + 12345u;
        int number = (int)(random >> 16) % 40;
        if (get(cache, number, (float)number) == ORO_FOUND_NOT)
            put(cache, number, (float)number);
        put_state(cache, 1000, 1 + number, (float)(1 + number));
        best_of(cache, 1000, 20);
        struct oro_cache_stats removed;
        if (i % 100 == 99)
            oro_cache_disk_clear(folder, &removed, NULL);
    }
    oro_cache_destroy(cache);
}

TEST_WITH(processes_share_a_folder, open_folder, close_folder)
{
    pid_t children[2];
    for (int i = 0; i < 2; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            work(1234u * (unsigned int)(i + 1));
            _exit(warnings || device.used_bytes ? 1 : 0);
        }
        assert_true(children[i] > 0);
    }
    for (int i = 0; i < 2; i++) {
        int status = -1;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
}

TEST_WITH(memory_may_be_out_at_any_point, open_folder, close_folder)
{
    for (size_t n = 1; n < 60; n++) {
        struct oro_result result = result_of(1), found = {0};
        oro_memory_fail_at(n);
        struct oro_cache_options options = {
            .folder = folder, .host_bytes = BYTES, .disk_seconds = -1, .log = &log_};
        struct oro_cache *cache = oro_cache_create(&options);
        if (cache) {
            oro_cache_put(cache, key_of(1), &result, 1);
            oro_cache_put_state(cache, key_of(2), 5, &result, 1);
            oro_cache_get(cache, key_of(1), &device, &found);
            oro_result_release(&found);
            oro_cache_get_state(cache, key_of(2), 9, &device, &found);
            oro_result_release(&found);
            oro_cache_settle(cache);
        }
        oro_memory_fail_at(0);
        oro_cache_destroy(cache);
        oro_result_release(&result);
    }
}
