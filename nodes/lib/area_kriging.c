#include "nodes/lib/area_kriging.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/memory.h"

enum { DRIFT = 3, UNKNOWNS = ORO_KRIGING_CELLS + DRIFT };

/* Generalised covariance of ground whose power falls with the wavenumber to the 4.5th: distance to the 2.5th
 * (Matheron 1973). Real elevation data have 4 to 5. */
static double covariance(double dx, double dy)
{
    double square = dx * dx + dy * dy;
    return square * sqrt(sqrt(square));
}

/* Where part i of a cell lies, from the cell's centre. */
static double place(int i, int side)
{
    return (i + 0.5) / side - 0.5;
}

/* Mean covariance of the parts of two cells that lie (dx, dy) apart: so many pairs of parts lie alike. */
static double between_cells(int dx, int dy, int side)
{
    double sum = 0;
    for (int j = 1 - side; j < side; j++)
        for (int i = 1 - side; i < side; i++)
            sum +=
                (side - abs(i)) * (side - abs(j)) * covariance(dx + i / (double)side, dy + j / (double)side);
    return sum / pow(side, 4);
}

/* Mean covariance of a part of the middle cell and the parts of the cell at (dx, dy). */
static double to_cell(double x, double y, int dx, int dy, int side)
{
    double sum = 0;
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++)
            sum += covariance(dx + place(i, side) - x, dy + place(j, side) - y);
    return sum / (side * side);
}

/* One row per cell, and one each for the level and the fall to the east and south, on which nothing depends.
 * `columns`: the unknowns and the right sides after them. */
static void set_up(int side, int columns, double *system)
{
    double between[ORO_KRIGING_WIDTH][ORO_KRIGING_WIDTH];
    for (int dy = 0; dy < ORO_KRIGING_WIDTH; dy++)
        for (int dx = 0; dx < ORO_KRIGING_WIDTH; dx++)
            between[dy][dx] = between_cells(dx, dy, side);
    for (int row = 0; row < ORO_KRIGING_CELLS; row++) {
        int x = row % ORO_KRIGING_WIDTH, y = row / ORO_KRIGING_WIDTH;
        int dx = x - ORO_KRIGING_REACH, dy = y - ORO_KRIGING_REACH;
        double *at = system + (ptrdiff_t)row * columns, drift[DRIFT] = {1, dx, dy};
        for (int i = 0; i < ORO_KRIGING_CELLS; i++)
            at[i] = between[abs(y - i / ORO_KRIGING_WIDTH)][abs(x - i % ORO_KRIGING_WIDTH)];
        for (int i = 0; i < DRIFT; i++)
            at[ORO_KRIGING_CELLS + i] = system[(ptrdiff_t)(ORO_KRIGING_CELLS + i) * columns + row] = drift[i];
        for (int part = 0; part < side * side; part++)
            at[UNKNOWNS + part] = to_cell(place(part % side, side), place(part / side, side), dx, dy, side);
    }
    for (int part = 0; part < side * side; part++) {
        double drift[DRIFT] = {1, place(part % side, side), place(part / side, side)};
        for (int i = 0; i < DRIFT; i++)
            system[(ptrdiff_t)(ORO_KRIGING_CELLS + i) * columns + UNKNOWNS + part] = drift[i];
    }
}

static void swap_rows(double *a, double *b, int columns)
{
    for (int i = 0; i < columns; i++) {
        double was = a[i];
        a[i] = b[i];
        b[i] = was;
    }
}

/* Gauss and Jordan's elimination with pivots by rows: the right sides become the solutions. */
static void solve(double *system, int columns)
{
    for (int k = 0; k < UNKNOWNS; k++) {
        double *row = system + (ptrdiff_t)k * columns;
        int best = k;
        for (int i = k + 1; i < UNKNOWNS; i++)
            if (fabs(system[(ptrdiff_t)i * columns + k]) > fabs(system[(ptrdiff_t)best * columns + k]))
                best = i;
        if (best != k)
            swap_rows(row, system + (ptrdiff_t)best * columns, columns);
        for (int i = columns - 1; i >= k; i--)
            row[i] /= row[k];
        for (int other = 0; other < UNKNOWNS; other++) {
            double *lower = system + (ptrdiff_t)other * columns, factor = lower[k];
            if (other != k && factor != 0)
                for (int i = k; i < columns; i++)
                    lower[i] -= factor * row[i];
        }
    }
}

bool oro_area_kriging(int side, float *weights)
{
    int parts = side * side, columns = UNKNOWNS + parts;
    double *system = oro_alloc((size_t)UNKNOWNS * (size_t)columns, sizeof *system);
    if (!system)
        return false;
    set_up(side, columns, system);
    solve(system, columns);
    for (int part = 0; part < parts; part++)
        for (int i = 0; i < ORO_KRIGING_CELLS; i++)
            weights[part * ORO_KRIGING_CELLS + i] = (float)system[(ptrdiff_t)i * columns + UNKNOWNS + part];
    oro_free(system);
    return true;
}
