/* How a node's evaluation is shown: a badge in its title, its time, its error. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "editor/canvas/paint.h"

void ed_seconds_text(double seconds, char *out, size_t size)
{
    if (seconds < 0)
        out[0] = '\0';
    else if (seconds < 0.0005)
        snprintf(out, size, "<1 ms");
    else if (seconds < 0.9995)
        snprintf(out, size, "%.0f ms", seconds * 1000);
    else if (seconds < 59.95)
        snprintf(out, size, "%.1f s", seconds);
    else
        snprintf(out, size, "%.0f min %02.0f s", floor(seconds / 60), fmod(seconds, 60));
}

enum { RING = 28 };

/* A part of a circle, from the top, clockwise. */
static void arc(struct ui_draw *draw, struct ui_vec at, float radius, float begin, float share,
                uint32_t colour, float width)
{
    struct ui_vec points[RING + 1];
    for (int i = 0; i <= RING; i++) {
        float angle = 6.2831853f * (begin + share * (float)i / RING);
        points[i] = (struct ui_vec){at.x + radius * sinf(angle), at.y - radius * cosf(angle)};
    }
    ui_polyline(draw, points, RING + 1, colour, width, false);
}

static void paint_running(const struct ed_paint *paint, const struct ed_node_state *state, struct ui_vec at)
{
    float scale = paint->scale, radius = 6 * scale;
    uint32_t white = ui_rgba(255, 255, 255, 255);
    ui_circle_line(paint->draw, at, radius, ui_faded(white, 0.35f), 2.2f * scale);
    if (state->progress >= 0)
        arc(paint->draw, at, radius, 0, fminf(state->progress, 1), white, 2.2f * scale);
    else
        arc(paint->draw, at, radius, (float)fmod(paint->session->now * 0.9, 1), 0.25f, white, 2.2f * scale);
}

static void paint_badge(const struct ed_paint *paint, const struct ed_node_state *state, struct ui_vec at,
                        float alpha)
{
    float scale = paint->scale;
    uint32_t white = ui_rgba(255, 255, 255, 255);
    switch (state->phase) {
    case ED_NODE_WAITING:
        ui_circle_line(paint->draw, at, 4 * scale, ui_faded(white, 0.7f * alpha), 1.5f * scale);
        break;
    case ED_NODE_RUNNING:
        paint_running(paint, state, at);
        break;
    case ED_NODE_DONE:
        ui_circle_fill(paint->draw, at, 4 * scale, ui_faded(ui_colour(UI_GOOD), alpha));
        break;
    case ED_NODE_CACHED:
        ui_circle_fill(paint->draw, at, 4 * scale, ui_faded(ui_colour(UI_GOOD), 0.45f * alpha));
        ui_circle_line(paint->draw, at, 4 * scale, ui_faded(ui_colour(UI_GOOD), alpha), 1.2f * scale);
        break;
    case ED_NODE_FAILED: {
        struct ui_rect mark = {at.x - 8 * scale, at.y - 8 * scale, 16 * scale, 16 * scale};
        ui_circle_fill(paint->draw, at, 7 * scale, ui_colour(UI_BAD));
        ui_draw_text_in(paint->draw, UI_BOLD, 12 * scale, mark, 0.5f, white, "!");
        break;
    }
    default:
        break;
    }
}

/* The result is less than was asked for: two bars where it was stopped, a half disc where it is coarse. */
static void paint_short(const struct ed_paint *paint, enum ed_node_short falls, struct ui_vec at, float alpha)
{
    float scale = paint->scale;
    uint32_t colour = ui_faded(ui_colour(UI_WARNING), alpha);
    if (falls == ED_SHORT_STOPPED) {
        struct ui_rect bar = {at.x - 5 * scale, at.y - 6 * scale, 3.5f * scale, 12 * scale};
        struct ui_rect behind = {at.x - 9 * scale, at.y - 9 * scale, 18 * scale, 18 * scale};
        ui_rect_fill(paint->draw, behind, ui_rgba(14, 14, 16, (unsigned)(190 * alpha)), 4 * scale);
        ui_rect_fill(paint->draw, bar, colour, scale);
        bar.x += 6.5f * scale;
        ui_rect_fill(paint->draw, bar, colour, scale);
    } else {
        ui_circle_line(paint->draw, at, 5 * scale, colour, 1.5f * scale);
        arc(paint->draw, at, 2.5f * scale, 0.5f, 0.5f, colour, 4.5f * scale);
    }
}

static void paint_time(const struct ed_paint *paint, const struct ed_item *item,
                       const struct ed_node_state *state, float alpha)
{
    char text[48];
    bool shown = state->phase == ED_NODE_DONE || state->phase == ED_NODE_CACHED;
    if (!shown || !item->picture || item->collapsed || state->seconds < 0 || paint->detail < 2)
        return;
    ed_seconds_text(state->seconds, text, sizeof text);
    struct ui_rect body = ed_paint_rect(paint, item->x, item->y, (double)item->w - ED_NODE_PAD,
                                        (double)item->h - ED_NODE_PAD / 2.0);
    float scale = paint->scale, size = 11 * scale;
    float width = ui_text_extent(UI_SMALL, size, text, 0).x + 8 * scale;
    struct ui_rect pill = {body.x + body.w - width - 4 * scale, body.y + body.h - 19 * scale, width,
                           15 * scale};
    ui_rect_fill(paint->draw, pill, ui_rgba(14, 14, 16, (unsigned)(180 * alpha)), 4 * scale);
    ui_draw_text_in(paint->draw, UI_SMALL, size, pill, 0.5f, ui_rgba(235, 235, 238, (unsigned)(255 * alpha)),
                    text);
}

/* At most two lines: the tooltip has the whole text. */
static void paint_error(const struct ed_paint *paint, const struct ed_item *item, const char *text)
{
    float scale = paint->scale, size = 11 * scale;
    char some[120];
    struct ui_vec at = ed_lens_to(&paint->canvas->camera, item->x + 2, item->y + (double)item->h + 5);
    if (paint->detail < 2 || !text[0])
        return;
    snprintf(some, sizeof some, "%s", text);
    if (strlen(text) > 62)
        snprintf(some, sizeof some, "%.60s…", text);
    ui_draw_text_wrapped(paint->draw, UI_SMALL, size, at, ui_colour(UI_BAD), some, item->w * scale - 4);
}

void ed_state_of(const struct ed_session *session, const struct ed_item *item, struct ed_node_state *state)
{
    if (session->live)
        ed_live_node(session->live, item->id, state);
    const char *problem =
        state->phase == ED_NODE_UNKNOWN ? ed_problem_of(&session->messages, item->id) : NULL;
    if (!problem)
        return;
    state->phase = ED_NODE_FAILED;
    snprintf(state->text, sizeof state->text, "%.255s", problem);
}

void ed_paint_state(const struct ed_paint *paint, const struct ed_item *item,
                    const struct ed_node_state *state, struct ui_rect title, float alpha)
{
    struct ui_vec at = {title.x + title.w - 34 * paint->scale, title.y + title.h / 2};
    if (!item->output_count)
        at.x += 18 * paint->scale;
    if (state->falls != ED_SHORT_NOT && state->phase != ED_NODE_FAILED && state->phase != ED_NODE_RUNNING)
        paint_short(paint, state->falls, at, alpha);
    else
        paint_badge(paint, state, at, alpha);
    paint_time(paint, item, state, alpha);
    if (state->phase == ED_NODE_FAILED)
        paint_error(paint, item, state->text);
    else if (item->kind == ED_ITEM_BROKEN)
        paint_error(paint, item, "unknown node type");
}
