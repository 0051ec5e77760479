"""R15-R18 and R35: what beats what."""

import pytest

from bot.engine import Options, combination_table
from bot.engine.combinations import Criterion
from tests.engine.positions import combination

HIGHEST, SUM = Options(), Options(flush_order="sum")
BOTH = (HIGHEST, SUM)

BEATS = [
    pytest.param("2G 2Y", "1R 1R", BOTH, id="R15 as many cards and higher"),
    pytest.param("2G 3G 4G 6G 7G", "6G 7Y 8Y 9R 10R", BOTH, id="R16 flush over straight"),
    pytest.param("2G 2G 2Y 1G 1Y", "4R 7R 8R 9R 10R", BOTH, id="R16 full house over flush"),
    pytest.param("1G 2G 3G 4G 5G", "10R 10R 10Y PG PY", BOTH, id="R16 straight flush over full house"),
    pytest.param("10G", "8R", BOTH, id="R17 single: number first"),
    pytest.param("5R", "5Y", BOTH, id="R17 single: red over yellow"),
    pytest.param("5Y", "5G", BOTH, id="R17 single: yellow over green"),
    pytest.param("1M", "1R", BOTH, id="R17 single: multicolored over red"),
    pytest.param("2G", "1M", BOTH, id="R17 single: any 2 over the multicolored 1"),
    pytest.param("PG", "10R", BOTH, id="R17 single: Phoenix over 10"),
    pytest.param("PY", "PG", BOTH, id="R17 single: yellow Phoenix over green"),
    pytest.param("DR", "PY", BOTH, id="R17 single: Dragon over all"),
    pytest.param("4G 4G", "3R 3R", BOTH, id="R17 pair: number first"),
    pytest.param("3G 3R", "3Y 3Y", BOTH, id="R17 pair: the highest color first"),
    pytest.param("1M 1G", "1R 1R", BOTH, id="R17 pair: multicolored is the highest color"),
    pytest.param("PG PY", "10R 10R", BOTH, id="R17 pair: the Phoenixes over all"),
    pytest.param("6G 6G 6Y", "5Y 5R 5R", BOTH, id="R17 triple: number first"),
    pytest.param("6G 6R 6R", "6Y 6Y 6R", BOTH, id="R17 triple: then the second color"),
    pytest.param("6Y 6R 6R", "6G 6R 6R", BOTH, id="R17 triple: then the third color"),
    pytest.param("1M 1G 1G", "1Y 1R 1R", BOTH, id="R17 triple: multicolored first"),
    pytest.param("3G 4G 5Y 6R 7G", "2R 3R 4R 5R 6Y", BOTH, id="R17 straight: highest number"),
    pytest.param("2G 3G 4G 5G 6Y", "2R 3R 4R 5R 6G", BOTH, id="R17 straight: color of the highest card"),
    pytest.param("2G 3G 4G 5R 6Y", "2R 3R 4R 5Y 6Y", BOTH, id="R17 straight: color of the next card down"),
    pytest.param("2R 3G 4G 5R 6Y", "2Y 3G 4G 5R 6Y", BOTH, id="R17 straight: color of the lowest card"),
    pytest.param("2G 3G 4G 5G 6G", "1R 2R 3R 4R 5R", BOTH, id="R17 straight flush: highest number"),
    pytest.param("2Y 3Y 4Y 5Y 6Y", "2G 3G 4G 5G 6G", BOTH, id="R17 straight flush: color"),
    pytest.param("2G 3G 4G 5G 9G", "4R 5R 6R 7R 7R", (HIGHEST,), id="R17 flush: highest number over color"),
    pytest.param("2Y 3Y 4Y 5Y 9Y", "4G 6G 7G 8G 9G", (HIGHEST,), id="R17 flush: color over the second number"),
    pytest.param("2G 3G 4G 7G 9G", "3G 4G 5G 6G 9G", (HIGHEST,), id="R17 flush: then the second number"),
    pytest.param("2G 3G 5G 7G 9G", "3G 4G 4G 7G 9G", (HIGHEST,), id="R17 flush: then the third number"),
    pytest.param("3G 4G 5G 7G 9G", "3G 3G 5G 7G 9G", (HIGHEST,), id="R17 flush: then the fourth number"),
    pytest.param("3G 4G 5G 7G 9G", "2G 4G 5G 7G 9G", (HIGHEST,), id="R17 flush: then the fifth number"),
    pytest.param("5G 5G 6G 7G 8G", "1R 2R 3R 4R 10R", (SUM,), id="R17 flush: the sum over the highest number"),
    pytest.param("3Y 4Y 5Y 6Y 8Y", "2G 3G 4G 7G 10G", (SUM,), id="R17 flush: color where the sums are equal"),
    pytest.param("3G 3G 3Y 1G 1G", "2R 2R 2Y 10R 10R", BOTH, id="R17 full house: the number of the triple"),
    pytest.param("3G 3Y 3R 1G 1G", "3G 3Y 3Y 10R 10R", BOTH, id="R17 full house: the colors of the triple"),
    pytest.param("3G 3Y 3R 5G 5G", "3G 3Y 3R 4R 4R", BOTH, id="R17 full house: the number of the pair"),
    pytest.param("3G 3Y 3R PG PY", "3G 3Y 3R 10R 10R", BOTH, id="R17 full house: the Phoenixes as a pair"),
    pytest.param("3G 3Y 3R 5G 5R", "3G 3Y 3R 5Y 5Y", BOTH, id="R17 full house: the colors of the pair"),
    pytest.param("1G 1G 1Y 1Y", "DR", BOTH, id="R18 the lowest gang over the Dragon"),
    pytest.param("1G 1G 1Y 1Y", "PG PY", BOTH, id="R18 a gang over a pair"),
    pytest.param("1G 1G 1Y 1Y", "10G 10Y 10R", BOTH, id="R18 a gang over a triple"),
    pytest.param("1G 1G 1Y 1Y", "6R 7R 8R 9R 10R", BOTH, id="R18 four over five cards"),
    pytest.param("3G 3Y 3Y 3R", "2R 2R 2Y 2Y", BOTH, id="R18 the number of the gang"),
    pytest.param("1G 1G 1Y 1Y 1R", "10R 10R 10Y 10Y", BOTH, id="R18 five over four"),
    pytest.param("2G 2G 2Y 2Y 2R 2R", "10R 10R 10Y 10Y 10G", BOTH, id="R18 six over five"),
    pytest.param("1G 1G 1Y 1Y 1R 1R 1M", "10R 10R 10Y 10Y 10G 10G", BOTH, id="R18 seven over six"),
    pytest.param("9G 9G 9Y 9Y 9R", "8G 8Y 8Y 8R 8R", BOTH, id="R18 gangs of five by number"),
    pytest.param("9G 9G 9Y 9Y 9R", "6R 7R 8R 9R 10R", BOTH, id="R13 a gang of five beats five-card combinations"),
    pytest.param("1M 1G 1G 2G 2G", "6R 7R 8R 9R 10G", BOTH, id="R14 read as a full house, it beats a straight"),
    pytest.param("1M 1G 1G 2G 2G", "4R 7R 8R 9R 10R", BOTH, id="R14 read as a full house, it beats a flush"),
    pytest.param("1M 3G 5G 7G 9G", "1G 3G 5G 7G 9G", BOTH, id="R35 in a flush"),
    pytest.param("1M 2G 3G 4G 5G", "1G 2G 3G 4G 5G", BOTH, id="R35 in a straight flush"),
    pytest.param("1M 2G 3G 4Y 5G", "1R 2G 3G 4Y 5G", BOTH, id="R35 in a straight"),
    pytest.param("1M 1G 3G 7G 9G", "1G 1G 3G 7G 9G", BOTH, id="R35 in a flush with another 1"),
    pytest.param("1M 6G 7G 8G 9G", "2G 6G 7G 8G 8G", (SUM,), id="R35 where only the sums are equal"),
]

EQUAL = [
    pytest.param("2G 2Y", "2Y 2G", BOTH, id="R15 the same pair"),
    pytest.param("7R", "7R", BOTH, id="R15 the same card"),
    pytest.param("2G 3G 5Y 4Y 6R", "6R 5Y 4Y 3G 2G", BOTH, id="R15 the same straight"),
    pytest.param("2G 3G 4G 8G 9G", "1G 3G 5G 8G 9G", (SUM,), id="R17 flushes of one sum and color"),
    pytest.param("4G 4G 4Y 4R", "4G 4Y 4Y 4R", BOTH, id="R18 gangs of one size and number"),
]

STRANGERS = [
    pytest.param("5G 5Y", "4R", id="R15 a pair on a single"),
    pytest.param("DR", "1G 1Y", id="R15 a single on a pair"),
    pytest.param("6R 7R 8R 9R 10R", "1G 1Y 1R", id="R15 five cards on a triple"),
    pytest.param("6R 7R 8R 9R 10R", "1G 1G 1Y 1Y", id="R18 five cards on a gang"),
    pytest.param("DR", "1G 1G 1Y 1Y", id="R18 the Dragon on a gang"),
]


@pytest.mark.parametrize(("strong", "weak", "editions"), BEATS)
def test_beats(strong: str, weak: str, editions: tuple[Options, ...]) -> None:
    for options in editions:
        high, low = combination(strong, options), combination(weak, options)
        assert high.beats(low)
        assert not low.beats(high)


@pytest.mark.parametrize(("one", "other", "editions"), EQUAL)
def test_equal_combinations_do_not_beat_each_other(one: str, other: str, editions: tuple[Options, ...]) -> None:
    for options in editions:
        left, right = combination(one, options), combination(other, options)
        assert not left.beats(right)
        assert not right.beats(left)
        assert combination_table(options.flush_order).decisive(left, right) is None


@pytest.mark.parametrize(("tried", "to_beat"), STRANGERS)
def test_a_combination_of_another_size_does_not_beat(tried: str, to_beat: str) -> None:
    assert not combination(tried).beats(combination(to_beat))


DECISIVE = [
    ("2G 3G 4G 6G 7G", "6G 7Y 8Y 9R 10R", HIGHEST, Criterion.KIND),
    ("10G", "8R", HIGHEST, Criterion.NUMBER),
    ("5R", "5Y", HIGHEST, Criterion.COLOR),
    ("3G 3Y 3R 5G 5R", "3G 3Y 3R 5Y 5Y", HIGHEST, Criterion.COLOR),
    ("3G 3Y 3R 6G 6R", "3G 3Y 3R 5Y 5Y", HIGHEST, Criterion.NUMBER),
    ("2G 3G 4G 7G 9G", "3G 4G 5G 6G 9G", HIGHEST, Criterion.NUMBER),
    ("2Y 3Y 4Y 7Y 9Y", "3G 4G 5G 6G 9G", HIGHEST, Criterion.COLOR),
    ("2G 3G 4G 7G 9G", "3R 4R 5R 6R 6R", SUM, Criterion.SUM),
    ("4G 4G 4Y 4Y 4R", "9G 9G 9Y 9Y", HIGHEST, Criterion.SIZE),
    ("9G 9G 9Y 9Y", "4G 4G 4Y 4Y", HIGHEST, Criterion.NUMBER),
]


@pytest.mark.parametrize(("one", "other", "options", "criterion"), DECISIVE)
def test_the_decisive_criterion(one: str, other: str, options: Options, criterion: Criterion) -> None:
    order = combination_table(options.flush_order)
    assert order.decisive(combination(one, options), combination(other, options)) is criterion
