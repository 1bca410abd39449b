#include "devices/devices.h"

#include <string.h>

#include "base/text.h"

static const char processor[] = "processor";

struct oro_device *oro_device_open(const struct oro_gpu_options *options, struct oro_error *err)
{
    if (options->index == ORO_DEVICE_PROCESSOR)
        return oro_processor_create(options->log, err);
    if (options->index != ORO_DEVICE_ANY || options->shader_dir)
        return oro_gpu_create(options, err);
    struct oro_gpu_options card = *options;
    card.index = ORO_GPU_HARDWARE;
    struct oro_device *device = oro_gpu_create(&card, NULL);
    return device ? device : oro_processor_create(options->log, err);
}

bool oro_device_parse(const char *word, int *index)
{
    double number;
    *index = ORO_DEVICE_PROCESSOR;
    if (strcmp(word, processor) == 0)
        return true;
    if (!oro_parse_number(word, &number) || number < 0 || number > 255 || number != (int)number)
        return false;
    *index = (int)number;
    return true;
}

int oro_device_list(struct oro_gpu_entry *entries, int limit)
{
    struct oro_device *device = limit > 0 ? oro_processor_create(NULL, NULL) : NULL;
    if (!device)
        return 0;
    entries[0] = (struct oro_gpu_entry){.index = ORO_DEVICE_PROCESSOR, .usable = true, .info = device->info};
    device->ops->destroy(device);
    return 1 + oro_gpu_list(entries + 1, limit - 1);
}
