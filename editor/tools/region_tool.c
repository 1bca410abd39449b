#include "editor/tools/region_tool.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL_scancode.h>

#include "base/memory.h"
#include "editor/pane/lines.h"
#include "editor/tools/region_private.h"

struct ed_region_tool *ed_region_create(void)
{
    return oro_alloc(1, sizeof(struct ed_region_tool));
}

void ed_region_destroy(struct ed_region_tool *tool)
{
    if (!tool)
        return;
    oro_stroke_free(&tool->region.outline);
    oro_stroke_free(&tool->drawn);
    oro_free(tool);
}

void ed_region_reset(struct ed_region_tool *tool)
{
    tool->selected = tool->copied = false;
    tool->node[0] = '\0';
    tool->action = ED_REGION_NOTHING;
}

bool ed_region_busy(const struct ed_region_tool *tool)
{
    return tool->action != ED_REGION_NOTHING;
}

/* ---- Regions ---- */

/* Even-odd, as the node has it. */
static bool lasso_has(const struct oro_stroke *outline, const double at[2])
{
    bool inside = false;
    for (size_t i = 0, before = outline->count - 1; i < outline->count; before = i++) {
        const struct oro_stroke_point *a = &outline->items[before], *b = &outline->items[i];
        if ((a->y > at[1]) != (b->y > at[1]) && at[0] < a->x + (b->x - a->x) * (at[1] - a->y) / (b->y - a->y))
            inside = !inside;
    }
    return inside;
}

static bool region_has(const struct ed_region *region, const double at[2])
{
    double x = (at[0] - region->from[0]) / region->radius[0],
           y = (at[1] - region->from[1]) / region->radius[1];
    return region->lasso ? lasso_has(&region->outline, at) : x * x + y * y < 1;
}

/* The centroid of what the outline encloses. False: that is nothing. */
static bool find_centroid(const struct oro_stroke *outline, double least, double centre[2])
{
    double area = 0, x = 0, y = 0;
    const struct oro_stroke_point *o = outline->items;
    for (size_t i = 1; i + 1 < outline->count; i++) {
        const struct oro_stroke_point *a = &o[i], *b = &o[i + 1];
        double part = ((a->x - o->x) * (b->y - o->y) - (b->x - o->x) * (a->y - o->y)) / 2;
        area += part;
        x += part * (a->x + b->x - 2 * o->x) / 3;
        y += part * (a->y + b->y - 2 * o->y) / 3;
    }
    if (!(fabs(area) > least))
        return false;
    centre[0] = o->x + x / area;
    centre[1] = o->y + y / area;
    return true;
}

/* The ellipse in the box that was dragged; with Shift, a circle. */
static bool take_ellipse(const struct ed_region_tool *tool, double pixel, struct ed_region *region)
{
    for (int k = 0; k < 2; k++) {
        region->from[k] = (tool->start[k] + tool->now[k]) / 2;
        region->radius[k] = fabs(tool->now[k] - tool->start[k]) / 2;
    }
    if (ui_shift())
        region->radius[0] = region->radius[1] = fmax(region->radius[0], region->radius[1]);
    return fmin(region->radius[0], region->radius[1]) > 3 * pixel;
}

static bool take_lasso(const struct ed_region_tool *tool, double pixel, struct ed_region *region)
{
    return oro_stroke_corners(&tool->drawn, 2 * pixel, 0, &region->outline) && region->outline.count > 2 &&
           find_centroid(&region->outline, 36 * pixel * pixel, region->from);
}

/* ---- The hand ---- */

static void move(struct ed_region_tool *tool, const struct ed_pane *pane, struct ui_vec at)
{
    if (!ed_pane_place(pane, at, &tool->now[0], &tool->now[1]))
        return; /* beside the ground */
    if (tool->action == ED_REGION_SELECT && tool->lasso)
        oro_stroke_add(&tool->drawn, (struct oro_stroke_point){.x = tool->now[0], .y = tool->now[1]});
}

static void begin(struct ed_region_tool *tool, const struct ed_pane *pane)
{
    struct ui_vec at = ui_mouse_pressed_at(0);
    if (!ed_pane_place(pane, at, &tool->start[0], &tool->start[1]))
        return;
    bool inside = tool->selected && region_has(&tool->region, tool->start);
    tool->action = inside ? ED_REGION_MOVE : ED_REGION_SELECT;
    tool->pane = pane->index;
    tool->drawn.count = 0;
    tool->selected = inside;
    move(tool, pane, at);
}

/* A click selects nothing; what was copied can still be pasted then. */
static void select_drawn(struct ed_region_tool *tool, double pixel)
{
    struct ed_region region = {.lasso = tool->lasso};
    tool->selected = tool->lasso ? take_lasso(tool, pixel, &region) : take_ellipse(tool, pixel, &region);
    if (tool->selected) {
        tool->copied = false;
        oro_stroke_free(&tool->region.outline);
        tool->region = region;
    } else
        oro_stroke_free(&region.outline);
}

static void end(struct ed_session *session, struct ed_region_tool *tool, const struct ed_pane *pane)
{
    enum ed_region_action action = tool->action;
    double pixel = ed_pane_metres_per_pixel(pane);
    const double by[2] = {tool->now[0] - tool->start[0], tool->now[1] - tool->start[1]};
    const double to[2] = {tool->region.from[0] + by[0], tool->region.from[1] + by[1]};
    tool->action = ED_REGION_NOTHING;
    if (action == ED_REGION_MOVE && hypot(by[0], by[1]) > 4 * pixel)
        ed_region_move(session, pane, to, ui_ctrl());
    if (action == ED_REGION_SELECT)
        select_drawn(tool, pixel);
}

static void follow(struct ed_session *session, struct ed_region_tool *tool, const struct ed_pane *pane)
{
    int count;
    const struct ui_place *path = ui_mouse_path(&count);
    for (int i = 0; i < count; i++)
        move(tool, pane, path[i].at);
    if (ui_key_pressed(SDL_SCANCODE_ESCAPE) || session->views->tool != ED_TOOL_REGION)
        tool->action = ED_REGION_NOTHING;
    else if (!ui_mouse_down(0))
        end(session, tool, pane);
    ed_wake(session);
}

static void keys(struct ed_session *session, const struct ed_region_tool *tool, const struct ed_pane *pane)
{
    if (ui_typing())
        return;
    if (ui_ctrl() && ui_key_pressed(SDL_SCANCODE_C))
        ed_region_copy(session, pane);
    else if (ui_ctrl() && ui_key_pressed(SDL_SCANCODE_X))
        ed_region_erase(session, pane, true);
    else if (ui_ctrl() && ui_key_pressed(SDL_SCANCODE_V) && pane->has_place)
        ed_region_paste(session, pane, pane->place);
    else if (tool->selected && ui_key_pressed(SDL_SCANCODE_DELETE))
        ed_region_erase(session, pane, false);
}

/* ---- Drawing ---- */

static void draw_piece(const struct ed_pane *pane, struct ui_draw *draw, const struct oro_stroke_point *a,
                       const struct oro_stroke_point *b, const double by[2])
{
    const double from[2] = {a->x + by[0], a->y + by[1]}, to[2] = {b->x + by[0], b->y + by[1]};
    ed_ground_line(pane, draw, from, to, ui_faded(ui_colour(UI_SHADOW), 0.7f), 4 * ui_scale());
    ed_ground_line(pane, draw, from, to, ui_colour(UI_ACCENT), 2 * ui_scale());
}

static void draw_region(const struct ed_pane *pane, struct ui_draw *draw, const struct ed_region *region,
                        const double by[2])
{
    const struct oro_stroke *o = &region->outline;
    const double at[2] = {region->from[0] + by[0], region->from[1] + by[1]};
    const double *r = region->radius;
    if (!region->lasso) {
        ed_ground_ellipse(pane, draw, at, r[0], r[1], 0, ui_faded(ui_colour(UI_SHADOW), 0.7f),
                          4 * ui_scale());
        ed_ground_ellipse(pane, draw, at, r[0], r[1], 0, ui_colour(UI_ACCENT), 2 * ui_scale());
    }
    for (size_t i = 0, before = o->count - 1; region->lasso && i < o->count; before = i++)
        draw_piece(pane, draw, &o->items[before], &o->items[i], by);
}

/* What the hand selects or moves. */
static void draw_hand(const struct ed_region_tool *tool, const struct ed_pane *pane, struct ui_draw *draw)
{
    static const double nowhere[2];
    const double by[2] = {tool->now[0] - tool->start[0], tool->now[1] - tool->start[1]};
    struct ed_region drawn = {.outline = {0}};
    if (tool->action == ED_REGION_MOVE)
        draw_region(pane, draw, &tool->region, by);
    else if (tool->lasso)
        draw_region(pane, draw, &(struct ed_region){.lasso = true, .outline = tool->drawn}, nowhere);
    else if (take_ellipse(tool, ed_pane_metres_per_pixel(pane), &drawn))
        draw_region(pane, draw, &drawn, nowhere);
}

bool ed_region_use(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw, bool free)
{
    static const double nowhere[2];
    struct ed_region_tool *tool = session->views->region;
    if (session->views->tool != ED_TOOL_REGION || !pane->framed.width) {
        tool->action = ED_REGION_NOTHING;
        return false;
    }
    if (pane->hovered && !tool->action)
        keys(session, tool, pane);
    if (free && !tool->action && ui_mouse_pressed(0))
        begin(tool, pane);
    bool mine = tool->action && tool->pane == pane->index;
    if (mine)
        follow(session, tool, pane);
    if (tool->action)
        draw_hand(tool, pane, draw);
    if (tool->selected)
        draw_region(pane, draw, &tool->region, nowhere);
    ed_describe_state("region", "%s", tool->copied ? "copied" : tool->selected ? "selected" : "");
    if (free)
        ui_pointer(tool->selected && pane->has_place && region_has(&tool->region, pane->place) ? UI_MOVE
                                                                                               : UI_CROSS);
    return mine || (free && ui_mouse_down(0));
}
