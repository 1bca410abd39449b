/* Versions with names, and histories that outlast closing. */
#include <sys/stat.h>

#include "editor/project/kept_history.h"
#include "editor/project/versions.h"
#include "tests/editor/project_support.h"

static char folder[64], document[100];

FIXTURE(start)
{
    snprintf(folder, sizeof folder, "/tmp/orograph-versions-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(document, sizeof document, "%s/alps.oro", folder);
    setenv("XDG_STATE_HOME", folder, 1);
    return set_up_registry(state);
}

FIXTURE(stop)
{
    remove_tree(folder);
    return tear_down_registry(state);
}

static void add(struct ed_project *project, const char *type)
{
    struct oro_error err = {0};
    OK(ed_add_node(project, type, NULL, 0, 0, NULL, NULL, NULL, &err));
}

/* With a node, saved. */
static struct ed_project *saved_project(void)
{
    struct oro_error err = {0};
    struct ed_project *project = new_project();
    add(project, "noise");
    OK(ed_project_save(project, document, true, &err));
    return project;
}

static struct ed_project *opened(void)
{
    struct oro_error err = {0};
    struct ed_project *project = new_project();
    OK(ed_project_open(project, document, NULL, &err));
    return project;
}

static size_t nodes_of(const struct ed_project *project)
{
    return oro_document_node_count(ed_project_root(project));
}

/* ---- Versions */

static struct ed_versions list(struct oro_arena *arena)
{
    struct oro_error err = {0};
    struct ed_versions versions;
    OK(ed_versions_list(document, arena, &versions, &err));
    return versions;
}

TEST_WITH(versions_are_kept_and_brought_back, start, stop)
{
    struct oro_error err = {0};
    struct ed_project *project = saved_project();
    struct oro_arena *arena = oro_arena_create();
    assert_int_equal(list(arena).count, 0);
    OK(ed_version_keep(project, "first draft", &err));
    char *first = text_of(project);
    add(project, "ramp");
    add(project, "constant");
    char *later = text_of(project);
    struct ed_versions versions = list(arena);
    assert_int_equal(versions.count, 1);
    assert_string_equal(versions.items[0].name, "first draft");
    assert_int_equal(strlen(versions.items[0].when), 16);

    OK(ed_version_bring_back(project, &versions.items[0], &err));
    char *now = text_of(project);
    assert_string_equal(now, first);
    assert_true(ed_project_changed(project));
    oro_free(now);
    OK(ed_project_undo(project, &err));
    now = text_of(project);
    assert_string_equal(now, later);
    oro_free(now);
    /* Steps of before fit again, and later ones follow. */
    OK(ed_project_undo(project, &err));
    assert_int_equal(nodes_of(project), 2);
    OK(ed_project_redo(project, &err));
    OK(ed_project_redo(project, &err));
    assert_int_equal(nodes_of(project), 1);
    add(project, "ramp");
    OK(ed_project_undo(project, &err));
    OK(ed_project_undo(project, &err));
    now = text_of(project);
    assert_string_equal(now, later);
    oro_free(now);

    OK(ed_version_remove(&versions.items[0], &err));
    assert_int_equal(list(arena).count, 0);
    oro_free(first);
    oro_free(later);
    oro_arena_destroy(arena);
    ed_project_destroy(project);
}

TEST_WITH(versions_have_any_name, start, stop)
{
    static const char *const names[] = {"../../out", "a/b\nc", "", ".", "Größe \xe5\xb1\xb1", "same", "same"};
    char long_name[200];
    struct oro_error err = {0};
    struct ed_project *project = new_project();
    struct oro_arena *arena = oro_arena_create();
    assert_false(ed_version_keep(project, "too early", &err));
    assert_int_equal(err.code, ORO_E_USAGE);
    OK(ed_project_save(project, document, true, &err));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        OK(ed_version_keep(project, names[i], &err));
    for (size_t i = 0; i + 2 < sizeof long_name; i += 2)
        memcpy(long_name + i, "\xc3\xa4", 3);
    OK(ed_version_keep(project, long_name, &err));
    struct ed_versions versions = list(arena);
    assert_int_equal(versions.count, 8);
    for (size_t i = 0; i < versions.count; i++) {
        struct oro_document *doc = ed_version_read(project, &versions.items[i], &err);
        assert_non_null(doc);
        assert_true(strlen(versions.items[i].name) % 2 == 0 || versions.items[i].name[0] != '\xc3');
        oro_document_destroy(doc);
    }
    oro_arena_destroy(arena);
    ed_project_destroy(project);
}

TEST_WITH(what_is_no_version_is_refused, start, stop)
{
    char path[160];
    struct oro_error err = {0};
    struct ed_project *project = saved_project();
    struct oro_arena *arena = oro_arena_create();
    snprintf(path, sizeof path, "%s/alps.versions", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/alps.versions/broken.oro", folder);
    OK(oro_file_write(path, "<orograph", 9, &err));
    snprintf(path, sizeof path, "%s/alps.versions/notes.txt", folder);
    OK(oro_file_write(path, "x", 1, &err));
    struct ed_versions versions = list(arena);
    assert_int_equal(versions.count, 1);
    assert_string_equal(versions.items[0].name, "broken");
    assert_string_equal(versions.items[0].when, "");
    assert_false(ed_version_bring_back(project, &versions.items[0], &err));
    assert_int_equal(err.code, ORO_E_DOCUMENT);
    assert_false(ed_project_changed(project));
    oro_arena_destroy(arena);
    ed_project_destroy(project);
}

/* ---- Histories */

static size_t undo_all(struct ed_project *project)
{
    struct oro_error err = {0};
    size_t steps = 0;
    for (; ed_project_undo_name(project); steps++)
        OK(ed_project_undo(project, &err));
    return steps;
}

TEST_WITH(a_history_outlasts_closing, start, stop)
{
    struct oro_error err = {0};
    struct ed_project *project = saved_project();
    assert_false(ed_history_is_kept(project));
    OK(ed_history_keep(project, true, &err));
    add(project, "ramp");
    ed_gesture_begin(project, "two at once");
    add(project, "noise");
    add(project, "noise");
    ed_gesture_end(project);
    OK(ed_project_save(project, NULL, false, &err));
    char *last = text_of(project);
    add(project, "noise"); /* not saved */
    ed_project_destroy(project);

    for (int round = 0; round < 2; round++) { /* what was brought back is kept again */
        project = opened();
        assert_true(ed_history_is_kept(project));
        assert_false(ed_project_changed(project));
        assert_string_equal(ed_project_undo_name(project), "two at once");
        OK(ed_project_undo(project, &err));
        assert_int_equal(nodes_of(project), 2);
        assert_true(ed_project_changed(project));
        assert_int_equal(undo_all(project), 2);
        assert_int_equal(nodes_of(project), 0);
        for (int i = 0; i < 3; i++)
            OK(ed_project_redo(project, &err));
        char *text = text_of(project);
        assert_string_equal(text, last);
        assert_false(ed_project_changed(project));
        oro_free(text);
        ed_project_destroy(project);
    }
    oro_free(last);
}

TEST_WITH(an_unwanted_history_is_forgotten, start, stop)
{
    struct oro_error err = {0};
    struct ed_project *project = saved_project();
    ed_project_destroy(project);
    project = opened();
    assert_null(ed_project_undo_name(project));
    OK(ed_history_keep(project, true, &err));
    add(project, "ramp");
    OK(ed_project_save(project, NULL, false, &err));
    OK(ed_history_keep(project, false, &err));
    ed_project_destroy(project);
    project = opened();
    assert_false(ed_history_is_kept(project));
    assert_null(ed_project_undo_name(project));
    ed_project_destroy(project);
}

/* Another program has changed the document. */
TEST_WITH(a_history_of_another_file_is_ignored, start, stop)
{
    struct oro_error err = {0};
    struct ed_project *project = saved_project();
    OK(ed_history_keep(project, true, &err));
    ed_project_destroy(project);
    static const char other[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                "<orograph xmlns=\"urn:orograph:1\" version=\"1\"/>\n";
    OK(oro_file_write(document, other, sizeof other - 1, &err));
    project = opened();
    assert_null(ed_project_undo_name(project));
    ed_project_destroy(project);
}

TEST_WITH(a_broken_history_is_ignored, start, stop)
{
    static const char *const texts[] = {"", "[]", "{\"steps\": 7}", "{\"content\": 5, \"steps\": [1]}"};
    char command[300];
    struct oro_error err = {0};
    struct ed_project *project = saved_project();
    OK(ed_history_keep(project, true, &err));
    ed_project_destroy(project);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        snprintf(command, sizeof command, "for f in %s/orograph/history/*.json; do echo '%s' > $f; done",
                 folder, texts[i]);
        assert_int_equal(system(command), 0);
        project = opened();
        assert_null(ed_project_undo_name(project));
        ed_project_destroy(project);
    }
}

/* The step fails, and nothing has changed. */
TEST_WITH(a_state_that_cannot_be_read, start, stop)
{
    char command[300];
    struct oro_error err = {0};
    struct ed_project *project = saved_project();
    OK(ed_history_keep(project, true, &err));
    add(project, "ramp");
    OK(ed_project_save(project, NULL, false, &err));
    ed_project_destroy(project);
    snprintf(command, sizeof command, "sed -i 's/<orograph/<nonsense/g' %s/orograph/history/*.json", folder);
    assert_int_equal(system(command), 0);
    project = opened();
    assert_non_null(ed_project_undo_name(project));
    assert_false(ed_project_undo(project, &err));
    assert_int_equal(nodes_of(project), 2);
    assert_false(ed_project_changed(project));
    ed_project_destroy(project);
}

TEST_GROUP(NULL, NULL);
