/* A picture of any size over the whole target. */
out vec4 colour;

uniform sampler2D picture;
uniform vec2 picture_size;

void main()
{
    colour = vec4(texture(picture, gl_FragCoord.xy / picture_size).rgb, 1.0);
}
