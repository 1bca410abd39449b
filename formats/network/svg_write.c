#include <math.h>

#include "base/file.h"
#include "formats/network/network_private.h"

/* Where the lines lie. */
struct bounds {
    double west, north, east, south;
};

static bool find_bounds(const struct oro_vector_lines *lines, struct bounds *bounds, struct oro_error *err)
{
    *bounds = (struct bounds){INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < lines->count; i++) {
        struct oro_vector_line line;
        if (!lines->line(lines->user, i, &line, err))
            return false;
        for (size_t k = 0; k < line.count; k++) {
            const struct oro_vertex *v = oro_vector_vertex(&line, k);
            bounds->west = fmin(bounds->west, (double)v->x);
            bounds->east = fmax(bounds->east, (double)v->x);
            bounds->north = fmin(bounds->north, (double)v->y);
            bounds->south = fmax(bounds->south, (double)v->y);
        }
    }
    if (lines->count == 0)
        *bounds = (struct bounds){0, 0, 1, 1};
    return true;
}

static void put_number(FILE *stream, const char *before, double value)
{
    char text[ORO_NUMBER_SIZE];
    fprintf(stream, "%s%s", before, oro_format_number(value, text));
}

static void put_line(FILE *stream, const struct oro_vector_line *line, double stroke)
{
    const struct oro_vertex *v = oro_vector_vertex(line, 0);
    if (line->point) {
        put_number(stream, "<circle cx=\"", (double)v->x);
        put_number(stream, "\" cy=\"", (double)v->y);
        put_number(stream, "\" r=\"", stroke);
    } else {
        fputs("<polyline points=\"", stream);
        for (size_t i = 0; i < line->count; i++) {
            v = oro_vector_vertex(line, i);
            put_number(stream, i ? " " : "", (double)v->x);
            put_number(stream, ",", (double)v->y);
        }
        if (line->numbers[ORO_VECTOR_WIDTH] > 0)
            put_number(stream, "\" stroke-width=\"", line->numbers[ORO_VECTOR_WIDTH]);
    }
    /* JSON of ours has no apostrophes. */
    fputs("\"", stream);
    if (line->known)
        fprintf(stream, " data-count=\"%zu\" data-vertices='%s'", line->point ? 1 : line->count, line->known);
    fputs("/>\n", stream);
}

bool oro_svg_write(const char *path, const struct oro_vector_lines *lines, struct oro_error *err)
{
    struct oro_file_output output;
    struct bounds bounds;
    if (!find_bounds(lines, &bounds, err) || !oro_file_begin(&output, path, err))
        return false;
    double width = bounds.east - bounds.west, height = bounds.south - bounds.north;
    double stroke = fmax(fmax(width, height), 1) / 500;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"",
          output.stream);
    put_number(output.stream, " viewBox=\"", bounds.west);
    put_number(output.stream, " ", bounds.north);
    put_number(output.stream, " ", fmax(width, stroke));
    put_number(output.stream, " ", fmax(height, stroke));
    fputs("\" fill=\"none\" stroke=\"#246\" stroke-linejoin=\"round\"", output.stream);
    put_number(output.stream, " stroke-width=\"", stroke);
    fputs("\">\n", output.stream);
    bool ok = true;
    for (size_t i = 0; ok && i < lines->count; i++) {
        struct oro_vector_line line;
        ok = lines->line(lines->user, i, &line, err);
        if (ok)
            put_line(output.stream, &line, stroke);
    }
    if (ok) {
        fputs("</svg>\n", output.stream);
        return oro_file_commit(&output, err);
    }
    oro_file_abort(&output);
    return false;
}
