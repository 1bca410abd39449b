#include "editor/shell/request.h"

#include "editor/canvas/canvas.h"
#include "editor/view/views.h"
#include "graph/derived/assets.h"

/* Enough for any screen. */
enum { THUMBNAILS_MAX = 256 };

static const char *thumbnail_output(const struct ed_session *session, const char *id)
{
    const struct oro_doc_node *node = oro_document_find(ed_project_shown(session->project), id);
    const struct oro_output *output = node ? ed_output_shown(ed_type_of(session, node)) : NULL;
    return output ? output->name : NULL;
}

void ed_request_shown(struct ed_session *session)
{
    struct ed_want views[ED_VIEWS_MAX], thumbnails[THUMBNAILS_MAX];
    const char *const *visible = NULL;
    struct oro_error err;
    const char *entered[ORO_GRAPH_DEPTH_MAX];
    size_t count = ed_canvas_visible(session, &visible);
    struct ed_live_request request = {.root = ed_project_main(session->project),
                                      .revision = ed_project_revision(session->project),
                                      .entered = entered,
                                      .views = views,
                                      .thumbnails = thumbnails,
                                      .preview = session->settings.preview,
                                      .resolution = session->full == 1 + ed_project_revision(session->project)
                                                        ? 0
                                                        : session->settings.resolution,
                                      .paused = session->paused};
    for (size_t i = 0; i < ed_project_depth(session->project) && i < ORO_GRAPH_DEPTH_MAX; i++)
        entered[request.depth++] = ed_project_entered(session->project, i);
    request.view_count = ed_views_wants(session, views);
    for (size_t i = 0; i < count && request.thumbnail_count < THUMBNAILS_MAX; i++) {
        const char *output = thumbnail_output(session, visible[i]);
        if (output)
            thumbnails[request.thumbnail_count++] = (struct ed_want){.node = visible[i], .output = output};
    }
    ed_tell(session, ed_live_request(session->live, &request, &err), &err);
}
