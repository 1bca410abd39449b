#include "cli/options/mesh.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/memory.h"

#define TEXTURE_BYTES_MAX ((size_t)1 << 30)

bool cli_mesh_check(const char *out, const struct cli_mesh_options *options, struct oro_error *err)
{
    bool glb = options->normal_map || options->texture;
    bool mesh = glb || options->triangles.given || options->error.given || options->skirt.given ||
                options->base.given;
    if (mesh && (!out || !oro_format_is_mesh(out)))
        return oro_fail(
            err, ORO_E_USAGE,
            "--triangles, --error, --skirt, --base, --texture and --normal-map are for meshes: %s",
            oro_mesh_format_names);
    if (glb && strcasecmp(oro_path_extension(out), "glb") != 0)
        return oro_fail(err, ORO_E_USAGE, "'%s': --texture and --normal-map are for .glb", out);
    if (options->triangles.given && options->error.given)
        return oro_fail(err, ORO_E_USAGE, "--triangles and --error exclude each other");
    return !options->skirt.given || !options->base.given ||
           oro_fail(err, ORO_E_USAGE, "--skirt and --base exclude each other");
}

struct oro_mesh_options cli_mesh_of(const struct cli_mesh_options *options)
{
    return (struct oro_mesh_options){.triangles = (size_t)options->triangles.value,
                                     .error = options->error.value,
                                     .skirt = options->skirt.value,
                                     .base = options->base.value,
                                     .normal_map = options->normal_map};
}

bool cli_mesh_texture(const char *path, void **bytes, struct oro_mesh_image *texture, struct oro_error *err)
{
    static const unsigned char png[] = {0x89, 'P', 'N', 'G', 0x0D, 0x0A, 0x1A, 0x0A};
    static const unsigned char jpeg[] = {0xFF, 0xD8, 0xFF};
    size_t size = 0;
    if (!oro_file_read(path, TEXTURE_BYTES_MAX, bytes, &size, err))
        return false;
    *texture = (struct oro_mesh_image){*bytes, size};
    if ((size > sizeof png && memcmp(*bytes, png, sizeof png) == 0) ||
        (size > sizeof jpeg && memcmp(*bytes, jpeg, sizeof jpeg) == 0))
        return true;
    oro_free(*bytes);
    *bytes = NULL;
    return oro_fail(err, ORO_E_FILE, "'%s' is neither a PNG nor a JPEG, which textures are", path);
}

const char *cli_mesh_text(const struct oro_mesh_made *made, char out[CLI_MESH_TEXT])
{
    size_t more = made->triangles - made->surface_triangles;
    char border[60] = "";
    if (more > 0)
        snprintf(border, sizeof border, " and %zu below its border", more);
    out[0] = 0;
    if (made->whole)
        snprintf(out, CLI_MESH_TEXT, ", %zu triangles%s: the whole grid", made->surface_triangles, border);
    else if (made->triangles > 0)
        snprintf(out, CLI_MESH_TEXT, ", %zu triangles%s: within %.3g m of the terrain, rms %.3g m",
                 made->surface_triangles, border, made->deviation.largest, made->deviation.rms);
    return out;
}
