/* Small pictures of what files make: of graphs, presets and scripts, of broken files, and kept on the disk.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "editor/live/samples.h"
#include "graph/derived/trust.h"
#include "tests/support/folder.h"
#include "tests/support/test.h"

static char home[] = "/tmp/orograph-samples-XXXXXX";
static struct ed_samples *samples;
static struct oro_error err;

static const char *at(const char *name)
{
    static char paths[8][300];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", home, name);
    return path;
}

FIXTURE(open_home)
{
    assert_non_null(mkdtemp(home));
    setenv("XDG_DATA_HOME", at("data"), 1);
    setenv("XDG_CONFIG_HOME", at("config"), 1);
    setenv("XDG_CACHE_HOME", at("cache"), 1);
    setenv("XDG_STATE_HOME", at("state"), 1);
    return 0;
}

FIXTURE(close_home)
{
    return remove_tree(home);
}

TEST_GROUP(open_home, close_home);

FIXTURE(begin)
{
    const struct ed_live_options options = {0};
    samples = ed_samples_create(&options, &err);
    return samples ? 0 : -1;
}

FIXTURE(end)
{
    ed_samples_destroy(samples);
    return 0;
}

#define HEAD                                                                                                 \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"                                                           \
    "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n  <world resolution=\"64\"/>\n"

static void put(const char *name, const char *text)
{
    if (!oro_file_write(at(name), text, strlen(text), &err))
        fail_msg("%s", err.text);
}

static void rest(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

static struct ed_sample wait_for(const char *name)
{
    struct ed_sample sample;
    ed_samples_get(samples, at(name), &sample);
    while (ed_samples_busy(samples))
        rest();
    ed_samples_get(samples, at(name), &sample);
    return sample;
}

static int tones_of(const char *name)
{
    static struct ed_thumbnail picture;
    bool seen[256] = {false};
    int tones = 0;
    assert_true(ed_samples_picture(samples, at(name), &picture));
    assert_in_range(picture.width, 2, ED_THUMBNAIL_SIDE);
    for (int i = 0; i < picture.width * picture.height; i++)
        seen[picture.rgba[4 * i]] = true;
    for (int i = 0; i < 256; i++)
        tones += seen[i];
    return tones;
}

static int kept_pictures(void)
{
    DIR *dir = opendir(at("cache/orograph/samples"));
    int count = 0;
    for (const struct dirent *entry; dir && (entry = readdir(dir)) != NULL;)
        count += strstr(entry->d_name, ".png") != NULL;
    if (dir)
        closedir(dir);
    return count;
}

TEST_WITH(what_files_make, begin, end)
{
    put("graph.oro", HEAD "  <interface>\n    <out name=\"field\" from=\"n.field\"/>\n  </interface>\n"
                          "  <node id=\"n\" type=\"noise\"/>\n</orograph>\n");
    assert_int_equal(wait_for("graph.oro").state, ED_SAMPLE_READY);
    assert_true(tones_of("graph.oro") > 16);
    int kept = kept_pictures();
    assert_int_equal(kept, 1);

    /* A graph whose input must be linked is shown on rough ground. */
    put("open.oro", HEAD "  <interface>\n    <in name=\"terrain\" to=\"b.field\"/>\n"
                         "    <out name=\"field\" from=\"b.field\"/>\n  </interface>\n"
                         "  <node id=\"b\" type=\"blur\"/>\n</orograph>\n");
    assert_int_equal(wait_for("open.oro").state, ED_SAMPLE_READY);
    assert_true(tones_of("open.oro") > 16);

    /* A file that is written anew is looked at anew. */
    uint64_t serial = wait_for("graph.oro").serial;
    put("graph.oro", "no graph any more");
    for (int i = 0; i < 4000 && wait_for("graph.oro").serial == serial; i++)
        rest();
    assert_int_equal(wait_for("graph.oro").state, ED_SAMPLE_BROKEN);
}

TEST_WITH(pictures_are_kept, begin, end)
{
    int before = kept_pictures();
    assert_true(before > 0);
    assert_int_equal(wait_for("open.oro").state, ED_SAMPLE_READY);
    assert_int_equal(kept_pictures(), before);
    assert_true(tones_of("open.oro") > 16);
}

/* A script is run when it is trusted, and not before. */
TEST_WITH(scripts, begin, end)
{
    static const char text[] =
        "return { id = \"waves\", inputs = { { name = \"terrain\", type = \"field\", unit = \"m\" } }, "
        "outputs = { { name = \"terrain\", unit = \"m\" } }, kernel = [[ void cell(ivec2 p) { "
        "set_terrain(p, terrain_at(p) * 2.0); } ]] }";
    struct oro_trust trust = {0};
    struct oro_trusted added = {.name = "waves.lua"};
    put("waves.lua", text);
    put("uses.oro", HEAD "  <node id=\"n\" type=\"noise\"/>\n  <node id=\"w\" type=\"waves\">\n"
                         "    <in name=\"terrain\" from=\"n.field\"/>\n  </node>\n</orograph>\n");
    assert_int_equal(wait_for("waves.lua").state, ED_SAMPLE_NONE);
    assert_true(wait_for("waves.lua").problem[0]);
    assert_true(wait_for("uses.oro").state == ED_SAMPLE_NONE ||
                wait_for("uses.oro").state == ED_SAMPLE_READY);
    oro_sha256(text, strlen(text), added.digest);
    assert_true(oro_trust_add(&trust, &added, 1, NULL));
    oro_trust_free(&trust);
    put("waves.lua", text); /* looked at anew */
    for (int i = 0; i < 4000 && wait_for("waves.lua").state == ED_SAMPLE_NONE; i++)
        rest();
    struct ed_sample sample = wait_for("waves.lua");
    if (sample.state != ED_SAMPLE_READY)
        fail_msg("%d: %s", (int)sample.state, sample.problem);
}

/* Nothing that lies in a library makes it hang, and all that is wrong is said. */
TEST_WITH(wrong_files, begin, end)
{
    static const struct {
        const char *name, *text;
    } wrong[] = {{"empty.oro", ""},
                 {"bytes.oro", "\x89PNG\r\n"},
                 {"cut.oro", "<orograph xmlns=\"urn:orograph:1\" version=\"1\"><node id="},
                 {"new.oro", "<orograph xmlns=\"urn:orograph:1\" version=\"999\"/>"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        put(wrong[i].name, wrong[i].text);
        struct ed_sample sample = wait_for(wrong[i].name);
        if (sample.state != ED_SAMPLE_BROKEN || !sample.problem[0])
            fail_msg("%s: %d", wrong[i].name, (int)sample.state);
    }
    put("endless.lua", "local m = {} local t = setmetatable({}, m) m.__call = t setmetatable(t, m) t()");
    assert_int_equal(wait_for("endless.lua").state, ED_SAMPLE_NONE);
    assert_int_equal(mkfifo(at("pipe.oro"), 0600), 0);
    assert_int_equal(wait_for("pipe.oro").state, ED_SAMPLE_BROKEN);
    assert_int_equal(wait_for("missing.oro").state, ED_SAMPLE_BROKEN);

    /* A graph that uses itself, and one with nothing to be seen. */
    put("self.oro", HEAD "  <interface>\n    <out name=\"field\" from=\"n.field\"/>\n  </interface>\n"
                         "  <node id=\"n\" type=\"graph\" href=\"self.oro\"/>\n</orograph>\n");
    assert_int_not_equal(wait_for("self.oro").state, ED_SAMPLE_READY);
    assert_true(wait_for("self.oro").problem[0]);
    put("nothing.oro", HEAD "</orograph>\n");
    assert_int_equal(wait_for("nothing.oro").state, ED_SAMPLE_NONE);
}

TEST_WITH(none_is_begun_while_paused, begin, end)
{
    struct ed_sample sample;
    ed_samples_pause(samples, true);
    ed_samples_get(samples, at("open.oro"), &sample);
    rest();
    ed_samples_get(samples, at("open.oro"), &sample);
    assert_int_equal(sample.state, ED_SAMPLE_WAITING);
    ed_samples_pause(samples, false);
    assert_int_equal(wait_for("open.oro").state, ED_SAMPLE_READY);
}
