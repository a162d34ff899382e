"""Laws of the simulated archive: it cannot be faster than what it consists of, and what it names as the bottleneck is it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from archive_plan import Outcome, Parts, bundle_of, doubled, simulate

FREE = Parts((0.5, 1.0, 1.5), 0.0, 0.0, 0.0, wait_s=0.0, store_mb_s=1e9, link_mb_s=1e9, deaths_a_day=0.0)
"""Nothing costs anything but reading."""

LIMITS = {
    "processors": FREE,
    "store": replace(FREE, store_mb_s=20.0),
    "links": replace(FREE, link_mb_s=5.0),
    "asking": replace(FREE, answer_s=0.1, keep_s=0.1),
}


def at(parts: Parts, machines: int = 2, threads: int = 8) -> Outcome:
    return simulate(parts, 2000, machines, threads)


def test_two_machines_are_twice_as_fast_where_nothing_else_limits() -> None:
    one, two = at(FREE, 1), at(FREE, 2)
    assert one.seconds / two.seconds == pytest.approx(2, rel=0.02)
    assert two.seconds == pytest.approx(2000 * 1.0 / 16, rel=0.05)


@pytest.mark.parametrize("name", LIMITS)
def test_the_bottleneck_is_that_whose_doubling_helps_most(name: str) -> None:
    before = at(LIMITS[name])
    assert before.bottleneck == name
    after = {other: simulate(parts, 2000, 2, threads).seconds for other in LIMITS for parts, threads in [doubled(LIMITS[name], 8, other)]}
    assert min(after, key=lambda other: after[other]) == name
    assert before.seconds / after[name] == pytest.approx(2, rel=0.1)
    assert all(after[other] > 0.95 * before.seconds for other in LIMITS if other != name)


@pytest.mark.parametrize("name", LIMITS)
def test_nothing_is_faster_than_its_slowest_part_and_nothing_works_more_than_always(name: str) -> None:
    outcome = at(LIMITS[name])
    assert outcome.photos == 2000
    assert outcome.tried_again == 0
    assert all(0 <= share <= 1.001 for share in outcome.busy.values())


def test_deaths_cost_what_was_under_way_and_one_that_nobody_notices_holds_up_all_others() -> None:
    often = replace(FREE, deaths_a_day=1500.0, back_s=5.0)
    calm, dying, unheard = at(FREE), at(often), at(replace(often, notice_s=60.0))
    assert dying.photos == unheard.photos == 2000
    assert dying.tried_again > 0
    assert calm.seconds < dying.seconds < unheard.seconds
    assert at(often) == dying


def test_photographs_together_take_less_asking_and_die_together() -> None:
    dear = replace(FREE, ask_s=0.5)
    size = bundle_of(dear, 800)
    assert bundle_of(dear, 16) == 1 < 5 < size
    for machines, bundle in ((2, 1), (100, size)):
        assert simulate(dear, 4000, machines, 8).seconds == pytest.approx(4000 * 0.5 / bundle, rel=0.05)
