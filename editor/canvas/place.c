/* Where nodes are, and where new ones go; moves the view to them. */
#include "editor/canvas/canvas.h"
#include "editor/canvas/state.h"

static void size_of(void *user, const char *node, double *width, double *height)
{
    struct ed_session *session = user;
    size_t item = ed_canvas_refresh(session) ? ed_canvas_item(session, node) : ED_NO_INDEX;
    *width = ED_NODE_WIDTH;
    *height = ED_NODE_TITLE + ED_NODE_PICTURE;
    if (item == ED_NO_INDEX)
        return;
    *width = (double)session->canvas->model.items[item].w;
    *height = (double)session->canvas->model.items[item].h;
}

static double socket_of(void *user, const char *node, const char *socket, bool output)
{
    struct ed_session *session = user;
    size_t item = ed_canvas_refresh(session) ? ed_canvas_item(session, node) : ED_NO_INDEX;
    return item == ED_NO_INDEX ? 0.5 : ed_socket_share(&session->canvas->model.items[item], socket, output);
}

struct ed_sizes ed_canvas_sizes(struct ed_session *session)
{
    return (struct ed_sizes){.size = size_of, .socket = socket_of, .user = session};
}

/* Moves a place down until a node there covers no other one. */
static void find_free(struct ed_session *session, double *y, double x)
{
    enum { ROOM = 40, HEIGHT = 160, TRIES = 200 };
    const struct ed_model *model = &session->canvas->model;
    bool moved = ed_canvas_refresh(session);
    for (int i = 0; i < TRIES && moved; i++) {
        moved = false;
        for (size_t k = 0; k < model->count; k++) {
            const struct ed_item *item = &model->items[k];
            bool beside = x + ED_NODE_WIDTH < item->x || x > item->x + (double)item->w;
            if (beside || *y + HEIGHT < item->y || *y > item->y + (double)item->h)
                continue;
            *y = item->y + (double)item->h + ROOM;
            moved = true;
        }
    }
}

static void snap(const struct ed_session *session, double *x, double *y)
{
    if (!session->settings.snap)
        return;
    *x = ed_snapped(*x);
    *y = ed_snapped(*y);
}

void ed_canvas_place(struct ed_session *session, double *x, double *y)
{
    const struct ed_lens *camera = &session->canvas->camera;
    struct ui_vec at = {camera->rect.x + camera->rect.w / 2, camera->rect.y + camera->rect.h / 2};
    bool pointed = ui_inside(camera->rect, ui_mouse());
    ed_lens_from(camera, pointed ? ui_mouse() : at, x, y);
    if (!pointed)
        find_free(session, y, *x);
    snap(session, x, y);
}

void ed_canvas_place_before(struct ed_session *session, const char *node, double *x, double *y)
{
    enum { ROOM = 60 };
    size_t item = node && ed_canvas_refresh(session) ? ed_canvas_item(session, node) : ED_NO_INDEX;
    if (item == ED_NO_INDEX) {
        ed_canvas_place(session, x, y);
        return;
    }
    *x = session->canvas->model.items[item].x - ED_NODE_WIDTH - ROOM;
    *y = session->canvas->model.items[item].y;
    find_free(session, y, *x);
    snap(session, x, y);
}

/* How far a view from `low` to `high` must move to hold what lies from `begin` to `end`. Where not all of it
 * fits, its beginning counts. */
static double way_to(double low, double high, double begin, double end)
{
    if (begin < low || end - begin > high - low)
        return begin - low;
    return end > high ? end - high : 0;
}

void ed_canvas_reveal(struct ed_session *session, const char *node)
{
    struct ed_canvas *canvas = session->canvas;
    size_t index = ed_canvas_refresh(session) ? ed_canvas_item(session, node) : ED_NO_INDEX;
    if (index == ED_NO_INDEX)
        return;
    const struct ed_item *item = &canvas->model.items[index];
    struct ed_area seen = ed_lens_sees(&canvas->camera);
    double room = 20 / canvas->camera.zoom;
    double dx = way_to(seen.x0, seen.x1, item->x - room, item->x + (double)item->w + room);
    double dy = way_to(seen.y0, seen.y1, item->y - room, item->y + (double)item->h + room);
    canvas->camera.x += dx;
    canvas->camera.y += dy;
    canvas->fit = canvas->fit && dx == 0 && dy == 0;
}

void ed_canvas_show(struct ed_session *session, const char *node)
{
    struct ed_canvas *canvas = session->canvas;
    size_t item = ed_canvas_refresh(session) ? ed_canvas_item(session, node) : ED_NO_INDEX;
    if (item == ED_NO_INDEX)
        return;
    ed_select(session, node, false);
    canvas->camera.x = canvas->model.items[item].x + (double)canvas->model.items[item].w / 2;
    canvas->camera.y = canvas->model.items[item].y + (double)canvas->model.items[item].h / 2;
    if (canvas->camera.zoom < 0.6)
        canvas->camera.zoom = 1;
    canvas->fit = false;
}
