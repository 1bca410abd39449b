#include "cli/report/table.h"

#include <stdarg.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

void cli_table_cell(struct cli_table *table, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    void *cells = table->cells;
    if (table->failed || !oro_reserve(&cells, &table->capacity, table->count + 1, sizeof *table->cells)) {
        table->failed = true;
        return;
    }
    table->cells = cells;
    table->cells[table->count] = oro_copy_text(text);
    if (!table->cells[table->count++])
        table->failed = true;
}

void cli_table_cells(struct cli_table *table, size_t count, const char *const *texts)
{
    for (size_t i = 0; i < count; i++)
        cli_table_cell(table, "%s", texts[i]);
}

/* Characters, not bytes: the bytes that continue a UTF-8 character are not counted. */
static int text_width(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

static void print_row(const struct cli_table *table, FILE *to, size_t first, const int *widths, int indent)
{
    size_t columns = strlen(table->columns);
    while (columns > 1 && (first + columns > table->count || !table->cells[first + columns - 1][0]))
        columns--; /* the last column needs no padding */
    fprintf(to, "%*s", indent, "");
    for (size_t column = 0; column < columns; column++) {
        const char *cell = table->cells[first + column];
        int padding = widths[column] - text_width(cell);
        bool right = table->columns[column] == 'r';
        bool last = column + 1 == columns;
        fprintf(to, "%*s%s%*s", right ? padding : 0, "", cell, right || last ? 0 : padding, "");
        if (!last)
            fprintf(to, "  ");
    }
    fputc('\n', to);
}

enum { COLUMNS_MAX = 16 };

bool cli_table_print(struct cli_table *table, FILE *to, int indent)
{
    int widths[COLUMNS_MAX] = {0};
    size_t columns = strlen(table->columns);
    bool ok = !table->failed && columns <= COLUMNS_MAX;
    for (size_t i = 0; ok && i < table->count; i++) {
        int width = text_width(table->cells[i]);
        if (width > widths[i % columns])
            widths[i % columns] = width;
    }
    for (size_t i = 0; ok && i < table->count; i += columns)
        print_row(table, to, i, widths, indent);
    for (size_t i = 0; i < table->count; i++)
        oro_free(table->cells[i]);
    oro_free(table->cells);
    *table = (struct cli_table){.columns = table->columns};
    return ok;
}

const char *cli_bytes_text(uint64_t bytes, char out[CLI_BYTES_SIZE])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double amount = (double)bytes;
    size_t unit = 0;
    for (; amount >= 1024 && unit + 1 < sizeof units / sizeof units[0]; unit++)
        amount /= 1024;
    bool whole = unit == 0 || amount >= 100 || amount == (double)(int)amount;
    snprintf(out, CLI_BYTES_SIZE, whole ? "%.0f %s" : "%.1f %s", amount, units[unit]);
    return out;
}
