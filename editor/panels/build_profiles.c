/* Builds that the document names: taken over by the dialog, and kept from it. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "editor/panels/build_rows.h"
#include "editor/session/world.h"
#include "graph/document/variable.h"

/* The cells that a build asks for; the world's own where it asks for none, or cannot be understood. */
static bool resolution_of(struct ed_session *session, const struct oro_doc_build *build, double *cells,
                          struct oro_error *err)
{
    const struct oro_document *root = ed_project_main(session->project);
    const char *text = build->resolution;
    *cells = ed_world(session).resolution;
    if (!text || (text[0] != '=' && oro_parse_number(text, cells)))
        return true;
    struct oro_variables *variables = oro_variables_of(root, root, &session->registry, err);
    bool ok = variables && oro_variables_evaluate(variables, text + (text[0] == '='), cells, err);
    oro_variables_destroy(variables);
    return ok;
}

static void take_over(struct ed_session *session, struct ed_build_dialog *dialog,
                      const struct oro_doc_build *build)
{
    struct oro_error err = {0};
    double cells;
    bool ok = resolution_of(session, build, &cells, &err);
    dialog->engine = oro_engine_find(build->engine);
    dialog->resolution = cells >= 1 && cells <= ORO_GRID_MAX ? (int)(cells + 0.5) : dialog->resolution;
    ok = ok && ed_build_rows_choose(session, dialog, build, &err);
    ed_build_rows_fit(dialog, oro_engine_at(dialog->engine));
    snprintf(dialog->profile, sizeof dialog->profile, "%s", build->name);
    snprintf(dialog->kept_as, sizeof dialog->kept_as, "%s", build->name);
    dialog->estimate_stale = true;
    ed_tell(session, ok, &err);
}

static void keep(struct ed_session *session, struct ed_build_dialog *dialog)
{
    struct oro_error err = {0};
    char cells[ORO_NUMBER_SIZE];
    char *outputs = ed_build_rows_text(session, dialog);
    bool own = dialog->resolution == ed_world(session).resolution;
    const struct oro_doc_build build = {
        .name = dialog->kept_as,
        .resolution = own ? NULL : (char *)oro_format_number(dialog->resolution, cells),
        .engine = dialog->engine ? (char *)oro_engine_names[dialog->engine] : NULL,
        .outputs = outputs};
    struct oro_document *doc = outputs ? ed_edit_begin_root(session->project, "Keep a build", &err) : NULL;
    bool ok = outputs ? doc && oro_edit_build(doc, &build, &err)
                      : oro_fail(&err, ORO_E_MEMORY, "no memory for a build");
    if (outputs)
        ok = ed_edit_end(session->project, ok, &err);
    if (ok)
        snprintf(dialog->profile, sizeof dialog->profile, "%s", dialog->kept_as);
    ed_tell(session, ok, &err);
    oro_free(outputs);
}

static void forget(struct ed_session *session, struct ed_build_dialog *dialog)
{
    struct oro_error err = {0};
    struct oro_document *doc = ed_edit_begin_root(session->project, "Remove a build", &err);
    bool ok = ed_edit_end(session->project, doc && oro_edit_remove_build(doc, dialog->profile, &err), &err);
    dialog->profile[0] = '\0';
    ed_tell(session, ok, &err);
}

static void draw_keep(struct ed_session *session, struct ed_build_dialog *dialog, bool known)
{
    ui_same_line(20 * ui_scale());
    ui_item_width(130 * ui_scale());
    ui_name("build:keep-as");
    ui_input("##keep", "Name", dialog->kept_as, sizeof dialog->kept_as, 0);
    ui_same_line(4 * ui_scale());
    ui_disabled_begin(!oro_is_identifier(dialog->kept_as));
    ui_name("build:keep");
    if (ui_button("Keep", 0, 0))
        keep(session, dialog);
    ui_disabled_end();
    ui_tooltip("Keeps resolution, engine and outputs in the document under this name: orograph render FILE "
               "--build NAME does the same");
    ui_same_line(4 * ui_scale());
    ui_disabled_begin(!known);
    ui_name("build:forget");
    if (ui_button("Remove", 0, 0))
        forget(session, dialog);
    ui_disabled_end();
}

void ed_build_profiles_draw(struct ed_session *session, struct ed_build_dialog *dialog)
{
    const struct oro_document *root = ed_project_main(session->project);
    const struct oro_doc_build *known = oro_document_find_build(root, dialog->profile), *chosen = NULL;
    ui_align_text();
    ui_text("Build");
    ui_same_line(-1);
    ui_item_width(150 * ui_scale());
    ui_name("build:profile");
    if (ui_combo_begin("##profile", known ? known->name : "as chosen below")) {
        for (size_t i = 0; i < oro_document_build_count(root); i++) {
            const struct oro_doc_build *one = oro_document_build(root, i);
            ui_name("build:profile:%s", one->name);
            if (ui_selectable(one->name, one == known, 0))
                chosen = one;
        }
        if (oro_document_build_count(root) == 0)
            ui_text_coloured(ui_colour(UI_MUTED), "The document has none yet");
        ui_combo_end();
    }
    draw_keep(session, dialog, known);
    if (chosen)
        take_over(session, dialog, chosen);
    ed_describe_state("build_profile", "%s", known ? dialog->profile : "");
}
