/* The form of a cache file:
 *   "OROCACHE", version (u32), values (u32), figures (u32), bytes said (u32), XXH3-128 of all that follows
 *   key (128 bits), iterations (u64): what the file is; under another name it is not believed
 *   per value: type, channels, width, height, tile width, tile height (u32), cell, x, y (f64), packed bytes
 *     (u64), zstd frame; of an uplift or a network: type and packed bytes, all else 0; of a raster in tiles,
 *     instead of the frame: struct oro_tile_file for each tile. Tile files are zstd frames.
 *   per figure: struct oro_figure; what was said of it (graph/type/said.h)
 * Numbers are in the byte order of the machine: a cache folder is not moved between machines, and a file from
 * another byte order fails its checks and is dropped. */
#include <stddef.h>
#include <string.h>

#include <zstd.h>

#include "base/memory.h"
#include "graph/cache/cache_private.h"
#include "terrain/network/network.h"
#include "terrain/uplift/uplift.h"

enum { FORMAT_VERSION = 4, LEVEL = 1 };
static const uint64_t plain_max = (uint64_t)1 << 32; /* bytes of an uplift or a network */

struct file_head {
    char magic[8];
    uint32_t version, values, figures, said;
    struct oro_hash checksum;
    /* The checksum covers everything from here on. */
    struct oro_hash key;
    uint64_t iterations;
};
enum { CHECKED_FROM = offsetof(struct file_head, key) };

struct value_head {
    uint32_t type, channels, width, height;
    uint32_t tile_width, tile_height; /* 0: the value is whole */
    double cell, x, y;
    uint64_t packed;
};

static const char magic[8] = {'O', 'R', 'O', 'C', 'A', 'C', 'H', 'E'};

/* ---- Tiles ---- */

static size_t tiles_along(int cells, int tile)
{
    return (size_t)(cells - 1) / (size_t)tile + 1;
}

size_t oro_entry_tile_count(const struct oro_entry_raster *raster)
{
    return tiles_along(raster->grid.width, raster->tile_width) *
           tiles_along(raster->grid.height, raster->tile_height);
}

struct oro_window oro_entry_tile_window(const struct oro_entry_raster *raster, size_t tile)
{
    const struct oro_grid *grid = &raster->grid;
    size_t columns = tiles_along(grid->width, raster->tile_width);
    int x = (int)(tile % columns) * raster->tile_width, y = (int)(tile / columns) * raster->tile_height;
    int width = grid->width - x, height = grid->height - y;
    return (struct oro_window){x, y, width < raster->tile_width ? width : raster->tile_width,
                               height < raster->tile_height ? height : raster->tile_height};
}

/* ---- Writing ---- */

static struct value_head head_of(const struct oro_value *value)
{
    return (struct value_head){.type = (uint32_t)value->type,
                               .channels = (uint32_t)value->channels,
                               .width = (uint32_t)value->grid.width,
                               .height = (uint32_t)value->grid.height,
                               .cell = value->grid.cell,
                               .x = value->grid.x,
                               .y = value->grid.y};
}

static bool encode_value(struct oro_value *value, unsigned char *to, size_t room, size_t *used,
                         struct oro_error *err)
{
    struct value_head head = head_of(value);
    const void *data = oro_value_host(value, err);
    if (!data)
        return false;
    size_t packed = ZSTD_compress(to + sizeof head, room - sizeof head, data, oro_value_bytes(value), LEVEL);
    if (ZSTD_isError(packed))
        return oro_fail(err, ORO_E_WRITE, "cannot pack a result: %s", ZSTD_getErrorName(packed));
    head.packed = packed;
    memcpy(to, &head, sizeof head);
    *used = sizeof head + packed;
    return true;
}

static size_t encode_tiles(const struct oro_value *value, const struct oro_entry_tiles *tiles,
                           const struct oro_entry_raster *raster, unsigned char *to)
{
    struct value_head head = head_of(value);
    head.tile_width = (uint32_t)raster->tile_width;
    head.tile_height = (uint32_t)raster->tile_height;
    head.packed = raster->count * sizeof *tiles->files;
    memcpy(to, &head, sizeof head);
    memcpy(to + sizeof head, tiles->files + raster->first, head.packed);
    return sizeof head + head.packed;
}

static bool in_tiles(const struct oro_entry_tiles *tiles, int value)
{
    return tiles && tiles->values[value].count > 0;
}

static size_t said_bytes(const struct oro_result *result)
{
    const char *said = oro_result_said(result);
    return said ? strlen(said) : 0;
}

static size_t room_for(const struct oro_result *result, const struct oro_entry_tiles *tiles)
{
    size_t room = sizeof(struct file_head) + sizeof result->figures + said_bytes(result);
    for (int i = 0; i < result->value_count; i++)
        room += sizeof(struct value_head) + (in_tiles(tiles, i)
                                                 ? tiles->values[i].count * sizeof *tiles->files
                                                 : ZSTD_compressBound(oro_value_bytes(result->values[i])));
    return room;
}

static void encode_head(const struct oro_result *result, struct oro_hash key, int iterations,
                        unsigned char *data, size_t length)
{
    struct file_head head = {.version = FORMAT_VERSION,
                             .values = (uint32_t)result->value_count,
                             .figures = (uint32_t)result->figure_count,
                             .said = (uint32_t)said_bytes(result),
                             .key = key,
                             .iterations = (uint64_t)iterations};
    memcpy(head.magic, magic, sizeof magic);
    memcpy(data, &head, sizeof head);
    head.checksum = oro_hash_of(data + CHECKED_FROM, length - CHECKED_FROM);
    memcpy(data, &head, sizeof head);
}

bool oro_entry_encode(const struct oro_result *result, const struct oro_entry_tiles *tiles,
                      struct oro_hash key, int iterations, unsigned char **bytes, size_t *size,
                      struct oro_error *err)
{
    size_t room = room_for(result, tiles), length = sizeof(struct file_head);
    unsigned char *data = oro_alloc(room, 1);
    if (!data)
        return oro_fail(err, ORO_E_MEMORY, "no memory to pack a result of %zu bytes", room);
    for (int i = 0; i < result->value_count; i++) {
        size_t used = 0;
        if (in_tiles(tiles, i)) {
            used = encode_tiles(result->values[i], tiles, &tiles->values[i], data + length);
        } else if (!encode_value(result->values[i], data + length, room - length, &used, err)) {
            oro_free(data);
            return false;
        }
        length += used;
    }
    size_t figures = (size_t)result->figure_count * sizeof result->figures[0];
    memcpy(data + length, result->figures, figures);
    length += figures;
    memcpy(data + length, said_bytes(result) ? oro_result_said(result) : "", said_bytes(result));
    length += said_bytes(result);
    encode_head(result, key, iterations, data, length);
    *bytes = data;
    *size = length;
    return true;
}

/* ---- Reading ---- */

static bool is_raster_head(const struct value_head *head)
{
    return head->channels >= 1 && (int)head->channels == oro_type_channels((enum oro_type)head->type) &&
           head->width >= 1 && head->height >= 1 && head->width <= ORO_GRID_MAX &&
           head->height <= ORO_GRID_MAX;
}

/* The size of a value once unpacked; 0: it is not a valid value. */
static size_t size_of(const struct value_head *head, unsigned long long framed)
{
    bool plain = (head->type == ORO_UPLIFT || head->type == ORO_NETWORK) && head->channels == 0;
    if (is_raster_head(head)) {
        size_t size = (size_t)head->width * head->height * head->channels * sizeof(float);
        return framed == size ? size : 0;
    }
    return plain && framed <= plain_max ? (size_t)framed : 0; /* more means "unknown" */
}

/* Whether the data is sound; an uplift or network that another version of the program wrote in another form
 * is not. */
static bool is_sound(enum oro_type type, const void *data, size_t size)
{
    if (type == ORO_UPLIFT)
        return oro_uplift_of(data, size, NULL);
    return type != ORO_NETWORK || oro_network_of(data, size, NULL);
}

static struct oro_value *value_of(const struct value_head *head, void *data, size_t size,
                                  struct oro_device *device)
{
    enum oro_type type = (enum oro_type)head->type;
    if (head->channels == 0)
        return oro_value_create_plain(type, data, size, NULL);
    struct oro_grid grid = {(int)head->width, (int)head->height, head->cell, head->x, head->y};
    return oro_value_create(device, type, &grid, NULL, data, NULL);
}

static struct oro_value *decode_value(const struct value_head *head, const unsigned char *frame,
                                      struct oro_device *device)
{
    size_t packed = (size_t)head->packed;
    size_t raw = size_of(head, ZSTD_getFrameContentSize(frame, packed));
    void *data = raw > 0 ? oro_alloc(raw, 1) : NULL;
    if (!data)
        return NULL;
    struct oro_value *value = NULL;
    if (ZSTD_decompress(data, raw, frame, packed) == raw && is_sound((enum oro_type)head->type, data, raw))
        value = value_of(head, data, raw, device);
    if (!value)
        oro_free(data);
    return value;
}

static bool decode_tiles(const struct value_head *head, const unsigned char *table,
                         struct oro_entry_raster *raster, struct oro_entry_tiles *tiles)
{
    size_t bytes = (size_t)head->packed;
    if (!is_raster_head(head) || head->tile_width > ORO_GRID_MAX || head->tile_height > ORO_GRID_MAX ||
        head->tile_width < 1 || head->tile_height < 1)
        return false;
    *raster = (struct oro_entry_raster){
        .type = (enum oro_type)head->type,
        .grid = {(int)head->width, (int)head->height, head->cell, head->x, head->y},
        .tile_width = (int)head->tile_width,
        .tile_height = (int)head->tile_height,
        .first = tiles->count,
    };
    size_t count = oro_entry_tile_count(raster);
    void *files = bytes == count * sizeof *tiles->files
                      ? oro_resize(tiles->files, tiles->count + count, sizeof *tiles->files)
                      : NULL;
    if (!files)
        return false;
    tiles->files = files;
    memcpy(tiles->files + tiles->count, table, bytes);
    raster->count = count;
    tiles->count += count;
    return true;
}

static bool decode_next(const unsigned char *bytes, size_t size, struct oro_device *device,
                        struct oro_result *result, struct oro_entry_tiles *tiles, size_t *used)
{
    struct value_head head;
    int number = result->value_count;
    if (size < sizeof head)
        return false;
    memcpy(&head, bytes, sizeof head);
    if (head.packed > size - sizeof head)
        return false;
    bytes += sizeof head;
    result->value_count++;
    *used = sizeof head + (size_t)head.packed;
    if (head.tile_width || head.tile_height)
        return decode_tiles(&head, bytes, &tiles->values[number], tiles);
    result->values[number] = decode_value(&head, bytes, device);
    return result->values[number];
}

static bool decode_figures(const unsigned char *bytes, size_t size, uint32_t count, struct oro_result *result)
{
    size_t figures = count * sizeof result->figures[0];
    if (size != figures)
        return false;
    memcpy(result->figures, bytes, figures);
    for (uint32_t i = 0; i < count; i++) {
        result->figures[i].name[sizeof result->figures[i].name - 1] = '\0';
        result->figures[i].unit[sizeof result->figures[i].unit - 1] = '\0';
    }
    result->figure_count = (int)count;
    return true;
}

/* Every value has all of it. */
static bool decode_said(const unsigned char *bytes, size_t size, struct oro_result *result)
{
    for (int i = 0; size > 0 && i < result->value_count; i++) {
        if (!result->values[i]) /* it lies in tiles */
            continue;
        char *said = oro_alloc(size + 1, 1);
        if (!said)
            return false;
        memcpy(said, bytes, size);
        result->values[i]->said = said;
    }
    return true;
}

bool oro_entry_decode(const unsigned char *bytes, size_t size, struct oro_hash key, int iterations,
                      struct oro_device *device, struct oro_result *result, struct oro_entry_tiles *tiles)
{
    struct file_head head;
    *result = (struct oro_result){0};
    *tiles = (struct oro_entry_tiles){0};
    if (size < sizeof head)
        return false;
    memcpy(&head, bytes, sizeof head);
    if (memcmp(head.magic, magic, sizeof magic) != 0 || head.version != FORMAT_VERSION || head.said > size ||
        head.values > ORO_RESULT_VALUES_MAX || head.figures > ORO_RESULT_FIGURES_MAX ||
        !oro_hash_equal(head.key, key) || head.iterations != (uint64_t)iterations ||
        !oro_hash_equal(head.checksum, oro_hash_of(bytes + CHECKED_FROM, size - CHECKED_FROM)))
        return false;
    size_t at = sizeof head;
    bool ok = true;
    for (uint32_t i = 0; ok && i < head.values; i++) {
        size_t used = 0;
        ok = decode_next(bytes + at, size - at, device, result, tiles, &used);
        at += used;
    }
    size_t said = size - at < head.said ? 0 : size - head.said;
    if (ok && said >= at && decode_figures(bytes + at, said - at, head.figures, result) &&
        decode_said(bytes + said, head.said, result))
        return true;
    oro_result_release(result);
    return false;
}
