"""English Sets: the game told in the source, card by card, and the cases it does not show (rules E1 to E6)."""

from collections import Counter
from dataclasses import replace

import pytest

from visionset.errors import RuleError
from visionset.games.english_sets.advice import RankStatus, advice_words, outlook, rank_report
from visionset.games.english_sets.rules import GAME, Deal, Draw, EnglishSetsState, Exchange, Grave, Phase, Shuffle, Starter, Stop
from visionset.pieces import PACK, PlayingCard, Rank

A, B = 0, 1


def cards(text: str) -> tuple[PlayingCard, ...]:
    return tuple(PlayingCard.parse(word) for word in text.split())


def hand(text: str) -> tuple[PlayingCard, PlayingCard, PlayingCard, PlayingCard]:
    first, second, third, fourth = cards(text)
    return first, second, third, fourth


def ranks(state: EnglishSetsState, player: int) -> str:
    return "".join(sorted(card.rank.value for card in state.hands[player]))


class Table:
    """Plays by rank: the suit is the first in the pack that may come next."""

    def __init__(self) -> None:
        self.state: EnglishSetsState = GAME.start(players=("A", "B"))

    def next_card(self, rank: str) -> PlayingCard:
        state = self.state
        above = [card for card in state.pack if card not in state.bottom and card.rank.value == rank]
        under = [card for card in state.bottom if card.rank.value == rank]
        return (above or under)[0]

    def deal(self, first: str, second: str) -> None:
        used: list[PlayingCard] = []
        fixed = []
        for text in (first, second):
            chosen = []
            for rank in text:
                card = next(card for card in PACK if card.rank.value == rank and card not in used)
                used.append(card)
                chosen.append(card)
            fixed.append(tuple(chosen))
        self.state = self.state.after(Deal((fixed[0], fixed[1])))

    def draw(self, player: int, rank: str) -> str:
        self.state = self.state.after(Draw(player, self.next_card(rank)))
        return str(self.state.notice)

    def starter(self, rank: str) -> str:
        self.state = self.state.after(Starter(self.next_card(rank)))
        return str(self.state.notice)

    def hands(self) -> tuple[str, str]:
        return ranks(self.state, A), ranks(self.state, B)


def same(text: str) -> str:
    return "".join(sorted(text))


def test_the_game_told_in_the_source_ends_4_to_7() -> None:
    """E6, card by card. Where the source tells of one ten too many for A after the fifth five, she draws a 4 and a ten."""
    table = Table()
    table.deal("QQ86", "AAK7")
    assert table.hands() == (same("86"), same("K7"))
    for player, rank in ((A, "K"), (A, "J"), (B, "3"), (B, "3")):
        table.draw(player, rank)
    # B lays down the 3s and replenishes.
    table.draw(B, "8")
    table.draw(B, "2")
    assert table.hands() == (same("KJ86"), same("K872"))
    assert table.state.phase is Phase.STARTER
    assert "3 equal cards lie with B: A" in table.starter("A")
    assert "goes under the pack" in table.starter("T")
    table.starter("J")
    table.draw(A, "K")
    assert table.hands() == (same("KK86"), same("K872"))
    table.starter("6")
    for rank in ("6", "J", "3", "Q", "9"):
        table.draw(A, rank)
    assert table.hands() == (same("KK98"), same("K872"))
    table.starter("7")
    table.draw(B, "7")
    table.draw(B, "K")
    assert table.hands() == (same("KK98"), same("KK82"))
    table.starter("5")
    table.starter("5")
    assert table.starter("3") == "B declares 'set 3'"
    table.starter("5")
    table.starter("T")
    shuffles = table.state.shuffles
    assert "the three go back" in table.starter("8")
    assert table.state.shuffles == shuffles + 1
    table.draw(A, "4")
    table.draw(B, "5")
    assert table.hands() == (same("KK94"), same("KK52"))
    assert table.starter("Q") == "A declares 'set Q'"
    assert table.starter("7") == "B declares 'set 7'"
    table.starter("4")
    table.draw(A, "5")
    assert table.hands() == (same("KK95"), same("KK52"))
    # The source moves this ace to B's set and does not announce that it is the fourth.
    assert table.starter("A") == "B declares 'set A'"
    table.starter("2")
    assert table.draw(B, "6") == "A declares 'set 6'"
    table.draw(B, "9")
    assert table.hands() == (same("KK95"), same("KK95"))
    table.starter("9")
    table.draw(A, "T")
    table.draw(B, "5")
    assert table.hands() == (same("KKT5"), same("KK55"))
    assert table.starter("J") == "A declares 'set J'"
    table.starter("9")
    table.starter("2")
    table.starter("8")
    assert table.starter("5") == "B declares 'set 5'"
    table.draw(A, "4")
    table.draw(A, "T")
    assert table.draw(B, "4") == "A declares 'set 4'"
    table.draw(B, "T")
    table.draw(B, "8")
    assert table.hands() == (same("KKTT"), same("KKT8"))
    table.starter("8")
    table.draw(B, "8")
    table.draw(B, "9")
    table.starter("9")
    table.draw(B, "T")
    assert table.hands() == (same("KKTT"), same("KKTT"))
    table.starter("9")
    assert table.starter("2") == "B declares 'set 2'"
    assert table.starter("9") == "B declares 'set 9'"
    assert str(advice_words(table.state)) == "B is ahead, 4 : 7 counting sets that are sure; 0 ranks are open; out of reach: T K"
    assert table.starter("8") == "B declares 'set 8'"
    state = table.state
    assert state.pack == ()
    assert state.phase is Phase.STALEMATE
    state = state.after(Stop())
    assert state.is_over
    assert state.scores == (4, 7)
    assert state.winners == (B,)
    assert {grave.rank.value for grave in state.graveyards[A]} == set("64JQ")
    assert {grave.rank.value for grave in state.graveyards[B]} == set("987532A")
    assert str(state.prompts[0]) == "All: B won, 7 : 4"


def start(first: str, second: str) -> EnglishSetsState:
    state: EnglishSetsState = GAME.start(players=("A", "B"))
    return state.after(Deal((hand(first), hand(second))))


def test_the_same_pair_in_both_hands_goes_back() -> None:
    """E1."""
    state = start("JC JD 8C 6C", "JH JS KC 7C")
    assert state.graveyards == ((), ())
    assert Counter(ranks(state, A) + ranks(state, B)) == Counter("86K7")
    assert state.shuffles == 1
    assert "both hold two equal cards, J" in str(state.notice)
    assert state.short == (A, B)


def test_a_lone_card_in_the_other_hand_joins_at_set_up() -> None:
    """E1: the hands must match nothing in a graveyard."""
    state = start("JC JD 8C 6C", "JH 2S KC 7C")
    assert state.graveyards[A] == (Grave(cards("JC JD JH")),)
    assert ranks(state, B) == same("2K7")


def test_four_equal_cards_at_the_deal_are_declared() -> None:
    """E1."""
    state = start("JC JD JH JS", "2S 3S KC 7C")
    assert str(state.notice) == "A declares 'set J'"
    assert state.scores == (1, 0)


def between(first: str, second: str, graves: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())) -> EnglishSetsState:
    """A table that waits for a starter; the pack is all that lies nowhere."""
    laid = tuple(tuple(Grave(cards(text)) for text in mine) for mine in graves)
    state: EnglishSetsState = GAME.start(players=("A", "B"))
    return replace(state, phase=Phase.STARTER, hands=(hand(first), hand(second)), graveyards=(laid[0], laid[1]))


def test_five_cases_of_the_starter() -> None:
    """E2."""
    state = between("JC 2C 3C 4C", "JD 5C 5D 6C", ((), ("AC AD AH",)))
    completed = state.after(Starter(PlayingCard.parse("AS")))
    assert str(completed.notice) == "B declares 'set A'"
    one_hand = state.after(Starter(PlayingCard.parse("2D")))
    assert one_hand.graveyards[A] == (Grave(cards("2D 2C")),)
    assert one_hand.short == (A,)
    both = state.after(Starter(PlayingCard.parse("JH")))
    assert both.short == (A, B)
    assert PlayingCard.parse("JC") in both.pack
    assert both.shuffles == 1
    two_one = between("5H 2C 3C 4C", "JD 5C 5D 6C").after(Starter(PlayingCard.parse("5S")))
    assert str(two_one.notice) == "B declares 'set 5'"
    assert two_one.short == (A, B)
    nothing = state.after(Starter(PlayingCard.parse("KS")))
    assert nothing.bottom == cards("KS")
    assert nothing.phase is Phase.STARTER


def test_a_card_under_the_pack_cannot_come_before_the_others() -> None:
    """E2: the bottom of the pack comes last."""
    state = between("JC 2C 3C 4C", "JD 5C 5D 6C").after(Starter(PlayingCard.parse("KS")))
    with pytest.raises(RuleError, match="rule E2: tried KS, which is still under the pack"):
        state.after(Starter(PlayingCard.parse("KS")))
    with pytest.raises(RuleError, match="rule E2: tried JC, which lies on the table or in a hand"):
        state.after(Starter(PlayingCard.parse("JC")))


def test_pairs_formed_while_replenishing_stay_in_the_hand() -> None:
    """E3."""
    state = between("JC 2C 3C 4C", "KD 5C 7D 6C").after(Starter(PlayingCard.parse("2D")))
    state = state.after(Draw(A, PlayingCard.parse("JD")))
    assert ranks(state, A) == same("JJ34")
    assert state.phase is Phase.STARTER
    with pytest.raises(RuleError, match="rule E3"):
        state.after(Draw(A, PlayingCard.parse("JH")))


@pytest.mark.parametrize(
    ("first", "second", "sets"),
    [
        ("5C 8C 8D 8H", "8S 5D 5H 5S", ("8", "5")),
        ("KC KD 7C 7D", "KH KS 7H 7S", ("7", "K")),
        ("2C 2D 2H 2S", "9C 9D 9H 9S", ("2", "9")),
    ],
)
def test_stalemate_and_both_ways_out(first: str, second: str, sets: tuple[str, str]) -> None:
    """E4, with the three mirror images of the source; one rank is left whole in the pack."""
    held = {card.rank for card in (*hand(first), *hand(second))}
    whole = [rank for rank in Rank if rank not in held and rank is not Rank.ACE]
    graves = tuple(Grave(tuple(card for card in PACK if card.rank is rank)) for rank in whole)
    state = replace(between(first, second), graveyards=(graves, ()), phase=Phase.STARTER)._checked()
    assert state.phase is Phase.STALEMATE
    assert [choice.event for choice in state.legal] == ["exchange", "shuffle"]
    exchanged = state.after(Exchange())
    assert exchanged.scores == (len(graves) + 1, 1)
    assert tuple(mine[-1].rank.value for mine in exchanged.graveyards) == sets
    assert exchanged.short == (A, B)
    shuffled = state.after(Shuffle())
    assert shuffled.hands == ((), ())
    assert len(shuffled.pack) == 12
    assert shuffled.phase is Phase.REPLENISH
    with pytest.raises(RuleError, match="rule E4: tried stopping while cards are in the pack"):
        state.after(Stop())


def test_impossible_tables_are_explained() -> None:
    """Three equal playing cards of one suit are representable."""
    state = between("8H 8H 8H 2C", "JD 5C 5D 6C", (("AC 2D",), ("JC JH",)))
    read = GAME.parse_state(state.to_json())
    assert read == state
    assert [str(finding) for finding in read.findings] == [
        "rule E1: 8H is there 3 times and a pack holds it once; read it again or take the second pack away",
        "rule E1: AC 2D lie together and are no set of two to four equal cards; sort them",
        "rule E3: a hand holds J, which lie in a graveyard; add them there",
    ]
    assert read.prompts
    with pytest.raises(RuleError, match="rule E1"):
        GAME.start().after(Deal((hand("8H 8H 8H 2C"), hand("JD 5C 5D 6C"))))


def test_report_names_every_rank() -> None:
    state = between("JC 2C 3C 4C", "JD 5C 5D 2D", (("AC AD",), ("KC KD KH KS",)))
    status = {one.rank.value: (one.status, one.owner) for one in rank_report(state)}
    assert status["K"] == (RankStatus.COMPLETE, B)
    assert status["A"] == (RankStatus.OWNED, A)
    assert status["5"] == (RankStatus.IN_ONE_HAND, B)
    assert status["J"] == (RankStatus.CONTESTED, None)
    assert status["Q"] == (RankStatus.IN_PACK, None)
    assert outlook(state) == (1, 1)
    assert len(status) == 13
