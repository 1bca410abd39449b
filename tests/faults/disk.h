/*
 * A process whose disk fails, or that is killed, at the n-th call that writes below a folder. The process
 * runs undisturbed by any debugger: the kernel asks us at each such call what is to become of it (seccomp's
 * user notifications), so that calls of all libraries count, and of its threads and children.
 */
#ifndef ORO_TESTS_FAULTS_DISK_H
#define ORO_TESTS_FAULTS_DISK_H

#include <stdbool.h>

enum faults_kind {
    FAULTS_NONE,
    FAULTS_KILL,  /* SIGKILL before the call */
    FAULTS_IO,    /* EIO, once. Removing never fails: nothing could then be tidied up. */
    FAULTS_FULL,  /* ENOSPC, from there on, of what takes room */
    FAULTS_SHORT, /* a write takes half of its bytes */
    FAULTS_KINDS,
};
extern const char *const faults_kind_names[FAULTS_KINDS];

struct faults_disk {
    const char *folder; /* absolute and without links */
    enum faults_kind kind;
    unsigned at; /* 1 is the first call */
};
struct faults_outcome {
    int status;       /* as of waitpid */
    unsigned calls;   /* that were made, as far as they count */
    unsigned failed;  /* that failed, or were cut short */
    char call[300];   /* the first that did */
    bool hung;        /* and was ended */
    bool left;        /* it is gone, and processes that it began are not */
    bool unsupported; /* the kernel does not let us ask */
};

/* Runs `work` in a process of its own, which ends with the code that it returns. */
struct faults_outcome faults_disk_run(const struct faults_disk *disk, int (*work)(void *user), void *user);

#endif
