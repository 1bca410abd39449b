/* The About window. */
#include <stdio.h>

#include "editor/panels/panels_private.h"

void ed_about_open(struct ed_session *session)
{
    session->panels->about = true;
}

static void row(const char *name, const char *value)
{
    ui_table_row();
    ui_table_next();
    ui_text_coloured(ui_colour(UI_MUTED), "%s", name);
    ui_table_next();
    ui_text_wrapped(value);
}

void ed_about_draw(struct ed_session *session)
{
    struct ed_panels *panels = session->panels;
    if (!panels->about)
        return;
    struct ed_live_status status;
    char device[300], memory[32];
    ed_live_status(session->live, &status);
    snprintf(device, sizeof device, "%s", status.device[0] ? status.device : "none yet");
    if (ui_window_begin("About Orograph", &panels->about, 460 * ui_scale(), 330 * ui_scale(), 0)) {
        ui_font_push(UI_TITLE);
        ui_text("Orograph");
        ui_font_pop();
        ui_text_coloured(ui_colour(UI_MUTED), "Terrain from graphs: wire, see, sculpt.");
        ui_spacing();
        ui_separator();
        ui_spacing();
        if (ui_table_begin("facts", 2, 0)) {
            ui_table_column("name", 110 * ui_scale());
            ui_table_column("value", 0);
            row("Version", OROGRAPH_VERSION);
            row("Device", device);
            row("Device memory", ed_bytes_text(status.device_bytes, memory, sizeof memory));
            ui_table_end();
        }
        ui_spacing();
        ui_text_wrapped(
            "Drawn with Dear ImGui and SDL (MIT and zlib licences); results are computed with OpenGL "
            "ES 3.1. Orograph itself is under the MIT licence.");
    }
    ui_window_end();
}
