#include "terrain/processor/run.h"

#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "terrain/processor/vector.h"

/* ---- Names ---- */

static void *missed(struct oro_run *run, const char *name)
{
    if (!run->missing)
        run->missing = name;
    return NULL;
}

void *oro_run_optional(const struct oro_run *run, const char *slot)
{
    for (const struct oro_run_buffer *buffer = run->buffers; buffer->name; buffer++)
        if (strcmp(buffer->name, slot) == 0)
            return buffer->data;
    return NULL;
}

void *oro_run_buffer(struct oro_run *run, const char *slot)
{
    void *data = oro_run_optional(run, slot);
    return data ? data : missed(run, slot);
}

float oro_run_number(struct oro_run *run, const char *name)
{
    for (const struct oro_run_number *number = run->numbers; number->name; number++)
        if (strcmp(number->name, name) == 0)
            return number->value;
    missed(run, name);
    return 0;
}

static const struct oro_run_input *input_of(struct oro_run *run, const char *name)
{
    for (const struct oro_run_input *input = run->inputs; input->name; input++)
        if (strcmp(input->name, name) == 0)
            return input;
    return missed(run, name);
}

const void *oro_run_literal(struct oro_run *run, const char *name)
{
    const struct oro_run_input *input = input_of(run, name);
    return input && input->literal ? input->literal : missed(run, name);
}

float oro_run_float(struct oro_run *run, const char *input)
{
    float value = 0;
    const void *literal = oro_run_literal(run, input);
    if (literal)
        memcpy(&value, literal, sizeof value);
    return value;
}

int oro_run_int(struct oro_run *run, const char *input)
{
    int value = 0;
    const void *literal = oro_run_literal(run, input);
    if (literal)
        memcpy(&value, literal, sizeof value);
    return value;
}

bool oro_run_flag(struct oro_run *run, const char *input)
{
    const void *literal = oro_run_literal(run, input);
    return literal && *(const bool *)literal;
}

bool oro_run_linked(struct oro_run *run, const char *name)
{
    const struct oro_run_input *input = input_of(run, name);
    return input && input->linked;
}

int oro_run_defined(const struct oro_run *run, const char *word)
{
    static const char define[] = "#define ";
    size_t length = strlen(word);
    for (const char *at = run->defines; at && (at = strstr(at, define));) {
        at += sizeof define - 1;
        if (strncmp(at, word, length) == 0 && (at[length] == ' ' || at[length] == '\n'))
            return (int)strtol(at + length, NULL, 10);
    }
    return 0;
}

bool oro_run_ready(const struct oro_run *run)
{
    return !run->missing;
}

/* ---- Maps ---- */

struct oro_map oro_run_map(struct oro_run *run, const char *name)
{
    const struct oro_run_input *input = input_of(run, name);
    const struct oro_run_grid *grid = run->inputs_on_grid ? &run->grid : &run->source;
    struct oro_map map = {.width = grid->width, .height = grid->height};
    if (!input)
        return map;
    map.min = input->min;
    map.max = input->max;
    map.values = input->values ? input->values : oro_run_optional(run, name);
    if (!map.values && input->literal)
        memcpy(&map.number, input->literal, sizeof map.number);
    return map;
}

static bool is_clamped(const struct oro_map *map)
{
    return map->min < map->max;
}

/* As GLSL's clamp. */
static float brought_into(float value, float min, float max)
{
    float most = value > min ? value : min;
    return most < max ? most : max;
}

float oro_map_at(const struct oro_map *map, int x, int y)
{
    if (!map->values)
        return map->number;
    size_t row = (size_t)oro_within(y, map->height) * (size_t)map->width;
    float value = map->values[row + (size_t)oro_within(x, map->width)];
    return is_clamped(map) ? brought_into(value, map->min, map->max) : value;
}

const float *oro_map_row(const struct oro_map *map, int x, int y, int count, float *scratch)
{
    if (!map->values) {
        for (int i = 0; i < count; i++)
            scratch[i] = map->number;
        return scratch;
    }
    const float *row = map->values + (size_t)oro_within(y, map->height) * (size_t)map->width;
    bool inside = x >= 0 && x + count <= map->width;
    if (inside && !is_clamped(map))
        return row + x;
    int first = oro_within(-x, count + 1), end = oro_within(map->width - x, count + 1);
    for (int i = 0; i < first; i++)
        scratch[i] = row[0];
    if (first < end)
        memcpy(scratch + first, row + x + first, (size_t)(end - first) * sizeof *row);
    for (int i = end; i < count; i++)
        scratch[i] = row[map->width - 1];
    for (int i = 0; is_clamped(map) && i < count; i++)
        scratch[i] = brought_into(scratch[i], map->min, map->max);
    return scratch;
}

bool oro_map_is(const struct oro_map *map, float number)
{
    return !map->values && map->number == number;
}

/* ---- Outputs ---- */

struct oro_setter oro_run_setter(struct oro_run *run, const char *output)
{
    struct oro_setter setter = {.width = run->grid.width};
    size_t length = strlen(output);
    for (const struct oro_run_buffer *buffer = run->buffers; buffer->name; buffer++)
        if (strncmp(buffer->name, output, length) == 0 && strcmp(buffer->name + length, "_out") == 0)
            setter.out = buffer->data;
    if (!setter.out)
        missed(run, output);
    setter.blends = run->blended && strcmp(run->blended, output) == 0;
    if (setter.blends) {
        setter.before = oro_run_map(run, run->blended_with);
        setter.by = oro_run_map(run, run->blended_by);
        setter.blends = !oro_map_is(&setter.by, 1);
    }
    return setter;
}

void oro_set_row(const struct oro_setter *setter, int x, int y, int count, const float *values)
{
    float *out = setter->out + (size_t)y * (size_t)setter->width + x;
    if (!setter->blends) {
        memmove(out, values, (size_t)count * sizeof *out);
        return;
    }
    for (int first = 0; first < count; first += ORO_TILE_WIDTH) {
        float scratch[2][ORO_TILE_WIDTH];
        int part = count - first < ORO_TILE_WIDTH ? count - first : ORO_TILE_WIDTH;
        const float *before = oro_map_row(&setter->before, x + first, y, part, scratch[0]);
        const float *by = oro_map_row(&setter->by, x + first, y, part, scratch[1]);
        for (int i = 0; i < part; i++)
            out[first + i] = before[i] * (1 - by[i]) + values[first + i] * by[i];
    }
}

/* ---- Pieces ---- */

struct pieces {
    const struct oro_run_grid *grid;
    int width, columns; /* of a tile; tiles in a row */
    size_t first;       /* tile of this piece of the work */
    void (*body)(const void *user, const struct oro_tile *tile);
    const void *user;
};

static void run_pieces(void *data, size_t first, size_t end)
{
    const struct pieces *pieces = data;
    for (size_t i = pieces->first + first; i < pieces->first + end; i++) {
        struct oro_tile tile = {.x = (int)(i % (size_t)pieces->columns) * pieces->width,
                                .y = (int)(i / (size_t)pieces->columns) * ORO_TILE_HEIGHT};
        int right = pieces->grid->width - tile.x, below = pieces->grid->height - tile.y;
        tile.width = right < pieces->width ? right : pieces->width;
        tile.height = below < ORO_TILE_HEIGHT ? below : ORO_TILE_HEIGHT;
        pieces->body(pieces->user, &tile);
    }
}

static void run_tiles(struct oro_run *run, int width,
                      void (*body)(const void *user, const struct oro_tile *tile), const void *user)
{
    enum { CELLS_AT_ONCE = 1 << 22, CELLS_A_THREAD = 1 << 13 };
    struct pieces pieces = {.grid = &run->grid, .width = width, .body = body, .user = user};
    pieces.columns = (run->grid.width - 1) / width + 1;
    int rows = (run->grid.height - 1) / ORO_TILE_HEIGHT + 1;
    size_t count = (size_t)rows * (size_t)pieces.columns, tile = (size_t)width * ORO_TILE_HEIGHT;
    size_t at_once = CELLS_AT_ONCE / tile + 1, least = CELLS_A_THREAD / tile + 1;
    for (; pieces.first < count && !(run->stop && run->stop(run->user)); pieces.first += at_once) {
        size_t left = count - pieces.first;
        oro_parallel(left < at_once ? left : at_once, least, run_pieces, &pieces);
    }
}

void oro_run_tiles(struct oro_run *run, void (*body)(const void *user, const struct oro_tile *tile),
                   const void *user)
{
    run_tiles(run, ORO_TILE_WIDTH, body, user);
}

void oro_run_rows(struct oro_run *run, void (*body)(const void *user, const struct oro_tile *tile),
                  const void *user)
{
    run_tiles(run, run->grid.width, body, user);
}
