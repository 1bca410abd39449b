/* Shared by the files of handles. Only for editor/view/handles*.c. */
#ifndef ED_VIEW_HANDLES_PRIVATE_H
#define ED_VIEW_HANDLES_PRIVATE_H

#include "editor/view/handles.h"

/* The number that an input has. False: it is linked or an expression. */
bool ed_handle_number(const struct ed_handle_source *source, const struct oro_input *input, double *value);
/* NULL, false: memory is out. */
struct ed_handle *ed_handle_add(struct ed_handles *handles, enum ed_handle_kind kind,
                                const struct oro_input *input, const double at[2]);
bool ed_handle_add_box(struct ed_handles *handles, const double a[2], const double b[2]);

bool ed_handle_add_crop(const struct ed_handle_source *source, struct ed_handles *handles,
                        const struct oro_input *input);
/* Makes the edits of a drag; returns how many. */
int ed_handle_drag_crop(const struct ed_handle_source *source, const struct ed_handle *handle,
                        const double to[2], double step, const struct oro_input *inputs[ED_HANDLE_EDITS],
                        double values[ED_HANDLE_EDITS]);

#endif
