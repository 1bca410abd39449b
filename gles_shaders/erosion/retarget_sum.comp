// What is still wrong in a level that lies in tiles, summed up for the cells of the next level in the order of
// retarget_down.comp.

float wrong_in(ivec2 p)
{
    return all(lessThan(p, source.size)) ? wrong[oro_source_cell(p)] : 0.0;
}

void main()
{
    ivec2 p = oro_cell(), q = 2 * p;
    if (oro_inside(p))
        coarse_given[oro_index(p)] = (wrong_in(q) + wrong_in(q + ivec2(1, 0))) +
                                     (wrong_in(q + ivec2(0, 1)) + wrong_in(q + ivec2(1, 1)));
}
