/* Calls and their values (lua/batch/batch.h) in messages between the program and the guest that runs a
 * script. Graphs and results have a number each, from 0 on, in place of the object. */
#ifndef ORO_LUA_BATCH_MESSAGE_H
#define ORO_LUA_BATCH_MESSAGE_H

#include "devices/guest/packet.h"
#include "devices/guest/words.h"
#include "lua/batch/batch.h"

/* Kinds of messages. */
enum {
    ORO_BATCH_SAYS_RUN = ORO_GUEST_OWN, /* to the guest: options and the script */
    ORO_BATCH_SAYS_CALL,                /* from it: a function of the host */
    ORO_BATCH_SAYS_RESULT,              /* to it: whether it worked; then what it gives, or else the error */
    ORO_BATCH_SAYS_RELEASE,             /* from it: the number of an object that the script no longer holds */
    ORO_BATCH_SAYS_PRINT,               /* from it: a line */
    ORO_BATCH_SAYS_MODULE,              /* from it: the name of a module */
    ORO_BATCH_SAYS_TEXT,   /* to it: whether there is one; then name and text, or else the error */
    ORO_BATCH_SAYS_WANTED, /* from it: the number of a result whose cells the script reads */
    ORO_BATCH_SAYS_CELLS,  /* to it: whether they are shared; then a file with them, or else the error */
    ORO_BATCH_SAYS_DONE,   /* from it */
};

/* Function, arguments, and whether it is common; `self` is the number of the object, or -1. */
void oro_batch_put_call(struct oro_packet *message, const struct oro_batch_call *call, int64_t self);
/* The rest of the message must be a call of a host's function with arguments that it takes. They live as long
 * as the message, and tables in `call->arena`. False: it is none, or memory is out. */
bool oro_batch_take_call(struct oro_packet *message, struct oro_batch_call *call, int64_t *self);

/* A graph or a result goes with its fields and `number`. `data` does not go along: it arrives as NULL, with
 * the number of channels if there is any. */
void oro_batch_put_result(struct oro_packet *message, const struct oro_batch_value *value, int64_t number);
/* Likewise; `*number` is -1 for what is no object. */
bool oro_batch_take_result(struct oro_packet *message, struct oro_arena *arena, struct oro_batch_value *value,
                           int64_t *number);

#endif
