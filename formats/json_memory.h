/*
 * jansson's memory. Where it has none, a value lacks a member or an item, and only the call that should have
 * made it says so. Its allocations go through base/memory.h instead, and those that fail are counted, so that
 * whoever makes a value need not look at every step but once at the end.
 *
 * Any thread; each sees its own failures alone.
 */
#ifndef ORO_FORMATS_JSON_MEMORY_H
#define ORO_FORMATS_JSON_MEMORY_H

/* A value is whole if this is the same before it is made and afterwards. */
unsigned oro_json_failures(void);

#endif
