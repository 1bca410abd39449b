/* Graphs of files that are opened in place: where edits of them show, and what becomes of them. */
#include <sys/stat.h>

#include "editor/project/opened.h"
#include "editor/project/project_private.h"
#include "editor/project/safety.h"
#include "tests/editor/project_support.h"

TEST_GROUP(set_up_registry, tear_down_registry);

#define HEAD "<orograph xmlns=\"urn:orograph:1\" version=\"1\">"
#define ROCK(size)                                                                                           \
    HEAD "<interface><out name=\"f\" from=\"n.field\"/></interface><node id=\"n\" type=\"noise\">"           \
         "<in name=\"amplitude\" value=\"" size "\"/></node></orograph>"
#define USES(href)                                                                                           \
    HEAD "<interface><out name=\"f\" from=\"u.f\"/></interface>"                                             \
         "<node id=\"u\" type=\"graph\" href=\"" href "\"/></orograph>"

static char main_path[160], rock_path[160], cliff_path[160];

static void write_text(const char *path, const char *text)
{
    struct oro_error err = {0};
    OK(oro_file_write(path, text, strlen(text), &err));
}

/* main.oro uses cliff.oro, which uses rock.oro. */
FIXTURE(set_up)
{
    snprintf(main_path, sizeof main_path, "%s/main.oro", test_folder());
    snprintf(rock_path, sizeof rock_path, "%s/rock.oro", test_folder());
    snprintf(cliff_path, sizeof cliff_path, "%s/cliff.oro", test_folder());
    write_text(rock_path, ROCK("100"));
    write_text(cliff_path, USES("rock.oro"));
    write_text(main_path, USES("cliff.oro"));
    return 0;
}

FIXTURE(tear_down)
{
    unlink(main_path);
    chmod(rock_path, 0644);
    unlink(rock_path);
    unlink(cliff_path);
    return 0;
}

static struct ed_project *open_project(void)
{
    struct oro_error err = {0};
    struct ed_project *p = new_project();
    OK(ed_project_open(p, main_path, NULL, &err));
    return p;
}

static void enter(struct ed_project *p, const char *node)
{
    struct oro_error err = {0};
    OK(ed_project_enter(p, node, &err));
}

static void enter_rock(struct ed_project *p)
{
    enter(p, "u");
    enter(p, "u");
}

static void settle(struct ed_project *p)
{
    struct oro_error err = {0};
    ed_project_settle(p, &err);
    assert_int_equal(err.code, 0);
}

static bool set_size(struct ed_project *p, const char *size, struct oro_error *err)
{
    struct oro_document *doc = ed_edit_begin(p, "amplitude", err);
    return doc && ed_edit_end(p, oro_edit_set(doc, "n", "amplitude", size, err), err);
}

static void expect_shown(const struct ed_project *p, const char *size)
{
    const struct oro_doc_node *node = oro_document_find(ed_project_shown(p), "n");
    assert_non_null(node);
    assert_string_equal(oro_doc_node_input(node, "amplitude")->value, size);
}

/* What an evaluation of the document would read for cliff.oro's rock.oro. */
static void expect_used(const struct ed_project *p, const char *size)
{
    struct oro_error err = {0};
    struct oro_graph cliff, rock;
    const struct oro_document *root = ed_project_main(p);
    OK(oro_graph_find(&registry, root, oro_document_find(root, "u"), &cliff, &err));
    OK(oro_graph_find(&registry, cliff.root, oro_document_find(cliff.doc, "u"), &rock, &err));
    assert_string_equal(oro_doc_node_input(oro_document_find(rock.doc, "n"), "amplitude")->value, size);
}

static void expect_file(const char *path, const char *text)
{
    struct oro_error err = {0};
    void *bytes;
    size_t size;
    OK(oro_file_read(path, 100000, &bytes, &size, &err));
    assert_true(size == strlen(text) && memcmp(bytes, text, size) == 0);
    oro_free(bytes);
}

static bool file_has(const char *path, const char *text)
{
    struct oro_error err = {0};
    void *bytes;
    size_t size;
    OK(oro_file_read(path, 100000, &bytes, &size, &err));
    bool has = strstr(bytes, text);
    oro_free(bytes);
    return has;
}

TEST_WITH(edits_of_a_file_within_a_file_show_at_once, set_up, tear_down)
{
    struct oro_error err = {0};
    struct ed_project *p = open_project();
    enter_rock(p);
    assert_string_equal(strrchr(ed_project_shown_file(p), '/'), "/rock.oro");
    assert_false(ed_project_changed(p));
    uint64_t revision = ed_project_revision(p);
    OK(set_size(p, "200", &err));
    settle(p);
    assert_true(ed_project_revision(p) > revision);
    assert_true(ed_project_changed(p));
    expect_used(p, "200");
    expect_file(rock_path, ROCK("100"));
    /* Undo and redo, also from outside. */
    ed_project_leave(p, 0);
    OK(ed_project_undo(p, &err));
    settle(p);
    expect_used(p, "100");
    assert_false(ed_project_changed(p));
    assert_false(ed_working_differs(ed_project_workings(p), rock_path));
    OK(ed_project_redo(p, &err));
    settle(p);
    expect_used(p, "200");
    ed_project_destroy(p);
}

TEST_WITH(a_file_that_was_made_wrong_can_be_mended, set_up, tear_down)
{
    struct oro_error err = {0};
    struct ed_project *p = open_project();
    enter_rock(p);
    OK(set_size(p, "wrong", &err));
    settle(p);
    expect_shown(p, "wrong");
    ed_project_leave(p, 1);
    enter(p, "u");
    OK(set_size(p, "300", &err));
    settle(p);
    expect_used(p, "300");
    ed_project_destroy(p);
}

TEST_WITH(a_gesture_in_a_file_is_one_step, set_up, tear_down)
{
    struct oro_error err = {0};
    struct ed_project *p = open_project();
    enter_rock(p);
    ed_gesture_begin(p, "drag");
    OK(set_size(p, "200", &err));
    OK(set_size(p, "300", &err));
    ed_gesture_end(p);
    size_t done;
    assert_int_equal(ed_project_steps(p, &done), 1);
    OK(ed_project_undo(p, &err));
    expect_shown(p, "100");
    ed_project_destroy(p);
}

TEST_WITH(save_writes_the_file_and_discard_does_not, set_up, tear_down)
{
    struct oro_error err = {0};
    struct ed_names files = {0};
    struct ed_project *p = open_project();
    enter_rock(p);
    OK(set_size(p, "200", &err));
    settle(p);
    OK(ed_project_open(p, main_path, NULL, &err)); /* discards */
    settle(p);
    expect_used(p, "100");
    expect_file(rock_path, ROCK("100"));
    assert_int_equal(ed_project_depth(p), 0);
    enter_rock(p);
    OK(set_size(p, "300", &err));
    settle(p);
    assert_true(ed_project_changed_files(p, &files));
    assert_int_equal(files.count, 1);
    OK(ed_project_save(p, NULL, false, &err));
    assert_true(file_has(rock_path, "value=\"300\""));
    expect_file(cliff_path, USES("rock.oro"));
    expect_file(main_path, USES("cliff.oro"));
    assert_false(ed_project_changed(p));
    /* Undone after saving: the file is written anew. */
    OK(ed_project_undo(p, &err));
    assert_true(ed_project_changed(p));
    OK(ed_project_save(p, NULL, false, &err));
    assert_true(file_has(rock_path, "value=\"100\""));
    ed_names_free(&files);
    ed_project_destroy(p);
}

TEST_WITH(a_file_that_others_change, set_up, tear_down)
{
    struct oro_error err = {0};
    struct ed_project *p = open_project();
    enter_rock(p);
    write_text(rock_path, ROCK("500"));
    settle(p);
    expect_shown(p, "500");
    assert_false(ed_project_changed(p));
    OK(set_size(p, "200", &err));
    write_text(rock_path, ROCK("600"));
    settle(p);
    expect_shown(p, "200");
    assert_false(ed_project_save(p, NULL, false, &err));
    assert_int_equal(err.code, ORO_E_FILE);
    expect_file(rock_path, ROCK("600"));
    OK(ed_project_update_file(p, rock_path, &err));
    expect_shown(p, "600");
    OK(ed_project_undo(p, &err));
    expect_shown(p, "200");
    OK(ed_project_save(p, NULL, true, &err));
    assert_true(file_has(rock_path, "value=\"200\""));
    ed_project_destroy(p);
}

TEST_WITH(a_read_only_file_is_looked_at_and_embedded, set_up, tear_down)
{
    struct oro_error err = {0};
    chmod(rock_path, 0444);
    struct ed_project *p = open_project();
    enter_rock(p);
    assert_true(ed_project_shown_fixed(p));
    assert_false(set_size(p, "200", &err));
    assert_true(ed_project_was_refused(p));
    assert_false(ed_project_was_refused(p));
    ed_project_leave(p, 1);
    OK(ed_embed(p, "u", &err)); /* in cliff.oro */
    assert_string_equal(oro_document_find(ed_project_shown(p), "u")->href, "#rock");
    enter(p, "u");
    OK(set_size(p, "200", &err));
    OK(ed_project_save(p, NULL, false, &err));
    assert_true(file_has(cliff_path, "value=\"200\""));
    expect_file(rock_path, ROCK("100"));
    ed_project_destroy(p);
}

TEST_WITH(one_of_two_users_gets_its_own, set_up, tear_down)
{
    struct oro_error err = {0};
    char id[128], group[128];
    struct ed_project *p = open_project();
    OK(ed_add_node(p, "graph", "rock.oro", 0, 0, NULL, NULL, id, &err));
    snprintf(group, sizeof group, "%s", id);
    OK(ed_add_node(p, "graph", "rock.oro", 0, 0, NULL, NULL, id, &err));
    OK(ed_make_unique(p, group, &err));
    const struct oro_document *root = ed_project_root(p);
    assert_string_equal(oro_document_find(root, group)->href, "#rock");
    assert_string_equal(oro_document_find(root, id)->href, "rock.oro");
    OK(ed_make_unique(p, group, &err));
    assert_string_equal(oro_document_find(root, group)->href, "#rock2");
    size_t done;
    assert_int_equal(ed_project_steps(p, &done), 4);
    for (int i = 0; i < 4; i++)
        OK(ed_project_undo(p, &err));
    assert_false(ed_project_changed(p));
    ed_project_destroy(p);
}

TEST_WITH(a_missing_file_is_located_for_all, set_up, tear_down)
{
    struct oro_error err = {0};
    write_text(main_path, HEAD "<node id=\"a\" type=\"graph\" href=\"gone.oro\"/>"
                               "<node id=\"b\" type=\"graph\" href=\"gone.oro\"/></orograph>");
    struct ed_project *p = open_project();
    assert_false(ed_project_enter(p, "a", &err));
    assert_int_equal(err.code, ORO_E_FILE);
    assert_false(ed_locate(p, "gone.oro", "nowhere.oro", &err));
    OK(ed_locate(p, "gone.oro", "rock.oro", &err));
    assert_string_equal(oro_document_find(ed_project_root(p), "b")->href, "rock.oro");
    enter(p, "a");
    OK(ed_project_undo(p, &err)); /* the way there is gone */
    assert_int_equal(ed_project_depth(p), 0);
    ed_project_destroy(p);
}

TEST_WITH(a_recovered_edit_of_a_file_is_there_and_is_saved, set_up, tear_down)
{
    struct oro_error err = {0};
    char folder[160];
    snprintf(folder, sizeof folder, "%s/recovery", test_folder());
    struct ed_project *p = open_project();
    struct ed_safety *safety = ed_safety_create(folder, &err);
    ed_working_in(ed_project_workings(p), ed_safety_working_folder, safety);
    enter_rock(p);
    OK(set_size(p, "200", &err));
    settle(p);
    ed_working_keep(ed_project_workings(p));
    ed_safety_now(safety, p);
    ed_safety_destroy(safety, false); /* not clean, as after a crash */
    ed_project_destroy(p);
    p = new_project();
    safety = ed_safety_create(folder, &err);
    ed_working_in(ed_project_workings(p), ed_safety_working_folder, safety);
    struct oro_arena *arena = oro_arena_create();
    struct ed_recoveries found;
    OK(ed_recoveries_list(folder, arena, &found, &err));
    assert_int_equal(found.count, 1);
    OK(ed_recovery_take(safety, &found.items[0], p, NULL, &err));
    settle(p);
    expect_used(p, "200");
    expect_file(rock_path, ROCK("100"));
    enter_rock(p);
    expect_shown(p, "200");
    OK(ed_project_save(p, NULL, false, &err));
    assert_true(file_has(rock_path, "value=\"200\""));
    oro_arena_destroy(arena);
    ed_safety_destroy(safety, true);
    ed_project_destroy(p);
    remove_tree(folder);
}

TEST_WITH(who_else_uses_a_file, set_up, tear_down)
{
    struct ed_names users = {0};
    assert_true(ed_file_users(rock_path, main_path, NULL, 0, &users));
    assert_int_equal(users.count, 1);
    assert_string_equal(users.items[0], cliff_path);
    const char *const more[] = {main_path, "/nowhere.oro"};
    ed_names_clear(&users);
    assert_true(ed_file_users(cliff_path, "", more, 2, &users));
    assert_int_equal(users.count, 1);
    ed_names_free(&users);
}
