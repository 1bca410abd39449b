/*
 * Gabor noise: a complex field, summed up of kernels on a lattice (gles_shaders/lib/gabor.glsl). Instead of
 * looking for the kernels around every cell, the kernels are gone through for every row: each is added to the
 * cells that it reaches, in the same order.
 *
 * Places in a lattice are whole numbers, in 2^-24 of a lattice cell, modulo 2^32: differences are exact.
 */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_GABOR_H
#define ORO_TERRAIN_PROCESSOR_LIB_GABOR_H

#include <math.h>
#include <string.h>

#include "terrain/processor/lib/hash.h"
#include "terrain/processor/run.h"

enum { ORO_GABOR_REACH = 2, ORO_GABOR_MARGIN = 5, ORO_GABOR_SPAN = 2 * ORO_GABOR_REACH + 1 };
/* Rows are worked on in pieces of this many cells. */
enum { ORO_GABOR_PIECE = 16 };
#define ORO_GABOR_SHARPNESS (1.0F / (ORO_GABOR_REACH * ORO_GABOR_REACH))
#define ORO_GABOR_TURN 6.28318530718F
#define ORO_GABOR_UNIT (1 / 16777216.0F)

/* A row of the table `lattices`. */
struct oro_gabor_lattice {
    uint32_t start[2], scale;
    float spacing;
    int32_t size[2], corner[2], first;
    float wave, pitch;
    uint32_t seed;
};

struct oro_gabor_kernels {
    const struct oro_gabor_lattice *lattices;
    float *places, *phases; /* 4 and 2 numbers for each kernel */
    bool mixed;
};

ORO_INLINE struct oro_gabor_kernels oro_gabor_of(struct oro_run *run)
{
    return (struct oro_gabor_kernels){oro_run_buffer(run, "lattices"), oro_run_buffer(run, "places"),
                                      oro_run_buffer(run, "phases"),
                                      oro_run_defined(run, "GABOR_MIXED") == 1};
}

/* oro_source_index of kernels: what lies beyond the edges is as they are. */
ORO_INLINE size_t oro_source_index(const struct oro_run_grid *source, int x, int y)
{
    int column = oro_within(x, source->width);
    int row = oro_within(y, source->height);
    return (size_t)row * (size_t)source->width + (size_t)column;
}

/* A place of the lattice in 2^-32 of its cells; that of a cell of the raster. */
ORO_INLINE int64_t oro_gabor_place(const struct oro_gabor_lattice *lattice, int axis, int p)
{
    return (int64_t)p * lattice->scale + lattice->start[axis];
}

/* A complex value with its derivatives east and south, per cell of the raster. */
struct oro_gabor_field {
    float re, im, east_re, east_im, south_re, south_im;
};
/* The same for a row of a tile, with room for a piece behind it. */
enum { ORO_GABOR_ROW = ORO_TILE_WIDTH + ORO_GABOR_PIECE };
struct oro_gabor_row {
    float re[ORO_GABOR_ROW], im[ORO_GABOR_ROW];
    float east_re[ORO_GABOR_ROW], east_im[ORO_GABOR_ROW], south_re[ORO_GABOR_ROW], south_im[ORO_GABOR_ROW];
};

/* What the kernels of a lattice have in common. */
struct oro_gabor_scale {
    float narrower; /* than the widest kernel: by the square of a wave number; 0: all are alike */
    float finer;    /* lattice cells for each cell of the raster */
};

ORO_INLINE struct oro_gabor_scale oro_gabor_scale(const struct oro_gabor_kernels *g,
                                                  const struct oro_gabor_lattice *lattice)
{
    return (struct oro_gabor_scale){g->mixed ? 1 / (lattice->wave * lattice->wave) : 0, 1 / lattice->spacing};
}

/* A kernel, for places at the same distance south of it. */
struct oro_gabor_wave {
    float sharpness, room, weight; /* room: what the distance south leaves of the envelope's 1 */
    float fall, south;             /* fall: how steeply the envelope falls */
    float east_wave, south_wave;   /* radians for each cell of the raster */
    float quarters, turned;        /* quarters of a turn: for each lattice cell, and already */
};

/* A kernel by its numbers in `places` and `phases`, `south` lattice cells south of it. */
ORO_INLINE struct oro_gabor_wave oro_gabor_wave_of(const float *place, const float *phase,
                                                   struct oro_gabor_scale scale, float south)
{
    float wave_x = place[2], wave_y = place[3];
    float narrower = scale.narrower > 0 ? (wave_x * wave_x + wave_y * wave_y) * scale.narrower : 1;
    struct oro_gabor_wave wave = {.sharpness = ORO_GABOR_SHARPNESS * narrower,
                                  .weight = phase[1],
                                  .fall = -8 * ORO_GABOR_SHARPNESS * narrower * scale.finer,
                                  .south = south,
                                  .east_wave = wave_x * scale.finer,
                                  .south_wave = wave_y * scale.finer,
                                  .quarters = wave_x * 0.636619772F,
                                  .turned = (wave_y * south + phase[0]) * 0.636619772F};
    wave.room = 1 - wave.sharpness * (south * south);
    return wave;
}

/* What a kernel adds at a distance east of it, in lattice cells. */
ORO_INLINE struct oro_gabor_field oro_gabor_wave(const struct oro_gabor_wave *k, float east, bool slopes)
{
    const float rounder = 12582912.0F; /* 1.5 * 2^23: floats of this size are whole numbers */
    float inside = oro_max(k->room - k->sharpness * (east * east), 0);
    float weight = k->weight * inside * inside * inside, envelope = weight * inside;
    float quarters = k->quarters * east + k->turned, shifted = quarters + rounder;
    struct oro_turn turn =
        oro_turn_from((quarters - (shifted - rounder)) * 1.57079632679F, oro_bits(shifted));
    struct oro_gabor_field add = {.re = envelope * turn.cosine, .im = envelope * turn.sine};
    if (slopes) {
        float fall = k->fall * weight, re = fall * turn.cosine, im = fall * turn.sine;
        add.east_re = east * re - k->east_wave * add.im;
        add.east_im = east * im + k->east_wave * add.re;
        add.south_re = k->south * re - k->south_wave * add.im;
        add.south_im = k->south * im + k->south_wave * add.re;
    }
    return add;
}

/* A kernel's place in 2^-24 of lattice cells; `cell`: of the lattice, its margin included. */
ORO_INLINE uint32_t oro_gabor_centre(int cell, float jitter)
{
    return ((uint32_t)(cell - ORO_GABOR_MARGIN) << 24) + (uint32_t)(int32_t)(jitter * 16777216.0F);
}

ORO_INLINE float oro_gabor_between(uint32_t from, uint32_t to)
{
    return (float)(int32_t)(to - from) * ORO_GABOR_UNIT;
}

/* Adds a kernel to a piece of a row; `x`: the places of its cells. */
ORO_INLINE void oro_gabor_add(struct oro_gabor_wave wave, uint32_t centre, const uint32_t *restrict x,
                              int first, bool slopes, struct oro_gabor_row *restrict row)
{
#pragma omp simd
    for (int i = first; i < first + ORO_GABOR_PIECE; i++) {
        struct oro_gabor_field add = oro_gabor_wave(&wave, oro_gabor_between(centre, x[i]), slopes);
        row->re[i] += add.re;
        row->im[i] += add.im;
        if (slopes) {
            row->east_re[i] += add.east_re;
            row->east_im[i] += add.east_im;
            row->south_re[i] += add.south_re;
            row->south_im[i] += add.south_im;
        }
    }
}

/* Kernels in a row of the lattice. */
enum { ORO_GABOR_WAVES = ORO_TILE_WIDTH + ORO_GABOR_SPAN + 1 };
struct oro_gabor_waves {
    struct oro_gabor_wave waves[ORO_GABOR_WAVES];
    uint32_t centres[ORO_GABOR_WAVES];
    int first[ORO_GABOR_WAVES], end[ORO_GABOR_WAVES]; /* columns of the tile that they reach */
};

/* Finds out which cells of a row the kernels of a row of the lattice reach. */
ORO_INLINE void oro_gabor_reach(const struct oro_gabor_kernels *g, const struct oro_gabor_lattice *lattice,
                                int left, int j, int count, uint32_t west, uint32_t north, int width,
                                struct oro_gabor_waves *waves)
{
    int number = lattice->first + j * lattice->size[0] + left;
    size_t index = (size_t)number;
    const float *places = g->places + 4 * index, *phases = g->phases + 2 * index;
    struct oro_gabor_scale scale = oro_gabor_scale(g, lattice);
    float spacing = lattice->spacing;
#pragma omp simd
    for (int i = 0; i < count; i++) {
        float south = oro_gabor_between(oro_gabor_centre(j, places[4 * i + 1]), north);
        struct oro_gabor_wave wave = oro_gabor_wave_of(places + 4 * i, phases + 2 * i, scale, south);
        uint32_t centre = oro_gabor_centre(left + i, places[4 * i]);
        float middle = oro_gabor_between(west, centre) * spacing;
        float reach = sqrtf(oro_max(wave.room, 0) / wave.sharpness) * spacing + 1;
        bool there = (wave.room > 0) & (wave.weight != 0);
        waves->waves[i] = wave;
        waves->centres[i] = centre;
        waves->first[i] = (int)oro_clamp(middle - reach, 0, ORO_TILE_WIDTH);
        waves->end[i] = there ? (int)oro_clamp(middle + reach + 1, 0, (float)width) : 0;
    }
}

/* Adds the kernels of one lattice to a row of a tile. */
ORO_INLINE void oro_gabor_lattice_row(const struct oro_gabor_kernels *g,
                                      const struct oro_gabor_lattice *lattice, const struct oro_tile *tile,
                                      int y, bool slopes, struct oro_gabor_row *row)
{
    uint32_t x[ORO_GABOR_ROW];
    struct oro_gabor_waves waves;
    uint64_t west = (uint64_t)oro_gabor_place(lattice, 0, tile->x), scale = lattice->scale;
#pragma omp simd
    for (int i = 0; i < ORO_GABOR_ROW; i++)
        x[i] = (uint32_t)((west + (uint32_t)i * scale) >> 8);
    int64_t north = oro_gabor_place(lattice, 1, y),
            east = oro_gabor_place(lattice, 0, tile->x + tile->width - 1);
    int top = (int)(north >> 32) + ORO_GABOR_MARGIN - ORO_GABOR_REACH;
    int left = (int)(west >> 32) + ORO_GABOR_MARGIN - ORO_GABOR_REACH;
    int count = (int)(east >> 32) - (int)(west >> 32) + ORO_GABOR_SPAN;
    for (int j = top; j < top + ORO_GABOR_SPAN; j++) {
        oro_gabor_reach(g, lattice, left, j, count, x[0], (uint32_t)((uint64_t)north >> 8), tile->width,
                        &waves);
        for (int i = 0; i < count; i++)
            for (int first = waves.first[i]; first < waves.end[i]; first += ORO_GABOR_PIECE)
                oro_gabor_add(waves.waves[i], waves.centres[i], x, first, slopes, row);
    }
}

/* The sum over all lattices of a level along a row of a tile; `each` lattices make up one. */
ORO_INLINE void oro_gabor_level_row(const struct oro_gabor_kernels *g, int level, int each,
                                    const struct oro_tile *tile, int y, bool slopes,
                                    struct oro_gabor_row *row)
{
    *row = (struct oro_gabor_row){0};
    for (int i = level * each; i < (level + 1) * each; i++)
        if (g->lattices[i].size[0] > 0)
            oro_gabor_lattice_row(g, &g->lattices[i], tile, y, slopes, row);
}

#endif
