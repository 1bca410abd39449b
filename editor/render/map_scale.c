/* Which values get which colours in the flat view. */
#include <math.h>

#include "editor/render/map.h"

/* The part of the palette of heights that is sea. */
static const float sea = 0.25f;

const char *ed_map_mode_name(enum ed_map_mode mode)
{
    static const char *const names[ED_MAP_MODES] = {"Auto", "Height", "Hillshade", "Shaded",
                                                    "Mask", "Slope",  "Drainage"};
    return (unsigned)mode < ED_MAP_MODES ? names[mode] : "";
}

/* Small numbers, such as uplift in metres per year, are no mask: they would all be black. */
static bool within_mask(const struct ed_picture *picture)
{
    return picture->low >= 0 && picture->high <= 1 && (picture->high > 0.05f || picture->high == 0);
}

bool ed_map_is_mask(const struct ed_picture *picture)
{
    return picture->channels == 1 && !picture->terrain && picture->unit == ORO_NO_UNIT &&
           within_mask(picture);
}

static enum ed_map_mode resolve(const struct ed_map_look *look, const struct ed_picture *picture)
{
    if (look->mode != ED_MAP_AUTO)
        return look->mode;
    if (picture->terrain)
        return ED_MAP_SHADED;
    return within_mask(picture) ? ED_MAP_MASK : ED_MAP_HEIGHT;
}

static void scale_heights(struct ed_map_scale *scale, const struct ed_map_look *look, bool terrain)
{
    if (scale->palette == ED_PALETTE_TERRAIN && !terrain && look->mode == ED_MAP_AUTO)
        scale->palette = ED_PALETTE_VIRIDIS;
    if (scale->palette == ED_PALETTE_TERRAIN)
        scale->zero_at = sea;
}

void ed_map_scale_of(const struct ed_map_look *look, const struct ed_picture *picture,
                     struct ed_map_scale *scale)
{
    *scale = (struct ed_map_scale){
        .mode = resolve(look, picture),
        .palette = look->palette,
        .low = look->fixed_range ? look->low : picture->low,
        .high = look->fixed_range ? look->high : picture->high,
    };
    scale->valued = picture->channels == 1 && scale->mode != ED_MAP_HILLSHADE;
    switch (scale->mode) {
    case ED_MAP_MASK:
        scale->palette = ED_PALETTE_GREY;
        if (!look->fixed_range)
            scale->low = 0, scale->high = 1;
        break;
    case ED_MAP_SLOPE:
        if (scale->palette == ED_PALETTE_TERRAIN)
            scale->palette = ED_PALETTE_VIRIDIS;
        scale->low = 0, scale->high = 60;
        break;
    case ED_MAP_DRAINAGE:
        if (scale->palette == ED_PALETTE_TERRAIN)
            scale->palette = ED_PALETTE_VIRIDIS;
        scale->logarithm = true;
        scale->high = fmaxf(scale->high, 1e-30f);
        /* No more than six powers of ten can be told apart. */
        if (!look->fixed_range || scale->low <= 0)
            scale->low = fmaxf(scale->low, scale->high * 1e-6f);
        break;
    default:
        scale_heights(scale, look, picture->terrain);
    }
}

static enum oro_unit unit_of(const struct ed_picture *picture)
{
    return picture->terrain ? ORO_METRE : picture->unit; /* outputs called terrain need not have a unit */
}

void ed_map_share_range(struct ed_map_look looks[2], const struct ed_picture *const pictures[2])
{
    struct ed_map_scale a, b;
    ed_map_scale_of(&looks[0], pictures[0], &a);
    ed_map_scale_of(&looks[1], pictures[1], &b);
    bool ranged = a.mode == ED_MAP_HEIGHT || a.mode == ED_MAP_SHADED || a.mode == ED_MAP_DRAINAGE;
    if (!ranged || a.mode != b.mode || !a.valued || !b.valued || unit_of(pictures[0]) != unit_of(pictures[1]))
        return;
    for (int i = 0; i < 2; i++) {
        looks[i].fixed_range = true;
        looks[i].low = fminf(a.low, b.low);
        looks[i].high = fmaxf(a.high, b.high);
    }
}

/* The place of a height in the palette, with the sea below 0; if there is no sea, the land's part of the
 * palette begins at the lowest height. */
static float around_zero(const struct ed_map_scale *scale, float value)
{
    if (value < 0)
        return scale->zero_at * (1 - value / fminf(scale->low, -1e-30f));
    float from = fmaxf(scale->low, 0);
    return scale->zero_at + (1 - scale->zero_at) * (value - from) / fmaxf(scale->high - from, 1e-30f);
}

float ed_map_scale_at(const struct ed_map_scale *scale, float value)
{
    float at;
    if (scale->zero_at > 0)
        at = around_zero(scale, value);
    else if (scale->logarithm)
        at = logf(fmaxf(value, scale->low) / scale->low) / fmaxf(logf(scale->high / scale->low), 1e-6f);
    else
        at = (value - scale->low) / fmaxf(scale->high - scale->low, 1e-30f);
    return fminf(fmaxf(at, 0), 1);
}

float ed_map_scale_value(const struct ed_map_scale *scale, float at)
{
    if (scale->zero_at > 0) {
        float from = fmaxf(scale->low, 0);
        return at < scale->zero_at
                   ? fminf(scale->low, 0) * (1 - at / scale->zero_at)
                   : from + (scale->high - from) * (at - scale->zero_at) / (1 - scale->zero_at);
    }
    if (scale->logarithm)
        return scale->low * powf(scale->high / scale->low, at);
    return scale->low + (scale->high - scale->low) * at;
}
