/*
 * Ranks over MPI: implements graph/type/ranks.h for the processes that mpirun or srun has started. The one
 * folder that knows MPI.
 *
 * One thread, which called oro_mpi_begin, calls all of it.
 */
#ifndef ORO_MPI_RANKS_H
#define ORO_MPI_RANKS_H

#include <stddef.h>

#include "graph/type/ranks.h"

/* Starts MPI; once in a program, before it reads its arguments. */
bool oro_mpi_begin(int *argc, char ***argv, struct oro_error *err);

/* Collective: all processes of the job, in a space of messages of their own. Messages are cut into pieces of
 * at most `cut` bytes, 0: 512 MiB (Open MPI's counts end at 2^31). NULL: ORO_E_MEMORY or ORO_E_RANKS. */
struct oro_ranks *oro_mpi_ranks(size_t cut, struct oro_error *err);

/* Leaves MPI, when all ranks have come here. Nothing of MPI can be used any more. `cancelled`: mpirun, which
 * was asked to stop, no longer answers, and need not be told. */
void oro_mpi_end(bool cancelled);

#endif
