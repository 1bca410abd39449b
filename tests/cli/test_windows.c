/* orograph convert by windows: the same cells as of the whole, in little memory, of files that are too large
 * for the whole; Zarr as output of export, render and convert. */
#include <stdlib.h>
#include <string.h>

#include "tests/cli/support.h"
#include "tests/support/test.h"

static const char hills[] = HEAD "<world extent=\"610\" resolution=\"61\" seed=\"5\"/>"
                                 "<interface><out name=\"f\" from=\"n.field\"/></interface>"
                                 "<node id=\"n\" type=\"noise\"><in name=\"amplitude\" value=\"500\"/></node>"
                                 "<node id=\"x\" type=\"export\"><in name=\"terrain\" from=\"n.field\"/>"
                                 "<in name=\"file\" value=\"x.zarr\"/></node>" TAIL;

static void make_hills(void)
{
    write_file("hills.oro", hills);
    expect(DONE, "$OROGRAPH render hills.oro -o a.r32 --output f");
}

TEST(windows_of_a_file_are_the_whole)
{
    make_hills();
    expect(DONE, "$OROGRAPH convert a.r32 whole.r16 && $OROGRAPH convert a.r32 parts.r16 --by-windows");
    says("window by window: whether it drains is not measured");
    expect(DONE, "cmp whole.r16 parts.r16"); /* the range is found in a pass of its own */
    expect(DONE, "$OROGRAPH convert a.r32 whole.raw --low 0 --high 900 --tiles 31 && mkdir -p w && "
                 "$OROGRAPH convert a.r32 w/whole.raw --low 0 --high 900 --tiles 31 --by-windows");
    says("in 4 tiles of 31 x 31 cells");
    expect(DONE, "for f in whole_x*; do cmp $f w/$f || exit 1; done");
    expect(DONE, "$OROGRAPH convert a.r32 b.r32 --by-windows --cell 3 && cmp a.r32 b.r32 && "
                 "grep '\"cell_size\": 3' b.r32.json");
    expect(DONE, "ls -A; ls -A w");
    says_not(".XXXX");
    says_not(".parts");
}

TEST(what_needs_the_whole_is_refused)
{
    static const char *const options[] = {"--drain repair",    "--drain strict",   "--size 20",
                                          "--require-drained", "--crs EPSG:32632", "--sea 5",
                                          "--nodata 0",        "--weights a.r32"};
    make_hills();
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        expect(USAGE, "$OROGRAPH convert a.r32 c.r32 --by-windows %s", options[i]);
        says("is converted window by window, and --");
    }
    expect(USAGE, "$OROGRAPH convert a.r32 c.png --by-windows");
    says("'c.png' cannot be written by windows");
    expect(DONE, "$OROGRAPH convert a.r32 a.png");
    expect(INVALID, "$OROGRAPH convert a.png c.r32 --by-windows");
    says("'a.png' cannot be read by windows");
    expect(DONE, "ls");
    says_not("c.r32");
    says_not("c.png");
}

/* No option is needed; 65536 x 2 cells. */
TEST(large_files_go_by_windows)
{
    expect(DONE, "head -c 262144 /dev/zero | tr '\\0' 'A' >large.r16; "
                 "$OROGRAPH convert large.r16 large.r32 --in-size 65536x2 --low 0 --high 65535");
    says("wrote large.r32 (65536 x 2, 16705.0..16705.0 m), window by window");
    size_t length = 0;
    float *cells = read_floats("large.r32", &length);
    assert_true(length == 131072 && cells[0] == 16705 && cells[131071] == 16705);
    free(cells);
    /* Its sidecar tells the size. */
    expect(DONE, "$OROGRAPH convert large.r32 again.r16 --low 0 --high 65535 && cmp large.r16 again.r16");
    expect(USAGE, "$OROGRAPH convert large.r32 again.r16 --drain repair");
    says("--drain needs the whole, which has at most 32768 cells a side");
    expect(DONE, "$OROGRAPH measure large.r32");
    says("range       16705.00..16705.00 m");
    says("up to 32768 cells a side");
    expect(INVALID, "$OROGRAPH measure large.r32 --sea 0");
    says("at most 32768 cells a side are read");
}

/* One processor: each thread takes address space. The whole would take 484 MB, and as much again. */
TEST(memory_stays_small)
{
    if (SANITIZED)
        skip();
    expect(DONE, "truncate -s 484000000 large.r32");
    expect(
        FAILED,
        "ulimit -v 700000; taskset -c 0 $OROGRAPH convert large.r32 large.zarr --bits 16 --low -1 --high 1");
    says("no memory");
    expect(
        DONE,
        "ulimit -v 700000; taskset -c 0 $OROGRAPH convert large.r32 large.zarr --bits 16 --low -1 --high 1 "
        "--by-windows");
    says("wrote large.zarr (11000 x 11000, ");
    expect(DONE, "ls large.zarr/height | wc -l; rm large.r32");
    says("121");
}

TEST(zarr_is_written_by_every_command)
{
    make_hills();
    expect(DONE, "$OROGRAPH render hills.oro && $OROGRAPH render hills.oro -o r.zarr --output f && "
                 "$OROGRAPH convert a.r32 c.zarr && diff -r x.zarr r.zarr && diff -r x.zarr c.zarr");
    expect(DONE,
           "$OROGRAPH render hills.oro -o r.zarr --output f && diff -r x.zarr r.zarr"); /* in its place */
    expect(DONE, "$OROGRAPH render hills.oro && diff -r x.zarr r.zarr");
    expect(DONE, "grep '\"format\": \"zarr\"' r.zarr.json && ls x.zarr/height");
    says("0.0");
    expect(USAGE, "$OROGRAPH convert a.r32 - --format zarr");
    says("zarr is a folder of them");
    expect(USAGE, "$OROGRAPH convert a.r32 c.zarr --cog");
    says("are for GeoTIFF");
    expect(USAGE, "$OROGRAPH convert a.r32 c.zarr --tiles 31");
    says("lies in chunks already");
    expect(DONE, "mkdir mine.zarr && echo hello >mine.zarr/letter.txt");
    expect(FAILED, "$OROGRAPH convert a.r32 mine.zarr");
    says("holds other files");
    expect(FAILED, "$OROGRAPH render hills.oro -o mine.zarr --output f");
    says("holds other files");
    expect(DONE, "cat mine.zarr/letter.txt");
    says("hello");
#ifdef OROGRAPH_GDAL
    expect(DONE, "$OROGRAPH convert x.zarr back.r32 && cmp a.r32 back.r32 && $OROGRAPH measure x.zarr && "
                 "$OROGRAPH convert x.zarr parts.tif --by-windows && $OROGRAPH convert parts.tif back.r32 && "
                 "cmp a.r32 back.r32");
    expect(DONE, "$OROGRAPH convert x.zarr y.zarr --bits 16 --by-windows && $OROGRAPH convert y.zarr y.r16 "
                 "&& $OROGRAPH convert a.r32 z.r16 && cmp y.r16 z.r16");
#endif
}

TEST_GROUP(make_folder, remove_folder);
