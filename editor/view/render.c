#include "editor/view/render.h"

#include <math.h>
#include <string.h>

#include "editor/pane/slots.h"
#include "editor/tools/paint_tool.h"

static const float overlay_colour[4] = {0.95f, 0.45f, 0.15f, 0.65f};
static const float layer_colour[4] = {0.2f, 0.65f, 0.95f, 0.6f};

static void background(float rgb[3])
{
    uint32_t colour = ui_colour(UI_BACKGROUND);
    for (int i = 0; i < 3; i++)
        rgb[i] = (float)(colour >> (8 * i) & 0xff) / 255;
}

/* A network is drawn over its terrain; everything else is shown itself. */
static const struct ed_raster *map_raster(const struct ed_pane *pane)
{
    const struct ed_slot *main = &pane->slots[ED_SLOT_MAIN];
    bool network = main->picture && !main->picture->data;
    return ed_slot_raster(network ? &pane->slots[ED_SLOT_GROUND] : main);
}

static size_t map_layers(struct ed_session *session, const struct ed_pane *pane,
                         struct ed_map_layer layers[2])
{
    size_t count = 0;
    const struct ed_raster *layer = ed_slot_raster(&pane->slots[ED_SLOT_LAYER]);
    const struct ed_raster *overlay = ed_paint_overlay(session);
    if (layer) {
        layers[count].raster = layer;
        memcpy(layers[count++].colour, layer_colour, sizeof layer_colour);
    }
    if (overlay) {
        layers[count].raster = overlay;
        memcpy(layers[count++].colour, overlay_colour, sizeof overlay_colour);
    }
    return count;
}

static void render_map(struct ed_session *session, struct ed_pane *pane, struct ed_map *map,
                       struct ed_target *target, const struct ed_map_camera *camera,
                       const struct ed_part *part)
{
    struct ed_map_layer layers[2];
    struct ed_map_look look = ed_pane_map_look(pane);
    struct ed_map_wipe wipe = {.raster = pane->wipe ? ed_slot_raster(&pane->slots[ED_SLOT_SECOND]) : NULL,
                               .look = ed_pane_second_look(pane),
                               .at = pane->wipe_at};
    size_t count = map_layers(session, pane, layers);
    background(look.background);
    background(wipe.look.background);
    ed_map_draw(map, target, map_raster(pane), &look, camera, layers, count, wipe.raster ? &wipe : NULL,
                part);
}

/* Shows a mask in its colour, an image as the colours of the ground, and other numbers by the palette. */
static void lay_over(const struct ed_slot *slot, struct ed_scene_rasters *rasters, struct ed_scene_look *look)
{
    bool mask = ed_map_is_mask(slot->picture);
    if (mask)
        rasters->mask = ed_slot_raster(slot);
    else if (slot->picture->channels != 2) {
        rasters->colour = ed_slot_raster(slot);
        look->material = ED_MATERIAL_IMAGE;
    }
}

/* The ground and what lies on it: a mask, or an image as its colours. */
static void scene_rasters(struct ed_session *session, const struct ed_pane *pane,
                          struct ed_scene_rasters *rasters, struct ed_scene_look *look)
{
    const struct ed_slot *slots = pane->slots, *main = &slots[ED_SLOT_MAIN];
    const struct ed_picture *ground = ed_pane_ground(pane);
    *rasters = (struct ed_scene_rasters){.colour = ed_slot_raster(&slots[ED_SLOT_COLOUR]),
                                         .water = ed_slot_raster(&slots[ED_SLOT_WATER]),
                                         .mask = ed_slot_raster(&slots[ED_SLOT_LAYER])};
    memcpy(rasters->mask_colour, layer_colour, sizeof layer_colour);
    rasters->ground = ed_slot_raster(ground == main->picture ? main : &slots[ED_SLOT_GROUND]);
    if (main->picture && main->picture != ground && main->picture->data) {
        bool mask = ed_map_is_mask(main->picture);
        lay_over(main, rasters, look);
        if (mask)
            look->material = ED_MATERIAL_CLAY;
    }
    if (look->material == ED_MATERIAL_IMAGE && !rasters->colour)
        look->material = ED_MATERIAL_NATURAL;
    if (ed_paint_overlay(session)) {
        rasters->mask = ed_paint_overlay(session);
        memcpy(rasters->mask_colour, overlay_colour, sizeof overlay_colour);
    }
    look->exaggeration = ed_pane_exaggeration(pane);
    look->light_background = ui_is_light();
}

/* Whether the output to the right of the wipe is drawn as ground, as it would be if shown alone. A mask that
 * is not made from a terrain, compared with a terrain, is drawn as a mask on that. */
static bool stands(const struct ed_pane *pane)
{
    const struct ed_picture *picture = pane->slots[ED_SLOT_SECOND].picture, *ground = ed_pane_ground(pane);
    if (picture->terrain || picture->channels != 1)
        return picture->terrain;
    return !pane->second_lies && !(ground && ground->terrain && ed_map_is_mask(picture));
}

/* The picture to the right of the wipe. False: it is not there yet. */
static bool second_rasters(const struct ed_pane *pane, struct ed_scene_rasters *rasters,
                           struct ed_scene_look *look)
{
    const struct ed_slot *slot = &pane->slots[ED_SLOT_SECOND];
    const struct ed_raster *raster = pane->wipe ? ed_slot_raster(slot) : NULL;
    if (!raster)
        return false;
    if (stands(pane)) {
        rasters->ground = raster;
        look->exaggeration = ed_pane_exaggeration_of(pane, slot->picture);
    } else
        lay_over(slot, rasters, look);
    return true;
}

static bool render_second(struct ed_pane *pane, struct ed_scene_rasters rasters, struct ed_scene_look look,
                          bool moving, double seconds)
{
    if (!second_rasters(pane, &rasters, &look))
        return true;
    if (!pane->in_depth_second)
        pane->in_depth_second = ed_scene_create(&pane->failed);
    if (!pane->in_depth_second || !ed_target_size(&pane->target_second, pane->target_depth.width,
                                                  pane->target_depth.height, &pane->failed))
        return true;
    return ed_scene_draw(pane->in_depth_second, &pane->target_second, &rasters, &look, &pane->camera, NULL,
                         moving, seconds);
}

static void render_scene(struct ed_session *session, struct ed_pane *pane, double seconds)
{
    struct ed_scene_look look = pane->scene_look;
    struct ed_scene_rasters rasters;
    bool moving = session->now - pane->moved_at < 0.12;
    scene_rasters(session, pane, &rasters, &look);
    pane->sharp = true;
    if (!rasters.ground)
        return;
    double share = pane->wipe ? seconds / 2 : seconds;
    pane->sharp = ed_scene_draw(pane->in_depth, &pane->target_depth, &rasters, &look, &pane->camera, NULL,
                                moving, share);
    if (pane->wipe)
        pane->sharp = render_second(pane, rasters, look, moving, share) && pane->sharp;
    pane->sharp = pane->sharp && !moving;
}

void ed_pane_render(struct ed_session *session, struct ed_pane *pane, double seconds)
{
    int width = (int)pane->rect.w, height = (int)pane->rect.h;
    pane->failed.text[0] = '\0';
    pane->sharp = true;
    if (width < 1 || height < 1 || !pane->slots[ED_SLOT_MAIN].picture || !pane->framed.width)
        return;
    if (!ed_target_size(pane->scene ? &pane->target_depth : &pane->target, width, height, &pane->failed))
        return;
    ed_paint_upload(session, seconds / 3);
    if (pane->scene)
        render_scene(session, pane, seconds);
    else
        render_map(session, pane, pane->map, &pane->target, &pane->map_camera, NULL);
    for (int kind = 0; kind < ED_SLOTS; kind++)
        if (pane->slots[kind].want.node[0] && !pane->slots[kind].whole)
            pane->sharp = false;
}

/* The part to the right of the wipe is drawn separately, then put in. */
static bool render_large_second(struct ed_pane *pane, struct ed_large *large, struct ed_scene_rasters rasters,
                                struct ed_scene_look look, const struct ed_part *part, double seconds)
{
    const struct ed_target *target = &large->target;
    if (!second_rasters(pane, &rasters, &look))
        return true;
    if (!large->second)
        large->second = ed_scene_create(NULL);
    if (large->second)
        ed_scene_take_time(large->second, large->samples);
    if (!large->second || !ed_target_size(&large->target_second, target->width, target->height, NULL))
        return true;
    if (!ed_scene_draw(large->second, &large->target_second, &rasters, &look, &pane->camera, part, false,
                       seconds))
        return false;
    int column = (int)lrintf(pane->wipe_at * (float)part->width) - part->x;
    if (column < target->width)
        ed_target_join(&large->target_second, column > 0 ? column : 0, target);
    return true;
}

bool ed_pane_render_large(struct ed_session *session, struct ed_pane *pane, struct ed_large *large,
                          const struct ed_part *part, double seconds)
{
    struct ed_scene_look look = pane->scene_look;
    struct ed_scene_rasters rasters;
    if (!pane->scene) {
        struct ed_map_camera camera = pane->map_camera;
        camera.metres_per_pixel *= (double)pane->rect.w / part->width;
        render_map(session, pane, large->map, &large->target, &camera, part);
        return true;
    }
    scene_rasters(session, pane, &rasters, &look);
    if (!rasters.ground)
        return true;
    return ed_scene_draw(large->scene, &large->target, &rasters, &look, &pane->camera, part, false,
                         seconds) &&
           render_large_second(pane, large, rasters, look, part, seconds);
}
