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

static bool copy_entered(struct ed_request *request, const struct ed_live_request *asked)
{
    request->entered = oro_arena_alloc(request->arena, asked->depth + 1, sizeof *request->entered);
    request->prefix = oro_arena_text(request->arena, "");
    request->depth = asked->depth;
    for (size_t i = 0; request->entered && request->prefix && i < asked->depth; i++) {
        request->entered[i] = oro_arena_text(request->arena, asked->entered[i]);
        request->prefix = oro_arena_textf(request->arena, "%s%s/", request->prefix, asked->entered[i]);
        if (!request->entered[i])
            return false;
    }
    return request->entered && request->prefix;
}

struct ed_request *ed_request_create(const struct ed_live_request *asked)
{
    struct oro_arena *arena = oro_arena_create();
    struct ed_request *request = arena ? oro_arena_alloc(arena, 1, sizeof *request) : NULL;
    if (!request) {
        oro_arena_destroy(arena);
        return NULL;
    }
    *request = (struct ed_request){
        .arena = arena,
        .revision = asked->revision,
        .path = oro_arena_text(arena, oro_document_path(asked->root)),
        .view_count = asked->view_count < ED_VIEWS_MAX ? asked->view_count : ED_VIEWS_MAX,
        .thumbnails = oro_arena_alloc(arena, asked->thumbnail_count + 1, sizeof *request->thumbnails),
        .thumbnail_count = asked->thumbnail_count,
        .preview = asked->preview > 0 ? asked->preview : 256,
        .resolution = asked->resolution > 0 ? asked->resolution : 0,
        .paused = asked->paused,
    };
    if (request->path && request->thumbnails && copy_entered(request, asked) &&
        copy_wants(arena, request->views, asked->views, request->view_count) &&
        copy_wants(arena, request->thumbnails, asked->thumbnails, asked->thumbnail_count))
        return request;
    oro_arena_destroy(arena);
    return NULL;
}

void ed_request_destroy(struct ed_request *request)
{
    if (request)
        oro_arena_destroy(request->arena);
}

static bool same_wants(const struct ed_want *a, const struct ed_want *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i].derive != b[i].derive || strcmp(a[i].node, b[i].node) != 0 ||
            strcmp(a[i].output, b[i].output) != 0)
            return false;
    return true;
}

bool ed_request_same(const struct ed_request *a, const struct ed_request *b)
{
    return a->revision == b->revision && a->view_count == b->view_count && a->preview == b->preview &&
           a->resolution == b->resolution && a->paused == b->paused && strcmp(a->path, b->path) == 0 &&
           strcmp(a->prefix, b->prefix) == 0 && same_wants(a->views, b->views, a->view_count);
}

bool ed_request_same_thumbnails(const struct ed_request *a, const struct ed_request *b)
{
    return a->thumbnail_count == b->thumbnail_count &&
           same_wants(a->thumbnails, b->thumbnails, a->thumbnail_count);
}
