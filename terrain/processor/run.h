/*
 * What a kernel's code for the processor is given: what the kernel's preamble declares, by the same names.
 *
 * A file terrain/processor/FOLDER/NAME.c that has ORO_PROCESSOR(FOLDER, NAME) is the code for the kernel
 * gles_shaders/FOLDER/NAME.comp. The build finds it (cmake/processor.cmake), and the engine runs it wherever
 * the device's memory is the processor's; no node knows of it. Kernel and code check each other in
 * tests/processor.
 *
 * The same bits come out on every processor and for any number of threads: powers come from vector.h instead
 * of a library, nothing is contracted, and every sum has an order that does not depend on how the work is
 * cut.
 */
#ifndef ORO_TERRAIN_PROCESSOR_RUN_H
#define ORO_TERRAIN_PROCESSOR_RUN_H

#include <stdbool.h>
#include <stddef.h>

/* `grid` and `source` of the kernel. */
struct oro_run_grid {
    int width, height;
    float x, y, cell;
};

/* A slot of the dispatch: rasters by rows, or whatever the kernel keeps there. */
struct oro_run_buffer {
    const char *name;
    void *data;
};

/* An input of the node. */
struct oro_run_input {
    const char *name;
    const void *literal; /* as in the params struct (graph/type/node.h); NULL: the input has none */
    const float *values; /* of the raster that is linked to a map; NULL: the literal counts */
    float min, max;      /* range that the values of a map are brought into; both 0: they are as they are */
    bool linked;         /* HAS_NAME */
};

/* `pass.NAME` of the kernel. */
struct oro_run_number {
    const char *name;
    float value;
};

struct oro_run {
    struct oro_run_grid grid, source;
    bool inputs_on_grid; /* NAME_at reads inputs and maps over `grid`; else over `source`, as all else */
    const struct oro_run_buffer *buffers; /* each list ends with an entry that has no name */
    const struct oro_run_input *inputs;
    const struct oro_run_number *numbers;
    const char *defines; /* or NULL */
    /* What the outputs that are terrains are blended with, and the map that says how far (set_terrain of the
     * kernel). NULL: they are not blended. */
    const char *blended, *blended_with, *blended_by;
    bool (*stop)(void *user); /* asked between pieces of work: true ends the run; or NULL */
    void *user;
    /* Results: a name that was asked for and does not exist, with which the run has failed; or that memory
     * was out. */
    const char *missing;
    bool no_memory;
};

/* The code of a kernel. It asks for everything first, and gives up if oro_run_ready says so. */
typedef void oro_processor_code(struct oro_run *run);
#define ORO_PROCESSOR(folder, name) void oro_processor_##folder##_##name(struct oro_run *run)

/* The code for a kernel file, "mask/slope.comp"; NULL: it has none. */
oro_processor_code *oro_processor_find(const char *kernel);
/* A digest of the source text of all such code, as words: what results depend on. */
extern const char oro_processor_digest[];

/* ---- What the kernel has by a name ---- */

/* The buffer of a slot. */
void *oro_run_buffer(struct oro_run *run, const char *slot);
/* The same for a slot that need not exist: then NULL. */
void *oro_run_optional(const struct oro_run *run, const char *slot);
float oro_run_number(struct oro_run *run, const char *name); /* pass.NAME */
float oro_run_float(struct oro_run *run, const char *input); /* params.NAME, likewise below */
int oro_run_int(struct oro_run *run, const char *input);     /* also a choice's word, and a seed */
bool oro_run_flag(struct oro_run *run, const char *input);
/* Any literal, as it lies in the params struct. */
const void *oro_run_literal(struct oro_run *run, const char *input);
bool oro_run_linked(struct oro_run *run, const char *input); /* HAS_NAME */
/* The number that the dispatch defines for a word: 0 if it defines none. */
int oro_run_defined(const struct oro_run *run, const char *word);
/* Whether all was found. Otherwise the code returns at once: buffers may be NULL. */
bool oro_run_ready(const struct oro_run *run);

/* ---- Maps: NAME_at ---- */

struct oro_map {
    const float *values; /* NULL: `number` everywhere */
    float number, min, max;
    int width, height; /* of the raster; beyond its edges its values go on */
};
struct oro_map oro_run_map(struct oro_run *run, const char *input);
float oro_map_at(const struct oro_map *map, int x, int y);
/* The values of `count` cells of row y, from column x on: where they are, or made in `scratch`. */
const float *oro_map_row(const struct oro_map *map, int x, int y, int count, float *scratch);
/* Whether the map is this number everywhere. */
bool oro_map_is(const struct oro_map *map, float number);

/* ---- Outputs: set_NAME ---- */

struct oro_setter {
    float *out;
    int width; /* of the output */
    struct oro_map before, by;
    bool blends;
};
struct oro_setter oro_run_setter(struct oro_run *run, const char *output);
/* Sets `count` cells of row y, from column x on; `values` may lie in the output itself. */
void oro_set_row(const struct oro_setter *setter, int x, int y, int count, const float *values);

/* ---- Work in pieces ---- */

/* A piece of the grid. */
struct oro_tile {
    int x, y, width, height;
};
enum { ORO_TILE_WIDTH = 128, ORO_TILE_HEIGHT = 32 };
/* Calls `body` for all tiles of the grid, on all processors. What it computes must not depend on the tiles.
 */
void oro_run_tiles(struct oro_run *run, void (*body)(const void *user, const struct oro_tile *tile),
                   const void *user);
/* The same for tiles that are whole rows, up to ORO_TILE_HEIGHT of them. */
void oro_run_rows(struct oro_run *run, void (*body)(const void *user, const struct oro_tile *tile),
                  const void *user);

#endif
