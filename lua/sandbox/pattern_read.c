#include <string.h>

#include <lauxlib.h>

#include "lua/sandbox/guard.h"
#include "lua/sandbox/pattern.h"

struct reader {
    lua_State *lua;
    const char *at, *end;
    struct oro_pattern *pattern;
    int count;                      /* items */
    int open[ORO_PATTERN_CAPTURES]; /* open captures, from the outermost to the innermost */
    int depth;
    bool closed[ORO_PATTERN_CAPTURES];
};

static bool is_between(int c, int low, int high)
{
    return c >= low && c <= high;
}

static bool is_letter(int c)
{
    return is_between(c, 'a', 'z') || is_between(c, 'A', 'Z');
}

static bool is_digit(int c)
{
    return is_between(c, '0', '9');
}

static bool is_printed(int c)
{
    return is_between(c, 33, 126);
}

/* Whether `c` is of the class that a small letter names; `*known` is false if the letter names none. */
static bool is_of_class(int c, int class, bool *known)
{
    *known = true;
    switch (class) {
    case 'a':
        return is_letter(c);
    case 'c':
        return c < 32 || c == 127;
    case 'd':
        return is_digit(c);
    case 'g':
        return is_printed(c);
    case 'l':
        return is_between(c, 'a', 'z');
    case 'p':
        return is_printed(c) && !is_letter(c) && !is_digit(c);
    case 's':
        return c == ' ' || is_between(c, '\t', '\r');
    case 'u':
        return is_between(c, 'A', 'Z');
    case 'w':
        return is_letter(c) || is_digit(c);
    case 'x':
        return is_digit(c) || is_between(c, 'a', 'f') || is_between(c, 'A', 'F');
    default:
        *known = false;
        return false;
    }
}

static void set_add(uint32_t *set, int c)
{
    set[c >> 5] |= (uint32_t)1 << (c & 31);
}

/* Adds the class or the character that follows a '%'. */
static void add_escaped(uint32_t *set, int escaped)
{
    bool upper = is_between(escaped, 'A', 'Z'), known;
    int class = upper ? escaped - 'A' + 'a' : escaped;
    is_of_class(0, class, &known);
    if (!known) {
        set_add(set, escaped);
        return;
    }
    for (int c = 0; c < 256; c++)
        if (is_of_class(c, class, &known) != upper)
            set_add(set, c);
}

static int next_byte(struct reader *r, const char *missing)
{
    if (r->at >= r->end)
        return luaL_error(r->lua, "malformed pattern (%s)", missing);
    return (unsigned char)*r->at++;
}

static const char no_bracket[] = "missing ']'", no_escaped[] = "ends with '%'";

/* Reads what follows a '['. */
static void read_set(struct reader *r, uint32_t *set)
{
    bool others = r->at < r->end && *r->at == '^', first = true;
    r->at += others;
    for (;; first = false) {
        int c = next_byte(r, no_bracket);
        if (c == ']' && !first)
            break;
        if (c == '%') {
            add_escaped(set, next_byte(r, no_escaped));
            continue;
        }
        int last = c;
        if (r->end - r->at >= 2 && r->at[0] == '-' && r->at[1] != ']') {
            last = (unsigned char)r->at[1];
            r->at += 2;
        }
        for (; c <= last; c++)
            set_add(set, c);
    }
    for (int i = 0; others && i < 256 / 32; i++)
        set[i] = ~set[i];
}

static struct oro_pattern_item *add_item(struct reader *r, enum oro_pattern_kind kind)
{
    if (r->count == ORO_PATTERN_ITEMS)
        luaL_error(r->lua, "the pattern has more than %d parts", ORO_PATTERN_ITEMS);
    struct oro_pattern_item *item = &r->pattern->items[r->count++];
    memset(item, 0, sizeof *item);
    item->kind = (unsigned char)kind;
    return item;
}

static void read_open(struct reader *r)
{
    bool position = r->at < r->end && *r->at == ')';
    int index = r->pattern->captures++;
    if (index >= ORO_PATTERN_CAPTURES)
        luaL_error(r->lua, "too many captures");
    r->at += position;
    add_item(r, position ? ORO_PATTERN_POSITION : ORO_PATTERN_OPEN)->a = (unsigned char)index;
    r->closed[index] = position;
    if (!position)
        r->open[r->depth++] = index;
}

static void read_close(struct reader *r)
{
    if (!r->depth)
        luaL_error(r->lua, "malformed pattern (')' closes nothing)");
    int index = r->open[--r->depth];
    add_item(r, ORO_PATTERN_CLOSE)->a = (unsigned char)index;
    r->closed[index] = true;
}

/* Reads what follows a '%' outside of sets. True: it is one character or class, added as a set. */
static bool read_escaped(struct reader *r)
{
    int c = next_byte(r, no_escaped);
    if (c == 'b') {
        struct oro_pattern_item *item = add_item(r, ORO_PATTERN_BALANCE);
        item->a = (unsigned char)next_byte(r, "missing arguments to '%b'");
        item->b = (unsigned char)next_byte(r, "missing arguments to '%b'");
    } else if (c == 'f') {
        if (r->at >= r->end || *r->at++ != '[')
            luaL_error(r->lua, "missing '[' after '%%f' in pattern");
        read_set(r, add_item(r, ORO_PATTERN_FRONTIER)->set);
    } else if (is_digit(c)) {
        int index = c - '1';
        if (index < 0 || index >= r->pattern->captures || !r->closed[index])
            luaL_error(r->lua, "invalid capture index %%%d in pattern", index + 1);
        add_item(r, ORO_PATTERN_SAME)->a = (unsigned char)index;
    } else {
        add_escaped(add_item(r, ORO_PATTERN_SET)->set, c);
        return true;
    }
    return false;
}

/* Reads an item. True: it is one character or set, which may be repeated. */
static bool read_item(struct reader *r)
{
    int c = (unsigned char)*r->at++;
    if (c == '(' || c == ')') {
        (c == '(' ? read_open : read_close)(r);
        return false;
    }
    if (c == '$' && r->at == r->end) {
        add_item(r, ORO_PATTERN_END);
        return false;
    }
    if (c == '%')
        return read_escaped(r);
    uint32_t *set = add_item(r, ORO_PATTERN_SET)->set;
    if (c == '[')
        read_set(r, set);
    else if (c == '.')
        memset(set, 0xff, sizeof r->pattern->items[0].set);
    else
        set_add(set, c);
    return true;
}

void oro_pattern_read(lua_State *lua, const char *text, size_t length, bool anchors,
                      struct oro_pattern *pattern)
{
    struct reader r = {.lua = lua, .at = text, .end = text + length, .pattern = pattern};
    oro_guard_charge(lua, (double)length + 10);
    pattern->captures = 0;
    pattern->anchored = anchors && length && *text == '^';
    r.at += pattern->anchored;
    while (r.at < r.end)
        if (read_item(&r) && r.at < r.end && *r.at && strchr("*+-?", *r.at))
            pattern->items[r.count - 1].repeat = *r.at++;
    if (r.depth)
        luaL_error(lua, "unfinished capture");
    pattern->items[r.count].kind = ORO_PATTERN_STOP;
}
