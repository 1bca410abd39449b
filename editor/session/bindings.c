#include "editor/session/bindings.h"

#include <stdio.h>
#include <string.h>

#include <SDL2/SDL.h>

#include "base/memory.h"
#include "base/text.h"

/* ---- Keys and their texts ---- */

static const struct {
    const char *name;
    unsigned modifier;
} modifier_names[] = {{"Ctrl+", ED_CTRL}, {"Shift+", ED_SHIFT}, {"Alt+", ED_ALT}};
enum { MODIFIERS = sizeof modifier_names / sizeof modifier_names[0] };

struct ed_chord ed_chord_of(int scancode, unsigned sdl)
{
    return (struct ed_chord){scancode, (sdl & KMOD_CTRL ? ED_CTRL : 0u) | (sdl & KMOD_SHIFT ? ED_SHIFT : 0u) |
                                           (sdl & KMOD_ALT ? ED_ALT : 0u)};
}

bool ed_chord_text(struct ed_chord key, char text[ED_CHORD_TEXT])
{
    SDL_Keycode code = SDL_GetKeyFromScancode((SDL_Scancode)key.scancode);
    const char *name = code == SDLK_RETURN ? "Enter" : SDL_GetKeyName(code);
    size_t length = 0;
    text[0] = '\0';
    if ((code >= SDLK_LCTRL && code <= SDLK_RGUI) || code == SDLK_MODE || !name[0] || strchr(name, '|') ||
        strlen(name) > 24)
        return false;
    for (size_t i = 0; i < MODIFIERS; i++)
        if (key.modifiers & modifier_names[i].modifier)
            length += (size_t)snprintf(text + length, ED_CHORD_TEXT - length, "%s", modifier_names[i].name);
    snprintf(text + length, ED_CHORD_TEXT - length, "%s", name);
    return true;
}

/* Cuts one key off a list such as "Ctrl+Shift+Z|Ctrl+Y". False: the list is empty. SDLK_UNKNOWN: there is no
 * such key. */
static bool next_key(const char **keys, unsigned *modifiers, SDL_Keycode *code)
{
    char name[32];
    if (!*keys || !**keys)
        return false;
    *modifiers = 0;
    for (size_t i = 0; i < MODIFIERS; i++)
        if (strncmp(*keys, modifier_names[i].name, strlen(modifier_names[i].name)) == 0) {
            *modifiers |= modifier_names[i].modifier;
            *keys += strlen(modifier_names[i].name);
        }
    size_t length = strcspn(*keys, "|");
    snprintf(name, sizeof name, "%.*s", (int)length, *keys);
    *keys += length + ((*keys)[length] == '|');
    *code = length < sizeof name ? SDL_GetKeyFromName(strcmp(name, "Enter") == 0 ? "Return" : name)
                                 : SDLK_UNKNOWN;
    return true;
}

static bool is_same(SDL_Keycode code, unsigned wanted, struct ed_chord key)
{
    return wanted == key.modifiers && code != SDLK_UNKNOWN &&
           (SDL_GetScancodeFromKey(code) == (SDL_Scancode)key.scancode ||
            SDL_GetKeyFromScancode((SDL_Scancode)key.scancode) == code);
}

static bool has(const char *keys, struct ed_chord key)
{
    unsigned modifiers;
    SDL_Keycode code;
    while (next_key(&keys, &modifiers, &code))
        if (is_same(code, modifiers, key))
            return true;
    return false;
}

/* Whether the two lists have a key in common. */
static bool share_key(const char *a, const char *b)
{
    unsigned modifiers;
    SDL_Keycode code;
    while (next_key(&a, &modifiers, &code))
        if (has(b, (struct ed_chord){(int)SDL_GetScancodeFromKey(code), modifiers}))
            return true;
    return false;
}

static bool all_exist(const char *keys)
{
    unsigned modifiers;
    SDL_Keycode code;
    while (next_key(&keys, &modifiers, &code))
        if (code == SDLK_UNKNOWN || (code >= SDLK_LCTRL && code <= SDLK_RGUI))
            return false;
    return true;
}

bool ed_chord_is_for_fields(struct ed_chord key)
{
    static const SDL_Keycode used[] = {SDLK_a,      SDLK_c,      SDLK_v,        SDLK_x,      SDLK_y,
                                       SDLK_z,      SDLK_LEFT,   SDLK_UP,       SDLK_DOWN,   SDLK_RIGHT,
                                       SDLK_HOME,   SDLK_END,    SDLK_TAB,      SDLK_RETURN, SDLK_KP_ENTER,
                                       SDLK_DELETE, SDLK_INSERT, SDLK_BACKSPACE};
    SDL_Keycode code = SDL_GetKeyFromScancode((SDL_Scancode)key.scancode);
    if ((code >= SDLK_F1 && code <= SDLK_F12) || (code >= SDLK_F13 && code <= SDLK_F24))
        return false;
    if (!(key.modifiers & (ED_CTRL | ED_ALT)) || (key.modifiers & ED_CTRL && key.modifiers & ED_ALT))
        return true; /* the latter types letters on many keyboards */
    for (size_t i = 0; i < sizeof used / sizeof used[0]; i++)
        if (used[i] == code)
            return true;
    return false;
}

/* ---- Commands ---- */

static struct ed_binding *binding_of(const struct ed_settings *settings, const char *id)
{
    for (size_t i = 0; i < settings->binding_count; i++)
        if (settings->bindings[i].keys && strcmp(settings->bindings[i].command, id) == 0)
            return &settings->bindings[i];
    return NULL;
}

const char *ed_command_keys(const struct ed_session *session, const struct ed_command *command)
{
    const struct ed_binding *own = binding_of(&session->settings, command->id);
    const char *keys = own ? own->keys : command->keys;
    return keys && keys[0] ? keys : NULL;
}

const char *ed_command_key_text(const struct ed_session *session, const char *id)
{
    static char texts[8][ED_CHORD_TEXT];
    static unsigned next;
    const struct ed_command *command = ed_command_find(session, id);
    const char *keys = command ? ed_command_keys(session, command) : NULL;
    char *text = texts[next++ % 8];
    snprintf(text, ED_CHORD_TEXT, "%.*s", keys ? (int)strcspn(keys, "|") : 0, keys ? keys : "");
    return text;
}

const char *ed_text_with_key(const struct ed_session *session, const char *text, const char *id)
{
    static char out[200];
    const char *key = ed_command_key_text(session, id);
    snprintf(out, sizeof out, key[0] ? "%s (%s)" : "%s", text, key);
    return out;
}

bool ed_command_has_key(const struct ed_session *session, const struct ed_command *command,
                        struct ed_chord key)
{
    return has(ed_command_keys(session, command), key);
}

const struct ed_command *ed_command_of_key(const struct ed_session *session, struct ed_chord key)
{
    for (const struct ed_command *command = session->commands; command->id; command++)
        if (ed_command_has_key(session, command, key))
            return command;
    return NULL;
}

bool ed_is_bound(const struct ed_session *session, const struct ed_command *command)
{
    return binding_of(&session->settings, command->id);
}

/* ---- Changing ---- */

static void forget(struct ed_settings *settings, struct ed_binding *binding)
{
    oro_free(binding->command);
    oro_free(binding->keys);
    *binding = settings->bindings[--settings->binding_count];
}

/* The keys without one of them. */
static bool take_away(struct ed_session *session, const struct ed_command *from, const char *taken)
{
    const char *keys = ed_command_keys(session, from);
    struct oro_text left = {0};
    while (keys && *keys) {
        size_t length = strcspn(keys, "|");
        char one[ED_CHORD_TEXT];
        snprintf(one, sizeof one, "%.*s", (int)length, keys);
        if (!share_key(one, taken))
            oro_text_addf(&left, "%s%s", left.length ? "|" : "", one);
        keys += length + (keys[length] == '|');
    }
    bool ok = !left.failed && ed_settings_bind(&session->settings, from->id, left.data ? left.data : "");
    oro_text_free(&left);
    return ok;
}

bool ed_bind(struct ed_session *session, const struct ed_command *command, const char *keys)
{
    struct ed_binding *own = binding_of(&session->settings, command->id);
    const char *wanted = keys ? keys : command->keys ? command->keys : "";
    for (const struct ed_command *other = session->commands; other->id; other++)
        if (other != command && ed_command_keys(session, other) &&
            share_key(wanted, ed_command_keys(session, other)) && !take_away(session, other, wanted))
            return false;
    own = binding_of(&session->settings, command->id);
    if (!keys && own)
        forget(&session->settings, own);
    return !keys || ed_settings_bind(&session->settings, command->id, keys);
}

void ed_bind_none(struct ed_session *session)
{
    while (session->settings.binding_count > 0)
        forget(&session->settings, &session->settings.bindings[0]);
}

/* ---- What the file says ---- */

/* NULL: the entry is right. */
static const char *what_is_wrong(const struct ed_session *session, const struct ed_binding *binding)
{
    const struct ed_command *command = ed_command_find(session, binding->command);
    if (!command)
        return "there is no such command";
    if (!binding->keys)
        return "its keys are no text";
    if (!all_exist(binding->keys))
        return "there is no such key";
    for (const struct ed_command *other = session->commands; other->id; other++) {
        const char *keys = ed_command_keys(session, other);
        if (other != command && keys && share_key(binding->keys, keys))
            return "another command has that key";
    }
    return NULL;
}

void ed_bindings_check(struct ed_session *session)
{
    struct ed_settings *settings = &session->settings;
    for (size_t i = 0; i < settings->binding_count;) {
        struct ed_binding *binding = &settings->bindings[i];
        const char *wrong = what_is_wrong(session, binding);
        if (!wrong) {
            i++;
            continue;
        }
        ed_message(&session->messages, ED_WARNING, NULL,
                   "The settings' key '%.60s' for '%.60s' is ignored: %s", binding->keys ? binding->keys : "",
                   binding->command, wrong);
        forget(settings, binding);
        i = 0; /* the command has its old keys again, which another entry may have taken */
    }
}
