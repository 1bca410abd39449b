/* Saving, and what is asked where it fails or another program has changed the file. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "editor/panels/panels.h"
#include "editor/project/opened.h"
#include "editor/shell/documents_private.h"
#include "editor/tools/paint_tool.h"
#include "editor/view/views.h"

static const char *const documents_only[] = {".oro", NULL};

static struct {
    bool proceeds; /* something was to follow the save */
    bool ask_disk, ask_failed;
    bool saving;       /* the question about the disk comes from a save */
    char changed[512]; /* what another program has done; "": it has changed the document's file */
    char why[512];     /* the save failed */
    char *path;        /* that the failed save was for; NULL: the document's own */
    bool over;         /* and whether it was to replace whatever is there */
} save;

void ed_saving_dropped(void)
{
    save.proceeds = false;
}

static void saved(struct ed_session *session)
{
    ed_safety_clear(session->safety);
    ed_settings_recent(&session->settings, ed_project_path(session->project));
    ed_settings_save(&session->settings, NULL, NULL);
    ed_message(&session->messages, ED_NOTICE, NULL, "Saved %s", ed_project_path(session->project));
    bool proceeds = save.proceeds;
    save.proceeds = false;
    if (proceeds)
        ed_question_proceed(session);
}

/* What follows the save waits for the answer. */
static void failed(struct ed_session *session, const char *path, bool over, const struct oro_error *err)
{
    char *kept = path ? oro_copy_text(path) : NULL;
    oro_free(save.path);
    save.path = kept;
    save.over = over;
    session->asking = true;
    if (err->code == ORO_E_FILE) {
        snprintf(save.changed, sizeof save.changed, "%.500s", err->text);
        save.ask_disk = save.saving = true;
    } else {
        snprintf(save.why, sizeof save.why, "%.500s", err->text);
        save.ask_failed = true;
    }
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Whoever changes a graph that others use is told whose. */
static void tell_files(struct ed_session *session, const struct ed_names *files)
{
    const struct ed_settings *settings = &session->settings;
    size_t recent = 0;
    while (recent < ED_RECENT_MAX && settings->recent[recent])
        recent++;
    for (size_t i = 0; i < files->count; i++) {
        struct ed_names users = {0};
        struct oro_text text = {0};
        ed_file_users(files->items[i], ed_project_path(session->project),
                      (const char *const *)settings->recent, recent, &users);
        for (size_t k = 0; k < users.count && k < 3; k++)
            oro_text_addf(&text, "%s%s", k ? ", " : "; also used by ", last_part(users.items[k]));
        if (users.count > 3)
            oro_text_addf(&text, " and %zu more", users.count - 3);
        ed_message(&session->messages, ED_NOTICE, NULL, "Saved %s%s", last_part(files->items[i]),
                   text.data && !text.failed ? text.data : "");
        oro_text_free(&text);
        ed_names_free(&users);
    }
}

static void save_to(struct ed_session *session, const char *path, bool over)
{
    struct oro_error err = {0};
    struct ed_names files = {0};
    ed_project_settle(session->project, &err); /* a failure is one of saving, too */
    ed_project_changed_files(session->project, &files);
    if (ed_paint_save(session, path, over, &err)) {
        tell_files(session, &files);
        saved(session);
    } else {
        failed(session, path, over, &err);
    }
    ed_names_free(&files);
}

static void chosen_to_save(struct ed_session *session, const char *path, void *user)
{
    char *with_extension = NULL;
    (void)user;
    if (!path) {
        ed_question_give_up(session);
        return;
    }
    if (strcmp(oro_path_extension(path), "oro") != 0) {
        size_t size = strlen(path) + 5;
        with_extension = oro_alloc(size, 1);
        if (with_extension)
            snprintf(with_extension, size, "%s.oro", path);
    }
    save_to(session, with_extension ? with_extension : path, true);
    oro_free(with_extension);
}

void ed_document_save_as(struct ed_session *session)
{
    const char *path = ed_project_path(session->project), *slash = strrchr(path, '/');
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 0, path);
    bool own = folder[0] && access(folder, W_OK) == 0;
    ed_choose_file(session,
                   &(struct ed_file_question){.title = "Save as",
                                              .folder = own ? folder : NULL,
                                              .save = true,
                                              .name = path[0] ? (slash ? slash + 1 : path) : "terrain.oro",
                                              .extensions = documents_only,
                                              .done = chosen_to_save});
}

void ed_document_save(struct ed_session *session)
{
    if (ed_project_path(session->project)[0])
        save_to(session, NULL, false);
    else
        ed_document_save_as(session);
}

void ed_document_save_first(struct ed_session *session)
{
    save.proceeds = true;
    ed_document_save(session);
}

/* ---- The questions */

static void end_question(struct ed_session *session)
{
    ui_popup_close();
    session->asking = false;
}

/* Why it may have failed, where the system's words leave that open. */
static const char *hint_of(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 0, path);
    if (folder[0] && access(folder, F_OK) != 0)
        return "Its folder is not there any more.";
    return "Nothing is lost: the document is open, and a copy of what is not saved is kept.";
}

static void draw_failed(struct ed_session *session)
{
    if (!ed_question_begin(&save.ask_failed, "Not saved", 480))
        return;
    const char *path = save.path ? save.path : ed_project_path(session->project);
    ed_describe_state("save_failed", "%s", save.why);
    ui_text_wrapped(save.why);
    ui_spacing();
    ui_text_coloured(ui_colour(UI_MUTED), "%s", hint_of(path));
    ui_spacing();
    if (ui_button_strong("Save as…", 0, 0) || ui_answered_yes()) {
        end_question(session);
        ed_document_save_as(session);
    }
    ui_same_line(-1);
    if (ui_button("Try again", 0, 0)) {
        char *again = save.path;
        save.path = NULL;
        end_question(session);
        save_to(session, again, save.over);
        oro_free(again);
    }
    ui_same_line(-1);
    if (ui_button("Cancel", 0, 0) || ui_answered_no()) {
        end_question(session);
        ed_question_give_up(session);
    }
    ui_popup_end();
}

static void load_anew(struct ed_session *session)
{
    char *path = oro_copy_text(ed_project_path(session->project));
    end_question(session);
    ed_question_give_up(session); /* drops what was to follow the save */
    if (path)
        ed_document_open_path(session, path, false);
    oro_free(path);
}

static void draw_disk(struct ed_session *session)
{
    if (!ed_question_begin(&save.ask_disk, "Changed on disk", 460))
        return;
    if (save.changed[0]) {
        ui_text_wrapped(save.changed);
    } else {
        ui_text_wrapped("Another program has changed the file since it was opened here.");
        ui_text_coloured(ui_colour(UI_MUTED), "%s", ed_project_path(session->project));
    }
    if (ed_project_changed(session->project))
        ui_text_wrapped("There are changes here, too, that are not saved: loading it anew drops them.");
    ui_spacing();
    if (ui_button("Load it anew", 0, 0))
        load_anew(session);
    ui_same_line(-1);
    if (ui_button("Save mine over it", 0, 0)) {
        end_question(session);
        save_to(session, NULL, true);
    }
    ui_same_line(-1);
    if (ui_button("Save as…", 0, 0)) {
        end_question(session);
        ed_document_save_as(session);
    }
    ui_same_line(-1);
    if (ui_button(save.saving ? "Cancel" : "Go on", 0, 0) || ui_answered_no()) {
        end_question(session);
        if (!save.saving) /* a save that was given up overwrites nothing later, either */
            ed_project_disk_known(session->project);
        ed_question_give_up(session);
    }
    ui_popup_end();
}

void ed_saving_look(struct ed_session *session)
{
    enum ed_disk disk = ed_project_disk(session->project);
    if (disk == ED_DISK_GONE) {
        ed_message(&session->messages, ED_WARNING, NULL, "%s is gone from the disk; saving writes it anew",
                   ed_project_path(session->project));
        ed_project_disk_known(session->project);
    } else if (disk == ED_DISK_CHANGED) {
        save.changed[0] = '\0';
        save.saving = false;
        save.ask_disk = session->asking = true;
    }
}

void ed_saving_draw(struct ed_session *session)
{
    draw_failed(session);
    draw_disk(session);
}
