/* Parts of `orograph convert`: what becomes of a heightfield on its way into a file. */
#ifndef ORO_CLI_CONVERT_H
#define ORO_CLI_CONVERT_H

#include "cli/options.h"
#include "formats/format.h"

/* Replaces `field` by one of the size that was asked for. */
bool cli_resize(struct oro_heightfield *field, const char *size, struct oro_error *err);
/* Which metres the levels of an integer file mean, unless `write` says so already. Where nothing changes but
 * the format, the range of the file `in` keeps every level as it is; a new size may leave that range. */
void cli_choose_range(const char *in, const struct oro_heightfield *field, bool resized,
                      struct oro_write_options *write);

#endif
