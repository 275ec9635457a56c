"""Records what PyYAML's safe loader reads from the scalars of a recording of scalar-oracle.

usage: python3 pyyaml.py < kubernetes.tsv > pyyaml.tsv
"""
import datetime
import json
import sys

import yaml

for line in sys.stdin:
    scalar = line.split("\t")[0]
    try:
        value = yaml.safe_load(f"k: {scalar}\n")["k"]
    except Exception:
        verdict = "error"
    else:
        if isinstance(value, (datetime.date, datetime.datetime)):
            verdict = "date"
        elif isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
            verdict = "not finite"
        else:
            verdict = json.dumps(value)
    print(f"{scalar}\t{verdict}")
