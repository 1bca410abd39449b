/* Several outputs in one OpenEXR file, and how such files are asked for. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/support.h"
#include "tests/support/test.h"

static const char graph[] = HEAD
    "  <world extent=\"3200\" resolution=\"48\"/>\n"
    "  <interface>\n    <out name=\"ground\" from=\"open.terrain\"/>\n    <out name=\"picture\" "
    "from=\"shade.image\"/>\n  </interface>\n"
    "  <node id=\"base\" type=\"noise\">\n    <in name=\"amplitude\" value=\"900\"/>\n  </node>\n"
    "  <node id=\"open\" type=\"breach\" version=\"1\">\n    <in name=\"terrain\" from=\"base.field\"/>\n  "
    "</node>\n"
    "  <node id=\"shade\" type=\"hillshade\">\n    <in name=\"terrain\" from=\"open.terrain\"/>\n  </node>\n"
    "  <node id=\"way\" type=\"flow_orientation\">\n    <in name=\"terrain\" from=\"open.terrain\"/>\n  "
    "</node>\n"
    "  <node id=\"half\" type=\"resize\">\n    <in name=\"terrain\" from=\"open.terrain\"/>\n    <in "
    "name=\"divide\" value=\"2\"/>\n  </node>\n"
    "  <node id=\"part\" type=\"crop\">\n    <in name=\"terrain\" from=\"open.terrain\"/>\n    <in "
    "name=\"x\" value=\"800\"/>\n    <in name=\"width\" value=\"1600\"/>\n    <in name=\"height\" "
    "value=\"1600\"/>\n  </node>\n"
    "  <node id=\"rivers\" type=\"river_network\">\n    <in name=\"terrain\" from=\"open.terrain\"/>\n  "
    "</node>\n" TAIL;

/* Renders the graph with these options. */
#define RENDER(options) "\"$OROGRAPH\" render --device processor g.oro " options

TEST_WITH(channels_are_outputs, make_folder, remove_folder)
{
    write_file("g.oro", graph);
    expect(DONE, RENDER("-o ground.r32 --output ground"));
    /* The terrain is found wherever it stands in the list. */
    expect(DONE, RENDER("-o all.exr --output open.drainage,picture,way.direction,ground --report all.json"));
    says("wrote all.exr (48 x 48, 4 outputs; ground ");
    says("all.exr: drains\n");
    expect(DONE, "\"$OROGRAPH\" convert all.exr back.r32 && cmp ground.r32 back.r32");
    expect(0, "grep -q '\"drained\": true' all.exr.json && grep -q '\"file\": \"all.exr\"' all.json");
    static const char *const names[] = {"ground",    "open.drainage", "picture.R",       "picture.G",
                                        "picture.B", "picture.A",     "way.direction.X", "way.direction.Y"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        expect(0, "head -c 1000 all.exr | grep -aq '%s'", names[i]);
    /* Without a terrain, the first plain raster is what others read. */
    expect(DONE, RENDER("-o area.r32 --output open.drainage"));
    expect(DONE, RENDER("-o area.exr --output picture,open.drainage,way.angle --tiled"));
    expect(DONE, "\"$OROGRAPH\" convert area.exr back.r32 && cmp area.r32 back.r32");
    expect(1, "grep hydrology area.exr.json");
    expect(DONE, RENDER("-o y.exr --output open.drainage,ground --out-channel Y"));
    expect(0, "head -c 1000 y.exr | grep -aq 'open.drainage' && ! head -c 1000 y.exr | grep -aq ground");
    expect(DONE, "\"$OROGRAPH\" convert y.exr back.r32 && cmp ground.r32 back.r32");
    expect(DONE, "\"$OROGRAPH\" convert all.exr back.r32 --channel open.drainage && cmp area.r32 back.r32");
    expect(INVALID, "\"$OROGRAPH\" convert all.exr back.r32 --channel height");
    says("'all.exr' has no channel 'height'; it has ground, open.drainage, picture.A, ");
    expect(USAGE, "\"$OROGRAPH\" convert area.r32 back.r32 --channel height");
    says("only .exr files have");
}

TEST_WITH(a_graph_reads_a_channel, make_folder, remove_folder)
{
    write_file("g.oro", graph);
    write_file("i.oro",
               HEAD "  <world extent=\"3200\" resolution=\"48\"/>\n"
                    "  <node id=\"dem\" type=\"import\">\n    <in name=\"file\" value=\"all.exr\"/>\n    <in "
                    "name=\"channel\" value=\"open.drainage\"/>\n  </node>\n" TAIL);
    expect(DONE, RENDER("-o area.r32 --output open.drainage"));
    expect(DONE, RENDER("-o all.exr --output ground,open.drainage"));
    expect(DONE, "\"$OROGRAPH\" render --device processor i.oro -o read.r32 --output dem.terrain");
    expect(0, "cmp area.r32 read.r32");
    expect(INVALID, "\"$OROGRAPH\" render --device processor i.oro -o read.r32 --output dem.terrain --set "
                    "dem.channel=sky");
    says("i.oro:4: node 'dem': 'all.exr' has no channel 'sky'");
}

TEST_WITH(same_bytes, make_folder, remove_folder)
{
    write_file("g.oro", graph);
    expect(DONE, RENDER("-o a.exr --output ground,open.drainage"));
    expect(DONE, RENDER("-o b.exr --output ground,open.drainage --no-cache") " && cmp a.exr b.exr");
}

/* The drainage that is told is that of the file. */
TEST_WITH(half_floats, make_folder, remove_folder)
{
    write_file("g.oro", graph);
    expect(DONE, RENDER("-o h.exr --output ground,picture --half --set base.amplitude=9000"));
    says("h.exr: drains across ");
    expect(DONE, RENDER("-o f.pfm --output ground --set base.amplitude=9000"));
    says("f.pfm: drains\n");
    expect(DONE, "\"$OROGRAPH\" convert f.pfm s.exr --half --drain strict --drain-limit 0");
    says("s.exr: drains\n");
    expect(DONE, "\"$OROGRAPH\" measure s.exr");
    says("pits        0\n");
}

TEST_WITH(refused, make_folder, remove_folder)
{
    write_file("g.oro", graph);
    expect(USAGE, RENDER("-o all.png --output ground,picture"));
    says("'all.png' holds one output; several are channels of one .exr file");
    expect(USAGE, RENDER("-o all.exr --output ground,half.terrain"));
    says("'ground' is 48 x 48 and 'half.terrain' is 24 x 24");
    expect(USAGE, RENDER("-o all.exr --output half.terrain,part.terrain"));
    says("do not show the same ground");
    expect(USAGE, RENDER("-o all.exr --output ground,rivers.network"));
    says("is a network, and channels are rasters");
    expect(USAGE, RENDER("-o all.exr --output picture,way.direction"));
    says("one of the outputs must be a plain raster");
    expect(USAGE, RENDER("-o all.exr --output ground,ground"));
    says("names 'ground' twice");
    expect(USAGE, RENDER("-o all.exr --output ground,"));
    says("one is empty");
    expect(INVALID, RENDER("-o all.exr --output ground,sky"));
    says("there is no output 'sky'");
    expect(USAGE, RENDER("-o all.png --output ground --half"));
    says("'all.png': --half, --tiled and --out-channel are for .exr files");
    expect(USAGE, RENDER("-o all.png --output ground --out-channel Y"));
    says("--out-channel are for .exr files");
    expect(USAGE, RENDER("-o all.exr --output ground --cog"));
    says("--compress and --cog are for GeoTIFF: 'all.exr' is none");
    expect(USAGE, RENDER("--tiled"));
    says("say how -o OUT is written");
    expect(FAILED, RENDER("-o all.exr --output ground,open.drainage --half"));
    says("half floats end at 65504, and cell ");
    says(" of open.drainage is ");
    expect(1, "ls | grep all");
}

TEST_WITH(bad_input, make_folder, remove_folder)
{
    write_file("g.oro", graph);
    expect(DONE, RENDER("-o good.exr --output ground"));
    write_file("text.exr", "no picture\n");
    expect(INVALID, "\"$OROGRAPH\" convert text.exr out.pfm");
    says("'text.exr' is not an OpenEXR file");
    expect(INVALID, "head -c 5000 good.exr >cut.exr; \"$OROGRAPH\" convert cut.exr out.pfm");
    says("'cut.exr' is damaged or truncated: the cells from ");
    expect(USAGE, "\"$OROGRAPH\" convert good.exr out.pfm --half");
    says("'out.pfm': --half, --tiled and --out-channel are for .exr files");
    expect(1, "ls | grep out.pfm");
}
