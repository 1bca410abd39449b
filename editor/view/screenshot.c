/* Screenshots: twice as fine as the pane, drawn over several frames and written by a thread, so that no frame
 * waits. */
#include <pthread.h>
#include <stdatomic.h>

#include "base/memory.h"
#include "editor/session/messages.h"
#include "editor/view/pane.h"

struct ed_shot {
    int pane;
    bool plain;
    char *path;
    struct ed_large large;
    bool writing; /* the thread runs, and owns all that follows */
    pthread_t thread;
    uint8_t *pixels;
    struct oro_error err;
    bool written;
    atomic_bool done;
};

void ed_screenshot_free(struct ed_views *views)
{
    struct ed_shot *shot = views->shot;
    if (!shot)
        return;
    if (shot->writing)
        pthread_join(shot->thread, NULL);
    ed_target_free(&shot->large.target);
    ed_target_free(&shot->large.target_second);
    ed_map_destroy(shot->large.map);
    ed_scene_destroy(shot->large.scene);
    ed_scene_destroy(shot->large.second);
    oro_free(shot->pixels);
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
    shot->plain = views->plain_shots;
    if (pane->scene)
        shot->large.scene = ed_scene_create(err);
    else
        shot->large.map = ed_map_create(err);
    return (shot->large.map || shot->large.scene) &&
           ed_target_size(&shot->large.target, 2 * (int)pane->rect.w, 2 * (int)pane->rect.h, err);
}

static void chosen(struct ed_session *session, const char *path, void *user)
{
    struct oro_error err = {0};
    struct ed_pane *pane = user;
    if (!path)
        return;
    ed_screenshot_free(session->views);
    if (prepare(session->views, pane->index, path, &err))
        return;
    ed_screenshot_free(session->views);
    ed_failed(session, &err);
}

void ed_pane_screenshot(struct ed_session *session, struct ed_pane *pane)
{
    static const char *const extensions[] = {".png", NULL};
    struct ed_file_question question = {.title = "Save a picture of the view",
                                        .save = true,
                                        .name = "view.png",
                                        .extensions = extensions,
                                        .done = chosen,
                                        .user = pane};
    session->services->choose_file(session, &question);
}

/* Networks and directions are part of the picture, as they are in the view. */
static void draw_over(const struct ed_shot *shot, struct ed_pane *pane)
{
    struct ui_draw *draw = ui_picture_begin();
    if (!draw)
        return;
    ui_clip_push(draw, pane->rect);
    ed_lines_draw(pane, draw);
    if (!shot->plain) {
        ed_wipe_draw(pane, draw, false);
        ed_legend_draw(pane, draw);
        ed_scale_draw(pane, draw, pane->rect.y + pane->rect.h);
    }
    ui_clip_pop(draw);
    ui_picture_end(draw, shot->large.target.framebuffer, pane->rect,
                   (float)shot->large.target.width / (float)(int)pane->rect.w);
}

static void *write_pixels(void *user)
{
    struct ed_shot *shot = user;
    const struct ed_target *target = &shot->large.target;
    shot->written = ed_pixels_write(shot->pixels, target->width, target->height, shot->path, &shot->err);
    atomic_store(&shot->done, true);
    return NULL;
}

static void begin_writing(struct ed_session *session, struct ed_shot *shot)
{
    struct oro_error err = {0};
    shot->pixels = ed_target_read(&shot->large.target, &err);
    shot->writing = shot->pixels && pthread_create(&shot->thread, NULL, write_pixels, shot) == 0;
    if (shot->writing)
        return;
    if (shot->pixels)
        oro_fail(&err, ORO_E_MEMORY, "no thread for a screenshot");
    ed_failed(session, &err);
    ed_screenshot_free(session->views);
}

static void finish(struct ed_session *session, const struct ed_shot *shot)
{
    if (!atomic_load(&shot->done))
        return;
    if (shot->written)
        ed_message(&session->messages, ED_NOTICE, NULL, "The view was written to %s", shot->path);
    else
        ed_failed(session, &shot->err);
    ed_screenshot_free(session->views);
}

void ed_screenshot_tick(struct ed_session *session)
{
    struct ed_shot *shot = session->views->shot;
    if (!shot)
        return;
    if (shot->writing) {
        finish(session, shot);
        return;
    }
    struct ed_pane *pane = &session->views->panes[shot->pane];
    if (pane->scene != (shot->large.scene != NULL)) { /* renderers were prepared for the other kind of view */
        ed_message(&session->messages, ED_WARNING, NULL,
                   "The view was changed: no picture of it was written");
        ed_screenshot_free(session->views);
        return;
    }
    if (!ed_pane_render_large(session, pane, &shot->large, 0.02))
        return;
    draw_over(shot, pane);
    begin_writing(session, shot);
}

void ed_screenshot_note(const struct ed_views *views, const struct ed_pane *pane, struct ui_draw *draw)
{
    const struct ed_shot *shot = views->shot;
    if (!shot || shot->pane != pane->index)
        return;
    const char *text = shot->writing ? "Writing the picture\xe2\x80\xa6" : "Drawing the picture\xe2\x80\xa6";
    float x = pane->rect.x + 8 * ui_scale(), y = pane->rect.y + 36 * ui_scale();
    ed_chip(draw, (struct ui_vec){x, y}, text, ui_colour(UI_TEXT));
}

bool ed_screenshot_busy(const struct ed_views *views)
{
    return views->shot != NULL;
}
