#include "editor/project/script_templates.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "editor/project/operations.h"
#include "graph/derived/paths.h"
#include "graph/derived/scripts.h"
#include "graph/type/registry.h"

#define HEAD                                                                                                 \
    "  inputs = {\n"                                                                                         \
    "    { name = \"terrain\", type = \"field\", unit = \"m\" },\n"                                          \
    "    { name = \"height\", type = \"float\", default = 100, unit = \"m\" },\n"                            \
    "  },\n"                                                                                                 \
    "  outputs = { { name = \"terrain\", type = \"field\", unit = \"m\" } },\n"

const struct ed_script_template ed_script_templates[] = {
    {"field", "Arithmetic with whole rasters: quick to write, and quick.",
     "\nreturn {\n" HEAD "  field = function(f, p)\n"
     "    return f.terrain + p.height\n"
     "  end,\n"
     "}\n"},
    {"cell", "A number for each cell, which may read its neighbours: the plainest, and the slowest.",
     "\nreturn {\n" HEAD "  cell = function(x, y, f, p)\n"
     "    local h = f.terrain\n"
     "    return (h(x - 1, y) + h(x + 1, y) + h(x, y - 1) + h(x, y + 1)) / 4 + p.height\n"
     "  end,\n"
     "}\n"},
    {"kernel", "A part of a compute shader, run on the graphics card.",
     "\nreturn {\n" HEAD "  kernel = [[\n"
     "#include \"lib/noise.glsl\"\n\n"
     "void cell(ivec2 p)\n"
     "{\n"
     "    vec2 at = oro_position(p) / 2000.0;\n"
     "    set_terrain(p, terrain_at(p) + params.height * gradient_noise(at, 1u));\n"
     "}\n"
     "]],\n"
     "}\n"},
    {"graph", "Other nodes, put together by loops and conditions.",
     "\nreturn {\n"
     "  inputs = {\n"
     "    { name = \"terrain\", type = \"field\", unit = \"m\" },\n"
     "    { name = \"levels\", type = \"int\", default = 2, min = 1, max = 5 },\n"
     "  },\n"
     "  outputs = { { name = \"terrain\", type = \"field\", unit = \"m\" } },\n"
     "  graph = function(b, p)\n"
     "    local terrain = p.terrain\n"
     "    for level = 1, p.levels do\n"
     "      terrain = b.blur{ terrain = terrain }\n"
     "    end\n"
     "    return terrain\n"
     "  end,\n"
     "}\n"},
    {0},
};

/* ---- In a file ---- */

static bool is_name(const char *name)
{
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
    return islower((unsigned char)name[0]) && name[length] == '\0' && length < 60;
}

static bool check_name(const struct ed_project *project, const char *name, const char *path,
                       struct oro_error *err)
{
    struct oro_stamp none = {0}, stamp = oro_stamp_of(path);
    if (!is_name(name))
        return oro_fail(
            err, ORO_E_USAGE,
            "'%.60s' cannot be the name of a node type: small letters, digits and _, a letter first", name);
    if (oro_registry_find(ed_project_registry(project), name))
        return oro_fail(err, ORO_E_USAGE, "there is a node type '%s' already", name);
    return oro_stamp_equal(&stamp, &none) || oro_fail(err, ORO_E_FILE, "%s is there already", path);
}

/* The file must say the type's name. */
static bool write_file(const struct ed_script_template *script, const char *name, const char *path,
                       struct oro_error *err)
{
    char text[2048];
    const char *table = strstr(script->text, "return {\n") + strlen("return {\n");
    int length =
        snprintf(text, sizeof text, "return {\n  id = \"%s\",\n  category = \"filter\",\n%s", name, table);
    return oro_file_write(path, text, (size_t)length, err);
}

static bool add_file(struct ed_project *project, const struct ed_script_template *script, const char *name,
                     double x, double y, char id[128], struct oro_error *err)
{
    char file[80];
    const char *document = ed_project_path(project);
    if (!document[0])
        return oro_fail(err, ORO_E_USAGE, "save the document first: the script lies beside it");
    snprintf(file, sizeof file, "%.60s.lua", name);
    char *path = oro_path_beside(document, file);
    bool ok = path ? check_name(project, name, path, err) && write_file(script, name, path, err)
                   : oro_fail(err, ORO_E_MEMORY, "no memory for the script's name");
    oro_free(path);
    if (!ok)
        return false;
    oro_scripts_refresh(ed_project_registry(project)->scripts);
    ed_project_types_changed(project);
    return ed_add_node(project, name, NULL, x, y, NULL, NULL, id, err);
}

bool ed_add_script(struct ed_project *project, const struct ed_script_template *script, const char *file,
                   double x, double y, char id[128], struct oro_error *err)
{
    if (file)
        return add_file(project, script, file, x, y, id, err);
    ed_gesture_begin(project, "add script");
    bool ok = ed_add_node(project, ORO_INLINE_TYPE, NULL, x, y, NULL, NULL, id, err);
    struct oro_document *doc = ok ? ed_edit_begin(project, "add script", err) : NULL;
    ok = ok && ed_edit_end(project, doc && oro_edit_script(doc, id, script->text, err), err);
    if (ok)
        ed_gesture_end(project);
    else
        ed_gesture_cancel(project);
    return ok;
}
