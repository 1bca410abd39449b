#include "editor/shell/shell.h"

#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <GLES3/gl31.h>
#include <SDL2/SDL.h>

#include "base/clock.h"
#include "base/text.h"
#include "editor/canvas/canvas.h"
#include "editor/inspector/inspector.h"
#include "editor/panels/panels.h"
#include "editor/project/working.h"
#include "editor/session/bindings.h"
#include "editor/session/inputs.h"
#include "editor/session/panes.h"
#include "editor/session/world.h"
#include "editor/shell/commands.h"
#include "editor/shell/documents.h"
#include "editor/shell/fonts.h"
#include "editor/shell/frame.h"
#include "editor/shell/frame_log.h"
#include "editor/shell/kept_views.h"
#include "editor/shell/replay.h"
#include "editor/shell/request.h"
#include "editor/shell/signals.h"
#include "editor/tools/paint_tool.h"
#include "editor/view/views.h"
#include "lua/sandbox/library.h"
#include "lua/types/registry.h"

/* ---- Opening */

static bool open_registry(struct ed_shell *shell, struct oro_error *err)
{
    struct ed_session *session = &shell->session;
    session->log = (struct oro_log){.write = ed_news_log, .user = session};
    bool ok = oro_registry_open(&session->registry, &oro_builtin_nodes, session->options.allow_any_path,
                                &session->log, err);
    if (ok) /* a frame waits for what a script says of itself; evaluations have the usual time */
        oro_scripts_limit(session->registry.scripts, 0.25, 1);
    ok = ok &&
         oro_registry_open(&session->listed, &oro_builtin_nodes, session->options.allow_any_path, NULL, err);
    if (ok)
        oro_scripts_omit(session->listed.scripts, ORO_OMIT_ALL);
    return ok;
}

static float screen_scale(const struct ed_shell *shell)
{
    float dots = 0;
    if (shell->options.scale > 0)
        return shell->options.scale;
    if (shell->session.settings.scale > 0)
        return fmaxf(shell->session.settings.scale, 0.5F); /* the file may say anything */
    if (SDL_GetDisplayDPI(0, NULL, &dots, NULL) != 0 || dots < 120)
        return 1;
    return dots < 170 ? 1.5f : 2;
}

/* Gives the window the fonts and colours of the settings. `open`: for the first time. */
static bool dress(struct ed_shell *shell, bool open, struct oro_error *err)
{
    struct ed_fonts fonts;
    size_t letters = 0, readable;
    const uint32_t *asked = open ? NULL : ui_letters(&letters, &readable);
    ed_fonts_find(&fonts, asked, letters);
    struct ui_options style = {.scale = screen_scale(shell),
                               .light = shell->session.settings.theme == ED_THEME_LIGHT,
                               .font = fonts.normal,
                               .bold = fonts.bold,
                               .mono = fonts.mono};
    _Static_assert((int)ED_MORE_FONTS <= (int)UI_MORE_FONTS, "there is room for all");
    for (int i = 0; i < ED_MORE_FONTS; i++)
        style.more[i] = (struct ui_font_file){fonts.more[i], fonts.face[i]};
    bool ok = open ? ui_open(shell->window, shell->gl, &style, err) : ui_restyle(&style, err);
    ed_fonts_free(&fonts);
    return ok;
}

static bool open_window(struct ed_shell *shell, struct oro_error *err)
{
    const struct ed_shell_options *options = &shell->options;
    setlocale(LC_CTYPE, ""); /* else X takes only ASCII for the window's title */
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
        setlocale(LC_CTYPE, "C");
    SDL_SetHint(SDL_HINT_VIDEO_X11_FORCE_EGL, "1");
    SDL_SetHint("SDL_MOUSE_FOCUS_CLICKTHROUGH", "1");
    if (SDL_Init(SDL_INIT_VIDEO) != 0)
        return oro_fail(err, ORO_E_DEVICE, "no window system: %s", SDL_GetError());
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_ES);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 1);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);
    SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
    int width = options->width > 0 ? options->width : shell->session.settings.width;
    int height = options->height > 0 ? options->height : shell->session.settings.height;
    Uint32 flags = SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
    if (shell->session.settings.maximized && options->width <= 0)
        flags |= SDL_WINDOW_MAXIMIZED;
    shell->window =
        SDL_CreateWindow("Orograph", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width, height, flags);
    shell->gl = shell->window ? SDL_GL_CreateContext(shell->window) : NULL;
    if (!shell->gl)
        return oro_fail(err, ORO_E_DEVICE, "no window with OpenGL ES 3.1: %s", SDL_GetError());
    SDL_GL_SetSwapInterval(1);
    return true;
}

static bool open_live(struct ed_shell *shell, struct oro_error *err)
{
    struct ed_session *session = &shell->session;
    struct ed_live_options options;
    /* Before the thread is started, which may wake the window at once. */
    if (!ed_events_open(err))
        return false;
    ed_live_options_of(session, &options);
    session->live = ed_live_create(&options, err);
    return session->live;
}

static bool open_parts(struct ed_shell *shell, struct oro_error *err)
{
    struct ed_session *session = &shell->session;
    session->expressions = ed_expressions_create();
    session->canvas = ed_canvas_create();
    session->inspector = ed_inspector_create();
    session->panels = ed_panels_create();
    session->views = ed_views_create(session->project, err);
    if (!session->views)
        return false;
    return (session->expressions && session->canvas && session->inspector && session->panels) ||
           oro_fail(err, ORO_E_MEMORY, "no memory for the window");
}

/* A document's path is made absolute, because files beside it are recognised by their folder. */
static void open_named(struct ed_shell *shell, const char *file)
{
    char *here = file[0] == '/' ? NULL : getcwd(NULL, 0);
    struct oro_text path = {0};
    oro_text_addf(&path, "%s%s%s", here ? here : "", here ? "/" : "", file);
    ed_document_open(&shell->session, path.failed ? file : path.data, false);
    oro_text_free(&path);
    free(here);
}

static void open_first(struct ed_shell *shell)
{
    struct ed_session *session = &shell->session;
    if (shell->options.file) {
        open_named(shell, shell->options.file);
        if (ed_project_path(session->project)[0])
            return;
    }
    ed_start_show(session, true);
    if (!shell->options.file && !session->settings.toured && !shell->options.no_tour)
        ed_tour_start(session);
}

static const struct ed_services services = {.choose_file = ed_choose_file,
                                            .search_node = ed_add_open,
                                            .find_place = ed_canvas_place_before,
                                            .show_node = ed_canvas_show,
                                            .reveal_node = ed_canvas_reveal,
                                            .graph_entered = ed_canvas_reset,
                                            .help = ed_help_open,
                                            .open = ed_document_open,
                                            .ask = ed_document_ask,
                                            .document_replaced = ed_document_show,
                                            .keep = ed_keep,
                                            .strokes_to_disk = ed_paint_flush};

bool ed_shell_open(struct ed_shell *shell, const struct ed_shell_options *options, struct oro_error *err)
{
    struct ed_session *session = &shell->session;
    struct oro_error trouble = {0};
    shell->options = *options;
    session->options = options->session;
    session->options.wake = ed_events_wake;
    session->services = &services;
    session->commands = ed_commands;
    session->script_words = oro_library_names;
    bool settled = ed_settings_load(&session->settings, NULL, &trouble);
    if ((options->describe || options->events) && !ed_describe_open(options->describe))
        return oro_fail(err, ORO_E_MEMORY, "no memory for the description");
    if (!open_registry(shell, err) || !open_live(shell, err) || !open_window(shell, err) ||
        !dress(shell, true, err))
        return false;
    session->project = ed_project_create(&session->registry, err);
    session->safety = session->project ? ed_safety_create(NULL, err) : NULL;
    if (!session->safety)
        return false;
    ed_working_in(ed_project_workings(session->project), ed_safety_working_folder, session->safety);
    if (!open_parts(shell, err))
        return false;
    ed_tell(session, settled, &trouble);
    ed_bindings_check(session);
    ed_layout_begin(session);
    open_first(shell);
    return true;
}

/* ---- Closing */

static void remember(struct ed_shell *shell)
{
    struct ed_session *session = &shell->session;
    Uint32 flags = SDL_GetWindowFlags(shell->window);
    session->settings.maximized = (flags & SDL_WINDOW_MAXIMIZED) != 0;
    if (!session->settings.maximized && shell->options.width <= 0)
        SDL_GetWindowSize(shell->window, &session->settings.width, &session->settings.height);
    ed_layout_remember(session);
    ed_settings_save(&session->settings, NULL, NULL);
}

void ed_shell_close(struct ed_shell *shell)
{
    struct ed_session *session = &shell->session;
    if (shell->window && session->project)
        remember(shell);
    if (session->views && session->canvas)
        ed_kept_views_keep(session);
    ed_build_destroy(session->build);
    ed_live_destroy(session->live);
    ed_views_destroy(session->views);
    ed_panels_destroy(session->panels);
    ed_inspector_destroy(session->inspector);
    ed_canvas_destroy(session->canvas);
    ed_expressions_destroy(session->expressions);
    ed_safety_destroy(session->safety, !shell->ended);
    ed_project_destroy(session->project);
    oro_registry_close(&session->listed);
    oro_registry_close(&session->registry);
    if (shell->gl) {
        ui_close();
        SDL_GL_DeleteContext(shell->gl);
    }
    if (shell->window)
        SDL_DestroyWindow(shell->window);
    SDL_Quit();
    ed_session_free(session);
    ed_describe_close();
}

/* ---- The loop */

/* Dialogs, popups and searches have the keys to themselves. */
static bool keys_are_taken(struct ed_session *session)
{
    return session->asking || ui_any_popup() || ed_panels_take_keys(session) || ed_views_take_keys(session);
}

/* Keys that the widgets of a panel are walked with; Escape ends it. */
static bool walks(struct ed_session *session, struct ed_chord key)
{
    static const int keys[] = {SDL_SCANCODE_UP,    SDL_SCANCODE_DOWN,   SDL_SCANCODE_LEFT,
                               SDL_SCANCODE_RIGHT, SDL_SCANCODE_RETURN, SDL_SCANCODE_KP_ENTER,
                               SDL_SCANCODE_SPACE};
    if (!ui_walking() || key.modifiers)
        return false;
    if (key.scancode == SDL_SCANCODE_ESCAPE) {
        session->keys_in = ED_PART_NONE;
        return true;
    }
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (key.scancode == keys[i])
            return true;
    return false;
}

/* Alt and the first letter of a menu opens it, unless the user has given that key to a command. */
static bool opens_menu(struct ed_session *session, struct ed_chord key)
{
    if (key.modifiers != ED_ALT || ed_command_of_key(session, key))
        return false;
    session->menu_asked = ed_menu_of_letter((int)SDL_GetKeyFromScancode((SDL_Scancode)key.scancode));
    return session->menu_asked;
}

static void take_key(struct ed_shell *shell, struct ed_pressed_key pressed)
{
    struct ed_session *session = &shell->session;
    struct ed_chord key = ed_chord_of(pressed.scancode, pressed.modifiers);
    if (ed_bindings_take_key(session, key) || keys_are_taken(session))
        return;
    if (!ui_typing()) {
        if (!walks(session, key) && !opens_menu(session, key))
            ed_command_key(session, key);
    } else if (ed_command_key_while_typing(session, key)) {
        ui_typing_end();
        shell->waiting = pressed;
        shell->waiting_since = session->frame;
    }
}

enum { FIELD_FRAMES = 2 }; /* within which a field that has lost the keyboard takes what was typed */

static void run_keys(struct ed_shell *shell)
{
    struct ed_session *session = &shell->session;
    if (shell->waiting.scancode) {
        ed_wake(session);
        if (session->frame < shell->waiting_since + FIELD_FRAMES)
            return;
        if (!keys_are_taken(session))
            ed_command_key(session, ed_chord_of(shell->waiting.scancode, shell->waiting.modifiers));
        shell->waiting = (struct ed_pressed_key){0};
    }
    for (int i = 0; i < shell->taken.key_count; i++)
        take_key(shell, shell->taken.keys[i]);
    shell->taken.key_count = 0;
}

static void draw(struct ed_shell *shell, struct ed_frame_log *log)
{
    struct ed_session *session = &shell->session;
    struct oro_error err;
    int width, height;
    if (session->restyle && !dress(shell, false, &err))
        ed_failed(session, &err);
    session->restyle = false;
    ed_frame_log_begin(log);
    ui_frame_begin();
    ed_world_take(session);
    ed_news_take(&shell->news, session, shell->window);
    run_keys(shell);
    ed_window_draw(session, shell->taken.inputs);
    ed_selection_check(session);
    ed_request_shown(session);
    ed_frame_log_built(log);
    SDL_GL_GetDrawableSize(shell->window, &width, &height);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, width, height);
    uint32_t gaps = ui_colour(UI_BORDER);
    glClearColor((float)(gaps & 0xff) / 255, (float)(gaps >> 8 & 0xff) / 255,
                 (float)(gaps >> 16 & 0xff) / 255, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ui_frame_end();
    ed_frame_log_drawn(log);
    SDL_GL_SwapWindow(shell->window);
    ed_frame_log_end(log, session);
    session->frame++;
}

static bool is_busy(struct ed_shell *shell)
{
    struct ed_live_status status;
    ed_live_status(shell->session.live, &status);
    return status.busy || status.opening || ed_views_busy(&shell->session);
}

/* Asks nothing: unsaved work is offered at the next start. */
static void end(struct ed_shell *shell)
{
    ed_paint_flush(&shell->session);
    ed_safety_now(shell->session.safety, shell->session.project);
    ed_working_keep(ed_project_workings(shell->session.project));
    shell->ended = shell->session.leaving = true;
}

/* What remains to be done after a frame. */
static void between_frames(struct ed_shell *shell)
{
    struct ed_session *session = &shell->session;
    session->busy_frames -= session->busy_frames > 0;
    if (ui_letters_asked()) {
        session->restyle = true;
        ed_wake(session);
    }
    ed_safety_tick(session->safety, session->project, session->now);
    if (session->quit && !session->asking) {
        session->quit = false;
        ed_document_leave(session);
    }
    if (ed_signals_caught())
        end(shell);
}

/* While nothing happens a frame is still drawn now and then: tooltips appear after a rest, a cursor blinks,
 * and files may have changed. */
static int idle_milliseconds(const struct ed_shell *shell)
{
    return ui_typing() || shell->session.now - shell->active < 3 ? 250 : 1000;
}

enum { REPLAY_MS = 2 };

static void loop(struct ed_shell *shell, struct ed_frame_log *log, struct ed_replay *replay)
{
    struct ed_session *session = &shell->session;
    bool busy = true, described = true;
    while (!session->leaving) {
        bool drawing = ed_views_busy(session) || session->busy_frames > 0 || !described;
        session->now = oro_now();
        if (replay && !ed_replay_tick(replay, shell->window, session->now, !busy))
            replay = NULL;
        bool any = ed_events_take(session, &shell->taken, log,
                                  drawing  ? 0
                                  : replay ? REPLAY_MS
                                           : idle_milliseconds(shell));
        if (any || drawing)
            shell->active = session->now;
        if (replay && !any && !drawing && busy == is_busy(shell))
            continue;
        session->now = oro_now();
        draw(shell, log);
        between_frames(shell);
        bool was_busy = busy; /* a result that has just come is not drawn yet */
        busy = is_busy(shell);
        described = ed_describe_end(!busy && !was_busy && session->busy_frames == 0);
        if (was_busy && !busy)
            ed_wake(session);
    }
}

void ed_shell_run(struct ed_shell *shell)
{
    struct oro_error err;
    struct ed_frame_log *log = shell->options.frames ? ed_frame_log_open(shell->options.frames, &err) : NULL;
    struct ed_replay *replay = shell->options.events ? ed_replay_open(shell->options.events, &err) : NULL;
    if ((shell->options.frames && !log) || (shell->options.events && !replay))
        ed_failed(&shell->session, &err);
    ed_wake(&shell->session);
    loop(shell, log, replay);
    ed_replay_close(replay);
    ed_frame_log_close(log);
}
