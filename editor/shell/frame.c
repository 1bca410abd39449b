#include "editor/shell/frame.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "editor/panels/panels.h"
#include "editor/shell/commands.h"
#include "editor/shell/documents.h"
#include "editor/shell/panes.h"
#include "editor/ui/describe.h"
#include "graph/file/xml.h"

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

static void describe(const struct ed_session *session, uint64_t inputs)
{
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
    ed_describe_state("inputs", "%llu", (unsigned long long)inputs);
    ed_describe_state("asking", "%d", session->asking);
    char layout[ED_WORKSPACE_TEXT];
    ed_workspace_write(&session->workspace, layout);
    ed_describe_state("layout", "%s", layout);
    ed_describe_state("layout_name", "%s", session->settings.layout.name);
    ed_describe_state("maximised", "%s", ed_part_title(session->maximised));
    ed_describe_state("keys_in", "%s", ed_part_title(session->keys_in));
    describe_switches(session);
}

void ed_window_draw(struct ed_session *session, uint64_t inputs)
{
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
        session->arranged = (struct ed_arrangement){0};
        ed_start_draw(session, all);
    } else {
        ed_panes_draw(session, all);
    }
    ed_panels_draw(session);
    ed_document_draw(session);
    describe(session, inputs);
}
