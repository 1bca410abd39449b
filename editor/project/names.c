/* Lists of ids, free ones, and the area that nodes cover. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "editor/project/operations_private.h"

static size_t find(const struct ed_names *names, const char *name)
{
    size_t i = 0;
    while (i < names->count && strcmp(names->items[i], name) != 0)
        i++;
    return i;
}

bool ed_names_add(struct ed_names *names, const char *name)
{
    if (find(names, name) < names->count)
        return true;
    void *items = names->items;
    if (!oro_reserve(&items, &names->capacity, names->count + 1, sizeof *names->items))
        return false;
    names->items = items;
    names->items[names->count] = oro_copy_text(name);
    if (!names->items[names->count])
        return false;
    names->count++;
    return true;
}

void ed_names_remove(struct ed_names *names, const char *name)
{
    size_t i = find(names, name);
    if (i == names->count)
        return;
    oro_free(names->items[i]);
    names->count--;
    memmove(names->items + i, names->items + i + 1, (names->count - i) * sizeof *names->items);
}

bool ed_names_have(const struct ed_names *names, const char *name)
{
    return find(names, name) < names->count;
}

void ed_names_clear(struct ed_names *names)
{
    while (names->count > 0)
        oro_free(names->items[--names->count]);
}

void ed_names_free(struct ed_names *names)
{
    ed_names_clear(names);
    oro_free(names->items);
    *names = (struct ed_names){0};
}

bool *ed_marks_of(const struct oro_document *doc, const struct ed_names *names, struct oro_error *err)
{
    bool *marks = oro_alloc(oro_document_node_count(doc) + 1, sizeof *marks);
    if (!marks) {
        ed_no_memory(err);
        return NULL;
    }
    for (size_t i = 0; i < names->count; i++) {
        size_t index = oro_document_find_index(doc, names->items[i]);
        if (index == SIZE_MAX) {
            oro_free(marks);
            oro_fail(err, ORO_E_DOCUMENT, "there is no node '%.100s'", names->items[i]);
            return NULL;
        }
        marks[index] = true;
    }
    return marks;
}

bool ed_no_memory(struct oro_error *err)
{
    return oro_fail(err, ORO_E_MEMORY, "no memory to edit the document");
}

/* ---- Free ids ---- */

static bool allowed(char c, bool first)
{
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    return letter || (!first && ((c >= '0' && c <= '9') || c == '-'));
}

void ed_clean_id(const char *wanted, char id[ED_ID_SIZE])
{
    size_t length = 0;
    for (; *wanted && length + 1 < ED_ID_SIZE; wanted++) {
        if (length == 0 && *wanted >= '0' && *wanted <= '9')
            id[length++] = '_';
        if (allowed(*wanted, length == 0))
            id[length++] = *wanted;
        else if (length == 0 || id[length - 1] != '_')
            id[length++] = '_';
    }
    id[length] = '\0';
    if (length == 0)
        snprintf(id, ED_ID_SIZE, "node");
}

static bool is_taken(const struct oro_document *doc, const struct oro_document *also, const char *id)
{
    return oro_document_find(doc, id) || (also && oro_document_find(also, id));
}

struct numbering {
    const struct oro_document *doc, *also;
    char id[ED_ID_SIZE + 24];
    const char *stem;
};

static bool is_free(struct numbering *numbering, size_t number)
{
    snprintf(numbering->id, sizeof numbering->id, "%s%zu", numbering->stem, number);
    return !is_taken(numbering->doc, numbering->also, numbering->id);
}

/* Finds the lowest free number if it is small; else one after a taken number, by bisection: with thousands of
 * copies, trying all would take long. */
static void choose_number(struct numbering *numbering)
{
    enum { FEW = 32 };
    for (size_t number = 2; number < FEW; number++)
        if (is_free(numbering, number))
            return;
    size_t taken = FEW - 1, free = 2 * FEW;
    for (; !is_free(numbering, free); free *= 2)
        taken = free;
    while (free - taken > 1) {
        size_t middle = taken + (free - taken) / 2;
        *(is_free(numbering, middle) ? &free : &taken) = middle;
    }
    is_free(numbering, free);
}

char *ed_free_id_in(const struct oro_document *doc, const struct oro_document *also, const char *wanted)
{
    char stem[ED_ID_SIZE];
    ed_clean_id(wanted, stem);
    if (!is_taken(doc, also, stem))
        return oro_copy_text(stem);
    size_t length = strlen(stem);
    while (length > 1 && isdigit((unsigned char)stem[length - 1]))
        length--;
    stem[length] = '\0';
    struct numbering numbering = {.doc = doc, .also = also, .stem = stem};
    choose_number(&numbering);
    return oro_copy_text(numbering.id);
}

char *ed_free_id(const struct oro_document *doc, const char *wanted)
{
    return ed_free_id_in(doc, NULL, wanted);
}

char *ed_free_group(const struct oro_document *root, const struct oro_document *also, const char *wanted)
{
    char stem[ED_ID_SIZE], name[ED_ID_SIZE + 24];
    ed_clean_id(wanted, stem);
    snprintf(name, sizeof name, "%s", stem);
    for (size_t number = 2;
         oro_document_find_group(root, name) || (also && oro_document_find_group(also, name)); number++)
        snprintf(name, sizeof name, "%s%zu", stem, number);
    return oro_copy_text(name);
}

struct ed_area ed_node_box(const struct oro_doc_node *node, const struct ed_sizes *sizes)
{
    double width = 160, height = 60;
    if (sizes && sizes->size)
        sizes->size(sizes->user, node->id, &width, &height);
    return (struct ed_area){node->x, node->y, node->x + fmax(width, 1), node->y + fmax(height, 1)};
}

bool *ed_frames_of(const struct oro_document *doc, const bool *nodes)
{
    bool *frames = oro_alloc(oro_document_frame_count(doc) + 1, sizeof *frames);
    for (size_t i = 0; frames && i < oro_document_frame_count(doc); i++) {
        const struct ed_area box = ed_frame_box(oro_document_frame(doc, i));
        bool own = false, other = false;
        for (size_t k = 0; k < oro_document_node_count(doc); k++) {
            const struct oro_doc_node *node = oro_document_node(doc, k);
            if (!ed_area_holds(&box, node->x, node->y))
                continue;
            own |= nodes[k];
            other |= !nodes[k];
        }
        frames[i] = own && !other;
    }
    return frames;
}
