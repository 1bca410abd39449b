/* Shared by the tests of live evaluation and of builds: documents as text, a folder, waiting. */
#ifndef ORO_TESTS_EDITOR_LIVE_SUPPORT_H
#define ORO_TESTS_EDITOR_LIVE_SUPPORT_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "devices/devices.h"
#include "editor/live/live.h"
#include "graph/file/xml.h"
#include "lua/types/registry.h"
#include "tests/support/folder.h"
#include "tests/support/test.h"

#define WORLD(world, nodes)                                                                                  \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"        \
    "<world extent=\"3200\" seed=\"7\" " world "/>\n" nodes "</orograph>\n"
#define DOCUMENT(nodes) WORLD("resolution=\"64\"", nodes)
#define NODE(id, type, inputs) "<node id=\"" id "\" type=\"" type "\" x=\"0\" y=\"0\">" inputs "</node>\n"
#define LINK(name, from) "<in name=\"" name "\" from=\"" from "\"/>"
#define SET(name, value) "<in name=\"" name "\" value=\"" value "\"/>"
#define NOISE NODE("noise", "noise", SET("feature", "800") SET("amplitude", "300"))
#define ERODED NOISE NODE("eroded", "thermal_erosion", LINK("terrain", "noise.field") SET("iterations", "20"))

static char folder[128];
static struct oro_registry registry;

FIXTURE(begin_tests)
{
    char cache[160];
    snprintf(folder, sizeof folder, "/tmp/orograph-editor-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(cache, sizeof cache, "%s/cache", folder);
    return setenv("OROGRAPH_CACHE", cache, 1) == 0 &&
                   oro_registry_open(&registry, &oro_builtin_nodes, false, NULL, NULL)
               ? 0
               : -1;
}

FIXTURE(end_tests)
{
    oro_registry_close(&registry);
    return remove_tree(folder);
}

static inline const char *path_of(const char *name)
{
    static char path[4][256];
    static int next;
    char *out = path[next++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", folder, name);
    return out;
}

static inline void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* A document in the folder, which is written there as well. */
static inline struct oro_document *document(const char *text)
{
    struct oro_problems problems = {0};
    write_text(path_of("test.oro"), text);
    struct oro_document *doc = oro_document_read(path_of("test.oro"), &registry, &problems);
    if (!doc)
        fail_msg("%s", problems.count ? problems.items[0].text : "no document");
    oro_problems_free(&problems);
    return doc;
}

static inline void edit_set(struct oro_document *doc, const char *node, const char *input, const char *value)
{
    struct oro_error err = {0};
    if (!oro_edit_set(doc, node, input, value, &err))
        fail_msg("%s", err.text);
}

static inline void pause_for(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};
    nanosleep(&time, NULL);
}

#endif
