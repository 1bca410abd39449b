/* Steps of the document and foreign ones, in one history. */
#include "editor/project/project_private.h"
#include "tests/editor/project_support.h"

/* A number that foreign steps change, and what became of the steps. */
struct foreign {
    int value, forgotten;
    bool refuses;
};
struct stroke {
    struct foreign *of;
    int before, after;
};

static bool apply_stroke(void *user, bool undo, struct oro_error *err)
{
    struct stroke *stroke = user;
    if (stroke->of->refuses)
        return oro_fail(err, ORO_E_WRITE, "the stroke cannot be applied");
    assert_int_equal(stroke->of->value, undo ? stroke->after : stroke->before);
    stroke->of->value = undo ? stroke->before : stroke->after;
    return true;
}

static void forget_stroke(void *user)
{
    struct stroke *stroke = user;
    stroke->of->forgotten++;
    oro_free(stroke);
}

static void paint(struct ed_project *p, struct foreign *of, size_t bytes)
{
    struct oro_error err = {0};
    struct stroke *stroke = oro_alloc(1, sizeof *stroke);
    *stroke = (struct stroke){of, of->value, of->value + 1};
    of->value++;
    OK(ed_project_did(p, &(struct ed_foreign_step){"Paint", apply_stroke, forget_stroke, stroke, bytes},
                      &err));
}

static void add_noise(struct ed_project *p)
{
    struct oro_error err = {0};
    OK(ed_add_node(p, "noise", NULL, 0, 0, NULL, NULL, NULL, &err));
}

static size_t nodes_of(const struct ed_project *p)
{
    return oro_document_node_count(ed_project_root(p));
}

TEST(interleaved)
{
    struct oro_error err = {0};
    struct ed_project *p = new_project();
    struct foreign of = {0};
    assert_null(ed_project_undo_name(p));
    assert_false(ed_project_undo(p, &err));
    add_noise(p);
    paint(p, &of, 10);
    add_noise(p);
    paint(p, &of, 10);
    assert_string_equal(ed_project_undo_name(p), "Paint");
    OK(ed_project_undo(p, &err));
    assert_int_equal(of.value, 1);
    assert_string_equal(ed_project_undo_name(p), "Add noise");
    OK(ed_project_undo(p, &err));
    assert_int_equal(nodes_of(p), 1);
    OK(ed_project_undo(p, &err));
    OK(ed_project_undo(p, &err));
    assert_int_equal(nodes_of(p), 0);
    assert_int_equal(of.value, 0);
    OK(ed_project_redo(p, &err));
    OK(ed_project_redo(p, &err));
    /* A stroke drops the steps of the document behind it, too. */
    paint(p, &of, 10);
    assert_int_equal(of.forgotten, 1);
    assert_null(ed_project_redo_name(p));
    assert_false(ed_project_redo(p, &err));
    OK(ed_project_undo(p, &err));
    OK(ed_project_undo(p, &err));
    OK(ed_project_undo(p, &err));
    assert_int_equal(nodes_of(p), 0);
    ed_project_destroy(p);
    assert_int_equal(of.forgotten, 3);
}

TEST(refused_step)
{
    struct oro_error err = {0};
    struct ed_project *p = new_project();
    struct foreign of = {0};
    paint(p, &of, 10);
    of.refuses = true;
    assert_false(ed_project_undo(p, &err));
    assert_int_equal(err.code, ORO_E_WRITE);
    assert_string_equal(ed_project_undo_name(p), "Paint");
    of.refuses = false;
    OK(ed_project_undo(p, &err));
    ed_project_destroy(p);
    assert_int_equal(of.forgotten, 1);
}

TEST(limits)
{
    struct oro_error err = {0};
    struct ed_project *p = new_project();
    struct foreign of = {0};
    int steps = 0;
    for (int i = 0; i < 700; i++)
        if (i % 7 == 0)
            paint(p, &of, 10);
        else
            add_noise(p);
    while (ed_project_undo_name(p)) {
        OK(ed_project_undo(p, &err));
        steps++;
    }
    assert_true(steps >= 200);
    assert_int_equal(nodes_of(p) + (size_t)of.value, 700 - steps);
    while (ed_project_redo_name(p))
        OK(ed_project_redo(p, &err));
    assert_int_equal(nodes_of(p), 600);
    assert_int_equal(of.value, 100);
    int forgotten = of.forgotten;
    paint(p, &of, (size_t)200 << 20);
    assert_int_equal(of.forgotten, forgotten + (p->history.count < ED_HISTORY_STEPS));
    paint(p, &of, (size_t)200 << 20);
    OK(ed_project_undo(p, &err));
    assert_null(ed_project_undo_name(p));
    ed_project_destroy(p);
    assert_int_equal(of.forgotten, 102);
}

static bool set(struct ed_project *p, const char *value)
{
    struct oro_error err = {0};
    struct oro_document *doc = ed_edit_begin(p, "Set", &err);
    return doc && ed_edit_end(p, oro_edit_set(doc, "noise", "octaves", value, &err), &err);
}

TEST(gesture)
{
    struct oro_error err = {0};
    struct ed_project *p = new_project();
    struct foreign of = {0};
    char value[16];
    add_noise(p);
    char *before = text_of(p);
    /* Longer than the document's own undo. */
    ed_gesture_begin(p, "Drag octaves");
    for (int i = 0; i < 2000; i++) {
        snprintf(value, sizeof value, "%d", 1 + i % 9);
        assert_true(set(p, value));
    }
    assert_false(set(p, "\x01")); /* an edit that fails takes back only itself */
    ed_gesture_end(p);
    assert_string_equal(ed_project_undo_name(p), "Drag octaves");
    char *after = text_of(p);
    OK(ed_project_undo(p, &err));
    expect_text(p, before);
    OK(ed_project_redo(p, &err));
    expect_text(p, after);
    OK(ed_project_undo(p, &err));

    ed_gesture_begin(p, "Nothing");
    assert_true(set(p, NULL));
    ed_gesture_cancel(p);
    assert_string_equal(ed_project_redo_name(p), "Drag octaves");

    ed_gesture_begin(p, "Mixed");
    add_noise(p);
    paint(p, &of, 1);
    add_noise(p);
    assert_true(set(p, "4"));
    ed_gesture_cancel(p);
    assert_int_equal(of.value, 0);
    assert_int_equal(of.forgotten, 1);
    expect_text(p, before);
    assert_null(ed_project_redo_name(p));
    ed_gesture_begin(p, "Mixed");
    add_noise(p);
    paint(p, &of, 1);
    add_noise(p);
    ed_gesture_begin(p, "Next"); /* ends the one before */
    assert_true(set(p, "5"));
    ed_gesture_end(p);
    OK(ed_project_undo(p, &err));
    assert_string_equal(ed_project_undo_name(p), "Mixed");
    OK(ed_project_undo(p, &err));
    expect_text(p, before);
    OK(ed_project_redo(p, &err));
    assert_int_equal(nodes_of(p), 3);
    oro_free(before);
    oro_free(after);
    ed_project_destroy(p);
}

/* A failed edit leaves the steps that could be redone. */
TEST(failed_edit)
{
    struct oro_error err = {0};
    struct ed_project *p = new_project();
    add_noise(p);
    add_noise(p);
    OK(ed_project_undo(p, &err));
    char *before = text_of(p);
    assert_false(ed_add_node(p, "noise", NULL, 0, 0, &(struct ed_end){"noise", "none"}, NULL, NULL, &err));
    expect_text(p, before);
    assert_string_equal(ed_project_redo_name(p), "Add noise");
    OK(ed_project_redo(p, &err));
    assert_int_equal(nodes_of(p), 2);
    assert_non_null(ed_edit_begin(p, "one", &err));
    assert_null(ed_edit_begin(p, "two", &err));
    assert_false(ed_project_undo(p, &err));
    OK(ed_edit_end(p, true, &err));
    assert_false(ed_edit_end(p, true, &err));
    assert_string_equal(ed_project_undo_name(p), "Add noise"); /* an edit of nothing is no step */
    oro_free(before);
    ed_project_destroy(p);
}

TEST(changed)
{
    struct oro_error err = {0};
    struct ed_project *p = new_project();
    char path[128];
    snprintf(path, sizeof path, "%s/changed.oro", test_folder());
    assert_false(ed_project_changed(p));
    add_noise(p);
    assert_true(ed_project_changed(p));
    OK(ed_project_undo(p, &err));
    assert_false(ed_project_changed(p));
    OK(ed_project_redo(p, &err));
    OK(ed_project_save(p, path, false, &err));
    assert_false(ed_project_changed(p));
    OK(ed_project_undo(p, &err));
    assert_true(ed_project_changed(p));
    add_noise(p); /* the saved state is gone */
    assert_true(ed_project_changed(p));
    OK(ed_project_undo(p, &err));
    assert_true(ed_project_changed(p));
    ed_project_destroy(p);
}

/* What belongs to the document counts, too. */
TEST_WITH(changed_by_strokes, NULL, remove_test_folder)
{
    struct oro_error err = {0};
    struct ed_project *p = new_project();
    struct foreign of = {0};
    char path[128];
    snprintf(path, sizeof path, "%s/strokes.oro", test_folder());
    paint(p, &of, 10);
    assert_true(ed_project_changed(p));
    OK(ed_project_undo(p, &err));
    assert_false(ed_project_changed(p));
    OK(ed_project_redo(p, &err));
    OK(ed_project_save(p, path, false, &err));
    assert_false(ed_project_changed(p));
    paint(p, &of, 10);
    OK(ed_project_undo(p, &err));
    assert_false(ed_project_changed(p));
    OK(ed_project_undo(p, &err));
    assert_true(ed_project_changed(p));
    ed_project_destroy(p);
}

TEST_GROUP(set_up_registry, tear_down_registry);
