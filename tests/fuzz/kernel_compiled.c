/* Kernels that go all the way: through the guard, the driver's compiler and a run over a few cells. Whatever
 * they are, the evaluation ends with a result or with a reason, and this process, which has a stranger's
 * kernel compiled and run in a guest, goes on. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "devices/devices.h"
#include "graph/eval/evaluator.h"
#include "graph/file/load.h"
#include "lua/types/registry.h"
#include "tests/fuzz/kernel_guarded.h"

static struct oro_device *device;
static struct oro_registry registry;

/* The processor, whose strange kernels a guest runs; or $OROGRAPH_FUZZ_DEVICE, which is that of a card. */
static struct oro_device *open_device(void)
{
    const char *given = getenv("OROGRAPH_FUZZ_DEVICE");
    struct oro_gpu_options gpu = {0};
    return given && oro_device_parse(given, &gpu.index) ? oro_device_open(&gpu, NULL)
                                                        : oro_processor_create(NULL, NULL);
}

static void begin(void)
{
    setenv("OROGRAPH_CACHE", fuzz_folder(), 1); /* what did no harm is noted there */
    device = open_device();
    fuzz_require(device && oro_registry_open(&registry, &oro_builtin_nodes, false, NULL, NULL));
}

/* The text as XML has it. */
static void add_escaped(struct oro_text *to, const char *text)
{
    for (const char *c = text; *c; c++)
        if (*c == '<' || *c == '>' || *c == '&')
            oro_text_add(to, *c == '<' ? "&lt;" : *c == '>' ? "&gt;" : "&amp;");
        else if (*c == '\n' || (*c >= ' ' && *c <= '~'))
            oro_text_add_bytes(to, c, 1);
}

static struct oro_document *document_of(const char *kernel)
{
    struct oro_text text = {0};
    struct oro_problems problems = {0};
    oro_text_add(
        &text,
        "<orograph xmlns=\"urn:orograph:1\" version=\"1\"><world resolution=\"9\"/>\n"
        "<node id=\"n\" type=\"noise\" x=\"0\" y=\"0\"/>\n"
        "<node id=\"k\" type=\"lua\" x=\"0\" y=\"0\"><in name=\"terrain\" from=\"n.field\"/><script>\n"
        "return { inputs = { { name = 'terrain', type = 'field' }, { name = 'amount', type = 'float' } "
        "},\noutputs = { { name = 'terrain', type = 'field' } }, kernel = [==[\n");
    add_escaped(&text, kernel);
    oro_text_add(&text, "]==] }</script></node></orograph>\n");
    fuzz_require(!text.failed);
    struct oro_document *doc = oro_document_parse(text.data, text.length, "fuzz.oro", &registry, &problems);
    oro_problems_free(&problems);
    oro_text_free(&text);
    return doc;
}

void fuzz_kernel(const char *text)
{
    static const struct oro_target target = {"k", "terrain"};
    const struct oro_plan_options plan_options = {0};
    const struct oro_evaluator_options options = {0};
    struct oro_error err = {0};
    struct oro_value *value = NULL;
    if (!device)
        begin();
    struct oro_document *doc = document_of(text);
    struct oro_plan *plan =
        doc ? oro_plan_create(doc, &registry, &target, 1, &plan_options, device, NULL, &err) : NULL;
    struct oro_evaluator *evaluator = oro_evaluator_create(device, NULL, &options);
    fuzz_require(evaluator);
    if (!plan || !oro_evaluate(evaluator, plan, &value, &err))
        fuzz_require(!doc || err.text[0]);
    oro_value_release(value);
    oro_evaluator_destroy(evaluator);
    oro_plan_destroy(plan);
    oro_document_destroy(doc);
    oro_registry_close(&registry);
    fuzz_require(oro_registry_open(&registry, &oro_builtin_nodes, false, NULL, NULL));
}
