// The correction of every place. Where one of the heights is no number, there is nothing to correct.

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    float difference = target[i] - ground[i];
    bool known = fixed_out[i] > 0.5 && abs(difference) < 1e30;
    fixed_out[i] = known ? 1.0 : 0.0;
    delta[i] = known ? difference : 0.0;
}
