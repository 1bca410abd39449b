/* Memory that the program shares with a guest: a file without a name, which goes over in a packet. It cannot
 * be made smaller, so that nobody who reads it finds it gone. */
#ifndef ORO_GUEST_SHARED_H
#define ORO_GUEST_SHARED_H

#include <stdbool.h>
#include <stddef.h>

struct oro_shared {
    int file; /* -1: there is none */
    size_t bytes;
    char *memory;
};

/* `what` names it for the system. False: errno says why; it is to be freed then, too. */
bool oro_shared_make(struct oro_shared *shared, const char *what, size_t bytes);
/* The other side: maps the file that came. False: likewise. */
bool oro_shared_map(struct oro_shared *shared, int file, size_t bytes);
void oro_shared_free(struct oro_shared *shared);

#endif
