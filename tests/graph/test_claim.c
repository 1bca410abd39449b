/* Claims of results among processes; here one process is all of them. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "graph/cache/cache.h"
#include "tests/support/folder.h"
#include "tests/support/test.h"

static char folder[80];

FIXTURE(open_folder)
{
    (void)state;
    snprintf(folder, sizeof folder, P_tmpdir "/orograph-claims-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

FIXTURE(close_folder)
{
    (void)state;
    return remove_tree(folder);
}

static struct oro_hash key(void)
{
    return oro_hash_of("key", 3);
}

static const char *path(void)
{
    static char path[160];
    char hex[ORO_HASH_TEXT];
    oro_hash_text(key(), hex);
    snprintf(path, sizeof path, "%s/v1/%.2s/%s.claim", folder, hex, hex);
    return path;
}

static enum oro_claimed take(struct oro_claim_watch *watch, struct oro_claim **claim)
{
    return oro_claim_take(folder, key(), watch, claim);
}

/* Nobody waits for a pipe that has the name of a claim, nor for a claim that cannot be made. */
TEST_WITH(what_is_no_claim_is_replaced, open_folder, close_folder)
{
    char next[180];
    struct oro_claim_watch watch = {0};
    struct oro_claim *claim;
    assert_int_equal(take(&watch, &claim), ORO_CLAIM_OURS);
    oro_claim_end(claim, true);
    assert_int_equal(mkfifo(path(), 0666), 0);
    assert_int_equal(take(&watch, &claim), ORO_CLAIM_OURS);
    oro_claim_end(claim, true);
    assert_int_equal(mkdir(path(), 0777), 0);
    assert_int_equal(take(&watch, &claim), ORO_CLAIM_OURS);
    oro_claim_end(claim, false);
    snprintf(next, sizeof next, "%s.next", path());
    assert_int_equal(mkdir(next, 0777), 0);
    assert_int_equal(take(&watch, &claim), ORO_CLAIM_OTHERS); /* the folder goes */
    assert_int_equal(take(&watch, &claim), ORO_CLAIM_OURS);
    oro_claim_end(claim, true);
}

TEST_WITH(one_has_it_and_others_wait, open_folder, close_folder)
{
    struct oro_claim_watch first = {0}, second = {0};
    struct oro_claim *ours, *theirs;
    assert_int_equal(take(&first, &ours), ORO_CLAIM_OURS);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(take(&second, &theirs), ORO_CLAIM_OTHERS);
        assert_null(theirs);
    }
    assert_non_null(strstr(second.owner, "process "));
    oro_claim_end(ours, true);
    assert_int_equal(access(path(), F_OK), -1);
    assert_int_equal(take(&second, &theirs), ORO_CLAIM_OURS);
    assert_false(second.taken_over);
    oro_claim_end(theirs, true);
}

/* One that gives up leaves it to one of the others. */
TEST_WITH(one_takes_it_over, open_folder, close_folder)
{
    struct oro_claim_watch watches[3] = {{0}};
    struct oro_claim *ours, *theirs, *none;
    assert_int_equal(take(&watches[0], &ours), ORO_CLAIM_OURS);
    assert_int_equal(take(&watches[1], &none), ORO_CLAIM_OTHERS);
    assert_int_equal(take(&watches[2], &none), ORO_CLAIM_OTHERS);
    oro_claim_end(ours, false);
    assert_int_equal(take(&watches[1], &theirs), ORO_CLAIM_OURS);
    assert_true(watches[1].taken_over);
    assert_int_equal(take(&watches[2], &none), ORO_CLAIM_OTHERS);
    oro_claim_end(theirs, true);
    assert_int_equal(access(path(), F_OK), -1);
}

/* Whoever comes back late, and finds that another has its claim, leaves that alone. */
TEST_WITH(the_claim_of_another_stays, open_folder, close_folder)
{
    struct oro_claim_watch watch = {0};
    struct oro_claim *late, *other;
    assert_int_equal(take(&watch, &late), ORO_CLAIM_OURS);
    assert_int_equal(unlink(path()), 0);
    assert_int_equal(take(&watch, &other), ORO_CLAIM_OURS);
    oro_claim_end(late, true);
    assert_int_equal(access(path(), F_OK), 0);
    oro_claim_end(other, true);
}

TEST_WITH(a_full_disk, open_folder, close_folder)
{
    struct oro_claim_watch watch = {0};
    struct oro_claim *claim;
    struct rlimit before, none;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    none = before;
    none.rlim_cur = 0;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    enum oro_claimed claimed = take(&watch, &claim);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(claimed, ORO_CLAIM_NONE);
    assert_null(claim);
    assert_int_equal(access(path(), F_OK), -1);
}

/* What nobody takes over is swept from the folder as temporary files are: old, and the cache is to be small.
 */
TEST_WITH(old_ones_are_swept, open_folder, close_folder)
{
    struct oro_claim_watch watch = {0};
    struct oro_claim *claim;
    struct oro_cache_stats removed;
    assert_int_equal(take(&watch, &claim), ORO_CLAIM_OURS);
    assert_true(oro_cache_disk_clear(folder, &removed, NULL));
    assert_int_equal(access(path(), F_OK), 0);
    oro_claim_end(claim, false);
    assert_true(oro_cache_disk_clear(folder, &removed, NULL));
    assert_int_equal(access(path(), F_OK), -1);
}
