/* Aligned columns of text, and numbers as people read them. */
#ifndef ORO_CLI_REPORT_TABLE_H
#define ORO_CLI_REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/* Cells are added row by row. */
struct cli_table {
    const char *columns; /* one letter per column: 'l' left-aligned, 'r' right-aligned */
    char **cells;
    size_t count, capacity;
    bool failed; /* memory ran out */
};

void cli_table_cell(struct cli_table *table, const char *format, ...) ORO_PRINTF(2, 3);
/* A row, or some cells of it, all of them texts. */
#define cli_table_row(table, ...)                                                                            \
    cli_table_cells(table, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *),                      \
                    (const char *const[]){__VA_ARGS__})
void cli_table_cells(struct cli_table *table, size_t count, const char *const *texts);
/* Prints, each line after `indent` blanks, and empties the table. False: memory ran out, nothing was printed.
 */
bool cli_table_print(struct cli_table *table, FILE *to, int indent);

enum { CLI_BYTES_SIZE = 24 };
/* "512 B", "1.5 MiB". Returns `out`. */
const char *cli_bytes_text(uint64_t bytes, char out[CLI_BYTES_SIZE]);

#endif
