/* A mask in one colour, blended over the flat view. */
out vec4 colour;

uniform vec2 origin, step_cells, part_at;
uniform int sharp, level;
uniform vec4 tint;

void main()
{
    vec2 at = origin + (gl_FragCoord.xy + part_at) * step_cells;
    if (any(lessThan(at, vec2(-0.5))) || any(greaterThan(at, vec2(size) - 0.5)))
        discard;
    float v = sharp != 0 ? height_at(ivec2(floor(to_level(at, level) + 0.5)), level) : height_between(at, level, 0.0);
    colour = vec4(tint.rgb, tint.a * clamp(v, 0.0, 1.0));
}
