/* The cache's folder: the bytes make a result with its tiles, which is written as an entry; then they change
 * some of its bytes, and mostly put its checksum right again, or damage one of its tiles. What was not
 * changed is found as it was, on a device with tiles, too; what was, is found sound or not at all. What a
 * device with tiles has stored is found; the folder is listed and trimmed whatever lies in it. The same for
 * notes. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zstd.h>

#include "base/file.h"
#include "base/memory.h"
#include "devices/devices.h"
#include "devices/spread/spread.h"
#include "graph/cache/cache_private.h"
#include "graph/cache/notes.h"
#include "graph/type/registry.h"
#include "terrain/network/network.h"
#include "terrain/uplift/uplift.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/folder.h"

enum {
    VALUES = 3,
    SIDE = 9,
    LARGER = 9,
    SIDE_MAX = SIDE * LARGER,
    PLAIN = 256,
    CHECKSUM_AT = 24,
    CHECKED_FROM = 40 /* cache_entry.c */
};

static struct oro_device *device, *tiled;
static struct oro_disk_cache *disk;
static const struct oro_hash key = {0x1234, 0x5678};

/* ---- Making an entry ---- */

static void ignore(void *user, enum oro_level level, const char *text)
{
    (void)user, (void)level, (void)text;
}
static const struct oro_log log_ = {ignore, NULL};

/* Some are larger than a tile of the device that has tiles. */
static struct oro_grid make_grid(struct fuzz_bytes *bytes)
{
    int larger = fuzz_chance(bytes, 4) ? LARGER : 1;
    return (struct oro_grid){(1 + (int)fuzz_below(bytes, SIDE)) * larger,
                             (1 + (int)fuzz_below(bytes, SIDE)) * larger, fuzz_number(bytes),
                             fuzz_number(bytes), fuzz_number(bytes)};
}

/* A raster on the host, or of the device that has tiles. */
static struct oro_value *make_raster(struct fuzz_bytes *bytes, struct oro_device *on, enum oro_type type)
{
    struct oro_grid grid = make_grid(bytes);
    int channels = oro_type_channels(type);
    size_t count = (size_t)grid.width * (size_t)grid.height * (size_t)channels;
    unsigned first = fuzz_below(bytes, 256), step = fuzz_below(bytes, 256);
    float *cells = oro_alloc(count, sizeof *cells);
    fuzz_require(cells);
    for (size_t i = 0; i < count; i++)
        cells[i] = (float)((first + i * step) % 256) / 7.0F;
    if (on == device)
        return oro_value_create(device, type, &grid, NULL, cells, NULL);
    struct oro_buffer *buffer = oro_device_raster(on, &grid, channels, NULL);
    fuzz_require(buffer && on->ops->upload(on, buffer, cells, count * sizeof *cells, NULL));
    oro_free(cells);
    return oro_value_create(on, type, &grid, buffer, NULL, NULL);
}

/* An uplift or a network of any bytes, which are mostly refused when they are read. */
static struct oro_value *make_plain(struct fuzz_bytes *bytes, enum oro_type type)
{
    char text[PLAIN];
    struct oro_network *network =
        type == ORO_NETWORK ? oro_network_parse(fuzz_text(bytes, text, sizeof text), NULL) : NULL;
    if (network)
        return oro_value_create_plain(type, network, oro_network_bytes(network), NULL);
    size_t size = 1 + fuzz_below(bytes, PLAIN);
    unsigned char *data = oro_alloc(1, size);
    fuzz_require(data);
    for (size_t i = 0; i < size; i++)
        data[i] = (unsigned char)fuzz_below(bytes, 256);
    return oro_value_create_plain(type, data, size, NULL);
}

static bool is_sound(const struct oro_value *value)
{
    const void *data = oro_value_host((struct oro_value *)value, NULL);
    if (value->type == ORO_UPLIFT)
        return oro_uplift_of(data, value->bytes, NULL);
    return value->type != ORO_NETWORK || oro_network_of(data, value->bytes, NULL);
}

static bool make_result(struct fuzz_bytes *bytes, struct oro_device *on, struct oro_result *result)
{
    static const enum oro_type types[] = {ORO_FIELD, ORO_VECTOR, ORO_IMAGE, ORO_NETWORK, ORO_UPLIFT};
    bool sound = true;
    int count = (int)fuzz_below(bytes, VALUES + 1);
    for (int i = 0; i < count; i++) {
        enum oro_type type = types[fuzz_below(bytes, sizeof types / sizeof types[0])];
        struct oro_value *value =
            oro_is_raster(type) ? make_raster(bytes, on, type) : make_plain(bytes, type);
        fuzz_require(value);
        sound = sound && is_sound(value);
        result->values[result->value_count++] = value;
    }
    result->figure_count = (int)fuzz_below(bytes, 3);
    for (int i = 0; i < result->figure_count; i++)
        snprintf(result->figures[i].name, sizeof result->figures[i].name, "figure %d", i);
    return sound;
}

static struct oro_tile_file write_tile(const struct oro_value *value, const struct oro_window *window,
                                       size_t number, int iterations)
{
    static float cells[SIDE_MAX * SIDE_MAX * 4];
    static char packed[sizeof cells + 4096];
    size_t row = (size_t)window->width * (size_t)value->channels;
    const float *from = oro_value_host((struct oro_value *)value, NULL);
    for (int y = 0; y < window->height; y++)
        memcpy(cells + (size_t)y * row,
               from + ((size_t)(window->y + y) * (size_t)value->grid.width + (size_t)window->x) *
                          (size_t)value->channels,
               row * sizeof *cells);
    size_t size =
        ZSTD_compress(packed, sizeof packed, cells, (size_t)window->height * row * sizeof *cells, 1);
    fuzz_require(!ZSTD_isError(size));
    fuzz_require(oro_disk_write_tile(disk, key, iterations, number, packed, size, NULL));
    return (struct oro_tile_file){size, oro_hash_of(packed, size)};
}

/* Writes some of the rasters by tiles. */
static void make_tiles(struct fuzz_bytes *bytes, const struct oro_result *result, int iterations,
                       struct oro_entry_tiles *tiles)
{
    tiles->files = oro_alloc((size_t)VALUES * SIDE * SIDE, sizeof *tiles->files);
    fuzz_require(tiles->files);
    for (int i = 0; i < result->value_count; i++) {
        const struct oro_value *value = result->values[i];
        struct oro_entry_raster *raster = &tiles->values[i];
        if (!oro_is_raster(value->type) || !fuzz_chance(bytes, 2))
            continue;
        int larger = value->grid.width > SIDE || value->grid.height > SIDE ? LARGER : 1;
        *raster = (struct oro_entry_raster){value->type,
                                            value->grid,
                                            (1 + (int)fuzz_below(bytes, SIDE)) * larger,
                                            (1 + (int)fuzz_below(bytes, SIDE)) * larger,
                                            tiles->count,
                                            0};
        raster->count = oro_entry_tile_count(raster);
        for (size_t tile = 0; tile < raster->count; tile++, tiles->count++) {
            struct oro_window window = oro_entry_tile_window(raster, tile);
            tiles->files[tiles->count] = write_tile(value, &window, tiles->count, iterations);
        }
    }
}

/* ---- Damaging it ---- */

static bool damage(struct fuzz_bytes *bytes, unsigned char *entry, size_t *size)
{
    unsigned changes = fuzz_below(bytes, 8);
    bool sealed = !fuzz_chance(bytes, 8);
    if (changes == 7) { /* cut short */
        *size = fuzz_below(bytes, (unsigned)*size);
        changes = 1;
    } else {
        for (unsigned i = 0; i < changes; i++)
            entry[fuzz_below(bytes, (unsigned)*size)] = (unsigned char)fuzz_below(bytes, 256);
    }
    if (changes > 0 && sealed && *size >= CHECKED_FROM) {
        struct oro_hash checksum = oro_hash_of(entry + CHECKED_FROM, *size - CHECKED_FROM);
        memcpy(entry + CHECKSUM_AT, &checksum, sizeof checksum);
    }
    return changes > 0;
}

static void expect_same(const struct oro_result *a, const struct oro_result *b)
{
    fuzz_require(a->value_count == b->value_count && a->figure_count == b->figure_count);
    for (int i = 0; i < a->value_count; i++) {
        const void *first = oro_value_host(a->values[i], NULL), *second = oro_value_host(b->values[i], NULL);
        fuzz_require(a->values[i]->type == b->values[i]->type && a->values[i]->bytes == b->values[i]->bytes);
        fuzz_require(first && second && memcmp(first, second, a->values[i]->bytes) == 0);
    }
}

static void expect_sound(const struct oro_result *result)
{
    for (int i = 0; i < result->value_count; i++) {
        const struct oro_value *value = result->values[i];
        fuzz_require(value && oro_value_host((struct oro_value *)value, NULL));
        size_t cells = (size_t)value->grid.width * (size_t)value->grid.height * (size_t)value->channels;
        fuzz_require(oro_is_raster(value->type) ? value->bytes == cells * sizeof(float) : is_sound(value));
    }
}

/* ---- Reading it ---- */

static struct oro_cache *open_cache(uint64_t disk_bytes)
{
    struct oro_cache_options options = {.folder = fuzz_folder(),
                                        .disk_bytes = disk_bytes,
                                        .host_bytes = 1 << 20,
                                        .device_bytes = 1 << 20,
                                        .disk_seconds = -1,
                                        .log = &log_};
    struct oro_cache *cache = oro_cache_create(&options);
    fuzz_require(cache);
    return cache;
}

static bool get(int iterations, struct oro_device *on, struct oro_result *result)
{
    struct oro_cache *cache = open_cache(0);
    bool found = iterations ? oro_cache_get_state(cache, key, iterations, on, result) == iterations
                            : oro_cache_get(cache, key, on, result) == ORO_FOUND_DISK;
    oro_cache_destroy(cache);
    return found;
}

/* The path of the entry, or that of a tile; the caller frees. */
static char *path_of(int iterations, int tile)
{
    char hex[ORO_HASH_TEXT], name[ORO_CACHE_NAME + 16];
    char *shelf = oro_cache_subfolder(fuzz_folder(), key);
    int length =
        snprintf(name, sizeof name, iterations ? "%s.%d" : "%s", oro_hash_text(key, hex), iterations);
    if (tile >= 0)
        snprintf(name + length, sizeof name - (size_t)length, ".t%03d", tile);
    char *path = oro_cache_join(shelf, name);
    fuzz_require(oro_make_folders(shelf, NULL));
    oro_free(shelf);
    return path;
}

static void write_entry(int iterations, const unsigned char *entry, size_t size)
{
    char *path = path_of(iterations, -1);
    fuzz_write(path, entry, size);
    oro_free(path);
}

/* Takes a tile away, cuts it, changes a byte of it or puts a folder there. */
static bool damage_tile(struct fuzz_bytes *bytes, int iterations, const struct oro_entry_tiles *tiles)
{
    void *packed = NULL;
    size_t size = 0;
    unsigned how = fuzz_below(bytes, 8);
    if (tiles->count == 0 || how == 0 || how > 4)
        return false;
    char *path = path_of(iterations, (int)fuzz_below(bytes, (unsigned)tiles->count));
    fuzz_require(oro_file_read(path, 1 << 20, &packed, &size, NULL) && unlink(path) == 0);
    if (how == 1)
        fuzz_require(mkdir(path, 0700) == 0);
    ((unsigned char *)packed)[fuzz_below(bytes, (unsigned)size)] ^= how == 2;
    if (how == 2 || how == 3)
        fuzz_write(path, packed, how == 2 ? size : size - 1);
    oro_free(packed);
    oro_free(path);
    return true;
}

static void clear_folder(void)
{
    char path[FUZZ_PATH];
    remove_tree(fuzz_path(path, "v1"));
}

static void try_entry(struct fuzz_bytes *bytes)
{
    struct oro_result made = {0}, read = {0};
    struct oro_entry_tiles tiles = {0};
    unsigned char *entry = NULL;
    size_t size = 0;
    int iterations = fuzz_chance(bytes, 3) ? 7 : 0;
    struct oro_device *on = fuzz_chance(bytes, 2) ? tiled : device;
    bool sound = make_result(bytes, device, &made);
    make_tiles(bytes, &made, iterations, &tiles);
    fuzz_require(oro_entry_encode(&made, &tiles, key, iterations, &entry, &size, NULL));
    bool lost = damage_tile(bytes, iterations, &tiles), changed = damage(bytes, entry, &size);
    write_entry(iterations, entry, size);
    bool found = get(iterations, on, &read);
    fuzz_require(changed || found == (sound && !lost));
    if (found && !changed)
        expect_same(&made, &read);
    if (found)
        expect_sound(&read);
    oro_result_release(&made);
    oro_result_release(&read);
    oro_free(tiles.files);
    oro_free(entry);
    clear_folder();
}

/* Stores what a device has in tiles. */
static void try_tiles(struct fuzz_bytes *bytes)
{
    struct oro_result made = {0}, read = {0};
    int iterations = fuzz_chance(bytes, 2) ? 7 : 0;
    unsigned how = fuzz_below(bytes, 3);
    bool sound = make_result(bytes, tiled, &made), little = fuzz_chance(bytes, 4);
    struct oro_cache *cache = open_cache(little ? 1 + fuzz_below(bytes, 4096) : 0);
    if (iterations == 0)
        oro_cache_put(cache, key, &made, 1);
    else if (how == 0)
        oro_cache_put_state(cache, key, iterations, &made, 1);
    else
        oro_cache_put_passing(cache, key, iterations, &made);
    oro_cache_destroy(cache);
    bool found = get(iterations, how == 2 ? tiled : device, &read);
    fuzz_require(found == sound || (little && !found));
    if (found)
        expect_same(&made, &read);
    oro_result_release(&made);
    oro_result_release(&read);
    clear_folder();
}

static bool is_folder(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Files of any names lie in the folder. */
static void try_folder(struct fuzz_bytes *bytes)
{
    static const char *const ends[] = {"",   ".7",   ".t000",  ".7.t001", ".t",    ".7.t1x",      ".07",
                                       ".x", ".1.2", ".claim", "0",       ".tmp1", ".12345678901"};
    static const struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    static const char zeros[256];
    struct oro_cache_stats stats, removed;
    struct oro_error err = {0};
    while (bytes->left > 0) {
        struct oro_hash any = {fuzz_below(bytes, 3), fuzz_below(bytes, 3)};
        char hex[ORO_HASH_TEXT], name[ORO_CACHE_NAME + 16];
        char *shelf = oro_cache_subfolder(fuzz_folder(), any);
        snprintf(name, sizeof name, "%s%s", oro_hash_text(any, hex),
                 ends[fuzz_below(bytes, sizeof ends / sizeof ends[0])]);
        char *path = oro_cache_join(shelf, name);
        fuzz_require(oro_make_folders(shelf, NULL));
        if (fuzz_chance(bytes, 16))
            mkdir(path, 0700);
        else if (!is_folder(path))
            fuzz_write(path, zeros, fuzz_below(bytes, sizeof zeros));
        if (fuzz_chance(bytes, 2))
            utimensat(AT_FDCWD, path, old, 0);
        oro_free(path);
        oro_free(shelf);
    }
    fuzz_require(oro_cache_disk_stats(fuzz_folder(), &stats, NULL));
    uint64_t most = stats.files % 2 ? stats.bytes : stats.bytes / 2;
    if (!oro_cache_disk_trim(fuzz_folder(), most, &removed, &err))
        fuzz_require_reason(&err);
    fuzz_require(removed.bytes <= stats.bytes && removed.files <= stats.files);
    fuzz_require(oro_cache_disk_clear(fuzz_folder(), &removed, NULL) &&
                 oro_cache_disk_stats(fuzz_folder(), &stats, NULL) && stats.files == 0);
    clear_folder();
}

static void try_note(struct fuzz_bytes *bytes)
{
    const struct oro_hash other = {9, 9};
    char note[ORO_NOTE_MAX] = "", back[ORO_NOTE_MAX] = "";
    size_t size = 1 + fuzz_below(bytes, ORO_NOTE_MAX);
    fuzz_text(bytes, note, sizeof note);
    oro_note_put(fuzz_folder(), other, note, size);
    fuzz_require(oro_note_get(fuzz_folder(), other, back, size) && memcmp(note, back, size) == 0);
    fuzz_require(size == ORO_NOTE_MAX || !oro_note_get(fuzz_folder(), other, back, size + 1));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    if (!device) {
        device = oro_processor_create(NULL, NULL);
        static const struct oro_spread_options options = {.whole = 16, .tile = 32, .depth = 8};
        static struct oro_device_ops apart;
        struct oro_device *inner = oro_processor_create(NULL, NULL);
        fuzz_require(inner);
        apart = *inner->ops;
        apart.memory = NULL; /* as a card's, which a device with tiles wants */
        inner->ops = &apart;
        tiled = oro_spread_create(inner, &options, NULL);
        disk = oro_disk_create(fuzz_folder(), (uint64_t)1 << 30, &log_);
        fuzz_require(device && tiled && disk);
    }
    switch (fuzz_below(&bytes, 16)) {
    case 15:
        try_note(&bytes);
        break;
    case 14:
        try_folder(&bytes);
        break;
    case 13:
    case 12:
    case 11:
        try_tiles(&bytes);
        break;
    default:
        try_entry(&bytes);
        break;
    }
    fuzz_require(device->used_bytes == 0 && tiled->used_bytes == 0);
    return 0;
}
