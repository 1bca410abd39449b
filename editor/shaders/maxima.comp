/* A level of the pyramid of maxima: of the corners of each patch first, then of 2 x 2 of the level below. */
layout(local_size_x = 8, local_size_y = 8) in;

uniform sampler2D cells;
uniform ivec2 size;
uniform int first, from_cells;
layout(binding = 0, r32f) readonly uniform image2D below;
layout(binding = 1, r32f) writeonly uniform image2D level;

float corner(ivec2 at)
{
    return texelFetch(cells, min(at, size - 1), 0).r;
}

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy) + ivec2(0, first);
    if (any(greaterThanEqual(at, imageSize(level))))
        return;
    vec4 four;
    if (from_cells != 0) {
        four = vec4(corner(at), corner(at + ivec2(1, 0)), corner(at + ivec2(0, 1)), corner(at + 1));
    } else {
        ivec2 from = 2 * at;
        four = vec4(imageLoad(below, from).r, imageLoad(below, from + ivec2(1, 0)).r,
                    imageLoad(below, from + ivec2(0, 1)).r, imageLoad(below, from + 1).r);
    }
    imageStore(level, at, vec4(max(max(four.x, four.y), max(four.z, four.w))));
}
