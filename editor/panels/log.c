/* The log: problems of the document, then messages, newest first. */
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL_clipboard.h>

#include "base/text.h"
#include "editor/panels/panels_private.h"

static const struct {
    int icon;
    enum ui_colour colour;
    const char *name, *hint;
} kinds[] = {
    [ED_NOTICE] = {UI_ICON_CHECK, UI_MUTED, "notices", "Notices"},
    [ED_WARNING] = {UI_ICON_WARNING, UI_WARNING, "warnings", "Warnings"},
    [ED_ERROR] = {UI_ICON_CLOSE, UI_BAD, "errors", "Errors"},
};

static void draw_node(struct ed_session *session, const char *node)
{
    if (!node[0])
        return;
    if (oro_document_find(ed_project_shown(session->project), node)) {
        if (ui_link(node))
            session->services->show_node(session, node);
        ui_tooltip("Shows the node");
    } else {
        ui_text_coloured(ui_colour(UI_MUTED), "%s", node);
    }
    ui_same_line(-1);
}

static void draw_message(struct ed_session *session, const struct ed_message *message, int index,
                         bool problem)
{
    float line = ui_line_height();
    struct ui_vec at = ui_cursor();
    struct ui_rect icon = {at.x, at.y, line, line};
    ui_icon(ui_draw_here(), kinds[message->kind].icon, icon, ui_colour(kinds[message->kind].colour));
    ui_dummy(line, line);
    ui_same_line(-1);
    ui_id_push_index(problem ? -1 - index : index);
    ui_group_begin();
    draw_node(session, message->node);
    if (message->times > 1) {
        ui_text_coloured(ui_colour(UI_MUTED), "%d times:", message->times);
        ui_same_line(-1);
    }
    ui_text_wrapped(message->text ? message->text : "");
    ui_group_end();
    if (ed_describing()) {
        struct ui_rect rect = ui_item_rect();
        char name[32];
        snprintf(name, sizeof name, problem ? "problem:%d" : "log:%d", index);
        ed_describe_item(name, rect.x, rect.y, rect.w, rect.h, true);
    }
    ui_id_pop();
}

static void add_line(struct oro_text *text, const struct ed_message *message)
{
    oro_text_addf(text, "%s%s%s\n", message->node, message->node[0] ? ": " : "",
                  message->text ? message->text : "");
}

static void copy_all(const struct ed_session *session)
{
    struct oro_text text = {0};
    for (size_t i = 0; i < session->messages.problem_count; i++)
        add_line(&text, &session->messages.problems[i]);
    for (size_t i = session->messages.count; i-- > 0;)
        add_line(&text, ed_message_at(&session->messages, i));
    if (!text.failed && text.data)
        SDL_SetClipboardText(text.data);
    oro_text_free(&text);
}

static void count_kinds(const struct ed_messages *messages, int counts[3])
{
    for (size_t i = 0; i < messages->problem_count; i++)
        counts[messages->problems[i].kind]++;
    for (size_t i = 0; i < messages->count; i++)
        counts[ed_message_at(messages, i)->kind]++;
}

static void draw_bar(struct ed_session *session)
{
    struct ed_log_state *log = &session->panels->log;
    int counts[3] = {0};
    count_kinds(&session->messages, counts);
    ui_align_text();
    ui_font_push(UI_BOLD);
    ui_text("Log");
    ui_font_pop();
    for (int kind = ED_ERROR; kind >= ED_NOTICE; kind--) {
        ui_same_line(kind == ED_ERROR ? 16 * ui_scale() : 4 * ui_scale());
        ui_id_push_index(kind);
        ui_name("log:%s", kinds[kind].name);
        if (ui_icon_button(kinds[kind].name, kinds[kind].icon, !log->hide[kind], kinds[kind].hint))
            log->hide[kind] = !log->hide[kind];
        ui_id_pop();
        ui_same_line(2 * ui_scale());
        ui_align_text();
        ui_text_coloured(ui_colour(counts[kind] ? kinds[kind].colour : UI_MUTED), "%d", counts[kind]);
    }
    ui_same_line(20 * ui_scale());
    ui_name("log:clear");
    if (ui_button("Clear", 0, 0))
        ed_messages_clear(&session->messages);
    ui_same_line(-1);
    ui_name("log:copy");
    if (ui_button("Copy", 0, 0))
        copy_all(session);
}

void ed_log_draw(struct ed_session *session, struct ui_rect rect)
{
    const struct ed_messages *messages = &session->messages;
    const bool *hide = session->panels->log.hide;
    if (ui_panel_begin("##log", rect, 0)) {
        draw_bar(session);
        if (ui_child_begin("messages", 0, 0, 0)) {
            for (size_t i = 0; i < messages->problem_count; i++)
                if (!hide[messages->problems[i].kind])
                    draw_message(session, &messages->problems[i], (int)i, true);
            for (size_t i = 0; i < messages->count; i++)
                if (!hide[ed_message_at(messages, i)->kind])
                    draw_message(session, ed_message_at(messages, i), (int)i, false);
            if (messages->problem_count + messages->count == 0)
                ui_text_coloured(ui_colour(UI_MUTED), "Nothing was said, and nothing is wrong.");
        }
        ui_child_end();
    }
    ui_panel_end();
}
