/* The history: steps of this document, its versions, and what differs between two of them. */
#include <stdio.h>
#include <string.h>

#include "editor/panels/panels_private.h"
#include "editor/project/kept_history.h"
#include "editor/session/comparison.h"

static const char now[] = "now";

void ed_panel_history_open(struct ed_session *session)
{
    struct ed_history_panel *panel = &session->panels->history;
    panel->open = true;
    panel->listed = false;
    ed_wake(session);
}

void ed_panel_history_keep_version(struct ed_session *session)
{
    ed_panel_history_open(session);
    session->panels->history.focus = true;
}

void ed_history_panel_free(struct ed_history_panel *panel)
{
    oro_arena_destroy(panel->arena);
    panel->arena = NULL;
}

/* ---- Steps */

static void go_to(struct ed_session *session, size_t done)
{
    struct oro_error err;
    ed_tell(session, ed_project_go_to_step(session->project, done, &err), &err);
    ed_wake(session);
}

static void draw_step(struct ed_session *session, size_t step, size_t done)
{
    const char *name = step > 0 ? ed_project_step_name(session->project, step - 1) : "The beginning";
    char label[200];
    ui_id_push_index((int)step);
    ui_name("step:%zu", step);
    snprintf(label, sizeof label, "%s##step", name[0] ? name : "edit");
    if (ui_selectable(label, step == done, 0) && step != done)
        go_to(session, step);
    ui_id_pop();
}

static void draw_kept(struct ed_session *session)
{
    struct oro_error err;
    struct ed_history_panel *panel = &session->panels->history;
    ui_disabled_begin(!ed_project_path(session->project)[0]);
    ui_name("history:kept");
    if (ui_checkbox("Keep the steps when it is closed", &panel->kept))
        ed_tell(session, ed_history_keep(session->project, panel->kept, &err), &err);
    ui_disabled_end();
    ui_tooltip(
        "The next time that the document is opened, they can still be undone. Strokes of the brush are "
        "not kept.");
}

static void draw_steps(struct ed_session *session)
{
    size_t done, count = ed_project_steps(session->project, &done);
    ui_font_push(UI_BOLD);
    ui_text("Steps");
    ui_font_pop();
    draw_kept(session);
    if (ui_child_begin("steps", 0, 0, UI_BORDERED))
        for (size_t step = count + 1; step-- > 0;)
            draw_step(session, step, done);
    ui_child_end();
}

/* ---- Versions */

/* Once a second, since other programs see the folder, too. */
static void list(struct ed_session *session)
{
    struct oro_error err;
    struct ed_history_panel *panel = &session->panels->history;
    const char *path = ed_project_path(session->project);
    if (panel->listed && session->now - panel->looked < 1 && strcmp(panel->path, path) == 0)
        return;
    panel->listed = true;
    panel->looked = session->now;
    snprintf(panel->path, sizeof panel->path, "%s", path);
    panel->kept = ed_history_is_kept(session->project);
    ed_history_panel_free(panel);
    panel->arena = oro_arena_create();
    panel->versions = (struct ed_versions){0};
    if (panel->arena && !ed_versions_list(path, panel->arena, &panel->versions, &err))
        ed_failed(session, &err);
}

static void keep_version(struct ed_session *session)
{
    struct oro_error err;
    struct ed_history_panel *panel = &session->panels->history;
    bool ok = ed_version_keep(session->project, panel->typed, &err);
    ed_tell(session, ok, &err);
    if (ok) {
        ed_message(&session->messages, ED_NOTICE, NULL, "Kept as \xe2\x80\x9c%s\xe2\x80\x9d", panel->typed);
        panel->typed[0] = '\0';
    }
    panel->listed = false;
    ed_wake(session);
}

static void draw_keep(struct ed_session *session)
{
    struct ed_history_panel *panel = &session->panels->history;
    if (!ed_project_path(session->project)[0]) {
        ui_text_wrapped("Versions lie beside the document's file: save it first.");
        return;
    }
    if (panel->focus)
        ui_focus_next();
    panel->focus = false;
    ui_item_width(-110 * ui_scale());
    ui_name("version-name");
    bool enter = ui_input("##name", "Name of a version", panel->typed, sizeof panel->typed, UI_ENTER);
    ui_same_line(-1);
    ui_disabled_begin(!panel->typed[0]);
    ui_name("version-keep");
    if ((ui_button("Keep", 100 * ui_scale(), 0) || enter) && panel->typed[0])
        keep_version(session);
    ui_disabled_end();
}

/* `after` NULL: the document as it is. */
static void compare(struct ed_session *session, const struct ed_version *before,
                    const struct ed_version *after)
{
    struct oro_error err;
    struct oro_document *docs[2] = {ed_version_read(session->project, before, &err), NULL};
    bool ok = docs[0];
    if (ok && after)
        ok = (docs[1] = ed_version_read(session->project, after, &err)) != NULL;
    if (ok) {
        ed_comparison_end(session);
        session->comparison = ed_comparison_create(session->project, docs[0], before->name, docs[1],
                                                   after ? after->name : now, &err);
    } else {
        oro_document_destroy(docs[0]);
    }
    ok = ok && session->comparison;
    ed_tell(session, ok, &err);
    ed_wake(session);
}

static void bring_back(struct ed_session *session, const struct ed_version *version)
{
    struct oro_error err;
    bool ok = ed_version_bring_back(session->project, version, &err);
    ed_tell(session, ok, &err);
    if (ok)
        ed_message(&session->messages, ED_NOTICE, NULL, "The document is as in \xe2\x80\x9c%s\xe2\x80\x9d",
                   version->name);
    ed_wake(session);
}

static void draw_removal(struct ed_session *session, const struct ed_version *version)
{
    struct oro_error err;
    if (!ui_popup_begin("remove"))
        return;
    ui_text("Remove \xe2\x80\x9c%s\xe2\x80\x9d from the disk?", version->name);
    ui_name("version-remove-yes");
    if (ui_button_strong("Remove", 0, 0) || ui_answered_yes()) {
        ed_tell(session, ed_version_remove(version, &err), &err);
        session->panels->history.listed = false;
        ui_popup_close();
    }
    ui_same_line(-1);
    if (ui_button("Cancel", 0, 0) || ui_answered_no())
        ui_popup_close();
    ui_popup_end();
}

static void draw_version(struct ed_session *session, size_t index)
{
    struct ed_history_panel *panel = &session->panels->history;
    const struct ed_version *version = &panel->versions.items[index];
    ui_id_push_index((int)index);
    ui_table_row();
    ui_table_next();
    ui_text_wrapped(version->name);
    ui_text_coloured(ui_colour(UI_MUTED), "%s", version->when);
    ui_table_next();
    ui_name("version-compare:%zu", index);
    if (ui_small_button("Compare"))
        compare(session, version, NULL);
    ui_tooltip("Shows what has changed since");
    if (index + 1 < panel->versions.count) {
        ui_same_line(-1);
        ui_name("version-before:%zu", index);
        if (ui_small_button("With the older"))
            compare(session, &panel->versions.items[index + 1], version);
        ui_tooltip("Shows what had changed since \xe2\x80\x9c%s\xe2\x80\x9d",
                   panel->versions.items[index + 1].name);
    }
    ui_same_line(-1);
    ui_name("version-back:%zu", index);
    if (ui_small_button("Bring back"))
        bring_back(session, version);
    ui_tooltip("The document becomes what it was then; this can be undone");
    ui_same_line(-1);
    ui_name("version-remove:%zu", index);
    if (ui_small_button("Remove"))
        ui_popup_open("remove");
    draw_removal(session, version);
    ui_id_pop();
}

static void draw_versions(struct ed_session *session)
{
    const struct ed_versions *versions = &session->panels->history.versions;
    ui_font_push(UI_BOLD);
    ui_text("Versions");
    ui_font_pop();
    draw_keep(session);
    if (versions->count == 0 || !ui_table_begin("versions", 2, UI_TABLE_ROWS))
        return;
    ui_table_column("name", 0);
    ui_table_column("what", 350 * ui_scale());
    for (size_t i = 0; i < versions->count && session->panels->history.listed; i++)
        draw_version(session, i);
    ui_table_end();
}

/* ---- What differs */

static const char *value_text(const char *value)
{
    return value ? value : "(not set)";
}

static void draw_difference(struct ed_session *session, const struct oro_difference *difference, int index)
{
    static const enum ui_colour colours[ORO_DIFFERENCE_KINDS] = {UI_GOOD, UI_BAD, UI_WARNING, UI_WARNING,
                                                                 UI_MUTED};
    const char *shown = ed_project_shown_group(session->project);
    bool here = difference->of == ORO_OF_NODE && strcmp(difference->group, shown) == 0 &&
                oro_document_find(ed_project_shown(session->project), difference->name);
    ui_id_push_index(index);
    ui_table_row();
    ui_table_next();
    ui_text_coloured(ui_colour(colours[difference->kind]), "%s", oro_difference_kind_name(difference->kind));
    ui_table_next();
    ui_name("difference:%d", index);
    if (here && ui_link(difference->name))
        session->services->show_node(session, difference->name);
    if (!here)
        ui_text_wrapped(difference->name[0] ? difference->name : oro_difference_of_name(difference->of));
    if (difference->group[0] && strcmp(difference->group, shown) != 0)
        ui_text_coloured(ui_colour(UI_MUTED), "in %s", difference->group);
    ui_table_next();
    char text[600] = "";
    if (difference->part[0])
        snprintf(text, sizeof text, "%s: %.200s \xe2\x86\x92 %.200s", difference->part,
                 value_text(difference->before), value_text(difference->after));
    else if (difference->kind == ORO_RENAMED)
        snprintf(text, sizeof text, "was %.200s", difference->before);
    else if (difference->kind != ORO_MOVED)
        snprintf(text, sizeof text, "%s", oro_difference_of_name(difference->of));
    ui_text_wrapped(text);
    ui_id_pop();
}

static size_t count_shown(const struct ed_comparison *comparison)
{
    size_t count = 0;
    for (size_t i = 0; i < comparison->differences.count; i++)
        count += comparison->differences.items[i].kind != ORO_MOVED;
    return count;
}

static void draw_comparison(struct ed_session *session)
{
    const struct ed_comparison *comparison = ed_comparison(session);
    if (!comparison)
        return;
    ui_spacing();
    ui_font_push(UI_BOLD);
    ui_text("From \xe2\x80\x9c%s\xe2\x80\x9d to %s%s%s", comparison->before_name,
            comparison->after ? "\xe2\x80\x9c" : "", comparison->after_name,
            comparison->after ? "\xe2\x80\x9d" : "");
    ui_font_pop();
    ui_text("%zu differences, marked on the canvas", count_shown(comparison));
    ui_same_line(-1);
    ui_name("comparison-end");
    if (ui_small_button("End the comparison")) {
        ed_comparison_end(session);
        return;
    }
    if (ui_child_begin("differences", 0, 0, UI_BORDERED) && ui_table_begin("list", 3, UI_TABLE_ROWS)) {
        ui_table_column("kind", 80 * ui_scale());
        ui_table_column("what", 150 * ui_scale());
        ui_table_column("values", 0);
        for (size_t i = 0; i < comparison->differences.count; i++)
            if (comparison->differences.items[i].kind != ORO_MOVED)
                draw_difference(session, &comparison->differences.items[i], (int)i);
        ui_table_end();
    }
    ui_child_end();
}

static void describe(struct ed_session *session)
{
    const struct ed_comparison *comparison = ed_comparison(session);
    size_t done;
    if (!ed_describing())
        return;
    ed_describe_state("versions", "%zu", session->panels->history.versions.count);
    ed_describe_state("steps", "%zu", ed_project_steps(session->project, &done));
    ed_describe_state("steps_done", "%zu", done);
    ed_describe_state("differences", "%d", comparison ? (int)count_shown(comparison) : -1);
}

void ed_history_panel_draw(struct ed_session *session)
{
    struct ed_history_panel *panel = &session->panels->history;
    if (!panel->open)
        return;
    list(session);
    if (ui_window_begin("History", &panel->open, 860 * ui_scale(), 520 * ui_scale(), UI_NO_SCROLL)) {
        if (ui_child_begin("left", 260 * ui_scale(), 0, 0))
            draw_steps(session);
        ui_child_end();
        ui_same_line(12 * ui_scale());
        if (ui_child_begin("right", 0, 0, 0)) {
            draw_versions(session);
            draw_comparison(session);
        }
        ui_child_end();
    }
    ui_window_end();
    describe(session);
}
