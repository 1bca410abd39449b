/* Shared by the files of the guard (lua/glsl/glsl.h): a kernel as tokens. */
#ifndef ORO_LUA_GLSL_GLSL_PRIVATE_H
#define ORO_LUA_GLSL_GLSL_PRIVATE_H

#include "base/memory.h"
#include "lua/glsl/glsl.h"

enum {
    ORO_GLSL_TOKENS_MAX = 16384,
    ORO_GLSL_DEPTH_MAX = 48, /* of brackets, statements, calls */
    ORO_GLSL_MACROS_MAX = 256,
    ORO_GLSL_MACRO_TOKENS_MAX = 64,
    ORO_GLSL_FUNCTIONS_MAX = 256,
    ORO_GLSL_ELEMENTS_MAX = 1024, /* of all arrays in the text */
    ORO_GLSL_TURNS_MAX = 64,      /* of a counted loop that is left alone */
    ORO_GLSL_COUNTED_MAX = 9000,  /* turns of all such loops in one cell */
};

enum oro_glsl_kind { ORO_GLSL_END, ORO_GLSL_NAME, ORO_GLSL_NUMBER, ORO_GLSL_SIGN };

struct oro_glsl_token {
    enum oro_glsl_kind kind;
    const char *at;
    int length, line;
    int pair;                   /* for a bracket: the token that closes or opens it */
    long whole;                 /* for a number: its value if it is whole and less than 2^31, else -1 */
    bool fresh;                 /* a directive stands before it */
    bool declares;              /* a '[' after a name or a type that encloses the size of an array */
    const char *before, *after; /* text to put around it, or NULL */
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
    int place;        /* the token that it stands before */
    bool certain;     /* outside of #if */
};

struct oro_glsl_variable {
    struct oro_glsl_word name;
    int token;
    bool array;
    bool global_const; /* `const int` outside of functions */
};

/* Whether the turns of a function's loops are known. */
enum oro_glsl_state { ORO_GLSL_UNKNOWN, ORO_GLSL_MEASURING, ORO_GLSL_MEASURED };

struct oro_glsl_function {
    struct oro_glsl_word name;
    int token, line;
    int arguments;
    int body;    /* its '{'; -1: it is only declared */
    bool writes; /* has out or inout parameters */
    enum oro_glsl_state state;
    double turns; /* of all loops in it and in what it calls, and one more for the end of each; loops with a
                     budget count once */
};

struct oro_glsl {
    struct oro_arena *arena;
    char *text;                    /* without comments; lines keep their numbers */
    struct oro_glsl_token *tokens; /* ends with a token of kind ORO_GLSL_END */
    int count;
    struct oro_glsl_token *macro_tokens;
    int macro_token_count;
    struct oro_glsl_macro macros[ORO_GLSL_MACROS_MAX];
    int macro_count;
    struct oro_glsl_word dropped[ORO_GLSL_MACROS_MAX]; /* names that #undef removed */
    int dropped_count;
    struct oro_glsl_variable *variables;
    int variable_count;
    struct oro_glsl_function functions[ORO_GLSL_FUNCTIONS_MAX];
    int function_count;
    const char *const *hidden;
    bool budget; /* some loop takes from the budget */
    int *line;
    struct oro_error *err;
};

/* Fails with ORO_E_KERNEL; returns false. */
bool oro_glsl_refuse(struct oro_glsl *g, int line, const char *format, ...) ORO_PRINTF(3, 4);
bool oro_glsl_no_memory(struct oro_glsl *g);

/* ---- glsl_text.c: the text without comments ---- */

/* Replaces comments by blanks, and line ends by "\n". Fails at a byte that kernels may not have. */
bool oro_glsl_clean(struct oro_glsl *g, const char *text);

/* ---- glsl_tokens.c ---- */

/* Splits the text into tokens; directives go to oro_glsl_directive, and stay in the text between tokens. */
bool oro_glsl_scan(struct oro_glsl *g);
/* The length of the token at `at`, where there is no blank; 0: it is malformed. Fills in everything but the
 * line. */
int oro_glsl_token_at(const char *at, struct oro_glsl_token *token);

/* About tokens by their number; numbers out of range match nothing. */
bool oro_glsl_is(const struct oro_glsl *g, int token, const char *text);
bool oro_glsl_is_kind(const struct oro_glsl *g, int token, enum oro_glsl_kind kind);
struct oro_glsl_word oro_glsl_word_of(const struct oro_glsl_token *token);
bool oro_glsl_same(struct oro_glsl_word a, struct oro_glsl_word b);
bool oro_glsl_equals(struct oro_glsl_word word, const char *text);
bool oro_glsl_is_one_of(struct oro_glsl_word word, const char *const *list); /* which ends with NULL */
/* The number of arguments or parameters in the parentheses at `open`. */
int oro_glsl_arguments(const struct oro_glsl *g, int open);
/* Whether the token assigns to what is before it, or increments or decrements it. */
bool oro_glsl_assigns(const struct oro_glsl_token *token);

/* ---- glsl_directives.c ---- */

/* The open #if directives, with the brackets that were open at each. */
struct oro_glsl_branches {
    int depth[16];
    int count;
};

/* Reads the directive at `at`. `depth` brackets are open there; `open` is the innermost, or 0. */
bool oro_glsl_directive(struct oro_glsl *g, const char *at, int line, struct oro_glsl_branches *branches,
                        int depth, char open);
/* Checks the bodies of macros, and where macros are used. To be called after oro_glsl_declare. */
bool oro_glsl_check_macros(struct oro_glsl *g);
const struct oro_glsl_macro *oro_glsl_find_macro(const struct oro_glsl *g, struct oro_glsl_word name);

/* ---- glsl_names.c: what the language has ---- */

bool oro_glsl_is_type(struct oro_glsl_word word);
bool oro_glsl_is_statement(struct oro_glsl_word word); /* if, for, return, ... */
bool oro_glsl_is_qualifier(struct oro_glsl_word word); /* const, in, highp, ... */
/* Functions of the language, of gles_shaders/lib and of the engine: whether there is one of that name,
 * whether it writes to its arguments, how many turns its loops take. */
bool oro_glsl_is_known(struct oro_glsl_word word);
bool oro_glsl_known_writes(struct oro_glsl_word word);
int oro_glsl_known_turns(struct oro_glsl_word word);
/* Files of gles_shaders/lib that kernels may include. */
bool oro_glsl_may_include(struct oro_glsl_word name);
/* Fails for a name that kernels may not use. */
bool oro_glsl_check_name(struct oro_glsl *g, const struct oro_glsl_token *token);

/* ---- glsl_declare.c ---- */

/* Finds variables and functions. */
bool oro_glsl_declare(struct oro_glsl *g);
/* Checks names and brackets. Writes into the brackets of arrays. */
bool oro_glsl_check_names(struct oro_glsl *g);
bool oro_glsl_check_brackets(struct oro_glsl *g);
/* Refuses arrays that are copied or compared as a whole. */
bool oro_glsl_check_arrays(struct oro_glsl *g);
const struct oro_glsl_variable *oro_glsl_find_variable(const struct oro_glsl *g, struct oro_glsl_word name);
/* The value of a whole number, or of a constant or macro that is one; -1: it is none, or not certainly. */
long oro_glsl_constant(const struct oro_glsl *g, int token);

/* ---- glsl_loops.c ---- */

/* A for loop, described by its tokens. */
struct oro_glsl_loop {
    int open, first, second, close; /* its brackets and semicolons */
    int body, end;                  /* from the first token of its body to behind the last */
};

/* The turns of a loop that counts from one number to another and does not change its counter otherwise, as in
 * `for (int i = 0; i < 8; i++)`. 0: it is no such loop, or has too many turns. */
int oro_glsl_turns(const struct oro_glsl *g, const struct oro_glsl_loop *loop);
/* The bracket around a token; -1: there is none. */
int oro_glsl_bracket_around(const struct oro_glsl *g, int token);

/* ---- glsl_own.c ---- */

bool oro_glsl_sets_own(const struct oro_glsl *g); /* for oro_glsl_facts.own */

/* ---- glsl_budget.c ---- */

/* Counts the turns of all loops, and writes the budget into those that are not counted. */
bool oro_glsl_add_budget(struct oro_glsl *g);

#endif
