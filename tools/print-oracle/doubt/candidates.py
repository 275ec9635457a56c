"""Prints the plain scalars that each reader is asked about, one a line.

All strings of one to five characters of the alphabet of numbers; longer ones over smaller alphabets;
the words of YAML 1.1 in every mix of case, with what may precede them; and timestamps.
"""

import itertools
import sys


def is_plain(text):
    """Whether YAML lets the string stand without quotes at all."""
    return not text.endswith(":") and text != "-"


def over(alphabet, lengths):
    for length in lengths:
        for characters in itertools.product(alphabet, repeat=length):
            yield "".join(characters)


def words():
    known = "y n t f yes no on off true false null none nil undefined nan inf infinity ~ = <<".split()
    for word in known:
        cases = itertools.product(*({c.lower(), c.upper()} for c in word)) if len(word) < 7 else [word, word.title(), word.upper()]
        for characters in cases:
            for prefix in ["", "+", "-", ".", "+.", "-.", "_", "0"]:
                yield prefix + "".join(characters)


def timestamps():
    dates = ["2001-01-01", "2001-1-1", "2001-12-31", "0001-01-01", "2001-99-99", "201-01-01", "2001-001-01", "2001-01"]
    times = ["", "T", "t", " "]
    clocks = ["", "0:0:0", "00:00:00", "12:30:45", "12:30:45.5", "12:30:45.", "12:30", "99:99:99", "12:30:45.123456789"]
    zones = ["", "Z", "z", " Z", "+1", "-01:30", "+01:30", " +1:30", "+0130"]
    for parts in itertools.product(dates, times, clocks, zones):
        yield "".join(parts).strip()


def main():
    seen = set()
    sources = [
        over("0123456789abcdefxo_+.:~-", range(1, 6)),
        over("01_:.e-", range(6, 8)),
        over("0x1fob_+.p", range(6, 7)),
        words(),
        timestamps(),
    ]
    for source in sources:
        for text in source:
            if is_plain(text) and (len(text) < 6 or text not in seen):
                if len(text) > 5:
                    seen.add(text)
                sys.stdout.write(text + "\n")


main()
