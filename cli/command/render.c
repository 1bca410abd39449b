/* orograph render: evaluates a graph and writes the outputs asked for. */
#include <limits.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "cli/command/commands.h"
#include "cli/command/render.h"
#include "cli/engine/agree.h"
#include "cli/engine/channels.h"
#include "cli/engine/foresee.h"
#include "cli/engine/frames.h"
#include "cli/engine/graph.h"
#include "cli/engine/interrupt.h"
#include "cli/engine/output.h"
#include "cli/engine/prepare.h"
#include "cli/engine/work.h"
#include "cli/options/deliver.h"
#include "cli/options/encoding.h"
#include "cli/options/mesh.h"
#include "cli/options/standard.h"
#include "cli/options/weights.h"
#include "cli/report/console.h"
#include "cli/report/report.h"
#include "formats/format.h"
#include "formats/sidecar/sidecar.h"
#include "graph/plan/file_digests.h"

struct render_options {
    const char *out, *format, *output, *report, *frames, *region, *build;
    struct cli_list set;
    struct cli_integer resolution, max_resolution, seed, frame_every, frame_limit;
    struct cli_number checkpoint, sea;
    int frame_format; /* enum cli_frame_format */
    bool allow_path;
    struct cli_drain_options drain;
    struct cli_work_options work;
    struct cli_encoding_options encoding;
    struct cli_deliver_options deliver;
    struct cli_mesh_options mesh;
};

struct render {
    const struct render_options *options;
    struct oro_ranks *ranks; /* NULL: alone */
    struct cli_work work;
    struct cli_report report;
    struct cli_graph graph;
    const struct cli_wanted *wanted; /* for -o */
    size_t wanted_count;             /* the first targets; weight maps follow */
    size_t weights_end;
    size_t texture, sea; /* targets behind these; 0: there is none */
    struct oro_world_region region;
    bool cut; /* results are cut to it once they are there */
    struct cli_deliver deliver;
    struct oro_plan *plan;
    struct cli_frames frames;
};

static void on_step_done(void *user, const struct oro_step_report *step)
{
    cli_report_step(&((struct render *)user)->report, step);
}

/* A frame that cannot be written ends the work; run() reports why. */
static void on_live(void *user, const struct oro_live *live)
{
    struct render *render = user;
    const char *path = cli_frames_take(&render->frames, live);
    if (path)
        cli_progress_wrote(&render->work.progress, path);
    if (render->frames.failed)
        oro_evaluator_cancel(render->work.evaluator);
}

static bool is_plain(const struct oro_output *output)
{
    return output->type == ORO_FIELD || output->type == ORO_UPLIFT;
}

/* What is for an engine, cut into tiles or has weight maps is one output, and a raster. */
static bool check_delivery(const struct render *render, struct oro_error *err)
{
    const struct cli_deliver *deliver = &render->deliver;
    const struct oro_output *output = &render->wanted[0].output;
    bool weights = render->options->deliver.weights;
    if (!deliver->engine && !deliver->tiled && !weights)
        return true;
    if (render->wanted_count > 1)
        return oro_fail(err, ORO_E_USAGE, "--for, --tiles and --weights go with one output, not %zu",
                        render->wanted_count);
    if (!is_plain(output) && (deliver->engine || weights || output->type != ORO_IMAGE))
        return oro_fail(err, ORO_E_USAGE, "output '%s' is %s: --for and --weights go with a terrain",
                        output->name, oro_type_phrase(output->type));
    for (size_t i = 1; i < render->weights_end; i++)
        if (!is_plain(&render->wanted[i].output))
            return oro_fail(err, ORO_E_USAGE, "--weights: output '%s' is %s, and no mask",
                            render->wanted[i].name, oro_type_phrase(render->wanted[i].output.type));
    return true;
}

/* The picture on a mesh is one more target, after the wanted ones. */
static bool choose_texture(struct render *render, struct oro_error *err)
{
    const char *name = render->options->mesh.texture;
    struct oro_output output;
    if (!name)
        return true;
    render->texture = render->graph.target_count;
    if (!cli_want_output(&render->graph, name, err) ||
        !cli_wanted_output(&render->graph, render->graph.target_count - 1, &output, err))
        return false;
    return output.type == ORO_IMAGE || oro_fail(err, ORO_E_USAGE, "--texture takes an image, and '%s' is %s",
                                                name, oro_type_phrase(output.type));
}

/* One number of the world. Where --set has it, too, nobody can tell which is meant; but --set of a node that
 * is called "world" means that. */
static bool set_world(struct render *render, const char *option, double value, struct oro_error *err)
{
    const struct cli_list *set = &render->options->set;
    const char *name = option + 2;
    const size_t prefix = 6, length = strlen(name);
    char number[ORO_NUMBER_SIZE];
    for (size_t i = 0; i < set->count && !oro_document_find(render->graph.doc, "world"); i++)
        if (strncmp(set->items[i], "world.", prefix) == 0 &&
            strncmp(set->items[i] + prefix, name, length) == 0 && set->items[i][prefix + length] == '=')
            return oro_fail(err, ORO_E_USAGE, "%s and --set %.100s both tell the world's %s: leave one out",
                            option, set->items[i], name);
    return cli_set_world(&render->graph, option, name, oro_format_number(value, number), err);
}

/* What the document says of its world, as the command line has it. */
static bool change_world(struct render *render, const struct oro_doc_build **build, struct oro_error *err)
{
    const struct render_options *options = render->options;
    *build = NULL;
    if (options->build && !(*build = cli_take_build(&render->graph, options->build, err)))
        return false;
    return (!options->resolution.given ||
            set_world(render, "--resolution", (double)options->resolution.value, err)) &&
           (!options->sea.given || set_world(render, "--sea", options->sea.value, err)) &&
           cli_foresee_crs(render->graph.doc, err);
}

/* With -o, the build says for whom OUT is, and which output it holds, where the command line does not. */
static bool take_build(struct render *render, const struct oro_doc_build *build, const char **output,
                       struct oro_error *err)
{
    struct cli_deliver_options deliver = render->options->deliver;
    struct oro_rendered *outputs;
    size_t count;
    deliver.engine = deliver.engine ? deliver.engine : oro_engine_find(build->engine);
    if (!cli_deliver_begin(&deliver, render->options->out, &render->deliver, err))
        return false;
    if (*output || !build->outputs)
        return true;
    if (!oro_build_outputs(render->graph.doc, &render->graph.registry, build, render->graph.arena, &outputs,
                           &count, err))
        return false;
    if (count != 1 || !outputs[0].output)
        return oro_fail(
            err, ORO_E_USAGE,
            "-o holds one output, and build '%s' writes '%s': choose one with --output, or leave -o "
            "away",
            build->name, build->outputs);
    *output = outputs[0].name;
    return true;
}

static bool choose_outputs(struct render *render, const struct oro_doc_build *build, struct oro_error *err)
{
    const struct render_options *options = render->options;
    const char *output = options->output;
    if (build && !take_build(render, build, &output, err))
        return false;
    if (!cli_want_list(&render->graph, output, options->deliver.weights, &render->wanted,
                       &render->wanted_count, err))
        return false;
    render->weights_end = render->graph.target_count;
    if (!check_delivery(render, err) ||
        !cli_channels_check(options->out, render->wanted, render->wanted_count, err) ||
        !choose_texture(render, err))
        return false;
    bool sea = !oro_format_is_mesh(options->out) && is_plain(&render->wanted[0].output) &&
               cli_want_sea(&render->graph);
    render->sea = sea ? render->graph.target_count - 1 : 0;
    return true;
}

static bool choose_sinks(struct render *render, const struct oro_doc_build *build, struct oro_error *err)
{
    struct cli_graph *graph = &render->graph;
    return (build ? cli_want_build(graph, build, err) : cli_want_sinks(graph, err)) &&
           oro_prepare_seas(graph->doc, &graph->registry, err);
}

/* Finds everything that can be wrong before any work is done. */
static bool choose(struct render *render, const char *file, struct oro_error *err)
{
    const struct render_options *options = render->options;
    if (options->output && !options->out)
        return oro_fail(err, ORO_E_USAGE, "--output chooses what -o writes; give -o OUT too");
    if (!cli_encoding_check(options->out, &options->encoding, err))
        return false;
    if (!cli_deliver_begin(&options->deliver, options->out, &render->deliver, err))
        return false;
    if (options->frames && !options->out)
        return oro_fail(err, ORO_E_USAGE, "--frames shows how what -o writes comes about; give -o OUT too");
    if (!options->frames &&
        (options->frame_every.given || options->frame_limit.given || options->frame_format))
        return oro_fail(err, ORO_E_USAGE, "--frame-every, --frame-limit and --frame-format go with --frames");
    if (!cli_mesh_check(options->out, &options->mesh, err))
        return false;
    const struct oro_doc_build *build;
    if (!cli_drain_check(&options->drain, err) ||
        (options->region && !oro_world_region_parse(options->region, &render->region, err)))
        return false;
    if (options->drain.how && !options->out)
        return oro_fail(err, ORO_E_USAGE,
                        "--drain goes with -o OUT; 'export' nodes have an input of that name");
    return cli_graph_open(&render->graph, file, &options->set, options->allow_path, err) &&
           change_world(render, &build, err) &&
           (options->out ? choose_outputs(render, build, err) : choose_sinks(render, build, err)) &&
           cli_want_region(&render->graph, &render->region, &render->cut, err);
}

static bool open_session(struct render *render, struct oro_error *err)
{
    struct cli_session_options *session = &render->work.options;
    session->no_cache |= render->options->frames != NULL; /* stored results would leave gaps in the film */
    if (!cli_session_open(&render->work.session, session, err))
        return false;
    bool notes = !session->no_cache && oro_ranks_first(render->ranks);
    oro_file_digests_note(render->graph.registry.digests, notes ? NULL : "", ORO_FILE_NOTED_BYTES);
    cli_report_device(&render->report, render->work.session.device);
    return true;
}

static bool make_plan(struct render *render, struct oro_error *err)
{
    const struct render_options *options = render->options;
    struct oro_plan_options plan = {
        .max_resolution = (int)options->max_resolution.value,
        .has_seed = options->seed.given,
        .seed = options->seed.value,
        .fields_only = true, /* an uplift can only be written as a field */
        .region = render->region,
        .allow_any_path = options->allow_path,
    };
    struct cli_work *work = &render->work;
    struct cli_fit fit = cli_session_fit(&work->session, &work->options);
    render->plan = cli_fit_plan(&render->graph, &fit, &plan, work->session.device, err);
    if (!render->plan || !cli_session_spread(&work->session, &work->options, &plan.spread, err))
        return false;
    work->forecast.graph = &render->graph;
    work->forecast.options = plan;
    cli_report_plan(&render->report, render->plan, plan.max_resolution);
    if (render->plan->capped)
        oro_note(&render->work.log, ORO_NOTICE,
                 "--max-resolution %d held back a rise in resolution: this is a preview",
                 plan.max_resolution);
    if (render->wanted_count > 0 && oro_is_raster(render->wanted[0].output.type)) {
        const struct oro_grid *grid = &render->plan->steps[render->plan->targets[0].step].grid;
        if (!cli_deliver_fits(&render->deliver, options->out, grid->width, grid->height, err))
            return false;
    }
    return render->wanted_count < 2 ||
           cli_channels_fit(options->out, render->wanted, render->wanted_count, render->plan, err);
}

/* Reports in advance what would fail at the end of the work. */
static bool check_file(void *user, const struct oro_step *step, const struct oro_input *input,
                       const char *path, struct oro_error *err)
{
    const char *out = ((const struct render *)user)->options->out;
    (void)step;
    if (input->writes)
        return oro_format_may_write(path, err);
    return !out || !oro_path_same(out, path) ||
           oro_fail(err, ORO_E_USAGE, "'%s' is read here: -o would replace it; give another name", out);
}

static bool check_files(struct render *render, struct oro_error *err)
{
    return !oro_ranks_first(render->ranks) || cli_work_files(render->plan, check_file, render, err);
}

static int or_else(const struct cli_integer *given, int standard)
{
    return given->given ? (int)given->value : standard;
}

static bool begin_frames(struct render *render, struct oro_error *err)
{
    const struct render_options *options = render->options;
    render->frames = (struct cli_frames){
        .folder = options->frames,
        .format = (enum cli_frame_format)options->frame_format,
        .limit = or_else(&options->frame_limit, CLI_FRAMES_LIMIT),
        .written = !oro_ranks_first(render->ranks),
    };
    return !options->frames || cli_frames_begin(&render->frames, render->plan, err);
}

static bool make_evaluator(struct render *render, struct oro_error *err)
{
    const struct oro_evaluator_options how = {
        .live_every = or_else(&render->options->frame_every, CLI_FRAMES_EVERY),
        .checkpoint_seconds = render->options->checkpoint.value,
        .claims = !render->options->work.no_cache,
        .digests = render->options->report != NULL,
        .require_drained = render->options->drain.required,
        .ranks = render->ranks,
    };
    return cli_work_evaluator(&render->work, &how, err);
}

static void wrote(struct render *render, const char *file, const struct oro_hash *digest)
{
    cli_progress_wrote(&render->work.progress, file);
    cli_report_output(&render->report, file, digest);
}

/* The output, or the manifest of its tiles. */
static void wrote_out(struct render *render, const struct oro_hash *digest)
{
    const char *out = render->options->out;
    char *manifest = render->deliver.tiled ? oro_tiles_manifest_path(out) : NULL;
    const char *file = manifest ? oro_arena_textf(render->graph.arena, "%s", manifest) : NULL;
    oro_free(manifest);
    wrote(render, file ? file : out, digest);
}

/* The PNG of the texture, which the caller frees. */
static bool encode_texture(struct render *render, struct oro_value *const *values, char **bytes,
                           struct oro_mesh_image *texture, struct oro_error *err)
{
    *bytes = NULL;
    if (!render->options->mesh.texture)
        return true;
    struct oro_value *value = values[render->texture];
    const float *rgba = oro_value_host(value, err);
    if (!rgba || !oro_image_encode(render->options->mesh.texture, value->grid.width, value->grid.height, rgba,
                                   bytes, &texture->size, err))
        return false;
    texture->bytes = *bytes;
    return true;
}

/* A digest of what was written, for the report. */
static bool digest_of(size_t count, struct oro_value *const *values, struct oro_hash *digest,
                      struct oro_error *err)
{
    struct oro_hasher *hasher = count > 1 ? oro_hasher_create() : NULL;
    if (count > 1 && !hasher)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a digest");
    for (size_t i = 0; i < count; i++) {
        const void *data = oro_value_host(values[i], NULL); /* it has been written, so it is there */
        if (hasher)
            oro_hash_bytes(hasher, data, oro_value_bytes(values[i]));
        else
            *digest = oro_hash_of(data, oro_value_bytes(values[i]));
    }
    if (hasher)
        *digest = oro_hasher_end(hasher);
    return true;
}

/* `data` and `count` as for cli_output_options. */
static bool options_of_one(const struct render *render, const struct oro_value *value, const void *data,
                           size_t count, char digest[ORO_HASH_TEXT], struct oro_write_options *options,
                           struct oro_error *err)
{
    if (!cli_output_options(render->plan, 0, value, data, count, digest, options, err))
        return false;
    cli_drain_into(&render->options->drain, options);
    cli_encoding_into(&render->options->encoding, options);
    cli_deliver_into(&render->deliver, options);
    return true;
}

static bool write_one(struct render *render, struct oro_value *value, const struct oro_write_options *given,
                      struct oro_error *err)
{
    char digest[ORO_HASH_TEXT];
    struct oro_write_options options;
    const void *data = oro_value_host(value, err);
    if (!data || !options_of_one(render, value, data, oro_grid_cells(&value->grid), digest, &options, err))
        return false;
    options.mesh = given->mesh;
    options.weights = given->weights;
    options.sea_mask = given->sea_mask;
    return cli_output_write(render->options->out,
                            cli_given_output(render->plan, 0, &render->wanted[0].output), value,
                            &render->plan->place, &options, err);
}

/* The masks are targets behind the terrain. */
static bool gather_weights(const struct render *render, struct oro_value *const *values,
                           struct cli_weights *weights, struct oro_error *err)
{
    bool ok = true;
    if (!render->options->deliver.weights)
        return true;
    for (size_t i = render->wanted_count; ok && i < render->weights_end; i++) {
        const struct oro_grid *whole = &values[0]->grid, *grid = &values[i]->grid;
        if (!oro_grid_same_size(whole, grid) || !oro_grid_same_ground(whole, grid))
            return oro_fail(err, ORO_E_USAGE, "--weights: '%s' has not the size and the ground of '%s'",
                            render->wanted[i].name, render->wanted[0].name);
        const float *mask = oro_value_host(values[i], err);
        ok = mask && cli_weights_add(weights, render->wanted[i].name, mask, err);
    }
    return ok;
}

/* A sea of another size than the terrain's is left aside: nobody can tell where it lies. */
static bool take_sea(const struct render *render, struct oro_value *const *values,
                     struct oro_write_options *given, struct oro_error *err)
{
    const struct oro_grid *grid = &values[0]->grid;
    if (!render->sea || !oro_grid_same_size(&values[render->sea]->grid, grid) ||
        !oro_grid_same_ground(&values[render->sea]->grid, grid))
        return true;
    given->sea_mask = oro_value_host(values[render->sea], err);
    return given->sea_mask;
}

static bool write_outputs(struct render *render, struct oro_value *const *values, struct oro_error *err)
{
    const struct render_options *options = render->options;
    struct cli_weights weights = {0};
    struct oro_write_options given = {.mesh = cli_mesh_of(&options->mesh)};
    struct oro_hash digest;
    char *picture = NULL;
    cli_encoding_into(&options->encoding, &given);
    cli_drain_into(&options->drain, &given);
    bool ok = take_sea(render, values, &given, err) && gather_weights(render, values, &weights, err) &&
              encode_texture(render, values, &picture, &given.mesh.texture, err);
    given.weights = options->deliver.weights ? &weights.weights : NULL;
    ok = ok &&
         (render->wanted_count == 1 ? write_one(render, values[0], &given, err)
                                    : cli_channels_write(options->out, render->wanted, render->wanted_count,
                                                         render->plan, values, &given, err));
    cli_weights_free(&weights);
    oro_free(picture);
    if (!ok || (render->report.path && !digest_of(render->wanted_count, values, &digest, err)))
        return false;
    wrote_out(render, render->report.path ? &digest : NULL);
    return true;
}

/* A raster of a target in tiles. */
static struct oro_spread_raster tiles_of(const struct render *render, struct oro_value *value)
{
    return (struct oro_spread_raster){.device = render->work.session.device,
                                      .buffer = value->type == ORO_FIELD ? oro_value_tiles(value) : NULL,
                                      .grid = value->grid,
                                      .stop = cli_stopped};
}

/* By all ranks together, where the output lies in tiles and such a file can be written by them. */
static bool write_tiles(struct render *render, struct oro_value *value, bool *done, struct oro_error *err)
{
    struct oro_height_range range;
    struct oro_write_options options;
    char digest[ORO_HASH_TEXT];
    struct oro_spread_raster raster = tiles_of(render, value);
    *done = oro_ranks_all(render->ranks, raster.buffer);
    if (!*done)
        return true;
    if (!oro_spread_raster_range(&raster, &range, err))
        return false;
    const float ends[] = {(float)range.low, (float)range.high};
    if (!oro_ranks_agree(render->ranks, options_of_one(render, value, ends, 2, digest, &options, err), err) ||
        !cli_output_write_tiles(render->options->out,
                                cli_given_output(render->plan, 0, &render->wanted[0].output), &raster, &range,
                                &render->plan->place, &options, done, err))
        return false;
    struct oro_hash hash;
    if (*done && render->options->report && !oro_value_digest(value, &hash, err))
        return false;
    if (*done)
        wrote_out(render, render->report.path ? &hash : NULL);
    return true;
}

/* Whether a sea in tiles is nowhere: then the terrain can go out by its tiles. */
static bool is_dry(const struct render *render, struct oro_value *sea, bool *dry, struct oro_error *err)
{
    struct oro_height_range range = {0};
    struct oro_spread_raster raster = tiles_of(render, sea);
    if (!oro_ranks_all(render->ranks, raster.buffer))
        return true; /* it is not in tiles, and the terrain neither */
    if (!oro_spread_raster_range(&raster, &range, err))
        return false;
    *dry = range.high <= 0.5;
    return true;
}

/* Before rank 0 writes the targets: all have computed the same. */
static bool compare_targets(struct render *render, struct oro_value *const *values, size_t count,
                            struct oro_error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && render->ranks && i < count; i++) {
        const void *data = values[i] ? oro_value_host(values[i], err) : NULL;
        ok = oro_ranks_agree(render->ranks, data || !values[i], err) &&
             (!data || cli_same_bits(render->ranks, render->plan->steps[render->plan->targets[i].step].id,
                                     data, oro_value_bytes(values[i]), err));
    }
    return ok;
}

/* Masks and textures go with a terrain that is whole, and so does a sea, if there is one at all. */
static bool write_targets(struct render *render, struct oro_value *const *values, size_t count,
                          struct oro_error *err)
{
    bool done = false, dry = true;
    bool ok = !render->sea || is_dry(render, values[render->sea], &dry, err);
    ok = ok && (count > (render->sea ? 2 : 1) || !dry || write_tiles(render, values[0], &done, err));
    if (!ok || done)
        return ok;
    ok = compare_targets(render, values, count, err);
    if (ok && oro_ranks_first(render->ranks))
        ok = write_outputs(render, values, err);
    return oro_ranks_agree(render->ranks, ok, err);
}

/* The files that a sink wrote are the values of its inputs that name output files. */
static bool list_written(void *user, const struct oro_step *step, const struct oro_input *input,
                         const char *path, struct oro_error *err)
{
    (void)err;
    if (step->type->sink && input->writes)
        wrote(user, path, NULL);
    return true;
}

static bool run(struct render *render, struct oro_error *err)
{
    /* Behind the wanted ones are masks, and the texture of a mesh. */
    size_t count = render->wanted_count > 0 ? render->graph.target_count : 0;
    struct oro_value **values = oro_arena_alloc(render->graph.arena, count + 1, sizeof(struct oro_value *));
    if (!values)
        return oro_fail(err, ORO_E_MEMORY, "no memory for the results");
    bool ok = cli_work_evaluate(&render->work, render->plan, count > 0 ? values : NULL, err);
    if (render->frames.failed)
        *err = render->frames.err;
    if (ok && render->frames.folder)
        cli_frames_say(&render->frames);
    ok = oro_ranks_agree(render->ranks,
                         ok && cli_interrupt_none(err) &&
                             (!render->cut || cli_cut_region(&render->region, render->work.session.device,
                                                             values, count, err)),
                         err) &&
         (count == 0 || write_targets(render, values, count, err));
    if (!ok && count > 0 && err->code == ORO_E_WRITE)
        oro_evaluator_blame(render->work.evaluator, render->plan, render->plan->targets[0], err);
    if (ok && cli_work_files(render->plan, list_written, render, err))
        cli_say_devices(render->ranks, &render->work.session.device->info);
    for (size_t i = 0; i < count; i++)
        oro_value_release(values[i]);
    return ok;
}

static bool work(struct render *render, const char *file, struct oro_error *err)
{
    struct oro_ranks *ranks = render->ranks;
    return cli_same_document(ranks, file, err) && oro_ranks_agree(ranks, choose(render, file, err), err) &&
           open_session(render, err) && oro_ranks_agree(ranks, make_plan(render, err), err) &&
           cli_same_plan(ranks, render->plan, err) &&
           oro_ranks_agree(
               ranks, check_files(render, err) && begin_frames(render, err) && make_evaluator(render, err),
               err) &&
           run(render, err);
}

/* Checks the files that the command line names. The report must not overwrite another of them.
 */
static bool check_places(const struct render_options *options, const char *file, struct oro_error *err)
{
    const char *report = options->report, *out = options->out;
    if (!report)
        return true;
    char *sidecar = out ? oro_sidecar_path(out) : NULL;
    char *manifest = out && options->deliver.tiles.given ? oro_tiles_manifest_path(out) : NULL;
    char *facts = out && options->deliver.engine ? oro_tile_path(NULL, NULL, out, "", "json") : NULL;
    const char *others[] = {file, out, sidecar, manifest, facts};
    bool ok = oro_file_may_write(report, err);
    for (size_t i = 0; ok && i < sizeof others / sizeof others[0]; i++)
        if (others[i] && oro_path_same(report, others[i]))
            ok = oro_fail(err, ORO_E_USAGE, "--report '%s' would replace '%s'; give it another name", report,
                          others[i]);
    oro_free(facts);
    oro_free(manifest);
    oro_free(sidecar);
    return ok;
}

/* Rank 0 has the files; to the others, an output is but a name with a format. */
static bool find_places(struct render_options *options, const char *file, struct oro_ranks *ranks,
                        struct cli_standard *standard, struct oro_error *err)
{
    if (!cli_deliver_check(&options->deliver, options->out, err))
        return false;
    if (oro_ranks_first(ranks))
        return cli_standard_out(standard, &options->out, options->format, err) &&
               check_places(options, file, err);
    if (cli_is_standard(options->out) && !cli_standard_name(standard, &options->out, options->format, err))
        return false;
    options->work.progress = CLI_PROGRESS_OFF;
    return true;
}

/* What sending and receiving cost all ranks together. */
static void report_ranks(struct render *render)
{
    struct oro_ranks *ranks = render->ranks;
    if (!ranks || !render->options->report)
        return;
    uint64_t sums[2] = {ranks->bytes_sent, ranks->messages_sent};
    uint64_t microseconds = (uint64_t)(ranks->seconds * 1e6);
    if (ranks->ops->sum(ranks, sums, 2, NULL) && ranks->ops->greatest(ranks, &microseconds, 1, NULL))
        cli_report_ranks(&render->report, ranks->count, sums, (double)microseconds * 1e-6);
}

int cli_render_by(const void *parsed, char *const *arguments, struct oro_ranks *ranks)
{
    struct render_options options = *(const struct render_options *)parsed;
    struct render render = {.options = &options, .ranks = ranks};
    struct cli_standard standard = {0};
    struct oro_error err = {0}, report_err = {0};
    if (!oro_ranks_agree(ranks, find_places(&options, arguments[0], ranks, &standard, &err), &err)) {
        cli_standard_end(&standard);
        return (int)cli_fail(&err);
    }
    cli_work_begin(&render.work, &options.work, ranks);
    render.work.user = &render;
    render.work.step_done = on_step_done;
    render.work.live = options.frames ? on_live : NULL;
    cli_report_begin(&render.report, oro_ranks_first(ranks) ? options.report : NULL, arguments[0]);
    bool ok =
        work(&render, arguments[0], &err) && oro_ranks_agree(ranks, cli_standard_send(&standard, &err), &err);
    if (ok)
        report_ranks(&render);
    cli_progress_end(&render.work.progress, ok ? NULL : &err);
    enum cli_exit code = !ok ? cli_fail(&err) : render.graph.left_out > 0 ? CLI_INVALID : CLI_DONE;
    if (!cli_report_end(&render.report, render.work.session.device, ok ? NULL : &err, &report_err)) {
        enum cli_exit report_code = cli_fail(&report_err);
        code = ok ? report_code : code;
    }
    cli_standard_end(&standard);
    cli_frames_end(&render.frames);
    oro_plan_destroy(render.plan);
    cli_work_end(&render.work);
    cli_graph_close(&render.graph);
    return (int)code;
}

static int run_render(const void *parsed, char *const *arguments, int count)
{
    (void)count;
    return cli_render_by(parsed, arguments, NULL);
}

#define AT(field) offsetof(struct render_options, field)
static const struct cli_option options_table[] = {
    {"out", 'o', CLI_TEXT, AT(out), "OUT",
     .help = "Write an output of the graph to this file; format by extension ('-': standard output)"},
    {"format", 0, CLI_TEXT, AT(format), "EXT", .help = "Format of '-o -': an extension, such as r32 or png"},
    {"output", 0, CLI_TEXT, AT(output), "NAME[,NAME]...",
     .help = "Which output: a name from the interface, or NODE.OUTPUT (default: the only one).\n"
             "                              Several become the channels of one .exr file"},
    CLI_DELIVER_OPTIONS,
    {"weights", 0, CLI_TEXT, AT(deliver.weights), "NAME[,NAME]...",
     .help = "Masks, named as outputs, that go out with OUT as weight maps, which add up to 255 everywhere"},
    CLI_ENCODING_OPTIONS,
    {"set", 0, CLI_LIST, AT(set), "NODE.INPUT=VALUE",
     .help = "Replace a value of the document, or world.NAME; may be repeated"},
    {"build", 0, CLI_TEXT, AT(build), "NAME",
     .help = "As the document's <build name=\"NAME\"> has it: resolution, engine, outputs"},
    {"resolution", 0, CLI_INTEGER, AT(resolution), "N", .min = 1, .max = ORO_GRID_MAX,
     .help = "Cells of the world along x, instead of the document's (--set world.resolution=N)"},
    {"region", 0, CLI_TEXT, AT(region), "X,Y,W,H",
     .help =
         "Write this part alone, in the same cells: metres from the north-west corner, or shares up to 1"},
    {"max-resolution", 0, CLI_INTEGER, AT(max_resolution), "N", .min = 1, .max = ORO_GRID_MAX,
     .help = "Preview: hold back what would raise the resolution above N cells along the longer side"},
    {"seed", 0, CLI_INTEGER, AT(seed), "N", .help = "Replace the document's seed"},
    CLI_WORK_PROGRESS,
    {"report", 0, CLI_TEXT, AT(report), "FILE.json", .help = "Write times, keys and digests of every step"},
    CLI_WORK_MEMORY,
    {"checkpoint", 0, CLI_NUMBER, AT(checkpoint), "SECONDS", .min = 0.001, .max = 1e6,
     .help = "What may be lost of a simulation that is killed (default: 30), more where storing takes long"},
    {"sea", 0, CLI_NUMBER, AT(sea), "M",
     .help = "Level of the world's sea in metres: water has arrived there (--set world.sea=M)"},
    CLI_DRAIN_OPTIONS,
    CLI_MESH_OPTIONS,
    {"texture", 0, CLI_TEXT, AT(mesh.texture), "OUTPUT",
     .help = "OUT is .glb: with this image of the graph, named as --output names one"},
    {"frames", 0, CLI_TEXT, AT(frames), "DIR",
     .help = "Film: what the simulations on the way to -o look like, as numbered files in DIR"},
    {"frame-every", 0, CLI_INTEGER, AT(frame_every), "N", .min = 1, .max = INT_MAX,
     .help = "Iterations from one frame to the next (default 10)"},
    {"frame-limit", 0, CLI_INTEGER, AT(frame_limit), "N", .min = 1, .max = CLI_FRAMES_MOST,
     .help = "Frames at most (default 1000)"},
    {"frame-format", 0, CLI_CHOICE, AT(frame_format), .choices = cli_frame_formats,
     .help = "relief: shaded PNG; pfm: heights in metres"},
    CLI_WORK_DEVICE,
    {"allow-path", 0, CLI_FLAG, AT(allow_path),
     .help = "Let the document name files outside its own folder and the library"},
    {0},
};
#undef AT

const struct cli_command cli_render = {
    .name = "render",
    .arguments = "FILE",
    .summary = "Evaluates a graph and writes its files, or one output with -o",
    .help =
        "Without -o, the nodes of the graph that write files run (export). FILE may be '-', standard input.\n"
        "Example: orograph render alps.oro -o alps.png --set dem.high=4200 --max-resolution 512\n",
    .options = options_table,
    .options_size = sizeof(struct render_options),
    .least = 1,
    .most = 1,
    .run = run_render,
};
