/* The functions that scripts of `orograph run` have besides those of lua/sandbox/library.h. docs/lua-api.md
 * is made from this table. */
#include "lua/batch/batch.h"

const struct oro_batch_entry oro_batch_functions[ORO_BATCH_FUNCTIONS] = {
    [ORO_BATCH_OPEN] = {"orograph", "open", "path",
                        "Opens a graph. It is read and checked; all its problems are printed, and an error "
                        "raised with the first. Every call gives a graph of its own.",
                        "t", NULL},
    [ORO_BATCH_NEW] = {"orograph", "new", "[{extent=, resolution=, aspect=, seed=, sea=}]",
                       "Makes an empty graph. What it names is looked for from the working folder.", "?o",
                       "extent n, resolution i, aspect n, seed i, sea n"},
    [ORO_BATCH_READ] =
        {"orograph", "read",
         "path, [{low=, high=, unit=, nodata=, cell=, decode=, width=, height=, big_endian=}]",
         "Reads a heightfield, as a result that can be measured and written. Options say what "
         "neither the file nor its sidecar does: the metres of its least and largest value, "
         "the unit of its heights, the number that stands for no height, the metres of a cell, "
         "how a picture in colours is read (\"terrarium\", \"terrain-rgb\", \"luminance\"), "
         "the size of a file without a header.",
         "t?o", "low n, high n, unit t, nodata n, cell n, decode t, width i, height i, big_endian f"},
    [ORO_BATCH_LIST_FILES] = {"orograph", "list", "folder, [pattern]",
                              "Lists the files of a folder, sorted. They come with the folder before them. "
                              "In the pattern * stands for any letters, ? for one, [a-c] for one of some.",
                              "t?t", NULL},
    [ORO_BATCH_READ_TEXT] = {"orograph", "read_text", "path",
                             "Gives the bytes of a file, just below 1 MiB at most.", "t", NULL},
    [ORO_BATCH_WRITE_TEXT] = {"orograph", "write_text", "path, text",
                              "Writes a file, for tables and reports. It replaces an older one as a whole.",
                              "tb", NULL},
    [ORO_BATCH_EACH] = {"orograph", "each", "list",
                        "Goes through a list, `for i, v in orograph.each(list) do`: through all of it, or, "
                        "with `--task K/N`, through the items K, K + N, K + 2 N, ..., so that the N tasks "
                        "together do all of them, each once.",
                        "l", NULL},
    [ORO_BATCH_TASK] = {"orograph", "task", "",
                        "Gives the numbers K and N of `--task K/N`, or 1 and 1: for the names of files that "
                        "each task writes once, such as tables.",
                        "", NULL},
    [ORO_BATCH_SET] = {"graph", "set", "name, value",
                       "Sets an input, \"node.input\", a number of the world, \"world.resolution\", or by "
                       "its name a variable or an input of the "
                       "interface, as `--set` does. A file is meant from the working folder, and must be one "
                       "that the script may read (or write, where the node writes it).",
                       "tv", NULL},
    [ORO_BATCH_GET] = {"graph", "get", "name",
                       "Gives what `set` sets: a number, true or false, or a text. Defaults and the value of "
                       "an expression, too; of a linked input the table {from = \"node.output\"}.",
                       "t", NULL},
    [ORO_BATCH_SEED] = {"graph", "seed", "[number]",
                        "Replaces the seed of the graph's world. Gives the seed.", "?i", NULL},
    [ORO_BATCH_WORLD] =
        {"graph", "world", "[{extent=, resolution=, aspect=, seed=, sea=}]",
         "Changes the world, what is not named stays. Gives a table of all; without a `sea`, its "
         "level in metres, that is nil.",
         "?o", "extent n, resolution i, aspect n, seed i, sea n"},
    [ORO_BATCH_NODES] = {"graph", "nodes", "",
                         "Lists the nodes, in the document's order: tables with `id` and `type`.", "", NULL},
    [ORO_BATCH_OUTPUTS] = {"graph", "outputs", "",
                           "Lists what `render` takes: the outputs of the interface by their name, then "
                           "\"node.output\" of every node.",
                           "", NULL},
    [ORO_BATCH_ADD] = {"graph", "add", "type, id, [{input=, ...}]",
                       "Adds a node, and sets inputs as `set` does. A type that ends in .oro is a graph, "
                       "found beside the document or in the library.",
                       "tt?m", NULL},
    [ORO_BATCH_CONNECT] = {"graph", "link", "to, from",
                           "Links an input, \"node.input\", to an output, \"node.output\".", "tt", NULL},
    [ORO_BATCH_REMOVE] = {"graph", "remove", "id", "Removes a node and its links.", "t", NULL},
    [ORO_BATCH_OUTPUT] = {"graph", "output", "name, from",
                          "Adds an output to the interface, so that others can name it.", "tt", NULL},
    [ORO_BATCH_SAVE] = {"graph", "save", "path",
                        "Writes the graph. Paths in it stay as they are, and are meant from its new place.",
                        "t", NULL},
    [ORO_BATCH_RENDER] = {"graph", "render", "[output], [{max_resolution=, seed=, region=}]",
                          "Evaluates an output: a name of the interface, \"node.output\", or without one the "
                          "only output of the interface. The options are those of `orograph render`.",
                          "?t?o", "max_resolution i, seed i, region t"},
    [ORO_BATCH_EXPORT] = {"graph", "export", "[{max_resolution=, seed=, require_drained=, build=, region=}]",
                          "Runs the nodes that write files, or all that a build of the graph writes, as "
                          "`orograph render --build NAME` does. Gives the list of these files.",
                          "?o", "max_resolution i, seed i, require_drained f, build t, region t"},
    [ORO_BATCH_AT] = {"result", "at", "x, y",
                      "Gives a cell's value (of an image red, green, blue and alpha). Columns are counted "
                      "from 0 in the west, rows from 0 in the north.",
                      "ii", NULL},
    [ORO_BATCH_MEASURE] = {"result", "measure", "[{theta=}]",
                           "Measures a terrain: the table that `orograph measure --json` prints. What the "
                           "terrain does not determine is nil, in lists not a number.",
                           "?o", "theta n"},
    [ORO_BATCH_WRITE] =
        {"result", "write",
         "path, [{low=, high=, size=, drain=, drain_limit=, require_drained=, big_endian=, half=, "
         "tiled=, bits=, compress=, cog=}]",
         "Writes a file and its sidecar, as `orograph render -o` and `orograph convert` do. "
         "The format follows the extension; options are those of `convert`, `drain` is "
         "\"repair\" or \"strict\". Gives a table with `width`, `height`, `low`, `high`, and "
         "of a terrain `drained` and `closed_depressions`.",
         "t?o",
         "low n, high n, size v, drain t, drain_limit n, require_drained f, big_endian f, half f, "
         "tiled f, bits n, compress t, cog f"},
    [ORO_BATCH_HILLSHADE] = {"result", "hillshade", "path",
                             "Writes a PNG of a terrain's relief, lit from the north-west.", "t", NULL},
};

const struct oro_batch_entry oro_batch_fields[] = {
    {"orograph", "args", "", "What followed the script on the command line: a list of texts.", "", NULL},
    {"orograph", "version", "", "Of the program.", "", NULL},
    {"result", "type", "", "\"field\", \"image\", \"vector\" or \"network\".", "", NULL},
    {"result", "width", "", "Cells along x. Networks have none of what follows down to `maximum`.", "", NULL},
    {"result", "height", "", "Cells along y.", "", NULL},
    {"result", "cell", "", "Metres; nil where a file does not say.", "", NULL},
    {"result", "unit", "", "\"m\", \"deg\", ... or \"\".", "", NULL},
    {"result", "minimum", "", "Least value.", "", NULL},
    {"result", "maximum", "", "Largest value.", "", NULL},
    {"result", "seconds", "", "That rendering took.", "", NULL},
    {"result", "figures", "", "What the node tells about its work, by name.", "", NULL},
    {0},
};
