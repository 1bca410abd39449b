/*
 * Ranks over MPI. Every call begins with a vote, in which each rank says what it is about to do and whether
 * it has failed: so a rank that has left the work meets the others wherever they are, and nobody waits for a
 * message that will not come.
 */
#include "devices/mpi/ranks.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <mpi.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"

/* NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker): every request ends in wait_for */

enum call { EXCHANGE = 1, GATHER, SCATTER, BROADCAST, SUM, GREATEST, AGREE };

struct mpi_ranks {
    struct oro_ranks ranks;
    MPI_Comm all, alarms; /* alarms: empty messages of ranks that failed */
    int pieces;           /* bytes of a message at most */
    bool over;            /* something failed: `failure` is the answer to every call */
    bool alarmed;         /* an alarm of another rank was seen */
    struct oro_error failure;
    char host[64];
};

static const size_t standard_cut = (size_t)512 << 20;

static struct mpi_ranks *of(struct oro_ranks *ranks)
{
    return (struct mpi_ranks *)ranks;
}

bool oro_mpi_begin(int *argc, char ***argv, struct oro_error *err)
{
    int provided = 0;
    if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
        return oro_fail(err, ORO_E_RANKS, "MPI does not start");
    return true;
}

/* ---- Failing ---- */

static bool say_failure(const struct mpi_ranks *self, struct oro_error *err)
{
    if (err)
        *err = self->failure;
    return false;
}

static bool lost(struct mpi_ranks *self, int status, struct oro_error *err)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(status, text, &length);
    self->over = true;
    oro_fail(&self->failure, ORO_E_RANKS, "rank %d of %d on %s cannot reach the others: %.500s",
             self->ranks.rank, self->ranks.count, self->host, text);
    return say_failure(self, err);
}

/* Waits for requests. A rank that comes early `sleeps`, so that it takes no processor from those that it
 * waits for. */
static int wait_for(MPI_Request *requests, int count, bool sleeps)
{
    enum { AWAKE = 2000 };
    const struct timespec nap = {.tv_nsec = 100000};
    for (int tries = 0;; tries += tries < AWAKE) {
        int done = 0, status = MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE);
        if (status != MPI_SUCCESS || done)
            return status;
        if (sleeps && tries == AWAKE)
            nanosleep(&nap, NULL);
        else
            sched_yield();
    }
}

/* For what MPI has begun: `status` is what it said about that. */
static bool finish(struct mpi_ranks *self, int status, MPI_Request *request, bool sleeps,
                   struct oro_error *err)
{
    if (status == MPI_SUCCESS)
        status = wait_for(request, 1, sleeps);
    return status == MPI_SUCCESS || lost(self, status, err);
}

struct ballot {
    unsigned char failed;
    struct oro_hash text; /* of the error */
};

/* The alarms of ranks that failed are in the way of no later message, but MPI wants them received. */
static void take_alarms(const struct mpi_ranks *self, const struct ballot *ballots)
{
    for (int i = 0; i < self->ranks.count; i++)
        if (ballots[i].failed && i != self->ranks.rank)
            MPI_Recv(NULL, 0, MPI_BYTE, i, 0, self->alarms, MPI_STATUS_IGNORE);
}

static bool all_say_the_same(const struct ballot *ballots, int count)
{
    for (int i = 0; i < count; i++)
        if (!ballots[i].failed || !oro_hash_equal(ballots[i].text, ballots[0].text))
            return false;
    return true;
}

static void name_rank(const struct mpi_ranks *self, struct oro_error *failure)
{
    char text[sizeof failure->text];
    snprintf(text, sizeof text, "%s", failure->text);
    snprintf(failure->text, sizeof failure->text, "rank %d of %d on %s: %.800s", self->ranks.rank,
             self->ranks.count, self->host, text);
}

/* Some rank has failed: everyone learns of what was wrong with the one that `first` is. */
static bool share_failure(struct mpi_ranks *self, int first, bool failed, const struct oro_error *own,
                          struct oro_error *err)
{
    int count = self->ranks.count;
    MPI_Request request;
    struct ballot ballot = {.failed = failed}, *ballots = oro_alloc((size_t)count, sizeof *ballots);
    if (!ballots)
        MPI_Abort(self->all, 1); /* there is no memory even to fail together */
    if (failed) {
        self->failure = *own;
        ballot.text = oro_hash_of(own->text, strlen(own->text));
    }
    bool ok = finish(self,
                     MPI_Iallgather(&ballot, sizeof ballot, MPI_BYTE, ballots, sizeof ballot, MPI_BYTE,
                                    self->all, &request),
                     &request, true, err);
    if (ok && first == self->ranks.rank && count > 1 && !all_say_the_same(ballots, count))
        name_rank(self, &self->failure);
    ok = ok &&
         finish(self, MPI_Ibcast(&self->failure, sizeof self->failure, MPI_BYTE, first, self->all, &request),
                &request, true, err);
    if (ok)
        take_alarms(self, ballots);
    oro_free(ballots);
    self->over = true;
    return say_failure(self, err);
}

/* ---- The vote ---- */

enum { VOTE_CALL, VOTE_MINUS_CALL, VOTE_SIZE, VOTE_MINUS_SIZE, VOTE_FAILED, VOTES };

/* Every rank is about to do `call`, with something of `size` (where all have the same), unless one of them
 * has failed: `own` is then the error of this one, else NULL. */
static bool vote(struct mpi_ranks *self, enum call call, size_t size, const struct oro_error *own,
                 struct oro_error *err)
{
    int count = self->ranks.count;
    MPI_Request request;
    if (self->over)
        return say_failure(self, err);
    /* Those that failed only because another did come behind it. */
    int64_t failed = !own ? INT_MAX : self->alarmed ? count + self->ranks.rank : self->ranks.rank;
    int64_t given[VOTES] = {call, -(int64_t)call, (int64_t)size, -(int64_t)size, failed}, least[VOTES];
    if (!finish(self, MPI_Iallreduce(given, least, VOTES, MPI_INT64_T, MPI_MIN, self->all, &request),
                &request, true, err))
        return false;
    if (least[VOTE_FAILED] != INT_MAX)
        return share_failure(self, (int)(least[VOTE_FAILED] % count), own, own, err);
    if (least[VOTE_CALL] == -least[VOTE_MINUS_CALL] && least[VOTE_SIZE] == -least[VOTE_MINUS_SIZE])
        return true;
    self->over = true;
    oro_fail(&self->failure, ORO_E_RANKS,
             "the ranks went different ways: rank %d of %d on %s is at call %d with size %zu, and the least "
             "of all are %d and %lld",
             self->ranks.rank, count, self->host, call, size, (int)least[VOTE_CALL],
             (long long)least[VOTE_SIZE]);
    return say_failure(self, err);
}

/* As agree, within a call: for memory that a part of it needs. */
static bool all_have(struct mpi_ranks *self, enum call call, const void *memory, size_t bytes,
                     struct oro_error *err)
{
    struct oro_error own;
    if (memory)
        return vote(self, call, 0, NULL, err);
    oro_fail(&own, ORO_E_MEMORY, "no memory for messages of %zu bytes", bytes);
    return oro_ranks_agree(&self->ranks, false, &own) || say_failure(self, err);
}

/* ---- Messages ---- */

static size_t pieces_of(const struct mpi_ranks *self, const struct oro_message *messages, size_t count)
{
    size_t pieces = 0, cut = (size_t)self->pieces;
    for (size_t i = 0; i < count; i++)
        pieces += messages[i].bytes / cut + (messages[i].bytes % cut > 0);
    return pieces;
}

/* Begins to send or receive a message in pieces. Between two ranks, messages do not overtake each other. */
static int begin_message(const struct mpi_ranks *self, const struct oro_message *message, bool sends,
                         MPI_Request *requests, int *used)
{
    int status = MPI_SUCCESS;
    for (size_t done = 0; done < message->bytes && status == MPI_SUCCESS;) {
        size_t left = message->bytes - done;
        int bytes = left < (size_t)self->pieces ? (int)left : self->pieces;
        char *at = (char *)message->data + done;
        status = sends ? MPI_Isend(at, bytes, MPI_BYTE, message->rank, 0, self->all, &requests[*used])
                       : MPI_Irecv(at, bytes, MPI_BYTE, message->rank, 0, self->all, &requests[*used]);
        *used += status == MPI_SUCCESS;
        done += (size_t)bytes;
    }
    return status;
}

static void count_sent(struct mpi_ranks *self, const struct oro_message *send, size_t count)
{
    for (size_t i = 0; i < count; i++)
        self->ranks.bytes_sent += send[i].bytes;
    self->ranks.messages_sent += pieces_of(self, send, count);
}

/* Sends and receives, after a vote that all take part. */
static bool transfer(struct mpi_ranks *self, const struct oro_message *send, size_t send_count,
                     const struct oro_message *receive, size_t receive_count, struct oro_error *err)
{
    size_t pieces = pieces_of(self, send, send_count) + pieces_of(self, receive, receive_count);
    MPI_Request *requests = pieces < INT_MAX ? oro_alloc(pieces + 1, sizeof *requests) : NULL;
    int used = 0, status = MPI_SUCCESS;
    if (!all_have(self, EXCHANGE, requests, pieces * sizeof *requests, err) || !requests) {
        oro_free(requests);
        return false;
    }
    for (size_t i = 0; i < receive_count && status == MPI_SUCCESS; i++)
        status = begin_message(self, &receive[i], false, requests, &used);
    for (size_t i = 0; i < send_count && status == MPI_SUCCESS; i++)
        status = begin_message(self, &send[i], true, requests, &used);
    if (status == MPI_SUCCESS)
        status = wait_for(requests, used, false);
    oro_free(requests);
    count_sent(self, send, send_count);
    return status == MPI_SUCCESS || lost(self, status, err);
}

static bool exchange(struct oro_ranks *ranks, const struct oro_message *send, size_t send_count,
                     const struct oro_message *receive, size_t receive_count, struct oro_error *err)
{
    double began = oro_now();
    bool ok = transfer(of(ranks), send, send_count, receive, receive_count, err);
    ranks->seconds += oro_now() - began;
    return ok;
}

/* Rank 0's messages with each of the others; `all` has their bytes one after another, with those of rank 0 in
 * front. The caller frees; NULL: memory is out. */
static struct oro_message *messages_of_root(const struct oro_ranks *ranks, void *all, const size_t *sizes)
{
    struct oro_message *messages = oro_alloc((size_t)ranks->count, sizeof *messages);
    size_t at = sizes[0];
    for (int i = 1; messages && i < ranks->count; i++) {
        messages[i - 1] = (struct oro_message){.rank = i, .data = (char *)all + at, .bytes = sizes[i]};
        at += sizes[i];
    }
    return messages;
}

static size_t total_of(const size_t *sizes, int count)
{
    size_t total = 0;
    for (int i = 0; i < count; i++)
        total += sizes[i];
    return total;
}

static bool gather_all(struct mpi_ranks *self, const void *data, size_t bytes, void **all, size_t *sizes,
                       struct oro_error *err)
{
    struct oro_ranks *ranks = &self->ranks;
    uint64_t size = bytes;
    MPI_Request request;
    bool root = ranks->rank == 0;
    /* size_t has 64 bits wherever two ranks have memory for messages of more than 4 GiB. */
    if (!vote(self, GATHER, 0, NULL, err) ||
        !finish(
            self,
            MPI_Igather(&size, sizeof size, MPI_BYTE, sizes, sizeof size, MPI_BYTE, 0, self->all, &request),
            &request, false, err))
        return false;
    size_t total = root ? total_of(sizes, ranks->count) : 0;
    *all = root ? oro_alloc(total + 1, 1) : NULL;
    struct oro_message *receive = root && *all ? messages_of_root(ranks, *all, sizes) : NULL;
    struct oro_message send = {.rank = 0, .data = (void *)data, .bytes = bytes};
    bool ok = all_have(self, GATHER, root ? (void *)receive : self, total, err) &&
              transfer(self, &send, root ? 0 : 1, receive, receive ? (size_t)ranks->count - 1 : 0, err);
    if (ok && *all && bytes)
        memcpy(*all, data, bytes);
    oro_free(receive);
    if (!ok) {
        oro_free(*all);
        *all = NULL;
    }
    return ok;
}

static bool gather(struct oro_ranks *ranks, const void *data, size_t bytes, void **all, size_t *sizes,
                   struct oro_error *err)
{
    double began = oro_now();
    *all = NULL;
    bool ok = gather_all(of(ranks), data, bytes, all, sizes, err);
    ranks->seconds += oro_now() - began;
    return ok;
}

static bool scatter_all(struct mpi_ranks *self, const void *all, const size_t *sizes, void **data,
                        size_t *bytes, struct oro_error *err)
{
    struct oro_ranks *ranks = &self->ranks;
    uint64_t size = 0;
    MPI_Request request;
    bool root = ranks->rank == 0;
    if (!vote(self, SCATTER, 0, NULL, err) ||
        !finish(
            self,
            MPI_Iscatter(sizes, sizeof size, MPI_BYTE, &size, sizeof size, MPI_BYTE, 0, self->all, &request),
            &request, false, err))
        return false;
    *bytes = size;
    *data = oro_alloc(*bytes + 1, 1);
    struct oro_message *send = root ? messages_of_root(ranks, (void *)all, sizes) : NULL;
    struct oro_message receive = {.rank = 0, .data = *data, .bytes = *bytes};
    bool ok = all_have(self, SCATTER, root && !send ? NULL : *data, *bytes, err) &&
              transfer(self, send, send ? (size_t)ranks->count - 1 : 0, &receive, root ? 0 : 1, err);
    if (ok && root && *data && *bytes)
        memcpy(*data, all, *bytes);
    oro_free(send);
    if (!ok) {
        oro_free(*data);
        *data = NULL;
    }
    return ok;
}

static bool scatter(struct oro_ranks *ranks, const void *all, const size_t *sizes, void **data, size_t *bytes,
                    struct oro_error *err)
{
    double began = oro_now();
    *data = NULL;
    bool ok = scatter_all(of(ranks), all, sizes, data, bytes, err);
    ranks->seconds += oro_now() - began;
    return ok;
}

static bool broadcast_all(struct mpi_ranks *self, int from, void *data, size_t bytes, struct oro_error *err)
{
    MPI_Request request;
    if (!vote(self, BROADCAST, bytes, NULL, err))
        return false;
    for (size_t done = 0; done < bytes;) {
        int piece = bytes - done < (size_t)self->pieces ? (int)(bytes - done) : self->pieces;
        if (!finish(self, MPI_Ibcast((char *)data + done, piece, MPI_BYTE, from, self->all, &request),
                    &request, false, err))
            return false;
        done += (size_t)piece;
        self->ranks.messages_sent += self->ranks.rank == from;
    }
    self->ranks.bytes_sent += self->ranks.rank == from ? bytes : 0;
    return true;
}

static bool broadcast(struct oro_ranks *ranks, int from, void *data, size_t bytes, struct oro_error *err)
{
    double began = oro_now();
    bool ok = broadcast_all(of(ranks), from, data, bytes, err);
    ranks->seconds += oro_now() - began;
    return ok;
}

static bool reduce(struct oro_ranks *ranks, enum call call, uint64_t *values, size_t count,
                   struct oro_error *err)
{
    struct mpi_ranks *self = of(ranks);
    size_t most = (size_t)self->pieces / sizeof *values, piece = most > 0 ? most : 1;
    double began = oro_now();
    MPI_Request request;
    bool ok = vote(self, call, count, NULL, err);
    for (size_t done = 0; ok && done < count; done += piece) {
        int some = count - done < piece ? (int)(count - done) : (int)piece;
        ok = finish(self,
                    MPI_Iallreduce(MPI_IN_PLACE, values + done, some, MPI_UINT64_T,
                                   call == SUM ? MPI_SUM : MPI_MAX, self->all, &request),
                    &request, false, err);
        ranks->messages_sent++;
    }
    ranks->bytes_sent += ok ? count * sizeof *values : 0;
    ranks->seconds += oro_now() - began;
    return ok;
}

static bool sum(struct oro_ranks *ranks, uint64_t *values, size_t count, struct oro_error *err)
{
    return reduce(ranks, SUM, values, count, err);
}

static bool greatest(struct oro_ranks *ranks, uint64_t *values, size_t count, struct oro_error *err)
{
    return reduce(ranks, GREATEST, values, count, err);
}

/* ---- Agreeing ---- */

/* Tells the others, who may be at work for long. */
static void send_alarms(const struct mpi_ranks *self)
{
    for (int i = 0; i < self->ranks.count; i++)
        if (i != self->ranks.rank)
            MPI_Send(NULL, 0, MPI_BYTE, i, 0, self->alarms); /* without contents: does not wait */
}

static bool agree(struct oro_ranks *ranks, bool ok, struct oro_error *err)
{
    struct mpi_ranks *self = of(ranks);
    struct oro_error own = {.code = ORO_E_EVALUATE, .text = "failed without saying why"};
    double began = oro_now();
    if (!ok && err && err->code)
        own = *err;
    if (!ok && !self->over)
        send_alarms(self);
    bool agreed = vote(self, AGREE, 0, ok ? NULL : &own, err);
    ranks->seconds += oro_now() - began;
    return agreed;
}

static bool stop(struct oro_ranks *ranks)
{
    struct mpi_ranks *self = of(ranks);
    int there = 0;
    if (!self->over && !self->alarmed)
        MPI_Iprobe(MPI_ANY_SOURCE, 0, self->alarms, &there, MPI_STATUS_IGNORE);
    self->alarmed |= there != 0;
    return self->over || self->alarmed;
}

/* ---- Beginning and end ---- */

static void destroy(struct oro_ranks *ranks)
{
    struct mpi_ranks *self = of(ranks);
    MPI_Comm_free(&self->all);
    MPI_Comm_free(&self->alarms);
    oro_free(self);
}

static const struct oro_ranks_ops ops = {.destroy = destroy,
                                         .exchange = exchange,
                                         .gather = gather,
                                         .scatter = scatter,
                                         .broadcast = broadcast,
                                         .sum = sum,
                                         .greatest = greatest,
                                         .agree = agree,
                                         .stop = stop};

static void find_host(struct mpi_ranks *self)
{
    MPI_Comm local;
    self->ranks.host = self->host;
    if (gethostname(self->host, sizeof self->host - 1) != 0)
        snprintf(self->host, sizeof self->host, "an unnamed host");
    MPI_Comm_split_type(self->all, MPI_COMM_TYPE_SHARED, self->ranks.rank, MPI_INFO_NULL, &local);
    MPI_Comm_rank(local, &self->ranks.local_rank);
    MPI_Comm_size(local, &self->ranks.local_count);
    MPI_Comm_free(&local);
}

void oro_mpi_end(bool cancelled)
{
    MPI_Request request;
    if (!cancelled)
        MPI_Finalize();
    else if (MPI_Ibarrier(MPI_COMM_WORLD, &request) == MPI_SUCCESS)
        wait_for(&request, 1, true);
}

struct oro_ranks *oro_mpi_ranks(size_t cut, struct oro_error *err)
{
    struct mpi_ranks *self = oro_alloc(1, sizeof *self);
    if (!self) {
        oro_fail(err, ORO_E_MEMORY, "no memory for ranks");
        return NULL;
    }
    self->ranks.ops = &ops;
    self->pieces = (int)(cut && cut < standard_cut ? cut : standard_cut);
    if (MPI_Comm_dup(MPI_COMM_WORLD, &self->all) != MPI_SUCCESS ||
        MPI_Comm_dup(MPI_COMM_WORLD, &self->alarms) != MPI_SUCCESS) {
        oro_free(self);
        oro_fail(err, ORO_E_RANKS, "MPI does not connect the ranks");
        return NULL;
    }
    MPI_Comm_set_errhandler(self->all, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(self->alarms, MPI_ERRORS_RETURN);
    MPI_Comm_rank(self->all, &self->ranks.rank);
    MPI_Comm_size(self->all, &self->ranks.count);
    find_host(self);
    return &self->ranks;
}

/* NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker) */
