/* What programs for Unix are expected to do: standard input and output in place of files, versions, and the
 * user's own folders. */
#include <stdlib.h>

#include "tests/cli/support.h"
#include "tests/support/test.h"

static const char flat[] =
    HEAD "<world extent=\"400\" resolution=\"4\"/>"
         "<interface><out name=\"f\" from=\"c.field\"/></interface>"
         "<node id=\"c\" type=\"constant\"><in name=\"value\" value=\"7.5\"/></node>" TAIL;

TEST(standard_streams)
{
    size_t length = 0;
    write_file("flat.oro", flat);
    expect(DONE, "$OROGRAPH check - < flat.oro");
    says("-: valid, 1 node");
    expect(INVALID, "echo '<a' | $OROGRAPH check -");
    expect(DONE, "export TMPDIR=$PWD; $OROGRAPH render - -o - --format r32 < flat.oro 2> told > flat.r32; "
                 "cat told; find . -name 'standard-*'");
    says("4 x 4");
    says_not("./orograph-"); /* what find would name */
    float *cells = read_floats("flat.r32", &length);
    assert_true(length == 16 && cells[0] == 7.5f && cells[15] == 7.5f);
    free(cells);
    expect(DONE, "$OROGRAPH convert - - --in-format r32 --format pfm < flat.r32 2> told | head -c 2");
    says("Pf");
    expect(USAGE, "$OROGRAPH render flat.oro -o -");
    says("give its format");
    expect(USAGE, "$OROGRAPH render flat.oro -o - --format /../x.r32");
    says("is no format");
    expect(FAILED, "$OROGRAPH render flat.oro -o - --format r32 > /dev/full");
    says("cannot write to standard output");
    expect(USAGE, "$OROGRAPH render flat.oro -o - --format doc");
}

/* Nothing stays behind: neither what an engine wants beside a file, nor where the reader goes away. */
TEST(nothing_stays_behind)
{
    write_file("flat.oro", flat);
    expect(DONE, "mkdir -p temporary && export TMPDIR=$PWD/temporary && "
                 "$OROGRAPH render flat.oro -o - --format raw --for unreal >big.raw && ls temporary | wc -l");
    says("a size that Unreal Engine takes");
    says("\n0\n");
    expect(DONE, "export TMPDIR=$PWD/temporary; { $OROGRAPH convert big.raw - --in-size 127x127 --size 3000 "
                 "--format pfm "
                 "2>/dev/null; echo code $? >code; } | head -c 2; cat code; ls temporary | wc -l");
    says("Pfcode 1");
    says("\n0\n");
}

TEST(users_library)
{
    expect(DONE, "mkdir -p data/orograph/library more/orograph/library");
    write_file("data/orograph/library/even.oro", flat);
    write_file("more/orograph/library/plain.oro", flat);
    expect(DONE, "XDG_DATA_HOME=$PWD/data XDG_DATA_DIRS=relative:$PWD/more $OROGRAPH library");
    says("  even ");
    says("  plain ");
    write_file("user.oro", HEAD "<node id=\"n\" type=\"graph\" href=\"even.oro\"/>" TAIL);
    expect(DONE, "XDG_DATA_HOME=$PWD/data $OROGRAPH check user.oro");
    expect(INVALID, "XDG_DATA_HOME=$PWD/none $OROGRAPH check user.oro");
}

TEST(versions)
{
    expect(DONE, "$OROGRAPH -V && $OROGRAPH render --version && $OROGRAPH measure -V");
    assert_int_equal(count("(documents version"), 3);
}

TEST_GROUP(make_folder, remove_folder);
