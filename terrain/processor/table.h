/* The generated list of code for the processor, sorted by kernel. */
#ifndef ORO_TERRAIN_PROCESSOR_TABLE_H
#define ORO_TERRAIN_PROCESSOR_TABLE_H

#include "terrain/processor/run.h"

struct oro_processor_entry {
    const char *kernel;
    oro_processor_code *code;
};
extern const struct oro_processor_entry oro_processor_table[];
extern const size_t oro_processor_table_count;

#endif
