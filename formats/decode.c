#include "formats/decode.h"

const char *const oro_decode_words[] = {[ORO_DECODE_NONE] = "none",
                                        [ORO_DECODE_TERRARIUM] = "terrarium",
                                        [ORO_DECODE_TERRAIN_RGB] = "terrain-rgb",
                                        [ORO_DECODE_LUMINANCE] = "luminance",
                                        NULL};

float oro_decode_colour(enum oro_decode decode, const unsigned colour[3])
{
    double red = colour[0], green = colour[1], blue = colour[2];
    switch (decode) {
    case ORO_DECODE_TERRARIUM:
        return (float)(red * 256 + green + blue / 256 - 32768);
    case ORO_DECODE_TERRAIN_RGB:
        return (float)((red * 65536 + green * 256 + blue) / 10 - 10000);
    case ORO_DECODE_LUMINANCE:
        return (float)(0.2126 * red + 0.7152 * green + 0.0722 * blue);
    case ORO_DECODE_NONE:
        break;
    }
    return (float)red;
}

bool oro_fail_colours(const char *path, const char *what, struct oro_error *err)
{
    return oro_fail(err, ORO_E_FILE,
                    "'%s' is a picture in colours (%s) and no heightfield: --decode terrarium or terrain-rgb "
                    "reads elevations packed into colours, --decode luminance the brightness (likewise "
                    "'decode' of the node import)",
                    path, what);
}
