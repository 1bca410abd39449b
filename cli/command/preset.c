/* orograph preset: named settings of node types. */
#include <stdio.h>
#include <string.h>

#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/command/commands.h"
#include "cli/engine/graph.h"
#include "cli/report/console.h"
#include "cli/report/json.h"
#include "cli/report/table.h"
#include "graph/file/xml.h"
#include "graph/reuse/preset.h"

struct preset_options {
    const char *out, *title, *doc;
    bool json, reset, all, project, replace, allow_path;
};

struct command {
    const struct preset_options *options;
    struct oro_registry registry;
    char *const *arguments; /* those after the action */
    int count;
};

/* ---- list ---- */

static bool print_json(const struct oro_presets *presets)
{
    json_t *list = json_array();
    for (size_t i = 0; i < presets->count; i++) {
        const struct oro_preset *preset = &presets->items[i];
        json_t *object = json_object();
        cli_json_text(object, "type", preset->type);
        cli_json_text(object, "name", preset->name);
        cli_json_text(object, "title", preset->title);
        cli_json_text(object, "source", oro_preset_source_name(preset->source));
        cli_json_text(object, "file", preset->path);
        json_array_append_new(list, object);
    }
    return cli_json_print(list);
}

static bool print_table(const struct oro_presets *presets)
{
    struct cli_table table = {.columns = "llll"};
    for (size_t i = 0; i < presets->count; i++) {
        const struct oro_preset *preset = &presets->items[i];
        cli_table_row(&table, preset->type, preset->name, oro_preset_source_name(preset->source),
                      preset->title);
    }
    return cli_table_print(&table, stdout, 0);
}

static bool list(struct command *command, struct oro_error *err)
{
    const char *type = command->count > 0 ? command->arguments[0] : NULL;
    struct oro_presets presets = {0};
    struct oro_arena *arena = oro_arena_create();
    bool ok = arena || oro_fail(err, ORO_E_MEMORY, "no memory to list presets");
    ok = ok && oro_presets_list(NULL, type, &command->registry, arena, &presets, err);
    if (ok && type && presets.count == 0) {
        char meant[ORO_NEAR_SIZE];
        const char *near = oro_registry_find(&command->registry, type)
                               ? NULL
                               : oro_registry_suggest(&command->registry, type);
        ok = oro_fail(err, ORO_E_FILE, "there are no presets of '%s'%s", type, oro_did_you_mean(near, meant));
    }
    if (ok && !(command->options->json ? print_json : print_table)(&presets))
        ok = oro_fail(err, ORO_E_MEMORY, "no memory to list presets");
    oro_arena_destroy(arena);
    return ok;
}

/* ---- show ---- */

static bool print_preset(const struct oro_document *preset, const char *path)
{
    const struct oro_doc_about about = oro_document_about(preset);
    const struct oro_doc_node *node = oro_document_node(preset, 0);
    struct cli_table table = {.columns = "ll"};
    printf("%s\n", path);
    if (about.title)
        printf("%s\n", about.title);
    if (about.doc)
        printf("%s\n", about.doc);
    for (size_t i = 0; i < node->input_count; i++) {
        const struct oro_doc_input *input = &node->inputs[i];
        cli_table_cell(&table, "%s", input->name);
        cli_table_cell(&table, "%s%s", input->expr ? "= " : "",
                       input->expr    ? input->expr
                       : input->value ? input->value
                                      : "");
    }
    return cli_table_print(&table, stdout, 2);
}

/* Finds a preset by name, or by a path that ends in .oro. */
static char *find_preset(const char *document_path, const char *type, const char *name,
                         const struct oro_registry *registry, struct oro_error *err)
{
    char *file = NULL;
    if (strcmp(oro_path_extension(name), "oro") != 0)
        return oro_preset_find(document_path, type, name, registry, err);
    file = oro_copy_text(name);
    if (!file)
        oro_fail(err, ORO_E_MEMORY, "no memory for a path");
    return file;
}

static bool show(struct command *command, struct oro_error *err)
{
    char *path = find_preset(NULL, command->arguments[0], command->arguments[1], &command->registry, err);
    struct oro_document *preset = path ? oro_preset_read(path, &command->registry, err) : NULL;
    bool ok =
        preset && (print_preset(preset, path) || oro_fail(err, ORO_E_MEMORY, "no memory to show a preset"));
    oro_document_destroy(preset);
    oro_free(path);
    return ok;
}

/* ---- apply and save ---- */

/* The node type whose presets fit a node; the caller frees. */
static char *type_of_node(const struct oro_document *doc, const char *id, struct oro_error *err)
{
    struct oro_arena *arena = oro_arena_create();
    const struct oro_doc_node *node = oro_document_find(doc, id);
    char *type = node && arena ? oro_copy_text(oro_preset_type(node, arena)) : NULL;
    char near[ORO_NEAR_SIZE];
    if (!node)
        oro_fail(err, ORO_E_DOCUMENT, "there is no node '%.100s' in '%s'%s", id, oro_document_path(doc),
                 oro_document_near_node(doc, id, near));
    else if (!type)
        oro_fail(err, ORO_E_DOCUMENT, "node '%s' cannot have presets", id);
    oro_arena_destroy(arena);
    return type;
}

static bool apply(struct command *command, struct oro_error *err)
{
    const char *file = command->arguments[0], *id = command->arguments[1], *name = command->arguments[2];
    const char *out = command->options->out ? command->options->out : file;
    struct oro_document *doc = cli_read_any(file, &command->registry, err), *preset = NULL;
    char *type = doc ? type_of_node(doc, id, err) : NULL;
    char *path = type ? find_preset(file, type, name, &command->registry, err) : NULL;
    if (path)
        preset = oro_preset_read(path, &command->registry, err);
    bool ok = preset &&
              oro_preset_apply(doc, id, preset, command->options->reset, &command->registry, &cli_log, err) &&
              oro_document_write(doc, &command->registry, out, err);
    if (ok)
        printf("wrote %s\n", out);
    oro_document_destroy(doc);
    oro_document_destroy(preset);
    oro_free(type);
    oro_free(path);
    return ok;
}

/* The path to save a preset of that name to; makes its folder. The caller frees. */
static char *place_for(const struct command *command, const char *type, const char *name,
                       struct oro_error *err)
{
    enum oro_preset_source source = command->options->project ? ORO_PRESET_PROJECT : ORO_PRESET_USER;
    struct oro_text path = {0};
    if (command->options->out)
        return oro_copy_text(command->options->out);
    if (!oro_is_identifier(name) || strlen(name) > 100) {
        oro_fail(err, ORO_E_USAGE, "'%.100s' cannot be the name of a preset", name);
        return NULL;
    }
    char *folder = oro_preset_folder(source, command->arguments[0], type, err);
    if (folder && oro_make_folders(folder, err))
        oro_text_addf(&path, "%s/%s.oro", folder, name);
    oro_free(folder);
    return path.data;
}

static bool save(struct command *command, struct oro_error *err)
{
    const struct preset_options *options = command->options;
    const struct oro_preset_about about = {.title = options->title, .doc = options->doc, .all = options->all};
    struct oro_document *doc = cli_read_any(command->arguments[0], &command->registry, err);
    char *type = doc ? type_of_node(doc, command->arguments[1], err) : NULL;
    char *text =
        type ? oro_preset_make(doc, command->arguments[1], &about, &command->registry, &cli_log, err) : NULL;
    char *path = text ? place_for(command, type, command->arguments[2], err) : NULL;
    bool ok = path;
    if (ok && !options->replace && access(path, F_OK) == 0)
        ok = oro_fail(err, ORO_E_WRITE, "'%s' exists; --replace replaces it", path);
    ok = ok && oro_file_write(path, text, strlen(text), err);
    if (ok)
        printf("wrote %s\n", path);
    oro_document_destroy(doc);
    oro_free(type);
    oro_free(text);
    oro_free(path);
    return ok;
}

/* ---- The command ---- */

static const struct action {
    const char *name, *arguments;
    int least, most;
    bool (*run)(struct command *command, struct oro_error *err);
} actions[] = {
    {"list", "[TYPE]", 0, 1, list},
    {"show", "TYPE NAME", 2, 2, show},
    {"apply", "FILE NODE NAME", 3, 3, apply},
    {"save", "FILE NODE NAME", 3, 3, save},
};
enum { ACTION_COUNT = sizeof actions / sizeof actions[0] };

static const struct action *find_action(const char *name, struct oro_error *err)
{
    const char *names[ACTION_COUNT];
    for (size_t i = 0; i < ACTION_COUNT; i++) {
        names[i] = actions[i].name;
        if (strcmp(name, names[i]) == 0)
            return &actions[i];
    }
    char meant[ORO_NEAR_SIZE];
    const char *near = oro_suggest(name, names, ACTION_COUNT);
    oro_fail(err, ORO_E_USAGE, "'preset' takes list, show, apply or save, not '%s'%s", name,
             oro_did_you_mean(near, meant));
    return NULL;
}

/* Each action has options of its own. */
static bool fits(const struct action *action, const struct preset_options *options, struct oro_error *err)
{
    bool saving = action->run == save, applying = action->run == apply;
    const char *wrong = options->json && action->run != list            ? "json"
                        : options->reset && !applying                   ? "reset"
                        : options->out && !applying && !saving          ? "out"
                        : options->title && !saving                     ? "title"
                        : options->doc && !saving                       ? "doc"
                        : options->all && !saving                       ? "all"
                        : options->project && (!saving || options->out) ? "project"
                        : options->replace && !saving                   ? "replace"
                                                                        : NULL;
    return !wrong || oro_fail(err, ORO_E_USAGE, "--%s makes no sense with 'preset %s'%s", wrong, action->name,
                              saving && options->out ? " -o" : "");
}

static int run_preset(const void *parsed, char *const *arguments, int count)
{
    struct oro_error err = {0};
    struct command command = {
        .options = parsed, .arguments = arguments + (count > 0), .count = count - (count > 0)};
    const struct action *action = find_action(count > 0 ? arguments[0] : "list", &err);
    bool ok = action && fits(action, command.options, &err);
    if (ok && (command.count < action->least || command.count > action->most))
        ok = oro_fail(&err, ORO_E_USAGE, "'preset %s' takes %s", action->name, action->arguments);
    if (ok)
        ok = cli_registry_open(&command.registry, command.options->allow_path, &err);
    if (ok) {
        ok = action->run(&command, &err);
        cli_registry_close(&command.registry);
    }
    return ok ? CLI_DONE : (int)cli_fail(&err);
}

static const struct cli_option options_table[] = {
    {"json", 0, CLI_FLAG, offsetof(struct preset_options, json), .help = "list: print a list of objects"},
    {"reset", 0, CLI_FLAG, offsetof(struct preset_options, reset),
     .help = "apply: inputs that the preset does not set get their defaults; links stay"},
    {"out", 'o', CLI_TEXT, offsetof(struct preset_options, out), .argument = "OUT",
     .help = "apply, save: write to OUT"},
    {"title", 0, CLI_TEXT, offsetof(struct preset_options, title), .argument = "TEXT",
     .help = "save: what the preset is, in some words"},
    {"doc", 0, CLI_TEXT, offsetof(struct preset_options, doc), .argument = "TEXT",
     .help = "save: what it is good for, in some sentences"},
    {"all", 0, CLI_FLAG, offsetof(struct preset_options, all),
     .help = "save: also inputs that have their default"},
    {"project", 0, CLI_FLAG, offsetof(struct preset_options, project),
     .help = "save: beside FILE instead of the user's folder"},
    {"replace", 0, CLI_FLAG, offsetof(struct preset_options, replace), .help = "save: replace what is there"},
    {"allow-path", 0, CLI_FLAG, offsetof(struct preset_options, allow_path),
     .help = "Let the graph name files outside its own folder and the library"},
    {0},
};

const struct cli_command cli_preset = {
    .name = "preset",
    .arguments = "[list [TYPE] | show TYPE NAME | apply FILE NODE NAME | save FILE NODE NAME]",
    .summary = "Lists, applies and saves named settings of nodes",
    .help =
        "A preset is a graph file with one node. They are looked for in presets/TYPE/NAME.oro beside the "
        "graph\n"
        "(list and show: in the working folder), in the folders of OROGRAPH_PATH, in XDG_DATA_HOME/orograph\n"
        "(else ~/.local/share/orograph), and among those installed with the program. NAME may also be a "
        "file\n"
        "that ends in .oro.\n"
        "Example: orograph preset apply range.oro level1 alps --reset\n",
    .options = options_table,
    .options_size = sizeof(struct preset_options),
    .most = 4,
    .run = run_preset,
};
