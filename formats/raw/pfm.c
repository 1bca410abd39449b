/*
 * Portable float map: "Pf", width, height and scale as text, then float32 from the south row up. A negative
 * scale means little-endian. The magnitude of the scale is not applied: programs disagree on it, and
 * elevations are metres already.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "formats/codec.h"
#include "formats/raw/samples.h"

enum { WORD = 24, HEAD = 48 };

static bool side_from(const char *word, uint64_t *side)
{
    size_t digits = strspn(word, "0123456789");
    *side = digits > 0 && digits <= 10 ? strtoull(word, NULL, 10) : 0;
    return digits > 0 && digits <= 10 && word[digits] == '\0';
}

static bool header(struct oro_raster_file *source, struct oro_raster_shape *shape, struct oro_error *err)
{
    char head[HEAD + 1] = "", magic[WORD] = "", across[WORD] = "", down[WORD] = "", word[WORD] = "";
    uint64_t width = 0, height = 0;
    double scale = 0;
    int length = 0;
    head[fread(head, 1, HEAD, source->stream)] = '\0';
    sscanf(head, "%23s%23s%23s%23s%n", magic, across, down, word, &length);
    if (strcmp(magic, "Pf") != 0)
        return oro_fail(err, ORO_E_FILE,
                        strcmp(magic, "PF") == 0 ? "'%s' is a colour PFM; a heightfield needs a grey one (Pf)"
                                                 : "'%s' is not a PFM file: it does not begin with 'Pf'",
                        source->path);
    if (!length || !isspace((unsigned char)head[length]) || !side_from(across, &width) ||
        !side_from(down, &height) || !oro_parse_number(word, &scale) || scale == 0)
        return oro_fail(err, ORO_E_FILE,
                        "'%s' has a damaged header: width, height and scale expected behind 'Pf'",
                        source->path);
    if (!oro_raster_check_size(source, width, height, err))
        return false;
    *shape = (struct oro_raster_shape){.width = (int)width,
                                       .height = (int)height,
                                       .big_endian = scale > 0,
                                       .south_first = true,
                                       .offset = (uint64_t)length + 1};
    /* Some systems end lines of text with two characters; the file's size tells whether the second one
     * belongs to a sample. */
    if (head[length] == '\r' && source->size == shape->offset + 1 + oro_samples_size(shape))
        shape->offset++;
    return source->size >= shape->offset + oro_samples_size(shape) ||
           oro_fail(err, ORO_E_FILE, "'%s' is truncated: it has %" PRIu64 " bytes, %dx%d needs %" PRIu64,
                    source->path, source->size, shape->width, shape->height,
                    shape->offset + oro_samples_size(shape));
}

static bool write_file(const struct oro_raster_output *output, const struct oro_raster_shape *shape,
                       const float *samples, struct oro_error *err)
{
    struct oro_raster_shape behind = *shape;
    int length = fprintf(output->stream, "Pf\n%d %d\n%s\n", shape->width, shape->height,
                         shape->big_endian ? "1.0" : "-1.0");
    if (length < 0 || fflush(output->stream) != 0)
        return oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", output->path, strerror(errno));
    behind.offset = (uint64_t)length;
    return oro_samples_write(output, &behind, samples, err);
}

const struct oro_codec oro_codec_pfm = {
    .name = "pfm",
    .extensions = (const char *const[]){"pfm", NULL},
    .written = {.largest = 0, .south_first = true},
    .header = header,
    .reads = ORO_WINDOWS_BLOCKS,
    .read = oro_samples_read,
    .writes = ORO_WINDOWS_WHOLE,
    .write = write_file,
};
