#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "formats/network/svg.h"

enum { DEPTH_MAX = 256, SEGMENTS = 16, TAG_MAX = 32 };

/* Of an element and all in it. */
struct level {
    double m[6]; /* x' = m0 x + m2 y + m4, y' = m1 x + m3 y + m5 */
    bool hidden; /* what defines things for use elsewhere is not drawn */
};

struct point {
    double x, y;
};

struct reader {
    const char *path;
    struct oro_text *text;
    struct level levels[DEPTH_MAX];
    int depth;
    const char *tag; /* behind the name of the element being read, up to `end` */
    const char *end;
    size_t features, points; /* of the line being read */
};

static bool fail(const struct reader *r, const char *what, struct oro_error *err)
{
    return oro_fail(err, ORO_E_FILE, "'%s' is no drawing that is read: %s", r->path, what);
}

/* ---- Numbers ---- */

static const char *skip(const char *at)
{
    return at + strspn(at, " \t\r\n,");
}

/* A number as SVG writes them, side by side without blanks. NULL: there is none. */
static const char *take_number(const char *at, double *value)
{
    char number[48];
    at = skip(at);
    size_t length = strspn(at, "+-");
    length += strspn(at + length, "0123456789");
    if (at[length] == '.')
        length += 1 + strspn(at + length + 1, "0123456789");
    if (at[length] == 'e' || at[length] == 'E') {
        size_t sign = strspn(at + length + 1, "+-"), digits = strspn(at + length + 1 + sign, "0123456789");
        length += digits ? 1 + sign + digits : 0;
    }
    if (length == 0 || length >= sizeof number)
        return NULL;
    size_t plus = at[0] == '+'; /* which others do not take */
    memcpy(number, at + plus, length - plus);
    number[length - plus] = '\0';
    return oro_parse_number(number, value) ? at + length : NULL;
}

static const char *take_numbers(const char *at, double *values, int count)
{
    for (int i = 0; at && i < count; i++)
        at = take_number(at, &values[i]);
    return at;
}

/* ---- Attributes ---- */

/* Where its value begins, and how long it is. NULL: the element has none. */
static const char *attribute(const struct reader *r, const char *name, size_t *length)
{
    size_t size = strlen(name);
    for (const char *at = r->tag; at < r->end;) {
        at += strspn(at, " \t\r\n/");
        const char *equals = at + strcspn(at, "=>");
        if (equals >= r->end || *equals != '=')
            return NULL;
        const char *quote = equals + 1 + strspn(equals + 1, " \t\r\n");
        const char *close = *quote == '"' || *quote == '\'' ? strchr(quote + 1, *quote) : NULL;
        if (!close || close > r->end)
            return NULL;
        size_t own = strcspn(at, " \t\r\n=");
        if (own == size && memcmp(at, name, size) == 0) {
            *length = (size_t)(close - quote) - 1;
            return quote + 1;
        }
        at = close + 1;
    }
    return NULL;
}

/* 0 where there is none. */
static double number_of(const struct reader *r, const char *name)
{
    double value = 0;
    size_t length;
    const char *at = attribute(r, name, &length);
    return at && take_number(at, &value) ? value : 0;
}

/* ---- Transforms ---- */

static void multiply(double m[6], const double by[6])
{
    const double a[6] = {m[0], m[1], m[2], m[3], m[4], m[5]};
    m[0] = a[0] * by[0] + a[2] * by[1];
    m[1] = a[1] * by[0] + a[3] * by[1];
    m[2] = a[0] * by[2] + a[2] * by[3];
    m[3] = a[1] * by[2] + a[3] * by[3];
    m[4] = a[0] * by[4] + a[2] * by[5] + a[4];
    m[5] = a[1] * by[4] + a[3] * by[5] + a[5];
}

static void turn(double m[6], const double v[6], int count)
{
    double angle = v[0] * acos(-1) / 180, c = cos(angle), s = sin(angle);
    double x = count == 3 ? v[1] : 0, y = count == 3 ? v[2] : 0;
    multiply(m, (const double[6]){c, s, -s, c, x - c * x + s * y, y - s * x - c * y});
}

static bool apply(double m[6], const char *name, const double v[6], int count)
{
    double degree = acos(-1) / 180;
    if (strncmp(name, "matrix", 6) == 0 && count == 6)
        multiply(m, v);
    else if (strncmp(name, "translate", 9) == 0 && (count == 1 || count == 2))
        multiply(m, (const double[6]){1, 0, 0, 1, v[0], v[1]});
    else if (strncmp(name, "scale", 5) == 0 && (count == 1 || count == 2))
        multiply(m, (const double[6]){v[0], 0, 0, count == 2 ? v[1] : v[0], 0, 0});
    else if (strncmp(name, "rotate", 6) == 0 && (count == 1 || count == 3))
        turn(m, v, count);
    else if (strncmp(name, "skewX", 5) == 0 && count == 1)
        multiply(m, (const double[6]){1, 0, tan(v[0] * degree), 1, 0, 0});
    else if (strncmp(name, "skewY", 5) == 0 && count == 1)
        multiply(m, (const double[6]){1, tan(v[0] * degree), 0, 1, 0, 0});
    else
        return false;
    return true;
}

static bool take_transform(struct reader *r, struct level *level, struct oro_error *err)
{
    size_t length;
    const char *at = attribute(r, "transform", &length), *end = at ? at + length : NULL;
    for (at = at ? skip(at) : NULL; at && at < end; at = skip(at + 1)) {
        double v[6] = {0};
        int count = 0;
        const char *name = at, *next = at + strcspn(at, "(\"'");
        if (*next != '(')
            break;
        for (at = next + 1; count < 6 && (next = take_number(at, &v[count])); count++)
            at = next;
        at = skip(at);
        if (*at != ')' || !apply(level->m, name, v, count))
            return fail(r, "a transform is none that SVG knows", err);
    }
    return true;
}

/* ---- Lines ---- */

/* What is next to nothing is 0, and not -0, which SVG does not keep. */
static const char *text_of(double value, char text[ORO_NUMBER_SIZE])
{
    return oro_format_number(fabs(value) < 1e-30 ? 0 : value, text);
}

static void add_point(struct reader *r, struct point p)
{
    const double *m = r->levels[r->depth].m;
    char x[ORO_NUMBER_SIZE], y[ORO_NUMBER_SIZE];
    oro_text_addf(r->text, "%s[%s,%s]", r->points++ ? "," : "", text_of(m[0] * p.x + m[2] * p.y + m[4], x),
                  text_of(m[1] * p.x + m[3] * p.y + m[5], y));
}

static void begin_line(struct reader *r, const char *type)
{
    oro_text_addf(r->text, "%s{\"type\":\"Feature\",\"geometry\":{\"type\":\"%s\",\"coordinates\":",
                  r->features++ ? ",\n" : "", type);
    r->points = 0;
}

/* Attributes that this program wrote, without what editors make of quotes. */
static void add_properties(struct reader *r)
{
    size_t length;
    const char *value = attribute(r, "data-vertices", &length);
    if (!value || number_of(r, "data-count") != (double)r->points)
        value = "{}", length = 2;
    for (size_t i = 0; i < length; i++)
        if (strncmp(value + i, "&quot;", 6) == 0) {
            oro_text_add(r->text, "\"");
            i += 5;
        } else {
            oro_text_add_bytes(r->text, value + i, 1);
        }
}

static void end_line(struct reader *r, const char *bracket)
{
    oro_text_addf(r->text, "%s},\"properties\":", bracket);
    add_properties(r);
    oro_text_add(r->text, "}");
}

static bool add_polyline(struct reader *r, bool closed, struct oro_error *err)
{
    size_t length;
    struct point p, first = {0, 0};
    const char *at = attribute(r, "points", &length), *end = at ? at + length : NULL;
    if (!at || skip(at) >= end)
        return true;
    begin_line(r, "LineString");
    oro_text_add(r->text, "[");
    while (skip(at) < end) {
        double v[2];
        at = take_numbers(at, v, 2);
        if (!at || at > end)
            return fail(r, "its points are no pairs of numbers", err);
        p = (struct point){v[0], v[1]};
        first = r->points ? first : p;
        add_point(r, p);
    }
    if (closed)
        add_point(r, first);
    end_line(r, "]");
    return true;
}

/* ---- Paths ---- */

struct pen {
    struct reader *reader;
    struct point at, start, control; /* `start` of the subpath; `control` of the last curve */
    char last;                       /* the last command, in capitals */
    bool drawing;
};

static void draw(struct pen *pen, struct point to)
{
    if (!pen->drawing) {
        begin_line(pen->reader, "LineString");
        oro_text_add(pen->reader->text, "[");
        add_point(pen->reader, pen->at);
        pen->drawing = true;
    }
    add_point(pen->reader, to);
    pen->at = to;
}

static void lift(struct pen *pen)
{
    if (pen->drawing)
        end_line(pen->reader, "]");
    pen->drawing = false;
}

static void draw_cubic(struct pen *pen, struct point b, struct point c, struct point d)
{
    struct point a = pen->at;
    for (int i = 1; i <= SEGMENTS; i++) {
        double t = (double)i / SEGMENTS, s = 1 - t;
        double wa = s * s * s, wb = 3 * s * s * t, wc = 3 * s * t * t, wd = t * t * t;
        draw(pen, i == SEGMENTS ? d
                                : (struct point){wa * a.x + wb * b.x + wc * c.x + wd * d.x,
                                                 wa * a.y + wb * b.y + wc * c.y + wd * d.y});
    }
}

static void draw_quadratic(struct pen *pen, struct point b, struct point c)
{
    struct point a = pen->at;
    draw_cubic(pen, (struct point){(a.x + 2 * b.x) / 3, (a.y + 2 * b.y) / 3},
               (struct point){(c.x + 2 * b.x) / 3, (c.y + 2 * b.y) / 3}, c);
}

/* SVG 2, appendix B.2.4: the centre of an arc from its ends. v: radii, rotation, large, sweep, end. */
static void draw_arc(struct pen *pen, const double v[7], struct point to)
{
    double turned = v[2] * acos(-1) / 180, c = cos(turned), s = sin(turned), rx = fabs(v[0]), ry = fabs(v[1]);
    double dx = (pen->at.x - to.x) / 2, dy = (pen->at.y - to.y) / 2;
    double x = c * dx + s * dy, y = c * dy - s * dx;
    if (rx == 0 || ry == 0 || (dx == 0 && dy == 0)) {
        draw(pen, to);
        return;
    }
    double large = sqrt(fmax(1, x * x / (rx * rx) + y * y / (ry * ry)));
    rx *= large;
    ry *= large;
    double below = rx * rx * y * y + ry * ry * x * x;
    double root = sqrt(fmax(0, (rx * rx * ry * ry - below) / below)) * ((v[3] != 0) == (v[4] != 0) ? -1 : 1);
    double cx = root * rx * y / ry, cy = -root * ry * x / rx;
    double from = atan2((y - cy) / ry, (x - cx) / rx), sweep = atan2((-y - cy) / ry, (-x - cx) / rx) - from;
    sweep += v[4] != 0 && sweep < 0 ? 2 * acos(-1) : v[4] == 0 && sweep > 0 ? -2 * acos(-1) : 0;
    double mx = (pen->at.x + to.x) / 2, my = (pen->at.y + to.y) / 2;
    for (int i = 1; i < 2 * SEGMENTS; i++) {
        double angle = from + sweep * i / (2 * SEGMENTS), ax = rx * cos(angle) + cx,
               ay = ry * sin(angle) + cy;
        draw(pen, (struct point){c * ax - s * ay + mx, s * ax + c * ay + my});
    }
    draw(pen, to);
}

/* How many numbers a command takes; -1: there is no such. */
static int operands(char command)
{
    const char *found = strchr("M2L2H1V1C6S4Q4T2A7Z0", command);
    return command && found && (command < '0' || command > '9') ? found[1] - '0' : -1;
}

static struct point mirrored(const struct pen *pen, const char *after)
{
    return strchr(after, pen->last)
               ? (struct point){2 * pen->at.x - pen->control.x, 2 * pen->at.y - pen->control.y}
               : pen->at;
}

/* v: absolute where they are places. */
static void carry_out(struct pen *pen, char command, const double *v)
{
    struct point a = {v[0], v[1]}, b = {v[2], v[3]}, c = {v[4], v[5]};
    switch (command) {
    case 'M':
        lift(pen);
        pen->at = pen->start = a;
        break;
    case 'L':
        draw(pen, a);
        break;
    case 'H':
        draw(pen, (struct point){v[0], pen->at.y});
        break;
    case 'V':
        draw(pen, (struct point){pen->at.x, v[0]});
        break;
    case 'C':
        pen->control = b;
        draw_cubic(pen, a, b, c);
        break;
    case 'S': {
        struct point first = mirrored(pen, "CS");
        pen->control = a;
        draw_cubic(pen, first, a, b);
        break;
    }
    case 'Q':
        pen->control = a;
        draw_quadratic(pen, a, b);
        break;
    case 'T':
        pen->control = mirrored(pen, "QT");
        draw_quadratic(pen, pen->control, a);
        break;
    case 'A':
        draw_arc(pen, v, (struct point){v[5], v[6]});
        break;
    default:
        if (pen->drawing)
            draw(pen, pen->start);
        lift(pen);
        pen->at = pen->start;
    }
    pen->last = command;
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

static void make_absolute(const struct pen *pen, char command, double *v, int count)
{
    for (int i = command == 'A' ? 5 : 0; i < count; i++) {
        bool y = command == 'V' || (command == 'A' ? i == 6 : command != 'H' && i % 2 == 1);
        v[i] += y ? pen->at.y : pen->at.x;
    }
}

static bool add_path(struct reader *r, struct oro_error *err)
{
    size_t length;
    struct pen pen = {.reader = r};
    const char *at = attribute(r, "d", &length), *end = at ? at + length : NULL;
    char command = 0;
    for (at = at ? skip(at) : NULL; at && at < end; at = skip(at)) {
        double v[7] = {0};
        bool letter = (*at | 32) >= 'a' && (*at | 32) <= 'z';
        command = letter ? *at++ : command == 'M' ? 'L' : command == 'm' ? 'l' : command;
        char plain = (char)(command & ~32);
        int count = operands(plain);
        if (count < 0 || (!letter && count == 0) || (pen.last == 0 && plain != 'M') ||
            !(at = take_operands(at, plain, v, count)) || at > end)
            return fail(r, "a path has commands that SVG does not know", err);
        if (command != plain)
            make_absolute(&pen, plain, v, count);
        carry_out(&pen, plain, v);
        if (r->text->failed)
            break;
    }
    lift(&pen);
    return true;
}

/* ---- Elements ---- */

static bool named(const char *tag, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(tag, name, length) == 0;
}

static bool is_one_of(const char *tag, size_t length, const char *const *names)
{
    for (; *names; names++)
        if (named(tag, length, *names))
            return true;
    return false;
}

static bool add_element(struct reader *r, const char *tag, size_t length, struct oro_error *err)
{
    if (named(tag, length, "path"))
        return add_path(r, err);
    if (named(tag, length, "polyline") || named(tag, length, "polygon"))
        return add_polyline(r, named(tag, length, "polygon"), err);
    if (named(tag, length, "line")) {
        begin_line(r, "LineString");
        oro_text_add(r->text, "[");
        add_point(r, (struct point){number_of(r, "x1"), number_of(r, "y1")});
        add_point(r, (struct point){number_of(r, "x2"), number_of(r, "y2")});
        end_line(r, "]");
    } else if (named(tag, length, "circle")) {
        begin_line(r, "Point");
        add_point(r, (struct point){number_of(r, "cx"), number_of(r, "cy")});
        end_line(r, "");
    }
    return true;
}

/* Of "<svg:path ...>", "path". `r->tag` lies behind it. */
static bool open_element(struct reader *r, const char *tag, struct oro_error *err)
{
    static const char *const unseen[] = {"defs", "symbol", "clipPath", "mask", "pattern", "marker", NULL};
    size_t length = strcspn(tag, " \t\r\n/>");
    const char *colon = memchr(tag, ':', length);
    r->tag = tag + length;
    if (colon) {
        length -= (size_t)(colon + 1 - tag);
        tag = colon + 1;
    }
    if (r->depth + 1 == DEPTH_MAX)
        return fail(r, "its elements nest too deep", err);
    struct level *level = &r->levels[++r->depth];
    *level = level[-1];
    level->hidden = level->hidden || is_one_of(tag, length, unseen);
    return take_transform(r, level, err) && (level->hidden || add_element(r, tag, length, err));
}

/* The end of an element's start, whose attributes may have '>' in quotes; NULL: there is none. */
static const char *end_of_tag(const char *at)
{
    for (char quote = 0; *at; at++) {
        if (quote ? *at == quote : *at == '"' || *at == '\'')
            quote = quote ? 0 : *at;
        else if (!quote && *at == '>')
            return at;
    }
    return NULL;
}

static const char *behind(const char *at, const char *mark)
{
    const char *found = strstr(at, mark);
    return found ? found + strlen(mark) : NULL;
}

static bool read_elements(struct reader *r, const char *at, size_t most, struct oro_error *err)
{
    while ((at = strchr(at, '<'))) {
        const char *end;
        if (strncmp(at, "<!--", 4) == 0)
            at = behind(at, "-->");
        else if (strncmp(at, "<![CDATA[", 9) == 0)
            at = behind(at, "]]>");
        else if (!(end = end_of_tag(at)))
            at = NULL;
        else if (at[1] == '!' || at[1] == '?')
            at = end;
        else if (at[1] == '/') {
            r->depth -= r->depth > 0;
            at = end;
        } else {
            r->end = end;
            if (!open_element(r, at + 1, err))
                return false;
            r->depth -= end[-1] == '/';
            at = end;
        }
        if (!at)
            return fail(r, "it ends within an element", err);
        if (r->text->length > most)
            return oro_fail(err, ORO_E_LIMIT, "'%s' has more than %zu MiB of lines", r->path, most >> 20);
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
        *r = (struct reader){.path = path, .text = text, .levels = {{.m = {1, 0, 0, 1, 0, 0}}}};
        oro_text_add(text, "{\"type\":\"FeatureCollection\",\"features\":[");
        ok = read_elements(r, bytes, most, err);
        oro_text_add(text, "]}");
    }
    if (ok && text->failed)
        ok = oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
    oro_free(bytes);
    oro_free(r);
    return ok;
}
