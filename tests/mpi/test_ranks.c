/*
 * Ranks over MPI: what each function brings where, on as many processes as mpirun starts (CMakeLists.txt:
 * 1, 2 and 4). Messages are cut at a few bytes, as those of gigabytes would be at the usual cut. Every rank
 * runs the same tests; a wrong result on one of them ends the job.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "base/memory.h"
#include "devices/mpi/ranks.h"
#include "tests/support/test.h"

enum { CUT = 24 };

static struct oro_ranks *ranks;
static struct oro_error err;

FIXTURE(start)
{
    return oro_mpi_begin(NULL, NULL, &err) ? 0 : -1;
}

FIXTURE(end)
{
    oro_mpi_end(false);
    return 0;
}

TEST_GROUP(start, end);

FIXTURE(connect)
{
    err = (struct oro_error){0};
    ranks = oro_mpi_ranks(CUT, &err);
    return ranks ? 0 : -1;
}

FIXTURE(part)
{
    ranks->ops->destroy(ranks);
    return 0;
}

#define RANKS_TEST(name) TEST_WITH(name, connect, part)

/* The byte at a place of the message from one rank to another. */
static unsigned char byte_of(int from, int to, size_t place)
{
    return (unsigned char)(from * 67 + to * 31 + (int)(place % 251) * 7);
}

static unsigned char *message_of(int from, int to, size_t bytes)
{
    unsigned char *data = oro_alloc(bytes + 1, 1);
    assert_non_null(data);
    for (size_t i = 0; i < bytes; i++)
        data[i] = byte_of(from, to, i);
    return data;
}

static void check_message(const unsigned char *data, int from, int to, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        assert_int_equal(data[i], byte_of(from, to, i));
}

/* Sizes around the cut, with none at all among them. */
static size_t size_of(int from, int to)
{
    static const size_t sizes[] = {0, 1, CUT - 1, CUT, CUT + 1, 10 * CUT, 1000};
    return sizes[(size_t)(from * 3 + to) % (sizeof sizes / sizeof sizes[0])];
}

RANKS_TEST(ranks_know_themselves)
{
    assert_true(ranks->rank >= 0 && ranks->rank < ranks->count);
    assert_int_equal(ranks->local_count, ranks->count); /* mpirun starts them on this host */
    assert_int_equal(ranks->local_rank, ranks->rank);
    assert_true(ranks->host[0]);
    assert_int_equal(oro_ranks_first(ranks), ranks->rank == 0);
}

RANKS_TEST(everyone_exchanges_with_everyone)
{
    struct oro_message send[8] = {{0}}, receive[8] = {{0}};
    size_t count = 0, bytes = 0;
    for (int i = 0; i < ranks->count; i++) {
        if (i == ranks->rank)
            continue;
        size_t out = size_of(ranks->rank, i), in = size_of(i, ranks->rank);
        send[count] = (struct oro_message){i, message_of(ranks->rank, i, out), out};
        receive[count++] = (struct oro_message){i, message_of(0, 0, in), in};
        bytes += out;
    }
    assert_true(ranks->ops->exchange(ranks, send, count, receive, count, &err));
    assert_int_equal(ranks->bytes_sent, bytes);
    for (size_t i = 0; i < count; i++) {
        check_message(receive[i].data, receive[i].rank, ranks->rank, receive[i].bytes);
        oro_free(send[i].data);
        oro_free(receive[i].data);
    }
}

/* Several messages between the same two, in one direction of the circle only. */
RANKS_TEST(messages_keep_their_order)
{
    enum { MESSAGES = 5 };
    int next = (ranks->rank + 1) % ranks->count, last = (ranks->rank + ranks->count - 1) % ranks->count;
    struct oro_message send[MESSAGES], receive[MESSAGES];
    size_t count = ranks->count > 1 ? MESSAGES : 0;
    for (int i = 0; i < MESSAGES; i++) {
        size_t bytes = (size_t)i * (size_t)i * 13;
        send[i] = (struct oro_message){next, message_of(ranks->rank, i, bytes), bytes};
        receive[i] = (struct oro_message){last, message_of(0, 0, bytes), bytes};
    }
    assert_true(ranks->ops->exchange(ranks, send, count, receive, count, &err));
    /* Pieces of at most CUT bytes: 0, 1, 3, 5, 9 of them. */
    assert_int_equal(ranks->messages_sent, count ? 18 : 0);
    for (int i = 0; i < MESSAGES; i++) {
        if (count)
            check_message(receive[i].data, last, i, receive[i].bytes);
        oro_free(send[i].data);
        oro_free(receive[i].data);
    }
}

RANKS_TEST(nothing_can_be_exchanged)
{
    assert_true(ranks->ops->exchange(ranks, NULL, 0, NULL, 0, &err));
    assert_int_equal(ranks->bytes_sent, 0);
}

RANKS_TEST(gathers_in_order_of_the_ranks)
{
    size_t sizes[8] = {0}, own = size_of(ranks->rank, 5);
    unsigned char *data = message_of(ranks->rank, 5, own);
    void *all = data;
    assert_true(ranks->ops->gather(ranks, data, own, &all, sizes, &err));
    assert_true((ranks->rank == 0) == (all != NULL));
    const unsigned char *at = all;
    for (int i = 0; at && i < ranks->count; i++) {
        assert_int_equal(sizes[i], size_of(i, 5));
        check_message(at, i, 5, sizes[i]);
        at += sizes[i];
    }
    oro_free(all);
    oro_free(data);
}

RANKS_TEST(scatters_to_each_its_own)
{
    size_t sizes[8] = {0}, total = 0, bytes = 0;
    unsigned char all[8 * 1000];
    void *data = NULL;
    for (int i = 0; i < ranks->count; i++) {
        sizes[i] = size_of(4, i);
        for (size_t k = 0; k < sizes[i]; k++)
            all[total++] = byte_of(4, i, k);
    }
    bool root = ranks->rank == 0;
    assert_true(ranks->ops->scatter(ranks, root ? all : NULL, root ? sizes : NULL, &data, &bytes, &err));
    assert_int_equal(bytes, size_of(4, ranks->rank));
    check_message(data, 4, ranks->rank, bytes);
    oro_free(data);
}

RANKS_TEST(broadcasts_from_any_rank)
{
    for (int from = 0; from < ranks->count; from++) {
        size_t bytes = size_of(from, 1) + 3;
        unsigned char *data = message_of(ranks->rank, from, bytes);
        assert_true(ranks->ops->broadcast(ranks, from, data, bytes, &err));
        check_message(data, from, from, bytes);
        oro_free(data);
    }
}

RANKS_TEST(sums_and_finds_the_greatest)
{
    enum { COUNT = 100 };
    uint64_t sums[COUNT], most[COUNT], n = (uint64_t)ranks->count, rank = (uint64_t)ranks->rank;
    for (uint64_t i = 0; i < COUNT; i++) {
        sums[i] = UINT64_MAX - i + rank; /* beyond 2^64 */
        most[i] = i % 2 ? rank << 60 : i - rank;
    }
    assert_true(ranks->ops->sum(ranks, sums, COUNT, &err));
    assert_true(ranks->ops->greatest(ranks, most, COUNT, &err));
    for (uint64_t i = 0; i < COUNT; i++) {
        assert_true(sums[i] == n * (UINT64_MAX - i) + n * (n - 1) / 2);
        /* Modulo 2^64, i - rank is far above i. */
        assert_true(most[i] == (i % 2             ? (n - 1) << 60
                                : n > i + 1       ? i - (i + 1)
                                : n > 1 && i == 0 ? UINT64_MAX
                                                  : i));
    }
}

RANKS_TEST(rank_0_decides)
{
    assert_true(oro_ranks_decide(ranks, ranks->rank == 0));
    assert_int_equal(oro_ranks_decide(ranks, ranks->rank != 0), false);
    assert_true(oro_ranks_all(ranks, true));
    assert_false(oro_ranks_all(ranks, ranks->rank != ranks->count - 1));
    assert_int_equal(oro_ranks_least(ranks, (uint64_t)(100 - ranks->rank)), 101 - ranks->count);
    assert_true(oro_ranks_agree(ranks, true, &err)); /* none of that was a failure */
}

RANKS_TEST(what_should_be_the_same_is_compared)
{
    assert_true(oro_ranks_same(ranks, "cheese", "brie", ORO_E_DEVICE, &err));
    bool last = ranks->rank == ranks->count - 1;
    if (ranks->count == 1)
        return;
    assert_false(oro_ranks_same(ranks, "cheese", last ? "feta" : "brie", ORO_E_DEVICE, &err));
    char text[200];
    snprintf(text, sizeof text,
             "the ranks do not have the same cheese: rank 0 on %s has 'brie', rank %d on %s 'feta'",
             ranks->host, ranks->count - 1, ranks->host);
    assert_string_equal(err.text, text);
    assert_int_equal(err.code, ORO_E_DEVICE);
}

/* ---- Failing ---- */

static void check_failure(const char *text)
{
    char whole[300];
    snprintf(whole, sizeof whole, "rank %d of %d on %s: %s", ranks->count - 1, ranks->count, ranks->host,
             text);
    assert_string_equal(err.text, ranks->count > 1 ? whole : text);
    assert_int_equal(err.code, ORO_E_LIMIT);
    assert_string_equal(err.node, "peak");
}

static bool fails(const char *text)
{
    oro_fail(&err, ORO_E_LIMIT, "%s", text);
    oro_error_place(&err, NULL, 0, "peak");
    return false;
}

RANKS_TEST(an_error_on_one_is_the_error_of_all)
{
    bool last = ranks->rank == ranks->count - 1;
    assert_true(ranks->ops->agree(ranks, true, &err));
    assert_false(ranks->ops->agree(ranks, !last || fails("too high"), &err));
    check_failure("too high");
    /* It is final. */
    uint64_t one = 1;
    err = (struct oro_error){0};
    assert_false(ranks->ops->sum(ranks, &one, 1, &err));
    check_failure("too high");
    assert_false(ranks->ops->agree(ranks, true, NULL));
    assert_false(oro_ranks_all(ranks, true));
    assert_false(oro_ranks_decide(ranks, true));
    assert_true(ranks->ops->stop(ranks));
}

RANKS_TEST(an_error_of_all_names_none)
{
    assert_false(ranks->ops->agree(ranks, fails("too high"), &err));
    assert_string_equal(err.text, "too high");
}

/* The last rank has left; the others are each somewhere else, and learn of it there. */
static bool anything(int rank)
{
    void *data = NULL;
    size_t sizes[8] = {0}, bytes = 0;
    uint64_t word = 0;
    switch (rank % 3) {
    case 0:
        return ranks->ops->exchange(ranks, NULL, 0, NULL, 0, &err);
    case 1:
        return ranks->ops->gather(ranks, &word, sizeof word, &data, sizes, &err) || data;
    default:
        return ranks->ops->scatter(ranks, NULL, NULL, &data, &bytes, &err) || data;
    }
}

RANKS_TEST(who_has_left_meets_the_others_anywhere)
{
    bool last = ranks->rank == ranks->count - 1;
    assert_false(last ? ranks->ops->agree(ranks, fails("gone"), &err) : anything(ranks->rank));
    check_failure("gone");
    assert_false(ranks->ops->agree(ranks, false, &err)); /* as the others come there, too */
    check_failure("gone");
}

/* One is told of the failure while it works; what it says then is not what is reported. */
RANKS_TEST(who_is_at_work_hears_of_a_failure)
{
    bool last = ranks->rank == ranks->count - 1;
    const struct timespec nap = {.tv_nsec = 1000000};
    int naps = 0;
    assert_false(ranks->ops->stop(ranks));
    assert_true(ranks->ops->agree(ranks, true, &err)); /* now all have looked */
    if (last)
        fails("gone");
    for (; !last && !ranks->ops->stop(ranks) && naps < 20000; naps++)
        nanosleep(&nap, NULL);
    assert_true(naps < 20000);
    if (!last)
        oro_fail(&err, ORO_E_CANCELLED, "cancelled");
    assert_false(ranks->ops->agree(ranks, false, &err));
    check_failure("gone");
}

RANKS_TEST(different_ways_are_an_error_not_a_wait)
{
    uint64_t word = 1;
    if (ranks->count == 1)
        return;
    bool ok = ranks->rank == 0 ? ranks->ops->sum(ranks, &word, 1, &err)
                               : ranks->ops->broadcast(ranks, 0, &word, sizeof word, &err);
    assert_false(ok);
    assert_int_equal(err.code, ORO_E_RANKS);
}

RANKS_TEST(different_sizes_are_an_error)
{
    uint64_t words[2] = {0, 0};
    if (ranks->count == 1)
        return;
    assert_false(ranks->ops->greatest(ranks, words, ranks->rank == 0 ? 2 : 1, &err));
    assert_int_equal(err.code, ORO_E_RANKS);
}

/* One rank after the other has no memory for one of the things that a call makes: all learn of it. */
RANKS_TEST(no_memory_on_one_is_no_memory_on_all)
{
    for (size_t nth = 1; nth < 4; nth++) {
        struct oro_ranks *fresh = oro_mpi_ranks(CUT, &err);
        size_t sizes[8] = {0}, own = 100;
        unsigned char data[100] = {0};
        void *all = NULL;
        assert_non_null(fresh);
        if (fresh->rank == 0)
            oro_memory_fail_at(nth);
        bool ok = fresh->ops->gather(fresh, data, own, &all, sizes, &err);
        oro_memory_fail_at(0);
        bool same = oro_ranks_agree(ranks, true, &err);
        assert_true(same);
        assert_int_equal(oro_ranks_decide(ranks, ok), ok); /* the same on all */
        assert_int_equal(ok, false);
        assert_int_equal(err.code, ORO_E_MEMORY);
        assert_null(all);
        fresh->ops->destroy(fresh);
    }
}

RANKS_TEST(time_is_counted)
{
    const struct timespec nap = {.tv_nsec = 50000000};
    if (ranks->rank == 0)
        nanosleep(&nap, NULL);
    assert_true(oro_ranks_agree(ranks, true, &err));
    assert_true(ranks->rank == 0 || ranks->seconds > 0.01);
}
