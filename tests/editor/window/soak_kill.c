/*
 * The program is killed at random moments while it is edited; the copy that it leaves may lack nothing that
 * is older than a minute. An edit pastes a node, so the number of nodes in what is left tells which edits
 * were lost, and the first of them how old the loss is.
 */
#include <dirent.h>
#include <string.h>

#include "tests/editor/window/soak.h"

static const double allowed = 60; /* seconds */

/* One node, on a grid that is quick to evaluate. */
static const char document[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
                               "  <world resolution=\"16\"/>\n"
                               "  <node id=\"first\" type=\"noise\" x=\"40\" y=\"80\"/>\n"
                               "</orograph>\n";

enum { NODES_MAX = 4096 };

struct kills {
    struct soak *soak;
    double made[NODES_MAX + 1]; /* when the window showed so many nodes for the first time */
    int nodes;                  /* that it shows */
    double worst;
    char file[100];
};

/* ---- Edits */

/* Has a node in the clipboard, and the pointer on the canvas. */
static void take_up(struct kills *kills)
{
    struct driver *driver = kills->soak->driver;
    drive_key(driver, "Home");
    drive_click(driver, "title:first");
    drive_wait(driver, "selected=first", 20);
    drive_key(driver, "ctrl+c");
}

static void paste(struct kills *kills)
{
    char what[32];
    snprintf(what, sizeof what, "nodes=%d", kills->nodes + 1);
    drive_key(kills->soak->driver, "ctrl+v");
    drive_wait(kills->soak->driver, what, 20);
    kills->made[++kills->nodes] = drive_now();
}

/* Returns how many edits were made. */
static int edit(struct kills *kills, double seconds)
{
    double end = drive_now() + seconds;
    int edits = 0;
    for (; edits == 0 || (drive_now() < end && kills->nodes < NODES_MAX); edits++) {
        paste(kills);
        drive_pause(0.001 * soak_random(kills->soak, 1500));
    }
    return edits;
}

/* ---- What is left */

/* Nodes of a whole document; 0: it is none. */
static int nodes_in(const char *path)
{
    static char text[1 << 20];
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    int nodes = 0;
    if (file)
        fclose(file);
    text[length] = '\0';
    for (const char *at = text; (at = strstr(at, "<node ")); at++)
        nodes++;
    return strstr(text, "</orograph>") ? nodes : 0;
}

/* The most nodes of all copies, and of the file. */
static int nodes_left(const struct kills *kills)
{
    char folder[600], path[900];
    int most = nodes_in(kills->file);
    snprintf(folder, sizeof folder, "%s/state/orograph/recovery", drive_home(kills->soak->driver));
    DIR *entries = opendir(folder);
    for (struct dirent *entry = entries ? readdir(entries) : NULL; entry; entry = readdir(entries)) {
        const char *end = strrchr(entry->d_name, '.');
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        int nodes = end && strcmp(end, ".oro") == 0 ? nodes_in(path) : 0;
        most = nodes > most ? nodes : most;
    }
    if (entries)
        closedir(entries);
    return most;
}

static void look(struct kills *kills, int round, int edits, int left)
{
    double loss = left < kills->nodes ? drive_now() - kills->made[left + 1] : 0;
    print_message("kill %2d: %3d edits, %2d lost, the oldest %.1f s before\n", round, edits,
                  kills->nodes - left, loss);
    if (loss > kills->worst)
        kills->worst = loss;
    if (left < 1 || loss > allowed)
        drive_fail(kills->soak->driver, "more than %.0f s of edits are lost", allowed);
    kills->nodes = left;
}

/* Starts the program again and takes what it offers; else the file. */
static void recover(struct kills *kills)
{
    struct driver *driver = kills->soak->driver;
    char what[32];
    bool copied = kills->nodes > nodes_in(kills->file);
    snprintf(what, sizeof what, "nodes=%d", kills->nodes);
    drive_order(driver, "keyup ctrl"); /* what was held */
    drive_restart(driver, (const char *const[]){"--no-tour", copied ? NULL : kills->file, NULL});
    if (copied)
        drive_click(driver, "recover:0");
    drive_wait(driver, what, 20);
}

void soak_kill(struct soak *soak, int times)
{
    struct kills kills = {.soak = soak, .nodes = 1};
    snprintf(kills.file, sizeof kills.file, "%s/work/kill.oro", soak->folder);
    FILE *file = fopen(kills.file, "w");
    assert_non_null(file);
    assert_true(fputs(document, file) >= 0 && fclose(file) == 0);
    soak_open(soak, kills.file);
    drive_wait(soak->driver, "nodes=1", 20);
    for (int round = 1; round <= times; round++) {
        take_up(&kills);
        int edits = edit(&kills, 5 + 0.035 * soak_random(soak, 1001));
        drive_kill(soak->driver);
        look(&kills, round, edits, nodes_left(&kills));
        recover(&kills);
    }
    print_message("%d kills: at most %.1f s of edits were lost\n", times, kills.worst);
}
