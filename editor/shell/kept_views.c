#include "editor/shell/kept_views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "editor/canvas/canvas.h"
#include "editor/view/views.h"

static const size_t bytes_max = (size_t)1 << 20;

/* Named after the document's place. The caller frees. NULL: it has no file, or there is no such folder. */
static char *path_of(const struct ed_session *session, bool make)
{
    const char *document = ed_project_path(session->project);
    char *place = *document ? oro_path_true(document) : NULL;
    char *folder = place ? oro_user_folder("XDG_STATE_HOME", ".local/state", "orograph/views") : NULL;
    char digest[ORO_HASH_TEXT];
    struct oro_text path = {0};
    if (folder && (!make || oro_make_folders(folder, NULL))) {
        oro_hash_text(oro_hash_of(place, strlen(place)), digest);
        oro_text_addf(&path, "%s/%s.json", folder, digest);
        if (path.failed)
            oro_text_free(&path);
    }
    oro_free(place);
    oro_free(folder);
    return path.data;
}

void ed_kept_views_keep(const struct ed_session *session)
{
    char layout[ED_WORKSPACE_TEXT];
    char *path = path_of(session, true);
    if (!path)
        return;
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
    char *path = path_of(session, false);
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
