#include "editor/app/app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <GLES3/gl31.h>
#include <SDL2/SDL.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "editor/app/commands.h"
#include "editor/app/events.h"
#include "editor/app/fonts.h"
#include "editor/app/frame_log.h"
#include "editor/app/replay.h"
#include "editor/app/signals.h"
#include "editor/canvas/canvas.h"
#include "editor/inspector/inspector.h"
#include "editor/panels/panels.h"
#include "editor/ui/describe.h"
#include "editor/view/views.h"
#include "lua/types/registry.h"

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

/* With the fonts and colours of the settings. `open`: for the first time. */
static bool dress(struct ed_app *app, bool open, struct oro_error *err)
{
    struct ed_fonts fonts;
    size_t letters = 0, readable;
    const uint32_t *asked = open ? NULL : ui_letters(&letters, &readable);
    ed_fonts_find(&fonts, asked, letters);
    struct ui_options style = {.scale = screen_scale(app),
                               .light = app->settings.theme == ED_THEME_LIGHT,
                               .font = fonts.normal,
                               .bold = fonts.bold,
                               .mono = fonts.mono};
    _Static_assert((int)ED_MORE_FONTS <= (int)UI_MORE_FONTS, "there is room for all");
    for (int i = 0; i < ED_MORE_FONTS; i++)
        style.more[i] = (struct ui_font_file){fonts.more[i], fonts.face[i]};
    bool ok = open ? ui_open(app->window, app->gl, &style, err) : ui_restyle(&style, err);
    ed_fonts_free(&fonts);
    return ok;
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

void ed_live_options_of(const struct ed_app *app, struct ed_live_options *options)
{
    *options = (struct ed_live_options){.device = app->options.device >= 0 ? app->options.device
                                                                           : app->settings.device,
                                        .shader_dir = app->options.shader_dir,
                                        .memory_bytes = (size_t)app->settings.memory_mb << 20,
                                        .allow_any_path = app->options.allow_any_path,
                                        .wake = ed_events_wake};
}

static bool open_live(struct ed_app *app, struct oro_error *err)
{
    struct ed_live_options options;
    /* Before the thread, which may be quick to wake the window. */
    if (!ed_events_open(err))
        return false;
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
    if (!open_registry(app, err) || !open_live(app, err) || !open_window(app, err) || !dress(app, true, err))
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

static void take_problem(void *user, const struct oro_problem *problem)
{
    struct ed_app *app = user;
    ed_problem(&app->messages, problem->error ? ED_ERROR : ED_WARNING, problem->node, problem->text);
}

static void take_news(struct ed_app *app)
{
    if (ed_live_problems(app->live, app->problems_of, NULL, NULL) != app->problems_of) {
        ed_problems_clear(&app->messages);
        app->problems_of = ed_live_problems(app->live, app->problems_of, take_problem, app);
    }
    ed_live_log(app->live, on_log, app);
}

static void run_keys(struct ed_app *app)
{
    bool typing = ui_typing() || ed_views_take_keys(app);
    for (int i = 0; i < app->key_count && !typing && !app->asking; i++)
        ed_command_key(app, app->keys[i].scancode, app->keys[i].modifiers);
    app->key_count = 0;
}

static void draw(struct ed_app *app, struct ed_frame_log *log)
{
    struct oro_error err;
    int width, height;
    if (app->styled && !dress(app, false, &err))
        ed_failed(app, &err);
    app->styled = false;
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
    if (ui_letters_asked()) {
        app->styled = true;
        ed_app_wake(app);
    }
    ed_safety_tick(app->safety, app->project, app->now);
    if (app->quit && !app->asking) {
        app->quit = false;
        ed_document_leave(app);
    }
    if (ed_signals_caught())
        end(app);
}

/* While nothing happens a frame is drawn now and then all the same: tips are shown after a rest, a cursor
 * blinks, and files may have changed. */
static int idle_milliseconds(const struct ed_app *app)
{
    return ui_typing() || app->now - app->active < 3 ? 250 : 1000;
}

enum { REPLAY_MS = 2 };

static void loop(struct ed_app *app, struct ed_frame_log *log, struct ed_replay *replay)
{
    bool busy = true, described = true;
    while (!app->leaving) {
        bool drawing = ed_views_busy(app) || app->busy_frames > 0 || !described;
        app->now = oro_now();
        if (replay && !ed_replay_tick(replay, app->window, app->now, !busy))
            replay = NULL;
        bool any = ed_events_take(app, log, drawing ? 0 : replay ? REPLAY_MS : idle_milliseconds(app));
        if (any || drawing)
            app->active = app->now;
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
