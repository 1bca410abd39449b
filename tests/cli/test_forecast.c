/* Long work is told of: before it begins where earlier work says how long it takes, else soon. */
#include "tests/cli/support.h"
#include "tests/support/test.h"

TEST_GROUP(make_folder, remove_folder);

/* An erosion, and one of eight times as many cells a side. */
static void write_graph(void)
{
    write_file(
        "a.oro", HEAD
        "<world extent=\"12800\" resolution=\"256\" seed=\"3\"/>\n"
        "<interface><out name=\"coarse\" from=\"f.terrain\"/><out name=\"fine\" "
        "from=\"g.terrain\"/></interface>\n"
        "<node id=\"n\" type=\"noise\"/>\n"
        "<node id=\"f\" type=\"hydraulic_erosion\" version=\"1\"><in name=\"terrain\" from=\"n.field\"/>"
        "<in name=\"iterations\" value=\"1500\"/></node>\n"
        "<node id=\"u\" type=\"upsample\"><in name=\"terrain\" from=\"f.terrain\"/>"
        "<in name=\"factor\" value=\"8\"/></node>\n"
        "<node id=\"g\" type=\"hydraulic_erosion\" version=\"1\"><in name=\"terrain\" from=\"u.terrain\"/>"
        "<in name=\"iterations\" value=\"20000\"/></node>\n" TAIL);
}

/* Renders until it is told how long that takes, for a minute at most. What was told before is forgotten
 * first, not by the process that renders: it may begin late. */
static void render_until_told(const char *arguments)
{
    shell(": >told; $OROGRAPH render a.oro -o a.r32 %s 2>>told & for i in $(seq 600); do "
          "if grep -q takes told; then break; fi; sleep 0.1; done; kill $!; wait $!; cat told",
          arguments);
    says("cancelled");
}

/* The first test: nothing is known yet. */
TEST(once_it_shows)
{
    write_graph();
    expect(DONE, "$OROGRAPH info a.oro");
    says_not("\ntime ");
    expect(DONE, "$OROGRAPH info a.oro --json");
    says("\"seconds\": null");
    render_until_told("--output coarse --set f.iterations=900000");
    says("'f' takes about ");
    says(" more on ");
    assert_int_equal(count("takes"), 1);
    /* Even as far as it came it tells for the next time. */
    render_until_told("--output coarse --set f.iterations=1000000");
    says("this takes ");
}

TEST(before_it_begins)
{
    write_graph();
    expect(DONE, "$OROGRAPH render a.oro --output coarse -o a.r32");
    says_not("takes");
    render_until_told("--output fine");
    says("this takes at least ");
    says(", of which 'g' takes ");
    says("; a preview with --max-resolution 1024 about "); /* which leaves the fine erosion out */
    /* What the cache has is not counted again. */
    expect(DONE, "$OROGRAPH render a.oro --output coarse -o a.r32");
    says_not("takes");
    expect(DONE, "$OROGRAPH info a.oro");
    says("\ntime    at least ");
    expect(DONE, "$OROGRAPH info a.oro --json");
    says_not("\"seconds\": null");
}
