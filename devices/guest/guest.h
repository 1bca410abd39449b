/*
 * Guests: processes that do what the program must not do itself, because it comes from strangers and cannot
 * be interrupted from within: running scripts, and a driver's compiler. A guest has no files, no network and
 * no other processes; its memory and its time are limited; and whatever it does, it can be ended. Its crash
 * is an error here.
 *
 * Guests are forked from a server, the program `orograph-guest`, which is started when the first is wanted
 * and stays, so that a guest costs less than a millisecond. Both sides talk in messages
 * (devices/guest/packet.h). Threads: any number of threads may have guests; each guest belongs to one thread.
 */
#ifndef ORO_GUEST_GUEST_H
#define ORO_GUEST_GUEST_H

#include "base/log.h"
#include "devices/guest/packet.h"

/* What a guest is for. */
enum oro_guest_work {
    ORO_GUEST_DESCRIBE, /* reads a script: lua/script */
    ORO_GUEST_GRAPH,    /* builds a script's graph: lua/types */
    ORO_GUEST_EVALUATE, /* evaluates a function of a script: lua/field */
    ORO_GUEST_BATCH,    /* runs the script of `orograph run`: lua/batch */
    ORO_GUEST_WORKS,
};

struct oro_guest_limits {
    const char *name; /* what messages call it: a script's file */
    /* That the guest may take in all, while it is waited for: of its processor time, on a busy machine. 0:
     * any number. */
    double seconds;
    size_t memory;               /* bytes that it may have besides those of the program */
    bool (*stopped)(void *user); /* whether the user asked to stop; or NULL */
    void *user;
    const struct oro_log *log; /* gets its notes; NULL drops them */
};

struct oro_guest;

/* Fails with ORO_E_EVALUATE where no guest can be made: then the work cannot be done. */
struct oro_guest *oro_guest_begin(enum oro_guest_work work, const struct oro_guest_limits *limits,
                                  struct oro_error *err);
/* Both fail with ORO_E_LIMIT when the time is over, with ORO_E_CANCELLED, with ORO_E_EVALUATE when the guest
 * has crashed. The text begins with the line of the script, "FILE:LINE: ", if that is known. Receiving also
 * fails with the error that the guest tells, and passes its notes on. Afterwards there is nothing left but to
 * end the guest. */
bool oro_guest_send(struct oro_guest *guest, const struct oro_packet *message, struct oro_error *err);
bool oro_guest_receive(struct oro_guest *guest, struct oro_packet *message, struct oro_error *err);
/* Takes from the time of a guest that has a limit what was spent on work that it asked for, but for a moment
 * in which it can notice. */
void oro_guest_spend(struct oro_guest *guest, double seconds);
/* Kills it if it still runs. NULL is allowed. */
void oro_guest_end(struct oro_guest *guest);

/* For messages that say what no guest should: fails with ORO_E_EVALUATE. */
bool oro_guest_refuse(struct oro_guest *guest, struct oro_error *err);

#endif
