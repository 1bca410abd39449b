/* Words that artists look for, as the manuals of other programs teach them, and the entries that they mean.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "editor/panels/assets.h"
#include "graph/derived/assets.h"
#include "graph/file/load.h"
#include "lua/expression/expression.h"
#include "tests/support/test.h"

/* One of the keys must be among the first three. */
struct query {
    const char *typed, *keys[4];
};

/* From the manuals of Gaea, World Machine, Houdini's heightfields, Blender and Photoshop. */
static const struct query manuals[] = {
    {"perlin", {"noise"}},
    {"voronoi", {"noise:voronoi"}},
    {"ridged", {"noise:ridged"}},
    {"billow", {"noise:billow"}},
    {"fbm", {"noise"}},
    {"heightmap", {"import"}},
    {"dem", {"import"}},
    {"texture", {"colorize"}},
    {"splat map", {"colorize"}},
    {"invert", {"remap:invert"}},
    {"sharpen", {"limit_detail", "phasor"}},
    {"blend", {"combine:blend"}},
    {"mix", {"combine:blend"}},
    {"erode", {"hydraulic_erosion", "fluvial_erosion"}},
    {"terraces", {"terrace"}},
    {"slump", {"thermal_erosion"}},
    {"thermal weathering", {"thermal_erosion"}},
    {"river", {"river_network"}},
    {"snow", {"snow_line"}},
    {"slope", {"slope"}},
    {"select height", {"mask_select"}},
    {"curvature", {"curvature"}},
    {"flow map", {"flow"}},
    {"mask", {"mask_select"}},
    {"gaussian blur", {"blur"}},
    {"levels", {"remap"}},
    {"curves", {"remap"}},
    {"clamp", {"remap"}},
    {"autolevel", {"normalize"}},
    {"linear gradient", {"ramp"}},
    {"distort", {"warp"}},
    {"displacement", {"warp"}},
    {"island", {"volcanic_island.oro", "archipelago.oro"}},
    {"canyon", {"canyon_land.oro"}},
    {"dunes", {"phasor_noise", "gabor"}},
    {"stratify", {"terrace"}},
    {"unreal", {"export:unreal"}},
    {"ambient occlusion", {"hillshade"}},
    {"satmap", {"colorize"}},
    {"rotate", {"transform"}},
    {"combine max", {"combine:max"}},
};

/* Of others: who makes maps, games, miniatures or textures, knows geology, begins, or types in a hurry. */
static const struct query others[] = {
    {"watershed", {"flow"}},
    {"catchment area", {"drainage", "flow"}},
    {"sink removal", {"breach", "fill", "multiscale_breach"}},
    {"stream order", {"network_filter", "river_network"}},
    {"clip to extent", {"crop"}},
    {"real world elevation", {"import"}},
    {"hillshading", {"hillshade"}},
    {"rivers from heightmap", {"river_network"}},
    {"distance to river", {"river_distance"}},
    {"shoreline", {"delta_plain.oro", "archipelago.oro", "lake"}},
    {"fjords", {"glacial_valley.oro"}},
    {"volcano", {"volcanic_island.oro", "brush_volcanic_arc.oro"}},
    {"mountain range", {"uplift_range", "alpine_range.oro"}},
    {"cliff", {"mesa.oro", "eroded_plateau.oro", "brush_fault_scarp.oro"}},
    {"valley", {"uplift_valley", "glacial_valley.oro"}},
    {"fault line", {"brush_fault_scarp.oro"}},
    {"fold mountains", {"uplift_folds", "brush_folds.oro"}},
    {"rock layers", {"terrace"}},
    {"scree slope", {"thermal_erosion"}},
    {"weather the mountain", {"thermal_erosion"}},
    {"vegetation mask", {"moisture", "mask_select"}},
    {"sand", {"gabor", "phasor_noise"}},
    {"flatten", {"constant", "remap", "terrace"}},
    {"smoother", {"blur"}},
    {"brightness contrast", {"remap"}},
    {"map range", {"remap"}},
    {"one minus", {"remap:invert"}},
    {"color ramp", {"colorize"}},
    {"domain warping", {"warp"}},
    {"edge detect", {"curvature", "mask_select:curvature"}},
    {"dilate", {"mask_select:distance"}},
    {"subdivision", {"upsample"}},
    {"UE5 landscape", {"export:unreal"}},
    {"obj mesh", {"export"}},
    {"3d printing", {"export"}},
    {"erosoin", {"fluvial_erosion", "hydraulic_erosion", "thermal_erosion"}},
    {"hydrolic", {"hydraulic_erosion"}},
    {"gausian", {"blur", "bumps"}},
    {"hieghtmap", {"import", "export"}},
    {"montains", {"uplift_range", "alpine_range.oro", "stream_power", "uplift_scatter"}},
    {"stamp", {"uplift_region"}},
    {"swirl", {"warp", "uplift_warp"}},
};

static struct oro_registry registry;
static struct oro_document *doc;
static struct ed_assets assets;

FIXTURE(set_up)
{
    (void)state;
    doc = oro_document_create();
    registry = oro_builtin_nodes;
    registry.language = &oro_lua;
    registry.assets = oro_assets_create(&registry, oro_document_load_from, true);
    setenv("OROGRAPH_PATH", "library", 1); /* tests run in the source folder */
    return doc && registry.assets && ed_assets_refresh(&assets, &registry, doc, 1, false) ? 0 : -1;
}

FIXTURE(tear_down)
{
    (void)state;
    ed_assets_free(&assets);
    oro_document_destroy(doc);
    oro_assets_destroy(registry.assets);
    return 0;
}

static bool is_wanted(const struct query *query, const char *key)
{
    for (int i = 0; i < 4 && query->keys[i]; i++)
        if (strcmp(query->keys[i], key) == 0)
            return true;
    return false;
}

static void all_are_found(const struct query *queries, size_t count)
{
    struct ed_assets_found found = {0};
    size_t failed = 0;
    for (size_t i = 0; i < count; i++) {
        char first[3][128] = {{0}};
        bool ok = false;
        assert_true(ed_assets_search(&assets, queries[i].typed, NULL, NULL, &found));
        for (size_t k = 0; k < 3 && k < found.count; k++) {
            snprintf(first[k], sizeof first[k], "%s", assets.items[found.items[k].index].key);
            ok = ok || is_wanted(&queries[i], first[k]);
        }
        if (!ok)
            print_error("'%s' gives %s, %s, %s\n", queries[i].typed, first[0], first[1], first[2]);
        failed += !ok;
    }
    oro_free(found.items);
    assert_int_equal(failed, 0);
}

TEST(words_of_the_manuals)
{
    all_are_found(manuals, sizeof manuals / sizeof manuals[0]);
}

TEST(words_of_others)
{
    all_are_found(others, sizeof others / sizeof others[0]);
}

TEST_GROUP(set_up, tear_down);
