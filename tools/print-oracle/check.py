"""Reads each case of a file with PyYAML and says which ones it reads as another value.

A case is a line of JSON: {"value": ..., "yaml": "..."}.
"""

import json
import sys

import yaml


def same(read, value):
    if isinstance(value, bool) or isinstance(read, bool) or value is None or isinstance(value, str):
        return type(read) is type(value) and read == value
    if isinstance(value, list):
        return isinstance(read, list) and len(read) == len(value) and all(map(same, read, value))
    if isinstance(value, dict):
        return isinstance(read, dict) and read.keys() == value.keys() and all(same(read[k], value[k]) for k in value)
    return isinstance(read, (int, float)) and read == value


def main():
    loader = getattr(yaml, sys.argv[2] if len(sys.argv) > 2 else "SafeLoader")
    cases = wrong = 0
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            cases += 1
            try:
                read = yaml.load(case["yaml"], loader)
            except Exception as error:
                wrong += 1
                print(f"refused: {error}\n{case['yaml']}")
                continue
            if not same(read, case["value"]):
                wrong += 1
                print(f"read as {read!r}, not {case['value']!r}:\n{case['yaml']}")
    print(f"{cases} cases, {wrong} read differently")
    sys.exit(1 if wrong else 0)


main()
