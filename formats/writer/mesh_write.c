/* A heightfield as a file of triangles, from the options to the bytes. */
#include "base/memory.h"
#include "formats/mesh/body.h"
#include "formats/png/png.h"
#include "formats/writer/writer_private.h"

/* ---- The options ---- */

bool oro_mesh_file_check(const char *path, const struct oro_codec *codec,
                         const struct oro_mesh_options *options, struct oro_error *err)
{
    bool any = options->triangles > 0 || options->error > 0 || options->skirt > 0 || options->base > 0 ||
               options->normal_map || options->texture.size > 0;
    if (!codec->write_mesh)
        return !any ||
               oro_fail(err, ORO_E_USAGE, "'%s' is no mesh: triangles, skirts, bases and textures are for %s",
                        path, oro_mesh_format_names);
    if (options->triangles > 0 && options->error > 0)
        return oro_fail(err, ORO_E_USAGE, "'%s': a number of triangles and an error exclude each other",
                        path);
    if (options->skirt > 0 && options->base > 0)
        return oro_fail(err, ORO_E_USAGE, "'%s': a skirt and a base exclude each other", path);
    if ((options->normal_map || options->texture.size > 0) && codec != &oro_codec_glb)
        return oro_fail(err, ORO_E_USAGE, "'%s': only .glb files hold textures and normal maps", path);
    return options->triangles == 0 || options->triangles >= 2 ||
           oro_fail(err, ORO_E_USAGE, "'%s': a mesh has two triangles at least", path);
}

/* ---- The surface ---- */

static bool make_surface(const char *path, bool glb, const struct oro_mesh_grid *grid,
                         const struct oro_write_options *options, struct oro_mesh *mesh,
                         struct oro_mesh_made *made, struct oro_error *err)
{
    const struct oro_mesh_options *wanted = &options->mesh;
    size_t most = wanted->triangles > 0 ? wanted->triangles : ORO_MESH_TRIANGLES;
    made->whole = wanted->error <= 0 && oro_mesh_full(grid) <= most;
    uint64_t bytes = made->whole && glb ? oro_glb_whole_size(grid) : 0;
    if (bytes > UINT32_MAX) /* which would be found once it lies in memory */
        return oro_fail(err, ORO_E_LIMIT,
                        "'%s' would have %.1f GiB, and .glb holds 4; --triangles N takes fewer of its %zu "
                        "triangles",
                        path, (double)bytes / 1073741824, oro_mesh_full(grid));
    if (made->whole ? !oro_mesh_whole(grid, mesh, err)
                    : !oro_mesh_refine(grid, wanted->error, wanted->error > 0 ? 0 : most, options->stop,
                                       options->stop_user, mesh, err))
        return false;
    if (!made->whole)
        made->deviation = oro_mesh_measure(mesh);
    if (wanted->error <= 0 || made->deviation.largest <= wanted->error)
        return true;
    oro_fail(err, ORO_E_LIMIT,
             "'%s' would be up to %g m from the terrain, not %g: that takes too many triangles", path,
             made->deviation.largest, wanted->error);
    oro_mesh_free(mesh);
    return false;
}

/* ---- The normal map ---- */

/* The bytes of a PNG, which the caller frees. */
static bool make_normal_map(const char *path, const struct oro_mesh_body *body, char **bytes, size_t *size,
                            struct oro_error *err)
{
    int width = body->mesh->grid->width, height = body->mesh->grid->height;
    unsigned char *rgb = oro_alloc((size_t)width * (size_t)height, 3);
    if (!rgb)
        return oro_fail(err, ORO_E_MEMORY, "no memory for the normal map of '%s'", path);
    oro_mesh_normal_map(body, rgb);
    bool ok = oro_png_encode(path, &(struct oro_png_picture){width, height, 3, rgb, NULL}, bytes, size, err);
    oro_free(rgb);
    return ok;
}

/* ---- The file ---- */

static void tell(const struct oro_mesh_body *body, struct oro_mesh_made *made)
{
    made->vertices = body->vertex_count;
    made->triangles = body->triangle_count;
    made->surface_triangles = body->surface_triangles;
    made->low = made->high = (double)body->positions[0][2];
    for (size_t i = 0; i < body->surface_vertices; i++) {
        double height = (double)body->positions[i][2];
        made->low = height < made->low ? height : made->low;
        made->high = height > made->high ? height : made->high;
    }
}

static bool write_body(const struct oro_raster_output *output, const struct oro_mesh_body *body,
                       struct oro_error *err)
{
    const struct oro_place *place = &output->field->place;
    const struct oro_mesh_grid *grid = body->mesh->grid;
    struct oro_mesh_facts facts = {.program = "orograph " OROGRAPH_VERSION,
                                   .crs = place->crs,
                                   .east = place->west + grid->cell * grid->width / 2,
                                   .north = place->north - grid->cell * grid->height / 2};
    char *normals = NULL;
    size_t size = 0;
    if (body->options->normal_map && !make_normal_map(output->path, body, &normals, &size, err))
        return false;
    facts.normals = (struct oro_mesh_image){normals, size};
    bool ok = output->codec->write_mesh(output->stream, output->path, body, &facts, err);
    oro_free(normals);
    return ok;
}

static bool write_mesh(const struct oro_raster_output *output, const struct oro_raster_shape *shape,
                       const float *heights, struct oro_error *err)
{
    const struct oro_write_options *options = output->options;
    const double cell = output->field->cell;
    const struct oro_mesh_grid grid = {shape->width, shape->height, cell > 0 ? cell : 1, heights};
    struct oro_mesh mesh;
    struct oro_mesh_body body;
    if (grid.width < 2 || grid.height < 2)
        return oro_fail(err, ORO_E_WRITE, "cannot write '%s' with %dx%d cells: a mesh needs 2 a side",
                        output->path, grid.width, grid.height);
    if (cell <= 0)
        oro_note(options->log, ORO_WARNING, "'%s': no cell size is known: cells are 1 m wide", output->path);
    if (!make_surface(output->path, output->codec == &oro_codec_glb, &grid, options, &mesh, output->mesh,
                      err))
        return false;
    bool ok = oro_mesh_body_make(&mesh, &options->mesh, &body, err);
    if (ok) {
        tell(&body, output->mesh);
        ok = write_body(output, &body, err);
        oro_mesh_body_free(&body);
    }
    oro_mesh_free(&mesh);
    return ok;
}

/* ---- The formats ---- */

#define MESH(id)                                                                                             \
    const struct oro_codec oro_codec_##id = {.name = #id,                                                    \
                                             .extensions = (const char *const[]){#id, NULL},                 \
                                             .writes = ORO_WINDOWS_WHOLE,                                    \
                                             .write = write_mesh,                                            \
                                             .write_mesh = oro_##id##_write}
MESH(glb);
MESH(obj);
MESH(stl);
MESH(ply);
