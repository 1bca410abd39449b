/* Fields of different size that meet at a node. */
#include "tests/engine/support.h"

/* `b` comes to the size of `a`: what it was, plus zero. */
#define MEET(a, b) NODE("out", "combine", LINK("a", a) LINK("b", b))
#define ZERO NODE("zero", "constant", SET("value", "0"))

/* From 16 cells to 32, through a zero raster of that size. */
#define UP(source)                                                                                           \
    WORLD("extent=\"1600\" resolution=\"16\"", ZERO NODE("fine", "upsample", LINK("terrain", "zero.field"))  \
                                                   source MEET("fine.terrain", "in.field"))

TEST(constants_stay_exact)
{
    need_device();
    struct run up = run_ok(NULL, UP(NODE("in", "constant", SET("value", "1234.567"))), "out.field");
    assert_int_equal(up.grid.width, 32);
    for (int i = 0; i < 1024; i++)
        assert_true(up.cells[i] == 1234.567f);
    static const int factors[] = {2, 3, 7};
    for (int k = 0; k < 3; k++) {
        const char *text =
            text_of(WORLD("extent=\"1600\" resolution=\"16\" aspect=\"0.5\"",
                          ZERO NODE("c", "constant", SET("value", "-98765.43"))
                              NODE("in", "upsample", LINK("terrain", "c.field") SET("factor", "%d"))
                                  MEET("zero.field", "in.terrain")),
                    factors[k]);
        struct run down = run_ok(NULL, text, "out.field");
        assert_int_equal(down.grid.width, 16);
        assert_int_equal(down.grid.height, 8);
        for (int i = 0; i < 128; i++)
            assert_true(down.cells[i] == -98765.43f);
    }
}

/* Beyond the middles of its last cells a slope goes no further. */
TEST(planes_stay_planes)
{
    need_device();
    static const char *const angles[] = {"90", "180", "45"};
    for (int k = 0; k < 3; k++) {
        const char *ramp = text_of(NODE("in", "ramp", SET("angle", "%s") SET("high", "1600")), angles[k]);
        struct run up = run_ok(NULL, text_of(UP("%s"), ramp), "out.field");
        struct run fine =
            run_ok(NULL, text_of(WORLD("extent=\"1600\" resolution=\"32\"", "%s"), ramp), "in.field");
        for (int i = 0; i < 1024; i++) {
            bool rim = i % 32 == 0 || i % 32 == 31 || i / 32 == 0 || i / 32 == 31;
            if (fabsf(up.cells[i] - fine.cells[i]) > (rim ? 25.01f : 0.01f))
                fail_msg("angle %s, cell %d, %d: %g instead of %g", angles[k], i % 32, i / 32,
                         (double)up.cells[i], (double)fine.cells[i]);
        }
    }
}

TEST(averages_keep_the_mean)
{
    need_device();
    const char *text = WORLD(
        "extent=\"1600\" resolution=\"10\"",
        ZERO NODE("c", "ramp", SET("high", "1600"))
            NODE("in", "upsample", LINK("terrain", "c.field") SET("factor", "3") SET("method", "bilinear"))
                MEET("zero.field", "in.terrain"));
    struct run down = run_ok(NULL, text, "out.field");
    for (int i = 0; i < 100; i++) /* of a plane, the value in the middle of the cell */
        assert_true(fabsf(down.cells[i] - ((float)(i % 10) + 0.5f) * 160) < 0.01f);
}

TEST(the_smallest_rasters)
{
    need_device();
    static const char *const worlds[] = {"extent=\"10\" resolution=\"1\"",
                                         "extent=\"10\" resolution=\"7\" aspect=\"0.01\"",
                                         "extent=\"10\" resolution=\"1\" aspect=\"7\""};
    for (int k = 0; k < 3; k++) {
        const char *text = text_of(
            WORLD("%s", ZERO NODE("fine", "upsample", LINK("terrain", "zero.field")) NODE("in", "ramp", "")
                            MEET("fine.terrain", "in.field")
                                NODE("back", "combine", LINK("a", "in.field") LINK("b", "out.field"))),
            worlds[k]);
        struct run run = run_ok(NULL, text, "back.field");
        for (size_t i = 0; i < oro_grid_cells(&run.grid); i++)
            assert_true(isfinite(run.cells[i]));
    }
}

TEST_GROUP(open_device, close_device);
