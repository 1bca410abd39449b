/* Painted layers and their document: saving, under another name, too, dropping, recovering. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "editor/project/operations.h"
#include "editor/project/safety.h"
#include "editor/project/working.h"
#include "editor/tools/layers.h"
#include "formats/format.h"
#include "graph/plan/plan.h"
#include "graph/type/registry.h"
#include "tests/support/folder.h"
#include "tests/support/test.h"

enum { WIDTH = 32, HEIGHT = 32 };
static char folder[64];
static struct ed_project *project;
static struct ed_layers *layers;
static struct oro_error err;

FIXTURE(begin)
{
    snprintf(folder, sizeof folder, "/tmp/orograph-layers-XXXXXX");
    project = ed_project_create(&oro_builtin_nodes, &err);
    layers = project ? ed_layers_create(project) : NULL;
    return mkdtemp(folder) && project && layers ? 0 : -1;
}

FIXTURE(end)
{
    ed_layers_release(layers);
    ed_project_destroy(project);
    return remove_tree(folder);
}

static void close_all(void)
{
    ed_layers_release(layers);
    ed_project_destroy(project);
}

/* As the program begins. */
static void open_all(void)
{
    project = ed_project_create(&oro_builtin_nodes, &err);
    layers = ed_layers_create(project);
}

static const char *in_folder(const char *name)
{
    static char path[4][200];
    static int next;
    char *out = path[next++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", folder, name);
    return out;
}

static void make_layer(const char *name)
{
    static float data[WIDTH * HEIGHT];
    struct oro_heightfield field = {
        .width = WIDTH, .height = HEIGHT, .data = data, .cell = 10, .metres = true};
    struct oro_write_options options = {.has_range = true, .high = 1, .not_terrain = true};
    char *path = oro_copy_text(in_folder(name));
    *strrchr(path, '/') = '\0';
    assert_true(oro_make_folders(path, &err));
    assert_true(oro_heightfield_write(in_folder(name), &field, &options, &err));
    oro_free(path);
}

static void add_import(const char *id, const char *file)
{
    struct oro_document *doc = ed_edit_begin(project, "add", &err);
    assert_true(ed_edit_end(project,
                            doc && oro_edit_add_node(doc, id, "import", 1, 0, 0, &err) &&
                                oro_edit_set(doc, id, "file", file, &err),
                            &err));
}

/* All of it, to 1. */
static void paint(const char *name)
{
    struct ed_layer *layer = ed_layers_open(layers, in_folder(name), 0, 1, 320, &err);
    struct ed_brush brush = {ED_BRUSH_PAINT, 1000, 1, 0, 0};
    struct ed_stroke stroke;
    assert_non_null(layer);
    assert_true(ed_stroke_begin(&stroke, &brush, &layer->raster));
    ed_stroke_to(&stroke, &layer->raster, 160, 160);
    ed_layer_changed(layers, layer);
    assert_true(ed_layer_did(layers, layer, &stroke, 320, &err));
    ed_stroke_free(&stroke);
}

/* That of the file, whatever was painted. */
static int value_at(const char *path)
{
    struct oro_heightfield field = {0};
    struct oro_read_options options = {.has_range = true, .high = 1, .no_sidecar = true};
    assert_true(oro_heightfield_read(path, &options, &field, &err));
    float value = field.data[16 * WIDTH + 16];
    oro_heightfield_free(&field);
    return value > 0.999f ? 1 : value < 0.001f ? 0 : -1;
}

static int value_of(const char *name)
{
    return value_at(in_folder(name));
}

/* That of the working copy, or of the file where there is none. */
static int painted_value(const char *name)
{
    assert_true(ed_layers_flush(layers, &err));
    return value_at(ed_working_file(ed_project_workings(project), in_folder(name)));
}

static void save(const char *name)
{
    if (!ed_layers_save(layers, in_folder(name), true, &err))
        fail_msg("%s", err.text);
}

static const char *file_of(const struct oro_document *doc, const char *id)
{
    return oro_doc_node_input(oro_document_find(doc, id), "file")->value;
}

static void expect_file(const char *id, const char *wanted)
{
    assert_string_equal(file_of(ed_project_root(project), id), wanted);
}

static void expect_in_file(const char *name, const char *wanted, bool there)
{
    void *text = NULL;
    size_t size;
    assert_true(oro_file_read(in_folder(name), 1 << 20, &text, &size, &err));
    assert_int_equal(strstr(text, wanted) != NULL, there);
    oro_free(text);
}

static void open_with_layer(void)
{
    assert_true(ed_project_new(project, &err));
    ed_layers_clear(layers);
    save("old.oro");
    make_layer("old.layers/mask.png");
    add_import("a", "old.layers/mask.png");
    save("old.oro");
}

TEST(own_layers)
{
    open_with_layer();
    paint("old.layers/mask.png");
    save("new.oro");
    expect_file("a", "new.layers/mask.png");
    expect_in_file("new.oro", "new.layers/mask.png", true);
    expect_in_file("new.oro", "old.layers", false);
    expect_in_file("old.oro", "old.layers/mask.png", true);
    assert_false(ed_project_changed(project));
    assert_int_equal(access(in_folder("new.layers/mask.png.json"), F_OK), 0);
    assert_int_equal(value_of("new.layers/mask.png"), 1); /* strokes go along, */
    assert_int_equal(value_of("old.layers/mask.png"), 0); /* and the other document's file stays as it was */
    assert_string_equal(ed_project_undo_name(project), "brush stroke");
    assert_true(ed_project_undo(project, &err));
    assert_int_equal(painted_value("new.layers/mask.png"), 0);
    assert_int_equal(value_of("new.layers/mask.png"), 1);
    assert_true(ed_project_redo(project, &err));
    assert_int_equal(painted_value("new.layers/mask.png"), 1);
    assert_false(ed_project_changed(project));
}

/* However far the document is undone and redone, it does not return to the layers that it had. */
TEST(all_undone)
{
    struct ed_names names = {0};
    open_with_layer();
    ed_names_add(&names, "a");
    assert_true(ed_delete(project, &names, false, &err)); /* only the history has it now */
    ed_names_free(&names);
    make_layer("old.layers/other.png");
    add_import("b", "old.layers/other.png");
    assert_true(ed_project_undo(project, &err)); /* only what can be redone has it */
    save("undone.oro");
    assert_true(ed_project_redo(project, &err));
    expect_file("b", "undone.layers/other.png");
    assert_true(ed_project_undo(project, &err));
    assert_true(ed_project_undo(project, &err));
    expect_file("a", "undone.layers/mask.png");
    assert_int_equal(value_of("undone.layers/mask.png"), 0);
}

TEST(in_groups)
{
    struct ed_names names = {0};
    char id[128];
    open_with_layer();
    ed_names_add(&names, "a");
    assert_true(ed_group(project, &names, "painted", id, &err));
    ed_names_free(&names);
    save("grouped.oro");
    const struct oro_doc_group *group = oro_document_group(ed_project_root(project), 0);
    assert_string_equal(file_of(group->body, "a"), "grouped.layers/mask.png");
    expect_in_file("grouped.oro", "old.layers", false);
    assert_true(ed_project_undo(project, &err));
    expect_file("a", "grouped.layers/mask.png");
}

/* Other documents' files that are there are not overwritten, and layers that are the same are not copied. */
TEST(names_that_are_taken)
{
    open_with_layer();
    make_layer("taken.layers/mask.png");
    assert_int_equal(truncate(in_folder("taken.layers/mask.png"), 99), 0); /* of whatever sort it is */
    make_layer("others.layers/mask.png");
    add_import("b", "others.layers/mask.png"); /* of the same name, and what it holds */
    save("taken.oro");
    expect_file("a", "taken.layers/mask2.png");
    expect_file("b", "taken.layers/mask3.png");
    assert_int_equal(oro_stamp_of(in_folder("taken.layers/mask.png")).size, 99);
    save("old.oro"); /* back */
    expect_file("a", "old.layers/mask2.png");
    save("taken.oro");
    expect_file("a", "taken.layers/mask2.png");
}

TEST(in_other_folders)
{
    open_with_layer();
    assert_int_equal(mkdir(in_folder("elsewhere"), 0777), 0);
    paint("old.layers/mask.png");
    save("elsewhere/old.oro");
    expect_file("a", "old.layers/mask.png");
    assert_int_equal(value_of("elsewhere/old.layers/mask.png"), 1);
    assert_int_equal(value_of("old.layers/mask.png"), 0);
    assert_true(ed_project_undo(project, &err));
    assert_int_equal(painted_value("elsewhere/old.layers/mask.png"), 0);
    assert_int_equal(value_of("elsewhere/old.layers/mask.png"), 1);
}

/* ---- Strokes belong to the document ---- */

static void expect_nothing_left(void)
{
    char command[200];
    snprintf(command, sizeof command, "ls '%s'/work* >/dev/null 2>&1", folder);
    assert_int_not_equal(system(command), 0);
}

static char *make_work(void *user, struct oro_error *problem)
{
    (void)user;
    char *path = oro_copy_text(in_folder("work"));
    return oro_make_folders(path, problem) ? path : NULL;
}

TEST(only_saving_changes_the_file)
{
    close_all();
    open_all();
    ed_working_in(ed_project_workings(project), make_work, NULL);
    open_with_layer();
    paint("old.layers/mask.png");
    assert_true(ed_project_changed(project));
    assert_int_equal(painted_value("old.layers/mask.png"), 1);
    assert_int_equal(value_of("old.layers/mask.png"), 0);
    assert_int_equal(access(in_folder("work/1.png"), F_OK), 0);
    save("old.oro");
    assert_false(ed_project_changed(project));
    assert_int_equal(value_of("old.layers/mask.png"), 1);
    assert_true(ed_project_undo(project, &err));
    assert_true(ed_project_changed(project));
    assert_int_equal(painted_value("old.layers/mask.png"), 0);
    assert_int_equal(value_of("old.layers/mask.png"), 1);
    assert_true(ed_project_open(project, in_folder("old.oro"), NULL, &err)); /* the undo is discarded */
    ed_layers_clear(layers);
    assert_int_equal(painted_value("old.layers/mask.png"), 1);
    close_all();
    expect_nothing_left();
    open_all();
}

/* Undone to what the file has, nothing stands in for it. */
TEST(undone_is_the_file)
{
    open_with_layer();
    paint("old.layers/mask.png");
    assert_true(ed_layers_flush(layers, &err));
    assert_true(ed_working_differs(ed_project_workings(project), in_folder("old.layers/mask.png")));
    assert_true(ed_project_undo(project, &err));
    assert_true(ed_layers_flush(layers, &err));
    assert_false(ed_working_differs(ed_project_workings(project), in_folder("old.layers/mask.png")));
    assert_false(ed_project_changed(project));
}

/* Two nodes that read one file, with paths that differ and with other ranges: one layer, and one file. */
TEST(one_file_of_two_nodes)
{
    open_with_layer();
    add_import("b", "./old.layers/mask.png");
    paint("old.layers/mask.png");
    char path[300];
    snprintf(path, sizeof path, "%s/./old.layers/mask.png", folder);
    const struct ed_layer *layer = ed_layers_open(layers, path, 0, 200, 320, &err);
    assert_non_null(layer);
    assert_true(layer->raster.data[16 * WIDTH + 16] > 199.9f);
    assert_int_equal(painted_value("old.layers/mask.png"), 1);
    save("old.oro");
    assert_int_equal(value_of("old.layers/mask.png"), 1);
    assert_true(ed_project_undo(project, &err));
    assert_int_equal(painted_value("old.layers/mask.png"), 0);
}

/* A layer that was made and taken back leaves no file, and one that is used gets it with the document. */
TEST(new_layers_wait_for_saving)
{
    const struct oro_grid grid = {.width = WIDTH, .height = HEIGHT, .cell = 10};
    open_with_layer();
    assert_true(ed_layers_add(layers, in_folder("fresh.layers/a.png"), &grid, 0, 1, 1, &err));
    add_import("b", "fresh.layers/a.png");
    assert_true(ed_layers_differ(layers, in_folder("fresh.layers/a.png")));
    assert_int_not_equal(access(in_folder("fresh.layers"), F_OK), 0);
    assert_true(ed_project_undo(project, &err));
    save("old.oro");
    assert_int_not_equal(access(in_folder("fresh.layers"), F_OK), 0);
    save("other.oro"); /* which takes along what can be redone */
    assert_int_not_equal(access(in_folder("other.layers/a.png"), F_OK), 0);
    assert_true(ed_project_redo(project, &err));
    expect_file("b", "other.layers/a.png");
    assert_int_equal(painted_value("other.layers/a.png"), 1);
    save("other.oro");
    assert_int_equal(value_of("other.layers/a.png"), 1);
}

/* Another program's change is not overwritten unasked. */
TEST(changed_behind)
{
    open_with_layer();
    paint("old.layers/mask.png");
    assert_true(ed_layers_flush(layers, &err));
    make_layer("old.layers/mask.png");
    assert_false(ed_layers_save(layers, NULL, false, &err));
    assert_int_equal(err.code, ORO_E_FILE);
    assert_int_equal(value_of("old.layers/mask.png"), 0);
    assert_true(ed_project_changed(project));
    assert_true(ed_layers_save(layers, NULL, true, &err));
    assert_int_equal(value_of("old.layers/mask.png"), 1);
}

/* The document and its layers are saved together or not at all. */
TEST(saved_together)
{
    open_with_layer();
    paint("old.layers/mask.png");
    assert_int_equal(unlink(in_folder("old.oro")), 0);
    assert_int_equal(mkdir(in_folder("old.oro"), 0777), 0);
    assert_false(ed_layers_save(layers, NULL, true, &err));
    assert_int_equal(value_of("old.layers/mask.png"), 0);
    assert_true(ed_project_changed(project));
    assert_int_equal(rmdir(in_folder("old.oro")), 0);
    assert_true(ed_layers_save(layers, NULL, true, &err));
    assert_int_equal(value_of("old.layers/mask.png"), 1);
}

/* Plans of the document and of its copies read what was painted, and have the keys that they have once it is
 * saved. */
static const char *planned_file(char out[300])
{
    const struct oro_target target = {"a", "terrain"};
    const struct oro_plan_options options = {0};
    struct oro_document *copy = oro_document_clone(ed_project_root(project));
    struct oro_plan *plan = oro_plan_create(copy, &oro_builtin_nodes, &target, 1, &options, NULL, NULL, &err);
    if (!plan)
        fail_msg("%s", err.text);
    const struct oro_step *step = &plan->steps[plan->targets[0].step];
    const struct oro_input *file = oro_type_input(step->type, "file");
    const char *path;
    memcpy(&path, (const char *)step->params + file->offset, sizeof path);
    snprintf(out, 300, "%s", path);
    oro_plan_destroy(plan);
    oro_document_destroy(copy);
    return out;
}

TEST(plans_read_what_was_painted)
{
    char path[300];
    open_with_layer();
    paint("old.layers/mask.png");
    assert_true(ed_layers_flush(layers, &err));
    assert_int_equal(value_at(planned_file(path)), 1);
    assert_string_not_equal(path, in_folder("old.layers/mask.png"));
    save("old.oro");
    assert_string_equal(planned_file(path), in_folder("old.layers/mask.png"));
}

/* ---- Recovery ---- */

/* A session that ends without saving, and the next one. */
TEST(strokes_are_recovered)
{
    char place[200];
    snprintf(place, sizeof place, "%s", in_folder("recovery"));
    struct oro_arena *arena = oro_arena_create();
    struct ed_safety *safety = ed_safety_create(place, &err);
    close_all();
    open_all();
    ed_working_in(ed_project_workings(project), ed_safety_working_folder, safety);
    open_with_layer();
    paint("old.layers/mask.png");
    assert_true(ed_layers_flush(layers, &err));
    ed_safety_now(safety, project);
    ed_working_keep(ed_project_workings(project));
    close_all();
    ed_safety_destroy(safety, false);

    safety = ed_safety_create(place, &err);
    open_all();
    ed_working_in(ed_project_workings(project), ed_safety_working_folder, safety);
    struct oro_problems problems = {0};
    struct ed_recoveries found;
    assert_true(ed_recoveries_list(place, arena, &found, &err));
    assert_int_equal(found.count, 1);
    assert_true(ed_recovery_take(safety, &found.items[0], project, &problems, &err));
    assert_int_equal(problems.count, 0);
    assert_true(ed_project_changed(project));
    assert_int_equal(painted_value("old.layers/mask.png"), 1);
    assert_int_equal(value_of("old.layers/mask.png"), 0);
    save("old.oro");
    ed_safety_clear(safety);
    assert_int_equal(value_of("old.layers/mask.png"), 1);
    ed_layers_clear(layers);
    assert_true(ed_project_new(project, &err));
    ed_safety_destroy(safety, true);
    assert_true(ed_recoveries_list(place, arena, &found, &err));
    assert_int_equal(found.count, 0);
    assert_int_equal(rmdir(place), 0); /* nothing is left in it */
    oro_arena_destroy(arena);
}

/* A failure saves nothing, renames nothing and leaves nothing behind. */
TEST(copies_that_fail)
{
    open_with_layer();
    make_layer("old.layers/second.png");
    add_import("b", "old.layers/second.png");
    assert_int_equal(truncate(in_folder("old.layers/second.png"), (off_t)1 << 31), 0); /* more than is read */
    assert_false(ed_layers_save(layers, in_folder("failed.oro"), true, &err));
    assert_non_null(strstr(err.text, "nothing was saved"));
    expect_file("a", "old.layers/mask.png");
    assert_string_equal(ed_project_path(project), in_folder("old.oro"));
    assert_int_not_equal(access(in_folder("failed.oro"), F_OK), 0);
    assert_int_not_equal(access(in_folder("failed.layers"), F_OK), 0);
    assert_int_equal(unlink(in_folder("old.layers/second.png")), 0);
    assert_int_equal(mkdir(in_folder("folder.oro"), 0777), 0); /* which cannot be written as a document */
    assert_false(ed_layers_save(layers, in_folder("folder.oro"), true, &err));
    expect_file("a", "old.layers/mask.png");
    assert_int_not_equal(access(in_folder("folder.layers"), F_OK), 0);
    assert_true(ed_project_changed(project));
}

TEST_GROUP(begin, end);
