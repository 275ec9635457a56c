#!/usr/bin/env python3
"""Counts the instructions of a few runs of `sandboxc` and compares them with `instructions.json`.

usage: benches/instructions.py BINARY [--record] [CASE...]

Unlike times, the counts differ by less than a thousandth from run to run, also on a busy machine. It fails if a
case takes 5 % more instructions than recorded. `--record` records the counts instead. BINARY is what
`cargo build --release` has built. Requires Linux, Valgrind, rustc and Python 3; takes a few minutes.
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

CLAIMS = """#[path = "%s"]
mod input;
fn main() { print!("{}", input::definitions(10_000, 500)); }
"""

# What is run on the input of each case.
CASES = {
    "one Pod": ["check", "--kubernetes", "1.37"],
    "10,000 claims": ["build"],
    "10,000 Pods and Jobs": ["check", "--kubernetes", "1.37", "--deny", "warnings"],
}


def write_input(case, folder):
    """Writes the input of a case and returns its path."""
    if case == "one Pod":
        path = folder / "pod.yaml"
        path.write_text(POD)
        return path
    if case == "10,000 claims":
        source = folder / "claims.rs"
        source.write_text(CLAIMS % (ROOT / "benches/compile/input.rs"))
        program, path = folder / "claims", folder / "claims.yaml"
        subprocess.run(["rustc", "--edition", "2024", "-o", program, source], check=True)
        path.write_bytes(subprocess.run([program], check=True, capture_output=True).stdout)
        return path
    subprocess.run([sys.executable, ROOT / "tools/compare-speed/prepare.py", folder], check=True)
    return folder / "input.yaml"


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
            path = write_input(case, Path(folder))
            counted = count(Path(binary).resolve(), CASES[case], path)
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
