/* The `orograph-editor` program: reads the command line, opens the window. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/memory.h"
#include "base/text.h"
#include "devices/devices.h"
#include "editor/shell/shell.h"
#include "editor/shell/signals.h"

/* Exit codes, the same as those of orograph. */
enum { EXIT_DONE, EXIT_FAILED, EXIT_USAGE, EXIT_DEVICE = 5 };

static const char usage[] =
    "usage: orograph-editor [OPTION]... [FILE]\n"
    "\n"
    "Opens the editor, with a document.\n"
    "\n"
    "  --device N       the device that evaluates, as listed by `orograph devices`, or processor\n"
    "  --allow-path     files that documents name may lie anywhere\n"
    "  --shader-dir DIR reads kernels from a folder, and again when they change\n"
    "  --scale S        size of the user interface: 1, 1.5, 2\n"
    "  --size W H       of the window, in pixels\n"
    "  --no-tour        no tour on the first start\n"
    "  --describe FILE  writes what the window shows as JSON, for programs that drive it\n"
    "  --frames FILE    writes a log of frames: times from events to the screen\n"
    "  --events FILE    plays events from a file\n"
    "  --version, --help\n";

static bool number(const char *text, double *value)
{
    return text && oro_parse_number(text, value);
}

/* Reads one option at argv[0]. Returns how many arguments it took; 0: the option makes no sense. */
static int read_option(struct ed_shell_options *options, int left, char **argv)
{
    double a = 0, b = 0;
    const char *name = argv[0], *next = left > 1 ? argv[1] : NULL;
    if (strcmp(name, "--allow-path") == 0)
        return options->session.allow_any_path = true;
    if (strcmp(name, "--no-tour") == 0)
        return options->no_tour = true;
    if (strcmp(name, "--device") == 0 && next && oro_device_parse(next, &options->session.device))
        return 2;
    if (strcmp(name, "--scale") == 0 && number(next, &a) && a >= 0.5 && a <= 4) {
        options->scale = (float)a;
        return 2;
    }
    if (strcmp(name, "--size") == 0 && left > 2 && number(next, &a) && number(argv[2], &b) && a >= 320 &&
        b >= 240 && a <= 16384 && b <= 16384) {
        options->width = (int)a;
        options->height = (int)b;
        return 3;
    }
    const struct {
        const char *name;
        const char **to;
    } texts[] = {{"--shader-dir", &options->session.shader_dir},
                 {"--describe", &options->describe},
                 {"--frames", &options->frames},
                 {"--events", &options->events}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(name, texts[i].name) == 0 && next) {
            *texts[i].to = next;
            return 2;
        }
    return 0;
}

/* Returns -1 to go on, else the exit code. */
static int read_arguments(struct ed_shell_options *options, int argc, char **argv)
{
    for (int i = 1; i < argc;) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return fputs(usage, stdout) < 0 ? EXIT_FAILED : EXIT_DONE;
        if (strcmp(argv[i], "--version") == 0)
            return printf("orograph-editor %s\n", OROGRAPH_VERSION) < 0 ? EXIT_FAILED : EXIT_DONE;
        int taken = argv[i][0] == '-' ? read_option(options, argc - i, argv + i) : 0;
        if (taken == 0 && (argv[i][0] == '-' || options->file)) {
            fprintf(stderr, "orograph-editor: '%s' makes no sense here; see --help\n", argv[i]);
            return EXIT_USAGE;
        }
        if (taken == 0)
            options->file = argv[i];
        i += taken ? taken : 1;
    }
    return -1;
}

int main(int argc, char **argv)
{
    struct ed_shell_options options = {.session.device = ORO_DEVICE_ANY};
    struct oro_error err = {0};
    int code = read_arguments(&options, argc, argv);
    if (code >= 0)
        return code;
    ed_signals_catch();
    oro_budget_set(oro_budget_standard());
    struct ed_shell *shell = oro_alloc(1, sizeof *shell);
    bool ok = shell && ed_shell_open(shell, &options, &err);
    if (ok)
        ed_shell_run(shell);
    else
        fprintf(stderr, "orograph-editor: %s\n", shell ? err.text : "no memory");
    if (shell)
        ed_shell_close(shell);
    oro_free(shell);
    return ok ? EXIT_DONE : err.code == ORO_E_DEVICE ? EXIT_DEVICE : EXIT_FAILED;
}
