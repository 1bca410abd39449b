/* A picture of any size over the whole target. */
out vec4 colour;

uniform sampler2D picture;
uniform vec2 picture_size;
uniform int exact; /* 1: pixel by pixel, bit by bit */

void main()
{
    vec3 c = exact != 0 ? texelFetch(picture, ivec2(gl_FragCoord.xy), 0).rgb : texture(picture, gl_FragCoord.xy / picture_size).rgb;
    colour = vec4(c, 1.0);
}
