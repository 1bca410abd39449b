/* What the live thread is asked for: what the views show, and thumbnails of the nodes that are visible. */
#include "editor/app/app.h"
#include "editor/canvas/canvas.h"
#include "editor/view/views.h"
#include "graph/derived/assets.h"

/* Enough for any screen. */
enum { THUMBNAILS_MAX = 256 };

static const char *thumbnail_output(const struct ed_app *app, const char *id)
{
    const struct oro_doc_node *node = oro_document_find(ed_project_shown(app->project), id);
    const struct oro_output *output = node ? ed_output_shown(ed_type_of(app, node)) : NULL;
    return output ? output->name : NULL;
}

void ed_request(struct ed_app *app)
{
    struct ed_want views[ED_VIEWS_MAX], thumbnails[THUMBNAILS_MAX];
    const char *const *visible = NULL;
    struct oro_error err;
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
    if (!ed_live_request(app->live, &request, &err))
        ed_failed(app, &err);
}
