/* A level of the pyramid of means: the mean of 2 x 2 values of the level below, ignoring those that are no
 * numbers. */
layout(local_size_x = 8, local_size_y = 8) in;

uniform sampler2D cells;
uniform ivec2 size;
uniform int first, from_cells;
layout(binding = 0, r32f) readonly uniform image2D below;
layout(binding = 1, r32f) writeonly uniform image2D level;

const float HOLE = -1e37;

float value(ivec2 at)
{
    if (from_cells == 0)
        return imageLoad(below, at).r;
    return all(lessThan(at, size)) ? texelFetch(cells, at, 0).r : -3e38;
}

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy) + ivec2(0, first);
    if (any(greaterThanEqual(at, imageSize(level))))
        return;
    float sum = 0.0, count = 0.0;
    for (int i = 0; i < 4; i++) {
        float v = value(2 * at + ivec2(i & 1, i >> 1));
        if (v > HOLE) {
            sum += v;
            count += 1.0;
        }
    }
    imageStore(level, at, vec4(count > 0.0 ? sum / count : -3e38));
}
