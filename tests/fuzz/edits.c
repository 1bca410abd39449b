/* Sequences of edits: the bytes choose what is done to a small graph. What is refused changes nothing;
 * undoing all gives the graph as it was, doing it again what it became; saved and loaded, and as a copy, it
 * is the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "graph/document/diff.h"
#include "graph/file/load.h"
#include "graph/reuse/excerpt.h"
#include "graph/reuse/reuse.h"
#include "lua/types/registry.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/kept.h"

enum { EDITS_MAX = 60, NODES_MAX = 40, TEXT = 96 };

static struct oro_registry registry;

static const char start[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
    "<world extent=\"1600\" resolution=\"32\" seed=\"7\"/>\n"
    "<interface><in name=\"height\" to=\"a.amplitude\"/><in name=\"v\" to=\"v\"/><out name=\"terrain\" "
    "from=\"c.terrain\"/></interface>\n"
    "<variable name=\"v\" value=\"3\"/><variable name=\"w\" expr=\"v * 2\"/>\n"
    "<node id=\"a\" type=\"noise\" x=\"0\" y=\"0\"><in name=\"feature\" value=\"800\"/><in "
    "name=\"amplitude\" expr=\"w\"/></node>\n"
    "<node id=\"b\" type=\"graph\" href=\"#g\" x=\"1\" y=\"0\"><in name=\"terrain\" "
    "from=\"a.field\"/></node>\n"
    "<node id=\"c\" type=\"breach\" x=\"2\" y=\"0\"><in name=\"terrain\" from=\"b.terrain\"/></node>\n"
    "<frame title=\"f\" x=\"0\" y=\"0\" width=\"9\" height=\"9\"/>\n"
    "<group name=\"g\"><interface><in name=\"terrain\" to=\"s.terrain\"/><out name=\"terrain\" "
    "from=\"s.terrain\"/></interface>"
    "<node id=\"s\" type=\"terrace\" version=\"1\" x=\"0\" y=\"0\"/></group>\n"
    "</orograph>\n";

/* ---- Arguments ---- */

struct sequence {
    struct oro_document *doc;
    struct fuzz_bytes *bytes;
    char texts[4][TEXT]; /* made up */
    unsigned made;
    int open; /* edits that have begun */
    struct oro_error err;
};

/* One of a list that ends with NULL, or a text that is made up. */
static const char *word(struct sequence *s, const char *const *words)
{
    unsigned count = 0;
    while (words[count])
        count++;
    unsigned choice = fuzz_below(s->bytes, count + 1);
    return choice < count ? words[choice] : fuzz_text(s->bytes, s->texts[s->made++ % 4], TEXT);
}

static const char *id(struct sequence *s)
{
    static const char *const ids[] = {"a", "b", "c", "d", "e", "s", "g", "v", "w", "x1", NULL};
    return word(s, ids);
}

static const struct oro_node_type *any_type(struct sequence *s)
{
    return registry.types[fuzz_below(s->bytes, (unsigned)registry.count)];
}

static const char *type(struct sequence *s)
{
    static const char *const ids[] = {"graph", "lua", "noise", "breach", "terrace", "reroute", NULL};
    return fuzz_chance(s->bytes, 2) ? any_type(s)->id : word(s, ids);
}

static const char *socket(struct sequence *s)
{
    static const char *const names[] = {"terrain", "field", "amplitude", "feature", "mask", "height", NULL};
    const struct oro_node_type *of = fuzz_chance(s->bytes, 4) ? any_type(s) : NULL;
    size_t count = of ? oro_type_input_count(of) : 0;
    return count > 0 ? of->inputs[fuzz_below(s->bytes, (unsigned)count)].name : word(s, names);
}

static char *value(struct sequence *s)
{
    static const char *const values[] = {"",     "0",        "1.50",    "-3e9",  "v * 2", "w + v",
                                         "true", "0 0, 1 1", "#ff0000", "<&\">", NULL};
    return (char *)word(s, values);
}

static const char *href(struct sequence *s)
{
    static const char *const hrefs[] = {"#g", "#h", "#", "x.oro", "../y.oro", NULL};
    return word(s, hrefs);
}

static char *or_null(struct sequence *s, const char *text)
{
    return fuzz_chance(s->bytes, 3) ? NULL : (char *)text;
}

static struct oro_doc_frame frame(struct sequence *s)
{
    return (struct oro_doc_frame){.title = value(s),
                                  .x = fuzz_number(s->bytes),
                                  .y = fuzz_number(s->bytes),
                                  .width = fuzz_number(s->bytes),
                                  .height = fuzz_number(s->bytes)};
}

static struct oro_doc_port port(struct sequence *s)
{
    struct oro_doc_port made = {.is_output = fuzz_chance(s->bytes, 2), .name = (char *)id(s)};
    made.node = fuzz_chance(s->bytes, 4) ? (char *)"" : (char *)id(s);
    made.socket = (char *)socket(s);
    made.texts[fuzz_below(s->bytes, ORO_PORT_TEXTS)] = value(s);
    return made;
}

/* ---- Edits ---- */

/* Reading brings nodes of older versions up to date, so that they would not stay as they are. */
static bool add_node(struct sequence *s)
{
    const char *node = id(s), *of = type(s);
    const struct oro_node_type *known = oro_registry_find(&registry, of);
    return oro_edit_add_node(s->doc, node, of, known ? known->version : 1, fuzz_number(s->bytes),
                             fuzz_number(s->bytes), &s->err);
}

static bool remove_node(struct sequence *s)
{
    return oro_edit_remove_node(s->doc, id(s), &s->err);
}

static bool rename_node(struct sequence *s)
{
    return oro_edit_rename_node(s->doc, id(s), id(s), &s->err);
}

static bool connect_nodes(struct sequence *s)
{
    return oro_edit_connect(s->doc, id(s), socket(s), id(s), socket(s), &s->err);
}

static bool set_value(struct sequence *s)
{
    return oro_edit_set(s->doc, id(s), socket(s), or_null(s, value(s)), &s->err);
}

static bool set_expression(struct sequence *s)
{
    return oro_edit_set_expression(s->doc, id(s), socket(s), value(s), &s->err);
}

static bool set_href(struct sequence *s)
{
    return oro_edit_href(s->doc, id(s), href(s), (int)fuzz_below(s->bytes, 3), &s->err);
}

static bool set_script(struct sequence *s)
{
    return oro_edit_script(s->doc, id(s), value(s), &s->err);
}

static bool move_node(struct sequence *s)
{
    return oro_edit_move(s->doc, id(s), fuzz_number(s->bytes), fuzz_number(s->bytes), &s->err);
}

static bool set_mute(struct sequence *s)
{
    return oro_edit_mute(s->doc, id(s), fuzz_chance(s->bytes, 2), &s->err);
}

static bool set_collapsed(struct sequence *s)
{
    return oro_edit_collapse(s->doc, id(s), fuzz_chance(s->bytes, 2), &s->err);
}

static bool add_frame(struct sequence *s)
{
    struct oro_doc_frame made = frame(s);
    return oro_edit_add_frame(s->doc, &made, &s->err);
}

static bool change_frame(struct sequence *s)
{
    struct oro_doc_frame made = frame(s);
    return oro_edit_frame(s->doc, fuzz_below(s->bytes, 3), &made, &s->err);
}

static bool remove_frame(struct sequence *s)
{
    return oro_edit_remove_frame(s->doc, fuzz_below(s->bytes, 3), &s->err);
}

static bool set_world(struct sequence *s)
{
    struct oro_world world = *oro_document_world(s->doc);
    world.extent = fuzz_number(s->bytes);
    world.resolution = (int)fuzz_below(s->bytes, 300);
    world.seed = (int64_t)fuzz_below(s->bytes, 65536) << fuzz_below(s->bytes, 48);
    if (fuzz_chance(s->bytes, 2))
        world.aspect = fuzz_number(s->bytes);
    if (fuzz_chance(s->bytes, 4)) {
        world.crs = value(s);
        world.west = fuzz_number(s->bytes);
    }
    if (fuzz_chance(s->bytes, 4))
        world.from = or_null(s, id(s));
    return oro_edit_world(s->doc, &world, &s->err);
}

static bool set_about(struct sequence *s)
{
    const struct oro_doc_about about = {
        .title = value(s), .doc = or_null(s, value(s)), .words = or_null(s, value(s))};
    return fuzz_chance(s->bytes, 2) ? oro_edit_title(s->doc, value(s), &s->err)
                                    : oro_edit_about(s->doc, &about, &s->err);
}

static bool set_variable(struct sequence *s)
{
    struct oro_doc_variable made = {.name = (char *)id(s), .label = or_null(s, value(s))};
    *(fuzz_chance(s->bytes, 2) ? &made.expr : &made.value) = value(s);
    return oro_edit_variable(s->doc, &made, &s->err);
}

static bool remove_variable(struct sequence *s)
{
    return oro_edit_remove_variable(s->doc, id(s), &s->err);
}

static bool remove_group(struct sequence *s)
{
    return oro_edit_remove_group(s->doc, id(s), &s->err);
}

static bool copy_group(struct sequence *s)
{
    struct oro_document *body = oro_document_clone(s->doc);
    for (size_t i = oro_document_group_count(body); i-- > 0;)
        oro_edit_remove_group(body, oro_document_group(body, i)->name, &s->err);
    bool ok = oro_edit_group(s->doc, id(s), body, &s->err);
    oro_document_destroy(body);
    return ok;
}

static bool add_port(struct sequence *s)
{
    struct oro_doc_port made = port(s);
    return oro_edit_add_port(s->doc, &made, &s->err);
}

static bool change_port(struct sequence *s)
{
    struct oro_doc_port made = port(s);
    return oro_edit_port(s->doc, fuzz_below(s->bytes, 4), &made, &s->err);
}

static bool remove_port(struct sequence *s)
{
    return fuzz_chance(s->bytes, 2) ? oro_edit_drop_port(s->doc, fuzz_below(s->bytes, 4), &s->err)
                                    : oro_edit_remove_port(s->doc, fuzz_chance(s->bytes, 2), id(s), &s->err);
}

static bool group_nodes(struct sequence *s)
{
    const char *nodes[3];
    size_t count = 1 + fuzz_below(s->bytes, 3);
    for (size_t i = 0; i < count; i++)
        nodes[i] = id(s);
    return oro_reuse_group(s->doc, nodes, count, id(s), &registry, &s->err);
}

static bool flatten_node(struct sequence *s)
{
    return oro_reuse_flatten(s->doc, id(s), &registry, &s->err);
}

static bool extract_group(struct sequence *s)
{
    return oro_reuse_extract(s->doc, id(s), href(s), &s->err);
}

static bool redirect(struct sequence *s)
{
    return oro_reuse_redirect(s->doc, href(s), href(s), (int)fuzz_below(s->bytes, 3), &s->err);
}

/* Some nodes are copied and put in again under other names. */
static bool paste(struct sequence *s)
{
    bool nodes[NODES_MAX] = {false};
    char names[NODES_MAX][16];
    const char *ids[NODES_MAX];
    for (size_t i = 0; i < NODES_MAX; i++) {
        nodes[i] = fuzz_chance(s->bytes, 2);
        snprintf(names[i], sizeof names[i], "p%u_%zu", s->made, i);
        ids[i] = names[i];
    }
    s->made++;
    struct oro_document *excerpt = oro_excerpt_take(s->doc, s->doc, nodes, NULL);
    fuzz_require(excerpt);
    bool ok = oro_edit_begin(s->doc, "Paste", &s->err) &&
              (oro_excerpt_put(s->doc, excerpt, ids, 1, fuzz_number(s->bytes), &s->err)
                   ? oro_edit_end(s->doc, &s->err)
                   : (oro_edit_cancel(s->doc, NULL), false));
    oro_document_destroy(excerpt);
    return ok;
}

static bool begin(struct sequence *s)
{
    s->open++;
    return oro_edit_begin(s->doc, value(s), &s->err);
}

static bool end(struct sequence *s)
{
    if (s->open == 0)
        return true;
    s->open--;
    return oro_edit_end(s->doc, &s->err);
}

static bool cancel(struct sequence *s)
{
    if (s->open == 0)
        return true;
    s->open--;
    return oro_edit_cancel(s->doc, &s->err);
}

static bool undo(struct sequence *s)
{
    return s->open > 0 || !oro_document_can_undo(s->doc, NULL) || oro_document_undo(s->doc, &s->err);
}

static bool redo(struct sequence *s)
{
    return s->open > 0 || !oro_document_can_redo(s->doc, NULL) || oro_document_redo(s->doc, &s->err);
}

static bool join(struct sequence *s)
{
    return s->open > 0 || oro_document_join(s->doc, &s->err);
}

static bool (*const edits[])(struct sequence *s) = {
    add_node,     remove_node,   rename_node, connect_nodes, set_value,     set_expression,
    set_href,     set_script,    move_node,   set_mute,      set_collapsed, add_frame,
    change_frame, remove_frame,  set_world,   set_about,     set_variable,  remove_variable,
    remove_group, copy_group,    add_port,    change_port,   remove_port,   group_nodes,
    flatten_node, extract_group, redirect,    paste,         begin,         end,
    cancel,       undo,          redo,        join,
};
enum { EDITS = sizeof edits / sizeof edits[0] };

/* ---- What must hold ---- */

/* Edits that consist of others may have undone some, so that only the text tells. */
static bool is_composed(bool (*edit)(struct sequence *s))
{
    return edit == group_nodes || edit == flatten_node || edit == extract_group || edit == redirect ||
           edit == paste;
}

static void step(struct sequence *s)
{
    bool (*edit)(struct sequence * s) = edits[fuzz_below(s->bytes, EDITS)];
    char *before = is_composed(edit) ? fuzz_kept(s->doc) : NULL;
    uint64_t revision = oro_document_revision(s->doc);
    s->err = (struct oro_error){0};
    if (!edit(s)) {
        fuzz_require_reason(&s->err);
        if (before)
            fuzz_require_kept(s->doc, before);
        else
            fuzz_require(oro_document_revision(s->doc) == revision);
    }
    oro_free(before);
}

/* Checking must take whatever edits can make. */
static void check(const struct oro_document *doc)
{
    struct oro_problems problems = {0};
    oro_check(doc, &registry, &problems);
    oro_problems_free(&problems);
}

static void check_copy(const struct oro_document *doc, const char *text)
{
    struct oro_arena *arena = oro_arena_create();
    struct oro_differences differences = {0};
    struct oro_document *copy = oro_document_clone(doc);
    fuzz_require(copy && arena);
    fuzz_require_kept(copy, text);
    fuzz_require(oro_document_diff(doc, copy, arena, &differences, NULL) && differences.count == 0);
    oro_document_destroy(copy);
    oro_arena_destroy(arena);
}

static void check_history(struct oro_document *doc, const char *first, const char *last)
{
    int steps = 0;
    for (; oro_document_can_undo(doc, NULL); steps++)
        fuzz_require(oro_document_undo(doc, NULL));
    fuzz_require_kept(doc, first);
    for (; steps > 0; steps--)
        fuzz_require(oro_document_redo(doc, NULL));
    fuzz_require_kept(doc, last);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    struct oro_problems problems = {0};
    if (!registry.types)
        fuzz_require(oro_registry_open(&registry, &oro_builtin_nodes, false, NULL, NULL));
    struct sequence s = {.bytes = &bytes};
    s.doc = oro_document_parse(start, sizeof start - 1, "start.oro", &registry, &problems);
    fuzz_require(s.doc && problems.errors == 0);
    char *first = fuzz_kept(s.doc);
    for (int i = 0; i < EDITS_MAX && bytes.left > 0 && oro_document_node_count(s.doc) < NODES_MAX; i++)
        step(&s);
    while (s.open > 0)
        end(&s);
    char *last = fuzz_kept(s.doc);
    check(s.doc);
    fuzz_require_saved(s.doc, &registry);
    check_copy(s.doc, last);
    check_history(s.doc, first, last);
    oro_document_destroy(s.doc);
    oro_problems_free(&problems);
    oro_free(first);
    oro_free(last);
    return 0;
}
