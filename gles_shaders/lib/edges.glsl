/* Cells beyond the edge of the source, for nodes with a choice `edge`: repeat goes on from the other side, mirror comes
 * back the way it went, with the edge itself as the mirror; all others hold the edge's cell. */

/* The remainder of whole numbers, 0 to n - 1: `%` is not defined below 0. */
int wrapped(int i, int n)
{
    int rest = abs(i) % n;
    return i < 0 && rest > 0 ? n - rest : rest;
}

ivec2 within_edges(ivec2 q)
{
    ivec2 n = source.size;
    if (params.edge == EDGE_REPEAT)
        return ivec2(wrapped(q.x, n.x), wrapped(q.y, n.y));
    if (params.edge == EDGE_MIRROR) {
        q = ivec2(wrapped(q.x, 2 * n.x), wrapped(q.y, 2 * n.y));
        return min(q, 2 * n - 1 - q);
    }
    return clamp(q, ivec2(0), n - 1);
}
