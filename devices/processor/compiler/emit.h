/*
 * What kernelc makes of a kernel: one C function, in which the invocations of a row are the lanes of vectors
 * (lanes.h).
 *
 * Every value is a list of scalars, the *leaves*, each of them uniform (one number for all lanes, plain C) or
 * wide (lanes). Which variables are wide is found by emitting the function again and again, with what is
 * known of variables (struct kc_fact), until nothing new comes out. Where lanes part, at conditions that are
 * wide, statements run under a mask: `on` is the expression of the mask at this point, NULL while all lanes
 * run. The frames of statements tell whether lanes have parted between where a variable lives and here; only
 * then does a store have to leave the other lanes alone.
 *
 * Of each kernel there are two forms. The plain one runs any lanes. The fast one runs vectors all of whose
 * lanes are in the grid, and knows *ramps*: whole numbers of which lane l is base + stride * l, at times
 * between two bounds. They are scalars: loads and stores at a ramp of stride 1 are those of a vector, and a
 * condition on ramps is asked once for all lanes. Where lanes would part at it, at the grid's edges, the fast
 * form gives up, which it may do as long as nothing was written, and the plain one runs this vector.
 *
 * The fast form works out what it can before a row: numbers that are the same along it, and of a loop that
 * all vectors run alike a table, with the numbers of each iteration (tables.c). A loop that is longer than a
 * table leaves the row to the plain form.
 */
#ifndef ORO_KERNELC_EMIT_H
#define ORO_KERNELC_EMIT_H

#include "base/text.h"
#include "devices/processor/compiler/module.h"

/* For how long a number stays the same: along a row of the grid (kc_row), or in an iteration of a loop, of
 * which there is a table then (tables.c). NULL: for one vector. */
struct kc_table;
extern const struct kc_table kc_row;

struct kc_leaf {
    bool wide;
    char type;                   /* f, i, u or b */
    const char *text;            /* a C expression without operators, or in brackets */
    const struct kc_table *span; /* for how long it stays the same, or all that a ramp consists of */
    /* Of a ramp, else NULL: lane l is base + stride * (x + l), not below `low` and not above `high`, which
     * are INT32_MIN and INT32_MAX, by these names, where there is no bound. */
    const char *base, *low, *high;
    int stride;
    const char *all,
        *none; /* of a condition on ramps: where these hold, all lanes or no lane say yes; or NULL */
};

/* What is known of a variable, a loop or a call, from emission to emission. */
struct kc_fact {
    struct kc_fact *next;
    const char *key;
    bool indexed;             /* an array, by an index that is no constant */
    bool flat;                /* that goes through members of its elements */
    bool *wide;               /* by leaf */
    bool *loaded;             /* by leaf: it is read as a variable of C; others need none */
    struct kc_stored *stored; /* loops that its leaves are set in */
    signed char *ramp; /* by leaf: what the ramps stored have in common (kc_kind), or nothing yet, or not */
    bool left, skips,
        returns;  /* lanes leave the loop, skip the rest of its body, leave the function, apart from others */
    bool writes;  /* memory is written in the loop */
    bool rolled;  /* the loop stays one: what ends it is not known now, or it is long */
    bool endless; /* no condition that is the same for all vectors of a row ends it */
};
enum {
    KC_NO_RAMP = 0,
    KC_MIXED = -128,
    KC_LOW = 1,
    KC_HIGH = 2,
    KC_STRIDE = 4,
    KC_STRIDE_MAX = 30,
    KC_LITERAL_MAX = 100000
};

struct kc_stored {
    struct kc_stored *next;
    const struct kc_fact *loop;
    int leaf;
    bool varies; /* what is stored is not in the loop's table, or not in every iteration */
};

/* A stretch of statements that run one after the other: what was stored in it, or around it, is still there.
 */
struct kc_region {
    struct kc_region *outer;
    struct kc_fact *loop; /* of a loop's body; else NULL */
    bool open;            /* what is left at its end alone: as if it were part of `outer` */
};

/* What was stored in a variable last, where it is the same for all lanes that read it. */
struct kc_known {
    struct kc_leaf leaf;
    struct kc_region *region; /* NULL: nothing is known */
};

enum kc_place { KC_BLOCK, KC_BUFFER, KC_INPUT, KC_VARIABLE };

/* What pointers lead into. */
struct kc_object {
    enum kc_place place;
    uint32_t type; /* of the whole */
    int number;    /* of a buffer's binding; of an input: SpvBuiltIn */
    const char *name;
    /* Of a variable: */
    const char *letters; /* by leaf */
    struct kc_fact *fact;
    int home;               /* index of the frame that it lives in */
    struct kc_known *known; /* by leaf, of one that is not indexed */
    int inner;              /* of an indexed array: leaves of an element; its C arrays are NAME_0 ... */
};

struct kc_index {
    struct kc_leaf at;
    int stride; /* in leaves of a variable, in words of memory */
};
enum { KC_INDICES_MAX = 4 };

struct kc_pointer {
    struct kc_object *object;
    uint32_t type; /* of what it leads to */
    int offset;    /* leaves or words */
    int count;
    struct kc_index indices[KC_INDICES_MAX];
    const char *hint; /* names of the members on the way, for the names of what is loaded */
};

struct kc_value {
    uint32_t type;
    int count;
    struct kc_leaf *leaves;
    struct kc_pointer *pointer; /* instead of leaves */
};

enum kc_frame_kind { KC_FUNCTION, KC_LOOP_FRAME, KC_BODY, KC_ARM };
struct kc_frame {
    enum kc_frame_kind kind;
    bool parted;       /* lanes part here */
    const char *live;  /* mask variable of those that are still in it; or NULL */
    const char *label; /* where one goes that leaves it: the end of a function, of a loop, of a loop's body */
    bool labelled;     /* something goes there */
    struct kc_fact *fact;
    struct kc_pointer *result; /* of a function: where it puts what it returns; or NULL */
    bool unrolled, done;       /* of a loop: its body is written anew for each iteration; the last is over */
    struct kc_table *table;    /* of a loop; or NULL */
    int exits;                 /* of a loop: places where all lanes that are there leave it */
};
enum { KC_FRAMES_MAX = 128, KC_FACT_SLOTS = 1024 };

struct kc_emit {
    struct kc_module *module;
    struct oro_text head, row, body; /* what runs once, for each row, for each vector */
    const char
        *when; /* test of what is the same along the row, under which this code is reached; "1": always */
    int indent, numbers, jumps;
    bool fast;     /* the form that knows ramps; */
    bool tables;   /* and loops' tables, once all else is known: before, too much would seem to vary */
    bool wrote;    /* it has written: it cannot give up any more */
    bool gives_up; /* it does so somewhere */
    const char *on;
    struct kc_region *region;
    struct kc_frame frames[KC_FRAMES_MAX];
    int frame_count;
    struct kc_fact *facts[KC_FACT_SLOTS];
    bool changed;
    struct kc_value *values; /* by id, which no two functions share */
    struct kc_value *phis; /* pointers to what phis are stored in, by id; none: the value is known already */
    const char *path;      /* of calls, from main to here */
    const char **block_words; /* names of the words of the uniform block that were loaded, by word */
    bool *buffers;            /* by binding: declared */
};
enum { KC_BLOCK_WORDS = 4096, KC_BINDINGS = 64, KC_LINES_MAX = 400000 };

/* ---- Text (emit.c) ---- */

/* Translates the module's main function as C function NAME; false: module->problem. The text is added to
 * `out`. */
bool kc_translate(struct kc_module *module, const char *name, struct oro_text *out);
void kc_line(struct kc_emit *k, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *kc_number(struct kc_emit *k, const char *hint); /* a new name */
bool kc_refuse(struct kc_emit *k, const char *problem);     /* returns false */
struct kc_fact *kc_fact_of(struct kc_emit *k, const char *key, int leaves);
void kc_learn(struct kc_emit *k, bool *fact);
/* C types of uniform and wide leaves. */
const char *kc_c_type(bool wide, char type);

/* ---- Leaves (leaves.c) ---- */

struct kc_leaf kc_uniform(char type, const char *text);
/* A whole number, or yes or no, that is known now. */
bool kc_literal(struct kc_leaf leaf, int *number);
struct kc_leaf kc_literal_of(struct kc_emit *k, char type, int number);
/* A new constant in C with this expression. */
struct kc_leaf kc_temporary(struct kc_emit *k, bool wide, char type, const char *text);
/* The same, worked out before the row if it is made of what is known then. */
struct kc_leaf kc_number_of(struct kc_emit *k, const struct kc_table *span, char type, const char *text);
/* Lanes, or a number of that span. */
struct kc_leaf kc_made(struct kc_emit *k, bool wide, const struct kc_table *span, char type,
                       const char *text);
/* For how long both stay the same. */
const struct kc_table *kc_common(struct kc_leaf a, struct kc_leaf b);
/* A line that runs once for each row, where the fast form gets as far as here. */
void kc_row_line(struct kc_emit *k, const char *text);
/* The ramp of scalars that need no brackets; without a stride, the number that all lanes share. */
struct kc_leaf kc_ramp(struct kc_emit *k, const struct kc_table *span, char type, int stride,
                       const char *base, const char *low, const char *high);
/* The number in lane 0 of a ramp without bounds. */
const char *kc_first(struct kc_emit *k, struct kc_leaf ramp);
/* Its stride and which bounds it has: KC_STRIDE * stride + KC_LOW + KC_HIGH. */
int kc_kind(struct kc_leaf ramp);
/* A whole number as a ramp; false: it is none. */
bool kc_ramp_of(struct kc_leaf leaf, struct kc_leaf *ramp);
/* In the fast form, a condition on ramps as one for all lanes. */
struct kc_leaf kc_decide(struct kc_emit *k, struct kc_leaf condition);
const char *kc_wide(struct kc_emit *k, struct kc_leaf leaf); /* an expression of lanes */
const char *kc_text(struct kc_emit *k, struct kc_leaf leaf, bool wide);
struct kc_leaf kc_int(struct kc_emit *k, struct kc_leaf leaf);
/* `bits`: the same bits as another type; else whole numbers go on as they are. */
struct kc_leaf kc_cast(struct kc_emit *k, struct kc_leaf leaf, char type);
struct kc_leaf kc_arithmetic(struct kc_emit *k, char sign, struct kc_leaf a, struct kc_leaf b, char type);
struct kc_leaf kc_call(struct kc_emit *k, const char *function, const struct kc_leaf *arguments, int count,
                       char type);
struct kc_leaf kc_choose(struct kc_emit *k, struct kc_leaf condition, struct kc_leaf a, struct kc_leaf b);
struct kc_leaf kc_compare(struct kc_emit *k, const char *sign, struct kc_leaf a, struct kc_leaf b);
struct kc_leaf kc_logic(struct kc_emit *k, char sign, struct kc_leaf a, struct kc_leaf b);
struct kc_leaf kc_not(struct kc_emit *k, struct kc_leaf a);

/* ---- Tables (tables.c) ---- */

/* Begins the table of a loop, if it may have one. Returns the name that the number of an iteration has; or
 * NULL. */
const char *kc_open_table(struct kc_emit *k, struct kc_frame *loop);
/* The loop is over, k->region is what is around it: the row's own run of it is written. */
void kc_close_table(struct kc_emit *k, const struct kc_frame *loop);
/* The innermost loop ends under this condition, or goes on. */
void kc_end_table(struct kc_emit *k, struct kc_leaf condition, bool goes_on);
/* A number in the table. */
struct kc_leaf kc_tabulate(struct kc_emit *k, const struct kc_table *span, char type, const char *text);
/* A line in every iteration of the row's own run; false: this is not the loop's, or not reached in every one.
 */
bool kc_table_line(struct kc_emit *k, const struct kc_table *span, const char *text);
/* What a variable is set to in the innermost loop; false: it is no counter. */
bool kc_count(struct kc_emit *k, const struct kc_object *o, int leaf, struct kc_leaf x);
/* The number of a counter of the loop of `fact`, which was `first` before it; without text: it is none. */
struct kc_leaf kc_counter(struct kc_emit *k, const struct kc_object *o, int leaf, const struct kc_fact *fact,
                          struct kc_leaf first);

/* ---- Memory (memory.c) ---- */

struct kc_object *kc_variable(struct kc_emit *k, const char *path, const char *name, uint32_t id,
                              uint32_t type, int home);
struct kc_value kc_load(struct kc_emit *k, const struct kc_pointer *pointer);
void kc_store(struct kc_emit *k, const struct kc_pointer *pointer, const struct kc_value *value);
struct kc_pointer *kc_chain(struct kc_emit *k, const struct kc_pointer *base, const uint32_t *indices,
                            int count);
struct kc_pointer *kc_whole(struct kc_emit *k, struct kc_object *object);
struct kc_leaf kc_atomic(struct kc_emit *k, const char *function, const struct kc_pointer *pointer,
                         struct kc_leaf operand);

/* ---- Instructions (code.c) ---- */

struct kc_value kc_value(struct kc_emit *k, uint32_t id);
void kc_constant(struct kc_emit *k, const uint32_t *at);
void kc_instruction(struct kc_emit *k, const uint32_t *at);

/* ---- Control flow (control.c) ---- */

/* The mask at this point. */
const char *kc_mask(struct kc_emit *k);
/* Memory is written here. */
void kc_note_writing(struct kc_emit *k);
/* Begins a stretch of statements within the present one; the caller puts back k->region. */
void kc_enter(struct kc_emit *k, struct kc_fact *loop);
/* The body of a function, whose parameters have their values, and what it returns. */
struct kc_value kc_inline(struct kc_emit *k, const struct kc_function *function, const char *path);

#endif
