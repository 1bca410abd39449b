#include "formats/raster_file.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/missing.h"
#include "base/walls.h"
#include "formats/format.h"

bool oro_raster_open(struct oro_raster_file *source, const char *path, const struct oro_log *log,
                     struct oro_error *err)
{
    *source = (struct oro_raster_file){.path = path, .log = log};
    /* O_NONBLOCK: opening a named pipe must not wait for a writer. */
    int descriptor = oro_walls_open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, false);
    if (descriptor < 0)
        return oro_cannot_read(path, errno, err);
    struct stat info;
    if (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) {
        close(descriptor);
        return oro_fail(err, ORO_E_FILE, "'%s' is not a regular file", path);
    }
    source->size = (uint64_t)info.st_size;
    source->stream = fdopen(descriptor, "rb");
    if (!source->stream) {
        close(descriptor);
        return oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
    }
    return true;
}

void oro_raster_close(struct oro_raster_file *source)
{
    if (source->stream)
        fclose(source->stream);
    source->stream = NULL;
}

bool oro_raster_seek(struct oro_raster_file *source, uint64_t offset, struct oro_error *err)
{
    if (fseeko(source->stream, (off_t)offset, SEEK_SET) != 0)
        return oro_fail(err, ORO_E_FILE, "cannot read '%s': %s", source->path, strerror(errno));
    return true;
}

bool oro_raster_check_size(const struct oro_raster_file *source, uint64_t width, uint64_t height,
                           struct oro_error *err)
{
    if (width == 0 || height == 0)
        return oro_fail(err, ORO_E_FILE, "'%s' is %" PRIu64 "x%" PRIu64 ": it has no cells", source->path,
                        width, height);
    if (width > ORO_HEIGHTFIELD_SIDE_MAX || height > ORO_HEIGHTFIELD_SIDE_MAX)
        return oro_fail(err, ORO_E_FILE, "'%s' is %" PRIu64 "x%" PRIu64 ": at most %d cells a side are read",
                        source->path, width, height, ORO_HEIGHTFIELD_SIDE_MAX);
    return true;
}
