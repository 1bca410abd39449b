/* The page of the library, in the settings: its folders. */
#include <string.h>

#include "editor/panels/panels_private.h"
#include "graph/derived/paths.h"

static void add_folder(struct ed_session *session)
{
    struct ed_panels *panels = session->panels;
    struct oro_error err;
    if (ed_library_folders_add(&panels->folders, panels->folder_typed, &err)) {
        panels->folder_typed[0] = '\0';
        ed_panels_types_changed(session);
    } else {
        ed_failed(session, &err);
    }
}

static void draw_folders(struct ed_session *session)
{
    struct ed_panels *panels = session->panels;
    struct oro_error err;
    size_t gone = SIZE_MAX;
    for (size_t i = 0; i < panels->folders.count; i++) {
        ui_id_push_index((int)i);
        ui_name("library:remove:%zu", i);
        if (ui_small_button("Remove"))
            gone = i;
        ui_tooltip("Nothing in the folder is changed");
        ui_same_line(-1);
        ui_text("%s", panels->folders.items[i]);
        ui_id_pop();
    }
    if (gone != SIZE_MAX) {
        ed_tell(session, ed_library_folders_remove(&panels->folders, gone, &err), &err);
        ed_panels_types_changed(session);
    }
}

void ed_library_settings_draw(struct ed_session *session)
{
    struct ed_panels *panels = session->panels;
    struct oro_error err;
    if (!panels->folders_listed)
        ed_library_folders_load(&panels->folders);
    panels->folders_listed = true;
    char *own = oro_own_library();
    ui_text_coloured(ui_colour(UI_MUTED), "What you save lies in");
    ui_text_wrapped(own ? own : "There is no home folder.");
    oro_free(own);
    ui_spacing();
    ui_text_coloured(ui_colour(UI_MUTED), "Further folders, such as those that you share with others");
    draw_folders(session);
    ui_item_width(420 * ui_scale());
    ui_name("library:folder");
    bool enter = ui_input("##folder", "the folder's path", panels->folder_typed, sizeof panels->folder_typed,
                          UI_ENTER);
    ui_same_line(-1);
    ui_disabled_begin(!panels->folder_typed[0]);
    ui_name("library:add");
    if ((ui_button("Add", 0, 0) || enter) && panels->folder_typed[0])
        add_folder(session);
    ui_disabled_end();
    ui_spacing();
    ui_separator();
    ui_name("library:pictures");
    if (ui_checkbox("Show pictures in the palette", &session->settings.show_pictures))
        ed_tell(session, ed_settings_save(&session->settings, NULL, &err), &err);
}
