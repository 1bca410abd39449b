/* Rasters in tiles in the cache's folder: written by some ranks, read by others, with other tiles, or whole;
 * and what is damaged, missing or unfinished is never used. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "graph/cache/cache.h"
#include "tests/spread/memory_ranks.h"
#include "tests/spread/support.h"
#include "tests/support/folder.h"

static const struct oro_grid grid = {.width = 201, .height = 157, .cell = 10, .x = 3, .y = -7};
static const struct oro_grid small = {.width = 20, .height = 16, .cell = 100}; /* is whole everywhere */
enum { CELLS = 201 * 157, FIELD_BYTES = CELLS * 4, VECTOR_BYTES = CELLS * 8, RANKS_MAX = 4 };

/* Of all ranks: each has its folder, and they may be the same one. */
static char folders[RANKS_MAX][80];
static char notes[2048];

static void take_note(void *user, enum oro_level level, const char *text)
{
    (void)user;
    if (level != ORO_DEBUG &&
        strlen(notes) + strlen(text) + 2 < sizeof notes) /* rank 0 alone says something */
        snprintf(notes + strlen(notes), sizeof notes - strlen(notes), "%.500s\n", text);
}
static const struct oro_log log_ = {take_note, NULL};

FIXTURE(open_folders)
{
    notes[0] = '\0';
    snprintf(folders[0], sizeof folders[0], P_tmpdir "/orograph-tiles-XXXXXX");
    if (!mkdtemp(folders[0]))
        return -1;
    for (int i = 1; i < RANKS_MAX; i++)
        memcpy(folders[i], folders[0], sizeof folders[0]);
    return 0;
}

FIXTURE(close_folders)
{
    return remove_tree(folders[0]);
}

#define FOLDER_TEST(name) TEST_WITH(name, open_folders, close_folders)

/* One evaluation: some ranks, with tiles of some size, and a cache of their own. */
struct session {
    int ranks, tile; /* tile 0: no tiles, and no ranks */
    uint64_t disk_bytes;
    bool passing;
    int put[3]; /* states that are stored, by iterations; 0: the end */
    int limit;  /* of the iterations that are looked for; 0: nothing is */
    int found[RANKS_MAX];
    enum oro_passing kept[RANKS_MAX]; /* of the last one that was put */
    struct oro_hash field[RANKS_MAX], vector[RANKS_MAX], small[RANKS_MAX];
    struct oro_error errs[RANKS_MAX];
};

static struct oro_hash key_of_state(void)
{
    return oro_hash_of("state", 5);
}

static struct oro_value *new_field_value(struct oro_device *device, const struct oro_grid *over, int seed,
                                         struct oro_error *err)
{
    struct oro_buffer *buffer = new_field(device, over, err);
    struct job job = {.text = kernel_noise,
                      .grid = *over,
                      .reach = ORO_REACH_CELL,
                      .numbers = {(float)seed},
                      .bound = {{"to", buffer, 'w'}}};
    bool ok = buffer && run_job(device, &job, err);
    return ok ? oro_value_create(device, ORO_FIELD, over, buffer, NULL, err) : NULL;
}

static struct oro_value *new_vector_value(struct oro_device *device, int seed, struct oro_error *err)
{
    float *data = malloc(VECTOR_BYTES);
    struct oro_buffer *buffer = oro_device_raster(device, &grid, 2, err);
    for (int i = 0; i < 2 * CELLS; i++)
        data[i] = (float)((i * 31 + seed) % 1009);
    bool ok = buffer && device->ops->upload(device, buffer, data, VECTOR_BYTES, err);
    free(data);
    return ok ? oro_value_create(device, ORO_VECTOR, &grid, buffer, NULL, err) : NULL;
}

static struct oro_result state_of(struct oro_device *device, int iterations, struct oro_error *err)
{
    struct oro_result state = {.value_count = 3, .figure_count = 1, .figures = {{"depth", "m", 5}}};
    state.values[0] = new_field_value(device, &grid, iterations, err);
    state.values[1] = new_field_value(device, &small, iterations, err);
    state.values[2] = new_vector_value(device, iterations, err);
    return state;
}

static void digest(const struct oro_result *state, struct session *session, int rank)
{
    struct oro_hash *to[] = {&session->field[rank], &session->small[rank], &session->vector[rank]};
    for (int i = 0; i < state->value_count && i < 3; i++) {
        const void *data = oro_value_host(state->values[i], NULL);
        if (data)
            *to[i] = oro_hash_of(data, oro_value_bytes(state->values[i]));
    }
}

static enum oro_passing put_state(struct oro_cache *cache, const struct session *session, int iterations,
                                  const struct oro_result *state)
{
    if (session->passing)
        return oro_cache_put_passing(cache, key_of_state(), iterations, state);
    return oro_cache_put_state(cache, key_of_state(), iterations, state, 1) ? ORO_PASSING_KEPT
                                                                            : ORO_PASSING_NOT;
}

static void use_cache(struct session *session, struct oro_cache *cache, struct oro_device *device, int rank)
{
    struct oro_error *err = &session->errs[rank];
    for (int i = 0; i < 3 && session->put[i]; i++) {
        struct oro_result state = state_of(device, session->put[i], err);
        if (state.values[0] && state.values[1] && state.values[2])
            session->kept[rank] = put_state(cache, session, session->put[i], &state);
        oro_result_release(&state);
    }
    if (session->limit) {
        struct oro_result state = {0};
        session->found[rank] = oro_cache_get_state(cache, key_of_state(), session->limit, device, &state);
        if (session->found[rank])
            digest(&state, session, rank);
        oro_result_release(&state);
    }
}

static void run_session(void *user, struct oro_ranks *ranks)
{
    struct session *session = user;
    int rank = ranks ? ranks->rank : 0;
    struct oro_spread_options tiles = {.whole = 500, .tile = session->tile, .depth = 8, .ranks = ranks};
    struct oro_cache_options options = {.folder = folders[rank],
                                        .disk_bytes = session->disk_bytes,
                                        .device_bytes = (size_t)64 << 20,
                                        .host_bytes = (size_t)64 << 20,
                                        .disk_seconds = -1,
                                        .log = rank == 0 ? &log_ : NULL,
                                        .ranks = ranks};
    struct oro_device *device = open_inner(&session->errs[rank]);
    if (device && session->tile)
        device = oro_spread_create(device, &tiles, &session->errs[rank]);
    struct oro_cache *cache = device ? oro_cache_create(&options) : NULL;
    if (cache)
        use_cache(session, cache, device, rank);
    oro_cache_destroy(cache);
    if (device)
        device->ops->destroy(device);
}

static struct session run(struct session session)
{
    if (session.ranks)
        with_ranks(session.ranks, run_session, &session);
    else
        run_session(&session, NULL);
    for (int i = 0; i < RANKS_MAX; i++)
        if (session.errs[i].code)
            fail_msg("rank %d: %s", i, session.errs[i].text);
    return session;
}

/* All ranks of a session have found the state after so many iterations, with all its bits; 0: none. */
static void assert_found(const struct session *session, int iterations)
{
    struct session whole = {.errs = {{0}}};
    struct oro_error err = {0};
    if (iterations) {
        struct oro_device *device = open_inner(&err);
        struct oro_result state = state_of(device, iterations, &err);
        digest(&state, &whole, 0);
        oro_result_release(&state);
        device->ops->destroy(device);
    }
    for (int i = 0; i < (session->ranks ? session->ranks : 1); i++) {
        assert_int_equal(session->found[i], iterations);
        assert_true(oro_hash_equal(session->field[i], whole.field[0]));
        assert_true(oro_hash_equal(session->vector[i], whole.vector[0]));
        assert_true(oro_hash_equal(session->small[i], whole.small[0]));
    }
}

/* The path of a tile of the state, or with tile < 0 of its manifest. */
static const char *path_of(int iterations, int tile)
{
    static char path[200];
    char hex[ORO_HASH_TEXT];
    oro_hash_text(key_of_state(), hex);
    int length = snprintf(path, sizeof path, "%s/v1/%.2s/%s.%d", folders[0], hex, hex, iterations);
    if (tile >= 0)
        snprintf(path + length, sizeof path - (size_t)length, ".t%03d", tile);
    return path;
}

static bool is_there(int iterations, int tile)
{
    return access(path_of(iterations, tile), F_OK) == 0;
}

FOLDER_TEST(others_find_what_some_ranks_have_stored)
{
    /* By other ranks, with other tiles, by one process, and whole. */
    static const struct session readers[] = {{.ranks = 3, .tile = 32},
                                             {.ranks = 4, .tile = 64},
                                             {.ranks = 2, .tile = 128},
                                             {.ranks = 1, .tile = 96},
                                             {.tile = 64},
                                             {.tile = 0}};
    run((struct session){.ranks = 3, .tile = 32, .put = {256, 512}});
    assert_true(is_there(512, -1));
    assert_true(is_there(512, 0) && is_there(512, 2 * 7 * 5 - 1) && !is_there(512, 2 * 7 * 5));
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        struct session reader = readers[i];
        reader.limit = i % 2 ? 511 : 1000;
        reader = run(reader);
        assert_found(&reader, i % 2 ? 256 : 512);
    }
    assert_string_equal(notes, "");
}

FOLDER_TEST(ranks_find_what_one_process_has_stored)
{
    run((struct session){.tile = 96, .put = {256}});
    struct session reader = run((struct session){.ranks = 4, .tile = 32, .limit = 256});
    assert_found(&reader, 256);
}

static void damage(const char *path, int how)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    if (how == 0) {
        assert_int_equal(truncate(path, info.st_size / 2), 0);
    } else if (how == 1) {
        assert_int_equal(unlink(path), 0);
    } else {
        FILE *file = fopen(path, "r+b");
        assert_non_null(file);
        assert_int_equal(fseek(file, info.st_size / 2, SEEK_SET), 0);
        int byte = fgetc(file);
        fseek(file, -1, SEEK_CUR);
        fputc(byte ^ 1, file);
        fclose(file);
    }
}

FOLDER_TEST(a_damaged_tile_makes_an_older_state_the_last)
{
    for (int how = 0; how < 3; how++) {
        notes[0] = '\0';
        run((struct session){.ranks = 3, .tile = 64, .put = {256, 512}});
        damage(path_of(512, 20), how);
        struct session reader = run((struct session){.ranks = 2, .tile = 64, .limit = 1000});
        assert_found(&reader, 256);
        if (!strstr(notes, path_of(512, 20)))
            fail_msg("not said: '%s'", notes);
        assert_false(is_there(512, -1) || is_there(512, 0) || is_there(512, 20));
    }
}

FOLDER_TEST(a_damaged_manifest_is_not_believed)
{
    run((struct session){.ranks = 2, .tile = 64, .put = {256}});
    damage(path_of(256, -1), 2);
    struct session reader = run((struct session){.ranks = 2, .tile = 64, .limit = 1000});
    assert_found(&reader, 0);
    assert_false(is_there(256, -1) || is_there(256, 0));
}

static struct oro_cache_stats stats(void)
{
    struct oro_cache_stats found;
    assert_true(oro_cache_disk_stats(folders[0], &found, NULL));
    return found;
}

FOLDER_TEST(tiles_without_a_manifest_are_nothing)
{
    struct oro_cache_stats removed;
    run((struct session){.ranks = 3, .tile = 64, .put = {256, 512}});
    assert_int_equal(unlink(path_of(512, -1)), 0);
    struct session reader = run((struct session){.ranks = 3, .tile = 64, .limit = 1000});
    assert_found(&reader, 256);
    assert_int_equal(stats().files, 1); /* the others may be being written */
    assert_true(oro_cache_disk_clear(folders[0], &removed, NULL));
    assert_true(is_there(512, 0) && !is_there(256, -1));
    struct timespec long_ago[] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
    for (int i = 0; is_there(512, i); i++)
        assert_int_equal(utimensat(AT_FDCWD, path_of(512, i), long_ago, 0), 0);
    assert_int_equal(stats().files, 1);
    assert_true(oro_cache_disk_clear(folders[0], &removed, NULL));
    assert_int_equal(removed.files, 1);
    assert_false(is_there(512, 0));
}

FOLDER_TEST(an_entry_counts_with_its_tiles_as_one)
{
    struct oro_cache_stats removed;
    run((struct session){.ranks = 2, .tile = 64, .put = {256, 512}});
    struct oro_cache_stats all = stats();
    assert_int_equal(all.files, 2);
    assert_true(all.bytes > FIELD_BYTES);
    struct timespec long_ago[] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
    assert_int_equal(utimensat(AT_FDCWD, path_of(512, -1), long_ago, 0), 0);
    assert_true(oro_cache_disk_trim(folders[0], all.bytes - 1, &removed, NULL));
    assert_int_equal(removed.files, 1);
    assert_true(removed.bytes > all.bytes / 3);
    assert_false(is_there(512, -1) || is_there(512, 0) || is_there(512, 5));
    struct session reader = run((struct session){.ranks = 2, .tile = 64, .limit = 1000});
    assert_found(&reader, 256);
}

FOLDER_TEST(what_is_too_large_leaves_nothing)
{
    for (int ranks = 0; ranks <= 3; ranks += 3) {
        notes[0] = '\0';
        run((struct session){.ranks = ranks, .tile = 64, .put = {256}, .disk_bytes = 200000});
        assert_non_null(strstr(notes, "the state of a simulation is not kept on disk: it would take more"));
        assert_false(is_there(256, -1) || is_there(256, 0) || is_there(256, 11));
    }
}

/* A state that goes when a newer one is there may take all that the cache may hold; others give way. */
FOLDER_TEST(a_passing_state_may_take_the_whole_cache)
{
    struct session one = run((struct session){.ranks = 2, .tile = 64, .passing = true, .put = {60}});
    struct oro_cache_stats all = stats();
    assert_int_equal(one.kept[0], ORO_PASSING_KEPT);
    assert_int_equal(one.kept[1], ORO_PASSING_KEPT);
    for (int ranks = 0; ranks <= 3; ranks += 3) {
        struct session large = {.ranks = ranks, .tile = 64, .passing = true, .put = {61, 62}};
        large.disk_bytes = all.bytes / 4 * 5;
        notes[0] = '\0';
        large = run(large);
        for (int i = 0; i < (ranks ? ranks : 1); i++)
            assert_int_equal(large.kept[i], ORO_PASSING_LARGE);
        const char *said = strstr(notes, "other results give way to it");
        assert_non_null(said);
        assert_null(strstr(said + 1, "other results"));
        assert_int_equal(stats().files, 1);
        struct session reader = run((struct session){.ranks = 2, .tile = 64, .limit = 1000});
        assert_found(&reader, 62);
    }
    struct session larger = {.ranks = 2, .tile = 64, .passing = true, .put = {63}};
    larger.disk_bytes = all.bytes / 2;
    notes[0] = '\0';
    larger = run(larger);
    assert_int_equal(larger.kept[0], ORO_PASSING_NOT);
    assert_int_equal(larger.kept[1], ORO_PASSING_NOT);
    assert_non_null(strstr(notes, "it would take more than the cache may hold"));
    assert_false(is_there(63, -1) || is_there(63, 0));
}

FOLDER_TEST(a_folder_that_cannot_be_written)
{
    char path[96];
    snprintf(path, sizeof path, "%s/v1", folders[0]);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    run((struct session){.ranks = 2, .tile = 64, .put = {256, 512}});
    const char *said = strstr(notes, "results are no longer kept on disk: cannot make the folder");
    assert_non_null(said);
    assert_null(strstr(said + 1, "results are no longer"));
}

/* Rank 0 alone then uses its folder. */
FOLDER_TEST(a_folder_that_is_not_shared)
{
    for (int i = 1; i < RANKS_MAX; i++) {
        const char end[] = {'/', (char)('0' + i), '\0'};
        memcpy(folders[i] + strlen(folders[0]), end, sizeof end);
    }
    run((struct session){.ranks = 3, .tile = 64, .put = {256, 512}});
    const char *said = strstr(notes, "do not have the cache's folder in common");
    assert_non_null(said);
    assert_null(strstr(said + 1, "do not have"));
    assert_true(is_there(512, -1) && is_there(512, 0) && is_there(512, 2 * 4 * 3 - 1));
    for (int i = 1; i < RANKS_MAX; i++)
        assert_int_not_equal(access(folders[i], F_OK), 0);
    struct session reader = run((struct session){.ranks = 2, .tile = 32, .limit = 1000});
    assert_found(&reader, 512);
    damage(path_of(512, 20), 0);
    reader = run((struct session){.ranks = 3, .tile = 64, .limit = 1000});
    assert_found(&reader, 256);
}
