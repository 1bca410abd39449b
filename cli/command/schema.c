/* orograph schema: the RELAX NG schema of documents, made from the descriptors. */
#include <stdio.h>

#include "base/memory.h"
#include "cli/command/commands.h"
#include "cli/report/console.h"
#include "graph/file/xml.h"

static int run_schema(const void *options, char *const *arguments, int count)
{
    (void)options, (void)arguments, (void)count;
    char *schema = oro_schema(&oro_builtin_nodes);
    if (!schema) {
        cli_error("no memory for the schema");
        return CLI_FAILED;
    }
    fputs(schema, stdout);
    oro_free(schema);
    return CLI_DONE;
}

const struct cli_command cli_schema = {
    .name = "schema",
    .arguments = "",
    .summary = "Prints the RELAX NG schema of documents",
    .help = "Example: orograph schema > orograph.rng && xmllint --noout --relaxng orograph.rng alps.oro\n",
    .run = run_schema,
};
