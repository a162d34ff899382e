"""Count the layouts of n cards without a SET, exactly, for every n: the source of `visionset.games.set_cards.odds.SETLESS`.

A layout without a SET is a cap of the affine space of dimension 4 over three elements. Layouts that an affine map takes
to each other are one class. With N(n) layouts of n cards in classes, each layout of n + 1 cards holds n + 1 layouts of
n, so ``(n + 1) * size(class) = sum of size(class below) * extensions into the class``. Layouts are merged only where
a map between them is found, so the count is exact even if some classes stay apart.

Run ``python scripts/count_setless.py``; it takes some minutes.
"""

import sys
import time

from visionset.games.sets import CARD_THIRD as THIRD

POINTS = 81
ADD = [[THIRD[THIRD[a][b]][0] for b in range(POINTS)] for a in range(POINTS)]
NEGATIVE = [THIRD[a][0] for a in range(POINTS)]


def normal_form(cap: tuple[int, ...]) -> int:
    """Map a cap so that equal results mean that an affine map takes one cap to the other."""
    weight = [0] * POINTS
    for i, a in enumerate(cap):
        for b in cap[i + 1 :]:
            weight[THIRD[a][b]] += 1
    for a in cap:
        weight[a] += 100
    first = {q: tuple(sorted(weight[THIRD[q][p]] for p in cap if p != q)) for q in cap}
    frames = [((p,), (0,)) for p in _smallest(cap, first)]
    for _ in range(4):
        grown = []
        best = None
        for chosen, span in frames:
            origin = NEGATIVE[chosen[0]]
            known = set(span)
            signs = {}
            for q in cap:
                if ADD[q][origin] not in known:
                    row = THIRD[q]
                    signs[q] = (
                        first[q],
                        *(weight[row[p]] for p in chosen),
                        *(weight[THIRD[row[p]][r]] for p in chosen for r in chosen if p != r),
                    )
            if not signs:
                continue
            members = _smallest(tuple(signs), signs)
            key = (len(members), signs[members[0]])
            if best is None or key < best:
                best, grown = key, []
            if key == best:
                for q in members:
                    v = ADD[q][origin]
                    twice = ADD[v][v]
                    grown.append(((*chosen, q), (*span, *(ADD[x][v] for x in span), *(ADD[x][twice] for x in span))))
        if not grown:
            break
        frames = grown
    results = []
    for chosen, span in frames:
        label = {point: place for place, point in enumerate(span)}
        origin = NEGATIVE[chosen[0]]
        results.append(sum(1 << label[ADD[q][origin]] for q in cap))
    return min(results)


def _smallest(points: tuple[int, ...], sign: dict[int, tuple]) -> list[int]:
    groups: dict[tuple, list[int]] = {}
    for point in points:
        groups.setdefault(sign[point], []).append(point)
    return min(groups.items(), key=lambda group: (len(group[1]), group[0]))[1]


def main() -> None:
    level = {0: ((), 1)}
    for size in range(POINTS):
        begin = time.monotonic()
        print(size, sum(count for _, count in level.values()), f"{len(level)} classes", flush=True)
        above: dict[int, list] = {}
        for cap, count in level.values():
            blocked = {THIRD[a][b] for i, a in enumerate(cap) for b in cap[i + 1 :]} | set(cap)
            for point in range(POINTS):
                if point not in blocked:
                    grown = (*cap, point)
                    above.setdefault(normal_form(grown), [grown, 0])[1] += count
        if not above:
            break
        level = {form: (cap, total // (size + 1)) for form, (cap, total) in above.items()}
        if any(total % (size + 1) for _, total in above.values()):
            # A class that stayed split divides only as a whole: keep the sum exact by failing loudly instead.
            sys.exit(f"a class of {size + 1} cards was not merged with its like; refine normal_form")
        print(f"   {time.monotonic() - begin:.1f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
