/*
 * Allocations that fail when a test says so: a program that is linked with allocations.c has its malloc,
 * calloc, realloc and free, which stand before those of the C library and of the sanitizers, for all
 * libraries as well. Those that end the program when memory is out, as most C++ does, are left alone: drivers
 * and GDAL.
 *
 * Any thread.
 */
#ifndef ORO_TESTS_FAULTS_ALLOCATIONS_H
#define ORO_TESTS_FAULTS_ALLOCATIONS_H

#include <stdbool.h>
#include <stddef.h>

/* Learns which libraries are left alone, of those that are loaded by now. */
void faults_allocations_begin(void);
/* The n-th allocation from now (1 is the next) fails; with `onward`, all after it, too. 0: none does. */
void faults_allocation_fails(size_t n, bool onward);
/* Allocations that could have failed since the last call of faults_allocation_fails. */
size_t faults_allocations(void);
/* Blocks that were allocated, by whomever, and are not freed. */
long faults_blocks(void);

#endif
