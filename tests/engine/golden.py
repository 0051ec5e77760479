"""The golden records: whole matches by random moves, kept as files.

`python -m tests.engine.golden` writes them again. Do so only when the format changes: a change of the rules that alters
them should fail the tests.
"""

from pathlib import Path
from random import Random

from bot.engine import Options
from bot.engine.record import Line, read, write
from tests.engine.random_play import Probabilities, RandomMatch, play_out

RECORDS = Path(__file__).parent / "records"
PLAIN = {"Played", "Passed", "Declared", "Forgot", "HandEnded", "MatchEnded"}
ACTIVE = Probabilities(take_back=0.05, change_seats=0.02, give_up=0.004)

GOLDEN = {
    **{
        f"{edition}-{seats}": (edition, Options.of(edition), seats, Probabilities(take_back=0, change_seats=0), PLAIN)
        for edition in ("days-of-wonder", "dargaud-1996", "summary-sheet")
        for seats in (3, 4)
    },
    "chinese-abandoned": (
        "days-of-wonder",
        Options(deal="chinese"),
        4,
        ACTIVE,
        {"Undone", "Substituted", "Declared", "Forgot", "Abandoned"},
    ),
    "automatic": (
        "dargaud-1996",
        Options.of("dargaud-1996", {"last_card": "automatic", "target": 30, "deal": "chinese"}),
        3,
        ACTIVE,
        {"Undone", "Substituted", "MatchEnded"},
    ),
}
"""By name: edition, options, seats, probabilities, and the events that must occur."""


def shortest(name: str, tries: int = 300) -> list[Line]:
    """The shortest of some random matches that has all the required events."""
    edition, options, seats, probabilities, wanted = GOLDEN[name]
    found = []
    for number in range(tries):
        lines = play_out(RandomMatch(Random(f"{name} {number}"), edition, options, seats, probabilities))
        if wanted <= {type(line.event).__name__ for line in lines}:
            found.append(lines)
    return min(found, key=len)


def golden(name: str) -> str:
    """The text of a golden record."""
    return (RECORDS / f"{name}.jsonl").read_text(encoding="utf-8")


def write_all() -> None:
    """Write every golden record."""
    for name in GOLDEN:
        text = write(shortest(name))
        assert write(read(text)) == text
        (RECORDS / f"{name}.jsonl").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_all()
