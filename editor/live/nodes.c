#include "editor/live/nodes.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "graph/type/said.h"

struct entry {
    char *id;
    uint64_t hash;
    struct ed_node_state state;
    unsigned round;
    struct oro_hash thumbnail_key;
    struct ed_thumbnail *thumbnail;
    const struct ed_nodes_run *run; /* in which it has the part of that number */
    size_t part;
};

/* What a result cost when it was computed. */
struct cost {
    struct oro_hash key;
    double seconds, device_seconds;
};
enum { COSTS = 1 << 14 }; /* the newest of each place is kept */

struct ed_nodes {
    pthread_mutex_t *lock;
    struct entry **entries; /* in the order in which they came */
    size_t count, capacity;
    size_t *table; /* entry + 1 by hash; linear probing */
    size_t table_size;
    unsigned round;
    uint64_t serial;
    struct cost *costs; /* the live thread's */
};

/* A node's part in a running evaluation. */
struct part {
    struct entry *entry;
    size_t phases[ED_NODE_FAILED + 1]; /* how many of its steps are there */
    double seconds, device_seconds;
    bool costs_known;
    int width, height;
};

struct ed_nodes_run {
    struct ed_nodes *nodes;
    const struct ed_steps *steps;
    struct part *parts; /* as many as steps at most */
    size_t part_count;
    size_t *part_of;  /* by step: part + 1; 0: of a node that is not shown */
    uint8_t *counted; /* by step: the phase as which it is counted */
};

/* ---- Table ---- */

static uint64_t hash_of(const char *id)
{
    return oro_hash_of(id, strlen(id)).low;
}

static size_t *place_of(const struct ed_nodes *nodes, const char *id, uint64_t hash)
{
    size_t at = (size_t)hash & (nodes->table_size - 1);
    while (nodes->table[at]) {
        const struct entry *entry = nodes->entries[nodes->table[at] - 1];
        if (entry->hash == hash && strcmp(entry->id, id) == 0)
            break;
        at = (at + 1) & (nodes->table_size - 1);
    }
    return &nodes->table[at];
}

static struct entry *find(const struct ed_nodes *nodes, const char *id)
{
    const size_t *place = nodes->table_size ? place_of(nodes, id, hash_of(id)) : NULL;
    return place && *place ? nodes->entries[*place - 1] : NULL;
}

static bool grow(struct ed_nodes *nodes)
{
    size_t size = nodes->table_size ? 2 * nodes->table_size : 256;
    size_t *table = oro_alloc(size, sizeof *table);
    if (!table)
        return false;
    oro_free(nodes->table);
    nodes->table = table;
    nodes->table_size = size;
    for (size_t i = 0; i < nodes->count; i++)
        *place_of(nodes, nodes->entries[i]->id, nodes->entries[i]->hash) = i + 1;
    return true;
}

static void destroy_entry(struct entry *entry)
{
    if (!entry)
        return;
    oro_free(entry->id);
    oro_free(entry->thumbnail);
    oro_free(entry);
}

/* NULL: memory is out. */
static struct entry *add(struct ed_nodes *nodes, const char *id)
{
    void *entries = nodes->entries;
    struct entry *entry = find(nodes, id);
    if (entry)
        return entry;
    entry = oro_alloc(1, sizeof *entry);
    if (entry) {
        entry->id = oro_copy_text(id);
        entry->hash = hash_of(id);
        entry->state = (struct ed_node_state){.progress = -1, .seconds = -1, .device_seconds = -1};
    }
    bool room = entry && entry->id &&
                oro_reserve(&entries, &nodes->capacity, nodes->count + 1, sizeof *nodes->entries);
    nodes->entries = entries;
    if (!room || (2 * (nodes->count + 1) > nodes->table_size && !grow(nodes))) {
        destroy_entry(entry);
        return NULL;
    }
    nodes->entries[nodes->count++] = entry;
    *place_of(nodes, id, entry->hash) = nodes->count;
    return entry;
}

struct ed_nodes *ed_nodes_create(pthread_mutex_t *lock)
{
    struct ed_nodes *nodes = oro_alloc(1, sizeof *nodes);
    if (!nodes)
        return NULL;
    nodes->lock = lock;
    nodes->costs = oro_alloc(COSTS, sizeof *nodes->costs);
    if (nodes->costs)
        return nodes;
    oro_free(nodes);
    return NULL;
}

void ed_nodes_clear(struct ed_nodes *nodes)
{
    pthread_mutex_lock(nodes->lock);
    for (size_t i = 0; i < nodes->count; i++)
        destroy_entry(nodes->entries[i]);
    nodes->count = 0;
    if (nodes->table)
        memset(nodes->table, 0, nodes->table_size * sizeof *nodes->table);
    pthread_mutex_unlock(nodes->lock);
}

void ed_nodes_destroy(struct ed_nodes *nodes)
{
    if (!nodes)
        return;
    ed_nodes_clear(nodes);
    oro_free(nodes->entries);
    oro_free(nodes->table);
    oro_free(nodes->costs);
    oro_free(nodes);
}

void ed_nodes_state(struct ed_nodes *nodes, const char *id, struct ed_node_state *state)
{
    pthread_mutex_lock(nodes->lock);
    const struct entry *entry = find(nodes, id);
    *state =
        entry ? entry->state : (struct ed_node_state){.progress = -1, .seconds = -1, .device_seconds = -1};
    pthread_mutex_unlock(nodes->lock);
}

/* ---- Small pictures ---- */

bool ed_nodes_thumbnail(struct ed_nodes *nodes, const char *id, uint64_t known,
                        struct ed_thumbnail *thumbnail)
{
    pthread_mutex_lock(nodes->lock);
    const struct entry *entry = find(nodes, id);
    bool newer = entry && entry->thumbnail && entry->thumbnail->serial != known;
    if (newer)
        *thumbnail = *entry->thumbnail;
    pthread_mutex_unlock(nodes->lock);
    return newer;
}

bool ed_nodes_has_thumbnail(struct ed_nodes *nodes, const char *id, struct oro_hash key)
{
    pthread_mutex_lock(nodes->lock);
    const struct entry *entry = find(nodes, id);
    bool has = entry && entry->thumbnail && oro_hash_equal(entry->thumbnail_key, key);
    pthread_mutex_unlock(nodes->lock);
    return has;
}

void ed_nodes_put_thumbnail(struct ed_nodes *nodes, const char *id, struct oro_hash key,
                            struct ed_thumbnail *thumbnail)
{
    pthread_mutex_lock(nodes->lock);
    struct entry *entry = add(nodes, id);
    struct ed_thumbnail *old = thumbnail;
    if (entry) {
        old = entry->thumbnail;
        thumbnail->serial = ++nodes->serial;
        entry->thumbnail = thumbnail;
        entry->thumbnail_key = key;
    }
    pthread_mutex_unlock(nodes->lock);
    oro_free(old);
}

/* ---- States ---- */

void ed_nodes_round(struct ed_nodes *nodes)
{
    pthread_mutex_lock(nodes->lock);
    nodes->round++;
    for (size_t i = 0; i < nodes->count; i++)
        nodes->entries[i]->state.falls = ED_SHORT_NOT;
    pthread_mutex_unlock(nodes->lock);
}

void ed_nodes_round_done(struct ed_nodes *nodes)
{
    pthread_mutex_lock(nodes->lock);
    for (size_t i = 0; i < nodes->count; i++)
        if (nodes->entries[i]->round != nodes->round)
            nodes->entries[i]->state.phase = ED_NODE_UNKNOWN;
    pthread_mutex_unlock(nodes->lock);
}

void ed_nodes_round_halted(struct ed_nodes *nodes)
{
    pthread_mutex_lock(nodes->lock);
    for (size_t i = 0; i < nodes->count; i++) {
        struct ed_node_state *state = &nodes->entries[i]->state;
        if (state->phase != ED_NODE_WAITING && state->phase != ED_NODE_RUNNING)
            continue;
        state->phase = ED_NODE_UNKNOWN;
        state->falls = ED_SHORT_STOPPED;
    }
    pthread_mutex_unlock(nodes->lock);
}

void ed_nodes_short(struct ed_nodes *nodes, const char *id, enum ed_node_short falls)
{
    pthread_mutex_lock(nodes->lock);
    struct entry *entry = add(nodes, id);
    if (entry)
        entry->state.falls = falls;
    pthread_mutex_unlock(nodes->lock);
}

static void set_text(struct ed_node_state *state, const char *text)
{
    snprintf(state->text, sizeof state->text, "%s", text ? text : "");
}

void ed_nodes_failed(struct ed_nodes *nodes, const char *id, const char *text)
{
    pthread_mutex_lock(nodes->lock);
    struct entry *entry = add(nodes, id);
    if (entry) {
        entry->round = nodes->round;
        entry->state.phase = ED_NODE_FAILED;
        set_text(&entry->state, text);
    }
    pthread_mutex_unlock(nodes->lock);
}

static struct cost *cost_of(const struct ed_nodes *nodes, struct oro_hash key)
{
    return &nodes->costs[key.low & (COSTS - 1)];
}

static void add_cost(struct part *part, double seconds, double device_seconds)
{
    part->seconds += seconds;
    if (device_seconds >= 0)
        part->device_seconds = device_seconds + (part->device_seconds > 0 ? part->device_seconds : 0);
    part->costs_known = true;
}

/* All steps that run, done or not, weigh the same, since what they will cost is unknown. */
static float progress_of(const struct part *part, float current)
{
    const size_t *phases = part->phases;
    size_t all = phases[ED_NODE_WAITING] + phases[ED_NODE_RUNNING] + phases[ED_NODE_DONE];
    if (all <= 1 && current < 0)
        return -1;
    return ((float)phases[ED_NODE_DONE] + (current > 0 ? current : 0)) / (float)all;
}

static enum ed_node_phase phase_of(const struct part *part)
{
    const size_t *phases = part->phases;
    if (phases[ED_NODE_FAILED])
        return ED_NODE_FAILED;
    if (phases[ED_NODE_RUNNING] || (phases[ED_NODE_WAITING] && phases[ED_NODE_DONE]))
        return ED_NODE_RUNNING;
    return phases[ED_NODE_WAITING] ? ED_NODE_WAITING : phases[ED_NODE_DONE] ? ED_NODE_DONE : ED_NODE_CACHED;
}

/* Call with the lock held. */
static void publish(struct ed_nodes_run *run, const struct part *part, const char *text)
{
    struct entry *entry = part->entry;
    struct ed_node_state *state = &entry->state;
    unsigned round = run->nodes->round;
    enum ed_node_phase phase = phase_of(part);
    if (entry->round == round && phase == ED_NODE_CACHED &&
        (state->phase == ED_NODE_DONE || state->phase == ED_NODE_FAILED))
        phase = state->phase; /* from another evaluation in this round */
    else
        set_text(state, text);
    entry->round = round;
    state->phase = phase;
    state->progress = phase == ED_NODE_RUNNING
                          ? progress_of(part, part->phases[ED_NODE_RUNNING] ? run->steps->part : 0)
                          : -1;
    state->width = part->width;
    state->height = part->height;
    if (part->costs_known) {
        state->seconds = part->seconds;
        state->device_seconds = part->device_seconds;
    }
}

/* The node of the shown graph that a step belongs to: the first part of the id after the prefix. */
static bool node_of(const char *step, const char *prefix, char *id, size_t size)
{
    size_t skipped = strlen(prefix);
    if (strncmp(step, prefix, skipped) != 0)
        return false;
    size_t length = skipped + strcspn(step + skipped, "/:");
    return snprintf(id, size, "%.*s", (int)length, step) < (int)size;
}

static bool has_raster(const struct oro_step *step)
{
    for (const struct oro_output *output = step->type->outputs; output && output->name; output++)
        if (oro_is_raster(output->type))
            return true;
    return false;
}

/* The number of the node's part, made where there is none; 0: memory is out. */
static size_t part_of(struct ed_nodes_run *run, const char *id)
{
    struct entry *entry = add(run->nodes, id);
    if (!entry || entry->run == run)
        return entry ? entry->part : 0;
    run->parts[run->part_count++] = (struct part){.entry = entry, .device_seconds = -1};
    entry->run = run;
    entry->part = run->part_count;
    return run->part_count;
}

static void add_step(struct ed_nodes_run *run, size_t index, const char *prefix)
{
    const struct oro_step *step = &run->steps->plan->steps[index];
    enum ed_node_phase phase = ed_steps_phase(run->steps, index);
    char id[1024];
    if (phase == ED_NODE_UNKNOWN || !node_of(step->id, prefix, id, sizeof id))
        return;
    size_t number = part_of(run, id);
    if (!number)
        return;
    struct part *part = &run->parts[number - 1];
    const struct cost *cost = cost_of(run->nodes, step->key);
    run->part_of[index] = number;
    run->counted[index] = (uint8_t)phase;
    part->phases[phase]++;
    if (oro_hash_equal(cost->key, step->key))
        add_cost(part, cost->seconds, cost->device_seconds);
    if (has_raster(step)) {
        part->width = step->grid.width;
        part->height = step->grid.height;
    }
}

static void free_run(struct ed_nodes_run *run)
{
    for (size_t i = 0; i < run->part_count; i++)
        run->parts[i].entry->run = NULL;
    oro_free(run->parts);
    oro_free(run->part_of);
    oro_free(run->counted);
    oro_free(run);
}

struct ed_nodes_run *ed_nodes_begin(struct ed_nodes *nodes, const struct ed_steps *steps, const char *prefix,
                                    struct oro_error *err)
{
    size_t count = steps->plan->step_count + 1;
    struct ed_nodes_run *run = oro_alloc(1, sizeof *run);
    if (run) {
        *run = (struct ed_nodes_run){.nodes = nodes, .steps = steps};
        run->parts = oro_alloc(count, sizeof *run->parts);
        run->part_of = oro_alloc(count, sizeof *run->part_of);
        run->counted = oro_alloc(count, 1);
    }
    if (!run || !run->parts || !run->part_of || !run->counted) {
        if (run)
            free_run(run);
        oro_fail(err, ORO_E_MEMORY, "no memory to evaluate %zu steps", count - 1);
        return NULL;
    }
    pthread_mutex_lock(nodes->lock);
    for (size_t i = 0; i + 1 < count; i++)
        add_step(run, i, prefix);
    pthread_mutex_unlock(nodes->lock);
    return run;
}

static void recount(struct ed_nodes_run *run, size_t step)
{
    if (!run->part_of[step])
        return;
    size_t *phases = run->parts[run->part_of[step] - 1].phases;
    enum ed_node_phase phase = ed_steps_phase(run->steps, step);
    phases[run->counted[step]]--;
    phases[phase]++;
    run->counted[step] = (uint8_t)phase;
}

void ed_nodes_step(struct ed_nodes_run *run, size_t step)
{
    size_t first = step == SIZE_MAX ? 0 : step,
           end = step == SIZE_MAX ? run->steps->plan->step_count : step + 1;
    for (size_t i = first; i < end; i++)
        recount(run, i);
    pthread_mutex_lock(run->nodes->lock);
    if (step == SIZE_MAX)
        for (size_t i = 0; i < run->part_count; i++)
            publish(run, &run->parts[i], NULL);
    else if (run->part_of[step])
        publish(run, &run->parts[run->part_of[step] - 1], NULL);
    pthread_mutex_unlock(run->nodes->lock);
}

void ed_nodes_cost(struct ed_nodes_run *run, const struct oro_step_report *report)
{
    size_t step = (size_t)(report->step - run->steps->plan->steps);
    struct cost *cost = cost_of(run->nodes, report->step->key);
    struct part *part = run->part_of[step] ? &run->parts[run->part_of[step] - 1] : NULL;
    if (part && oro_hash_equal(cost->key, report->step->key)) {
        part->seconds -= cost->seconds; /* it was computed before, but the cache has dropped it */
        part->device_seconds -= cost->device_seconds > 0 ? cost->device_seconds : 0;
    }
    *cost = (struct cost){report->step->key, report->seconds, report->device_seconds};
    if (part)
        add_cost(part, report->seconds, report->device_seconds);
}

static void add_said(void *user, enum oro_level level, const char *text)
{
    struct ed_node_state *state = user;
    size_t used = strlen(state->said);
    (void)level;
    if (!strstr(state->said, text))
        snprintf(state->said + used, sizeof state->said - used, "%s%s", used ? "\n" : "", text);
}

void ed_nodes_said(struct ed_nodes_run *run, const struct oro_step_report *report)
{
    size_t part = run->part_of[report->step - run->steps->plan->steps];
    if (!part)
        return;
    struct ed_node_state *state = &run->parts[part - 1].entry->state;
    pthread_mutex_lock(run->nodes->lock);
    state->said[0] = '\0';
    oro_said_tell(report->said, true, &(struct oro_log){add_said, state});
    pthread_mutex_unlock(run->nodes->lock);
}

/* The node outputs what another one made: it is a reroute, or does the same work as another. */
static void follow(struct ed_nodes_run *run, const char *id, const char *text)
{
    size_t target = (size_t)run->steps->plan->targets[0].step;
    const struct oro_step *step = &run->steps->plan->steps[target];
    struct entry *entry = add(run->nodes, id);
    if (!entry)
        return;
    if (entry->run == run)
        return;
    const struct cost *cost = cost_of(run->nodes, step->key);
    struct part part = {.entry = entry, .device_seconds = -1};
    if (has_raster(step)) {
        part.width = step->grid.width;
        part.height = step->grid.height;
    }
    enum ed_node_phase phase = ed_steps_phase(run->steps, target);
    part.phases[text ? ED_NODE_WAITING : phase]++;
    if (oro_hash_equal(cost->key, step->key))
        add_cost(&part, cost->seconds, cost->device_seconds);
    publish(run, &part, NULL);
}

void ed_nodes_end(struct ed_nodes_run *run, const char *id, const char *text)
{
    for (size_t i = 0; i < run->steps->plan->step_count; i++)
        recount(run, i);
    pthread_mutex_lock(run->nodes->lock);
    for (size_t i = 0; i < run->part_count; i++)
        publish(run, &run->parts[i], run->parts[i].phases[ED_NODE_FAILED] ? text : NULL);
    follow(run, id, text);
    pthread_mutex_unlock(run->nodes->lock);
    free_run(run);
}
