#include <string.h>

#include "editor/live/live_private.h"

static bool copy_wants(struct oro_arena *arena, struct ed_want *to, const struct ed_want *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = (struct ed_want){oro_arena_text(arena, from[i].node), oro_arena_text(arena, from[i].output),
                                 from[i].derive};
        if (!to[i].node || !to[i].output)
            return false;
    }
    return true;
}

static bool copy_way(struct ed_work *work, const struct ed_live_request *request)
{
    work->way = oro_arena_alloc(work->arena, request->depth + 1, sizeof *work->way);
    work->prefix = oro_arena_text(work->arena, "");
    work->depth = request->depth;
    for (size_t i = 0; work->way && work->prefix && i < request->depth; i++) {
        work->way[i] = oro_arena_text(work->arena, request->way[i]);
        work->prefix = oro_arena_textf(work->arena, "%s%s/", work->prefix, request->way[i]);
        if (!work->way[i])
            return false;
    }
    return work->way && work->prefix;
}

struct ed_work *ed_work_create(const struct ed_live_request *request)
{
    struct oro_arena *arena = oro_arena_create();
    struct ed_work *work = arena ? oro_arena_alloc(arena, 1, sizeof *work) : NULL;
    if (!work) {
        oro_arena_destroy(arena);
        return NULL;
    }
    *work = (struct ed_work){
        .arena = arena,
        .revision = request->revision,
        .path = oro_arena_text(arena, oro_document_path(request->root)),
        .view_count = request->view_count < ED_VIEWS_MAX ? request->view_count : ED_VIEWS_MAX,
        .thumbnails = oro_arena_alloc(arena, request->thumbnail_count + 1, sizeof *work->thumbnails),
        .thumbnail_count = request->thumbnail_count,
        .preview = request->preview > 0 ? request->preview : 256,
        .resolution = request->resolution > 0 ? request->resolution : 0,
        .paused = request->paused,
    };
    if (work->path && work->thumbnails && copy_way(work, request) &&
        copy_wants(arena, work->views, request->views, work->view_count) &&
        copy_wants(arena, work->thumbnails, request->thumbnails, request->thumbnail_count))
        return work;
    oro_arena_destroy(arena);
    return NULL;
}

void ed_work_destroy(struct ed_work *work)
{
    if (work)
        oro_arena_destroy(work->arena);
}

static bool same_wants(const struct ed_want *a, const struct ed_want *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i].derive != b[i].derive || strcmp(a[i].node, b[i].node) != 0 ||
            strcmp(a[i].output, b[i].output) != 0)
            return false;
    return true;
}

bool ed_work_same(const struct ed_work *a, const struct ed_work *b)
{
    return a->revision == b->revision && a->view_count == b->view_count && a->preview == b->preview &&
           a->resolution == b->resolution && a->paused == b->paused && strcmp(a->path, b->path) == 0 &&
           strcmp(a->prefix, b->prefix) == 0 && same_wants(a->views, b->views, a->view_count);
}

bool ed_work_same_thumbnails(const struct ed_work *a, const struct ed_work *b)
{
    return a->thumbnail_count == b->thumbnail_count &&
           same_wants(a->thumbnails, b->thumbnails, a->thumbnail_count);
}
