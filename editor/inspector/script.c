#include "editor/inspector/script.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "editor/inspector/fields.h"
#include "editor/session/commands.h"
#include "editor/ui/code.h"
#include "graph/derived/paths.h"
#include "graph/derived/scripts.h"

struct ed_script_edit {
    struct ui_code code;
    struct ui_code_view view;
    char node[128];
    char path[1024];        /* of its file; "": within the document */
    char *base;             /* the text as it was read */
    struct oro_stamp stamp; /* of the file, then */
    double looked;
    uint64_t seen; /* the frame in which it was drawn */
    bool large, dirty;
};

struct ed_script_edit *ed_script_create(void)
{
    return oro_alloc(1, sizeof(struct ed_script_edit));
}

void ed_script_destroy(struct ed_script_edit *edit)
{
    if (!edit)
        return;
    ui_code_free(&edit->code);
    oro_free(edit->base);
    oro_free(edit);
}

/* ---- Where it is ---- */

void ed_script_file(struct ed_session *session, const struct oro_doc_node *node, char path[1024])
{
    path[0] = '\0';
    if (oro_node_is_inline(node) || (node->href && node->href[0]))
        return;
    const struct oro_node_type *type = ed_type_of(session, node);
    if (type && (!type->script || !type->file))
        return;
    char name[160], *found = NULL;
    snprintf(name, sizeof name, "%.128s.lua", node->type);
    if (type)
        snprintf(path, 1024, "%s", type->file);
    else if (oro_resolve_path(ed_project_path(session->project), name, session->options.allow_any_path,
                              &found, NULL))
        snprintf(path, 1024, "%s", found); /* it was never right */
    oro_free(found);
}

/* ---- What is wrong ---- */

size_t ed_script_line_of(const char *message, int first)
{
    for (const char *at = message; (at = strchr(at, ':')); at++) {
        char *end = NULL;
        long line = isdigit((unsigned char)at[1]) ? strtol(at + 1, &end, 10) : 0;
        if (line > 0 && line < 10000000 && *end == ':')
            return line >= first ? (size_t)(line - first + 1) : 0;
    }
    return 0;
}

/* The newest message about the script: why its file is not in use, what the check of the document says of the
 * node, or else its evaluation. True: an older version of the file is in use. */
static bool find_wrong(struct ed_session *session, const struct oro_doc_node *node, const char *path,
                       char out[256])
{
    struct ed_node_state state = {0};
    const char *file = path[0] ? oro_scripts_problem(session->registry.scripts, path) : NULL;
    const char *problem = ed_problem_of(&session->messages, node->id);
    if (session->live)
        ed_live_node(session->live, node->id, &state);
    snprintf(out, 256, "%s",
             file                            ? file
             : problem                       ? problem
             : state.phase == ED_NODE_FAILED ? state.text
                                             : "");
    return file && ed_type_of(session, node);
}

/* ---- Taking what was typed ---- */

static void act_script(struct ed_session *session, const struct ed_change *change)
{
    struct oro_error err = {0};
    struct oro_document *doc = ed_edit_begin(session->project, "Change the script", &err);
    ed_tell(session,
            ed_edit_end(session->project, doc && oro_edit_script(doc, change->id, change->text, &err), &err),
            &err);
}

static void act_script_file(struct ed_session *session, const struct ed_change *change)
{
    struct oro_error err = {0};
    const char *path = session->inspector->script->path;
    ed_tell(session,
            oro_file_may_write(path, &err) && oro_file_write(path, change->text, strlen(change->text), &err),
            &err);
    ed_command_run(session, "reload-scripts");
}

static bool keep_base(struct ed_script_edit *edit, const char *text)
{
    char *copy = oro_copy_text(text);
    if (!copy)
        return false;
    oro_free(edit->base);
    edit->base = copy;
    edit->dirty = false;
    return true;
}

static void take(struct ed_session *session, struct ed_script_edit *edit)
{
    if (!edit->dirty || !keep_base(edit, edit->code.text))
        return;
    struct ed_change change = {
        .act = edit->path[0] ? act_script_file : act_script, .id = edit->node, .text = edit->base};
    edit->stamp = (struct oro_stamp){0};
    ed_later(session, &change);
}

void ed_script_settle(struct ed_session *session)
{
    struct ed_script_edit *edit = session->inspector->script;
    if (edit->node[0] && edit->seen + 1 < session->frame) {
        if (!edit->path[0]) /* files are only written when that is asked for */
            take(session, edit);
        edit->node[0] = '\0';
    }
}

/* ---- Reading ---- */

static void read_text(struct ed_script_edit *edit, const char *text)
{
    size_t cursor = edit->code.cursor;
    edit->large = !ui_code_set(&edit->code, text) || !keep_base(edit, text);
    if (!edit->large)
        ui_code_put(&edit->code, cursor, false);
}

/* Files are looked at once a second; a change by another program comes in unless there are own ones. */
static void read_file(struct ed_session *session, struct ed_script_edit *edit, bool other)
{
    void *data = NULL;
    size_t size = 0;
    if (!other && session->now - edit->looked < 1)
        return;
    edit->looked = session->now;
    struct oro_stamp now = oro_stamp_of(edit->path);
    if (!other && (oro_stamp_equal(&now, &edit->stamp) || edit->dirty))
        return;
    bool ok = oro_file_read(edit->path, UI_CODE_BYTES, &data, &size, NULL);
    char *text = ok ? oro_alloc(size + 1, 1) : NULL;
    if (text && size > 0)
        memcpy(text, data, size);
    edit->stamp = now;
    edit->large = !text || strlen(text) != size;
    if (!edit->large && (other || !edit->base || strcmp(text, edit->base) != 0))
        read_text(edit, text);
    oro_free(text);
    oro_free(data);
}

static void follow(struct ed_session *session, struct ed_script_edit *edit, const struct oro_doc_node *node,
                   const char *path)
{
    const char *text = node->script ? node->script : "";
    bool other = strcmp(edit->node, node->id) != 0 || strcmp(edit->path, path) != 0;
    if (other) {
        if (edit->node[0] && !edit->path[0])
            take(session, edit);
        snprintf(edit->node, sizeof edit->node, "%s", node->id);
        snprintf(edit->path, sizeof edit->path, "%s", path);
        edit->view = (struct ui_code_view){0};
        edit->code.cursor = 0;
    }
    edit->seen = session->frame;
    if (path[0])
        read_file(session, edit, other);
    else if (other || (!edit->dirty && (!edit->base || strcmp(edit->base, text) != 0)))
        read_text(edit, text);
}

/* ---- Drawing ---- */

static void draw_buttons(struct ed_session *session, struct ed_script_edit *edit)
{
    ui_disabled_begin(!edit->dirty);
    ui_name("script:apply");
    if (ui_button(edit->path[0] ? "Save the file" : "Apply", 0, 0))
        take(session, edit);
    ui_tooltip("Ctrl+Enter");
    ui_disabled_end();
    if (edit->path[0]) {
        ui_same_line(8 * ui_scale());
        ui_name("script:outside");
        if (ui_button("Open outside", 0, 0))
            ed_command_run(session, "open-script");
        ui_tooltip("In the program that $VISUAL names, or else the desktop's");
    }
    ui_same_line(8 * ui_scale());
    ui_align_text();
    ui_text_coloured(ui_colour(UI_MUTED), "line %zu", ui_code_line_of(&edit->code, edit->code.cursor) + 1);
}

static float height_of(const struct ed_script_edit *edit)
{
    size_t lines = edit->code.line_count + 2;
    lines = lines < 8 ? 8 : lines > 24 ? 24 : lines;
    return (float)lines * (ui_font_size(UI_MONO) + 2 * ui_scale());
}

static void draw_code(struct ed_session *session, struct ed_script_edit *edit,
                      const struct oro_doc_node *node)
{
    char wrong[256];
    bool older = find_wrong(session, node, edit->path, wrong);
    struct ui_code_options options = {.name = "script",
                                      .width = ui_content().w,
                                      .height = height_of(edit),
                                      .library = session->script_words,
                                      .wrong = wrong};
    int first = !edit->path[0] && node->script_line > 0 ? node->script_line : 1;
    options.wrong_line = wrong[0] && !edit->dirty ? ed_script_line_of(wrong, first) : 0;
    int events = ui_code_draw(&edit->code, &edit->view, &options);
    if (events & UI_CODE_CHANGED)
        edit->dirty = strcmp(edit->code.text, edit->base) != 0;
    if (events & UI_CODE_APPLY || (events & UI_CODE_LEFT_IT && !edit->path[0]))
        take(session, edit);
    ed_describe_state("script-line", "%zu", ui_code_line_of(&edit->code, edit->code.cursor) + 1);
    ed_describe_state("script-wrong", "%zu", options.wrong_line);
    ed_describe_state("script-dirty", "%d", edit->dirty);
    if (wrong[0])
        ed_reason_draw(wrong);
    if (older)
        ui_text_coloured(ui_colour(UI_WARNING),
                         "What is shown was made with the last version that was right.");
    draw_buttons(session, edit);
}

void ed_script_draw(struct ed_session *session, const struct oro_doc_node *node)
{
    char path[1024];
    struct ed_script_edit *edit = session->inspector->script;
    ed_script_file(session, node, path);
    if (!path[0] && !oro_node_is_inline(node))
        return;
    ui_spacing();
    ui_name("group:Script");
    if (!ui_header("Script", !path[0])) /* a file's is shown when asked for */
        return;
    follow(session, edit, node, path);
    if (path[0])
        ui_text_coloured(ui_colour(UI_MUTED), "%s", path);
    if (edit->large)
        ui_text_coloured(ui_colour(UI_WARNING),
                         "This script cannot be shown here: it is missing or too large.");
    else
        draw_code(session, edit, node);
}
