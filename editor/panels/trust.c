/* Asks whether the document's scripts may run within the program (graph/derived/trust.h). */
#include <stdio.h>

#include "editor/panels/panels_private.h"

static const char title[] = "Trust this project's scripts";

void ed_trust_free(struct ed_trust_dialog *asked)
{
    oro_used_scripts_free(&asked->used);
    oro_trust_free(&asked->trust);
}

void ed_trust_open(struct ed_session *session)
{
    struct ed_trust_dialog *asked = &session->panels->trust;
    struct oro_error err = {0};
    oro_used_scripts_free(&asked->used);
    oro_trust_refresh(&asked->trust, &session->log);
    asked->ask = oro_used_scripts_of(&asked->used, ed_project_root(session->project), &session->listed, &err);
    asked->problem[0] = '\0';
    ed_tell(session, asked->ask, &err);
}

/* How many of them are trusted. */
static size_t count_trusted(const struct ed_trust_dialog *asked)
{
    size_t count = 0;
    for (size_t i = 0; i < asked->used.count; i++)
        count += oro_trust_has(&asked->trust, asked->used.items[i].digest);
    return count;
}

static void draw_list(const struct ed_trust_dialog *asked)
{
    if (ui_child_begin("scripts", 0, 180 * ui_scale(), 0))
        for (size_t i = 0; i < asked->used.count; i++) {
            bool trusted = oro_trust_has(&asked->trust, asked->used.items[i].digest);
            ui_text_wrapped_coloured(ui_colour(trusted ? UI_MUTED : UI_TEXT), asked->used.items[i].name);
            if (trusted)
                ui_tooltip("It is trusted as it is now");
        }
    ui_child_end();
}

static bool change(struct ed_trust_dialog *asked, bool add)
{
    struct oro_error err = {0};
    bool ok = !add || oro_trust_add(&asked->trust, asked->used.items, asked->used.count, &err);
    for (size_t i = 0; ok && !add && i < asked->used.count; i++)
        ok = oro_trust_remove(&asked->trust, asked->used.items[i].digest, &err);
    if (!ok)
        snprintf(asked->problem, sizeof asked->problem, "%s", err.text);
    return ok;
}

static void draw_buttons(struct ed_trust_dialog *asked)
{
    size_t trusted = count_trusted(asked);
    ui_disabled_begin(trusted == asked->used.count);
    ui_name("trust:yes");
    bool add = ui_button_strong("Trust them", 0, 0);
    ui_disabled_end();
    ui_same_line(-1);
    ui_disabled_begin(trusted == 0);
    ui_name("trust:no-more");
    bool remove = ui_button("Trust them no more", 0, 0);
    ui_disabled_end();
    ui_same_line(-1);
    ui_name("trust:cancel");
    bool cancel = ui_button("Cancel", 0, 0) || ui_answered_no();
    if (cancel || ((add || remove) && change(asked, add)))
        ui_popup_close();
}

/* What changes is seen within a second, when the registries look at the disk. */
void ed_trust_draw(struct ed_session *session)
{
    struct ed_trust_dialog *asked = &session->panels->trust;
    if (asked->ask)
        ui_popup_open(title);
    asked->ask = false;
    asked->open = ui_modal_begin(title, NULL, 620 * ui_scale());
    if (!asked->open)
        return;
    ui_text_wrapped(
        asked->used.count == 0
            ? "This project uses no scripts but those that came with the program."
            : "These scripts run in a process of their own, which is ended when one of them hangs or fills "
              "the memory. If you trust them, they run within the program, which takes less time; a script "
              "that does not end would then stop the program, too. Trust what you wrote or have read. Trust "
              "is in the texts as they are now: a script that is changed is not trusted any more.");
    ui_spacing();
    if (asked->used.count > 0)
        draw_list(asked);
    ui_text_coloured(ui_colour(UI_BAD), "%s", asked->problem[0] ? asked->problem : " ");
    draw_buttons(asked);
    ui_popup_end();
}
