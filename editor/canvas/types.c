#include "editor/canvas/types.h"

#include <stddef.h>
#include <string.h>

#define COLOUR(rgb) (0xff000000u | ((rgb)&0xffu) << 16 | ((rgb)&0xff00u) | (rgb) >> 16)

struct look {
    enum oro_type type;
    uint32_t rgb;
    int corners; /* 0: a circle */
    float turn;  /* of the first corner, in twelfths of a full turn from the right */
    float size;  /* chosen so that shapes look equally large */
};
static const struct look looks[] = {
    {ORO_FIELD, 0xb7bcc4, 0, 0, 1.0f},    {ORO_VECTOR, 0x8f86f0, 4, 0, 1.25f},
    {ORO_IMAGE, 0xe9bf4a, 4, 1.5f, 1.2f}, {ORO_UPLIFT, 0xef8354, 3, 0, 1.35f},
    {ORO_NETWORK, 0x4fb4e8, 6, 0, 1.1f},  {ORO_ANY, 0x8a8f97, 0, 0, 0.9f},
};

static const struct look *look_of(enum oro_type type)
{
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
        if (looks[i].type == type)
            return &looks[i];
    return &looks[type >= ORO_FLOAT ? 0 : sizeof looks / sizeof *looks - 1];
}

uint32_t ed_type_colour(enum oro_type type)
{
    uint32_t rgb = look_of(type)->rgb;
    if (ui_is_light()) /* the same hues, dark enough for a bright background */
        rgb = (rgb >> 16) * 7 / 10 << 16 | ((rgb >> 8) & 0xff) * 7 / 10 << 8 | (rgb & 0xff) * 7 / 10;
    return COLOUR(rgb);
}

/* A table of cosines and sines of twelfths of half a turn is enough for all shapes, and spares a call per
 * corner. */
static struct ui_vec corner(struct ui_vec centre, float radius, float twelfths)
{
    static const float cosine[24] = {1.0f,  0.9659f,  0.8660f,  0.7071f,  0.5f,  0.2588f,  0.0f,     -0.2588f,
                                     -0.5f, -0.7071f, -0.8660f, -0.9659f, -1.0f, -0.9659f, -0.8660f, -0.7071f,
                                     -0.5f, -0.2588f, 0.0f,     0.2588f,  0.5f,  0.7071f,  0.8660f,  0.9659f};
    int half = (int)(twelfths * 2 + 0.5f) % 24;
    struct ui_vec at = {centre.x + radius * cosine[half], centre.y + radius * cosine[(half + 18) % 24]};
    return at;
}

void ed_draw_socket_in(struct ui_draw *draw, enum oro_type type, struct ui_vec centre, float radius,
                       bool filled, uint32_t colour)
{
    const struct look *look = look_of(type);
    uint32_t inside = filled ? colour : ui_faded(ui_colour(UI_BACKGROUND), (float)(colour >> 24) / 255.0f);
    uint32_t rim = filled ? ui_faded(ui_colour(UI_BORDER), (float)(colour >> 24) / 255.0f) : colour;
    float size = radius * look->size, width = radius * (filled ? 0.22f : 0.42f);
    if (!look->corners) {
        ui_circle_fill(draw, centre, size, inside);
        ui_circle_line(draw, centre, size, rim, width);
        return;
    }
    struct ui_vec points[6];
    for (int i = 0; i < look->corners; i++)
        points[i] = corner(centre, size, look->turn + 12.0f * (float)i / (float)look->corners);
    ui_convex_fill(draw, points, look->corners, inside);
    ui_polyline(draw, points, look->corners, rim, width, true);
}

void ed_draw_socket(struct ui_draw *draw, enum oro_type type, struct ui_vec centre, float radius, bool filled)
{
    ed_draw_socket_in(draw, type, centre, radius, filled, ed_type_colour(type));
}
