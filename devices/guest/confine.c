#define _GNU_SOURCE
#include "devices/guest/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <linux/landlock.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "base/parallel.h"
#include "base/process.h"

/* Sanitizers reserve more address space than a machine has memory, and look at files when they report. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

enum { STACK = 9 << 20 }; /* of a thread, with what the C library keeps for it */

static scmp_filter_ctx filter;
static uint64_t data_of_server;

/* Threads share everything; other processes and namespaces do not. */
static bool allow_threads(void)
{
    const uint64_t thread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD;
    /* The C library tries clone3 first, whose flags no filter can see. */
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
                            SCMP_A0(SCMP_CMP_MASKED_EQ, thread, thread)) == 0 &&
           seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
}

/* Memory is private, and so counts for the limit, or that of a file which was handed over. */
static bool allow_memory(void)
{
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1,
                            SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_SHARED, 0)) == 0 &&
           seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1,
                            SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_ANONYMOUS, 0)) == 0;
}

/* A call that is not in the list fails with EPERM, as it would where the user may not do it. Those that ask
 * for another program or reach into another process end the guest. */
static bool make_filter(void)
{
    static const int allowed[] = {
        SCMP_SYS(read),
        SCMP_SYS(write),
        SCMP_SYS(readv),
        SCMP_SYS(writev),
        SCMP_SYS(sendmsg),
        SCMP_SYS(recvmsg),
        SCMP_SYS(poll),
        SCMP_SYS(ppoll),
        SCMP_SYS(close),
        SCMP_SYS(fstat),
        SCMP_SYS(lseek),
        SCMP_SYS(munmap),
        SCMP_SYS(mremap),
        SCMP_SYS(mprotect),
        SCMP_SYS(madvise),
        SCMP_SYS(brk),
        SCMP_SYS(futex),
        SCMP_SYS(set_robust_list),
        SCMP_SYS(rseq),
        SCMP_SYS(membarrier),
        SCMP_SYS(sched_yield),
        SCMP_SYS(sched_getaffinity),
        SCMP_SYS(clock_gettime),
        SCMP_SYS(clock_getres),
        SCMP_SYS(clock_nanosleep),
        SCMP_SYS(nanosleep),
        SCMP_SYS(gettimeofday),
        SCMP_SYS(time),
        SCMP_SYS(getrandom),
        SCMP_SYS(getpid),
        SCMP_SYS(gettid),
        SCMP_SYS(rt_sigaction),
        SCMP_SYS(rt_sigprocmask),
        SCMP_SYS(rt_sigreturn),
        SCMP_SYS(sigaltstack),
        SCMP_SYS(restart_syscall),
        SCMP_SYS(exit),
        SCMP_SYS(exit_group),
        SCMP_SYS(getrusage),
    };
    static const int deadly[] = {SCMP_SYS(execve),           SCMP_SYS(execveat),          SCMP_SYS(ptrace),
                                 SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(socket),
                                 SCMP_SYS(connect)};
    filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    bool ok = filter && allow_threads();
    for (size_t i = 0; ok && i < sizeof allowed / sizeof allowed[0]; i++)
        ok = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0) == 0;
    for (size_t i = 0; ok && !SANITIZED && i < sizeof deadly / sizeof deadly[0]; i++)
        ok = seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS, deadly[i], 0) == 0;
    return ok && allow_memory();
}

/* A guest may end itself by a signal, as abort does. */
static bool allow_own_signals(void)
{
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
                            SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid())) == 0;
}

/* ---- Files ---- */

enum {
    READ_ONLY = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
    ALL_RIGHTS = READ_ONLY | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                 LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
                 LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                 LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM,
};

struct place {
    const char *path;
    uint64_t rights;
};

static void keep_place(int ruleset, const struct place *place)
{
    struct landlock_path_beneath_attr rule = {.allowed_access = place->rights,
                                              .parent_fd = open(place->path, O_PATH | O_CLOEXEC)};
    if (rule.parent_fd < 0)
        return;
    syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
}

/* Where the kernel has Landlock, no file but those below these places can be reached by its name; `places`
 * ends with a zeroed one. Where it does not, the filter of system calls stands alone. */
static void leave_files(const struct place *places)
{
    const struct landlock_ruleset_attr rules = {.handled_access_fs = ALL_RIGHTS};
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
    if (ruleset < 0)
        return;
    for (const struct place *place = places; place->path; place++)
        keep_place(ruleset, place);
    syscall(SYS_landlock_restrict_self, ruleset, 0);
    close(ruleset);
}

/* ---- The server ---- */

static bool limit(int what, rlim_t most)
{
    const struct rlimit value = {most, most};
    return setrlimit(what, &value) == 0;
}

/* Sanitizers say there what they find. */
static bool leave_terminal(void)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    bool ok = nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(nothing, STDOUT_FILENO) >= 0 &&
              (SANITIZED || dup2(nothing, STDERR_FILENO) >= 0);
    if (nothing > STDERR_FILENO)
        close(nothing);
    return ok;
}

bool oro_confine_server(void)
{
    static const struct place nowhere[] = {{0}};
    data_of_server = oro_process_memory(getpid(), ORO_PROCESS_OWN);
    if (!leave_terminal() || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !make_filter())
        return false;
    if (!SANITIZED) {
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
        leave_files(nowhere);
    }
    return limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, SANITIZED ? RLIM_INFINITY : 0);
}

bool oro_confine_guest(uint32_t seconds, uint64_t memory)
{
    /* The soft limit comes first, and lets the guest say where it is. */
    const struct rlimit time = {seconds, seconds + 1};
    uint64_t stacks = (uint64_t)oro_parallel_threads() * STACK;
    if (seconds > 0 && setrlimit(RLIMIT_CPU, &time) != 0)
        return false;
    if (!SANITIZED && !limit(RLIMIT_DATA, data_of_server + stacks + memory))
        return false;
    return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 && allow_own_signals() && seccomp_load(filter) == 0;
}

/* ---- A driver ---- */

/* Drivers call on the system for so much that what they may not do is listed, rather than what they may. */
static bool forbid_calls(void)
{
    static const int forbidden[] = {
        SCMP_SYS(execve),    SCMP_SYS(execveat),
        SCMP_SYS(ptrace),    SCMP_SYS(process_vm_readv),
        SCMP_SYS(socket),    SCMP_SYS(process_vm_writev),
        SCMP_SYS(connect),   SCMP_SYS(bind),
        SCMP_SYS(listen),    SCMP_SYS(accept),
        SCMP_SYS(accept4),   SCMP_SYS(mount),
        SCMP_SYS(umount2),   SCMP_SYS(pivot_root),
        SCMP_SYS(chroot),    SCMP_SYS(setns),
        SCMP_SYS(unshare),   SCMP_SYS(bpf),
        SCMP_SYS(keyctl),    SCMP_SYS(add_key),
        SCMP_SYS(fork),      SCMP_SYS(vfork),
        SCMP_SYS(kill),      SCMP_SYS(unlink),
        SCMP_SYS(unlinkat),  SCMP_SYS(rename),
        SCMP_SYS(renameat),  SCMP_SYS(renameat2),
        SCMP_SYS(truncate),  SCMP_SYS(link),
        SCMP_SYS(linkat),    SCMP_SYS(symlink),
        SCMP_SYS(symlinkat), SCMP_SYS(chmod),
        SCMP_SYS(fchmodat),  SCMP_SYS(open_by_handle_at),
    };
    filter = seccomp_init(SCMP_ACT_ALLOW);
    bool ok = filter;
    for (size_t i = 0; ok && i < sizeof forbidden / sizeof forbidden[0]; i++)
        ok = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), forbidden[i], 0) == 0;
    ok = ok && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return ok;
}

bool oro_confine_driver(void)
{
    static const struct place system[] = {{"/usr", READ_ONLY},
                                          {"/lib", READ_ONLY},
                                          {"/lib64", READ_ONLY},
                                          {"/etc", READ_ONLY},
                                          {"/opt", READ_ONLY},
                                          {"/nix", READ_ONLY},
                                          {"/proc", READ_ONLY},
                                          {"/sys", READ_ONLY},
                                          {"/run", READ_ONLY},
                                          {"/dev", READ_ONLY | LANDLOCK_ACCESS_FS_WRITE_FILE},
                                          {0}};
    if (!leave_terminal() || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return false;
    if (!SANITIZED)
        leave_files(system);
    return limit(RLIMIT_CORE, 0) && forbid_calls();
}
