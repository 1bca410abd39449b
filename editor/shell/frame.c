/* The layout of the window. */
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "editor/canvas/canvas.h"
#include "editor/inspector/inspector.h"
#include "editor/panels/panels.h"
#include "editor/shell/commands.h"
#include "editor/shell/documents.h"
#include "editor/shell/shell.h"
#include "editor/ui/describe.h"
#include "editor/view/views.h"
#include "graph/file/xml.h"

/* ---- Splitters: gaps between the parts that can be dragged. */

enum splitter { NO_SPLITTER, AT_PALETTE, AT_INSPECTOR, AT_VIEW, AT_LOG };
static enum splitter dragged;

static float gap(void)
{
    return 4 * ui_scale();
}

/* Moves `*value` while the gap is dragged; `sign` says which way makes it larger. */
static void split(enum splitter which, struct ui_rect rect, bool upright, float *value, float sign,
                  float unit)
{
    bool over = ui_inside(rect, ui_mouse()) && !ui_any_popup();
    if (over || dragged == which)
        ui_pointer(upright ? UI_SIZE_X : UI_SIZE_Y);
    if (over && ui_mouse_pressed(0) && dragged == NO_SPLITTER) {
        dragged = which; /* the pointer's way to the gap does not count */
        return;
    }
    if (dragged != which)
        return;
    struct ui_vec moved = ui_mouse_moved();
    *value += sign * (upright ? moved.x : moved.y) / unit;
    if (!ui_mouse_down(0))
        dragged = NO_SPLITTER;
}

static float held(float value, float low, float high)
{
    return value < low ? low : value > high ? high : value;
}

/* ---- The parts */

static struct ui_rect cut_left(struct ui_rect *all, float width)
{
    struct ui_rect part = {all->x, all->y, width, all->h};
    all->x += width + gap();
    all->w -= width + gap();
    return part;
}

static struct ui_rect cut_right(struct ui_rect *all, float width)
{
    struct ui_rect part = {all->x + all->w - width, all->y, width, all->h};
    all->w -= width + gap();
    return part;
}

static struct ui_rect cut_bottom(struct ui_rect *all, float height)
{
    struct ui_rect part = {all->x, all->y + all->h - height, all->w, height};
    all->h -= height + gap();
    return part;
}

/* Whether a part at the side fits beside the view and the graph, which must stay. On a small window at a
 * large scale the palette gives way first (Tab adds nodes too), then the inspector. */
static bool fits_beside(const struct ui_rect *all, float width)
{
    return all->w - (width + gap()) >= 200 * ui_scale();
}

/* The widths of the settings stay as they were chosen, though a small window shows less. */
static void draw_sides(struct ed_session *session, struct ui_rect *all)
{
    struct ed_settings *settings = &session->settings;
    float scale = ui_scale(), most = ui_window_size().x * 0.4f / scale;
    float palette = held(settings->palette_width, 140, most), shown_palette = palette;
    float inspector = held(settings->inspector_width, 240, most), shown_inspector = inspector;
    float beside = settings->show_inspector ? inspector * scale + gap() : 0;
    if (settings->show_palette && fits_beside(all, palette * scale + beside)) {
        struct ui_rect part = cut_left(all, palette * scale);
        ed_palette_draw(session, part);
        split(AT_PALETTE, (struct ui_rect){part.x + part.w, part.y, gap(), part.h}, true, &palette, 1, scale);
    }
    if (settings->show_inspector && fits_beside(all, inspector * scale)) {
        struct ui_rect part = cut_right(all, inspector * scale);
        ed_inspector_draw(session, part);
        session->inspector_at = part;
        split(AT_INSPECTOR, (struct ui_rect){part.x - gap(), part.y, gap(), part.h}, true, &inspector, -1,
              scale);
    }
    if (palette != shown_palette)
        settings->palette_width = held(palette, 140, most);
    if (inspector != shown_inspector)
        settings->inspector_width = held(inspector, 240, most);
}

static void draw_middle(struct ed_session *session, struct ui_rect all)
{
    struct ed_settings *settings = &session->settings;
    if (settings->show_log) {
        settings->log_height = held(settings->log_height, 60, all.h * 0.5f / ui_scale());
        struct ui_rect part = cut_bottom(&all, settings->log_height * ui_scale());
        ed_log_draw(session, part);
        split(AT_LOG, (struct ui_rect){part.x, part.y - gap(), part.w, gap()}, false, &settings->log_height,
              -1, ui_scale());
    }
    settings->view_share = held(settings->view_share, 0.1f, 0.9f);
    float views = all.h * settings->view_share;
    session->views_at = (struct ui_rect){all.x, all.y, all.w, views};
    ed_views_draw(session, session->views_at);
    split(AT_VIEW, (struct ui_rect){all.x, all.y + views, all.w, gap()}, false, &settings->view_share, 1,
          all.h);
    session->canvas_at = (struct ui_rect){all.x, all.y + views + gap(), all.w, all.h - views - gap()};
    ed_canvas_draw(session, session->canvas_at);
}

/* Digest of the document as it would be written: tests find it again in files and in recovery copies. */
static void describe_content(const struct ed_project *project)
{
    static uint64_t revision;
    static char digest[ORO_HASH_TEXT];
    char *text = NULL;
    size_t size = 0;
    if ((!digest[0] || revision != ed_project_revision(project)) &&
        oro_document_format(ed_project_main(project), ed_project_registry(project), &text, &size, NULL)) {
        oro_hash_text(oro_hash_of(text, size), digest);
        revision = ed_project_revision(project);
        oro_free(text);
    }
    ed_describe_state("content", "%s", digest);
}

/* What is on among the commands that are switches: "palette inspector minimap snap". */
static void describe_switches(const struct ed_session *session)
{
    struct oro_text on = {0};
    for (const struct ed_command *command = session->commands; command->id; command++)
        if (ed_command_checked(session, command))
            oro_text_addf(&on, "%s%s", on.length ? " " : "", command->id);
    ed_describe_state("switches", "%s", on.data && !on.failed ? on.data : "");
    oro_text_free(&on);
}

static void describe(const struct ed_shell *shell)
{
    const struct ed_session *session = &shell->session;
    if (!ed_describing())
        return;
    describe_content(session->project);
    ed_describe_state("path", "%s", ed_project_path(session->project));
    ed_describe_state("changed", "%d", ed_project_changed(session->project));
    ed_describe_state("revision", "%llu", (unsigned long long)ed_project_revision(session->project));
    ed_describe_state("viewed", "%s", session->viewed);
    ed_describe_state("undo", "%s",
                      ed_project_undo_name(session->project) ? ed_project_undo_name(session->project) : "");
    ed_describe_state("redo", "%s",
                      ed_project_redo_name(session->project) ? ed_project_redo_name(session->project) : "");
    size_t letters, readable;
    ui_letters(&letters, &readable);
    ed_describe_state("letters", "%zu of %zu", readable, letters);
    /* Tests that drive the window wait for these states before they go on. */
    struct ui_vec pointer = ui_mouse();
    if (pointer.x >= 0 && pointer.y >= 0)
        ed_describe_state("pointer", "%d %d", (int)pointer.x, (int)pointer.y);
    ed_describe_state("inputs", "%llu", (unsigned long long)shell->inputs);
    ed_describe_state("asking", "%d", session->asking);
    describe_switches(session);
}

void ed_window_draw(struct ed_shell *shell)
{
    struct ed_session *session = &shell->session;
    struct ui_vec size = ui_window_size();
    float top = 0, bottom = ui_font_size(UI_SMALL) + 10 * ui_scale();
    if (ui_menu_bar_begin()) {
        ed_command_menus(session);
        top = ui_bar_height();
        ui_menu_bar_end();
    }
    struct ui_rect all = {0, top, size.x, size.y - top - bottom};
    ed_status_draw(session, (struct ui_rect){0, size.y - bottom, size.x, bottom});
    if (ed_start_shown(session)) {
        ed_start_draw(session, all);
    } else {
        draw_sides(session, &all);
        draw_middle(session, all);
    }
    ed_panels_draw(session);
    ed_document_draw(session);
    describe(shell);
}
