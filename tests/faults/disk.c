#define _GNU_SOURCE /* for process_vm_readv */
#include "tests/faults/disk.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const faults_kind_names[FAULTS_KINDS] = {[FAULTS_NONE] = "none",
                                                     [FAULTS_KILL] = "killed",
                                                     [FAULTS_IO] = "EIO",
                                                     [FAULTS_FULL] = "disk full",
                                                     [FAULTS_SHORT] = "short write"};

/* ---- Calls that write ---- */

enum { OPENS = 1, TAKES_ROOM = 2, REMOVES = 4, WRITES = 8, OPENS_HOW = 16 };

/* Where the call has what tells the folder: a descriptor, or a folder's descriptor (-1: none) and a path. */
static const struct call {
    int number;
    const char *name;
    int descriptor, folder, path, flags, what;
} known[] = {
    {SYS_write, "write", 0, -1, -1, -1, WRITES | TAKES_ROOM},
    {SYS_pwrite64, "pwrite", 0, -1, -1, -1, WRITES | TAKES_ROOM},
    {SYS_writev, "writev", 0, -1, -1, -1, TAKES_ROOM},
    {SYS_pwritev, "pwritev", 0, -1, -1, -1, TAKES_ROOM},
    {SYS_copy_file_range, "copy_file_range", 2, -1, -1, -1, TAKES_ROOM},
    {SYS_sendfile, "sendfile", 0, -1, -1, -1, TAKES_ROOM},
    {SYS_ftruncate, "ftruncate", 0, -1, -1, -1, TAKES_ROOM},
    {SYS_fallocate, "fallocate", 0, -1, -1, -1, TAKES_ROOM},
    {SYS_fsync, "fsync", 0, -1, -1, -1, 0},
    {SYS_fdatasync, "fdatasync", 0, -1, -1, -1, 0},
    {SYS_close, "close", 0, -1, -1, -1, 0},
    {SYS_openat, "openat", -1, 0, 1, 2, OPENS | TAKES_ROOM},
    {SYS_openat2, "openat2", -1, 0, 1, 2, OPENS | OPENS_HOW | TAKES_ROOM},
    {SYS_mkdirat, "mkdirat", -1, 0, 1, -1, TAKES_ROOM},
    {SYS_renameat, "renameat", -1, 2, 3, -1, 0},
    {SYS_renameat2, "renameat2", -1, 2, 3, -1, 0},
    {SYS_linkat, "linkat", -1, 2, 3, -1, 0},
    {SYS_symlinkat, "symlinkat", -1, 1, 2, -1, TAKES_ROOM},
    {SYS_unlinkat, "unlinkat", -1, 0, 1, -1, REMOVES},
#ifdef SYS_open /* newer architectures have but the calls with a folder */
    {SYS_open, "open", -1, -1, 0, 1, OPENS | TAKES_ROOM},
    {SYS_mkdir, "mkdir", -1, -1, 0, -1, TAKES_ROOM},
    {SYS_rename, "rename", -1, -1, 1, -1, 0},
    {SYS_link, "link", -1, -1, 1, -1, 0},
    {SYS_unlink, "unlink", -1, -1, 0, -1, REMOVES},
    {SYS_rmdir, "rmdir", -1, -1, 0, -1, REMOVES},
#endif
};
enum { KNOWN = sizeof known / sizeof known[0] };

static const struct call *find_call(int number)
{
    for (int i = 0; i < KNOWN; i++)
        if (known[i].number == number)
            return &known[i];
    return NULL;
}

/* ---- The process that is asked about ---- */

static bool read_from(pid_t pid, uint64_t address, void *to, size_t size)
{
    struct iovec ours = {to, size}, theirs = {(void *)(uintptr_t)address, size};
    return process_vm_readv(pid, &ours, 1, &theirs, 1, 0) == (ssize_t)size;
}

/* A path may end at the end of a page behind which there is nothing. */
static bool read_path(pid_t pid, uint64_t address, char path[600])
{
    for (size_t i = 0; i < 599; i++) {
        if (!read_from(pid, address + i, &path[i], 1))
            return false;
        if (!path[i])
            return true;
    }
    return false;
}

static bool place_of(pid_t pid, int descriptor, char path[600])
{
    char link[80];
    if (descriptor == AT_FDCWD)
        snprintf(link, sizeof link, "/proc/%d/cwd", (int)pid);
    else
        snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)pid, descriptor);
    ssize_t length = readlink(link, path, 599);
    path[length < 0 ? 0 : length] = '\0';
    return length > 0;
}

static bool is_below(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static bool opens_for_writing(const struct call *call, const struct seccomp_notif *asked)
{
    uint64_t flags = asked->data.args[call->flags];
    if (call->what & OPENS_HOW) {
        struct open_how how = {0};
        if (!read_from((pid_t)asked->pid, flags, &how, sizeof how))
            return false;
        flags = how.flags;
    }
    return (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT);
}

/* Whether the call writes below the folder; `place` receives where. */
static bool counts(const struct call *call, const struct seccomp_notif *asked, const char *folder,
                   char place[1300])
{
    char base[600] = "", path[600] = "";
    pid_t pid = (pid_t)asked->pid;
    if (call->descriptor >= 0) {
        bool known_place = place_of(pid, (int)asked->data.args[call->descriptor], base);
        snprintf(place, 1300, "%s", base);
        return known_place && is_below(base, folder);
    }
    if (!read_path(pid, asked->data.args[call->path], path))
        return false;
    if (path[0] != '/')
        place_of(pid, call->folder < 0 ? AT_FDCWD : (int)asked->data.args[call->folder], base);
    snprintf(place, 1300, "%s%s%s", base, path[0] == '/' ? "" : "/", path);
    return is_below(place, folder) && (!(call->what & OPENS) || opens_for_writing(call, asked));
}

/* ---- What becomes of a call ---- */

/* Writes half of the bytes in the process's stead, where it would have written them. Returns how many. */
static int64_t write_half(pid_t leader, const struct call *call, const struct seccomp_notif *asked)
{
    static char bytes[1 << 20];
    size_t size = asked->data.args[2] / 2 < sizeof bytes ? asked->data.args[2] / 2 : sizeof bytes;
    int process = (int)syscall(SYS_pidfd_open, leader, 0);
    int file = (int)syscall(SYS_pidfd_getfd, process, (int)asked->data.args[0], 0);
    ssize_t written = -1;
    if (file >= 0 && size > 0 && read_from((pid_t)asked->pid, asked->data.args[1], bytes, size))
        written = call->number == SYS_write ? write(file, bytes, size)
                                            : pwrite(file, bytes, size, (off_t)asked->data.args[3]);
    if (file >= 0)
        close(file);
    if (process >= 0)
        close(process);
    return written;
}

struct watch {
    const struct faults_disk *disk;
    struct faults_outcome *outcome;
    pid_t process;
};

static void note_failed(struct watch *watch, const struct call *call, const char *place)
{
    if (watch->outcome->failed++ == 0)
        snprintf(watch->outcome->call, sizeof watch->outcome->call, "%s %.250s", call->name, place);
}

/* What is there already is opened on a full disk as well. */
static bool takes_room(const struct call *call, const char *place)
{
    return (call->what & TAKES_ROOM) && (call->descriptor >= 0 || access(place, F_OK) != 0);
}

static void decide(struct watch *watch, const struct seccomp_notif *asked, struct seccomp_notif_resp *answer)
{
    char place[1300];
    const struct call *call = find_call(asked->data.nr);
    const struct faults_disk *disk = watch->disk;
    *answer = (struct seccomp_notif_resp){.id = asked->id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    if (!call || !counts(call, asked, disk->folder, place))
        return;
    unsigned number = ++watch->outcome->calls;
    bool now = number == disk->at;
    int error = 0;
    if (disk->kind == FAULTS_KILL && now) {
        kill(watch->process, SIGKILL);
        note_failed(watch, call, place);
    } else if (disk->kind == FAULTS_IO && now && !(call->what & REMOVES)) {
        error = EIO;
    } else if (disk->kind == FAULTS_FULL && disk->at && number >= disk->at && takes_room(call, place)) {
        error = ENOSPC;
    } else if (disk->kind == FAULTS_SHORT && now && (call->what & WRITES)) {
        int64_t written = write_half(watch->process, call, asked);
        if (written > 0) {
            *answer = (struct seccomp_notif_resp){.id = asked->id, .val = written};
            note_failed(watch, call, place);
        }
    }
    if (error) {
        *answer = (struct seccomp_notif_resp){.id = asked->id, .error = -error};
        note_failed(watch, call, place);
    }
}

/* Until no process is left that could ask. */
static void answer_all(struct watch *watch, int listener, int process)
{
    enum { AT_WORK_MS = 60000, AFTERWARDS_MS = 5000 };
    struct pollfd ready[2] = {{.fd = listener, .events = POLLIN}, {.fd = process, .events = POLLIN}};
    for (;;) {
        int count = poll(ready, 2, ready[1].fd < 0 ? AFTERWARDS_MS : AT_WORK_MS);
        watch->outcome->left = count == 0 && ready[1].fd < 0;
        watch->outcome->hung = count == 0 && ready[1].fd >= 0;
        if (count == 0)
            kill(watch->process, SIGKILL);
        if (count == 0 || ready[0].revents & (POLLHUP | POLLERR))
            return;
        if (ready[1].revents)
            ready[1].fd = -1;
        if (!(ready[0].revents & POLLIN))
            continue;
        struct seccomp_notif asked = {0};
        struct seccomp_notif_resp answer;
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0)
            continue; /* who asked is gone */
        decide(watch, &asked, &answer);
        ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
    }
}

/* ---- The process ---- */

static int install_filter(void)
{
    static struct sock_filter filter[2 * KNOWN + 2];
    int length = 0;
    filter[length++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < KNOWN; i++) {
        filter[length++] =
            (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)known[i].number, 0, 1);
        filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    }
    filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {(unsigned short)length, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

/* Waits, once the filter is there, until the one who answers has its end of it. */
_Noreturn static void begin(int *listener, int (*work)(void *user), void *user)
{
    *listener = install_filter();
    raise(SIGSTOP);
    if (*listener >= 0)
        close(*listener);
    exit(*listener >= 0 ? work(user) : 0);
}

struct faults_outcome faults_disk_run(const struct faults_disk *disk, int (*work)(void *user), void *user)
{
    struct faults_outcome outcome = {0};
    /* cppcheck-suppress invalidFunctionArg ; no file */
    int *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    fflush(NULL);
    pid_t child = shared == MAP_FAILED ? -1 : fork();
    if (child == 0)
        begin(shared, work, user);
    outcome.unsupported = child < 0 || waitpid(child, &outcome.status, WUNTRACED) != child || *shared < 0;
    if (!outcome.unsupported) {
        int process = (int)syscall(SYS_pidfd_open, child, 0);
        int listener = (int)syscall(SYS_pidfd_getfd, process, *shared, 0);
        outcome.unsupported = listener < 0;
        kill(child, listener < 0 ? SIGKILL : SIGCONT);
        if (listener >= 0)
            answer_all(&(struct watch){disk, &outcome, child}, listener, process);
        if (listener >= 0)
            close(listener);
        if (process >= 0)
            close(process);
    } else if (child > 0) {
        kill(child, SIGCONT);
    }
    if (child > 0)
        waitpid(child, &outcome.status, 0);
    munmap(shared, sizeof *shared);
    return outcome;
}
