"""Writes sets of strings as the smallest automata that accept them: fixtures/print/doubt.txt.

Arguments: pairs of a reader's name and the file that lists what it does not read as strings. A line
of the output is a state: its number, `!` where it accepts, and `characters>state` for each way on.
A space is written as `\\s`. State 0 is the first.
"""

import sys


def minimal(words):
    """The states, each as (accepts, ((character, state), ...)); the last is the first to be in."""
    states = {}

    def state(start, end, depth):
        accepts = len(words[start]) == depth
        at = start + accepts
        edges = []
        while at < end:
            character = words[at][depth]
            stop = at
            while stop < end and words[stop][depth] == character:
                stop += 1
            edges.append((character, state(at, stop, depth + 1)))
            at = stop
        return states.setdefault((accepts, tuple(edges)), len(states))

    first = state(0, len(words), 0)
    return list(states), first


def main():
    for name, path in zip(sys.argv[1::2], sys.argv[2::2]):
        with open(path, encoding="utf-8") as lines:
            words = sorted(set(lines.read().splitlines()))
        states, first = minimal(words)
        number = {state: len(states) - 1 - state for state in range(len(states))}
        assert number[first] == 0
        print(f"{name}: {len(words)} strings")
        for state in reversed(range(len(states))):
            accepts, edges = states[state]
            targets = {}
            for character, target in edges:
                targets.setdefault(number[target], []).append(character)
            ways = (f"{''.join(on)}>{target}".replace(" ", "\\s") for target, on in targets.items())
            print(f"{number[state]}{'!' if accepts else ''}", *ways)


main()
