/* A world that lies where a file does, in the window: what is shown, typed, painted and dragged is where the
 * file says, and not where the document would have it. */
#include "tests/editor/window/fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "formats/format.h"

enum { COLUMNS = 80, ROWS = 60 };
static const double west = 440000, north = 5150000, cell = 100;

/* The document's own extent is a tenth of the file's, and square. */
static const char document[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
                               "  <world extent=\"800\" resolution=\"64\" from=\"dem\"/>\n"
                               "  <node id=\"dem\" type=\"import\" x=\"40\" y=\"40\">\n"
                               "    <in name=\"file\" value=\"dem.pfm\"/>\n"
                               "  </node>\n"
                               "  <node id=\"part\" type=\"crop\" x=\"320\" y=\"40\">\n"
                               "    <in name=\"terrain\" from=\"dem.terrain\"/>\n"
                               "  </node>\n"
                               "</orograph>\n";

FIXTURE(start)
{
    const char *path = window_path("dem.pfm");
    struct oro_heightfield field = {.width = COLUMNS, .height = ROWS, .cell = cell, .metres = true};
    struct oro_error err = {0};
    field.place = (struct oro_place){oro_copy_text("EPSG:32632"), west, north};
    field.data = oro_alloc((size_t)COLUMNS * ROWS, sizeof *field.data);
    for (int i = 0; i < COLUMNS * ROWS; i++)
        field.data[i] = (float)(1000 + 200 * sin(i % COLUMNS * 0.1) * cos(i / COLUMNS * 0.13));
    assert_true(oro_heightfield_write(path, &field, NULL, &err));
    oro_heightfield_free(&field);
    return window_open("place.oro", document, "nodes=2");
}

/* The pointer's place in the world, as the readout tells it. */
static void pointer_at(double at[2])
{
    const char *text = drive_state(driver, "readout");
    const char *south = strstr(text, " y ");
    if (strncmp(text, "x ", 2) == 0 && south) {
        at[0] = strtod(text + 2, NULL);
        at[1] = strtod(south + 3, NULL);
    } else {
        drive_fail(driver, "the readout tells no place: '%s'", text);
    }
}

/* ---- Tests ---- */

TEST_WITH(inspector_tells_and_changes_the_place, start, stop)
{
    drive_wait(driver, "value:world:extent=8000", 30);
    drive_wait(driver, "value:world:aspect=0.75", 10);
    drive_wait(driver, "value:world:crs=EPSG:32632", 10);
    drive_wait(driver, "value:world:origin=440000 5150000", 10);
    drive_wait(driver, "world:corners=440000 5144000 448000 5150000", 10);

    /* Nowhere in particular, by the list; the document's own extent is back, and undo brings the file's. */
    drive_click(driver, "world:from");
    drive_click(driver, "world:from:dem");
    drive_wait(driver, "value:world:from=dem", 10);
    drive_key(driver, "Escape");
    drive_click(driver, "title:dem");
    drive_key(driver, "Delete");
    drive_wait(driver, "nodes=1", 10);
    drive_move(driver, "canvas@0.5,0.9");
    drive_key(driver, "Escape");
    drive_wait(driver, "value:world:extent=800", 10);
    drive_wait(driver, "value:world:from=", 10);
    drive_wait(driver, "value:world:crs=", 10);

    /* A place of its own. */
    drive_click(driver, "world:crs");
    drive_type(driver, "EPSG:4326");
    drive_key(driver, "Return");
    drive_wait(driver, "refused:world.crs!=", 10);
    drive_click(driver, "world:crs");
    drive_key(driver, "ctrl+a");
    drive_type(driver, "EPSG:2056");
    drive_key(driver, "Return");
    drive_wait(driver, "value:world:crs=EPSG:2056", 10);
    drive_click(driver, "world:origin");
    drive_key(driver, "ctrl+a");
    drive_type(driver, "2600000, 1200000");
    drive_key(driver, "Return");
    drive_wait(driver, "value:world:origin=2600000 1200000", 10);
    drive_wait(driver, "world:corners=2600000 1199200 2600800 1200000", 10);
    window_undo_to(driver, "value:world:origin=0 0");
    window_undo_to(driver, "value:world:crs=");
    window_undo_to(driver, "nodes=2");
    drive_wait(driver, "value:world:crs=EPSG:32632", 30);
}

TEST_WITH(strokes_fall_where_the_pointer_is, start, stop)
{
    drive_click(driver, "title:dem");
    drive_key(driver, "v");
    window_wait_picture(driver);
    drive_wait(driver, "idle", 60);
    drive_click(driver, "button:brush");
    drive_click(driver, "button:new-layer");
    drive_click(driver, "layer-name");
    drive_key(driver, "ctrl+a");
    drive_type(driver, "spot");
    drive_click(driver, "button:create-layer");
    drive_wait(driver, "nodes=3", 10);
    drive_wait(driver, "idle", 60);
    drive_move(driver, "view:0@0.62,0.4");
    drive_wait(driver, "readout!=", 10);
    double at[2];
    pointer_at(at);
    assert_true(at[0] > 800 && at[0] < 8000 && at[1] > 800 && at[1] < 6000);
    if (!strstr(drive_state(driver, "readout"), "EPSG:32632"))
        drive_fail(driver, "the readout does not tell the system");
    drive_click(driver, "view:0@0.62,0.4");
    drive_wait(driver, "changed=1", 10);
    window_pause(0.5);
    drive_key(driver, "ctrl+s"); /* brings the stroke from the working copy to the layer's file */
    drive_wait(driver, "changed=0", 30);
    struct oro_read_options options = {.has_range = true, .high = 1, .no_sidecar = true};
    struct oro_heightfield field = {0};
    float value = 0;
    for (int i = 0; i < 100 && value < 0.2f; i++) {
        window_pause(0.1);
        if (!oro_heightfield_read(window_path("place.layers/spot.png"), &options, &field, NULL))
            continue;
        assert_true(field.width * ROWS == field.height * COLUMNS);
        value = field.data[(int)(at[1] / (ROWS * cell) * field.height) * field.width +
                           (int)(at[0] / (COLUMNS * cell) * field.width)];
        oro_heightfield_free(&field);
    }
    if (value < 0.2f)
        drive_fail(driver, "nothing was painted at %.0f %.0f", at[0], at[1]);
}

TEST_WITH(handles_lie_in_the_files_world, start, stop)
{
    drive_click(driver, "title:part");
    drive_key(driver, "v");
    window_wait_picture(driver);
    drive_wait(driver, "idle", 60);
    drive_wait(driver, "handle:part.width", 10);
    struct drive_rect view = drive_find(driver, "view:0"), corner = drive_find(driver, "handle:part.width");
    assert_true(corner.x > view.x + view.w / 2 && corner.x < view.x + view.w);
}

TEST_GROUP(window_make_folder, window_remove_folder);
