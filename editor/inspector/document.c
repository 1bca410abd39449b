/* The document in the inspector, shown while no node is chosen: title, groups, statistics. World, variables
 * and interface are in files of their own. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "editor/inspector/fields.h"
#include "graph/file/xml.h"
#include "graph/reuse/reuse.h"

/* ---- Title ---- */

static void act_title(struct ed_session *session, const struct ed_change *change)
{
    struct oro_error err = {0};
    struct oro_document *doc = ed_edit_begin_root(session->project, "Change the title", &err);
    ed_tell(session, ed_edit_end(session->project, doc && oro_edit_title(doc, change->text, &err), &err),
            &err);
}

static void draw_title(struct ed_session *session)
{
    const struct oro_document *root = ed_project_root(session->project);
    struct ui_rect all = ui_content();
    size_t depth = ed_project_depth(session->project);
    ui_draw_text(ui_draw_here(), UI_LARGE, 0, (struct ui_vec){all.x, all.y}, ui_colour(UI_TEXT),
                 depth ? "Group" : "Document", NULL);
    ui_dummy(all.w, ui_font_size(UI_LARGE) + 4 * ui_scale());
    if (depth) {
        ui_text_coloured(ui_colour(UI_MUTED), "inside of %s",
                         ed_project_entered(session->project, depth - 1));
        return;
    }
    struct ed_text_field title = {.name = "title",
                                  .id = "document",
                                  .part = "title",
                                  .text = oro_document_title(root),
                                  .hint = "untitled",
                                  .commit = act_title};
    title.width = ed_label_draw("Title", true);
    ed_text_draw(session, &title);
    ui_text_coloured(ui_colour(UI_MUTED), "Choose a node to see its settings here.");
}

/* ---- Groups ---- */

struct extraction {
    char group[128];
};

static void act_extract(struct ed_session *session, const struct ed_change *change)
{
    struct oro_error err = {0};
    const char *document = ed_project_path(session->project), *slash = strrchr(document, '/');
    char *href = ed_path_for(document, change->text), *folder = oro_copy_text(href ? href : "");
    char *end = folder ? strrchr(folder, '/') : NULL;
    if (folder)
        *(end ? end + 1 : folder) = '\0';
    bool ok = (href && folder && slash) ||
              oro_fail(&err, ORO_E_USAGE, "the group's file goes beside the document, which has no folder");
    ok = ok && (href[0] != '/' ||
                oro_fail(&err, ORO_E_USAGE, "the file must be in the document's folder, or below it"));
    struct oro_document *file = ok ? oro_reuse_file_of(ed_project_root(session->project), change->id, folder,
                                                       &session->registry, &err)
                                   : NULL;
    ok = file && oro_document_write(file, &session->registry, change->text, &err);
    struct oro_document *doc = ok ? ed_edit_begin_root(session->project, "Extract a group", &err) : NULL;
    if (doc)
        ok = ed_edit_end(session->project, oro_reuse_extract(doc, change->id, href, &err), &err);
    if (!ok || !doc)
        ed_failed(session, &err);
    oro_document_destroy(file);
    oro_free(href);
    oro_free(folder);
}

static void extract_chosen(struct ed_session *session, const char *path, void *user)
{
    struct extraction *extraction = user;
    if (path)
        ed_later(session, &(struct ed_change){.act = act_extract, .id = extraction->group, .text = path});
    oro_free(extraction);
}

static void ask_extract(struct ed_session *session, const char *group)
{
    char name[140];
    struct extraction *extraction = oro_alloc(1, sizeof *extraction);
    static const char *const extensions[] = {".oro", NULL};
    struct oro_error err = {0};
    if (!extraction)
        return;
    if (!ed_project_path(session->project)[0]) {
        oro_fail(&err, ORO_E_USAGE, "save the document first: the group's file goes beside it");
        ed_failed(session, &err);
        oro_free(extraction);
        return;
    }
    snprintf(extraction->group, sizeof extraction->group, "%s", group);
    snprintf(name, sizeof name, "%.120s.oro", group);
    struct ed_file_question question = {.title = "Extract the group to a file",
                                        .save = true,
                                        .name = name,
                                        .extensions = extensions,
                                        .done = extract_chosen,
                                        .user = extraction};
    session->services->choose_file(session, &question);
}

static void act_enter(struct ed_session *session, const struct ed_change *change)
{
    struct oro_error err = {0};
    if (!ed_project_enter(session->project, change->id, &err)) {
        ed_failed(session, &err);
        return;
    }
    ed_select(session, NULL, false);
    session->services->graph_entered(session);
}

static void act_remove_group(struct ed_session *session, const struct ed_change *change)
{
    struct oro_error err = {0};
    struct oro_document *doc = ed_edit_begin_root(session->project, "Remove a group", &err);
    ed_tell(session, ed_edit_end(session->project, doc && oro_edit_remove_group(doc, change->id, &err), &err),
            &err);
}

/* A node of the shown graph that uses a group; NULL: none. */
static const char *user_of(struct ed_session *session, const char *group)
{
    const struct oro_document *shown = ed_project_shown(session->project);
    for (size_t i = 0; i < oro_document_node_count(shown); i++) {
        const struct oro_doc_node *node = oro_document_node(shown, i);
        if (node->href && node->href[0] == '#' && strcmp(node->href + 1, group) == 0)
            return node->id;
    }
    return NULL;
}

static void draw_groups(struct ed_session *session)
{
    const struct oro_document *root = ed_project_root(session->project);
    size_t count = oro_document_group_count(root);
    ui_name("section:Groups");
    if (!count || !ui_header("Groups", true))
        return;
    for (size_t i = 0; i < count; i++) {
        const struct oro_doc_group *group = oro_document_group(root, i);
        const char *user = user_of(session, group->name);
        bool used = user || ed_group_is_used(root, group->name);
        float side = ui_widget_height();
        ui_id_push("group"); /* ports have rows of the same names */
        ui_id_push(group->name);
        struct ui_rect all = ui_content();
        ui_align_text();
        ui_text("%s", group->name);
        ui_same_line(6 * ui_scale());
        ui_text_coloured(ui_colour(UI_MUTED), "%zu node%s%s", oro_document_node_count(group->body),
                         oro_document_node_count(group->body) == 1 ? "" : "s",
                         user   ? ""
                         : used ? ", used in another graph"
                                : ", not used");
        ui_cursor_set((struct ui_vec){all.x + all.w - 3 * side, all.y});
        ui_name("group:enter:%s", group->name);
        if (user && ui_icon_button("##enter", UI_ICON_RIGHT, false, "Look inside"))
            ed_later(session, &(struct ed_change){.act = act_enter, .id = user});
        ui_cursor_set((struct ui_vec){all.x + all.w - 2 * side, all.y});
        ui_name("group:extract:%s", group->name);
        if (ui_icon_button("##extract", UI_ICON_SAVE, false,
                           "Extract to a file of its own, to use it elsewhere"))
            ask_extract(session, group->name);
        ui_cursor_set((struct ui_vec){all.x + all.w - side, all.y});
        ui_name("group:remove:%s", group->name);
        ui_disabled_begin(used);
        if (ui_icon_button("##remove", UI_ICON_CLOSE, false, used ? "It is in use" : "Remove it"))
            ed_later(session, &(struct ed_change){.act = act_remove_group, .id = group->name});
        ui_disabled_end();
        ui_id_pop();
        ui_id_pop();
    }
}

/* ---- Figures ---- */

static void fact(const char *label, const char *text)
{
    ed_label_draw(label, false);
    ui_align_text();
    ui_text("%s", text);
}

static void draw_statistics(struct ed_session *session)
{
    const struct oro_document *shown = ed_project_shown(session->project);
    struct ed_live_status status = {0};
    char text[600];
    ui_name("section:Statistics");
    if (!ui_header("Statistics", true))
        return;
    if (session->live)
        ed_live_status(session->live, &status);
    size_t links = 0, nodes = oro_document_node_count(shown);
    for (size_t i = 0; i < nodes; i++)
        for (size_t k = 0; k < oro_document_node(shown, i)->input_count; k++)
            links += oro_document_node(shown, i)->inputs[k].from_node != NULL;
    snprintf(text, sizeof text, "%zu node%s, %zu link%s", nodes, nodes == 1 ? "" : "s", links,
             links == 1 ? "" : "s");
    fact("Graph", text);
    ed_describe_state("statistics", "%s", text);
    fact("Device", status.device[0] ? status.device : status.opening ? "opening" : "none");
    snprintf(text, sizeof text, "%.0f MB", (double)status.device_bytes / 1e6);
    fact("Memory", text);
    snprintf(text, sizeof text, "%.0f MB", (double)status.cache_bytes / 1e6);
    fact("Cache", text);
    snprintf(text, sizeof text, "%s",
             status.problem[0] ? status.problem
             : status.busy     ? "running"
             : status.complete ? "complete"
                               : "waiting");
    fact("Evaluation", text);
}

void ed_document_inspect(struct ed_session *session)
{
    draw_title(session);
    ui_spacing();
    if (ed_project_depth(session->project) == 0) {
        ed_inspect_world(session);
        ui_spacing();
    }
    ed_inspect_variables(session);
    ui_spacing();
    ed_inspect_interface(session);
    ui_spacing();
    draw_groups(session);
    ui_spacing();
    draw_statistics(session);
}
