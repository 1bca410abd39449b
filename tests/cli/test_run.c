/* orograph run: scripts that drive the real program, and what they must not do. */
#define _GNU_SOURCE /* for renameat2 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cli/support.h"
#include "tests/support/test.h"

enum { CANCELLED = 4 };

/* Runs a script that may write to the folder `out`; fails the test if it exits with another code. */
static void run(int code, const char *script)
{
    write_file("s.lua", script);
    expect(code, "timeout 100 \"$OROGRAPH\" run s.lua --write out");
}

static const char graph[] =
    HEAD "  <world extent=\"3200\" resolution=\"32\" seed=\"4\"/>\n"
         "  <variable name=\"lift\" value=\"3\"/>\n"
         "  <interface>\n"
         "    <in name=\"relief\" to=\"n.amplitude\" max=\"3000\"/>\n"
         "    <out name=\"terrain\" from=\"b.terrain\"/>\n"
         "    <out name=\"picture\" from=\"h.image\"/>\n"
         "    <out name=\"lines\" from=\"r.network\"/>\n"
         "  </interface>\n"
         "  <node id=\"n\" type=\"noise\" version=\"1\">\n    <in name=\"feature\" value=\"4000\"/>\n    <in "
         "name=\"offset\" expr=\"lift * 2\"/>\n  </node>\n"
         "  <node id=\"b\" type=\"breach\" version=\"1\">\n    <in name=\"terrain\" from=\"n.field\"/>\n  "
         "</node>\n"
         "  <node id=\"h\" type=\"hillshade\">\n    <in name=\"terrain\" from=\"b.terrain\"/>\n  </node>\n"
         "  <node id=\"r\" type=\"river_network\">\n    <in name=\"terrain\" from=\"b.terrain\"/>\n  "
         "</node>\n" TAIL;

/* ---- What it is for ---- */

static const char fifty[] =
    "local variants, lines = {}, {'name,relief,minimum,maximum,hack'}\n"
    "for i = 1, 50 do variants[i] = {name = string.format('v%02d', i), relief = 100 + 10 * i, seed = i} end\n"
    "local g = orograph.open(orograph.args[1])\n"
    "for _, v in ipairs(variants) do\n"
    "  g:set('relief', v.relief)\n"
    "  g:seed(v.seed)\n"
    "  local r = g:render('terrain')\n"
    "  local m = r:measure()\n"
    "  r:write(orograph.args[2] .. '/' .. v.name .. '.r32')\n"
    "  lines[#lines + 1] = string.format('%s,%g,%.9g,%.9g,%s', v.name, v.relief, r.minimum, r.maximum,"
    " tostring(m.hack.n))\n"
    "end\n"
    "orograph.write_text(orograph.args[2] .. '/table.csv', table.concat(lines, '\\n') .. '\\n')\n"
    "print(#lines)\n";

FIXTURE(make_graph)
{
    if (make_folder(state) != 0)
        return -1;
    write_file("g.oro", graph);
    return 0;
}

TEST_WITH(fifty_variants, make_graph, remove_folder)
{
    write_file("s.lua", fifty);
    expect(DONE,
           "\"$OROGRAPH\" run --write one s.lua g.oro one && \"$OROGRAPH\" run s.lua --write two g.oro two");
    says("51\n51\n");
    expect(DONE, "test $(ls one/*.r32 | wc -l) = 50 && test $(wc -l <one/table.csv) = 51");
    expect(DONE, "diff -r one two");
    expect(DONE,
           "test $(cat one/*.r32 | wc -c) = 204800 && test $(sha1sum one/*.r32 | cut -c 1-40 | sort -u | "
           "wc -l) = 50");
    expect(DONE,
           "\"$OROGRAPH\" render g.oro --output terrain --set relief=110 --seed 1 -o 1.r32 && cmp 1.r32 "
           "one/v01.r32 && cmp 1.r32.json one/v01.r32.json");
    expect(DONE, "\"$OROGRAPH\" run --no-cache s.lua --write two g.oro two && diff -r one two");
}

/* The same bytes as other commands write. */
TEST_WITH(as_other_commands, make_graph, remove_folder)
{
    run(DONE, "local g = orograph.open('g.oro')\n"
              "g:render('terrain'):write('out/t.png')\n"
              "g:render('terrain'):write('out/u.png', {low = -1000, high = 2000})\n"
              "g:render('terrain'):write('out/h.exr', {half = true})\n"
              "local function refused(file, options, part)\n"
              "  local ok, why = pcall(g:render('terrain').write, g:render('terrain'), file, options)\n"
              "  assert(not ok and string.find(tostring(why), part, 1, true), why)\n"
              "end\n"
              "refused('out/v.png', {cog = true}, 'have GeoTIFF files alone')\n"
              "refused('out/v.tif', {bits = 12}, 'must be 16 or 32')\n"
              "refused('out/v.tif', {compress = 'rar'}, 'deflate\" or \"zstd')\n"
              "g:render('picture'):write('out/p.png')\n"
              "g:render('lines'):write('out/l.geojson')\n"
              "g:render('n.field', {seed = 9}):write('out/n.pfm')\n"
              "local t = orograph.read('out/t.png')\n"
              "t:write('out/c.pfm')\n"
              "local w = t:write('out/d.r16', {size = 'unreal', drain = 'repair'})\n"
              "assert(w.width == 127 and w.drained and w.closed_depressions == 0)\n"
              "assert(t:write('out/e.r16', {size = 20}).height == 20)\n");
    expect(
        DONE,
        "mkdir by && \"$OROGRAPH\" render g.oro --output terrain -o by/t.png && \"$OROGRAPH\" render g.oro "
        "--output picture -o by/p.png && \"$OROGRAPH\" render g.oro --output lines -o by/l.geojson && "
        "\"$OROGRAPH\" render g.oro --output terrain --half -o by/h.exr && "
        "\"$OROGRAPH\" render g.oro --output n.field --seed 9 -o by/n.pfm && \"$OROGRAPH\" convert "
        "by/t.png by/c.pfm && \"$OROGRAPH\" convert by/t.png by/d.r16 --size unreal --drain repair && "
        "\"$OROGRAPH\" convert by/t.png by/e.r16 --size 20");
    expect(DONE, "for f in by/*; do cmp $f out/${f#by/} || exit 1; done");
    expect(DONE, "\"$OROGRAPH\" measure out/u.png --json | grep -q '\"low\": -' && test -s out/u.png");
}

/* Every member that `measure --json` prints, and no other; numbers to the digits that it prints. */
static const char flatten[] =
    "local t = orograph.read('out/t.r32')\n"
    "local lines = {}\n"
    "local function text(v)\n"
    "  if type(v) == 'boolean' then return v and 'True' or 'False' end\n"
    "  if type(v) == 'string' then return v end\n"
    "  if v ~= v then return 'nan' end\n"
    "  return string.format('%.10e', v)\n"
    "end\n"
    "local function walk(name, v)\n"
    "  if type(v) ~= 'table' then lines[#lines + 1] = name .. ' ' .. text(v) return end\n"
    "  for k, x in pairs(v) do walk(name .. '/' .. (type(k) == 'number' and k - 1 or k), x) end\n"
    "end\n"
    "walk('', t:measure())\n"
    "table.sort(lines)\n"
    "orograph.write_text('out/lua.txt', table.concat(lines, '\\n') .. '\\n')\n";

static const char flatten_json[] =
    "import json, sys\n"
    "lines = []\n"
    "def text(v):\n"
    "    return v if isinstance(v, str) else str(v) if isinstance(v, bool) else 'nan' if v is None else "
    "'%.10e' % v\n"
    "def walk(name, v, listed):\n"
    "    if isinstance(v, dict):\n        [walk(name + '/' + k, x, False) for k, x in v.items()]\n"
    "    elif isinstance(v, list):\n        [walk(name + '/%d' % k, x, True) for k, x in enumerate(v)]\n"
    "    elif v is not None or listed:\n        lines.append(name + ' ' + text(v))\n"
    "walk('', json.load(sys.stdin), False)\n"
    "print('\\n'.join(sorted(lines)))\n";

TEST_WITH(measures_as_measure, make_graph, remove_folder)
{
    write_file("f.py", flatten_json);
    run(DONE, "local g = orograph.open('g.oro') g:set('n.seed', 3)\n"
              "local r = g:render('n.field')\n"
              "local m = r:measure()\n"
              "r:write('out/t.r32')\n"
              "local f = orograph.read('out/t.r32'):measure()\n"
              "assert(m.file == nil and f.file == 'out/t.r32')\n"
              "assert(m.hack.n == f.hack.n and m.mean == f.mean and m.cell == 100)\n");
    run(DONE, flatten);
    expect(DONE,
           "test $(wc -l <out/lua.txt) -gt 150 && { command -v python3 >/dev/null || exit 0; \"$OROGRAPH\" "
           "measure out/t.r32 --json | python3 f.py >json.txt && diff out/lua.txt json.txt; }");
}

TEST_WITH(values_of_graphs, make_graph, remove_folder)
{
    run(DONE,
        "local g = orograph.open('g.oro')\n"
        "assert(g:get('relief') == 1000 and g:get('n.offset') == 6 and g:get('lift') == 3)\n"
        "assert(g:get('b.terrain').from == 'n.field' and g:get('n.method') == 'perlin')\n"
        "local before = g:render('terrain').maximum\n"
        "g:set('relief', 200)\n"
        "assert(g:get('n.amplitude') == 200 and g:render('terrain').maximum < before)\n"
        "g:set('lift', 100)\n"
        "assert(g:get('n.offset') == 200 and g:render('terrain').maximum > 150)\n"
        "g:set('n.offset', -7.5)\n"
        "assert(g:get('n.offset') == -7.5)\n"
        "assert(g:seed() == 4 and g:seed(11) == 11 and g:world().seed == 11)\n"
        "local w = g:world{resolution = 16}\n"
        "assert(w.resolution == 16 and w.extent == 3200 and w.aspect == 1)\n"
        "local r = g:render('terrain')\n"
        "assert(r.width == 16 and r.height == 16 and r.cell == 200 and r.unit == 'm' and r.type == 'field')\n"
        "local least, most = math.huge, -math.huge\n"
        "for y = 0, 15 do for x = 0, 15 do\n"
        "  least, most = math.min(least, r:at(x, y)), math.max(most, r:at(x, y))\n"
        "end end\n"
        "assert(least == r.minimum and most == r.maximum and r.seconds >= 0)\n"
        "assert(r.figures.cut_volume >= 0)\n"
        "assert(select('#', g:render('picture'):at(0, 0)) == 4)\n"
        "assert(g:render('lines').width == nil)\n"
        "assert(#g:nodes() == 4 and g:nodes()[2].id == 'b' and g:nodes()[2].type == 'breach')\n"
        "assert(g:outputs()[1] == 'terrain' and g:outputs()[4] == 'n.field')\n"
        "local other = orograph.open('g.oro')\n"
        "assert(other:get('relief') == 1000 and other:seed() == 4)\n");
}

/* The effect of --set on an interface that has its own defaults. */
TEST_WITH(defaults_of_the_interface, make_graph, remove_folder)
{
    write_file(
        "d.oro",
        HEAD "  <world extent=\"3200\" resolution=\"32\"/>\n  <interface>\n"
             "    <in name=\"high\" to=\"a.amplitude\" max=\"500\" default=\"100\"/>\n    <in name=\"high\" "
             "to=\"b.amplitude\"/>\n    <out name=\"f\" from=\"c.field\"/>\n  </interface>\n"
             "  <node id=\"a\" type=\"noise\" version=\"1\"/>\n  <node id=\"b\" type=\"noise\" "
             "version=\"1\">\n    <in name=\"seed\" "
             "value=\"3\"/>\n  </node>\n  <node id=\"c\" type=\"combine\">\n    <in name=\"a\" "
             "from=\"a.field\"/>\n    <in name=\"b\" from=\"b.field\"/>\n  </node>\n" TAIL);
    run(DONE, "local g = orograph.open('d.oro')\n"
              "assert(g:get('high') == 100)\n"
              "g:set('high', 40)\n"
              "assert(g:get('high') == 40)\n"
              "g:render('f'):write('out/1.r32')\n"
              "g:save('out/saved.oro')\n"
              "print(select(2, pcall(g.set, g, 'a.amplitude', 3)))\n"
              "print(select(2, pcall(g.set, g, 'high', 501)))\n");
    says("set by the interface's input 'high'");
    says("high=501: 501 is above the maximum of 500");
    expect(DONE,
           "\"$OROGRAPH\" render d.oro --set high=40 -o 2.r32 && cmp out/1.r32 2.r32 && \"$OROGRAPH\" render "
           "out/saved.oro -o 3.r32 && cmp 2.r32 3.r32");
}

TEST_WITH(graphs_from_scratch, make_graph, remove_folder)
{
    run(DONE, "local g = orograph.new{extent = 3200, resolution = 32, seed = 5}\n"
              "g:add('noise', 'n', {amplitude = 700, method = 'simplex'})\n"
              "g:add('breach', 'b')\n"
              "g:link('b.terrain', 'n.field')\n"
              "g:output('terrain', 'b.terrain')\n"
              "g:render():write('out/a.r32')\n"
              "g:save('out/deep/er/g.oro')\n"
              "g:remove('b')\n"
              "assert(#g:nodes() == 1 and not pcall(g.render, g, 'terrain'))\n");
    expect(DONE,
           "\"$OROGRAPH\" check out/deep/er/g.oro && \"$OROGRAPH\" render out/deep/er/g.oro -o 1.r32 && cmp "
           "1.r32 out/a.r32");
    run(DONE, "local g = orograph.new()\n"
              "g:add('g.oro', 'hills', {relief = 50})\n"
              "assert(g:get('hills.relief') == 50 and g:render('hills.terrain').maximum < 200)\n");
}

/* Scripts that are node types, and scripts that use them. */
TEST_WITH(scripts_as_nodes, make_graph, remove_folder)
{
    expect(DONE,
           "mkdir nodes other && cp \"$EXAMPLES\"/lua/terraces.lua nodes && cp nodes/terraces.lua other");
    write_file("nodes/s.lua",
               "local g = orograph.open(orograph.args[1])\n"
               "local ok, why = pcall(g.add, g, 'terraces', 't')\n"
               "print(ok, why)\n"
               "if ok then g:link('t.terrain', 'b.terrain') print(g:render('t.terrain').width) end\n");
    expect(DONE, "cp g.oro nodes && \"$OROGRAPH\" run nodes/s.lua nodes/g.oro");
    says("true\tnil\n32\n");
    expect(DONE, "cp g.oro other && \"$OROGRAPH\" run nodes/s.lua other/g.oro");
    says("false\tnodes/s.lua:2: 'other/terraces.lua' may not be read");
    expect(DONE, "\"$OROGRAPH\" run nodes/s.lua g.oro");
    says("false\tnodes/s.lua:2: ");
    says("terraces");
    /* The error for a script that may not be read quotes none of its words. */
    write_file("other/terraces.lua", "secret words");
    expect(DONE, "\"$OROGRAPH\" run nodes/s.lua other/g.oro");
    says("false\tnodes/s.lua:2: 'other/terraces.lua' may not be read");
    assert_null(strstr(output, "words"));
}

TEST_WITH(files_of_nodes, make_graph, remove_folder)
{
    expect(DONE, "mkdir maps && \"$OROGRAPH\" render g.oro --output terrain -o maps/m.r32 && mkdir far && cp "
                 "maps/* far");
    write_file("s.lua", "local g = orograph.new{resolution = 32}\n"
                        "g:add('import', 'i', {file = orograph.args[1]})\n"
                        "g:add('export', 'e', {file = 'out/e.r32'})\n"
                        "g:link('e.terrain', 'i.terrain')\n"
                        "local files = g:export()\n"
                        "assert(#files == 1 and string.find(files[1], 'out/e.r32', 1, true))\n"
                        "g:set('e.file', 'out/f.r32')\n"
                        "assert(string.find(g:export()[1], 'out/f.r32', 1, true))\n"
                        "print(select(2, pcall(g.set, g, 'e.file', 'maps/evil.r32')))\n"
                        "print(select(2, pcall(g.set, g, 'i.file', '/etc/passwd')))\n"
                        "g:save('out/g.oro')\n");
    expect(DONE, "\"$OROGRAPH\" run s.lua \"$PWD/maps/m.r32\" --write out && cmp out/e.r32 maps/m.r32 && cmp "
                 "out/f.r32 maps/m.r32");
    says("maps/evil.r32' may not be written");
    says("'/etc/passwd' may not be read");
    /* Paths in a document must be allowed, too. */
    write_file("x.oro",
               HEAD "<world resolution=\"32\"/><node id=\"n\" type=\"noise\" version=\"1\"/><node id=\"e\" "
                    "type=\"export\"><in name=\"terrain\" from=\"n.field\"/><in name=\"file\" "
                    "value=\"maps/evil.r32\"/></node>" TAIL);
    run(FAILED, "orograph.open('x.oro'):export()");
    says("maps/evil.r32' may not be written");
    says("x.oro");
    expect(DONE, "test ! -e maps/evil.r32 && \"$OROGRAPH\" run s.lua --write maps && test -e maps/evil.r32");
}

/* As it is, but for its size. */
TEST_WITH(the_example, make_graph, remove_folder)
{
    expect(DONE, "sed 's/cells = 128/cells = 32/' \"$EXAMPLES/lua/run/sweep.lua\" >sweep.lua && sed "
                 "'s/resolution=\"512\"/resolution=\"48\"/' \"$EXAMPLES/first-range.oro\" >range.oro");
    expect(DONE, "timeout 300 \"$OROGRAPH\" run sweep.lua range.oro --write variants");
    says("50 of 50 variants in variants\nbest: v");
    expect(DONE,
           "test $(ls variants/v*.png | wc -l) = 50 && test $(wc -l <variants/variants.csv) = 51 && "
           "\"$OROGRAPH\" render variants/best.oro --output terrain -o best.pfm && \"$OROGRAPH\" convert "
           "best.pfm best.png --low 0 --high 8000 && cmp best.png variants/best.png");
}

/* ---- What goes wrong ---- */

TEST_WITH(a_bad_variant, make_graph, remove_folder)
{
    run(DONE, "local g = orograph.open('g.oro')\n"
              "local done = {}\n"
              "for _, relief in ipairs{100, -1e9, 300} do\n"
              "  local ok, why = pcall(function()\n"
              "    g:set('relief', relief)\n"
              "    g:render('terrain'):write('out/' .. relief .. '.r32')\n"
              "  end)\n"
              "  print(relief, ok, why)\n"
              "end\n");
    says("100\ttrue");
    says("s.lua:5: relief=-1e9: ");
    says("300\ttrue");
    expect(DONE, "test $(ls out/*.r32 | wc -l) = 2");
    /* A node that fails while it is evaluated. */
    write_file("i.oro",
               HEAD "<node id=\"i\" type=\"import\"><in name=\"file\" value=\"bad.png\"/></node>" TAIL);
    write_file("bad.png", "no picture");
    run(DONE, "local g = orograph.open('i.oro')\n"
              "local ok, why = pcall(g.render, g, 'i.terrain')\n"
              "assert(not ok and string.find(why, 's.lua:2: ', 1, true) == 1, why)\n"
              "assert(orograph.open('g.oro'):render('terrain').width == 32)\n");
}

TEST_WITH(codes, make_graph, remove_folder)
{
    write_file("wrong.oro", HEAD "<node id=\"n\" type=\"nois\"/>\n<node id=\"m\" type=\"noisy\"/>" TAIL);
    expect(INVALID, "\"$OROGRAPH\" run none.lua");
    says("none.lua");
    run(INVALID, "x = = 3\n");
    says("s.lua:1: ");
    run(FAILED, "\n\nlocal x = nil + 3\n");
    says("s.lua:3: ");
    run(FAILED, "error('so not')\n");
    says("s.lua:1: so not");
    run(INVALID, "\norograph.open('wrong.oro')\n");
    says("s.lua:2: 'wrong.oro' is not a valid graph (2 errors): wrong.oro:3: error [unknown-type]");
    says("wrong.oro:4: error");
    run(INVALID, "orograph.open('none.oro')\n");
    run(FAILED, "orograph.write_text('none.txt', '')\n");
    run(FAILED, "orograph.open('g.oro'):render('terrain', {max_resolution = 0})\n");
    run(INVALID, "orograph.open('g.oro'):render('teran')\n");
    says("there is no output 'teran'");
    expect(USAGE, "\"$OROGRAPH\" run");
    expect(INVALID, "\"$OROGRAPH\" run s.lua --read nowhere");
    says("--read");
    expect(FAILED, "\"$OROGRAPH\" run s.lua --write g.oro");
    run(DONE, "");
    write_file("s.lua",
               "assert(orograph.args[1] == '--read' and orograph.args[2] == 'x' and #orograph.args == 2)");
    expect(DONE, "\"$OROGRAPH\" run s.lua -- --read x");
    write_file("long.lua", "\nerror('so')");
#define LONG "a-folder-whose-name-goes-on/and-another-one-within-it/for-lua-shows-sixty-letters"
    expect(FAILED, "mkdir -p " LONG " && cp long.lua " LONG " && \"$OROGRAPH\" run " LONG "/long.lua");
    assert_string_equal(output, LONG "/long.lua:2: so\n");
    expect(INVALID, "printf '\\033Lua' >b.lua; \"$OROGRAPH\" run b.lua");
}

/* ---- What must not be ---- */

static const char attempts[] =
    "local function refused(f, ...)\n"
    "  local ok, why = pcall(f, ...)\n"
    "  assert(not ok, 'went through')\n"
    "  assert(string.find(why, 'may not be', 1, true) or string.find(why, 'there is no', 1, true), why)\n"
    "end\n"
    "for _, path in ipairs{'/etc/passwd', 'out/passwd', 'secret/t.txt', 'scripts-of-others/t.txt', "
    "'out/link/t.txt', 'out/t.txt',\n"
    "    'scripts/../secret/t.txt', 'out/link/../secret/t.txt', '', '.', '..', '../secret/t.txt', "
    "'g.oro'} do\n"
    "  refused(orograph.read_text, path)\n"
    "  refused(orograph.open, path)\n"
    "  refused(orograph.read, path)\n"
    "  refused(orograph.list, path)\n"
    "end\n"
    "local g = orograph.new{resolution = 8}\n"
    "g:add('noise', 'n')\n"
    "local r = g:render('n.field')\n"
    "for _, path in ipairs{'/tmp/orograph-evil', 'evil', '../evil', 'out/../evil', "
    "'out/new/../../evil',\n"
    "    'out/link/evil', 'out/link/new/evil', 'out/link/../evil', 'out/t.txt', 'out/passwd', 'g.oro',\n"
    "    'scripts/s.lua', 'scripts/evil', 'out/dangling/evil', 'outside/evil', ''} do\n"
    "  local function no(f, ...)\n"
    "    local ok, why = pcall(f, ...)\n"
    "    assert(not ok and (string.find(why, 'may not be written') or string.find(why, 'path is "
    "empty')), why or path)\n"
    "  end\n"
    "  no(orograph.write_text, path, 'x')\n"
    "  no(g.save, g, path)\n"
    "  no(r.write, r, path)\n"
    "  no(r.hillshade, r, path)\n"
    "end\n"
    "refused(g.add, g, 'secret/g.oro', 'x')\n"
    "assert(not pcall(orograph.read_text, 'scripts/pipe'))\n"
    "assert(not pcall(require, '../secret/t') and not pcall(require, 'a/b') and not pcall(require, "
    "'..a'))\n"
    "for _, name in ipairs{'os', 'io', 'debug', 'package', 'load', 'loadfile', 'dofile', "
    "'collectgarbage'} do\n"
    "  assert(_G[name] == nil, name)\n"
    "end\n"
    "assert(not getmetatable(g) and not getmetatable(r))\n"
    "orograph.write_text('out/fine', 'x')\n"
    "assert(orograph.read_text('out/fine') == 'x')\n";

TEST_WITH(escapes, make_graph, remove_folder)
{
    expect(
        DONE,
        "rm -f /tmp/orograph-evil*; mkdir -p out outside scripts-of-others secret && echo text >secret/t.txt "
        "&& cp secret/t.txt scripts-of-others && cp g.oro secret && ln -s ../secret out/link && ln "
        "-s /etc/passwd out/passwd && ln -s ../secret/t.txt out/t.txt && ln -s nowhere/x out/dangling && "
        "mkdir scripts && mkfifo scripts/pipe && cp g.oro keep.oro");
    write_file("scripts/s.lua", attempts);
    expect(DONE, "timeout 100 \"$OROGRAPH\" run scripts/s.lua --write out");
    expect(DONE,
           "cmp g.oro keep.oro && cat secret/t.txt && test -L out/t.txt && test ! -e evil && test ! -e "
           "secret/evil && test ! -e secret/new && test ! -e outside/evil && test ! -e out/new && test ! -e "
           "/tmp/orograph-evil && test $(ls | wc -l) = 9");
    says("text\n");
    /* Without --write, nothing at all; with --read, what it names. */
    write_file("w.lua", "orograph.write_text('x.txt', '')\n");
    expect(FAILED, "\"$OROGRAPH\" run w.lua");
    says("--write");
    write_file("scripts/r.lua", "print(orograph.read_text('secret/t.txt'))\n");
    expect(INVALID, "\"$OROGRAPH\" run scripts/r.lua");
    says("--read 'secret/t.txt' would allow it");
    expect(DONE, "\"$OROGRAPH\" run scripts/r.lua --read secret/t.txt");
    expect(DONE, "\"$OROGRAPH\" run scripts/r.lua --read secret && \"$OROGRAPH\" run scripts/r.lua secret");
}

/* Another process that exchanges a folder for a link, until it is killed. */
static pid_t exchange(const char *folder, const char *link)
{
    pid_t child = fork();
    if (child == 0)
        for (;;)
            renameat2(AT_FDCWD, folder, AT_FDCWD, link, RENAME_EXCHANGE);
    return child;
}

/* Between the question whether a file may be written or read and its opening, its folder becomes a link. */
TEST_WITH(exchanged_folders, make_graph, remove_folder)
{
    expect(DONE, "mkdir -p scripts out/sub secrets && printf outside >secrets/t && printf inside >out/sub/t");
    write_file("scripts/x.lua",
               "local written, read, outside = 0, 0, 0\n"
               "for i = 1, 6000 do\n"
               "  if i % 10 == 0 and pcall(orograph.write_text, 'out/sub/t' .. i % 50, 'x') then written = "
               "written + 1 end\n"
               "  local ok, text = pcall(orograph.read_text, 'out/sub/t')\n"
               "  if ok then read = read + 1 if text ~= 'inside' then outside = outside + 1 end end\n"
               "end\n"
               "print(written > 0, read > 0, outside)\n");
    expect(DONE, "ln -s ../secrets out/link");
    pid_t child = exchange("out/sub", "out/link");
    int code = shell("\"$OROGRAPH\" run scripts/x.lua --write out");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_int_equal(code, DONE);
    says("true\ttrue\t0\n");
    expect(DONE, "test \"$(ls secrets)\" = t");
}

TEST_WITH(modules, make_graph, remove_folder)
{
    expect(DONE, "mkdir -p scripts/lib");
    write_file("scripts/s.lua", "local m = require('lib.three')\nassert(m.three() == 3)\nm.fail()\n");
    write_file("scripts/lib/three.lua",
               "return {three = function() return 3 end,\nfail = function() error('so') end}\n");
    expect(FAILED, "\"$OROGRAPH\" run scripts/s.lua");
    says("three.lua:2: so");
}

#define ENDLESS_CALL " local m = {} local t = setmetatable({}, m) m.__call = t setmetatable(t, m)\nt()"

#define HERE "export XDG_STATE_HOME=\"$PWD/state\"; "

/* A script that is trusted runs within the program, unless it requires a module that is not. */
TEST_WITH(trusted, make_graph, remove_folder)
{
    static const char list[] = HERE "mkdir -p $XDG_STATE_HOME/orograph && for f in %s; do echo "
                                    "\"$(sha256sum <$f | cut -c 1-64) 2020-01-01 $f\"; done "
                                    ">$XDG_STATE_HOME/orograph/trusted",
                      inside[] = HERE "OROGRAPH_GUEST=/nowhere \"$OROGRAPH\" run s.lua",
                      anywhere[] = HERE "\"$OROGRAPH\" run s.lua";
    expect(DONE, "echo 'return 3' >m.lua && echo 'print(1)' >s.lua");
    expect(FAILED, inside);
    says("s.lua: cannot be run apart from the program: the program orograph-guest");
    expect(DONE, list, "s.lua");
    expect(DONE, inside);
    says("1\n");
    expect(DONE, "echo 'print(2)' >>s.lua");
    expect(FAILED, inside);
    /* The module is not trusted: nothing happens within the program. */
    write_file("s.lua", "local ok, m = pcall(require, 'm') print(ok, m)\n");
    expect(DONE, list, "s.lua");
    expect(FAILED, inside);
    says_not("false");
    expect(DONE, anywhere);
    assert_string_equal(output, "true\t3\n");
    expect(DONE, list, "s.lua m.lua");
    expect(DONE, inside);
    /* It has done something before. */
    write_file("s.lua", "print(1) pcall(require, 'm') print(2)\n");
    expect(DONE, list, "s.lua");
    expect(INVALID, anywhere);
    says("1\n");
    says("'m.lua' is not trusted, as the script is");
    says_not("2\n");
}

/* An endless loop ends as soon as it is asked to, whatever it catches; so does one that renders. */
static void interrupted(const char *script, int signal_number)
{
    int ends[2], status = 0;
    char line[16] = "";
    write_file("s.lua", script);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        alarm(60); /* where it does not end */
        execl(OROGRAPH_PROGRAM, "orograph", "run", "s.lua", "--no-cache", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], line, 6), 6);
    assert_string_equal(line, "begun\n");
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    assert_int_equal(kill(child, signal_number), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    close(ends[0]);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), CANCELLED);
}

TEST_WITH(ctrl_c, make_graph, remove_folder)
{
    interrupted("print('begun') while true do pcall(function() while true do end end) end", SIGINT);
    interrupted("print('begun') pcall(function() while true do end end)", SIGTERM);
    interrupted("local g = orograph.open('g.oro') print('begun')\n"
                "for seed = 1, 1e9 do g:seed(seed) pcall(g.render, g, 'terrain') end\n",
                SIGINT);
    /* Within C functions that cannot be interrupted. */
    interrupted("print('begun')" ENDLESS_CALL, SIGINT);
    interrupted("print('begun')" ENDLESS_CALL, SIGTERM);
}

TEST_WITH(limits, make_graph, remove_folder)
{
    write_file("s.lua", "while true do pcall(function() while true do end end) end");
    expect(FAILED, "timeout 100 \"$OROGRAPH\" run s.lua --seconds 0.3");
    expect(FAILED, "timeout 100 \"$OROGRAPH\" run s.lua --steps 100000");
    write_file("s.lua", ENDLESS_CALL);
    expect(FAILED, "timeout 100 \"$OROGRAPH\" run s.lua --seconds 0.3");
    says("s.lua:2: takes longer than 0.8 s");
    write_file("s.lua",
               "local g = orograph.open('g.oro') for i = 1, 1e9 do g:seed(i) g:render('terrain') end");
    expect(FAILED, "timeout 100 \"$OROGRAPH\" run s.lua --no-cache --seconds 1");
    /* Waiting counts, too: well below the minute that the loop takes. */
    write_file("s.lua",
               "local r = orograph.open('g.oro'):render('terrain') for i = 1, 1e9 do r:measure() end");
    expect(FAILED, "timeout 20 \"$OROGRAPH\" run s.lua --seconds 2");
    says("takes longer than 2 s");
    write_file("s.lua", "for i = 1, 1000 do end print(i)");
    expect(DONE, "\"$OROGRAPH\" run s.lua --steps 100000 --seconds 50");
}

TEST_WITH(progress, make_graph, remove_folder)
{
    write_file("s.lua",
               "local g = orograph.open('g.oro') g:render('terrain') g:render('n.field') print('mine')");
    expect(DONE,
           "\"$OROGRAPH\" run s.lua --progress json 2>&1 >/dev/null | grep -c '\"event\":\"rendered\"'");
    says("2\n");
    expect(DONE, "\"$OROGRAPH\" run s.lua --progress bar 2>&1 >/dev/null | grep -c 'rendered g.oro'");
    says("2\n");
    expect(DONE, "\"$OROGRAPH\" run s.lua 2>/dev/null");
    assert_string_equal(output, "mine\n");
}

/* ---- Set-up ---- */

FIXTURE(know_examples)
{
    char here[3000], examples[3100];
    if (!getcwd(here, sizeof here))
        return 1;
    snprintf(examples, sizeof examples, "%s/examples", here);
    setenv("EXAMPLES", examples, 1);
    return 0;
}

TEST_GROUP(know_examples, NULL);
