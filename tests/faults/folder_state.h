/*
 * What lies in the working folder of a scenario: the names and bytes of all its files, as digests. Hidden
 * files count, since temporary ones may be.
 */
#ifndef ORO_TESTS_FAULTS_FOLDER_STATE_H
#define ORO_TESTS_FAULTS_FOLDER_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/hash.h"

enum { FAULTS_FILES_MAX = 256 };

struct faults_state {
    struct faults_file {
        char path[200]; /* from the folder */
        struct oro_hash digest;
    } files[FAULTS_FILES_MAX]; /* by their paths */
    size_t count;
};

/* Looks at all below `folder`. */
void faults_look(struct faults_state *state, const char *folder);
const struct faults_file *faults_find(const struct faults_state *state, const char *path);
bool faults_same_file(const struct faults_state *a, const struct faults_state *b, const char *path);

/* Of the cache: a digest, perhaps with a number of iterations. */
bool faults_is_result(const char *path);
/* Whether a program may have left it that ended while it was edited. */
bool faults_is_recovery(const char *path);

#endif
