"""The shards of guilds."""

from hypothesis import given
from hypothesis import strategies as st

from bot.table.shards import ALL_SHARDS, Shards, shard_of

COUNTS = st.integers(1, 24)


def test_a_guild_belongs_to_the_shard_that_discord_documents() -> None:
    assert shard_of(197038439483310086, 16) == (197038439483310086 >> 22) % 16
    assert shard_of(None, 16) == 0


@given(guild_id=st.integers(1, 2**63 - 1), count=COUNTS)
def test_each_guild_belongs_to_one_shard(guild_id: int, count: int) -> None:
    assert sum(Shards(count, frozenset({shard})).has(guild_id) for shard in range(count)) == 1
    assert ALL_SHARDS.has(guild_id)
    assert Shards(count, frozenset(range(count))).is_all


@given(first=COUNTS, second=COUNTS, data=st.data())
def test_shards_overlap_if_a_guild_can_belong_to_both(first: int, second: int, data: st.DataObject) -> None:
    one, other = data.draw(st.integers(0, first - 1)), data.draw(st.integers(0, second - 1))
    common = any(number % first == one and number % second == other for number in range(first * second))
    assert Shards(first, frozenset({one})).overlaps(second, other) == common
