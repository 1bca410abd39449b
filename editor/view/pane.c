#include "editor/view/pane.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "editor/session/bindings.h"
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

void ed_pane_free(struct ed_pane *pane)
{
    ed_slots_free(pane);
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
    ed_slots_free(pane);
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

/* When the ground is another one than before, shows all of it. */
static void follow_ground(struct ed_pane *pane)
{
    const struct ed_picture *picture = to_frame(pane);
    if (picture && pane->camera_kept && !pane->framed.width)
        pane->framed = picture->grid;
    if (picture)
        pane->camera_kept = false;
    if (picture && (!pane->framed.width || !oro_grid_same_ground(&pane->framed, &picture->grid)))
        ed_pane_frame(pane);
}

/* The sea is shown where what is seen is made with one, until the user says otherwise. */
static void follow_sea(struct ed_session *session, struct ed_pane *pane)
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

/* ---- Drawing ---- */

/* In depth, the ground below the pointer is only looked for when the pointer rests, or when a tool needs it
 * at once. */
static void find_pointer(struct ed_session *session, struct ed_pane *pane)
{
    struct ui_vec at = ui_mouse();
    if (at.x != pane->pointer.x || at.y != pane->pointer.y) {
        pane->pointer = at;
        pane->rested_at = session->now;
    }
    bool rests = session->now - pane->rested_at > 0.08;
    if (pane->scene && !rests && session->views->tool == ED_TOOL_NONE) {
        if (pane->drag)
            pane->has_place = false;
        return;
    }
    pane->has_place = pane->hovered && ed_pane_place(pane, at, &pane->place[0], &pane->place[1]);
    const struct ed_picture *ground = ed_pane_ground(pane);
    if (pane->has_place)
        pane->place[2] =
            ground ? (double)ed_picture_sample(ground, pane->place[0], pane->place[1], 0) : (double)NAN;
}

static void notice(const struct ed_pane *pane, struct ui_draw *draw, const char *text, uint32_t colour)
{
    float wrap = pane->rect.w * 0.8f;
    struct ui_vec size = ui_text_extent(UI_NORMAL, 0, text, wrap);
    struct ui_vec at = {pane->rect.x + (pane->rect.w - size.x) / 2,
                        pane->rect.y + (pane->rect.h - size.y) / 2};
    float pad = 12 * ui_scale();
    ui_rect_fill(draw, (struct ui_rect){at.x - pad, at.y - pad, size.x + 2 * pad, size.y + 2 * pad},
                 ui_faded(ui_colour(UI_PANEL), 0.85f), 6 * ui_scale());
    ui_draw_text_wrapped(draw, UI_NORMAL, 0, at, colour, text, wrap);
}

static void draw_waiting(struct ed_session *session, const struct ed_pane *pane, struct ui_draw *draw)
{
    struct ed_live_status status;
    ed_live_status(session->live, &status);
    if (status.problem[0] && !status.busy && !status.opening)
        notice(pane, draw, status.problem, ui_colour(UI_BAD));
    else if (session->paused)
        notice(pane, draw, ed_text_with_key(session, "Paused: goes on from the menu View", "pause"),
               ui_colour(UI_MUTED));
    else
        notice(pane, draw, "Computing\xe2\x80\xa6", ui_colour(UI_MUTED));
}

/* Why there is nothing to see. */
static void draw_notice(struct ed_session *session, const struct ed_pane *pane, struct ui_draw *draw)
{
    const struct ed_slot *main = &pane->slots[ED_SLOT_MAIN];
    struct ed_node_state state = {0};
    if (pane->failed.text[0])
        notice(pane, draw, pane->failed.text, ui_colour(UI_BAD));
    else if (!main->want.node[0] && pane->pinned)
        notice(pane, draw, "The pinned node is not in this graph", ui_colour(UI_MUTED));
    else if (!main->want.node[0])
        notice(pane, draw, "Double click a node to see what it gives", ui_colour(UI_MUTED));
    else {
        ed_live_node(session->live, main->want.node, &state);
        if (state.phase == ED_NODE_FAILED && state.text[0])
            notice(pane, draw, state.text, ui_colour(UI_BAD));
        else if (main->raster && ed_raster_refused(main->raster))
            notice(pane, draw, "The graphics card has no room for this picture", ui_colour(UI_BAD));
        else if (!main->picture || (pane->scene && !ed_pane_ground(pane)))
            draw_waiting(session, pane, draw);
    }
}

static void draw_picture(struct ed_pane *pane, struct ui_draw *draw)
{
    ui_rect_fill(draw, pane->rect, ui_colour(UI_BACKGROUND), 0);
    unsigned texture = pane->scene ? pane->target_depth.texture : pane->target.texture;
    if (!pane->slots[ED_SLOT_MAIN].picture || !texture || (pane->scene && !ed_pane_ground(pane)))
        return;
    ui_draw_image(draw, texture, pane->rect, false);
    if (pane->scene && pane->wipe && pane->target_second.texture) {
        float cut = pane->rect.w * pane->wipe_at;
        ui_clip_push(draw,
                     (struct ui_rect){pane->rect.x + cut, pane->rect.y, pane->rect.w - cut, pane->rect.h});
        ui_draw_image(draw, pane->target_second.texture, pane->rect, false);
        ui_clip_pop(draw);
    }
}

/* What is seen is not the result yet, and nothing is under way that would make it so. It lies over the
 * picture, which must not move when work goes on. True: it has the mouse. */
static bool draw_stopped(struct ed_session *session, const struct ed_pane *pane, struct ui_draw *draw,
                         bool free)
{
    struct ed_node_state state = {0};
    struct ed_live_status status;
    const char *node = pane->slots[ED_SLOT_MAIN].want.node;
    ed_live_status(session->live, &status);
    if (!node[0] || status.busy)
        return false;
    ed_live_node(session->live, node, &state);
    if (state.falls != ED_SHORT_STOPPED && !session->paused)
        return false;
    const char *text = ed_text_with_key(
        session, session->paused ? "Paused, not up to date: Resume" : "Stopped, not the result yet: Resume",
        "resume");
    float s = ui_scale();
    struct ui_vec size = ui_text_extent(UI_BOLD, 0, text, 0);
    struct ui_rect chip = {pane->rect.x + (pane->rect.w - size.x) / 2 - 12 * s, pane->rect.y + 10 * s,
                           size.x + 24 * s, size.y + 10 * s};
    bool over = free && ui_inside(chip, ui_mouse());
    ui_rect_fill(draw, chip, ui_colour(over ? UI_HOVERED : UI_RAISED), 5 * s);
    ui_rect_line(draw, chip, ui_colour(UI_WARNING), 5 * s, 1.5f * s);
    ui_draw_text_in(draw, UI_BOLD, 0, chip, 0.5f, ui_colour(UI_WARNING), text);
    if (over)
        ui_pointer(UI_HAND);
    if (over && ui_mouse_pressed(0))
        ed_command_run(session, "resume");
    if (ed_describing()) {
        char name[32];
        snprintf(name, sizeof name, "resume:%d", pane->index);
        ed_describe_item(name, chip.x, chip.y, chip.w, chip.h, true);
    }
    return over;
}

/* Draws all that lies over the picture; the first that wants the mouse gets it. */
static void draw_over(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw, bool active,
                      bool wiping)
{
    bool shown = pane->slots[ED_SLOT_MAIN].picture != NULL, taken = wiping;
    ui_clip_push(draw, pane->rect);
    if (shown) {
        ed_lines_draw(pane, draw);
        bool free = pane->hovered && !pane->drag && !ui_alt(); /* with Alt the camera is moved */
        taken = draw_stopped(session, pane, draw, free && !taken) || taken;
        ed_wipe_draw(pane, draw, wiping);
        taken = ed_profile_over(session, pane) || taken;
        taken = ed_drop_use(session, pane, draw) || taken;
        taken = ed_handle_use(session, pane, draw, free && !taken) || taken;
        taken = ed_sketch_use(session, pane, draw, free && !taken) || taken;
        taken = ed_region_use(session, pane, draw, free && !taken) || taken;
        taken = ed_paint_use(session, pane, draw, free && !taken) || taken;
        taken = ed_measure_use(session, pane, draw, free && !taken) || taken;
        ed_legend_draw(pane, draw);
        pane->covered = ed_profile_draw(session, pane, draw);
    }
    draw_notice(session, pane, draw);
    ed_screenshot_note(session, pane, draw);
    ed_readout_draw(session, pane, draw);
    ui_clip_pop(draw);
    ed_pane_navigate(session, pane, active, taken);
}

static void describe(const struct ed_session *session, const struct ed_pane *pane)
{
    if (!ed_describing())
        return;
    char key[40];
    const struct ed_slot *main = &pane->slots[ED_SLOT_MAIN];
    snprintf(key, sizeof key, "view%d", pane->index);
    ed_describe_state(key, "%s.%s", main->want.node, main->want.output);
    snprintf(key, sizeof key, "view%d_mode", pane->index);
    ed_describe_state(key, "%s",
                      pane->scene ? ed_material_name(pane->scene_look.material)
                                  : ed_map_mode_name(pane->map_look.mode));
    snprintf(key, sizeof key, "view%d_depth", pane->index);
    ed_describe_state(key, "%d", pane->scene);
    const char *lighting = ed_lighting_name(ed_lighting_of(&pane->scene_look));
    snprintf(key, sizeof key, "view%d_lighting", pane->index);
    ed_describe_state(key, "%s", lighting ? lighting : "");
    snprintf(key, sizeof key, "view%d_serial", pane->index);
    ed_describe_state(key, "%llu", main->picture ? (unsigned long long)main->picture->serial : 0ull);
    snprintf(key, sizeof key, "view%d_level", pane->index);
    ed_describe_state(key, "%d", main->picture ? main->picture->level : 0);
    (void)session;
}

void ed_pane_draw(struct ed_session *session, struct ed_pane *pane, struct ui_rect rect)
{
    struct ed_views *views = session->views;
    int shown = 0;
    for (int i = 0; i < ED_VIEW_PANES; i++)
        shown += ed_view_shown(session, &views->panes[i]);
    double seconds = (views->software ? 0.025 : 0.012) / (shown > 0 ? shown : 1);
    ui_id_push_index(pane->index);
    ui_cursor_set((struct ui_vec){rect.x, rect.y});
    if (ui_child_begin("##pane", rect.w, rect.h, UI_NO_PADDING | UI_NO_SCROLL)) {
        ui_rect_fill(ui_draw_here(), rect, ui_colour(UI_PANEL), 0);
        ui_clip_push(ui_draw_here(), rect);
        pane->rect = rect;
        ed_toolbar_draw(session, pane);
        ed_slots_resolve(session, pane);
        ed_slots_update(session, pane, seconds / 3);
        follow_ground(pane);
        follow_sea(session, pane);
        ui_cursor_set((struct ui_vec){pane->rect.x, pane->rect.y});
        ui_name("view:%d", pane->index);
        ui_area("##picture", pane->rect.w, pane->rect.h);
        bool active = ui_item_active();
        pane->hovered = ui_item_hovered() && ui_inside(pane->rect, ui_mouse());
        if (pane->hovered && (ui_mouse_pressed(0) || ui_mouse_pressed(1) || ui_mouse_pressed(2)))
            views->active = pane->index;
        find_pointer(session, pane);
        bool wiping = ed_wipe_drag(pane, pane->hovered && !pane->drag);
        ed_pane_render(session, pane, seconds * 2 / 3);
        draw_picture(pane, ui_draw_here());
        draw_over(session, pane, ui_draw_here(), active, wiping);
        ed_pane_popups(session, pane);
        ui_clip_pop(ui_draw_here());
        describe(session, pane);
    }
    ui_child_end();
    ui_id_pop();
}
