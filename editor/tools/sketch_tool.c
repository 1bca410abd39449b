#include "editor/tools/sketch_tool.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL_scancode.h>

#include "base/memory.h"
#include "editor/pane/labels.h"
#include "editor/pane/lines.h"
#include "editor/session/world.h"
#include "editor/tools/sketch_private.h"

struct ed_sketch_tool *ed_sketch_create(void)
{
    struct ed_sketch_tool *tool = oro_alloc(1, sizeof *tool);
    if (!tool)
        return NULL;
    tool->mode = ED_SKETCH_DRAW;
    tool->vary = ED_SKETCH_BY_PRESSURE;
    tool->vary_width = true;
    static const float shares[ED_SKETCH_KINDS] = {0.12f, 0.07f, 0.05f, 0.06f, 0.3f, 0.1f};
    memcpy(tool->shares, shares, sizeof shares);
    tool->rate = 0.0005;
    tool->elevation = tool->rise = (double)NAN;
    return tool;
}

void ed_sketch_destroy(struct ed_sketch_tool *tool)
{
    if (!tool)
        return;
    ed_sketch_forget(tool);
    oro_stroke_free(&tool->drawn);
    oro_free(tool->lines);
    oro_free(tool);
}

void ed_sketch_reset(struct ed_sketch_tool *tool)
{
    ed_sketch_forget(tool);
    tool->action = ED_SKETCH_NOTHING;
    tool->elevation = tool->rise = (double)NAN;
}

bool ed_sketch_busy(const struct ed_sketch_tool *tool)
{
    return tool->action != ED_SKETCH_NOTHING;
}

double ed_sketch_extent(const struct ed_session *session)
{
    struct oro_grid grid = ed_world_grid(session);
    return grid.width * grid.cell;
}

double ed_sketch_width(const struct ed_session *session)
{
    const struct ed_sketch_tool *tool = session->views->sketch;
    return (double)tool->shares[tool->kind] * ed_sketch_extent(session);
}

/* ---- The hand ---- */

/* 1 for all of the width and strength. A fast hand presses little. */
static double weight_of(struct ed_sketch_tool *tool, const struct ui_place *at)
{
    float moved = hypotf(at->at.x - tool->last.x, at->at.y - tool->last.y);
    unsigned passed = at->time - tool->last_time;
    if (passed > 0 && passed < 1000)
        tool->pace += (moved / (float)passed - tool->pace) * 0.2f;
    tool->last = at->at;
    tool->last_time = at->time;
    if (tool->vary == ED_SKETCH_BY_SPEED)
        return 1 / (1 + (double)tool->pace * 1.2);
    return tool->vary == ED_SKETCH_BY_PRESSURE ? fmax((double)at->pressure, 0.05) : 1;
}

static void add_sample(struct ed_session *session, struct ed_sketch_tool *tool, const struct ed_pane *pane,
                       const struct ui_place *at)
{
    double x, y, weight = weight_of(tool, at);
    if (!ed_pane_place(pane, at->at, &x, &y))
        return; /* beside the ground */
    if (ed_sketch_form(tool->kind)->single)
        tool->drawn.count = 0;
    const struct oro_stroke_point *last =
        tool->drawn.count ? &tool->drawn.items[tool->drawn.count - 1] : NULL;
    if (last && hypot(x - last->x, y - last->y) < ed_pane_metres_per_pixel(pane))
        return;
    oro_stroke_add(&tool->drawn,
                   (struct oro_stroke_point){x, y, ed_sketch_width(session) * (tool->vary_width ? weight : 1),
                                             tool->vary_strength ? weight : 1});
}

static bool is_near(const struct ed_pane *pane, const struct oro_stroke_point *end, struct ui_vec at)
{
    struct ui_vec pixel;
    return ed_pane_pixel(pane, end->x, end->y, &pixel) &&
           hypotf(pixel.x - at.x, pixel.y - at.y) < 14 * ui_scale();
}

/* The line at whose end the hand is. */
static void find_end(struct ed_sketch_tool *tool, const struct ed_pane *pane, struct ui_vec at)
{
    tool->onto = SIZE_MAX;
    for (size_t i = 0; i < tool->count && tool->onto == SIZE_MAX; i++) {
        const struct oro_stroke *s = &tool->lines[i].samples;
        if (oro_stroke_is_ring(s))
            continue;
        bool head = is_near(pane, &s->items[0], at), tail = is_near(pane, &s->items[s->count - 1], at);
        tool->head = head && !tail;
        if (head || tail)
            tool->onto = i;
    }
}

static void touch(struct ed_session *session, struct ed_sketch_tool *tool, const struct ed_pane *pane,
                  struct ui_vec at)
{
    double x, y, radius = ed_sketch_width(session) / 2;
    if (!ed_pane_place(pane, at, &x, &y))
        return;
    for (size_t i = 0; i < tool->count; i++) {
        struct ed_sketch_line *line = &tool->lines[i];
        bool near = false;
        for (size_t k = 0; k < line->samples.count; k++) {
            bool within = hypot(line->samples.items[k].x - x, line->samples.items[k].y - y) < radius;
            near = near || within;
            line->gone[k] = line->gone[k] || (within && tool->action == ED_SKETCH_ERASE);
        }
        for (int round = 0; near && round < 12 && tool->action == ED_SKETCH_SMOOTH; round++)
            oro_stroke_relax(&line->samples, x, y, radius, 0.5);
        line->touched = line->touched || near;
    }
}

static void move(struct ed_session *session, struct ed_sketch_tool *tool, const struct ed_pane *pane,
                 const struct ui_place *at)
{
    if (tool->action == ED_SKETCH_DRAW)
        add_sample(session, tool, pane, at);
    else
        touch(session, tool, pane, at->at);
}

static enum ed_sketch_action wanted_action(const struct ed_sketch_tool *tool)
{
    enum ed_sketch_action wanted = ui_shift() ? ED_SKETCH_SMOOTH : ui_ctrl() ? ED_SKETCH_ERASE : tool->mode;
    return wanted == ED_SKETCH_SMOOTH && ed_sketch_form(tool->kind)->single ? ED_SKETCH_DRAW : wanted;
}

static void begin(struct ed_session *session, struct ed_sketch_tool *tool, const struct ed_pane *pane)
{
    struct ui_place at = {ui_mouse_pressed_at(0), ui_mouse_pressure(), 0};
    tool->action = wanted_action(tool);
    tool->pane = pane->index;
    tool->drawn.count = 0;
    tool->last = at.at;
    tool->pace = 0;
    find_end(tool, pane, at.at);
    move(session, tool, pane, &at);
}

static void end(struct ed_session *session, struct ed_sketch_tool *tool, struct ed_pane *pane)
{
    enum ed_sketch_action action = tool->action;
    tool->action = ED_SKETCH_NOTHING;
    if (action == ED_SKETCH_DRAW)
        ed_sketch_draw_done(session, pane);
    else
        ed_sketch_change_done(session, pane, action == ED_SKETCH_ERASE ? "erase line" : "smooth line");
    tool->drawn.count = 0;
}

void ed_sketch_tick(struct ed_session *session)
{
    struct ed_sketch_tool *tool = session->views->sketch;
    if (tool->action && session->views->tool != ED_TOOL_SKETCH) {
        tool->action = ED_SKETCH_NOTHING;
        ed_sketch_forget(tool);
    }
}

/* ---- Drawing ---- */

static void draw_samples(const struct ed_pane *pane, struct ui_draw *draw, const struct ed_sketch_line *line,
                         uint32_t colour)
{
    size_t step = 1 + line->samples.count / 160;
    for (size_t i = 0; i + 1 < line->samples.count; i += step) {
        size_t next = i + step < line->samples.count ? i + step : line->samples.count - 1;
        const struct oro_stroke_point *a = &line->samples.items[i], *b = &line->samples.items[next];
        const double from[2] = {a->x, a->y}, to[2] = {b->x, b->y};
        uint32_t own = line->gone[i] || line->gone[next] ? ui_faded(ui_colour(UI_BAD), 0.6f) : colour;
        ed_ground_line(pane, draw, from, to, ui_faded(ui_colour(UI_SHADOW), 0.5f), 4 * ui_scale());
        ed_ground_line(pane, draw, from, to, own, 2 * ui_scale());
    }
}

static void draw_ends(const struct ed_pane *pane, struct ui_draw *draw, const struct ed_sketch_line *line,
                      size_t index)
{
    const struct oro_stroke *s = &line->samples;
    struct ui_vec at;
    for (int k = 0; k < (s->count > 1 ? 2 : 1); k++) {
        const struct oro_stroke_point *p = &s->items[k ? s->count - 1 : 0];
        if (!ed_pane_pixel(pane, p->x, p->y, &at))
            continue;
        bool hot = pane->hovered && is_near(pane, p, ui_mouse());
        ui_circle_fill(draw, at, (hot ? 6.5f : 4.5f) * ui_scale(), ui_colour(UI_SHADOW));
        ui_circle_fill(draw, at, (hot ? 5 : 3) * ui_scale(), ui_colour(hot ? UI_ACCENT : UI_SELECTED));
        if (pane->index == 0 && ed_describing()) {
            char name[200];
            snprintf(name, sizeof name, "line:%zu.%s", index, k ? "end" : "start");
            ed_describe_item(name, at.x - 4, at.y - 4, 8, 8, true);
        }
    }
}

static void draw_hand(struct ed_session *session, const struct ed_sketch_tool *tool,
                      const struct ed_pane *pane, struct ui_draw *draw)
{
    uint32_t colour = ui_colour(tool->kind == ED_SKETCH_RIVER ? UI_ACCENT : UI_WARNING);
    for (size_t i = 1; tool->action == ED_SKETCH_DRAW && i < tool->drawn.count; i++) {
        const struct oro_stroke_point *a = &tool->drawn.items[i - 1], *b = &tool->drawn.items[i];
        const double from[2] = {a->x, a->y}, to[2] = {b->x, b->y};
        ed_ground_line(pane, draw, from, to, colour,
                       (1.5f + 2.5f * (float)(b->width / ed_sketch_width(session))) * ui_scale());
    }
    if (!pane->hovered || !pane->has_place)
        return;
    enum ed_sketch_action action = tool->action ? tool->action : wanted_action(tool);
    double radius = ed_sketch_width(session) / 2;
    uint32_t ring = action == ED_SKETCH_ERASE    ? ui_rgba(255, 150, 120, 230)
                    : action == ED_SKETCH_SMOOTH ? ui_rgba(130, 200, 255, 230)
                                                 : ui_rgba(255, 255, 255, 200);
    ed_ground_ellipse(pane, draw, pane->place, radius, radius, 0, ui_faded(ui_colour(UI_SHADOW), 0.7f), 3.5f);
    ed_ground_ellipse(pane, draw, pane->place, radius, radius, 0, ring, 1.5f);
}

/* A hint on what else the hand can do, since nothing else on the screen shows it. */
static void draw_hint(const struct ed_sketch_tool *tool, const struct ed_pane *pane, struct ui_draw *draw)
{
    bool single = ed_sketch_form(tool->kind)->single;
    const char *hint = single && tool->count ? "Click to ask for a peak, drag one to move it; Ctrl erases"
                       : single              ? "Click to ask for a peak"
                       : tool->count
                           ? "Drag to draw, from a line's end to go on with it; Shift smooths, Ctrl erases"
                           : "Drag to draw";
    ed_chip(draw, (struct ui_vec){pane->rect.x + 8 * ui_scale(), pane->rect.y + 8 * ui_scale()}, hint,
            ui_colour(UI_MUTED));
}

/* [ and ]: width. */
static void keys(struct ed_sketch_tool *tool)
{
    int step = ui_key_repeated(SDL_SCANCODE_RIGHTBRACKET) - ui_key_repeated(SDL_SCANCODE_LEFTBRACKET);
    if (!ui_typing() && step != 0)
        tool->shares[tool->kind] =
            fminf(1, fmaxf(0.004f, tool->shares[tool->kind] * powf(1.2f, (float)step)));
}

static void follow(struct ed_session *session, struct ed_sketch_tool *tool, struct ed_pane *pane)
{
    int count;
    const struct ui_place *path = ui_mouse_path(&count);
    for (int i = 0; i < count; i++)
        move(session, tool, pane, &path[i]);
    if (ui_key_pressed(SDL_SCANCODE_ESCAPE)) {
        tool->action = ED_SKETCH_NOTHING;
        ed_sketch_forget(tool); /* lines that were smoothed or erased are read anew */
    } else if (!ui_mouse_down(0))
        end(session, tool, pane);
    ed_wake(session);
}

bool ed_sketch_use(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw, bool free)
{
    struct ed_sketch_tool *tool = session->views->sketch;
    if (session->views->tool != ED_TOOL_SKETCH || !pane->framed.width)
        return false;
    bool mine = tool->action && tool->pane == pane->index;
    if (!tool->action)
        ed_sketch_list(session, pane);
    if (pane->hovered)
        keys(tool);
    if (free && !tool->action && ui_mouse_pressed(0)) {
        begin(session, tool, pane);
        mine = true;
    }
    if (mine)
        follow(session, tool, pane);
    if (!tool->action)
        ed_sketch_list(session, pane);
    for (size_t i = 0; i < tool->count; i++)
        draw_samples(pane, draw, &tool->lines[i], ui_colour(UI_SELECTED));
    for (size_t i = 0; i < tool->count; i++)
        draw_ends(pane, draw, &tool->lines[i], i);
    draw_hand(session, tool, pane, draw);
    if (free && !tool->action)
        draw_hint(tool, pane, draw);
    ed_describe_state("lines", "%zu", tool->count);
    if (pane->hovered)
        ui_pointer(UI_CROSS);
    return mine || (free && ui_mouse_down(0));
}
