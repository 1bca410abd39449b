/* What of the views is kept for a document: how each looks at its output, and from where. */
#include <math.h>
#include <string.h>

#include <jansson.h>

#include "editor/pane/pane.h"
#include "editor/view/views.h"

static json_t *keep_pane(const struct ed_pane *pane)
{
    const struct ed_camera *c = &pane->camera;
    const struct ed_map_camera *m = &pane->map_camera;
    json_t *kept =
        json_pack("{s:b, s:[fff], s:[ffffff]}", "depth", pane->scene, "map", m->x, m->y, m->metres_per_pixel,
                  "camera", c->target[0], c->target[1], c->target[2], c->distance, c->azimuth, c->elevation);
    if (pane->pinned)
        json_object_set_new(kept, "pin", json_pack("[ss]", pane->pin.node, pane->pin.output));
    return kept;
}

json_t *ed_views_keep(const struct ed_session *session)
{
    json_t *list = json_array();
    for (int i = 0; i < ED_VIEW_PANES; i++) {
        const struct ed_pane *pane = &session->views->panes[i];
        json_array_append_new(list, pane->begun && pane->framed.width ? keep_pane(pane) : json_null());
    }
    return list;
}

/* False: there are not that many, or one is no number that a camera could have. */
static bool numbers(const json_t *list, double *to, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const json_t *number = json_array_get(list, i);
        to[i] = json_number_value(number);
        if (!json_is_number(number) || !(fabs(to[i]) < 1e9))
            return false;
    }
    return true;
}

static void bring_pane(struct ed_pane *pane, const json_t *kept)
{
    double map[3], camera[6];
    const json_t *pin = json_object_get(kept, "pin");
    const char *node = json_string_value(json_array_get(pin, 0));
    const char *output = json_string_value(json_array_get(pin, 1));
    if (!numbers(json_object_get(kept, "map"), map, 3) ||
        !numbers(json_object_get(kept, "camera"), camera, 6) || !(map[2] > 0) || !(camera[3] > 0) ||
        fabs(camera[5]) > 89)
        return;
    pane->begun = pane->camera_kept = true;
    pane->scene = json_is_true(json_object_get(kept, "depth"));
    pane->map_camera = (struct ed_map_camera){map[0], map[1], map[2]};
    memcpy(pane->camera.target, camera, sizeof pane->camera.target);
    pane->camera.distance = camera[3];
    pane->camera.azimuth = camera[4];
    pane->camera.elevation = camera[5];
    if (!node || !output)
        return;
    pane->pinned = true;
    snprintf(pane->pin.node, sizeof pane->pin.node, "%s", node);
    snprintf(pane->pin.output, sizeof pane->pin.output, "%s", output);
}

void ed_views_bring(struct ed_session *session, const json_t *kept)
{
    for (int i = 0; i < ED_VIEW_PANES; i++)
        if (json_is_object(json_array_get(kept, (size_t)i)))
            bring_pane(&session->views->panes[i], json_array_get(kept, (size_t)i));
}
