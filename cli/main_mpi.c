/*
 * The `orograph-mpi` program: `orograph render` by many processes together, which mpirun or srun starts
 * (docs/scale.md).
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/file.h"
#include "base/memory.h"
#include "cli/command/commands.h"
#include "cli/command/render.h"
#include "cli/engine/agree.h"
#include "cli/engine/interrupt.h"
#include "cli/options/standard.h"
#include "cli/report/console.h"
#include "cli/report/json.h"
#include "cli/report/plain.h"
#include "devices/mpi/ranks.h"
#include "graph/file/load.h"

static const char help[] = "Start it by mpirun or srun, one process for each graphics card: mpirun -n 4 "
                           "orograph-mpi alps.oro -o alps.tif\n"
                           "Every process evaluates the graph, on a device of its own; the first prints, and "
                           "writes files and the cache.\n"
                           "All of them must find the document and the files that it reads.\n";

/* What was read from standard input as the standard input of every rank: mpirun gives it to rank 0 alone. */
static bool put_back(const void *bytes, size_t size, struct oro_error *err)
{
    FILE *file = tmpfile();
    bool ok = file && fwrite(bytes, 1, size, file) == size && fflush(file) == 0 &&
              fseek(file, 0, SEEK_SET) == 0 && dup2(fileno(file), STDIN_FILENO) >= 0;
    int reason = errno;
    if (file)
        fclose(file);
    clearerr(stdin); /* rank 0 has come to its end */
    return ok || oro_fail(err, ORO_E_WRITE, "cannot pass standard input on: %s", strerror(reason));
}

static bool share_standard_input(struct oro_ranks *ranks, struct oro_error *err)
{
    void *bytes = NULL;
    size_t got = 0;
    bool ok = ranks->rank > 0 ||
              oro_stream_read(stdin, "standard input", ORO_DOCUMENT_BYTES_MAX, &bytes, &got, err);
    uint64_t size = got;
    ok = oro_ranks_agree(ranks, ok, err) && ranks->ops->broadcast(ranks, 0, &size, sizeof size, err);
    if (ok && !bytes)
        bytes = oro_alloc(size + 1, 1);
    ok = ok &&
         oro_ranks_agree(ranks, bytes || oro_fail(err, ORO_E_MEMORY, "no memory for a document"), err) &&
         ranks->ops->broadcast(ranks, 0, bytes, size, err) &&
         oro_ranks_agree(ranks, put_back(bytes, size, err), err);
    oro_free(bytes);
    return ok;
}

static int render(const struct cli_command *command, const struct cli_parsed *parsed, struct oro_ranks *ranks)
{
    struct oro_error err = {0};
    if (parsed->help) {
        cli_print_help(stdout, command);
        return CLI_DONE;
    }
    if (parsed->version)
        return cli_version.run(NULL, NULL, 0);
    if (cli_is_standard(parsed->arguments[0]) && ranks->count > 1 && !share_standard_input(ranks, &err))
        return (int)cli_fail(&err);
    return cli_render_by(parsed->options, parsed->arguments, ranks);
}

static int run(int argc, char **argv, struct oro_ranks *ranks)
{
    struct cli_command command = cli_render;
    struct cli_parsed parsed = {0};
    struct oro_error err = {0};
    command.name = "orograph-mpi";
    command.program = true;
    command.summary = "Evaluates a graph with many processes and writes its files, or one output with -o";
    command.help = help;
    if (!oro_ranks_first(ranks))
        cli_silence();
    cli_interrupt_begin(false);
    if (!cli_same_program(ranks, argv + 1, argc - 1, &err) ||
        !oro_ranks_agree(ranks, cli_parse(&command, argc - 1, argv + 1, &parsed, &err), &err))
        return (int)cli_fail(&err);
    int code = render(&command, &parsed, ranks);
    cli_parsed_free(&command, &parsed);
    return code;
}

int main(int argc, char **argv)
{
    struct oro_error err = {0};
    cli_json_begin();
    cli_plain_begin();
    signal(SIGXFSZ, SIG_IGN); /* a file that grows beyond its limit becomes an error, like a full disk */
    struct oro_ranks *ranks = oro_mpi_begin(&argc, &argv, &err) ? oro_mpi_ranks(0, &err) : NULL;
    if (!ranks)
        return (int)cli_fail(&err);
    oro_budget_set(oro_budget_standard() / (size_t)(ranks->local_count > 1 ? ranks->local_count : 1));
    int code = (int)cli_flush((enum cli_exit)run(argc, argv, ranks));
    ranks->ops->destroy(ranks);
    oro_mpi_end(code == CLI_CANCELLED);
    return code;
}
