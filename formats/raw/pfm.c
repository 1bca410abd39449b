/*
 * Portable float map: "Pf", width, height and scale as text, then float32 from the south row up. A negative
 * scale means little-endian. The magnitude of the scale is not applied: programs disagree on it, and
 * elevations are metres already.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "formats/codec.h"
#include "formats/raw/samples.h"

enum { WORD = 24 };

static bool is_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Reads the next word, and the blank after it into `end`. */
static bool next_word(FILE *stream, char word[WORD], int *end)
{
    int c = getc(stream), blanks = 0;
    for (; is_blank(c) && blanks < WORD; blanks++)
        c = getc(stream);
    size_t length = 0;
    for (; c != EOF && !is_blank(c) && length < WORD - 1; length++) {
        word[length] = (char)c;
        c = getc(stream);
    }
    word[length] = '\0';
    *end = c;
    return length > 0 && is_blank(c);
}

static bool side_from(const char *word, uint64_t *side)
{
    size_t digits = strspn(word, "0123456789");
    if (digits == 0 || digits > 10 || word[digits] != '\0')
        return false;
    *side = strtoull(word, NULL, 10);
    return true;
}

static bool check_magic(struct oro_raster_file *source, const char *word, struct oro_error *err)
{
    if (strcmp(word, "PF") == 0)
        return oro_fail(err, ORO_E_FILE, "'%s' is a colour PFM; a heightfield needs a grey one (Pf)",
                        source->path);
    if (strcmp(word, "Pf") != 0)
        return oro_fail(err, ORO_E_FILE, "'%s' is not a PFM file: it does not begin with 'Pf'", source->path);
    return true;
}

static bool header(struct oro_raster_file *source, struct oro_raster_shape *shape, struct oro_error *err)
{
    char magic[WORD] = "", across[WORD] = "", down[WORD] = "", scale_word[WORD] = "";
    int end = EOF;
    uint64_t width = 0, height = 0;
    double scale = 0;
    bool started = next_word(source->stream, magic, &end);
    if (!check_magic(source, started ? magic : "", err))
        return false;
    bool whole = next_word(source->stream, across, &end) && next_word(source->stream, down, &end) &&
                 next_word(source->stream, scale_word, &end);
    if (!whole || !side_from(across, &width) || !side_from(down, &height) ||
        !oro_parse_number(scale_word, &scale) || scale == 0)
        return oro_fail(err, ORO_E_FILE,
                        "'%s' has a damaged header: width, height and scale expected behind 'Pf'",
                        source->path);
    if (!oro_raster_check_size(source, width, height, err))
        return false;
    *shape = (struct oro_raster_shape){.width = (int)width,
                                       .height = (int)height,
                                       .big_endian = scale > 0,
                                       .south_first = true,
                                       .offset = (uint64_t)ftello(source->stream)};
    /* Some systems end lines of text with two characters; the file's size tells whether the second one
     * belongs to a sample. */
    if (end == '\r' && source->size == shape->offset + 1 + oro_samples_size(shape))
        shape->offset++;
    if (source->size < shape->offset + oro_samples_size(shape))
        return oro_fail(err, ORO_E_FILE, "'%s' is truncated: it has %" PRIu64 " bytes, %dx%d needs %" PRIu64,
                        source->path, source->size, shape->width, shape->height,
                        shape->offset + oro_samples_size(shape));
    return true;
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
