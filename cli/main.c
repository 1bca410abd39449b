/* The `orograph` program: finds the command, parses its options, runs it. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/budget.h"
#include "base/text.h"
#include "cli/command/commands.h"
#include "cli/report/console.h"
#include "cli/report/json.h"
#include "cli/report/plain.h"

static const struct cli_command *const commands[] = {
    &cli_edit,   &cli_render,  &cli_run_command, &cli_check,  &cli_nodes,  &cli_library,
    &cli_info,   &cli_measure, &cli_convert,     &cli_tiles,  &cli_group,  &cli_extract,
    &cli_embed,  &cli_flatten, &cli_preset,      &cli_update, &cli_diff,   &cli_lock,
    &cli_verify, &cli_devices, &cli_cache,       &cli_trust,  &cli_schema, &cli_version,
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const struct cli_command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static void print_overview(FILE *to)
{
    fprintf(to, "usage: orograph COMMAND [OPTION]... [ARGUMENT]...\n\nBuilds terrains from node graphs.\n\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(to, "  %-10s%s\n", commands[i]->name, commands[i]->summary);
    fprintf(to, "  %-10s%s\n", "help", "Shows this, or with a command's name its options");
    fprintf(to, "\nExit codes: 0 done, 1 failed while evaluating or writing, 2 usage,\n"
                "3 invalid document or input file, 4 cancelled, 5 no usable device.\n");
}

static enum cli_exit unknown_command(const char *name)
{
    const char *names[COMMAND_COUNT + 1];
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        names[i] = commands[i]->name;
    names[COMMAND_COUNT] = "help";
    const char *near = oro_suggest(name, names, COMMAND_COUNT + 1);
    if (near)
        cli_error("unknown command '%s'; did you mean '%s'?", name, near);
    else
        cli_error("unknown command '%s'; see 'orograph help'", name);
    return CLI_USAGE;
}

static enum cli_exit help(int argc, char *const *argv)
{
    if (argc == 0 || strcmp(argv[0], "help") == 0) {
        print_overview(stdout);
        return CLI_DONE;
    }
    const struct cli_command *command = find_command(argv[0]);
    if (!command)
        return unknown_command(argv[0]);
    cli_print_help(stdout, command);
    return CLI_DONE;
}

static int run_command(const struct cli_command *command, int argc, char *const *argv)
{
    struct cli_parsed parsed;
    struct oro_error err = {0};
    if (!cli_parse(command, argc, argv, &parsed, &err))
        return (int)cli_fail(&err);
    int code = CLI_DONE;
    if (parsed.help)
        cli_print_help(stdout, command);
    else if (parsed.version)
        code = cli_version.run(NULL, NULL, 0);
    else
        code = command->run(parsed.options, parsed.arguments, parsed.count);
    cli_parsed_free(command, &parsed);
    return code;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        print_overview(stderr);
        return CLI_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return (int)help(argc - 2, argv + 2);
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
        name = "version";
    const struct cli_command *command = find_command(name);
    return command ? run_command(command, argc - 2, argv + 2) : (int)unknown_command(name);
}

int main(int argc, char **argv)
{
    cli_json_begin();
    cli_plain_begin();
    signal(SIGXFSZ, SIG_IGN); /* a file that grows beyond its limit becomes an error, like a full disk */
    oro_budget_set(oro_budget_standard());
    return (int)cli_flush((enum cli_exit)dispatch(argc, argv));
}
