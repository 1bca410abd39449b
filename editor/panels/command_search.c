/* The search of commands. */
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL_scancode.h>

#include "editor/panels/panels_private.h"

void ed_commands_open(struct ed_session *session)
{
    struct ed_command_search *search = &session->panels->commands;
    search->open = search->fresh = true;
    search->typed[0] = '\0';
    search->chosen = 0;
    ed_wake(session);
}

size_t ed_commands_search(const struct ed_session *session, const char *typed,
                          struct oro_match found[ED_COMMANDS_MAX])
{
    struct oro_searched items[ED_COMMANDS_MAX];
    size_t count = 0;
    for (; count < ED_COMMANDS_MAX && session->commands[count].id; count++) {
        const struct ed_command *command = &session->commands[count];
        items[count] = (struct oro_searched){.id = command->id,
                                             .label = command->label,
                                             .category = ed_command_place_name(command->place),
                                             .words = command->words,
                                             .doc = command->doc};
    }
    return oro_search(typed, items, count, found);
}

/* Those that menus offer. */
static size_t find(const struct ed_session *session, const char *typed,
                   struct oro_match found[ED_COMMANDS_MAX])
{
    size_t count = ed_commands_search(session, typed, found), kept = 0;
    for (size_t i = 0; i < count; i++)
        if (session->commands[found[i].index].place != ED_IN_NO_MENU)
            found[kept++] = found[i];
    return kept;
}

static bool draw_row(struct ed_session *session, const struct ed_command *command, bool chosen)
{
    bool enabled = ed_command_enabled(session, command);
    float scale = ui_scale();
    ui_id_push(command->id);
    ui_name("command:%s", command->id);
    bool clicked = ui_selectable("##row", chosen, ui_line_height() + 6 * scale);
    ui_id_pop();
    struct ui_rect rect = ui_item_rect();
    struct ui_draw *draw = ui_draw_here();
    float y = rect.y + (rect.h - ui_font_size(UI_NORMAL)) / 2;
    uint32_t colour = ui_faded(ui_colour(UI_TEXT), enabled ? 1 : 0.4f);
    ui_draw_text(draw, UI_NORMAL, 0, (struct ui_vec){rect.x + 8 * scale, y}, colour, command->label, NULL);
    float used = ui_text_extent(UI_NORMAL, 0, command->label, 0).x + 24 * scale;
    const char *own = ed_command_keys(session, command);
    float keys = own ? ui_text_extent(UI_SMALL, 0, own, 0).x : 0;
    if (command->doc)
        ed_draw_elided(draw, UI_SMALL, (struct ui_vec){rect.x + used, y + 1}, ui_colour(UI_MUTED),
                       command->doc, rect.w - used - keys - 24 * scale);
    if (own)
        ui_draw_text(draw, UI_SMALL, 0, (struct ui_vec){rect.x + rect.w - keys - 8 * scale, y + 1},
                     ui_colour(UI_ACCENT), own, NULL);
    return clicked && enabled;
}

/* The command that was chosen; NULL: none yet. */
static const struct ed_command *draw_inside(struct ed_session *session)
{
    struct ed_command_search *search = &session->panels->commands;
    struct oro_match found[ED_COMMANDS_MAX];
    const struct ed_command *wanted = NULL;
    ui_item_width(-1);
    if (search->fresh)
        ui_focus_next();
    ui_name("commands");
    bool enter = ui_input("##typed", "What shall be done?", search->typed, sizeof search->typed, UI_ENTER);
    size_t count = find(session, search->typed, found);
    int step = ui_key_repeated(SDL_SCANCODE_DOWN) ? 1 : ui_key_repeated(SDL_SCANCODE_UP) ? -1 : 0;
    if (strcmp(search->listed, search->typed) != 0 || search->chosen >= count)
        search->chosen = 0;
    else if (count > 0)
        search->chosen = (search->chosen + count + (size_t)(step + (int)count)) % count;
    snprintf(search->listed, sizeof search->listed, "%s", search->typed);
    if (ui_child_begin("rows", 0, 0, 0))
        for (size_t i = 0; i < count; i++) {
            if (draw_row(session, &session->commands[found[i].index], i == search->chosen))
                wanted = &session->commands[found[i].index];
            if (step && i == search->chosen)
                ui_scroll_here();
        }
    ui_child_end();
    if (enter && search->chosen < count) {
        const struct ed_command *command = &session->commands[found[search->chosen].index];
        wanted = ed_command_enabled(session, command) ? command : wanted;
    }
    return wanted;
}

void ed_commands_draw(struct ed_session *session)
{
    struct ed_command_search *search = &session->panels->commands;
    if (!search->open)
        return;
    struct ui_vec window = ui_window_size();
    float scale = ui_scale(), width = 620 * scale < window.x ? 620 * scale : window.x;
    struct ui_rect rect = {(window.x - width) / 2, window.y * 0.12f, width, 380 * scale};
    const struct ed_command *wanted = NULL;
    bool fresh = search->fresh;
    if (ui_panel_begin("##commands", rect, UI_ALWAYS_ON_TOP | UI_POPUP | UI_BORDERED | UI_NO_SCROLL))
        wanted = draw_inside(session);
    ui_panel_end();
    search->fresh = false;
    bool outside = ui_mouse_pressed(0) && !ui_inside(rect, ui_mouse());
    if (wanted || (!fresh && (ui_key_pressed(SDL_SCANCODE_ESCAPE) || outside)))
        search->open = false;
    if (wanted)
        ed_command_run(session, wanted->id);
}
