#include "graph/type/value.h"

#include "base/memory.h"
#include "graph/type/ranks.h"

int oro_type_channels(enum oro_type type)
{
    switch (type) {
    case ORO_FIELD:
        return 1;
    case ORO_VECTOR:
        return 2;
    case ORO_IMAGE:
        return 4;
    default:
        return 0;
    }
}

struct oro_value *oro_value_create(struct oro_device *device, enum oro_type type, const struct oro_grid *grid,
                                   struct oro_buffer *buffer, void *host, struct oro_error *err)
{
    struct oro_value *value = oro_alloc(1, sizeof *value);
    if (!value) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a value");
        return NULL;
    }
    int channels = oro_type_channels(type);
    *value = (struct oro_value){.type = type,
                                .grid = *grid,
                                .channels = channels,
                                .bytes = oro_grid_cells(grid) * (size_t)channels * sizeof(float),
                                .references = 1,
                                .device = device,
                                .buffer = buffer,
                                .host = host};
    return value;
}

struct oro_value *oro_value_create_plain(enum oro_type type, void *bytes, size_t size, struct oro_error *err)
{
    struct oro_value *value = oro_value_create(NULL, type, &(struct oro_grid){0}, NULL, bytes, err);
    if (value)
        value->bytes = size;
    return value;
}

struct oro_value *oro_value_retain(struct oro_value *value)
{
    value->references++;
    return value;
}

static void drop_buffer(struct oro_value *value)
{
    if (value->buffer)
        value->device->ops->buffer_destroy(value->device, value->buffer);
    value->buffer = NULL;
}

void oro_value_release(struct oro_value *value)
{
    if (!value || --value->references > 0)
        return;
    drop_buffer(value);
    oro_free(value->host);
    oro_free(value->said);
    oro_free(value);
}

size_t oro_value_bytes(const struct oro_value *value)
{
    return value->bytes;
}

static bool has_data(const struct oro_value *value, struct oro_error *err)
{
    return value->host || value->buffer || oro_fail(err, ORO_E_LOST, "a value was lost with the GPU context");
}

/* A copy of the buffer on the host, kept. */
static const void *read_back(struct oro_value *value, struct oro_error *err)
{
    size_t bytes = oro_value_bytes(value);
    void *host = oro_alloc(bytes, 1);
    if (!host) {
        oro_fail(err, ORO_E_MEMORY, "no memory for %zu bytes read back from the device", bytes);
        return NULL;
    }
    if (!value->device->ops->download(value->device, value->buffer, host, bytes, err)) {
        oro_free(host);
        return NULL;
    }
    value->host = host;
    return host;
}

const void *oro_value_host(struct oro_value *value, struct oro_error *err)
{
    if (value->host)
        return value->host;
    if (!has_data(value, err))
        return NULL;
    if (value->device->ops->memory)
        return value->device->ops->memory(value->device, value->buffer, false, err);
    return read_back(value, err);
}

struct oro_buffer *oro_value_tiles(const struct oro_value *value)
{
    const struct oro_device_tiles *tiles = value->buffer ? value->device->tiles : NULL;
    return tiles && !value->host && tiles->has(value->buffer) ? value->buffer : NULL;
}

/* Bands as high as tiles, in the order of rows. */
static bool hash_bands(const struct oro_value *value, struct oro_hasher *hasher, struct oro_error *err)
{
    struct oro_device *device = value->device;
    bool first = oro_ranks_first(device->tiles->ranks(device)), ok = true;
    size_t row = (size_t)value->grid.width * (size_t)value->channels;
    int rows = device->tiles->window(device, &value->grid, 0).height;
    float *band = first ? oro_alloc(row * (size_t)rows, sizeof *band) : NULL;
    if (!oro_ranks_agree(device->tiles->ranks(device),
                         band || !first || oro_fail(err, ORO_E_MEMORY, "no memory for rows of a raster"),
                         err))
        return false;
    for (int y = 0; ok && y < value->grid.height; y += rows) {
        int count = rows < value->grid.height - y ? rows : value->grid.height - y;
        struct oro_window window = {0, y, first ? value->grid.width : 0, count};
        ok = device->tiles->fetch(device, value->buffer, &window, band, err);
        if (ok && first)
            oro_hash_part(hasher, band, row * (size_t)count * sizeof *band);
    }
    oro_free(band);
    return ok;
}

bool oro_value_digest(struct oro_value *value, struct oro_hash *digest, struct oro_error *err)
{
    *digest = (struct oro_hash){0};
    if (!oro_value_tiles(value)) {
        const void *data = oro_value_host(value, err);
        if (data)
            *digest = oro_hash_of(data, oro_value_bytes(value));
        return data;
    }
    struct oro_ranks *ranks = value->device->tiles->ranks(value->device);
    struct oro_hasher *hasher = oro_hasher_create();
    bool ok = oro_ranks_agree(ranks, hasher || oro_fail(err, ORO_E_MEMORY, "no memory for a digest"), err) &&
              hash_bands(value, hasher, err);
    struct oro_hash made = {0};
    if (hasher)
        made = oro_hasher_end(hasher);
    if (ok && oro_ranks_first(ranks))
        *digest = made;
    return ok;
}

struct oro_buffer *oro_value_buffer(struct oro_value *value, struct oro_error *err)
{
    if (value->buffer)
        return value->buffer;
    if (value->channels == 0)
        oro_fail(err, ORO_E_EVALUATE, "a value that is no raster does not go to the device");
    if (value->channels == 0 || !has_data(value, err))
        return NULL;
    size_t bytes = oro_value_bytes(value);
    struct oro_device *device = value->device;
    struct oro_buffer *buffer = oro_device_raster(device, &value->grid, value->channels, err);
    if (!buffer)
        return NULL;
    if (!device->ops->upload(device, buffer, value->host, bytes, err)) {
        device->ops->buffer_destroy(device, buffer);
        return NULL;
    }
    value->buffer = buffer;
    return buffer;
}

bool oro_value_to_host(struct oro_value *value, struct oro_error *err)
{
    if (!has_data(value, err) || (!value->host && !read_back(value, err)))
        return false;
    drop_buffer(value);
    return true;
}

void oro_value_drop_host(struct oro_value *value)
{
    if (!value->buffer)
        return;
    oro_free(value->host);
    value->host = NULL;
}

bool oro_value_device_lost(struct oro_value *value)
{
    drop_buffer(value);
    return value->host != NULL;
}
