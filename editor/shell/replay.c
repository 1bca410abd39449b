#include "editor/shell/replay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "editor/ui/describe.h"

struct ed_replay {
    char *text, *at;
    double due; /* of the next line; 0: before the first */
    int x, y;
    unsigned buttons; /* that are held, in SDL's encoding */
    bool lost;        /* something was not found, which has been reported */
};

struct ed_replay *ed_replay_open(const char *path, struct oro_error *err)
{
    size_t size;
    void *text;
    if (!oro_file_read(path, 1 << 20, &text, &size, err))
        return NULL;
    struct ed_replay *replay = oro_alloc(1, sizeof *replay);
    if (!replay) {
        oro_free(text);
        oro_fail(err, ORO_E_MEMORY, "no memory for events");
        return NULL;
    }
    replay->text = replay->at = text;
    return replay;
}

void ed_replay_close(struct ed_replay *replay)
{
    if (replay)
        oro_free(replay->text);
    oro_free(replay);
}

static void push(SDL_Event *event, Uint32 type, SDL_Window *window)
{
    event->type = type;
    event->window.windowID = SDL_GetWindowID(window);
    SDL_PushEvent(event);
}

static void push_key(SDL_Window *window, const char *name)
{
    static const struct {
        const char *name;
        Uint16 modifier;
    } names[] = {{"Ctrl+", KMOD_LCTRL}, {"Shift+", KMOD_LSHIFT}, {"Alt+", KMOD_LALT}};
    Uint16 modifiers = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(name, names[i].name, strlen(names[i].name)) == 0) {
            modifiers |= names[i].modifier;
            name += strlen(names[i].name);
        }
    SDL_Event event = {0};
    event.key.keysym.sym = SDL_GetKeyFromName(name);
    event.key.keysym.scancode = SDL_GetScancodeFromKey(event.key.keysym.sym);
    event.key.keysym.mod = modifiers;
    event.key.state = SDL_PRESSED;
    push(&event, SDL_KEYDOWN, window);
    event.key.state = SDL_RELEASED;
    push(&event, SDL_KEYUP, window);
}

static void push_button(struct ed_replay *replay, SDL_Window *window, int button, bool down)
{
    SDL_Event event = {0};
    if (button < 1 || button > 3)
        return;
    unsigned bit = SDL_BUTTON((unsigned)button);
    replay->buttons = down ? replay->buttons | bit : replay->buttons & ~bit;
    event.button.button = (Uint8)button;
    event.button.state = down ? SDL_PRESSED : SDL_RELEASED;
    event.button.clicks = 1;
    event.button.x = replay->x;
    event.button.y = replay->y;
    push(&event, down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP, window);
}

static void push_move(struct ed_replay *replay, SDL_Window *window, int x, int y)
{
    SDL_Event event = {0};
    event.motion.state = replay->buttons;
    event.motion.x = x;
    event.motion.y = y;
    event.motion.xrel = x - replay->x;
    event.motion.yrel = y - replay->y;
    replay->x = x;
    replay->y = y;
    push(&event, SDL_MOUSEMOTION, window);
}

/* ---- Lines ---- */

/* The next word of a line, cut to the room there is; gives what follows it. */
static const char *word(const char *line, char *out, size_t size)
{
    line += strspn(line, " \t");
    size_t length = strcspn(line, " \t\n");
    snprintf(out, size, "%.*s", (int)length, line);
    return line + length;
}

/* Reads so many numbers. False: one of them is none. */
static bool numbers(const char *line, double *values, int count)
{
    for (int i = 0; i < count; i++) {
        char text[64];
        line = word(line, text, sizeof text);
        if (!oro_parse_number(text, &values[i]) || fabs(values[i]) > 1e6)
            return false;
    }
    return true;
}

static void go_to(struct ed_replay *replay, SDL_Window *window, const char *line)
{
    char name[200];
    double at[2];
    float left, top, width, height;
    line = word(line, name, sizeof name);
    if (!numbers(line, at, 2))
        return;
    if (ed_describe_find(name, &left, &top, &width, &height))
        push_move(replay, window, (int)((double)left + at[0] * (double)width),
                  (int)((double)top + at[1] * (double)height));
    else if (!replay->lost)
        replay->lost = fprintf(stderr, "orograph-editor: the window shows no '%s'\n", name) > 0;
}

/* Carries out the rest of a line, after the time. */
static void play(struct ed_replay *replay, SDL_Window *window, const char *line)
{
    char verb[16];
    double at[2];
    SDL_Event event = {0};
    const char *rest = word(line, verb, sizeof verb);
    size_t gap = strspn(rest, " \t"), length = strcspn(rest + gap, "\n");
    if (strcmp(verb, "at") == 0) {
        go_to(replay, window, rest);
    } else if (strcmp(verb, "move") == 0 && numbers(rest, at, 2)) {
        push_move(replay, window, (int)at[0], (int)at[1]);
    } else if (strcmp(verb, "down") == 0 && numbers(rest, at, 1)) {
        push_button(replay, window, (int)at[0], true);
    } else if (strcmp(verb, "up") == 0 && numbers(rest, at, 1)) {
        push_button(replay, window, (int)at[0], false);
    } else if (strcmp(verb, "wheel") == 0 && numbers(rest, at, 1)) {
        event.wheel.y = (int)at[0];
        push(&event, SDL_MOUSEWHEEL, window);
    } else if (strcmp(verb, "key") == 0) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)length, rest + gap);
        push_key(window, name);
    } else if (strcmp(verb, "text") == 0) {
        snprintf(event.text.text, sizeof event.text.text, "%.*s", (int)length, rest + gap);
        push(&event, SDL_TEXTINPUT, window);
    } else if (strcmp(verb, "quit") == 0) {
        push(&event, SDL_QUIT, window);
    }
}

/* The time at the beginning of a line, and what follows it. False: a blank line, or a remark. */
static bool time_of(const char *line, double *after, const char **rest)
{
    char text[64];
    *rest = word(line, text, sizeof text);
    *rest += strspn(*rest, " \t");
    return oro_parse_number(text, after);
}

bool ed_replay_tick(struct ed_replay *replay, struct SDL_Window *window, double now, bool idle)
{
    while (*replay->at) {
        double after = 0;
        const char *rest;
        char *end = strchr(replay->at, '\n');
        bool event = time_of(replay->at, &after, &rest);
        if (event && replay->due <= 0)
            replay->due = now + after;
        if (event && (now < replay->due || (!idle && strncmp(rest, "wait", 4) == 0)))
            return true;
        if (event)
            play(replay, window, rest);
        replay->due = 0;
        replay->at = end ? end + 1 : replay->at + strlen(replay->at);
    }
    return false;
}
