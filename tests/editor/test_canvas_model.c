/* The canvas without a window: the camera, what is made of a document, places, hits, links. */
#include <math.h>

#include "editor/canvas/model.h"
#include "editor/ui/category.h"
#include "tests/editor/project_support.h"

#define NEAR(a, b) assert_true(fabs((double)(a) - (double)(b)) < 1e-3)

static const char text[] =
    "<orograph xmlns='urn:orograph:1' version='1'><interface><in name='in' to='slope.terrain'/>"
    "<out name='out' from='shade.image'/></interface>"
    "<node id='hills' type='noise' x='40' y='80'/>"
    "<node id='slope' type='slope' x='300' y='80'><in name='terrain' from='hills.field'/></node>"
    "<node id='bend' type='reroute' x='500' y='100'><in name='value' from='slope.field'/></node>"
    "<node id='mix' type='combine' x='560' y='80'><in name='a' from='bend.value'/>"
    "<in name='b' from='odd.field'/></node>"
    "<node id='shade' type='hillshade' x='820' y='80' collapsed='true'><in name='terrain' "
    "from='mix.field'/></node>"
    "<node id='odd' type='nosuch' x='300' y='400'><in name='what' from='hills.field'/>"
    "<in name='lost' from='nowhere.field'/></node>"
    "<node id='memo' type='note' x='560' y='400'><in name='text' value='Mind the gap'/>"
    "<in name='width' value='300'/></node>"
    "<frame title='All' x='0' y='0' width='1100' height='700'/></orograph>";

static struct oro_document *doc;
static struct ed_model model;

static size_t item(const char *id)
{
    size_t index = oro_document_find_index(doc, id);
    assert_true(index < model.count);
    return index;
}

static struct ed_socket *input(const char *id, const char *name)
{
    struct ed_item *it = &model.items[item(id)];
    for (size_t i = 0; i < it->input_count; i++)
        if (!strcmp(it->inputs[i].name, name))
            return &it->inputs[i];
    fail_msg("%s has no input %s", id, name);
    return NULL;
}

static void build(const struct ed_names *unfolded)
{
    struct ed_model_source source = {doc, doc, &registry, unfolded};
    assert_true(ed_model_build(&model, &source));
}

FIXTURE(set_up)
{
    struct oro_problems problems = {0};
    doc = oro_document_parse(text, sizeof text - 1, "test.oro", &registry, &problems);
    oro_problems_free(&problems);
    if (!doc)
        return -1;
    build(NULL);
    return 0;
}

FIXTURE(tear_down)
{
    ed_model_free(&model);
    oro_document_destroy(doc);
    return 0;
}

/* ---- The camera ---- */

TEST_WITH(camera, set_up, tear_down)
{
    struct ed_lens camera = {.x = 10, .y = -20, .zoom = 1, .fine = 2, .rect = {100, 50, 800, 600}};
    double x, y;
    struct ui_vec at = ed_lens_to(&camera, 10, -20);
    NEAR(at.x, 500);
    NEAR(at.y, 350);
    ed_lens_from(&camera, (struct ui_vec){702, 350}, &x, &y);
    NEAR(x, 111);
    NEAR(y, -20);
    /* What is under the pointer stays there, within the limits and at them. */
    struct ui_vec pointer = {640, 120};
    double before_x, before_y;
    ed_lens_from(&camera, pointer, &before_x, &before_y);
    for (int i = 0; i < 40; i++) {
        ed_lens_zoom(&camera, pointer, i < 20 ? 1.15 : 0.5);
        ed_lens_from(&camera, pointer, &x, &y);
        NEAR(x, before_x);
        NEAR(y, before_y);
        assert_true(camera.zoom >= ED_ZOOM_MIN && camera.zoom <= ED_ZOOM_MAX);
    }
    NEAR(camera.zoom, ED_ZOOM_MIN);
    ed_lens_pan(&camera, 20, -10);
    ed_lens_from(&camera, (struct ui_vec){660, 110}, &x, &y);
    NEAR(x, before_x);
    NEAR(y, before_y);
}

TEST_WITH(camera_fits, set_up, tear_down)
{
    struct ed_lens camera = {.zoom = 2, .fine = 1, .rect = {0, 0, 800, 600}};
    struct ed_area box = {0, 0, 4000, 1000}, empty = {0, 0, -1, -1}, small = {0, 0, 100, 50};
    ed_lens_fit(&camera, &box);
    struct ed_area sees = ed_lens_sees(&camera);
    assert_true(sees.x0 < 0 && sees.x1 > 4000 && sees.y0 < 0 && sees.y1 > 1000);
    assert_true(sees.x1 - sees.x0 < 4100);
    ed_lens_fit(&camera, &small);
    NEAR(camera.zoom, 1);
    NEAR(camera.x, 50);
    ed_lens_fit(&camera, &empty);
    NEAR(camera.zoom, 1);
    NEAR(ed_snapped(29), 20);
    NEAR(ed_snapped(31), 40);
    NEAR(ed_snapped(-31), -40);
}

TEST(areas)
{
    struct ed_area area = ed_no_area;
    ed_area_add(&area, 10, -20);
    ed_area_add(&area, 30, 40);
    assert_true(ed_area_holds(&area, 10, -20) && ed_area_holds(&area, 29, 39));
    assert_false(ed_area_holds(&area, 30, 0) || ed_area_holds(&area, 20, 40)); /* begins beside it */
    const struct ed_area flush = {20, 0, 30, 40}, beyond = {20, 0, 31, 40}, beside = {31, 0, 40, 40};
    assert_true(ed_area_covers(&area, &area) && ed_area_covers(&area, &flush));
    assert_false(ed_area_covers(&area, &beyond) || ed_area_covers(&flush, &area));
    assert_true(ed_areas_meet(&area, &flush) && ed_areas_meet(&beyond, &beside));
    assert_false(ed_areas_meet(&area, &beside));
}

/* ---- The model ---- */

TEST_WITH(kinds, set_up, tear_down)
{
    assert_int_equal(model.count, 7);
    assert_int_equal(model.items[item("hills")].kind, ED_ITEM_NODE);
    assert_int_equal(model.items[item("bend")].kind, ED_ITEM_REROUTE);
    assert_int_equal(model.items[item("memo")].kind, ED_ITEM_NOTE);
    assert_int_equal(model.items[item("odd")].kind, ED_ITEM_BROKEN);
    assert_true(model.items[item("shade")].collapsed);
    assert_string_equal(model.items[item("memo")].text, "Mind the gap");
    NEAR(model.items[item("memo")].w, 300);
    assert_string_equal(model.items[item("hills")].label, "Noise");
    assert_int_equal(model.frame_count, 1);
    NEAR(model.bounds.x0, 0);
    NEAR(model.bounds.x1, 1100);
    char label[64];
    ed_pretty_graph("library/alpine_range.oro", label, sizeof label);
    assert_string_equal(label, "Alpine range");
}

TEST_WITH(wires, set_up, tear_down)
{
    size_t wrong = 0;
    assert_int_equal(model.wire_count, 7);
    for (size_t i = 0; i < model.wire_count; i++) {
        struct ed_curve curve;
        bool whole = ed_wire_curve(&model, &model.wires[i], &curve);
        assert_int_equal(whole, model.wires[i].from != ED_NO_INDEX);
        wrong += model.wires[i].wrong;
    }
    assert_int_equal(wrong, 3); /* odd.what, odd.lost, mix.b */
    assert_int_equal(model.items[item("odd")].output_count, 1);
    assert_string_equal(model.items[item("odd")].outputs[0].name, "field");
    assert_int_equal(model.items[item("odd")].input_count, 2);
    /* A reroute carries what it gets. */
    assert_int_equal(model.items[item("bend")].outputs[0].type, ORO_FIELD);
    assert_true(input("slope", "terrain")->exposed);
    assert_true(model.items[item("shade")].outputs[0].exposed);
    assert_false(input("mix", "a")->exposed);
}

TEST_WITH(maps_show_when_they_are_used, set_up, tear_down)
{
    struct ed_item *mix = &model.items[item("mix")];
    assert_true(input("mix", "a")->shown);
    assert_false(input("mix", "mask")->shown);
    assert_true(mix->hidden > 0 && mix->more_y > 0);
    float folded = mix->h;
    struct ed_names unfolded = {0};
    assert_true(ed_names_add(&unfolded, "mix"));
    build(&unfolded);
    assert_true(input("mix", "mask")->shown);
    assert_true(model.items[item("mix")].h > folded);
    ed_item_layout(&model.items[item("mix")], false);
    assert_false(input("mix", "mask")->shown);
    NEAR(model.items[item("mix")].h, folded);
    ed_names_free(&unfolded);
    build(NULL);
}

TEST_WITH(sockets_do_not_meet, set_up, tear_down)
{
    for (size_t i = 0; i < model.count; i++) {
        struct ed_item *it = &model.items[i];
        if (it->kind != ED_ITEM_NODE || it->collapsed)
            continue;
        for (int all = 0; all < 2; all++) {
            ed_item_layout(it, all);
            for (size_t a = 0; a < it->input_count; a++)
                for (size_t b = a + 1; b < it->input_count; b++)
                    if (it->inputs[a].shown && it->inputs[b].shown)
                        assert_true(fabsf(it->inputs[a].y - it->inputs[b].y) >= ED_NODE_ROW - 0.5f);
            for (size_t a = 0; a < it->input_count; a++)
                assert_true(it->inputs[a].y > 0 && it->inputs[a].y < it->h);
            for (size_t a = 0; a < it->output_count; a++)
                assert_true(it->outputs[a].y > 0 && it->outputs[a].y < it->h);
        }
        ed_item_layout(it, false);
    }
}

/* ---- Hits ---- */

TEST_WITH(hits, set_up, tear_down)
{
    double x, y;
    size_t slope = item("slope"), shade = item("shade");
    ed_socket_place(&model.items[slope], input("slope", "terrain"), &x, &y);
    struct ed_hit hit = ed_model_hit(&model, x - 3, y + 2, 8);
    assert_int_equal(hit.kind, ED_HIT_INPUT);
    assert_int_equal(hit.index, slope);
    hit = ed_model_hit(&model, model.items[slope].x + 50, model.items[slope].y + 10, 8);
    assert_int_equal(hit.kind, ED_HIT_TITLE);
    hit = ed_model_hit(&model, model.items[slope].x + 80, model.items[slope].y + 100, 8);
    assert_int_equal(hit.kind, ED_HIT_BODY);
    struct ed_area eye = ed_item_eye(&model.items[slope]);
    hit = ed_model_hit(&model, (eye.x0 + eye.x1) / 2, (eye.y0 + eye.y1) / 2, 8);
    assert_int_equal(hit.kind, ED_HIT_EYE);
    /* A pill has its sockets at its ends alone. */
    hit = ed_model_hit(&model, model.items[shade].x, model.items[shade].y + ED_NODE_PILL / 2.0, 8);
    assert_int_equal(hit.kind, ED_HIT_INPUT);
    hit = ed_model_hit(&model, model.items[shade].x + 40, model.items[shade].y + 60, 8);
    assert_int_equal(hit.kind, ED_HIT_NOTHING);
    hit = ed_model_hit(&model, 600, 10, 8);
    assert_int_equal(hit.kind, ED_HIT_FRAME);
    hit = ed_model_hit(&model, 1096, 696, 8);
    assert_int_equal(hit.kind, ED_HIT_FRAME_CORNER);
    hit = ed_model_hit(&model, 2000, 2000, 8);
    assert_int_equal(hit.kind, ED_HIT_NOTHING);
}

TEST_WITH(hits_of_links, set_up, tear_down)
{
    for (size_t i = 0; i < model.wire_count; i++) {
        struct ed_curve curve;
        double x, y, far_x, far_y;
        if (!ed_wire_curve(&model, &model.wires[i], &curve))
            continue;
        ed_curve_at(&curve, 0.5, &x, &y);
        NEAR(ed_curve_distance(&curve, x, y), 0);
        assert_true(ed_curve_crossed(&curve, x - 1, y - 30, x + 1, y + 30, &far_x, &far_y));
        assert_true(hypot(far_x - x, far_y - y) < 32);
        assert_false(ed_curve_crossed(&curve, x - 900, y - 900, x + 900, y - 900, &far_x, &far_y));
        struct ed_area there = {x - 5, y - 5, x + 5, y + 5}, away = {x, y + 2000, x + 5, y + 2005};
        assert_true(ed_curve_meets(&curve, &there));
        assert_false(ed_curve_meets(&curve, &away));
    }
    double x, y;
    struct ed_curve curve;
    ed_wire_curve(&model, &model.wires[0], &curve);
    ed_curve_at(&curve, 0.5, &x, &y);
    struct ed_hit hit = ed_model_hit(&model, x, y + 2, 6);
    assert_int_equal(hit.kind, ED_HIT_WIRE);
    assert_int_equal(hit.index, 0);
}

/* ---- What could be linked ---- */

TEST_WITH(reach, set_up, tear_down)
{
    unsigned char marks[7];
    ed_model_reach(&model, item("bend"), true, marks);
    assert_true(marks[item("bend")] && marks[item("slope")] && marks[item("hills")]);
    assert_false(marks[item("mix")] || marks[item("odd")] || marks[item("memo")]);
    ed_model_reach(&model, item("bend"), false, marks);
    assert_true(marks[item("mix")] && marks[item("shade")]);
    assert_false(marks[item("slope")] || marks[item("hills")]);
    const struct ed_socket *field = &model.items[item("hills")].outputs[0];
    assert_true(ed_sockets_fit(field, input("slope", "terrain")));
    assert_true(ed_sockets_fit(field, input("mix", "mask")));
    assert_true(ed_sockets_fit(field, input("bend", "value")));
    assert_false(ed_sockets_fit(&model.items[item("shade")].outputs[0], input("slope", "terrain")));
    assert_false(ed_sockets_fit(field, input("odd", "what")));
}

/* ---- Ways ---- */

static void expect_walk(const char *from, enum ed_walk walk, const char *to)
{
    size_t found = ed_model_walk(&model, item(from), walk);
    if (to)
        assert_string_equal(found < model.count ? model.items[found].id : "nowhere", to);
    else
        assert_int_equal(found, ED_NO_INDEX);
}

TEST_WITH(walking_with_arrows, set_up, tear_down)
{
    expect_walk("hills", ED_WALK_RIGHT, "slope"); /* above 'odd', which is linked, too */
    expect_walk("slope", ED_WALK_RIGHT, "bend");
    expect_walk("bend", ED_WALK_RIGHT, "mix");
    expect_walk("mix", ED_WALK_LEFT, "bend"); /* its first input */
    expect_walk("bend", ED_WALK_LEFT, "slope");
    expect_walk("slope", ED_WALK_DOWN, "odd");
    expect_walk("odd", ED_WALK_UP, "slope");
    expect_walk("memo", ED_WALK_UP, "mix");
    expect_walk("memo", ED_WALK_LEFT, "odd"); /* no link leads there */
    expect_walk("hills", ED_WALK_LEFT, NULL);
    expect_walk("memo", ED_WALK_DOWN, NULL);
}

TEST_WITH(memory_out, set_up, tear_down)
{
    struct ed_model_source source = {doc, doc, &registry, NULL};
    size_t failed = 0;
    for (size_t n = 1; n < 400; n++) {
        oro_memory_fail_at(n);
        bool ok = ed_model_build(&model, &source);
        oro_memory_fail_at(0);
        if (!ok) {
            failed++;
            assert_int_equal(model.count, 0);
            assert_true(model.bounds.x1 < model.bounds.x0);
        }
    }
    assert_true(failed > 0);
    build(NULL);
}

TEST_GROUP(set_up_registry, tear_down_registry);
