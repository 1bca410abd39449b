/*
 * Shared by the tests of graphs as nodes: a registry with assets and expressions, node types that forward
 * values and write files, a folder of files, and the keys that results would have.
 */
#ifndef TESTS_GRAPH_REUSE_SUPPORT_H
#define TESTS_GRAPH_REUSE_SUPPORT_H

#include "tests/graph/support.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "graph/derived/assets.h"
#include "graph/file/load.h"
#include "graph/plan/plan.h"
#include "graph/reuse/reuse.h"
#include "graph/type/literal.h"
#include "lua/expression/expression.h"
#include "tests/support/fake_device.h"
#include "tests/support/folder.h"

/* ---- Node types ---- */

static const struct oro_output any_output[] = {{.name = "value", .type = ORO_ANY}, {0}};
static const struct oro_input reroute_inputs[] = {{.name = "value", .type = ORO_ANY}, {0}};
static inline bool reroute_expand(struct oro_build *build, const void *params)
{
    (void)params;
    oro_build_output_of_input(build, "value", "value");
    return true;
}
static const struct oro_node_type fake_reroute = {
    .id = "reroute", .version = 1, .inputs = reroute_inputs, .outputs = any_output, .expand = reroute_expand};

struct switch_params {
    int index;
};
static const struct oro_input switch_inputs[] = {
    ORO_IN_INT(struct switch_params, index, 0, .min = 0, .max = 1),
    {.name = "value0", .type = ORO_ANY, .optional = true},
    {.name = "value1", .type = ORO_ANY, .optional = true},
    {0}};
static inline bool switch_expand(struct oro_build *build, const void *data)
{
    const struct switch_params *p = data;
    oro_build_output_of_input(build, "value", p->index ? "value1" : "value0");
    return true;
}
static const struct oro_node_type fake_switch = {.id = "switch",
                                                 .version = 1,
                                                 .inputs = switch_inputs,
                                                 .outputs = any_output,
                                                 .params_size = sizeof(struct switch_params),
                                                 .expand = switch_expand};

struct write_params {
    const char *file;
};
static const struct oro_input write_inputs[] = {ORO_IN_FIELD("terrain", .role = ORO_ROLE_TERRAIN),
                                                ORO_IN_FILE(struct write_params, file, "", .writes = true),
                                                {0}};
static const struct oro_node_type fake_write = {.id = "write",
                                                .version = 1,
                                                .inputs = write_inputs,
                                                .params_size = sizeof(struct write_params),
                                                .kernel = "write.comp",
                                                .sink = true};

static const struct oro_node_type *const reuse_types[] = {&fake_blend,  &fake_erode,  &fake_import,
                                                          &fake_noise,  &fake_paint,  &fake_reroute,
                                                          &fake_ridges, &fake_switch, &fake_write};

/* ---- The registry, new for every test ---- */

static struct oro_registry reuse;

static inline void open_registry(bool allow_any_path)
{
    reuse = (struct oro_registry){
        .types = reuse_types, .count = sizeof reuse_types / sizeof reuse_types[0], .language = &oro_lua};
    reuse.assets = oro_assets_create(&reuse, oro_document_load_from, allow_any_path);
    assert_non_null(reuse.assets);
}

static inline void close_registry(void)
{
    oro_assets_destroy(reuse.assets);
    reuse.assets = NULL;
}

/* Rereads files that have changed. */
static inline void reopen_registry(void)
{
    close_registry();
    open_registry(false);
}

/* ---- Files ---- */

static char reuse_folder[64];

FIXTURE(open_reuse)
{
    snprintf(reuse_folder, sizeof reuse_folder, "/tmp/orograph-reuse-XXXXXX");
    assert_non_null(mkdtemp(reuse_folder));
    unsetenv("OROGRAPH_PATH");
    open_registry(false);
    return 0;
}

FIXTURE(close_reuse)
{
    close_registry();
    remove_tree(reuse_folder);
    return 0;
}

/* A path in the folder of the test; a few are valid at a time. */
static inline const char *at(const char *name)
{
    static char paths[8][512];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", reuse_folder, name);
    return path;
}

static inline void make_folder(const char *name)
{
    assert_int_equal(mkdir(at(name), 0700), 0);
}

static inline void make_file(const char *name, const char *text)
{
    assert_true(oro_file_write(at(name), text, strlen(text), NULL));
}

/* ---- Documents ---- */

static inline struct oro_document *parse_at(const char *name, const char *text, struct oro_problems *problems)
{
    struct oro_document *doc = oro_document_parse(text, strlen(text), at(name), &reuse, problems);
    if (!doc) {
        print_problems(problems);
        fail_msg("no document");
    }
    oro_check(doc, &reuse, problems);
    return doc;
}

/* A document that is read and checked without errors; notices are allowed. */
static inline struct oro_document *parse_valid(const char *text)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = parse_at("document.oro", text, &problems);
    if (problems.errors) {
        print_problems(&problems);
        fail_msg("%zu errors", problems.errors);
    }
    oro_problems_free(&problems);
    return doc;
}

static inline char *text_of(const struct oro_document *doc)
{
    char *text = NULL;
    struct oro_error err = {0};
    if (!oro_document_format(doc, &reuse, &text, NULL, &err))
        fail_msg("%s", err.text);
    return text;
}

static inline void expect_contains(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is missing in: %s", part, text);
}

static inline void expect_lacks(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("'%s' is in: %s", part, text);
}

/* ---- Plans ---- */

static inline struct oro_plan *plan_with(const struct oro_document *doc, const char *node, const char *output,
                                         const struct oro_plan_options *options, struct oro_error *err)
{
    static struct oro_device device;
    device = FAKE_DEVICE;
    const struct oro_target target = {.node = node, .output = output};
    return oro_plan_create(doc, &reuse, &target, 1, options, &device, NULL, err);
}

static inline struct oro_plan *plan_of(const struct oro_document *doc, const char *node, const char *output)
{
    struct oro_error err = {0};
    const struct oro_plan_options options = {0};
    struct oro_plan *plan = plan_with(doc, node, output, &options, &err);
    char line[1200];
    if (!plan)
        fail_msg("%s", oro_error_line(&err, line, sizeof line));
    return plan;
}

/* Equal keys mean equal results, to the bit. */
static inline struct oro_hash key_of(const struct oro_document *doc, const char *node, const char *output)
{
    struct oro_plan *plan = plan_of(doc, node, output);
    struct oro_hash key = plan->steps[plan->targets[0].step].key;
    oro_plan_destroy(plan);
    return key;
}

static inline bool same_key(struct oro_hash a, struct oro_hash b)
{
    return a.low == b.low && a.high == b.high;
}

/* The last step whose id ends with `id`. */
static inline const struct oro_step *step_of(const struct oro_plan *plan, const char *id)
{
    for (size_t i = plan->step_count; i-- > 0;) {
        size_t length = strlen(plan->steps[i].id), tail = strlen(id);
        if (length >= tail && strcmp(plan->steps[i].id + length - tail, id) == 0)
            return &plan->steps[i];
    }
    fail_msg("there is no step '%s'", id);
    return NULL;
}

#endif
