#include "tests/faults/output.h"

#include <stdio.h>
#include <stdlib.h>

#include <fcntl.h>
#include <unistd.h>

char faults_printed[FAULTS_LOG_MAX], faults_complained[FAULTS_LOG_MAX];

static void restart(const char *path, int descriptor)
{
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0 || dup2(file, descriptor) < 0)
        _Exit(99);
    close(file);
}

void faults_output_begin(void)
{
    restart("stdout", STDOUT_FILENO);
    restart("stderr", STDERR_FILENO);
    clearerr(stdout);
}

static void read_back(const char *path, char text[FAULTS_LOG_MAX])
{
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(text, 1, FAULTS_LOG_MAX - 1, file) : 0;
    text[length] = '\0';
    if (file)
        fclose(file);
}

void faults_output_read(void)
{
    read_back("stdout", faults_printed);
    read_back("stderr", faults_complained);
}
