#include "lua/types/registry.h"

#include "graph/file/load.h"
#include "graph/plan/file_digests.h"
#include "lua/expression/expression.h"
#include "lua/types/node_types.h"

bool oro_registry_open(struct oro_registry *registry, const struct oro_registry *types, bool allow_any_path,
                       const struct oro_log *log, struct oro_error *err)
{
    *registry = *types;
    registry->language = &oro_lua;
    registry->assets = oro_assets_create(registry, oro_document_load_from, allow_any_path);
    registry->scripts = oro_scripts_create(&oro_lua_scripts, allow_any_path, log);
    registry->digests = oro_file_digests_create();
    if (registry->assets && registry->scripts && registry->digests)
        return true;
    oro_registry_close(registry);
    return oro_fail(err, ORO_E_MEMORY, "no memory for the node types");
}

void oro_registry_close(struct oro_registry *registry)
{
    oro_assets_destroy(registry->assets);
    oro_scripts_destroy(registry->scripts);
    oro_file_digests_destroy(registry->digests);
    registry->assets = NULL;
    registry->scripts = NULL;
    registry->digests = NULL;
}

bool oro_registry_refresh(struct oro_registry *registry)
{
    bool scripts = registry->scripts && oro_scripts_refresh(registry->scripts) > 0;
    bool graphs = oro_assets_refresh(registry->assets);
    return scripts || graphs;
}
