/* `orograph convert` of rasters that are not read at once. */
#ifndef ORO_CLI_COMMAND_WINDOWS_H
#define ORO_CLI_COMMAND_WINDOWS_H

#include "formats/reader/reader.h"
#include "formats/writer/writer.h"

/* Cells of a window, at most, unless a block of the file has more. */
enum { CLI_WINDOW_CELLS = 1 << 24 };

struct cli_windows {
    const char *in, *out;
    const struct oro_read_options *read;
    struct oro_write_options write; /* `written` is filled */
};

/* Whether a file has more cells a side than are read at once, and can be read by windows. */
bool cli_windows_needed(const char *in, const struct oro_read_options *read);

/* Converts window by window: the memory that it takes does not depend on the size of the raster. */
bool cli_windows_convert(struct cli_windows *windows, struct oro_error *err);

#endif
