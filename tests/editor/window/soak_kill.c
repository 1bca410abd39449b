/*
 * The program is killed at random moments while random things are done to it; the recovery copy may lack
 * nothing that is older than a minute. The window describes a digest of the document's content: the copy's
 * digest is looked for among those that the document had, and everything after the last match is lost.
 */
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "tests/editor/window/soak.h"

static const double allowed = 60; /* seconds */

enum { MOMENTS_MAX = 4096 };

/* The document from `first` to `last`, seconds, as the window showed it. */
struct moment {
    char content[ORO_HASH_TEXT];
    bool changed; /* it had unsaved changes */
    double first, last;
};

struct kills {
    struct soak *soak;
    struct moment moments[MOMENTS_MAX]; /* since the program was started */
    int count;
    double worst;
    int silent; /* kills that found nothing to lose */
};

/* The newest copy there is. */
struct copy {
    char content[ORO_HASH_TEXT]; /* "": there is none */
    double age;                  /* seconds since it was written */
};

/* ---- What the window shows */

static void note(struct kills *kills)
{
    struct driver *driver = kills->soak->driver;
    const char *content = drive_state(driver, "content");
    struct moment *last = kills->count > 0 ? &kills->moments[kills->count - 1] : NULL;
    double now = drive_now();
    if (!last || strcmp(last->content, content) != 0 || last->changed != drive_is(driver, "changed=1")) {
        assert_true(kills->count < MOMENTS_MAX);
        last = &kills->moments[kills->count++];
        *last = (struct moment){.changed = drive_is(driver, "changed=1"), .first = now};
        snprintf(last->content, sizeof last->content, "%s", content);
    }
    last->last = now;
}

/* A new node: most of what is done at random changes nothing. */
static void add_node(struct soak *soak)
{
    soak_calm(soak);
    if (drive_is(soak->driver, "start=1"))
        return;
    drive_key(soak->driver, "shift+a");
    soak_type(soak, "noise");
    drive_key(soak->driver, "Return");
}

static void act_for(struct kills *kills, double seconds)
{
    double end = drive_now() + seconds;
    kills->count = 0;
    note(kills);
    while (drive_now() < end) {
        if (soak_random(kills->soak, 10) == 0)
            add_node(kills->soak);
        else
            soak_act(kills->soak);
        note(kills);
    }
}

/* ---- What is left */

static void look_at(const char *path, struct copy *newest)
{
    struct stat info;
    struct timespec now;
    void *bytes = NULL;
    size_t size = 0;
    if (stat(path, &info) != 0 || !oro_file_read(path, SIZE_MAX, &bytes, &size, NULL))
        return;
    clock_gettime(CLOCK_REALTIME, &now);
    double age =
        (double)(now.tv_sec - info.st_mtim.tv_sec) + 1e-9 * (double)(now.tv_nsec - info.st_mtim.tv_nsec);
    if (!newest->content[0] || age < newest->age) {
        newest->age = age;
        oro_hash_text(oro_hash_of(bytes, size), newest->content);
    }
    oro_free(bytes);
}

static void find_copy(const struct kills *kills, struct copy *newest)
{
    char folder[600], path[900];
    *newest = (struct copy){0};
    snprintf(folder, sizeof folder, "%s/state/orograph/recovery", drive_home(kills->soak->driver));
    DIR *entries = opendir(folder);
    for (struct dirent *entry = entries ? readdir(entries) : NULL; entry; entry = readdir(entries)) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (strcmp(oro_path_extension(path), "oro") == 0)
            look_at(path, newest);
    }
    if (entries)
        closedir(entries);
}

/* When the document last had the content that is left in the copy or in its file; negative: never. A copy may
 * hold a state that the window had only briefly, in the middle of a gesture: then the time at which it was
 * written counts. */
static double last_kept(const struct kills *kills, const struct copy *copy, double killed)
{
    for (int i = kills->count; i-- > 0;)
        if (!kills->moments[i].changed || strcmp(kills->moments[i].content, copy->content) == 0)
            return kills->moments[i].last;
    return copy->content[0] ? killed - copy->age : -1;
}

static const char *what_is_left(const struct kills *kills, const struct copy *copy)
{
    if (!kills->moments[kills->count - 1].changed)
        return "nothing to save";
    if (!copy->content[0])
        return "no copy yet";
    for (int i = kills->count; i-- > 0;)
        if (strcmp(kills->moments[i].content, copy->content) == 0)
            return "a copy";
    return "a copy from the midst of a gesture";
}

/* ---- Killing */

static void kill_and_look(struct kills *kills, int round, struct copy *copy)
{
    double killed = drive_now();
    drive_kill(kills->soak->driver);
    find_copy(kills, copy);
    const struct moment *last = &kills->moments[kills->count - 1];
    double kept = last_kept(kills, copy, killed);
    double loss = last->changed ? killed - kept : 0;
    kills->silent += !last->changed;
    print_message("kill %2d: %3d states in %4.1f s, %s, %.1f s of edits lost\n", round, kills->count,
                  killed - kills->moments[0].first, what_is_left(kills, copy), loss);
    if (kept < 0 || loss > allowed)
        drive_fail(kills->soak->driver, "more than %.0f s of edits are lost", allowed);
    if (loss > kills->worst)
        kills->worst = loss;
}

static void open_example(struct soak *soak)
{
    char path[128];
    snprintf(path, sizeof path, "%s/work/amplify.oro", soak->folder);
    soak_open(soak, path);
    drive_wait(soak->driver, "start=0", 20);
}

/* Starts the program again; what it offers is what was found. */
static void recover(struct soak *soak, const struct copy *copy)
{
    struct driver *driver = soak->driver;
    char what[64];
    drive_order(driver, "keyup ctrl keyup shift keyup alt mouseup 1 mouseup 2 mouseup 3"); /* what was held */
    drive_restart(driver, (const char *const[]){"--no-tour", NULL});
    soak->width = driver->width;
    soak->height = driver->height;
    if (!copy->content[0]) {
        assert_false(drive_is(driver, "recover:0"));
        open_example(soak);
        return;
    }
    snprintf(what, sizeof what, "content=%s", copy->content);
    drive_click(driver, "recover:0");
    drive_wait(driver, what, 20);
}

void soak_kill(struct soak *soak, int times)
{
    static struct kills kills;
    struct copy copy = {0};
    kills = (struct kills){.soak = soak};
    open_example(soak);
    for (int round = 1; round <= times; round++) {
        act_for(&kills, 5 + 0.06 * soak_random(soak, 1001));
        kill_and_look(&kills, round, &copy);
        recover(soak, &copy);
    }
    print_message("%d kills, %d with nothing to save: at most %.1f s of edits were lost\n", times,
                  kills.silent, kills.worst);
}
