// Level ground gets its height back, through which a channel of the least gradient was led.

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    ground[i] = level_ground_at(p) > 0.5 ? max(breached[i], terrain_at(p)) : breached[i];
}
