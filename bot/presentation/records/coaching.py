"""The coach's reviews of a hand and of a match: the most expensive moves, the turning points, luck and skill."""

from collections.abc import Sequence
from dataclasses import replace

from bot.analysis import hints
from bot.analysis.coaching import Cost, Decision, HandReview, MatchReview, Review, ended_hands
from bot.analysis.par import ParResult
from bot.analysis.replay import Origin, ReplayedMatch
from bot.engine import Options, Pass, Play
from bot.engine.events import HandEnded
from bot.pictures.descriptions import Reviewed
from bot.presentation.records.charts import Chart, totals_alt, totals_plot
from bot.presentation.table.hint import why
from bot.presentation.table.lists import fit_lines
from bot.presentation.table.replay_state import ReplayState
from bot.presentation.text import labels
from bot.presentation.text.cards import faces
from bot.presentation.text.i18n import Words
from bot.presentation.text.moves import move_text
from bot.presentation.ui.components import Button, Layout, button, rows, why_button
from bot.presentation.ui.custom_ids import Part, Verb
from bot.presentation.ui.files import Picture
from bot.table.snapshot import Table


def match_title(match: ReplayedMatch, words: Words) -> str:
    """The title of a match."""
    if match.origin is Origin.IMPORT:
        return words.say("Imported match")
    return words.say("Table {number}", number=match.number)


def whose_moves_message(match: ReplayedMatch, state: ReplayState, verb: Verb, words: Words) -> Layout:
    """Ask a reader without a seat whose moves to review. `verb`: a hand or the match."""
    buttons = [
        button(replace(replace(state, viewpoint=str(seat)).press(Part.COACH), verb=verb), name)
        for seat, name in enumerate(labels.plain_names(match.at(state.moment).table, words))
    ]
    return Layout(words.say("Whose moves should the coach review?"), *rows(buttons))


def progress_message(title: str, words: Words, done: int, total: int) -> Layout:
    """The progress of a review of a hand or a match. No move is done while the coach's process is prepared."""
    if done == 0:
        return Layout(
            words.say("{hand}: the coach is getting ready. The first time, this takes a minute or two.", hand=title)
        )
    return Layout(
        words.say("{hand}: the coach is looking at move {number} of {total}.", hand=title, number=done, total=total)
    )


def review_message(
    title: str, table: Table, reviewed: HandReview, state: ReplayState, words: Words, *, is_own: bool
) -> Layout:
    """The expensive moves of the seat from which `state` looks at the match, with buttons that show them.

    `is_own`: the seat is the reader's, so the reason may say "you".
    """
    seat, review = int(state.viewpoint), reviewed.review
    name = labels.bold(labels.names(table, words)[seat])
    lines = [
        "### " + words.say("Coach · {hand}", hand=title),
        accuracy_text(name, review, words),
        *([] if reviewed.results is None else [_result(name, reviewed.results[seat], words)]),
        *_mistakes(review, table, words, is_own=is_own),
    ]
    return Layout("\n\n".join(lines), *rows([*_move_buttons(review, state, words), why_button("coach", words)]))


def match_review_message(
    match: ReplayedMatch, reviewed: MatchReview, state: ReplayState, words: Words, *, is_own: bool
) -> Layout:
    """The expensive moves of a match, with buttons that show them, and one to all figures.

    `is_own`: the seat is the reader's.
    """
    table, review = match.at(len(match.stops)).table, reviewed.review
    lines = [
        "### " + words.say("Coach · {hand}", hand=match_title(match, words)),
        accuracy_text(labels.bold(labels.names(table, words)[int(state.viewpoint)]), review, words),
        *_mistakes(review, table, words, is_own=is_own),
    ]
    figures = button(replace(state.press(Part.MORE), verb=Verb.COACH_MATCH), words.say("All figures"))
    buttons = [*_move_buttons(review, state, words), figures, why_button("coach", words)]
    return Layout("\n\n".join(lines), *rows(buttons))


def match_figures_message(
    chart: Chart,
    pictures: Sequence[Picture],
    reviewed: MatchReview,
    state: ReplayState,
    match: ReplayedMatch,
    words: Words,
) -> Layout:
    """The figures of a reviewed match, with buttons that open the replay at its turning points."""
    begins = match.first_moments()
    swings = [
        button(
            replace(state, moment=begins[ended.hand]).press(Part.OPEN), words.say("Show hand {hand}", hand=ended.hand)
        )
        for ended in reviewed.swings
    ]
    every = [f"### {chart.title}", *chart.lines]
    shown = fit_lines(every)
    if cut := len(every) - len(shown):
        shown.append(words.count("({number} more hand)", "({number} more hands)", cut))
    return Layout(*pictures, "\n".join(shown), *rows([*swings, why_button("coach", words)]))


def match_review_charts(match: ReplayedMatch, reviewed: MatchReview, seat: int, words: Words) -> tuple[Chart, Chart]:
    """The picture of a reviewed match with its text, and one of the totals."""
    title, table = match_title(match, words), match.at(len(match.stops)).table
    names, plain = labels.names(table, words), labels.plain_names(table, words)
    review, results = reviewed.review, [each.results[seat] for each in reviewed.hands if each.results is not None]
    balance = [_balance(results, words)] if results else []
    lines = [
        accuracy_text(labels.bold(names[seat]), review, words),
        *balance,
        "",
        *(_swing(ended, names, words) for ended in reviewed.swings),
        "",
        words.say("Hand by hand, with the totals of {names}:", names=words.list(names)),
        *(_hand_line(each, seat, words) for each in reviewed.hands),
    ]
    plot = Reviewed(
        title=words.say("{name}: {what}", name=title, what=plain[seat]),
        hands_label=words.say("Hands"),
        cost_label=words.say("What the moves cost, in points"),
        luck_label=words.say("Luck and skill, added up"),
        luck_names=(words.say("Luck"), words.say("Skill")),
        hands=tuple(each.ended.hand for each in reviewed.hands),
        costs=tuple(each.review.points for each in reviewed.hands),
        luck=tuple((each.luck, each.skill) for each in results),
    )
    alt = " ".join([f"{plot.title}.", accuracy_text(plain[seat], review, words), *balance])
    chart = Chart(words.say("Coach · {hand}", hand=title), plot, tuple(lines), alt)
    totals = totals_plot(title, table, ended_hands(match), words)
    return chart, Chart(title, totals, (), totals_alt(totals, words))  # the lines above have the totals in words


def accuracy_text(name: str, review: Review, words: Words) -> str:
    """How good the moves of a seat were."""
    facts = {"name": name, "good": words.number(review.good), "number": words.number(review.decisions)}
    moves = words.say("{name}: as good as the best in {good} of {number} decisions.", **facts)
    return moves + " " + words.say("A move cost {points} points on average.", points=words.number(review.mean, 1))


def _result(name: str, result: ParResult, words: Words) -> str:
    """The points of a hand beside its par."""
    facts = {"name": name, "points": words.number(result.points), "par": words.number(result.par)}
    what = words.say(
        "With these cards, the strongest AI players make {par} points on average; {name} made {points}.", **facts
    )
    return f"{what} {_balance([result], words)}"


def _balance(results: Sequence[ParResult], words: Words) -> str:
    luck = labels.signed(sum(each.luck for each in results), words)
    skill = labels.signed(sum(each.skill for each in results), words)
    return words.say("In points: luck {luck}, skill {skill}.", luck=luck, skill=skill)


def _mistakes(review: Review, table: Table, words: Words, *, is_own: bool) -> list[str]:
    found = [mistake_text(mistake, table, words, is_own=is_own) for mistake in as_played(review)]
    return found or [words.say("No move cost a point.")]


def mistake_text(mistake: Cost, table: Table, words: Words, *, is_own: bool) -> str:
    """An expensive move, a better one, and if the seat is the reader's, the reason."""
    options = table.row.options
    facts = {
        "where": _where(mistake.decision, words),
        "played": _name(mistake.decision.move, options, words),
        "better": _name(mistake.better, options, words),
        "points": words.number(mistake.points, 1),
    }
    line = words.say("**{where}:** {played}. **Better:** {better}. That saves about {points} points.", **facts)
    hint = hints.hint(mistake.decision.view, mistake.better, mistake.decision.move)
    return " ".join(filter(None, [line, why(hint, table, words) if is_own else ""]))


def _where(decision: Decision, words: Words) -> str:
    return words.say("Hand {hand}, turn {turn}", hand=decision.view.public.hand_number, turn=decision.turn)


def _name(move: Play | Pass, options: Options, words: Words) -> str:
    if isinstance(move, Pass):
        return words.say("Pass")
    return f"{move_text(move.cards, options, words)} {faces(move.cards, words)}"


def _swing(ended: HandEnded, names: Sequence[str], words: Words) -> str:
    """A hand that changed the totals much."""
    points = labels.totals_list(names, ended.points, words)
    return words.say("**Turning point, hand {hand}:** {points}", hand=ended.hand, points=points)


def _hand_line(hand: HandReview, seat: int, words: Words) -> str:
    """A hand of the match: the figures of the picture."""
    review, ended = hand.review, hand.ended
    facts = {"good": review.good, "number": review.decisions, "points": words.number(review.points, 1)}
    parts = [words.say("Hand {hand}: {good} of {number} good, cost {points}", hand=ended.hand, **facts)]
    if hand.results is not None:
        luck, skill = labels.signed(hand.results[seat].luck, words), labels.signed(hand.results[seat].skill, words)
        parts.append(words.say("luck {luck}, skill {skill}", luck=luck, skill=skill))
    totals = ", ".join(words.number(total) for total in ended.totals)
    return labels.small(" · ".join([*parts, totals]))


def _move_buttons(review: Review, state: ReplayState, words: Words) -> list[Button]:
    """Buttons that open the replay at the most expensive moves, in their order."""
    found = [mistake.decision for mistake in as_played(review)]
    return [button(replace(state, moment=each.moment).press(Part.OPEN), _where(each, words)) for each in found]


def as_played(review: Review) -> list[Cost]:
    """The most expensive moves in the order in which they were played."""
    return sorted(review.mistakes, key=lambda mistake: mistake.decision.moment)
