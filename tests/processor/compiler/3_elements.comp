#version 310 es
precision highp float;
precision highp int;
layout(local_size_x = 16, local_size_y = 16) in;
layout(std140, set = 1, binding = 0) uniform block {
    ivec2 size;
    int reach, stride;
};
layout(std430, binding = 0) restrict readonly buffer b0 { float values[]; };
layout(std430, binding = 1) restrict buffer b1 { vec2 pairs[]; };
layout(std430, binding = 2) restrict buffer b2 { vec4 fours[]; };

/* Elements of two and four words, by all cells or some, and places that are moved and chosen. */
void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (p.x >= size.x || p.y >= size.y)
        return;
    int i = p.y * size.x + p.x;
    int west = max(p.x - reach, 2), east = min(p.x + stride, size.x - 1);
    int chosen = p.y % 2 == 0 ? west : east;
    int bounded = clamp(min(p.x + 1, size.x - 1), 1, size.x - 2);
    float there = values[p.y * size.x + clamp(chosen, 0, size.x - 1)];
    vec2 pair = pairs[i];
    if (values[i] > 0.0)
        pairs[i] = vec2(pair.y + there, pair.x);
    vec4 four = fours[i];
    fours[i] = vec4(four.w, values[p.y * size.x + clamp(bounded, 0, size.x - 1)], four.xy);
    if (values[i] < -2.0)
        fours[i] = vec4(-1.0, float(west), float(east), four.z);
}
