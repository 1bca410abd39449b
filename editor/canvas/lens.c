#include "editor/canvas/lens.h"

#include <math.h>

double ed_lens_scale(const struct ed_lens *camera)
{
    return camera->zoom * (double)camera->fine;
}

struct ui_vec ed_lens_to(const struct ed_lens *camera, double x, double y)
{
    double scale = ed_lens_scale(camera);
    struct ui_vec at = {camera->rect.x + camera->rect.w * 0.5f + (float)((x - camera->x) * scale),
                        camera->rect.y + camera->rect.h * 0.5f + (float)((y - camera->y) * scale)};
    return at;
}

void ed_lens_from(const struct ed_lens *camera, struct ui_vec at, double *x, double *y)
{
    double scale = ed_lens_scale(camera);
    *x = camera->x + ((double)at.x - (double)camera->rect.x - (double)camera->rect.w * 0.5) / scale;
    *y = camera->y + ((double)at.y - (double)camera->rect.y - (double)camera->rect.h * 0.5) / scale;
}

void ed_lens_zoom(struct ed_lens *camera, struct ui_vec at, double factor)
{
    double x, y, now_x, now_y;
    ed_lens_from(camera, at, &x, &y);
    camera->zoom = fmin(fmax(camera->zoom * factor, ED_ZOOM_MIN), ED_ZOOM_MAX);
    ed_lens_from(camera, at, &now_x, &now_y);
    camera->x += x - now_x;
    camera->y += y - now_y;
}

void ed_lens_pan(struct ed_lens *camera, float dx, float dy)
{
    camera->x -= (double)dx / ed_lens_scale(camera);
    camera->y -= (double)dy / ed_lens_scale(camera);
}

void ed_lens_fit(struct ed_lens *camera, const struct ed_area *box)
{
    if (box->x1 < box->x0) {
        camera->x = camera->y = 0;
        camera->zoom = 1;
        return;
    }
    double room = 40, width = box->x1 - box->x0 + 2 * room, height = box->y1 - box->y0 + 2 * room;
    double fine = (double)camera->fine;
    double zoom = fmin((double)camera->rect.w / (width * fine), (double)camera->rect.h / (height * fine));
    camera->zoom = fmin(fmax(zoom, ED_ZOOM_MIN), 1.0);
    camera->x = (box->x0 + box->x1) / 2;
    camera->y = (box->y0 + box->y1) / 2;
}

struct ed_area ed_lens_sees(const struct ed_lens *camera)
{
    struct ed_area box;
    struct ui_vec low = {camera->rect.x, camera->rect.y},
                  high = {camera->rect.x + camera->rect.w, camera->rect.y + camera->rect.h};
    ed_lens_from(camera, low, &box.x0, &box.y0);
    ed_lens_from(camera, high, &box.x1, &box.y1);
    return box;
}

double ed_snapped(double value)
{
    return round(value / ED_GRID) * ED_GRID;
}
