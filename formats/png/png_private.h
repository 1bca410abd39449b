/* Inside formats/: what reading and writing PNG share. */
#ifndef ORO_FORMATS_PNG_PNG_PRIVATE_H
#define ORO_FORMATS_PNG_PNG_PRIVATE_H

#include <png.h>

#include "formats/codec.h"

/* libpng's message, for the error that leaves the folder. */
struct oro_png_trouble {
    char text[200];
    int reason; /* errno at that time */
    bool out_of_memory;
};

/* For libpng, whose user is an oro_png_trouble. */
PNG_NORETURN void oro_png_on_error(png_structp png, png_const_charp text);
void oro_png_on_warning(png_structp png, png_const_charp text);
png_voidp oro_png_allocate(png_structp png, png_alloc_size_t size);
void oro_png_release(png_structp png, png_voidp memory);

bool oro_png_write(const struct oro_raster_output *output, const struct oro_raster_shape *shape,
                   const float *samples, struct oro_error *err);

#endif
