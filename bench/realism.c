/* Real terrains are reduced, brought back by several ways, and compared with what they were. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "bench/realism_trial.h"

/* ---- Reading and reducing ---- */

/* Rows and columns that do not fill a coarse cell are left out in the south and in the east. */
static bool read_truth(struct trial *t, int i, struct oro_error *err)
{
    const struct bench_inputs *inputs = &t->bench->inputs;
    struct bench_realism *r = t->result;
    struct oro_heightfield field = {0};
    struct oro_read_options options = {
        .has_range = inputs->high[i] > 0, .low = inputs->low[i], .high = inputs->high[i]};
    if (!oro_heightfield_read(inputs->files[i], &options, &field, err))
        return false;
    r->factor = inputs->factor[i] >= 2 ? (int)inputs->factor[i] : 8;
    r->cell = inputs->cell[i] > 0 ? inputs->cell[i] : field.cell;
    r->width = field.width / r->factor * r->factor;
    r->height = field.height / r->factor * r->factor;
    float *z = oro_alloc((size_t)r->width * (size_t)r->height, sizeof *z);
    for (int y = 0; z && y < r->height; y++)
        memcpy(z + (size_t)y * (size_t)r->width, field.data + (size_t)y * (size_t)field.width,
               (size_t)r->width * sizeof *z);
    oro_heightfield_free(&field);
    if (!z)
        return oro_fail(err, ORO_E_MEMORY, "no memory for '%s'", inputs->files[i]);
    if (r->cell > 0)
        return bench_realism_take(t, "truth", false, z, 0, err);
    oro_free(z);
    return oro_fail(err, ORO_E_USAGE, "'%s': give the width of its cells with --cell", inputs->files[i]);
}

static bool write_coarse(struct trial *t, const char *folder, struct oro_error *err)
{
    const struct bench_realism *r = t->result;
    struct oro_heightfield truth = {.width = r->width,
                                    .height = r->height,
                                    .data = r->ways[BENCH_TRUTH].z,
                                    .cell = r->cell,
                                    .metres = true};
    struct oro_write_options options = {.not_terrain = true};
    snprintf(t->file, sizeof t->file, "%s/coarse.pfm", folder);
    return oro_heightfield_resize(&truth, r->width / r->factor, r->height / r->factor, ORO_RESAMPLE_MONOTONE,
                                  &t->coarse, err) &&
           oro_heightfield_write(t->file, &t->coarse, &options, err);
}

/* ---- Measuring ---- */

static bool measure(const struct bench_realism *r, const float *z, struct bench_measured *m,
                    struct oro_error *err)
{
    struct oro_ground ground = {.width = r->width, .height = r->height, .z = z}, truth = ground;
    truth.z = r->ways[BENCH_TRUTH].z;
    return oro_realism(&ground, r->cell, r->factor * r->cell, &m->of, err) &&
           oro_realism_against(&ground, &truth, r->cell, r->factor * r->cell, &m->off, err);
}

/* The first seed makes the ways, the others find them in their order. */
bool bench_realism_take(struct trial *t, const char *name, bool ours, float *z, double seconds,
                        struct oro_error *err)
{
    struct bench_realism *r = t->result;
    if (!z)
        return false;
    struct bench_way *way = &r->ways[t->way++];
    if (t->way > r->way_count) {
        *way = (struct bench_way){.ours = ours, .z = z};
        snprintf(way->name, sizeof way->name, "%s", name);
        r->way_count = t->way;
    }
    struct bench_measured *m = &way->measured[way->count];
    m->seconds = seconds;
    bool ok = measure(r, z, m, err);
    way->count += ok;
    if (way->z != z)
        oro_free(z);
    return ok;
}

/* ---- All ---- */

static bool try_seeds(struct trial *t, struct oro_error *err)
{
    int count = t->bench->inputs.seeds;
    bool ok = true;
    for (t->seed = 0; ok && t->seed < count; t->seed++) {
        t->way = BENCH_TRUTH + 1;
        ok = bench_realism_ways(t, err);
    }
    return ok;
}

static bool try_terrain(struct bench *bench, int i, const char *folder, struct oro_error *err)
{
    struct bench_realism *r = &bench->realism[bench->realism_count];
    struct trial t = {.bench = bench, .result = r};
    char sidecar[80];
    struct bench_input input;
    bench_input(bench, i, NULL, &input);
    memcpy(r->name, input.name, sizeof r->name);
    bool ok = read_truth(&t, i, err) && write_coarse(&t, folder, err) && try_seeds(&t, err) &&
              (!bench->inputs.pictures || bench_realism_draw(r, bench->inputs.pictures, err));
    bench->realism_count += ok;
    for (int k = 0; k < r->way_count; k++) {
        oro_free(r->ways[k].z);
        r->ways[k].z = NULL;
    }
    oro_heightfield_free(&t.coarse);
    if (t.file[0]) {
        snprintf(sidecar, sizeof sidecar, "%s.json", t.file);
        unlink(t.file);
        unlink(sidecar);
    }
    return ok;
}

bool bench_realism(struct bench *bench, struct oro_error *err)
{
    char folder[] = "/tmp/orograph-bench-XXXXXX";
    int count = bench->inputs.file_count;
    if (count == 0)
        return oro_fail(err, ORO_E_USAGE, "name real terrains with --dems FILE...");
    bench->realism = oro_alloc((size_t)count, sizeof *bench->realism);
    if (!bench->realism)
        return oro_fail(err, ORO_E_MEMORY, "no memory for %d terrains", count);
    if (!mkdtemp(folder))
        return oro_fail(err, ORO_E_WRITE, "cannot make a folder in /tmp");
    bool ok = true;
    for (int i = 0; ok && i < count; i++)
        ok = try_terrain(bench, i, folder, err);
    rmdir(folder);
    return ok;
}
