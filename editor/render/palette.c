#include "editor/render/palette.h"

#include <math.h>

#include <GLES3/gl31.h>

#include "editor/render/program.h"

enum { COLOURS = 256, STOPS_MAX = 16 };

struct stop {
    float at;
    uint8_t rgb[3];
};

/* Heights: the sea takes the first quarter (ed_map_scale puts 0 m there). */
static const struct stop terrain[] = {
    {0.00f, {9, 24, 60}},     {0.12f, {18, 56, 104}},  {0.21f, {44, 108, 152}},  {0.2499f, {112, 172, 194}},
    {0.25f, {70, 108, 66}},   {0.34f, {104, 138, 78}}, {0.45f, {160, 168, 106}}, {0.56f, {194, 174, 122}},
    {0.68f, {160, 126, 92}},  {0.79f, {126, 106, 96}}, {0.88f, {150, 146, 146}}, {0.95f, {214, 214, 218}},
    {1.00f, {250, 250, 252}},
};
static const struct stop viridis[] = {
    {0 / 9.f, {68, 1, 84}},    {1 / 9.f, {72, 40, 120}},  {2 / 9.f, {62, 74, 137}},
    {3 / 9.f, {49, 104, 142}}, {4 / 9.f, {38, 130, 142}}, {5 / 9.f, {31, 158, 137}},
    {6 / 9.f, {53, 183, 121}}, {7 / 9.f, {110, 206, 88}}, {8 / 9.f, {181, 222, 43}},
    {9 / 9.f, {253, 231, 37}},
};
static const struct stop grey[] = {{0, {0, 0, 0}}, {1, {255, 255, 255}}};
static const struct stop diverging[] = {
    {0 / 6.f, {33, 82, 156}},   {1 / 6.f, {92, 152, 200}},  {2 / 6.f, {190, 217, 234}},
    {3 / 6.f, {244, 243, 240}}, {4 / 6.f, {248, 212, 188}}, {5 / 6.f, {226, 132, 96}},
    {6 / 6.f, {168, 28, 44}},
};

static const struct {
    const char *name;
    const struct stop *stops;
    int count;
} palettes[ED_PALETTES] = {
    [ED_PALETTE_TERRAIN] = {"Terrain", terrain, sizeof terrain / sizeof *terrain},
    [ED_PALETTE_VIRIDIS] = {"Viridis", viridis, sizeof viridis / sizeof *viridis},
    [ED_PALETTE_GREY] = {"Grey", grey, sizeof grey / sizeof *grey},
    [ED_PALETTE_DIVERGING] = {"Diverging", diverging, sizeof diverging / sizeof *diverging},
};

static bool known(enum ed_palette palette)
{
    return (unsigned)palette < ED_PALETTES;
}

const char *ed_palette_name(enum ed_palette palette)
{
    return known(palette) ? palettes[palette].name : "";
}

void ed_palette_colour(enum ed_palette palette, float at, float rgb[3])
{
    const struct stop *stops = palettes[known(palette) ? palette : ED_PALETTE_GREY].stops;
    int last = palettes[known(palette) ? palette : ED_PALETTE_GREY].count - 1, i = 0;
    at = at > 0 ? fminf(at, 1) : 0;
    while (i < last - 1 && at >= stops[i + 1].at)
        i++;
    float part = (at - stops[i].at) / (stops[i + 1].at - stops[i].at);
    for (int c = 0; c < 3; c++)
        rgb[c] = ((float)stops[i].rgb[c] * (1 - part) + (float)stops[i + 1].rgb[c] * part) / 255;
}

unsigned ed_palette_texture(void)
{
    uint8_t bytes[ED_PALETTES][COLOURS][4];
    for (int p = 0; p < ED_PALETTES; p++)
        for (int i = 0; i < COLOURS; i++) {
            float rgb[3];
            ed_palette_colour((enum ed_palette)p, (float)i / (COLOURS - 1), rgb);
            for (int c = 0; c < 4; c++)
                bytes[p][i][c] = c < 3 ? (uint8_t)lrintf(rgb[c] * 255) : 255;
        }
    GLuint name = ed_texture_create(GL_RGBA8, 1, COLOURS, ED_PALETTES, true);
    glBindTexture(GL_TEXTURE_2D, name);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, COLOURS, ED_PALETTES, GL_RGBA, GL_UNSIGNED_BYTE, bytes);
    glBindTexture(GL_TEXTURE_2D, 0);
    return name;
}

float ed_palette_row(int palette)
{
    return ((float)palette + 0.5f) / ED_PALETTES;
}
