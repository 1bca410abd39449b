#include "lua/types/node_types.h"

#include "lua/field/cell.h"
#include "lua/field/field.h"
#include "lua/kernel/kernel.h"
#include "lua/types/graph.h"

const struct oro_script_form oro_script_forms[] = {
    {.key = "kernel", .kernels = true, .prepare = oro_script_prepare, .eval = oro_script_eval_kernel},
    {.key = "graph", .expand = oro_script_expand},
    {.key = "cell", .eval = oro_script_evaluate, .compute = oro_cell_compute},
    {.key = "field", .library = oro_field_open, .eval = oro_script_evaluate, .compute = oro_field_compute},
    {0},
};
_Static_assert(sizeof oro_script_forms / sizeof oro_script_forms[0] <= ORO_SCRIPT_FORMS_MAX + 1,
               "too many forms of script");

static const struct oro_node_type *read_type(const struct oro_script_source *source,
                                             const struct oro_log *log, struct oro_error *err)
{
    const struct oro_script *script = oro_script_read(source, oro_script_forms, log, err);
    return script ? &script->type : NULL;
}

static void destroy_type(const struct oro_node_type *type)
{
    oro_script_destroy((struct oro_script *)oro_script_of(type));
}

static const char *part_of(const struct oro_node_type *type, size_t index)
{
    const struct oro_script *script = oro_script_of(type);
    return index + 1 < (size_t)script->text_count ? script->texts[index + 1].path : NULL;
}

const struct oro_script_language oro_lua_scripts = {
    .extension = ".lua", .read = read_type, .destroy = destroy_type, .part = part_of};
