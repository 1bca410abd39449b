/*
 * Options of the commands, declared once: parsing, help and suggestions for misspelt names all come from a
 * command's table. An option's value goes to `offset` in the command's own options struct, which begins
 * zeroed: zero means "not given" everywhere.
 */
#ifndef ORO_CLI_OPTIONS_OPTIONS_H
#define ORO_CLI_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

enum cli_option_kind {
    CLI_FLAG,    /* bool */
    CLI_TEXT,    /* const char * */
    CLI_INTEGER, /* struct cli_integer */
    CLI_NUMBER,  /* struct cli_number */
    CLI_CHOICE,  /* int: index into `choices`, whose first word is the default */
    CLI_EXTENT,  /* struct cli_extent, written WxH */
    CLI_LIST,    /* struct cli_list: the option may be repeated */
};

struct cli_integer {
    bool given;
    int64_t value;
};
struct cli_number {
    bool given;
    double value;
};
struct cli_extent {
    int width, height;
};
struct cli_list {
    const char **items; /* point into the command line */
    size_t count;
};

struct cli_option {
    const char *name; /* without the dashes */
    char letter;      /* short form, or 0 */
    enum cli_option_kind kind;
    size_t offset;
    const char *argument; /* what help calls the value: "FILE"; NULL for a flag or a choice */
    double min, max;      /* of integers and numbers; both 0: no limit */
    const char *const *choices;
    const char *help;
};

struct cli_command {
    const char *name;
    const char *arguments;            /* as help shows them: "FILE..." */
    const char *summary;              /* one line, for the list of commands */
    const char *help;                 /* further text, with an example; or NULL */
    const struct cli_option *options; /* ends with a zeroed one; NULL: none */
    size_t options_size;
    int least, most; /* number of arguments; most -1: no limit */
    bool program;    /* a program of its own, of that name, not a command of `orograph` */
    /* Returns the exit code. */
    int (*run)(const void *options, char *const *arguments, int count);
};

/* Rows of a command's table, for groups of options that commands share. AT(member) is the offset of a member
 * of the command's struct; `low` and `high` both 0: no limit. */
#define CLI_ROW(...)                                                                                         \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }
#define CLI_ROW_FLAG(name, member, text) CLI_ROW(name, 0, CLI_FLAG, AT(member), .help = (text))
#define CLI_ROW_CHOICE(name, member, words, text)                                                            \
    CLI_ROW(name, 0, CLI_CHOICE, AT(member), .choices = (words), .help = (text))
#define CLI_ROW_TEXT(name, letter, member, argument, text)                                                   \
    CLI_ROW(name, letter, CLI_TEXT, AT(member), argument, .help = (text))
#define CLI_ROW_INTEGER(name, member, argument, low, high, text)                                             \
    CLI_ROW(name, 0, CLI_INTEGER, AT(member), argument, low, high, .help = (text))
#define CLI_ROW_NUMBER(name, member, argument, low, high, text)                                              \
    CLI_ROW(name, 0, CLI_NUMBER, AT(member), argument, low, high, .help = (text))

/* The host's memory, where the command has no device. AT(memory) is a struct cli_integer. */
#define CLI_MEMORY_OPTION                                                                                    \
    CLI_ROW_INTEGER("memory", memory, "MB", 1, 1 << 24,                                                      \
                    "Memory to use (default: 80 % of what the system has left)")
/* Sets the budget, if the option was given. */
void cli_take_memory(const struct cli_integer *memory);

/* What a command line said. `arguments` are those that are not options, in order. */
struct cli_parsed {
    void *options; /* the command's options struct */
    char **arguments;
    int count;
    bool help, version; /* --help or --version was given: the rest does not matter */
};

/* Parses what follows the command's name. On failure (ORO_E_USAGE, ORO_E_MEMORY) there is nothing to free. */
bool cli_parse(const struct cli_command *command, int argc, char *const *argv, struct cli_parsed *parsed,
               struct oro_error *err);
void cli_parsed_free(const struct cli_command *command, struct cli_parsed *parsed);

/* Parses "512x256", both from 1 to ORO_RASTER_SIDE_MAX. */
bool cli_parse_extent(const char *text, struct cli_extent *extent);
/* Parses a decimal integer, with nothing before or behind it. */
bool cli_parse_integer(const char *text, int64_t *value);

void cli_print_help(FILE *to, const struct cli_command *command);

#endif
