#ifndef ORO_BASE_CLOCK_H
#define ORO_BASE_CLOCK_H

/* Seconds on a clock that only moves forward; the zero is arbitrary. */
double oro_now(void);
/* Seconds of processor time that the calling thread has taken. */
double oro_thread_work(void);
double oro_process_work(void); /* that all threads of the process have taken */
/* Returns earlier where a signal comes. */
void oro_sleep(double seconds);

#endif
