/* The settings dialog: every change applies at once. */
#include <stdio.h>
#include <string.h>

#include "devices/devices.h"
#include "editor/panels/panels_private.h"
#include "editor/session/panes.h"
#include "graph/cache/cache.h"

enum { DEVICES_MAX = 16 };

void ed_settings_open(struct ed_session *session)
{
    struct ed_settings_dialog *dialog = &session->panels->settings;
    dialog->open = true;
    session->panels->folders_listed = false;
    ed_wake(session);
}

void ed_settings_free_dialog(struct ed_settings_dialog *dialog)
{
    oro_free(dialog->devices);
}

static void changed(struct ed_session *session)
{
    struct oro_error err;
    ed_tell(session, ed_settings_save(&session->settings, NULL, &err), &err);
    ed_wake(session);
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

/* ---- Looks */

static void draw_looks(struct ed_session *session)
{
    struct ed_settings_dialog *dialog = &session->panels->settings;
    label("Scale");
    if (!dialog->scaling && !session->restyle)
        dialog->scale = (double)ui_scale();
    ui_name("settings:scale");
    ui_slider("##scale", &dialog->scale, 0.75, 3, "%.2f", UI_CLAMP);
    if (ui_item_ended_edit()) { /* not while it is held: the slider would move under the pointer */
        session->settings.scale = (float)dialog->scale;
        session->restyle = true;
        changed(session);
    }
    dialog->scaling = ui_item_active();
    ui_same_line(-1);
    ui_name("settings:scale:auto");
    if (ui_button("As the screen says", 0, 0)) {
        session->settings.scale = 0;
        session->restyle = true;
        changed(session);
    }
    label("Theme");
    for (int theme = ED_THEME_DARK; theme <= ED_THEME_LIGHT; theme++) {
        ui_name(theme == ED_THEME_DARK ? "settings:dark" : "settings:light");
        if (ui_radio(theme == ED_THEME_DARK ? "Dark" : "Light",
                     session->settings.theme == (enum ed_theme)theme)) {
            session->settings.theme = (enum ed_theme)theme;
            session->restyle = true;
            changed(session);
        }
        ui_same_line(-1);
    }
    ui_dummy(1, 1);
    label("Canvas");
    ui_name("settings:snap");
    if (ui_checkbox("Snap nodes to the grid", &session->settings.snap))
        changed(session);
    ui_name("settings:minimap");
    if (ui_checkbox("Show the minimap", &session->settings.show_minimap))
        changed(session);
}

/* ---- Evaluation */

/* A list of numbers; `first` is the name of 0, NULL: 0 is not offered. */
static void draw_choice(struct ed_session *session, const char *name, int *value, const char *first,
                        const char *unit, const int *sizes, int count)
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
                changed(session);
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
        dialog->device_count = oro_device_list(dialog->devices, DEVICES_MAX);
}

static void draw_device(struct ed_session *session)
{
    struct ed_settings_dialog *dialog = &session->panels->settings;
    char shown[400] = "The first graphics card, or the processor";
    if (session->settings.device == ORO_DEVICE_PROCESSOR)
        snprintf(shown, sizeof shown, "Processor");
    else if (session->settings.device >= 0)
        snprintf(shown, sizeof shown, "Device %d", session->settings.device);
    ui_name("settings:device");
    if (ui_combo_begin("##device", shown)) {
        if (!dialog->listed_devices)
            list_devices(dialog);
        if (ui_selectable("The first graphics card, or the processor",
                          session->settings.device == ORO_DEVICE_ANY, 0)) {
            session->settings.device = ORO_DEVICE_ANY;
            changed(session);
        }
        for (int i = 0; i < dialog->device_count; i++) {
            const struct oro_gpu_entry *entry = &dialog->devices[i];
            snprintf(shown, sizeof shown, "%s (%s)", entry->usable ? entry->info.name : entry->problem,
                     entry->info.platform);
            ui_disabled_begin(!entry->usable);
            if (ui_selectable(shown, entry->index == session->settings.device, 0)) {
                session->settings.device = entry->index;
                changed(session);
            }
            ui_disabled_end();
        }
        ui_combo_end();
    }
    ui_same_line(-1);
    ui_text_coloured(ui_colour(UI_MUTED), "holds after a restart");
}

static void draw_computing(struct ed_session *session)
{
    static const int previews[] = {128, 192, 256, 384, 512, 1024};
    static const int resolutions[] = {256, 512, 1024, 2048, 4096, 8192};
    static const int memories[] = {512, 1024, 2048, 4096, 8192, 16384};
    label("First preview");
    draw_choice(session, "preview", &session->settings.preview, NULL, " cells", previews, 6);
    label("Live, up to");
    draw_choice(session, "resolution", &session->settings.resolution, "As the build", " cells", resolutions,
                6);
    label("Device");
    draw_device(session);
    label("Device memory");
    draw_choice(session, "memory", &session->settings.memory_mb, "Chosen by the program", " MB", memories, 6);
    ui_same_line(-1);
    ui_text_coloured(ui_colour(UI_MUTED), "holds after a restart");
}

/* ---- Folders */

static void look_at_cache(struct ed_session *session)
{
    struct ed_settings_dialog *dialog = &session->panels->settings;
    struct oro_cache_stats stats = {0};
    struct oro_error err;
    dialog->cache_known = true;
    ed_tell(session, oro_cache_disk_stats(NULL, &stats, &err), &err);
    dialog->cache_files = stats.files;
    dialog->cache_bytes = stats.bytes;
    dialog->cache_limit = stats.limit_bytes;
    snprintf(dialog->cache_folder, sizeof dialog->cache_folder, "%s", stats.folder);
}

static void clear_cache(struct ed_session *session)
{
    struct oro_cache_stats removed = {0};
    struct oro_error err;
    char bytes[32];
    if (oro_cache_disk_clear(NULL, &removed, &err))
        ed_message(&session->messages, ED_NOTICE, "", "%llu files were taken out of the cache, %s",
                   (unsigned long long)removed.files, ed_bytes_text(removed.bytes, bytes, sizeof bytes));
    else
        ed_failed(session, &err);
    look_at_cache(session);
}

static void draw_folders(struct ed_session *session)
{
    struct ed_settings_dialog *dialog = &session->panels->settings;
    char bytes[32];
    label("Cache of results");
    ui_name("settings:cache");
    if (ui_button(dialog->cache_known ? "Look again" : "Look how large it is", 0, 0))
        look_at_cache(session);
    if (dialog->cache_known) {
        ui_same_line(-1);
        ui_name("settings:cache:clear");
        if (ui_button("Clear", 0, 0))
            clear_cache(session);
        ui_text("%s in %llu files", ed_bytes_text(dialog->cache_bytes, bytes, sizeof bytes),
                (unsigned long long)dialog->cache_files);
        ui_text_coloured(ui_colour(UI_MUTED), "%s", dialog->cache_folder);
    }
    label("Settings");
    char *folder = ed_config_folder();
    ui_text_wrapped(folder ? folder : "There is no home folder.");
    oro_free(folder);
}

/* Resets all settings except what the program remembers: recent files, the window. */
static void reset(struct ed_session *session)
{
    struct ed_settings *settings = &session->settings;
    settings->scale = 0;
    settings->theme = ED_THEME_DARK;
    settings->snap = settings->show_minimap = true;
    settings->show_pictures = true;
    ed_layout_reset(session);
    settings->preview = 256;
    settings->resolution = 1024;
    settings->device = ORO_DEVICE_ANY;
    settings->memory_mb = 0;
    session->restyle = true;
    changed(session);
}

static void draw_general(struct ed_session *session)
{
    if (ui_table_begin("general", 2, 0)) {
        ui_table_column("name", 140 * ui_scale());
        ui_table_column("value", 0);
        draw_looks(session);
        draw_computing(session);
        draw_folders(session);
        ui_table_end();
    }
    ui_spacing();
    ui_separator();
    ui_name("settings:reset");
    if (ui_button("Reset all", 0, 0))
        reset(session);
    ui_tooltip("All of this page: keys have a button of their own");
}

void ed_settings_draw(struct ed_session *session)
{
    struct ed_settings_dialog *dialog = &session->panels->settings;
    if (!dialog->open)
        return;
    if (ui_window_begin("Settings", &dialog->open, 680 * ui_scale(), 500 * ui_scale(), 0)) {
        if (ui_tabs_begin("settings")) {
            ui_name("settings:general");
            if (ui_tab_begin("General", NULL)) {
                draw_general(session);
                ui_tab_end();
            }
            ui_name("settings:library");
            if (ui_tab_begin("Library", NULL)) {
                ed_library_settings_draw(session);
                ui_tab_end();
            }
            ui_name("settings:keys");
            if (ui_tab_begin("Keys", NULL)) {
                ed_key_list_draw(session);
                ui_tab_end();
            }
            ui_tabs_end();
        }
    }
    ui_window_end();
    if (!dialog->open)
        dialog->keys.asking[0] = '\0';
}
