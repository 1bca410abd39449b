#define _GNU_SOURCE /* setgroups, syscall, O_PATH */
#include "tests/editor/window/soak.h"

#include <fcntl.h>
#include <grp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/landlock.h>

enum { NOBODY = 65534 };

static const uint64_t writing = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                                LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

static bool allow(int rules, const char *folder)
{
    struct landlock_path_beneath_attr rule = {.allowed_access = writing,
                                              .parent_fd = open(folder, O_PATH | O_CLOEXEC)};
    bool ok = rule.parent_fd >= 0 &&
              syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
    if (rule.parent_fd >= 0)
        close(rule.parent_fd);
    return ok;
}

/* The X server and the driver keep their files in /tmp, too. */
static bool confine_writing(void)
{
    struct landlock_ruleset_attr attributes = {.handled_access_fs = writing};
    int rules = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
    bool ok = rules >= 0 && allow(rules, "/tmp") && allow(rules, "/dev") && allow(rules, "/proc") &&
              prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
              syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    if (rules >= 0)
        close(rules);
    return ok;
}

bool soak_confine(void)
{
    bool root = geteuid() == 0;
    if (root && (setgroups(0, NULL) != 0 || setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
        return false;
    umask(077);
    return confine_writing() || root;
}
