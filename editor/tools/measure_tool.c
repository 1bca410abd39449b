#include "editor/tools/measure_tool.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL_scancode.h>

#include "base/memory.h"
#include "editor/pane/labels.h"
#include "editor/pane/lines.h"
#include "editor/tools/measure.h"

enum { POINTS_MAX = 128 };

struct ed_measure_tool {
    double a[2], b[2];
    bool has, dragging;
    double points[2 * POINTS_MAX]; /* of the profile's line */
    int count;
    bool drawing;       /* the line is still being drawn: its last point follows the pointer */
    double linked;      /* the place on the line that is pointed at, metres along it; negative: none */
    struct ui_rect box; /* of the diagram, as it was drawn; no width: it was not */
    int box_pane;
    struct ed_section section;
    uint64_t serial; /* of the picture that the section is of */
    int section_count;
    double section_end[2];
};

struct ed_measure_tool *ed_measure_create(void)
{
    struct ed_measure_tool *tool = oro_alloc(1, sizeof *tool);
    if (tool)
        tool->linked = -1;
    return tool;
}

void ed_measure_destroy(struct ed_measure_tool *tool)
{
    oro_free(tool);
}

void ed_measure_reset(struct ed_measure_tool *tool)
{
    *tool = (struct ed_measure_tool){.linked = -1};
}

static void dot(const struct ed_pane *pane, struct ui_draw *draw, const double at[2])
{
    struct ui_vec pixel;
    if (!ed_pane_pixel(pane, at[0], at[1], &pixel))
        return;
    ui_circle_fill(draw, pixel, 4.5f * ui_scale(), ui_colour(UI_SHADOW));
    ui_circle_fill(draw, pixel, 3.5f * ui_scale(), ui_colour(UI_WARNING));
}

static void line(const struct ed_pane *pane, struct ui_draw *draw, const double a[2], const double b[2])
{
    ed_ground_line(pane, draw, a, b, ui_faded(ui_colour(UI_SHADOW), 0.9f), 4 * ui_scale());
    ed_ground_line(pane, draw, a, b, ui_colour(UI_WARNING), 2 * ui_scale());
}

/* ---- Distance ---- */

static void distance_text(const struct ed_measure_tool *tool, const struct ed_picture *ground, char *text,
                          size_t size)
{
    struct ed_distance d = ed_distance_of(ground, tool->a, tool->b);
    char length[40], rise[40], over[40];
    ed_quantity(length, sizeof length, d.length, ORO_METRE);
    if (!d.has_height) {
        snprintf(text, size, "%s", length);
        return;
    }
    snprintf(text, size, "%s   \xce\x94h %s   slope %.1f\xc2\xb0   ground %s", length,
             ed_quantity(rise, sizeof rise, d.rise, ORO_METRE), d.slope,
             ed_quantity(over, sizeof over, d.over_ground, ORO_METRE));
}

static void draw_distance(const struct ed_measure_tool *tool, struct ed_pane *pane, struct ui_draw *draw)
{
    char text[200];
    struct ui_vec at;
    if (!tool->has)
        return;
    line(pane, draw, tool->a, tool->b);
    dot(pane, draw, tool->a);
    dot(pane, draw, tool->b);
    distance_text(tool, ed_pane_ground(pane), text, sizeof text);
    if (ed_pane_pixel(pane, tool->b[0], tool->b[1], &at)) {
        struct ui_vec size = ui_text_extent(UI_SMALL, 0, text, 0);
        float right = pane->rect.x + pane->rect.w - size.x - 16 * ui_scale();
        at.x = at.x + 10 < right ? at.x + 10 : right;
        ed_chip(draw, (struct ui_vec){at.x, at.y + 10}, text, ui_colour(UI_TEXT));
    }
    ed_describe_state("measure", "%s", text);
}

static bool use_distance(struct ed_measure_tool *tool, struct ed_pane *pane, bool free)
{
    if (free && ui_mouse_pressed(0) && pane->has_place) {
        memcpy(tool->a, pane->place, sizeof tool->a);
        memcpy(tool->b, pane->place, sizeof tool->b);
        tool->has = tool->dragging = true;
    }
    if (!ui_mouse_down(0))
        tool->dragging = false;
    double x, y;
    if (tool->dragging && pane->hovered && ed_pane_place(pane, ui_mouse(), &x, &y)) {
        tool->b[0] = x;
        tool->b[1] = y;
    }
    return tool->dragging;
}

/* ---- Profile ---- */

static void add_point(struct ed_measure_tool *tool, const double place[2])
{
    if (tool->count >= POINTS_MAX)
        return;
    tool->points[2 * tool->count] = place[0];
    tool->points[2 * tool->count + 1] = place[1];
    tool->count++;
}

/* A click adds a point; a double click, or Enter, ends the line. A drag draws a straight line at once. */
static bool use_profile(struct ed_measure_tool *tool, struct ed_pane *pane, bool free)
{
    if (free && ui_mouse_pressed(0) && pane->has_place) {
        if (tool->drawing && ui_mouse_double(0)) {
            tool->drawing = false;
            tool->count = tool->count > 2 ? tool->count - 1 : tool->count;
            return true;
        }
        if (!tool->drawing)
            tool->count = 0;
        if (!tool->drawing)
            add_point(tool, pane->place);
        add_point(tool, pane->place);
        tool->drawing = true;
    }
    if (!tool->drawing)
        return false;
    if (pane->has_place && pane->hovered && tool->count > 0)
        memcpy(&tool->points[2 * tool->count - 2], pane->place, 2 * sizeof *tool->points);
    bool dragged = ui_mouse_released(0) && tool->count == 2 &&
                   hypot((double)(ui_mouse().x - ui_mouse_pressed_at(0).x),
                         (double)(ui_mouse().y - ui_mouse_pressed_at(0).y)) > 8;
    if (dragged || ui_key_pressed(SDL_SCANCODE_RETURN))
        tool->drawing = false;
    return true;
}

static void draw_profile_line(struct ed_measure_tool *tool, struct ed_pane *pane, struct ui_draw *draw)
{
    for (int i = 0; i + 1 < tool->count; i++)
        line(pane, draw, &tool->points[2 * i], &tool->points[2 * i + 2]);
    for (int i = 0; i < tool->count; i++)
        dot(pane, draw, &tool->points[2 * i]);
    if (tool->linked < 0 || tool->count < 2)
        return;
    double place[2] = {0};
    struct ui_vec at;
    ed_along(tool->points, tool->count, tool->linked, place);
    if (ed_pane_pixel(pane, place[0], place[1], &at)) {
        ui_circle_fill(draw, at, 6 * ui_scale(), ui_colour(UI_SHADOW));
        ui_circle_fill(draw, at, 4.5f * ui_scale(), ui_colour(UI_ACCENT));
    }
}

bool ed_measure_use(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw, bool free)
{
    struct ed_measure_tool *tool = session->views->measure;
    bool taken = false;
    if (session->views->tool == ED_TOOL_MEASURE) {
        taken = use_distance(tool, pane, free);
        draw_distance(tool, pane, draw);
    } else if (session->views->tool == ED_TOOL_PROFILE) {
        taken = use_profile(tool, pane, free);
        draw_profile_line(tool, pane, draw);
    } else
        return false;
    if (pane->hovered)
        ui_pointer(UI_CROSS);
    return taken || (free && ui_mouse_down(0));
}

/* ---- The diagram ---- */

struct diagram {
    struct ui_rect rect; /* of the curve */
    double low, high, length;
    enum oro_unit unit;
};

static struct ui_vec diagram_at(const struct diagram *d, double along, double value)
{
    return ed_vec((double)d->rect.x + along / d->length * (double)d->rect.w,
                  (double)(d->rect.y + d->rect.h) -
                      (value - d->low) / (d->high - d->low) * (double)d->rect.h);
}

enum {
    GRID_MAX = 32
}; /* lines; limits the loop, which would not end for numbers so large that adding a step does not change them
    */

static void draw_grid(const struct diagram *d, struct ui_draw *draw)
{
    char text[40];
    double step = ed_round_step(d->high - d->low, 4), first = ceil(d->low / step) * step;
    for (int i = 0; i <= GRID_MAX && first + i * step <= d->high; i++) {
        double value = first + i * step;
        struct ui_vec a = diagram_at(d, 0, value), b = diagram_at(d, d->length, value);
        ui_line(draw, a, b, ui_faded(ui_colour(UI_MUTED), 0.25f), 1);
        snprintf(text, sizeof text, "%g", fabs(value) < step * 1e-6 ? 0 : value);
        struct ui_vec size = ui_text_extent(UI_SMALL, 0, text, 0);
        ui_draw_text(draw, UI_SMALL, 0, (struct ui_vec){a.x - size.x - 5, a.y - size.y / 2},
                     ui_colour(UI_MUTED), text, NULL);
    }
    step = ed_round_step(d->length, 6);
    for (int i = 0; i <= GRID_MAX && i * step <= d->length; i++) {
        double along = i * step;
        struct ui_vec a = diagram_at(d, along, d->low), b = diagram_at(d, along, d->high);
        ui_line(draw, a, b, ui_faded(ui_colour(UI_MUTED), 0.25f), 1);
        snprintf(text, sizeof text, d->length >= 2000 ? "%g km" : "%g m",
                 d->length >= 2000 ? along / 1000 : along);
        ui_draw_text(draw, UI_SMALL, 0, (struct ui_vec){a.x + 2, a.y + 2}, ui_colour(UI_MUTED), text, NULL);
    }
}

static void draw_curve(const struct diagram *d, const struct ed_section *section, struct ui_draw *draw)
{
    struct ui_vec points[ED_PROFILE_SAMPLES];
    int count = 0;
    for (int i = 0; i <= section->count; i++) {
        bool there = i < section->count && isfinite(section->values[i]);
        if (there) {
            points[count] =
                diagram_at(d, section->length * i / (section->count - 1), (double)section->values[i]);
            ui_line(draw, points[count], (struct ui_vec){points[count].x, d->rect.y + d->rect.h},
                    ui_faded(ui_colour(UI_ACCENT), 0.22f), d->rect.w / ED_PROFILE_SAMPLES + 0.5f);
            count++;
        } else {
            if (count > 1)
                ui_polyline(draw, points, count, ui_colour(UI_ACCENT), 1.8f * ui_scale(), false);
            count = 0;
        }
    }
}

static void draw_cursor(struct ed_measure_tool *tool, const struct diagram *d, struct ui_draw *draw)
{
    const struct ed_section *section = &tool->section;
    int at = (int)(tool->linked / d->length * (section->count - 1) + 0.5);
    char text[100], value[40], along[40];
    if (tool->linked < 0 || at >= section->count)
        return;
    float height = section->values[at];
    struct ui_vec place = diagram_at(d, tool->linked, isfinite(height) ? (double)height : d->low);
    ui_line(draw, (struct ui_vec){place.x, d->rect.y}, (struct ui_vec){place.x, d->rect.y + d->rect.h},
            ui_faded(ui_colour(UI_TEXT), 0.6f), 1);
    ui_circle_fill(draw, place, 3.5f * ui_scale(), ui_colour(UI_TEXT));
    snprintf(text, sizeof text, "%s at %s", ed_quantity(value, sizeof value, (double)height, d->unit),
             ed_quantity(along, sizeof along, tool->linked, ORO_METRE));
    struct ui_vec size = ui_text_extent(UI_SMALL, 0, text, 0);
    float x = place.x + 8 + size.x + 12 > d->rect.x + d->rect.w ? place.x - size.x - 18 : place.x + 8;
    ed_chip(draw, (struct ui_vec){x, d->rect.y + 2}, text, ui_colour(UI_TEXT));
}

/* Made anew when the line or the picture has changed. */
static void update_section(struct ed_measure_tool *tool, const struct ed_picture *picture)
{
    const double *end = &tool->points[2 * tool->count - 2];
    if (tool->serial == picture->serial && tool->section_count == tool->count &&
        end[0] == tool->section_end[0] && end[1] == tool->section_end[1])
        return;
    ed_section_of(picture, tool->points, tool->count, &tool->section);
    tool->serial = picture->serial;
    tool->section_count = tool->count;
    memcpy(tool->section_end, end, sizeof tool->section_end);
}

static bool diagram_of(struct ed_measure_tool *tool, const struct ed_picture *picture, struct ui_rect box,
                       struct diagram *d)
{
    const struct ed_section *section = &tool->section;
    float scale = ui_scale();
    if (!section->count || !(section->high >= section->low))
        return false;
    double pad = fmax((section->high - section->low) * 0.08, 1e-6);
    *d = (struct diagram){
        .rect = {box.x + 52 * scale, box.y + 24 * scale, box.w - 64 * scale, box.h - 44 * scale},
        .low = section->low - pad,
        .high = section->high + pad,
        .length = section->length,
        .unit = picture->unit};
    return d->rect.w > 20 && d->rect.h > 20;
}

static void draw_title(const struct ed_section *section, struct ui_rect box, struct ui_draw *draw,
                       enum oro_unit unit)
{
    char text[200], length[40], low[40], high[40];
    snprintf(text, sizeof text, "Profile   %s   lowest %s   highest %s",
             ed_quantity(length, sizeof length, section->length, ORO_METRE),
             ed_quantity(low, sizeof low, section->low, unit),
             ed_quantity(high, sizeof high, section->high, unit));
    ui_draw_text(draw, UI_SMALL, 0, (struct ui_vec){box.x + 10 * ui_scale(), box.y + 5 * ui_scale()},
                 ui_colour(UI_TEXT), text, NULL);
    ed_describe_state("profile", "%s", text);
}

bool ed_profile_over(const struct ed_session *session, const struct ed_pane *pane)
{
    const struct ed_measure_tool *tool = session->views->measure;
    return pane->hovered && tool->box.w > 0 && tool->box_pane == pane->index && !tool->drawing &&
           session->views->tool == ED_TOOL_PROFILE && ui_inside(tool->box, ui_mouse());
}

float ed_profile_draw(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw)
{
    struct ed_measure_tool *tool = session->views->measure;
    const struct ed_picture *picture = ed_pane_ground(pane);
    struct diagram d;
    if (session->views->tool != ED_TOOL_PROFILE || session->views->active != pane->index || tool->count < 2 ||
        !picture)
        return 0;
    float height = fminf(150 * ui_scale(), pane->rect.h * 0.4f), status = ui_font_size(UI_SMALL) + 8;
    struct ui_rect box = {pane->rect.x + 8, pane->rect.y + pane->rect.h - height - status - 6,
                          pane->rect.w - 16, height};
    update_section(tool, picture);
    tool->box.w = 0;
    if (!diagram_of(tool, picture, box, &d))
        return 0;
    tool->box = box;
    tool->box_pane = pane->index;
    ui_rect_fill(draw, box, ui_faded(ui_colour(UI_PANEL), 0.93f), 6 * ui_scale());
    ui_rect_line(draw, box, ui_colour(UI_BORDER), 6 * ui_scale(), 1);
    draw_title(&tool->section, box, draw, picture->unit);
    draw_grid(&d, draw);
    draw_curve(&d, &tool->section, draw);
    ed_describe_item("profile-diagram", d.rect.x, d.rect.y, d.rect.w, d.rect.h, true);
    tool->linked = -1;
    if (ed_profile_over(session, pane) && ui_inside(d.rect, ui_mouse()))
        tool->linked = (double)(ui_mouse().x - d.rect.x) / (double)d.rect.w * d.length;
    draw_cursor(tool, &d, draw);
    return height + 6;
}
