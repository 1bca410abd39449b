/* Kernels from scripts as tokens: what the files of the guard (lua/glsl/glsl.h) share. */
#ifndef ORO_LUA_GLSL_GLSL_PRIVATE_H
#define ORO_LUA_GLSL_GLSL_PRIVATE_H

#include "base/memory.h"
#include "lua/glsl/glsl.h"

enum {
    ORO_GLSL_TOKENS_MAX = 16384,
    ORO_GLSL_DEPTH_MAX = 48,       /* of brackets, statements, calls */
    ORO_GLSL_STATEMENT_MAX = 4096, /* tokens of one statement */
    ORO_GLSL_OPERATORS_MAX = 512,  /* operators of one statement: compilers go as deep */
    ORO_GLSL_ELSE_MAX = 64,        /* `else if` in a row, for the same reason */
    ORO_GLSL_MACROS_MAX = 256,
    ORO_GLSL_MACRO_TOKENS_MAX = 64,
    ORO_GLSL_FUNCTIONS_MAX = 256,
    ORO_GLSL_ELEMENTS_MAX = 1024, /* of all arrays in the text */
    ORO_GLSL_ROOM_MAX = 1024,     /* numbers that arrays hold, with every call in its place */
    ORO_GLSL_TURNS_MAX = 64,      /* of a counted loop that is left alone */
    ORO_GLSL_NESTED_MAX = 4096,   /* and of such loops within each other */
    ORO_GLSL_LOOPS_MAX =
        32,                /* with a budget, with every call in its place: some drivers take a second each */
    ORO_GLSL_DEEP_MAX = 8, /* and of these within each other */
    ORO_GLSL_STEPS_MAX = 9000,   /* turns of all counted loops in one cell */
    ORO_GLSL_WORK_MAX = 1000000, /* tokens that `cell` carries out, the loops with a budget once */
    ORO_GLSL_SIZE_MAX = 30000,   /* tokens that it has, with every call in its place */
};

enum oro_glsl_kind { ORO_GLSL_END, ORO_GLSL_NAME, ORO_GLSL_NUMBER, ORO_GLSL_SIGN };

struct oro_glsl_token {
    enum oro_glsl_kind kind;
    const char *at;
    int length, line;
    int pair;      /* of a bracket: the token that closes or opens it */
    long whole;    /* of a number: its value where it is a whole one of less than 2^31, else -1 */
    bool fresh;    /* a directive stands before it */
    bool declares; /* a '[' behind a name or a type that is an array's size */
    int room;      /* of such a '[': how many numbers the array holds */
    const char *before, *after; /* what is to be put around it, or NULL */
};

/* A text that is part of another. */
struct oro_glsl_word {
    const char *at;
    int length;
};

struct oro_glsl_macro {
    struct oro_glsl_word name;
    int line;
    int first, count; /* tokens of its body, in macro_tokens */
    int place;        /* number of the token that it stands before */
    bool certain;     /* outside of #if */
};

struct oro_glsl_variable {
    struct oro_glsl_word name;
    int token;
    bool array;
    bool global_const; /* `const int` outside of functions */
};

/* What a part of a kernel costs. */
struct oro_glsl_cost {
    double work;    /* tokens that are carried out at most; loops with a budget count once */
    double size;    /* tokens with calls in place; all loops count once */
    double room;    /* numbers in arrays, with calls in place */
    double steps;   /* turns that all loops take, like `work`; and one for the end of each */
    double loops;   /* with a budget, with calls in place */
    double deep;    /* of these, within each other */
    double indexed; /* arrays by variables: counted loops around them are unrolled */
    double turns;   /* of the counted loops in it, within each other */
};

struct oro_glsl_function {
    struct oro_glsl_word name;
    int token, line;
    int arguments;
    int body;    /* its '{', or -1: a declaration alone */
    bool writes; /* has out or inout */
    int state;   /* 0: not looked at, 1: being measured, 2: measured */
    struct oro_glsl_cost cost;
};

struct oro_glsl {
    struct oro_arena *arena;
    char *text;                    /* without comments; lines are where they were */
    struct oro_glsl_token *tokens; /* ends with one of kind ORO_GLSL_END */
    int count;
    struct oro_glsl_token *macro_tokens;
    int macro_token_count;
    struct oro_glsl_macro macros[ORO_GLSL_MACROS_MAX];
    int macro_count;
    struct oro_glsl_word dropped[ORO_GLSL_MACROS_MAX]; /* by #undef */
    int dropped_count;
    struct oro_glsl_variable *variables;
    int variable_count;
    struct oro_glsl_function functions[ORO_GLSL_FUNCTIONS_MAX];
    int function_count;
    const char *const *hidden;
    bool matrices; /* there are any: products are dearer */
    bool wide;     /* there may be vectors of three or four whole numbers: and so are divisions */
    bool budget;   /* some loop takes from it */
    int *line;
    struct oro_error *err;
};

/* Returns false, with ORO_E_KERNEL. */
bool oro_glsl_refuse(struct oro_glsl *g, int line, const char *format, ...) ORO_PRINTF(3, 4);
bool oro_glsl_no_memory(struct oro_glsl *g);

/* ---- glsl_text.c: the text without comments ---- */

/* Comments become blanks, and line ends are all "\n". Fails where there is a byte that has no place. */
bool oro_glsl_clean(struct oro_glsl *g, const char *text);

/* ---- glsl_tokens.c ---- */

/* The tokens; directives go to oro_glsl_directive, and stay in the text between the tokens. */
bool oro_glsl_scan(struct oro_glsl *g);
/* Length of the token at `at`, which is no blank; 0: it is none. Fills the rest but the line. */
int oro_glsl_token_at(const char *at, struct oro_glsl_token *token);

/* Of tokens by number; beyond the ends there is nothing. */
bool oro_glsl_is(const struct oro_glsl *g, int token, const char *text);
bool oro_glsl_is_kind(const struct oro_glsl *g, int token, enum oro_glsl_kind kind);
struct oro_glsl_word oro_glsl_word_of(const struct oro_glsl_token *token);
bool oro_glsl_same(struct oro_glsl_word a, struct oro_glsl_word b);
bool oro_glsl_equals(struct oro_glsl_word word, const char *text);
bool oro_glsl_is_one_of(struct oro_glsl_word word, const char *const *list); /* which ends with NULL */
/* How many stand in the brackets of a call or a declaration. */
int oro_glsl_arguments(const struct oro_glsl *g, int open);
/* Whether the token assigns to what stands before it, or counts it up or down. */
bool oro_glsl_assigns(const struct oro_glsl_token *token);

/* ---- glsl_directives.c ---- */

/* #if that are open, with the brackets that were open then. */
struct oro_glsl_branches {
    int depth[16];
    int count;
};

/* A line with '#', at `at`; the brackets that are open number `depth`, the innermost is `open` or 0. */
bool oro_glsl_directive(struct oro_glsl *g, const char *at, int line, struct oro_glsl_branches *branches,
                        int depth, char open);
/* What macros are made of, and where they are used. After oro_glsl_declare. */
bool oro_glsl_check_macros(struct oro_glsl *g);
const struct oro_glsl_macro *oro_glsl_find_macro(const struct oro_glsl *g, struct oro_glsl_word name);

/* ---- glsl_names.c: what the language has ---- */

bool oro_glsl_is_type(struct oro_glsl_word word);
int oro_glsl_components(struct oro_glsl_word type);    /* numbers in one */
bool oro_glsl_is_statement(struct oro_glsl_word word); /* if, for, return, ... */
bool oro_glsl_is_qualifier(struct oro_glsl_word word); /* const, in, highp, ... */
/* A function of the language, or of gles_shaders/lib. `work` is what a call costs. */
struct oro_glsl_known {
    const char *name;
    int work, size;
    bool writes; /* its arguments */
    int steps;   /* turns of loops in it */
};
const struct oro_glsl_known *oro_glsl_known(struct oro_glsl_word word);
/* Files of gles_shaders/lib that kernels may include. */
bool oro_glsl_may_include(struct oro_glsl_word name);
/* Fails for a name that kernels may not use. */
bool oro_glsl_check_name(struct oro_glsl *g, const struct oro_glsl_token *token);

/* ---- glsl_declare.c ---- */

/* Finds variables and functions. */
bool oro_glsl_declare(struct oro_glsl *g);
/* Names and brackets: what is used, and how. Writes into the brackets of arrays. */
bool oro_glsl_check_names(struct oro_glsl *g);
bool oro_glsl_check_brackets(struct oro_glsl *g);
const struct oro_glsl_variable *oro_glsl_find_variable(const struct oro_glsl *g, struct oro_glsl_word name);
/* The value of a whole number, or of a constant or macro that is one; -1: it is none, or not for certain. */
long oro_glsl_constant(const struct oro_glsl *g, int token);

/* ---- glsl_loops.c ---- */

/* A for loop by its tokens. */
struct oro_glsl_loop {
    int open, first, second, close; /* its brackets and semicolons */
    int body, end;                  /* from the first token of its body to behind the last */
};

/* Turns of a loop that counts by itself: `for (int i = 0; i < 8; i++)`, and nothing in it changes i. 0: it
 * is none such, or has too many. */
int oro_glsl_turns(const struct oro_glsl *g, const struct oro_glsl_loop *loop);

/* ---- glsl_own.c ---- */

bool oro_glsl_sets_own(const struct oro_glsl *g); /* oro_glsl_facts.own */

/* ---- glsl_measure.c ---- */

/* Measures every function, and writes the budget into the loops. */
bool oro_glsl_measure(struct oro_glsl *g);

#endif
