/* Recovery copies: when they are written, what a killed program leaves, what becomes of them. */
#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "base/clock.h"
#include "editor/project/safety.h"
#include "editor/project/safety_private.h"
#include "tests/editor/project_support.h"
#include "tests/support/folder.h"

static char folder[128];

FIXTURE(set_up)
{
    snprintf(folder, sizeof folder, "%s/recovery", test_folder());
    return 0;
}

FIXTURE(tear_down)
{
    remove_tree(folder); /* which a test may have done */
    return 0;
}

static size_t files_in(const char *place)
{
    DIR *stream = opendir(place);
    size_t count = 0;
    for (struct dirent *entry; stream && (entry = readdir(stream)) != NULL;)
        count += entry->d_name[0] != '.';
    if (stream)
        closedir(stream);
    return count;
}

static void add_noise(struct ed_project *p)
{
    struct oro_error err = {0};
    OK(ed_add_node(p, "noise", NULL, 0, 0, NULL, NULL, NULL, &err));
}

/* Waits until the newest copy in the folder has so many nodes. */
static void wait_for_nodes(size_t nodes)
{
    for (int i = 0; i < 3000; i++) {
        DIR *stream = opendir(folder);
        bool there = false;
        for (struct dirent *entry; stream && (entry = readdir(stream)) != NULL;) {
            char path[600];
            struct ed_copy_about about = {0};
            size_t length = strlen(entry->d_name);
            if (length < 4 || strcmp(entry->d_name + length - 4, ".oro") != 0)
                continue;
            snprintf(path, sizeof path, "%s/%.*sjson", folder, (int)length - 3, entry->d_name);
            there |= ed_copy_about_read(path, &about) && about.nodes == nodes;
            ed_copy_about_free(&about);
        }
        if (stream)
            closedir(stream);
        if (there)
            return;
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    fail_msg("no copy of %zu nodes was written", nodes);
}

/* Runs in a process of its own, which ends without cleaning up. */
static void crash(void (*work)(struct ed_safety *safety, struct ed_project *project))
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct ed_project *p = new_project();
        struct ed_safety *safety = ed_safety_create(folder, NULL);
        work(safety, p);
        raise(SIGKILL);
    }
    waitpid(child, NULL, 0);
}

TEST_WITH(ticks, set_up, tear_down)
{
    struct oro_error err = {0};
    struct ed_project *p = new_project();
    struct ed_safety *safety = ed_safety_create(folder, &err);
    assert_non_null(safety);
    ed_safety_tick(safety, p, 0);
    ed_safety_tick(safety, p, 1000); /* nothing was changed */
    add_noise(p);
    ed_safety_tick(safety, p, 1001);
    ed_safety_tick(safety, p, 1000 + ED_SAFETY_SECONDS);
    nanosleep(&(struct timespec){0, 50000000}, NULL);
    assert_int_equal(files_in(folder), 0);
    ed_safety_tick(safety, p, 1001 + ED_SAFETY_SECONDS);
    wait_for_nodes(1);
    add_noise(p);
    ed_safety_now(safety, p);
    wait_for_nodes(2);
    assert_null(ed_safety_problem(safety));
    /* Our own is not offered. */
    struct oro_arena *arena = oro_arena_create();
    struct ed_recoveries found;
    OK(ed_recoveries_list(folder, arena, &found, &err));
    assert_int_equal(found.count, 0);
    oro_arena_destroy(arena);
    /* Undone: nothing is to be kept. */
    OK(ed_project_undo(p, &err));
    OK(ed_project_undo(p, &err));
    ed_safety_tick(safety, p, 2000);
    ed_safety_destroy(safety, true);
    assert_int_equal(files_in(folder), 0);
    ed_project_destroy(p);
}

static void leave_two(struct ed_safety *safety, struct ed_project *project)
{
    add_noise(project);
    add_noise(project);
    ed_safety_now(safety, project);
    wait_for_nodes(2);
}

static void leave_three(struct ed_safety *safety, struct ed_project *project)
{
    char path[160];
    struct oro_error err = {0};
    snprintf(path, sizeof path, "%s/three.oro", test_folder());
    add_noise(project);
    OK(ed_project_save(project, path, false, &err));
    add_noise(project);
    add_noise(project);
    ed_safety_now(safety, project);
    wait_for_nodes(3);
}

TEST_WITH(take, set_up, tear_down)
{
    struct oro_error err = {0};
    char path[160];
    crash(leave_two);
    nanosleep(&(struct timespec){1, 100000000}, NULL); /* copies know seconds */
    crash(leave_three);
    struct oro_arena *arena = oro_arena_create();
    struct ed_recoveries found;
    OK(ed_recoveries_list(folder, arena, &found, &err));
    assert_int_equal(found.count, 2);
    assert_int_equal(found.items[0].nodes, 3);
    assert_int_equal(found.items[1].nodes, 2);
    assert_string_equal(found.items[1].document, "");
    snprintf(path, sizeof path, "%s/three.oro", test_folder());
    assert_string_equal(found.items[0].document, path);

    /* It is known by its document, unless that is newer; and what it has is told. */
    const struct ed_recovery *copy = NULL;
    char differs[200];
    struct ed_project *opened = new_project();
    assert_true(ed_recovery_of(&found, path, &copy));
    assert_ptr_equal(copy, &found.items[0]);
    OK(ed_project_open(opened, path, NULL, &err));
    assert_true(ed_recovery_differs(copy, opened, differs, sizeof differs));
    assert_non_null(strstr(differs, "added (noise"));
    assert_false(ed_recovery_of(&found, "/nowhere/else.oro", &copy));
    found.items[0].seconds -= 1000;
    assert_false(ed_recovery_of(&found, path, &copy));
    found.items[0].seconds += 1000;
    ed_project_destroy(opened);

    struct ed_project *p = new_project(), *q = new_project();
    struct ed_safety *safety = ed_safety_create(folder, &err), *other = ed_safety_create(folder, &err);
    OK(ed_recovery_take(safety, &found.items[0], p, NULL, &err));
    assert_int_equal(oro_document_node_count(ed_project_root(p)), 3);
    assert_string_equal(ed_project_path(p), path);
    assert_true(ed_project_changed(p));
    assert_int_equal(ed_project_disk(p), ED_DISK_SAME);
    /* Nobody else can take it over, and it stays until there is a newer one. */
    assert_false(ed_recovery_take(other, &found.items[0], q, NULL, &err));
    assert_int_equal(access(found.items[0].file, F_OK), 0);
    add_noise(p);
    ed_safety_now(safety, p);
    wait_for_nodes(4);
    ed_safety_destroy(safety, false);
    assert_int_not_equal(access(found.items[0].file, F_OK), 0);
    OK(ed_recoveries_list(folder, arena, &found, &err));
    assert_int_equal(found.count, 2);
    assert_int_equal(found.items[0].nodes, 4);
    OK(ed_recovery_discard(&found.items[0], &err));
    OK(ed_recovery_take(other, &found.items[1], q, NULL, &err));
    assert_string_equal(ed_project_path(q), "");
    ed_safety_clear(other);
    ed_safety_destroy(other, true);
    assert_int_equal(files_in(folder), 0);
    oro_arena_destroy(arena);
    ed_project_destroy(p);
    ed_project_destroy(q);
}

/* The document went on without the copy. */
TEST_WITH(disk_moved_on, set_up, tear_down)
{
    struct oro_error err = {0};
    char path[160];
    crash(leave_three);
    snprintf(path, sizeof path, "%s/three.oro", test_folder());
    OK(oro_file_write(path, "<other/>", 8, &err));
    struct oro_arena *arena = oro_arena_create();
    struct ed_recoveries found;
    OK(ed_recoveries_list(folder, arena, &found, &err));
    assert_int_equal(found.count, 1);
    struct ed_project *p = new_project();
    struct ed_safety *safety = ed_safety_create(folder, &err);
    OK(ed_recovery_take(safety, &found.items[0], p, NULL, &err));
    assert_int_equal(ed_project_disk(p), ED_DISK_CHANGED);
    assert_false(ed_project_save(p, NULL, false, &err));
    OK(ed_project_save(p, NULL, true, &err));
    ed_safety_destroy(safety, true);
    oro_arena_destroy(arena);
    ed_project_destroy(p);
}

TEST_WITH(damaged, set_up, tear_down)
{
    struct oro_error err = {0};
    crash(leave_two);
    struct oro_arena *arena = oro_arena_create();
    struct ed_recoveries found;
    OK(ed_recoveries_list(folder, arena, &found, &err));
    assert_int_equal(found.count, 1);
    OK(oro_file_write(found.items[0].file, "<orogr", 6, &err));
    char *json =
        oro_arena_textf(arena, "%.*sjson", (int)strlen(found.items[0].file) - 3, found.items[0].file);
    OK(oro_file_write(json, "{", 1, &err));
    crash(leave_three);
    OK(ed_recoveries_list(folder, arena, &found, &err));
    assert_int_equal(found.count, 2);
    struct ed_project *p = new_project();
    struct ed_safety *safety = ed_safety_create(folder, &err);
    int taken = 0;
    for (size_t i = 0; i < found.count; i++) {
        if (found.items[i].nodes == 3)
            continue;
        add_noise(p);
        assert_false(ed_recovery_take(safety, &found.items[i], p, NULL, &err));
        assert_int_equal(oro_document_node_count(ed_project_root(p)), 1);
    }
    for (size_t i = 0; i < found.count; i++)
        if (found.items[i].nodes == 3)
            taken += ed_recovery_take(safety, &found.items[i], p, NULL, &err);
    assert_int_equal(taken, 1);
    ed_safety_destroy(safety, true);
    OK(ed_recoveries_list(folder, arena, &found, &err));
    assert_int_equal(found.count, 1);
    OK(ed_recovery_discard(&found.items[0], &err));
    assert_int_equal(files_in(folder), 0);
    assert_false(ed_recovery_discard(&(struct ed_recovery){.file = "/etc/passwd"}, &err));
    oro_arena_destroy(arena);
    ed_project_destroy(p);
}

TEST_WITH(no_folder, set_up, tear_down)
{
    struct oro_error err = {0};
    char nowhere[200];
    snprintf(nowhere, sizeof nowhere, "%s/file", test_folder());
    OK(oro_file_write(nowhere, "", 0, &err));
    struct ed_project *p = new_project();
    struct ed_safety *safety = ed_safety_create(nowhere, &err);
    add_noise(p);
    ed_safety_now(safety, p);
    const char *problem = NULL;
    for (int i = 0; i < 3000 && !problem; i++, nanosleep(&(struct timespec){0, 10000000}, NULL))
        problem = ed_safety_problem(safety);
    assert_non_null(problem);
    ed_safety_destroy(safety, true);
    struct oro_arena *arena = oro_arena_create();
    struct ed_recoveries found;
    OK(ed_recoveries_list(nowhere, arena, &found, &err));
    assert_int_equal(found.count, 0);
    oro_arena_destroy(arena);
    ed_project_destroy(p);
}

static void wait_for_a_copy(void)
{
    struct oro_error err = {0};
    bool there = false;
    for (int i = 0; i < 20000 && !there; i++) {
        DIR *stream = opendir(folder);
        for (struct dirent *entry; stream && (entry = readdir(stream)) != NULL;) {
            size_t length = strlen(entry->d_name);
            there |= length > 4 && strcmp(entry->d_name + length - 4, ".oro") == 0;
        }
        if (stream)
            closedir(stream);
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    OK(there);
}

enum { NODES_MAX = 20000 };
/* The child's report before each copy: how many nodes there are, and the time. */
struct told {
    int nodes;
    double time;
};

/* Edits, and copies, as fast as they go. */
static void write_on(int pipe_end)
{
    struct ed_project *p = new_project();
    struct ed_safety *safety = ed_safety_create(folder, NULL);
    for (int nodes = 1; nodes < NODES_MAX; nodes++) {
        const struct told told = {nodes, oro_now()};
        add_noise(p);
        if (write(pipe_end, &told, sizeof told) != (ssize_t)sizeof told)
            _exit(1);
        ed_safety_now(safety, p);
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    _exit(0);
}

/* How long before `end` the first edit was made that is missing from a copy with so many nodes. */
static double read_age(int pipe_end, size_t nodes, double end)
{
    struct told told;
    double since = end;
    while (read(pipe_end, &told, sizeof told) == (ssize_t)sizeof told)
        if ((size_t)told.nodes == nodes + 1)
            since = told.time;
    return end - since;
}

/* Opens the one copy that a kill left. */
static size_t nodes_of_copy(void)
{
    struct oro_error err = {0};
    struct oro_arena *arena = oro_arena_create();
    struct ed_recoveries found;
    OK(ed_recoveries_list(folder, arena, &found, &err));
    assert_int_equal(found.count, 1);
    struct ed_project *p = new_project();
    struct ed_safety *safety = ed_safety_create(folder, &err);
    OK(ed_recovery_take(safety, &found.items[0], p, NULL, &err));
    size_t nodes = oro_document_node_count(ed_project_root(p));
    ed_safety_destroy(safety, true);
    assert_int_equal(files_in(folder), 0);
    oro_arena_destroy(arena);
    ed_project_destroy(p);
    return nodes;
}

/* Whenever the program is killed, the copy opens, and lacks only what was done while one copy was written. */
TEST_WITH(kill, set_up, tear_down)
{
    enum { KILLS = 20 };
    const double longest = 10; /* of a disk that others use */
    uint32_t seed = 1;
    for (int kill_number = 0; kill_number < KILLS; kill_number++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            close(ends[0]);
            write_on(ends[1]);
        }
        close(ends[1]);
        wait_for_a_copy();
        seed = seed * 1664525u + 1013904223u;
        nanosleep(&(struct timespec){0, (long)(seed >> 8) % 60000000}, NULL);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        double end = oro_now();
        size_t nodes = nodes_of_copy();
        assert_true(nodes > 0);
        assert_true(read_age(ends[0], nodes, end) < longest);
        close(ends[0]);
    }
}

FIXTURE(clean_up)
{
    return tear_down_registry(state) | remove_test_folder(state);
}

TEST_GROUP(set_up_registry, clean_up);
