/* What the files of networks share: the form of the bytes, and going through segments. */
#ifndef ORO_TERRAIN_NETWORK_NETWORK_PRIVATE_H
#define ORO_TERRAIN_NETWORK_NETWORK_PRIVATE_H

#include "terrain/network/network.h"

#define ORO_NETWORK_MAGIC 0x74656e6fu /* "onet" */
enum { ORO_NETWORK_VERSION = 1 };
#define ORO_NETWORK_VERTICES ((size_t)1 << 26)
#define ORO_NETWORK_INDICES ((size_t)1 << 28)

#endif
