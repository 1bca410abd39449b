/*
 * Inside formats/: what a raster file is by its first bytes. A name can lie, and users rename files; what is
 * read follows the bytes where they tell, else the extension.
 */
#ifndef ORO_FORMATS_SIGNATURE_H
#define ORO_FORMATS_SIGNATURE_H

#include "formats/codec.h"

enum oro_signature_reader {
    ORO_SIGNATURE_UNKNOWN, /* the bytes tell nothing, or there are none: the name decides */
    ORO_SIGNATURE_OWN,     /* `codec` */
    ORO_SIGNATURE_GDAL,
    ORO_SIGNATURE_TRUSTED, /* GDAL, for files that the user trusts: they can name any other file */
    ORO_SIGNATURE_NONE,    /* pictures that are not read */
};

struct oro_signature {
    enum oro_signature_reader reader;
    const char *name; /* "a PNG file" */
    const struct oro_codec *codec;
};

/* Looks at a file; one that cannot be opened is unknown. In a file whose name is that of a headerless format,
 * which may begin with any bytes, four bytes are needed to say that it is another. */
struct oro_signature oro_signature_of(const char *path);

#endif
