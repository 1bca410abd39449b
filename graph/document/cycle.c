/* Finds cycles: searches depth first along the links, without recursion, visiting each node and link once. */
#include <stdint.h>
#include <stdio.h>

#include "base/memory.h"
#include "graph/document/document_private.h"

/* Links that are tangled together can form any number of cycles; this many are enough to find the tangle. */
enum { CYCLES_MAX = 20 };

struct visit {
    size_t node, next_input;
};

struct search {
    const struct oro_document *doc;
    struct oro_problems *problems;
    struct visit *stack;
    size_t height;
    int cycles;    /* reported so far */
    size_t *depth; /* per node: 0 not seen, DONE, or 1 + its place on the stack */
};

static const size_t DONE = SIZE_MAX;

/* Links lead from nodes high on the stack to those below, so the cycle is told from the top down. */
static void report_cycle(struct search *search, size_t start)
{
    if (++search->cycles > CYCLES_MAX)
        return;
    const struct oro_document *doc = search->doc;
    const struct oro_doc_node *first = oro_document_node(doc, start);
    char path[420];
    size_t used = (size_t)snprintf(path, sizeof path, "%.100s", first->id);
    for (size_t i = search->height; i-- > search->depth[start];) {
        if (used > 280) {
            snprintf(path + used, sizeof path - used, " -> ...");
            break;
        }
        const char *id = oro_document_node(doc, search->stack[i].node)->id;
        used += (size_t)snprintf(path + used, sizeof path - used, " -> %.100s", id);
    }
    oro_problem_add(search->problems, true, "cycle", first->line, first->id,
                    "links form a cycle: %s -> %.100s", path, first->id);
}

static void enter(struct search *search, size_t node)
{
    search->stack[search->height++] = (struct visit){node, 0};
    search->depth[node] = search->height;
}

static void search_from(struct search *search, size_t start)
{
    enter(search, start);
    while (search->height > 0) {
        struct visit *top = &search->stack[search->height - 1];
        const struct oro_doc_node *node = oro_document_node(search->doc, top->node);
        if (top->next_input == node->input_count) {
            search->depth[top->node] = DONE;
            search->height--;
            continue;
        }
        const struct oro_doc_input *input = &node->inputs[top->next_input++];
        size_t source = input->from_node ? oro_document_find_index(search->doc, input->from_node) : SIZE_MAX;
        if (source == SIZE_MAX || search->depth[source] == DONE)
            continue;
        if (search->depth[source] > 0)
            report_cycle(search, source);
        else
            enter(search, source);
    }
}

void oro_check_cycles(const struct oro_document *doc, struct oro_problems *problems)
{
    size_t count = doc->node_count;
    struct search search = {
        .doc = doc,
        .problems = problems,
        .stack = oro_alloc(count, sizeof *search.stack),
        .depth = oro_alloc(count, sizeof *search.depth),
    };
    if (!search.stack || !search.depth)
        oro_problem_add(problems, true, "memory", 0, NULL, "no memory to look for cycles");
    for (size_t i = 0; search.stack && search.depth && i < count; i++)
        if (search.depth[i] == 0)
            search_from(&search, i);
    oro_free(search.stack);
    oro_free(search.depth);
}
