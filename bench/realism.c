/* Real terrains are reduced, brought back by several ways, and compared with what they were. */
#include "bench/realism.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "formats/format.h"
#include "graph/file/xml.h"

/* The terrain at hand. */
struct trial {
    struct bench *bench;
    struct bench_realism *result;
    struct oro_heightfield coarse;
    char file[64]; /* that `coarse` was written to */
};

/* ---- Reading and reducing ---- */

/* Rows and columns that do not fill a coarse cell are left out in the south and in the east. */
static bool read_truth(struct trial *t, int i, struct oro_error *err)
{
    const struct bench_inputs *inputs = &t->bench->inputs;
    struct bench_realism *r = t->result;
    struct oro_heightfield field = {0};
    struct oro_read_options options = {
        .has_range = inputs->high[i] > 0, .low = inputs->low[i], .high = inputs->high[i]};
    if (!oro_heightfield_read(inputs->files[i], &options, &field, err))
        return false;
    r->factor = inputs->factor[i] >= 2 ? (int)inputs->factor[i] : 8;
    r->cell = inputs->cell[i] > 0 ? inputs->cell[i] : field.cell;
    r->width = field.width / r->factor * r->factor;
    r->height = field.height / r->factor * r->factor;
    float *z = oro_alloc((size_t)r->width * (size_t)r->height, sizeof *z);
    for (int y = 0; z && y < r->height; y++)
        memcpy(z + (size_t)y * (size_t)r->width, field.data + (size_t)y * (size_t)field.width,
               (size_t)r->width * sizeof *z);
    oro_heightfield_free(&field);
    r->ways[BENCH_TRUTH] = (struct bench_way){.name = "truth", .z = z};
    r->way_count = 1;
    if (!z)
        return oro_fail(err, ORO_E_MEMORY, "no memory for '%s'", inputs->files[i]);
    return r->cell > 0 ||
           oro_fail(err, ORO_E_USAGE, "'%s': give the width of its cells with --cell", inputs->files[i]);
}

static bool write_coarse(struct trial *t, const char *folder, struct oro_error *err)
{
    const struct bench_realism *r = t->result;
    struct oro_heightfield truth = {.width = r->width,
                                    .height = r->height,
                                    .data = r->ways[BENCH_TRUTH].z,
                                    .cell = r->cell,
                                    .metres = true};
    struct oro_write_options options = {.not_terrain = true};
    snprintf(t->file, sizeof t->file, "%s/coarse.pfm", folder);
    return oro_heightfield_resize(&truth, r->width / r->factor, r->height / r->factor, &t->coarse, err) &&
           oro_heightfield_write(t->file, &t->coarse, &options, err);
}

static struct oro_world world_of(const struct trial *t)
{
    struct oro_world world = ORO_WORLD_DEFAULT;
    world.extent = t->coarse.width * t->coarse.cell;
    world.resolution = t->coarse.width;
    world.aspect = (double)t->coarse.height / t->coarse.width;
    return world;
}

/* ---- Ways ---- */

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

/* Evaluates a graph, which it ends, and adds the terrain that comes out as a way. NULL after a failure. */
static struct bench_way *add_way(struct trial *t, struct bench_graph *graph, const char *name,
                                 struct oro_target target, struct oro_error *err)
{
    struct bench_realism *r = t->result;
    struct oro_value *value = NULL;
    struct bench_parts parts;
    fprintf(stderr, "%s: %s\n", r->name, name);
    float *z = bench_evaluate_all(t->bench, graph, &target, 1, &value, &parts)
                   ? copy_of(t, value, &graph->err)
                   : NULL;
    oro_value_release(value);
    *err = graph->err;
    bench_graph_end(graph);
    if (!z)
        return NULL;
    struct bench_way *way = &r->ways[r->way_count++];
    *way = (struct bench_way){.z = z, .seconds = parts.whole};
    snprintf(way->name, sizeof way->name, "%s", name);
    return way;
}

static bool interpolate(struct trial *t, const char *name, const char *method, struct oro_error *err)
{
    struct bench_graph graph;
    begin(t, &graph);
    bench_graph_node(&graph, "up", "upsample");
    bench_graph_link(&graph, "up", "terrain", "input", "terrain");
    bench_graph_set(&graph, "up", "factor", t->result->factor);
    bench_graph_word(&graph, "up", "method", method);
    return add_way(t, &graph, name, (struct oro_target){"up", "terrain"}, err);
}

static bool add_phasor(struct trial *t, struct oro_error *err)
{
    struct bench_graph graph;
    begin(t, &graph);
    bench_graph_node(&graph, "ravines", "phasor");
    bench_graph_link(&graph, "ravines", "terrain", "input", "terrain");
    bench_graph_set(&graph, "ravines", "scale", t->result->factor);
    return add_way(t, &graph, "phasor", (struct oro_target){"ravines", "terrain"}, err);
}

/* All defaults but for the levels, whose product is that of the trial. */
static bool add_chain(struct trial *t, struct oro_error *err)
{
    struct bench_graph graph;
    char levels[64] = "";
    size_t length = 0;
    for (int left = t->result->factor, factor = 2; left > 1; left /= factor, factor = 2) {
        while (left % factor != 0)
            factor++;
        length +=
            (size_t)snprintf(levels + length, sizeof levels - length, "%s%d", length ? "; " : "", factor);
    }
    begin(t, &graph);
    bench_graph_node(&graph, "chain", "amplify_chain");
    bench_graph_link(&graph, "chain", "terrain", "input", "terrain");
    bench_graph_word(&graph, "chain", "levels", levels);
    struct bench_way *way = add_way(t, &graph, "amplify_chain", (struct oro_target){"chain", "terrain"}, err);
    return way && (way->ours = true);
}

/* ---- Fractal noise ---- */

static bool figures_of(const float *z, int width, int height, double cell, double scale,
                       struct oro_realism *figures, struct oro_error *err)
{
    struct oro_ground ground = {.width = width, .height = height, .z = z};
    return oro_realism(&ground, cell, scale, figures, err);
}

/* How strong R..2R would be if the coarse ground's spectrum went on, and by how much each octave is weaker
 * than the one above it. The spectrum is taken from 2.33 R to 16 R, and the strength from 4 R to 8 R: shorter
 * waves have lost some to the reduction. Where power falls as k^b, octaves fall as k^(b/2 + 1). */
static bool find_roughness(const struct trial *t, double *gain, double *rms, struct oro_error *err)
{
    const struct oro_heightfield *c = &t->coarse;
    struct oro_realism near, far;
    if (!figures_of(c->data, c->width, c->height, c->cell, 4 * c->cell, &near, err) ||
        !figures_of(c->data, c->width, c->height, c->cell, 8 * c->cell, &far, err))
        return false;
    bool known = isfinite(far.spectrum_slope);
    *gain = known ? fmin(exp2(far.spectrum_slope / 2 + 1), 1) : 0.5;
    *rms = near.band_rms[ORO_BAND_FINE] * *gain * *gain;
    return true;
}

/* Adds noise to the way added last: as much as that lacks of an rms in R..2R. */
static bool add_noise(const struct trial *t, struct bench_way *way, struct oro_value *noise, double rms,
                      struct oro_error *err)
{
    const struct bench_realism *r = t->result;
    const float *data = oro_value_host(noise, err);
    struct oro_realism plain, smooth;
    if (!data || !figures_of(data, r->width, r->height, r->cell, t->coarse.cell, &plain, err) ||
        !figures_of(way->z, r->width, r->height, r->cell, t->coarse.cell, &smooth, err))
        return false;
    double own = smooth.band_rms[ORO_BAND_FINE], of_noise = plain.band_rms[ORO_BAND_FINE];
    double times = of_noise > 0 && rms > own ? sqrt(rms * rms - own * own) / of_noise : 0;
    for (size_t i = 0; i < (size_t)r->width * (size_t)r->height; i++)
        way->z[i] += (float)(times * (double)data[i]);
    return true;
}

/* The last way, which is bicubic, with noise: features of 2 R, octaves down to two cells. */
static bool add_fractal(struct trial *t, struct oro_error *err)
{
    struct bench_realism *r = t->result;
    struct bench_graph graph;
    struct bench_parts parts;
    struct oro_value *noise = NULL;
    struct oro_target target = {"noise", "field"};
    double gain, rms;
    if (!find_roughness(t, &gain, &rms, err) || !interpolate(t, "fBm", "catmull_rom", err))
        return false;
    begin(t, &graph);
    bench_graph_node(&graph, "up", "upsample");
    bench_graph_link(&graph, "up", "terrain", "input", "terrain");
    bench_graph_set(&graph, "up", "factor", r->factor);
    bench_graph_node(&graph, "noise", "noise");
    bench_graph_link(&graph, "noise", "like", "up", "terrain");
    bench_graph_set(&graph, "noise", "feature", 2 * t->coarse.cell);
    bench_graph_set(&graph, "noise", "octaves", 1 + floor(log2(r->factor)));
    bench_graph_set(&graph, "noise", "gain", gain);
    bench_graph_set(&graph, "noise", "amplitude", 1);
    bool ok = bench_evaluate_all(t->bench, &graph, &target, 1, &noise, &parts) &&
              add_noise(t, &r->ways[r->way_count - 1], noise, rms, &graph.err);
    oro_value_release(noise);
    *err = graph.err;
    bench_graph_end(&graph);
    return ok;
}

/* ---- Graphs of the user ---- */

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

static bool add_graph(struct trial *t, const char *path, struct oro_error *err)
{
    struct oro_problems problems = {0};
    struct bench_graph graph = {.doc = oro_document_read(path, &oro_builtin_nodes, &problems)};
    const struct oro_doc_port *output = graph.doc ? find_output(graph.doc) : NULL;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char stem[24], node[128], socket[64];
    snprintf(stem, sizeof stem, "%.*s", (int)strcspn(name, "."), name);
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
    struct bench_way *way = add_way(t, &graph, stem, (struct oro_target){node, socket}, err);
    return way && (way->ours = true);
}

/* ---- All ---- */

static bool add_bilinear(struct trial *t, struct oro_error *err)
{
    return interpolate(t, "bilinear", "bilinear", err);
}

static bool add_bicubic(struct trial *t, struct oro_error *err)
{
    return interpolate(t, "bicubic", "catmull_rom", err);
}

static bool add_all(struct trial *t, struct oro_error *err)
{
    static const struct {
        const char *name;
        bool (*add)(struct trial *t, struct oro_error *err);
    } ways[] = {{"bilinear", add_bilinear},
                {"bicubic", add_bicubic},
                {"fBm", add_fractal},
                {"phasor", add_phasor},
                {"amplify_chain", add_chain}};
    const struct bench *bench = t->bench;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if ((!bench->only || strcmp(bench->only, ways[i].name) == 0) && !ways[i].add(t, err))
            return false;
    for (int i = 0; i < bench->inputs.with_count; i++)
        if (!add_graph(t, bench->inputs.with[i], err))
            return false;
    return true;
}

static bool measure_all(struct bench_realism *r, struct oro_error *err)
{
    struct oro_ground truth = {.width = r->width, .height = r->height, .z = r->ways[BENCH_TRUTH].z};
    for (int i = 0; i < r->way_count; i++) {
        struct oro_ground ground = truth;
        ground.z = r->ways[i].z;
        if (!oro_realism(&ground, r->cell, r->factor * r->cell, &r->ways[i].of, err) ||
            !oro_realism_against(&ground, &truth, r->cell, r->factor * r->cell, &r->ways[i].off, err))
            return false;
    }
    return true;
}

static bool try_terrain(struct bench *bench, int i, const char *folder, struct oro_error *err)
{
    struct bench_realism *r = &bench->realism[bench->realism_count];
    struct trial t = {.bench = bench, .result = r};
    char sidecar[80];
    struct bench_input input;
    bench_input(bench, i, NULL, &input);
    memcpy(r->name, input.name, sizeof r->name);
    bool ok = read_truth(&t, i, err) && write_coarse(&t, folder, err) && add_all(&t, err) &&
              measure_all(r, err) &&
              (!bench->inputs.pictures || bench_realism_draw(r, bench->inputs.pictures, err));
    bench->realism_count += ok;
    for (int k = 0; k < r->way_count; k++) {
        oro_free(r->ways[k].z);
        r->ways[k].z = NULL;
    }
    oro_heightfield_free(&t.coarse);
    if (t.file[0]) {
        snprintf(sidecar, sizeof sidecar, "%s.json", t.file);
        unlink(t.file);
        unlink(sidecar);
    }
    return ok;
}

bool bench_realism(struct bench *bench, struct oro_error *err)
{
    char folder[] = "/tmp/orograph-bench-XXXXXX";
    int count = bench->inputs.file_count;
    if (count == 0)
        return oro_fail(err, ORO_E_USAGE, "name real terrains with --dems FILE...");
    bench->realism = oro_alloc((size_t)count, sizeof *bench->realism);
    if (!bench->realism)
        return oro_fail(err, ORO_E_MEMORY, "no memory for %d terrains", count);
    if (!mkdtemp(folder))
        return oro_fail(err, ORO_E_WRITE, "cannot make a folder in /tmp");
    bool ok = true;
    for (int i = 0; ok && i < count; i++)
        ok = try_terrain(bench, i, folder, err);
    rmdir(folder);
    return ok;
}
