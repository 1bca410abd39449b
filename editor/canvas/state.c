#include "editor/canvas/state.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "editor/canvas/canvas.h"

void ed_canvas_idle(struct ed_canvas *canvas)
{
    struct ed_drag *drag = &canvas->drag;
    drag->kind = ED_DRAG_NOTHING;
    drag->at = (struct ed_hit){0};
    drag->onto = drag->taken = drag->to = drag->unfolded = drag->main = ED_NO_INDEX;
    drag->dx = drag->dy = 0;
    drag->path_count = 0;
}

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
        ed_canvas_hang(session);
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

void ed_canvas_hang(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    ed_canvas_idle(canvas);
    canvas->drag.kind = ED_DRAG_HANG;
    if (!ed_canvas_refresh_flags(session))
        return;
    memcpy(canvas->moving, canvas->chosen, canvas->model.count);
    memset(canvas->frame_moves, 0, canvas->model.frame_count);
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

int ed_canvas_detail(const struct ed_canvas *canvas)
{
    double zoom = ed_lens_scale(&canvas->camera);
    return zoom < 0.28 ? 0 : zoom < 0.5 ? 1 : 2;
}

struct ed_seen *ed_canvas_seen(struct ed_session *session, size_t depth)
{
    return depth < ED_SEEN_MAX ? &session->canvas->seen[depth] : NULL;
}
