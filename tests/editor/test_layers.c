/* Saving under another name: the document gets layers of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "editor/project/operations.h"
#include "editor/view/layers.h"
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
    layers = ed_layers_create();
    return mkdtemp(folder) && project && layers ? 0 : -1;
}

FIXTURE(end)
{
    ed_project_destroy(project);
    ed_layers_release(layers);
    return remove_tree(folder);
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
    const struct oro_grid grid = {.width = WIDTH, .height = HEIGHT, .cell = 10};
    assert_true(ed_layer_write_new(in_folder(name), &grid, 0, 1, 0, &err));
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
    assert_true(ed_layer_did(layers, layer, &stroke, 320, project, &err));
    ed_stroke_free(&stroke);
}

static int value_of(const char *name)
{
    struct ed_layers *fresh = ed_layers_create();
    struct ed_layer *layer = ed_layers_open(fresh, in_folder(name), 0, 1, 320, &err);
    assert_non_null(layer);
    float value = layer->raster.data[16 * WIDTH + 16];
    ed_layers_release(fresh);
    return value > 0.999f ? 1 : value < 0.001f ? 0 : -1;
}

static void save(const char *name)
{
    if (!ed_layers_save(layers, project, in_folder(name), true, &err))
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
    assert_true(ed_layers_flush(layers, &err));
    assert_int_equal(value_of("new.layers/mask.png"), 1); /* strokes that no file had yet go along */
    assert_string_equal(ed_project_undo_name(project), "brush stroke");
    assert_true(ed_project_undo(project, &err));
    assert_true(ed_layers_flush(layers, &err));
    assert_int_equal(value_of("new.layers/mask.png"), 0);
    assert_int_equal(value_of("old.layers/mask.png"), 1);
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
    make_layer("taken.layers/mask.png");
    paint("taken.layers/mask.png");
    assert_true(ed_layers_flush(layers, &err));
    open_with_layer();
    make_layer("others.layers/mask.png");
    add_import("b", "others.layers/mask.png"); /* of the same name, and what it holds */
    save("taken.oro");
    expect_file("a", "taken.layers/mask2.png");
    expect_file("b", "taken.layers/mask3.png");
    assert_int_equal(value_of("taken.layers/mask.png"), 1);
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
    assert_true(ed_project_undo(project, &err));
    assert_true(ed_layers_flush(layers, &err));
    assert_int_equal(value_of("elsewhere/old.layers/mask.png"), 0);
    assert_int_equal(value_of("old.layers/mask.png"), 1);
}

/* A failure saves nothing, renames nothing and leaves nothing behind. */
TEST(copies_that_fail)
{
    open_with_layer();
    make_layer("old.layers/second.png");
    add_import("b", "old.layers/second.png");
    assert_int_equal(truncate(in_folder("old.layers/second.png"), (off_t)1 << 31), 0); /* more than is read */
    assert_false(ed_layers_save(layers, project, in_folder("failed.oro"), true, &err));
    assert_non_null(strstr(err.text, "nothing was saved"));
    expect_file("a", "old.layers/mask.png");
    assert_string_equal(ed_project_path(project), in_folder("old.oro"));
    assert_int_not_equal(access(in_folder("failed.oro"), F_OK), 0);
    assert_int_not_equal(access(in_folder("failed.layers"), F_OK), 0);
    assert_int_equal(unlink(in_folder("old.layers/second.png")), 0);
    assert_int_equal(mkdir(in_folder("folder.oro"), 0777), 0); /* which cannot be written as a document */
    assert_false(ed_layers_save(layers, project, in_folder("folder.oro"), true, &err));
    expect_file("a", "old.layers/mask.png");
    assert_int_not_equal(access(in_folder("folder.layers"), F_OK), 0);
    assert_true(ed_project_changed(project));
}

TEST_GROUP(begin, end);
