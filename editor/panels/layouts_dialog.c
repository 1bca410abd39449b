/* The layouts of the window: saved under names, renamed, removed. */
#include <stdio.h>
#include <string.h>

#include "editor/panels/panels_private.h"
#include "editor/session/panes.h"

void ed_layouts_open(struct ed_session *session)
{
    struct ed_layouts_dialog *dialog = &session->panels->layouts;
    *dialog = (struct ed_layouts_dialog){.open = true, .began = true};
    if (!ed_layout_came(session->settings.layout.name))
        snprintf(dialog->name, sizeof dialog->name, "%s", session->settings.layout.name);
}

static void keep_settings(struct ed_session *session)
{
    struct oro_error err = {0};
    ed_tell(session, ed_settings_save(&session->settings, NULL, &err), &err);
}

static void rename_layout(struct ed_session *session)
{
    struct ed_layouts_dialog *dialog = &session->panels->layouts;
    struct ed_settings *settings = &session->settings;
    struct oro_error err = {0};
    if (!ed_layout_rename(&settings->layouts, dialog->renamed, dialog->to, &err)) {
        ed_failed(session, &err);
        return;
    }
    if (strcmp(settings->layout.name, dialog->renamed) == 0)
        snprintf(settings->layout.name, sizeof settings->layout.name, "%s", dialog->to);
    dialog->renamed[0] = '\0';
    keep_settings(session);
}

/* False: the list is another one now. */
static bool draw_own(struct ed_session *session, const struct ed_layout *layout)
{
    struct ed_layouts_dialog *dialog = &session->panels->layouts;
    bool came = ed_layout_came(layout->name);
    ui_name("layout-remove:%s", layout->name);
    if (ui_small_button(came ? "As it came" : "Remove")) {
        ed_layout_remove(&session->settings.layouts, layout->name);
        keep_settings(session);
        return false;
    }
    if (came)
        return true;
    ui_same_line(-1);
    ui_name("layout-rename:%s", layout->name);
    if (ui_small_button("Rename")) {
        snprintf(dialog->renamed, sizeof dialog->renamed, "%s", layout->name);
        snprintf(dialog->to, sizeof dialog->to, "%s", layout->name);
    }
    return true;
}

static bool draw_row(struct ed_session *session, const struct ed_layout *layout)
{
    struct ed_layouts_dialog *dialog = &session->panels->layouts;
    bool kept = true;
    ui_table_row();
    ui_table_next();
    ui_id_push(layout->name);
    if (strcmp(dialog->renamed, layout->name) == 0) {
        ui_name("layout-to");
        ui_item_width(-1);
        if (ui_input("##to", "New name", dialog->to, sizeof dialog->to, UI_ENTER | UI_SELECT_ALL)) {
            rename_layout(session);
            kept = false;
        }
    } else if (ui_selectable(layout->name, strcmp(layout->name, session->settings.layout.name) == 0, 0)) {
        ed_layout_use(session, layout->name);
    }
    ui_table_next();
    if (kept && ed_layout_is_own(&session->settings.layouts, layout->name))
        kept = draw_own(session, layout);
    ui_id_pop();
    return kept;
}

static void draw_list(struct ed_session *session)
{
    const struct ed_layout *layout;
    if (!ui_table_begin("layouts", 2, UI_TABLE_ROWS))
        return;
    ui_table_column("name", 0);
    ui_table_column("what", 170 * ui_scale());
    for (int i = 0; (layout = ed_layout_at(&session->settings.layouts, i)) != NULL; i++)
        if (!draw_row(session, layout))
            break;
    ui_table_end();
}

static void draw_save(struct ed_session *session)
{
    struct ed_layouts_dialog *dialog = &session->panels->layouts;
    struct oro_error err = {0};
    ui_text_coloured(ui_colour(UI_MUTED), "Save the window as it is divided now:");
    if (dialog->began)
        ui_focus_next();
    dialog->began = false;
    ui_name("layout-name");
    ui_item_width(-90 * ui_scale());
    bool save = ui_input("##name", "Name of the layout", dialog->name, sizeof dialog->name, UI_ENTER);
    ui_same_line(-1);
    ui_disabled_begin(!dialog->name[0]);
    ui_name("layout-save");
    save = ui_button("Save", 80 * ui_scale(), 0) || save;
    ui_disabled_end();
    if (!save || !dialog->name[0])
        return;
    if (ed_layout_save(session, dialog->name, &err))
        dialog->open = false;
    else
        ed_failed(session, &err);
}

void ed_layouts_draw(struct ed_session *session)
{
    struct ed_layouts_dialog *dialog = &session->panels->layouts;
    if (!dialog->open)
        return;
    if (ui_window_begin("Layouts", &dialog->open, 420 * ui_scale(), 360 * ui_scale(), 0)) {
        draw_save(session);
        ui_spacing();
        ui_separator();
        ui_spacing();
        draw_list(session);
    }
    ui_window_end();
}
