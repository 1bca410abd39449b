/* orograph devices */
#include <stdio.h>

#include "cli/command/commands.h"
#include "cli/report/console.h"
#include "cli/report/table.h"
#include "devices/devices.h"

enum { DEVICES_MAX = 32 };

static void add_device(struct cli_table *table, const struct oro_gpu_entry *entry)
{
    const struct oro_device_info *info = &entry->info;
    char number[16] = "-", memory[CLI_BYTES_SIZE] = "-", buffer[CLI_BYTES_SIZE] = "-";
    if (entry->index != ORO_DEVICE_PROCESSOR)
        snprintf(number, sizeof number, "%d", entry->index);
    if (info->memory_bytes)
        cli_bytes_text(info->memory_bytes, memory);
    if (info->buffer_limit)
        cli_bytes_text(info->buffer_limit, buffer);
    cli_table_row(table, number, info->name[0] ? info->name : "(unnamed)", info->platform,
                  info->software ? "software" : "hardware", memory, buffer, info->version);
}

static int run_devices(const void *options, char *const *arguments, int count)
{
    (void)options, (void)arguments, (void)count;
    static struct oro_gpu_entry entries[DEVICES_MAX];
    int found = oro_device_list(entries, DEVICES_MAX), usable = 0;
    struct cli_table table = {.columns = "rlllrrl"};
    cli_table_row(&table, "N", "device", "platform", "kind", "memory", "largest buffer", "version");
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
