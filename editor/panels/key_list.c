/* The commands with their keys, in the settings: a key is changed by pressing another one. */
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL_scancode.h>

#include "editor/panels/panels_private.h"
#include "editor/ui/search.h"

static void begin(struct ed_session *session, const char *command)
{
    struct ed_key_list *list = &session->panels->settings.keys;
    snprintf(list->asking, sizeof list->asking, "%s", command);
    list->key[0] = list->owner[0] = '\0';
    ed_wake(session);
}

static void keep(struct ed_session *session)
{
    struct oro_error err;
    ed_tell(session, ed_settings_save(&session->settings, NULL, &err), &err);
    begin(session, "");
}

static void bind(struct ed_session *session, const struct ed_command *command, const char *keys)
{
    struct oro_error err;
    if (command && !ed_bind(session, command, keys)) {
        oro_fail(&err, ORO_E_MEMORY, "no memory for keys");
        ed_failed(session, &err);
    }
    keep(session);
}

/* Escape is an answer, as in any dialog, and stays the key of what it does. */
bool ed_bindings_take_key(struct ed_session *session, struct ed_chord key)
{
    struct ed_key_list *list = &session->panels->settings.keys;
    const struct ed_command *command = list->asking[0] ? ed_command_find(session, list->asking) : NULL;
    char text[ED_CHORD_TEXT];
    if (!command || !session->panels->settings.open || list->key[0])
        return false;
    ui_key_take(key.scancode);
    if (key.scancode == SDL_SCANCODE_ESCAPE) {
        begin(session, "");
        return true;
    }
    if (!ed_chord_text(key, text))
        return true; /* a modifier, which belongs to the key that follows */
    const struct ed_command *owner = ed_command_of_key(session, key);
    if (!owner || owner == command) {
        bind(session, command, text);
        return true;
    }
    snprintf(list->key, sizeof list->key, "%s", text);
    snprintf(list->owner, sizeof list->owner, "%s", owner->id);
    ed_wake(session);
    return true;
}

/* ---- Drawing ---- */

static void draw_conflict(struct ed_session *session, const struct ed_command *command)
{
    const struct ed_key_list *list = &session->panels->settings.keys;
    const struct ed_command *owner = ed_command_find(session, list->owner);
    ui_text_coloured(ui_colour(UI_WARNING), "%s is the key of \xe2\x80\x9c%s\xe2\x80\x9d", list->key,
                     owner ? owner->label : list->owner);
    ui_name("keys:take");
    if (ui_small_button("Take it"))
        bind(session, command, list->key);
    ui_same_line(-1);
    ui_name("keys:leave");
    if (ui_small_button("Never mind"))
        begin(session, "");
}

static void draw_buttons(struct ed_session *session, const struct ed_command *command)
{
    ui_name("keys:change:%s", command->id);
    if (ui_small_button("Change"))
        begin(session, command->id);
    ui_same_line(-1);
    ui_disabled_begin(!ed_command_keys(session, command));
    ui_name("keys:none:%s", command->id);
    if (ui_small_button("None"))
        bind(session, command, "");
    ui_disabled_end();
    if (!ed_is_bound(session, command))
        return;
    ui_same_line(-1);
    ui_name("keys:reset:%s", command->id);
    if (ui_small_button("Reset"))
        bind(session, command, NULL);
    ui_tooltip("As it was: %s", command->keys ? command->keys : "no key");
}

static void draw_row(struct ed_session *session, const struct ed_command *command)
{
    const struct ed_key_list *list = &session->panels->settings.keys;
    const char *keys = ed_command_keys(session, command);
    bool asked = strcmp(list->asking, command->id) == 0;
    ui_table_row();
    ui_table_next();
    ui_text_wrapped_coloured(ui_colour(ed_is_bound(session, command) ? UI_ACCENT : UI_TEXT), command->label);
    ui_tooltip("%s", command->doc);
    ui_table_next();
    if (asked && list->key[0])
        draw_conflict(session, command);
    else if (asked)
        ui_text_coloured(ui_colour(UI_ACCENT), "Press the new key\xe2\x80\xa6 (Esc: never mind)");
    else if (keys)
        ed_keycap(keys);
    else
        ui_text_coloured(ui_colour(UI_MUTED), "none");
    if (ed_describing()) {
        char key[80];
        snprintf(key, sizeof key, "keys:%s", command->id);
        ed_describe_state(key, "%s", keys ? keys : "");
    }
    ui_table_next();
    ui_id_push(command->id);
    draw_buttons(session, command);
    ui_id_pop();
}

/* By what a command is called, or by a part of its keys. */
static void find(const struct ed_session *session, const char *typed, bool shown[ED_COMMANDS_MAX])
{
    struct oro_match found[ED_COMMANDS_MAX];
    size_t count = ed_commands_search(session, typed, found);
    for (size_t i = 0; i < ED_COMMANDS_MAX && session->commands[i].id; i++)
        shown[i] = ed_text_holds(ed_command_keys(session, &session->commands[i]), typed);
    for (size_t i = 0; i < count; i++)
        shown[found[i].index] = true;
}

void ed_key_list_draw(struct ed_session *session)
{
    struct ed_key_list *list = &session->panels->settings.keys;
    ui_item_width(240 * ui_scale());
    ui_name("keys:search");
    ui_input("##keys", "Search by name or key", list->typed, sizeof list->typed, 0);
    ui_same_line(-1);
    ui_name("keys:reset-all");
    ui_disabled_begin(session->settings.binding_count == 0);
    if (ui_button("Reset all keys", 0, 0)) {
        ed_bind_none(session);
        keep(session);
    }
    ui_disabled_end();
    if (ui_child_begin("list", 0, 0, UI_BORDERED) && ui_table_begin("keys", 3, UI_TABLE_ROWS)) {
        ui_table_column("what", 0);
        ui_table_column("keys", 225 * ui_scale());
        ui_table_column("change", 185 * ui_scale());
        bool shown[ED_COMMANDS_MAX] = {false};
        find(session, list->typed, shown);
        for (size_t i = 0; i < ED_COMMANDS_MAX && session->commands[i].id; i++)
            if (shown[i])
                draw_row(session, &session->commands[i]);
        ui_table_end();
    }
    ui_child_end();
}
