#include <string.h>

#include "lua/sandbox/guard.h"
#include "lua/sandbox/pattern.h"

/* Comparisons in a step of 10 ns, and how many may be made before they are charged for. */
static const double per_step = 4, most_unpaid = 4000;

void oro_pattern_settle(struct oro_matcher *matcher)
{
    double steps = matcher->work / per_step;
    matcher->work = 0;
    oro_guard_charge(matcher->lua, steps);
}

static void work(struct oro_matcher *matcher, double amount)
{
    matcher->work += amount;
    if (matcher->work > most_unpaid)
        oro_pattern_settle(matcher);
}

static bool has(const uint32_t *set, char c)
{
    unsigned char byte = (unsigned char)c;
    return set[byte >> 5] >> (byte & 31) & 1;
}

static const char *match(struct oro_matcher *m, const struct oro_pattern_item *item, const char *at);

/* Tries as many repetitions as there are, then fewer. */
static const char *match_most(struct oro_matcher *m, const struct oro_pattern_item *item, const char *at)
{
    const char *least = at + (item->repeat == '+'), *last = at;
    const char *limit = item->repeat == '?' && at < m->end ? at + 1 : m->end;
    while (last < limit && has(item->set, *last))
        last++;
    work(m, (double)(last - at));
    for (; last >= least; last--) {
        const char *end = match(m, item + 1, last);
        if (end)
            return end;
    }
    return NULL;
}

static const char *match_fewest(struct oro_matcher *m, const struct oro_pattern_item *item, const char *at)
{
    for (;; at++) {
        const char *end = match(m, item + 1, at);
        if (end)
            return end;
        if (at >= m->end || !has(item->set, *at))
            return NULL;
    }
}

/* The end of a text between two characters that are nested in pairs; NULL: there is none here. */
static const char *balanced(struct oro_matcher *m, const struct oro_pattern_item *item, const char *at)
{
    const char *start = at;
    size_t depth = 1;
    if (at >= m->end || (unsigned char)*at != item->a)
        return NULL;
    while (++at < m->end && depth) {
        if ((unsigned char)*at == item->b)
            depth--;
        else if ((unsigned char)*at == item->a)
            depth++;
    }
    work(m, (double)(at - start));
    return depth ? NULL : at;
}

static const char *same(struct oro_matcher *m, const struct oro_pattern_item *item, const char *at)
{
    const char *from = m->from[item->a], *to = m->to[item->a];
    if (!to)
        return NULL; /* a position has no text to compare with */
    size_t length = (size_t)(to - from);
    if (length > (size_t)(m->end - at))
        return NULL;
    work(m, (double)length / 16);
    return memcmp(from, at, length) == 0 ? at + length : NULL;
}

static bool is_frontier(const struct oro_matcher *m, const struct oro_pattern_item *item, const char *at)
{
    char before = at > m->text ? at[-1] : 0, here = at < m->end ? *at : 0;
    return !has(item->set, before) && has(item->set, here);
}

/* Matches an item that can match in only one way. Returns the end of it, or NULL. */
static const char *match_item(struct oro_matcher *m, const struct oro_pattern_item *item, const char *at)
{
    switch ((enum oro_pattern_kind)item->kind) {
    case ORO_PATTERN_SET:
        return at < m->end && has(item->set, *at) ? at + 1 : NULL;
    case ORO_PATTERN_OPEN:
    case ORO_PATTERN_POSITION:
        m->from[item->a] = at;
        m->to[item->a] = NULL;
        return at;
    case ORO_PATTERN_CLOSE:
        m->to[item->a] = at;
        return at;
    case ORO_PATTERN_SAME:
        return same(m, item, at);
    case ORO_PATTERN_BALANCE:
        return balanced(m, item, at);
    case ORO_PATTERN_FRONTIER:
        return is_frontier(m, item, at) ? at : NULL;
    case ORO_PATTERN_END:
        return at == m->end ? at : NULL;
    case ORO_PATTERN_STOP:
        break;
    }
    return at;
}

/* Recurses only for repeated items, so not deeper than the pattern has items. */
static const char *match(struct oro_matcher *m, const struct oro_pattern_item *item, const char *at)
{
    for (; at && item->kind != ORO_PATTERN_STOP; item++) {
        work(m, 2);
        if (item->repeat == '-')
            return match_fewest(m, item, at);
        if (item->repeat)
            return match_most(m, item, at);
        at = match_item(m, item, at);
    }
    return at;
}

const char *oro_pattern_match(struct oro_matcher *matcher, const char *at)
{
    work(matcher, 1);
    return match(matcher, matcher->pattern->items, at);
}
