/* The file chooser: our own, because no file chooser is available on all systems. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <SDL2/SDL_scancode.h>

#include "base/file.h"
#include "base/text.h"
#include "editor/panels/files.h"
#include "editor/panels/panels_private.h"
#include "editor/ui/search.h"
#include "graph/derived/paths.h"

enum { EXTENSIONS_MAX = 24 };

struct ed_chooser {
    bool open, fresh, save, all_files;
    char title[128];
    char *extensions[EXTENSIONS_MAX + 1];
    void (*done)(struct ed_session *session, const char *path, void *user);
    void *user;
    struct ed_files files;
    char name[1024];  /* as typed */
    char filter[256]; /* text that rows must contain */
    char folder_name[256];
    bool making;    /* a folder */
    size_t chosen;  /* row; SIZE_MAX: none */
    int generation; /* of the field: a new one begins anew with another text */
    bool focus, scroll;
    char *replacing; /* the existing file that is asked about */
    char *answer;    /* the path that was chosen */
    char problem[512];
    char last[PATH_MAX]; /* folder */
};

struct ed_chooser *ed_chooser_create(void)
{
    return oro_alloc(1, sizeof(struct ed_chooser));
}

static void forget_extensions(struct ed_chooser *chooser)
{
    for (int i = 0; i < EXTENSIONS_MAX; i++) {
        oro_free(chooser->extensions[i]);
        chooser->extensions[i] = NULL;
    }
}

void ed_chooser_destroy(struct ed_chooser *chooser)
{
    if (!chooser)
        return;
    forget_extensions(chooser);
    ed_files_free(&chooser->files);
    oro_free(chooser->replacing);
    oro_free(chooser->answer);
    oro_free(chooser);
}

bool ed_chooser_open(const struct ed_panels *panels)
{
    return panels->chooser->open;
}

static const char *const *wanted(const struct ed_chooser *chooser)
{
    return chooser->extensions[0] && !chooser->all_files ? (const char *const *)chooser->extensions : NULL;
}

static void set_name(struct ed_chooser *chooser, const char *name)
{
    snprintf(chooser->name, sizeof chooser->name, "%s", name);
    chooser->filter[0] = '\0';
    chooser->generation++;
}

static void go(struct ed_chooser *chooser, const char *folder)
{
    struct oro_error err = {0};
    chooser->problem[0] = chooser->filter[0] = '\0';
    chooser->chosen = SIZE_MAX;
    chooser->scroll = true;
    if (!ed_files_list(&chooser->files, folder, wanted(chooser), &err))
        snprintf(chooser->problem, sizeof chooser->problem, "%.500s", err.text);
    if (chooser->files.folder)
        snprintf(chooser->last, sizeof chooser->last, "%s", chooser->files.folder);
}

static void go_to(struct ed_chooser *chooser, const char *typed)
{
    char *path = ed_file_resolve(chooser->files.folder ? chooser->files.folder : "/", typed);
    if (path)
        go(chooser, path);
    oro_free(path);
}

/* ---- Opening */

static bool is_of_use(const char *folder, bool save)
{
    struct stat info;
    return folder[0] && stat(folder, &info) == 0 && S_ISDIR(info.st_mode) &&
           (!save || access(folder, W_OK | X_OK) == 0);
}

static void begin_somewhere(struct ed_session *session, const struct ed_file_question *question)
{
    struct ed_chooser *chooser = session->panels->chooser;
    const char *path = ed_project_path(session->project), *slash = strrchr(path, '/');
    const char *home = getenv("HOME");
    char folder[PATH_MAX] = "";
    if (question->folder)
        snprintf(folder, sizeof folder, "%s", question->folder);
    else if (chooser->last[0])
        snprintf(folder, sizeof folder, "%s", chooser->last);
    else if (slash && access(path, W_OK) == 0)
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    if (!is_of_use(folder, question->save) && !getcwd(folder, sizeof folder))
        snprintf(folder, sizeof folder, "/");
    if (!is_of_use(folder, question->save) && home && is_of_use(home, question->save))
        snprintf(folder, sizeof folder, "%s", home);
    char *here = folder[0] == '/' ? NULL : getcwd(NULL, 0);
    char *all = ed_file_resolve(here ? here : "/", folder);
    go(chooser, all ? all : "/");
    oro_free(all);
    free(here);
}

void ed_choose_file(struct ed_session *session, const struct ed_file_question *question)
{
    struct ed_chooser *chooser = session->panels->chooser;
    void (*before)(struct ed_session *, const char *, void *) = chooser->open ? chooser->done : NULL;
    void *before_user = chooser->user;
    forget_extensions(chooser);
    for (int i = 0; i < EXTENSIONS_MAX && question->extensions && question->extensions[i]; i++)
        chooser->extensions[i] = oro_copy_text(question->extensions[i]);
    snprintf(chooser->title, sizeof chooser->title, "%s##chooser", question->title);
    chooser->save = question->save;
    chooser->done = question->done;
    chooser->user = question->user;
    chooser->open = chooser->fresh = chooser->focus = true;
    chooser->all_files = chooser->making = false;
    set_name(chooser, question->name ? question->name : "");
    begin_somewhere(session, question);
    ed_wake(session);
    if (before) /* an earlier question is cancelled */
        before(session, NULL, before_user);
}

/* ---- Answers */

/* Takes ownership of the path. Whoever asked is told after the window was drawn. */
static void answer(struct ed_session *session, char *path)
{
    struct ed_chooser *chooser = session->panels->chooser;
    const char *slash = path ? strrchr(path, '/') : NULL;
    if (slash) /* even if it was typed */
        snprintf(chooser->last, sizeof chooser->last, "%.*s", slash > path ? (int)(slash - path) : 1, path);
    oro_free(chooser->answer);
    chooser->answer = path;
    chooser->open = false;
    ui_popup_close();
}

/* The path that was typed, with an extension added if a new file needs one. */
static char *typed_path(const struct ed_chooser *chooser)
{
    struct oro_text typed = {0};
    oro_text_add(&typed, chooser->name);
    if (chooser->save && chooser->extensions[0] &&
        !ed_file_has_extension(chooser->name, (const char *const *)chooser->extensions))
        oro_text_add(&typed, chooser->extensions[0]);
    char *path = typed.failed ? NULL : ed_file_resolve(chooser->files.folder, typed.data);
    oro_text_free(&typed);
    return path;
}

static bool accept_folder(struct ed_chooser *chooser)
{
    struct stat info;
    char *path = ed_file_resolve(chooser->files.folder, chooser->name);
    bool folder = path && stat(path, &info) == 0 && S_ISDIR(info.st_mode);
    if (folder) {
        set_name(chooser, "");
        chooser->focus = true;
        go(chooser, path);
    }
    oro_free(path);
    return folder;
}

static void accept(struct ed_session *session)
{
    struct ed_chooser *chooser = session->panels->chooser;
    struct oro_error err;
    if (!chooser->files.folder || !chooser->name[0] || accept_folder(chooser))
        return;
    char *path = typed_path(chooser);
    bool there = path && access(path, F_OK) == 0;
    chooser->problem[0] = '\0';
    chooser->focus = true;
    if (!path) {
        return;
    } else if (!chooser->save && !there) {
        snprintf(chooser->problem, sizeof chooser->problem, "There is no '%.400s'.", chooser->name);
    } else if (chooser->save && !oro_file_may_write(path, &err)) {
        snprintf(chooser->problem, sizeof chooser->problem, "%.500s", err.text);
    } else if (chooser->save && there) {
        oro_free(chooser->replacing);
        chooser->replacing = path;
        return;
    } else {
        answer(session, path);
        return;
    }
    oro_free(path);
}

/* ---- Drawing: above */

static void draw_crumbs(struct ed_chooser *chooser)
{
    char part[PATH_MAX], shown[300];
    const char *folder = chooser->files.folder ? chooser->files.folder : "/";
    char *goal = NULL;
    float right = ui_content().x + ui_content().w;
    ui_name("chooser:up");
    if (ui_icon_button("up", UI_ICON_UP, false, "The folder above"))
        goal = oro_copy_text("..");
    ui_same_line(4 * ui_scale());
    if (ui_small_button("/##root"))
        goal = oro_copy_text("/");
    for (const char *at = folder; *at == '/' && at[1];) {
        size_t length = strcspn(at + 1, "/");
        snprintf(part, sizeof part, "%.*s", (int)length, at + 1);
        ed_file_shown(part, shown, sizeof shown);
        ui_same_line(2 * ui_scale());
        if (ui_cursor().x + ui_text_extent(UI_NORMAL, 0, shown, 0).x + 24 * ui_scale() > right)
            ui_dummy(1, 1); /* on the next line */
        at += length + 1;
        ui_id_push_index((int)(at - folder));
        if (ui_small_button(shown)) {
            oro_free(goal);
            snprintf(part, sizeof part, "%.*s", (int)(at - folder), folder);
            goal = oro_copy_text(part);
        }
        ui_id_pop();
    }
    if (goal)
        go_to(chooser, goal);
    oro_free(goal);
}

/* ---- Left: favourites */

static void draw_place(struct ed_chooser *chooser, const char *label, const char *path)
{
    bool here = chooser->files.folder && strcmp(chooser->files.folder, path) == 0;
    ui_id_push(path);
    ui_name("chooser:place:%s", label);
    if (ui_selectable("##place", here, 0) && !here)
        go(chooser, path);
    struct ui_rect rect = ui_item_rect();
    ui_tooltip("%s", path);
    ui_id_pop();
    struct ui_rect icon = {rect.x, rect.y, rect.h, rect.h};
    ui_icon(ui_draw_here(), UI_ICON_FOLDER, icon, ui_colour(UI_MUTED));
    ed_draw_elided(ui_draw_here(), UI_NORMAL,
                   (struct ui_vec){rect.x + rect.h + 2, rect.y + (rect.h - ui_font_size(UI_NORMAL)) / 2},
                   ui_colour(UI_TEXT), label, rect.w - rect.h - 4);
}

static void draw_recent_places(struct ed_session *session)
{
    char folder[PATH_MAX], seen[4][PATH_MAX], shown[300];
    int count = 0;
    for (int i = 0; i < ED_RECENT_MAX && session->settings.recent[i] && count < 4; i++) {
        const char *slash = strrchr(session->settings.recent[i], '/');
        bool known = !slash || slash == session->settings.recent[i];
        snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - session->settings.recent[i]) : 0,
                 session->settings.recent[i]);
        for (int k = 0; k < count; k++)
            known = known || strcmp(seen[k], folder) == 0;
        if (known)
            continue;
        snprintf(seen[count++], PATH_MAX, "%s", folder);
        ui_id_push_index(i);
        draw_place(session->panels->chooser, ed_file_shown(strrchr(folder, '/') + 1, shown, sizeof shown),
                   folder);
        ui_id_pop();
    }
}

static void draw_places(struct ed_session *session)
{
    struct ed_chooser *chooser = session->panels->chooser;
    const char *home = getenv("HOME"), *path = ed_project_path(session->project), *slash = strrchr(path, '/');
    char folder[PATH_MAX], below[PATH_MAX + 16];
    if (home)
        draw_place(chooser, "Home", home);
    if (slash) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        draw_place(chooser, "This document", folder);
    }
    if (!chooser->save && oro_installed_folder(folder)) {
        snprintf(below, sizeof below, "%s/library", folder);
        draw_place(chooser, "Library", below);
        snprintf(below, sizeof below, "%s/examples", folder);
        if (access(below, R_OK) == 0)
            draw_place(chooser, "Examples", below);
    }
    ui_separator();
    draw_recent_places(session);
}

/* ---- Middle: files */

static void draw_file(struct ed_chooser *chooser, size_t index, struct ui_rect rect)
{
    const struct ed_file *file = &chooser->files.items[index];
    struct ui_draw *draw = ui_draw_here();
    char shown[300], text[64];
    float scale = ui_scale(), y = rect.y + (rect.h - ui_font_size(UI_NORMAL)) / 2;
    struct ui_rect icon = {rect.x, rect.y, rect.h, rect.h};
    ui_icon(draw, file->folder ? UI_ICON_FOLDER : UI_ICON_SCENE, icon,
            ui_colour(file->folder ? UI_ACCENT : UI_MUTED));
    float date = rect.x + rect.w - 125 * scale, size = date - 85 * scale;
    ed_draw_elided(draw, UI_NORMAL, (struct ui_vec){rect.x + rect.h + 4 * scale, y}, ui_colour(UI_TEXT),
                   ed_file_shown(file->name, shown, sizeof shown), size - rect.x - rect.h - 8 * scale);
    if (!file->folder) {
        ed_bytes_text(file->size, text, sizeof text);
        ui_draw_text(draw, UI_SMALL, 0, (struct ui_vec){size, y + 1}, ui_colour(UI_MUTED), text, NULL);
    }
    time_t when = (time_t)file->seconds;
    struct tm parts;
    if (file->seconds && localtime_r(&when, &parts) && strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts))
        ui_draw_text(draw, UI_SMALL, 0, (struct ui_vec){date, y + 1}, ui_colour(UI_MUTED), text, NULL);
}

/* True: a folder was entered, or the file accepted. */
static bool use_row(struct ed_session *session, size_t index, bool twice)
{
    struct ed_chooser *chooser = session->panels->chooser;
    const struct ed_file *file = &chooser->files.items[index];
    chooser->chosen = index;
    if (file->folder) {
        if (!twice)
            return false;
        char *name = oro_copy_text(file->name); /* the list is made anew */
        if (name)
            go_to(chooser, name);
        oro_free(name);
        return true;
    }
    set_name(chooser, file->name);
    if (twice)
        accept(session);
    return twice;
}

static size_t count_rows(const struct ed_chooser *chooser)
{
    size_t count = 0;
    for (size_t i = 0; i < chooser->files.count; i++)
        count += ed_text_holds(chooser->files.items[i].name, chooser->filter);
    return count;
}

static void draw_rows(struct ed_session *session, float visible)
{
    struct ed_chooser *chooser = session->panels->chooser;
    float height = ui_line_height() + 6 * ui_scale(), stride = height + 2 * ui_scale();
    struct ui_vec top = ui_cursor();
    float scroll = ui_scroll_y();
    size_t row = 0;
    for (size_t i = 0; i < chooser->files.count; i++) {
        if (!ed_text_holds(chooser->files.items[i].name, chooser->filter))
            continue;
        float y = (float)row++ * stride;
        bool wanted_row = chooser->scroll && i == chooser->chosen;
        if ((y + stride < scroll || y > scroll + visible) && !wanted_row)
            continue;
        char shown[300];
        ui_cursor_set((struct ui_vec){top.x, top.y + y});
        ui_id_push_index((int)i);
        ui_name("chooser:row:%s", ed_file_shown(chooser->files.items[i].name, shown, sizeof shown));
        bool clicked = ui_selectable("##file", i == chooser->chosen, height);
        struct ui_rect rect = ui_item_rect();
        bool twice = ui_item_hovered() && ui_mouse_double(0);
        if (wanted_row)
            ui_scroll_here();
        ui_id_pop();
        draw_file(chooser, i, rect);
        if ((clicked || twice) && use_row(session, i, twice))
            break;
    }
    chooser->scroll = false;
    ui_cursor_set((struct ui_vec){top.x, top.y + (float)count_rows(chooser) * stride});
    ui_dummy(1, 1);
}

static void move_choice(struct ed_chooser *chooser)
{
    int step = ui_key_repeated(SDL_SCANCODE_DOWN) ? 1 : ui_key_repeated(SDL_SCANCODE_UP) ? -1 : 0;
    size_t at = chooser->chosen;
    if (step == 0)
        return;
    do {
        at = at == SIZE_MAX ? (step > 0 ? 0 : chooser->files.count - 1) : at + (size_t)step;
    } while (at < chooser->files.count && !ed_text_holds(chooser->files.items[at].name, chooser->filter));
    if (at >= chooser->files.count)
        return;
    char filter[sizeof chooser->filter];
    snprintf(filter, sizeof filter, "%s", chooser->filter);
    chooser->chosen = at;
    chooser->scroll = chooser->focus = true;
    set_name(chooser, chooser->files.items[at].name);
    snprintf(chooser->filter, sizeof chooser->filter, "%s", filter);
}

/* ---- Below: name, buttons */

static void complete(char *text, size_t size, void *user)
{
    const struct ed_chooser *chooser = user;
    if (chooser->files.folder)
        ed_file_complete(chooser->files.folder, wanted(chooser), text, size);
}

static void draw_name(struct ed_chooser *chooser)
{
    ui_item_width(-1);
    /* While Enter is still held, its repetition would be taken for an answer. */
    bool held = ui_key_down(SDL_SCANCODE_RETURN) || ui_key_down(SDL_SCANCODE_KP_ENTER);
    if (chooser->focus && !held && !chooser->replacing && !chooser->making)
        ui_focus_next();
    chooser->focus = chooser->focus && held;
    ui_id_push_index(chooser->generation);
    ui_name("chooser:name");
    if (ui_input_completed("##name", "Name or path; Tab completes it", chooser->name, sizeof chooser->name, 0,
                           complete, chooser)) {
        bool path = strchr(chooser->name, '/') || chooser->name[0] == '~' || chooser->save;
        snprintf(chooser->filter, sizeof chooser->filter, "%.250s", path ? "" : chooser->name);
        chooser->chosen = SIZE_MAX;
        chooser->problem[0] = '\0';
    }
    ui_id_pop();
}

static void make_folder(struct ed_chooser *chooser)
{
    struct oro_error err;
    char *path =
        chooser->folder_name[0] ? ed_file_resolve(chooser->files.folder, chooser->folder_name) : NULL;
    chooser->making = false;
    if (path && oro_make_folders(path, &err))
        go(chooser, path);
    else if (path)
        snprintf(chooser->problem, sizeof chooser->problem, "%.500s", err.text);
    oro_free(path);
    chooser->folder_name[0] = '\0';
}

static void draw_making(struct ed_chooser *chooser)
{
    ui_align_text();
    ui_text("New folder:");
    ui_same_line(-1);
    ui_item_width(240 * ui_scale());
    ui_name("chooser:folder");
    bool done = ui_input("##folder", "Name", chooser->folder_name, sizeof chooser->folder_name, UI_ENTER);
    ui_same_line(-1);
    ui_name("chooser:folder:ok");
    if (ui_button("Make", 0, 0) || done)
        make_folder(chooser);
    ui_same_line(-1);
    if (ui_button("Never mind", 0, 0))
        chooser->making = false;
}

static void draw_replacing(struct ed_session *session, bool enter)
{
    struct ed_chooser *chooser = session->panels->chooser;
    const char *slash = strrchr(chooser->replacing, '/');
    char shown[300];
    ui_align_text();
    ui_text_coloured(ui_colour(UI_WARNING), "'%s' is there already. Replace it?",
                     ed_file_shown(slash ? slash + 1 : chooser->replacing, shown, sizeof shown));
    ui_same_line(-1);
    ui_name("chooser:replace");
    bool replace = ui_button_strong("Replace", 0, 0) || enter;
    ui_same_line(-1);
    ui_name("chooser:keep");
    bool keep = ui_button("Another name", 0, 0);
    char *path = chooser->replacing;
    if (replace || keep) {
        chooser->replacing = NULL;
        chooser->focus = true;
        if (replace)
            answer(session, path);
        else
            oro_free(path);
    }
}

static void draw_kinds(struct ed_chooser *chooser)
{
    char label[200] = "";
    size_t used = 0;
    for (int i = 0; i < EXTENSIONS_MAX && chooser->extensions[i] && used < 150; i++)
        used += (size_t)snprintf(label + used, sizeof label - used, "%s*%s", i ? ", " : "",
                                 chooser->extensions[i]);
    if (!chooser->extensions[0])
        return;
    ui_same_line(16 * ui_scale());
    ui_name("chooser:all");
    if (ui_checkbox("All files", &chooser->all_files) && chooser->files.folder)
        go(chooser, chooser->files.folder);
    ui_tooltip("Otherwise only %s", label);
}

static void draw_buttons(struct ed_session *session)
{
    struct ed_chooser *chooser = session->panels->chooser;
    float scale = ui_scale();
    ui_name("chooser:new-folder");
    if (ui_button("New folder…", 0, 0))
        chooser->making = true;
    draw_kinds(chooser);
    struct ui_rect left = ui_content();
    ui_same_line(-1);
    struct ui_vec at = ui_cursor();
    at.x = left.x + left.w - 200 * scale - 8 * scale;
    ui_cursor_set(at);
    ui_name("chooser:cancel");
    if (ui_button("Cancel", 100 * scale, 0)) {
        answer(session, NULL);
        return;
    }
    ui_same_line(8 * scale);
    ui_disabled_begin(!chooser->name[0]);
    ui_name("chooser:ok");
    bool ok = ui_button_strong(chooser->save ? "Save" : "Open", 100 * scale, 0);
    ui_disabled_end();
    if (ok)
        accept(session);
}

static void draw_inside(struct ed_session *session)
{
    struct ed_chooser *chooser = session->panels->chooser;
    float scale = ui_scale(), all = ui_window_size().y * 0.5f;
    float height = all < 400 * scale ? all : 400 * scale;
    bool enter = ui_answered_yes() && !chooser->making, escape = ui_answered_no();
    draw_crumbs(chooser);
    if (ui_child_begin("places", 150 * scale, height, 0))
        draw_places(session);
    ui_child_end();
    ui_same_line(-1);
    move_choice(chooser);
    if (ui_child_begin("files", 0, height, UI_BORDERED)) {
        draw_rows(session, height);
        if (chooser->files.count == 0 && chooser->open)
            ui_text_coloured(ui_colour(UI_MUTED), "%s",
                             chooser->problem[0] ? "" : "Nothing of that kind here.");
    }
    ui_child_end();
    if (!chooser->open)
        return;
    bool replacing = chooser->replacing; /* what is asked about was named by an earlier Enter */
    draw_name(chooser);
    if (chooser->problem[0])
        ui_text_coloured(ui_colour(UI_BAD), "%s", chooser->problem);
    if (chooser->replacing)
        draw_replacing(session, enter);
    else if (chooser->making)
        draw_making(chooser);
    else
        draw_buttons(session);
    if (!chooser->open)
        return;
    if (escape && chooser->replacing) {
        oro_free(chooser->replacing);
        chooser->replacing = NULL;
    } else if (escape && chooser->making) {
        chooser->making = false;
    } else if (escape) {
        answer(session, NULL);
    } else if (enter && !replacing) {
        accept(session);
    }
}

void ed_chooser_draw(struct ed_session *session)
{
    struct ed_chooser *chooser = session->panels->chooser;
    if (!chooser->open)
        return;
    bool open = true;
    if (chooser->fresh) {
        oro_free(chooser->replacing);
        chooser->replacing = NULL;
        ui_popup_open(chooser->title);
    }
    if (ui_modal_begin(chooser->title, &open, 780 * ui_scale())) {
        draw_inside(session);
        chooser->fresh = false;
        ui_popup_end();
    } else if (!chooser->fresh) {
        open = false; /* it was closed from elsewhere */
    }
    if (!open)
        chooser->open = false;
    if (!chooser->open) {
        char *path = chooser->answer;
        chooser->answer = NULL;
        if (chooser->done)
            chooser->done(session, path, chooser->user);
        oro_free(path);
    }
}
