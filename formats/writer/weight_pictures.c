/* Weight maps beside a terrain or its tiles. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "formats/checks.h"
#include "formats/png/png.h"
#include "formats/sidecar/sidecar.h"
#include "formats/writer/writer_private.h"

static bool packs(const struct oro_write_options *options)
{
    return options->engine && options->engine->packs;
}

char *oro_weights_path(const struct oro_write_options *options, const char *path,
                       const struct oro_tile_place *tile, size_t picture)
{
    char suffix[256];
    if (packs(options))
        snprintf(suffix, sizeof suffix, "_weights%zu", picture);
    else
        snprintf(suffix, sizeof suffix, "_%.200s", options->weights->names[picture]);
    return oro_tile_path(options->tiling, tile, path, suffix, "png");
}

static void fill_picture(const struct oro_writer *writer, const struct oro_tile_place *tile, size_t picture,
                         int channels, unsigned char *bytes)
{
    unsigned char levels[ORO_WEIGHTS_MOST + 4] = {0};
    size_t first = channels == 1 ? picture : 4 * picture;
    for (int y = 0; y < tile->height; y++)
        for (int x = 0; x < tile->width; x++, bytes += channels) {
            oro_weights_levels(
                writer->options.write.weights,
                (size_t)(tile->row + y) * (size_t)writer->field.width + (size_t)(tile->column + x), levels);
            memcpy(bytes, levels + first, (size_t)channels);
        }
}

static bool put_picture(struct oro_writer *writer, const struct oro_tile_place *tile, size_t picture,
                        struct oro_error *err)
{
    const struct oro_write_options *write = &writer->options.write;
    int channels = oro_weights_channels(write->weights, packs(write), picture);
    unsigned char *bytes = oro_alloc(oro_cell_count(tile->width, tile->height), (size_t)channels);
    char *path = oro_weights_path(write, writer->base, tile, picture);
    bool ok = (bytes && path) || oro_writer_no_memory(writer, err);
    if (ok)
        fill_picture(writer, tile, picture, channels, bytes);
    struct oro_file_output *output = ok ? oro_file_set_begin(&writer->files, path, err) : NULL;
    const struct oro_png_picture pixels = {tile->width, tile->height, channels, bytes, NULL};
    ok = output && oro_png_write_picture(output->stream, path, &pixels, err) &&
         oro_file_set_seal(&writer->files, err);
    oro_free(path);
    oro_free(bytes);
    return ok;
}

bool oro_writer_put_weights(struct oro_writer *writer, const struct oro_tile_place *tile,
                            struct oro_error *err)
{
    const struct oro_write_options *write = &writer->options.write;
    size_t pictures = write->weights ? oro_weights_pictures(write->weights, packs(write)) : 0;
    for (size_t i = 0; i < pictures; i++)
        if (!put_picture(writer, tile, i, err))
            return false;
    return true;
}
