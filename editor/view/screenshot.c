/* Screenshots: twice as fine as the pane, drawn over several frames so that none waits. */
#include "base/memory.h"
#include "editor/app/messages.h"
#include "editor/panels/panels.h"
#include "editor/view/pane.h"

struct ed_shot {
    int pane;
    char *path; /* NULL: it is not known yet */
    struct ed_target target;
    struct ed_map *map;
    struct ed_scene *scene;
};

void ed_screenshot_free(struct ed_views *views)
{
    struct ed_shot *shot = views->shot;
    if (!shot)
        return;
    ed_target_free(&shot->target);
    if (shot->map)
        ed_map_destroy(shot->map);
    if (shot->scene)
        ed_scene_destroy(shot->scene);
    oro_free(shot->path);
    oro_free(shot);
    views->shot = NULL;
}

static bool prepare(struct ed_views *views, int index, const char *path, struct oro_error *err)
{
    const struct ed_pane *pane = &views->panes[index];
    struct ed_shot *shot = views->shot = oro_alloc(1, sizeof *shot);
    if (!shot || !(shot->path = oro_copy_text(path)))
        return oro_fail(err, ORO_E_MEMORY, "not enough memory for a screenshot");
    shot->pane = index;
    if (pane->scene)
        shot->scene = ed_scene_create(err);
    else
        shot->map = ed_map_create(err);
    return (shot->map || shot->scene) &&
           ed_target_size(&shot->target, 2 * (int)pane->rect.w, 2 * (int)pane->rect.h, err);
}

static void chosen(struct ed_app *app, const char *path, void *user)
{
    struct oro_error err = {0};
    struct ed_pane *pane = user;
    if (!path)
        return;
    ed_screenshot_free(app->views);
    if (prepare(app->views, pane->index, path, &err))
        return;
    ed_screenshot_free(app->views);
    ed_failed(app, &err);
}

void ed_pane_screenshot(struct ed_app *app, struct ed_pane *pane)
{
    static const char *const extensions[] = {".png", NULL};
    struct ed_file_question question = {.title = "Save a picture of the view",
                                        .save = true,
                                        .name = "view.png",
                                        .extensions = extensions,
                                        .done = chosen,
                                        .user = pane};
    ed_choose_file(app, &question);
}

void ed_screenshot_tick(struct ed_app *app)
{
    struct ed_shot *shot = app->views->shot;
    struct oro_error err = {0};
    if (!shot)
        return;
    struct ed_pane *pane = &app->views->panes[shot->pane];
    if (pane->scene != (shot->scene != NULL)) { /* what was prepared is of the other kind */
        ed_message(&app->messages, ED_WARNING, NULL, "The view was changed: no picture of it was written");
        ed_screenshot_free(app->views);
        return;
    }
    if (!ed_pane_render_large(app, pane, shot->map, shot->scene, &shot->target, 0.02))
        return;
    if (ed_target_write(&shot->target, shot->path, &err))
        ed_message(&app->messages, ED_NOTICE, NULL, "The view was written to %s", shot->path);
    else
        ed_failed(app, &err);
    ed_screenshot_free(app->views);
}

bool ed_screenshot_busy(const struct ed_views *views)
{
    return views->shot != NULL;
}
