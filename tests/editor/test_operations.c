/* Operations of the user on nodes, one at a time and many at random. */
#include <time.h>

#include "editor/project/project_private.h"
#include "graph/file/load.h"
#include "tests/editor/project_support.h"

/* noise -> slope -> blur, on the root. */
static struct ed_project *chain(void)
{
    struct oro_error err = {0};
    struct ed_project *p = new_project();
    char id[128];
    OK(ed_add_node(p, "noise", NULL, 0, 0, NULL, NULL, id, &err));
    assert_string_equal(id, "noise");
    OK(ed_add_node(p, "thermal_erosion", NULL, 200, 0, &(struct ed_end){"noise", "field"}, NULL, id, &err));
    OK(ed_add_node(p, "blur", NULL, 400, 0, &(struct ed_end){"thermal_erosion", "terrain"}, NULL, id, &err));
    return p;
}

TEST(names)
{
    struct ed_names names = NAMES("a", "b", "a");
    assert_int_equal(names.count, 2);
    ed_names_remove(&names, "a");
    assert_false(ed_names_have(&names, "a"));
    assert_true(ed_names_have(&names, "b"));
    ed_names_free(&names);

    struct ed_project *p = chain();
    struct {
        const char *wanted, *got;
    } cases[] = {
        {"noise", "noise2"},   {"noise2", "noise2"}, {"3d", "_3d"},
        {"größe x", "gr_e_x"}, {"", "node"},         {"a-b", "a-b"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *id = ed_free_id(ed_project_root(p), cases[i].wanted);
        assert_true(oro_is_identifier(id));
        assert_string_equal(id, cases[i].got);
        oro_free(id);
    }
    ed_project_destroy(p);
}

TEST(add)
{
    struct oro_error err = {0};
    struct ed_project *p = chain();
    char id[128];
    assert_string_equal(source_of(p, "thermal_erosion", "terrain"), "noise");
    assert_string_equal(source_of(p, "blur", "field"), "thermal_erosion");
    assert_false(ed_add_node(p, "no_such", NULL, 0, 0, NULL, NULL, id, &err));
    uint64_t revision = ed_project_revision(p);
    assert_false(ed_add_node(p, "noise", NULL, 0, 0, &(struct ed_end){"noise", "none"}, NULL, id, &err));
    assert_int_equal(oro_document_node_count(ed_project_root(p)), 3);
    (void)revision;
    /* An input of the same name comes before the first input; but not "mask", which may be meant for
     * anything. */
    OK(ed_add_node(p, "uplift_range", NULL, 0, 0, NULL, NULL, id, &err));
    OK(ed_add_node(p, "stream_power", NULL, 0, 0, &(struct ed_end){"uplift_range", "uplift"}, NULL, id,
                   &err));
    assert_string_equal(source_of(p, "stream_power", "uplift"), "uplift_range");
    OK(ed_add_node(p, "mask_select", NULL, 0, 0, &(struct ed_end){"noise", "field"}, NULL, id, &err));
    OK(ed_add_node(p, "thermal_erosion", NULL, 0, 0, &(struct ed_end){"mask_select", "mask"}, NULL, id,
                   &err));
    assert_string_equal(source_of(p, id, "terrain"), "mask_select");
    /* In front of an input. */
    OK(ed_add_node(p, "remap", NULL, 0, 0, NULL, &(struct ed_end){"blur", "field"}, id, &err));
    assert_string_equal(source_of(p, "blur", "field"), "remap");
    OK(ed_add_node(p, "lua", NULL, 0, 0, NULL, NULL, id, &err));
    assert_non_null(oro_document_find(ed_project_root(p), id)->script);
    OK(ed_add_node(p, "graph", "library/canyon_land.oro", 0, 0, NULL, NULL, id, &err));
    assert_string_equal(id, "canyon_land");
    ed_project_destroy(p);
}

TEST(links)
{
    struct oro_error err = {0};
    struct ed_project *p = chain();
    const struct ed_end blur = {"blur", "field"}, into = {"thermal_erosion", "terrain"},
                        noise = {"noise", "field"}, field = {"blur", "field"};
    assert_true(ed_can_link(p, &noise, &field));
    assert_false(ed_can_link(p, &blur, &into));
    assert_false(ed_link(p, &blur, &into, &err));
    assert_int_equal(err.code, ORO_E_USAGE);
    assert_false(ed_can_link(p, &noise, &(struct ed_end){"blur", "none"}));
    assert_false(ed_can_link(p, &noise, &(struct ed_end){"nobody", "field"}));
    /* An image is no terrain, behind a bend neither. */
    char colour[128], bend[128];
    OK(ed_add_node(p, "colorize", NULL, 0, 0, &noise, NULL, colour, &err));
    const struct ed_end image = {colour, oro_registry_find(&registry, "colorize")->outputs[0].name};
    assert_false(ed_can_link(p, &image, &field));
    OK(ed_add_reroute(p, &field, 300, 0, bend, &err));
    assert_string_equal(source_of(p, "blur", "field"), bend);
    assert_string_equal(source_of(p, bend, "value"), "thermal_erosion");
    assert_false(ed_can_link(p, &image, &(struct ed_end){bend, "value"}));
    assert_true(ed_can_link(p, &noise, &(struct ed_end){bend, "value"}));
    OK(ed_unlink(p, &field, 1, &err));
    assert_string_equal(source_of(p, "blur", "field"), "");
    assert_true(ed_can_link(p, &image, &(struct ed_end){bend, "value"}));
    ed_project_destroy(p);
}

TEST(insert_and_heal)
{
    struct oro_error err = {0};
    struct ed_project *p = chain();
    char id[128];
    OK(ed_add_node(p, "remap", NULL, 0, 0, NULL, NULL, id, &err));
    OK(ed_insert_on_link(p, "remap", &(struct ed_end){"blur", "field"}, &err));
    assert_string_equal(source_of(p, "blur", "field"), "remap");
    assert_string_equal(source_of(p, "remap", "field"), "thermal_erosion");
    assert_false(ed_insert_on_link(p, "remap", &(struct ed_end){"noise", "octaves"}, &err));
    char *before = text_of(p);
    struct ed_names two = NAMES("thermal_erosion", "remap");
    OK(ed_delete(p, &two, true, &err));
    assert_string_equal(source_of(p, "blur", "field"), "noise");
    OK(ed_project_undo(p, &err));
    expect_text(p, before);
    OK(ed_delete(p, &two, false, &err));
    assert_string_equal(source_of(p, "blur", "field"), "");
    oro_free(before);
    OK(ed_project_undo(p, &err));
    /* Outputs of the interface come from the nodes that are left. */
    struct ed_names end = NAMES("blur");
    OK(ed_expose_output(p, "blur", "field", true, &err));
    OK(ed_delete(p, &end, true, &err));
    assert_int_equal(oro_document_port_count(ed_project_root(p)), 1);
    assert_string_equal(oro_document_port(ed_project_root(p), 0)->node, "remap");
    assert_string_equal(oro_document_port(ed_project_root(p), 0)->name, "field");
    ed_names_free(&end);
    ed_names_free(&two);
    ed_project_destroy(p);
}

TEST(flags)
{
    struct oro_error err = {0};
    struct ed_project *p = chain();
    struct ed_names two = NAMES("noise", "blur"), one = NAMES("noise");
    OK(ed_mute(p, &one, &err));
    OK(ed_mute(p, &two, &err));
    assert_true(oro_document_find(ed_project_root(p), "blur")->mute);
    assert_true(oro_document_find(ed_project_root(p), "noise")->mute);
    OK(ed_mute(p, &two, &err));
    assert_false(oro_document_find(ed_project_root(p), "noise")->mute);
    OK(ed_collapse(p, &two, &err));
    assert_true(oro_document_find(ed_project_root(p), "blur")->collapsed);
    ed_names_free(&two);
    ed_names_free(&one);
    ed_project_destroy(p);
}

TEST(clipboard)
{
    struct oro_error err = {0};
    struct ed_project *p = chain(), *other = new_project();
    struct ed_names two = NAMES("thermal_erosion", "blur"), added = {0};
    const struct oro_doc_frame frame = {
        .title = (char *)"End", .x = 190, .y = -10, .width = 400, .height = 200};
    struct oro_document *doc = ed_edit_begin(p, "frame", &err);
    OK(ed_edit_end(p, oro_edit_add_frame(doc, &frame, &err), &err));
    char *text = ed_copy(p, &two, &err);
    assert_non_null(text);
    OK(ed_paste(other, text, 1000, 500, true, &added, &err));
    assert_int_equal(added.count, 2);
    assert_string_equal(added.items[0], "thermal_erosion");
    assert_string_equal(source_of(other, "thermal_erosion", "terrain"), ""); /* there is no noise */
    assert_string_equal(source_of(other, "blur", "field"), "thermal_erosion");
    assert_true(oro_document_find(ed_project_root(other), "blur")->x == 1100);
    assert_int_equal(oro_document_frame_count(ed_project_root(other)), 1);
    /* Again where the rest is. */
    OK(ed_paste(p, text, 0, 0, true, &added, &err));
    assert_string_equal(added.items[0], "thermal_erosion2");
    assert_string_equal(source_of(p, "thermal_erosion2", "terrain"), "noise");
    assert_string_equal(source_of(p, "blur2", "field"), "thermal_erosion2");
    OK(ed_paste(p, text, 0, 0, false, &added, &err));
    assert_string_equal(source_of(p, added.items[0], "terrain"), "");
    OK(ed_duplicate(p, &two, 10, 20, &added, &err));
    assert_string_equal(source_of(p, added.items[0], "terrain"), "noise");
    assert_true(oro_document_find(ed_project_root(p), added.items[0])->x == 210);
    oro_free(text);
    ed_names_free(&two);
    ed_names_free(&added);
    ed_project_destroy(p);
    ed_project_destroy(other);
}

TEST(foreign_text)
{
    struct oro_error err = {0};
    struct ed_project *p = chain();
    struct ed_names added = {0};
    char *before = text_of(p);
    static const char *const bad[] = {
        "",
        "hello",
        "<orograph",
        "<orograph xmlns=\"urn:orograph:1\" version=\"1\"/>",
        "<!DOCTYPE a [<!ENTITY b \"c\">]><orograph xmlns=\"urn:orograph:1\" version=\"1\"><node "
        "id=\"&b;\"/></orograph>",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(ed_paste(p, bad[i], 0, 0, true, &added, &err));
        assert_int_equal(err.code, ORO_E_DOCUMENT);
        expect_text(p, before);
    }
    /* Cycles, duplicate ids, impossible places. */
    OK(ed_paste(p,
                "<orograph xmlns=\"urn:orograph:1\" version=\"1\">"
                "<node id=\"a\" type=\"blur\" x=\"nan\"><in name=\"field\" from=\"b.field\"/></node>"
                "<node id=\"b\" type=\"blur\"><in name=\"field\" from=\"a.field\"/></node>"
                "<node id=\"b\" type=\"blur\"/><node id=\"\" type=\"\"/></orograph>",
                0, 0, true, &added, &err));
    assert_int_equal(added.count, 4);
    for (size_t i = 0; i < added.count; i++)
        assert_non_null(oro_document_find(ed_project_root(p), added.items[i]));
    OK(ed_project_undo(p, &err));
    expect_text(p, before);
    oro_free(before);
    ed_names_free(&added);
    ed_project_destroy(p);
}

TEST(groups)
{
    struct oro_error err = {0};
    struct ed_project *p = chain();
    struct ed_names two = NAMES("thermal_erosion", "blur"), one = NAMES("blur"), added = {0};
    char id[128], inner[128];
    char *before = text_of(p);
    OK(ed_group(p, &two, "Rock face", id, &err));
    assert_string_equal(id, "Rock_face");
    assert_int_equal(errors_of(p), 0);
    OK(ed_project_enter(p, id, &err));
    assert_int_equal(ed_project_depth(p), 1);
    assert_non_null(oro_document_find(ed_project_shown(p), "blur"));
    /* A group within the group, taken apart again. */
    OK(ed_group(p, &one, "soft", inner, &err));
    assert_int_equal(errors_of(p), 0);
    assert_int_equal(oro_document_group_count(ed_project_root(p)), 2);
    assert_true(ed_group_is_used(ed_project_root(p), "soft")); /* within the other one */
    OK(ed_project_enter(p, inner, &err));
    assert_int_equal(ed_project_depth(p), 2);
    OK(ed_add_node(p, "noise", NULL, 0, 0, NULL, NULL, id, &err));
    assert_false(ed_add_node(p, "graph", "#Rock_face", 0, 0, NULL, NULL, id, &err));
    assert_false(ed_add_node(p, "graph", "#soft", 0, 0, NULL, NULL, id, &err));
    ed_project_leave(p, 1);
    OK(ed_ungroup(p, inner, &added, &err));
    assert_int_equal(added.count, 2);
    assert_true(ed_group_is_used(ed_project_root(p), "Rock_face"));
    assert_false(ed_group_is_used(ed_project_root(p), "soft"));
    /* Names that have become free are used again. */
    assert_non_null(oro_document_find(ed_project_shown(p), "blur"));
    assert_true(ed_names_have(&added, "blur"));
    assert_int_equal(errors_of(p), 0);
    /* Undoing unmakes the group that is shown. */
    while (ed_project_undo_name(p) && strcmp(ed_project_undo_name(p), "Group Rock_face") != 0)
        OK(ed_project_undo(p, &err));
    assert_int_equal(ed_project_depth(p), 1);
    OK(ed_project_undo(p, &err));
    assert_int_equal(ed_project_depth(p), 0);
    expect_text(p, before);
    oro_free(before);
    ed_names_free(&two);
    ed_names_free(&one);
    ed_names_free(&added);
    ed_project_destroy(p);
}

static const char *href_of(struct ed_project *project, const char *node)
{
    const struct oro_doc_node *found = oro_document_find(ed_project_shown(project), node);
    return found && found->href ? found->href : "";
}

static const char *group_title(struct ed_project *project, const char *group)
{
    const struct oro_doc_group *found = oro_document_find_group(ed_project_root(project), group);
    return found ? oro_document_title(found->body) : "none";
}

TEST(group_names)
{
    struct oro_error err = {0};
    struct ed_project *p = chain();
    struct ed_names two = NAMES("thermal_erosion", "blur"), one = NAMES("blur");
    char id[128], inner[128], second[128];
    OK(ed_group(p, &two, "group", id, &err));
    OK(ed_project_enter(p, id, &err));
    OK(ed_group(p, &one, "soft", inner, &err));
    ed_project_leave(p, 0);
    OK(ed_add_node(p, "graph", "#soft", 0, 0, NULL, NULL, second, &err));
    OK(ed_rename(p, second, "own", &err));
    char *before = text_of(p);
    /* All that use it follow; a node that had a name of its own keeps it. */
    OK(ed_rename_group(p, "own", "Very soft", id, &err));
    assert_string_equal(id, "own");
    assert_string_equal(href_of(p, "own"), "#Very_soft");
    assert_string_equal(group_title(p, "Very_soft"), "");
    assert_string_equal(group_title(p, "soft"), "none");
    OK(ed_rename_group(p, "group", "Rock: 1", id, &err));
    assert_string_equal(id, "Rock_1");
    assert_string_equal(href_of(p, "Rock_1"), "#Rock_1");
    assert_string_equal(group_title(p, "Rock_1"), "Rock: 1");
    OK(ed_project_enter(p, id, &err));
    assert_string_equal(href_of(p, "soft"), "#Very_soft");
    OK(ed_rename_group(p, "soft", "Very soft", id, &err)); /* the name it has */
    OK(ed_rename_group(p, "soft", "Rock 1", id, &err));    /* one that is taken */
    assert_string_equal(href_of(p, id), "#Rock_12");
    assert_int_equal(errors_of(p), 1); /* the second use is not linked */
    assert_false(ed_rename_group(p, "thermal_erosion", "x", id, &err));
    for (int i = 0; i < 3; i++)
        OK(ed_project_undo(p, &err));
    expect_text(p, before);
    oro_free(before);
    ed_names_free(&two);
    ed_names_free(&one);
    ed_project_destroy(p);
}

TEST(expose)
{
    struct oro_error err = {0};
    struct ed_project *p = chain();
    struct ed_names one = NAMES("noise");
    char id[128];
    OK(ed_group(p, &one, "hills", id, &err));
    OK(ed_project_enter(p, id, &err));
    OK(ed_expose(p, "noise", "seed", true, &err));
    OK(ed_expose(p, "noise", "octaves", true, &err));
    OK(ed_expose(p, "noise", "octaves", true, &err));
    assert_true(ed_is_exposed(p, "noise", "octaves"));
    assert_false(ed_expose(p, "noise", "nothing", true, &err));
    ed_project_leave(p, 0);
    struct oro_document *doc = ed_edit_begin(p, "set", &err);
    OK(ed_edit_end(
        p, oro_edit_set(doc, id, "octaves", "3", &err) && oro_edit_set(doc, id, "noise_seed", "3", &err),
        &err));
    assert_int_equal(errors_of(p), 0);
    /* Values set from outside are removed with the entry, and come back with it. */
    OK(ed_project_enter(p, id, &err));
    OK(ed_expose(p, "noise", "octaves", false, &err));
    assert_false(ed_is_exposed(p, "noise", "octaves"));
    assert_int_equal(errors_of(p), 0);
    assert_null(oro_doc_node_input(oro_document_find(ed_project_root(p), id), "octaves"));
    OK(ed_project_undo(p, &err));
    assert_non_null(oro_doc_node_input(oro_document_find(ed_project_root(p), id), "octaves"));
    OK(ed_expose_output(p, "noise", "field", false, &err));
    assert_int_equal(errors_of(p), 1); /* the erosion needs its terrain */
    ed_names_free(&one);
    ed_project_destroy(p);
}

/* Groups of pasted nodes: an identical group is used again, a different one gets another name. */
TEST(paste_groups)
{
    struct oro_error err = {0};
    struct ed_project *p = chain(), *other = chain();
    struct ed_names one = NAMES("blur"), use = {0}, added = {0};
    char id[128];
    OK(ed_group(p, &one, "soft", id, &err));
    assert_true(ed_names_add(&use, id));
    char *text = ed_copy(p, &use, &err);
    assert_non_null(text);
    OK(ed_paste(p, text, 0, 0, true, &added, &err));
    assert_int_equal(oro_document_group_count(ed_project_root(p)), 1);
    OK(ed_paste(other, text, 0, 0, true, &added, &err));
    assert_int_equal(oro_document_group_count(ed_project_root(other)), 1);
    OK(ed_project_enter(other, added.items[0], &err));
    OK(ed_add_node(other, "noise", NULL, 0, 0, NULL, NULL, id, &err));
    ed_project_leave(other, 0);
    OK(ed_paste(other, text, 0, 0, true, &added, &err));
    assert_int_equal(oro_document_group_count(ed_project_root(other)), 2);
    assert_string_equal(oro_document_find(ed_project_root(other), added.items[0])->href, "#soft2");
    assert_int_equal(errors_of(other), 0);
    /* A group cannot be pasted into itself. */
    OK(ed_project_enter(p, use.items[0], &err));
    assert_false(ed_paste(p, text, 0, 0, true, &added, &err));
    oro_free(text);
    ed_names_free(&one);
    ed_names_free(&use);
    ed_names_free(&added);
    ed_project_destroy(p);
    ed_project_destroy(other);
}

static void size_of(void *user, const char *node, double *width, double *height)
{
    (void)user;
    (void)node;
    *width = 100;
    *height = 50;
}

static double x_of(const struct ed_project *p, const char *node)
{
    return oro_document_find(ed_project_root(p), node)->x;
}

/* A node on a link: what follows it moves on, all by the same, and nothing else does. */
TEST(room_is_made)
{
    static const struct ed_sizes sizes = {.size = size_of};
    static const char *const types[] = {"noise", "blur", "slope", "ramp"};
    struct oro_error err = {0};
    struct ed_project *p = new_project();
    for (int i = 0; i < 4; i++)
        OK(ed_add_node(p, types[i], NULL, 150 * i, 0, NULL, NULL, NULL, &err));
    OK(ed_link(p, &(struct ed_end){"noise", "field"}, &(struct ed_end){"blur", "field"}, &err));
    OK(ed_link(p, &(struct ed_end){"blur", "field"}, &(struct ed_end){"slope", "terrain"}, &err));
    OK(ed_add_node(p, "remap", NULL, 90, 0, NULL, NULL, NULL, &err));
    OK(ed_insert_on_link(p, "remap", &(struct ed_end){"blur", "field"}, &err));
    OK(ed_make_room(p, "remap", &sizes, &err));
    assert_true(x_of(p, "noise") == 0 && x_of(p, "remap") == 160);
    assert_true(x_of(p, "blur") == 320 && x_of(p, "slope") == 470 && x_of(p, "ramp") == 450);
    /* Where there is room, nothing moves. */
    char *before = text_of(p);
    OK(ed_make_room(p, "remap", &sizes, &err));
    expect_text(p, before);
    oro_free(before);
    OK(ed_project_undo(p, &err));
    assert_true(x_of(p, "remap") == 90 && x_of(p, "slope") == 300);
    ed_project_destroy(p);
}

TEST(align)
{
    struct oro_error err = {0};
    struct ed_project *p = chain();
    const struct ed_sizes sizes = {.size = size_of};
    struct ed_names all = NAMES("noise", "thermal_erosion", "blur"), one = NAMES("thermal_erosion");
    OK(ed_move(p, &one, 33, 70, &err));
    OK(ed_align(p, &all, ED_SPREAD_X, &sizes, &err));
    assert_true(oro_document_find(ed_project_root(p), "thermal_erosion")->x == 200);
    OK(ed_align(p, &all, ED_ALIGN_BOTTOM, &sizes, &err));
    assert_true(oro_document_find(ed_project_root(p), "noise")->y == 70);
    OK(ed_align(p, &all, ED_ALIGN_RIGHT, &sizes, &err));
    assert_true(oro_document_find(ed_project_root(p), "noise")->x == 400);
    /* A row becomes a column from its left to its right; what has room stays. */
    assert_true(oro_document_find(ed_project_root(p), "noise")->y == 70);
    assert_true(oro_document_find(ed_project_root(p), "thermal_erosion")->y == 140);
    assert_true(oro_document_find(ed_project_root(p), "blur")->y == 210);
    OK(ed_align(p, &all, ED_ALIGN_LEFT, &sizes, &err));
    assert_true(oro_document_find(ed_project_root(p), "blur")->y == 210);
    OK(ed_align(p, &all, ED_SPREAD_X, &sizes, &err)); /* one below the other: no more room is needed */
    assert_true(oro_document_find(ed_project_root(p), "blur")->x == 400);
    OK(ed_align(p, &all, ED_ALIGN_TOP, &sizes, &err));
    assert_true(oro_document_find(ed_project_root(p), "blur")->x == 640);
    assert_true(ed_project_undo(p, &err) && ed_project_undo(p, &err));
    OK(ed_frame(p, &all, "All", &sizes, &err));
    const struct oro_doc_frame *frame = oro_document_frame(ed_project_root(p), 0);
    assert_true(frame->x < 400 && frame->x + frame->width > 500);
    assert_true(frame->y < 70 && frame->y + frame->height > 120);
    ed_names_free(&all);
    ed_names_free(&one);
    ed_project_destroy(p);
}

static double seconds_since(clock_t begin)
{
    return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

/* A thousand nodes are handled fluently: the limits are generous, for slow machines and sanitizers. */
TEST(large)
{
    enum { NODES = 1000 };
    struct oro_error err = {0};
    struct ed_project *p = new_project();
    struct ed_names all = {0}, added = {0};
    char id[32], before[32] = "";
    struct oro_document *doc = ed_edit_begin(p, "make", &err);
    for (int i = 0; i < NODES; i++) {
        snprintf(id, sizeof id, "n%d", i);
        OK(oro_edit_add_node(doc, id, "blur", 1, i * 10, 0, &err));
        if (i > 0)
            OK(oro_edit_connect(doc, id, "field", before, "field", &err));
        snprintf(before, sizeof before, "%s", id);
        assert_true(ed_names_add(&all, id));
    }
    OK(ed_edit_end(p, true, &err));
    clock_t begin = clock();
    size_t fit = 0;
    for (int i = 0; i < NODES; i++) {
        snprintf(id, sizeof id, "n%d", i);
        fit += ed_can_link(p, &(struct ed_end){"n500", "field"}, &(struct ed_end){id, "field"});
        fit += ed_can_link(p, &(struct ed_end){id, "field"}, &(struct ed_end){"n500", "field"});
    }
    assert_int_equal(fit, NODES - 1);
    double lit = seconds_since(begin);
    begin = clock();
    OK(ed_duplicate(p, &all, 0, 100, &added, &err));
    double duplicated = seconds_since(begin);
    assert_int_equal(added.count, NODES);
    begin = clock();
    OK(ed_delete(p, &added, true, &err));
    double deleted = seconds_since(begin);
    begin = clock();
    OK(ed_move(p, &all, 5, 5, &err));
    double moved = seconds_since(begin);
    begin = clock();
    OK(ed_group(p, &all, "all", NULL, &err));
    double grouped = seconds_since(begin);
    OK(ed_project_enter(p, "all", &err));
    struct ed_names one = NAMES("n7");
    ed_gesture_begin(p, "Drag");
    begin = clock();
    for (int i = 0; i < 20; i++)
        OK(ed_move(p, &one, 1, 0, &err));
    double dragged = seconds_since(begin) / 20;
    ed_gesture_end(p);
    print_message("light %.0f ms, duplicate %.0f ms, delete %.0f ms, move %.1f ms, group %.0f ms, drag "
                  "within %.1f ms\n",
                  lit * 1e3, duplicated * 1e3, deleted * 1e3, moved * 1e3, grouped * 1e3, dragged * 1e3);
    assert_true(lit < 1 && duplicated < 10 && deleted < 10 && moved < 1 && grouped < 20 && dragged < 0.5);
    ed_names_free(&all);
    ed_names_free(&added);
    ed_names_free(&one);
    ed_project_destroy(p);
}

/* ---- At random ---- */

static uint32_t chance(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return below ? (*seed >> 8) % below : 0;
}

static const char *any_node(const struct ed_project *p, uint32_t *seed)
{
    const struct oro_document *doc = ed_project_shown(p);
    size_t count = oro_document_node_count(doc);
    return count ? oro_document_node(doc, chance(seed, (uint32_t)count))->id : "nobody";
}

static struct ed_names some_nodes(const struct ed_project *p, uint32_t *seed)
{
    struct ed_names names = {0};
    for (uint32_t i = 0, count = 1 + chance(seed, 4); i < count; i++)
        assert_true(ed_names_add(&names, any_node(p, seed)));
    return names;
}

static void random_link(struct ed_project *p, uint32_t *seed)
{
    const struct oro_document *doc = ed_project_shown(p);
    const struct oro_doc_node *a = oro_document_find(doc, any_node(p, seed)),
                              *b = oro_document_find(doc, any_node(p, seed));
    const struct oro_node_type *from = a ? oro_type_of(&registry, ed_project_root(p), a, NULL) : NULL,
                               *to = b ? oro_type_of(&registry, ed_project_root(p), b, NULL) : NULL;
    if (!from || !to || oro_type_output_count(from) == 0 || oro_type_input_count(to) == 0)
        return;
    const struct ed_end source = {a->id,
                                  from->outputs[chance(seed, (uint32_t)oro_type_output_count(from))].name},
                        target = {b->id, to->inputs[chance(seed, (uint32_t)oro_type_input_count(to))].name};
    bool can = ed_can_link(p, &source, &target);
    assert_true(ed_link(p, &source, &target, NULL) == can);
}

static void random_operation(struct ed_project *p, uint32_t *seed)
{
    static const char *const types[] = {"noise",   "blur",    "remap",   "thermal_erosion",
                                        "reroute", "combine", "colorize"};
    struct ed_names names = some_nodes(p, seed), added = {0};
    const char *node = any_node(p, seed);
    char id[128];
    const struct ed_sizes sizes = {.size = size_of};
    switch (chance(seed, 17)) {
    case 0:
    case 1:
    case 2:
        ed_add_node(p, types[chance(seed, 7)], NULL, chance(seed, 900), chance(seed, 900), NULL, NULL, id,
                    NULL);
        break;
    case 3:
    case 4:
    case 5:
        random_link(p, seed);
        break;
    case 6:
        ed_delete(p, &names, chance(seed, 2), NULL);
        break;
    case 7:
        ed_duplicate(p, &names, 20, 20, &added, NULL);
        break;
    case 8:
        ed_group(p, &names, "group", id, NULL);
        break;
    case 9:
        ed_ungroup(p, node, &added, NULL);
        break;
    case 10:
        ed_project_enter(p, node, NULL);
        break;
    case 11:
        ed_project_leave(p, chance(seed, 2));
        break;
    case 12:
        ed_tidy(p, &added, &sizes, NULL);
        break;
    case 13:
        ed_expose(p, node, "seed", chance(seed, 2), NULL);
        ed_expose(p, node, "radius", chance(seed, 2), NULL);
        break;
    case 14:
        ed_rename(p, node, chance(seed, 2) ? "one" : "two", NULL);
        ed_rename_group(p, node, chance(seed, 2) ? "One!" : "two", NULL, NULL);
        break;
    case 15:
        ed_frame(p, &names, "Frame", &sizes, NULL);
        break;
    default:
        ed_mute(p, &names, NULL);
        ed_move(p, &names, 5, -5, NULL);
    }
    ed_names_free(&names);
    ed_names_free(&added);
}

/* The texts of all states, by their places in the history. */
struct states {
    char *texts[ED_HISTORY_STEPS + 1];
    size_t count;
};

/* Takes the steps that were made since the last known state, from the last one back, and redoes them. */
static void note_steps(struct ed_project *p, struct states *states)
{
    struct oro_error err = {0};
    size_t made = p->history.done, known = states->count;
    char *now = text_of(p);
    for (size_t i = made; i > known; i--) {
        states->texts[i] = text_of(p);
        OK(ed_project_undo(p, &err));
    }
    expect_text(p, states->texts[known]);
    for (size_t i = known; i < made; i++) {
        assert_string_not_equal(states->texts[i], states->texts[i + 1]); /* what changes nothing is no step */
        OK(ed_project_redo(p, &err));
    }
    expect_text(p, now);
    oro_free(now);
    states->count = made;
}

/* Undoes and redoes everything; every state on the way is the same as before. */
static void check_history(struct ed_project *p, const struct states *states)
{
    struct oro_error err = {0};
    size_t at = states->count;
    while (ed_project_undo_name(p)) {
        OK(ed_project_undo(p, &err));
        expect_text(p, states->texts[--at]);
    }
    assert_int_equal(at, 0);
    while (ed_project_redo_name(p)) {
        OK(ed_project_redo(p, &err));
        expect_text(p, states->texts[++at]);
    }
    assert_int_equal(at, states->count);
}

/* Links and interfaces lead to something that exists, and only existing inputs are set. Groups may have lost
 * all nodes. */
static void expect_sound(const struct ed_project *p)
{
    static const char *const allowed[] = {"missing-input", "bad-graph"};
    struct oro_problems problems = {0};
    char line[800];
    oro_check(ed_project_root(p), &registry, &problems);
    for (size_t i = 0; i < problems.count; i++) {
        bool fine = !problems.items[i].error;
        for (size_t k = 0; k < sizeof allowed / sizeof allowed[0]; k++)
            fine |= strcmp(problems.items[i].code, allowed[k]) == 0;
        if (!fine)
            fail_msg("%s", oro_problem_line(&problems.items[i], "test.oro", line, sizeof line));
    }
    oro_problems_free(&problems);
}

TEST(random)
{
    enum { OPERATIONS = 500, MADE_MAX = 4 };
    for (uint32_t seed = 1; seed <= 3; seed++) {
        struct ed_project *p = chain();
        struct states states = {.count = 3};
        uint32_t random = seed;
        for (size_t i = 3; i-- > 0; ed_project_undo(p, NULL))
            states.texts[i + 1] = text_of(p);
        states.texts[0] = text_of(p);
        while (ed_project_redo_name(p))
            ed_project_redo(p, NULL);
        for (int i = 0; i < OPERATIONS && states.count + MADE_MAX < ED_HISTORY_STEPS; i++) {
            random_operation(p, &random);
            note_steps(p, &states);
        }
        assert_true(states.count > 200);
        expect_sound(p);
        check_history(p, &states);
        for (size_t i = 0; i <= states.count; i++)
            oro_free(states.texts[i]);
        ed_project_destroy(p);
    }
}

TEST_GROUP(set_up_registry, tear_down_registry);
