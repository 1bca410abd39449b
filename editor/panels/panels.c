#include "editor/panels/panels_private.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL.h>

#include "editor/panels/thumbs.h"

struct ed_panels *ed_panels_create(struct ed_app *app)
{
    struct ed_panels *panels = oro_alloc(1, sizeof *panels);
    if (!panels)
        return NULL;
    panels->chooser = ed_chooser_create();
    panels->thumbs = ed_thumbs_create();
    panels->start.shown = !app->options.file;
    panels->help.page = -1;
    if (panels->chooser && panels->thumbs)
        return panels;
    ed_panels_destroy(panels);
    return NULL;
}

void ed_panels_destroy(struct ed_panels *panels)
{
    if (!panels)
        return;
    ed_assets_free(&panels->assets);
    ed_add_free(&panels->add);
    ed_start_free(&panels->start);
    ed_settings_free_dialog(&panels->settings);
    ed_chooser_destroy(panels->chooser);
    ed_thumbs_destroy(panels->thumbs);
    oro_free(panels);
}

struct ed_assets *ed_panels_assets(struct ed_app *app)
{
    struct ed_assets *assets = &app->panels->assets;
    ed_assets_refresh(assets, &app->registry, ed_project_root(app->project),
                      ed_project_revision(app->project), false);
    return assets;
}

void ed_panels_types_changed(struct ed_app *app)
{
    app->panels->assets.listed = false;
}

void ed_open_example(struct ed_app *app, const char *path)
{
    ed_document_open(app, path, true);
}

void ed_show_folder(struct ed_app *app, const char *file)
{
    char url[PATH_MAX + 16];
    const char *slash = strrchr(file, '/');
    int length = slash ? (int)(slash - file) : 0;
    snprintf(url, sizeof url, "file://%.*s/", length, file);
    if (SDL_OpenURL(url) != 0)
        ed_message(&app->messages, ED_WARNING, "", "The folder cannot be shown: %s", SDL_GetError());
}

const char *ed_open_dialog(const struct ed_panels *panels)
{
    return ed_chooser_open(panels) ? "chooser"
           : panels->add.open      ? "add"
           : panels->commands.open ? "commands"
           : panels->build.open    ? "build"
           : panels->settings.open ? "settings"
           : panels->help.open     ? "help"
           : panels->keys          ? "keys"
           : panels->about         ? "about"
                                   : "";
}

bool ed_panels_escape(struct ed_app *app)
{
    struct ed_panels *panels = app->panels;
    bool *const windows[] = {&panels->about, &panels->keys, &panels->help.open, &panels->settings.open,
                             &panels->build.open};
    if (ui_any_popup()) /* it was for that */
        return true;
    for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++)
        if (*windows[i]) {
            *windows[i] = false;
            return true;
        }
    return ed_start_leave(app);
}

static void describe(struct ed_app *app)
{
    if (!ed_describing())
        return;
    const struct ed_panels *panels = app->panels;
    ed_describe_state("start", "%d", (int)panels->start.shown);
    ed_describe_state("tour_step", "%d", panels->tour.shown ? panels->tour.step + 1 : 0);
    ed_describe_state("messages", "%zu", app->messages.count);
    ed_describe_state("problems", "%zu", app->messages.problem_count);
    ed_describe_state("dialog", "%s", ed_open_dialog(panels));
}

void ed_panels_draw(struct ed_app *app)
{
    ed_palette_end(app);
    ed_build_draw(app);
    ed_settings_draw(app);
    ed_help_draw(app);
    ed_keys_draw(app);
    ed_about_draw(app);
    ed_tour_draw(app);
    ed_commands_draw(app);
    ed_add_draw(app);
    ed_chooser_draw(app);
    describe(app);
}
