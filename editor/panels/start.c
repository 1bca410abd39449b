/* The start screen: recoveries, recent documents, examples, graphs of the library. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <unistd.h>

#include "editor/panels/panels_private.h"
#include "editor/panels/thumbs.h"
#include "editor/session/commands.h"

bool ed_start_shown(const struct ed_session *session)
{
    return session->panels->start.shown;
}

void ed_start_show(struct ed_session *session, bool show)
{
    session->panels->start.shown = show;
    session->panels->start.listed = false;
    ed_wake(session);
}

/* Whether there is a document to go back to. */
static bool has_document(const struct ed_session *session)
{
    return ed_project_path(session->project)[0] ||
           oro_document_node_count(ed_project_main(session->project)) > 0;
}

bool ed_start_leave(struct ed_session *session)
{
    if (!session->panels->start.shown || !has_document(session))
        return false;
    ed_start_show(session, false);
    return true;
}

void ed_start_free(struct ed_start *start)
{
    oro_arena_destroy(start->arena);
}

static void list(struct ed_session *session)
{
    struct ed_start *start = &session->panels->start;
    struct oro_error err;
    oro_arena_destroy(start->arena);
    start->arena = oro_arena_create();
    start->recoveries = (struct ed_recoveries){0};
    start->listed = true;
    if (start->arena && !ed_recoveries_list(NULL, start->arena, &start->recoveries, &err))
        ed_failed(session, &err);
    for (int i = 0; i < ED_RECENT_MAX && session->settings.recent[i]; i++)
        start->missing[i] = access(session->settings.recent[i], R_OK) != 0;
}

void ed_start_begin_tour(struct ed_session *session)
{
    struct ed_start *start = &session->panels->start;
    if (!start->listed)
        list(session);
    if (start->recoveries.count == 0)
        ed_start_show(session, false);
}

/* ---- The background: ridges, one behind the other */

static float ridge(float x, int layer)
{
    float height = 0, width = 1, strength = 1;
    for (int octave = 0; octave < 5; octave++) {
        float wave = sinf(x * 0.004f * width + (float)layer * 4.7f + (float)octave * 1.3f);
        height += strength * (1 - fabsf(wave));
        width *= 2.13f;
        strength *= 0.48f;
    }
    return height;
}

static void draw_ridges(struct ui_rect rect)
{
    enum { LAYERS = 4 };
    struct ui_draw *draw = ui_draw_here();
    ui_rect_shade(draw, rect, ui_colour(UI_PANEL), ui_colour(UI_BACKGROUND));
    for (int layer = 0; layer < LAYERS; layer++) {
        float base = rect.h * (0.22f - 0.055f * (float)layer), tall = rect.h * 0.055f;
        uint32_t colour = ui_mix(ui_colour(UI_PANEL), ui_colour(UI_BORDER), 0.35f + 0.3f * (float)layer);
        for (int i = 0; (float)(2 * i) < rect.w; i++) {
            float x = (float)(2 * i);
            float height = base + tall * (ridge(x / ui_scale(), layer) - 1);
            struct ui_rect column = {rect.x + x, rect.y + rect.h - height, 2, height};
            ui_rect_fill(draw, column, colour, 0);
        }
    }
}

/* ---- Recoveries */

bool ed_recover(struct ed_session *session, const struct ed_recovery *recovery)
{
    struct oro_problems problems = {0};
    struct oro_error err;
    bool ok = ed_recovery_take(session->safety, recovery, session->project, &problems, &err);
    if (ok) {
        session->services->document_replaced(session);
        for (size_t i = 0; i < problems.count; i++)
            if (!problems.items[i].error) /* errors are reported by the check */
                ed_message(&session->messages, ED_WARNING, problems.items[i].node, "%s",
                           problems.items[i].text);
        ed_message(&session->messages, ED_NOTICE, "", "Recovered %s",
                   recovery->document[0] ? recovery->document : "an untitled document");
    } else {
        ed_failed(session, &err);
    }
    oro_problems_free(&problems);
    return ok;
}

/* The copy is remembered by its file, because the list may be rebuilt while the user is asked. */
static void take_recovery(struct ed_session *session, const char *file)
{
    const struct ed_recoveries *all = &session->panels->start.recoveries;
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->items[i].file, file) == 0) {
            ed_recover(session, &all->items[i]);
            return;
        }
}

const char *ed_time_text(int64_t seconds, char *out, size_t size)
{
    time_t when = (time_t)seconds;
    struct tm parts;
    if (!localtime_r(&when, &parts) || strftime(out, size, "%e %B %Y, %H:%M", &parts) == 0)
        snprintf(out, size, "?");
    return out;
}

static void draw_recovery(struct ed_session *session, size_t i)
{
    const struct ed_recovery *recovery = &session->panels->start.recoveries.items[i];
    char when[64];
    struct oro_error err;
    ui_id_push_index((int)i);
    ui_name("recover:%zu", i);
    bool take = ui_button_strong("Recover", 0, 0);
    ui_same_line(-1);
    ui_name("discard:%zu", i);
    bool discard = ui_button("Discard", 0, 0);
    ui_same_line(-1);
    ui_align_text();
    ui_text("%s", recovery->document[0] ? recovery->document : "Untitled");
    ui_same_line(-1);
    ui_text_coloured(ui_colour(UI_MUTED), "%zu %s, %s", recovery->nodes,
                     recovery->nodes == 1 ? "node" : "nodes",
                     ed_time_text(recovery->seconds, when, sizeof when));
    ui_id_pop();
    if (take) {
        session->services->ask(session, take_recovery, recovery->file);
    } else if (discard) {
        ed_tell(session, ed_recovery_discard(recovery, &err), &err);
        session->panels->start.listed = false;
    }
}

static void draw_recoveries(struct ed_session *session)
{
    const struct ed_start *start = &session->panels->start;
    if (start->recoveries.count == 0)
        return;
    struct ui_rect place = ui_content();
    size_t shown = start->recoveries.count < 4 ? start->recoveries.count : 4;
    float height = (float)shown * (ui_widget_height() + 5 * ui_scale()) + ui_line_height() + 26 * ui_scale();
    struct ui_rect box = {place.x, place.y, place.w, height};
    ui_rect_fill(ui_draw_here(), box, ui_faded(ui_colour(UI_WARNING), 0.13f), 6 * ui_scale());
    ui_rect_line(ui_draw_here(), box, ui_faded(ui_colour(UI_WARNING), 0.6f), 6 * ui_scale(), 1);
    ui_cursor_set((struct ui_vec){place.x + 12 * ui_scale(), place.y + 8 * ui_scale()});
    ui_group_begin();
    ui_text_coloured(ui_colour(UI_WARNING), "The program ended before these were saved:");
    for (size_t i = 0; i < shown && start->listed; i++)
        draw_recovery(session, i);
    ui_group_end();
    ui_cursor_set((struct ui_vec){place.x, place.y + height + 12 * ui_scale()});
    ui_dummy(1, 1);
}

/* ---- Left: begin, recent */

static void draw_recent(struct ed_session *session, int i)
{
    const char *path = session->settings.recent[i], *slash = strrchr(path, '/');
    bool missing = session->panels->start.missing[i];
    float scale = ui_scale(), height = ui_font_size(UI_NORMAL) + ui_font_size(UI_SMALL) + 10 * scale;
    char folder[512];
    ui_id_push_index(i);
    ui_name("recent:%d", i);
    bool clicked = ui_selectable("##recent", false, height);
    struct ui_rect rect = ui_item_rect();
    ui_tooltip("%s%s", path, missing ? "\nis not there any more; a right click takes it off the list" : "");
    bool forget = ui_item_clicked(1);
    ui_id_pop();
    struct ui_draw *draw = ui_draw_here();
    struct ui_vec at = {rect.x + 8 * scale, rect.y + 4 * scale};
    float width = rect.w - 16 * scale;
    ed_draw_elided(draw, UI_NORMAL, at, ui_faded(ui_colour(UI_TEXT), missing ? 0.4f : 1),
                   slash ? slash + 1 : path, width);
    at.y += ui_font_size(UI_NORMAL) + 2 * scale;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    ed_draw_elided(draw, UI_SMALL, at, ui_faded(ui_colour(UI_MUTED), missing ? 0.4f : 1), folder, width);
    if (forget) {
        ed_settings_forget(&session->settings, path);
        ed_settings_save(&session->settings, NULL, NULL);
        session->panels->start.listed = false;
    } else if (clicked) {
        char *copy = oro_copy_text(path); /* the list changes */
        if (copy)
            session->services->open(session, copy, false);
        oro_free(copy);
    }
}

const char *ed_start_example(struct ed_session *session, const char *name)
{
    const struct ed_assets *assets = ed_panels_assets(session);
    for (size_t i = 0; i < assets->example_count; i++)
        if (strcmp(assets->examples[i].name, name) == 0 &&
            strcmp(assets->examples[i].folder, "examples") == 0)
            return assets->examples[i].path;
    return NULL;
}

static void draw_left(struct ed_session *session)
{
    float wide = ui_content().w, scale = ui_scale();
    ui_name("start:new");
    if (ui_button_strong("New terrain", wide, 34 * scale))
        ed_command_run(session, "new");
    ui_name("start:first");
    if (ui_button("First mountains", wide, 30 * scale))
        ed_command_run(session, "first");
    ui_tooltip("Noise, eroded and drained: three nodes to begin from");
    ui_name("start:open");
    if (ui_button("Open…", wide, 30 * scale))
        session->services->open(session, NULL, false);
    ui_name("start:tour");
    if (ui_button("Take the tour", wide, 30 * scale))
        ed_tour_start(session);
    ui_tooltip("The first terrain from nothing, in a few steps");
    if (has_document(session)) {
        ui_name("start:back");
        if (ui_button("Back to the document", wide, 30 * scale))
            ed_start_leave(session);
        ui_tooltip("Goes on with what was open (Esc)");
    }
    ui_dummy(1, 12 * scale);
    ui_font_push(UI_BOLD);
    ui_text("Recent");
    ui_font_pop();
    if (ui_child_begin("recent", 0, 0, 0)) {
        if (!session->settings.recent[0])
            ui_text_coloured(ui_colour(UI_MUTED), "Documents that you save are listed here.");
        for (int i = 0; i < ED_RECENT_MAX && session->settings.recent[i] && session->panels->start.listed;
             i++)
            draw_recent(session, i);
    }
    ui_child_end();
}

static void draw_title(void)
{
    ui_font_push(UI_TITLE);
    ui_text("Orograph");
    ui_font_pop();
    ui_text_coloured(ui_colour(UI_MUTED), "Mountains from uplift, carved by rivers.");
    ui_dummy(1, 10 * ui_scale());
}

void ed_start_draw(struct ed_session *session, struct ui_rect rect)
{
    struct ed_start *start = &session->panels->start;
    float scale = ui_scale();
    if (!start->listed)
        list(session);
    ed_thumbs_frame(session->panels->thumbs);
    if (ui_panel_begin("##start", rect, UI_NO_PADDING | UI_NO_SCROLL)) {
        draw_ridges(rect);
        float wide = rect.w - 60 * scale, side = 1180 * scale;
        wide = wide < side ? wide : side;
        ui_cursor_set((struct ui_vec){rect.x + (rect.w - wide) / 2, rect.y + 28 * scale});
        if (ui_child_begin("inside", wide, rect.h - 48 * scale, 0)) {
            draw_title();
            draw_recoveries(session);
            if (ui_child_begin("left", 270 * scale, 0, 0))
                draw_left(session);
            ui_child_end();
            ui_same_line(24 * scale);
            if (ui_child_begin("right", 0, 0, 0))
                ed_gallery_draw(session);
            ui_child_end();
        }
        ui_child_end();
    }
    ui_panel_end();
}
