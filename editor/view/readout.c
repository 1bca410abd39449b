#include "editor/view/readout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "editor/pane/labels.h"
#include "editor/pane/slots.h"
#include "editor/session/world.h"
#include "editor/tools/measure.h"

/* ---- Status ---- */

static void add(char *text, size_t size, const char *more)
{
    size_t length = strlen(text);
    if (length < size)
        snprintf(text + length, size - length, "%s%s", length ? "  \xc2\xb7  " : "", more);
}

static void status_text(const struct ed_pane *pane, char *text, size_t size)
{
    const struct ed_picture *picture = pane->slots[ED_SLOT_MAIN].picture;
    char part[96], low[40], high[40];
    text[0] = '\0';
    if (!picture)
        return;
    if (picture->data)
        snprintf(part, sizeof part, "%d \xc3\x97 %d", picture->grid.width, picture->grid.height);
    else
        snprintf(part, sizeof part, "%u lines", picture->network ? picture->network->line_count : 0);
    add(text, size, part);
    const struct ed_raster *raster = ed_slot_raster(&pane->slots[ED_SLOT_MAIN]);
    if (raster && ed_raster_reduction(raster) > 1) {
        snprintf(part, sizeof part, "drawn at 1/%d: larger than the graphics card can hold",
                 ed_raster_reduction(raster));
        add(text, size, part);
    }
    if (picture->draft)
        add(text, size, "draft");
    else if (picture->capped)
        add(text, size, "coarser than the build");
    if (picture->running) {
        snprintf(part, sizeof part, "step %d", picture->done);
        add(text, size, part);
    }
    if (!picture->data || picture->channels != 1)
        return;
    snprintf(part, sizeof part, "%s to %s", ed_quantity(low, sizeof low, (double)picture->low, picture->unit),
             ed_quantity(high, sizeof high, (double)picture->high, picture->unit));
    add(text, size, part);
}

static void value_text(const struct ed_pane *pane, char *text, size_t size)
{
    const struct ed_picture *picture = pane->slots[ED_SLOT_MAIN].picture;
    const double x = pane->place[0], y = pane->place[1];
    float value;
    char part[96], number[40];
    if (!picture || !picture->data || !ed_picture_at(picture, x, y, 0, &value))
        picture = ed_pane_ground(pane);
    if (!picture || !ed_picture_at(picture, x, y, 0, &value))
        return;
    if (picture->channels == 4) {
        float green = 0, blue = 0;
        ed_picture_at(picture, x, y, 1, &green);
        ed_picture_at(picture, x, y, 2, &blue);
        snprintf(part, sizeof part, "rgb %.2f %.2f %.2f", (double)value, (double)green, (double)blue);
    } else if (picture->channels == 2) {
        float south = 0;
        ed_picture_at(picture, x, y, 1, &south);
        snprintf(part, sizeof part, "(%.3g, %.3g)", (double)value, (double)south);
    } else
        snprintf(part, sizeof part, "%s", ed_quantity(number, sizeof number, (double)value, picture->unit));
    add(text, size, part);
    double slope = picture->terrain ? ed_slope_at(picture, x, y) : (double)NAN;
    if (!isfinite(slope))
        return;
    snprintf(part, sizeof part, "slope %.1f\xc2\xb0", slope);
    add(text, size, part);
}

/* Where on Earth the pointer is. A system that has no number is told by none of its words. */
static void earth_text(struct ed_session *session, const struct ed_pane *pane, char *text, size_t size,
                       bool with_degrees)
{
    const struct oro_world world = ed_world(session);
    double x = pane->place[0], y = pane->place[1], at[2];
    char part[160];
    if (!world.crs)
        return;
    bool numbered = strncmp(world.crs, "EPSG:", 5) == 0;
    snprintf(part, sizeof part, "%.20s%s%.1f %.1f", numbered ? world.crs : "", numbered ? "  " : "",
             world.west + x, world.north - y);
    add(text, size, part);
    if (!with_degrees || !ed_world_degrees(session, x, y, at))
        return;
    snprintf(part, sizeof part, "%.5f\xc2\xb0 %s  %.5f\xc2\xb0 %s", fabs(at[1]), at[1] < 0 ? "S" : "N",
             fabs(at[0]), at[0] < 0 ? "W" : "E");
    add(text, size, part);
}

enum detail { PLACE, EARTH, DEGREES };

static void pointer_text(struct ed_session *session, const struct ed_pane *pane, enum detail detail,
                         char *text, size_t size)
{
    text[0] = '\0';
    if (!pane->has_place)
        return;
    snprintf(text, size, "x %.1f  y %.1f m", pane->place[0], pane->place[1]);
    if (detail >= EARTH)
        earth_text(session, pane, text, size, detail == DEGREES);
    value_text(pane, text, size);
}

/* As much as there is room for. */
static struct ui_vec fit_pointer_text(struct ed_session *session, const struct ed_pane *pane, float width,
                                      char *text, size_t size)
{
    struct ui_vec extent = {0};
    for (int detail = DEGREES; detail >= PLACE; detail--) {
        pointer_text(session, pane, (enum detail)detail, text, size);
        extent = ui_text_extent(UI_SMALL, 0, text, 0);
        if (extent.x <= width)
            break;
    }
    return extent;
}

/* ---- Scale and compass ---- */

/* A needle that points north as seen by the camera. */
static void compass(const struct ed_pane *pane, struct ui_draw *draw)
{
    float radius = 17 * ui_scale();
    struct ui_vec at = {pane->rect.x + pane->rect.w - radius - 12 * ui_scale(),
                        pane->rect.y + radius + 12 * ui_scale()};
    double turn = -pane->camera.azimuth / 57.29577951308232, s = sin(turn), c = cos(turn);
    double length = (double)radius * 0.72, half = (double)radius * 0.25;
    struct ui_vec north = ed_vec((double)at.x + s * length, (double)at.y - c * length);
    struct ui_vec south = ed_vec((double)at.x - s * length, (double)at.y + c * length);
    struct ui_vec left = ed_vec((double)at.x - c * half, (double)at.y - s * half);
    struct ui_vec right = ed_vec((double)at.x + c * half, (double)at.y + s * half);
    ui_circle_fill(draw, at, radius, ui_faded(ui_colour(UI_PANEL), 0.8f));
    ui_circle_line(draw, at, radius, ui_faded(ui_colour(UI_MUTED), 0.6f), 1);
    ui_triangle_fill(draw, north, right, left, ui_colour(UI_BAD));
    ui_triangle_fill(draw, south, left, right, ui_colour(UI_MUTED));
}

void ed_scale_draw(const struct ed_pane *pane, struct ui_draw *draw, float bottom)
{
    double per_pixel = ed_pane_metres_per_pixel(pane), room = 110 * (double)ui_scale();
    double metres = ed_round_step(per_pixel * room, 1);
    while (metres > per_pixel * room * 1.4)
        metres /= 2;
    float width = (float)(metres / per_pixel), x = pane->rect.x + 10 * ui_scale(),
          y = bottom - 8 * ui_scale();
    char text[40];
    uint32_t colour = ui_colour(UI_TEXT), shade = ui_faded(ui_colour(UI_PANEL), 0.7f);
    snprintf(text, sizeof text, metres >= 1000 ? "%g km" : "%g m", metres >= 1000 ? metres / 1000 : metres);
    struct ui_vec size = ui_text_extent(UI_SMALL, 0, text, 0);
    float box = width > size.x ? width : size.x;
    ui_rect_fill(draw, (struct ui_rect){x - 6, y - size.y - 8, box + 12, size.y + 14}, shade, 4);
    ui_line(draw, ed_vec(x, y), ed_vec(x + width, y), colour, 2);
    ui_line(draw, ed_vec(x, y - 5), ed_vec(x, y + 1), colour, 2);
    ui_line(draw, ed_vec(x + width, y - 5), ed_vec(x + width, y + 1), colour, 2);
    ui_draw_text(draw, UI_SMALL, 0, (struct ui_vec){x, y - size.y - 5}, colour, text, NULL);
    if (pane->scene)
        compass(pane, draw);
}

/* ---- Progress ---- */

static void progress(struct ed_session *session, const struct ed_pane *pane, struct ui_draw *draw)
{
    struct ed_live_status status = {0};
    struct ed_node_state node = {.progress = -1};
    ed_live_status(session->live, &status);
    if (!status.busy)
        return;
    if (status.node[0])
        ed_live_node(session->live, status.node, &node);
    double within = node.progress >= 0 ? (double)node.progress : 0;
    double share = status.steps ? ((double)status.step + within) / (double)status.steps : 0;
    float height = 3 * ui_scale();
    struct ui_rect bar = {pane->rect.x, pane->rect.y, pane->rect.w, height};
    ui_rect_fill(draw, bar, ui_faded(ui_colour(UI_PANEL), 0.6f), 0);
    bar.w *= (float)fmin(fmax(share, 0.02), 1);
    ui_rect_fill(draw, bar, ui_colour(UI_ACCENT), 0);
}

void ed_readout_draw(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw)
{
    char text[400];
    float height = ui_font_size(UI_SMALL) + 6 * ui_scale(), pad = 8 * ui_scale();
    struct ui_rect bar = {pane->rect.x, pane->rect.y + pane->rect.h - height, pane->rect.w, height};
    progress(session, pane, draw);
    if (!pane->slots[ED_SLOT_MAIN].picture)
        return;
    ui_rect_fill(draw, bar, ui_faded(ui_colour(UI_PANEL), 0.88f), 0);
    struct ui_vec size = fit_pointer_text(session, pane, bar.w - 2 * pad, text, sizeof text);
    if (pane->hovered)
        ed_describe_state("readout", "%s", text);
    struct ui_vec at = {bar.x + bar.w - size.x - pad, bar.y + 3 * ui_scale()};
    ui_draw_text(draw, UI_SMALL, 0, at, ui_colour(UI_TEXT), text, NULL);
    status_text(pane, text, sizeof text);
    ui_clip_push(draw, (struct ui_rect){bar.x, bar.y, at.x - bar.x - pad, bar.h});
    ui_draw_text(draw, UI_SMALL, 0, (struct ui_vec){bar.x + pad, at.y}, ui_colour(UI_MUTED), text, NULL);
    ui_clip_pop(draw);
    ed_scale_draw(pane, draw, bar.y - pane->covered);
}
