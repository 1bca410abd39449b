/* Folders that tests make for themselves. */
#ifndef ORO_TESTS_SUPPORT_FOLDER_H
#define ORO_TESTS_SUPPORT_FOLDER_H

/* Removes a file, or a folder with all that is in it; follows no links. Returns 0 unless it failed, as
 * fixtures do. */
int remove_tree(const char *path);

#endif
