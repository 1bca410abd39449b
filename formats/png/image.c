/* Pictures, whole or in tiles. */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/checks.h"
#include "formats/file_set.h"
#include "formats/png/png.h"
#include "formats/sidecar/sidecar.h"

bool oro_image_encode(const char *name, int width, int height, const float *rgba, char **bytes, size_t *size,
                      struct oro_error *err)
{
    return oro_png_encode(name, &(struct oro_png_picture){.width = width, .height = height, .rgba = rgba},
                          bytes, size, err);
}

/* Pixels that are to be written: colours as floats, or RGB as bytes. */
struct picture {
    const char *path;
    const struct oro_tiling *tiling; /* or NULL */
    int width, height;
    const float *rgba;
    const uint8_t *rgb;
};

/* `room` holds the pixels of one tile. */
static bool add_tile(struct oro_file_set *files, const struct picture *picture,
                     const struct oro_tile_place *tile, float *room, struct oro_error *err)
{
    size_t row = 4 * (size_t)tile->width;
    for (int y = 0; room && y < tile->height; y++)
        memcpy(room + (size_t)y * row,
               picture->rgba + 4 * ((size_t)(tile->row + y) * (size_t)picture->width + (size_t)tile->column),
               row * sizeof *room);
    char *name = oro_tile_path(picture->tiling, tile, picture->path, "", oro_path_extension(picture->path));
    struct oro_file_output *output = name ? oro_file_set_begin(files, name, err) : NULL;
    if (!name)
        oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", picture->path);
    const struct oro_png_picture pixels = {tile->width, tile->height, 3, picture->rgb,
                                           room ? room : picture->rgba};
    bool ok =
        output && oro_png_write_picture(output->stream, name, &pixels, err) && oro_file_set_seal(files, err);
    oro_free(name);
    return ok;
}

static bool add_manifest(struct oro_file_set *files, const struct picture *picture, struct oro_error *err)
{
    struct oro_text text = {0};
    if (!picture->tiling)
        return true;
    char *name = oro_tiles_manifest_path(picture->path);
    oro_text_addf(&text,
                  "{\n  \"width\": %d,\n  \"height\": %d,\n  \"format\": \"png\",\n  \"program\": "
                  "\"orograph " OROGRAPH_VERSION "\"",
                  picture->width, picture->height);
    oro_tiles_add(&text, picture->tiling, picture->path, picture->width, picture->height, NULL);
    oro_text_add(&text, "\n}\n");
    bool ok = name && !text.failed ? oro_file_set_text(files, name, text.data, text.length, err)
                                   : oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", picture->path);
    oro_text_free(&text);
    oro_free(name);
    return ok;
}

static bool write_picture(const struct picture *picture, struct oro_error *err)
{
    const struct oro_tiling *tiling = picture->tiling;
    int width = picture->width, height = picture->height;
    struct oro_file_set files = {0};
    if (width < 1 || height < 1 || width > ORO_HEIGHTFIELD_SIDE_MAX || height > ORO_HEIGHTFIELD_SIDE_MAX)
        return oro_fail(err, ORO_E_USAGE, "cannot write '%s' with %dx%d pixels: sides are 1..%d",
                        picture->path, width, height, ORO_HEIGHTFIELD_SIDE_MAX);
    if (tiling &&
        (!oro_tiling_check(tiling, err) || !oro_tiling_fits(tiling, picture->path, width, height, err)))
        return false;
    float *room = tiling ? oro_alloc(oro_cell_count(tiling->side, tiling->side), 4 * sizeof *room) : NULL;
    bool ok = !tiling || room || oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", picture->path);
    for (int i = 0; ok && i < oro_tile_count(tiling, width, height); i++) {
        struct oro_tile_place tile = oro_tile_at(tiling, i, width, height);
        ok = add_tile(&files, picture, &tile, room, err);
    }
    ok = ok && add_manifest(&files, picture, err) && oro_file_set_commit(&files, err);
    oro_file_set_end(&files);
    oro_free(room);
    return ok;
}

bool oro_image_write(const char *path, int width, int height, const float *rgba, struct oro_error *err)
{
    return write_picture(&(struct picture){path, NULL, width, height, rgba, NULL}, err);
}

bool oro_image_write_bytes(const char *path, int width, int height, const uint8_t *rgb, struct oro_error *err)
{
    return write_picture(&(struct picture){path, NULL, width, height, NULL, rgb}, err);
}

bool oro_image_write_tiles(const char *path, const struct oro_tiling *tiling, int width, int height,
                           const float *rgba, struct oro_error *err)
{
    return write_picture(&(struct picture){path, tiling, width, height, rgba, NULL}, err);
}
