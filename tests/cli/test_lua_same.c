/* Scripts as nodes: they compute the same as nodes that are built in, and the same every time. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/support.h"
#include "tests/support/test.h"

/* ---- As nodes that are built in ---- */

struct size {
    int width;
    double aspect;
    size_t cells;
};
static const struct size sizes[] = {{64, 1, 64 * 64}, {65, 33.0 / 65, 65 * 33}, {1, 1, 1}};
enum { SIZES = sizeof sizes / sizeof sizes[0], TYPES = 4, TEXT_MAX = 8000 };

/* One filter: as a node that is built in, and as scripts of three kinds. */
struct filter {
    const char *types[TYPES];
    const char *output;
    const char *beside; /* what the first one needs to do the same */
};
static const struct filter slope = {{"slope", "slope_kernel", "slope_cell", "slope_field"}, "field", ""};
static const struct filter steps = {
    {"terrace", "steps_kernel", "steps_cell", "steps_field"},
    "terrain",
    "<in name=\"uniformity\" value=\"1\"/><in name=\"roughness\" value=\"0\"/>"};

#define SET(name, value) "<in name=\"" name "\" value=\"" value "\"/>"
#define LINK(name, from) "<in name=\"" name "\" from=\"" from "\"/>"
#define NODE(id, type, inputs) "<node id=\"" id "\" type=\"" type "\">" inputs "</node>\n"

/* Adds to the end. */
static void add(char *text, const char *format, ...) ORO_PRINTF(2, 3);
static void add(char *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(text + strlen(text), TEXT_MAX - strlen(text), format, args);
    va_end(args);
}

/* The nodes 0 to 3 work on a terrain `n`, with the same inputs; each is written to a file. `part` goes beyond
 * 0..1, so that maps must be held to their range; `fine` has another size. */
static void write_document(const struct filter *filter, const struct size *size, const char *inputs)
{
    char text[TEXT_MAX] = HEAD;
    add(text, "<world extent=\"3200\" resolution=\"%d\" aspect=\"%.17g\" seed=\"3\"/>\n", size->width,
        size->aspect);
    add(text, "%s",
        NODE("n", "noise", "") NODE("m", "noise", SET("seed", "5"))
            NODE("part", "remap", LINK("field", "m.field") SET("to_low", "-0.2") SET("to_high", "0.95"))
                NODE("high", "remap", LINK("field", "m.field") SET("to_low", "40") SET("to_high", "400"))
                    NODE("fine", "amplify", LINK("terrain", "part.field") SET("factor", "2")));
    for (int i = 0; i < TYPES; i++)
        add(text,
            "<node id=\"t%d\" type=\"%s\">" LINK("terrain",
                                                 "n.field") "%s%s</node>\n<node id=\"e%d\" type=\"export\">"
                                                            "<in name=\"terrain\" from=\"t%d.%s\"/><in "
                                                            "name=\"file\" value=\"%d.r32\"/></node>\n",
            i, filter->types[i], inputs, i == 0 ? filter->beside : "", i, i, filter->output, i);
    add(text, TAIL);
    write_file("d.oro", text);
}

static float range_of(const float *values, size_t cells)
{
    float low = values[0], high = values[0];
    for (size_t i = 1; i < cells; i++) {
        low = fminf(low, values[i]);
        high = fmaxf(high, values[i]);
    }
    return high - low;
}

static void agree(const struct filter *filter, const struct size *size, const char *inputs)
{
    char name[8] = "0.r32";
    size_t length;
    write_document(filter, size, inputs);
    expect(DONE, "rm -f ?.r32; OROGRAPH_PATH='%s' \"$OROGRAPH\" render d.oro", ORO_TEST_SCRIPTS);
    float *wanted = read_floats(name, &length);
    assert_int_equal(length, size->cells);
    double range = fmax((double)range_of(wanted, length), size->cells == 1 ? 1000 : 1e-3);
    for (name[0] = '1'; name[0] < '0' + TYPES; name[0]++) {
        float *found = read_floats(name, &length);
        assert_int_equal(length, size->cells);
        for (size_t i = 0; i < length; i++)
            if (!(fabs((double)(found[i] - wanted[i])) <= 1e-5 * range))
                fail_msg("%s with '%s', %d cells wide: cell %zu is %.9g, not %.9g; the range is %g",
                         filter->types[name[0] - '0'], inputs, size->width, i, (double)found[i],
                         (double)wanted[i], range);
        free(found);
    }
    free(wanted);
}

TEST_WITH(as_slope, make_folder, remove_folder)
{
    for (int i = 0; i < SIZES; i++) {
        agree(&slope, &sizes[i], "");
        agree(&slope, &sizes[i], SET("method", "tangent"));
    }
}

TEST_WITH(as_terrace, make_folder, remove_folder)
{
    static const char *const inputs[] = {
        "",
        SET("spacing", "90") SET("riser", "0.2"),
        SET("mask", "0.3") SET("spacing", "400"),
        SET("mask", "0"),
        LINK("mask", "part.field"),
        LINK("mask", "part.field") LINK("spacing", "high.field") LINK("sharpness", "part.field"),
        LINK("riser", "part.field") LINK("mask", "fine.terrain"),
    };
    for (int i = 0; i < SIZES; i++)
        for (size_t k = 0; k < sizeof inputs / sizeof inputs[0]; k++)
            if (i == 1 || k == 0 || k >= 5)
                agree(&steps, &sizes[i], inputs[k]);
}

/* ---- The same each time ---- */

static const char random_kernel[] =
    "return { id = 'random_kernel', inputs = { { name = 'seed', type = 'seed' } }, outputs = { { name = 'a' "
    "} },\n"
    "kernel = [[\n#include \"lib/noise.glsl\"\n"
    "void cell(ivec2 p) { set_a(p, hash_unit(hash(uint(p.x + 999 * p.y) + hash(params.seed)))); }\n]] }\n";

/* State that a script keeps from cell to cell must not show how the work was divided. */
static const char random_cell[] =
    "local calls, kept = 0, math.random()\n"
    "return { id = 'random_cell', inputs = { { name = 'seed', type = 'seed' } }, outputs = { { name = 'a' } "
    "},\n"
    "cell = function(x, y, f, p)\n  calls = calls + 1\n  kept = kept * 0.5 + math.random()\n"
    "  return kept + calls * 0.001 + math.random(10)\nend }\n";

static const char random_field[] =
    "return { id = 'random_field', inputs = { { name = 'seed', type = 'seed' } }, outputs = { { name = 'a' } "
    "},\n"
    "field = function(f, p)\n"
    "  local t = {}\n  for i = 1, 9 do t['k' .. math.random(1000)] = i end\n"
    "  local a = field.noise{ feature = 300 } * math.random()\n"
    "  for k, v in pairs(t) do a = a * 0.5 + v * #k end\n"
    "  return a + field.build(function(x, y) return math.random() end)\nend }\n";

static const char random_graph[] =
    "return { id = 'random_graph', inputs = { { name = 'seed', type = 'seed' } }, outputs = { { name = 'a' } "
    "},\n"
    "graph = function(b, p)\n"
    "  local parts = {}\n  for i = 1, 12 do parts['part' .. math.random(1000)] = i end\n"
    "  local all\n  for name, i in pairs(parts) do\n"
    "    local n = b.noise{ seed = i, amplitude = 10 * i + math.random() }\n"
    "    all = all and b.combine{ a = all, b = n, method = i % 2 == 0 and 'subtract' or 'smooth_max' } or n\n"
    "  end\n  return all\nend }\n";

TEST_WITH(same_each_time, make_folder, remove_folder)
{
    static const char *const ids[] = {"random_kernel", "random_cell", "random_field", "random_graph"};
    static const char *const texts[] = {random_kernel, random_cell, random_field, random_graph};
    for (int i = 0; i < 4; i++) {
        char name[40], document[600];
        snprintf(name, sizeof name, "%s.lua", ids[i]);
        write_file(name, texts[i]);
        snprintf(document, sizeof document,
                 HEAD
                 "<world extent=\"3200\" resolution=\"70\" seed=\"3\"/>\n<node id=\"n\" type=\"%s\"/>\n" TAIL,
                 ids[i]);
        write_file("d.oro", document);
        expect(DONE, "OROGRAPH_CACHE=$PWD/1 \"$OROGRAPH\" render d.oro --output n.a -o 1.r32");
        expect(DONE, "OROGRAPH_CACHE=$PWD/2 taskset -c 0 \"$OROGRAPH\" render d.oro --output n.a -o 2.r32");
        expect(DONE, "cmp 1.r32 2.r32");
        expect(DONE, "OROGRAPH_CACHE=$PWD/1 \"$OROGRAPH\" render d.oro --output n.a --no-cache -o 2.r32 && "
                     "cmp 1.r32 2.r32");
        expect(DONE, "\"$OROGRAPH\" render d.oro --output n.a --seed 4 -o 2.r32");
        expect(1, "cmp 1.r32 2.r32");
        expect(DONE, "\"$OROGRAPH\" render d.oro --output n.a --set n.seed=1 -o 3.r32");
        expect(1, "cmp 1.r32 3.r32");
        expect(1, "cmp 2.r32 3.r32");
    }
}
