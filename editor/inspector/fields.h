/*
 * What the parts of the inspector share. Nothing changes the document while the panel is drawn, so that
 * pointers into it stay valid: changes are queued, and carried out after the last widget.
 */
#ifndef ED_INSPECTOR_FIELDS_H
#define ED_INSPECTOR_FIELDS_H

#include "base/text.h"
#include "editor/inspector/values.h"
#include "editor/session/inputs.h"
#include "editor/session/session.h"
#include "editor/ui/category.h"
#include "editor/ui/describe.h"
#include "graph/reuse/preset.h"

/* ---- State ---- */

struct ed_change;
typedef void ed_action(struct ed_session *session, const struct ed_change *change);
/* A change that a widget asks for, to be carried out after everything is drawn. */
struct ed_change {
    ed_action *act;
    const char *id;     /* of a node, variable, group or port */
    const char *part;   /* of it: an input of the node, mostly */
    const char *text;   /* what it becomes; NULL: its default */
    const char *output; /* of the node `text`, to be linked to it */
};

/* The text field that has the keyboard. If it disappears because something else was chosen, what was typed is
 * still accepted. */
enum { ED_EDIT_BYTES = 1 << 18 };
struct ed_edit {
    bool open, active;
    int waited; /* frames until it got the keyboard */
    uint64_t seen;
    char id[128], part[128];
    ed_action *commit;
    char *text, *before;
};
/* Typed text that is no valid value: shown with the reason until it is corrected. */
enum { ED_REFUSED_MAX = 8 };
struct ed_refused {
    char id[128], part[128], why[512];
    char text[256];
};
/* A number or a point that is being dragged. */
struct ed_value_drag {
    bool pressed, moved;
    char id[128], part[128];
    double from;
    float share; /* moved so far, of the slider's width */
    int index;   /* point of a curve, stop of a gradient */
    bool fresh;  /* the part was made by this press */
};
struct ed_queued {
    ed_action *act;
    char id[128], part[128], output[128];
    char *text;
};
struct ed_script_edit;
struct ed_inspector {
    char inspected[128], type[128];
    char filter[64];
    struct ed_edit edit;
    struct ed_script_edit *script;
    struct ed_refused refused[ED_REFUSED_MAX]; /* the oldest gives way */
    int refused_next;
    struct ed_value_drag drag;
    bool gesture;   /* changes are part of one step */
    bool open_next; /* Tab ended a field: the next number is to be typed */
    char *scratch;
    struct ed_queued *queue;
    size_t queued, queue_capacity;

    struct oro_arena *preset_arena;
    struct oro_presets presets;
    char preset_type[128];
    double presets_read;
    char preset_name[80];
    char *preset_over; /* a file that is there already: saving again replaces it; NULL: none */
    bool preset_reset;

    char selected_a[128], selected_b[128]; /* a curve whose point is chosen */
    int selected;
    uint64_t menu_taken; /* the frame in which a right click was for something within a row */

    char missing[512]; /* the last file that was looked for */
    bool is_missing;
    double looked;

    const void *hovered; /* the input whose label the pointer rests on */
    double hovered_since;
    char new_variable[80];
    bool port_open; /* details of one entry of the interface are shown */
    char port[128];
};

/* ---- changes.c ---- */

/* Queues an action, to be carried out in order after everything is drawn. Texts are copied. */
void ed_later(struct ed_session *session, const struct ed_change *change);
void ed_later_run(struct ed_session *session);
void ed_change_lost(struct ed_session *session); /* tells that memory is out */
/* Actions that begin, end and take back a gesture named `text`. */
void ed_act_begin(struct ed_session *session, const struct ed_change *change);
void ed_act_end(struct ed_session *session, const struct ed_change *change);
void ed_act_cancel(struct ed_session *session, const struct ed_change *change);
/* Notes that what was typed was refused: shown under the widget of that `id` and `part`. */
void ed_refuse(struct ed_session *session, const struct ed_change *change, const char *why);
void ed_unrefuse(struct ed_session *session, const char *id, const char *part);
/* The text that was refused; NULL: none was. */
void ed_refused_forget(struct ed_inspector *inspector); /* all */
const char *ed_refused_text(const struct ed_session *session, const char *id, const char *part);
void ed_refused_draw(struct ed_session *session, const char *id, const char *part);
void ed_reason_draw(const char *why); /* why something is wrong, in as many lines as that takes */

/* ---- Widgets ---- */

struct ed_text_field {
    const char *name; /* in the window's description */
    const char *id, *part;
    const char *text, *hint;
    ed_action *commit; /* with what was typed */
    float width;
    int lines; /* 0 or 1: one */
    bool mono;
    bool number; /* Tab goes on to the next number; such a field must not be drawn before it is opened */
};
void ed_text_draw(struct ed_session *session, const struct ed_text_field *field);
/* Gives a field the keyboard before it is drawn. */
void ed_text_open(struct ed_session *session, const char *id, const char *part, const char *text,
                  ed_action *commit);
bool ed_text_is_open(const struct ed_session *session, const char *id, const char *part);
/* Call this at the beginning of a frame: accepts what was typed into fields that have disappeared. */
void ed_text_settle(struct ed_session *session);

/* A number: dragged, or typed after a click. */
struct ed_number {
    const char *name;
    const char *id, *part;
    double value;
    struct ed_range range;
    const char *prefix; /* "x", in front of the number; or NULL */
    ed_action *commit;  /* with a number, or what was typed */
    float width;
    bool fixed; /* shown, and not to be changed here */
};
void ed_number_draw(struct ed_session *session, const struct ed_number *number);

/* A square button in the margin of a row, faint until the pointer is near. */
bool ed_margin_button(const char *name, int icon, bool on, bool faint, const char *tooltip);
uint32_t ed_frame_colour(bool hovered);
/* A colour of 0..1 as it is drawn. */
uint32_t ed_packed(const float rgba[4], float alpha);
void ed_text_cut(struct ui_draw *draw, struct ui_vec at, float width, uint32_t colour, const char *text);

/* ---- Inputs of a node ---- */

struct ed_field {
    struct ed_session *session;
    const struct oro_node_type *type;
    const struct oro_doc_node *node;
    const struct oro_input *input;
    const struct oro_doc_input *entry; /* NULL: it has its default */
    const char *text;                  /* of its literal, or its default */
    float width;                       /* of the widget */
    float indent;                      /* from the left edge of the panel to the widget */
    float all;                         /* width of the whole row */
};
float ed_margin_side(void);
bool ed_field_has(const struct oro_doc_input *entry); /* a value, an expression or a link */
/* One row, with the label. */
void ed_row_draw(struct ed_session *session, const struct oro_node_type *type,
                 const struct oro_doc_node *node, const struct oro_input *input);
/* A swatch that opens a picker. True: the colour changed, also while the picker is being dragged. */
bool ed_swatch(const struct ed_field *field, const char *name, float rgba[4], float width, float height);
/* The widget of a literal; by its type. */
void ed_field_draw(const struct ed_field *field);
void ed_field_number(const struct ed_field *field);
void ed_field_bool(const struct ed_field *field);
void ed_field_choice(const struct ed_field *field);
void ed_field_text(const struct ed_field *field);
void ed_field_file(const struct ed_field *field);
void ed_field_network(const struct ed_field *field);
void ed_field_colour(const struct ed_field *field);
void ed_field_gradient(const struct ed_field *field);
void ed_field_profile(const struct ed_field *field);
void ed_field_point(const struct ed_field *field);
void ed_field_link(const struct ed_field *field);
void ed_field_expression(const struct ed_field *field);
void ed_inspect_menu(const struct ed_field *field);
void ed_row_tooltip(const struct ed_field *field);

/* ---- Parts of curves ---- points of a profile, stops of a gradient */

/* A literal, as struct oro_profile or oro_gradient. */
void ed_part_read(const struct oro_input *input, const char *text, void *curve);
/* Sets the input, and frees `text`. */
void ed_part_set(const struct ed_field *field, struct oro_text *text);
void ed_part_choose(const struct ed_field *field, int part);
int ed_part_chosen(const struct ed_field *field, int count); /* -1: none */
/* Whether the press has become a drag. Also true in the frame of the release: when frames are slow, a whole
 * drag may lie between two of them. */
bool ed_drag_moves(struct ed_value_drag *drag);
/* A drag: ed_part_press chooses the part (`fresh`: the press also made it) and begins a step. From then on,
 * while ed_part_dragged, the part goes to the pointer wherever ed_part_follows is true; then call
 * ed_part_release. Esc takes the drag back. */
void ed_part_press(const struct ed_field *field, int part, bool fresh);
bool ed_part_dragged(const struct ed_field *field);
bool ed_part_follows(const struct ed_field *field);
void ed_part_release(const struct ed_field *field);
/* The part that a right click (on the part `under` the pointer) or Del removes; -1: none. */
int ed_part_removed(const struct ed_field *field, int under, int chosen);
bool ed_part_remove_button(const struct ed_field *field, const char *tooltip);
/* The field for a number of the chosen part; for a point, `axis` is "x" or "y" and is shown in front. */
void ed_part_number(const struct ed_field *field, const char *axis, double value,
                    const struct ed_range *range, ed_action *commit, float width);
void ed_part_refused(const struct ed_field *field, const char *axis);
/* For the field's `commit`: what was typed, and for which input. False: there is no such input, or the text
 * was refused. */
struct ed_part_typed {
    const struct oro_input *input;
    char name[128];   /* of the input */
    const char *text; /* that it has */
    char axis;
    double value;
};
bool ed_part_typed(struct ed_session *session, const struct ed_change *change, struct ed_part_typed *out);
/* Finishes such a `commit`: sets the node's input to a literal at once, and frees `text`. */
void ed_part_commit(struct ed_session *session, const char *node, const struct ed_part_typed *typed,
                    struct oro_text *text);

/* Actions on an input: `id` is a node, `part` its input. */
void ed_field_later(const struct ed_field *field, ed_action *act, const char *text);
void ed_act_set(struct ed_session *session, const struct ed_change *change);
void ed_act_typed(struct ed_session *session, const struct ed_change *change); /* units, "=..." */
void ed_act_expression(struct ed_session *session, const struct ed_change *change);
void ed_act_expose(struct ed_session *session, const struct ed_change *change); /* NULL: no longer */
void ed_act_unlink(struct ed_session *session, const struct ed_change *change);
void ed_act_link(struct ed_session *session, const struct ed_change *change); /* opens the search */
void ed_act_show(struct ed_session *session, const struct ed_change *change);

/* ---- Parts of the panel ---- */

void ed_head_draw(struct ed_session *session, const struct oro_doc_node *node,
                  const struct oro_node_type *type);
void ed_presets_draw(struct ed_session *session, const struct oro_doc_node *node,
                     const struct oro_node_type *type);
void ed_presets_forget(struct ed_inspector *inspector);
void ed_node_draw(struct ed_session *session, const struct oro_doc_node *node);
void ed_document_inspect(struct ed_session *session);
void ed_inspect_world(struct ed_session *session);
void ed_inspect_variables(struct ed_session *session);
void ed_inspect_interface(struct ed_session *session);
/* A label at the left of a row; leaves the cursor where the widget goes. Returns the widget's width. */
float ed_label_draw(const char *label, bool strong);

#endif
