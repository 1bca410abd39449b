/* Maximal Poisson-disc sampling (Ebeida et al. 2012, "A simple algorithm for maximal Poisson-disk sampling in
 * high dimensions"): darts are thrown into the squares of a grid that may still have room, and squares
 * without luck are divided until none is left that is not covered. */
#include <math.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"
#include "terrain/folds/folds.h"

/* A base square's diagonal is the distance: it holds one disc at most. Gaps below 2^-LEVELS of that are not
 * filled. */
enum { SQUARES_MAX = 1 << 20, LEVELS = 24, EMPTY = -1 };

struct square {
    double x, y;   /* corner, from the rectangle's */
    uint32_t base; /* the base square that it is a part of */
};

struct sampling {
    const struct oro_poisson *poisson;
    double size; /* of the active squares */
    uint32_t columns, rows;
    int32_t *disc; /* by base square */
    struct oro_point *points;
    size_t count;
    struct square *active;
    size_t active_count;
    uint32_t random;
};

/* The part of a square that lies in the rectangle. */
static struct oro_point extent_of(const struct sampling *s, const struct square *square)
{
    return (struct oro_point){fmin(s->size, s->poisson->width - square->x),
                              fmin(s->size, s->poisson->height - square->y)};
}

/* Whether all of a box at `corner` is nearer than the distance to one of the discs about a base square. */
static bool is_covered(const struct sampling *s, uint32_t base, struct oro_point corner,
                       struct oro_point extent)
{
    int64_t column = base % s->columns, row = base / s->columns;
    double limit = s->poisson->distance * s->poisson->distance;
    for (int64_t y = row > 2 ? row - 2 : 0; y <= row + 2 && y < s->rows; y++)
        for (int64_t x = column > 2 ? column - 2 : 0; x <= column + 2 && x < s->columns; x++) {
            int32_t disc = s->disc[y * s->columns + x];
            if (disc == EMPTY)
                continue;
            double dx = fabs(s->points[disc].x - corner.x - extent.x / 2) + extent.x / 2;
            double dy = fabs(s->points[disc].y - corner.y - extent.y / 2) + extent.y / 2;
            if (dx * dx + dy * dy < limit)
                return true;
        }
    return false;
}

/* Throws one dart into an active square; the square is used up when the dart sticks. */
static void throw_dart(struct sampling *s)
{
    size_t index = oro_random_below(&s->random, (uint32_t)s->active_count);
    struct square square = s->active[index];
    struct oro_point extent = extent_of(s, &square), at;
    at.x = square.x + extent.x * oro_random_unit(&s->random);
    at.y = square.y + extent.y * oro_random_unit(&s->random);
    if (s->disc[square.base] == EMPTY) {
        if (is_covered(s, square.base, at, (struct oro_point){0}))
            return;
        s->disc[square.base] = (int32_t)s->count;
        s->points[s->count++] = at;
    }
    s->active[index] = s->active[--s->active_count];
}

/* The quarters of the active squares that have room become the active ones. */
static bool divide(struct sampling *s)
{
    void *parts = NULL;
    size_t kept = 0, capacity = 0;
    s->size /= 2;
    for (size_t i = 0; i < s->active_count; i++) {
        struct square square = s->active[i];
        if (s->disc[square.base] != EMPTY)
            continue;
        if (!oro_reserve(&parts, &capacity, kept + 4, sizeof square)) {
            oro_free(parts);
            return false;
        }
        for (int k = 0; k < 4; k++) {
            struct square part = {square.x + (k & 1) * s->size, square.y + (k >> 1) * s->size, square.base};
            if (part.x < s->poisson->width && part.y < s->poisson->height &&
                !is_covered(s, part.base, (struct oro_point){part.x, part.y}, extent_of(s, &part)))
                ((struct square *)parts)[kept++] = part;
        }
    }
    oro_free(s->active);
    s->active = parts;
    s->active_count = kept;
    return true;
}

/* Names the least distance, with a little to spare for squares that reach over the edges; in whole metres,
 * where that is fine enough.
 * */
static bool too_many(const struct oro_poisson *p, struct oro_error *err)
{
    double across = fmax(p->width, p->height) / SQUARES_MAX, area = sqrt(p->width * p->height / SQUARES_MAX);
    double least = 1.01 * sqrt(2) * fmax(across, area);
    char wanted[ORO_NUMBER_SIZE], possible[ORO_NUMBER_SIZE];
    return oro_fail(err, ORO_E_LIMIT, "a distance of %s m would make too many discs; take %s m or more",
                    oro_format_number(p->distance, wanted),
                    oro_format_number(least < 10 ? least : ceil(least), possible));
}

static bool prepare(struct sampling *s, struct oro_error *err)
{
    const struct oro_poisson *p = s->poisson;
    bool sound = p->distance > 0 && p->width > 0 && p->height > 0;
    if (!sound || !isfinite(p->distance) || !isfinite(p->width) || !isfinite(p->height))
        return oro_fail(err, ORO_E_EVALUATE, "discs need a distance and an area above 0");
    s->size = p->distance / sqrt(2);
    double columns = ceil(p->width / s->size), rows = ceil(p->height / s->size);
    if (columns * rows > SQUARES_MAX)
        return too_many(p, err);
    s->columns = (uint32_t)columns;
    s->rows = (uint32_t)rows;
    size_t squares = (size_t)s->columns * s->rows;
    s->disc = oro_alloc(squares, sizeof *s->disc);
    s->points = oro_alloc(squares, sizeof *s->points);
    s->active = oro_alloc(squares, sizeof *s->active);
    if (!s->disc || !s->points || !s->active)
        return oro_fail(err, ORO_E_MEMORY, "no memory for %zu discs", squares);
    for (size_t i = 0; i < squares; i++) {
        s->disc[i] = EMPTY;
        s->active[i] = (struct square){(double)(i % s->columns) * s->size, (double)(i / s->columns) * s->size,
                                       (uint32_t)i};
    }
    s->active_count = squares;
    return true;
}

static bool sample(struct sampling *s, struct oro_error *err)
{
    for (int level = 0; s->active_count > 0 && level < LEVELS; level++) {
        for (size_t darts = s->active_count; darts > 0 && s->active_count > 0; darts--)
            throw_dart(s);
        if (!divide(s))
            return oro_fail(err, ORO_E_MEMORY, "no memory for %zu squares", 4 * s->active_count);
    }
    return true;
}

bool oro_poisson_discs(const struct oro_poisson *poisson, struct oro_point **points, size_t *count,
                       struct oro_error *err)
{
    struct sampling s = {.poisson = poisson, .random = poisson->seed};
    bool ok = prepare(&s, err) && sample(&s, err);
    oro_free(s.disc);
    oro_free(s.active);
    for (size_t i = 0; i < s.count; i++) {
        s.points[i].x += poisson->x;
        s.points[i].y += poisson->y;
    }
    if (!ok)
        oro_free(s.points);
    *points = ok ? s.points : NULL;
    *count = ok ? s.count : 0;
    return ok;
}
