/* Parts of `orograph convert`: what happens to a heightfield before it is written. */
#ifndef ORO_CLI_COMMAND_CONVERT_H
#define ORO_CLI_COMMAND_CONVERT_H

#include "cli/options/options.h"
#include "formats/format.h"

/* Replaces `field` by one of the size asked for. */
bool cli_resize(struct oro_heightfield *field, const char *size, struct oro_error *err);
/* Chooses which elevations the levels of an integer file stand for, unless `write` says so already. If only
 * the format changes, the range of the file `in` keeps every level as it is; a resized field may leave that
 * range. Fails with ORO_E_MEMORY. */
bool cli_choose_range(const char *in, const struct oro_heightfield *field, bool resized,
                      struct oro_write_options *write, struct oro_error *err);

#endif
