#include "cli/options/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/format.h"

/* The part of a command line that is still to be read. */
struct reader {
    const struct cli_command *command;
    int argc, next;
    char *const *argv;
    struct cli_parsed *parsed;
};

static const struct cli_option no_options[] = {{0}};

static const struct cli_option *options_of(const struct cli_command *command)
{
    return command->options ? command->options : no_options;
}

bool cli_parse_integer(const char *text, int64_t *value)
{
    const char *digits = text + (*text == '-');
    if (!*digits || strspn(digits, "0123456789") != strlen(digits))
        return false;
    errno = 0;
    long long parsed = strtoll(text, NULL, 10);
    if (errno)
        return false;
    *value = parsed;
    return true;
}

static bool parse_side(const char *text, size_t length, int *side)
{
    char digits[8] = "";
    int64_t value = 0;
    if (length == 0 || length >= sizeof digits)
        return false;
    memcpy(digits, text, length);
    if (!cli_parse_integer(digits, &value) || value < 1 || value > ORO_RASTER_SIDE_MAX)
        return false;
    *side = (int)value;
    return true;
}

bool cli_parse_extent(const char *text, struct cli_extent *extent)
{
    const char *x = strchr(text, 'x');
    return x && parse_side(text, (size_t)(x - text), &extent->width) &&
           parse_side(x + 1, strlen(x + 1), &extent->height);
}

static bool check_range(const struct cli_option *option, const char *text, double value,
                        struct oro_error *err)
{
    char least[ORO_NUMBER_SIZE], most[ORO_NUMBER_SIZE];
    if ((option->min == 0 && option->max == 0) || (value >= option->min && value <= option->max))
        return true;
    return oro_fail(err, ORO_E_USAGE, "--%s takes %s to %s, not %s", option->name,
                    oro_format_number(option->min, least), oro_format_number(option->max, most), text);
}

static bool store_integer(const struct cli_option *option, struct cli_integer *to, const char *text,
                          struct oro_error *err)
{
    if (!cli_parse_integer(text, &to->value))
        return oro_fail(err, ORO_E_USAGE, "--%s takes a whole number, not '%s'", option->name, text);
    to->given = true;
    return check_range(option, text, (double)to->value, err);
}

static bool store_number(const struct cli_option *option, struct cli_number *to, const char *text,
                         struct oro_error *err)
{
    if (!oro_parse_number(text, &to->value))
        return oro_fail(err, ORO_E_USAGE, "--%s takes a number such as 12.5, not '%s'", option->name, text);
    to->given = true;
    return check_range(option, text, to->value, err);
}

static void add_choices(struct oro_text *to, const char *const *choices, const char *between)
{
    for (int i = 0; choices[i]; i++)
        oro_text_addf(to, "%s%s", i ? between : "", choices[i]);
}

static bool store_choice(const struct cli_option *option, int *to, const char *text, struct oro_error *err)
{
    size_t count = 0;
    for (; option->choices[count]; count++) {
        if (strcmp(option->choices[count], text) != 0)
            continue;
        *to = (int)count;
        return true;
    }
    struct oro_text words = {0};
    add_choices(&words, option->choices, ", ");
    char meant[ORO_NEAR_SIZE];
    const char *near = oro_suggest(text, option->choices, count);
    oro_fail(err, ORO_E_USAGE, "--%s takes one of %s, not '%s'%s", option->name,
             words.failed ? "its words" : words.data, text, oro_did_you_mean(near, meant));
    oro_text_free(&words);
    return false;
}

static bool store_extent(const struct cli_option *option, struct cli_extent *to, const char *text,
                         struct oro_error *err)
{
    if (cli_parse_extent(text, to))
        return true;
    return oro_fail(err, ORO_E_USAGE, "--%s takes a size such as 512x256 (at most %d a side), not '%s'",
                    option->name, ORO_RASTER_SIDE_MAX, text);
}

/* A list gets room for every word of the command line at the start, so that it never grows. */
static bool store_item(struct reader *reader, struct cli_list *to, const char *text, struct oro_error *err)
{
    if (!to->items)
        to->items = oro_alloc((size_t)reader->argc, sizeof *to->items);
    if (!to->items)
        return oro_fail(err, ORO_E_MEMORY, "no memory for the command line");
    to->items[to->count++] = text;
    return true;
}

static bool store(struct reader *reader, const struct cli_option *option, const char *text,
                  struct oro_error *err)
{
    void *to = (char *)reader->parsed->options + option->offset;
    switch (option->kind) {
    case CLI_FLAG:
        *(bool *)to = true;
        return true;
    case CLI_TEXT:
        *(const char **)to = text;
        return true;
    case CLI_INTEGER:
        return store_integer(option, to, text, err);
    case CLI_NUMBER:
        return store_number(option, to, text, err);
    case CLI_CHOICE:
        return store_choice(option, to, text, err);
    case CLI_EXTENT:
        return store_extent(option, to, text, err);
    case CLI_LIST:
        return store_item(reader, to, text, err);
    }
    return false;
}

static const char *prefix_of(const struct cli_command *command)
{
    return command->program ? "" : "orograph ";
}

static bool unknown_option(const struct cli_command *command, const char *word, struct oro_error *err)
{
    const char *names[32] = {"help", "version"};
    size_t count = 2, length = strcspn(word, "=");
    for (const struct cli_option *o = options_of(command); o->name && count < 32; o++)
        names[count++] = o->name;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), word);
    const char *near = oro_suggest(name + strspn(name, "-"), names, count);
    if (near)
        return oro_fail(err, ORO_E_USAGE, "unknown option '%s' of '%s'; did you mean '--%s'?", name,
                        command->name, near);
    return oro_fail(err, ORO_E_USAGE, "unknown option '%s'; see '%s%s --help'", name, prefix_of(command),
                    command->name);
}

static const struct cli_option *find_long(const struct cli_command *command, const char *name, size_t length)
{
    for (const struct cli_option *o = options_of(command); o->name; o++)
        if (strlen(o->name) == length && memcmp(o->name, name, length) == 0)
            return o;
    return NULL;
}

static const struct cli_option *find_short(const struct cli_command *command, char letter)
{
    for (const struct cli_option *o = options_of(command); o->name; o++)
        if (letter && o->letter == letter)
            return o;
    return NULL;
}

static bool needs_value(const struct cli_option *option, struct oro_error *err)
{
    struct oro_text words = {0};
    if (option->kind == CLI_CHOICE)
        add_choices(&words, option->choices, ", ");
    oro_fail(err, ORO_E_USAGE, "--%s needs a value%s%s", option->name, words.data ? ": one of " : "",
             words.data ? words.data : "");
    oro_text_free(&words);
    return false;
}

static bool read_option(struct reader *reader, const char *word, struct oro_error *err)
{
    const struct cli_option *option;
    const char *inside = NULL; /* the value written in the same word: "--name=value", "-ovalue" */
    if (word[1] == '-') {
        size_t length = strcspn(word + 2, "=");
        option = find_long(reader->command, word + 2, length);
        if (word[2 + length] == '=')
            inside = word + 3 + length;
    } else {
        option = find_short(reader->command, word[1]);
        if (word[2])
            inside = word + 2 + (word[2] == '=');
    }
    if (!option)
        return unknown_option(reader->command, word, err);
    if (option->kind == CLI_FLAG) {
        if (inside)
            return oro_fail(err, ORO_E_USAGE, "--%s takes no value", option->name);
        return store(reader, option, NULL, err);
    }
    if (!inside) {
        if (reader->next >= reader->argc)
            return needs_value(option, err);
        inside = reader->argv[reader->next++];
    }
    return store(reader, option, inside, err);
}

static bool read_words(struct reader *reader, struct oro_error *err)
{
    struct cli_parsed *parsed = reader->parsed;
    bool only_arguments = false;
    while (reader->next < reader->argc) {
        char *word = reader->argv[reader->next++];
        if (only_arguments || word[0] != '-' || !word[1]) {
            parsed->arguments[parsed->count++] = word;
        } else if (strcmp(word, "--") == 0) {
            only_arguments = true;
        } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            parsed->help = true;
            return true;
        } else if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
            parsed->version = true;
            return true;
        } else if (!read_option(reader, word, err)) {
            return false;
        }
    }
    return true;
}

static bool check_count(const struct cli_command *command, const struct cli_parsed *parsed,
                        struct oro_error *err)
{
    if (parsed->help || parsed->version)
        return true;
    if (parsed->count < command->least)
        return oro_fail(err, ORO_E_USAGE, "'%s' needs %s; see '%s%s --help'", command->name,
                        command->arguments, prefix_of(command), command->name);
    if (command->most >= 0 && parsed->count > command->most)
        return oro_fail(err, ORO_E_USAGE, "'%s' is one argument too many for '%s'",
                        parsed->arguments[command->most], command->name);
    return true;
}

bool cli_parse(const struct cli_command *command, int argc, char *const *argv, struct cli_parsed *parsed,
               struct oro_error *err)
{
    *parsed = (struct cli_parsed){0};
    parsed->options = oro_alloc(command->options_size + 1, 1);
    parsed->arguments = oro_alloc((size_t)argc + 1, sizeof *parsed->arguments);
    struct reader reader = {.command = command, .argc = argc, .argv = argv, .parsed = parsed};
    bool ok = parsed->options && parsed->arguments
                  ? read_words(&reader, err) && check_count(command, parsed, err)
                  : oro_fail(err, ORO_E_MEMORY, "no memory for the command line");
    if (!ok)
        cli_parsed_free(command, parsed);
    return ok;
}

void cli_parsed_free(const struct cli_command *command, struct cli_parsed *parsed)
{
    for (const struct cli_option *o = options_of(command); parsed->options && o->name; o++)
        if (o->kind == CLI_LIST)
            oro_free(((struct cli_list *)((char *)parsed->options + o->offset))->items);
    oro_free(parsed->options);
    oro_free(parsed->arguments);
    *parsed = (struct cli_parsed){0};
}

static void print_option(FILE *to, const struct cli_option *option)
{
    struct oro_text left = {0};
    if (option->letter)
        oro_text_addf(&left, "-%c, ", option->letter);
    oro_text_addf(&left, "--%s", option->name);
    if (option->kind == CLI_CHOICE) {
        oro_text_add(&left, " ");
        add_choices(&left, option->choices, "|");
    } else if (option->argument) {
        oro_text_addf(&left, " %s", option->argument);
    }
    const char *text = left.failed ? option->name : left.data;
    if (strlen(text) > 26)
        fprintf(to, "  %s\n  %-26s  %s\n", text, "", option->help);
    else
        fprintf(to, "  %-26s  %s\n", text, option->help);
    oro_text_free(&left);
}

void cli_print_help(FILE *to, const struct cli_command *command)
{
    fprintf(to, "usage: %s%s%s%s%s\n\n%s\n", prefix_of(command), command->name,
            command->options ? " [OPTION]..." : "", command->arguments[0] ? " " : "", command->arguments,
            command->summary);
    if (command->options) {
        fprintf(to, "\nOptions:\n");
        for (const struct cli_option *o = command->options; o->name; o++)
            print_option(to, o);
    }
    if (command->help)
        fprintf(to, "\n%s", command->help);
}

void cli_take_memory(const struct cli_integer *memory)
{
    if (memory->given)
        oro_budget_choose((size_t)memory->value << 20);
}
