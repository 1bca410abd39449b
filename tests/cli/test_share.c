/* Which graphics card a rank takes, and how many ranks share its memory. */
#include "cli/engine/share.h"
#include "tests/support/test.h"

static struct cli_share share(int rank, int count, int cards)
{
    static const int numbers[] = {3, 5};
    const struct oro_ranks ranks = {.rank = 10 + rank, .count = 20, .local_rank = rank, .local_count = count};
    return cli_share_of(&ranks, numbers, cards);
}

TEST(a_card_each)
{
    assert_int_equal(share(0, 2, 2).number, 3);
    assert_int_equal(share(1, 2, 2).number, 5);
    assert_int_equal(share(1, 2, 2).ranks, 1);
}

TEST(three_ranks_on_two_cards)
{
    static const int wanted[] = {3, 5, 3};
    for (int rank = 0; rank < 3; rank++) {
        assert_int_equal(share(rank, 3, 2).number, wanted[rank]);
        assert_int_equal(share(rank, 3, 2).ranks, 2); /* the same for all, since memory must be, too */
    }
}

TEST(more_cards_than_ranks)
{
    assert_int_equal(share(0, 1, 2).number, 3);
    assert_int_equal(share(0, 1, 2).ranks, 1);
}

TEST(no_cards)
{
    assert_int_equal(share(1, 3, 0).ranks, 3); /* all on the processor */
    assert_int_equal(share(1, 3, 0).cards, 0);
    assert_int_equal(cli_share_of(NULL, NULL, 0).ranks, 1);
}
