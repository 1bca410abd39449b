// What a slanting way counts beside a straight one of the same slope. With 1, water spreads half as far aside where ground
// falls along a diagonal as where it falls along a row, and furrows grow there twice as fast: the grid would show. With
// this, it spreads alike in all directions (for exponents about 1.3).
const float ACROSS_SHARE = 0.42;
float across_weight()
{
    return ACROSS_SHARE * exp2(-0.5 * params.flow_exponent);
}
