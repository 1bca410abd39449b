/* Parts of rasters, as files are read and written by them. */
#ifndef ORO_FORMATS_WINDOW_H
#define ORO_FORMATS_WINDOW_H

/* Cells of a raster whose row 0 is north. */
struct oro_cell_window {
    int x, y, width, height;
};

/* Which windows a format can take, each with all that stand before it. */
enum oro_windows {
    ORO_WINDOWS_NONE,  /* it is not read, or not written */
    ORO_WINDOWS_WHOLE, /* all cells at once */
    ORO_WINDOWS_ROWS,  /* whole rows, in order from north to south; read once more from the first one on */
    ORO_WINDOWS_BLOCKS /* any cells, in any order */
};

#endif
