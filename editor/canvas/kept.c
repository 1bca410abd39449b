/* What of the canvas is kept for a document: which graph is shown, and from where. */
#include <jansson.h>

#include "editor/canvas/canvas.h"
#include "editor/canvas/state.h"

json_t *ed_canvas_keep(const struct ed_session *session)
{
    const struct ed_lens *camera = &session->canvas->camera;
    json_t *entered = json_array();
    for (size_t i = 0; i < ed_project_depth(session->project); i++)
        json_array_append_new(entered, json_string(ed_project_entered(session->project, i)));
    return json_pack("{s:o, s:f, s:f, s:f}", "entered", entered, "x", camera->x, "y", camera->y, "zoom",
                     camera->zoom);
}

void ed_canvas_bring(struct ed_session *session, const json_t *kept)
{
    struct ed_canvas *canvas = session->canvas;
    const json_t *entered = json_object_get(kept, "entered");
    double x = json_number_value(json_object_get(kept, "x")),
           y = json_number_value(json_object_get(kept, "y"));
    double zoom = json_number_value(json_object_get(kept, "zoom"));
    size_t level = 0;
    for (; level < json_array_size(entered); level++) {
        const char *node = json_string_value(json_array_get(entered, level));
        if (!node || !ed_project_enter(session->project, node, NULL))
            return; /* the group is gone: another place than the camera is for */
    }
    if (!(zoom > 1e-3 && zoom < 1e3) || !(x > -1e7 && x < 1e7) || !(y > -1e7 && y < 1e7))
        return;
    ed_canvas_here(session);
    canvas->camera.x = x;
    canvas->camera.y = y;
    canvas->camera.zoom = zoom;
    canvas->fit = false;
}
