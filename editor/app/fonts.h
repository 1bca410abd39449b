/* The system's fonts for the user interface, found by fontconfig. */
#ifndef ED_APP_FONTS_H
#define ED_APP_FONTS_H

struct ed_fonts {
    char *normal, *bold, *mono; /* files; NULL: none was found */
};
void ed_fonts_find(struct ed_fonts *fonts);
void ed_fonts_free(struct ed_fonts *fonts);

#endif
