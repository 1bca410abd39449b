/*
 * Films out of pictures, by ffmpeg where the user has it.
 * Threads: any.
 */
#ifndef ED_VIEW_FILM_H
#define ED_VIEW_FILM_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/error.h"

/* Whether ffmpeg is installed. */
bool ed_film_can(void);
/* Makes FOLDER/turntable.mp4 out of FOLDER/frame-0001.png and so on, and waits for that. Ends early, with
 * ORO_E_CANCELLED, when `stop` becomes true. */
bool ed_film_encode(const char *folder, int per_second, const atomic_bool *stop, struct oro_error *err);

#endif
