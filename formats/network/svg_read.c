/* Points of the drawing are complex numbers, x + iy: curves and maps of the plane are then what books say. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "formats/network/network_private.h"

typedef double complex point;

enum { DEPTH_MAX = 256, SEGMENTS = 16 };

/* z becomes p z + q conj(z) + r: any affine map. */
struct map {
    point p, q, r;
};

struct reader {
    const char *path;
    struct oro_text *text;
    size_t most; /* bytes of it */
    struct {
        struct map map;
        bool hidden;     /* what defines things for use elsewhere is not drawn */
    } levels[DEPTH_MAX]; /* of the element being read and those around it */
    int depth;
    const char *tag, *end;    /* its attributes */
    size_t features, points;  /* `points` of the line being drawn */
    point at, start, control; /* of a path: the pen, where the line began, the last control point */
};

static bool fail(const struct reader *r, const char *what, struct oro_error *err)
{
    return oro_fail(err, ORO_E_FILE, "'%s' is no drawing that is read: %s", r->path, what);
}

/* ---- Attributes ---- */

static const char *skip(const char *at)
{
    return at + strspn(at, " \t\r\n,");
}

/* Numbers as SVG writes them, side by side without blanks. NULL: there are not so many. */
static const char *take_numbers(const char *at, double *values, int count)
{
    static const char digits[] = "0123456789";
    for (int i = 0; i < count; i++) {
        char number[48];
        at = skip(at);
        at += *at == '+';
        size_t length = strspn(at, "-");
        length += strspn(at + length, digits);
        if (at[length] == '.')
            length += 1 + strspn(at + length + 1, digits);
        size_t sign = at[length] && strchr("eE", at[length]) ? 1 + strspn(at + length + 1, "+-") : 0;
        length += sign && oro_is_digit(at[length + sign]) ? sign + strspn(at + length + sign, digits) : 0;
        if (length == 0 || length >= sizeof number)
            return NULL;
        memcpy(number, at, length);
        number[length] = '\0';
        if (!oro_parse_number(number, &values[i]))
            return NULL;
        at += length;
    }
    return at;
}

/* The value of an attribute, up to `*end`. NULL: the element has none. */
static const char *attribute(const struct reader *r, const char *name, const char **end)
{
    for (const char *at = r->tag; at < r->end; at = *end + 1) {
        at += strspn(at, " \t\r\n/");
        const char *quote = at + strcspn(at, "=>");
        if (*quote == '=')
            quote += 1 + strspn(quote + 1, " \t\r\n");
        *end = *quote == '"' || *quote == '\'' ? strchr(quote + 1, *quote) : NULL;
        if (!*end || *end > r->end)
            return NULL;
        size_t length = strcspn(at, " \t\r\n=");
        if (length == strlen(name) && memcmp(at, name, length) == 0)
            return quote + 1;
    }
    return NULL;
}

/* 0 where there is none. */
static double number_of(const struct reader *r, const char *name)
{
    double value = 0;
    const char *end, *at = attribute(r, name, &end);
    return at && take_numbers(at, &value, 1) ? value : 0;
}

/* ---- Maps ---- */

static point mapped(const struct map *map, point z)
{
    return map->p * z + map->q * conj(z) + map->r;
}

static bool map_of(const char *name, const double v[6], int count, struct map *map)
{
    double degree = acos(-1) / 180, y = count == 2 ? v[1] : v[0], t = tan(v[0] * degree) / 2;
    point turn = cexp(I * v[0] * degree), centre = v[1] + I * v[2];
    if (strncmp(name, "matrix", 6) == 0 && count == 6)
        *map = (struct map){(v[0] + v[3] + I * (v[1] - v[2])) / 2, (v[0] - v[3] + I * (v[1] + v[2])) / 2,
                            v[4] + I * v[5]};
    else if (strncmp(name, "translate", 9) == 0 && (count == 1 || count == 2))
        *map = (struct map){1, 0, v[0] + I * v[1]};
    else if (strncmp(name, "scale", 5) == 0 && (count == 1 || count == 2))
        *map = (struct map){(v[0] + y) / 2, (v[0] - y) / 2, 0};
    else if (strncmp(name, "rotate", 6) == 0 && (count == 1 || count == 3))
        *map = (struct map){turn, 0, centre - turn * centre};
    else if (strncmp(name, "skewX", 5) == 0 && count == 1)
        *map = (struct map){1 - I * t, I * t, 0};
    else if (strncmp(name, "skewY", 5) == 0 && count == 1)
        *map = (struct map){1 + I * t, I * t, 0};
    else
        return false;
    return true;
}

static bool take_transform(struct reader *r, struct map *map, struct oro_error *err)
{
    const char *end, *at = attribute(r, "transform", &end);
    for (at = at ? skip(at) : NULL; at && at < end; at = skip(at + 1)) {
        double v[6] = {0};
        int count = 0;
        struct map inner;
        const char *name = at, *next;
        at += strcspn(at, "(\"'");
        for (at += *at == '('; count < 6 && (next = take_numbers(at, &v[count], 1)); count++)
            at = next;
        at = skip(at);
        if (*at != ')' || !map_of(name, v, count, &inner))
            return fail(r, "a transform is none that SVG knows", err);
        *map = (struct map){map->p * inner.p + map->q * conj(inner.q),
                            map->p * inner.q + map->q * conj(inner.p), mapped(map, inner.r)};
    }
    return true;
}

/* ---- Lines ---- */

/* What is next to nothing is 0, and not -0, which SVG does not keep. */
static const char *text_of(double value, char text[ORO_NUMBER_SIZE])
{
    return oro_format_number(fabs(value) < 1e-30 ? 0 : value, text);
}

static void add_point(struct reader *r, point z)
{
    char x[ORO_NUMBER_SIZE], y[ORO_NUMBER_SIZE];
    point there = mapped(&r->levels[r->depth].map, z);
    oro_text_addf(r->text, "%s[%s,%s]", r->points++ ? "," : "", text_of(creal(there), x),
                  text_of(cimag(there), y));
}

static void begin_line(struct reader *r, const char *type, const char *bracket)
{
    oro_text_addf(r->text, "%s{\"type\":\"Feature\",\"geometry\":{\"type\":\"%s\",\"coordinates\":%s",
                  r->features++ ? ",\n" : "", type, bracket);
    r->points = 0;
}

/* With what this program wrote of its vertices, if they are still as many, and without what editors make of
 * quotes. */
static void end_line(struct reader *r, const char *bracket)
{
    static const char quote[] = "&quot;";
    const char *end, *at = attribute(r, "data-vertices", &end);
    oro_text_addf(r->text, "%s},\"properties\":", bracket);
    if (!at || number_of(r, "data-count") != (double)r->points)
        oro_text_add(r->text, "{}");
    else
        for (attribute(r, "data-vertices", &end); at < end;
             at += strncmp(at, quote, sizeof quote - 1) == 0 ? sizeof quote - 1 : 1)
            oro_text_add_bytes(r->text, strncmp(at, quote, sizeof quote - 1) == 0 ? "\"" : at, 1);
    oro_text_add(r->text, "}");
    r->points = 0;
}

static bool add_polyline(struct reader *r, bool closed, struct oro_error *err)
{
    double v[2], first[2] = {0};
    const char *end, *at = attribute(r, "points", &end);
    if (!at || skip(at) >= end)
        return true;
    begin_line(r, "LineString", "[");
    while (skip(at) < end) {
        at = take_numbers(at, v, 2);
        if (!at || at > end)
            return fail(r, "its points are no pairs of numbers", err);
        if (r->points == 0)
            memcpy(first, v, sizeof first);
        add_point(r, v[0] + I * v[1]);
    }
    if (closed)
        add_point(r, first[0] + I * first[1]);
    end_line(r, "]");
    return true;
}

/* ---- Paths ---- */

static void draw(struct reader *r, point to)
{
    if (r->points == 0) {
        begin_line(r, "LineString", "[");
        add_point(r, r->at);
    }
    add_point(r, to);
    r->at = to;
}

static void lift(struct reader *r)
{
    if (r->points > 0)
        end_line(r, "]");
}

static void draw_cubic(struct reader *r, point b, point c, point d)
{
    point a = r->at;
    for (int i = 1; i < SEGMENTS; i++) {
        double t = (double)i / SEGMENTS, s = 1 - t;
        draw(r, s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d);
    }
    draw(r, d);
}

/* SVG 2, appendix B.2.4: the centre of an arc from its ends. v: radii, rotation, large, sweep. */
static void draw_arc(struct reader *r, const double v[5], point to)
{
    point turn = cexp(I * v[2] * acos(-1) / 180), half = (r->at - to) / 2 / turn, middle = (r->at + to) / 2;
    double rx = fabs(v[0]), ry = fabs(v[1]), around = 2 * acos(-1);
    if (rx > 0 && ry > 0 && half != 0) {
        point a = creal(half) / rx + I * cimag(half) / ry; /* where the ellipse is a circle */
        double size = fmax(1, cabs(a)), way = (v[3] != 0) == (v[4] != 0) ? -1 : 1;
        a /= size;
        point centre = -I * way * a / cabs(a) * sqrt(fmax(0, 1 - creal(a * conj(a))));
        double from = carg(a - centre), sweep = carg(-a - centre) - from;
        sweep += v[4] != 0 && sweep < 0 ? around : v[4] == 0 && sweep > 0 ? -around : 0;
        for (int i = 1; i < 2 * SEGMENTS; i++) {
            point z = centre + cexp(I * (from + sweep * i / (2 * SEGMENTS)));
            draw(r, middle + turn * size * (rx * creal(z) + I * ry * cimag(z)));
        }
    }
    draw(r, to);
}

/* `z` are places, `v` the same as numbers. `before` is the command before it. */
static void carry_out(struct reader *r, char command, char before, const double *v, const point *z)
{
    point again = 2 * r->at - r->control, first;
    switch (command) {
    case 'M':
        lift(r);
        r->at = r->start = z[0];
        break;
    case 'S':
    case 'C':
        first = command == 'C' ? z[0] : strchr("CS", before) ? again : r->at;
        z += command == 'C';
        r->control = z[0];
        draw_cubic(r, first, z[0], z[1]);
        break;
    case 'T':
    case 'Q':
        first = command == 'Q' ? z[0] : strchr("QT", before) ? again : r->at;
        z += command == 'Q';
        r->control = first;
        draw_cubic(r, (r->at + 2 * first) / 3, (z[0] + 2 * first) / 3, z[0]);
        break;
    case 'A':
        draw_arc(r, v, v[5] + I * v[6]);
        break;
    case 'Z':
        if (r->points > 0)
            draw(r, r->start);
        lift(r);
        r->at = r->start;
        break;
    default:
        draw(r, command == 'H' ? v[0] + I * cimag(r->at) : command == 'V' ? creal(r->at) + I * v[0] : z[0]);
    }
}

/* The flags of an arc may stand without blanks. */
static const char *take_operands(const char *at, char command, double *v, int count)
{
    if (command != 'A')
        return take_numbers(at, v, count);
    at = take_numbers(at, v, 3);
    for (int i = 3; at && i < 5; i++) {
        at = skip(at);
        v[i] = *at == '1';
        at = *at == '0' || *at == '1' ? at + 1 : NULL;
    }
    return at ? take_numbers(at, v + 5, 2) : NULL;
}

static bool add_path(struct reader *r, struct oro_error *err)
{
    static const char commands[] = "MLHVCSQTAZ", counts[] = "2211644270";
    const char *end, *at = attribute(r, "d", &end);
    char command = 0, before = 0;
    for (at = at ? skip(at) : NULL; at && at < end; at = skip(at)) {
        double v[8] = {0};
        point z[4];
        bool letter = (*at | 32) >= 'a' && (*at | 32) <= 'z';
        command = letter ? *at++ : command == 'M' ? 'L' : command == 'm' ? 'l' : command;
        char plain = (char)(command & ~32);
        const char *known = plain ? strchr(commands, plain) : NULL;
        int count = known ? counts[known - commands] - '0' : 0;
        if (!known || (!letter && count == 0) || (!before && plain != 'M') ||
            !(at = take_operands(at, plain, v, count)) || at > end)
            return fail(r, "a path has commands that SVG does not know", err);
        for (int i = plain == 'A' ? 5 : 0; i < count && command != plain; i++)
            v[i] += (plain == 'A' ? i == 6 : plain == 'V' || i % 2) ? cimag(r->at) : creal(r->at);
        for (int i = 0; i < 4; i++)
            z[i] = v[2 * i] + I * v[2 * i + 1];
        carry_out(r, plain, before, v, z);
        before = plain;
        if (r->text->length > r->most) /* curves are short in a file, and long here */
            break;
    }
    lift(r);
    return true;
}

/* ---- Elements ---- */

static bool add_element(struct reader *r, const char *name, struct oro_error *err)
{
    if (strcmp(name, "path") == 0)
        return add_path(r, err);
    if (strcmp(name, "polyline") == 0 || strcmp(name, "polygon") == 0)
        return add_polyline(r, strcmp(name, "polygon") == 0, err);
    if (strcmp(name, "line") == 0) {
        r->at = number_of(r, "x1") + I * number_of(r, "y1");
        draw(r, number_of(r, "x2") + I * number_of(r, "y2"));
        lift(r);
    } else if (strcmp(name, "circle") == 0) {
        begin_line(r, "Point", "");
        add_point(r, number_of(r, "cx") + I * number_of(r, "cy"));
        end_line(r, "");
    }
    return true;
}

/* Of "<svg:path ...>", "path". */
static bool open_element(struct reader *r, const char *tag, struct oro_error *err)
{
    static const char unseen[] = " defs symbol clipPath mask pattern marker ";
    char name[16], listed[18];
    size_t length = strcspn(tag, " \t\r\n/>");
    const char *colon = memchr(tag, ':', length);
    r->tag = tag + length;
    snprintf(name, sizeof name, "%.*s", (int)(r->tag - (colon ? colon + 1 : tag)), colon ? colon + 1 : tag);
    snprintf(listed, sizeof listed, " %s ", name);
    if (++r->depth == DEPTH_MAX)
        return fail(r, "its elements nest too deep", err);
    r->levels[r->depth] = r->levels[r->depth - 1];
    bool *hidden = &r->levels[r->depth].hidden;
    *hidden = *hidden || strstr(unseen, listed);
    return take_transform(r, &r->levels[r->depth].map, err) && (*hidden || add_element(r, name, err));
}

/* The end of an element's start, whose attributes may have '>' in quotes; NULL: there is none. */
static const char *end_of_tag(const char *at)
{
    for (char quote = 0; *at; at++) {
        if (!quote && *at == '>')
            return at;
        if (quote ? *at == quote : *at == '"' || *at == '\'')
            quote = quote ? 0 : *at;
    }
    return NULL;
}

static bool read_elements(struct reader *r, const char *at, struct oro_error *err)
{
    while ((at = strchr(at, '<'))) {
        const char *mark = strncmp(at, "<!--", 4) == 0        ? "-->"
                           : strncmp(at, "<![CDATA[", 9) == 0 ? "]]>"
                                                              : NULL;
        const char *end = mark ? strstr(at, mark) : end_of_tag(at);
        if (!end)
            return fail(r, "it ends within an element", err);
        r->end = end;
        if (at[1] == '/')
            r->depth -= r->depth > 0;
        else if (at[1] != '!' && at[1] != '?') {
            if (!open_element(r, at + 1, err))
                return false;
            r->depth -= end[-1] == '/';
        }
        at = end;
        if (r->text->failed || r->text->length > r->most)
            return oro_fail(err, r->text->failed ? ORO_E_MEMORY : ORO_E_LIMIT,
                            "'%s' has more lines than are read", r->path);
    }
    return true;
}

bool oro_svg_read(const char *path, size_t most, struct oro_text *text, struct oro_error *err)
{
    void *bytes = NULL;
    size_t size = 0;
    struct reader *r = oro_alloc(1, sizeof *r);
    *text = (struct oro_text){0};
    bool ok = r ? oro_file_read(path, most, &bytes, &size, err)
                : oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
    if (ok) {
        *r = (struct reader){.path = path, .text = text, .most = most, .levels = {{.map.p = 1}}};
        oro_text_add(text, "{\"type\":\"FeatureCollection\",\"features\":[");
        ok = read_elements(r, bytes, err);
        oro_text_add(text, "]}");
        ok = ok && (!text->failed || oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path));
    }
    oro_free(bytes);
    oro_free(r);
    return ok;
}
