#include "editor/pane/lines.h"

#include <math.h>

enum { SEGMENTS_MAX = 40000, PIECES_MAX = 24 };

void ed_ground_line(const struct ed_pane *pane, struct ui_draw *draw, const double a[2], const double b[2],
                    uint32_t colour, float width)
{
    int pieces = 1;
    if (pane->scene) {
        double wanted =
            ceil(hypot(b[0] - a[0], b[1] - a[1]) / fmax(1e-9, ed_pane_metres_per_pixel(pane)) / 12);
        pieces = wanted < 1 ? 1 : wanted > PIECES_MAX ? PIECES_MAX : (int)wanted;
    }
    struct ui_vec last = {0}, at;
    bool had = false;
    for (int i = 0; i <= pieces; i++) {
        double t = (double)i / pieces;
        bool seen = ed_pane_pixel(pane, a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, &at);
        if (seen && had)
            ui_line(draw, last, at, colour, width);
        last = at;
        had = seen;
    }
}

void ed_ground_ellipse(const struct ed_pane *pane, struct ui_draw *draw, const double centre[2], double rx,
                       double ry, double turn, uint32_t colour, float width)
{
    enum { PARTS = 72 };
    double last[2] = {0}, c = cos(turn), s = sin(turn);
    for (int i = 0; i <= PARTS; i++) {
        double a = 6.283185307179586 * i / PARTS, u = rx * cos(a), v = ry * sin(a);
        double at[2] = {centre[0] + u * c - v * s, centre[1] + u * s + v * c};
        if (i)
            ed_ground_line(pane, draw, last, at, colour, width);
        last[0] = at[0];
        last[1] = at[1];
    }
}

/* ---- Networks ---- */

/* Rivers by the root of their drainage area, as rivers are wide; ridges and drawn lines alike. */
static float line_width(const struct oro_vertex *v, double largest)
{
    if (!isfinite(v->drainage) || largest <= 0)
        return 1.6f * ui_scale();
    return (float)(0.8 + 4.2 * sqrt((double)v->drainage / largest)) * ui_scale();
}

static double largest_drainage(const struct oro_network *network)
{
    const struct oro_vertex *v = oro_network_vertices(network);
    double largest = 0;
    for (uint32_t i = 0; i < network->vertex_count; i++)
        largest = fmax(largest, (double)v[i].drainage);
    return largest;
}

/* Skips pieces that are off the screen or less than a pixel long. */
static bool worth(const struct ed_pane *pane, const struct oro_vertex *a, const struct oro_vertex *b)
{
    struct ui_vec p;
    struct ui_rect rect = pane->rect;
    if (pane->scene)
        return true;
    if (ed_pane_pixel(pane, (double)a->x, (double)a->y, &p) && ui_inside(rect, p))
        return true;
    return ed_pane_pixel(pane, (double)b->x, (double)b->y, &p) && ui_inside(rect, p);
}

static void draw_network(const struct ed_pane *pane, struct ui_draw *draw, const struct oro_network *network)
{
    const struct oro_vertex *v = oro_network_vertices(network);
    const uint32_t *starts = oro_network_starts(network), *indices = oro_network_indices(network);
    double largest = largest_drainage(network);
    uint32_t colour = largest > 0 ? ui_rgba(64, 156, 255, 235) : ui_rgba(255, 196, 64, 235);
    /* A very large network is thinned out. */
    uint32_t step = 1 + network->index_count / SEGMENTS_MAX;
    for (uint32_t line = 0; line < network->line_count; line++) {
        uint32_t begin = starts[line], end = starts[line + 1];
        for (uint32_t i = begin; i + 1 < end; i += step) {
            uint32_t j = i + step < end - 1 ? i + step : end - 1;
            const struct oro_vertex *a = &v[indices[i]], *b = &v[indices[j]];
            const double from[2] = {(double)a->x, (double)a->y}, to[2] = {(double)b->x, (double)b->y};
            struct ui_vec at;
            if (a != b && worth(pane, a, b))
                ed_ground_line(pane, draw, from, to, colour, line_width(b, largest));
            else if (a == b && ed_pane_pixel(pane, from[0], from[1], &at))
                ui_circle_fill(draw, at, 3.5f * ui_scale(), colour);
        }
    }
}

/* ---- Directions ---- */

static void draw_strokes(const struct ed_pane *pane, struct ui_draw *draw, const struct ed_picture *picture)
{
    const struct oro_grid *grid = &picture->grid;
    double spacing = fmax(18 * (double)ui_scale() * ed_pane_metres_per_pixel(pane), grid->cell);
    double width = grid->width * grid->cell, height = grid->height * grid->cell, most = 1e-12;
    if (width / spacing * height / spacing > SEGMENTS_MAX / 4)
        spacing = sqrt(width * height / (SEGMENTS_MAX / 4));
    int columns = (int)ceil(width / spacing - 0.5), rows = (int)ceil(height / spacing - 0.5);
    for (int round = 0; round < 2; round++)
        for (int j = 0; j < rows; j++)
            for (int i = 0; i < columns; i++) {
                double x = grid->x + (i + 0.5) * spacing, y = grid->y + (j + 0.5) * spacing;
                double u = (double)ed_picture_sample(picture, x, y, 0);
                double w = (double)ed_picture_sample(picture, x, y, 1), length = hypot(u, w);
                most = fmax(most, length);
                if (round == 0 || !(length > most * 0.02))
                    continue;
                double half = spacing * 0.42 * sqrt(length / most) / length;
                const double a[2] = {x - u * half, y - w * half}, b[2] = {x + u * half, y + w * half};
                ed_ground_line(pane, draw, a, b, ui_faded(ui_rgba(255, 255, 255, 255), 0.75f), 1.2f);
            }
}

void ed_lines_draw(struct ed_pane *pane, struct ui_draw *draw)
{
    const struct ed_picture *picture = pane->slots[ED_SLOT_MAIN].picture;
    if (!picture || !pane->framed.width)
        return;
    if (picture->network && !picture->data)
        draw_network(pane, draw, picture->network);
    else if (picture->data && picture->channels == 2)
        draw_strokes(pane, draw, picture);
}
