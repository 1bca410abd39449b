/* Inside formats/reader/: an open file, as the readers of windows and of the whole know it. */
#ifndef ORO_FORMATS_READER_READER_PRIVATE_H
#define ORO_FORMATS_READER_READER_PRIVATE_H

#include "formats/codec.h"
#include "formats/gdal/gdal.h"
#include "formats/numbers.h"
#include "formats/reader/reader.h"
#include "formats/sidecar/sidecar.h"

struct oro_reader {
    const char *path;
    char *own_path; /* of readers that are kept */
    struct oro_read_options options;
    struct oro_reader_about about;
    struct oro_gdal_file *gdal; /* NULL: a format of ours, of which is the rest */
    const struct oro_codec *codec;
    struct oro_raster_file file;
    struct oro_raster_shape shape;
    struct oro_facts facts;
    struct oro_numbers meaning; /* of all samples */
    bool was_read;
};

/* Whether reading by such windows could be asked for: fails with ORO_E_USAGE. */
bool oro_reader_check_options(const char *path, const struct oro_read_options *options,
                              enum oro_windows least, struct oro_error *err);
/* Opens a file, without allocating anything for one that its header refuses; `reader` starts zeroed, and is
 * ended in any case. `path` stays the caller's, like what the options point to. */
bool oro_reader_begin(struct oro_reader *reader, const char *path, const struct oro_read_options *options,
                      enum oro_windows least, struct oro_error *err);
void oro_reader_end(struct oro_reader *reader);
/* The samples of a window that its format can give, as they are in the file; NaN where that says itself that
 * there is none. */
bool oro_reader_samples(struct oro_reader *reader, const struct oro_cell_window *window, float *samples,
                        struct oro_error *err);
/* Makes them metres, NaN where there is no height, and takes account of them. They are all cells, or the next
 * rows. */
void oro_reader_give_meaning(struct oro_reader *reader, float *samples, int rows);

#endif
