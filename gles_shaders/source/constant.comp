/* One number everywhere. */
void main()
{
    ivec2 p = oro_cell();
    if (oro_inside(p))
        set_field(p, params.value);
}
