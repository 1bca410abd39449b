/* Shared by the files of this folder: their state from frame to frame, and drawing that several of them use.
 */
#ifndef ED_PANELS_PRIVATE_H
#define ED_PANELS_PRIVATE_H

#include "editor/library/library.h"
#include "editor/live/samples.h"
#include "editor/panels/assets.h"
#include "editor/panels/panels.h"
#include "editor/project/versions.h"
#include "editor/ui/category.h"
#include "editor/ui/describe.h"
#include "editor/ui/prose.h"
#include "graph/reuse/used_scripts.h"

enum {
    ED_FOLDED_MAX = 32,
    ED_SUGGESTED_MAX = 6, /* how many are offered first in the search for what to add */
    ED_BUILD_ROWS = 64,
    ED_COMMANDS_MAX = 256,
};

struct ed_node_palette {
    char typed[128];
    char chosen[160];                 /* key */
    char closed[ED_FOLDED_MAX][64];   /* categories that are folded, */
    char unfolded[ED_FOLDED_MAX][64]; /* and types whose presets are shown */
    char dragged[160];                /* key; "": nothing */
    char pressed[160];
    uint64_t dragged_at; /* revision when it began */
    struct ui_rect rows; /* the place of the list */
    bool focus;
    struct ed_assets_found found; /* by `listed`, in the list of `serial` */
    char listed[128];
    uint64_t serial;
};

struct ed_add {
    bool open, fresh; /* fresh: it was opened in this frame */
    struct ui_rect rect;
    double x, y;
    bool has_from, has_to;
    char node[128], socket[128];  /* of the link's end from which the search was opened */
    unsigned from, to;            /* types that an asset must take; must give */
    unsigned meaning;             /* of that end (graph/type/meaning.h) */
    char typed[128], listed[128]; /* listed: the text that the rows are for */
    char unfolded[64];            /* category that is open in the list without a search */
    struct ed_assets_found rows;  /* assets, or headings (add.c) */
    size_t chosen;
    uint64_t serial; /* of the list of assets that the rows are from */
    bool stale;
    struct ui_vec mouse;
};

struct ed_start {
    bool shown;
    struct oro_arena *arena; /* of recoveries */
    struct ed_recoveries recoveries;
    bool listed;
    bool missing[ED_RECENT_MAX];
    char typed[64]; /* into the search for examples */
};

struct ed_tour {
    bool shown;
    bool back;    /* the user went back: steps advance only by a button */
    bool waiting; /* for the start screen to go */
    int step;
    uint64_t revision; /* of the document when the step began */
    size_t values;     /* likewise: how many inputs were set */
    double orbit;      /* how far the mouse has been dragged over the views */
};

struct ed_log_state {
    bool hide[3]; /* kinds */
};

struct ed_build_row {
    bool on;
    bool node_writes;          /* the node knows its file */
    bool lines;                /* a network */
    bool picture;              /* an image */
    bool exists;               /* the file is there: a build replaces it */
    struct ed_build_size size; /* at which it is written; 0: not known */
    char node[128], output[128], name[160];
    char path[1024];
};
enum { ED_BUILD_NAME = 104 };
struct ed_build_dialog {
    bool open;
    int resolution;
    bool own_seed;
    double seed;
    int world_resolution; /* of the world from which both were taken; 0: none yet */
    int64_t world_seed;
    bool require_drained;
    int engine;                  /* of oro_engine_names */
    char profile[ED_BUILD_NAME]; /* of the document, as which it was set up last; "": none */
    char kept_as[ED_BUILD_NAME]; /* the name to keep it under */
    struct ed_build_row rows[ED_BUILD_ROWS];
    size_t count;
    uint64_t revision;
    bool estimate_stale, estimate_known;
    struct ed_build_estimate estimate;
    char problem[512];
    int phase_seen;  /* phase of the build that was reported last */
    double looked;   /* when the disk was last searched for the rows' files */
    size_t replaced; /* chosen files that exist already */
};

/* The list of keys, in the settings. */
struct ed_key_list {
    char typed[64];
    char asking[64];         /* command whose new key is asked for; "": none */
    char key[ED_CHORD_TEXT]; /* that was pressed, and is another command's; "" */
    char owner[64];          /* that command */
};

struct ed_settings_dialog {
    bool open;
    struct ed_key_list keys;
    bool listed_devices, cache_known;
    struct oro_gpu_entry *devices;
    int device_count;
    uint64_t cache_files, cache_bytes, cache_limit;
    char cache_folder[512];
    double scale; /* value of its slider; applied only when that is released */
    bool scaling;
};

struct ed_help {
    bool open;
    char type[128]; /* key */
    char typed[64], listed[64];
    struct ed_assets_found found; /* by `listed`, in the list of `serial` */
    uint64_t serial;
    int page; /* of the guide; -1: a type's */
    bool scroll;
};

struct ed_command_search {
    bool open, fresh;
    char typed[128], listed[128];
    size_t chosen;
};

enum { ED_KEEP_CATEGORIES = 64 };
/* The question under which name something is kept in the user's library. */
struct ed_new_script {
    bool ask, open, file;
    int form; /* of ed_script_templates */
    char name[64], problem[1024];
};
struct ed_trust_dialog {
    bool ask, open;
    struct oro_used_scripts used; /* by the document, when it was asked */
    struct oro_trust trust;
    char problem[1024];
};
struct ed_keep_dialog {
    bool ask, open, fresh; /* ask: it opens in the next frame */
    enum ed_keep what;
    char node[128];
    bool named; /* its name cannot be chosen: a script has one */
    char name[128], category[96], words[256], doc[600];
    size_t folder; /* 0: the user's own, else one of those added */
    struct ed_library_folders folders;
    char categories[ED_KEEP_CATEGORIES][96]; /* those that there are */
    size_t category_count;
    char looked[300]; /* the place for which `exists` was found out */
    bool exists;
    char problem[1024]; /* why it could not be saved; "" */
};

struct ed_history_panel {
    bool open, focus;
    bool listed, kept;
    double looked;   /* when the folder of versions was last read */
    char path[1024]; /* of the document for which it was */
    char typed[ED_VERSION_NAME_MAX + 1];
    struct oro_arena *arena; /* of `versions` */
    struct ed_versions versions;
};

/* What is done to something in the palette: its menu, and the questions that follow. */
enum ed_shelf_ask { ED_SHELF_NOTHING, ED_SHELF_MENU, ED_SHELF_TAGS, ED_SHELF_VERSIONS, ED_SHELF_REMOVE };
struct ed_shelf {
    struct ed_favourites favourites;
    bool loaded;           /* the favourites */
    enum ed_shelf_ask ask; /* opens in the next frame */
    bool open;             /* a question */
    char key[160];         /* of the asset that it is about */
    char path[1024];       /* its file */
    char label[200];
    bool graph; /* its older versions can be opened */
    char words[600], doc[600];
    struct oro_arena *arena; /* of the versions */
    struct ed_library_version *versions;
    size_t version_count, chosen;
    char *text;        /* of the chosen version; NULL: none */
    char problem[500]; /* why something failed; "" */
};

struct ed_chooser;
struct ed_thumbs;
struct ed_sample_textures;

struct ed_panels {
    struct ed_assets assets;
    struct ed_node_palette palette;
    struct ed_add add;
    struct ed_start start;
    struct ed_tour tour;
    struct ed_log_state log;
    struct ed_build_dialog build;
    struct ed_settings_dialog settings;
    struct ed_help help;
    struct ed_command_search commands;
    struct ed_keep_dialog keep;
    struct ed_new_script new_script;
    struct ed_trust_dialog trust;
    struct ed_shelf shelf;
    struct ed_samples *samples; /* NULL: memory is out */
    struct ed_sample_textures *sample_textures;
    struct ed_library_folders folders; /* of the library, for the settings */
    bool folders_listed;
    char folder_typed[1024];
    struct ed_history_panel history;
    struct ed_chooser *chooser;
    struct ed_thumbs *thumbs;
    bool keys, about;
    struct ed_layouts_dialog {
        bool open, began;
        char name[ED_LAYOUT_NAME];    /* to save the present layout under */
        char renamed[ED_LAYOUT_NAME]; /* the layout whose name is being changed; "": none */
        char to[ED_LAYOUT_NAME];
    } layouts;
    uint64_t said; /* serial of the messages when the status line was drawn last */
};

/* ---- Functions that the parts share ---- */

/* Brings the list of assets up to date. */
struct ed_assets *ed_panels_assets(struct ed_session *session);
/* Adds an asset as a node, chooses it, and shows it in the views if that is wanted. `from`, `to`: see
 * ed_add_node. */
bool ed_asset_add(struct ed_session *session, const struct ed_asset *asset, double x, double y,
                  const struct ed_end *from, const struct ed_end *to);
/* Sets a node to the values of a use or a preset; `log` is told which links stay, unless it is NULL. */
bool ed_asset_apply(struct ed_session *session, const struct ed_asset *asset, const char *id,
                    const struct oro_log *log, struct oro_error *err);
/* How much an asset is favoured because the user has added it before: 0 if never, up to 14. */
int ed_asset_liked(const struct ed_session *session, const struct ed_asset *asset);
/* Opens an example or an asset as a copy. */
void ed_open_example(struct ed_session *session, const char *path);

void ed_add_draw(struct ed_session *session);
void ed_add_free(struct ed_add *add);
void ed_palette_end(
    struct ed_session *session); /* call this after the canvas was drawn: ends a drag that was released */
void ed_tour_draw(struct ed_session *session);
void ed_build_draw(struct ed_session *session);
void ed_history_panel_draw(struct ed_session *session);
void ed_history_panel_free(struct ed_history_panel *panel);
void ed_settings_draw(struct ed_session *session);
/* The commands with their keys, to be changed. */
void ed_key_list_draw(struct ed_session *session);
void ed_settings_free_dialog(struct ed_settings_dialog *dialog);
void ed_keys_draw(struct ed_session *session);
void ed_help_draw(struct ed_session *session);
void ed_about_draw(struct ed_session *session);
void ed_layouts_draw(struct ed_session *session);
void ed_commands_draw(struct ed_session *session);
/* Finds commands by what is typed, best first. Returns how many. */
size_t ed_commands_search(const struct ed_session *session, const char *typed,
                          struct oro_match found[ED_COMMANDS_MAX]);
void ed_keep_draw(struct ed_session *session);
void ed_new_script_draw(struct ed_session *session);
void ed_trust_draw(struct ed_session *session);
void ed_trust_free(struct ed_trust_dialog *asked);
/* ---- shelf.c: what is done to something in the palette */
bool ed_shelf_favourite(struct ed_session *session, const struct ed_asset *asset);
bool ed_shelf_has_favourites(struct ed_session *session);
/* Opens its menu; call this for the row that was clicked with the right button. */
void ed_shelf_ask(struct ed_session *session, const struct ed_asset *asset);
void ed_shelf_draw(struct ed_session *session);
void ed_shelf_free(struct ed_shelf *shelf);
/* ---- samples.c: pictures of assets */
/* Draws the picture of an asset into a place where there is one, and asks for it; else returns false. */
/* The same of a file of its own. */
bool ed_file_sample_draw(struct ed_session *session, const char *path, struct ui_draw *draw,
                         struct ui_rect rect);
bool ed_sample_draw(struct ed_session *session, const struct ed_asset *asset, struct ui_draw *draw,
                    struct ui_rect rect);
/* Why an asset cannot be used, as far as that is known; NULL: it can be. */
const char *ed_sample_fault(struct ed_session *session, const struct ed_asset *asset, char *out, size_t size);
void ed_samples_frame(struct ed_session *session);
void ed_sample_textures_free(struct ed_sample_textures *textures);
/* The page of the library, in the settings. */
void ed_library_settings_draw(struct ed_session *session);
void ed_keep_free(struct ed_keep_dialog *keep);
struct ed_chooser *ed_chooser_create(void);
void ed_chooser_destroy(struct ed_chooser *chooser);
void ed_chooser_draw(struct ed_session *session);
bool ed_chooser_open(const struct ed_panels *panels);
void ed_start_free(struct ed_start *start);
/* Examples and graphs of the library as cards with pictures (gallery.c). */
void ed_gallery_draw(struct ed_session *session);
/* Closes the start screen for the tour, unless there is something to recover: that comes first. */
void ed_start_begin_tour(struct ed_session *session);
/* Shows a folder in the system's own program. */
void ed_show_folder(struct ed_session *session, const char *file);

/* ---- Drawing ---- */

/* A line of text, cut with "…" where it is wider. Returns the width that it takes. */
float ed_draw_elided(struct ui_draw *draw, enum ui_font font, struct ui_vec at, uint32_t colour,
                     const char *text, float width);
/* "river_network" as "River network"; also knows the categories that are not those of node types. Returns
 * `out`. */
const char *ed_category_title(const char *category, char *out, size_t size);
/* Text with `code`, paragraphs and "- " lists, wrapped to the space left in the window. */
void ed_draw_markdown(const char *text);
void ed_keycap(const char *keys); /* "Ctrl+S|F2" as keys */
/* "12.3 MB", "4 min 10 s". Return `out`. */
const char *ed_bytes_text(uint64_t bytes, char *out, size_t size);
const char *ed_duration_text(double seconds, char *out, size_t size);

#endif
