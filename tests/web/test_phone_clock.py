"""Simulated phones: their clocks are off and drift, their messages take their time, and nothing waits in earnest."""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Iterable
from itertools import count, pairwise

import pytest

from visionset.web.phone_clock import PhoneClock, PhoneClockOptions, PhoneClocks

LEAST_S = 0.002
"""What a message takes in the local network."""

DELAY_S = (0.005, 0.080)
TIE_S = 0.25
RIGHT_S = 0.02


class Network:
    """A server and its phones in simulated time: things happen in the order of their times."""

    def __init__(self, seed: int) -> None:
        self.now_s, self.rng = 1000.0, random.Random(seed)
        self.clocks = PhoneClocks(lambda: self.now_s)
        self._coming: list[tuple[float, int, Callable[[], object]]] = []
        self._number = count()

    def at(self, time_s: float, do: Callable[[], object]) -> None:
        heapq.heappush(self._coming, (time_s, next(self._number), do))

    def run(self) -> None:
        while self._coming:
            self.now_s, _, do = heapq.heappop(self._coming)
            do()
            wait_s = self.clocks.release()
            if wait_s is not None:
                self.at(self.now_s + wait_s, lambda: None)


class Phone:
    """A phone whose clock shows another time, and whose messages are delayed."""

    def __init__(self, network: Network, name: str, ahead_s: float, drift: float, delays_s: Callable[[], float]) -> None:
        self.network, self.name, self.ahead_s, self.drift, self.delay_s = network, name, ahead_s, drift, delays_s

    def clock_ms(self) -> float:
        return 1000 * ((1 + self.drift) * (self.network.now_s - 1000) + self.ahead_s)

    def pinged(self) -> None:
        """A ping goes out now."""
        network = self.network
        number = network.clocks.ping(self.name)

        def answer() -> None:
            t_ms = self.clock_ms()
            network.at(network.now_s + self.delay_s(), lambda: network.clocks.pong(self.name, number, t_ms))

        network.at(network.now_s + self.delay_s(), answer)

    def call(self, do: Callable[[float], object]) -> None:
        t_ms = self.clock_ms()
        self.network.at(self.network.now_s + self.delay_s(), lambda: self.network.clocks.hear(self.name, t_ms, do))


def changing(rng: random.Random) -> Callable[[], float]:
    return lambda: LEAST_S + rng.uniform(*DELAY_S)


def steady(added_s: float) -> Callable[[], float]:
    return lambda: LEAST_S + added_s


def delays(kind: str, rng: random.Random) -> Callable[[], float]:
    return changing(rng) if kind == "changing" else steady(DELAY_S[kind == "slow"])


def calls_in_turn(seed: int, kind: str) -> tuple[list[tuple[float, str]], list[tuple[float, float, str]]]:
    """True times of 100 calls, and what the server made of them in its order: its time, the true one, and who."""
    network = Network(seed)
    rng = network.rng
    quick = Phone(network, "quick", rng.uniform(-1e5, 1e5), rng.uniform(-5e-5, 5e-5), lambda: LEAST_S * rng.uniform(1, 2))
    delayed = Phone(network, "delayed", rng.uniform(-1e5, 1e5), rng.uniform(-5e-5, 5e-5), delays(kind, rng))
    for phone in (quick, delayed):
        for time_s in (*(0.1 * number for number in range(10)), *range(1, 400)):
            network.at(1000 + time_s, phone.pinged)
    true: list[tuple[float, str]] = []
    heard: list[tuple[float, float, str]] = []
    time_s = 1003.0
    for _ in range(50):
        time_s += rng.uniform(2, 5)
        for phone in rng.sample((quick, delayed), 2):
            true.append((time_s, phone.name))

            def say(phone: Phone = phone, true_s: float = time_s) -> None:
                phone.call(lambda at_s: heard.append((at_s, true_s, phone.name)))

            network.at(time_s, say)
            time_s += rng.uniform(0.02, 0.4)
    network.run()
    return true, heard


@pytest.mark.parametrize("kind", ["changing", "fast", "slow"])
@pytest.mark.parametrize("seed", range(5))
def test_a_hundred_calls_of_two_phones_have_their_true_times_and_order(seed: int, kind: str) -> None:
    true, heard = calls_in_turn(seed, kind)
    assert len(true) == len(heard) == 100
    assert max(abs(at_s - true_s) for at_s, true_s, _ in heard) <= RIGHT_S
    assert [name for _, _, name in heard] == [name for _, name in true]
    for (first_s, first_true_s, _), (then_s, then_true_s, _) in pairwise(heard):
        gap_s = then_true_s - first_true_s
        if abs(gap_s - TIE_S) > RIGHT_S:
            assert (then_s - first_s <= TIE_S) == (gap_s <= TIE_S)


def followed(told: Iterable[tuple[float, float, float]]) -> PhoneClock:
    """A clock after pings: when each was sent, what the phone's clock told, when the pong came."""
    clock = PhoneClock()
    for number, (sent_s, told_s, came_s) in enumerate(told):
        clock.ping(number, sent_s)
        clock.pong(number, told_s, came_s)
    return clock


def test_the_quickest_ways_there_and_back_count_though_no_ping_had_both() -> None:
    slow_back, slow_there = (10.0, 3.01, 10.1), (11.0, 4.09, 11.1)
    assert followed([slow_back]).offset_s(10.1) == pytest.approx(7.04)
    assert followed([slow_back, slow_there]).offset_s(11.1) == pytest.approx(7.0, abs=1e-3)


def test_a_phone_that_slept_is_known_anew() -> None:
    """Its clock stood still for a minute, so that no offset fits what it told before."""
    assert followed([(10.0, 3.0, 10.01), (71.0, 4.0, 71.01)]).offset_s(71.01) == pytest.approx(67.005)


def test_pongs_that_nobody_asked_for_change_nothing() -> None:
    clock = followed([(10.0, 3.0, 10.02)])
    clock.pong(0, 100.0, 10.5)
    clock.pong(7, 100.0, 10.5)
    assert clock.offset_s(10.5) == pytest.approx(7.01)


def test_what_a_phone_says_of_the_future_happened_now() -> None:
    assert followed([(10.0, 3.0, 10.02)]).when_s(50.0, 11.0) == 11.0
    assert PhoneClock().when_s(50.0, 11.0) == 11.0


def test_nobody_dates_a_call_back_by_more_than_the_limit() -> None:
    assert followed([(10.0, 3.0, 10.02)]).when_s(3.5, 11.0) == 11.0 - PhoneClockOptions().most_s


def heard_in_order() -> tuple[PhoneClocks, list[float], list[str]]:
    now = [100.0]
    return PhoneClocks(lambda: now[0]), now, []


def test_one_phone_alone_is_heard_at_once() -> None:
    clocks, _, done = heard_in_order()
    clocks.hear("a", None, lambda at_s: done.append("a"))
    assert clocks.release() is None
    assert done == ["a"]


def test_nobody_waits_longer_than_the_limit_for_a_phone_that_is_slow_or_gone() -> None:
    clocks, now, done = heard_in_order()
    number = clocks.ping("b")
    now[0] += 5.0
    clocks.pong("b", number, 3000.0)
    clocks.hear("a", None, lambda at_s: done.append("a"))
    assert clocks.release() == pytest.approx(PhoneClockOptions().most_s)
    now[0] += 0.2
    clocks.gone("b")
    assert clocks.release() is None
    assert done == ["a"]


def test_what_is_no_call_waits_only_for_what_the_same_phone_said_before() -> None:
    clocks, now, done = heard_in_order()
    clocks.ping("b")
    clocks.hear("a", None, lambda at_s: done.append("call"))
    clocks.hear("a", None, lambda at_s: done.append("take"), is_call=False)
    clocks.hear("c", None, lambda at_s: done.append("other"), is_call=False)
    assert clocks.release() is not None
    assert done == ["other"]
    now[0] += PhoneClockOptions().most_s
    assert clocks.release() is None
    assert done == ["other", "call", "take"]
