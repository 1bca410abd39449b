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

/* Looks at all below `folder` but what lies in the folder `without` in it (NULL: at all). */
void faults_look(struct faults_state *state, const char *folder, const char *without);
const struct faults_file *faults_find(const struct faults_state *state, const char *path);
bool faults_same_file(const struct faults_state *a, const struct faults_state *b, const char *path);

#endif
