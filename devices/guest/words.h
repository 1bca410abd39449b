/* Messages that every guest and the program understand, beside those of the guest's work (kinds from
 * ORO_GUEST_OWN on). */
#ifndef ORO_GUEST_WORDS_H
#define ORO_GUEST_WORDS_H

#include <stdint.h>

enum {
    ORO_GUEST_LAST_WORDS = 1, /* from a guest that has to end: a signal, and the place in the script */
    ORO_GUEST_FAILED,         /* the work has failed: an error */
    ORO_GUEST_NOTE,           /* for the log: a level, and a text */
    ORO_GUEST_OWN = 16,
};

/* Between the program and the server: what is asked for, and the answer. A request to fork comes with the
 * guest's end of a pair of sockets, and is answered with its process; to end one, with how it ended (as
 * waitpid gives it). A negative answer is an error number. */
struct oro_guest_request {
    int32_t work; /* enum oro_guest_work, or -1: to end `process` */
    int32_t process, seconds;
    uint64_t memory;
};

struct oro_guest_answer {
    int32_t value;
};

/* Seconds of processor time that a guest may be in one call without asking whether to go on. */
#define ORO_GUEST_CALL_SECONDS 1.5

/* The server's end of its socket. */
enum { ORO_GUEST_CONTROL = 3 };

#endif
