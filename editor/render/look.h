/*
 * How the view in depth looks: light, air, materials. One struct, which can be kept as text.
 * Threads: any. No OpenGL and no ImGui here.
 */
#ifndef ED_RENDER_LOOK_H
#define ED_RENDER_LOOK_H

#include <stdbool.h>

#include "base/text.h"
#include "editor/render/map.h"

enum ed_material {
    ED_MATERIAL_NATURAL,   /* sand, grass, forest, scree, rock and snow by height, slope and form */
    ED_MATERIAL_ELEVATION, /* the palette of heights */
    ED_MATERIAL_SLOPE,
    ED_MATERIAL_CLAY,  /* one colour */
    ED_MATERIAL_IMAGE, /* the colour raster */
    ED_MATERIALS,
};
const char *ed_material_name(enum ed_material material);

struct ed_scene_look {
    enum ed_material material;
    enum ed_palette palette;
    /* Light. At night it is the moon's. */
    float azimuth, altitude; /* of the sun, degrees; below 0 it has set */
    float softness;          /* of shadows: width of the sun in degrees; 0: 2 */
    bool shadows, occlusion, night;
    float exposure; /* stops brighter than what the light asks for */
    /* Air */
    bool sky;     /* is seen; false: a plain background */
    float haze;   /* 0 none .. 1 thick */
    float low;    /* 0: haze reaches above the summits .. 1: it lies in the valleys */
    float clouds; /* 0 a clear sky .. 1 overcast */
    /* Ground: more or less of it than heights and slopes say, -1..1 */
    float snow, green;
    float exaggeration; /* 0: 1 */
    bool water;         /* a level sea */
    float water_level;  /* metres */
    /* When and where: the last that the sun was set by. */
    float hour, latitude;  /* solar time, 0..24; degrees */
    int day;               /* of the year, 1..365 */
    bool light_background; /* plain: of the light theme; not kept */
};
/* Whether all that is kept is the same. */
bool ed_look_same(const struct ed_scene_look *a, const struct ed_scene_look *b);
/* What a view begins with. */
void ed_look_begin(struct ed_scene_look *look);

/* Lightings: settings of light and air that go together, by number. NULL: there are no more. */
const char *ed_lighting_name(int lighting);
const char *ed_lighting_doc(int lighting);
void ed_lighting_use(struct ed_scene_look *look, int lighting);
/* The lighting that a look has, or -1 where it is the user's own. */
int ed_lighting_of(const struct ed_scene_look *look);
/* Puts the sun where it is seen from `latitude` on that day and hour; north is up on the map. */
void ed_look_set_time(struct ed_scene_look *look);

/* The look as text: "haze=0.3 sky=1 ...". Reading takes what is known and lies within its range, and leaves
 * the rest as it is. */
void ed_look_write(const struct ed_scene_look *look, struct oro_text *text);
void ed_look_read(struct ed_scene_look *look, const char *text);

#endif
