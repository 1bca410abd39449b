#include "editor/shell/events.h"

#include <stdatomic.h>
#include <string.h>

#include <SDL2/SDL.h>

#include "base/file.h"
#include "editor/canvas/canvas.h"
#include "editor/panels/panels.h"
#include "editor/shell/documents.h"

static Uint32 wake_event;
static atomic_bool woken; /* a wake event is pending: one is enough */

bool ed_events_open(struct oro_error *err)
{
    if (SDL_Init(SDL_INIT_EVENTS) != 0)
        return oro_fail(err, ORO_E_DEVICE, "no window system: %s", SDL_GetError());
    wake_event = SDL_RegisterEvents(1);
    return true;
}

void ed_events_wake(void *unused)
{
    SDL_Event event = {.type = wake_event};
    (void)unused;
    if (!atomic_exchange(&woken, true) && SDL_PushEvent(&event) < 0)
        atomic_store(&woken, false);
}

static void dropped(struct ed_session *session, const char *path)
{
    if (strcmp(oro_path_extension(path), "oro") == 0)
        ed_document_open(session, path, false);
    else if (!ed_start_shown(session))
        ed_canvas_drop_file(session, path);
    else
        ed_message(&session->messages, ED_WARNING, NULL, "'%s' is no document (.oro)", path);
}

static void handle(struct ed_session *session, struct ed_presses *taken, const SDL_Event *event)
{
    if (event->type == wake_event) {
        atomic_store(&woken, false);
        return;
    }
    ui_event(event);
    ed_wake(session);
    taken->inputs += event->type == SDL_MOUSEBUTTONDOWN || event->type == SDL_MOUSEBUTTONUP ||
                     event->type == SDL_MOUSEWHEEL || event->type == SDL_KEYDOWN || event->type == SDL_KEYUP;
    if (event->type == SDL_QUIT) {
        session->quit = true;
    } else if (event->type == SDL_DROPFILE) {
        dropped(session, event->drop.file);
        SDL_free(event->drop.file);
    } else if (event->type == SDL_KEYDOWN && taken->key_count < ED_KEYS_MAX) {
        taken->keys[taken->key_count++] =
            (struct ed_pressed_key){(int)event->key.keysym.scancode, (unsigned)event->key.keysym.mod};
    }
}

/* Keys that widgets look at, once a frame. The others are letters, which come as text, too, and keys of
 * commands, which are taken from the events. */
static bool for_widgets(SDL_Keycode key, unsigned modifiers)
{
    return key < SDLK_SPACE || key >= SDLK_DELETE || (modifiers & KMOD_CTRL && ui_typing());
}

static bool is_modifier(SDL_Keycode key)
{
    return key >= SDLK_LCTRL && key <= SDLK_RGUI;
}

/* Whether the release of a key would hide a press of this frame: of the same key, or of one pressed together
 * with it, as Ctrl may be released before A in Ctrl+A. */
static bool hides(const struct ed_presses *taken, const SDL_KeyboardEvent *event)
{
    bool lets_go = event->type == SDL_KEYUP && is_modifier(event->keysym.sym);
    for (int i = 0; i < taken->key_count; i++) {
        const struct ed_pressed_key *before = &taken->keys[i];
        if (before->scancode == (int)event->keysym.scancode
                ? for_widgets(event->keysym.sym, before->modifiers | event->keysym.mod)
                : lets_go && before->modifiers & (KMOD_CTRL | KMOD_SHIFT | KMOD_ALT) && ui_typing())
            return true;
    }
    return false;
}

/* When frames are slow, a key may be pressed and released within one frame, and the pointer may have moved on
 * after a click: widgets would see no key, and the click in the wrong place. So an event that would hide an
 * earlier one waits for the next frame; so does the release of Ctrl after a Ctrl+click. `clicks`: buttons
 * that were pressed or released in this frame. */
static bool must_wait(const struct ed_presses *taken, const SDL_Event *event, unsigned *clicks)
{
    switch (event->type) {
    case SDL_KEYDOWN:
    case SDL_KEYUP:
        return (*clicks && is_modifier(event->key.keysym.sym)) || hides(taken, &event->key);
    case SDL_MOUSEMOTION:
    case SDL_MOUSEWHEEL:
        return *clicks;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        if (*clicks & 1u << (event->button.button & 31))
            return true;
        *clicks |= 1u << (event->button.button & 31);
        return false;
    default:
        return false;
    }
}

/* Keys that open or close fields: what is typed after them waits until the next frame knows which field it is
 * for. */
static bool moves_keyboard(const SDL_Event *event)
{
    if (event->type != SDL_KEYDOWN || event->key.repeat)
        return false;
    SDL_Scancode key = event->key.keysym.scancode;
    return !ui_typing() || event->key.keysym.mod & (KMOD_CTRL | KMOD_ALT) ||
           (key >= SDL_SCANCODE_F1 && key <= SDL_SCANCODE_F12) || key == SDL_SCANCODE_RETURN ||
           key == SDL_SCANCODE_KP_ENTER || key == SDL_SCANCODE_ESCAPE || key == SDL_SCANCODE_TAB;
}

static SDL_Event waiting;
static bool waits; /* `waiting` is to be handled first */

/* The letter of a key that opens a field is not meant for the field. */
static void take_text_of_key(struct ed_session *session, struct ed_presses *taken)
{
    SDL_Event event;
    if (SDL_PeepEvents(&event, 1, SDL_PEEKEVENT, SDL_FIRSTEVENT, SDL_LASTEVENT) == 1 &&
        event.type == SDL_TEXTINPUT && SDL_PollEvent(&event))
        handle(session, taken, &event);
}

enum took { TOOK_NOTHING, TOOK_ONE, TOOK_LAST /* of this frame */ };

static enum took next_event(struct ed_session *session, struct ed_presses *taken, struct ed_frame_log *log,
                            unsigned *clicks, int milliseconds)
{
    SDL_Event event = waiting;
    bool early = waits; /* an event that has waited once does not wait again */
    if (!early && !(milliseconds > 0 ? SDL_WaitEventTimeout(&event, milliseconds) : SDL_PollEvent(&event)))
        return TOOK_NOTHING;
    waits = must_wait(taken, &event, clicks) && !early;
    waiting = event;
    if (waits)
        return TOOK_LAST;
    bool last = moves_keyboard(&event);
    if (event.type != wake_event)
        ed_frame_log_event(log);
    handle(session, taken, &event);
    if (last)
        take_text_of_key(session, taken);
    return last ? TOOK_LAST : TOOK_ONE;
}

bool ed_events_take(struct ed_session *session, struct ed_presses *taken, struct ed_frame_log *log,
                    int milliseconds)
{
    unsigned clicks = 0;
    if (ui_focusing())
        return true; /* the next frame knows which field they are for */
    enum took took = next_event(session, taken, log, &clicks, waits ? 0 : milliseconds);
    bool any = took != TOOK_NOTHING;
    while (took == TOOK_ONE)
        took = next_event(session, taken, log, &clicks, 0);
    return any;
}
