/* What is looked at before a Zarr array is read: GDAL trusts what its files say, and allocates by it. */
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/file.h"
#include "base/folder_digest.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/heightfield.h"
#include "formats/sidecar/json_memory.h"
#include "formats/zarr/zarr.h"

/* Arrays of a group; bytes of a file that describes one, and of a chunk. */
enum { ARRAYS_MAX = 32 };
#define ABOUT_BYTES_MAX ((size_t)1 << 20)
#define CHUNK_BYTES_MAX ((double)(1 << 28))

struct check {
    const char *path;
    int rasters, arrays;
    struct oro_error *err;
};

static bool refuse(const struct check *check, const char *what, const char *why)
{
    return oro_fail(check->err, ORO_E_FILE, "'%s' cannot be read: %s%s", check->path, what, why);
}

/* ---- What describes an array ---- */

/* The side of that number, 1..`most`; 0: it is none. */
static double side_of(const json_t *list, size_t number, double most)
{
    const json_t *item = json_array_get(list, number);
    double side = json_is_integer(item) ? (double)json_integer_value(item) : 0;
    return side >= 1 && side <= most ? side : 0;
}

/* Bytes of a sample of a plain number; 0: of another type. */
static int bytes_of(const char *dtype)
{
    if (!dtype || strlen(dtype) != 3 || !strchr("<>|", dtype[0]) || !strchr("iuf", dtype[1]) ||
        !strchr("1248", dtype[2]))
        return 0;
    return dtype[2] - '0';
}

static bool is_known_compressor(const json_t *compressor)
{
    static const char *const known[] = {"zlib", "gzip", "zstd", "lz4", "blosc", "lzma", NULL};
    return json_is_null(compressor) ||
           oro_find_word(json_string_value(json_object_get(compressor, "id")), known) >= 0;
}

static bool check_sides(struct check *check, const json_t *root, int bytes)
{
    const json_t *shape = json_object_get(root, "shape"), *chunks = json_object_get(root, "chunks");
    size_t rank = json_array_size(shape);
    double chunk = bytes;
    if (!json_is_array(shape) || !json_is_array(chunks) || rank > 2 || json_array_size(chunks) != rank)
        return refuse(check, "its arrays need one or two sides, and as many of their chunks", "");
    for (size_t i = 0; i < rank; i++) {
        if (side_of(shape, i, ORO_RASTER_SIDE_MAX) <= 0)
            return refuse(check, "a side of its arrays has no cells, or more than are read", "");
        double side = side_of(chunks, i, 1e9);
        if (side <= 0)
            return refuse(check, "a side of its chunks makes no sense", "");
        chunk *= side;
    }
    check->rasters += rank == 2;
    return chunk <= CHUNK_BYTES_MAX || refuse(check, "its chunks take more than 256 MiB", "");
}

static bool check_about(struct check *check, const json_t *root)
{
    const json_t *filters = json_object_get(root, "filters");
    const char *order = json_string_value(json_object_get(root, "order"));
    const char *separator = json_string_value(json_object_get(root, "dimension_separator"));
    int bytes = bytes_of(json_string_value(json_object_get(root, "dtype")));
    if (json_integer_value(json_object_get(root, "zarr_format")) != 2)
        return refuse(check, "it is not of Zarr's version 2", "");
    if (bytes == 0)
        return refuse(check, "its samples are no plain numbers", "");
    if (!order || (strcmp(order, "C") != 0 && strcmp(order, "F") != 0))
        return refuse(check, "its order of cells is neither C nor F", "");
    if (filters && !json_is_null(filters) && json_array_size(filters) > 0)
        return refuse(check, "its samples went through filters", "");
    if (separator && strcmp(separator, ".") != 0)
        return refuse(check, "its chunks lie in folders of their own (dimension_separator)", "");
    if (!is_known_compressor(json_object_get(root, "compressor")))
        return refuse(check, "its compressor is unknown", "");
    return check_sides(check, root, bytes);
}

static int64_t chunks_along(const json_t *root, size_t side)
{
    int64_t cells = json_integer_value(json_array_get(json_object_get(root, "shape"), side));
    int64_t chunk = json_integer_value(json_array_get(json_object_get(root, "chunks"), side));
    return (cells - 1) / chunk + 1;
}

/* What an array does not tell of chunks that are not there, GDAL makes up. `folder`: the length of its name
 * in the path of what describes it. */
static bool check_chunks(struct check *check, const json_t *root, const char *path, int folder)
{
    const json_t *fill = json_object_get(root, "fill_value");
    bool filled = fill && !json_is_null(fill), ok = true;
    size_t sides = json_array_size(json_object_get(root, "shape"));
    int64_t rows = chunks_along(root, 0), columns = sides > 1 ? chunks_along(root, 1) : 1;
    for (int64_t i = 0; ok && !filled && i < rows * columns; i++) {
        struct oro_text name = {0};
        oro_text_addf(&name, "%.*s/%lld", folder, path, (long long)(i / columns));
        if (sides > 1)
            oro_text_addf(&name, ".%lld", (long long)(i % columns));
        if (name.failed)
            ok = oro_fail(check->err, ORO_E_MEMORY, "no memory to read '%s'", check->path);
        else if (access(name.data, F_OK) != 0)
            ok = refuse(check, "a chunk is missing, and no fill_value says what its cells have: ",
                        name.data + strlen(check->path) + 1);
        oro_text_free(&name);
    }
    return ok;
}

static bool check_array(struct check *check, const char *path)
{
    void *text = NULL;
    size_t size = 0;
    json_error_t problem;
    bool fits = true;
    if (++check->arrays > ARRAYS_MAX)
        return refuse(check, "it holds too many arrays", "");
    if (!oro_file_read(path, ABOUT_BYTES_MAX, &text, &size, check->err))
        return false;
    json_t *root = oro_json_parse(text, size, JSON_REJECT_DUPLICATES, &problem, &fits);
    oro_free(text);
    bool ok = !fits ? oro_fail(check->err, ORO_E_MEMORY, "no memory to read '%s'", check->path)
              : json_is_object(root)
                  ? check_about(check, root) &&
                        check_chunks(check, root, path, (int)(strlen(path) - sizeof "/.zarray" + 1))
                  : refuse(check, "its .zarray makes no sense: ", root ? "" : problem.text);
    json_decref(root);
    return ok;
}

/* ---- The folders ---- */

static bool check_file(void *user, const char *path, const char *name, struct oro_error *err)
{
    struct check *check = user;
    const char *own = oro_path_name(name);
    double size = (double)oro_stamp_of(path).size;
    (void)err;
    if (own[0] == '.' && size > (double)ABOUT_BYTES_MAX)
        return refuse(check, "it describes itself at too great a length: ", name);
    if (size > 2 * CHUNK_BYTES_MAX)
        return refuse(check, "it holds what is no chunk: ", name);
    return strcmp(own, ".zarray") != 0 || check_array(check, path);
}

bool oro_zarr_check(const char *path, struct oro_error *err)
{
    struct check check = {.path = path, .err = err};
    if (!oro_folder_visit(path, check_file, &check, err))
        return false;
    return check.rasters == 1 ||
           oro_fail(err, ORO_E_FILE, "'%s' holds %d Zarr arrays of two sides, and a heightfield is one", path,
                    check.rasters);
}
