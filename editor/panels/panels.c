#include "editor/panels/panels_private.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL.h>

#include "editor/panels/thumbs.h"

struct ed_panels *ed_panels_create(void)
{
    struct ed_panels *panels = oro_alloc(1, sizeof *panels);
    if (!panels)
        return NULL;
    panels->chooser = ed_chooser_create();
    panels->thumbs = ed_thumbs_create();
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
    oro_free(panels->palette.found.items);
    oro_free(panels->help.found.items);
    ed_start_free(&panels->start);
    ed_history_panel_free(&panels->history);
    ed_settings_free_dialog(&panels->settings);
    ed_keep_free(&panels->keep);
    ed_trust_free(&panels->trust);
    ed_shelf_free(&panels->shelf);
    ed_samples_destroy(panels->samples);
    ed_sample_textures_free(panels->sample_textures);
    ed_library_folders_free(&panels->folders);
    ed_chooser_destroy(panels->chooser);
    ed_thumbs_destroy(panels->thumbs);
    oro_free(panels);
}

struct ed_assets *ed_panels_assets(struct ed_session *session)
{
    struct ed_assets *assets = &session->panels->assets;
    ed_assets_refresh(assets, &session->registry, ed_project_root(session->project),
                      ed_project_revision(session->project), false);
    return assets;
}

void ed_panels_types_changed(struct ed_session *session)
{
    session->panels->assets.listed = false;
}

void ed_open_example(struct ed_session *session, const char *path)
{
    session->services->open(session, path, true);
}

void ed_show_folder(struct ed_session *session, const char *file)
{
    char url[PATH_MAX + 16];
    const char *slash = strrchr(file, '/');
    int length = slash ? (int)(slash - file) : 0;
    snprintf(url, sizeof url, "file://%.*s/", length, file);
    if (SDL_OpenURL(url) != 0)
        ed_message(&session->messages, ED_WARNING, "", "The folder cannot be shown: %s", SDL_GetError());
}

/* The window or list that has the user's attention; "": none. */
static const char *open_dialog(const struct ed_panels *panels)
{
    return ed_chooser_open(panels)   ? "chooser"
           : panels->add.open        ? "add"
           : panels->commands.open   ? "commands"
           : panels->build.open      ? "build"
           : panels->settings.open   ? "settings"
           : panels->help.open       ? "help"
           : panels->new_script.open ? "new-script"
           : panels->trust.open      ? "trust"
           : panels->history.open    ? "history"
           : panels->keys            ? "keys"
           : panels->layouts.open    ? "layouts"
           : panels->about           ? "about"
           : panels->keep.open       ? "keep"
           : panels->shelf.open      ? "shelf"
                                     : "";
}

bool ed_panels_open(const struct ed_session *session)
{
    return open_dialog(session->panels)[0] != '\0';
}

bool ed_panels_take_keys(const struct ed_session *session)
{
    const struct ed_panels *panels = session->panels;
    return ed_chooser_open(panels) || panels->add.open || panels->commands.open || panels->keep.open ||
           panels->shelf.open;
}

static void describe(struct ed_session *session)
{
    if (!ed_describing())
        return;
    const struct ed_panels *panels = session->panels;
    ed_describe_state("start", "%d", (int)panels->start.shown);
    ed_describe_state("tour_step", "%d", panels->tour.shown ? panels->tour.step + 1 : 0);
    ed_describe_state("messages", "%zu", session->messages.count);
    ed_describe_state("problems", "%zu", session->messages.problem_count);
    ed_describe_state("dialog", "%s", open_dialog(panels));
}

void ed_panels_draw(struct ed_session *session)
{
    ed_palette_end(session);
    ed_build_draw(session);
    ed_settings_draw(session);
    ed_help_draw(session);
    ed_keys_draw(session);
    ed_about_draw(session);
    ed_layouts_draw(session);
    ed_history_panel_draw(session);
    ed_tour_draw(session);
    ed_commands_draw(session);
    ed_keep_draw(session);
    ed_new_script_draw(session);
    ed_trust_draw(session);
    ed_shelf_draw(session);
    ed_samples_frame(session);
    ed_add_draw(session);
    ed_chooser_draw(session);
    describe(session);
}
