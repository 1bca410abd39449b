#ifndef ORO_BASE_CLOCK_H
#define ORO_BASE_CLOCK_H

/* Seconds on a clock that only moves forward; the zero is arbitrary. */
double oro_now(void);

#endif
