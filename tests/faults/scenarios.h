/*
 * What is done while memory runs out or the disk fails: commands of the program, and work of the editor's
 * project, in a working folder that has the graphs and pictures of in/ and writes to out/.
 */
#ifndef ORO_TESTS_FAULTS_SCENARIOS_H
#define ORO_TESTS_FAULTS_SCENARIOS_H

#include <stdbool.h>

#include "tests/faults/folder_state.h"

struct faults_scenario {
    const char *name;
    const char *command; /* words of the command line behind `orograph` */
    int (*work)(void);   /* or this: returns an exit code, and says on standard error why it is not 0 */
    int code;            /* exit code when nothing fails */
    bool writes;         /* to out/ */
    bool (*check)(const char *printed); /* after a fault; what the scenario has printed by then */
    const char *edits; /* a file of in/ that is copied to out/ before each run, because it is changed there */
};
extern const struct faults_scenario faults_scenarios[];
extern const int faults_scenario_count;

/* Goes from the source tree, which is the working folder, to a new one with in/ and out/; and back, and
 * removes it. */
bool faults_enter_folder(void);
void faults_leave_folder(void);
/* Makes out/ empty, but for what the scenario edits. */
bool faults_clear(const struct faults_scenario *scenario);
/* Only what it edits is there as it was. */
bool faults_restore(const struct faults_scenario *scenario);
/* As faults_clear, and with older files in place of those that the scenario writes (NULL: not known yet). */
void faults_make_old(const struct faults_scenario *scenario, const struct faults_state *files);
/* Whether a picture in out/ and its sidecar belong together, or the sidecar tells that they do not, by a
 * digest of all of the picture. */
bool faults_pair_is_told(const char *path);
/* Whether it is a sidecar whose picture need not have its name yet. */
bool faults_is_early_sidecar(const char *path);
bool faults_is_wanted(const char *name, char *const *names); /* no names: all are */
/* Returns the exit code. */
int faults_run_scenario(const struct faults_scenario *scenario);

#endif
