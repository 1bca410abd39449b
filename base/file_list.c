#include "base/file_list.h"

#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/text.h"

static void add(struct oro_file_list *list, const char *path, const struct oro_stamp *stamp)
{
    void *items = list->items;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].path, path) == 0)
            return;
    char *copy = oro_copy_text(path);
    if (!copy || !oro_reserve(&items, &list->capacity, list->count + 1, sizeof *list->items)) {
        oro_free(copy);
        list->failed = true;
        return;
    }
    list->items = items;
    list->items[list->count++] = (struct oro_listed_file){copy, stamp ? *stamp : oro_stamp_of(path)};
}

void oro_file_list_add(struct oro_file_list *list, const char *path)
{
    add(list, path, NULL);
}

void oro_file_list_add_sidecar(struct oro_file_list *list, const char *path)
{
    struct oro_text sidecar = {0};
    oro_text_addf(&sidecar, "%s.json", path);
    if (sidecar.failed)
        list->failed = true;
    else
        add(list, sidecar.data, NULL);
    oro_text_free(&sidecar);
}

void oro_file_list_add_folder(struct oro_file_list *list, const char *path)
{
    char *folder = oro_copy_text(path);
    char *end = folder ? strrchr(folder, '/') : NULL;
    if (end)
        end[end == folder] = '\0';
    if (folder)
        add(list, end ? folder : ".", NULL);
    list->failed = list->failed || !folder;
    oro_free(folder);
}

void oro_file_list_add_all(struct oro_file_list *list, const struct oro_file_list *others)
{
    for (size_t i = 0; i < others->count; i++)
        add(list, others->items[i].path, &others->items[i].stamp);
    list->failed = list->failed || others->failed;
}

bool oro_file_list_same(const struct oro_file_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct oro_stamp now = oro_stamp_of(list->items[i].path);
        if (!oro_stamp_equal(&list->items[i].stamp, &now))
            return false;
    }
    return true;
}

bool oro_file_list_settled(const struct oro_file_list *list)
{
    /* A missing file has a stamp of zero. */
    int64_t latest = (int64_t)time(NULL) - ORO_FILE_SETTLED_SECONDS;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].stamp.seconds >= latest)
            return false;
    return !list->failed;
}

void oro_file_list_free(struct oro_file_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        oro_free(list->items[i].path);
    oro_free(list->items);
    *list = (struct oro_file_list){0};
}
