/* Documents of 5000 nodes: reading, writing, and planning again after one value was edited. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "bench/bench.h"
#include "graph/derived/assets.h"
#include "graph/file/load.h"
#include "graph/plan/plan.h"

enum { NODES = 5000, GROUP_NODES = 10 };

/* Nodes in pairs: noise, and its sum with all before it. `count` is even. */
static void add_chain(struct oro_text *text, const char *indent, int count)
{
    for (int i = 0; i < count / 2; i++) {
        oro_text_addf(text, "%s<node id=\"n%d\" type=\"noise\" x=\"%d\" y=\"40\">\n", indent, i, 200 * i);
        oro_text_addf(
            text,
            "%s  <in name=\"amplitude\" value=\"%d\"/>\n%s  <in name=\"seed\" value=\"%d\"/>\n%s</node>\n",
            indent, 10 + i % 90, indent, i + 1, indent);
        oro_text_addf(text, "%s<node id=\"s%d\" type=\"combine\" x=\"%d\" y=\"160\">\n", indent, i, 200 * i);
        if (i > 0)
            oro_text_addf(text, "%s  <in name=\"a\" from=\"s%d.field\"/>\n", indent, i - 1);
        oro_text_addf(text, "%s  <in name=\"b\" from=\"n%d.field\"/>\n%s</node>\n", indent, i, indent);
    }
}

static void begin(struct oro_text *text)
{
    oro_text_add(
        text,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
        "  <world resolution=\"64\"/>\n");
}

static void add_row(struct bench *bench, const char *name, const char *what, double seconds)
{
    char whole[64];
    snprintf(whole, sizeof whole, "%s, %s", name, what);
    bench_row(bench, "document", whole, NODES)->milliseconds = 1e3 * seconds;
}

static bool plan_once(const struct oro_document *doc, const struct oro_registry *registry,
                      struct bench *bench, const char *last, double *seconds, struct oro_error *err)
{
    const struct oro_target target = {.node = last, .output = "field"};
    const struct oro_plan_options options = {.max_resolution = 0};
    double started = oro_now();
    struct oro_plan *plan = oro_plan_create(doc, registry, &target, 1, &options, bench->device, NULL, err);
    *seconds = oro_now() - started;
    bool ok = plan && plan->step_count >= NODES;
    oro_plan_destroy(plan);
    return ok;
}

/* The fastest of several edits: what slows down a single one is other work on the machine. */
static bool replan(struct oro_document *doc, const struct oro_registry *registry, struct bench *bench,
                   const char *last, const char *edited, double *least, struct oro_error *err)
{
    char number[ORO_NUMBER_SIZE];
    *least = 1e9;
    for (int i = 0; i < bench->repeats; i++) {
        double started = oro_now(), seconds;
        if (!oro_edit_set(doc, edited, "amplitude", oro_format_number(100 + i, number), err))
            return false;
        double edit = oro_now() - started;
        if (!plan_once(doc, registry, bench, last, &seconds, err))
            return false;
        *least = seconds + edit < *least ? seconds + edit : *least;
    }
    return true;
}

static bool measure(struct bench *bench, const char *name, const struct oro_text *text, const char *last,
                    const char *edited, struct oro_error *err)
{
    struct oro_registry registry = oro_builtin_nodes;
    struct oro_problems problems = {0};
    registry.assets = oro_assets_create(&registry, oro_document_load, false);
    double started = oro_now(), first = 0, again = 0;
    struct oro_document *doc = oro_document_parse(text->data, text->length, "", &registry, &problems);
    double read = oro_now() - started;
    char *written = NULL;
    size_t size = 0;
    started = oro_now();
    bool ok = doc && problems.errors == 0 && oro_document_format(doc, &registry, &written, &size, err);
    double wrote = oro_now() - started;
    ok = ok && size == text->length && memcmp(written, text->data, size) == 0;
    ok = ok && plan_once(doc, &registry, bench, last, &first, err) &&
         replan(doc, &registry, bench, last, edited, &again, err);
    if (ok) {
        add_row(bench, name, "reading", read);
        add_row(bench, name, "writing", wrote);
        add_row(bench, name, "first plan", first);
        add_row(bench, name, "plan after an edit", again);
    }
    if (!ok && err->code == ORO_OK)
        oro_fail(err, ORO_E_DOCUMENT, "the document '%s' is not what it should be", name);
    oro_free(written);
    oro_document_destroy(doc);
    oro_assets_destroy(registry.assets);
    oro_problems_free(&problems);
    return ok;
}

bool bench_document(struct bench *bench, struct oro_error *err)
{
    struct oro_text flat = {0}, groups = {0};
    begin(&flat);
    add_chain(&flat, "  ", NODES);
    oro_text_add(&flat, "</orograph>\n");
    /* The same number of nodes, by using one group many times. */
    begin(&groups);
    oro_text_addf(&groups,
                  "  <group name=\"part\">\n    <interface>\n      <in name=\"field\" to=\"s0.a\"/>\n"
                  "      <in name=\"amplitude\" to=\"n0.amplitude\"/>\n"
                  "      <out name=\"field\" from=\"s%d.field\"/>\n    </interface>\n",
                  GROUP_NODES / 2 - 1);
    add_chain(&groups, "    ", GROUP_NODES);
    oro_text_add(&groups, "  </group>\n  <node id=\"n0\" type=\"noise\"/>\n");
    for (int i = 0; i < NODES / GROUP_NODES; i++) {
        oro_text_addf(
            &groups,
            "  <node id=\"s%d\" type=\"graph\" href=\"#part\">\n    <in name=\"seed\" value=\"%d\"/>\n", i,
            i + 1);
        if (i > 0)
            oro_text_addf(&groups, "    <in name=\"field\" from=\"s%d.field\"/>\n", i - 1);
        oro_text_add(&groups, "  </node>\n");
    }
    oro_text_add(&groups, "</orograph>\n");
    bool ok = !flat.failed && !groups.failed ? true : oro_fail(err, ORO_E_MEMORY, "no memory for a document");
    ok = ok && measure(bench, "one graph", &flat, "s2499", "n1250", err) &&
         measure(bench, "groups", &groups, "s499", "s250", err);
    oro_text_free(&flat);
    oro_text_free(&groups);
    return ok;
}
