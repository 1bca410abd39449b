/* Settings: all of them hold at once. */
#include <stdio.h>
#include <string.h>

#include "editor/panels/panels_private.h"
#include "gpu/gpu.h"
#include "graph/eval/cache.h"

enum { DEVICES_MAX = 16 };

void ed_settings_open(struct ed_app *app)
{
    struct ed_settings_dialog *dialog = &app->panels->settings;
    dialog->open = true;
    ed_app_wake(app);
}

void ed_settings_free_dialog(struct ed_settings_dialog *dialog)
{
    oro_free(dialog->devices);
}

static void changed(struct ed_app *app)
{
    struct oro_error err;
    if (!ed_settings_save(&app->settings, NULL, &err))
        ed_failed(app, &err);
    ed_app_wake(app);
}

static void label(const char *text)
{
    ui_table_row();
    ui_table_next();
    ui_align_text();
    ui_text_coloured(ui_colour(UI_MUTED), "%s", text);
    ui_table_next();
    ui_item_width(260 * ui_scale());
}

/* ---- How it looks */

static void draw_looks(struct ed_app *app)
{
    struct ed_settings_dialog *dialog = &app->panels->settings;
    label("Scale");
    if (!dialog->scaling && !app->styled)
        dialog->scale = (double)ui_scale();
    ui_name("settings:scale");
    ui_slider("##scale", &dialog->scale, 0.75, 3, "%.2f", UI_CLAMP);
    if (ui_item_ended_edit()) { /* not while it is held: it would move under the pointer */
        app->settings.scale = (float)dialog->scale;
        app->styled = true;
        changed(app);
    }
    dialog->scaling = ui_item_active();
    ui_same_line(-1);
    ui_name("settings:scale:auto");
    if (ui_button("As the screen says", 0, 0)) {
        app->settings.scale = 0;
        app->styled = true;
        changed(app);
    }
    label("Theme");
    for (int theme = ED_THEME_DARK; theme <= ED_THEME_LIGHT; theme++) {
        ui_name(theme == ED_THEME_DARK ? "settings:dark" : "settings:light");
        if (ui_radio(theme == ED_THEME_DARK ? "Dark" : "Light",
                     app->settings.theme == (enum ed_theme)theme)) {
            app->settings.theme = (enum ed_theme)theme;
            app->styled = true;
            changed(app);
        }
        ui_same_line(-1);
    }
    ui_dummy(1, 1);
    label("Canvas");
    ui_name("settings:snap");
    if (ui_checkbox("Snap nodes to the grid", &app->settings.snap))
        changed(app);
    ui_name("settings:minimap");
    if (ui_checkbox("Show the minimap", &app->settings.show_minimap))
        changed(app);
}

/* ---- What is computed */

/* A list of numbers; `first` is what 0 is called, NULL: there is no 0. */
static void draw_choice(struct ed_app *app, const char *name, int *value, const char *first, const char *unit,
                        const int *sizes, int count)
{
    char shown[32];
    snprintf(shown, sizeof shown, "%d%s", *value, unit);
    ui_id_push(name);
    ui_name("settings:%s", name);
    if (ui_combo_begin("##choice", *value == 0 && first ? first : shown)) {
        for (int i = first ? -1 : 0; i < count; i++) {
            int size = i < 0 ? 0 : sizes[i];
            snprintf(shown, sizeof shown, "%d%s", size, unit);
            if (ui_selectable(i < 0 ? first : shown, size == *value, 0)) {
                *value = size;
                changed(app);
            }
        }
        ui_combo_end();
    }
    ui_id_pop();
}

static void list_devices(struct ed_settings_dialog *dialog)
{
    dialog->listed_devices = true;
    dialog->devices = oro_alloc(DEVICES_MAX, sizeof *dialog->devices);
    if (dialog->devices)
        dialog->device_count = oro_gpu_list(dialog->devices, DEVICES_MAX);
}

static void draw_device(struct ed_app *app)
{
    struct ed_settings_dialog *dialog = &app->panels->settings;
    char shown[400];
    snprintf(shown, sizeof shown, "Device %d", app->settings.device);
    ui_name("settings:device");
    if (ui_combo_begin("##device", app->settings.device < 0 ? "The first that works" : shown)) {
        if (!dialog->listed_devices)
            list_devices(dialog);
        if (ui_selectable("The first that works", app->settings.device < 0, 0)) {
            app->settings.device = ORO_GPU_ANY;
            changed(app);
        }
        for (int i = 0; i < dialog->device_count; i++) {
            const struct oro_gpu_entry *entry = &dialog->devices[i];
            snprintf(shown, sizeof shown, "%d: %s (%s)", entry->index,
                     entry->usable ? entry->info.name : entry->problem, entry->info.platform);
            ui_disabled_begin(!entry->usable);
            if (ui_selectable(shown, entry->index == app->settings.device, 0)) {
                app->settings.device = entry->index;
                changed(app);
            }
            ui_disabled_end();
        }
        ui_combo_end();
    }
    ui_same_line(-1);
    ui_text_coloured(ui_colour(UI_MUTED), "holds after a restart");
}

static void draw_computing(struct ed_app *app)
{
    static const int previews[] = {128, 192, 256, 384, 512, 1024};
    static const int resolutions[] = {256, 512, 1024, 2048, 4096, 8192};
    static const int memories[] = {512, 1024, 2048, 4096, 8192, 16384};
    label("First preview");
    draw_choice(app, "preview", &app->settings.preview, NULL, " cells", previews, 6);
    label("Live, up to");
    draw_choice(app, "resolution", &app->settings.resolution, "As the build", " cells", resolutions, 6);
    label("Device");
    draw_device(app);
    label("Device memory");
    draw_choice(app, "memory", &app->settings.memory_mb, "Chosen by the program", " MB", memories, 6);
    ui_same_line(-1);
    ui_text_coloured(ui_colour(UI_MUTED), "holds after a restart");
}

/* ---- Folders */

static void look_at_cache(struct ed_app *app)
{
    struct ed_settings_dialog *dialog = &app->panels->settings;
    struct oro_cache_stats stats = {0};
    struct oro_error err;
    dialog->cache_known = true;
    if (!oro_cache_disk_stats(NULL, &stats, &err))
        ed_failed(app, &err);
    dialog->cache_files = stats.files;
    dialog->cache_bytes = stats.bytes;
    dialog->cache_limit = stats.limit_bytes;
    snprintf(dialog->cache_folder, sizeof dialog->cache_folder, "%s", stats.folder);
}

static void clear_cache(struct ed_app *app)
{
    struct oro_cache_stats removed = {0};
    struct oro_error err;
    char bytes[32];
    if (oro_cache_disk_clear(NULL, &removed, &err))
        ed_message(&app->messages, ED_NOTICE, "", "%llu files were taken out of the cache, %s",
                   (unsigned long long)removed.files, ed_bytes_text(removed.bytes, bytes, sizeof bytes));
    else
        ed_failed(app, &err);
    look_at_cache(app);
}

static void draw_folders(struct ed_app *app)
{
    struct ed_settings_dialog *dialog = &app->panels->settings;
    char bytes[32];
    label("Cache of results");
    ui_name("settings:cache");
    if (ui_button(dialog->cache_known ? "Look again" : "Look how large it is", 0, 0))
        look_at_cache(app);
    if (dialog->cache_known) {
        ui_same_line(-1);
        ui_name("settings:cache:clear");
        if (ui_button("Clear", 0, 0))
            clear_cache(app);
        ui_text("%s in %llu files", ed_bytes_text(dialog->cache_bytes, bytes, sizeof bytes),
                (unsigned long long)dialog->cache_files);
        ui_text_coloured(ui_colour(UI_MUTED), "%s", dialog->cache_folder);
    }
    label("Settings");
    char *folder = ed_config_folder();
    ui_text_wrapped(folder ? folder : "There is no home folder.");
    oro_free(folder);
}

/* All but what is remembered: recent files, the window. */
static void reset(struct ed_app *app)
{
    struct ed_settings *settings = &app->settings;
    settings->scale = 0;
    settings->theme = ED_THEME_DARK;
    settings->snap = settings->show_minimap = true;
    settings->show_palette = settings->show_inspector = true;
    settings->preview = 256;
    settings->resolution = 1024;
    settings->device = ORO_GPU_ANY;
    settings->memory_mb = 0;
    app->styled = true;
    changed(app);
}

void ed_settings_draw(struct ed_app *app)
{
    struct ed_settings_dialog *dialog = &app->panels->settings;
    if (!dialog->open)
        return;
    if (ui_window_begin("Settings", &dialog->open, 620 * ui_scale(), 470 * ui_scale(), 0)) {
        if (ui_table_begin("settings", 2, 0)) {
            ui_table_column("name", 140 * ui_scale());
            ui_table_column("value", 0);
            draw_looks(app);
            draw_computing(app);
            draw_folders(app);
            ui_table_end();
        }
        ui_spacing();
        ui_separator();
        ui_name("settings:reset");
        if (ui_button("Reset all", 0, 0))
            reset(app);
    }
    ui_window_end();
}
