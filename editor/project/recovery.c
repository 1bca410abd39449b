/* Recovery copies left by programs that no longer run. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "editor/project/safety_private.h"

/* ---- Listing ---- */

/* The newest copy of a session: "SESSION-000012.oro". */
struct found {
    char session[ED_SESSION_LENGTH + 1];
    unsigned long number;
    char *name;
};
struct listing {
    const char *folder;
    struct found *items;
    size_t count, capacity;
    struct oro_arena *arena;
};

/* The number of a copy; 0: the file is none. */
static unsigned long number_of(const char *name)
{
    char *end = NULL;
    if (!ed_recovery_is_session(name) || name[ED_SESSION_LENGTH] != '-')
        return 0;
    unsigned long number = strtoul(name + ED_SESSION_LENGTH + 1, &end, 10);
    return strcmp(end, ".oro") == 0 ? number : 0;
}

static struct found *session_of(struct listing *listing, const char *name)
{
    for (size_t i = 0; i < listing->count; i++)
        if (strncmp(listing->items[i].session, name, ED_SESSION_LENGTH) == 0)
            return &listing->items[i];
    void *items = listing->items;
    if (!oro_reserve(&items, &listing->capacity, listing->count + 1, sizeof *listing->items))
        return NULL;
    listing->items = items;
    struct found *found = &listing->items[listing->count++];
    *found = (struct found){.number = 0};
    snprintf(found->session, sizeof found->session, "%.*s", ED_SESSION_LENGTH, name);
    return found;
}

static bool note_file(struct listing *listing, const char *name)
{
    struct found *found = ed_recovery_is_session(name) ? session_of(listing, name) : NULL;
    unsigned long number = number_of(name);
    if (!ed_recovery_is_session(name))
        return true;
    if (!found)
        return false;
    if (number <= found->number)
        return true;
    found->number = number;
    found->name = oro_arena_text(listing->arena, name);
    return found->name;
}

/* What is known of a copy without reading it. */
static bool describe(const struct listing *listing, const struct found *found, struct ed_recovery *recovery)
{
    struct ed_copy_about about = {0};
    char rest[64];
    snprintf(rest, sizeof rest, "-%06lu.json", found->number);
    char *json = ed_safety_path(listing->folder, found->session, rest);
    bool known = json && ed_copy_about_read(json, &about);
    oro_free(json);
    recovery->file = oro_arena_textf(listing->arena, "%s/%s", listing->folder, found->name);
    recovery->document = oro_arena_text(listing->arena, known ? about.document : "");
    recovery->seconds = about.seconds;
    recovery->nodes = about.nodes;
    recovery->files = about.file_count;
    if (!known && recovery->file)
        recovery->seconds = oro_stamp_of(recovery->file).seconds;
    ed_copy_about_free(&about);
    return recovery->file && recovery->document;
}

/* Sessions that ended without a copy leave a lock. */
static bool add_session(const struct listing *listing, const struct found *found,
                        struct ed_recoveries *recoveries)
{
    bool running, ok = true;
    int lock = ed_recovery_lock(listing->folder, found->session, false, &running, NULL);
    if (running)
        return true;
    if (found->number == 0 && lock >= 0)
        ed_recovery_remove(listing->folder, found->session, 0, true);
    else if (found->number > 0)
        ok = describe(listing, found, &recoveries->items[recoveries->count++]);
    if (lock >= 0)
        close(lock);
    return ok;
}

static int newest_first(const void *a, const void *b)
{
    const struct ed_recovery *one = a, *two = b;
    if (one->seconds != two->seconds)
        return one->seconds > two->seconds ? -1 : 1;
    return strcmp(one->file, two->file);
}

static bool list(struct listing *listing, DIR *stream, struct ed_recoveries *recoveries)
{
    bool ok = true;
    for (struct dirent *entry; ok && (entry = readdir(stream)) != NULL;)
        ok = note_file(listing, entry->d_name);
    recoveries->items = oro_arena_alloc(listing->arena, listing->count + 1, sizeof *recoveries->items);
    ok = ok && recoveries->items;
    for (size_t i = 0; ok && i < listing->count; i++)
        ok = add_session(listing, &listing->items[i], recoveries);
    if (ok)
        qsort(recoveries->items, recoveries->count, sizeof *recoveries->items, newest_first);
    return ok;
}

bool ed_recoveries_list(const char *folder, struct oro_arena *arena, struct ed_recoveries *recoveries,
                        struct oro_error *err)
{
    char *place = folder ? oro_copy_text(folder) : ed_safety_folder();
    DIR *stream = place ? opendir(place) : NULL;
    struct listing listing = {.folder = place, .arena = arena};
    *recoveries = (struct ed_recoveries){0};
    /* No folder: no copies were left. */
    bool ok = !stream || list(&listing, stream, recoveries) ||
              oro_fail(err, ORO_E_MEMORY, "no memory to look for recovery copies");
    if (stream)
        closedir(stream);
    oro_free(listing.items);
    oro_free(place);
    return ok;
}

/* ---- Taking and discarding ---- */

/* Locks the session that a copy is of. NULL: `err`. */
static struct ed_taken *take_session(const struct ed_recovery *recovery, struct oro_error *err)
{
    const char *slash = strrchr(recovery->file, '/');
    bool running = false;
    struct ed_taken *taken = oro_alloc(1, sizeof *taken);
    if (taken)
        taken->folder = slash ? oro_alloc((size_t)(slash - recovery->file) + 1, 1) : NULL;
    if (!taken || !taken->folder || !ed_recovery_is_session(slash + 1)) {
        oro_fail(err, ORO_E_USAGE, "'%s' is no recovery copy", recovery->file);
    } else {
        memcpy(taken->folder, recovery->file, (size_t)(slash - recovery->file));
        snprintf(taken->session, sizeof taken->session, "%.*s", ED_SESSION_LENGTH, slash + 1);
        taken->lock = ed_recovery_lock(taken->folder, taken->session, false, &running, err);
        if (taken->lock >= 0)
            return taken;
        if (running)
            oro_fail(err, ORO_E_FILE, "another program has this copy open");
    }
    if (taken)
        oro_free(taken->folder);
    oro_free(taken);
    return NULL;
}

static void leave_session(struct ed_taken *taken)
{
    close(taken->lock);
    oro_free(taken->folder);
    oro_free(taken);
}

/* A copy that cannot be read is told of, and the file itself is shown. */
static void take_files(const struct ed_recovery *recovery, const struct ed_copy_about *about,
                       struct ed_project *project, struct oro_problems *problems)
{
    const char *slash = strrchr(recovery->file, '/');
    struct oro_error err = {0};
    for (size_t i = 0; i < about->file_count; i++) {
        const struct ed_copy_file *file = &about->files[i];
        struct oro_text from = {0};
        oro_text_addf(&from, "%.*s/%.*s.files/%s", (int)(slash - recovery->file), recovery->file,
                      ED_SESSION_LENGTH, slash + 1, file->name ? file->name : "");
        bool ok = file->path && file->path[0] == '/' && file->name && !from.failed &&
                  ed_working_adopt(&project->working, file->path, from.data, &err);
        oro_text_free(&from);
        if (!ok && problems)
            oro_problem_add(problems, false, "recovery", 0, "", "what was painted on '%s' is lost: %s",
                            file->path ? file->path : "", err.text);
    }
}

static bool open_copy(const struct ed_recovery *recovery, struct ed_project *project,
                      struct oro_problems *problems, struct oro_error *err)
{
    struct ed_copy_about about = {0};
    size_t length = strlen(recovery->file);
    char *json = oro_alloc(length + 2, 1);
    if (!json)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a path");
    snprintf(json, length + 2, "%.*sjson", (int)(length - strlen("oro")), recovery->file);
    bool known = ed_copy_about_read(json, &about);
    bool ok = ed_project_restore(project, recovery->file, known ? about.document : "",
                                 known ? about.base : "", &about.disk, problems, err);
    if (ok)
        take_files(recovery, &about, project, problems);
    ed_copy_about_free(&about);
    oro_free(json);
    return ok;
}

bool ed_recovery_take(struct ed_safety *safety, const struct ed_recovery *recovery,
                      struct ed_project *project, struct oro_problems *problems, struct oro_error *err)
{
    struct ed_taken *taken = take_session(recovery, err);
    if (!taken)
        return false;
    if (!open_copy(recovery, project, problems, err)) {
        leave_session(taken);
        return false;
    }
    ed_safety_took(safety, project, taken);
    return true;
}

bool ed_recovery_discard(const struct ed_recovery *recovery, struct oro_error *err)
{
    struct ed_taken *taken = take_session(recovery, err);
    if (!taken)
        return false;
    ed_recovery_remove(taken->folder, taken->session, 0, true);
    bool gone = access(recovery->file, F_OK) != 0;
    leave_session(taken);
    return gone || oro_fail(err, ORO_E_WRITE, "cannot remove '%s'", recovery->file);
}
