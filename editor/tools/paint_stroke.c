/* Strokes of the brush: from the mouse to the layer. */
#include <math.h>

#include <SDL2/SDL_scancode.h>

#include "editor/pane/lines.h"
#include "editor/tools/paint_private.h"

static void begin(struct ed_session *session, struct ed_paint_tool *tool, struct ed_pane *pane)
{
    struct oro_error err;
    struct ed_layer *layer = ed_paint_layer_again(session); /* another program may have changed the file */
    struct ed_brush brush = tool->brush;
    if (!layer)
        return;
    brush.radius = (double)tool->share * ed_paint_extent(session);
    brush.mode = ed_brush_mode_with(brush.mode, ui_shift(), ui_ctrl());
    if (!ed_stroke_begin(&tool->stroke, &brush, &layer->raster)) {
        oro_fail(&err, ORO_E_MEMORY, "not enough memory to paint");
        ed_failed(session, &err);
        return;
    }
    tool->painting = true;
    tool->pane = pane->index;
}

void ed_paint_end_stroke(struct ed_session *session)
{
    struct ed_paint_tool *tool = session->views->paint;
    struct oro_error err = {0};
    tool->painting = false;
    if (tool->stroke.changed.width &&
        !ed_layer_did(tool->layers, tool->layer, &tool->stroke, ed_paint_extent(session), &err))
        ed_failed(session, &err);
    ed_stroke_free(&tool->stroke);
    tool->revision = ed_project_revision(session->project);
}

static void cancel(struct ed_session *session, struct ed_paint_tool *tool)
{
    ed_stroke_cancel(&tool->stroke, &tool->layer->raster);
    ed_paint_end_stroke(session);
    ed_layer_restored(tool->layers, tool->layer);
}

static bool place_of(void *user, double x, double y, double place[2])
{
    return ed_pane_place(user, (struct ui_vec){(float)x, (float)y}, &place[0], &place[1]);
}

static void hand_to(struct ed_paint_tool *tool, const struct ed_pane *pane, struct ui_vec at)
{
    const double hand[2] = {(double)at.x, (double)at.y};
    struct ed_canvas_raster *raster = &tool->layer->raster;
    double place[2];
    if (pane->scene)
        ed_stroke_over(&tool->stroke, raster, &(struct ed_view_of_ground){place_of, (void *)pane}, hand);
    else if (ed_pane_place(pane, at, &place[0], &place[1]))
        ed_stroke_to(&tool->stroke, raster, place[0], place[1]);
    else
        ed_stroke_lift(&tool->stroke);
    if (tool->stroke.fresh.width)
        ed_paint_stroked(tool);
}

/* [ and ]: size; with Shift: strength. */
static void keys(struct ed_paint_tool *tool)
{
    int step = ui_key_repeated(SDL_SCANCODE_RIGHTBRACKET) - ui_key_repeated(SDL_SCANCODE_LEFTBRACKET);
    if (ui_typing() || step == 0)
        return;
    if (ui_shift())
        tool->brush.strength = fminf(1, fmaxf(0.05f, tool->brush.strength + 0.05f * (float)step));
    else
        tool->share = fminf(0.5f, fmaxf(0.002f, tool->share * powf(1.2f, (float)step)));
}

/* The colour of the brush's ring, by the mode that a stroke has or would have. */
static uint32_t mode_colour(const struct ed_paint_tool *tool)
{
    enum ed_brush_mode mode = tool->painting ? tool->stroke.brush.mode
                                             : ed_brush_mode_with(tool->brush.mode, ui_shift(), ui_ctrl());
    if (mode == ED_BRUSH_ERASE || mode == ED_BRUSH_LOWER)
        return ui_rgba(255, 150, 120, 230);
    return mode == ED_BRUSH_SMOOTH ? ui_rgba(130, 200, 255, 230) : ui_rgba(255, 255, 255, 230);
}

static void draw_ring(struct ed_session *session, const struct ed_paint_tool *tool,
                      const struct ed_pane *pane, struct ui_draw *draw)
{
    double radius = (double)tool->share * ed_paint_extent(session);
    double inner = radius * (1 - 0.5 * (double)tool->brush.falloff);
    uint32_t colour = mode_colour(tool);
    if (!pane->hovered || !pane->has_place)
        return;
    ed_ground_ellipse(pane, draw, pane->place, radius, radius, 0, ui_faded(ui_colour(UI_SHADOW), 0.8f), 3.5f);
    ed_ground_ellipse(pane, draw, pane->place, radius, radius, 0, colour, 1.5f);
    ed_ground_ellipse(pane, draw, pane->place, inner, inner, 0, ui_faded(colour, 0.48f), 1);
}

bool ed_paint_stroke(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw, bool free)
{
    struct ed_paint_tool *tool = session->views->paint;
    bool first = free && !tool->painting && ui_mouse_pressed(0);
    if (pane->hovered)
        keys(tool);
    if (first)
        begin(session, tool, pane);
    bool mine = tool->painting && tool->pane == pane->index;
    if (mine) {
        /* The stroke follows all places of the pointer, not only those at which frames found it. */
        int count;
        const struct ui_place *path = ui_mouse_path(&count);
        if (first)
            hand_to(tool, pane, ui_mouse_pressed_at(0));
        for (int i = 0; i < count; i++)
            hand_to(tool, pane, path[i].at);
        if (ui_key_pressed(SDL_SCANCODE_ESCAPE))
            cancel(session, tool);
        else if (!ui_mouse_down(0))
            ed_paint_end_stroke(session);
        ed_wake(session);
    }
    draw_ring(session, tool, pane, draw);
    return mine || (free && ui_mouse_down(0));
}
