/* The window's side of live evaluation: hands over requests, takes results. */
#include "editor/live/live.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "editor/live/live_private.h"

/* ---- Beginning and end ---- */

static bool make_locks(struct ed_live *live)
{
    pthread_condattr_t clock;
    if (pthread_condattr_init(&clock) != 0)
        return false;
    bool ok = pthread_condattr_setclock(&clock, CLOCK_MONOTONIC) == 0 &&
              pthread_cond_init(&live->changed, &clock) == 0;
    pthread_condattr_destroy(&clock);
    if (!ok)
        return false;
    pthread_mutex_init(&live->lock, NULL);
    pthread_mutex_init(&live->problems_lock, NULL);
    ed_journal_begin(&live->journal);
    return true;
}

static void free_all(struct ed_live *live)
{
    ed_request_destroy(live->asked);
    ed_request_destroy(live->next);
    ed_request_destroy(live->request);
    oro_document_destroy(live->next_root);
    oro_document_destroy(live->root);
    ed_kept_clear(&live->kept);
    ed_nodes_destroy(live->nodes);
    oro_file_list_free(&live->watched);
    oro_free(live->kernels.types);
    oro_problems_free(&live->problems);
    ed_journal_end(&live->journal);
    pthread_cond_destroy(&live->changed);
    pthread_mutex_destroy(&live->lock);
    pthread_mutex_destroy(&live->problems_lock);
    oro_free(live->shader_dir);
    oro_free(live->world.crs);
    oro_free(live->name);
    oro_free(live);
}

static bool start(struct ed_live *live)
{
    if (pthread_create(&live->thread, NULL, ed_live_thread, live) != 0)
        return false;
    if (pthread_create(&live->watch, NULL, ed_live_watch, live) == 0)
        return true;
    pthread_mutex_lock(&live->lock);
    live->quit = true;
    pthread_cond_broadcast(&live->changed);
    pthread_mutex_unlock(&live->lock);
    pthread_join(live->thread, NULL);
    return false;
}

struct ed_live *ed_live_create(const struct ed_live_options *options, struct oro_error *err)
{
    struct ed_live *live = oro_alloc(1, sizeof *live);
    if (!live || !make_locks(live)) {
        oro_free(live);
        oro_fail(err, ORO_E_MEMORY, "no memory for the live evaluation");
        return NULL;
    }
    live->options = *options;
    live->shader_dir = oro_copy_text(options->shader_dir);
    live->options.shader_dir = live->shader_dir;
    live->status = (struct ed_live_status){.opening = true, .seconds_left = -1};
    live->nodes = ed_nodes_create(&live->lock);
    if (live->nodes && (live->shader_dir || !options->shader_dir) && start(live))
        return live;
    free_all(live);
    oro_fail(err, ORO_E_MEMORY, "no thread can be made for the live evaluation");
    return NULL;
}

void ed_live_destroy(struct ed_live *live)
{
    if (!live)
        return;
    pthread_mutex_lock(&live->lock);
    live->quit = true;
    ed_live_stop(live);
    pthread_cond_broadcast(&live->changed);
    pthread_mutex_unlock(&live->lock);
    pthread_join(live->thread, NULL);
    pthread_join(live->watch, NULL);
    free_all(live);
}

/* ---- Requests ---- */

static void hand_over(struct ed_live *live, struct ed_request *next, struct oro_document *root, bool gentle,
                      bool same_file)
{
    pthread_mutex_lock(&live->lock);
    live->located = live->located && same_file;
    struct ed_request *old = live->next;
    struct oro_document *old_root = root ? live->next_root : NULL;
    live->gentle = gentle && (!old || live->gentle);
    live->next = next;
    if (root)
        live->next_root = root;
    if (!gentle)
        live->halted = false;
    pthread_cond_broadcast(&live->changed);
    pthread_mutex_unlock(&live->lock);
    ed_request_destroy(old);
    oro_document_destroy(old_root);
}

bool ed_live_request(struct ed_live *live, const struct ed_live_request *request, struct oro_error *err)
{
    struct ed_request *asked = ed_request_create(request), *before = live->asked;
    bool same = asked && before && ed_request_same(asked, before);
    if (same && ed_request_same_thumbnails(asked, before)) {
        ed_request_destroy(asked);
        return true;
    }
    bool same_file = before && strcmp(before->path, oro_document_path(request->root)) == 0;
    bool other = !same_file || before->revision != request->revision;
    struct ed_request *next = asked ? ed_request_create(request) : NULL;
    struct oro_document *root = next && other ? oro_document_clone(request->root) : NULL;
    if (!next || (other && !root)) {
        ed_request_destroy(asked);
        ed_request_destroy(next);
        return oro_fail(err, ORO_E_MEMORY, "no memory to evaluate the document");
    }
    live->asked = asked;
    ed_request_destroy(before);
    hand_over(live, next, root, same, same_file);
    return true;
}

void ed_live_cancel(struct ed_live *live)
{
    pthread_mutex_lock(&live->lock);
    live->halted = true;
    ed_live_stop(live);
    pthread_cond_broadcast(&live->changed);
    pthread_mutex_unlock(&live->lock);
}

void ed_live_resume(struct ed_live *live)
{
    pthread_mutex_lock(&live->lock);
    live->again = live->halted;
    live->halted = false;
    pthread_cond_broadcast(&live->changed);
    pthread_mutex_unlock(&live->lock);
}

/* ---- Results ---- */

uint64_t ed_live_world(struct ed_live *live, uint64_t known, struct oro_world *world)
{
    pthread_mutex_lock(&live->lock);
    uint64_t number = live->located ? live->world_number : 0;
    if (number && number != known) {
        struct oro_world copy = live->world;
        copy.crs = copy.crs ? oro_copy_text(copy.crs) : NULL;
        if (!copy.crs == !live->world.crs)
            *world = copy;
        else
            number = known;
    }
    pthread_mutex_unlock(&live->lock);
    return number;
}

/* A node of the shown graph in full, in room that lasts until the next call; NULL: memory is out. */
static const char *full_id(struct ed_live *live, const char *node)
{
    const char *prefix = live->asked ? live->asked->prefix : "";
    size_t size = strlen(prefix) + strlen(node) + 1;
    if (size > live->name_size) {
        char *name = oro_resize(live->name, size, 1);
        if (!name)
            return NULL;
        live->name = name;
        live->name_size = size;
    }
    snprintf(live->name, live->name_size, "%s%s", prefix, node);
    return live->name;
}

struct ed_picture *ed_live_picture(struct ed_live *live, const struct ed_want *want)
{
    const char *id = full_id(live, want->node);
    if (!id)
        return NULL;
    pthread_mutex_lock(&live->lock);
    const struct ed_kept_picture *entry = ed_kept_find(&live->kept, id, want->output, want->derive);
    struct ed_picture *picture = entry ? ed_picture_retain(entry->picture) : NULL;
    pthread_mutex_unlock(&live->lock);
    return picture;
}

bool ed_live_thumbnail(struct ed_live *live, const char *node, uint64_t known, struct ed_thumbnail *thumbnail)
{
    const char *id = full_id(live, node);
    return id && ed_nodes_thumbnail(live->nodes, id, known, thumbnail);
}

void ed_live_node(struct ed_live *live, const char *node, struct ed_node_state *state)
{
    const char *id = full_id(live, node);
    if (id)
        ed_nodes_state(live->nodes, id, state);
    else
        *state = (struct ed_node_state){.progress = -1, .seconds = -1, .device_seconds = -1};
}

void ed_live_status(struct ed_live *live, struct ed_live_status *status)
{
    pthread_mutex_lock(&live->lock);
    *status = live->status;
    status->busy = live->running || ((live->next || live->again) && !live->halted);
    status->stopped = live->halted && !status->busy && (live->next || !status->complete);
    pthread_mutex_unlock(&live->lock);
}

uint64_t ed_live_problems(struct ed_live *live, uint64_t known,
                          void (*each)(void *user, const struct oro_problem *problem), void *user)
{
    pthread_mutex_lock(&live->problems_lock);
    uint64_t number = live->problems_number;
    for (size_t i = 0; each && number != known && i < live->problems.count; i++)
        each(user, &live->problems.items[i]);
    pthread_mutex_unlock(&live->problems_lock);
    return number;
}

void ed_live_log(struct ed_live *live, void (*each)(void *user, enum oro_level level, const char *text),
                 void *user)
{
    ed_journal_read(&live->journal, each, user);
}

/* An idle thread looks at the files whenever it is woken. */
void ed_live_touch(struct ed_live *live)
{
    pthread_mutex_lock(&live->lock);
    pthread_cond_broadcast(&live->changed);
    pthread_mutex_unlock(&live->lock);
}
