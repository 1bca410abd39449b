/* The list of what can be added: types, graphs of the library, presets, groups, examples. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "base/file.h"
#include "editor/panels/assets.h"
#include "editor/ui/prose.h"
#include "graph/derived/assets.h"
#include "graph/derived/scripts.h"
#include "graph/file/load.h"
#include "lua/expression/expression.h"
#include "tests/support/folder.h"
#include "tests/support/test.h"

struct fixture {
    struct oro_registry registry;
    struct oro_document *doc;
    struct ed_assets assets;
};

FIXTURE(set_up)
{
    static struct fixture f;
    f = (struct fixture){.registry = oro_builtin_nodes, .doc = oro_document_create()};
    f.registry.language = &oro_lua;
    f.registry.assets = oro_assets_create(&f.registry, oro_document_load_from, true);
    *state = &f;
    setenv("OROGRAPH_PATH", "library", 1); /* tests run in the source folder */
    return f.doc && f.registry.assets && ed_assets_refresh(&f.assets, &f.registry, f.doc, 1, false) ? 0 : -1;
}

static const struct oro_node_type *read_none(const struct oro_script_source *source,
                                             const struct oro_log *log, struct oro_error *err)
{
    (void)log;
    (void)err;
    fail_msg("%s was run", source->path);
    return NULL;
}

static const struct oro_script_language never_read = {.extension = ".lua", .read = read_none};

FIXTURE(tear_down)
{
    struct fixture *f = *state;
    ed_assets_free(&f->assets);
    oro_document_destroy(f->doc);
    oro_assets_destroy(f->registry.assets);
    return 0;
}

TEST(all_types_are_there)
{
    struct fixture *f = *state;
    for (size_t i = 0; i < f->registry.count; i++) {
        const struct ed_asset *asset = ed_assets_find(&f->assets, f->registry.types[i]->id);
        assert_non_null(asset);
        assert_int_equal(asset->kind, ED_ASSET_TYPE);
        assert_true(asset->known);
        assert_string_equal(asset->category, f->registry.types[i]->category);
    }
    const struct ed_asset *noise = ed_assets_find(&f->assets, "noise");
    assert_string_equal(noise->label, "Noise");
    assert_true(noise->gives & 1u << ORO_FIELD);
    assert_false(noise->gives & 1u << ORO_NETWORK);
}

TEST(graphs_of_the_library)
{
    struct fixture *f = *state;
    const struct ed_asset *mesa = ed_assets_find(&f->assets, "mesa.oro");
    assert_non_null(mesa);
    assert_int_equal(mesa->kind, ED_ASSET_GRAPH);
    assert_string_equal(mesa->type, "graph");
    assert_string_equal(mesa->href, "mesa.oro");
    assert_string_equal(mesa->label, "Mesas");
    assert_string_equal(mesa->category, "landscape");
    assert_false(mesa->known);
    int learnt = 0;
    while (ed_assets_learn(&f->assets, &f->registry, &f->registry, f->doc))
        learnt++;
    assert_true(learnt >= 13);
    assert_true(mesa->known);
    assert_true(mesa->gives & 1u << ORO_FIELD);
    assert_true(mesa->gives & 1u << ORO_NETWORK);
}

static void put(const char *folder, const char *name, const char *text)
{
    char path[400];
    struct oro_error err;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_true(oro_make_folders(folder, &err) && oro_file_write(path, text, strlen(text), &err));
}

/* The user's library by its categories; what is wrong in it is said, and no script is run to list it. */
TEST(own_library)
{
    struct fixture *f = *state;
    char home[] = "/tmp/orograph-own-XXXXXX", rocks[200], presets[200];
    static const char graph[] = "<orograph xmlns=\"urn:orograph:1\" version=\"1\">"
                                "<about title=\"Cliff\" words=\"steep, wall\"/>"
                                "<interface><out name=\"field\" from=\"n.field\"/></interface>"
                                "<node id=\"n\" type=\"noise\"/></orograph>";
    assert_non_null(mkdtemp(home));
    setenv("XDG_DATA_HOME", home, 1);
    setenv("XDG_CONFIG_HOME", home, 1);
    snprintf(rocks, sizeof rocks, "%s/orograph/library/Rocks", home);
    put(rocks, "cliff.oro", graph);
    put(rocks, "junk.oro", "no graph");
    put(rocks, "endless.lua", "-- tags: sand\nwhile true do end");
    put(rocks, "endless.oro",
        "<orograph xmlns=\"urn:orograph:1\" version=\"1\">"
        "<interface><out name=\"field\" from=\"n.field\"/></interface>"
        "<node id=\"n\" type=\"endless\"/></orograph>");
    snprintf(presets, sizeof presets, "%s/orograph/presets/endless", home);
    put(presets, "much.oro",
        "<orograph xmlns=\"urn:orograph:1\" version=\"1\"><about title=\"Much\"/>"
        "<node id=\"n\" type=\"endless\"/></orograph>");
    put(rocks, "../mesa.oro", graph); /* hides the program's, as documents find this one first */
    struct oro_scripts *before = f->registry.scripts;
    f->registry.scripts = oro_scripts_create(&never_read, true, NULL);
    assert_true(ed_assets_refresh(&f->assets, &f->registry, f->doc, 1, true));
    const struct ed_asset *cliff = ed_assets_find(&f->assets, "Rocks/cliff.oro");
    assert_non_null(cliff);
    assert_true(cliff->own && !cliff->broken);
    assert_string_equal(cliff->category, "my/Rocks");
    assert_string_equal(cliff->words, "steep, wall");
    const struct ed_asset *junk = ed_assets_find(&f->assets, "Rocks/junk.oro");
    assert_true(junk && junk->broken && junk->doc[0]);
    const struct ed_asset *endless = ed_assets_find(&f->assets, "endless");
    assert_true(endless && endless->own && !endless->broken);
    assert_string_equal(endless->words, "sand");
    assert_non_null(ed_assets_find(&f->assets, "endless/much"));
    struct oro_registry listed = oro_builtin_nodes;
    listed.assets = oro_assets_create(&listed, oro_document_load_from, true);
    listed.scripts = f->registry.scripts;
    oro_scripts_omit(listed.scripts, ORO_OMIT_ALL);
    while (ed_assets_learn(&f->assets, &f->registry, &listed, f->doc))
        continue;
    const struct ed_asset *leads = ed_assets_find(&f->assets, "Rocks/endless.oro");
    assert_true(leads && leads->known && leads->takes == UINT_MAX && leads->gives == UINT_MAX);
    oro_assets_destroy(listed.assets);
    const struct ed_asset *mesa = ed_assets_find(&f->assets, "mesa.oro");
    assert_true(mesa && mesa->own);
    assert_string_equal(f->assets.items[0].category, "my"); /* the user's own comes first */
    oro_scripts_destroy(f->registry.scripts);
    f->registry.scripts = before;
    unsetenv("XDG_DATA_HOME");
    unsetenv("XDG_CONFIG_HOME");
    assert_int_equal(remove_tree(home), 0);
}

/* By category, and presets after what they are for. */
TEST(order)
{
    struct fixture *f = *state;
    char seen[64][64];
    size_t count = 0;
    for (size_t i = 0; i < f->assets.count; i++) {
        const char *category = f->assets.items[i].category;
        if (count > 0 && strcmp(seen[count - 1], category) == 0)
            continue;
        for (size_t k = 0; k < count; k++)
            assert_string_not_equal(seen[k], category);
        snprintf(seen[count++], 64, "%s", category);
    }
    const struct ed_asset *preset = ed_assets_find(&f->assets, "stream_power/plateau");
    if (preset) { /* if presets are installed */
        assert_int_equal(preset->kind, ED_ASSET_PRESET);
        while (preset->kind == ED_ASSET_PRESET)
            preset--;
        assert_string_equal(preset->key, "stream_power");
    }
}

TEST(groups_come_and_go)
{
    struct fixture *f = *state;
    struct oro_error err;
    struct oro_document *body = oro_document_create();
    uint64_t serial = f->assets.serial;
    assert_true(ed_assets_refresh(&f->assets, &f->registry, f->doc, 2, false));
    assert_int_equal(f->assets.serial, serial); /* nothing changed */
    assert_true(oro_edit_group(f->doc, "rock", body, &err));
    assert_true(ed_assets_refresh(&f->assets, &f->registry, f->doc, 3, false));
    assert_true(f->assets.serial > serial);
    const struct ed_asset *rock = ed_assets_find(&f->assets, "#rock");
    assert_non_null(rock);
    assert_int_equal(rock->kind, ED_ASSET_GROUP);
    assert_string_equal(rock->href, "#rock");
    assert_string_equal(rock->label, "Rock");
    assert_true(oro_edit_remove_group(f->doc, "rock", &err));
    assert_true(ed_assets_refresh(&f->assets, &f->registry, f->doc, 4, false));
    assert_null(ed_assets_find(&f->assets, "#rock"));
    assert_non_null(ed_assets_find(&f->assets, "noise"));
    oro_document_destroy(body);
}

TEST(summary)
{
    char out[200], small[12];
    assert_string_equal(ed_summary("Carves `valleys` where water gathers. It only removes.", out, sizeof out),
                        "Carves valleys where water gathers.");
    assert_string_equal(ed_summary("No end", out, sizeof out), "No end");
    assert_string_equal(ed_summary(NULL, out, sizeof out), "");
    assert_int_equal(strlen(ed_summary("A text that does not fit", small, sizeof small)), 11);
}

TEST(about)
{
    struct ed_about about;
    char path[] = "/tmp/orograph-about-XXXXXX";
    int file = mkstemp(path);
    const char *text = "<?xml version=\"1.0\"?>\n<orograph version=\"1\">\n"
                       "<about doc='a &gt; b' subtitle=\"no\" title=\"Tom &amp; &quot;J&quot; &#65;\"/>\n"
                       "<interface><out name=\"x\" from=\"a.b\"/></interface></orograph>";
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    assert_true(ed_about_read(path, &about));
    assert_string_equal(about.title, "Tom & \"J\" A");
    assert_string_equal(about.doc, "a > b");
    assert_string_equal(about.category, "");
    assert_true(about.is_node);
    unlink(path);
    assert_false(ed_about_read(path, &about));
    assert_true(ed_about_read("examples/canyon.oro", &about));
    assert_string_equal(about.title, "An incision of 32 cells becomes a canyon of 512");
    assert_false(ed_about_read("README.md", &about));
}

TEST_GROUP(set_up, tear_down);
