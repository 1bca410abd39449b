#include "editor/shell/frame_log.h"

#include <stdio.h>
#include <time.h>

#include <EGL/egl.h>
#include <GLES3/gl31.h>

#include <GLES2/gl2ext.h>

#include "base/clock.h"
#include "base/memory.h"
#include "editor/view/views.h"

/* Queries are read when their results are there, some frames later. */
enum { QUERIES = 8 };

struct ed_frame_log {
    FILE *file;
    double event, begun, drawn;
    double worked,
        work; /* processor time of this thread: at the frame's beginning; taken until it was built */
    PFNGLGENQUERIESEXTPROC generate;
    PFNGLBEGINQUERYEXTPROC begin;
    PFNGLENDQUERYEXTPROC end;
    PFNGLGETQUERYOBJECTUI64VEXTPROC result;
    PFNGLGETQUERYOBJECTUIVEXTPROC available;
    GLuint queries[QUERIES];
    uint64_t frames[QUERIES]; /* the frame that each query is for; 0: free */
    int open;                 /* the query that runs, or -1 */
};

struct ed_frame_log *ed_frame_log_open(const char *path, struct oro_error *err)
{
    struct ed_frame_log *log = oro_alloc(1, sizeof *log);
    FILE *file = log ? fopen(path, "w") : NULL;
    if (!file) {
        oro_free(log);
        oro_fail(err, ORO_E_WRITE, "'%s' cannot be written", path);
        return NULL;
    }
    log->file = file;
    log->open = -1;
    log->generate = (PFNGLGENQUERIESEXTPROC)eglGetProcAddress("glGenQueriesEXT");
    log->begin = (PFNGLBEGINQUERYEXTPROC)eglGetProcAddress("glBeginQueryEXT");
    log->end = (PFNGLENDQUERYEXTPROC)eglGetProcAddress("glEndQueryEXT");
    log->result = (PFNGLGETQUERYOBJECTUI64VEXTPROC)eglGetProcAddress("glGetQueryObjectui64vEXT");
    log->available = (PFNGLGETQUERYOBJECTUIVEXTPROC)eglGetProcAddress("glGetQueryObjectuivEXT");
    if (log->generate && log->begin && log->end && log->result && log->available)
        log->generate(QUERIES, log->queries);
    return log;
}

static void read_queries(struct ed_frame_log *log)
{
    for (int i = 0; i < QUERIES && log->queries[0]; i++) {
        GLuint there = 0;
        GLuint64 nanoseconds = 0;
        if (log->frames[i] == 0 || i == log->open)
            continue;
        log->available(log->queries[i], GL_QUERY_RESULT_AVAILABLE_EXT, &there);
        if (!there)
            continue;
        log->result(log->queries[i], GL_QUERY_RESULT_EXT, &nanoseconds);
        fprintf(log->file, "{\"frame\": %llu, \"gpu\": %.6f}\n", (unsigned long long)log->frames[i],
                (double)nanoseconds * 1e-9);
        log->frames[i] = 0;
    }
}

void ed_frame_log_close(struct ed_frame_log *log)
{
    if (!log)
        return;
    glFinish();
    read_queries(log);
    fclose(log->file);
    oro_free(log);
}

void ed_frame_log_event(struct ed_frame_log *log)
{
    if (log && log->event <= 0)
        log->event = oro_now();
}

/* Seconds of processor time that this thread has used. */
static double worked(void)
{
    struct timespec time;
    return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0
               ? (double)time.tv_sec + (double)time.tv_nsec * 1e-9
               : 0;
}

void ed_frame_log_begin(struct ed_frame_log *log)
{
    if (!log)
        return;
    log->begun = oro_now();
    log->worked = worked();
    read_queries(log);
    for (int i = 0; i < QUERIES && log->queries[0] && log->open < 0; i++)
        if (log->frames[i] == 0)
            log->open = i;
    if (log->open >= 0)
        log->begin(GL_TIME_ELAPSED_EXT, log->queries[log->open]);
}

void ed_frame_log_built(struct ed_frame_log *log)
{
    if (log)
        log->work = worked() - log->worked;
}

void ed_frame_log_drawn(struct ed_frame_log *log)
{
    if (!log)
        return;
    if (log->open >= 0)
        log->end(GL_TIME_ELAPSED_EXT);
    log->drawn = oro_now();
}

void ed_frame_log_end(struct ed_frame_log *log, struct ed_session *session)
{
    if (!log)
        return;
    double now = oro_now();
    fprintf(log->file,
            "{\"frame\": %llu, \"at\": %.6f, \"event\": %.6f, \"cpu\": %.6f, \"work\": %.6f, \"swap\": %.6f, "
            "\"revision\": %llu, "
            "\"shown\": %llu}\n",
            (unsigned long long)session->frame, now, log->event > 0 ? now - log->event : -1,
            log->drawn - log->begun, log->work, now - log->drawn,
            (unsigned long long)ed_project_revision(session->project),
            (unsigned long long)ed_views_shown(session));
    if (log->open >= 0)
        log->frames[log->open] = session->frame;
    log->open = -1;
    log->event = 0;
}
