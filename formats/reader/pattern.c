#include "formats/reader/pattern.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <jansson.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/walls.h"
#include "formats/checks.h"
#include "formats/sidecar/json_memory.h"

/* Overlaps of 1 to 63 cells are looked for, each a bit of a set; and so many pairs of tiles are looked at, as
 * level ones do not tell. */
enum { OVERLAP_MAX = 63, PAIRS_MAX = 32 };
/* Where nothing is shared, heights may jump so many times as far as within a tile. */
#define EDGE_STEPS 4
#define ANY_OVERLAP (~(uint64_t)1)

struct tile {
    int x, y;
    char *name;
};

struct pattern {
    const char *path;
    const struct oro_read_options *options;
    struct tile *tiles; /* by y, then by x */
    size_t count, room;
    int columns, rows, side;
    int overlap;
    bool y_north;
    const char *because; /* what tells them */
    bool sure;
};

/* ---- Names ---- */

static const char *take_number(const char *name, int *number)
{
    char *end = NULL;
    if (!oro_is_digit(*name))
        return NULL;
    long value = strtol(name, &end, 10);
    *number = (int)value;
    return end - name <= 9 ? end : NULL;
}

static bool matches(const char *pattern, const char *name, struct tile *tile)
{
    while (*pattern && name) {
        bool x = strncmp(pattern, "{x}", 3) == 0;
        if (x || strncmp(pattern, "{y}", 3) == 0) {
            name = take_number(name, x ? &tile->x : &tile->y);
            pattern += 3;
        } else if (*pattern++ != *name++) {
            return false;
        }
    }
    return name && !*name;
}

static bool add_tile(struct pattern *pattern, struct tile tile, const char *name)
{
    bool fits = oro_reserve(&pattern->tiles, &pattern->room, pattern->count + 1, sizeof *pattern->tiles);
    tile.name = fits ? oro_copy_text(name) : NULL;
    if (tile.name)
        pattern->tiles[pattern->count++] = tile;
    return tile.name != NULL;
}

static void free_tiles(struct pattern *pattern)
{
    for (size_t i = 0; i < pattern->count; i++)
        oro_free(pattern->tiles[i].name);
    oro_free(pattern->tiles);
}

static DIR *open_folder(const char *path, struct oro_error *err)
{
    char *folder = oro_path_beside(path, ".");
    int file = folder ? oro_walls_open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, false) : -1;
    DIR *entries = file >= 0 ? fdopendir(file) : NULL;
    if (!folder)
        oro_fail(err, ORO_E_MEMORY, "no memory for a path");
    else if (!entries)
        oro_fail(err, ORO_E_FILE, "cannot read the folder of '%s': %s", path, strerror(errno));
    if (file >= 0 && !entries)
        close(file);
    oro_free(folder);
    return entries;
}

static bool list_tiles(struct pattern *pattern, struct oro_error *err)
{
    const char *name = oro_path_name(pattern->path);
    struct oro_tiling as_tiling = {.side = 2, .name = name};
    if (!oro_tiling_check(&as_tiling, err))
        return false;
    DIR *entries = open_folder(pattern->path, err);
    bool ok = entries != NULL;
    for (struct dirent *entry; ok && (entry = readdir(entries));) {
        struct tile tile = {0};
        if (!matches(name, entry->d_name, &tile))
            continue;
        ok = pattern->count < ORO_TILES_MOST
                 ? add_tile(pattern, tile, entry->d_name) ||
                       oro_fail(err, ORO_E_MEMORY, "no memory for the tiles of '%s'", pattern->path)
                 : oro_fail(err, ORO_E_FILE, "'%s' names more than %d tiles", pattern->path, ORO_TILES_MOST);
    }
    if (entries)
        closedir(entries);
    return ok && (pattern->count > 0 ||
                  oro_fail(err, ORO_E_FILE, "'%s' names no file that is there", pattern->path));
}

static int by_place(const void *a, const void *b)
{
    const struct tile *one = a, *other = b;
    return one->y != other->y ? (one->y > other->y) - (one->y < other->y)
                              : (one->x > other->x) - (one->x < other->x);
}

/* Puts them in order: a full grid, whose counting may begin anywhere. */
static bool arrange(struct pattern *pattern, struct oro_error *err)
{
    struct tile *tiles = pattern->tiles;
    int west = tiles[0].x, east = west;
    qsort(tiles, pattern->count, sizeof *tiles, by_place);
    for (size_t i = 0; i < pattern->count; i++) {
        west = tiles[i].x < west ? tiles[i].x : west;
        east = tiles[i].x > east ? tiles[i].x : east;
    }
    int first = tiles[0].y, last = tiles[pattern->count - 1].y;
    size_t columns = (size_t)(east - west) + 1, rows = (size_t)(last - first) + 1;
    for (size_t i = 0; i < columns * rows; i++) {
        int x = west + (int)(i % columns), y = first + (int)(i / columns);
        if (i > 0 && i < pattern->count && by_place(&tiles[i - 1], &tiles[i]) == 0)
            return oro_fail(err, ORO_E_FILE, "'%s': '%s' and '%s' are one tile", pattern->path,
                            tiles[i - 1].name, tiles[i].name);
        if (i >= pattern->count || tiles[i].x != x || tiles[i].y != y)
            return oro_fail(err, ORO_E_FILE,
                            "'%s' names %zu tiles, x %d to %d and y %d to %d, of which x %d, y %d is missing",
                            pattern->path, pattern->count, west, east, first, last, x, y);
    }
    pattern->columns = (int)columns;
    pattern->rows = (int)rows;
    return true;
}

/* ---- Edges ---- */

static const struct tile *tile_at(const struct pattern *pattern, int column, int row)
{
    return &pattern->tiles[(size_t)row * (size_t)pattern->columns + (size_t)column];
}

static bool read_tile(const struct pattern *pattern, const struct tile *tile, bool shape_only,
                      struct oro_heightfield *field, struct oro_error *err)
{
    struct oro_read_options options = *pattern->options;
    options.crs = NULL;
    options.window = (struct oro_map_window){0};
    options.max_side = options.fit_width = options.fit_height = 0;
    options.row = NULL;
    options.log = NULL; /* what is to be said is said when the whole is read */
    options.shape_only = shape_only;
    char *path = oro_path_beside(pattern->path, tile->name);
    bool ok = path ? oro_heightfield_read(path, &options, field, err)
                   : oro_fail(err, ORO_E_MEMORY, "no memory for a path");
    oro_free(path);
    if (ok && (field->width != field->height || (pattern->side && field->width != pattern->side)))
        ok = oro_fail(err, ORO_E_FILE, "'%s': tiles are squares of one size, and '%s' has %d x %d cells",
                      pattern->path, tile->name, field->width, field->height);
    return ok;
}

/* Line `i` of cells: a row, or a column, from the north or the west. */
static float cell_of(const struct oro_heightfield *field, bool rows, int i, int along)
{
    return rows ? field->data[(size_t)i * (size_t)field->width + (size_t)along]
                : field->data[(size_t)along * (size_t)field->width + (size_t)i];
}

static bool same_lines(const struct oro_heightfield *a, const struct oro_heightfield *b, bool rows, int count)
{
    int side = a->width;
    for (int i = 0; i < count; i++)
        for (int along = 0; along < side; along++)
            if (cell_of(a, rows, side - count + i, along) != cell_of(b, rows, i, along))
                return false;
    return true;
}

/* How many of the last lines of `a` may be the first of `b`. */
static uint64_t shared(const struct oro_heightfield *a, const struct oro_heightfield *b, bool rows)
{
    uint64_t found = 0;
    for (int count = 1; count <= OVERLAP_MAX && count < a->width; count++)
        if (same_lines(a, b, rows, count))
            found |= (uint64_t)1 << count;
    return found;
}

/* How far heights jump from a line of `a` to one of `b`. */
static double jump(const struct oro_heightfield *a, int i, const struct oro_heightfield *b, int k, bool rows)
{
    double sum = 0;
    for (int along = 0; along < a->width; along++)
        sum += fabs((double)cell_of(a, rows, i, along) - (double)cell_of(b, rows, k, along));
    return sum;
}

/* What pairs of neighbours tell: of columns; of rows if y goes south, or north. */
enum { ACROSS, DOWN, UP, EDGES };
struct edge {
    uint64_t overlaps; /* that are possible */
    double jump;       /* between the edges */
    double steps;      /* between the last lines of the same tiles, where there is no edge */
};

static void compare(const struct oro_heightfield *a, const struct oro_heightfield *b, bool rows,
                    struct edge *edge)
{
    int last = a->width - 1, before = last > 0 ? last - 1 : 0;
    edge->overlaps &= shared(a, b, rows);
    edge->jump += jump(a, last, b, 0, rows);
    edge->steps += jump(a, before, a, last, rows);
}

static bool look_at(const struct pattern *pattern, int column, int row, bool rows, struct edge *edges,
                    struct oro_error *err)
{
    struct oro_heightfield a = {0}, b = {0};
    const struct tile *next = tile_at(pattern, column + !rows, row + rows);
    bool ok = read_tile(pattern, tile_at(pattern, column, row), false, &a, err) &&
              read_tile(pattern, next, false, &b, err);
    if (ok)
        compare(&a, &b, rows, &edges[rows ? DOWN : ACROSS]);
    if (ok && rows)
        compare(&b, &a, true, &edges[UP]);
    oro_heightfield_free(&a);
    oro_heightfield_free(&b);
    return ok;
}

/* Whether at most one overlap is left. */
static bool decided(uint64_t set)
{
    return (set & (set - 1)) == 0;
}

static bool look_at_edges(const struct pattern *pattern, struct edge *edges, struct oro_error *err)
{
    bool ok = true;
    int across = pattern->columns - 1, down = pattern->rows - 1;
    for (int i = 0; ok && i < across * pattern->rows && i < PAIRS_MAX && !decided(edges[ACROSS].overlaps);
         i++)
        ok = look_at(pattern, i % across, i / across, false, edges, err);
    for (int i = 0; ok && i < down * pattern->columns && i < PAIRS_MAX &&
                    (!decided(edges[DOWN].overlaps) || !decided(edges[UP].overlaps));
         i++)
        ok = look_at(pattern, i / down, i % down, true, edges, err);
    return ok;
}

static bool find_overlap(struct pattern *pattern, struct oro_error *err)
{
    struct edge edges[EDGES] = {{ANY_OVERLAP, 0, 0}, {ANY_OVERLAP, 0, 0}, {ANY_OVERLAP, 0, 0}};
    if (!look_at_edges(pattern, edges, err))
        return false;
    const struct edge *across = &edges[ACROSS], *down = &edges[DOWN], *up = &edges[UP];
    bool goes_down = down->overlaps & across->overlaps, goes_up = up->overlaps & across->overlaps;
    pattern->y_north = pattern->rows > 1 && (goes_down != goes_up ? goes_up : up->jump < down->jump);
    const struct edge *rows = pattern->y_north ? up : down;
    uint64_t set = across->overlaps & rows->overlaps;
    /* Level edges fit anyhow: tiles of 2^n + 1 share a line. */
    bool alone = pattern->rows == 1 && pattern->columns == 1, level = !decided(set);
    pattern->overlap = alone ? 0 : level ? pattern->side % 2 : set ? __builtin_ctzll(set) : 0;
    bool fits = pattern->overlap > 0 ||
                (across->jump <= EDGE_STEPS * across->steps && rows->jump <= EDGE_STEPS * rows->steps);
    level = level || (pattern->rows > 1 && up->jump == down->jump);
    pattern->sure = alone || (fits && !level);
    pattern->because =
        pattern->sure ? "as their edges tell"
        : !fits       ? "but heights jump between them: these are no tiles of one terrain, or not all of them"
                      : "which is assumed, as level edges do not tell";
    return true;
}

/* ---- The manifest ---- */

static json_t *files_of(const struct pattern *pattern)
{
    json_t *files = json_array();
    int step = pattern->side - pattern->overlap;
    for (int row = 0; row < pattern->rows; row++)
        for (int column = 0; column < pattern->columns; column++) {
            const struct tile *tile =
                tile_at(pattern, column, pattern->y_north ? pattern->rows - 1 - row : row);
            json_array_append_new(files,
                                  json_pack("{s:s, s:i, s:i, s:i, s:i}", "file", tile->name, "x", tile->x,
                                            "y", tile->y, "column", column * step, "row", row * step));
        }
    return files;
}

/* `first` is the tile in the north-west: it tells where all lie. */
static json_t *describe(const struct pattern *pattern, const struct oro_heightfield *first)
{
    const struct oro_read_options *options = pattern->options;
    int step = pattern->side - pattern->overlap;
    json_t *root = json_pack("{s:i, s:i}", "width", pattern->overlap + pattern->columns * step, "height",
                             pattern->overlap + pattern->rows * step);
    if (first->cell > 0)
        json_object_set_new(root, "cell_size", json_real(first->cell));
    if (first->place.crs) {
        json_object_set_new(root, "crs", json_string(first->place.crs));
        json_object_set_new(root, "west", json_real(first->place.west));
        json_object_set_new(root, "north", json_real(first->place.north));
    }
    if (options->has_range && !options->range_assumed) {
        json_object_set_new(root, "low", json_real(options->low));
        json_object_set_new(root, "high", json_real(options->high));
    }
    if (options->big_endian)
        json_object_set_new(root, "endianness", json_string("big"));
    json_object_set_new(root, "tiles",
                        json_pack("{s:i, s:i, s:i, s:i, s:o}", "side", pattern->side, "overlap",
                                  pattern->overlap, "columns", pattern->columns, "rows", pattern->rows,
                                  "files", files_of(pattern)));
    return root;
}

static void note(const struct pattern *pattern)
{
    char text[40];
    snprintf(text, sizeof text, pattern->overlap ? "neighbours share %d" : "neighbours share none",
             pattern->overlap);
    oro_note(pattern->options->log, pattern->sure ? ORO_NOTICE : ORO_WARNING,
             "'%s': %d x %d tiles of %d cells a side; %s and y counts from the %s, %s", pattern->path,
             pattern->columns, pattern->rows, pattern->side, text, pattern->y_north ? "south" : "north",
             pattern->because);
}

static bool find_tiles(struct pattern *pattern, struct oro_error *err)
{
    struct oro_heightfield first = {0};
    bool ok = list_tiles(pattern, err) && arrange(pattern, err) &&
              read_tile(pattern, tile_at(pattern, 0, 0), true, &first, err);
    pattern->side = first.width;
    int64_t most =
        (int64_t)(pattern->columns > pattern->rows ? pattern->columns : pattern->rows) * first.width;
    oro_heightfield_free(&first);
    return ok &&
           (most <= 2 * (int64_t)ORO_HEIGHTFIELD_SIDE_MAX ||
            oro_fail(err, ORO_E_FILE, "'%s' has %d x %d tiles of %d cells: at most %d a side are read",
                     pattern->path, pattern->columns, pattern->rows, pattern->side,
                     ORO_HEIGHTFIELD_SIDE_MAX)) &&
           find_overlap(pattern, err);
}

/* Whether each can be read, which is found out anyhow by whoever reads the whole. */
static bool check_tiles(const struct pattern *pattern, struct oro_error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < pattern->count; i++) {
        struct oro_heightfield tile = {0};
        ok = read_tile(pattern, &pattern->tiles[i], true, &tile, err);
        oro_heightfield_free(&tile);
    }
    return ok;
}

static json_t *manifest_of(const char *path, const struct oro_read_options *options, bool check,
                           struct oro_error *err)
{
    struct pattern pattern = {.path = path, .options = options};
    struct oro_heightfield first = {0};
    unsigned failures = oro_json_failures();
    json_t *root = NULL;
    if (find_tiles(&pattern, err) && (!check || check_tiles(&pattern, err)) &&
        read_tile(&pattern, tile_at(&pattern, 0, pattern.y_north ? pattern.rows - 1 : 0), true, &first,
                  err)) {
        root = describe(&pattern, &first);
        note(&pattern);
        if (oro_json_failures() != failures) {
            json_decref(root);
            root = NULL;
            oro_fail(err, ORO_E_MEMORY, "no memory for the tiles of '%s'", path);
        }
    }
    oro_heightfield_free(&first);
    free_tiles(&pattern);
    return root;
}

json_t *oro_pattern_manifest(const char *path, const struct oro_read_options *options, struct oro_error *err)
{
    return manifest_of(path, options, false, err);
}

/* "alps.tiles.json" beside "alps_x{x}_y{y}.png". */
static char *manifest_path(const char *path)
{
    const char *name = oro_path_name(path);
    size_t folder = (size_t)(name - path), length = strcspn(name, "{");
    if (length > 0 && strchr("xXyY", name[length - 1]))
        length--;
    while (length > 0 && strchr("_-. ", name[length - 1]))
        length--;
    return oro_text_of("%.*s%.*s.tiles.json", (int)folder, path, length ? (int)length : 5,
                       length ? name : "tiles");
}

static bool check_manifest_path(const char *path, const char *asked, const char *manifest,
                                struct oro_error *err)
{
    char *here = oro_path_beside(path, "."), *there = oro_path_beside(manifest, ".");
    bool same = here && there && oro_path_same(here, there);
    oro_free(here);
    oro_free(there);
    if (!same || !oro_is_tiles(manifest))
        return oro_fail(err, ORO_E_USAGE, "'%s': a manifest is a .json in the folder of its tiles", manifest);
    return asked || oro_stamp_of(manifest).inode == 0 ||
           oro_fail(err, ORO_E_WRITE, "'%s' is there already: -o %s replaces it", manifest, manifest);
}

bool oro_pattern_write(const char *path, const char *manifest, const struct oro_read_options *options,
                       char **written, struct oro_error *err)
{
    *written = manifest ? oro_copy_text(manifest) : manifest_path(path);
    if (!*written)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a path");
    json_t *root =
        check_manifest_path(path, manifest, *written, err) ? manifest_of(path, options, true, err) : NULL;
    char *text = root ? json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15)) : NULL;
    bool ok = root && (text || oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", *written)) &&
              oro_file_write(*written, text, strlen(text), err);
    free(text); /* jansson's */
    json_decref(root);
    return ok;
}

bool oro_pattern_visit(const char *path, bool (*visit)(void *user, const char *path), void *user)
{
    struct pattern pattern = {.path = path};
    bool ok = true;
    list_tiles(&pattern, NULL);
    if (pattern.count)
        qsort(pattern.tiles, pattern.count, sizeof *pattern.tiles, by_place);
    for (size_t i = 0; ok && i < pattern.count; i++) {
        char *tile = oro_path_beside(path, pattern.tiles[i].name);
        ok = tile && visit(user, tile);
        oro_free(tile);
    }
    free_tiles(&pattern);
    return ok;
}

/* ---- A tile's own name ---- */

/* The digits behind "x" or "y" where a word begins: "_x12". NULL: there are none. */
static const char *digits_of(const char *name, char axis)
{
    for (const char *at = name; *at; at++) {
        bool begins = at == name || !((at[-1] | 32) >= 'a' && (at[-1] | 32) <= 'z');
        if (begins && (*at | 32) == axis && oro_is_digit(at[1]))
            return at + 1;
    }
    return NULL;
}

char *oro_pattern_of(const char *path)
{
    const char *name = oro_path_name(path), *x = digits_of(name, 'x'), *y = digits_of(name, 'y');
    struct oro_text text = {0};
    if (!x || !y)
        return NULL;
    for (const char *at = path; *at;) {
        if (at != x && at != y) {
            oro_text_add_bytes(&text, at++, 1);
            continue;
        }
        oro_text_add(&text, at == x ? "{x}" : "{y}");
        at += strspn(at, "0123456789");
    }
    return oro_text_take(&text);
}
