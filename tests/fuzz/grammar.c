#include "tests/fuzz/grammar.h"

#include <ctype.h>
#include <string.h>

enum { DEPTH_MAX = 24, LENGTH_MAX = 6000 };

static const struct fuzz_rule *find(const struct fuzz_rule *rules, const char *name, size_t length)
{
    for (; rules->name; rules++)
        if (strlen(rules->name) == length && memcmp(rules->name, name, length) == 0)
            return rules;
    fuzz_fail(__FILE__, __LINE__, name); /* a misspelt rule */
}

static const char *choose(struct fuzz_bytes *bytes, const struct fuzz_rule *rule, bool last)
{
    unsigned count = 0;
    while (rule->choices[count])
        count++;
    return rule->choices[last ? 0 : fuzz_below(bytes, count)];
}

static void expand(struct fuzz_bytes *bytes, const struct fuzz_rule *rules, const char *text, int depth,
                   struct oro_text *out)
{
    while (*text) {
        size_t plain = strcspn(text, "$"), name = 0;
        oro_text_add_bytes(out, text, plain);
        text += plain;
        if (!*text)
            break;
        text++;
        while (islower((unsigned char)text[name]) || text[name] == '_')
            name++;
        const struct fuzz_rule *rule = find(rules, text, name);
        expand(bytes, rules, choose(bytes, rule, depth > DEPTH_MAX || out->length > LENGTH_MAX), depth + 1,
               out);
        text += name;
    }
}

void fuzz_expand(struct fuzz_bytes *bytes, const struct fuzz_rule *rules, const char *start,
                 struct oro_text *out)
{
    expand(bytes, rules, start, 0, out);
    fuzz_require(!out->failed);
}
