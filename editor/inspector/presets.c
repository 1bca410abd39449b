/* The menu of a node's settings: presets, copies, reset. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL_clipboard.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "editor/inspector/fields.h"
#include "editor/library/library.h"
#include "graph/file/xml.h"

void ed_presets_forget(struct ed_inspector *inspector)
{
    oro_arena_destroy(inspector->preset_arena);
    inspector->preset_arena = NULL;
    inspector->presets = (struct oro_presets){0};
}

static void read_list(struct ed_session *session, const struct oro_doc_node *node)
{
    struct ed_inspector *inspector = session->inspector;
    struct oro_error err = {0};
    ed_presets_forget(inspector);
    inspector->preset_arena = oro_arena_create();
    char *type = inspector->preset_arena ? oro_preset_type(node, inspector->preset_arena) : NULL;
    snprintf(inspector->preset_type, sizeof inspector->preset_type, "%s", type ? type : "");
    if (type && !oro_presets_list(ed_project_path(session->project), type, &session->registry,
                                  inspector->preset_arena, &inspector->presets, &err))
        ed_failed(session, &err);
}

/* ---- Actions ---- */

static void apply(struct ed_session *session, const char *node, const struct oro_document *preset,
                  const char *step)
{
    struct oro_error err = {0};
    struct oro_document *doc = ed_edit_begin(session->project, step, &err);
    bool ok = doc && oro_preset_apply(doc, node, preset, true, &session->registry, &session->log, &err);
    ed_tell(session, ed_edit_end(session->project, ok, &err), &err);
}

/* `text` is the preset's file. */
static void act_apply(struct ed_session *session, const struct ed_change *change)
{
    struct oro_error err = {0};
    struct oro_document *preset = oro_preset_read(change->text, &session->registry, &err);
    if (preset)
        apply(session, change->id, preset, "Apply a preset");
    else
        ed_failed(session, &err);
    oro_document_destroy(preset);
}

/* `text` is the preset's file. */
static void act_remove(struct ed_session *session, const struct ed_change *change)
{
    struct oro_error err = {0};
    if (remove(change->text) == 0) {
        ed_message(&session->messages, ED_NOTICE, change->id, "removed %s", change->text);
        return;
    }
    oro_fail(&err, ORO_E_WRITE, "%s cannot be removed: %s", change->text, strerror(errno));
    ed_failed(session, &err);
}

static void act_paste(struct ed_session *session, const struct ed_change *change)
{
    struct oro_problems problems = {0};
    struct oro_error err = {0};
    struct oro_document *preset =
        oro_document_parse(change->text, strlen(change->text), "clipboard", &session->registry, &problems);
    if (preset && oro_document_node_count(preset) == 1) {
        apply(session, change->id, preset, "Paste settings");
    } else {
        oro_fail(&err, ORO_E_DOCUMENT, "the clipboard holds no settings of a node: copy them first");
        ed_failed(session, &err);
    }
    oro_document_destroy(preset);
    oro_problems_free(&problems);
}

static void act_reset(struct ed_session *session, const struct ed_change *change)
{
    struct oro_error err = {0};
    const struct oro_doc_node *node = oro_document_find(ed_project_shown(session->project), change->id);
    const struct oro_node_type *type = node ? ed_type_of(session, node) : NULL;
    struct oro_document *doc = type ? ed_edit_begin(session->project, "Reset settings", &err) : NULL;
    bool ok = doc;
    for (const struct oro_input *input = type ? type->inputs : NULL; ok && input && input->name; input++) {
        const struct oro_doc_node *now = oro_document_find(doc, change->id);
        const struct oro_doc_input *entry = now ? oro_doc_node_input(now, input->name) : NULL;
        if (entry && !entry->from_node && oro_input_has_default(input) && input->type != ORO_FILE)
            ok = oro_edit_set(doc, change->id, input->name, NULL, &err);
    }
    if (type && !ed_edit_end(session->project, ok, &err))
        ed_failed(session, &err);
    ed_refused_forget(session->inspector);
}

static void copy(struct ed_session *session, const struct oro_doc_node *node)
{
    struct oro_error err = {0};
    struct oro_preset_about about = {0};
    char *text = oro_preset_make(ed_project_shown(session->project), node->id, &about, &session->registry,
                                 &session->log, &err);
    if (text)
        SDL_SetClipboardText(text);
    else
        ed_failed(session, &err);
    oro_free(text);
}

static void paste(struct ed_session *session, const struct oro_doc_node *node)
{
    char *text = SDL_GetClipboardText();
    if (text)
        ed_later(session, &(struct ed_change){.act = act_paste, .id = node->id, .text = text});
    SDL_free(text);
}

/* ---- Saving ---- */

/* The path of the preset to be saved; makes its folder. The caller frees. */
static char *preset_path(struct ed_session *session, enum oro_preset_source source, struct oro_error *err)
{
    char name[ED_LIBRARY_NAME + 1];
    struct oro_text path = {0};
    if (!ed_library_identifier(session->inspector->preset_name, name)[0]) {
        oro_fail(err, ORO_E_USAGE, "a preset needs a name with letters or digits");
        return NULL;
    }
    char *folder =
        oro_preset_folder(source, ed_project_path(session->project), session->inspector->preset_type, err);
    if (folder && oro_make_folders(folder, err))
        oro_text_addf(&path, "%s/%s.oro", folder, name);
    oro_free(folder);
    if (!path.failed)
        return path.data;
    oro_fail(err, ORO_E_MEMORY, "no memory for a path");
    oro_text_free(&path);
    return NULL;
}

static bool write_preset(struct ed_session *session, const struct oro_doc_node *node, const char *path,
                         struct oro_error *err)
{
    struct oro_preset_about about = {.title = session->inspector->preset_name};
    char *text = oro_preset_make(ed_project_shown(session->project), node->id, &about, &session->registry,
                                 &session->log, err);
    bool ok = text && ed_library_write(path, text, strlen(text), err);
    oro_free(text);
    return ok;
}

static void ask_again(struct ed_inspector *inspector)
{
    oro_free(inspector->preset_over);
    inspector->preset_over = NULL;
}

/* Replaces an existing file only if asked to save twice. */
static void save(struct ed_session *session, const struct oro_doc_node *node, enum oro_preset_source source)
{
    struct ed_inspector *inspector = session->inspector;
    struct oro_error err = {0};
    char *path = preset_path(session, source, &err);
    struct oro_stamp none = {0}, stamp = path ? oro_stamp_of(path) : none;
    bool asked = path && inspector->preset_over && strcmp(inspector->preset_over, path) == 0;
    if (path && !oro_stamp_equal(&stamp, &none) && !asked) {
        ask_again(inspector);
        inspector->preset_over = path;
        return;
    }
    if (path && write_preset(session, node, path, &err)) {
        ed_message(&session->messages, ED_NOTICE, node->id, "saved as %s", path);
        inspector->preset_name[0] = '\0';
        ask_again(inspector);
        ui_popup_close();
    } else {
        ed_failed(session, &err);
    }
    oro_free(path);
}

static void draw_save(struct ed_session *session, const struct oro_doc_node *node)
{
    struct ed_inspector *inspector = session->inspector;
    bool saved = ed_project_path(session->project)[0] != '\0';
    ui_text_coloured(ui_colour(UI_MUTED), "Save as a preset");
    ui_name("preset:name");
    ui_item_width(220 * ui_scale());
    if (ui_input("##name", "its name", inspector->preset_name, sizeof inspector->preset_name, 0))
        ask_again(inspector);
    ui_disabled_begin(!inspector->preset_name[0]);
    ui_name("preset:user");
    if (ui_button("For me", 0, 0))
        save(session, node, ORO_PRESET_USER);
    ui_same_line(6 * ui_scale());
    ui_disabled_begin(!saved);
    ui_name("preset:project");
    if (ui_button("In this project", 0, 0))
        save(session, node, ORO_PRESET_PROJECT);
    ui_tooltip("Beside the document, which must have been saved");
    ui_disabled_end();
    ui_disabled_end();
    if (inspector->preset_over)
        ui_text_coloured(ui_colour(UI_WARNING), "There is one of this name:\npress again to replace it");
}

/* ---- The menu ---- */

static const char *label_of(const struct oro_preset *preset, size_t index, char label[200])
{
    char title[100];
    if (preset->title && preset->title[0])
        snprintf(title, sizeof title, "%s", preset->title);
    else
        ed_pretty_name(preset->name, title, sizeof title);
    snprintf(label, 200, "%s##%.60s%zu", title, preset->name, index);
    return label;
}

static bool is_own(const struct oro_preset *preset)
{
    return preset->source == ORO_PRESET_USER || preset->source == ORO_PRESET_PROJECT;
}

static void draw_list(struct ed_session *session, const struct oro_doc_node *node)
{
    const struct oro_presets *presets = &session->inspector->presets;
    char label[200];
    size_t own = 0;
    if (presets->count == 0)
        ui_text_coloured(ui_colour(UI_MUTED), "No presets of this type yet");
    for (size_t i = 0; i < presets->count; i++) {
        const struct oro_preset *preset = &presets->items[i];
        ui_name("preset:%s", preset->name);
        if (ui_menu_item(label_of(preset, i, label), oro_preset_source_name(preset->source), false, true))
            ed_later(session, &(struct ed_change){.act = act_apply, .id = node->id, .text = preset->path});
        own += is_own(preset);
    }
    ui_name("preset:remove");
    if (!own || !ui_menu_begin("Remove a preset", true))
        return;
    for (size_t i = 0; i < presets->count; i++) {
        const struct oro_preset *preset = &presets->items[i];
        ui_name("preset:remove:%s", preset->name);
        if (is_own(preset) &&
            ui_menu_item(label_of(preset, i, label), oro_preset_source_name(preset->source), false, true))
            ed_later(session, &(struct ed_change){.act = act_remove, .id = node->id, .text = preset->path});
    }
    ui_menu_end();
}

void ed_presets_draw(struct ed_session *session, const struct oro_doc_node *node,
                     const struct oro_node_type *type)
{
    (void)type;
    ui_name("preset");
    if (ui_icon_button("##presets", UI_ICON_MENU, false, "Presets, copy and paste of settings, reset")) {
        read_list(session, node);
        ask_again(session->inspector);
        ui_popup_open("##settings");
    }
    if (!ui_popup_begin("##settings"))
        return;
    ui_text_coloured(ui_colour(UI_MUTED), "Presets");
    if (session->inspector->preset_type[0])
        draw_list(session, node);
    ui_separator();
    ui_name("copy-settings");
    if (ui_menu_item("Copy all settings", NULL, false, true))
        copy(session, node);
    ui_name("paste-settings");
    if (ui_menu_item("Paste all settings", NULL, false, true))
        paste(session, node);
    ui_name("reset-all");
    if (ui_menu_item("Reset all to defaults", NULL, false, true))
        ed_later(session, &(struct ed_change){.act = act_reset, .id = node->id});
    if (session->inspector->preset_type[0]) {
        ui_separator();
        draw_save(session, node);
    }
    ui_popup_end();
}
