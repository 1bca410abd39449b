/* Asks what a new script begins with, and where it lies. */
#include <stdio.h>

#include "editor/panels/panels_private.h"
#include "editor/project/script_templates.h"

static const char title[] = "New script";

void ed_new_script_open(struct ed_session *session)
{
    struct ed_new_script *asked = &session->panels->new_script;
    asked->ask = true;
    asked->problem[0] = '\0';
    if (!asked->name[0])
        snprintf(asked->name, sizeof asked->name, "my_script");
}

static void draw_choices(struct ed_session *session, struct ed_new_script *asked)
{
    for (int i = 0; ed_script_templates[i].form; i++) {
        ui_name("new-script:%s", ed_script_templates[i].form);
        if (ui_radio(ed_script_templates[i].form, asked->form == i))
            asked->form = i;
        ui_same_line(8 * ui_scale());
        ui_align_text();
        ui_text_coloured(ui_colour(UI_MUTED), "%s", ed_script_templates[i].doc);
    }
    ui_spacing();
    ui_disabled_begin(!ed_project_path(session->project)[0]);
    ui_name("new-script:file");
    ui_checkbox("As a file beside the document, which other documents there can use, too", &asked->file);
    ui_disabled_end();
    if (!asked->file)
        return;
    ui_name("new-script:name");
    ui_item_width(240 * ui_scale());
    ui_input("##name", "name of the node type", asked->name, sizeof asked->name, 0);
    ui_same_line(2 * ui_scale());
    ui_align_text();
    ui_text(".lua");
}

static bool make(struct ed_session *session, struct ed_new_script *asked)
{
    double x, y;
    char id[128];
    struct oro_error err = {0};
    bool file = asked->file && ed_project_path(session->project)[0];
    session->services->find_place(session, NULL, &x, &y);
    bool ok = ed_add_script(session->project, &ed_script_templates[asked->form], file ? asked->name : NULL, x,
                            y, id, &err);
    if (ok)
        session->services->show_node(session, id);
    else
        snprintf(asked->problem, sizeof asked->problem, "%s", err.text);
    return ok;
}

void ed_new_script_draw(struct ed_session *session)
{
    struct ed_new_script *asked = &session->panels->new_script;
    if (asked->ask)
        ui_popup_open(title);
    asked->ask = false;
    asked->open = ui_modal_begin(title, NULL, 560 * ui_scale());
    if (!asked->open)
        return;
    draw_choices(session, asked);
    ui_text_coloured(ui_colour(UI_BAD), "%s", asked->problem[0] ? asked->problem : " ");
    ui_name("new-script:make");
    bool yes = ui_button_strong("Make it", 0, 0) || ui_answered_yes();
    ui_same_line(-1);
    ui_name("new-script:cancel");
    if (ui_button("Cancel", 0, 0) || ui_answered_no() || (yes && make(session, asked)))
        ui_popup_close();
    ui_popup_end();
}
