/* The status line: progress, the last message, figures about the document. */
#include <stdio.h>
#include <string.h>

#include "editor/panels/panels_private.h"
#include "editor/session/panes.h"

enum { SAID_SECONDS = 8 };

/* A line of small text that grows from left to right. */
struct line {
    struct ui_draw *draw;
    float x, y, right, height;
};

static void put(struct line *line, uint32_t colour, const char *text)
{
    struct ui_vec at = {line->x, line->y};
    float left = line->right - line->x;
    if (left > 20)
        line->x += ed_draw_elided(line->draw, UI_SMALL, at, colour, text, left) + 14 * ui_scale();
}

static void put_progress(struct line *line, float share, double now)
{
    float scale = ui_scale(), width = 90 * scale, tall = 5 * scale;
    struct ui_rect bar = {line->x, line->y + (line->height - tall) / 2, width, tall};
    ui_rect_fill(line->draw, bar, ui_colour(UI_BORDER), tall / 2);
    if (share >= 0) {
        bar.w = width * (share > 1 ? 1 : share);
    } else {
        float at = (float)(now * 0.8 - (double)(long)(now * 0.8));
        bar.x += at * width * 0.75f;
        bar.w = width * 0.25f;
    }
    ui_rect_fill(line->draw, bar, ui_colour(UI_ACCENT), tall / 2);
    line->x += width + 10 * scale;
}

/* The share of the steps that is done, including the progress of the running one. */
static float share_of(struct ed_session *session, const struct ed_live_status *status)
{
    struct ed_node_state state;
    ed_live_node(session->live, status->node, &state);
    float part = state.phase == ED_NODE_RUNNING && state.progress > 0 ? state.progress : 0;
    return status->steps > 0 ? ((float)status->step + part) / (float)status->steps : -1;
}

static void put_live(struct ed_session *session, struct line *line, const struct ed_live_status *status)
{
    char text[400], left[40] = "", time[32];
    if (status->opening) {
        put(line, ui_colour(UI_MUTED), "Opening the device…");
    } else if (session->paused) {
        put(line, ui_colour(UI_WARNING), "Paused");
    } else if (status->busy) {
        put_progress(line, share_of(session, status), session->now);
        if (status->seconds_left >= 1)
            snprintf(left, sizeof left, ", %s left",
                     ed_duration_text(status->seconds_left, time, sizeof time));
        snprintf(text, sizeof text, "%s %s %zu of %zu%s   (Esc ends it)", status->draft ? "Draft:" : "",
                 status->node, status->step + 1, status->steps, left);
        if (status->level > 0 && !status->draft)
            snprintf(text, sizeof text, "%d: %s %zu of %zu%s   (Esc ends it)", status->level, status->node,
                     status->step + 1, status->steps, left);
        put(line, ui_colour(UI_TEXT), text + strspn(text, " "));
    } else if (status->problem[0]) {
        put(line, ui_colour(UI_BAD), status->problem);
    } else if (status->stopped) {
        put(line, ui_colour(UI_WARNING),
            ed_text_with_key(session, "Stopped before it was done: resume", "resume"));
    } else if (status->coarse) {
        put(line, ui_colour(UI_MUTED), ed_text_with_key(session, "Coarser than a build: in full", "resume"));
    } else if (status->ready) {
        put(line, ui_colour(UI_MUTED), status->complete ? "Up to date" : "Ready");
    }
}

static void put_build(struct ed_session *session, struct line *line)
{
    struct ed_build_status status;
    char text[240], left[40] = "", time[32];
    if (!session->build)
        return;
    ed_build_status(session->build, &status);
    if (status.phase != ED_BUILD_RUNNING)
        return;
    ed_wake(session);
    put_progress(line, status.progress, session->now);
    if (status.seconds_left >= 0)
        snprintf(left, sizeof left, ", %s left", ed_duration_text(status.seconds_left, time, sizeof time));
    snprintf(text, sizeof text, "Build: %s%s", status.node, left);
    put(line, ui_colour(UI_ACCENT), text);
}

static void put_said(struct ed_session *session, struct line *line)
{
    static const enum ui_colour colours[] = {UI_TEXT, UI_WARNING, UI_BAD};
    struct ed_panels *panels = session->panels;
    const struct ed_message *last = ed_message_at(&session->messages, 0);
    bool shown = last && last->text && session->now < last->at + SAID_SECONDS;
    if (session->messages.serial != panels->said)
        ed_wake(session);
    panels->said = session->messages.serial;
    if (shown)
        put(line, ui_colour(colours[last->kind]), last->text);
    ed_describe_state("said", "%s", shown ? last->text : "");
}

/* ---- Right */

static void put_right(struct line *line, uint32_t colour, const char *text)
{
    float width = ui_text_extent(UI_SMALL, 0, text, 0).x;
    line->right -= width;
    ui_draw_text(line->draw, UI_SMALL, 0, (struct ui_vec){line->right, line->y}, colour, text, NULL);
    line->right -= 16 * ui_scale();
}

static void put_facts(struct ed_session *session, struct line *line, const struct ed_live_status *status,
                      bool hovered)
{
    char text[320], bytes[32], cached[32];
    const struct oro_document *shown = ed_project_shown(session->project);
    const char *trouble = ed_safety_problem(session->safety);
    size_t errors = ed_messages_errors(&session->messages);
    if (hovered) {
        snprintf(text, sizeof text, "%.0f frames/s", (double)ui_frame_rate());
        put_right(line, ui_colour(UI_MUTED), text);
        put_right(line, ui_colour(UI_MUTED), status->device);
    }
    snprintf(text, sizeof text, "%s device, %s cached",
             ed_bytes_text(status->device_bytes, bytes, sizeof bytes),
             ed_bytes_text(status->cache_bytes, cached, sizeof cached));
    put_right(line, ui_colour(UI_MUTED), text);
    size_t count = oro_document_node_count(shown);
    snprintf(text, sizeof text, "%zu %s", count, count == 1 ? "node" : "nodes");
    put_right(line, ui_colour(UI_MUTED), text);
    if (trouble)
        put_right(line, ui_colour(UI_WARNING), "No safety copies");
    else if (ed_project_changed(session->project))
        put_right(line, ui_colour(UI_MUTED), "Not saved");
    if (errors > 0) {
        snprintf(text, sizeof text, "%zu %s", errors, errors == 1 ? "problem" : "problems");
        put_right(line, ui_colour(UI_BAD), text);
    }
}

static void draw_tooltip(struct ed_session *session, const struct ed_live_status *status)
{
    const char *trouble = ed_safety_problem(session->safety);
    ui_tooltip_begin();
    ui_text("%s", status->device[0] ? status->device : "No device yet");
    if (trouble)
        ui_text_coloured(ui_colour(UI_WARNING), "Copies for safety cannot be written: %s", trouble);
    else
        ui_text_coloured(ui_colour(UI_MUTED), "A copy of what is not saved is kept in case of a crash.");
    ui_text_coloured(ui_colour(UI_MUTED), "A click shows or hides the log.");
    ui_tooltip_end();
}

void ed_status_draw(struct ed_session *session, struct ui_rect rect)
{
    struct ed_live_status status;
    ed_live_status(session->live, &status);
    if (ui_panel_begin("##status", rect, UI_NO_PADDING | UI_NO_SCROLL)) {
        ui_name("status");
        bool clicked = ui_area("status", rect.w, rect.h);
        bool hovered = ui_item_hovered();
        float size = ui_font_size(UI_SMALL), pad = 10 * ui_scale();
        struct line line = {ui_draw_here(), rect.x + pad, rect.y + (rect.h - size) / 2, rect.x + rect.w - pad,
                            size};
        if (!ed_start_shown(session))
            put_facts(session, &line, &status, hovered);
        if (session->hint[0])
            put(&line, ui_colour(UI_ACCENT), session->hint);
        ed_describe_state("hint", "%s", session->hint);
        session->hint[0] = '\0';
        put_live(session, &line, &status);
        put_build(session, &line);
        put_said(session, &line);
        if (hovered)
            draw_tooltip(session, &status);
        if (clicked)
            ed_part_toggle(session, ED_PART_LOG);
    }
    ui_panel_end();
    ed_describe_state("short", "%s", status.stopped ? "stopped" : status.coarse ? "coarse" : "");
    ed_describe_state("trouble", "%s", status.problem);
    ed_describe_state("live", "%s", status.busy ? "busy" : status.opening ? "opening" : "idle");
}
