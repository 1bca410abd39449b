/* The commands, one file each; main.c lists them. */
#ifndef ORO_CLI_COMMAND_COMMANDS_H
#define ORO_CLI_COMMAND_COMMANDS_H

#include "cli/options/options.h"

extern const struct cli_command cli_cache;
extern const struct cli_command cli_check;
extern const struct cli_command cli_convert;
extern const struct cli_command cli_devices;
extern const struct cli_command cli_diff;
extern const struct cli_command cli_edit;
extern const struct cli_command cli_embed;
extern const struct cli_command cli_extract;
extern const struct cli_command cli_flatten;
extern const struct cli_command cli_group;
extern const struct cli_command cli_info;
extern const struct cli_command cli_library;
extern const struct cli_command cli_lock;
extern const struct cli_command cli_measure;
extern const struct cli_command cli_nodes;
extern const struct cli_command cli_preset;
extern const struct cli_command cli_render;
extern const struct cli_command cli_run_command;
extern const struct cli_command cli_schema;
extern const struct cli_command cli_tiles;
extern const struct cli_command cli_trust;
extern const struct cli_command cli_update;
extern const struct cli_command cli_verify;
extern const struct cli_command cli_version;

#endif
