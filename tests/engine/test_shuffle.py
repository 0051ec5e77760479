"""The deal that `docs/fairness.md` describes, compared with a reference implementation and with its test vectors."""

from collections import Counter
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine import Options, commitment, format_cards
from bot.engine.cards import DECK
from bot.engine.events import Dealt
from bot.engine.shuffle import deal
from tests.engine.positions import SEED

SALT = "10-20-30"
CHINESE = Options(deal="chinese")
A_DRAW_IS_REJECTED = 871_748
"""With SEED and SALT, the draw for card 33 of this hand is 0xfffffff9, above the 34 x 126322567 that are fair."""


def reference_deal(seed: bytes, salt: str, hand: int, *, reject: bool = True) -> tuple[list[str], list[int]]:
    """The shuffled deck as texts, and the numbers of the stream that follow it."""
    numbers: list[int] = []
    for k in range(20):
        block = sha256(seed + salt.encode("utf-8") + hand.to_bytes(4, "big") + k.to_bytes(4, "big")).digest()
        numbers += [int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4)]
    deck = ["1G", "1G", "1Y", "1Y", "1R", "1R", "1M"]
    for rank in range(2, 11):
        deck += [f"{rank}G"] * 2 + [f"{rank}Y"] * 2 + [f"{rank}R"] * 2
    deck += ["PG", "PY", "DR"]
    for i in range(63, 0, -1):
        x = numbers.pop(0)
        while reject and x >= 2**32 // (i + 1) * (i + 1):
            x = numbers.pop(0)
        j = x % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck, numbers


def sorted_text(cards: list[str]) -> str:
    """Cards in ascending order."""
    order = [str(card) for card in DECK]
    return " ".join(sorted(cards, key=order.index))


def dealt(hand: int = 1, *, seats: int = 4, options: Options = CHINESE, seed: bytes = SEED) -> Dealt:
    return deal(seed, SALT, hand, seats=seats, dealer=0, direction=1, options=options)


def as_texts(one: Dealt) -> list[str]:
    return [format_cards(hand) for hand in (*one.hands, *([one.dummy] if one.dummy else []))]


@settings(max_examples=60)
@given(seed=st.binary(min_size=32, max_size=32), salt=st.text(max_size=80), hand=st.integers(1, 2**32 - 1))
def test_a_reference_implementation_deals_the_same(seed: bytes, salt: str, hand: int) -> None:
    deck, following = reference_deal(seed, salt, hand)
    piles = [" ".join(deck[at : at + 16]) for at in (0, 16, 32, 48)]
    for seats in (3, 4):
        one = deal(seed, salt, hand, seats=seats, dealer=0, direction=1, options=CHINESE.with_changes(cut="counts"))
        assert as_texts(one) == piles
        assert len(one.dummy) == (16 if seats == 3 else 0)
        assert format_cards(one.cut) == deck[following[0] % 64]


GOLDEN = {
    1: [
        "1M 2G 2Y 2R 3R 4G 4R 6G 6Y 7Y 7R 8G 9G 9Y 10R 10R",
        "1G 2R 3G 3G 3Y 3R 4Y 5G 5Y 5Y 6R 7R 8Y 8R 9R 10G",
        "1G 4Y 4R 5R 5R 6G 6R 7G 7G 8Y 9Y 9R 10Y 10Y PY DR",
        "1Y 1Y 1R 1R 2G 2Y 3Y 4G 5G 6Y 7Y 8G 8R 9G 10G PG",
    ],
    2: [
        "1R 2G 2R 3Y 5G 6Y 6Y 6R 7G 7R 8G 8Y 8R 10Y 10R DR",
        "1Y 1M 2G 3G 3R 4G 4G 4R 4R 5Y 5Y 5R 9G 9R 9R PG",
        "1G 1Y 1R 2Y 3G 3Y 5G 5R 6R 7R 8G 9Y 9Y 10G 10Y PY",
        "1G 2Y 2R 3R 4Y 4Y 6G 6G 7G 7Y 7Y 8Y 8R 9G 10G 10R",
    ],
}


@pytest.mark.parametrize("hand", GOLDEN)
def test_golden_hands(hand: int) -> None:
    assert as_texts(dealt(hand)) == as_texts(dealt(hand, seats=3))
    assert [sorted_text(pile.split()) for pile in as_texts(dealt(hand))] == GOLDEN[hand]


def test_golden_commitment() -> None:
    assert commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_a_draw_that_would_favor_low_places_is_rejected() -> None:
    fair, _ = reference_deal(SEED, SALT, A_DRAW_IS_REJECTED)
    biased, _ = reference_deal(SEED, SALT, A_DRAW_IS_REJECTED, reject=False)
    piles = [" ".join(fair[at : at + 16]) for at in (0, 16, 32, 48)]
    assert as_texts(dealt(A_DRAW_IS_REJECTED)) == piles
    assert piles != [" ".join(biased[at : at + 16]) for at in (0, 16, 32, 48)]


def test_cutting_again_uses_the_following_numbers() -> None:
    """Hands in which the dealer looks at a Phoenix or the Dragon first."""
    repeated = 0
    for hand in range(1, 120):
        deck, following = reference_deal(SEED, SALT, hand)
        looked_at = [deck[x % 64] for x in following]
        until = next(at for at, card in enumerate(looked_at) if card not in ("PG", "PY", "DR"))
        assert [str(card) for card in dealt(hand).cut] == looked_at[: until + 1]
        repeated += until > 0
    assert repeated > 0


def test_every_deal_is_the_whole_deck() -> None:
    for hand in range(1, 50):
        assert Counter(sum(dealt(hand).hands, ())) == Counter(DECK)
        assert Counter(sum(dealt(hand, seats=3).hands, dealt(hand, seats=3).dummy)) == Counter(DECK)


def test_seed_salt_and_hand_all_matter() -> None:
    other_salt = deal(SEED, "10-20-31", 1, seats=4, dealer=0, direction=1, options=CHINESE)
    hands = {dealt().hands, dealt(2).hands, dealt(seed=bytes(32)).hands, other_salt.hands}
    assert len(hands) == 4
