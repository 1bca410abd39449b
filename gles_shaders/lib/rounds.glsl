// Rounds over the world's components, and what follows, are queued before it is known whether those before came to their
// end. If one did not, those after it leave everything as it is, and count as unfinished themselves. flags: [pass.before] the
// round before is unfinished, and [pass.before + 1] something is left to join (if not, a round is all but free); [pass.flag] this round is unfinished.

bool nothing_is_left()
{
    return flags[int(pass.before) + 1] == 0u;
}

bool before_is_unfinished()
{
    bool unfinished = flags[int(pass.before)] != 0u;
    if (unfinished)
        flags[int(pass.flag)] = 1u;
    return unfinished;
}

bool all_is_joined()
{
    return flags[int(pass.before)] == 0u && flags[int(pass.before) + 1] == 0u;
}
