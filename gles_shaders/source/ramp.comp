/* A linear or radial gradient. */

/* Where along the ramp a place lies: 0 at its start, 1 at its end. */
float along(vec2 place)
{
    vec2 start = params.start, end = params.end;
    vec2 extent = vec2(grid.size) * grid.cell;
    if (start == end) {
        vec2 centre = grid.origin + 0.5 * extent;
        float angle = radians(params.angle);
        vec2 direction = vec2(sin(angle), -cos(angle));
        float reach = 0.5 * (params.method == METHOD_RADIAL ? min(extent.x, extent.y) : dot(abs(direction), extent));
        start = params.method == METHOD_RADIAL ? centre : centre - reach * direction;
        end = centre + reach * direction;
    }
    vec2 line = end - start;
    if (params.method == METHOD_RADIAL)
        return length(place - start) / length(line);
    return dot(place - start, line) / dot(line, line);
}

void main()
{
    ivec2 p = oro_cell();
    if (oro_inside(p))
        set_field(p, mix(params.low, params.high, clamp(along(oro_position(p)), 0.0, 1.0)));
}
