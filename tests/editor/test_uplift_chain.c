/* Parts of an uplift that are put in front of what makes a terrain of it. */
#include "editor/project/uplift_chain.h"
#include "graph/file/load.h"
#include "tests/editor/project_support.h"

/* stream_power -> hillshade. */
static struct ed_project *start(void)
{
    struct oro_error err = {0};
    struct ed_project *p = new_project();
    OK(ed_add_node(p, "stream_power", NULL, 400, 80, NULL, NULL, NULL, &err));
    OK(ed_add_node(p, "hillshade", NULL, 640, 80, &(struct ed_end){"stream_power", "terrain"}, NULL, NULL,
                   &err));
    return p;
}

static void add(struct ed_project *p, const struct ed_uplift_part *part, const char *viewed,
                const char *wanted)
{
    struct oro_error err = {0};
    char maker[128], id[128];
    ed_uplift_maker(p, viewed, maker);
    ed_gesture_begin(p, "draw");
    OK(ed_uplift_add(p, part, maker, id, &err));
    ed_gesture_end(p);
    assert_string_equal(id, wanted);
}

static const char *value_of(const struct ed_project *p, const char *node, const char *input)
{
    const struct oro_doc_node *found = oro_document_find(ed_project_shown(p), node);
    const struct oro_doc_input *entry = found ? oro_doc_node_input(found, input) : NULL;
    return entry && entry->value ? entry->value : "";
}

static const struct ed_uplift_part range = {"uplift_curve", NULL, "range", "max", 40, 80};
static const struct ed_uplift_part valley = {"uplift_valley", NULL, "valley", "carve", 40, 300};

TEST(the_first_part_is_linked_and_others_are_joined)
{
    struct oro_error err = {0};
    struct ed_project *p = start();
    char *before = text_of(p);
    add(p, &range, "hillshade", "range");
    assert_string_equal(source_of(p, "stream_power", "uplift"), "range");
    assert_int_equal(oro_document_node_count(ed_project_root(p)), 3);
    add(p, &valley, "hillshade", "valley");
    assert_string_equal(source_of(p, "stream_power", "uplift"), "uplift_combine");
    assert_string_equal(source_of(p, "uplift_combine", "a"), "range");
    assert_string_equal(source_of(p, "uplift_combine", "b"), "valley");
    assert_string_equal(value_of(p, "uplift_combine", "method"), "carve");
    add(p, &range, "stream_power", "range2");
    assert_string_equal(source_of(p, "uplift_combine2", "a"), "uplift_combine");
    /* What was right of the new nodes still is. */
    const struct oro_document *doc = ed_project_root(p);
    assert_true(oro_document_find(doc, "uplift_combine2")->x < oro_document_find(doc, "stream_power")->x);
    assert_true(oro_document_find(doc, "stream_power")->x < oro_document_find(doc, "hillshade")->x);
    /* Each is one step. */
    for (int i = 0; i < 3; i++)
        OK(ed_project_undo(p, &err));
    expect_text(p, before);
    for (int i = 0; i < 3; i++)
        OK(ed_project_redo(p, &err));
    assert_string_equal(source_of(p, "uplift_combine2", "b"), "range2");
    oro_free(before);
    ed_project_destroy(p);
}

TEST(a_valley_is_carved_into_the_number_that_was_there)
{
    struct oro_error err = {0};
    struct ed_project *p = start();
    struct oro_document *doc = ed_edit_begin(p, "set", &err);
    OK(ed_edit_end(p, oro_edit_set(doc, "stream_power", "uplift", "0.0007", &err), &err));
    add(p, &valley, "stream_power", "valley");
    assert_string_equal(source_of(p, "uplift_combine", "a"), "uplift_constant");
    assert_string_equal(value_of(p, "uplift_constant", "uplift"), "0.0007");
    ed_project_destroy(p);
}

TEST(a_part_that_passes_uplifts_on_is_put_between)
{
    struct ed_project *p = start();
    add(p, &range, "stream_power", "range");
    add(p, &(struct ed_uplift_part){"uplift_transform", NULL, NULL, "max", 0, 0}, "stream_power",
        "uplift_transform");
    assert_string_equal(source_of(p, "stream_power", "uplift"), "uplift_transform");
    assert_string_equal(source_of(p, "uplift_transform", "uplift"), "range");
    const struct oro_document *doc = ed_project_root(p);
    assert_true(oro_document_find(doc, "uplift_transform")->x > oro_document_find(doc, "range")->x);
    assert_true(oro_document_find(doc, "uplift_transform")->x < oro_document_find(doc, "stream_power")->x);
    ed_project_destroy(p);
}

TEST(a_field_can_be_a_part)
{
    struct ed_project *p = start();
    add(p, &range, "stream_power", "range");
    add(p, &(struct ed_uplift_part){"import", NULL, "painted", "add", 0, 0}, "stream_power", "painted");
    assert_string_equal(source_of(p, "uplift_combine", "b"), "painted");
    ed_project_destroy(p);
}

TEST(what_makes_the_viewed_terrain_is_found)
{
    struct oro_error err = {0};
    struct ed_project *p = start();
    char maker[128];
    OK(ed_add_node(p, "noise", NULL, 0, 0, NULL, NULL, NULL, &err));
    OK(ed_add_node(p, "uplift_disc", NULL, 0, 0, NULL, NULL, NULL, &err));
    OK(ed_add_node(p, "stream_power", NULL, 0, 0, &(struct ed_end){"uplift_disc", "uplift"}, NULL, NULL,
                   &err));
    assert_true(ed_uplift_maker(p, "hillshade", maker)); /* the nearest upstream */
    assert_string_equal(maker, "stream_power");
    assert_true(ed_uplift_maker(p, "uplift_disc", maker)); /* what it leads to */
    assert_string_equal(maker, "stream_power2");
    assert_true(ed_uplift_maker(p, "noise", maker)); /* the last */
    assert_string_equal(maker, "stream_power2");
    ed_project_destroy(p);

    p = new_project();
    assert_false(ed_uplift_maker(p, "", maker));
    add(p, &range, "", "range"); /* one is made */
    assert_string_equal(source_of(p, "stream_power", "uplift"), "range");
    ed_project_destroy(p);
}

TEST(what_was_joined_is_removed_with_its_joint)
{
    struct oro_error err = {0};
    struct ed_project *p = start();
    add(p, &range, "stream_power", "range");
    add(p, &range, "stream_power", "range2");
    OK(ed_uplift_remove(p, "range2", &err));
    assert_string_equal(source_of(p, "stream_power", "uplift"), "range");
    assert_int_equal(oro_document_node_count(ed_project_root(p)), 3);
    assert_false(ed_uplift_remove(p, "range", &err)); /* without it, the number would count again */
    assert_int_equal(oro_document_node_count(ed_project_root(p)), 3);
    ed_project_destroy(p);
}

TEST_GROUP(set_up_registry, tear_down_registry);
