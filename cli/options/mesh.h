/* Meshes on the command line: options that `render` and `convert` have in common, and what is said of one. */
#ifndef ORO_CLI_OPTIONS_MESH_H
#define ORO_CLI_OPTIONS_MESH_H

#include "cli/options/options.h"
#include "formats/format.h"

struct cli_mesh_options {
    struct cli_integer triangles;
    struct cli_number error, skirt, base;
    const char *texture; /* of `render`: an output; of `convert`: a file */
    bool normal_map;
};

/* Rows of a command's table of options; AT(member) is the offset of one in the command's struct, which has
 * these options as `mesh`. */
#define CLI_MESH_OPTIONS                                                                                     \
    CLI_ROW_INTEGER("triangles", mesh.triangles, "N", 2, 2147483647,                                         \
                    "OUT is a mesh: at most N triangles (default: the whole grid, or 2097152)"),             \
        CLI_ROW_NUMBER("error", mesh.error, "M", 0.001, 1e6,                                                 \
                       "OUT is a mesh: triangles until it is within M metres of the terrain"),               \
        CLI_ROW_NUMBER("skirt", mesh.skirt, "M", 0.001, 1e6,                                                 \
                       "OUT is a mesh: walls hang M metres down from its border"),                           \
        CLI_ROW_NUMBER("base", mesh.base, "M", 0.001, 1e6,                                                   \
                       "OUT is a mesh: closed, with a flat bottom M metres below the lowest point"),         \
        CLI_ROW_FLAG("normal-map", mesh.normal_map, "OUT is .glb: with the terrain's normals")

/* Fails with ORO_E_USAGE if options are given that do not fit the file, or each other. */
bool cli_mesh_check(const char *out, const struct cli_mesh_options *options, struct oro_error *err);

/* The options but for the texture. */
struct oro_mesh_options cli_mesh_of(const struct cli_mesh_options *options);

/* Reads a PNG or JPEG file as a texture; the caller frees `*bytes` with oro_free. Fails with ORO_E_FILE. */
bool cli_mesh_texture(const char *path, void **bytes, struct oro_mesh_image *texture, struct oro_error *err);

/* In words, for the line that says what was written: ", 98304 triangles, ..."; "" if it is no mesh. */
enum { CLI_MESH_TEXT = 200 };
const char *cli_mesh_text(const struct oro_mesh_made *made, char out[CLI_MESH_TEXT]);

#endif
