#include "editor/session/commands.h"

#include <ctype.h>
#include <string.h>

const char *ed_command_place_name(enum ed_command_place place)
{
    static const char *const names[ED_PLACES] = {"File", "Edit", "Node", "View", "Layout", "Help", "Canvas"};
    return names[place];
}

int ed_menu_of_letter(int letter)
{
    for (int place = 0; place < ED_IN_NO_MENU; place++)
        if (letter > 0 && letter < 128 &&
            ed_command_place_name((enum ed_command_place)place)[0] == toupper(letter))
            return place + 1;
    return 0;
}

const struct ed_command *ed_command_find(const struct ed_session *session, const char *id)
{
    for (const struct ed_command *command = session->commands; command->id; command++)
        if (strcmp(command->id, id) == 0)
            return command;
    return NULL;
}

bool ed_command_enabled(const struct ed_session *session, const struct ed_command *command)
{
    return !command->enabled || command->enabled(session);
}

bool ed_command_checked(const struct ed_session *session, const struct ed_command *command)
{
    if (command->toggles)
        return *(const bool *)((const char *)session + command->toggles);
    return command->checked && command->checked(session);
}

void ed_command_run(struct ed_session *session, const char *id)
{
    const struct ed_command *command = ed_command_find(session, id);
    if (!command || !ed_command_enabled(session, command))
        return;
    if (command->toggles)
        *(bool *)((char *)session + command->toggles) = !ed_command_checked(session, command);
    else
        command->run(session);
    ed_wake(session);
}
