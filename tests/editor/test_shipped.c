/* Graphs that come with the program: none of their nodes lies on another one. */
#include <glob.h>

#include "editor/canvas/model.h"
#include "tests/editor/project_support.h"

/* Whether an area is covered; a shared edge of two boxes does not count. */
static bool overlap(const struct ed_area *a, const struct ed_area *b)
{
    return a->x0 < b->x1 && b->x0 < a->x1 && a->y0 < b->y1 && b->y0 < a->y1;
}

static size_t count_overlaps(const char *path, const char *group, const struct ed_model *model)
{
    size_t overlaps = 0;
    for (size_t i = 0; i < model->count; i++)
        for (size_t k = 0; k < i; k++) {
            struct ed_area a = ed_item_box(&model->items[i]), b = ed_item_box(&model->items[k]);
            if (!overlap(&a, &b))
                continue;
            print_message("%s: %s%s'%s' lies on '%s'\n", path, group, group[0] ? ": " : "",
                          model->items[i].id, model->items[k].id);
            overlaps++;
        }
    return overlaps;
}

static size_t check_graph(const char *path, const char *group, const struct oro_document *doc,
                          const struct oro_document *root)
{
    struct ed_model model = {0};
    struct ed_model_source source = {.doc = doc, .root = root, .registry = &registry};
    assert_true(ed_model_build(&model, &source));
    size_t overlaps = count_overlaps(path, group, &model);
    ed_model_free(&model);
    return overlaps;
}

static size_t check_file(const char *path)
{
    struct oro_error err = {0};
    struct ed_project *project = new_project();
    OK(ed_project_open(project, path, NULL, &err));
    const struct oro_document *root = ed_project_root(project);
    size_t overlaps = check_graph(path, "", root, root);
    for (size_t i = 0; i < oro_document_group_count(root); i++) {
        const struct oro_doc_group *group = oro_document_group(root, i);
        overlaps += check_graph(path, group->name, group->body, root);
    }
    ed_project_destroy(project);
    return overlaps;
}

/* If this fails, open the file in the editor and tidy it (L), in its groups, too. */
TEST(no_overlaps)
{
    static const char *const patterns[] = {"examples/*.oro",          "examples/*/*.oro",
                                           "examples/nodes/*/*.oro",  "library/*.oro",
                                           "library/presets/*/*.oro", "bench/editor/*.oro"};
    size_t overlaps = 0;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        glob_t files;
        assert_int_equal(glob(patterns[i], 0, NULL, &files), 0);
        for (size_t k = 0; k < files.gl_pathc; k++)
            overlaps += check_file(files.gl_pathv[k]);
        globfree(&files);
    }
    assert_int_equal(overlaps, 0);
}

TEST_GROUP(set_up_registry, tear_down_registry);
