#include "editor/app/app.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <GLES3/gl31.h>
#include <SDL2/SDL.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "editor/app/commands.h"
#include "editor/app/fonts.h"
#include "editor/app/frame_log.h"
#include "editor/app/replay.h"
#include "editor/app/signals.h"
#include "editor/canvas/canvas.h"
#include "editor/inspector/inspector.h"
#include "editor/panels/panels.h"
#include "editor/ui/describe.h"
#include "editor/view/views.h"
#include "lua/registry.h"

/* Widgets of ImGui need some frames until they look as they will. */
enum { SETTLING_FRAMES = 4 };

void ed_app_wake(struct ed_app *app)
{
    app->busy_frames = SETTLING_FRAMES;
}

void ed_failed(struct ed_app *app, const struct oro_error *err)
{
    char line[1800];
    oro_error_line(err, line, sizeof line);
    ed_message(&app->messages, ED_ERROR, err->node, "%s", err->node[0] ? err->text : line);
    ed_app_wake(app);
}

/* ---- Opening */

static void on_log(void *user, enum oro_level level, const char *text)
{
    struct ed_app *app = user;
    if (level != ORO_DEBUG)
        ed_message(&app->messages, level == ORO_WARNING ? ED_WARNING : ED_NOTICE, NULL, "%s", text);
}

static bool open_registry(struct ed_app *app, struct oro_error *err)
{
    app->log = (struct oro_log){.write = on_log, .user = app};
    return oro_registry_open(&app->registry, &oro_builtin_nodes, app->options.allow_any_path, &app->log, err);
}

static float screen_scale(const struct ed_app *app)
{
    float dots = 0;
    if (app->options.scale > 0)
        return app->options.scale;
    if (app->settings.scale > 0)
        return fmaxf(app->settings.scale, 0.5F); /* the file may say anything */
    if (SDL_GetDisplayDPI(0, NULL, &dots, NULL) != 0 || dots < 120)
        return 1;
    return dots < 170 ? 1.5f : 2;
}

static void style_of(const struct ed_app *app, const struct ed_fonts *fonts, struct ui_options *options)
{
    *options = (struct ui_options){.scale = screen_scale(app),
                                   .light = app->settings.theme == ED_THEME_LIGHT,
                                   .font = fonts->normal,
                                   .bold = fonts->bold,
                                   .mono = fonts->mono};
}

static bool open_window(struct ed_app *app, struct oro_error *err)
{
    const struct ed_app_options *options = &app->options;
    SDL_SetHint(SDL_HINT_VIDEO_X11_FORCE_EGL, "1");
    SDL_SetHint("SDL_MOUSE_FOCUS_CLICKTHROUGH", "1");
    if (SDL_Init(SDL_INIT_VIDEO) != 0)
        return oro_fail(err, ORO_E_DEVICE, "no window system: %s", SDL_GetError());
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_ES);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 1);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);
    SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
    int width = options->width > 0 ? options->width : app->settings.width;
    int height = options->height > 0 ? options->height : app->settings.height;
    Uint32 flags = SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
    if (app->settings.maximized && options->width <= 0)
        flags |= SDL_WINDOW_MAXIMIZED;
    app->window =
        SDL_CreateWindow("Orograph", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width, height, flags);
    app->gl = app->window ? SDL_GL_CreateContext(app->window) : NULL;
    if (!app->gl)
        return oro_fail(err, ORO_E_DEVICE, "no window with OpenGL ES 3.1: %s", SDL_GetError());
    SDL_GL_SetSwapInterval(1);
    return true;
}

static bool open_ui(struct ed_app *app, struct oro_error *err)
{
    struct ed_fonts fonts;
    struct ui_options style;
    ed_fonts_find(&fonts);
    style_of(app, &fonts, &style);
    bool ok = ui_open(app->window, app->gl, &style, err);
    ed_fonts_free(&fonts);
    return ok;
}

static void restyle(struct ed_app *app)
{
    struct ed_fonts fonts;
    struct ui_options style;
    struct oro_error err;
    ed_fonts_find(&fonts);
    style_of(app, &fonts, &style);
    if (!ui_restyle(&style, &err))
        ed_failed(app, &err);
    ed_fonts_free(&fonts);
    app->styled = false;
}

static Uint32 wake_event;
static atomic_bool woken; /* and not yet up: one event is enough */

/* Called on the live thread, and on that of a build. */
static void wake_window(void *unused)
{
    SDL_Event event = {.type = wake_event};
    (void)unused;
    if (!atomic_exchange(&woken, true) && SDL_PushEvent(&event) < 0)
        atomic_store(&woken, false);
}

void ed_live_options_of(const struct ed_app *app, struct ed_live_options *options)
{
    *options = (struct ed_live_options){.device = app->options.device >= 0 ? app->options.device
                                                                           : app->settings.device,
                                        .shader_dir = app->options.shader_dir,
                                        .memory_bytes = (size_t)app->settings.memory_mb << 20,
                                        .allow_any_path = app->options.allow_any_path,
                                        .wake = wake_window};
}

static bool open_live(struct ed_app *app, struct oro_error *err)
{
    struct ed_live_options options;
    /* Before the thread, which may be quick to wake the window. */
    if (SDL_Init(SDL_INIT_EVENTS) != 0)
        return oro_fail(err, ORO_E_DEVICE, "no window system: %s", SDL_GetError());
    wake_event = SDL_RegisterEvents(1);
    ed_live_options_of(app, &options);
    app->live = ed_live_create(&options, err);
    return app->live;
}

static bool open_parts(struct ed_app *app, struct oro_error *err)
{
    app->canvas = ed_canvas_create();
    app->inspector = ed_inspector_create();
    app->panels = ed_panels_create(app);
    app->views = ed_views_create(err);
    if (!app->views)
        return false;
    return (app->canvas && app->inspector && app->panels) ||
           oro_fail(err, ORO_E_MEMORY, "no memory for the window");
}

/* A document's path is absolute: files beside it are told from others by their folder. */
static void open_named(struct ed_app *app, const char *file)
{
    char *here = file[0] == '/' ? NULL : getcwd(NULL, 0);
    struct oro_text path = {0};
    oro_text_addf(&path, "%s%s%s", here ? here : "", here ? "/" : "", file);
    ed_document_open(app, path.failed ? file : path.data, false);
    oro_text_free(&path);
    free(here);
}

static void open_first(struct ed_app *app)
{
    if (app->options.file) {
        open_named(app, app->options.file);
        if (ed_project_path(app->project)[0])
            return;
    }
    ed_start_show(app, true);
    if (!app->options.file && !app->settings.toured && !app->options.no_tour)
        ed_tour_start(app);
}

bool ed_app_open(struct ed_app *app, const struct ed_app_options *options, struct oro_error *err)
{
    struct oro_error trouble = {0};
    app->options = *options;
    bool settled = ed_settings_load(&app->settings, NULL, &trouble);
    if ((options->describe || options->events) && !ed_describe_open(options->describe))
        return oro_fail(err, ORO_E_MEMORY, "no memory for the description");
    if (!open_registry(app, err) || !open_live(app, err) || !open_window(app, err) || !open_ui(app, err))
        return false;
    app->project = ed_project_create(&app->registry, err);
    app->safety = app->project ? ed_safety_create(NULL, err) : NULL;
    if (!app->safety || !open_parts(app, err))
        return false;
    if (!settled)
        ed_failed(app, &trouble);
    open_first(app);
    return true;
}

/* ---- Closing */

static void remember(struct ed_app *app)
{
    Uint32 flags = SDL_GetWindowFlags(app->window);
    app->settings.maximized = (flags & SDL_WINDOW_MAXIMIZED) != 0;
    if (!app->settings.maximized && app->options.width <= 0)
        SDL_GetWindowSize(app->window, &app->settings.width, &app->settings.height);
    ed_settings_save(&app->settings, NULL, NULL);
}

void ed_app_close(struct ed_app *app)
{
    if (app->window && app->project)
        remember(app);
    if (app->build)
        ed_build_destroy(app->build);
    if (app->live)
        ed_live_destroy(app->live);
    if (app->views)
        ed_views_destroy(app->views);
    if (app->panels)
        ed_panels_destroy(app->panels);
    if (app->inspector)
        ed_inspector_destroy(app->inspector);
    if (app->canvas)
        ed_canvas_destroy(app->canvas);
    if (app->safety)
        ed_safety_destroy(app->safety, !app->ended);
    if (app->project)
        ed_project_destroy(app->project);
    oro_registry_close(&app->registry);
    if (app->gl) {
        ui_close();
        SDL_GL_DeleteContext(app->gl);
    }
    if (app->window)
        SDL_DestroyWindow(app->window);
    SDL_Quit();
    ed_names_free(&app->selection);
    ed_messages_free(&app->messages);
    ed_settings_free(&app->settings);
    ed_describe_close();
}

/* ---- The loop */

static void really_quit(struct ed_app *app, const char *text)
{
    (void)text;
    app->quit = app->leaving = true;
}

static void dropped(struct ed_app *app, const char *path)
{
    size_t length = strlen(path);
    if (length > 4 && strcmp(path + length - 4, ".oro") == 0)
        ed_document_open(app, path, false);
    else if (!ed_start_shown(app))
        ed_canvas_drop_file(app, path);
    else
        ed_message(&app->messages, ED_WARNING, NULL, "'%s' is no document (.oro)", path);
}

static void handle(struct ed_app *app, const SDL_Event *event)
{
    if (event->type == wake_event) {
        atomic_store(&woken, false);
        return;
    }
    ui_event(event);
    ed_app_wake(app);
    app->inputs += event->type == SDL_MOUSEBUTTONDOWN || event->type == SDL_MOUSEBUTTONUP ||
                   event->type == SDL_MOUSEWHEEL || event->type == SDL_KEYDOWN || event->type == SDL_KEYUP;
    if (event->type == SDL_QUIT) {
        app->quit = true;
    } else if (event->type == SDL_DROPFILE) {
        dropped(app, event->drop.file);
        SDL_free(event->drop.file);
    } else if (event->type == SDL_KEYDOWN && app->key_count < ED_KEYS_MAX) {
        app->keys[app->key_count++] =
            (struct ed_key){(int)event->key.keysym.scancode, (unsigned)event->key.keysym.mod};
    }
}

/* ---- Events of one frame */

/* Widgets look at keys once a frame. Letters come as text, too, and commands are taken from the events. */
static bool for_widgets(SDL_Keycode key, unsigned modifiers)
{
    return key < SDLK_SPACE || key >= SDLK_DELETE || (modifiers & KMOD_CTRL && ui_typing());
}

/* Whether it hides a key that was pressed in this frame: the same one, or one that was pressed with it, such
 * as the Ctrl of Ctrl+A, which may be let go first. */
static bool hides(const struct ed_app *app, const SDL_KeyboardEvent *event)
{
    SDL_Scancode scancode = event->keysym.scancode;
    bool lets_go =
        event->type == SDL_KEYUP && scancode >= SDL_SCANCODE_LCTRL && scancode <= SDL_SCANCODE_RALT;
    for (int i = 0; i < app->key_count; i++) {
        const struct ed_key *before = &app->keys[i];
        if (before->scancode == (int)scancode
                ? for_widgets(event->keysym.sym, before->modifiers | event->keysym.mod)
                : lets_go && before->modifiers & (KMOD_CTRL | KMOD_SHIFT | KMOD_ALT) && ui_typing())
            return true;
    }
    return false;
}

/* Where frames are slow, a key is pressed and released within one, and the pointer is elsewhere after a
 * click: widgets would see no key, and the click elsewhere. What would hide what came before waits for the
 * next frame. `clicks`: buttons that were pressed or released in this one. */
static bool must_wait(const struct ed_app *app, const SDL_Event *event, unsigned *clicks)
{
    switch (event->type) {
    case SDL_KEYDOWN:
    case SDL_KEYUP:
        return hides(app, &event->key);
    case SDL_MOUSEMOTION:
    case SDL_MOUSEWHEEL:
        return *clicks;
    case SDL_MOUSEBUTTONDOWN:
        if (*clicks & 1u << (event->button.button & 31))
            return true;
        *clicks |= 1u << (event->button.button & 31);
        return false;
    case SDL_MOUSEBUTTONUP:
        *clicks |= 1u << (event->button.button & 31);
        return false;
    default:
        return false;
    }
}

/* Keys that open or close fields: what is typed behind them is taken when the next frame knows whom it is
 * for. */
static bool turns_keyboard(const SDL_Event *event)
{
    if (event->type != SDL_KEYDOWN || event->key.repeat)
        return false;
    SDL_Scancode key = event->key.keysym.scancode;
    return !ui_typing() || key == SDL_SCANCODE_RETURN || key == SDL_SCANCODE_KP_ENTER ||
           key == SDL_SCANCODE_ESCAPE || key == SDL_SCANCODE_TAB;
}

static SDL_Event waiting;
static bool waits; /* `waiting` is to be handled first */

/* The letter of a key that opens a field is not for the field. */
static void take_text_of_key(struct ed_app *app)
{
    SDL_Event event;
    if (SDL_PeepEvents(&event, 1, SDL_PEEKEVENT, SDL_FIRSTEVENT, SDL_LASTEVENT) == 1 &&
        event.type == SDL_TEXTINPUT && SDL_PollEvent(&event))
        handle(app, &event);
}

enum took { TOOK_NOTHING, TOOK_ONE, TOOK_LAST /* of this frame */ };

static enum took next_event(struct ed_app *app, struct ed_frame_log *log, unsigned *clicks, int milliseconds)
{
    SDL_Event event = waiting;
    bool early = waits; /* one that waited has waited enough */
    if (!early && !(milliseconds > 0 ? SDL_WaitEventTimeout(&event, milliseconds) : SDL_PollEvent(&event)))
        return TOOK_NOTHING;
    waits = must_wait(app, &event, clicks) && !early;
    waiting = event;
    if (waits)
        return TOOK_LAST;
    bool last = turns_keyboard(&event);
    if (event.type != wake_event)
        ed_frame_log_event(log);
    handle(app, &event);
    if (last)
        take_text_of_key(app);
    return last ? TOOK_LAST : TOOK_ONE;
}

/* Waits for the first of them for some milliseconds. False: none came. */
static bool take_events(struct ed_app *app, struct ed_frame_log *log, int milliseconds)
{
    unsigned clicks = 0;
    if (ui_focusing())
        return true; /* the next frame knows whom they are for */
    enum took took = next_event(app, log, &clicks, waits ? 0 : milliseconds);
    bool any = took != TOOK_NOTHING;
    while (took == TOOK_ONE)
        took = next_event(app, log, &clicks, 0);
    return any;
}

static void take_problem(void *user, const struct oro_problem *problem)
{
    struct ed_app *app = user;
    ed_problem(&app->messages, problem->error ? ED_ERROR : ED_WARNING, problem->node, problem->text);
}

static void take_news(struct ed_app *app)
{
    uint64_t known = app->problems_of;
    struct ed_messages *messages = &app->messages;
    size_t before = messages->problem_count;
    messages->problem_count = 0;
    app->problems_of = ed_live_problems(app->live, known, take_problem, app);
    if (app->problems_of == known)
        messages->problem_count = before;
    ed_live_log(app->live, on_log, app);
}

static void run_keys(struct ed_app *app)
{
    bool typing = ui_typing() || ed_views_flies(app);
    for (int i = 0; i < app->key_count && !typing && !app->asking; i++)
        ed_command_key(app, app->keys[i].scancode, app->keys[i].modifiers);
    app->key_count = 0;
}

static void draw(struct ed_app *app, struct ed_frame_log *log)
{
    int width, height;
    if (app->styled)
        restyle(app);
    ed_frame_log_begin(log);
    ui_frame_begin();
    take_news(app);
    run_keys(app);
    ed_app_frame(app);
    ed_selection_check(app);
    ed_request(app);
    ed_frame_log_built(log);
    SDL_GL_GetDrawableSize(app->window, &width, &height);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, width, height);
    uint32_t gaps = ui_colour(UI_BORDER);
    glClearColor((float)(gaps & 0xff) / 255, (float)(gaps >> 8 & 0xff) / 255,
                 (float)(gaps >> 16 & 0xff) / 255, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ui_frame_end();
    ed_frame_log_drawn(log);
    SDL_GL_SwapWindow(app->window);
    ed_frame_log_end(log, app);
    app->frame++;
}

static bool is_busy(struct ed_app *app)
{
    struct ed_live_status status;
    ed_live_status(app->live, &status);
    return status.busy || status.opening || ed_views_busy(app);
}

/* Nothing is asked: the work that is not saved is offered at the next start. */
static void end(struct ed_app *app)
{
    ed_safety_now(app->safety, app->project);
    app->ended = app->leaving = true;
}

/* What a frame leaves to be done. */
static void between_frames(struct ed_app *app)
{
    app->busy_frames -= app->busy_frames > 0;
    ed_safety_tick(app->safety, app->project, app->now);
    if (app->quit && !app->asking) {
        app->quit = false;
        ed_document_ask(app, really_quit, NULL);
    }
    if (ed_signals_caught())
        end(app);
}

/* While nothing happens a frame is drawn now and then all the same: files may have changed. */
enum { IDLE_MS = 250, REPLAY_MS = 2 };

static void loop(struct ed_app *app, struct ed_frame_log *log, struct ed_replay *replay)
{
    bool busy = true, described = true;
    while (!app->leaving) {
        bool drawing = ed_views_busy(app) || app->busy_frames > 0 || !described;
        app->now = oro_now();
        if (replay && !ed_replay_tick(replay, app->window, app->now, !busy))
            replay = NULL;
        bool any = take_events(app, log, drawing ? 0 : replay ? REPLAY_MS : IDLE_MS);
        if (replay && !any && !drawing && busy == is_busy(app))
            continue;
        app->now = oro_now();
        draw(app, log);
        between_frames(app);
        bool was_busy = busy; /* what ended meanwhile is not drawn yet */
        busy = is_busy(app);
        described = ed_describe_end(!busy && !was_busy && app->busy_frames == 0);
        if (was_busy && !busy)
            ed_app_wake(app);
    }
}

void ed_app_run(struct ed_app *app)
{
    struct oro_error err;
    struct ed_frame_log *log = app->options.frames ? ed_frame_log_open(app->options.frames, &err) : NULL;
    struct ed_replay *replay = app->options.events ? ed_replay_open(app->options.events, &err) : NULL;
    if ((app->options.frames && !log) || (app->options.events && !replay))
        ed_failed(app, &err);
    ed_app_wake(app);
    loop(app, log, replay);
    ed_replay_close(replay);
    ed_frame_log_close(log);
}
