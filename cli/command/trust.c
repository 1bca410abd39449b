/* orograph trust: scripts that may run within the program. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/command/commands.h"
#include "cli/engine/graph.h"
#include "cli/report/console.h"
#include "cli/report/table.h"
#include "graph/derived/scripts.h"
#include "graph/derived/trust.h"
#include "graph/reuse/used_scripts.h"

struct trust_options {
    bool list, forget, all, allow_path;
};

/* The scripts of a file: a document's, or the file itself with its modules. */
static bool find_texts(struct oro_used_scripts *used, const char *path, bool allow_any_path,
                       struct oro_error *err)
{
    struct oro_registry registry;
    if (strcmp(oro_path_extension(path), "oro") != 0)
        return oro_used_scripts_of_file(used, path, err);
    bool ok = cli_registry_open(&registry, allow_any_path, err);
    if (ok)
        oro_scripts_omit(registry.scripts, ORO_OMIT_ALL);
    struct oro_document *doc = ok ? cli_read_any(path, &registry, err) : NULL;
    ok = doc && oro_used_scripts_of(used, doc, &registry, err);
    oro_document_destroy(doc);
    cli_registry_close(&registry);
    return ok;
}

static bool print(const struct oro_trusted *items, size_t count, struct oro_error *err)
{
    struct cli_table table = {.columns = "lll"};
    for (size_t i = 0; i < count; i++)
        cli_table_row(&table, items[i].digest, items[i].date, items[i].name);
    return cli_table_print(&table, stdout, 0) || oro_fail(err, ORO_E_MEMORY, "no memory for the list");
}

static bool trust_file(struct oro_trust *trust, const char *path, bool allow_any_path, struct oro_error *err)
{
    struct oro_used_scripts used = {0};
    bool ok = find_texts(&used, path, allow_any_path, err);
    if (ok && used.count == 0)
        printf("%s: no scripts but those of the program\n", path);
    ok = ok && oro_trust_add(trust, used.items, used.count, err);
    for (size_t i = 0; ok && i < used.count; i++)
        for (size_t k = 0; k < trust->count; k++)
            if (strcmp(trust->items[k].digest, used.items[i].digest) == 0)
                ok = print(&trust->items[k], 1, err);
    oro_used_scripts_free(&used);
    return ok;
}

/* Whether it is the name of a file, or of what lies in it. */
static bool names(const char *name, const char *file)
{
    size_t length = strlen(file);
    return strncmp(name, file, length) == 0 && (!name[length] || name[length] == ':');
}

static bool is_meant(const struct oro_trusted *item, const char *which, const char *place,
                     const struct oro_used_scripts *used)
{
    bool meant = strcmp(item->digest, which) == 0 || (place && names(item->name, place));
    for (size_t i = 0; i < used->count && !meant; i++)
        meant = strcmp(used->items[i].digest, item->digest) == 0;
    return meant;
}

/* By digest, or by file: the scripts that it uses, and what lay there when it was trusted. */
static bool forget(struct oro_trust *trust, const char *which, bool allow_any_path, struct oro_error *err)
{
    struct oro_used_scripts used = {0};
    char *place = oro_path_place(which);
    size_t forgotten = 0;
    bool ok = true;
    find_texts(&used, which, allow_any_path, NULL);
    for (size_t i = trust->count; ok && i-- > 0;) {
        const struct oro_trusted item = i < trust->count ? trust->items[i] : (struct oro_trusted){0};
        if (!is_meant(&item, which, place, &used))
            continue;
        ok = oro_trust_remove(trust, item.digest, err);
        forgotten++;
    }
    oro_used_scripts_free(&used);
    oro_free(place);
    return ok && (forgotten > 0 ||
                  oro_fail(err, ORO_E_USAGE,
                           "'%.300s' is neither a file with trusted scripts nor the digest of one; 'orograph "
                           "trust --list' shows them",
                           which));
}

static const char *misuse(const struct trust_options *options, int count)
{
    return options->all && !options->forget                  ? "--all belongs to --forget"
           : options->list && (options->forget || count > 0) ? "--list takes nothing else"
           : options->all && count > 0                       ? "either --all, or files and digests"
           : !options->list && !options->all && count == 0   ? "it takes files, or --list"
                                                             : NULL;
}

static int run_trust(const void *parsed, char *const *arguments, int count)
{
    const struct trust_options *options = parsed;
    struct oro_trust trust = {0};
    struct oro_error err = {0};
    const char *wrong = misuse(options, count);
    if (wrong) {
        cli_error("trust: %s", wrong);
        return CLI_USAGE;
    }
    oro_trust_refresh(&trust, &cli_log);
    bool ok = true;
    if (options->list)
        ok = print(trust.items, trust.count, &err);
    else if (options->all)
        ok = oro_trust_remove(&trust, NULL, &err);
    for (int i = 0; ok && i < count; i++)
        ok = options->forget ? forget(&trust, arguments[i], options->allow_path, &err)
                             : trust_file(&trust, arguments[i], options->allow_path, &err);
    oro_trust_free(&trust);
    return ok ? CLI_DONE : (int)cli_fail(&err);
}

static const struct cli_option options_table[] = {
    {"list", 0, CLI_FLAG, offsetof(struct trust_options, list), .help = "Lists what is trusted"},
    {"forget", 0, CLI_FLAG, offsetof(struct trust_options, forget),
     .help = "Ends the trust in the scripts of files, or in those of these digests"},
    {"all", 0, CLI_FLAG, offsetof(struct trust_options, all), .help = "With --forget: in all"},
    {"allow-path", 0, CLI_FLAG, offsetof(struct trust_options, allow_path),
     .help = "Graphs and scripts that a document uses may lie anywhere"},
    {0},
};

const struct cli_command cli_trust = {
    .name = "trust",
    .arguments = "[FILE...]",
    .summary = "Lets scripts run within the program, which is quicker, and lists them",
    .help = "Scripts that did not come with the program run in a process of their own, which can be ended "
            "when one of\n"
            "them hangs or fills the memory. Scripts that you wrote, or have read, need not. FILE is a "
            "script, or a\n"
            "graph: then all scripts that it uses are meant, those of its graphs and the modules that they "
            "require,\n"
            "too. Trust is in the text: a script that is changed is not trusted any more. The texts' SHA-256 "
            "are kept in\n"
            "XDG_STATE_HOME/orograph/trusted, else in ~/.local/state/orograph/trusted.\n"
            "Example: orograph trust valley.oro\n"
            "         orograph trust --forget valley.oro\n",
    .options = options_table,
    .options_size = sizeof(struct trust_options),
    .most = -1,
    .run = run_trust,
};
