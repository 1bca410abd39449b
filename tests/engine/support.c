#include "tests/engine/support.h"

#include <unistd.h>

#include "graph/file/xml.h"
#include "tests/support/folder.h"

struct oro_device *device;

int open_device(void **state)
{
    (void)state;
    struct oro_error err = {0};
    device = oro_device_open(&(struct oro_gpu_options){.index = ORO_DEVICE_ANY}, &err);
    if (!device)
        print_message("skipped: %s\n", err.text);
    return 0;
}

int open_driver(void **state)
{
    (void)state;
    struct oro_error err = {0};
    device = oro_gpu_create(&(struct oro_gpu_options){.index = ORO_GPU_ANY}, &err);
    if (!device)
        print_message("skipped: %s\n", err.text);
    return 0;
}

int close_device(void **state)
{
    (void)state;
    if (device)
        device->ops->destroy(device);
    device = NULL;
    return 0;
}

void need_device(void)
{
    if (!device)
        skip();
}

struct oro_cache *new_cache(const char *folder)
{
    struct oro_cache_options options = {.folder = folder ? folder : "",
                                        .device_bytes = (size_t)256 << 20,
                                        .host_bytes = (size_t)256 << 20,
                                        .disk_seconds = -1};
    struct oro_cache *cache = oro_cache_create(&options);
    assert_non_null(cache);
    return cache;
}

static void take_note(void *user, enum oro_level level, const char *text)
{
    struct run *run = user;
    size_t used = strlen(run->warnings);
    if (level != ORO_DEBUG)
        snprintf(run->warnings + used, sizeof run->warnings - used, "%s\n", text);
}

static void take_progress(void *user, const struct oro_progress *progress)
{
    struct run *run = user;
    if (run->progress)
        run->progress(run, progress);
}

static void take_live(void *user, const struct oro_live *live)
{
    struct run *run = user;
    run->live(run, live);
}

static void take_step(void *user, const struct oro_step_report *report)
{
    struct run *run = user;
    if (run->step_count < RUN_STEPS_MAX) {
        struct run_step *step = &run->steps[run->step_count++];
        snprintf(step->id, sizeof step->id, "%.63s", report->step->id);
        step->outcome = report->outcome;
        step->iterations_run = report->iterations_run;
        step->resumed_from = report->resumed_from;
        step->dispatches = report->dispatches;
        step->digest = report->digest;
        step->figure_count = report->figure_count;
        memcpy(step->figures, report->figures, sizeof step->figures);
    }
    run->computed += report->outcome == ORO_STEP_COMPUTED;
    if (run->step_done)
        run->step_done(run, report);
}

static bool take_value(struct run *run, struct oro_value *value)
{
    const float *data = value ? oro_value_host(value, &run->err) : NULL;
    if (data) {
        run->data = oro_hash_of(data, oro_value_bytes(value));
        run->grid = value->grid;
        size_t bytes = oro_value_bytes(value);
        memcpy(run->cells, data, bytes < sizeof run->cells ? bytes : sizeof run->cells);
    }
    oro_value_release(value);
    return data || !value;
}

static void evaluate(struct run *run, const struct oro_plan *plan)
{
    struct oro_evaluator_options options = {.log = {take_note, run},
                                            .progress = take_progress,
                                            .step_done = take_step,
                                            .user = run,
                                            .live = run->live ? take_live : NULL,
                                            .live_every = run->live_every,
                                            .live_seconds = run->live_seconds,
                                            .state_seconds = run->state_seconds,
                                            .checkpoint_seconds = run->checkpoint_seconds,
                                            .kernels_only = run->kernels_only,
                                            .per_dispatch = run->per_dispatch,
                                            .digests = !run->brief,
                                            .ranks = run->ranks};
    struct oro_value *value = NULL;
    run->evaluator = oro_evaluator_create(device, run->cache, &options);
    if (!run->evaluator) {
        oro_fail(&run->err, ORO_E_MEMORY, "no memory for an evaluator");
        return;
    }
    if (run->cancel_first)
        oro_evaluator_cancel(run->evaluator);
    run->ok = oro_evaluate(run->evaluator, plan, &value, &run->err);
    if (run->ok)
        run->ok = take_value(run, value);
    oro_evaluator_destroy(run->evaluator);
    run->evaluator = NULL;
}

static struct oro_document *parse(struct run *run, const char *text)
{
    struct oro_problems problems = {0};
    struct oro_document *doc =
        oro_document_parse(text, strlen(text), "test.oro", &oro_builtin_nodes, &problems);
    if (!doc || problems.errors) {
        oro_fail(&run->err, ORO_E_DOCUMENT, "%s", problems.count ? problems.items[0].text : "no document");
        oro_document_destroy(doc);
        doc = NULL;
    }
    oro_problems_free(&problems);
    return doc;
}

void run_document(struct run *run, const char *document, const char *target)
{
    char node[64];
    snprintf(node, sizeof node, "%.*s", (int)strcspn(target, "."), target);
    const char *output = strchr(target, '.');
    struct oro_target wanted = {node, output ? output + 1 : NULL};
    run->ok = false;
    run->err = (struct oro_error){0};
    run->step_count = run->computed = 0;
    run->warnings[0] = '\0';
    run->options.allow_any_path = true;
    struct oro_document *doc = parse(run, document);
    if (!doc)
        return;
    struct oro_plan *plan =
        oro_plan_create(doc, &oro_builtin_nodes, &wanted, 1, &run->options, device, NULL, &run->err);
    if (plan) {
        run->planned_bytes = plan->peak_bytes;
        run->key = plan->steps[plan->targets[0].step].key;
        run->capped = plan->capped;
        evaluate(run, plan);
    }
    oro_plan_destroy(plan);
    oro_document_destroy(doc);
}

struct run run_ok(struct oro_cache *cache, const char *document, const char *target)
{
    struct run run = {.cache = cache};
    run_document(&run, document, target);
    if (!run.ok)
        fail_msg("%s: %s: %s", target, run.err.node, run.err.text);
    return run;
}

const struct run_step *step_of(const struct run *run, const char *id)
{
    for (int i = run->step_count; i-- > 0;)
        if (strcmp(run->steps[i].id, id) == 0)
            return &run->steps[i];
    fail_msg("no report of step '%s'", id);
    return NULL;
}

void make_folder(char path[64])
{
    snprintf(path, 64, P_tmpdir "/orograph-engine-XXXXXX");
    assert_non_null(mkdtemp(path));
}

void remove_folder(const char *path)
{
    assert_int_equal(remove_tree(path), 0);
}

const char *text_of(const char *format, ...)
{
    static char texts[4][8192];
    static int next;
    char *text = texts[next++ % 4];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof texts[0], format, args);
    va_end(args);
    assert_true(length >= 0 && (size_t)length < sizeof texts[0]);
    return text;
}
