/* Offers the recovery copy of a file that was opened, in whatever way, if it is newer than the file. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "editor/panels/panels.h"
#include "editor/shell/documents_private.h"
#include "editor/ui/describe.h"

static struct {
    struct oro_arena *arena; /* of the list */
    const struct ed_recovery *copy;
    bool ask;
    char differs[600];
} offer;

static void end(struct ed_session *session)
{
    oro_arena_destroy(offer.arena);
    offer.arena = NULL;
    offer.copy = NULL;
    session->asking = false;
}

void ed_offer_look(struct ed_session *session)
{
    struct ed_recoveries all;
    oro_arena_destroy(offer.arena);
    offer.arena = oro_arena_create();
    offer.copy = NULL;
    if (!offer.arena || !ed_recoveries_list(NULL, offer.arena, &all, NULL) ||
        !ed_recovery_of(&all, ed_project_path(session->project), &offer.copy) ||
        !ed_recovery_differs(offer.copy, session->project, offer.differs, sizeof offer.differs)) {
        oro_arena_destroy(offer.arena);
        offer.arena = NULL;
        return;
    }
    offer.ask = session->asking = true;
    ed_wake(session);
}

static void draw_buttons(struct ed_session *session)
{
    struct oro_error err;
    if (ui_button_strong("Recover the copy", 0, 0) || ui_answered_yes()) {
        ui_popup_close();
        ed_recover(session, offer.copy);
        end(session);
        return;
    }
    ui_same_line(-1);
    if (ui_button("Go on with the file", 0, 0) || ui_answered_no()) {
        ui_popup_close();
        end(session);
        return;
    }
    ui_tooltip("The copy is kept, and offered again.");
    ui_same_line(-1);
    if (ui_button("Delete the copy", 0, 0)) {
        ui_popup_close();
        ed_tell(session, ed_recovery_discard(offer.copy, &err), &err);
        end(session);
    }
}

void ed_offer_draw(struct ed_session *session)
{
    char when[64], saved[64];
    if (!offer.copy || !ed_question_begin(&offer.ask, "A newer copy", 520))
        return;
    struct oro_stamp file = oro_stamp_of(ed_project_path(session->project));
    ed_describe_state("copy_differs", "%s", offer.differs);
    ui_text_wrapped("The program ended before changes to this file were saved. A copy of them was kept.");
    ui_text_coloured(ui_colour(UI_MUTED), "%s", ed_project_path(session->project));
    ui_spacing();
    ui_text("Copy: %s", ed_time_text(offer.copy->seconds, when, sizeof when));
    ui_text("File: %s", ed_time_text(file.seconds, saved, sizeof saved));
    ui_text_wrapped(offer.differs);
    ui_spacing();
    draw_buttons(session);
    ui_popup_end();
}
