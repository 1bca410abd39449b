/* Where the files of a cache's folder are (cache_folder.c), for entries and claims. */
#ifndef ORO_GRAPH_CACHE_CACHE_PATHS_H
#define ORO_GRAPH_CACHE_CACHE_PATHS_H

#include "base/hash.h"

/* Room for the name of any file of the cache. */
enum { ORO_CACHE_NAME = 64 };
char *oro_cache_join(const char *folder, const char *name); /* oro_free; NULL: memory is out */
/* FOLDER/v1/ab, where the files of a key are. */
char *oro_cache_subfolder(const char *folder, struct oro_hash key);

#endif
