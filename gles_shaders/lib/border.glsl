// Outside the grid the ground goes on as it did at the start, but never uphill: water and sediment leave there. This is
// the base level: it stays, so that a border erodes towards it and not without end. The gentler of the last two slopes
// counts, and at most that of a valley floor: a steeper fall would sink the border, level after level.
const float STEEPEST_OUTFLOW = 0.1;

// Elevation there at the start, from those of the edge and of the next two cells inwards.
float ground_beyond(float at_edge, float next, float second)
{
    return at_edge - clamp(min(next - at_edge, second - next), 0.0, STEEPEST_OUTFLOW * grid.cell);
}
