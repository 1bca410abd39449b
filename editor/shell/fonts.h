/* The system's fonts for the user interface, found by fontconfig. */
#ifndef ED_SHELL_FONTS_H
#define ED_SHELL_FONTS_H

#include <stddef.h>
#include <stdint.h>

enum { ED_MORE_FONTS = 4 };

struct ed_fonts {
    char *normal, *bold, *mono; /* files; NULL: none was found */
    /* Fonts for letters that `normal` lacks. */
    char *more[ED_MORE_FONTS];
    int face[ED_MORE_FONTS];
};
/* `letters`: code points that are to be shown, besides those that any font has. */
void ed_fonts_find(struct ed_fonts *fonts, const uint32_t *letters, size_t count);
void ed_fonts_free(struct ed_fonts *fonts);

#endif
