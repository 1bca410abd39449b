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

struct oro_gabor {
    const struct oro_gabor_lattice *lattices;
    float *places, *phases; /* 4 and 2 numbers for each kernel */
    bool mixed;
};

ORO_INLINE struct oro_gabor oro_gabor_of(struct oro_run *run)
{
    return (struct oro_gabor){oro_run_buffer(run, "lattices"), oro_run_buffer(run, "places"),
                              oro_run_buffer(run, "phases"), oro_run_defined(run, "GABOR_MIXED") == 1};
}

/* oro_source_index of kernels: what lies beyond the edges is as they are. */
ORO_INLINE size_t oro_source_index(const struct oro_run_grid *source, int x, int y)
{
    int column = x < 0 ? 0 : x >= source->width ? source->width - 1 : x;
    int row = y < 0 ? 0 : y >= source->height ? source->height - 1 : y;
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
struct oro_gabor_row {
    float re[ORO_TILE_WIDTH], im[ORO_TILE_WIDTH];
    float east_re[ORO_TILE_WIDTH], east_im[ORO_TILE_WIDTH], south_re[ORO_TILE_WIDTH],
        south_im[ORO_TILE_WIDTH];
};

/* A kernel, for places at the same distance south of it. */
struct oro_gabor_wave {
    float sharpness, room, weight; /* room: what the distance south leaves of the envelope's 1 */
    float south, east_wave, south_wave, quarters, turned; /* quarters of a turn: per lattice cell, and here */
    float spacing;
};

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
        float fall = -8 * k->sharpness / k->spacing * weight; /* of the envelope; times the distance */
        float re = fall * turn.cosine, im = fall * turn.sine;
        add.east_re = east * re - k->east_wave * add.im;
        add.east_im = east * im + k->east_wave * add.re;
        add.south_re = k->south * re - k->south_wave * add.im;
        add.south_im = k->south * im + k->south_wave * add.re;
    }
    return add;
}

/* The kernel at an index, `south` lattice cells south of it. */
ORO_INLINE struct oro_gabor_wave oro_gabor_wave_of(const struct oro_gabor *g,
                                                   const struct oro_gabor_lattice *lattice, size_t index,
                                                   float south)
{
    const float *place = g->places + 4 * index, *phase = g->phases + 2 * index;
    float squared = (place[2] * place[2] + place[3] * place[3]) / (lattice->wave * lattice->wave);
    struct oro_gabor_wave wave = {.sharpness = ORO_GABOR_SHARPNESS * (g->mixed ? squared : 1),
                                  .weight = phase[1],
                                  .south = south,
                                  .east_wave = place[2] / lattice->spacing,
                                  .south_wave = place[3] / lattice->spacing,
                                  .quarters = place[2] * 0.636619772F,
                                  .turned = (place[3] * south + phase[0]) * 0.636619772F,
                                  .spacing = lattice->spacing};
    wave.room = 1 - wave.sharpness * (south * south);
    return wave;
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

/* Adds the kernels of one lattice to a row of a tile. */
ORO_INLINE void oro_gabor_lattice_row(const struct oro_gabor *g, const struct oro_gabor_lattice *lattice,
                                      const struct oro_tile *tile, int y, bool slopes,
                                      struct oro_gabor_row *row)
{
    uint32_t x[ORO_TILE_WIDTH];
    uint64_t west = (uint64_t)oro_gabor_place(lattice, 0, tile->x), scale = lattice->scale;
#pragma omp simd
    for (int i = 0; i < ORO_TILE_WIDTH; i++)
        x[i] = (uint32_t)((west + (uint32_t)i * scale) >> 8);
    int64_t place = oro_gabor_place(lattice, 1, y),
            east = oro_gabor_place(lattice, 0, tile->x + tile->width - 1);
    int top = (int)(place >> 32) + ORO_GABOR_MARGIN - ORO_GABOR_REACH;
    int left = (int)(west >> 32) + ORO_GABOR_MARGIN - ORO_GABOR_REACH;
    int right = (int)(east >> 32) + ORO_GABOR_MARGIN + ORO_GABOR_REACH;
    for (int j = top; j < top + ORO_GABOR_SPAN; j++)
        for (int i = left; i <= right; i++) {
            size_t index = (size_t)(lattice->first + j * lattice->size[0] + i);
            const float *jitter = g->places + 4 * index;
            if (g->phases[2 * index + 1] == 0)
                continue;
            float south = oro_gabor_between(oro_gabor_centre(j, jitter[1]), (uint32_t)((uint64_t)place >> 8));
            struct oro_gabor_wave wave = oro_gabor_wave_of(g, lattice, index, south);
            if (!(wave.room > 0))
                continue;
            uint32_t centre = oro_gabor_centre(i, jitter[0]);
            float middle = oro_gabor_between(x[0], centre) * lattice->spacing;
            float reach = sqrtf(wave.room / wave.sharpness) * lattice->spacing + 1;
            int first = (int)oro_clamp(middle - reach, 0, ORO_TILE_WIDTH) & -ORO_GABOR_PIECE;
            int end = (int)oro_clamp(middle + reach + 1, 0, (float)tile->width);
            for (int piece = first; piece < end; piece += ORO_GABOR_PIECE)
                oro_gabor_add(wave, centre, x, piece, slopes, row);
        }
}

/* The sum over all lattices of a level along a row of a tile; `each` lattices make up one. */
ORO_INLINE void oro_gabor_level_row(const struct oro_gabor *g, int level, int each,
                                    const struct oro_tile *tile, int y, bool slopes,
                                    struct oro_gabor_row *row)
{
    *row = (struct oro_gabor_row){0};
    for (int i = level * each; i < (level + 1) * each; i++)
        if (g->lattices[i].size[0] > 0)
            oro_gabor_lattice_row(g, &g->lattices[i], tile, y, slopes, row);
}

/* Adds the kernels of one lattice around a place that may lie anywhere: in a cell of the raster, and
 * `beyond_x`, `beyond_y` cells from its centre. */
ORO_INLINE void oro_gabor_lattice_at(const struct oro_gabor *g, const struct oro_gabor_lattice *lattice,
                                     int x, int y, float beyond_x, float beyond_y,
                                     struct oro_gabor_field *field)
{
    enum { AROUND = ORO_GABOR_SPAN * ORO_GABOR_SPAN, MOST = AROUND + 7 };
    struct oro_gabor_wave waves[MOST];
    struct oro_gabor_field add[MOST];
    float at[2], east[MOST];
    int cell[2];
    for (int axis = 0; axis < 2; axis++) {
        int64_t place = oro_gabor_place(lattice, axis, axis == 0 ? x : y);
        float beyond = (axis == 0 ? beyond_x : beyond_y) / lattice->spacing;
        at[axis] = oro_hash_unit((uint32_t)place) + beyond;
        float whole = oro_floor(at[axis]);
        int first = (int)(place >> 32) + (int)whole + ORO_GABOR_MARGIN - ORO_GABOR_REACH;
        int last = lattice->size[axis] - ORO_GABOR_SPAN;
        cell[axis] = first < 0 ? 0 : first > last ? last : first; /* beyond the margin there is nothing */
        at[axis] += (float)(first - cell[axis] + ORO_GABOR_REACH) - whole;
    }
    for (int k = 0; k < AROUND; k++) {
        int j = k / ORO_GABOR_SPAN, i = k % ORO_GABOR_SPAN;
        size_t index = (size_t)(lattice->first + (cell[1] + j) * lattice->size[0] + cell[0] + i);
        waves[k] = oro_gabor_wave_of(g, lattice, index, at[1] - ((float)j + g->places[4 * index + 1]));
        east[k] = at[0] - ((float)i + g->places[4 * index]);
    }
    for (int k = 0; k < AROUND; k++)
        add[k] = oro_gabor_wave(&waves[k], east[k], true);
    for (int k = 0; k < AROUND; k++) {
        field->re += add[k].re;
        field->im += add[k].im;
        field->east_re += add[k].east_re;
        field->east_im += add[k].east_im;
        field->south_re += add[k].south_re;
        field->south_im += add[k].south_im;
    }
}

#endif
