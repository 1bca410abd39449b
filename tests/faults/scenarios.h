/*
 * What is done while memory runs out or the disk fails: commands of the program, and work of the editor's
 * project, in a working folder that has the graphs and pictures of in/ and writes to out/.
 */
#ifndef ORO_TESTS_FAULTS_SCENARIOS_H
#define ORO_TESTS_FAULTS_SCENARIOS_H

#include <stdbool.h>

struct faults_scenario {
    const char *name;
    const char *command; /* words of the command line behind `orograph` */
    int (*work)(void);   /* or this: returns an exit code, and says on standard error why it is not 0 */
    int code;            /* exit code when nothing fails */
    const char *edits; /* a file of in/ that is copied to out/ before each run, because it is changed there */
};
extern const struct faults_scenario faults_scenarios[];
extern const int faults_scenario_count;

/* Makes in/ and out/ in the working folder, which is empty. `root` is the source tree. */
bool faults_prepare(const char *root);
/* Makes out/ empty, but for what the scenario edits. */
bool faults_clear(const struct faults_scenario *scenario);
/* Returns the exit code. */
int faults_run_scenario(const struct faults_scenario *scenario);

#endif
