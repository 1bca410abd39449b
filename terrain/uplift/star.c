/* Making a star-shaped primitive: its curves out of control points, and whether they make sense. */
#include <math.h>

#include "base/memory.h"
#include "terrain/uplift/star_private.h"

/* Curves are compared as polylines of so many segments a piece. */
enum { SEGMENTS = 16, LINE_MAX = ORO_STAR_POINTS_MAX * SEGMENTS + 1 };

/* The curves under construction; control points relative to `origin`, near which floats are exact. */
struct star {
    double origin[2];
    struct oro_piece skeleton[ORO_STAR_POINTS_MAX], boundary[ORO_STAR_POINTS_MAX];
    size_t skeleton_count, boundary_count;
};

struct line {
    double points[LINE_MAX][2];
    size_t count; /* a closed line ends with its first point */
};

static struct oro_piece piece_of(const double a[2], const double b[2], const double c[2])
{
    struct oro_piece piece;
    for (int i = 0; i < 2; i++) {
        piece.start[i] = a[i];
        piece.along[i] = 2 * (b[i] - a[i]);
        piece.bend[i] = a[i] - 2 * b[i] + c[i];
    }
    return piece;
}

static void middle(const double a[2], const double b[2], double out[2])
{
    out[0] = 0.5 * (a[0] + b[0]);
    out[1] = 0.5 * (a[1] + b[1]);
}

/* Uniform quadratic B-spline: from midpoint to midpoint of the control polygon, whose points pull. */
static size_t make_closed(const double (*points)[2], size_t count, struct oro_piece *pieces)
{
    for (size_t i = 0; i < count; i++) {
        double from[2], to[2];
        middle(points[(i + count - 1) % count], points[i], from);
        middle(points[i], points[(i + 1) % count], to);
        pieces[i] = piece_of(from, points[i], to);
    }
    return count;
}

/* The same from the first to the last point themselves. */
static size_t make_open(const double (*points)[2], size_t count, struct oro_piece *pieces)
{
    if (count < 3) {
        double half[2];
        middle(points[0], points[count - 1], half);
        pieces[0] = piece_of(points[0], half, points[count - 1]);
        return 1;
    }
    for (size_t i = 1; i + 1 < count; i++) {
        double from[2] = {points[0][0], points[0][1]}, to[2] = {points[count - 1][0], points[count - 1][1]};
        if (i > 1)
            middle(points[i - 1], points[i], from);
        if (i + 2 < count)
            middle(points[i], points[i + 1], to);
        pieces[i - 1] = piece_of(from, points[i], to);
    }
    return count - 2;
}

static void make_line(const struct oro_piece *pieces, size_t count, struct line *line)
{
    line->count = 0;
    for (size_t i = 0; i <= count * SEGMENTS; i++) {
        size_t piece = i < count * SEGMENTS ? i / SEGMENTS : count - 1;
        double at[2], s = (double)(i - piece * SEGMENTS) / SEGMENTS;
        oro_piece_at(&pieces[piece], s, at);
        double *last = line->count > 0 ? line->points[line->count - 1] : NULL;
        if (last && last[0] == at[0] && last[1] == at[1])
            continue;
        line->points[line->count][0] = at[0];
        line->points[line->count++][1] = at[1];
    }
}

/* Twice the area of the triangle a b c: positive to one side of a b. */
static double side(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* Whether c lies between a and b, for points of one straight line. */
static bool between(const double a[2], const double b[2], const double c[2])
{
    return (c[0] - a[0]) * (c[0] - b[0]) <= 0 && (c[1] - a[1]) * (c[1] - b[1]) <= 0;
}

/* Whether segments have a point in common. */
static bool cross(const double a[2], const double b[2], const double c[2], const double d[2])
{
    double s[4] = {side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)};
    if (((s[0] > 0) != (s[1] > 0)) && ((s[2] > 0) != (s[3] > 0)) && s[0] != 0 && s[1] != 0 && s[2] != 0 &&
        s[3] != 0)
        return true;
    return (s[0] == 0 && between(a, b, c)) || (s[1] == 0 && between(a, b, d)) ||
           (s[2] == 0 && between(c, d, a)) || (s[3] == 0 && between(c, d, b));
}

/* Neighbouring segments share a point; they have more in common where the line turns back on itself. */
static bool turns_back(const double a[2], const double b[2], const double c[2])
{
    double forth = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]);
    return side(a, b, c) == 0 && forth < 0;
}

static bool crosses_itself(const struct line *line, double where[2])
{
    size_t segments = line->count - 1;
    for (size_t i = 0; i < segments; i++) {
        const double *a = line->points[i], *b = line->points[i + 1];
        where[0] = b[0];
        where[1] = b[1];
        if (turns_back(a, b, line->points[i + 2 <= segments ? i + 2 : 1]))
            return true;
        for (size_t j = i + 2; j < segments; j++)
            if ((i > 0 || j + 1 < segments) && cross(a, b, line->points[j], line->points[j + 1]))
                return true;
    }
    return false;
}

/* Whether a line encloses a point, by the number of segments to the right of it. */
static bool encloses(const struct line *line, const double p[2])
{
    bool inside = false;
    for (size_t i = 0; i + 1 < line->count; i++) {
        const double *a = line->points[i], *b = line->points[i + 1];
        if ((a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0] + (b[0] - a[0]) * (p[1] - a[1]) / (b[1] - a[1]))
            inside = !inside;
    }
    return inside;
}

static bool leaves(const struct line *skeleton, const struct line *boundary, double where[2])
{
    where[0] = skeleton->points[0][0];
    where[1] = skeleton->points[0][1];
    if (!encloses(boundary, where))
        return true;
    for (size_t i = 0; i + 1 < skeleton->count; i++) {
        const double *a = skeleton->points[i], *b = skeleton->points[i + 1];
        where[0] = b[0];
        where[1] = b[1];
        for (size_t j = 0; j + 1 < boundary->count; j++)
            if (cross(a, b, boundary->points[j], boundary->points[j + 1]))
                return true;
    }
    return false;
}

static bool check_shape(const struct star *star, struct oro_error *err)
{
    struct line boundary, skeleton;
    double where[2];
    make_line(star->boundary, star->boundary_count, &boundary);
    make_line(star->skeleton, star->skeleton_count, &skeleton);
    if (boundary.count < 4)
        return oro_fail(err, ORO_E_EVALUATE, "star: the boundary encloses nothing");
    if (crosses_itself(&boundary, where))
        return oro_fail(err, ORO_E_EVALUATE,
                        "star: the boundary crosses or touches itself near x %.6g, y %.6g",
                        where[0] + star->origin[0], where[1] + star->origin[1]);
    if (leaves(&skeleton, &boundary, where))
        return oro_fail(err, ORO_E_EVALUATE,
                        "star: the skeleton must lie within the boundary, and leaves it near x %.6g, y %.6g",
                        where[0] + star->origin[0], where[1] + star->origin[1]);
    return true;
}

/* Reads control points relative to `origin`. */
static bool read_points(const float (*points)[2], size_t count, const double origin[2], double (*out)[2],
                        struct oro_error *err)
{
    for (size_t i = 0; i < count; i++)
        for (int axis = 0; axis < 2; axis++) {
            double value = (double)points[i][axis];
            if (!(fabs(value) <= ORO_UPLIFT_POSITION_MAX))
                return oro_fail(err, ORO_E_EVALUATE,
                                "star: a point lies more than 100,000 km from the world's corner: at %g",
                                value);
            out[i][axis] = value - origin[axis];
        }
    return true;
}

static bool make_star(const float (*skeleton)[2], size_t skeleton_count, const float (*boundary)[2],
                      size_t boundary_count, struct star *star, struct oro_error *err)
{
    double points[ORO_STAR_POINTS_MAX][2];
    if (skeleton_count < 1 || skeleton_count > ORO_STAR_POINTS_MAX)
        return oro_fail(err, ORO_E_EVALUATE, "star: the skeleton must have 1 to %d points, not %zu",
                        ORO_STAR_POINTS_MAX, skeleton_count);
    if (boundary_count < 3 || boundary_count > ORO_STAR_POINTS_MAX)
        return oro_fail(err, ORO_E_EVALUATE, "star: the boundary must have 3 to %d points, not %zu",
                        ORO_STAR_POINTS_MAX, boundary_count);
    star->origin[0] = (double)skeleton[0][0];
    star->origin[1] = (double)skeleton[0][1];
    if (!read_points(skeleton, skeleton_count, star->origin, points, err))
        return false;
    star->skeleton_count = make_open(points, skeleton_count, star->skeleton);
    if (!read_points(boundary, boundary_count, star->origin, points, err))
        return false;
    star->boundary_count = make_closed(points, boundary_count, star->boundary);
    return check_shape(star, err);
}

static uint32_t *put_pieces(uint32_t *to, const struct oro_piece *pieces, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct oro_piece *p = &pieces[i];
        float floats[ORO_PIECE_FLOATS] = {(float)p->start[0], (float)p->start[1], (float)p->along[0],
                                          (float)p->along[1], (float)p->bend[0],  (float)p->bend[1]};
        memcpy(to, floats, sizeof floats);
        to += ORO_PIECE_FLOATS;
    }
    return to;
}

struct oro_uplift *oro_uplift_star(const float (*skeleton)[2], size_t skeleton_count,
                                   const float (*boundary)[2], size_t boundary_count, float uplift,
                                   struct oro_error *err)
{
    struct star star;
    if (!make_star(skeleton, skeleton_count, boundary, boundary_count, &star, err))
        return NULL;
    struct oro_words head = {.count = 0};
    oro_words_number(&head, (uint32_t)star.skeleton_count);
    oro_words_number(&head, (uint32_t)star.boundary_count);
    oro_words_float(&head, (double)uplift);
    oro_words_float(&head, star.origin[0]);
    oro_words_float(&head, star.origin[1]);
    uint32_t pieces[2 * ORO_STAR_POINTS_MAX * ORO_PIECE_FLOATS];
    uint32_t *end = put_pieces(pieces, star.skeleton, star.skeleton_count);
    end = put_pieces(end, star.boundary, star.boundary_count);
    return oro_uplift_leaf(ORO_OP_STAR, &head, (struct oro_part){pieces, (size_t)(end - pieces)}, err);
}
