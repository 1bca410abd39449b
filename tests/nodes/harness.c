#include "tests/nodes/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "devices/devices.h"
#include "formats/format.h"
#include "graph/file/xml.h"
#include "tests/support/folder.h"
#include "tests/support/test.h"

void harness_forget(struct harness *h)
{
    oro_cache_destroy(h->cache);
    h->cache = oro_cache_create(&(struct oro_cache_options){
        .folder = "", .device_bytes = 256 * 1024 * 1024, .host_bytes = 256 * 1024 * 1024});
    assert_non_null(h->cache);
}

bool harness_open(struct harness *h)
{
    *h = (struct harness){.options = {.allow_any_path = true}, .registry = &oro_builtin_nodes};
    struct oro_gpu_options gpu = {.index = ORO_DEVICE_ANY, .shader_dir = getenv("OROGRAPH_TEST_SHADERS")};
    h->device = oro_device_open(&gpu, &h->err);
    if (!h->device)
        return false;
    harness_forget(h);
    snprintf(h->folder, sizeof h->folder, P_tmpdir "/orograph-test-XXXXXX");
    assert_non_null(mkdtemp(h->folder));
    return true;
}

void harness_close(struct harness *h)
{
    if (h->folder[0])
        remove_tree(h->folder);
    oro_cache_destroy(h->cache);
    if (h->device)
        h->device->ops->destroy(h->device);
    *h = (struct harness){0};
}

static void take_note(void *user, enum oro_level level, const char *text)
{
    struct harness *h = user;
    size_t used = strlen(h->warnings);
    /* Rasters that tests store tell nothing of themselves, which tests/formats looks at. */
    bool of_file = strstr(text, "': assumed, not told: ") || strstr(text, "': all heights lie within 0..1");
    if (level != ORO_DEBUG && !of_file)
        snprintf(h->warnings + used, sizeof h->warnings - used, "%s\n", text);
}

static void take_report(void *user, const struct oro_step_report *report)
{
    struct harness *h = user;
    h->computed += report->outcome == ORO_STEP_COMPUTED;
    for (int i = 0; i < report->figure_count && h->figure_count < HARNESS_FIGURES_MAX; i++) {
        struct harness_figure *figure = &h->figures[h->figure_count++];
        snprintf(figure->node, sizeof figure->node, "%.63s", report->step->id);
        figure->figure = report->figures[i];
    }
}

static bool take_raster(struct oro_value *value, struct harness_raster *raster, struct oro_error *err)
{
    const void *host = oro_value_host(value, err);
    if (!host)
        return false;
    *raster = (struct harness_raster){.type = value->type,
                                      .grid = value->grid,
                                      .channels = value->channels,
                                      .bytes = oro_value_bytes(value)};
    raster->data = oro_alloc(oro_value_bytes(value), 1);
    if (!raster->data)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a raster");
    memcpy(raster->data, host, oro_value_bytes(value));
    return true;
}

static bool evaluate(struct harness *h, const struct oro_plan *plan, struct harness_raster *raster)
{
    struct oro_evaluator_options options = {.log = {take_note, h},
                                            .step_done = take_report,
                                            .user = h,
                                            .kernels_only = h->kernels_only,
                                            .per_dispatch = h->per_dispatch};
    struct oro_evaluator *evaluator =
        oro_evaluator_create(h->device, h->kernels_only ? NULL : h->cache, &options);
    struct oro_value *value = NULL;
    assert_non_null(evaluator);
    bool ok = oro_evaluate(evaluator, plan, &value, &h->err);
    if (ok && raster)
        ok = take_raster(value, raster, &h->err);
    oro_value_release(value);
    oro_evaluator_destroy(evaluator);
    return ok;
}

static struct oro_document *parse(struct harness *h, const char *text)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = oro_document_parse(text, strlen(text), "test.oro", h->registry, &problems);
    if (problems.errors) {
        oro_fail(&h->err, ORO_E_DOCUMENT, "line %d: %s", problems.items[0].line, problems.items[0].text);
        oro_document_destroy(doc);
        doc = NULL;
    }
    oro_problems_free(&problems);
    return doc;
}

bool harness_try(struct harness *h, const char *document, const char *node, const char *output,
                 struct harness_raster *raster)
{
    h->err = (struct oro_error){0};
    h->warnings[0] = '\0';
    h->figure_count = h->computed = 0;
    struct oro_document *doc = parse(h, document);
    if (!doc)
        return false;
    struct oro_target target = {node, output};
    struct oro_plan *plan =
        oro_plan_create(doc, h->registry, &target, 1, &h->options, h->device, NULL, &h->err);
    bool ok = plan && evaluate(h, plan, raster);
    oro_plan_destroy(plan);
    oro_document_destroy(doc);
    return ok;
}

struct harness_raster harness_run(struct harness *h, const char *document, const char *node,
                                  const char *output)
{
    struct harness_raster raster = {0};
    if (!harness_try(h, document, node, output, output ? &raster : NULL))
        fail_msg("%s.%s: %s", node, output ? output : "", h->err.text);
    return raster;
}

void harness_free(struct harness_raster *raster)
{
    oro_free(raster->data);
    *raster = (struct harness_raster){0};
}

const char *harness_path(const struct harness *h, const char *name, char path[128])
{
    snprintf(path, 128, "%s/%s", h->folder, name);
    return path;
}

void harness_store(struct harness *h, const char *name, int width, int height, const float *data,
                   char path[128])
{
    struct oro_heightfield field = {.width = width, .height = height, .metres = true};
    size_t cells = (size_t)width * (size_t)height;
    field.data = oro_alloc(cells, sizeof *field.data);
    assert_non_null(field.data);
    memcpy(field.data, data, cells * sizeof *data);
    if (!oro_heightfield_write(harness_path(h, name, path), &field, NULL, &h->err))
        fail_msg("%s: %s", path, h->err.text);
    oro_heightfield_free(&field);
}

double harness_figure(const struct harness *h, const char *node, const char *name)
{
    for (int i = 0; i < h->figure_count; i++)
        if (strcmp(h->figures[i].node, node) == 0 && strcmp(h->figures[i].figure.name, name) == 0)
            return h->figures[i].figure.value;
    fail_msg("node '%s' has no figure '%s'", node, name);
    return 0;
}

void harness_near(double a, double b, double tolerance, const char *file, int line)
{
    if (fabs(a - b) <= tolerance)
        return;
    print_error("%.9g and %.9g differ by %.3g\n", a, b, fabs(a - b));
    _fail(file, line);
}
