/* Pictures of a view, of any size, and films around it: drawn in tiles over many frames and written by a
 * thread, so that no frame waits. What is drawn is the view as it was when the picture was asked for. */
#include "editor/view/screenshot.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "editor/pane/labels.h"
#include "editor/pane/lines.h"
#include "editor/session/messages.h"
#include "editor/view/film.h"
#include "editor/view/legend.h"
#include "editor/view/readout.h"
#include "editor/view/render.h"
#include "editor/view/wipe.h"
#include "formats/format.h"

/* Pixels of a tile a side; rays for each pixel. */
enum { TILE = 1024, SAMPLES = 8, FILM_SAMPLES = 4, PER_SECOND = 30 };

struct ed_shot {
    struct ed_picture_wish wish;
    char *path;          /* of the picture, or the film's folder */
    struct ed_pane view; /* as it was; what it shows is looked up in the pane */
    struct ed_large large;
    uint64_t shown; /* which picture has been drawn so far */
    int tile, frame;
    uint8_t *pixels; /* RGB, of the whole */
    bool writing;    /* the thread runs, and owns all that follows */
    bool encoding;   /* it makes the video */
    pthread_t thread;
    struct oro_error err;
    bool written;
    atomic_bool done, stop;
};

void ed_screenshot_free(struct ed_views *views)
{
    struct ed_shot *shot = views->shot;
    if (!shot)
        return;
    atomic_store(&shot->stop, true);
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

/* ---- Sizes */

void ed_picture_size(const struct ed_picture_wish *wish, const struct ed_pane *pane, int *width, int *height)
{
    const struct ed_picture_preset *preset = ed_picture_preset(wish->preset);
    int times = preset ? preset->times : 1;
    *width = times ? times * (int)pane->rect.w : preset->width ? preset->width : wish->width;
    *height = times ? times * (int)pane->rect.h : preset->height ? preset->height : wish->height;
    *width = *width < 1 ? 1 : *width > ED_PICTURE_MAX ? ED_PICTURE_MAX : *width;
    *height = *height < 1 ? 1 : *height > ED_PICTURE_MAX ? ED_PICTURE_MAX : *height;
}

const struct ed_picture_preset *ed_picture_preset(int preset)
{
    static const struct ed_picture_preset presets[] = {
        {"As in the view", 1, 0, 0}, {"Twice the view", 2, 0, 0}, {"1080p", 0, 1920, 1080},
        {"4K", 0, 3840, 2160},       {"8K", 0, 7680, 4320},       {"Square", 0, 2048, 2048},
        {"Own size", 0, 0, 0},
    };
    return preset >= 0 && (size_t)preset < sizeof presets / sizeof presets[0] ? &presets[preset] : NULL;
}

/* Tiles in rows, from the upper left. */
static struct ed_part part_of(const struct ed_shot *shot, int *width, int *height)
{
    int across = (shot->wish.width + TILE - 1) / TILE;
    struct ed_part part = {shot->tile % across * TILE, shot->tile / across * TILE, shot->wish.width,
                           shot->wish.height};
    *width = part.width - part.x < TILE ? part.width - part.x : TILE;
    *height = part.height - part.y < TILE ? part.height - part.y : TILE;
    return part;
}

static int tile_count(const struct ed_shot *shot)
{
    return ((shot->wish.width + TILE - 1) / TILE) * ((shot->wish.height + TILE - 1) / TILE);
}

/* Pixels of the picture for one of the view. All that the view shows is in the picture; where that has
 * another shape, it shows more on two sides. */
static float scale_of(const struct ed_shot *shot)
{
    return fminf((float)shot->wish.width / shot->view.rect.w, (float)shot->wish.height / shot->view.rect.h);
}

/* The view as it was, in the picture's shape, with what its pane shows now. */
static struct ed_pane view_now(const struct ed_shot *shot, const struct ed_pane *pane)
{
    const double half = 3.14159265358979323846 / 360;
    struct ed_pane view = shot->view;
    float scale = scale_of(shot);
    memcpy(view.slots, pane->slots, sizeof view.slots);
    view.rect = (struct ui_rect){0, 0, (float)shot->wish.width / scale, (float)shot->wish.height / scale};
    double angle = view.camera.field_of_view > 0 ? view.camera.field_of_view : 40;
    view.camera.field_of_view =
        atan(tan(angle * half) * (double)view.rect.h / (double)shot->view.rect.h) / half;
    if (shot->wish.film)
        view.camera.azimuth += 360.0 * shot->frame / shot->wish.frames;
    return view;
}

/* ---- Beginning */

static bool prepare(struct ed_session *session, struct ed_pane *pane, const char *path, struct oro_error *err)
{
    struct ed_views *views = session->views;
    struct ed_shot *shot = views->shot = oro_alloc(1, sizeof *shot);
    if (!shot || !(shot->path = oro_copy_text(path)))
        return oro_fail(err, ORO_E_MEMORY, "not enough memory for a picture");
    shot->wish = views->wish;
    shot->wish.film = shot->wish.film && pane->scene;
    ed_picture_size(&views->wish, pane, &shot->wish.width, &shot->wish.height);
    shot->view = *pane;
    size_t pixels = (size_t)shot->wish.width * (size_t)shot->wish.height;
    shot->pixels = oro_alloc(pixels, 3);
    if (!shot->pixels)
        return oro_fail(err, ORO_E_MEMORY, "not enough memory for a picture of %d x %d", shot->wish.width,
                        shot->wish.height);
    if (shot->wish.film && !oro_make_folders(path, err))
        return false;
    if (!pane->scene)
        return (shot->large.map = ed_map_create(err)) != NULL;
    shot->large.samples = shot->wish.film ? FILM_SAMPLES : SAMPLES;
    shot->large.scene = ed_scene_create(err);
    if (shot->large.scene)
        ed_scene_take_time(shot->large.scene, shot->large.samples);
    return shot->large.scene != NULL;
}

static void chosen(struct ed_session *session, const char *path, void *user)
{
    struct oro_error err = {0};
    struct ed_pane *pane = user;
    if (!path)
        return;
    ed_screenshot_free(session->views);
    if (prepare(session, pane, path, &err))
        return;
    ed_screenshot_free(session->views);
    ed_failed(session, &err);
}

void ed_pane_screenshot(struct ed_session *session, struct ed_pane *pane)
{
    static const char *const extensions[] = {".png", NULL};
    bool film = session->views->wish.film && pane->scene;
    struct ed_file_question question = {.title = film ? "Save a film: a new folder for its pictures"
                                                      : "Save a picture of the view",
                                        .save = true,
                                        .name = film ? "turntable" : "view.png",
                                        .extensions = film ? NULL : extensions,
                                        .done = chosen,
                                        .user = pane};
    session->services->choose_file(session, &question);
}

/* ---- Drawing */

/* Networks and directions are part of the picture, as they are in the view. */
static void draw_over(const struct ed_shot *shot, struct ed_pane *view, const struct ed_part *part)
{
    struct ui_draw *draw = ui_picture_begin();
    const struct ed_target *target = &shot->large.target;
    float scale = scale_of(shot);
    if (!draw)
        return;
    ui_clip_push(draw, view->rect);
    ed_lines_draw(view, draw);
    if (!shot->wish.plain) {
        ed_wipe_draw(view, draw, false);
        ed_legend_draw(view, draw);
        ed_scale_draw(view, draw, view->rect.y + view->rect.h);
    }
    ui_clip_pop(draw);
    /* A little more, so that rounding loses no row. */
    struct ui_rect tile = {(float)part->x / scale, (float)part->y / scale,
                           ((float)target->width + 0.02f) / scale, ((float)target->height + 0.02f) / scale};
    ui_picture_end(draw, target->framebuffer, tile, scale);
}

static bool keep_tile(struct ed_shot *shot, const struct ed_part *part, struct oro_error *err)
{
    const struct ed_target *target = &shot->large.target;
    uint8_t *pixels = ed_target_read(target, err);
    for (int y = 0; pixels && y < target->height; y++) {
        const uint8_t *from = pixels + (size_t)y * (size_t)target->width * 4;
        uint8_t *into = shot->pixels + 3 * ((size_t)(part->y + y) * (size_t)part->width + (size_t)part->x);
        for (int x = 0; x < target->width; x++)
            memcpy(into + 3 * (size_t)x, from + 4 * (size_t)x, 3);
    }
    oro_free(pixels);
    return pixels != NULL;
}

/* True: the tile is done. */
static bool draw_tile(struct ed_session *session, struct ed_shot *shot, const struct ed_pane *pane,
                      struct oro_error *err)
{
    struct ed_pane view = view_now(shot, pane);
    int width, height;
    struct ed_part part = part_of(shot, &width, &height);
    return ed_target_size(&shot->large.target, width, height, err) &&
           ed_pane_render_large(session, &view, &shot->large, &part,
                                session->views->software ? 0.05 : 0.02) &&
           (draw_over(shot, &view, &part), keep_tile(shot, &part, err));
}

/* What a picture shows may change while it is drawn, such as when the terrain gets finer. */
static uint64_t shown_by(const struct ed_pane *pane)
{
    uint64_t sum = 1;
    for (int i = 0; i < ED_SLOTS; i++) {
        const struct ed_picture *picture = pane->slots[i].picture;
        sum = sum * 1099511628211u + (picture ? picture->serial : 0);
    }
    return sum;
}

static bool all_there(const struct ed_pane *pane)
{
    for (int i = 0; i < ED_SLOTS; i++)
        if (pane->slots[i].want.node[0] && !pane->slots[i].whole)
            return false;
    return true;
}

/* ---- Writing */

static void *write_out(void *user)
{
    struct ed_shot *shot = user;
    struct oro_text path = {0};
    if (shot->encoding) {
        shot->written = ed_film_encode(shot->path, PER_SECOND, &shot->stop, &shot->err);
    } else {
        oro_text_add(&path, shot->path);
        if (shot->wish.film)
            oro_text_addf(&path, "/frame-%04d.png", shot->frame + 1);
        shot->written = path.failed ? oro_fail(&shot->err, ORO_E_MEMORY, "not enough memory for a picture")
                                    : oro_image_write_bytes(path.data, shot->wish.width, shot->wish.height,
                                                            shot->pixels, &shot->err);
        oro_text_free(&path);
    }
    atomic_store(&shot->done, true);
    return NULL;
}

static bool begin_writing(struct ed_shot *shot, struct oro_error *err)
{
    atomic_store(&shot->done, false);
    shot->writing = pthread_create(&shot->thread, NULL, write_out, shot) == 0;
    return shot->writing || oro_fail(err, ORO_E_MEMORY, "no thread for a picture");
}

static void tell(struct ed_session *session, const struct ed_shot *shot)
{
    if (!shot->wish.film)
        ed_message(&session->messages, ED_NOTICE, NULL, "The view was written to %s", shot->path);
    else
        ed_message(&session->messages, ED_NOTICE, NULL, "The film's %d pictures%s were written to %s",
                   shot->wish.frames, shot->encoding ? " and its video" : "", shot->path);
}

/* After a picture is written: the next one, the video, or the end. */
static void go_on(struct ed_session *session, struct ed_shot *shot)
{
    struct oro_error err = {0};
    if (!atomic_load(&shot->done))
        return;
    pthread_join(shot->thread, NULL);
    shot->writing = false;
    if (!shot->written) {
        ed_failed(session, &shot->err);
        ed_screenshot_free(session->views);
        return;
    }
    if (shot->wish.film && !shot->encoding) {
        shot->tile = 0;
        if (++shot->frame < shot->wish.frames)
            return;
        shot->encoding = shot->wish.video;
        if (shot->encoding && begin_writing(shot, &err))
            return;
    }
    if (err.code != ORO_OK)
        ed_failed(session, &err);
    else
        tell(session, shot);
    ed_screenshot_free(session->views);
}

void ed_screenshot_stop(struct ed_session *session)
{
    struct ed_shot *shot = session->views->shot;
    if (!shot)
        return;
    if (shot->wish.film)
        ed_message(&session->messages, ED_WARNING, NULL, "Stopped: %d of %d pictures of the film are in %s",
                   shot->frame + (shot->writing && !shot->encoding), shot->wish.frames, shot->path);
    else
        ed_message(&session->messages, ED_WARNING, NULL, "Stopped: no picture was written");
    atomic_store(&shot->stop, true);
    if (!shot->writing)
        ed_screenshot_free(session->views);
}

void ed_screenshot_tick(struct ed_session *session)
{
    struct ed_shot *shot = session->views->shot;
    struct oro_error err = {0};
    if (!shot)
        return;
    if (atomic_load(&shot->stop)) { /* what is being written is waited for */
        if (atomic_load(&shot->done))
            ed_screenshot_free(session->views);
        return;
    }
    if (shot->writing) {
        go_on(session, shot);
        return;
    }
    const struct ed_pane *pane = &session->views->panes[shot->view.index];
    uint64_t shown = shown_by(pane);
    if (shown != shot->shown)
        shot->tile = 0;
    shot->shown = shown;
    bool drawn = all_there(pane) && draw_tile(session, shot, pane, &err);
    if (drawn && ++shot->tile == tile_count(shot))
        begin_writing(shot, &err);
    if (err.code == ORO_OK)
        return;
    ed_failed(session, &err);
    ed_screenshot_free(session->views);
}

/* ---- Progress */

void ed_screenshot_note(struct ed_session *session, const struct ed_pane *pane, struct ui_draw *draw)
{
    const struct ed_shot *shot = session->views->shot;
    char text[100];
    if (!shot || shot->view.index != pane->index)
        return;
    if (shot->encoding)
        snprintf(text, sizeof text, "Making the video\xe2\x80\xa6");
    else if (shot->wish.film)
        snprintf(text, sizeof text, "Film: picture %d of %d", shot->frame + 1, shot->wish.frames);
    else if (shot->writing)
        snprintf(text, sizeof text, "Writing the picture\xe2\x80\xa6");
    else
        snprintf(text, sizeof text, "Drawing the picture: %d %%", 100 * shot->tile / tile_count(shot));
    float x = pane->rect.x + 8 * ui_scale(), y = pane->rect.y + 36 * ui_scale();
    float width = ed_chip(draw, (struct ui_vec){x, y}, text, ui_colour(UI_TEXT));
    ui_cursor_set((struct ui_vec){x + width + 8 * ui_scale(), y - 2 * ui_scale()});
    ui_name("picture:stop");
    if (ui_button("Stop", 0, 0))
        ed_screenshot_stop(session);
}

bool ed_screenshot_busy(const struct ed_views *views)
{
    return views->shot != NULL;
}
