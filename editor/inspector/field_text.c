/* Text fields, file fields, and networks written as points. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "editor/inspector/fields.h"
#include "graph/derived/paths.h"

static void text_of(const struct ed_field *field, char name[300], struct ed_text_field *text)
{
    snprintf(name, 300, "input:%s.%s", field->node->id, field->input->name);
    *text = (struct ed_text_field){.name = name,
                                   .id = field->node->id,
                                   .part = field->input->name,
                                   .text = field->text,
                                   .commit = ed_act_set,
                                   .width = field->width};
}

void ed_field_text(const struct ed_field *field)
{
    struct ed_text_field text;
    char name[300];
    text_of(field, name, &text);
    bool note = strcmp(field->node->type, "note") == 0;
    if (note || strchr(field->text, '\n') || strlen(field->text) > 60)
        text.lines = 5;
    ed_text_draw(field->session, &text);
}

/* ---- Files ---- */

struct chosen_for {
    char node[128], input[128];
};

static void file_chosen(struct ed_session *session, const char *path, void *user)
{
    struct chosen_for *chosen = user;
    char *name = path ? ed_file_named(session, chosen->node, path) : NULL;
    if (name)
        ed_later(session, &(struct ed_change){
                              .act = ed_act_set, .id = chosen->node, .part = chosen->input, .text = name});
    oro_free(name);
    oro_free(chosen);
}

static void ask_file(const struct ed_field *field)
{
    struct chosen_for *chosen = oro_alloc(1, sizeof *chosen);
    if (!chosen)
        return;
    snprintf(chosen->node, sizeof chosen->node, "%s", field->node->id);
    snprintf(chosen->input, sizeof chosen->input, "%s", field->input->name);
    struct ed_file_question question = {.title = field->input->writes ? "File to write" : "File to read",
                                        .save = field->input->writes,
                                        .name = field->input->writes ? field->text : NULL,
                                        .done = file_chosen,
                                        .user = chosen};
    field->session->services->choose_file(field->session, &question);
}

/* Whether the file to be read is missing; checked once a second. */
static bool is_missing(const struct ed_field *field)
{
    struct ed_inspector *inspector = field->session->inspector;
    if (field->input->writes || !field->text[0])
        return false;
    if (strcmp(inspector->missing, field->text) == 0 && field->session->now - inspector->looked < 1)
        return inspector->is_missing;
    char *resolved = NULL;
    snprintf(inspector->missing, sizeof inspector->missing, "%s", field->text);
    inspector->looked = field->session->now;
    bool ok = oro_resolve_path(ed_project_path(field->session->project), field->text,
                               field->session->options.allow_any_path, &resolved, NULL);
    struct oro_stamp none = {0}, stamp = ok ? oro_stamp_of(resolved) : none;
    inspector->is_missing = !ok || oro_stamp_equal(&stamp, &none);
    oro_free(resolved);
    return inspector->is_missing;
}

void ed_field_file(const struct ed_field *field)
{
    struct ed_text_field text;
    char name[300];
    text_of(field, name, &text);
    text.width -= ui_widget_height() + 4 * ui_scale();
    text.hint = field->input->writes ? "file to write" : "no file";
    ed_text_draw(field->session, &text);
    ui_same_line(4 * ui_scale());
    ui_name("file:%s.%s", field->node->id, field->input->name);
    if (ui_icon_button("##choose", UI_ICON_FOLDER, false, "Choose a file"))
        ask_file(field);
    if (is_missing(field)) {
        ui_font_push(UI_SMALL);
        ui_text_coloured(ui_colour(UI_BAD), "This file is not there");
        ui_font_pop();
    }
}

/* ---- Networks ---- */

static void count_points(const char *text, int *points, int *lines)
{
    bool inside = false;
    *points = *lines = 0;
    for (; *text; text++) {
        bool part = *text == ',' || *text == ';';
        bool line_end = *text == ';';
        if (!part && !strchr(" \t\r\n", *text) && !inside) {
            inside = true;
            ++*points;
            *lines += *lines == 0;
        }
        inside = inside && !part;
        *lines += line_end && strspn(text + 1, " \t\r\n;") != strlen(text + 1);
    }
}

/* One point per line, since fields do not wrap. The reader treats line breaks as blanks. */
static void one_to_a_line(const char *text, struct oro_text *out)
{
    oro_text_add(out, "");
    for (; *text; text++) {
        oro_text_add_bytes(out, text, 1);
        if ((*text == ',' || *text == ';') && text[1] == ' ') {
            oro_text_add(out, "\n");
            text++;
        }
    }
}

void ed_field_network(const struct ed_field *field)
{
    struct ed_text_field text;
    struct oro_text lines_of = {0};
    char name[300];
    int points, lines;
    text_of(field, name, &text);
    text.width = field->all;
    one_to_a_line(field->text, &lines_of);
    text.text = lines_of.failed ? field->text : lines_of.data;
    text.mono = true;
    count_points(field->text, &points, &lines);
    ui_font_push(UI_SMALL);
    if (points)
        ui_text_coloured(ui_colour(UI_MUTED), "%d point%s in %d line%s; drag them in the view", points,
                         points == 1 ? "" : "s", lines, lines == 1 ? "" : "s");
    else
        ui_text_coloured(ui_colour(UI_MUTED), "no points yet: draw them in the view, link a network,");
    if (!points)
        ui_text_coloured(ui_colour(UI_MUTED), "or write x y, x y; x y in metres");
    ui_font_pop();
    text.lines = points < 3 ? 3 : points > 8 ? 8 : points;
    ed_text_draw(field->session, &text);
    oro_text_free(&lines_of);
}
