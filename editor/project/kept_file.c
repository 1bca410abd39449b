#include "editor/project/kept_file.h"

#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"

char *ed_kept_file(const struct ed_project *project, const char *folder)
{
    const char *document = ed_project_path(project);
    char *place = *document ? oro_path_true(document) : NULL;
    char *root = place ? oro_user_folder("XDG_STATE_HOME", ".local/state", folder) : NULL;
    char digest[ORO_HASH_TEXT];
    struct oro_text path = {0};
    if (root) {
        oro_hash_text(oro_hash_of(place, strlen(place)), digest);
        oro_text_addf(&path, "%s/%s.json", root, digest);
        if (path.failed)
            oro_text_free(&path);
    }
    oro_free(place);
    oro_free(root);
    return path.data;
}

bool ed_kept_folder_make(const char *file, struct oro_error *err)
{
    char *folder = oro_copy_text(file), *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash)
        *slash = '\0';
    bool ok = slash ? oro_make_folders(folder, err) : oro_fail(err, ORO_E_MEMORY, "no memory for a path");
    oro_free(folder);
    return ok;
}
