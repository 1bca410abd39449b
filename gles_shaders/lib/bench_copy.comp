// Copies a buffer: what the device's memory gives. Used by the benchmarks alone.

void main()
{
    uint i = (gl_WorkGroupID.y + uint(oro_first_group.y)) * (gl_NumWorkGroups.x * gl_WorkGroupSize.x) +
             gl_GlobalInvocationID.x;
    to[i] = from[i];
}
