/* Parts of rasters, as files are read and written by them. */
#ifndef ORO_FORMATS_WINDOW_H
#define ORO_FORMATS_WINDOW_H

/* Cells of a raster whose row 0 is north. */
struct oro_cell_window {
    int x, y, width, height;
};

/* What two windows that meet have in common. */
static inline struct oro_cell_window oro_window_common(struct oro_cell_window a, struct oro_cell_window b)
{
    int left = a.x > b.x ? a.x : b.x, top = a.y > b.y ? a.y : b.y;
    int right = a.x + a.width < b.x + b.width ? a.x + a.width : b.x + b.width;
    int bottom = a.y + a.height < b.y + b.height ? a.y + a.height : b.y + b.height;
    return (struct oro_cell_window){left, top, right - left, bottom - top};
}

/* Which windows a format can take, each with all that stand before it. */
enum oro_windows {
    ORO_WINDOWS_NONE,  /* it is not read, or not written */
    ORO_WINDOWS_WHOLE, /* all cells at once */
    ORO_WINDOWS_ROWS,  /* whole rows, in order from north to south; read once more from the first one on */
    ORO_WINDOWS_BLOCKS /* any cells, in any order */
};

#endif
