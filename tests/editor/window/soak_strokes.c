/*
 * The program is killed while a layer is painted: what is recovered may lack no stroke, and no step back or
 * forth, that is older than a minute. The window describes a digest of what the layer has while the brush is
 * in the hand; after the recovery it is looked for among those that the layer had.
 */
#include <string.h>
#include <sys/stat.h>

#include "formats/format.h"
#include "tests/editor/window/soak.h"

static const double allowed = 60; /* seconds */

enum { SIDE = 64, LOOKS_MAX = 4096, DIGEST = 80 };

struct painting {
    struct soak *soak;
    struct look {
        char painted[DIGEST];
        double last; /* seconds, when the layer was seen like that */
    } looks[LOOKS_MAX];
    int count;
};

static const char document[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
                               "  <world extent=\"10000\" resolution=\"64\"/>\n"
                               "  <node id=\"mask\" type=\"import\" x=\"40\" y=\"40\">\n"
                               "    <in name=\"file\" value=\"painted.layers/mask.png\"/>\n"
                               "    <in name=\"high\" value=\"1\"/>\n"
                               "  </node>\n"
                               "</orograph>\n";

static void put_document(const struct soak *soak, char path[200])
{
    static float data[SIDE * SIDE];
    struct oro_error err = {0};
    struct oro_heightfield field = {
        .width = SIDE, .height = SIDE, .data = data, .cell = 156.25, .metres = true};
    struct oro_write_options options = {.has_range = true, .high = 1, .not_terrain = true};
    snprintf(path, 200, "%s/work/painted.layers", soak->folder);
    mkdir(path, 0700);
    snprintf(path, 200, "%s/work/painted.layers/mask.png", soak->folder);
    if (!oro_heightfield_write(path, &field, &options, &err))
        fail_msg("%s", err.text);
    snprintf(path, 200, "%s/work/painted.oro", soak->folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(document, file);
    fclose(file);
}

/* With the layer in the view. */
static void take_brush(struct driver *driver)
{
    drive_wait(driver, "nodes=1", 20);
    drive_click(driver, "title:mask");
    drive_key(driver, "v");
    drive_wait(driver, "viewed=mask", 20);
    drive_wait(driver, "idle", 60);
    if (!drive_state(driver, "painted")[0])
        drive_click(driver, "button:brush");
    drive_wait(driver, "painted!=", 20);
}

static void look(struct painting *painting)
{
    struct driver *driver = painting->soak->driver;
    struct look *last = painting->count > 0 ? &painting->looks[painting->count - 1] : NULL;
    const char *painted = drive_state(driver, "painted");
    if (!last || strcmp(last->painted, painted) != 0) {
        assert_true(painting->count < LOOKS_MAX);
        last = &painting->looks[painting->count++];
        snprintf(last->painted, sizeof last->painted, "%s", painted);
    }
    last->last = drive_now();
}

static void stroke(struct soak *soak)
{
    char from[40], to[40];
    snprintf(from, sizeof from, "view:0@0.%d,0.%d", 35 + soak_random(soak, 30), 20 + soak_random(soak, 60));
    snprintf(to, sizeof to, "view:0@0.%d,0.%d", 35 + soak_random(soak, 30), 20 + soak_random(soak, 60));
    drive_drag(soak->driver, from, to, 1, NULL);
}

static void paint_for(struct painting *painting, double seconds)
{
    struct soak *soak = painting->soak;
    double end = drive_now() + seconds;
    painting->count = 0;
    look(painting);
    while (drive_now() < end) {
        int what = soak_random(soak, 10);
        if (what < 2) {
            drive_move(soak->driver, "canvas@0.5,0.97");
            drive_key(soak->driver, what == 0 ? "ctrl+z" : "ctrl+shift+z");
        } else {
            stroke(soak);
        }
        look(painting);
    }
}

/* Starts the program again, and looks at the layer as it is recovered, or as it is in its file. */
static void recover(struct soak *soak, const char *path)
{
    struct driver *driver = soak->driver;
    drive_restart(driver, (const char *const[]){"--no-tour", NULL});
    soak->width = driver->width;
    soak->height = driver->height;
    if (drive_is(driver, "recover:0"))
        drive_click(driver, "recover:0");
    else
        soak_open(soak, path);
    take_brush(driver);
}

static double kill_and_look(struct painting *painting, const char *path, int round)
{
    struct driver *driver = painting->soak->driver;
    double killed = drive_now(), kept = -1;
    drive_kill(driver);
    recover(painting->soak, path);
    const char *painted = drive_state(driver, "painted");
    for (int i = painting->count; i-- > 0 && kept < 0;)
        if (strcmp(painting->looks[i].painted, painted) == 0)
            kept = painting->looks[i].last;
    print_message("kill %2d: %3d states of a layer, %.1f s of strokes lost\n", round, painting->count,
                  killed - kept);
    if (kept < 0 || killed - kept > allowed)
        drive_fail(driver, "more than %.0f s of strokes are lost", allowed);
    return killed - kept;
}

void soak_kill_painting(struct soak *soak, int times)
{
    static struct painting painting;
    char path[200];
    double worst = 0;
    painting = (struct painting){.soak = soak};
    put_document(soak, path);
    soak_open(soak, path);
    take_brush(soak->driver);
    for (int round = 1; round <= times; round++) {
        paint_for(&painting, 2 + 0.02 * soak_random(soak, 1001));
        double lost = kill_and_look(&painting, path, round);
        worst = lost > worst ? lost : worst;
    }
    print_message("%d kills: at most %.1f s of strokes were lost\n", times, worst);
}
