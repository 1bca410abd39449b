#include "editor/project/become.h"

#include <string.h>

#include "base/memory.h"
#include "editor/project/project_private.h"
#include "graph/file/xml.h"

/* What the document is exchanged with: a text that has not been read yet, or a document. */
struct becoming {
    struct ed_project *project;
    struct oro_document *doc; /* that becomes another */
    char *text;
    struct oro_document *other;
};

static bool read_text(struct becoming *becoming, struct oro_error *err)
{
    const struct ed_project *project = becoming->project;
    struct oro_problems problems = {0};
    becoming->other = oro_document_parse(becoming->text, strlen(becoming->text),
                                         oro_document_path(becoming->doc), project->registry, &problems);
    oro_problems_free(&problems);
    if (!becoming->other)
        return oro_fail(err, ORO_E_DOCUMENT, "an earlier state of the document cannot be read");
    oro_free(becoming->text);
    becoming->text = NULL;
    return true;
}

/* The other document has been what this one becomes, in both directions. */
static bool apply(void *user, bool undo, struct oro_error *err)
{
    struct becoming *becoming = user;
    (void)undo;
    if (!becoming->other && !read_text(becoming, err))
        return false;
    oro_document_exchange(becoming->doc, becoming->other);
    return true;
}

static void forget(void *user)
{
    struct becoming *becoming = user;
    oro_document_destroy(becoming->other);
    oro_free(becoming->text);
    oro_free(becoming);
}

bool ed_is_becoming(const struct ed_project *project, const struct ed_foreign_step *step)
{
    return step->apply == apply && ((const struct becoming *)step->user)->doc == project->root;
}

static struct becoming *add(struct ed_project *project, const char *name, size_t bytes, struct oro_error *err)
{
    struct becoming *becoming = oro_alloc(1, sizeof *becoming);
    if (!becoming) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a step of the history");
        return NULL;
    }
    becoming->project = project;
    becoming->doc = project->root;
    struct ed_foreign_step step = {
        .name = name, .apply = apply, .forget = forget, .user = becoming, .bytes = bytes};
    return ed_history_add(&project->history, &step, err) ? becoming : NULL;
}

bool ed_project_become(struct ed_project *project, const char *name, struct oro_document *other,
                       struct oro_error *err)
{
    return ed_opened_become(project, project->root, name, other, err);
}

bool ed_opened_become(struct ed_project *project, struct oro_document *opened, const char *name,
                      struct oro_document *other, struct oro_error *err)
{
    char *text = NULL;
    size_t size = 0;
    bool ok = !project->edit.open || oro_fail(err, ORO_E_USAGE, "an edit is still open");
    ed_gesture_end(project);
    ok = ok && oro_document_format(other, project->registry, &text, &size, err); /* how large it is */
    oro_free(text);
    struct becoming *becoming = ok ? add(project, name, size, err) : NULL;
    if (!becoming) {
        oro_document_destroy(other);
        return false;
    }
    becoming->doc = opened;
    becoming->other = other;
    oro_document_exchange(opened, other);
    ed_after_step(project);
    return true;
}

bool ed_project_became(struct ed_project *project, const char *name, const char *before,
                       struct oro_error *err)
{
    char *text = oro_copy_text(before);
    if (!text)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a step of the history");
    struct becoming *becoming = add(project, name, strlen(text), err);
    if (!becoming) {
        oro_free(text);
        return false;
    }
    becoming->text = text;
    return true;
}
