/* What the live thread is asked for: what the views show, and thumbnails of the nodes that are visible. */
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "editor/app/app.h"
#include "editor/canvas/canvas.h"
#include "editor/view/views.h"
#include "graph/assets.h"

/* Enough for any screen. */
enum { THUMBNAILS_MAX = 256 };

static const char *thumbnail_output(const struct ed_app *app, const char *id)
{
    const struct oro_doc_node *node = oro_document_find(ed_project_shown(app->project), id);
    const struct oro_node_type *type = node ? ed_type_of(app, node) : NULL;
    for (const struct oro_output *output = type ? type->outputs : NULL; output && output->name; output++)
        if (oro_is_raster(output->type) || output->type == ORO_UPLIFT || output->type == ORO_NETWORK ||
            output->type == ORO_ANY)
            return output->name;
    return NULL;
}

static struct oro_hash digest(const struct ed_live_request *request)
{
    struct oro_hasher *hasher = oro_hasher_create();
    if (!hasher)
        return (struct oro_hash){0};
    oro_hash_int(hasher, (int64_t)request->revision);
    oro_hash_int(hasher, request->preview);
    oro_hash_int(hasher, request->resolution);
    oro_hash_int(hasher, request->paused);
    for (size_t i = 0; i < request->depth; i++)
        oro_hash_string(hasher, request->way[i]);
    for (size_t i = 0; i < request->view_count; i++) {
        oro_hash_string(hasher, request->views[i].node);
        oro_hash_string(hasher, request->views[i].output);
        oro_hash_int(hasher, (int64_t)request->views[i].derive);
    }
    for (size_t i = 0; i < request->thumbnail_count; i++)
        oro_hash_string(hasher, request->thumbnails[i].node);
    return oro_hasher_end(hasher);
}

static void send(struct ed_app *app, const struct ed_live_request *request)
{
    struct oro_error err;
    struct oro_hash now = digest(request);
    if (oro_hash_equal(now, app->requested))
        return;
    if (ed_live_request(app->live, request, &err))
        app->requested = now;
    else
        ed_failed(app, &err);
}

void ed_request(struct ed_app *app)
{
    struct ed_want views[ED_VIEWS_MAX], thumbnails[THUMBNAILS_MAX];
    const char *const *visible = NULL;
    const char *way[ORO_GRAPH_DEPTH_MAX];
    size_t count = ed_canvas_visible(app, &visible);
    struct ed_live_request request = {.root = ed_project_root(app->project),
                                      .revision = ed_project_revision(app->project),
                                      .way = way,
                                      .views = views,
                                      .thumbnails = thumbnails,
                                      .preview = app->settings.preview,
                                      .resolution = app->settings.resolution,
                                      .paused = app->paused};
    for (size_t i = 0; i < ed_project_depth(app->project) && i < ORO_GRAPH_DEPTH_MAX; i++)
        way[request.depth++] = ed_project_way(app->project, i);
    request.view_count = ed_views_wants(app, views);
    for (size_t i = 0; i < count && request.thumbnail_count < THUMBNAILS_MAX; i++) {
        const char *output = thumbnail_output(app, visible[i]);
        if (output)
            thumbnails[request.thumbnail_count++] = (struct ed_want){.node = visible[i], .output = output};
    }
    send(app, &request);
}
