/* Shared by the files of handles. Only for handles*.c. */
#ifndef ED_TOOLS_HANDLES_PRIVATE_H
#define ED_TOOLS_HANDLES_PRIVATE_H

#include "editor/tools/handles.h"
#include "terrain/network/bend.h"

/* The number that an input has. False: it is linked or an expression. */
bool ed_handle_number(const struct ed_handle_source *source, const struct oro_input *input, double *value);
/* NULL, false: memory is out. */
struct ed_handle *ed_handle_add(struct ed_handles *handles, enum ed_handle_kind kind,
                                const struct oro_input *input, const double at[2]);
bool ed_handle_add_box(struct ed_handles *handles, const double a[2], const double b[2]);

struct ed_shape *ed_handle_add_shape(struct ed_handles *handles, enum ed_shape_kind kind, const double a[2],
                                     const double b[2], bool faint);
/* False: it is no point, linked or an expression. */
bool ed_handle_point(const struct ed_handle_source *source, const char *name, double at[2]);
/* The points of a network; false: there are none to be dragged. */
struct ed_polylines;
bool ed_handle_lines(const struct ed_handle_source *source, const struct oro_input *input,
                     struct ed_polylines *lines);

/* Edits, of which they return how many. The lines are freed. */
int ed_handle_set_number(const struct oro_input *input, double value, struct ed_handle_edit *edit);
int ed_handle_set_lines(const struct oro_input *input, struct ed_polylines *lines,
                        struct ed_handle_edit *edit);

/* ---- handles_copies.c: outlines of copies, and what turns and scales them, beside the points of `places`.
 */
bool ed_handle_add_copies(const struct ed_handle_source *source, struct ed_handles *handles,
                          const struct oro_input *places);
int ed_handle_drag_copy(const struct ed_handle_source *source, const struct ed_handle *handle,
                        const double to[2], struct ed_handle_edit edits[ED_HANDLE_EDITS]);

/* ---- handles_lines.c: lines of networks. */
/* The curve of the line that begins at vertex `first`, as the node follows it, in place of what `curve` was;
 * the caller frees it. False: memory is out. */
bool ed_handle_curve(const struct ed_handle_source *source, const struct oro_input *input,
                     const struct ed_polylines *lines, size_t first, struct oro_line_points *curve);
bool ed_handle_add_lines(const struct ed_handle_source *source, struct ed_handles *handles,
                         const struct oro_input *input, const struct ed_polylines *lines);
/* What is at a distance from a line, or from a network. */
bool ed_handle_add_sides(struct ed_handles *handles, const double a[2], const double b[2], double distance);
bool ed_handle_add_network_ring(const struct ed_handle_source *source, struct ed_handles *handles,
                                const struct oro_input *input, double distance);

/* ---- handles_crop.c */
bool ed_handle_add_crop(const struct ed_handle_source *source, struct ed_handles *handles,
                        const struct oro_input *input);
/* Makes the edits of a drag; returns how many. */
int ed_handle_drag_crop(const struct ed_handle_source *source, const struct ed_handle *handle,
                        const double to[2], double step, const struct oro_input *inputs[ED_HANDLE_EDITS],
                        double values[ED_HANDLE_EDITS]);

#endif
