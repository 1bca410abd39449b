#include "editor/render/look.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const double degree = 3.14159265358979323846 / 180;

const char *ed_material_name(enum ed_material material)
{
    static const char *const names[ED_MATERIALS] = {"Natural", "Elevation", "Slope", "Clay", "Image"};
    return (unsigned)material < ED_MATERIALS ? names[material] : "";
}

/* ---- One table: names in the text, places in the struct, ranges. */

enum kind { NUMBER, WHOLE, SWITCH };
static const struct entry {
    const char *name;
    enum kind kind;
    size_t offset;
    double standard, low, high;
    bool lights; /* belongs to the lighting */
} entries[] = {
#define ENTRY(field, kind, standard, low, high, lights)                                                      \
    {                                                                                                        \
#field, kind, offsetof(struct ed_scene_look, field), standard, low, high, lights                     \
    }
    ENTRY(material, WHOLE, ED_MATERIAL_NATURAL, 0, ED_MATERIALS - 1, false),
    ENTRY(palette, WHOLE, 0, 0, ED_PALETTES - 1, false),
    ENTRY(azimuth, NUMBER, 256, 0, 360, true),
    ENTRY(altitude, NUMBER, 30, -12, 90, true),
    ENTRY(softness, NUMBER, 1.5, 0.1, 20, true),
    ENTRY(shadows, SWITCH, 1, 0, 1, false),
    ENTRY(occlusion, SWITCH, 1, 0, 1, false),
    ENTRY(night, SWITCH, 0, 0, 1, true),
    ENTRY(exposure, NUMBER, 0, -4, 4, true),
    ENTRY(sky, SWITCH, 1, 0, 1, false),
    ENTRY(haze, NUMBER, 0.35, 0, 1, true),
    ENTRY(low, NUMBER, 0.4, 0, 1, true),
    ENTRY(clouds, NUMBER, 0.15, 0, 1, true),
    ENTRY(snow, NUMBER, 0, -1, 1, false),
    ENTRY(green, NUMBER, 0, -1, 1, false),
    ENTRY(exaggeration, NUMBER, 1, 0.25, 5, false),
    ENTRY(water, SWITCH, 0, 0, 1, false),
    ENTRY(water_level, NUMBER, 0, -12000, 12000, false),
    ENTRY(hour, NUMBER, 16, 0, 24, false),
    ENTRY(latitude, NUMBER, 46, -90, 90, false),
    ENTRY(day, WHOLE, 240, 1, 365, false),
#undef ENTRY
};
enum { ENTRIES = sizeof entries / sizeof entries[0] };

static void set(struct ed_scene_look *look, const struct entry *entry, double value)
{
    char *place = (char *)look + entry->offset;
    if (!(value >= entry->low && value <= entry->high))
        return;
    if (entry->kind == NUMBER)
        *(float *)(void *)place = (float)value;
    else if (entry->kind == WHOLE)
        *(int *)(void *)place = (int)value;
    else
        *(bool *)(void *)place = value != 0;
}

static double get(const struct ed_scene_look *look, const struct entry *entry)
{
    const char *place = (const char *)look + entry->offset;
    if (entry->kind == NUMBER)
        return (double)*(const float *)(const void *)place;
    return entry->kind == WHOLE ? *(const int *)(const void *)place : *(const bool *)(const void *)place;
}

void ed_look_begin(struct ed_scene_look *look)
{
    *look = (struct ed_scene_look){0};
    for (size_t i = 0; i < ENTRIES; i++)
        set(look, &entries[i], entries[i].standard);
}

static bool same(const struct ed_scene_look *a, const struct ed_scene_look *b, bool light_alone)
{
    bool is = true;
    for (size_t i = 0; is && i < ENTRIES; i++)
        is = (light_alone && !entries[i].lights) || fabs(get(a, &entries[i]) - get(b, &entries[i])) < 1e-6;
    return is;
}

bool ed_look_same(const struct ed_scene_look *a, const struct ed_scene_look *b)
{
    return same(a, b, false);
}

void ed_look_write(const struct ed_scene_look *look, struct oro_text *text)
{
    char number[ORO_NUMBER_SIZE];
    for (size_t i = 0; i < ENTRIES; i++)
        oro_text_addf(text, "%s%s=%s", i > 0 ? " " : "", entries[i].name,
                      oro_format_number(get(look, &entries[i]), number));
}

/* One "name=value" of a text; what is none is passed over. */
static void read_word(struct ed_scene_look *look, const char *word, size_t length)
{
    char copy[64];
    double value;
    if (length >= sizeof copy)
        return;
    memcpy(copy, word, length);
    copy[length] = '\0';
    char *equals = strchr(copy, '=');
    if (!equals || !oro_parse_number(equals + 1, &value))
        return;
    *equals = '\0';
    for (size_t i = 0; i < ENTRIES; i++)
        if (strcmp(entries[i].name, copy) == 0)
            set(look, &entries[i], value);
}

void ed_look_read(struct ed_scene_look *look, const char *text)
{
    while (text && *text) {
        size_t length = strcspn(text, " ");
        read_word(look, text, length);
        text += length + strspn(text + length, " ");
    }
}

/* ---- Lightings */

static const struct {
    const char *name, *doc, *look;
} lightings[] = {
    {"Afternoon", "Clear, with long soft shadows", ""},
    {"Morning", "A low sun, and mist in the valleys",
     "azimuth=82 altitude=14 softness=3 haze=0.62 low=0.8 clouds=0.2 exposure=0.1"},
    {"Noon", "A high sun and clear air", "azimuth=190 altitude=62 softness=1 haze=0.2 low=0.2 clouds=0.1"},
    {"Golden hour", "The last warm light from the side",
     "azimuth=262 altitude=9 softness=2.5 haze=0.38 low=0.45 clouds=0.3"},
    {"Overcast", "No shadows: form and colours by a grey sky",
     "azimuth=300 altitude=40 softness=12 haze=0.34 low=0.4 clouds=1"},
    {"Alpine", "Thin air, hard shadows, a deep sky",
     "azimuth=120 altitude=38 softness=0.6 haze=0.12 low=0.1 clouds=0 exposure=0.1"},
    {"Dusk", "After sunset: blue, without shadows",
     "azimuth=290 altitude=-3.5 softness=6 haze=0.35 low=0.6 exposure=-0.6 clouds=0.3"},
    {"Moonlight", "A full moon and stars",
     "azimuth=255 altitude=34 softness=1 night=1 haze=0.35 low=0.7 clouds=0.05"},
};
enum { LIGHTINGS = sizeof lightings / sizeof lightings[0] };

const char *ed_lighting_name(int lighting)
{
    return lighting >= 0 && lighting < LIGHTINGS ? lightings[lighting].name : NULL;
}

const char *ed_lighting_doc(int lighting)
{
    return lighting >= 0 && lighting < LIGHTINGS ? lightings[lighting].doc : NULL;
}

void ed_lighting_use(struct ed_scene_look *look, int lighting)
{
    if (lighting < 0 || lighting >= LIGHTINGS)
        return;
    for (size_t i = 0; i < ENTRIES; i++)
        if (entries[i].lights)
            set(look, &entries[i], entries[i].standard);
    ed_look_read(look, lightings[lighting].look);
}

int ed_lighting_of(const struct ed_scene_look *look)
{
    for (int k = 0; k < LIGHTINGS; k++) {
        struct ed_scene_look other = *look;
        ed_lighting_use(&other, k);
        if (same(look, &other, true))
            return k;
    }
    return -1;
}

/* ---- The sun by time and place */

void ed_look_set_time(struct ed_scene_look *look)
{
    /* Cooper 1969: the declination within half a degree. */
    double declination = 23.45 * degree * sin(2 * 180 * degree * (284 + look->day) / 365);
    double turn = ((double)look->hour - 12) * 15 * degree, latitude = (double)look->latitude * degree;
    double east = -cos(declination) * sin(turn);
    double north = cos(latitude) * sin(declination) - sin(latitude) * cos(declination) * cos(turn);
    double up = sin(latitude) * sin(declination) + cos(latitude) * cos(declination) * cos(turn);
    double azimuth = atan2(east, north) / degree;
    look->azimuth = (float)(azimuth < 0 ? azimuth + 360 : azimuth);
    look->altitude = (float)fmax(asin(fmin(fmax(up, -1), 1)) / degree, -12);
    look->night = false;
}
