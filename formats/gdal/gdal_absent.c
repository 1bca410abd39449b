/* A program without GDAL knows its formats by name, and says why it does not read them. */
#include "formats/crs.h"
#include "formats/gdal/gdal.h"

/* NOLINTBEGIN(misc-unused-parameters): none of these functions does anything. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

struct oro_gdal_file *oro_gdal_open_file(const char *path, const struct oro_read_options *options,
                                         bool blocks, struct oro_reader_about *about,
                                         struct oro_numbers *meaning, struct oro_facts *facts,
                                         struct oro_error *err)
{
    oro_fail(err, ORO_E_FILE, "cannot read '%s': this program was built without GDAL", path);
    return NULL;
}

/* Never reached: there is no such file. */
bool oro_gdal_read_window(struct oro_gdal_file *file, const struct oro_cell_window *window, float *numbers,
                          struct oro_error *err)
{
    return oro_fail(err, ORO_E_FILE, "this program was built without GDAL");
}

void oro_gdal_close_file(struct oro_gdal_file *file)
{
}

bool oro_gdal_put(const char *path, const struct oro_read_options *options, struct oro_heightfield *field,
                  struct oro_error *err)
{
    return oro_fail(err, ORO_E_FILE,
                    "cannot put '%s' to another place or system: this program was built without GDAL", path);
}

bool oro_gdal_is_told_beside(const char *path)
{
    return false;
}

bool oro_gdal_companions(const char *path, bool (*visit)(void *user, const char *path), void *user)
{
    return true;
}

bool oro_gdal_transform(const char *path, const char *from, const char *to, size_t count, double *x,
                        double *y, struct oro_error *err)
{
    return oro_fail(
        err, ORO_E_FILE,
        "'%s' is in %.60s and the world in %.60s, and this program was built without GDAL: convert "
        "it with ogr2ogr -t_srs",
        path, from, to);
}

bool oro_vector_write(const char *path, const struct oro_vector_lines *lines, struct oro_error *err)
{
    return oro_fail(err, ORO_E_WRITE, "cannot write '%s': this program was built without GDAL", path);
}

bool oro_vector_read(const char *path, size_t most, struct oro_text *text, char **crs, struct oro_error *err)
{
    return oro_fail(
        err, ORO_E_FILE,
        "cannot read '%s': this program was built without GDAL; 'ogr2ogr OUT.geojson %s' converts it", path,
        path);
}

static bool write_file(const struct oro_raster_output *output, const struct oro_raster_shape *shape,
                       const float *samples, struct oro_error *err)
{
    return oro_fail(err, ORO_E_WRITE, "cannot write '%s': this program was built without GDAL", output->path);
}

const struct oro_codec oro_codec_geotiff = {
    .name = "geotiff",
    .extensions = (const char *const[]){"tif", "tiff", NULL},
    .takes_bits = true,
    .writes = ORO_WINDOWS_WHOLE,
    .write = write_file,
};

const struct oro_codec oro_codec_ascii_grid = {
    .name = "ascii_grid",
    .extensions = (const char *const[]){"asc", NULL},
    .writes = ORO_WINDOWS_WHOLE,
    .write = write_file,
};

const struct oro_codec oro_codec_terragen = {
    .name = "terragen",
    .extensions = (const char *const[]){"ter", NULL},
    .rounds = true,
    .writes = ORO_WINDOWS_WHOLE,
    .write = write_file,
};

bool oro_crs_check(const char *crs, struct oro_error *err)
{
    return oro_fail(err, ORO_E_FILE, "'%.80s' cannot be checked: this program was built without GDAL", crs);
}

struct oro_degrees *oro_degrees_create(const char *crs, struct oro_error *err)
{
    oro_crs_check(crs, err);
    return NULL;
}

void oro_degrees_destroy(struct oro_degrees *degrees)
{
}

bool oro_degrees_of(struct oro_degrees *degrees, double east, double north, double *longitude,
                    double *latitude)
{
    *longitude = east;
    *latitude = north;
    return false;
}
/* NOLINTEND(misc-unused-parameters) */
