/* Tables of what is the same in an iteration of a loop for all vectors of a row. */
#include "devices/processor/compiler/emit.h"

enum { ITERATIONS_MAX = 128, VALUES_MAX = 96 };

/* A variable of the loop, whose number in the row's own run of it has a name. */
struct kc_counter {
    struct kc_counter *next;
    const struct kc_object *object;
    int leaf;
    const char *name;
};

struct kc_table {
    struct oro_text before, inside; /* the row's own run of the loop: what is declared, and an iteration */
    const char *iteration;          /* number of it, in both */
    struct kc_counter *counters;
    int values;
    int ends; /* conditions that are known in it and end it */
};
const struct kc_table kc_row;

/* Whether a loop may have one: what only some lanes come to is not worth it. */
static bool is_worth_it(const struct kc_emit *k, const struct kc_fact *fact)
{
    bool worth = k->tables && fact->rolled && !fact->endless;
    for (int i = 0; i < k->frame_count; i++)
        worth = worth && !(k->frames[i].kind == KC_ARM && k->frames[i].parted);
    return worth;
}

const char *kc_open_table(struct kc_emit *k, struct kc_frame *loop)
{
    if (!is_worth_it(k, loop->fact))
        return NULL;
    loop->table = kc_new(k->module, 1, sizeof *loop->table);
    return loop->table->iteration = kc_number(k, "n");
}

void kc_close_table(struct kc_emit *k, const struct kc_frame *loop)
{
    struct kc_table *table = loop->table;
    if (!table)
        return;
    if (!table->ends)
        kc_learn(k, &loop->fact->endless);
    const char *n = table->iteration;
    if (table->before.data && table->inside.data)
        oro_text_addf(&k->row,
                      "%s        if (%s) for (int %s = 0;; %s++) {\n"
                      "            if (%s == %d) { to = from - 1; break; }\n%s        }\n",
                      table->before.data, k->when, n, n, n, ITERATIONS_MAX, table->inside.data);
    oro_text_free(&table->before);
    oro_text_free(&table->inside);
    if (loop->fact->left || loop->exits != table->ends)
        return;
    /* No vector leaves the loop otherwise: behind it, its counters are what they are after the row's run. */
    for (const struct kc_counter *c = table->counters; c; c = c->next)
        c->object->known[c->leaf] =
            (struct kc_known){kc_uniform(c->object->letters[c->leaf], c->name), k->region};
}

struct kc_leaf kc_tabulate(struct kc_emit *k, const struct kc_table *span, char type, const char *text)
{
    int i = k->frame_count - 1;
    while (i >= 0 && k->frames[i].table != span)
        i--;
    struct kc_table *table = i >= 0 ? k->frames[i].table : NULL;
    if (!table || table->values == VALUES_MAX)
        return kc_temporary(k, false, type, text);
    table->values++;
    const char *name = kc_number(k, "q"), *c_type = kc_c_type(false, type), *n = table->iteration;
    oro_text_addf(&table->before, "        %s %s_s[%d];\n", c_type, name, ITERATIONS_MAX);
    oro_text_addf(&table->inside, "            const %s %s = %s_s[%s] = %s;\n", c_type, name, name, n, text);
    kc_line(k, "const %s %s = %s_s[%s];", c_type, name, name, n);
    return (struct kc_leaf){.type = type, .text = name, .span = table};
}

/* The table of the innermost loop, if this point is reached in every iteration of it that is not over. */
static struct kc_table *table_here(const struct kc_emit *k)
{
    int loop = k->frame_count - 1;
    while (loop >= 0 && (k->frames[loop].kind != KC_LOOP_FRAME || k->frames[loop].unrolled))
        loop--;
    for (int i = loop + 1; i < k->frame_count; i++)
        if (k->frames[i].kind != (i == loop + 1 ? KC_BODY : KC_FUNCTION) || k->frames[i].labelled)
            return NULL;
    return loop >= 0 ? k->frames[loop].table : NULL;
}

bool kc_table_line(struct kc_emit *k, const struct kc_table *span, const char *text)
{
    struct kc_table *table = table_here(k);
    if (!table || table != span)
        return false;
    oro_text_addf(&table->inside, "            %s\n", text);
    return true;
}

static bool is_known_in(struct kc_leaf x, const struct kc_table *table)
{
    return !x.wide && table && (x.span == &kc_row || x.span == table);
}

void kc_end_table(struct kc_emit *k, struct kc_leaf condition, bool goes_on)
{
    struct kc_table *table = table_here(k);
    if (!is_known_in(condition, table))
        return;
    table->ends++;
    oro_text_addf(&table->inside, "            if (%s%s) break;\n", goes_on ? "!" : "", condition.text);
}

static struct kc_counter *counter_of(const struct kc_table *table, const struct kc_object *o, int leaf)
{
    struct kc_counter *counter = table->counters;
    while (counter && (counter->object != o || counter->leaf != leaf))
        counter = counter->next;
    return counter;
}

bool kc_count(struct kc_emit *k, const struct kc_object *o, int leaf, struct kc_leaf x)
{
    struct kc_table *table = table_here(k);
    if (!is_known_in(x, table))
        return false;
    const struct kc_counter *counter = counter_of(table, o, leaf);
    if (counter)
        oro_text_addf(&table->inside, "            %s = %s;\n", counter->name, x.text);
    return true;
}

struct kc_leaf kc_counter(struct kc_emit *k, const struct kc_object *o, int leaf, const struct kc_fact *fact,
                          struct kc_leaf first)
{
    int i = k->frame_count - 1;
    while (i >= 0 && (!k->frames[i].table || k->frames[i].fact != fact))
        i--;
    struct kc_leaf none = {0};
    struct kc_table *table = i >= 0 ? k->frames[i].table : NULL;
    if (!table || table->values == VALUES_MAX)
        return none;
    struct kc_counter *counter = counter_of(table, o, leaf);
    if (!counter) {
        if (!first.text || first.wide || first.span != &kc_row)
            return none;
        counter = kc_new(k->module, 1, sizeof *counter);
        *counter = (struct kc_counter){table->counters, o, leaf, kc_number(k, "counter")};
        table->counters = counter;
        oro_text_addf(&table->before, "        %s %s = %s;\n", kc_c_type(false, o->letters[leaf]),
                      counter->name, first.text);
    }
    return kc_tabulate(k, table, o->letters[leaf], counter->name);
}
