/*
 * Lua's patterns (reference manual 6.4.1): a pattern is read once into a list of items, and matched by
 * backtracking that is charged for every step (oro_guard_charge), so that no pattern takes longer than the
 * script may. Letters are those of ASCII.
 */
#ifndef ORO_LUA_SANDBOX_PATTERN_H
#define ORO_LUA_SANDBOX_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lua.h>

enum { ORO_PATTERN_CAPTURES = 32, ORO_PATTERN_ITEMS = 250 };

enum oro_pattern_kind {
    ORO_PATTERN_STOP, /* follows the last item */
    ORO_PATTERN_SET,  /* one character of a set */
    ORO_PATTERN_OPEN,
    ORO_PATTERN_POSITION, /* () */
    ORO_PATTERN_CLOSE,
    ORO_PATTERN_SAME,     /* %1 */
    ORO_PATTERN_BALANCE,  /* %bxy */
    ORO_PATTERN_FRONTIER, /* %f[set] */
    ORO_PATTERN_END,      /* $ */
};

struct oro_pattern_item {
    unsigned char kind;
    char repeat;            /* for a set: '*', '+', '-', '?' or 0 */
    unsigned char a, b;     /* the number of the capture, from 0; or the two characters of %b */
    uint32_t set[256 / 32]; /* a bit for each byte */
};

struct oro_pattern {
    bool anchored;
    int captures;
    struct oro_pattern_item items[ORO_PATTERN_ITEMS + 1];
};

/* Reads a pattern; raises an error if it is malformed. `anchors`: a '^' at the start is an anchor. */
void oro_pattern_read(lua_State *lua, const char *text, size_t length, bool anchors,
                      struct oro_pattern *pattern);

struct oro_matcher {
    lua_State *lua;
    const struct oro_pattern *pattern;
    const char *text, *end;
    double work;                                                       /* work that is not yet paid for */
    const char *from[ORO_PATTERN_CAPTURES], *to[ORO_PATTERN_CAPTURES]; /* `to` is NULL for a position */
};

/* The end of the match that begins at `at`; NULL: there is none. */
const char *oro_pattern_match(struct oro_matcher *matcher, const char *at);
/* Charges for the work that was done. */
void oro_pattern_settle(struct oro_matcher *matcher);

#endif
