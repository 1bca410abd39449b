#include "formats/engine.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "formats/checks.h"
#include "formats/sizes.h"

/* Rounds to that many significant digits. */
static double digits(double value, int count)
{
    if (value == 0 || !isfinite(value))
        return value;
    double unit = pow(10, count - 1 - floor(log10(fabs(value))));
    return round(value * unit) / unit;
}

/* A figure that is not known is left out. */
static void add(struct oro_engine_figures *figures, const char *key, const char *label, const char *unit,
                double value)
{
    if (isfinite(value) && figures->count < ORO_ENGINE_FIGURES)
        figures->items[figures->count++] = (struct oro_engine_figure){key, label, unit, value};
}

/* Metres across `cells` of them; NaN: not known. */
static double across(const struct oro_engine_terrain *terrain, int cells)
{
    return terrain->cell > 0 ? digits(terrain->cell * cells, 10) : NAN;
}

/* A vertex of a landscape lies (level - 32768) / 128 * Z scale centimetres above the landscape's location
 * (LANDSCAPE_ZSCALE is 1 / 128): at scale 100, 65536 levels are 512 m. From low to high are 65535. */
static void figures_unreal(const struct oro_engine_terrain *terrain, struct oro_engine_figures *figures)
{
    double span = terrain->high - terrain->low, scale = span > 0 ? digits(span * 12800 / 65535, 10) : 100;
    add(figures, "z_scale", "Z scale", "", scale);
    add(figures, "xy_scale", "X/Y scale", "", across(terrain, 100));
    add(figures, "z_location", "Z location", "cm", digits(100 * terrain->low + 256 * scale, 12));
}

/* The outermost vertices lie on the terrain's border. */
static void figures_unity(const struct oro_engine_terrain *terrain, struct oro_engine_figures *figures)
{
    add(figures, "resolution", "resolution", "", terrain->width);
    add(figures, "terrain_width", "Terrain Width", "m", across(terrain, terrain->width - 1));
    add(figures, "terrain_length", "Terrain Length", "m", across(terrain, terrain->height - 1));
    add(figures, "terrain_height", "Terrain Height", "m", digits(terrain->high - terrain->low, 10));
    add(figures, "position_y", "Position Y", "m", digits(terrain->low, 10));
}

static void figures_godot(const struct oro_engine_terrain *terrain, struct oro_engine_figures *figures)
{
    add(figures, "vertex_spacing", "Vertex Spacing", "m", across(terrain, 1));
    if (terrain->levels) {
        add(figures, "r16_range_x", "R16 Range X", "m", digits(terrain->low, 10));
        add(figures, "r16_range_y", "R16 Range Y", "m", digits(terrain->high, 10));
        add(figures, "r16_size_x", "R16 Size X", "", terrain->width);
        add(figures, "r16_size_y", "R16 Size Y", "", terrain->height);
    }
    add(figures, "import_scale", "Import Scale", "", 1);
    add(figures, "height_offset", "Height Offset", "m", 0);
}

/* Levels of a 16-bit GeoTIFF come in as 0..1. */
static void figures_blender(const struct oro_engine_terrain *terrain, struct oro_engine_figures *figures)
{
    double span = terrain->high - terrain->low;
    add(figures, "plane_x", "plane X", "m", across(terrain, terrain->width));
    add(figures, "plane_y", "plane Y", "m", across(terrain, terrain->height));
    add(figures, "strength", "displacement Strength", "", terrain->levels ? digits(span, 10) : 1);
    add(figures, "midlevel", "Midlevel", "", 0);
    if (terrain->levels)
        add(figures, "location_z", "Location Z", "m", digits(terrain->low, 10));
}

static void figures_houdini(const struct oro_engine_terrain *terrain, struct oro_engine_figures *figures)
{
    double span = terrain->high - terrain->low;
    add(figures, "size_x", "Size X", "m", across(terrain, terrain->width));
    add(figures, "size_y", "Size Y", "m", across(terrain, terrain->height));
    add(figures, "grid_spacing", "Grid Spacing", "m", across(terrain, 1));
    add(figures, "height_scale", "Height Scale", "", terrain->levels ? digits(span, 10) : 1);
    if (terrain->levels)
        add(figures, "height_offset", "height offset", "m", digits(terrain->low, 10));
}

#define ENDINGS(...)                                                                                         \
    (const char *const[])                                                                                    \
    {                                                                                                        \
        __VA_ARGS__, NULL                                                                                    \
    }
static const struct oro_engine engines[] = {
    {.name = "unreal",
     .title = "Unreal Engine",
     .preset = "unreal",
     .extensions = ENDINGS("png", "r16", "raw"),
     .advice = "it reads 16-bit heights: end the name with .png, .r16 or .raw",
     .raw_facts = true,
     .figures = figures_unreal},
    {.name = "unity",
     .title = "Unity",
     .preset = "unity",
     .extensions = ENDINGS("raw", "r16"),
     .advice = "its Import Raw reads 16-bit heights without a header: end the name with .raw",
     .square = true,
     .south_first = true,
     .packs = true,
     .figures = figures_unity},
    {.name = "godot",
     .title = "Godot",
     .preset = "godot",
     .extensions = ENDINGS("exr", "r16", "raw"),
     .advice = "it reads only 8 bits of a PNG; end the name with .exr, which holds metres, or with .r16 or "
               ".raw for Terrain3D",
     .packs = true,
     .figures = figures_godot},
    {.name = "blender",
     .title = "Blender",
     .preset = "as_is",
     .extensions = ENDINGS("exr", "tif", "tiff"),
     .advice = "it reads heights in metres from float files: end the name with .exr or .tif",
     .figures = figures_blender},
    {.name = "houdini",
     .title = "Houdini",
     .preset = "as_is",
     .extensions = ENDINGS("exr", "tif", "tiff", "r32"),
     .advice = "it reads heights in metres from float files: end the name with .exr, .tif or .r32",
     .figures = figures_houdini},
};

const char *const oro_engine_names[] = {"none", "unreal", "unity", "godot", "blender", "houdini", NULL};

const struct oro_engine *oro_engine_at(int index)
{
    for (size_t i = 0; index > 0 && i < sizeof engines / sizeof engines[0]; i++)
        if (strcmp(engines[i].name, oro_engine_names[index]) == 0)
            return &engines[i];
    return NULL;
}

int oro_engine_find(const char *name)
{
    int found = oro_find_word(name, oro_engine_names);
    return found >= 0 ? found : 0;
}

bool oro_engine_takes(const struct oro_engine *engine, const char *path, struct oro_error *err)
{
    if (oro_path_ends_in(path, engine->extensions))
        return true;
    const struct oro_codec *codec = oro_codec_of(path);
    if (codec && codec->write_mesh)
        return oro_fail(err, ORO_E_USAGE, "'%s' is a mesh, which %s imports as it is: leave out 'for'", path,
                        engine->title);
    return oro_fail(err, ORO_E_USAGE, "'%s' is not for %s: %s", path, engine->title, engine->advice);
}

int oro_engine_side(const struct oro_engine *engine, int side)
{
    return engine ? oro_size_preset(engine->preset, side) : side;
}

bool oro_engine_fits(const struct oro_engine *engine, const char *what, int width, int height,
                     struct oro_error *err)
{
    int wide = oro_engine_side(engine, width), high = oro_engine_side(engine, height);
    if (wide != width || high != height)
        return oro_fail(err, ORO_E_USAGE, "%s cannot be %d x %d for %s: the nearest size it takes is %d x %d",
                        what, width, height, engine->title, wide, high);
    return !engine->square || width == height ||
           oro_fail(err, ORO_E_USAGE,
                    "%s cannot be %d x %d for %s, whose terrains are squares: crop it to a square, or cut it "
                    "into them by convert --size %dx%d --tiles %d",
                    what, width, height, engine->title, width, height, width < height ? width : height);
}

void oro_engine_note_stretch(const struct oro_engine *engine, const char *path, const int from[2],
                             const int to[2], const struct oro_log *log)
{
    double across = (double)to[0] / from[0], down = (double)to[1] / from[1], stretch = down / across;
    bool rounded = fabs(to[0] - from[0] * down) <= 0.5 || fabs(to[1] - from[1] * across) <= 0.5;
    if (fabs(stretch - 1) > 0.01 && !rounded)
        oro_note(log, ORO_WARNING,
                 "'%s': %s%s%s%d x %d cells become %d x %d, which stretches the terrain along y by %.3g; "
                 "crop it to the proportions of the new size to avoid that",
                 path, engine ? "for " : "", engine ? engine->title : "", engine ? ", " : "", from[0],
                 from[1], to[0], to[1], stretch);
}

void oro_engine_say(const struct oro_engine_figures *figures, struct oro_text *text)
{
    char number[ORO_NUMBER_SIZE];
    for (size_t i = 0; i < figures->count; i++) {
        const struct oro_engine_figure *figure = &figures->items[i];
        oro_text_addf(text, "%s%s %s%s%s", i ? ", " : "", figure->label,
                      oro_format_number(figure->value, number), figure->unit[0] ? " " : "", figure->unit);
    }
}
