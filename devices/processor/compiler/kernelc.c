/* kernelc FOLDER PARTS: makes C of the kernels' texts in FOLDER. For now it makes none, and writes an empty
 * table. */
#include <stdio.h>
#include <stdlib.h>

static int put(const char *folder, const char *name, const char *text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    int ok = file && fputs(text, file) >= 0;
    return (file && fclose(file) == 0 && ok) ? 0 : 1;
}

int main(int count, char **words)
{
    int failed = count != 3;
    for (int i = 0; !failed && i < atoi(words[2]); i++) {
        char name[32];
        snprintf(name, sizeof name, "part_%02d.c", i);
        failed = put(words[1], name, "typedef int oro_no_kernels;\n");
    }
    failed = failed || put(words[1], "table.c",
                           "#include \"devices/processor/native.h\"\n\n"
                           "const struct oro_native oro_native_table[1];\n"
                           "const size_t oro_native_count;\n");
    return failed;
}
