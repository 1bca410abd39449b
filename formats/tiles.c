#include "formats/tiles.h"

#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "formats/heightfield.h"

static const char standard_name[] = "{n}_x{x}_y{y}";

static const char *name_of(const struct oro_tiling *tiling)
{
    return tiling->name ? tiling->name : standard_name;
}

/* Numbers side by side could not be told apart: 1 and 11, 11 and 1. */
static bool tells_apart(const char *name)
{
    const char *x = strstr(name, "{x}"), *y = strstr(name, "{y}");
    if (!x || !y)
        return false;
    const char *between = (x < y ? x : y) + 3, *end = x < y ? y : x;
    while (between < end && oro_is_digit(*between))
        between++;
    return between < end;
}

bool oro_tiling_check(const struct oro_tiling *tiling, struct oro_error *err)
{
    const char *name = name_of(tiling);
    if (tiling->side < 2 || tiling->side > ORO_HEIGHTFIELD_SIDE_MAX)
        return oro_fail(err, ORO_E_USAGE, "tiles have 2 to %d cells a side, not %d", ORO_HEIGHTFIELD_SIDE_MAX,
                        tiling->side);
    if (tiling->overlap < 0 || tiling->overlap >= tiling->side)
        return oro_fail(err, ORO_E_USAGE, "tiles of %d cells share 0 to %d of them, not %d", tiling->side,
                        tiling->side - 1, tiling->overlap);
    if (strchr(name, '/') || name[0] == '.')
        return oro_fail(err, ORO_E_USAGE,
                        "'%s' names no tiles: they lie in the folder of OUT, and their names begin with no "
                        "point",
                        name);
    return tells_apart(name) ||
           oro_fail(err, ORO_E_USAGE,
                    "'%s' does not tell tiles apart: it needs {x} and {y}, with more than digits between "
                    "them, as in '%s'",
                    name, standard_name);
}

int oro_tiling_count(const struct oro_tiling *tiling, int side)
{
    int step = tiling->side - tiling->overlap;
    return (side - tiling->overlap + step - 1) / step;
}

/* The nearest side that tiles cover, not above `side`, or the first above it. */
static int covered(const struct oro_tiling *tiling, int side, bool above)
{
    int step = tiling->side - tiling->overlap, count = (side - tiling->overlap) / step + above;
    return tiling->overlap + (count > 0 ? count : 1) * step;
}

static void add_covered(struct oro_text *text, const struct oro_tiling *tiling, int side)
{
    int below = covered(tiling, side, false), above = covered(tiling, side, true);
    if (side < tiling->side || below == side)
        oro_text_addf(text, "%d", below);
    else if (above > ORO_HEIGHTFIELD_SIDE_MAX)
        oro_text_addf(text, "%d", below);
    else
        oro_text_addf(text, "%d or %d", below, above);
}

bool oro_tiling_fits(const struct oro_tiling *tiling, const char *path, int width, int height,
                     struct oro_error *err)
{
    if (width >= tiling->side && height >= tiling->side && covered(tiling, width, false) == width &&
        covered(tiling, height, false) == height) {
        int64_t count = (int64_t)oro_tiling_count(tiling, width) * oro_tiling_count(tiling, height);
        return count <= ORO_TILES_MOST ||
               oro_fail(err, ORO_E_USAGE, "'%s' would be %lld tiles; at most %d are written", path,
                        (long long)count, ORO_TILES_MOST);
    }
    struct oro_text sizes = {0};
    oro_text_add(&sizes, "widths of ");
    add_covered(&sizes, tiling, width);
    oro_text_add(&sizes, " and heights of ");
    add_covered(&sizes, tiling, height);
    oro_fail(err, ORO_E_USAGE,
             "'%s': %d x %d cells cannot be cut into tiles of %d that share %d: %s can; resample to such a "
             "size before",
             path, width, height, tiling->side, tiling->overlap, sizes.failed ? "other sizes" : sizes.data);
    oro_text_free(&sizes);
    return false;
}

int oro_tile_count(const struct oro_tiling *tiling, int width, int height)
{
    return tiling ? oro_tiling_count(tiling, width) * oro_tiling_count(tiling, height) : 1;
}

struct oro_tile_place oro_tile_at(const struct oro_tiling *tiling, int number, int width, int height)
{
    if (!tiling)
        return (struct oro_tile_place){.width = width, .height = height};
    int columns = oro_tiling_count(tiling, width), rows = oro_tiling_count(tiling, height);
    int x = number % columns, y = number / columns, step = tiling->side - tiling->overlap;
    int across = width - x * step, down = height - y * step;
    return (struct oro_tile_place){.x = x,
                                   .y = tiling->y_north ? rows - 1 - y : y,
                                   .column = x * step,
                                   .row = y * step,
                                   .width = tiling->side < across ? tiling->side : across,
                                   .height = tiling->side < down ? tiling->side : down};
}

/* The folder and the name of a path, without extension. */
static int stem_length(const char *path)
{
    size_t length = strlen(path), extension = strlen(oro_path_extension(path));
    return (int)(extension ? length - extension - 1 : length);
}

static void add_name(struct oro_text *text, const char *pattern, const char *stem, int stem_size,
                     const char *suffix, const struct oro_tile_place *tile)
{
    for (const char *c = pattern; *c;) {
        if (strncmp(c, "{n}", 3) == 0)
            oro_text_addf(text, "%.*s%s", stem_size, stem, suffix);
        else if (strncmp(c, "{x}", 3) == 0)
            oro_text_addf(text, "%d", tile->x);
        else if (strncmp(c, "{y}", 3) == 0)
            oro_text_addf(text, "%d", tile->y);
        else {
            oro_text_add_bytes(text, c++, 1);
            continue;
        }
        c += 3;
    }
}

char *oro_tile_path(const struct oro_tiling *tiling, const struct oro_tile_place *tile, const char *path,
                    const char *suffix, const char *extension)
{
    struct oro_text text = {0};
    const char *name = oro_path_name(path);
    int folder = (int)(name - path), stem = stem_length(path) - folder;
    oro_text_add_bytes(&text, path, (size_t)folder);
    if (tiling)
        add_name(&text, name_of(tiling), name, stem, suffix, tile);
    else
        oro_text_addf(&text, "%.*s%s", stem, name, suffix);
    oro_text_addf(&text, ".%s", extension);
    return oro_text_take(&text);
}

char *oro_tiles_manifest_path(const char *path)
{
    return oro_text_of("%.*s.tiles.json", stem_length(path), path);
}
