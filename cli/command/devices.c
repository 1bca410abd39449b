/* orograph devices */
#include <stdio.h>

#include "cli/command/commands.h"
#include "cli/report/console.h"
#include "cli/report/table.h"
#include "devices/devices.h"

enum { DEVICES_MAX = 32 };

static void add_device(struct cli_table *table, const struct oro_gpu_entry *entry)
{
    char memory[CLI_BYTES_SIZE] = "-", buffer[CLI_BYTES_SIZE] = "-";
    if (entry->info.memory_bytes)
        cli_bytes_text(entry->info.memory_bytes, memory);
    if (entry->info.buffer_limit)
        cli_bytes_text(entry->info.buffer_limit, buffer);
    if (entry->index == ORO_DEVICE_PROCESSOR)
        cli_table_cell(table, "-");
    else
        cli_table_cell(table, "%d", entry->index);
    cli_table_cell(table, "%s", entry->info.name[0] ? entry->info.name : "(unnamed)");
    cli_table_cell(table, "%s", entry->info.platform);
    cli_table_cell(table, "%s", entry->info.software ? "software" : "hardware");
    cli_table_cell(table, "%s", memory);
    cli_table_cell(table, "%s", buffer);
    cli_table_cell(table, "%s", entry->info.version);
}

static int run_devices(const void *options, char *const *arguments, int count)
{
    (void)options, (void)arguments, (void)count;
    static struct oro_gpu_entry entries[DEVICES_MAX];
    int found = oro_device_list(entries, DEVICES_MAX), usable = 0;
    struct cli_table table = {.columns = "rlllrrl"};
    static const char *const heads[] = {"N",      "device",         "platform", "kind",
                                        "memory", "largest buffer", "version"};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        cli_table_cell(&table, "%s", heads[i]);
    for (int i = 0; i < found; i++) {
        if (entries[i].usable)
            add_device(&table, &entries[i]);
        usable += entries[i].usable;
    }
    if (usable > 0)
        cli_table_print(&table, stdout, 0);
    for (int i = 0; i < found; i++)
        if (!entries[i].usable)
            printf("%d cannot be used: %s\n", entries[i].index, entries[i].problem);
    if (usable > 0)
        return CLI_DONE;
    cli_error(
        "no usable device: a driver with OpenGL ES 3.1 is needed (Mesa has one that needs no graphics card)");
    return CLI_NO_DEVICE;
}

const struct cli_command cli_devices = {
    .name = "devices",
    .arguments = "",
    .summary = "Lists the devices that can evaluate graphs",
    .help = "The number N, or the word 'processor', is what 'render --device' takes. Without it, the first "
            "graphics\n"
            "card is used, or else the processor. It runs most nodes by code of its own, the others by a\n"
            "software driver, if one is listed.\n",
    .run = run_devices,
};
