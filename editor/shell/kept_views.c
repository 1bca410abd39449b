#include "editor/shell/kept_views.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/file.h"
#include "base/memory.h"
#include "editor/canvas/canvas.h"
#include "editor/project/kept_file.h"
#include "editor/view/views.h"

static const char folder[] = "orograph/views";
static const size_t bytes_max = (size_t)1 << 20;

void ed_kept_views_keep(const struct ed_session *session)
{
    char layout[ED_WORKSPACE_TEXT];
    char *path = ed_kept_file(session->project, folder);
    if (!path || !ed_kept_folder_make(path, NULL)) {
        oro_free(path);
        return;
    }
    ed_workspace_write(&session->workspace, layout);
    json_t *root =
        json_pack("{s:s, s:s, s:s, s:o, s:o}", "layout", layout, "viewed", session->viewed, "output",
                  session->viewed_output, "graph", ed_canvas_keep(session), "views", ed_views_keep(session));
    char *text = root ? json_dumps(root, JSON_COMPACT) : NULL;
    if (text)
        oro_file_write(path, text, strlen(text), NULL); /* nothing is lost without it */
    free(text);
    json_decref(root);
    oro_free(path);
}

void ed_kept_views_bring(struct ed_session *session)
{
    void *bytes = NULL;
    size_t size = 0;
    char *path = ed_kept_file(session->project, folder);
    json_t *root = NULL;
    if (path && oro_file_read(path, bytes_max, &bytes, &size, NULL))
        root = json_loadb(bytes, size, 0, NULL);
    oro_free(bytes);
    oro_free(path);
    if (!json_is_object(root)) {
        json_decref(root);
        return;
    }
    const char *layout = json_string_value(json_object_get(root, "layout"));
    const char *viewed = json_string_value(json_object_get(root, "viewed"));
    const char *output = json_string_value(json_object_get(root, "output"));
    if (layout)
        ed_workspace_read(&session->workspace, layout);
    ed_canvas_bring(session, json_object_get(root, "graph"));
    ed_views_bring(session, json_object_get(root, "views"));
    if (viewed && oro_document_find(ed_project_shown(session->project), viewed))
        ed_look_at(session, viewed, output && *output ? output : NULL);
    else
        ed_look_first(session);
    json_decref(root);
}
