// Level ground: what has the height of the level ground near it.

void main()
{
    ivec2 p = oro_cell();
    if (oro_inside(p))
        mask[oro_index(p)] = level[oro_index(p)] == ground[oro_index(p)] ? 1.0 : 0.0;
}
