#include "editor/pane/navigate.h"

#include <math.h>

#include <SDL2/SDL_scancode.h>

static void moved(struct ed_session *session, struct ed_pane *pane)
{
    pane->moved_at = session->now;
}

/* ---- From above ---- */

static void zoom_map(struct ed_pane *pane, double steps)
{
    struct ed_map_camera *camera = &pane->map_camera;
    int width = (int)pane->rect.w, height = (int)pane->rect.h;
    double px = (double)(ui_mouse().x - pane->rect.x), py = (double)(ui_mouse().y - pane->rect.y);
    double x, y, nx, ny;
    ed_map_to_world(camera, width, height, px, py, &x, &y);
    double extent = pane->framed.width * pane->framed.cell;
    camera->metres_per_pixel *= pow(1.2, -steps);
    camera->metres_per_pixel = fmin(fmax(camera->metres_per_pixel, extent * 1e-6), extent * 0.1);
    ed_map_to_world(camera, width, height, px, py, &nx, &ny);
    camera->x += x - nx;
    camera->y += y - ny;
}

static void drag_map(struct ed_pane *pane)
{
    struct ui_vec by = ui_mouse_moved();
    pane->map_camera.x -= (double)by.x * pane->map_camera.metres_per_pixel;
    pane->map_camera.y -= (double)by.y * pane->map_camera.metres_per_pixel;
    ui_pointer(UI_MOVE);
}

/* ---- In depth ---- */

static void zoom_scene(struct ed_pane *pane, double steps)
{
    double at[3];
    bool hit = ed_pane_place(pane, ui_mouse(), &at[0], &at[1]);
    if (hit)
        at[2] =
            (double)(ed_picture_sample(ed_pane_ground(pane), at[0], at[1], 0) * ed_pane_exaggeration(pane));
    ed_camera_zoom(&pane->camera, steps, hit ? at : NULL);
}

/* W, A, S, D, Q and E, faster with Shift; the pace goes with the distance, so that it suits any terrain. */
static bool fly(struct ed_pane *pane)
{
    if (ui_typing())
        return false;
    double pace = pane->camera.distance * 0.6 * (double)ui_delta() * (ui_shift() ? 4 : 1);
    double right = ui_key_down(SDL_SCANCODE_D) - ui_key_down(SDL_SCANCODE_A);
    double forward = ui_key_down(SDL_SCANCODE_W) - ui_key_down(SDL_SCANCODE_S);
    double up = ui_key_down(SDL_SCANCODE_E) - ui_key_down(SDL_SCANCODE_Q);
    if (right == 0 && forward == 0 && up == 0)
        return false;
    ed_camera_fly(&pane->camera, right * pace, up * pace, forward * pace);
    return true;
}

static bool drag_scene(struct ed_pane *pane, int button)
{
    struct ui_vec by = ui_mouse_moved();
    bool moves = by.x != 0 || by.y != 0;
    if (button == 1) {
        if (moves)
            ed_camera_look(&pane->camera, (double)by.x, (double)by.y);
        return fly(pane) || moves;
    }
    if (!moves)
        return false;
    if (button == 2 || ui_shift())
        ed_camera_pan(&pane->camera, (double)by.x, (double)by.y, (int)pane->rect.h);
    else
        ed_camera_orbit(&pane->camera, (double)by.x, (double)by.y);
    return true;
}

/* ---- Both ---- */

/* The left button moves the camera only if no tool uses it, or with Alt. */
static void begin_drag(struct ed_session *session, struct ed_pane *pane, bool taken)
{
    enum ed_tool tool = session->views->tool;
    for (int button = 0; button < 3; button++) {
        if (!ui_mouse_pressed(button))
            continue;
        if (button == 0 && (taken || (tool != ED_TOOL_NONE && !ui_alt())))
            continue;
        if (button == 1 && (taken || !pane->scene || tool == ED_TOOL_MEASURE || tool == ED_TOOL_PROFILE))
            continue;
        pane->drag = 1 + button;
    }
}

void ed_pane_navigate(struct ed_session *session, struct ed_pane *pane, bool area_active, bool taken)
{
    if (!pane->framed.width)
        return;
    if (pane->drag && (!area_active || !ui_mouse_down(pane->drag - 1)))
        pane->drag = 0;
    if (pane->hovered && !pane->drag)
        begin_drag(session, pane, taken);
    if (pane->drag && pane->scene) {
        if (drag_scene(pane, pane->drag - 1))
            moved(session, pane);
        ed_wake(session);
    } else if (pane->drag)
        drag_map(pane);
    if (pane->hovered && ui_wheel() != 0 && !taken) {
        if (pane->scene)
            zoom_scene(pane, (double)ui_wheel());
        else
            zoom_map(pane, (double)ui_wheel());
        moved(session, pane);
    }
    if (pane->hovered && !taken && session->views->tool == ED_TOOL_NONE && ui_mouse_double(0))
        ed_pane_frame(pane);
}
