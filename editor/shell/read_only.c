/* The question when a graph that comes with the program is edited: it becomes one's own first. */
#include <stdio.h>
#include <string.h>

#include "editor/canvas/canvas.h"
#include "editor/project/opened.h"
#include "editor/shell/documents_private.h"

static const char title[] = "Make it your own?";

/* The level at which the shown file was entered: it is used by a node there. */
static size_t level_of_file(const struct ed_session *session)
{
    size_t level = ed_project_depth(session->project);
    while (level > 0 && !ed_project_entered_file(session->project, level - 1))
        level--;
    return level > 0 ? level - 1 : 0;
}

/* The same place is shown afterwards, but in a group of the document. */
static void embed(struct ed_session *session)
{
    struct ed_project *project = session->project;
    struct ed_names way = {0};
    struct oro_error err;
    size_t level = level_of_file(session);
    bool ok = true;
    for (size_t i = level; ok && i < ed_project_depth(project); i++)
        ok = ed_names_add(&way, ed_project_entered(project, i));
    if (ok && way.count > 0) {
        ed_canvas_leave_to(session, level);
        ok = ed_embed(project, way.items[0], &err);
        ed_tell(session, ok, &err);
    }
    for (size_t i = 0; ok && i < way.count; i++)
        ed_canvas_enter_node(session, way.items[i]);
    ed_names_free(&way);
}

static void keep(struct ed_session *session)
{
    size_t level = level_of_file(session);
    char node[128];
    const char *entered = ed_project_entered(session->project, level);
    if (!entered)
        return;
    snprintf(node, sizeof node, "%s", entered);
    ed_canvas_leave_to(session, level);
    session->services->keep(session, ED_KEEP_GRAPH, node);
}

void ed_read_only_draw(struct ed_session *session)
{
    const char *file = ed_project_shown_file(session->project);
    if (ed_project_was_refused(session->project) && file)
        ui_popup_open(title);
    if (!ui_modal_begin(title, NULL, 460 * ui_scale()))
        return;
    const char *slash = file ? strrchr(file, '/') : NULL;
    ui_text("%s is read-only: other documents use it as it is.", slash ? slash + 1 : "This graph");
    ui_text_wrapped(
        "As a group of this document it can be changed here; in your library, for all your documents.");
    ui_spacing();
    ui_name("read-only:embed");
    if (ui_button_strong("Embed here", 0, 0) || ui_answered_yes()) {
        ui_popup_close();
        embed(session);
    }
    ui_same_line(-1);
    if (ui_button("Save to my library…", 0, 0)) {
        ui_popup_close();
        keep(session);
    }
    ui_same_line(-1);
    if (ui_button("Cancel", 0, 0) || ui_answered_no())
        ui_popup_close();
    ui_popup_end();
}
