/* What happens to a heightfield before it is written to another file: its size, and its range. */
#ifndef ORO_CLI_ENGINE_RESAMPLE_H
#define ORO_CLI_ENGINE_RESAMPLE_H

#include "cli/options/options.h"
#include "formats/format.h"

/* The size that `text` (--size) asks for: "N" is the longer side, and the other keeps the proportions; "WxH"
 * is both; a preset applies to each side. NULL: the size stays. Fails with ORO_E_USAGE. */
bool cli_choose_size(const char *text, int width, int height, struct cli_extent *to, struct oro_error *err);
/* Replaces `field` by one of the size asked for. */
bool cli_resize(struct oro_heightfield *field, const char *size, enum oro_resampling method,
                struct oro_error *err);
/* Chooses which elevations the levels of an integer file stand for, unless `write` says so already. If only
 * the format changes, the range of the levels that were read keeps every one as it is; a resized field may
 * leave that range. */
void cli_choose_range(const struct oro_heightfield *field, bool resized, struct oro_write_options *write);

#endif
