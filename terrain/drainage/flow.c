#include "terrain/drainage/flow.h"

#include "base/memory.h"

/* Nothing in a terrain is as large. */
#define MOST ((int64_t)1 << 40)

static bool no_memory(const struct oro_tiled_block *block, struct oro_error *err)
{
    return oro_fail(err, ORO_E_MEMORY, "no memory for what flows out of %d x %d cells", block->width,
                    block->height);
}

bool oro_tiled_flow_goes_up(enum oro_tiled_flow flow)
{
    return flow >= ORO_TILED_LEVEL;
}

int oro_tiled_flow_exit_fields(enum oro_tiled_flow flow)
{
    return flow <= ORO_TILED_GRADE;
}

int oro_tiled_flow_entry_fields(enum oro_tiled_flow flow)
{
    return flow <= ORO_TILED_LOW ? 0 : flow == ORO_TILED_LENGTH ? 3 : 1;
}

int oro_tiled_flow_answer_fields(enum oro_tiled_flow flow)
{
    return flow == ORO_TILED_LENGTH ? 3 : 1;
}

/* ---- Messages ---- */

void oro_tiled_flows_free(struct oro_tiled_flows *flows)
{
    oro_free(flows->exits);
    oro_free(flows->entries);
    *flows = (struct oro_tiled_flows){0};
}

static void write_values(const struct oro_tiled_values *values, int fields, enum oro_tiled_flow flow,
                         struct oro_tiled_bytes *bytes)
{
    for (int i = 0; i < fields; i++) {
        if (flow == ORO_TILED_RAIN || flow == ORO_TILED_CELLS)
            oro_tiled_put(bytes, (uint64_t)values->of[i]);
        else
            oro_tiled_put_signed(bytes, values->of[i]);
    }
}

static void read_values(struct oro_tiled_values *values, int fields, enum oro_tiled_flow flow,
                        struct oro_tiled_reader *reader)
{
    for (int i = 0; i < fields; i++) {
        if (flow == ORO_TILED_RAIN || flow == ORO_TILED_CELLS)
            values->of[i] =
                (int64_t)oro_tiled_take(reader, flow == ORO_TILED_RAIN ? UINT64_MAX : (uint64_t)MOST);
        else
            values->of[i] = oro_tiled_take_signed(reader, MOST);
    }
}

void oro_tiled_flows_write(const struct oro_tiled_flows *flows, struct oro_tiled_bytes *bytes)
{
    int exit_fields = oro_tiled_flow_exit_fields(flows->flow);
    int entry_fields = oro_tiled_flow_entry_fields(flows->flow);
    uint64_t before = 0;
    oro_tiled_put_head(bytes, ORO_TILED_FLOWS, &flows->block);
    oro_tiled_put_byte(bytes, (unsigned)flows->flow);
    oro_tiled_put(bytes, flows->exit_count);
    for (uint32_t i = 0; i < flows->exit_count; i++) {
        const struct oro_tiled_exit *exit = &flows->exits[i];
        uint64_t number = 8 * (uint64_t)exit->rim + exit->direction;
        oro_tiled_put(bytes, number - before);
        write_values(&exit->values, exit_fields, flows->flow, bytes);
        before = number;
    }
    before = 0;
    oro_tiled_put(bytes, flows->entry_count);
    for (uint32_t i = 0; i < flows->entry_count; i++) {
        const struct oro_tiled_entry *entry = &flows->entries[i];
        oro_tiled_put(bytes, entry->rim - before);
        oro_tiled_put(bytes, entry->way.exit == ORO_TILED_NONE ? 0 : (uint64_t)entry->way.exit + 1);
        oro_tiled_put(bytes, entry->way.distance);
        write_values(&entry->way.values, entry_fields, flows->flow, bytes);
        before = entry->rim;
    }
}

/* Exits lead out of the block, but not out of the terrain. */
static void read_exits(struct oro_tiled_flows *flows, const struct oro_tiled_grid *grid,
                       struct oro_tiled_reader *reader)
{
    uint64_t before = 0, end = 8 * (uint64_t)oro_tiled_rim_count(&flows->block);
    struct oro_tiled_block all = oro_tiled_all(grid);
    for (uint32_t i = 0; i < flows->exit_count && !reader->failed; i++) {
        struct oro_tiled_exit *exit = &flows->exits[i];
        uint64_t number = before + oro_tiled_take(reader, end - 1 - before);
        exit->rim = (uint32_t)(number / 8);
        exit->direction = number & 7;
        struct oro_tiled_cell cell = oro_tiled_rim_cell(&flows->block, exit->rim);
        struct oro_tiled_cell to = oro_tiled_neighbour(cell, exit->direction);
        if ((i && exit->rim <= flows->exits[i - 1].rim) || oro_tiled_has(&flows->block, to.x, to.y) ||
            !oro_tiled_has(&all, to.x, to.y))
            reader->failed = true;
        read_values(&exit->values, oro_tiled_flow_exit_fields(flows->flow), flows->flow, reader);
        before = number;
    }
}

static void read_entries(struct oro_tiled_flows *flows, struct oro_tiled_reader *reader)
{
    uint64_t before = 0, end = oro_tiled_rim_count(&flows->block);
    for (uint32_t i = 0; i < flows->entry_count && !reader->failed; i++) {
        struct oro_tiled_entry *entry = &flows->entries[i];
        uint64_t more = oro_tiled_take(reader, end - 1 - before);
        if (i && !more)
            reader->failed = true;
        before += more;
        entry->rim = (uint32_t)before;
        uint64_t exit = oro_tiled_take(reader, flows->exit_count);
        entry->way.exit = exit ? (uint32_t)exit - 1 : ORO_TILED_NONE;
        entry->way.distance = oro_tiled_take(reader, (uint64_t)MOST);
        read_values(&entry->way.values, oro_tiled_flow_entry_fields(flows->flow), flows->flow, reader);
    }
}

bool oro_tiled_flows_read(struct oro_tiled_flows *flows, const struct oro_tiled_grid *grid,
                          enum oro_tiled_flow flow, const struct oro_tiled_block *block,
                          struct oro_tiled_view message, struct oro_error *err)
{
    struct oro_tiled_reader reader = oro_tiled_read(message);
    *flows = (struct oro_tiled_flows){.block = *block, .flow = flow};
    oro_tiled_take_head(&reader, ORO_TILED_FLOWS, block);
    if (oro_tiled_take_byte(&reader) != (unsigned)flow)
        reader.failed = true;
    flows->exit_count = oro_tiled_take_count(&reader, 1);
    flows->exits = oro_alloc(flows->exit_count, sizeof *flows->exits);
    if (!flows->exits)
        return no_memory(block, err);
    read_exits(flows, grid, &reader);
    flows->entry_count = oro_tiled_take_count(&reader, 3);
    flows->entries = oro_alloc(flows->entry_count, sizeof *flows->entries);
    if (!flows->entries)
        return no_memory(block, err);
    read_entries(flows, &reader);
    return oro_tiled_read_all(&reader, "flows", block, err);
}

void oro_tiled_answer_write(const struct oro_tiled_values *values, uint32_t count, enum oro_tiled_flow flow,
                            const struct oro_tiled_block *block, struct oro_tiled_bytes *bytes)
{
    oro_tiled_put_head(bytes, ORO_TILED_VALUES, block);
    oro_tiled_put_byte(bytes, (unsigned)flow);
    for (uint32_t i = 0; i < count; i++)
        write_values(&values[i], oro_tiled_flow_answer_fields(flow), flow, bytes);
}

struct oro_tiled_values *oro_tiled_answer_read(uint32_t count, enum oro_tiled_flow flow,
                                               const struct oro_tiled_block *block,
                                               struct oro_tiled_view message, struct oro_error *err)
{
    struct oro_tiled_reader reader = oro_tiled_read(message);
    struct oro_tiled_values *values = oro_alloc(count, sizeof *values);
    if (!values) {
        no_memory(block, err);
        return NULL;
    }
    oro_tiled_take_head(&reader, ORO_TILED_VALUES, block);
    if (oro_tiled_take_byte(&reader) != (unsigned)flow)
        reader.failed = true;
    for (uint32_t i = 0; i < count && !reader.failed; i++)
        read_values(&values[i], oro_tiled_flow_answer_fields(flow), flow, &reader);
    if (oro_tiled_read_all(&reader, "flows", block, err))
        return values;
    oro_free(values);
    return NULL;
}

/* ---- The arithmetic ---- */

struct oro_tiled_values oro_tiled_flow_nothing(enum oro_tiled_flow flow)
{
    bool lowest = flow == ORO_TILED_LOW || flow == ORO_TILED_GRADE;
    return (struct oro_tiled_values){{lowest                     ? ORO_TILED_NO_LOW
                                      : flow == ORO_TILED_RAISED ? ORO_TILED_NO_RAISED
                                                                 : 0}};
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t largest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* So that nothing overflows in messages that are made up. */
static int64_t bounded(int64_t value)
{
    return largest(least(value, MOST), -MOST);
}

struct oro_tiled_values oro_tiled_flow_meet(enum oro_tiled_flow flow, struct oro_tiled_values a,
                                            struct oro_tiled_values b)
{
    if (flow == ORO_TILED_LOW || flow == ORO_TILED_GRADE)
        a.of[0] = least(a.of[0], b.of[0]);
    else if (flow < ORO_TILED_LOW)
        a.of[0] = (int64_t)((uint64_t)a.of[0] + (uint64_t)b.of[0]);
    return a;
}

struct oro_tiled_values oro_tiled_flow_down(enum oro_tiled_flow flow, struct oro_tiled_values values,
                                            const struct oro_tiled_way *way, bool beyond)
{
    if (flow == ORO_TILED_GRADE && way && values.of[0] > way->values.of[0])
        values.of[0] = ORO_TILED_NO_LOW;
    if (flow == ORO_TILED_LOW)
        values.of[0] = bounded(values.of[0] - (int64_t)(way ? way->distance : 0) - beyond);
    return values;
}

struct oro_tiled_values oro_tiled_flow_up(enum oro_tiled_flow flow, const struct oro_tiled_way *way,
                                          struct oro_tiled_values beyond)
{
    struct oro_tiled_values values = way->values;
    if (way->exit == ORO_TILED_NONE)
        return values;
    if (flow == ORO_TILED_LEVEL)
        values.of[0] = largest(values.of[0], beyond.of[0]);
    if (flow == ORO_TILED_RAISED && beyond.of[0] != ORO_TILED_NO_RAISED)
        values.of[0] = bounded(largest(values.of[0], beyond.of[0] + (int64_t)way->distance + 1));
    if (flow == ORO_TILED_LENGTH) {
        values.of[0] = bounded(values.of[0] + beyond.of[0]);
        values.of[1] = beyond.of[1];
    }
    return values;
}

struct oro_tiled_way oro_tiled_way_on(enum oro_tiled_flow flow, const struct oro_tiled_way *way,
                                      const struct oro_tiled_way *on)
{
    int64_t distance = bounded((int64_t)way->distance + 1 + (int64_t)on->distance);
    struct oro_tiled_way all = {.exit = on->exit, .distance = (uint64_t)distance};
    all.values = oro_tiled_flow_goes_up(flow) ? oro_tiled_flow_up(flow, way, on->values) : way->values;
    if (flow == ORO_TILED_GRADE)
        all.values.of[0] = least(all.values.of[0], on->values.of[0]);
    return all;
}
