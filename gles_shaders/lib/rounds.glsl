// Rounds over the world's components are queued before it is known whether those before came to their end. If one did not,
// those after it leave everything as it is, and count as unfinished themselves. flags: [pass.before] the round before is
// unfinished; [pass.flag] this one.

bool before_is_unfinished()
{
    bool unfinished = flags[int(pass.before)] != 0u;
    if (unfinished)
        flags[int(pass.flag)] = 1u;
    return unfinished;
}
