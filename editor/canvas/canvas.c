/* State from frame to frame, and the order in which things are drawn. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "editor/canvas/state.h"
#include "editor/session/panes.h"

struct ed_canvas *ed_canvas_create(void)
{
    struct ed_canvas *canvas = oro_alloc(1, sizeof *canvas);
    if (!canvas)
        return NULL;
    canvas->fit = true;
    canvas->camera.zoom = canvas->camera.fine = 1;
    canvas->frame_chosen = ED_NO_INDEX;
    canvas->model.bounds = ed_no_area;
    ed_canvas_idle(canvas);
    return canvas;
}

void ed_canvas_destroy(struct ed_canvas *canvas)
{
    if (!canvas)
        return;
    ed_model_free(&canvas->model);
    ed_names_free(&canvas->unfolded);
    ed_thumbnails_free(&canvas->thumbnails);
    oro_free(canvas->chosen);
    oro_free(canvas->moving);
    oro_free(canvas->reach);
    oro_free(canvas->frame_moves);
    oro_free(canvas->lit);
    oro_free(canvas->found.items);
    oro_free(canvas->visible);
    oro_free(canvas);
}

void ed_canvas_reset(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    ed_model_free(&canvas->model);
    ed_names_clear(&canvas->unfolded);
    ed_thumbnails_forget(&canvas->thumbnails);
    ed_canvas_idle(canvas);
    canvas->built = false;
    canvas->fit = true;
    canvas->camera_count = canvas->visible_count = 0;
    canvas->frame_chosen = ED_NO_INDEX;
    canvas->edit.open = canvas->found.open = false;
    canvas->context.kind = ED_HIT_NOTHING;
    canvas->hover = (struct ed_hit){0};
}

/* ---- The model ---- */

static void place_of(const struct ed_project *project, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < ed_project_depth(project) && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s/", ed_project_entered(project, i));
}

/* Each graph is shown again with the view in which it was left. */
static void keep_camera(struct ed_canvas *canvas)
{
    size_t i = 0;
    while (i < canvas->camera_count && strcmp(canvas->cameras[i].place, canvas->place) != 0)
        i++;
    if (i == ED_CAMERAS_MAX)
        i = 0;
    struct ed_place_camera *kept = &canvas->cameras[i];
    snprintf(kept->place, sizeof kept->place, "%s", canvas->place);
    kept->x = canvas->camera.x;
    kept->y = canvas->camera.y;
    kept->zoom = canvas->camera.zoom;
    canvas->camera_count += i == canvas->camera_count;
}

static void bring_camera(struct ed_canvas *canvas)
{
    canvas->fit = true;
    for (size_t i = 0; i < canvas->camera_count; i++)
        if (!strcmp(canvas->cameras[i].place, canvas->place)) {
            canvas->camera.x = canvas->cameras[i].x;
            canvas->camera.y = canvas->cameras[i].y;
            canvas->camera.zoom = canvas->cameras[i].zoom;
            canvas->fit = false;
        }
}

static void go(struct ed_canvas *canvas, const char *place)
{
    if (canvas->built && !canvas->fit)
        keep_camera(canvas);
    snprintf(canvas->place, sizeof canvas->place, "%s", place);
    if (canvas->built)
        bring_camera(canvas);
    ed_names_clear(&canvas->unfolded);
    ed_thumbnails_forget(&canvas->thumbnails);
    canvas->edit.open = canvas->found.open = false;
}

static bool grow_flags(struct ed_canvas *canvas)
{
    size_t items = canvas->model.count, frames = canvas->model.frame_count;
    if (items > canvas->flags_capacity) {
        unsigned char **all[] = {&canvas->chosen, &canvas->moving, &canvas->reach};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            unsigned char *grown = oro_resize(*all[i], items, 1);
            if (!grown)
                return false;
            *all[i] = grown;
        }
        canvas->flags_capacity = items;
    }
    return oro_reserve((void **)&canvas->frame_moves, &canvas->frame_capacity, frames + 1, 1) &&
           oro_reserve((void **)&canvas->lit, &canvas->wire_capacity, canvas->model.wire_count + 1, 1) &&
           oro_reserve((void **)&canvas->visible, &canvas->visible_capacity, items + 1,
                       sizeof *canvas->visible);
}

static bool build(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    struct ed_model_source source = {.doc = ed_project_shown(session->project),
                                     .root = ed_project_root(session->project),
                                     .registry = &session->registry,
                                     .unfolded = &canvas->unfolded};
    canvas->visible_count = 0;
    canvas->hover = (struct ed_hit){0};
    ed_canvas_idle(canvas); /* what the drag is about may be gone */
    canvas->built = ed_model_build(&canvas->model, &source) && grow_flags(canvas);
    if (!canvas->built)
        ed_model_free(&canvas->model);
    else
        memset(canvas->lit, 0, canvas->model.wire_count);
    canvas->revision = ed_project_revision(session->project);
    if (canvas->frame_chosen >= canvas->model.frame_count)
        canvas->frame_chosen = ED_NO_INDEX;
    return canvas->built;
}

void ed_canvas_here(struct ed_session *session)
{
    place_of(session->project, session->canvas->place, sizeof session->canvas->place);
}

bool ed_canvas_refresh(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    char place[sizeof canvas->place];
    place_of(session->project, place, sizeof place);
    bool same_place = !strcmp(place, canvas->place);
    if (canvas->built && same_place && canvas->revision == ed_project_revision(session->project))
        return true;
    bool hangs = canvas->drag.kind == ED_DRAG_HANG && same_place;
    if (!same_place)
        go(canvas, place);
    bool ok = build(session);
    if (ok && hangs)
        ed_move_begin(session, ED_DRAG_HANG);
    return ok;
}

bool ed_canvas_refresh_flags(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    if (!ed_canvas_refresh(session))
        return false;
    if (canvas->model.count > 0)
        memset(canvas->chosen, 0, canvas->model.count);
    for (size_t i = 0; i < session->selection.count; i++) {
        size_t item = ed_canvas_item(session, session->selection.items[i]);
        if (item != ED_NO_INDEX)
            canvas->chosen[item] = 1;
    }
    return true;
}

const struct oro_doc_node *ed_canvas_node(const struct ed_session *session, size_t item)
{
    if (item >= session->canvas->model.count)
        return NULL;
    return oro_document_find(ed_project_shown(session->project), session->canvas->model.items[item].id);
}

size_t ed_canvas_item(const struct ed_session *session, const char *id)
{
    size_t item = oro_document_find_index(ed_project_shown(session->project), id);
    return item < session->canvas->model.count ? item : ED_NO_INDEX;
}

void ed_canvas_fit(struct ed_session *session, const struct ed_area *box)
{
    struct ed_lens *camera = &session->canvas->camera;
    struct ui_rect all = camera->rect;
    float above = ed_project_depth(session->project) > 0 ? 32 * ui_scale() : 0; /* room for the breadcrumbs */
    if (box->x1 < box->x0 || all.h < 4 * above)
        above = 0;
    camera->rect.h -= above;
    ed_lens_fit(camera, box);
    camera->rect = all;
    camera->y -= (double)(above / 2) / ed_lens_scale(camera);
}

/* ---- Drawing ---- */

int ed_canvas_detail(const struct ed_canvas *canvas)
{
    double zoom = ed_lens_scale(&canvas->camera);
    return zoom < 0.28 ? 0 : zoom < 0.5 ? 1 : 2;
}

static void see(struct ed_canvas *canvas, size_t index, const struct ed_area *sees)
{
    const struct ed_item *item = &canvas->model.items[index];
    struct ed_area box = ed_item_box(item);
    box.y1 += 40; /* an error's text is below the node */
    if (ed_areas_meet(&box, sees))
        canvas->visible[canvas->visible_count++] = item->id;
}

/* Chosen nodes are drawn last: they lie over the others. */
static void paint_items(const struct ed_paint *paint)
{
    struct ed_canvas *canvas = paint->canvas;
    for (int chosen = 0; chosen < 2; chosen++)
        for (size_t i = 0; i < canvas->model.count; i++) {
            size_t before = canvas->visible_count;
            if (canvas->chosen[i] == chosen)
                see(canvas, i, &paint->sees);
            if (canvas->visible_count != before)
                ed_paint_item(paint, i);
        }
}

static void paint_hint(const struct ed_paint *paint)
{
    const char *text = "Tab, Space or right click: add a node";
    const struct ui_rect *rect = &paint->canvas->camera.rect;
    if (paint->canvas->model.count || paint->canvas->model.frame_count)
        return;
    struct ui_rect line = {rect->x, rect->y + rect->h * 0.5f - 20, rect->w, 40};
    ui_draw_text_in(paint->draw, UI_LARGE, 0, line, 0.5f, ui_faded(ui_colour(UI_MUTED), 0.7f), text);
}

static void paint(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    struct ed_paint paint = {.session = session,
                             .canvas = canvas,
                             .draw = ui_draw_here(),
                             .scale = (float)ed_lens_scale(&canvas->camera),
                             .detail = ed_canvas_detail(canvas),
                             .sees = ed_lens_sees(&canvas->camera)};
    canvas->visible_count = 0;
    ed_thumbnails_frame(&canvas->thumbnails);
    ui_clip_push(paint.draw, canvas->camera.rect);
    ed_paint_background(&paint);
    ed_paint_wires(&paint);
    paint_items(&paint);
    ed_paint_comparison(&paint);
    ed_paint_drags(&paint);
    paint_hint(&paint);
    ui_clip_pop(paint.draw);
}

static void draw_inside(struct ed_session *session, struct ui_rect rect)
{
    struct ed_canvas *canvas = session->canvas;
    canvas->camera.rect = rect;
    canvas->camera.fine = ui_scale();
    if (canvas->fit && rect.w > 1 && rect.h > 1) {
        ed_canvas_fit(session, &canvas->model.bounds);
        canvas->fit = false;
    }
    ui_cursor_set((struct ui_vec){rect.x, rect.y});
    ui_name("canvas");
    ui_area("canvas", rect.w, rect.h);
    canvas->hovered = ui_item_hovered() && ui_inside(rect, ui_mouse());
    if (canvas->found.open && ui_inside(canvas->found.rect, ui_mouse()))
        canvas->hovered = false;
    canvas->hovered &= !ui_inside(canvas->crumbs, ui_mouse());
    ed_canvas_input(session);
    ed_drop_update(session);
    if (!ed_canvas_refresh_flags(session))
        return;
    paint(session);
    ed_minimap_draw(session);
    ed_crumbs_draw(session);
    ed_found_draw(session);
    ed_text_edit_draw(session);
    ed_canvas_menu_draw(session);
    ed_tips_draw(session);
}

void ed_canvas_draw(struct ed_session *session, struct ui_rect rect)
{
    if (!ed_canvas_refresh_flags(session))
        return;
    if (ui_panel_begin("canvas", rect, UI_NO_PADDING | UI_NO_SCROLL))
        draw_inside(session, rect);
    else
        session->canvas->hovered = false;
    ui_panel_end();
    ed_canvas_describe(session);
}

/* ---- Questions ---- */

bool ed_canvas_hovered(const struct ed_session *session)
{
    if (session->keys_in)
        return session->keys_in == ED_PART_GRAPH;
    return session->canvas->hovered && ed_part_shown(session, ED_PART_GRAPH);
}

size_t ed_canvas_visible(const struct ed_session *session, const char *const **nodes)
{
    *nodes = session->canvas->visible;
    return session->canvas->visible_count;
}

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
