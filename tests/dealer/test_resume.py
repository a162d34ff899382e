"""A match that is resumed: its times go on, and the table as it lies is the table as it was."""

from __future__ import annotations

from tests.dealer.tabletop import TableTop
from tests.dealer.test_director import take, twelve
from tests.dealer.test_set_cards import begun
from visionset.dealer.said import Call
from visionset.games.set_cards import GiveUp, Phase
from visionset.games.sets import find_sets

HOUR_S = 3600.0


def late_in_the_evening() -> TableTop:
    """A match in which the last event was an hour after the first."""
    table = begun()
    twelve(table)
    table.now_s = HOUR_S
    table.say(Call(1))
    table.wait(7)
    assert isinstance(table.events[-1], GiveUp)
    assert table.director.state.clock_s > HOUR_S
    return table


def test_two_calls_after_a_pause_are_as_far_apart_as_they_were_said() -> None:
    table = late_in_the_evening()
    table.resume()
    table.settle()
    table.say(Call(1))
    table.wait(4)
    table.say(Call(2))
    assert [claim.player for claim in table.director.state.claims] == [1]
    assert "claimed" in table.director.showing.notice
    assert any(line.startswith("Bo called\t1") for line in table.director.showing.status)


def test_a_call_after_a_pause_runs_out_of_time() -> None:
    table = late_in_the_evening()
    table.resume()
    table.settle()
    table.say(Call(1))
    table.wait(6)
    assert isinstance(table.events[-1], GiveUp)
    assert table.director.state.scores == (0, -2, 0)


def test_a_pause_is_not_the_time_of_a_caller() -> None:
    table = late_in_the_evening()
    trio = find_sets(table.director.state.table)[0]
    table.say(Call(2))
    table.resume()
    table.now_s = 3 * HOUR_S
    table.settle()
    assert table.director.state.phase is Phase.CALLED
    take(table, trio, player=None)
    assert table.director.state.scores == (0, -1, 1)


def test_every_event_has_its_time_and_none_goes_back() -> None:
    table = begun()
    twelve(table)
    table.wait(20)
    take(table, find_sets(table.director.state.table)[0])
    table.resume()
    table.settle()
    table.wait(2)
    table.next()
    times = [event.at_s for event in table.director.record.events]
    assert None not in times
    assert times == sorted(times)  # type: ignore[type-var]
