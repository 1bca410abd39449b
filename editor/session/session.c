#include "editor/session/session.h"

#include "base/memory.h"
#include "editor/session/comparison.h"
#include "formats/crs.h"

/* Widgets of ImGui need some frames to settle. */
enum { SETTLING_FRAMES = 4 };

void ed_wake(struct ed_session *session)
{
    session->busy_frames = SETTLING_FRAMES;
}

void ed_failed(struct ed_session *session, const struct oro_error *err)
{
    char line[1800];
    oro_error_line(err, line, sizeof line);
    ed_message(&session->messages, ED_ERROR, err->node, "%s", err->node[0] ? err->text : line);
    ed_wake(session);
}

void ed_tell(struct ed_session *session, bool ok, const struct oro_error *err)
{
    if (!ok)
        ed_failed(session, err);
}

void ed_live_options_of(const struct ed_session *session, struct ed_live_options *options)
{
    const struct ed_session_options *given = &session->options;
    *options =
        (struct ed_live_options){.device = given->device >= 0 ? given->device : session->settings.device,
                                 .shader_dir = given->shader_dir,
                                 .memory_bytes = (size_t)session->settings.memory_mb << 20,
                                 .allow_any_path = given->allow_any_path,
                                 .wake = given->wake};
}

void ed_comparison_end(struct ed_session *session)
{
    ed_comparison_destroy(session->comparison);
    session->comparison = NULL;
}

const struct ed_comparison *ed_comparison(struct ed_session *session)
{
    struct oro_error err;
    if (!session->comparison || ed_comparison_follow(session->comparison, session->project, &err))
        return session->comparison;
    ed_comparison_end(session);
    ed_failed(session, &err);
    return NULL;
}

void ed_session_free(struct ed_session *session)
{
    ed_comparison_end(session);
    ed_names_free(&session->selection);
    oro_free(session->located.world.crs);
    oro_degrees_destroy(session->degrees);
    oro_free(session->degrees_from);
    ed_messages_free(&session->messages);
    ed_settings_free(&session->settings);
}
