/* What a build can write, as rows of its dialog. Threads: the window's. */
#ifndef ED_PANELS_BUILD_ROWS_H
#define ED_PANELS_BUILD_ROWS_H

#include "editor/panels/panels_private.h"
#include "formats/engine.h"

/* Lists the rows anew after the document has changed; what the user chose stays. */
void ed_build_rows_list(struct ed_session *session, struct ed_build_dialog *dialog);
/* Gives the outputs of the chosen rows, with texts that belong to the rows. Returns how many. */
size_t ed_build_rows_outputs(const struct ed_build_dialog *dialog,
                             struct ed_build_output outputs[ED_BUILD_ROWS]);
/* Chooses what a build of the document writes, and names the files as `orograph render --build` does. */
bool ed_build_rows_choose(struct ed_session *session, struct ed_build_dialog *dialog,
                          const struct oro_doc_build *build, struct oro_error *err);
/* The chosen rows as a build has them: "terrain hills.field out". The caller frees; NULL: memory is out. */
char *ed_build_rows_text(const struct ed_session *session, const struct ed_build_dialog *dialog);
/* The document's builds, one of which can be taken over, and the present choice kept (build_profiles.c). */
void ed_build_profiles_draw(struct ed_session *session, struct ed_build_dialog *dialog);
/* Gives files that are for terrains endings that the engine takes (NULL: any). */
void ed_build_rows_fit(struct ed_build_dialog *dialog, const struct oro_engine *engine);
/* How many bytes a cell takes in the row's file, at most; 0: not known. */
double ed_build_row_cell_bytes(const struct ed_build_row *row);
/* Looks which files exist already; returns how many of the chosen ones do. `document`: its path, or "". */
size_t ed_build_rows_look(struct ed_build_dialog *dialog, const char *document);

#endif
