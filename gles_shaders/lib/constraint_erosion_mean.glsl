// B of terrain/hydrology/constraint_erosion.h: bilinear between the sums that the tiles have.

vec2 tile_at(ivec2 t)
{
    ivec2 size = (grid.size + int(pass.tile) - 1) / int(pass.tile);
    t = clamp(t, ivec2(0), size - 1);
    return tiles[t.y * size.x + t.x];
}

float mean_difference(ivec2 p)
{
    vec2 place = (vec2(p) + 0.5) / pass.tile - 0.5, low = floor(place), f = place - low;
    ivec2 t = ivec2(low);
    vec2 north = mix(tile_at(t), tile_at(t + ivec2(1, 0)), f.x);
    vec2 south = mix(tile_at(t + ivec2(0, 1)), tile_at(t + ivec2(1, 1)), f.x);
    vec2 sum = mix(north, south, f.y);
    return sum.y > 0.0 ? sum.x / sum.y : 0.0;
}
