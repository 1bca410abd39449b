#include "editor/session/settings.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

/* ---- One table: names in the file, places in the struct, ranges. */

enum kind { NUMBER, WHOLE, SWITCH };
struct entry {
    const char *name;
    enum kind kind;
    size_t offset;
    double standard, low, high;
};
#define ENTRY(field, kind, standard, low, high)                                                              \
    {                                                                                                        \
#field, kind, offsetof(struct ed_settings, field), standard, low, high                               \
    }
static const struct entry entries[] = {
    ENTRY(scale, NUMBER, 0, 0, 4),         ENTRY(theme, WHOLE, ED_THEME_DARK, ED_THEME_DARK, ED_THEME_LIGHT),
    ENTRY(width, WHOLE, 1600, 640, 16384), ENTRY(height, WHOLE, 1000, 400, 16384),
    ENTRY(maximized, SWITCH, 0, 0, 1),     ENTRY(show_minimap, SWITCH, 1, 0, 1),
    ENTRY(show_pictures, SWITCH, 1, 0, 1), ENTRY(snap, SWITCH, 1, 0, 1),
    ENTRY(preview, WHOLE, 256, 32, 4096),  ENTRY(resolution, WHOLE, 1024, 0, 131072),
    ENTRY(device, WHOLE, -1, -4, 64),      ENTRY(memory_mb, WHOLE, 0, 0, 1048576),
    ENTRY(toured, SWITCH, 0, 0, 1),
};
enum { ENTRIES = sizeof entries / sizeof entries[0] };

static void set(struct ed_settings *settings, const struct entry *entry, double value)
{
    char *place = (char *)settings + entry->offset;
    if (!(value >= entry->low && value <= entry->high))
        return;
    if (entry->kind == NUMBER)
        *(float *)(void *)place = (float)value;
    else if (entry->kind == WHOLE)
        *(int *)(void *)place = (int)value;
    else
        *(bool *)(void *)place = value != 0;
}

static json_t *get(const struct ed_settings *settings, const struct entry *entry)
{
    const char *place = (const char *)settings + entry->offset;
    if (entry->kind == NUMBER)
        return json_real((double)*(const float *)(const void *)place);
    if (entry->kind == WHOLE)
        return json_integer(*(const int *)(const void *)place);
    return json_boolean(*(const bool *)(const void *)place);
}

/* ---- Places */

char *ed_config_folder(void)
{
    return oro_user_folder("XDG_CONFIG_HOME", ".config", "orograph");
}

/* The file in `folder`, or in the user's; the caller frees. NULL: there is none. */
static char *settings_path(const char *folder, const char *name)
{
    char *own = folder ? oro_copy_text(folder) : ed_config_folder();
    struct oro_text path = {0};
    if (own)
        oro_text_addf(&path, "%s/%s", own, name);
    oro_free(own);
    return path.failed ? NULL : path.data;
}

/* ---- Reading and writing */

static void read_recent(struct ed_settings *settings, const json_t *list)
{
    int count = 0;
    for (size_t i = 0; i < json_array_size(list) && count < ED_RECENT_MAX; i++) {
        const char *path = json_string_value(json_array_get(list, i));
        if (path && path[0])
            settings->recent[count++] = oro_copy_text(path);
    }
}

/* Those that are wrong in some way are left out. */
static void read_layouts(struct ed_settings *settings, json_t *root)
{
    struct ed_workspace workspace;
    const char *name, *text = json_string_value(json_object_get(root, "layout"));
    const char *layout_name = json_string_value(json_object_get(root, "layout_name"));
    json_t *value;
    if (text && strlen(text) < ED_WORKSPACE_TEXT && ed_workspace_read(&workspace, text))
        snprintf(settings->layout.text, sizeof settings->layout.text, "%s", text);
    if (layout_name && strlen(layout_name) < ED_LAYOUT_NAME)
        snprintf(settings->layout.name, sizeof settings->layout.name, "%s", layout_name);
    json_object_foreach(json_object_get(root, "layouts"), name, value) if (json_is_string(value))
        ed_layout_keep(&settings->layouts, name, json_string_value(value), NULL);
}

enum { BINDINGS_MAX = 1000 };

static void read_bindings(struct ed_settings *settings, json_t *keys)
{
    const char *command;
    json_t *value;
    if (keys && !json_is_object(keys))
        ed_settings_bind(settings, "keys", NULL);
    json_object_foreach(keys, command, value) if (settings->binding_count < BINDINGS_MAX)
        ed_settings_bind(settings, command, json_string_value(value));
}

static void read_used(struct ed_settings *settings, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list) && settings->used_count < ED_USED_MAX; i++) {
        const json_t *one = json_array_get(list, i), *number = json_object_get(one, "count");
        const char *key = json_string_value(json_object_get(one, "key"));
        json_int_t count = json_integer_value(number);
        if (!key || !key[0] || count < 1 || ed_settings_used(settings, key) > 0)
            continue;
        struct ed_used used = {oro_copy_text(key), count < INT_MAX ? (int)count : INT_MAX};
        if (used.key)
            settings->used[settings->used_count++] = used;
    }
}

static json_t *write_used(const struct ed_settings *settings)
{
    json_t *list = json_array();
    for (size_t i = 0; i < settings->used_count; i++) {
        json_t *one = json_object();
        json_object_set_new(one, "key", json_string(settings->used[i].key));
        json_object_set_new(one, "count", json_integer(settings->used[i].count));
        json_array_append_new(list, one);
    }
    return list;
}

static bool set_aside(const char *path, const char *folder, const char *why, struct oro_error *err)
{
    char *aside = settings_path(folder, "settings.damaged.json");
    bool moved = aside && rename(path, aside) == 0;
    oro_free(aside);
    return oro_fail(err, ORO_E_FILE, "the settings could not be read (%s)%s; defaults are used", why,
                    moved ? " and were set aside as settings.damaged.json" : "");
}

bool ed_settings_load(struct ed_settings *settings, const char *folder, struct oro_error *err)
{
    *settings = (struct ed_settings){0};
    for (size_t i = 0; i < ENTRIES; i++)
        set(settings, &entries[i], entries[i].standard);
    char *path = settings_path(folder, "settings.json");
    void *text = NULL;
    size_t size = 0;
    struct oro_stamp stamp = path ? oro_stamp_of(path) : (struct oro_stamp){0};
    if (!path || (stamp.inode == 0 && stamp.size == 0)) {
        oro_free(path);
        return true; /* no file yet: the first start */
    }
    json_error_t where;
    bool ok = oro_file_read(path, 1 << 20, &text, &size, err);
    json_t *root = ok ? json_loadb(text, size, 0, &where) : NULL;
    if (ok && !json_is_object(root))
        ok = set_aside(path, folder, root ? "no object" : where.text, err);
    for (size_t i = 0; ok && i < ENTRIES; i++) {
        const json_t *value = json_object_get(root, entries[i].name);
        if (json_is_number(value) || json_is_boolean(value))
            set(settings, &entries[i],
                json_is_number(value) ? json_number_value(value) : json_is_true(value));
    }
    if (ok) {
        const char *look = json_string_value(json_object_get(root, "look"));
        settings->look = look ? oro_copy_text(look) : NULL;
        read_recent(settings, json_object_get(root, "recent"));
        read_layouts(settings, root);
        read_bindings(settings, json_object_get(root, "keys"));
        read_used(settings, json_object_get(root, "used"));
    }
    json_decref(root);
    oro_free(text);
    oro_free(path);
    return ok;
}

static bool write_json(const json_t *root, const char *path, struct oro_error *err)
{
    char *text = json_dumps(root, JSON_INDENT(2));
    bool ok = text ? oro_file_write(path, text, strlen(text), err)
                   : oro_fail(err, ORO_E_MEMORY, "no memory for the settings");
    free(text);
    return ok;
}

bool ed_settings_save(const struct ed_settings *settings, const char *folder, struct oro_error *err)
{
    char *own = folder ? oro_copy_text(folder) : ed_config_folder();
    char *path = settings_path(folder, "settings.json");
    json_t *root = json_object(), *recent = json_array(), *keys = json_object(), *layouts = json_object();
    bool ok = own && path && root && recent && keys && layouts;
    if (!ok)
        oro_fail(err, ORO_E_WRITE, "there is no place for settings: HOME is not set");
    for (size_t i = 0; ok && i < ENTRIES; i++)
        json_object_set_new(root, entries[i].name, get(settings, &entries[i]));
    if (ok && settings->look)
        json_object_set_new(root, "look", json_string(settings->look));
    for (int i = 0; ok && i < ED_RECENT_MAX && settings->recent[i]; i++)
        json_array_append_new(recent, json_string(settings->recent[i]));
    for (size_t i = 0; ok && i < settings->binding_count; i++)
        json_object_set_new(keys, settings->bindings[i].command, json_string(settings->bindings[i].keys));
    for (int i = 0; ok && i < settings->layouts.count; i++)
        json_object_set_new(layouts, settings->layouts.items[i].name,
                            json_string(settings->layouts.items[i].text));
    if (ok) {
        json_object_set(root, "recent", recent);
        json_object_set(root, "keys", keys);
        json_object_set(root, "layouts", layouts);
        json_object_set_new(root, "layout", json_string(settings->layout.text));
        json_object_set_new(root, "layout_name", json_string(settings->layout.name));
        json_object_set_new(root, "used", write_used(settings));
    }
    ok = ok && oro_make_folders(own, err) && write_json(root, path, err);
    json_decref(layouts);
    json_decref(keys);
    json_decref(recent);
    json_decref(root);
    oro_free(path);
    oro_free(own);
    return ok;
}

void ed_settings_free(struct ed_settings *settings)
{
    oro_free(settings->look);
    settings->look = NULL;
    ed_settings_forget_all(settings);
    for (size_t i = 0; i < settings->binding_count; i++) {
        oro_free(settings->bindings[i].command);
        oro_free(settings->bindings[i].keys);
    }
    oro_free(settings->bindings);
    settings->bindings = NULL;
    settings->binding_count = settings->binding_capacity = 0;
    for (size_t i = 0; i < settings->used_count; i++)
        oro_free(settings->used[i].key);
    settings->used_count = 0;
}

/* ---- Keys */

bool ed_settings_bind(struct ed_settings *settings, const char *command, const char *keys)
{
    struct ed_binding one = {oro_copy_text(command), keys ? oro_copy_text(keys) : NULL};
    void *items = settings->bindings;
    bool ok = one.command && (one.keys || !keys) &&
              oro_reserve(&items, &settings->binding_capacity, settings->binding_count + 1, sizeof one);
    settings->bindings = items;
    for (size_t i = 0; ok && i < settings->binding_count; i++)
        if (strcmp(settings->bindings[i].command, command) == 0) {
            struct ed_binding before = settings->bindings[i];
            settings->bindings[i] = one;
            one = before;
            oro_free(one.command);
            oro_free(one.keys);
            return true;
        }
    if (ok) {
        settings->bindings[settings->binding_count++] = one;
        return true;
    }
    oro_free(one.command);
    oro_free(one.keys);
    return false;
}

/* ---- What was added */

int ed_settings_used(const struct ed_settings *settings, const char *key)
{
    for (size_t i = 0; i < settings->used_count; i++)
        if (strcmp(settings->used[i].key, key) == 0)
            return settings->used[i].count;
    return 0;
}

void ed_settings_use(struct ed_settings *settings, const char *key)
{
    size_t at = 0;
    while (at < settings->used_count && strcmp(settings->used[at].key, key) != 0)
        at++;
    struct ed_used used = {NULL, 0};
    if (at < settings->used_count)
        used = settings->used[at];
    else if (!(used.key = oro_copy_text(key)))
        return;
    else if (settings->used_count == ED_USED_MAX)
        oro_free(settings->used[--at].key);
    else
        settings->used_count++;
    used.count += used.count < INT_MAX;
    memmove(settings->used + 1, settings->used, at * sizeof used);
    settings->used[0] = used;
}

/* ---- Recent documents */

void ed_settings_forget(struct ed_settings *settings, const char *path)
{
    int kept = 0;
    for (int i = 0; i < ED_RECENT_MAX; i++) {
        char *one = settings->recent[i];
        settings->recent[i] = NULL;
        if (one && strcmp(one, path) != 0)
            settings->recent[kept++] = one;
        else
            oro_free(one);
    }
}

void ed_settings_forget_all(struct ed_settings *settings)
{
    for (int i = 0; i < ED_RECENT_MAX; i++)
        oro_free(settings->recent[i]);
    memset(settings->recent, 0, sizeof settings->recent);
}

void ed_settings_recent(struct ed_settings *settings, const char *path)
{
    char *full = oro_path_true(path);
    if (!full)
        return;
    ed_settings_forget(settings, full);
    oro_free(settings->recent[ED_RECENT_MAX - 1]);
    memmove(settings->recent + 1, settings->recent, (ED_RECENT_MAX - 1) * sizeof settings->recent[0]);
    settings->recent[0] = full;
}
