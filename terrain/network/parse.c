/* The literal form of networks: "x y, x y 1200; x y 900 50, ...". */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "terrain/network/network.h"

enum { VERTICES_MAX = 4096, NUMBERS_MAX = 4, NUMBER_LENGTH = 40 };

static const char blanks[] = " \t\r\n";

/* Beyond this lies no terrain, and floats get coarse. */
static const double farthest = 1e9;

struct parser {
    const char *at;
    struct oro_network_builder builder;
    uint32_t line[VERTICES_MAX];
    size_t line_count; /* vertices of the line so far */
};

static bool wrong_number(const char *text, size_t length, struct oro_error *err)
{
    return oro_fail(err, ORO_E_DOCUMENT,
                    "'%.*s' is not a number of metres within 1e9; write a network as \"x y, x y elevation; x "
                    "y, ...\": lines parted by ';', their vertices by ','",
                    (int)(length > NUMBER_LENGTH ? NUMBER_LENGTH : length), text);
}

/* Reads numbers up to the next ',' or ';'. Returns how many, or -1. */
static int take_numbers(struct parser *p, float numbers[NUMBERS_MAX], struct oro_error *err)
{
    int count = 0;
    for (;;) {
        p->at += strspn(p->at, blanks);
        size_t length = strcspn(p->at, " \t\r\n,;");
        if (length == 0)
            return count;
        char text[NUMBER_LENGTH + 1];
        double value = 0;
        memcpy(text, p->at, length > NUMBER_LENGTH ? 0 : length);
        text[length > NUMBER_LENGTH ? 0 : length] = '\0';
        if (!oro_parse_number(text, &value) || fabs(value) > farthest) {
            wrong_number(p->at, length, err);
            return -1;
        }
        if (count == NUMBERS_MAX) {
            oro_fail(err, ORO_E_DOCUMENT,
                     "vertex %zu of the network has more than 4 numbers: it takes x, y, elevation, width; "
                     "part vertices by ',' and lines by ';'",
                     p->builder.vertex_count + 1);
            return -1;
        }
        numbers[count++] = (float)value;
        p->at += length;
    }
}

/* A vertex of `count` numbers, or nothing where a line is empty. */
static bool take_vertex(struct parser *p, const float *numbers, int count, struct oro_error *err)
{
    size_t number = p->builder.vertex_count + 1;
    if (count == 0 && p->line_count == 0 && *p->at != ',')
        return true;
    if (count < 2)
        return oro_fail(err, ORO_E_DOCUMENT, "vertex %zu of the network %s: it takes x and y, in metres",
                        number, count == 0 ? "is missing" : "has one number");
    if (number > VERTICES_MAX || p->line_count == VERTICES_MAX) /* numbers stand still once memory is out */
        return oro_fail(err, ORO_E_DOCUMENT,
                        "a network written in a graph has up to %d vertices: read a larger one from a file",
                        VERTICES_MAX);
    struct oro_vertex vertex = oro_vertex_at(numbers[0], numbers[1]);
    if (count > 2)
        vertex.elevation = numbers[2];
    if (count > 3)
        vertex.width = numbers[3];
    if (vertex.width < 0)
        return oro_fail(err, ORO_E_DOCUMENT, "vertex %zu of the network has the width %g m: take 0 or more",
                        number, (double)vertex.width);
    p->line[p->line_count++] = oro_network_add_vertex(&p->builder, vertex);
    return true;
}

static void end_line(struct parser *p)
{
    if (p->line_count == 1)
        p->line[p->line_count++] = p->line[0];
    oro_network_add_line(&p->builder, p->line, p->line_count);
    p->line_count = 0;
}

static bool parse(struct parser *p, struct oro_error *err)
{
    for (;;) {
        float numbers[NUMBERS_MAX];
        int count = take_numbers(p, numbers, err);
        if (count < 0 || !take_vertex(p, numbers, count, err))
            return false;
        if (*p->at != ',')
            end_line(p);
        if (*p->at == '\0')
            return true;
        p->at++;
    }
}

struct oro_network *oro_network_parse(const char *text, struct oro_error *err)
{
    struct parser parser = {.at = text ? text : ""};
    bool ok = parse(&parser, err);
    oro_network_join(&parser.builder);
    struct oro_network *network = oro_network_finish(&parser.builder, ok ? err : NULL);
    if (!ok) {
        oro_free(network);
        return NULL;
    }
    return network;
}
