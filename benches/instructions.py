#!/usr/bin/env python3
"""Counts the instructions of a few runs of `sandboxc` and compares them with `instructions.json`.

usage: benches/instructions.py BINARY [--record] [CASE...]

Unlike times, the counts differ by less than a thousandth from run to run, also on a busy machine. It fails if a
case takes 5 % more instructions than recorded. `--record` records the counts instead. BINARY is what
`cargo build --release` has built. Requires Linux, Valgrind, rustc and Python 3; takes ten minutes.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "benches/instructions.json"
GROWTH = 1.05

POD = """apiVersion: v1
kind: Pod
metadata: {name: one, namespace: default}
spec:
  containers:
    - {name: main, image: "registry.example.com/worker:1.0.0"}
"""

GENERATOR = """#[path = "%s"]
mod input;
fn main() { print!("{}", input::definitions(%d, %d)); }
"""

# Each changes a line of every Pod and Job of the stream, and raises a warning there.
MISTAKES = [
    ("key: token", "key: absent"),
    ("memory: 256Mi", "memory: 256m"),
    (" kubernetes.io/os: linux", " beta.kubernetes.io/os: linux"),
]


def one_pod(folder):
    path = folder / "pod.yaml"
    path.write_text(POD)
    return path


def definitions(claims, templates):
    """The input of `cargo bench`: templates, most of which extend another, and claims."""

    def write(folder):
        source, program, path = folder / "input.rs", folder / "input", folder / "input.yaml"
        source.write_text(GENERATOR % (ROOT / "benches/compile/input.rs", claims, templates))
        subprocess.run(["rustc", "--edition", "2024", "-o", program, source], check=True)
        path.write_bytes(subprocess.run([program], check=True, capture_output=True).stdout)
        return path

    return write


def stream(folder):
    subprocess.run([sys.executable, ROOT / "tools/compare-speed/prepare.py", folder], check=True)
    return folder / "input.yaml"


def stream_with_warnings(folder):
    path = stream(folder)
    text = path.read_text()
    for right, wrong in MISTAKES:
        text = text.replace(right, wrong)
    path.write_text(text)
    return path


def files(folder):
    """The documents of the stream, one in each file."""
    documents = stream(folder).read_text().split("\n---\n")
    path = folder / "files"
    path.mkdir()
    for index, document in enumerate(documents):
        (path / f"{index}.yaml").write_text(document)
    return path


CHECK = ["check", "--kubernetes", "1.37"]
# Of each case: what writes its input, and the command.
CASES = {
    "one Pod": (one_pod, CHECK),
    "10,000 claims": (definitions(10_000, 500), ["build"]),
    "5,000 merged templates": (definitions(0, 5_000), ["build"]),
    "10,000 Pods and Jobs": (stream, [*CHECK, "--deny", "warnings"]),
    "10,000 files": (files, [*CHECK, "--deny", "warnings"]),
    "30,000 warnings": (stream_with_warnings, CHECK),
}


def count(binary, arguments, path):
    """The instructions of one run, on one core: the threads of a program depend on the machine."""
    command = ["taskset", "-c", "0", "valgrind", "--tool=cachegrind", "--cache-sim=no"]
    command += ["--cachegrind-out-file=/dev/null", binary, *arguments, path]
    run = subprocess.run(command, cwd=path.parent, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    found = re.search(r"I +refs: +([0-9,]+)", run.stderr)
    if run.returncode != 0 or not found:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{run.stderr}")
    return int(found[1].replace(",", ""))


def main():
    arguments = sys.argv[1:]
    is_recording = "--record" in arguments
    binary, *chosen = [it for it in arguments if it != "--record"] or sys.exit(__doc__)
    recorded = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    has_grown = False
    for case in chosen or CASES:
        with tempfile.TemporaryDirectory() as folder:
            write_input, command = CASES[case]
            counted = count(Path(binary).resolve(), command, write_input(Path(folder)))
        before = recorded.get(case)
        change = f"{100 * (counted / before - 1):+.2f} %" if before else "new"
        print(f"{case:22} {counted:>16,}  {change}", flush=True)
        if is_recording:
            recorded[case] = counted
        elif not before or counted > GROWTH * before:
            has_grown = True
    if is_recording:
        RECORD.write_text(json.dumps(recorded, indent=2) + "\n")
    elif has_grown:
        sys.exit("a case takes 5 % more instructions than recorded in benches/instructions.json, or is not recorded")


main()
