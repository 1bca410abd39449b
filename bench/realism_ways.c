/* The ways that terrains are brought back by: docs/realism.md. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "bench/realism_trial.h"
#include "graph/file/xml.h"

/* ---- Graphs ---- */

static struct oro_world world_of(const struct trial *t)
{
    struct oro_world world = ORO_WORLD_DEFAULT;
    world.extent = t->coarse.width * t->coarse.cell;
    world.resolution = t->coarse.width;
    world.seed = t->seed;
    world.aspect = (double)t->coarse.height / t->coarse.width;
    return world;
}

static void begin(const struct trial *t, struct bench_graph *graph)
{
    struct oro_world world = world_of(t);
    bench_graph_extent(graph, world.resolution, world.extent);
    if (!graph->failed)
        graph->failed = !oro_edit_world(graph->doc, &world, &graph->err);
    bench_graph_node(graph, "input", "import");
    bench_graph_word(graph, "input", "file", t->file);
    bench_graph_word(graph, "input", "size", "file");
}

static float *copy_of(const struct trial *t, struct oro_value *value, struct oro_error *err)
{
    const struct bench_realism *r = t->result;
    size_t cells = (size_t)r->width * (size_t)r->height;
    if (value->grid.width != r->width || value->grid.height != r->height || value->channels != 1) {
        oro_fail(err, ORO_E_USAGE, "the graph gives %d x %d cells instead of %d x %d", value->grid.width,
                 value->grid.height, r->width, r->height);
        return NULL;
    }
    const float *data = oro_value_host(value, err);
    float *copy = data ? oro_alloc(cells, sizeof *copy) : NULL;
    if (copy)
        memcpy(copy, data, cells * sizeof *copy);
    else if (data)
        oro_fail(err, ORO_E_MEMORY, "no memory for %zu cells", cells);
    return copy;
}

/* Evaluates a graph, which it ends. The caller frees what comes out; NULL after a failure. */
static float *evaluate(const struct trial *t, struct bench_graph *graph, const char *name,
                       struct oro_target target, double *seconds, struct oro_error *err)
{
    struct oro_value *value = NULL;
    struct bench_parts parts;
    fprintf(stderr, "%s: %s\n", t->result->name, name);
    float *z = bench_evaluate_all(t->bench, graph, &target, 1, &value, &parts)
                   ? copy_of(t, value, &graph->err)
                   : NULL;
    oro_value_release(value);
    *seconds += parts.whole;
    *err = graph->err;
    bench_graph_end(graph);
    return z;
}

static bool add_way(struct trial *t, struct bench_graph *graph, const char *name, bool ours,
                    struct oro_target target, struct oro_error *err)
{
    double seconds = 0;
    float *z = evaluate(t, graph, name, target, &seconds, err);
    return bench_realism_take(t, name, ours, z, seconds, err);
}

/* ---- Opponents ---- */

enum { SWEEPS = 6 };

static float *make_cubic(const struct trial *t, const char *name, double *seconds, struct oro_error *err)
{
    struct bench_graph graph;
    begin(t, &graph);
    bench_graph_node(&graph, "up", "upsample");
    bench_graph_link(&graph, "up", "terrain", "input", "terrain");
    bench_graph_set(&graph, "up", "factor", t->result->factor);
    bench_graph_word(&graph, "up", "method", "catmull_rom");
    float *z = evaluate(t, &graph, name, (struct oro_target){"up", "terrain"}, seconds, err);
    if (z && bench_realism_project(t, z, SWEEPS, err))
        return z;
    oro_free(z);
    return NULL;
}

static bool add_cubic(struct trial *t, struct oro_error *err)
{
    double seconds = 0;
    float *z = make_cubic(t, "cubic", &seconds, err);
    return bench_realism_take(t, "cubic", false, z, seconds, err);
}

/* Of 1 m, with features of 2 R and octaves down to two cells. */
static float *make_noise(const struct trial *t, double gain, double *seconds, struct oro_error *err)
{
    const struct bench_realism *r = t->result;
    struct bench_graph graph;
    begin(t, &graph);
    bench_graph_node(&graph, "up", "upsample");
    bench_graph_link(&graph, "up", "terrain", "input", "terrain");
    bench_graph_set(&graph, "up", "factor", r->factor);
    bench_graph_node(&graph, "noise", "noise");
    bench_graph_link(&graph, "noise", "like", "up", "terrain");
    bench_graph_word(&graph, "noise", "method", "simplex");
    bench_graph_set(&graph, "noise", "feature", 2 * t->coarse.cell);
    bench_graph_set(&graph, "noise", "octaves", 1 + floor(log2(r->factor)));
    bench_graph_set(&graph, "noise", "gain", gain);
    bench_graph_set(&graph, "noise", "amplitude", 1);
    return evaluate(t, &graph, "noise", (struct oro_target){"noise", "field"}, seconds, err);
}

static bool add_fractal(struct trial *t, struct oro_error *err)
{
    double gain, rms, seconds = 0;
    if (!bench_realism_roughness(t, &gain, &rms, err))
        return false;
    float *z = make_cubic(t, "fBm", &seconds, err);
    float *noise = z ? make_noise(t, gain, &seconds, err) : NULL;
    bool ok =
        noise && bench_realism_roughen(t, z, noise, rms, err) && bench_realism_project(t, z, SWEEPS, err);
    oro_free(noise);
    if (ok)
        return bench_realism_take(t, "fBm", false, z, seconds, err);
    oro_free(z);
    return false;
}

static bool add_phasor(struct trial *t, struct oro_error *err)
{
    struct bench_graph graph;
    begin(t, &graph);
    bench_graph_node(&graph, "ravines", "phasor");
    bench_graph_link(&graph, "ravines", "terrain", "input", "terrain");
    bench_graph_set(&graph, "ravines", "scale", t->result->factor);
    bench_graph_set(&graph, "ravines", "frequency", 0);
    return add_way(t, &graph, "phasor", false, (struct oro_target){"ravines", "terrain"}, err);
}

/* ---- The chain ---- */

/* All defaults but for the levels, whose product is that of the trial. */
static void begin_chain(const struct trial *t, struct bench_graph *graph)
{
    char levels[64] = "";
    size_t length = 0;
    for (int left = t->result->factor, factor = 2; left > 1; left /= factor, factor = 2) {
        while (left % factor != 0)
            factor++;
        length +=
            (size_t)snprintf(levels + length, sizeof levels - length, "%s%d", length ? "; " : "", factor);
    }
    begin(t, graph);
    bench_graph_node(graph, "chain", "amplify_chain");
    bench_graph_link(graph, "chain", "terrain", "input", "terrain");
    bench_graph_word(graph, "chain", "levels", levels);
}

/* Its detail without water and slides: what erosion has to be better than. */
static bool add_uneroded(struct trial *t, struct oro_error *err)
{
    struct bench_graph graph;
    begin_chain(t, &graph);
    bench_graph_set(&graph, "chain", "iterations", 0);
    bench_graph_set(&graph, "chain", "thermal_iterations", 0);
    return add_way(t, &graph, "uneroded", false, (struct oro_target){"chain", "terrain"}, err);
}

static bool add_chain(struct trial *t, struct oro_error *err)
{
    struct bench_graph graph;
    begin_chain(t, &graph);
    return add_way(t, &graph, "amplify_chain", true, (struct oro_target){"chain", "terrain"}, err);
}

/* ---- What the user gives ---- */

/* The interface's output "terrain", else its first one. */
static const struct oro_doc_port *find_output(const struct oro_document *doc)
{
    const struct oro_doc_port *found = NULL;
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        if (port->is_output && (!found || strcmp(port->name, "terrain") == 0))
            found = port;
    }
    return found;
}

/* All nodes `import` read the coarse terrain, and the world is its. */
static bool give_terrain(const struct trial *t, struct oro_document *doc, struct oro_error *err)
{
    struct oro_world world = world_of(t);
    bool ok = oro_edit_world(doc, &world, err);
    for (size_t i = 0; ok && i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        if (strcmp(node->type, "import") == 0)
            ok = oro_edit_set(doc, node->id, "file", t->file, err) &&
                 oro_edit_set(doc, node->id, "size", "file", err);
    }
    return ok;
}

static void stem_of(const char *path, char stem[24])
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    snprintf(stem, 24, "%.*s", (int)strcspn(name, "."), name);
}

static bool add_graph(struct trial *t, const char *path, struct oro_error *err)
{
    struct oro_problems problems = {0};
    struct bench_graph graph = {.doc = oro_document_read(path, &oro_builtin_nodes, &problems)};
    const struct oro_doc_port *output = graph.doc ? find_output(graph.doc) : NULL;
    char stem[24], node[128], socket[64];
    stem_of(path, stem);
    bool ok = output && problems.errors == 0;
    if (!ok)
        oro_fail(err, ORO_E_DOCUMENT, "'%s': %s", path,
                 problems.errors > 0 ? problems.items[0].text : "the interface has no output");
    ok = ok && give_terrain(t, graph.doc, err);
    oro_problems_free(&problems);
    if (!ok) {
        bench_graph_end(&graph);
        return false;
    }
    snprintf(node, sizeof node, "%s", output->node);
    snprintf(socket, sizeof socket, "%s", output->socket);
    return add_way(t, &graph, stem, true, (struct oro_target){node, socket}, err);
}

/* A terrain that was brought back elsewhere. */
static bool add_file(struct trial *t, const char *path, struct oro_error *err)
{
    const struct bench_realism *r = t->result;
    struct oro_heightfield field = {0};
    char stem[24];
    stem_of(path, stem);
    if (!oro_heightfield_read(path, &(struct oro_read_options){0}, &field, err))
        return false;
    bool ok = field.width == r->width && field.height == r->height && field.metres;
    float *z = ok ? oro_alloc((size_t)r->width * (size_t)r->height, sizeof *z) : NULL;
    if (z)
        memcpy(z, field.data, (size_t)r->width * (size_t)r->height * sizeof *z);
    oro_heightfield_free(&field);
    if (!ok)
        oro_fail(err, ORO_E_USAGE, "'%s' has to have %d x %d cells, and heights in metres", path, r->width,
                 r->height);
    else if (!z)
        oro_fail(err, ORO_E_MEMORY, "no memory for '%s'", path);
    return bench_realism_take(t, stem, true, z, 0, err);
}

static bool add_given(struct trial *t, const char *path, struct oro_error *err)
{
    size_t length = strlen(path);
    bool graph = length > 4 && strcmp(path + length - 4, ".oro") == 0;
    return graph ? add_graph(t, path, err) : add_file(t, path, err);
}

/* ---- All ---- */

bool bench_realism_ways(struct trial *t, struct oro_error *err)
{
    static const struct {
        const char *name;
        bool (*add)(struct trial *t, struct oro_error *err);
    } ways[] = {{"cubic", add_cubic},
                {"fBm", add_fractal},
                {"phasor", add_phasor},
                {"uneroded", add_uneroded},
                {"amplify_chain", add_chain}};
    const struct bench *bench = t->bench;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if ((!bench->only || strcmp(bench->only, ways[i].name) == 0) && !ways[i].add(t, err))
            return false;
    for (int i = 0; i < bench->inputs.with_count; i++)
        if (!add_given(t, bench->inputs.with[i], err))
            return false;
    return true;
}
