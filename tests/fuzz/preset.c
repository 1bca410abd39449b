/* Presets: whatever the bytes are, a preset is read or refused with a reason. One that is read is applied or
 * refused, as one step that can be undone; and what a node has then makes a preset that can be read. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "graph/file/load.h"
#include "graph/reuse/preset.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/kept.h"

static void check_made(const struct oro_document *doc, const char *node)
{
    const struct oro_preset_about about = {.title = "A \"title\"", .doc = "<doc> & all", .all = true};
    struct oro_error err = {0};
    char path[FUZZ_PATH];
    char *text = oro_preset_make(doc, node, &about, &oro_builtin_nodes, NULL, &err);
    if (!text) {
        fuzz_require_reason(&err);
        return;
    }
    fuzz_write(fuzz_path(path, "made.oro"), text, strlen(text));
    struct oro_document *made = oro_preset_read(path, &oro_builtin_nodes, &err);
    fuzz_require(made);
    oro_document_destroy(made);
    oro_free(text);
}

static void apply(const struct oro_document *preset, bool reset)
{
    static const char *const node = "node";
    struct oro_error err = {0};
    struct oro_document *doc = oro_document_create();
    const struct oro_doc_node *wanted = oro_document_node(preset, 0);
    fuzz_require(doc && wanted);
    if (!oro_edit_add_node(doc, node, wanted->type, wanted->version, 1, 2, &err)) {
        fuzz_require_reason(&err);
        oro_document_destroy(doc);
        return;
    }
    char *before = fuzz_kept(doc);
    bool applied = oro_preset_apply(doc, node, preset, reset, &oro_builtin_nodes, NULL, &err);
    if (!applied) {
        fuzz_require_reason(&err);
        fuzz_require_kept(doc, before);
    }
    check_made(doc, node);
    for (int steps = 0; oro_document_can_undo(doc, NULL) && steps < 2; steps++) {
        if (steps == 1) /* only the node is left to undo */
            fuzz_require_kept(doc, before);
        fuzz_require(oro_document_undo(doc, &err));
    }
    oro_free(before);
    oro_document_destroy(doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH];
    struct oro_error err = {0};
    fuzz_write(fuzz_path(path, "x.oro"), data, size);
    struct oro_document *preset = oro_preset_read(path, &oro_builtin_nodes, &err);
    if (!preset) {
        fuzz_require_reason(&err);
        return 0;
    }
    fuzz_require(oro_document_node_count(preset) == 1);
    apply(preset, false);
    apply(preset, true);
    oro_document_destroy(preset);
    return 0;
}
