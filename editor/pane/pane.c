#include "editor/pane/pane.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "editor/session/panes.h"
#include "editor/session/sea.h"

static const struct ed_map_look first_map_look = {
    .azimuth = 315, .altitude = 45, .exaggeration = 1, .background = {0.1f, 0.1f, 0.11f}};
void ed_pane_begin(struct ed_pane *pane, int index)
{
    *pane = (struct ed_pane){.index = index, .wipe_at = 0.5f, .map_look = first_map_look, .sharp = true};
    ed_look_begin(&pane->scene_look);
}

bool ed_pane_make(struct ed_pane *pane, struct oro_error *err)
{
    if (!pane->map)
        pane->map = ed_map_create(err);
    if (pane->map && !pane->in_depth)
        pane->in_depth = ed_scene_create(err);
    return pane->in_depth;
}

static void free_slots(struct ed_pane *pane)
{
    for (int kind = 0; kind < ED_SLOTS; kind++) {
        struct ed_slot *slot = &pane->slots[kind];
        ed_picture_release(slot->picture);
        ed_raster_destroy(slot->raster);
        *slot = (struct ed_slot){0};
    }
}

void ed_pane_free(struct ed_pane *pane)
{
    free_slots(pane);
    ed_target_free(&pane->target);
    ed_target_free(&pane->target_depth);
    ed_target_free(&pane->target_second);
    ed_map_destroy(pane->map);
    ed_scene_destroy(pane->in_depth);
    ed_scene_destroy(pane->in_depth_second);
}

void ed_pane_forget(struct ed_pane *pane)
{
    static const struct ed_choice none;
    free_slots(pane);
    pane->pinned = pane->wipe = false;
    pane->pin = pane->wipe_choice = pane->layer_choice = pane->colour_choice = pane->water_choice = none;
    pane->ground_of = pane->sea_of = none;
    pane->sea_chosen = pane->camera_kept = false;
    pane->framed = (struct oro_grid){0};
}

/* ---- Places ---- */

const struct ed_picture *ed_pane_ground(const struct ed_pane *pane)
{
    const struct ed_picture *main = pane->slots[ED_SLOT_MAIN].picture;
    const struct ed_picture *ground = pane->slots[ED_SLOT_GROUND].picture;
    if (main && main->data && main->terrain)
        return main;
    if (ground && ground->data && pane->slots[ED_SLOT_GROUND].want.node[0])
        return ground;
    return main && main->data && main->channels == 1 ? main : NULL;
}

float ed_pane_exaggeration_of(const struct ed_pane *pane, const struct ed_picture *ground)
{
    float given = pane->scene_look.exaggeration > 0 ? pane->scene_look.exaggeration : 1;
    if (!ground || ground->terrain || !(ground->high > ground->low))
        return given;
    /* A mask seen in depth: as high as an eighth of its width. */
    return given * (float)(ground->grid.width * ground->grid.cell) / 8 / (ground->high - ground->low);
}

float ed_pane_exaggeration(const struct ed_pane *pane)
{
    return ed_pane_exaggeration_of(pane, ed_pane_ground(pane));
}

bool ed_pane_has_range(const struct ed_pane *pane, const struct ed_picture *picture)
{
    return pane->map_look.fixed_range && picture && picture->unit == pane->range_unit;
}

/* Values with a unit are no mask even if they lie between 0 and 1. */
static struct ed_map_look look_of(const struct ed_pane *pane, const struct ed_picture *picture)
{
    struct ed_map_look look = pane->map_look;
    look.fixed_range = ed_pane_has_range(pane, picture);
    if (look.mode != ED_MAP_AUTO || !picture || !picture->data || picture->terrain ||
        picture->channels != 1 || picture->unit == ORO_NO_UNIT)
        return look;
    look.mode = picture->unit == ORO_SQUARE_METRE ? ED_MAP_DRAINAGE : ED_MAP_HEIGHT;
    if (look.palette == ED_PALETTE_TERRAIN)
        look.palette = ED_PALETTE_VIRIDIS;
    return look;
}

static void both_looks(const struct ed_pane *pane, struct ed_map_look looks[2])
{
    const struct ed_picture *pictures[2] = {pane->slots[ED_SLOT_MAIN].picture,
                                            pane->wipe ? pane->slots[ED_SLOT_SECOND].picture : NULL};
    for (int i = 0; i < 2; i++)
        looks[i] = look_of(pane, pictures[i]);
    if (pictures[0] && pictures[1] && pictures[0]->data && pictures[1]->data)
        ed_map_share_range(looks, pictures);
}

struct ed_map_look ed_pane_map_look(const struct ed_pane *pane)
{
    struct ed_map_look looks[2];
    both_looks(pane, looks);
    return looks[0];
}

struct ed_map_look ed_pane_second_look(const struct ed_pane *pane)
{
    struct ed_map_look looks[2];
    both_looks(pane, looks);
    return looks[1];
}

static void size_of(const struct ed_pane *pane, int *width, int *height)
{
    *width = pane->rect.w > 1 ? (int)pane->rect.w : 1;
    *height = pane->rect.h > 1 ? (int)pane->rect.h : 1;
}

bool ed_pane_pixel(const struct ed_pane *pane, double x, double y, struct ui_vec *at)
{
    const struct ed_picture *ground = pane->scene ? ed_pane_ground(pane) : NULL;
    float z = ground ? ed_picture_sample(ground, x, y, 0) : 0;
    return ed_pane_pixel_at(pane, (const double[3]){x, y, isfinite(z) ? (double)z : 0}, at);
}

bool ed_pane_pixel_at(const struct ed_pane *pane, const double place[3], struct ui_vec *at)
{
    int width, height;
    double px, py;
    size_of(pane, &width, &height);
    if (!pane->framed.width)
        return false;
    const double raised[3] = {place[0], place[1], place[2] * (double)ed_pane_exaggeration(pane)};
    if (!pane->scene)
        ed_map_to_pixel(&pane->map_camera, width, height, place[0], place[1], &px, &py);
    else if (!ed_camera_pixel(&pane->camera, width, height, raised, &px, &py))
        return false;
    *at = ed_vec((double)pane->rect.x + px, (double)pane->rect.y + py);
    return fabs(px) < 1e5 && fabs(py) < 1e5;
}

bool ed_pane_place(const struct ed_pane *pane, struct ui_vec at, double *x, double *y)
{
    int width, height;
    double px = (double)(at.x - pane->rect.x), py = (double)(at.y - pane->rect.y);
    size_of(pane, &width, &height);
    if (!pane->framed.width)
        return false;
    if (!pane->scene) {
        ed_map_to_world(&pane->map_camera, width, height, px, py, x, y);
        return true;
    }
    double from[3], direction[3], hit[3];
    const struct ed_picture *ground = ed_pane_ground(pane);
    ed_camera_ray(&pane->camera, width, height, px, py, from, direction);
    if (!ground || !ed_scene_hit(ground, ed_pane_exaggeration(pane), from, direction, hit))
        return false;
    *x = hit[0];
    *y = hit[1];
    return true;
}

double ed_pane_metres_per_pixel(const struct ed_pane *pane)
{
    if (!pane->scene)
        return pane->map_camera.metres_per_pixel;
    double angle = pane->camera.field_of_view > 0 ? pane->camera.field_of_view : 40;
    return 2 * pane->camera.distance * tan(angle * 3.14159265358979 / 360) / fmax(1, (double)pane->rect.h);
}

/* ---- Cameras ---- */

static const struct ed_picture *to_frame(const struct ed_pane *pane)
{
    const struct ed_picture *ground = ed_pane_ground(pane);
    return ground ? ground : pane->slots[ED_SLOT_MAIN].picture;
}

void ed_pane_frame(struct ed_pane *pane)
{
    int width, height;
    const struct ed_picture *picture = to_frame(pane);
    if (!picture)
        return;
    size_of(pane, &width, &height);
    int status = 2 * (int)(ui_font_size(UI_SMALL) + 8 * ui_scale()); /* lies over the lower edge */
    ed_map_fit(&pane->map_camera, &picture->grid, width, height > 4 * status ? height - status : height);
    if (picture->data)
        ed_camera_frame(&pane->camera, picture, ed_pane_exaggeration(pane));
    double aspect = (double)width / height, whole = 1.45; /* aspect of a view that shows all of it */
    if (picture->data && aspect < whole)
        pane->camera.distance *= whole / aspect;
    pane->framed = picture->grid;
}

void ed_pane_follow_ground(struct ed_pane *pane)
{
    const struct ed_picture *picture = to_frame(pane);
    if (picture && pane->camera_kept && !pane->framed.width)
        pane->framed = picture->grid;
    if (picture)
        pane->camera_kept = false;
    if (picture && (!pane->framed.width || !oro_grid_same_ground(&pane->framed, &picture->grid)))
        ed_pane_frame(pane);
}

void ed_pane_follow_sea(struct ed_session *session, struct ed_pane *pane)
{
    const struct ed_choice *want = &pane->slots[ED_SLOT_MAIN].want;
    uint64_t revision = ed_project_revision(session->project);
    double level = 0;
    bool known = pane->sea_revision == revision && strcmp(pane->sea_of.node, want->node) == 0;
    if (pane->sea_chosen || known || !want->node[0])
        return;
    pane->sea_of = *want;
    pane->sea_revision = revision;
    pane->scene_look.water = ed_sea_of(session, want->node, &level);
    if (pane->scene_look.water)
        pane->scene_look.water_level = (float)level;
}

/* ---- Which are shown ---- */

bool ed_view_shown(const struct ed_session *session, const struct ed_pane *pane)
{
    return ed_part_shown(session, ED_PART_VIEW + (enum ed_pane_part)pane->index);
}

struct ed_pane *ed_view_first(const struct ed_session *session)
{
    for (int i = 0; i < ED_VIEW_PANES; i++)
        if (ed_view_shown(session, &session->views->panes[i]))
            return &session->views->panes[i];
    return NULL;
}
