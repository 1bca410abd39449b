#include "editor/view/picture_dialog.h"

#include <stdio.h>

#include "editor/view/film.h"
#include "editor/view/screenshot.h"

static const char title[] = "Picture of the view";

/* True: it is being typed into. */
static bool number(const char *name, const char *label, double *value, double speed, double low, double high)
{
    ui_item_width(100 * ui_scale());
    ui_name("picture:%s", name);
    ui_drag(label, value, speed, low, high, "%.0f", UI_CLAMP);
    return ui_item_active() || ui_item_ended_edit();
}

static bool draw_size(struct ed_picture_wish *wish, const struct ed_pane *pane)
{
    const struct ed_picture_preset *preset = ed_picture_preset(wish->preset);
    int width, height;
    ed_picture_size(wish, pane, &width, &height);
    ui_item_width(220 * ui_scale());
    ui_name("combo:picture-size");
    if (ui_combo_begin("Size", preset->name)) {
        for (int i = 0; ed_picture_preset(i); i++) {
            struct ed_picture_wish other = *wish;
            char label[80];
            int w, h;
            other.preset = i;
            ed_picture_size(&other, pane, &w, &h);
            snprintf(label, sizeof label, "%s (%d \xc3\x97 %d)", ed_picture_preset(i)->name, w, h);
            ui_name("picture-size:%s", ed_picture_preset(i)->name);
            if (ui_selectable(label, i == wish->preset, 0))
                wish->preset = i;
        }
        ui_combo_end();
    }
    bool own = !preset->times && !preset->width;
    double wide = width, high = height;
    ui_disabled_begin(!own);
    bool typing = number("width", "##width", &wide, 4, 16, ED_PICTURE_MAX);
    ui_same_line(-1);
    ui_text("\xc3\x97");
    ui_same_line(-1);
    typing = number("height", "pixels", &high, 4, 16, ED_PICTURE_MAX) || typing;
    ui_disabled_end();
    /* The user's own size begins with what was chosen last. */
    wish->width = (int)wide;
    wish->height = (int)high;
    return typing;
}

static bool draw_film(struct ed_views *views, struct ed_picture_wish *wish, const struct ed_pane *pane)
{
    ui_disabled_begin(!pane->scene);
    ui_name("picture:film");
    ui_checkbox("Turntable: a film once around", &wish->film);
    ui_disabled_end();
    if (!pane->scene)
        ui_tooltip("In the view in depth");
    ui_disabled_begin(!pane->scene || !wish->film);
    double frames = wish->frames;
    bool typing = number("frames", "##frames", &frames, 1, 2, ED_FILM_MAX);
    ui_same_line(-1);
    ui_text("pictures, 30 of them a second");
    wish->frames = (int)frames;
    ui_disabled_begin(!views->has_ffmpeg);
    ui_checkbox("Also a video, by ffmpeg", &wish->video);
    ui_disabled_end();
    if (!views->has_ffmpeg)
        ui_tooltip("ffmpeg is not installed");
    ui_disabled_end();
    wish->video = wish->video && views->has_ffmpeg;
    return typing;
}

void ed_picture_ask(struct ed_session *session, const struct ed_pane *pane)
{
    session->views->asking_picture = true;
    session->views->picture_of = pane->index;
    ed_wake(session);
}

void ed_picture_dialog(struct ed_session *session)
{
    struct ed_views *views = session->views;
    struct ed_pane *pane = &views->panes[views->picture_of];
    struct ed_picture_wish *wish = &views->wish;
    if (views->asking_picture) {
        views->has_ffmpeg = ed_film_can();
        ui_popup_open(title);
    }
    views->asking_picture = false;
    if (!ui_modal_begin(title, NULL, 420 * ui_scale()))
        return;
    bool annotated = !wish->plain;
    bool typing = draw_size(wish, pane);
    ui_name("picture:annotated");
    ui_checkbox(pane->scene ? "Scale bar and compass" : "Legend and scale bar", &annotated);
    wish->plain = !annotated;
    ui_separator();
    typing = draw_film(views, wish, pane) || typing;
    /* The Enter that ends the typing of a number is no answer. */
    bool listens = !typing && !views->typing_picture;
    views->typing_picture = typing;
    ui_spacing();
    bool yes = ui_button_strong(wish->film && pane->scene ? "Save film" : "Save picture", 0, 0);
    yes = (listens && ui_answered_yes()) || yes;
    ui_same_line(-1);
    ui_name("picture:cancel");
    if (ui_button("Cancel", 0, 0) || (listens && ui_answered_no())) {
        ui_popup_close();
    } else if (yes) {
        ui_popup_close();
        ed_pane_screenshot(session, pane);
    }
    ui_popup_end();
}
