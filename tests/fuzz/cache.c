/* The cache's folder: the bytes make a result with its tiles, which is written as an entry; then they change
 * some of its bytes, and mostly put its checksum right again. What was not changed is found as it was; what
 * was, is found sound or not at all. The same for notes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "base/file.h"
#include "base/memory.h"
#include "devices/devices.h"
#include "graph/cache/cache_private.h"
#include "graph/cache/notes.h"
#include "graph/type/registry.h"
#include "terrain/network/network.h"
#include "terrain/uplift/uplift.h"
#include "tests/fuzz/fuzz.h"

enum { VALUES = 3, SIDE = 9, PLAIN = 256, CHECKSUM_AT = 24, CHECKED_FROM = 40 /* cache_entry.c */ };

static struct oro_device *device;
static struct oro_disk_cache *disk;
static const struct oro_hash key = {0x1234, 0x5678};

/* ---- Making an entry ---- */

static struct oro_value *make_raster(struct fuzz_bytes *bytes, enum oro_type type)
{
    struct oro_grid grid = {1 + (int)fuzz_below(bytes, SIDE), 1 + (int)fuzz_below(bytes, SIDE),
                            fuzz_number(bytes), fuzz_number(bytes), fuzz_number(bytes)};
    size_t count = (size_t)grid.width * (size_t)grid.height * (size_t)oro_type_channels(type);
    float *cells = oro_alloc(count, sizeof *cells);
    fuzz_require(cells);
    for (size_t i = 0; i < count; i++)
        cells[i] = (float)fuzz_below(bytes, 256) / 7.0F;
    return oro_value_create(device, type, &grid, NULL, cells, NULL);
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

static bool make_result(struct fuzz_bytes *bytes, struct oro_result *result)
{
    static const enum oro_type types[] = {ORO_FIELD, ORO_VECTOR, ORO_IMAGE, ORO_NETWORK, ORO_UPLIFT};
    bool sound = true;
    int count = (int)fuzz_below(bytes, VALUES + 1);
    for (int i = 0; i < count; i++) {
        enum oro_type type = types[fuzz_below(bytes, sizeof types / sizeof types[0])];
        struct oro_value *value = oro_is_raster(type) ? make_raster(bytes, type) : make_plain(bytes, type);
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
    float cells[SIDE * SIDE * 4];
    char packed[sizeof cells + 1024];
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
        *raster = (struct oro_entry_raster){value->type,
                                            value->grid,
                                            1 + (int)fuzz_below(bytes, SIDE),
                                            1 + (int)fuzz_below(bytes, SIDE),
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

static bool get(int iterations, struct oro_result *result)
{
    struct oro_cache_options options = {
        .folder = fuzz_folder(), .host_bytes = 1 << 20, .device_bytes = 1 << 20};
    struct oro_cache *cache = oro_cache_create(&options);
    fuzz_require(cache);
    bool found = iterations ? oro_cache_get_state(cache, key, iterations, device, result) == iterations
                            : oro_cache_get(cache, key, device, result) == ORO_FOUND_DISK;
    oro_cache_destroy(cache);
    return found;
}

static void write_entry(int iterations, const unsigned char *entry, size_t size)
{
    char hex[ORO_HASH_TEXT], name[ORO_CACHE_NAME];
    char *shelf = oro_cache_subfolder(fuzz_folder(), key);
    snprintf(name, sizeof name, iterations ? "%s.%d" : "%s", oro_hash_text(key, hex), iterations);
    char *path = oro_cache_join(shelf, name);
    fuzz_require(oro_make_folders(shelf, NULL));
    fuzz_write(path, entry, size);
    oro_free(shelf);
    oro_free(path);
}

static void try_entry(struct fuzz_bytes *bytes)
{
    struct oro_result made = {0}, read = {0};
    struct oro_entry_tiles tiles = {0};
    unsigned char *entry = NULL;
    size_t size = 0;
    int iterations = fuzz_chance(bytes, 3) ? 7 : 0;
    bool sound = make_result(bytes, &made);
    make_tiles(bytes, &made, iterations, &tiles);
    fuzz_require(oro_entry_encode(&made, &tiles, key, iterations, &entry, &size, NULL));
    bool changed = damage(bytes, entry, &size);
    write_entry(iterations, entry, size);
    bool found = get(iterations, &read);
    fuzz_require(changed || found == sound);
    if (found && !changed)
        expect_same(&made, &read);
    if (found)
        expect_sound(&read);
    oro_disk_remove(disk, key, iterations);
    oro_result_release(&made);
    oro_result_release(&read);
    oro_free(tiles.files);
    oro_free(entry);
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
        disk = oro_disk_create(fuzz_folder(), (uint64_t)1 << 30, NULL);
        fuzz_require(device && disk);
    }
    if (fuzz_chance(&bytes, 16))
        try_note(&bytes);
    else
        try_entry(&bytes);
    fuzz_require(device->used_bytes == 0);
    return 0;
}
