"""Find the SETs among cards that are named, without any picture: python examples/find_sets_in_names.py [NAME ...]."""

import sys

from visionset import SetCard, find_sets
from visionset.games.sets import why_not

names = sys.argv[1:] or ["1-red-open-oval", "2-red-open-oval", "3-red-open-oval", "1-green-solid-diamond"]
cards = [SetCard.parse(name) for name in names]

for trio in find_sets(cards):
    print("SET:", ", ".join(str(cards[at]) for at in trio))
print("The last three are no SET:", "; ".join(map(str, why_not(*cards[-3:]))) or "but they are one")
