/* Short texts about the editor, for the help window. */
#ifndef ED_PANELS_GUIDE_H
#define ED_PANELS_GUIDE_H

struct ed_guide_page {
    const char *title, *text; /* as ed_draw_markdown */
};
extern const struct ed_guide_page ed_guide[]; /* ends with a zeroed one */

#endif
