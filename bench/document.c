/* Documents of 5000 nodes: reading, writing, and what follows the edit of one value: copying,
 * checking, and planning again. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "bench/bench.h"
#include "graph/derived/assets.h"
#include "graph/file/load.h"
#include "graph/plan/replan.h"

enum { NODES = 5000, GROUP_NODES = 10 };

struct source {
    const char *name;
    struct oro_text text;
    const char *last;      /* the node that is planned */
    const char *edited[3]; /* nodes of which all, half and nearly none of the others take */
};

/* Nodes in pairs: noise, and its sum with all before it. `count` is even. */
static void add_chain(struct oro_text *text, const char *indent, int count)
{
    for (int i = 0; i < count / 2; i++) {
        oro_text_addf(text, "%s<node id=\"n%d\" type=\"noise\" version=\"1\" x=\"%d\" y=\"40\">\n", indent, i,
                      200 * i);
        oro_text_addf(
            text,
            "%s  <in name=\"amplitude\" value=\"%d\"/>\n%s  <in name=\"seed\" value=\"%d\"/>\n%s</node>\n",
            indent, 10 + i % 90, indent, i + 1, indent);
        oro_text_addf(text, "%s<node id=\"s%d\" type=\"combine\" version=\"1\" x=\"%d\" y=\"160\">\n", indent,
                      i, 200 * i);
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

struct subject {
    struct bench *bench;
    const struct source *source;
    const struct oro_registry *registry;
    struct oro_document *doc;
    struct oro_replanner *replanner;
};

/* Plans a document that was checked once for all its plans, as the editor does; `follow`: after an edit. */
static bool plan_once(const struct subject *subject, const struct oro_document *doc, bool follow,
                      double *seconds, struct oro_error *err)
{
    const struct oro_target target = {.node = subject->source->last, .output = "field"};
    const struct oro_plan_options options = {.checked = true};
    struct oro_device *device = subject->bench->device;
    struct oro_plan *own = NULL;
    double started = oro_now();
    if (!follow)
        own = oro_plan_create(doc, subject->registry, &target, 1, &options, device, NULL, err);
    const struct oro_plan *plan =
        follow ? oro_replan(subject->replanner, doc, subject->registry, &target, 1, &options, device, err)
               : own;
    *seconds = oro_now() - started;
    bool ok = plan && plan->step_count >= NODES;
    oro_plan_destroy(own);
    return ok;
}

/* What follows an edit, in seconds. */
struct edit {
    double copy, check, anew, plan; /* the edit itself is part of the plan */
};

static bool edit_once(const struct subject *subject, const char *edited, int value, struct edit *edit,
                      struct oro_error *err)
{
    char number[ORO_NUMBER_SIZE];
    struct oro_problems problems = {0};
    double start = oro_now();
    if (!oro_edit_set(subject->doc, edited, "amplitude", oro_format_number(value, number), err))
        return false;
    double edited_at = oro_now();
    struct oro_document *copy = oro_document_clone(subject->doc);
    double copied_at = oro_now();
    if (copy)
        oro_check(copy, subject->registry, &problems);
    double checked_at = oro_now();
    bool ok = copy && problems.errors == 0 && plan_once(subject, copy, true, &edit->plan, err) &&
              plan_once(subject, copy, false, &edit->anew, err);
    edit->copy = copied_at - edited_at;
    edit->check = checked_at - copied_at;
    edit->plan += edited_at - start;
    oro_document_destroy(copy);
    oro_problems_free(&problems);
    return ok;
}

/* The fastest of several edits: what slows down a single one is other work on the machine. */
static bool measure_edit(const struct subject *subject, const char *edited, struct edit *least,
                         struct oro_error *err)
{
    *least = (struct edit){1e9, 1e9, 1e9, 1e9};
    for (int i = 0; i <= subject->bench->repeats; i++) {
        struct edit edit = {0};
        if (!edit_once(subject, edited, 100 + i, &edit, err))
            return false;
        *least = (struct edit){fmin(least->copy, edit.copy), fmin(least->check, edit.check),
                               fmin(least->anew, edit.anew), fmin(least->plan, edit.plan)};
    }
    return true;
}

static bool measure_edits(const struct subject *subject, struct oro_error *err)
{
    static const char *const places[] = {"start", "middle", "end"};
    const struct source *source = subject->source;
    struct bench *bench = subject->bench;
    struct edit edit = {0};
    double first = 0;
    if (!plan_once(subject, subject->doc, false, &first, err))
        return false;
    add_row(bench, source->name, "first plan", first);
    for (int i = 0; i < 3; i++) {
        char what[48];
        if (!measure_edit(subject, source->edited[i], &edit, err))
            return false;
        snprintf(what, sizeof what, "plan after an edit, %s", places[i]);
        add_row(bench, source->name, what, edit.plan);
    }
    add_row(bench, source->name, "plan anew", edit.anew);
    add_row(bench, source->name, "copy", edit.copy);
    add_row(bench, source->name, "check", edit.check);
    return true;
}

static bool measure_files(const struct subject *subject, struct oro_error *err)
{
    const struct source *source = subject->source;
    char *written = NULL;
    size_t size = 0;
    double started = oro_now();
    bool ok = oro_document_format(subject->doc, subject->registry, &written, &size, err);
    add_row(subject->bench, source->name, "writing", oro_now() - started);
    ok = ok && size == source->text.length && memcmp(written, source->text.data, size) == 0;
    oro_free(written);
    return ok;
}

static bool measure(struct bench *bench, const struct source *source, struct oro_error *err)
{
    struct oro_registry registry = oro_builtin_nodes;
    struct oro_problems problems = {0};
    registry.assets = oro_assets_create(&registry, oro_document_load_from, false);
    double started = oro_now();
    struct oro_document *doc =
        oro_document_parse(source->text.data, source->text.length, "", &registry, &problems);
    add_row(bench, source->name, "reading", oro_now() - started);
    const struct subject subject = {bench, source, &registry, doc, oro_replanner_create()};
    bool ok = doc && problems.errors == 0 && subject.replanner && measure_files(&subject, err) &&
              measure_edits(&subject, err);
    if (!ok && err->code == ORO_OK)
        oro_fail(err, ORO_E_DOCUMENT, "the document '%s' is not what it should be", source->name);
    oro_replanner_destroy(subject.replanner);
    oro_document_destroy(doc);
    oro_assets_destroy(registry.assets);
    oro_problems_free(&problems);
    return ok;
}

static void write_flat(struct oro_text *text)
{
    begin(text);
    add_chain(text, "  ", NODES);
    oro_text_add(text, "</orograph>\n");
}

/* The same number of nodes, by using one group many times. */
static void write_groups(struct oro_text *text)
{
    begin(text);
    oro_text_addf(text,
                  "  <group name=\"part\">\n    <interface>\n      <in name=\"field\" to=\"s0.a\"/>\n"
                  "      <in name=\"amplitude\" to=\"n0.amplitude\"/>\n"
                  "      <out name=\"field\" from=\"s%d.field\"/>\n    </interface>\n",
                  GROUP_NODES / 2 - 1);
    add_chain(text, "    ", GROUP_NODES);
    oro_text_add(text, "  </group>\n  <node id=\"n0\" type=\"noise\" version=\"1\"/>\n");
    for (int i = 0; i < NODES / GROUP_NODES; i++) {
        oro_text_addf(text,
                      "  <node id=\"s%d\" type=\"graph\" href=\"#part\" version=\"1\">\n    <in "
                      "name=\"seed\" value=\"%d\"/>\n",
                      i, i + 1);
        if (i > 0)
            oro_text_addf(text, "    <in name=\"field\" from=\"s%d.field\"/>\n", i - 1);
        oro_text_add(text, "  </node>\n");
    }
    oro_text_add(text, "</orograph>\n");
}

bool bench_document(struct bench *bench, struct oro_error *err)
{
    struct source flat = {.name = "one graph", .last = "s2499", .edited = {"n0", "n1250", "n2499"}};
    struct source groups = {.name = "groups", .last = "s499", .edited = {"s0", "s250", "s499"}};
    write_flat(&flat.text);
    write_groups(&groups.text);
    bool ok =
        (!flat.text.failed && !groups.text.failed) || oro_fail(err, ORO_E_MEMORY, "no memory for a document");
    ok = ok && measure(bench, &flat, err) && measure(bench, &groups, err);
    oro_text_free(&flat.text);
    oro_text_free(&groups.text);
    return ok;
}
