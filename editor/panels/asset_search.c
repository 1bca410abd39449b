/* The search of assets by typed words. */
#include "editor/panels/assets.h"

/* What the search sees of an asset. */
static struct oro_searched searched(const struct ed_asset *asset, int favour)
{
    bool own_name = asset->kind == ED_ASSET_USE || asset->kind == ED_ASSET_PRESET;
    return (struct oro_searched){.id = own_name      ? asset->key
                                       : asset->href ? asset->href
                                                     : asset->type,
                                 .label = asset->label,
                                 .words = asset->words,
                                 .category = asset->category,
                                 .doc = asset->doc,
                                 .favour = favour < ORO_FAVOUR_MAX ? favour : ORO_FAVOUR_MAX,
                                 .variant = asset->kind == ED_ASSET_PRESET};
}

bool ed_assets_search(const struct ed_assets *assets, const char *typed,
                      int (*favour)(const void *user, const struct ed_asset *asset), const void *user,
                      struct ed_assets_found *found)
{
    struct oro_searched *items = oro_alloc(assets->count, sizeof *items);
    size_t *places = oro_alloc(assets->count, sizeof *places), count = 0;
    void *results = found->items;
    bool ok = items && places && oro_reserve(&results, &found->capacity, assets->count, sizeof *found->items);
    found->items = results;
    found->count = 0;
    for (size_t i = 0; ok && i < assets->count; i++) {
        int more = favour ? favour(user, &assets->items[i]) : 0;
        if (more < 0)
            continue;
        places[count] = i;
        items[count++] = searched(&assets->items[i], more);
    }
    if (ok)
        found->count = oro_search(typed, items, count, found->items);
    for (size_t i = 0; i < found->count; i++)
        found->items[i].index = places[found->items[i].index];
    oro_free(places);
    oro_free(items);
    return ok;
}
