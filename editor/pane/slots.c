#include "editor/pane/slots.h"

#include <stdio.h>
#include <string.h>

#include "editor/live/mask.h"
#include "editor/session/inputs.h"
#include "graph/derived/assets.h"

static bool same(const struct ed_choice *a, const struct ed_choice *b)
{
    return strcmp(a->node, b->node) == 0 && strcmp(a->output, b->output) == 0;
}

static void choose(struct ed_choice *choice, const char *node, const char *output)
{
    snprintf(choice->node, sizeof choice->node, "%s", node);
    snprintf(choice->output, sizeof choice->output, "%s", output);
}

static const struct oro_output *output_of(const struct ed_session *session, const struct ed_choice *choice,
                                          const struct oro_doc_node **node)
{
    const struct oro_document *doc = ed_project_shown(session->project);
    *node = choice->node[0] ? oro_document_find(doc, choice->node) : NULL;
    const struct oro_node_type *type = *node ? ed_type_of(session, *node) : NULL;
    return type ? oro_type_output(type, choice->output) : NULL;
}

bool ed_node_number(const struct ed_session *session, const struct oro_doc_node *node, const char *name,
                    double *value)
{
    const struct oro_node_type *type = ed_type_of(session, node);
    const struct oro_input *input = type ? oro_type_input(type, name) : NULL;
    return input && ed_input_number(session, node, input, value);
}

static bool is_painted_mask(const struct ed_session *session, const struct oro_doc_node *node)
{
    const struct oro_doc_input *file = oro_doc_node_input(node, "file");
    double low, high;
    return ed_node_number(session, node, "low", &low) && ed_node_number(session, node, "high", &high) &&
           ed_is_painted_mask(node->type, file ? file->value : NULL, low, high);
}

/* The kind of an output of a node of the shown graph; ORO_NONE: there is none of that name. `unit` may be
 * NULL. */
static enum oro_type output_type(const struct ed_session *session, const struct ed_choice *choice,
                                 enum oro_unit *unit)
{
    const struct oro_doc_node *node;
    const struct oro_output *output = output_of(session, choice, &node);
    if (unit)
        *unit = output && !is_painted_mask(session, node) ? output->unit : ORO_NO_UNIT;
    if (!output)
        return ORO_NONE;
    struct oro_graph graph = {ed_project_shown(session->project), ed_project_root(session->project)};
    return oro_output_type(ed_project_registry(session->project), &graph, node, output);
}

/* ---- The ground below what is no terrain ---- */

static bool is_terrain(const struct ed_session *session, const struct oro_doc_node *node,
                       const struct oro_output *output)
{
    return output->type == ORO_FIELD && !is_painted_mask(session, node) &&
           (output->role == ORO_ROLE_TERRAIN || output->unit == ORO_METRE);
}

/* A terrain among a node's own outputs. */
static bool own_terrain(const struct ed_session *session, const char *id, struct ed_choice *ground)
{
    const struct oro_doc_node *node = oro_document_find(ed_project_shown(session->project), id);
    const struct oro_node_type *type = node ? ed_type_of(session, node) : NULL;
    const struct oro_output *named = type ? oro_type_output_as(type, ORO_ROLE_TERRAIN) : NULL;
    if (named && !is_terrain(session, node, named))
        named = NULL;
    for (const struct oro_output *o = type ? type->outputs : NULL; !named && o && o->name; o++)
        if (is_terrain(session, node, o))
            named = o;
    if (named)
        choose(ground, id, named->name);
    return named != NULL;
}

/* The nearest terrain upstream, breadth first. */
static bool find_ground(const struct ed_session *session, const char *start, struct ed_choice *ground)
{
    enum { NODES = 256 };
    const struct oro_document *doc = ed_project_shown(session->project);
    const struct oro_doc_node *queue[NODES];
    size_t head = 0, count = 0;
    const struct oro_doc_node *first = oro_document_find(doc, start);
    if (first)
        queue[count++] = first;
    for (; head < count; head++) {
        const struct oro_doc_node *node = queue[head];
        if (own_terrain(session, node->id, ground))
            return true;
        for (size_t i = 0; i < node->input_count && count < NODES; i++) {
            const char *from = node->inputs[i].from_node;
            const struct oro_doc_node *next = from ? oro_document_find(doc, from) : NULL;
            if (next)
                queue[count++] = next;
        }
    }
    return false;
}

/* Kept for each revision, because the search visits many nodes. */
static void resolve_ground(const struct ed_session *session, struct ed_pane *pane)
{
    struct ed_slot *main = &pane->slots[ED_SLOT_MAIN], *ground = &pane->slots[ED_SLOT_GROUND];
    uint64_t revision = ed_project_revision(session->project);
    if (pane->ground_revision == revision && same(&pane->ground_of, &main->want))
        return;
    const struct oro_doc_node *node;
    const struct oro_output *output = output_of(session, &main->want, &node);
    pane->ground_revision = revision;
    pane->ground_of = main->want;
    choose(&ground->want, "", "");
    if (output && !is_terrain(session, node, output) && output->type != ORO_ANY && output->type != ORO_UPLIFT)
        find_ground(session, main->want.node, &ground->want);
}

static void resolve_second(const struct ed_session *session, struct ed_pane *pane)
{
    const struct ed_choice *want = &pane->slots[ED_SLOT_SECOND].want;
    uint64_t revision = ed_project_revision(session->project);
    struct ed_choice ground;
    if (!want->node[0] || (pane->second_revision == revision && same(&pane->second_of, want)))
        return;
    pane->second_revision = revision;
    pane->second_of = *want;
    pane->second_lies = find_ground(session, want->node, &ground);
}

/* ---- Wants ---- */

static const char *first_output(const struct ed_session *session, const char *id)
{
    const struct oro_doc_node *node = oro_document_find(ed_project_shown(session->project), id);
    const struct oro_node_type *type = node ? ed_type_of(session, node) : NULL;
    return type && type->outputs && type->outputs[0].name ? type->outputs[0].name : "";
}

static void resolve_main(const struct ed_session *session, struct ed_pane *pane)
{
    struct ed_slot *slot = &pane->slots[ED_SLOT_MAIN];
    if (pane->pinned)
        slot->want = pane->pin;
    else
        choose(&slot->want, session->viewed, session->viewed_output);
    if (slot->want.node[0] && !slot->want.output[0])
        snprintf(slot->want.output, sizeof slot->want.output, "%s", first_output(session, slot->want.node));
    enum oro_type type = output_type(session, &slot->want, NULL);
    enum oro_unit unit;
    if (type == ORO_NONE)
        choose(&slot->want, "", "");
    output_type(session, &slot->want, &unit);
    bool drainage = !pane->scene && pane->map_look.mode == ED_MAP_DRAINAGE && unit != ORO_SQUARE_METRE;
    slot->derive = drainage && (type == ORO_FIELD || type == ORO_UPLIFT || type == ORO_ANY)
                       ? ED_DERIVE_DRAINAGE
                       : ED_DERIVE_NOTHING;
}

static void resolve_choice(const struct ed_session *session, struct ed_slot *slot,
                           const struct ed_choice *choice, bool on)
{
    if (on && output_type(session, choice, NULL) != ORO_NONE)
        slot->want = *choice;
    else
        choose(&slot->want, "", "");
}

void ed_slots_resolve(const struct ed_session *session, struct ed_pane *pane)
{
    resolve_main(session, pane);
    resolve_ground(session, pane);
    struct ed_slot *slots = pane->slots;
    bool image = pane->scene && pane->scene_look.material == ED_MATERIAL_IMAGE;
    resolve_choice(session, &slots[ED_SLOT_SECOND], &pane->wipe_choice, pane->wipe);
    resolve_second(session, pane);
    slots[ED_SLOT_SECOND].derive = slots[ED_SLOT_MAIN].derive;
    resolve_choice(session, &slots[ED_SLOT_LAYER], &pane->layer_choice, true);
    resolve_choice(session, &slots[ED_SLOT_COLOUR], &pane->colour_choice, image);
    resolve_choice(session, &slots[ED_SLOT_WATER], &pane->water_choice, pane->scene);
}

/* ---- Pictures ---- */

/* The main picture stays until the next one comes; overlays are removed at once. */
static bool stays(enum ed_slot_kind kind)
{
    return kind == ED_SLOT_MAIN || kind == ED_SLOT_GROUND;
}

static void drop_picture(struct ed_slot *slot)
{
    ed_picture_release(slot->picture);
    slot->picture = NULL;
    if (slot->raster)
        ed_raster_show(slot->raster, NULL, 0);
    slot->whole = true;
}

static void update(struct ed_session *session, struct ed_pane *pane, enum ed_slot_kind kind, double seconds)
{
    struct ed_slot *slot = &pane->slots[kind];
    if (!slot->want.node[0]) {
        bool gone = !stays(kind) || kind == ED_SLOT_GROUND || !session->viewed[0];
        if (slot->picture && gone)
            drop_picture(slot);
        return;
    }
    struct ed_want want = {slot->want.node, slot->want.output, slot->derive};
    struct ed_picture *picture = ed_live_picture(session->live, &want);
    if (picture) {
        if (!slot->picture || slot->picture->serial != picture->serial)
            pane->moved_at = session->now; /* a fast picture first */
        ed_picture_release(slot->picture);
        slot->picture = picture;
    }
    if (!slot->raster)
        slot->raster = ed_raster_create();
    bool raster = slot->picture && slot->picture->data;
    slot->whole = !slot->raster || ed_raster_show(slot->raster, raster ? slot->picture : NULL, seconds);
}

void ed_slots_update(struct ed_session *session, struct ed_pane *pane, double seconds)
{
    for (int kind = 0; kind < ED_SLOTS; kind++)
        update(session, pane, (enum ed_slot_kind)kind, seconds / (kind == ED_SLOT_MAIN ? 2 : 8));
}

const struct ed_raster *ed_slot_raster(const struct ed_slot *slot)
{
    return slot->raster && ed_raster_picture(slot->raster) ? slot->raster : NULL;
}
