/*
 * What game engines and renderers want of a heightfield: format, size, order of rows, and the figures that
 * their users enter where it is imported. One row of a table for each engine; docs/engines.md tells where to
 * click.
 */
#ifndef ORO_FORMATS_ENGINE_H
#define ORO_FORMATS_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/log.h"
#include "base/text.h"

/* A terrain as the engine is given it. */
struct oro_engine_terrain {
    int width, height;
    double cell;      /* metres; 0: unknown */
    double low, high; /* metres of the least and the largest level; of float files, of the ground */
    bool levels;      /* 16-bit levels, not metres */
};

/* Something to be entered in the engine. */
struct oro_engine_figure {
    const char *key, *label, *unit; /* in sidecars; in words; "" */
    double value;                   /* with no more digits than are needed */
};
enum { ORO_ENGINE_FIGURES = 8 };
struct oro_engine_figures {
    size_t count;
    struct oro_engine_figure items[ORO_ENGINE_FIGURES];
};

struct oro_engine {
    const char *name, *title;      /* "unreal", "Unreal Engine" */
    const char *preset;            /* of oro_size_preset */
    const char *const *extensions; /* lower case, ends with NULL */
    const char *advice;            /* which formats it reads, and why no others */
    bool square;                   /* its terrains are squares */
    bool south_first;              /* files without a header begin in the south */
    bool raw_facts; /* beside a file without a header, NAME.json has its width, height and bits */
    bool packs;     /* weights are channels of one picture, not pictures */
    void (*figures)(const struct oro_engine_terrain *terrain, struct oro_engine_figures *figures);
};

/* Words for documents and options; the first is "none", and the last NULL. */
extern const char *const oro_engine_names[];
/* The engine of an index in them; NULL: none. */
const struct oro_engine *oro_engine_at(int index);

/* The index of a name; 0, none, where it is NULL or there is no such engine. */
int oro_engine_find(const char *name);

/* Whether the engine reads files of that extension. Fails with ORO_E_USAGE and advice. */
bool oro_engine_takes(const struct oro_engine *engine, const char *path, struct oro_error *err);
/* Whether the engine takes that size. Fails with ORO_E_USAGE and names the nearest that it takes. `what` is
 * "tiles of '...'" or the like. */
bool oro_engine_fits(const struct oro_engine *engine, const char *what, int width, int height,
                     struct oro_error *err);
/* The nearest size that the engine takes, of each side. NULL: every size is taken. */
int oro_engine_side(const struct oro_engine *engine, int side);
/* Warns if a terrain of one size that is resampled to another is stretched by more than 1 %: each side has a
 * factor of its own where it goes to the nearest size that the engine takes, or, of no engine (NULL), to one
 * that was asked for. Sides that are rounded to whole cells stretch nothing. */
void oro_engine_note_stretch(const struct oro_engine *engine, const char *path, const int from[2],
                             const int to[2], const struct oro_log *log);

/* In words, added to `text`: "Z scale 390.62500, X/Y scale 991". */
void oro_engine_say(const struct oro_engine_figures *figures, struct oro_text *text);

#endif
