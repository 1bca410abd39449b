#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

void oro_note(const struct oro_log *log, enum oro_level level, const char *format, ...)
{
    if (!log || !log->write)
        return;
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    log->write(log->user, level, text);
}
