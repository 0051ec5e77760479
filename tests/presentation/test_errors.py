"""Every refusal has a sentence; those of the rules name their rule."""

import re

import pytest

from bot.engine import Cards, Combination, combination_table, parse_cards
from bot.engine import errors as rules
from bot.engine.combinations import Criterion
from bot.engine.errors import IllegalMove, IllegalPlay, NotHigher
from bot.presentation.text.errors import error_text, is_refusal
from bot.table import refusals as services
from bot.table.errors import StorageError
from bot.table.refusals import Refusal
from bot.table.snapshot import Table
from tests.presentation.sample_tables import WIDE, WORDS, people, row
from tests.presentation.sent_messages import MAX_TEXT_LENGTH, width

BROKEN = error_text(ZeroDivisionError(), WORDS)
SEATED = Table(row(people("Ada", "Bo", "Cy", "Di")))


def made(text: str, flush_order: str = "highest") -> Combination:
    found = combination_table("sum" if flush_order == "sum" else "highest").identify(parse_cards(text))
    assert found is not None
    return found


def cards(text: str) -> Cards:
    return parse_cards(text)


def not_higher(to_beat: str, tried: str, decisive: Criterion | None) -> NotHigher:
    return NotHigher(made(to_beat), made(tried), decisive)


SAMPLES: list[IllegalMove | Refusal] = [
    rules.NotYourTurn(2),
    rules.MatchIsOver(),
    rules.NotNow(),
    rules.OutOfThisHand(),
    rules.ExchangeFirst(),
    rules.NothingToGiveBack(),
    rules.NothingToDeclare(),
    rules.AlreadyDeclared(),
    rules.NoCardLeftToDeclare(),
    rules.NothingToTakeBack(),
    rules.WrongSeed(),
    rules.NoSuchSeat(),
    rules.NotInHand(cards("7R 7R")),
    rules.NotACombination(cards("7R 8G")),
    rules.WrongSize(made("7R"), made("8R 8G")),
    not_higher("7R 7G 7Y 7R", "8R", Criterion.KIND),
    rules.OpeningNeedsMultiOne(),
    rules.LeaderMustPlay(),
    rules.MustLeadSeveral(1),
    rules.MustPlayHighest(1, cards("10R")[0]),
    rules.MustNotPass(1, cards("10R")[0]),
    services.DeletionRunning(),
    services.DailyAlreadyDealt(),
    services.NoSuchTable(),
    services.TableIsClosed(),
    services.HasStarted(),
    services.HasNotStarted(),
    services.NoOpenTable(),
    services.UnknownButton(),
    services.MessageGone(),
    services.UnknownCommand(),
    services.HandTooLong(),
    services.TooManyPictures(),
    services.Restarting(),
    services.MatchNotOver(),
    services.FileNotFetched(),
    services.RecordTooLong(256 * 1024),
    services.ExportTooLarge(10 * 2**20),
    services.ImportExpired(),
    services.DailyNotOver(),
    services.MayNotPost(),
    services.AlreadySeated(),
    services.NotSeated(),
    services.TableIsFull(4),
    services.SeatsAreEmpty(2),
    services.HostOnly(101),
    services.WrongChannel((1, 2)),
    services.MissingRole((3,)),
    services.MayNotOpen(5),
    services.AppMayNotWrite(5),
    services.NotCurrentSeason(),
    services.HasConceded(),
    services.NoAiToRemove(),
    services.HasSubstitute(),
    services.PlaysOwnSeat(),
    services.NoLatePlayer(),
    services.IsPaused(),
    services.NotPaused(),
    services.NobodyToNudge(),
    services.NudgedRecently(1_700_000_000_000),
    services.UndoNotAllowed(),
    services.NoHints(),
    services.CoachAway(),
    services.PracticeGone(),
    services.CoachBusy(),
    services.NotLastPlace(),
    services.NotInvited(101),
    services.RemovedByHost(101),
    services.ManagersOnly(),
    services.OutdatedAction(),
    services.BadTimeZone("Berln", ("Europe/Berlin", "Europe/Bern")),
    services.BadTime("25:00"),
    services.BadDate("tomorrow"),
    services.BadQuietHours(16),
    services.BadHolidays(60),
    services.StatisticsHidden(),
    services.DuplicateNotOver(6),
    services.PlaysAtDuplicate(6),
    services.HasDuplicate(6),
    services.DuplicateBeginsFirst(6),
    services.GameFixedByDuplicate(6),
    services.NoCutAtDuplicate(6),
    services.BadCut(),
    services.NotPostedYet(),
    services.TryAgainLater(20),
    services.TooManyTables(3),
    services.TooManyUndos(20),
    services.GuildIsFull(100),
    services.TooManyInvited(25),
    services.TooManyAtOnce(3),
]
FAMILIES = (IllegalMove, IllegalPlay, Refusal, services.DuplicateRefusal, services.LimitRefusal)
"""Raised only as a subclass."""


def every_kind(family: type[Exception]) -> set[type[Exception]]:
    """A type of error and its subclasses in the app."""
    kinds = {kind for kind in family.__subclasses__() if kind.__module__.startswith("bot.")}
    return kinds.union(*map(every_kind, kinds))


def named(refusal: Exception) -> str:
    return type(refusal).__name__


def test_there_is_a_sample_of_every_refusal() -> None:
    kinds = every_kind(IllegalMove) | every_kind(Refusal)
    assert {type(sample) for sample in SAMPLES} == kinds - {*FAMILIES}


@pytest.mark.parametrize("refusal", SAMPLES, ids=named)
@pytest.mark.parametrize("seen", [None, SEATED], ids=["anywhere", "at a table"])
def test_every_refusal_is_a_sentence(refusal: Exception, seen: Table | None) -> None:
    text = error_text(refusal, WORDS, seen)
    assert is_refusal(refusal)
    assert text != BROKEN
    assert re.fullmatch(r"""([A-Z0-9"*]|Another player).*[.!)]""", text)
    assert "{" not in text


def test_every_refusal_has_a_sentence_of_its_own() -> None:
    sentences = [error_text(sample, WORDS, SEATED) for sample in SAMPLES]
    assert len(set(sentences)) == len(SAMPLES)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (1, "Try again in 1 second."),
        (20, "Try again in 20 seconds."),
        (90, "Try again in 90 seconds."),
        (91, "Try again in 2 minutes."),
        (1800, "Try again in 30 minutes."),
    ],
)
def test_a_limit_says_how_long_to_wait(seconds: int, text: str) -> None:
    assert error_text(services.TryAgainLater(seconds), WORDS) == text


def test_the_limit_of_open_tables_says_what_to_do() -> None:
    assert error_text(services.TooManyTables(3), WORDS) == "You have 3 open tables. Close one first."
    assert error_text(services.TooManyTables(1), WORDS) == "You have 1 open table. Close it first."


@pytest.mark.parametrize("refusal", [one for one in SAMPLES if isinstance(one, IllegalMove)], ids=named)
def test_a_refusal_by_the_rules_names_its_rule(refusal: IllegalMove) -> None:
    assert re.fullmatch(r"R\d+", refusal.rule)
    assert error_text(refusal, WORDS).endswith(f" (rule {refusal.rule})")


@pytest.mark.parametrize("refusal", [one for one in SAMPLES if isinstance(one, Refusal)], ids=named)
def test_a_refusal_by_the_table_names_no_rule(refusal: Refusal) -> None:
    assert "(rule" not in error_text(refusal, WORDS)


LOWER = [
    ("7R 7G 7Y 7R", "8R 8R", Criterion.KIND, "On the table: Gang of Four: 7s. Only a higher gang beats it.", "R18"),
    ("7R 7G 7Y 7R 7Y", "8R 8G 8Y 8R", Criterion.SIZE, "Your gang has fewer cards than Gang of Five: 7s.", "R18"),
    ("7R 7G 7Y 7R", "6R 6G 6Y 6R", Criterion.NUMBER, "does not beat Gang of Four: 7s.", "R18"),
    ("7R 7G", "7R 7G", None, "equal", "R15"),
    ("2R 4R 6R 8R 9R", "3G 4R 5Y 6G 7G", Criterion.KIND, "9-high red flush beats straight to 7", "R16"),
    ("7R 7G", "6R 6G", Criterion.NUMBER, "pair of 6s does not beat pair of 7s", "R17"),
    ("2R 4R 6R 8R 10R", "1R 4R 6R 8R 10R", Criterion.SUM, "Your sum is lower", "R17"),
    ("7R", "7G", Criterion.COLOR, "the color decides here, and yours is lower", "R17"),
    ("1M 3R 4R 6R 9R", "1R 3R 4R 6R 9R", Criterion.MULTI_ONE, "but the multicolored 1", "R35"),
]


@pytest.mark.parametrize(("to_beat", "tried", "decisive", "says", "rule"), LOWER, ids=[line[3] for line in LOWER])
def test_a_play_that_does_not_beat_gets_the_reason(
    to_beat: str, tried: str, decisive: Criterion | None, says: str, rule: str
) -> None:
    text = error_text(not_higher(to_beat, tried, decisive), WORDS)
    assert says in text
    assert text.endswith(f"(rule {rule})")


def test_every_criterion_has_its_sentence() -> None:
    sentences = {error_text(not_higher("7R 7G", "6R 6G", criterion), WORDS) for criterion in (*Criterion, None)}
    assert len(sentences) == len(Criterion) + 1


def test_sentences_name_the_player_where_the_table_is_known() -> None:
    assert "**Cy**" in error_text(rules.NotYourTurn(2), WORDS, SEATED)
    assert "Another player" in error_text(rules.NotYourTurn(2), WORDS)


def test_an_empty_selection_has_its_own_message() -> None:
    nothing, wrong = rules.NotACombination(()), rules.NotACombination(cards("7R 8G"))
    assert error_text(nothing, WORDS).startswith("Select cards")
    assert error_text(nothing, WORDS) != error_text(wrong, WORDS)


def test_a_hostile_name_stays_harmless_in_a_refusal() -> None:
    seated = Table(row(people("@everyone **x**", *WIDE[1:])))
    text = error_text(rules.NotYourTurn(0), WORDS, seated)
    assert "@everyone" not in text
    assert "\\*\\*x\\*\\*" in text


@pytest.mark.parametrize("refusal", SAMPLES, ids=named)
def test_every_sentence_fits(refusal: Exception) -> None:
    assert width(error_text(refusal, WORDS, Table(row(people(*WIDE))))) <= MAX_TEXT_LENGTH


def test_storage_errors_have_a_sentence_without_internals() -> None:
    text = error_text(StorageError("disk I/O error in /srv/secret"), WORDS)
    assert is_refusal(StorageError())
    assert "secret" not in text
    assert text != BROKEN


def test_internal_errors_are_not_refusals() -> None:
    assert not is_refusal(ZeroDivisionError())
    assert not is_refusal(KeyError("7R"))
    assert "7R" not in error_text(KeyError("7R"), WORDS)


def test_an_unknown_refusal_has_the_sentence_of_its_base_class() -> None:
    class MuchTooFull(services.TableIsFull):
        """A refusal without a sentence."""

    assert error_text(MuchTooFull(4), WORDS) == error_text(services.TableIsFull(4), WORDS)
