/* Scripts that keep Lua's own functions busy, fill the memory or end their process: each is an error with its
 * place, soon, and the program goes on. Within the program, each of them would hang it, or take longer than
 * a script may. */
#include <signal.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "lua/types/node_types.h"
#include "tests/lua/scene.h"

/* Generous: the limits are 2 seconds, and other programs run beside this one. */
static const double soon = 20;

#define ENDLESS_CALL "local m = {} local t = setmetatable({}, m) m.__call = t\nsetmetatable(t, m)\nt()\n"
#define TREE                                                                                                 \
    "local t = {}\nfor i = 1, 40 do t = { t, t, t, t } end\nreturn { id = 'zz_probe', outputs = t }\n"

static void fails_to_read(const char *script, enum oro_code code, const char *text)
{
    struct oro_error err = {0};
    const struct oro_script_source source = {
        .id = "zz_probe", .path = "zz_probe.lua", .line = 1, .text = script, .length = strlen(script)};
    double start = oro_now();
    assert_null(oro_script_read(&source, oro_script_forms, NULL, &err));
    if (!strstr(err.text, text) || err.code != code)
        fail_msg("'%s' (%d) is not '%s'", err.text, err.code, text);
    assert_true(oro_now() - start < soon);
}

TEST(reading)
{
    fails_to_read(ENDLESS_CALL, ORO_E_LIMIT, "zz_probe.lua:3: takes longer than");
    fails_to_read("local z = string.rep('0', 1000000)\nfor i = 1, 8000 do\n  pcall(string.char, z)\n"
                  "  pcall(utf8.char, z) pcall(string.format, '%d', z) pcall(math.max, z)\nend\nreturn {}\n",
                  ORO_E_LIMIT, "zz_probe.lua:");
    fails_to_read("local s = string.rep('a', 100000)\nstring.find(s, string.rep('a-', 20) .. 'b')\n",
                  ORO_E_LIMIT, "zz_probe.lua:2: takes ");
    fails_to_read("table.move({}, 1, 1 << 60, 2)\n", ORO_E_LIMIT, "zz_probe.lua:1: takes ");
    fails_to_read("local s\ns = string.rep('', 1 << 50)\n", ORO_E_LIMIT, "zz_probe.lua:2: takes ");
    fails_to_read("xpcall(function() while true do end end,\nfunction() while true do end end)\n",
                  ORO_E_LIMIT, "zz_probe.lua:");
    fails_to_read(TREE, ORO_E_DOCUMENT, "nested");
    fails_to_read("local t = {}\nt.t = t\nreturn t\n", ORO_E_DOCUMENT, "nested");
    fails_to_read("local s = string.rep('x', 1000000)\nlocal t = {}\nfor i = 1, 64 do t[i] = s end\n"
                  "return { id = 'zz_probe', doc = t }\n",
                  ORO_E_DOCUMENT, "more than 8 MiB");
    fails_to_read("return { [print] = 1 }\n", ORO_E_DOCUMENT, "a key of the table is a function");
    fails_to_read("return { [setmetatable({}, {})] = 1 }\n", ORO_E_DOCUMENT, "a key of the table is a table");
}

TEST(evaluating)
{
    scene_size(16, 16);
    double start = oro_now();
    scene_fails(SCRIPT("", OUT_FIELD, "graph = function(b, p)\n" ENDLESS_CALL "end\n"), PROBE(""),
                "takes longer", NULL);
    scene_fails(SCRIPT("", OUT_FIELD, CELL("if x == 7 and y == 9 then\n" ENDLESS_CALL "end return 1")),
                PROBE(""), "probe.lua:7: a single call takes longer", NULL);
    scene_fails(SCRIPT("", OUT_FIELD, FIELD(ENDLESS_CALL)), PROBE(""), "a single call takes longer", NULL);
    assert_true(oro_now() - start < soon);
}

/* Each call is short, and few steps of Lua make many of them: only the time ends it, which on a small raster
 * is that of reading. */
#define SLOW_CALLS "local z = string.rep('0', 1000000) for i = 1, 80000 do pcall(string.char, z) end"

static void ends_by_time(const char *script, int size)
{
    static const char told[] = " longer than ";
    scene_size(size, size);
    scene_fails(script, PROBE(""), told, NULL);
    double limit = strtod(strstr(scene.h.err.text, told) + strlen(told), NULL);
    if (!(limit > 0 && limit < 3)) /* The time itself depends on what else the machine does. */
        fail_msg("%s", scene.h.err.text);
}

TEST(slow_calls_in_cells_and_fields)
{
    ends_by_time(SCRIPT("", OUT_FIELD, CELL(SLOW_CALLS " return 1")), 16);
    ends_by_time(SCRIPT("", OUT_FIELD, CELL(SLOW_CALLS " return 1")), 512);
    ends_by_time(SCRIPT("", OUT_FIELD, FIELD(SLOW_CALLS " return f.terrain")), 16);
    ends_by_time(SCRIPT("", OUT_FIELD, FIELD(SLOW_CALLS " return f.terrain")), 512);
    ends_by_time(SCRIPT("", OUT_FIELD, FIELD("return field.build(function() " SLOW_CALLS " return 1 end)")),
                 16);
}

/* A crash of the guest is an error of the node. */
TEST(the_next_script_works)
{
    scene_size(16, 16);
    scene_fails("local m = {} local t = setmetatable({}, m) m.__call = t setmetatable(t, m) t()", PROBE(""),
                "probe.lua:1: takes longer", NULL);
    struct harness_raster raster =
        scene_run(SCRIPT("", OUT_FIELD, CELL("return f.terrain(x, y)")), PROBE(""), "field");
    assert_true(raster.grid.width == 16);
    oro_free(raster.data);
}

TEST_GROUP(scene_open, scene_close);
