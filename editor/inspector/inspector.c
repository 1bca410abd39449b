#include "editor/inspector/inspector.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "editor/inspector/fields.h"
#include "editor/inspector/script.h"

struct ed_inspector *ed_inspector_create(void)
{
    struct ed_inspector *inspector = oro_alloc(1, sizeof *inspector);
    if (!inspector)
        return NULL;
    inspector->scratch = oro_alloc(ED_EDIT_BYTES, 1);
    inspector->edit.text = oro_alloc(ED_EDIT_BYTES, 1);
    inspector->edit.before = oro_alloc(ED_EDIT_BYTES, 1);
    inspector->script = ed_script_create();
    inspector->selected = -1;
    if (inspector->script && inspector->scratch && inspector->edit.text && inspector->edit.before)
        return inspector;
    ed_inspector_destroy(inspector);
    return NULL;
}

void ed_inspector_destroy(struct ed_inspector *inspector)
{
    if (!inspector)
        return;
    for (size_t i = 0; i < inspector->queued; i++)
        oro_free(inspector->queue[i].text);
    oro_free(inspector->queue);
    ed_presets_forget(inspector);
    oro_free(inspector->preset_over);
    ed_script_destroy(inspector->script);
    oro_free(inspector->scratch);
    oro_free(inspector->edit.text);
    oro_free(inspector->edit.before);
    oro_free(inspector);
}

/* ---- The panel ---- */

/* If a widget disappears while it is dragged, the drag's step ends, too. */
static void settle_drag(struct ed_session *session)
{
    if (ui_mouse_down(0) || ui_mouse_released(0))
        return;
    session->inspector->drag.pressed = false;
    if (session->inspector->gesture && !ui_typing())
        ed_act_end(session, NULL);
}

static void inspect(struct ed_session *session, const struct oro_doc_node *node)
{
    struct ed_inspector *inspector = session->inspector;
    const char *id = node ? node->id : "";
    if (strcmp(inspector->inspected, id) != 0) {
        snprintf(inspector->inspected, sizeof inspector->inspected, "%s", id);
        inspector->filter[0] = '\0';
        inspector->selected = -1;
        ed_refused_forget(inspector);
    }
    ed_describe_state("inspected", "%s", id);
    /* What folds and scrolls is remembered by node. */
    ui_id_push(node ? node->id : "##document");
    if (ui_child_begin("##inspected", 0, 0, 0)) {
        if (node)
            ed_node_draw(session, node);
        else
            ed_document_inspect(session);
        ui_dummy(1, 24 * ui_scale());
    }
    ui_child_end();
    ui_id_pop();
}

void ed_inspector_draw(struct ed_session *session, struct ui_rect rect)
{
    ed_describe_item("inspector", rect.x, rect.y, rect.w, rect.h, true);
    ed_text_settle(session);
    ed_script_settle(session);
    settle_drag(session);
    ed_later_run(session);
    if (ui_panel_begin("##inspector", rect, UI_NO_SCROLL))
        inspect(session, ed_selected_node(session));
    ui_panel_end();
    session->inspector->open_next = false;
    ed_later_run(session);
}
