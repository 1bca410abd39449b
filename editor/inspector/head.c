/* The head of a node: what it is, and the results of its evaluation. */
#include <stdio.h>
#include <string.h>

#include "editor/inspector/fields.h"
#include "editor/session/bindings.h"
#include "editor/ui/prose.h"
#include "graph/derived/assets.h"

/* ---- Name and buttons ---- */

/* The label of a node: its type's, or that of the graph that it is. */
static const char *title_of(const struct oro_doc_node *node, char *out, size_t size)
{
    if (!oro_node_is_graph(node) || !node->href)
        return ed_pretty_name(node->type, out, size);
    return ed_pretty_graph(node->href, out, size);
}

static void act_rename(struct ed_session *session, const struct ed_change *change)
{
    struct oro_error err = {0};
    if (!ed_rename(session->project, change->id, change->text, &err)) {
        ed_refuse(session, change, err.text);
        return;
    }
    ed_unrefuse(session, change->id, "id");
    bool was = ed_selected(session, change->id);
    if (strcmp(session->viewed, change->id) == 0)
        snprintf(session->viewed, sizeof session->viewed, "%s", change->text);
    ed_selection_check(session);
    if (was)
        ed_select(session, change->text, session->selection.count > 0);
    snprintf(session->inspector->inspected, sizeof session->inspector->inspected, "%s", change->text);
}

static void act_mute(struct ed_session *session, const struct ed_change *change)
{
    struct oro_error err = {0};
    struct ed_names names = {0};
    if (ed_names_add(&names, change->id) && !ed_mute(session->project, &names, &err))
        ed_failed(session, &err);
    ed_names_free(&names);
}

static void act_look(struct ed_session *session, const struct ed_change *change)
{
    ed_look_at(session, change->id, NULL);
}

static void draw_buttons(struct ed_session *session, const struct oro_doc_node *node,
                         const struct oro_node_type *type, struct ui_rect all)
{
    float side = ui_widget_height(), x = all.x + all.w - 4 * side;
    ui_cursor_set((struct ui_vec){x, all.y});
    ui_name("look");
    if (ui_icon_button("##look", UI_ICON_EYE, strcmp(session->viewed, node->id) == 0,
                       "Show this node in the views"))
        ed_later(session, &(struct ed_change){.act = act_look, .id = node->id});
    ui_cursor_set((struct ui_vec){x + side, all.y});
    ui_name("mute");
    if (ui_icon_button("##mute", UI_ICON_PAUSE, node->mute,
                       node->mute ? "Muted: takes part again" : "Mute: what comes in goes out unchanged"))
        ed_later(session, &(struct ed_change){.act = act_mute, .id = node->id});
    ui_cursor_set((struct ui_vec){x + 2 * side, all.y});
    ui_name("help");
    if (ui_icon_button("##help", UI_ICON_HELP, false, ed_text_with_key(session, "Help on this node", "help")))
        session->services->help(session, type ? type->id : node->type);
    ui_cursor_set((struct ui_vec){x + 3 * side, all.y});
    if (type)
        ed_presets_draw(session, node, type);
}

static void draw_title(struct ed_session *session, const struct oro_doc_node *node,
                       const struct oro_node_type *type)
{
    struct ui_rect all = ui_content();
    struct ui_draw *draw = ui_draw_here();
    float s = ui_scale(), height = ui_widget_height();
    char title[140];
    struct ui_rect strip = {all.x - 2 * s, all.y + 1 * s, 4 * s, height + ui_widget_height() + 5 * s};
    ui_rect_fill(draw, strip,
                 ed_category_colour(oro_node_is_graph(node) ? "graph"
                                    : type                  ? type->category
                                                            : ""),
                 2 * s);
    title_of(node, title, sizeof title);
    float at_x = all.x + 10 * s, right = all.x + all.w - 4 * height;
    struct ui_rect clip = {at_x, all.y, right - at_x, height};
    ui_clip_push(draw, clip);
    struct ui_vec size = ui_text_extent(UI_LARGE, 0, title, 0);
    ui_draw_text(draw, UI_LARGE, 0, (struct ui_vec){at_x, all.y + (height - size.y) / 2}, ui_colour(UI_TEXT),
                 title, NULL);
    ui_clip_pop(draw);
    draw_buttons(session, node, type, all);
    ui_cursor_set((struct ui_vec){at_x, all.y + height + 4 * s});
    struct ed_text_field id = {.name = "id",
                               .id = node->id,
                               .part = "id",
                               .text = node->id,
                               .commit = act_rename,
                               .width = (all.w - 10 * s) * 0.55f,
                               .mono = true};
    ed_text_draw(session, &id);
    ui_same_line(8 * s);
    ui_align_text();
    ui_text_coloured(ui_colour(UI_MUTED), "%s", type && type->category ? type->category : "");
    ed_refused_draw(session, node->id, "id");
}

/* ---- Description ---- */

static void draw_small(const char *text, uint32_t colour)
{
    struct ui_rect all = ui_content();
    struct ui_vec size = ui_text_extent(UI_SMALL, 0, text, all.w);
    ui_draw_text_wrapped(ui_draw_here(), UI_SMALL, 0, (struct ui_vec){all.x, all.y}, colour, text, all.w);
    ui_dummy(all.w, size.y);
}

/* ---- Results and problems ---- */

static const char *phase_name(const struct ed_node_state *state)
{
    static const char *const names[] = {[ED_NODE_WAITING] = "waiting",
                                        [ED_NODE_RUNNING] = "running",
                                        [ED_NODE_DONE] = "computed",
                                        [ED_NODE_CACHED] = "from the cache",
                                        [ED_NODE_FAILED] = "failed"};
    return state->phase != ED_NODE_UNKNOWN ? names[state->phase] : NULL;
}

static void draw_problem(const char *text)
{
    struct ui_rect all = ui_content();
    float s = ui_scale(), pad = 8 * s, icon = 18 * s;
    struct ui_vec size = ui_text_extent(UI_SMALL, 0, text, all.w - 2 * pad - icon);
    struct ui_rect box = {all.x, all.y, all.w, size.y + 2 * pad};
    struct ui_draw *draw = ui_draw_here();
    ui_rect_fill(draw, box, ui_faded(ui_colour(UI_BAD), 0.15f), 4 * s);
    ui_icon(draw, UI_ICON_WARNING, (struct ui_rect){all.x + 4 * s, all.y + pad - 2 * s, icon, icon},
            ui_colour(UI_BAD));
    ui_draw_text_wrapped(draw, UI_SMALL, 0, (struct ui_vec){all.x + pad + icon, all.y + pad},
                         ui_colour(UI_TEXT), text, all.w - 2 * pad - icon);
    ui_dummy(box.w, box.h);
}

static void draw_results(struct ed_session *session, const struct oro_doc_node *node)
{
    struct ed_node_state state = {.seconds = -1};
    char line[200] = "", part[80];
    size_t used = 0;
    if (session->live)
        ed_live_node(session->live, node->id, &state);
    if (node->mute)
        used += (size_t)snprintf(line + used, sizeof line - used, "muted   ");
    if (state.width > 0)
        used += (size_t)snprintf(line + used, sizeof line - used, "%d × %d   ", state.width, state.height);
    if (state.phase == ED_NODE_RUNNING && state.progress >= 0)
        used += (size_t)snprintf(line + used, sizeof line - used, "running, %d %%   ",
                                 (int)(state.progress * 100));
    else if (phase_name(&state))
        used += (size_t)snprintf(line + used, sizeof line - used, "%s   ", phase_name(&state));
    if (state.seconds >= 0)
        snprintf(line + used, sizeof line - used, state.seconds < 1 ? "%.0f ms" : "%.1f s",
                 state.seconds < 1 ? state.seconds * 1000 : state.seconds);
    snprintf(part, sizeof part, "result:%.64s", node->id);
    ed_describe_state(part, "%s", line);
    if (line[0])
        draw_small(line, ui_colour(UI_MUTED));
    snprintf(part, sizeof part, "said:%.64s", node->id);
    ed_describe_state(part, "%s", state.said);
    if (state.said[0])
        draw_small(state.said, ui_colour(UI_WARNING));
    if (state.phase == ED_NODE_FAILED && state.text[0] && !ed_problem_of(&session->messages, node->id))
        draw_problem(state.text);
}

/* Whether the same text was shown already, as it may come from two places of the document. */
static bool is_repeated(const struct ed_messages *messages, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (strcmp(messages->problems[i].text, messages->problems[index].text) == 0 &&
            strcmp(messages->problems[i].node, messages->problems[index].node) == 0)
            return true;
    return false;
}

/* Whether the problem is about a faulty expression. The input's row already says so, and would move away if a
 * box opened above it. */
static bool is_told_below(const struct ed_session *session, const struct oro_doc_node *node,
                          const char *problem)
{
    char name[128], why[300];
    double value;
    if (sscanf(problem, "input '%127[^']': ", name) != 1)
        return false;
    const struct oro_doc_input *entry = oro_doc_node_input(node, name);
    return entry && entry->expr && !entry->from_node &&
           !ed_expression_value(session, entry->expr, &value, why, sizeof why);
}

/* What the check of the document found about this node. */
static bool draw_problems(struct ed_session *session, const struct oro_doc_node *node)
{
    const struct ed_messages *messages = &session->messages;
    bool any = false;
    for (size_t i = 0; i < messages->problem_count; i++) {
        const struct ed_message *problem = &messages->problems[i];
        if (problem->kind != ED_ERROR || strcmp(problem->node, node->id) != 0 || is_repeated(messages, i))
            continue;
        if (!is_told_below(session, node, problem->text))
            draw_problem(problem->text);
        any = true;
    }
    return any;
}

static void draw_counts(struct ed_session *session)
{
    char line[160];
    if (session->selection.count < 2)
        return;
    snprintf(line, sizeof line, "%zu nodes chosen; with Alt held, changes go to all of this type",
             session->selection.count);
    draw_small(line, ui_colour(UI_ACCENT));
}

void ed_head_draw(struct ed_session *session, const struct oro_doc_node *node,
                  const struct oro_node_type *type)
{
    char text[400];
    draw_title(session, node, type);
    ui_dummy(1, 2 * ui_scale());
    if (type && type->doc) {
        draw_small(ed_summary(type->doc, text, sizeof text), ui_colour(UI_MUTED));
    }
    draw_counts(session);
    draw_results(session, node);
    if (!draw_problems(session, node) && !type)
        draw_problem("There is no such node type in this program, or what it is made of cannot be read.");
    ui_separator();
}
