#include "cli/engine/share.h"

struct cli_share cli_share_of(const struct oro_ranks *ranks, const int *cards, int count)
{
    struct cli_share share = {.cards = count,
                              .ranks = ranks && ranks->local_count > 1 ? ranks->local_count : 1};
    if (count > 0) {
        share.number = cards[ranks ? ranks->local_rank % count : 0];
        share.ranks = (share.ranks + count - 1) / count;
    }
    return share;
}
