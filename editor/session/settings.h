/*
 * Settings of the user, and what the program remembers: settings.json in the user's config folder
 * (XDG_CONFIG_HOME/orograph, else ~/.config/orograph). A damaged file is moved aside, and defaults are used.
 */
#ifndef ED_SESSION_SETTINGS_H
#define ED_SESSION_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "editor/session/layouts.h"

enum { ED_RECENT_MAX = 12, ED_USED_MAX = 200 };
enum ed_theme { ED_THEME_DARK, ED_THEME_LIGHT };

struct ed_settings {
    float scale; /* of the user interface; 0: as the screen says */
    enum ed_theme theme;
    int width, height; /* of the window */
    bool maximized;
    bool show_minimap;
    bool show_pictures;          /* in the palette */
    bool snap;                   /* nodes to the grid */
    int preview;                 /* first level, cells */
    int resolution;              /* last level while editing; 0: as the build */
    int device;                  /* of devices/devices.h */
    int memory_mb;               /* 0: chosen */
    bool toured;                 /* the tour was finished or dismissed */
    struct ed_layout layout;     /* of the window, when it was closed; "": the first that there is */
    struct ed_layouts layouts;   /* that the user has saved */
    char *look;                  /* of the view in depth, as editor/render/look.h writes it; NULL: none yet */
    char *recent[ED_RECENT_MAX]; /* documents, newest first; NULL: no more */
    /* Keys that the user has chosen (bindings.h), as the file says; `keys` NULL: they were no text. */
    struct ed_binding {
        char *command, *keys;
    } * bindings;
    size_t binding_count, binding_capacity;
    /* What the user has added to documents, and how often; the last one first. */
    struct ed_used {
        char *key; /* in the list of assets: "noise", "mesa.oro" */
        int count;
    } used[ED_USED_MAX];
    size_t used_count;
};

/* Loads the file, with defaults for what is missing. `folder` NULL: the user's. False, with `err`: the file
 * was damaged, or cannot be read; then all are defaults. */
bool ed_settings_load(struct ed_settings *settings, const char *folder, struct oro_error *err);
bool ed_settings_save(const struct ed_settings *settings, const char *folder, struct oro_error *err);
void ed_settings_free(struct ed_settings *settings);
/* Puts a document at the head of the recent ones. */
void ed_settings_recent(struct ed_settings *settings, const char *path);
void ed_settings_forget(struct ed_settings *settings, const char *path);
void ed_settings_forget_all(struct ed_settings *settings);
/* Sets the keys of a command, "" none. False: memory is out. */
bool ed_settings_bind(struct ed_settings *settings, const char *command, const char *keys);
/* Counts an addition. Of more than ED_USED_MAX different ones, the oldest is forgotten. */
void ed_settings_use(struct ed_settings *settings, const char *key);
int ed_settings_used(const struct ed_settings *settings, const char *key); /* how often */
/* The user's config folder of the program; the caller frees. NULL: there is no home, or memory is out. */
char *ed_config_folder(void);

#endif
