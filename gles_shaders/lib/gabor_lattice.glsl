/* Lattices of Gabor noise (lib/gabor.glsl), and where their kernels lie. */
const int GABOR_WORDS = 3;
const int GABOR_REACH = 2; /* lattice cells that the widest kernel reaches */
/* Lattice cells around the raster. Kernels there take their direction from levels before, and so on: at most three
 * levels, each closer by 1.25 at least, look 2 (1 + 1 / 1.25 + 1 / 1.25^2) cells far. */
const int GABOR_MARGIN = 5;

struct gabor_lattice {
    uvec2 start;   /* lattice coordinate of cell (0, 0) of the raster: fractions, in 2^-32 */
    uint scale;    /* lattice cells for each cell of the raster, in 2^-32 */
    float spacing; /* the reverse: cells of the raster for each lattice cell */
    int first;     /* its first kernel */
    ivec2 size;    /* lattice cells: the margin, those over the raster, the margin again */
    ivec2 corner;  /* number of the margin's first cell, for the hash: the same for all rasters of a world */
    float wave;    /* wave number of the lattice's (lowest) frequency, in radians per lattice cell */
    float pitch;   /* that frequency, in 1/m */
    uint seed;
};

gabor_lattice gabor_lattice_at(int index)
{
    uvec4 a = lattices[GABOR_WORDS * index], b = lattices[GABOR_WORDS * index + 1];
    uvec4 c = lattices[GABOR_WORDS * index + 2];
    return gabor_lattice(a.xy, a.z, uintBitsToFloat(a.w), int(c.x), ivec2(b.xy), ivec2(b.zw), uintBitsToFloat(c.y),
                         uintBitsToFloat(c.z), c.w);
}

/* Where a place lies: a lattice cell, counted from the first over the raster, and the place in it. The place is given by
 * the centre of a raster's cell, and how far beyond it, in cells. In whole numbers, so that large rasters have it as
 * exactly as small ones. */
void gabor_place(gabor_lattice lattice, ivec2 p, vec2 beyond, out ivec2 cell, out vec2 at)
{
    uvec2 whole, part, carry;
    umulExtended(uvec2(p), uvec2(lattice.scale), whole, part);
    part = uaddCarry(part, lattice.start, carry);
    whole += carry - uvec2(lessThan(p, ivec2(0))) * lattice.scale;
    at = vec2(part >> 8u) * (1.0 / 16777216.0) + beyond / lattice.spacing;
    cell = ivec2(whole) + ivec2(floor(at));
    at -= floor(at);
}

/* The way back: a place of the lattice, in cells of the raster from the centre of the first. */
vec2 gabor_raster_place(gabor_lattice lattice, ivec2 cell, vec2 at)
{
    return (vec2(cell) + (at - vec2(lattice.start >> 8u) * (1.0 / 16777216.0))) * lattice.spacing;
}
