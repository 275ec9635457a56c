"""Compares `sandboxc check` with kubeconform: time and memory for 10,000 Pods and Jobs.

usage: compare.py SANDBOXC KUBECONFORM FOLDER   (run.sh does)

Both read the same stream from standard input, strictly and against the same schemas, and both accept
it; sandboxc runs all its rules besides. They take turns, so that both suffer alike from whatever else
the machine does. Exits with 1 where a bar is missed.
"""

import os
import re
import statistics
import subprocess
import sys
import time

TURNS = 5
# The minimum factor by which sandboxc must be faster, and its maximum memory in MiB.
FASTER, MEMORY = 10, 130


def run(command, text_file):
    """Exit status, output, wall and processor time (s), peak memory (MiB).

    The kernel counts the memory of this process as the child's own until that begins: keep it small.
    """
    with open(text_file, "rb") as text, open(f"{text_file}.out", "w+b") as out:
        start = time.monotonic()
        process = subprocess.Popen(command, stdin=text, stdout=out, stderr=out)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
        out.seek(0)
        said = out.read().decode()
    return os.waitstatus_to_exitcode(status), said, wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    sandboxc, kubeconform, folder = sys.argv[1:]
    stream, broken = f"{folder}/input.yaml", f"{folder}/broken.yaml"
    location = f"{folder}/schemas/{{{{.ResourceKind}}}}{{{{.KindSuffix}}}}.json"
    peers = {
        "sandboxc": [sandboxc, "check", "--kubernetes", "1.37", "--deny", "warnings", "-"],
        "kubeconform": [kubeconform, "-strict", "-summary", "-schema-location", location, "-"],
    }
    for name, command in peers.items():
        if run(command, broken)[0] == 0:
            sys.exit(f"{name} accepts an unknown field")
    runs = {name: [] for name in peers}
    for _ in range(TURNS):
        for name, command in peers.items():
            status, said, *figures = run(command, stream)
            # kubeconform occasionally misreads a few documents of a long stream, and rejects them.
            found, valid = map(int, (re.findall(r"(\d+) resources found .* Valid: (\d+)", said) or [(1, 0)])[0])
            if valid < 0.99 * found if name == "kubeconform" else status != 0:
                sys.exit(f"{name}: {said[-2000:]}")
            runs[name].append(figures)

    print(f"{os.path.getsize(stream) / 1e6:.1f} MB, median of {TURNS} turns")
    middle = {name: [statistics.median(column) for column in zip(*figures)] for name, figures in runs.items()}
    for name, (wall, processor, memory) in middle.items():
        print(f"{name:12} {wall:6.2f} s wall {processor:6.2f} s processor {memory:6.1f} MiB")
    ratios = [theirs / ours for ours, theirs in zip(middle["sandboxc"], middle["kubeconform"])]
    print("kubeconform over sandboxc: {:.1f} wall, {:.1f} processor, {:.1f} memory".format(*ratios))
    sys.exit(min(ratios[:2]) < FASTER or middle["sandboxc"][2] >= MEMORY)


main()
