/*
 * Which scripts may run within the program. What others have written runs in a process of its own, which
 * can be ended from outside; the program's own scripts, and those that the user has trusted once, need not.
 *
 * Trust is in a text, by its SHA-256: wherever the text lies and whatever it is called, it stays trusted, and
 * a single byte more is another text. A module that a script requires is a text of its own.
 *
 * The texts that are trusted are kept in orograph/trusted in XDG_STATE_HOME (else ~/.local/state), a line
 * for each: the digest, the day, and a name to remember it by. Lines that are anything else count for
 * nothing.
 */
#ifndef ORO_GRAPH_DERIVED_TRUST_H
#define ORO_GRAPH_DERIVED_TRUST_H

#include "base/file.h"
#include "base/log.h"
#include "base/sha256.h"

enum { ORO_TRUSTED_MAX = 4096, ORO_TRUSTED_NAME = 512 };

struct oro_trusted {
    char digest[ORO_SHA256_TEXT];
    char date[sizeof "2000-01-01"];
    char name[ORO_TRUSTED_NAME];
};

/* Begin with {0}, which trusts none but the program's own; one thread at a time. */
struct oro_trust {
    struct oro_trusted *items; /* in the order of the file: the oldest first */
    size_t count, capacity;
    struct oro_stamp stamp;
    bool unreadable; /* there may be a file, but what it holds is not known */
};

/* Reads the file unless it is as it was; to be called again from time to time. Returns whether it was read
 * anew or is gone. What is wrong with it is said to `log`. */
bool oro_trust_refresh(struct oro_trust *trust, const struct oro_log *log);
void oro_trust_free(struct oro_trust *trust);

/* Whether a text may run within the program. `path`: the file that it was read from; "" or NULL for a text
 * that lies within a document, which is never one of the program's own. */
bool oro_trust_allows(const struct oro_trust *trust, const char *path, const void *text, size_t length);
/* Whether the user has trusted the text of that digest. */
bool oro_trust_has(const struct oro_trust *trust, const char *digest);

/* Trusts texts from now on: one that is trusted already keeps its day and name. Of `added`, digests and names
 * count. All are written to the file, or none. ORO_E_WRITE, ORO_E_LIMIT, ORO_E_MEMORY. */
bool oro_trust_add(struct oro_trust *trust, const struct oro_trusted *added, size_t count,
                   struct oro_error *err);
/* Ends the trust in the text of that digest; NULL: in all. Returns likewise. */
bool oro_trust_remove(struct oro_trust *trust, const char *digest, struct oro_error *err);

#endif
