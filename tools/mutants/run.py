#!/usr/bin/env python3
"""Changes the code in random places, and reports which of the changes the tests find.

usage: run.py sample SEED COUNT LIST    writes a random sample of the mutations of cargo-mutants
       run.py build LIST FOLDER         compiles the tests once, with all mutations of the list behind a switch
       run.py run LIST FOLDER [ID...]   tests each mutation, and writes the result into the list

README.md describes the method. Requires cargo-mutants in the path.
"""

import collections
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Of the standard library, for macros, which are libraries of the compiler.
LIBRARIES = subprocess.run(["rustc", "--print", "target-libdir"], check=True, capture_output=True, text=True).stdout.strip()

# Not tested by `cargo test`, or only there for tests.
OUTSIDE = ("crates/wasm/", "crates/python/", "src/fuzzing/", "crates/syntax/src/fuzzing")

# Tests of the files of the repository, which the switches change.
SKIPPED = ["--skip", "tidy"]

# The maximum number of tests that are run by their names.
MOST = 100

# The modules of the suite that start the program.
PROCESSES = ["cli::", "lsp::", "markup::program", "generated", "oracles", "kelos"]

SWITCH = """

#[doc(hidden)]
#[allow(missing_docs, unreachable_pub, dead_code, clippy::all, clippy::pedantic)]
pub(crate) fn mutation_is_on(number: usize) -> bool {
    use std::io::Write;
    static ON: std::sync::OnceLock<Option<usize>> = std::sync::OnceLock::new();
    thread_local! {
        static REACHED: std::cell::RefCell<Vec<usize>> = const { std::cell::RefCell::new(Vec::new()) };
    }
    let on = *ON.get_or_init(|| std::fs::read_to_string("FOLDER/on").ok()?.trim().parse().ok());
    if on == Some(0) {
        let is_new = REACHED.try_with(|it| {
            let is_new = !it.borrow().contains(&number);
            if is_new { it.borrow_mut().push(number); }
            is_new
        });
        if is_new.unwrap_or(false) {
            let line = format!("{number}\\t{}\\n", std::thread::current().name().unwrap_or(""));
            if let Ok(mut file) = std::fs::OpenOptions::new().append(true).open("FOLDER/reached") {
                let _ = file.write_all(line.as_bytes());
            }
        }
    }
    on == Some(number)
}
"""


def room(file):
    """The part of the repository that a sample takes its share of."""
    parts = file.split("/")
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def sample(seed, count, path):
    listed = subprocess.run(
        ["cargo", "mutants", "--workspace", "--list", "--json"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )
    rooms = collections.defaultdict(list)
    for mutant in json.loads(listed.stdout):
        if not mutant["file"].startswith(OUTSIDE) and mutant["function"]:
            rooms[room(mutant["file"])].append(mutant)
    chance = random.Random(seed)
    weights = {name: len(mutants) ** 0.5 for name, mutants in rooms.items()}
    chosen = []
    for name, mutants in sorted(rooms.items()):
        chance.shuffle(mutants)
        share = max(1, round(count * weights[name] / sum(weights.values())))
        functions = set()
        for mutant in mutants:
            function = (mutant["file"], mutant["function"]["span"]["start"]["line"])
            if function not in functions and len(functions) < share:
                functions.add(function)
                chosen.append(mutant)
    lines = [
        {"id": number, **{key: it[key] for key in ("name", "file", "function", "span", "replacement")}}
        for number, it in enumerate(chosen, 1)
    ]
    write(path, lines)
    print(f"{len(lines)} of {sum(map(len, rooms.values()))} mutations")


def write(path, lines):
    pathlib.Path(path).write_text("".join(json.dumps(it) + "\n" for it in lines))


def read(path):
    return [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]


def masked(text):
    """The text with spaces for what is in comments and literals."""
    form = re.compile(
        r'//[^\n]*|/\*.*?\*/|\bb?r(#*)".*?"\1|b?"(?:\\.|[^"\\])*"|b?\'(?:\\[^\n]+?|[^\'\\\n])\'', re.DOTALL
    )
    return form.sub(lambda it: re.sub(r"[^\n]", " ", it[0]), text)


def offset(starts, place):
    return starts[place["line"] - 1] + place["column"] - 1


def switched(text, mutants):
    """The text in which each mutation has a switch, and the lines of each of them."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    mask = masked(text)
    edits = []
    for mutant in mutants:
        begin = offset(starts, mutant["function"]["span"]["start"])
        end = offset(starts, mutant["function"]["span"]["end"])
        head = re.compile(r"\bfn\s+\w+").search(mask, begin, end)
        if not head or re.search(r"\bconst\s*$|\bconst\s+\w*\s*$", mask[max(begin, head.start() - 40):head.start()]):
            continue
        body = mask.index("{", head.end())
        first, last = offset(starts, mutant["span"]["start"]), offset(starts, mutant["span"]["end"])
        if not body < first <= last < end:
            continue
        original = text[body + 1:end - 1]
        changed = text[body + 1:first] + mutant["replacement"] + text[last:end - 1]
        edits.append((body + 1, end - 1, mutant["id"], changed, original))
    edits.sort()
    result, lines, at = [], {}, 0
    for begin, end, number, changed, original in edits:
        if begin < at:
            continue
        result.append(text[at:begin])
        line = "".join(result).count("\n") + 1
        result.append(f" if crate::mutation_is_on({number}) {{ {changed} }} else {{ {original} }} ")
        lines[number] = (line, "".join(result).count("\n") + 1)
        at = end
    result.append(text[at:])
    return "".join(result), lines


def crate_roots(tree):
    yield from (it for it in (tree / "crates").glob("*/src/lib.rs") if it.parts[-3] not in ("wasm", "python"))
    yield tree / "src/lib.rs"
    yield tree / "src/main.rs"


def cargo(tree, folder, *arguments):
    environment = {**os.environ, "CARGO_TARGET_DIR": str(folder / "target"), "INSTA_UPDATE": "no"}
    return subprocess.run(
        ["cargo", *arguments], cwd=tree, env=environment, stdout=subprocess.PIPE, text=True, check=False
    )


def build(path, folder):
    folder = pathlib.Path(folder).resolve()
    tree = folder / "tree"
    if not tree.exists():
        subprocess.run(["git", "worktree", "add", "--detach", tree, "HEAD"], cwd=ROOT, check=True)
    mutants = read(path)
    excluded = {it["id"] for it in mutants if it.get("result") == "does not compile"}
    while True:
        subprocess.run(["git", "checkout", "-q", "."], cwd=tree, check=True)
        places = {}
        for file in sorted({it["file"] for it in mutants}):
            source = tree / file
            wanted = [it for it in mutants if it["file"] == file and it["id"] not in excluded]
            text, lines = switched(source.read_text(), wanted)
            source.write_text(text)
            places |= {number: (file, span) for number, span in lines.items()}
        for crate in crate_roots(tree):
            crate.write_text(crate.read_text() + SWITCH.replace("FOLDER", str(folder)))
        done = cargo(tree, folder, "test", "--no-run", "--locked", "--message-format", "json")
        messages = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        faulty = set()
        for message in messages:
            if message["reason"] != "compiler-message" or message["message"]["level"] != "error":
                continue
            print(message["message"]["rendered"])
            for span in message["message"]["spans"]:
                faulty |= {
                    number for number, (file, (first, last)) in places.items()
                    if span["file_name"] == file and first <= span["line_start"] <= last
                }
        if done.returncode == 0:
            break
        if not faulty:
            sys.exit("errors outside of mutations")
        print(f"do not compile: {sorted(faulty)}")
        excluded |= faulty
    for mutant in mutants:
        if mutant["id"] not in places:
            mutant["result"] = "does not compile"
    write(path, mutants)
    programs = [it["executable"] for it in messages if it.get("profile", {}).get("test") and it["executable"]]
    (folder / "programs").write_text("\n".join(programs) + "\n")
    print(f"{len(places)} mutations in {len(programs)} programs")


def order(program):
    """Those of crates first, those over all inputs last."""
    name = pathlib.Path(program).name
    return name.startswith("suite"), name.startswith("rules"), name


def test(tree, program, arguments, limit):
    """The first test that fails, or None."""
    crate = tree
    for candidate in ("message", "syntax", "kubernetes", "files"):
        if pathlib.Path(program).name.startswith(f"sandboxc_{candidate}-"):
            crate = tree / "crates" / candidate
    environment = {
        **os.environ, "INSTA_UPDATE": "no", "CARGO_MANIFEST_DIR": str(crate), "CARGO": "cargo", "RUST_BACKTRACE": "0",
        "LD_LIBRARY_PATH": LIBRARIES,
    }
    process = subprocess.Popen(
        [program, *arguments], cwd=crate, env=environment, text=True, errors="replace",
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
    )
    signal.alarm(int(limit))
    found = None
    try:
        for line in process.stdout:
            failed = re.match(r"test (.*) \.\.\. FAILED|failed: (.*)|test (.*) \.\.\. failed", line)
            if failed:
                found = next(it for it in failed.groups() if it)
                break
        else:
            process.wait()
            if process.returncode:
                found = f"ends with {process.returncode}"
    except TimeoutError:
        found = f"no end within {int(limit)} s"
    signal.alarm(0)
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    return found


def on_alarm(*_):
    raise TimeoutError


def run(path, folder, chosen):
    signal.signal(signal.SIGALRM, on_alarm)
    folder = pathlib.Path(folder).resolve()
    tree = folder / "tree"
    programs = sorted((folder / "programs").read_text().split(), key=order)
    (folder / "on").write_text("0")
    reached = folder / "reached.json"
    if not reached.exists():
        tests, times = {}, {}
        for program in programs:
            (folder / "reached").write_text("")
            start = time.monotonic()
            found = test(tree, program, SKIPPED, 3000)
            times[program] = time.monotonic() - start
            print(f"{pathlib.Path(program).name}: {times[program]:.1f} s", flush=True)
            if found:
                sys.exit(f"without a mutation: {found} in {program}")
            tests[program] = sorted({line for line in (folder / "reached").read_text().splitlines()})
        reached.write_text(json.dumps([tests, times]))
    tests, times = json.loads(reached.read_text())
    mutants = read(path)
    # The quick tests of all mutations first: what they do not find takes minutes.
    for part in (quick, whole):
        for mutant in mutants:
            if chosen and str(mutant["id"]) not in chosen or mutant.get("result", "not found") != "not found":
                continue
            if "result" in mutant and not chosen and part is quick:
                continue
            start = time.monotonic()
            (folder / "on").write_text(str(mutant["id"]))
            found = None
            for program, arguments in part(mutant["id"], programs, tests, times):
                found = found or test(tree, program, [*arguments, *SKIPPED], 60 + 4 * times[program])
            mutant["result"] = f"found by {found}" if found else "not found"
            write(path, mutants)
            took = time.monotonic() - start
            print(f"{part.__name__} {mutant['id']} {mutant['name']}: {mutant['result']} ({took:.1f} s)", flush=True)
    (folder / "on").write_text("0")


def threads(number, program, tests):
    """The threads in which the tests of a program reach the mutation: they have the names of tests, or others."""
    names = [it.split("\t") for it in tests[program]]
    return [name for reached, name in names if reached == str(number)]


def quick(number, programs, tests, times):
    """The tests that reach the mutation in their own thread, and those of rules, which have no such threads."""
    for program in programs:
        names = threads(number, program, tests)
        direct = [it for it in names if "::" in it][:MOST]
        if names and "rules-" in program:
            yield program, []
        elif direct:
            yield program, ["--exact", *direct]


def whole(number, programs, tests, times):
    """All tests of the programs in which other threads reach it: those of a pool, and those of other processes."""
    for program in sorted(programs, key=times.get):
        names = threads(number, program, tests)
        others = {it for it in names if "::" not in it}
        if "rules-" in program or not others and len(names) <= MOST:
            continue
        # Other processes are only those of some tests.
        yield program, PROCESSES if others == {"main"} and "suite-" in program else []


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["sample", seed, count, path]:
            sample(int(seed), int(count), path)
        case ["build", path, folder]:
            build(path, folder)
        case ["run", path, folder, *chosen]:
            run(path, folder, chosen)
        case _:
            sys.exit(__doc__)
