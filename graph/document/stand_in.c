/* Working copies that are read in place of the files that a document names. */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "graph/document/document_private.h"

static void free_one(struct oro_stand_in *one)
{
    oro_free(one->path);
    oro_free(one->file);
}

void oro_stand_ins_free(struct oro_document *doc)
{
    for (size_t i = 0; i < doc->stand_in_count; i++)
        free_one(&doc->stand_ins[i]);
    oro_free(doc->stand_ins);
    doc->stand_ins = NULL;
    doc->stand_in_count = doc->stand_in_capacity = 0;
}

static bool add(struct oro_document *doc, const char *path, const char *file)
{
    void *items = doc->stand_ins;
    struct oro_stand_in one = {oro_copy_text(path), oro_copy_text(file)};
    bool ok = one.path && one.file &&
              oro_reserve(&items, &doc->stand_in_capacity, doc->stand_in_count + 1, sizeof one);
    doc->stand_ins = items;
    if (ok)
        doc->stand_ins[doc->stand_in_count++] = one;
    else
        free_one(&one);
    return ok;
}

bool oro_stand_ins_copy(struct oro_document *to, const struct oro_document *from)
{
    for (size_t i = 0; i < from->stand_in_count; i++)
        if (!add(to, from->stand_ins[i].path, from->stand_ins[i].file))
            return false;
    return true;
}

static struct oro_stand_in *find(const struct oro_document *doc, const char *path)
{
    for (size_t i = 0; i < doc->stand_in_count; i++)
        if (strcmp(doc->stand_ins[i].path, path) == 0)
            return &doc->stand_ins[i];
    return NULL;
}

bool oro_stand_ins_equal(const struct oro_document *a, const struct oro_document *b)
{
    bool equal = (a ? a->stand_in_count : 0) == b->stand_in_count;
    for (size_t i = 0; equal && i < b->stand_in_count; i++) {
        const struct oro_stand_in *found = find(a, b->stand_ins[i].path);
        equal = found && strcmp(found->file, b->stand_ins[i].file) == 0;
    }
    return equal;
}

bool oro_document_stand_in(struct oro_document *doc, const char *path, const char *file,
                           struct oro_error *err)
{
    struct oro_stand_in *found = find(doc, path);
    if (file ? found && strcmp(found->file, file) == 0 : !found)
        return true;
    if (file && !add(doc, path, file))
        return oro_fail(err, ORO_E_MEMORY, "no memory for a working copy of '%s'", path);
    found = find(doc, path); /* adding may have moved it */
    if (!file || found != &doc->stand_ins[doc->stand_in_count - 1]) {
        free_one(found);
        *found = doc->stand_ins[--doc->stand_in_count];
    }
    doc->revision++;
    return true;
}

const char *oro_document_file_for(const struct oro_document *doc, const char *path)
{
    char *place = doc->stand_in_count > 0 ? oro_path_place(path) : NULL;
    const struct oro_stand_in *found = place ? find(doc, place) : NULL;
    oro_free(place);
    return found ? found->file : path;
}
