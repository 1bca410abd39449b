// Level ground gets its height back, through which a channel of the least gradient was led; other ground is `raised`, as high as
// it was at most.

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    float h = terrain_at(p);
    ground[i] = level_ground_at(p) > 0.5 ? h : min(raised[i], h);
}
