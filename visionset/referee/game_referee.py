"""GameReferee: what one game makes of the table and of what people say, in the terms that director and surfaces know.

A new game is one subclass, which its ``make_referee`` makes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from visionset.calibration import Calibration
from visionset.errors import RuleError
from visionset.games.base import Choice, Event, addressed
from visionset.games.game import History
from visionset.games.high_scores import HighScores
from visionset.geometry import Floats
from visionset.messages import Message, Words
from visionset.pieces import Kind, Piece
from visionset.referee.lattice_fit import CellsOf
from visionset.referee.player_input import Move, Said
from visionset.referee.recall import as_before, steps
from visionset.referee.rulings import Lying, Option, Question, Ruling
from visionset.referee.shown import Mark, Told, scores
from visionset.referee.sightings import unread
from visionset.referee.zones import Zones
from visionset.table import Change, Moved, Sighting, Table


@dataclass(frozen=True, slots=True)
class RefereeOptions:
    """Times of the referee, in seconds of the stream."""

    settle_s: float = 0.5
    """From a hand's leaving to the settled table: it is taken off the time of a caller, who has no part in it."""
    frame_s: float = 0.5
    """How much later than the newest frame something may have been said: a slow camera gives two frames a second."""
    hand_s: float = 5.0
    """How much longer than the rules allow a caller's hand may stay over the table, or rest on a card, before the call is in error."""
    just_begun_s: float = 2.0
    """So soon after something new is waited for, "next" may be said of what was before."""
    early_s: float = 2.0
    """So long a call, or the end of a turn, waits for what is being laid or thrown to be read: people see it lie at once, and go on."""
    ask_s: float = 1.0
    """Quiet time after which an unsure piece is asked about: most become sure by themselves before."""
    again_s: float = 30.0
    """After this time a question that was put aside is asked again."""
    differ_s: float = 1.0
    """Quiet time after which a difference is told: somebody who corrects a slip at once is not disturbed."""
    remind_s: float = 30.0
    """After this time somebody who is waited for is reminded, and told that "next" goes on."""
    settle_differ_s: float = 120.0
    """After it a difference is settled for the game, a question as is likeliest; where a point hangs on it, people are waited for."""
    sure: float = 0.9
    """A die that is read with less confidence, 0 to 1, is asked about before it counts: one wrong face spoils a whole game, and a question
    costs one key."""
    sure_roll: float = 0.95
    """The same for dice that are rolled once and then stay in the game."""
    sure_wrong: float = 0.95
    """Before three pieces are judged to be no SET, each that was read with less confidence, 0 to 1, is asked about: nobody loses a point by
    a reading that is in doubt. Cards that are read well have .97 and more."""
    warned_s: float = 1.0
    """"Next" that follows so soon on another one was said by somebody who has not read what it would do."""
    read_s: float = 5.0
    """So long a refusal stays to be read, though what stood in the way may be gone."""
    rest_s: float = 0.8
    """An additional die is believed after it has lain there for `rest_s` with no hand over the table: what is seen while a hand is still
    about may be a die that it holds, or one that it has just taken away."""


class GameReferee(ABC):
    """Compares the table with the state of one game, again and again; without `hints` it gives nothing away.

    The whole table is compared each time, not the changes alone: what was overlooked once is found the next time. What a referee remembers
    can be forgotten at any time, and follows from the log and the table where a match is resumed.
    """

    kinds: ClassVar[frozenset[Kind]]
    """What of the table it is shown: pieces of other kinds are passed over."""
    is_face_up: ClassVar[bool] = False
    """Cards lie face up in this game."""
    judges_what_left: ClassVar[bool] = False
    """The pieces by which an event is judged have left the table: equal ones that lie there are others."""
    heard: ClassVar[frozenset[str]] = frozenset()
    """Which of the words "set" and "no_set" players say in this game."""
    zones: Zones | None = None
    """Places that people may drag; None for games without."""
    needed_zones: ClassVar[tuple[str, ...]] = ()
    """Names of zones without which the game cannot be followed."""
    optional_zones: ClassVar[tuple[str, ...]] = ()
    """Names of zones that people put down where they want them, and take away."""
    zones_file: ClassVar[str] = "zones.toml"
    """Where the zones are kept among the settings."""
    profile: Calibration | None = None
    """Of the camera, for zones in millimetres of the table."""
    hint_costs: bool = False
    """Each hint costs the asker a point, in games that have it so."""
    earlier: HighScores = HighScores()
    """The scores of all games before this one, where the game keeps them."""

    def __init__(self, options: RefereeOptions = RefereeOptions(), hints: bool = False) -> None:
        self.options = options
        self.hints = hints

    @classmethod
    def made(cls, cells_of: CellsOf, options: RefereeOptions, hints: bool) -> Self:
        """Make one that asks for no lattice of dice, as ``make_referee`` of a game is called."""
        return cls(options, hints)

    @abstractmethod
    def read(self, state: Any, table: Table, now_s: float) -> Ruling:
        """Tell what the table makes of the game now, in the time of the match; None when both agree and nothing is waited for.

        The table is settled, with the corrections of people, in reading order, and has pieces of this game only.
        """

    def hear(self, state: Any, said: Said, table: Table, now_s: float) -> tuple[Event, ...]:
        """Turn what somebody says into events; remember what the table must show first.

        Raises `RuleError`: it makes no sense now; the message says why.
        """
        if isinstance(said, Move):
            return (said.event,)
        now = (addressed(prompt.to, prompt.message) for prompt in state.prompts[:1])
        raise RuleError(Message("referee.refused.no_use", now=next(now, Message("referee.refused.play_on"))))

    def went_on(self, before: Any, event: Event, after: Any, table: Table) -> None:  # noqa: B027 - most games need nothing
        """Learn that an event was applied."""

    def corrected(self, after: Any, table: Table) -> None:
        """Learn that an earlier event is told otherwise; as the table is compared as a whole, most games have nothing to keep."""
        self.forget()

    def recall(self, history: History) -> None:  # noqa: B027 - most games need the state alone
        """Learn what has happened so far, where no event told it: the match is resumed, or events were taken back."""

    def resumed(self, history: History, table: Table) -> Mapping[int, Piece]:
        """Learn that a match goes on, and that the table as it lies is the table as it was, unless it cannot be.

        The table is as `read` gets it. Given back are tracks of pieces that are hardly read, with what the game has there.
        """
        for before, event, after in steps(history):
            self.went_on(before, event, after, table)
        return as_before(table.sightings, self.lying(history.state), self.options.sure_roll)

    def in_play(self, table: Table) -> Table:
        """The table without what lies in places that are none of the game's."""
        return table

    def lying(self, state: Any) -> tuple[Piece, ...]:
        """What the game has on the table."""
        return ()

    def lies_from_before(self, table: Table) -> None:  # noqa: B027 - most games look at the table alone
        """Learn that this table is that of a game that has ended."""

    def changed(self, changes: Sequence[Change]) -> None:  # noqa: B027 - most games look at the table alone
        """Learn what changed since the last settled table."""

    def covered(self, tracks: frozenset[int]) -> None:  # noqa: B027 - most games take it that what is covered lies there
        """Learn which pieces of the table are covered now by what is no piece, so that nobody sees whether they lie there."""

    def disputable(self, history: History, table: Table) -> Sequence[Lying]:
        """Pieces on the table on which something hangs before they are taken, in any order; none where those can be laid anew."""
        return ()

    def disturbed(self, now_s: float) -> None:  # noqa: B027 - most games look at the table alone
        """Learn that hands or pieces move over the table now."""

    def follow_view(self, image_from_before: Floats) -> None:  # noqa: B027 - most games remember no places
        """Learn that the camera moved, before the table is read: where pieces lay is elsewhere in the picture now, shape (3, 3)."""

    def forget(self) -> None:  # noqa: B027 - most games remember nothing
        """Drop what is remembered: the state was set otherwise."""

    def rests(self, table: Table) -> None:  # noqa: B027 - most games look at the table alone
        """Learn that what this table shows was taken back, and counts no more unless people say so."""

    def answered(self, question: Question, option: Option) -> None:  # noqa: B027 - most games ask nothing
        """Learn the answer to a question of this referee."""

    def unsay(self) -> Words:
        """Forget the last answer or call, where no event has come of it, and say so; nothing where there was none."""
        return ""

    def ask_again(self) -> None:  # noqa: B027 - most games ask nothing that stays answered
        """Learn that people took back what happened last: what they answered for it may have been a slip."""

    def put_away(self) -> bool:
        """Show no longer what somebody has paid to see; False where nothing such is shown."""
        return False

    def tracks_judged(self, state: Any, event: Event, table: Table) -> tuple[int, ...]:
        """Tracks of the pieces by which an event is judged, in the order of `State.judged`; none where they may have left."""
        return ()

    def judges_table(self, event: Event) -> bool:
        """Whether somebody says with this that the table is done as it lies, so that all hands have to be off it first."""
        return False

    def ends_turn(self, event: Event) -> bool:
        """Whether somebody's turn is over by this, so that what was just laid in it has to be read first."""
        return False

    def refuses(self, state: Any, event: Event) -> bool:
        """Whether the rules judge what somebody took to be wrong, so that the readings should be beyond doubt first."""
        return False

    def counts_again(self, event: Event) -> bool:
        """Whether pieces that were passed over as too early may count after this."""
        return False

    def counts_elsewhere(self, moved: Moved, table: Table) -> bool:
        """Whether a piece that was passed over where it lay may count where it was moved to."""
        return False

    def is_midway(self, state: Any) -> bool:
        """Whether the state lies within what people do in one go: nobody takes back half of it."""
        return False

    def hears(self, state: Any) -> frozenset[str]:
        """Which of the words that are `heard` in this game mean something now: for those alone a phone has a button."""
        return self.heard

    def calls(self, state: Any) -> tuple[Choice, ...]:
        """What players call out before the camera sees it, where the rules have no event for that: each is a ``call``."""
        return ()

    def told(self, state: Any, now_s: float) -> tuple[Told, ...]:
        """What the rules want done now."""
        return tuple(Told(prompt.to, prompt.message) for prompt in state.prompts)

    def marks(self, state: Any, table: Table) -> tuple[Mark, ...]:
        """Outlines that belong to the game as it stands."""
        return ()

    def status(self, state: Any, now_s: float) -> tuple[Words, ...]:
        """Scores and whatever else belongs beside them, one line each."""
        return scores(state)

    def is_timed(self, state: Any) -> bool:
        """Whether what is told or shown changes by the time alone, such as the seconds that a caller has left."""
        return False

    def sheet(self, state: Any) -> tuple[Words, ...]:
        """Lines of the score sheet; empty for games without one."""
        return ()

    def excluded(self, state: Any) -> frozenset[Piece]:
        """Pieces that cannot lie on the table, which helps the reading."""
        return frozenset()

    def out_of_reach(self, state: Any) -> frozenset[Piece]:
        """Pieces that nobody can lay now: what comes is none of them, though a piece that was read like it was one."""
        return self.excluded(state)

    def candidates(self, state: Any, table: Table, sighting: Sighting) -> tuple[Piece, ...]:
        """What an unread piece may be, the likeliest first."""
        guess = sighting.guess
        likely = [] if guess is None else [guess.piece, *([guess.runner_up] if guess.runner_up is not None else [])]
        out = self.excluded(state)
        return tuple(piece for piece in dict.fromkeys(likely) if piece not in out)

    def unsure(self, state: Any, table: Table) -> tuple[int, ...]:
        """Tracks of pieces that are worth a question."""
        return unread(table)
