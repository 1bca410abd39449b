#include "terrain/processor/table.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *kernel, const void *entry)
{
    return strcmp(kernel, ((const struct oro_processor_entry *)entry)->kernel);
}

oro_processor_code *oro_processor_find(const char *kernel)
{
    const struct oro_processor_entry *entry = bsearch(kernel, oro_processor_table, oro_processor_table_count,
                                                      sizeof oro_processor_table[0], compare);
    return entry ? entry->code : NULL;
}
