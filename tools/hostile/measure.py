"""Measures the commands on hostile inputs: time, memory and the last line of the output.

usage: measure.py SANDBOXC FOLDER [NAME...]

All inputs are written to FOLDER, measured, and removed at the end, because ext4 takes many seconds to create files where
others were removed less than five minutes ago. Prints a line for each command, and exits with 1 if one takes
more than 10 s on the clock or 2 GiB, or ends with a signal or a panic.
"""

import os
import pathlib
import resource
import shutil
import subprocess
import sys
import time

from inputs import COMMANDS, INPUTS

SECONDS, MEBIBYTES, AGAIN, PATIENCE = 10, 2048, 1, int(os.environ.get("PATIENCE", "60"))
SESSION = str(pathlib.Path(__file__).with_name("session.py"))
SCALE = float(os.environ.get("SCALE", "1"))
VERBS = os.environ.get("VERBS", "check build").split()
FOR_ALL = [it.split() for it in os.environ.get("FOR_ALL", "").split(";") if it.strip()]


def bound():
    resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))


def run(command, output):
    """Exit status, seconds of processor time, seconds, peak memory in MiB."""
    with open(output, "wb") as out, open(f"{output}.errors", "wb") as errors:
        start = time.monotonic()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=errors, preexec_fn=bound)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - start
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, seconds, usage.ru_maxrss / 1024


def fastest(command, output):
    """As `run`; a command that takes too long is run again, because the machine can be slow for a moment."""
    result = run(command, output)
    changes_files = any(it in ("-o", "--fix") for it in command)
    for _ in range(0 if changes_files else AGAIN):
        status, processor, seconds, memory = result
        if seconds <= SECONDS or status not in (0, 1, 2):
            break
        again = run(command, output)
        result = (again[0], min(processor, again[1]), min(seconds, again[2]), max(memory, again[3]))
    return result


def commands(name, files):
    """Files that are named are read even where they look like something else."""
    argument = "{}/" + next(iter(files)) if len(files) == 1 else "{}"
    if FOR_ALL:
        return [[*command, argument] for command in FOR_ALL]
    return COMMANDS.get(name) or [[verb, argument] for verb in VERBS]


def write(folder, files):
    size = 0
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        content = text.encode()
        path.write_bytes(content)
        size += len(content)
    return size


def last_line(path):
    with open(path, "rb") as file:
        file.seek(max(0, file.seek(0, 2) - 4096))
        lines = file.read().decode(errors="replace").strip().splitlines()
    return lines[-1][:90] if lines else ""


def main():
    program, folder, *names = sys.argv[1:]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    missed = False
    for name, (function, count) in INPUTS.items():
        if names and name not in names:
            continue
        here = folder / name
        shutil.rmtree(here, ignore_errors=True)
        files = function(max(1, int(count * SCALE)))
        size = write(here, files)
        for command in commands(name, files):
            arguments = [it.replace("{}", str(here)) for it in command]
            output = str(folder / "output")
            starts = [program] if command[0] != "lsp" else [sys.executable, SESSION, program]
            status, processor, seconds, memory = fastest([*starts, *arguments[command[0] == "lsp" :]], output)
            errors = f"{output}.errors"
            with open(errors, "rb") as file:
                is_panic = b"panicked at" in file.read(1 << 20)
            is_missed = seconds > SECONDS or memory > MEBIBYTES or status not in (0, 1, 2) or is_panic
            missed |= is_missed
            shown = " ".join(command)[:60]
            print(
                f"{'MISSED' if is_missed else '':6} {name:32} {size / 1e6:5.1f} MB {processor:6.2f} s {seconds:6.2f} s"
                f" {memory:6.0f} MiB {status:3} {shown:60} {last_line(errors)}",
                flush=True,
            )
    for name in INPUTS:
        shutil.rmtree(folder / name, ignore_errors=True)
    sys.exit(missed)


if __name__ == "__main__":
    main()
