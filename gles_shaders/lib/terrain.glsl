/* What many kernels ask of a terrain: elevation beyond the edge, gradient. For kernels that read `terrain`. */
/* Elevation at a cell that may lie outside the raster: beyond an edge the surface goes on along its last slope. Where
 * the raster is one cell wide there is no slope to follow, and it goes on level. */
float terrain_beyond(ivec2 p)
{
    ivec2 last = source.size - 1;
    ivec2 q = clamp(p, ivec2(0), last);
    ivec2 past = p - q;
    float edge = terrain_at(q), h = edge;
    if (past.x != 0)
        h += float(abs(past.x)) * (edge - terrain_at(ivec2(clamp(q.x - sign(past.x), 0, last.x), q.y)));
    if (past.y != 0)
        h += float(abs(past.y)) * (edge - terrain_at(ivec2(q.x, clamp(q.y - sign(past.y), 0, last.y))));
    return h;
}

/* Gradient in metres per metre, x to the east and y to the south (Horn 1981: differences across 3x3 cells, weighted
 * 1 2 1). One-sided at the border. The terrain falls fastest along -gradient. */
vec2 gradient(ivec2 p)
{
    float nw = terrain_beyond(p + ivec2(-1, -1)), n = terrain_beyond(p + ivec2(0, -1));
    float ne = terrain_beyond(p + ivec2(1, -1)), w = terrain_beyond(p + ivec2(-1, 0));
    float e = terrain_beyond(p + ivec2(1, 0)), sw = terrain_beyond(p + ivec2(-1, 1));
    float s = terrain_beyond(p + ivec2(0, 1)), se = terrain_beyond(p + ivec2(1, 1));
    float east = (ne - nw) + 2.0 * (e - w) + (se - sw);
    float south = (sw - nw) + 2.0 * (s - n) + (se - ne);
    return vec2(east, south) / (8.0 * source.cell);
}
