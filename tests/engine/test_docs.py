"""The engine's documents: their examples run, and their lists are complete."""

import doctest
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.engine import EDITIONS, Options, combination_table, commitment, parse_cards
from bot.engine.combinations import Kind
from bot.engine.options import OPTION_NAMES
from bot.engine.record import FORMAT, KINDS, read, to_fields
from bot.engine.scoring import penalty
from bot.engine.shuffle import deal
from tests.engine.golden import GOLDEN, RECORDS, golden

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def document(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def blocks(name: str, language: str) -> list[str]:
    """The code of a document, block by block."""
    return [code for found, code in BLOCK.findall(document(name)) if found == language]


def test_the_engine_at_a_prompt_does_what_its_page_shows() -> None:
    code = "\n".join(block for block in blocks("engine.md", "python") if ">>>" in block)
    examples = doctest.DocTestParser().get_doctest(code, {}, "engine.md", None, 0)
    output: list[str] = []
    result = doctest.DocTestRunner(optionflags=FLAGS).run(examples, out=output.append)
    assert result.attempted > 20
    assert result.failed == 0, "".join(output)


PROGRAMS = [block for block in blocks("engine.md", "python") if ">>>" not in block]


@pytest.mark.parametrize("program", PROGRAMS)
def test_each_program_of_the_page_runs(program: str) -> None:
    assert len(list(filter(None, program.splitlines()))) <= 20
    record = str(RECORDS / "days-of-wonder-4.jsonl")
    run = subprocess.run(
        [sys.executable, "-c", program, record], cwd=DOCS.parent, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout


def test_there_is_a_program() -> None:
    assert len(PROGRAMS) == 1


def test_every_rule_is_in_the_rules_once_and_in_order() -> None:
    numbers = re.findall(r"\*\*R(\d+)\*\*", document("rules.md"))
    assert numbers == [str(number) for number in range(1, 41)]


def test_the_rules_name_every_option_and_the_values_of_the_editions() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\S+) \| (\S+) \| (\S+) \|", document("rules.md"), re.MULTILINE)
    assert [name for name, *_ in rows] == list(OPTION_NAMES)
    for name, *values in rows:
        assert values == [str(Options.of(edition).as_dict()[name]) for edition in EDITIONS]


def test_the_rules_list_the_points() -> None:
    (row,) = re.findall(r"^\| points \| (.*) \|$", document("rules.md"), re.MULTILINE)
    assert [int(points) for points in row.split(" | ")] == [penalty(left) for left in range(1, 17)]


def test_the_examples_of_the_rules_hold() -> None:
    compared = re.findall(r"`([^`]+)` beats `([^`]+)`", document("rules.md"))
    assert len(compared) > 10
    for strong, weak in compared:
        high, low = (combination_table().identify(parse_cards(text)) for text in (strong, weak))
        assert high is not None, strong
        assert low is not None, weak
        assert high.beats(low), f"{strong} should beat {weak}"


def test_the_combinations_in_the_rules_have_the_kinds_that_the_rules_name() -> None:
    rows = re.findall(r"\*\*(R\d+)\*\* \| [^|]+ \| [^|]+ \| [^|]+ \| `([^`]+)` \|", document("rules.md"))
    assert [rule for rule, _ in rows] == [kind.rule for kind in Kind]
    for rule, text in rows:
        found = combination_table().identify(parse_cards(text))
        assert found is not None
        assert found.kind.rule == rule


def test_record_md_lists_every_kind_of_line_with_its_fields() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", document("record.md"), re.MULTILINE)
    assert [name for name, _ in rows[1:]] == list(KINDS)
    listed = {name: set(re.findall(r"`(\w+)`", fields)) for name, fields in rows}
    for record in GOLDEN:
        for line in read(golden(record)):
            fields = to_fields(line)
            name = fields.pop("t")
            assert fields.keys() - {"at"} <= listed[name]


def test_the_example_in_record_md_is_a_record() -> None:
    (example,) = blocks("record.md", "json")
    assert [line.event.seat for line in read(example)[2:]] == [0, 1, 2]  # type: ignore[union-attr]  # plays and a pass
    assert json.loads(example.split("\n")[0])["format"] == FORMAT


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program of the fairness page, away from this project."""
    program = document("fair.py")
    assert len(list(filter(None, program.splitlines()))) <= 41
    path = tmp_path_factory.mktemp("checker") / "fair.py"
    path.write_text(program, encoding="utf-8")
    return path


def run(program: Path, record: Path) -> subprocess.CompletedProcess[str]:
    """Run a program on a record, without anything of this project."""
    command = [sys.executable, "-I", "-W", "error", str(program), str(record)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=program.parent, timeout=60)


@pytest.mark.parametrize("name", GOLDEN)
def test_the_checker_confirms_fair_deals(checker: Path, name: str) -> None:
    done = run(checker, RECORDS / f"{name}.jsonl")
    hands = golden(name).count('{"t": "deal"')
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [f"hand {hand} was dealt from the seed" for hand in range(1, hands + 1)]


TAMPERED = [
    ('"salt": "', '"salt": "1', "hand 1 was not dealt from the seed"),
    ('"commitment": "', '"commitment": "0', "the seed is not the one that was committed to"),
    ('"hand": 2,', '"hand": 3,', "hand 2 is missing: hand 3 follows"),
    ('"hand": 1,', '"hand": 2,', "hand 1 is missing: hand 2 follows"),
    ('"cut": [', '"cut": ["9G", ', "hand 1 was not dealt from the seed"),
]


@pytest.mark.parametrize(("old", "new", "why"), TAMPERED, ids=[new for _, new, _ in TAMPERED])
def test_the_checker_finds_an_unfair_deal(checker: Path, tmp_path: Path, old: str, new: str, why: str) -> None:
    record = tmp_path / "match.jsonl"
    record.write_text(golden("chinese-abandoned").replace(old, new, 1), encoding="utf-8")
    done = run(checker, record)
    assert (done.returncode, done.stderr.strip()) == (1, why)


def test_the_checker_misses_the_deal_of_the_last_hand(checker: Path, tmp_path: Path) -> None:
    record, lines = tmp_path / "match.jsonl", golden("days-of-wonder-4").splitlines(keepends=True)
    deals = [line for line in lines if '"t": "deal"' in line]
    record.write_text("".join(line for line in lines if line != deals[-1]), encoding="utf-8")
    done = run(checker, record)
    assert (done.returncode, done.stderr.strip()) == (1, f"hand {len(deals)} is missing")


def refused(checker: Path, record: Path) -> str:
    """The one line that the program prints when it refuses a record."""
    done = run(checker, record)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    return done.stderr


@pytest.mark.parametrize("end", [-1, 5], ids=["without its last line", "cut off"])
def test_the_checker_reports_a_missing_seed(checker: Path, tmp_path: Path, end: int) -> None:
    record = tmp_path / "match.jsonl"
    record.write_text("".join(golden("chinese-abandoned").splitlines(keepends=True)[:end]), encoding="utf-8")
    assert refused(checker, record).startswith("the last line reveals no seed")


NO_RECORDS = {
    "nothing": b"",
    "not JSON": b"hello\n",
    "no objects": b"[1]\n[2]\n",
    "no match": b"{}\n{}\n",
    "no text": b"\xff\xfe\n",
    "a seed that is no hex": b'{"salt": ""}\n{"seed": "x"}\n',
}


@pytest.mark.parametrize("name", NO_RECORDS)
def test_the_checker_reports_a_file_that_is_not_a_record(checker: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "match.jsonl").write_bytes(NO_RECORDS[name])
    assert refused(checker, tmp_path / "match.jsonl").startswith("this is not the record of a match")


def test_the_checker_reports_a_missing_file(checker: Path, tmp_path: Path) -> None:
    assert refused(checker, tmp_path / "missing.jsonl").startswith("this is not the record of a match")


def test_the_checker_shows_the_message_and_the_cuts(checker: Path, tmp_path: Path) -> None:
    """The record is dealt from a salt of the current form."""
    seed, salt = bytes(range(32)), "1300000000000000000-17-0-ai-44"
    dealt = deal(seed, salt, 1, seats=4, dealer=0, direction=1, options=Options())
    hands = [[str(card) for card in hand] for hand in dealt.hands]
    lines = [
        {"t": "match", "salt": salt, "commitment": commitment(seed), "seats": ["Ada", "Bo", "Jade", "Di"]},
        {"t": "deal", "hand": 1, "hands": hands, "dummy": []},
        {"t": "match_end", "seed": seed.hex()},
    ]
    record = tmp_path / "match.jsonl"
    record.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    done = run(checker, record)
    assert (done.returncode, done.stderr) == (0, "")
    output = f"commitment {commitment(seed)}, message 1300000000000000000, cuts 17 0 ai 44"
    assert done.stdout.splitlines() == [output, "hand 1 was dealt from the seed"]
