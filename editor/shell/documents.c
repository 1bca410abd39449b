/* Opening and leaving, with questions where work could be lost. */
#include "base/memory.h"
#include "editor/canvas/canvas.h"
#include "editor/panels/panels.h"
#include "editor/project/opened.h"
#include "editor/shell/documents_private.h"
#include "editor/shell/kept_views.h"
#include "editor/view/views.h"
#include "lua/types/registry.h"

static const char *const documents_only[] = {".oro", NULL};

/* What the open question is about. */
static struct {
    void (*then)(struct ed_session *session, const char *text);
    char *text;
    bool ask, ask_build;
    double looked; /* when the disk was last checked for changes */
} question;

bool ed_question_begin(bool *ask, const char *title, float width)
{
    if (*ask)
        ui_popup_open(title);
    *ask = false;
    return ui_modal_begin(title, NULL, width * ui_scale());
}

void ed_question_proceed(struct ed_session *session)
{
    void (*then)(struct ed_session *, const char *) = question.then;
    char *text = question.text;
    question.then = NULL;
    question.text = NULL;
    if (then)
        then(session, text);
    oro_free(text);
}

void ed_question_give_up(struct ed_session *session)
{
    question.then = NULL;
    oro_free(question.text);
    question.text = NULL;
    ed_saving_dropped();
    session->asking = false;
    session->quit = false;
}

void ed_document_ask(struct ed_session *session, void (*then)(struct ed_session *session, const char *text),
                     const char *text)
{
    oro_free(question.text);
    question.then = then;
    question.text = oro_copy_text(text);
    if (ed_project_changed(session->project)) {
        question.ask = true;
        session->asking = true;
    } else {
        ed_question_proceed(session);
    }
}

/* ---- Leaving */

static void really_leave(struct ed_session *session, const char *text)
{
    (void)text;
    session->quit = session->leaving = true;
}

void ed_document_leave(struct ed_session *session)
{
    struct ed_build_status status = {.phase = ED_BUILD_DONE};
    if (session->build)
        ed_build_status(session->build, &status);
    if (status.phase == ED_BUILD_RUNNING)
        question.ask_build = session->asking = true;
    else
        ed_document_ask(session, really_leave, NULL);
}

/* ---- Opening */

static void forget_line(void *user, enum oro_level level, const char *text)
{
    (void)user, (void)level, (void)text;
}

/* What was said of the document that was open before goes with it. */
static void forget_messages(struct ed_session *session)
{
    struct ed_build_status build = {.phase = ED_BUILD_RUNNING};
    ed_live_log(session->live, forget_line, NULL);
    ed_messages_closed(&session->messages);
    session->messages.revision = ed_project_revision(session->project);
    if (session->build)
        ed_build_status(session->build, &build);
    if (build.phase != ED_BUILD_RUNNING) {
        ed_build_destroy(session->build);
        session->build = NULL;
    }
}

void ed_document_show(struct ed_session *session)
{
    forget_messages(session);
    ed_names_clear(&session->selection);
    session->lost.node[0] = '\0';
    ed_comparison_end(session);
    ed_canvas_reset(session);
    ed_views_reset(session);
    ed_look_first(session);
    ed_start_show(session, false);
}

static void really_new(struct ed_session *session, const char *text)
{
    struct oro_error err;
    (void)text;
    ed_kept_views_keep(session);
    if (!ed_project_new(session->project, &err)) {
        ed_failed(session, &err);
        return;
    }
    ed_safety_clear(session->safety);
    ed_document_show(session);
}

void ed_document_new(struct ed_session *session)
{
    ed_document_ask(session, really_new, NULL);
}

void ed_document_open_path(struct ed_session *session, const char *path, bool as_copy)
{
    struct oro_problems problems = {0};
    struct oro_error err = {0};
    ed_kept_views_keep(session);
    bool ok = as_copy ? ed_project_open_copy(session->project, path, &problems, &err)
                      : ed_project_open(session->project, path, &problems, &err);
    if (ok) {
        ed_safety_clear(session->safety);
        ed_document_show(session);
        if (!as_copy) {
            ed_kept_views_bring(session);
            ed_settings_recent(&session->settings, path);
            ed_settings_save(&session->settings, NULL, NULL);
            ed_offer_look(session);
        }
        for (size_t i = 0; i < problems.count; i++)
            if (!problems.items[i].error) /* errors are reported by the check */
                ed_message(&session->messages, ED_NOTICE, problems.items[i].node, "%s",
                           problems.items[i].text);
    } else {
        ed_failed(session, &err);
    }
    oro_problems_free(&problems);
}

static void really_open(struct ed_session *session, const char *path)
{
    ed_document_open_path(session, path, false);
}

static void really_open_copy(struct ed_session *session, const char *path)
{
    ed_document_open_path(session, path, true);
}

static void really_begin_with(struct ed_session *session, const char *path)
{
    ed_document_open_path(session, path, true);
    if (!ed_views_is_scene(session))
        ed_views_toggle_scene(session);
}

void ed_document_begin_with(struct ed_session *session, const char *path)
{
    ed_document_ask(session, really_begin_with, path);
}

static void chosen_to_open(struct ed_session *session, const char *path, void *user)
{
    (void)user;
    if (path)
        ed_document_open_path(session, path, false);
}

static void choose_to_open(struct ed_session *session, const char *text)
{
    (void)text;
    ed_choose_file(session, &(struct ed_file_question){
                                .title = "Open", .extensions = documents_only, .done = chosen_to_open});
}

void ed_document_open(struct ed_session *session, const char *path, bool as_copy)
{
    if (!path)
        ed_document_ask(session, choose_to_open, NULL);
    else
        ed_document_ask(session, as_copy ? really_open_copy : really_open, path);
}

/* ---- The questions */

static void draw_unsaved(struct ed_session *session)
{
    if (!ed_question_begin(&question.ask, "Unsaved changes", 420))
        return;
    const char *path = ed_project_path(session->project);
    ui_text("%s has changes that are not saved.", path[0] ? path : "The document");
    ui_spacing();
    if (ui_button_strong("Save", 120 * ui_scale(), 0) || ui_answered_yes()) {
        ui_popup_close();
        session->asking = false;
        ed_document_save_first(session);
    }
    ui_same_line(-1);
    if (ui_button("Discard", 120 * ui_scale(), 0)) {
        ui_popup_close();
        session->asking = false;
        ed_question_proceed(session);
    }
    ui_same_line(-1);
    if (ui_button("Cancel", 120 * ui_scale(), 0) || ui_answered_no()) {
        ui_popup_close();
        ed_question_give_up(session);
    }
    ui_popup_end();
}

static void draw_build(struct ed_session *session)
{
    if (!ed_question_begin(&question.ask_build, "A build is running", 420))
        return;
    ui_text_wrapped("Files that it has not written yet will not be written.");
    ui_spacing();
    if (ui_button_strong("Go on building", 0, 0) || ui_answered_yes() || ui_answered_no()) {
        ui_popup_close();
        ed_question_give_up(session);
    }
    ui_same_line(-1);
    if (ui_button("Stop it and leave", 0, 0)) {
        ui_popup_close();
        session->asking = false;
        ed_document_ask(session, really_leave, NULL);
    }
    ui_popup_end();
}

/* If scripts or graphs that define node types have changed, everything derived from the types is made anew.
 */
static void look_at_types(struct ed_session *session)
{
    oro_registry_refresh(&session->listed);
    if (!oro_registry_refresh(&session->registry))
        return;
    ed_project_types_changed(session->project);
    ed_panels_types_changed(session);
    ed_wake(session);
}

/* Edits of files that were opened in place change node types of the document. */
static void settle(struct ed_session *session)
{
    struct oro_error err;
    if (ed_project_settle(session->project, &err))
        ed_wake(session);
    ed_tell(session, !err.code, &err);
}

void ed_document_reload_scripts(struct ed_session *session)
{
    look_at_types(session);
    ed_live_touch(session->live);
    ed_message(&session->messages, ED_NOTICE, NULL,
               "Scripts and graphs were read again where they had changed");
}

/* Once a second, but not while the user is busy with something that a question would close. */
static void look_at_disk(struct ed_session *session)
{
    if (session->now - question.looked < 1 || session->asking || ui_any_popup() || ui_mouse_down(0))
        return;
    question.looked = session->now;
    look_at_types(session);
    ed_saving_look(session);
}

void ed_document_draw(struct ed_session *session)
{
    settle(session);
    look_at_disk(session);
    draw_build(session);
    draw_unsaved(session);
    ed_saving_draw(session);
    ed_read_only_draw(session);
    ed_offer_draw(session);
}
