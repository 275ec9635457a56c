#!/usr/bin/env python3
"""Reports newer releases of the five systems, and what they change in the definitions that the repository describes.

check.py [SYSTEM...] [--recorded SYSTEM=VERSION]... [--checkout SYSTEM=FOLDER]...

Exits with 1 if there is a newer release. Uses the clients `go`, `python3 -m pip`, `git` and `cargo` with their own settings.
"""

import argparse
import difflib
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEFINITIONS = ROOT / "tools/agent-sandbox-oracle"


def pinned(path, pattern):
    """The version that a file of an oracle pins."""
    return re.search(pattern, (ROOT / path).read_text(), re.M)[1]


@dataclass
class System:
    name: str
    # The package in its registry, and the recorded version.
    package: str
    recorded: str
    # The definitions in a release: patterns of paths.
    definitions: list[str]
    is_go: bool = False
    # The recorded commit, and the folders in a checkout, for what no registry has.
    commit: str = ""
    folders: list[str] = field(default_factory=list)


def systems():
    idegym = "tools/idegym-oracle/requirements.txt"
    return [
        System("agent-sandbox", "sigs.k8s.io/agent-sandbox", pinned("tools/agent-sandbox-oracle/modules/1.0/go.mod", r"agent-sandbox v(\S+)"),
               ["k8s/crds/*.yaml"], is_go=True),
        System("kelos", "github.com/kelos-dev/kelos", "0.52.0", ["internal/manifests/install-crd.yaml"], is_go=True,
               commit="77d9ad8e", folders=["api", "internal/controller", "internal/conversion", "internal/manifests", "internal/taskbuilder"]),
        *(System("idegym", name, pinned(idegym, rf"^{name}==(\S+)"), ["**/*.py"], commit="a39e385", folders=["orchestrator", "api", "backend-utils"])
          for name in ("idegym-api", "idegym-common-utils", "idegym-backend-utils")),
        System("nodepool", "nodepool", pinned("tools/nodepool-oracle/requirements.txt", r"^nodepool==(\S+)"),
               ["nodepool/driver/kubernetes/*.py", "nodepool/driver/openshift*/*.py", "nodepool/config.py", "nodepool/cmd/config_validator.py"]),
        # The server is only published as an image. The package deploys hooks and sources to it.
        System("osa", "osa-py", "0.9.0", ["osa/manifest.py", "osa/authoring/*.py"], commit="fee05ecaca5d84d012fe492be194bccfcaf168a4", folders=["server/osa"]),
    ]


def run(*command, cwd=None):
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=os.environ | {"GOFLAGS": "-mod=mod"})
    return done.returncode == 0, done.stdout, done.stderr


def numbers(version):
    return tuple(int(it) for it in re.findall(r"\d+", version.split("-")[0].split("+")[0])[:3])


def next_versions(version):
    """Versions to ask for by name: a list can omit a version that is served, and there can be gaps."""
    major, minor, patch = (numbers(version) + (0, 0, 0))[:3]
    yield from (f"{major}.{minor}.{patch + step}" for step in range(1, 9))
    for start in ((major, minor + 1), (major, minor + 2), (major + 1, 0)):
        yield from (f"{start[0]}.{start[1]}.{patch}" for patch in range(4))


def listed(system, folder):
    if system.is_go:
        ok, out, _ = run("go", "list", "-m", "-versions", system.package, cwd=folder)
        return [it.removeprefix("v") for it in out.split()[1:]] if ok else []
    # Of a package for a newer Python, the list is empty otherwise.
    ok, out, _ = run("python3", "-m", "pip", "--disable-pip-version-check", "index", "versions", "--python-version", "3.99",
                     "--only-binary=:all:", system.package)
    versions = re.search(r"Available versions: (.*)", out) if ok else None
    return versions[1].split(", ") if versions else []


def download(system, version, folder):
    """The folder with the files of a version, or None if the registry does not serve it."""
    if system.is_go:
        ok, out, _ = run("go", "mod", "download", "-json", f"{system.package}@v{version}", cwd=folder)
        return Path(json.loads(out)["Dir"]) if ok else None
    target = folder / f"{system.package}-{version}"
    ok, _, _ = run("python3", "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps", "--python-version", "3.99",
                   "--only-binary=:all:", "--dest", str(target), f"{system.package}=={version}")
    if not ok:
        return None
    for wheel in target.glob("*.whl"):
        zipfile.ZipFile(wheel).extractall(target)
    return target


def newer(system, folder):
    """The newer versions that the registry serves, with their folders, oldest first."""
    candidates = {*listed(system, folder), *next_versions(system.recorded)}
    # Pre-releases are left out.
    newer = sorted((it for it in candidates if re.fullmatch(r"[0-9.]+", it) and numbers(it) > numbers(system.recorded)), key=numbers)
    found = ((it, download(system, it, folder)) for it in newer)
    return [(version, files) for version, files in found if files]


def fields_of(*files):
    """The fields of custom resource definitions, one a line."""
    ok, out, error = run("go", "run", "-modfile=modules/1.0/go.mod", "./definitions", "fields", *map(str, files), cwd=DEFINITIONS)
    if not ok:
        sys.exit(error)
    return out.splitlines()


def definitions(system, files):
    """The definitions in the files of a release, by a name to print."""
    paths = sorted({path for pattern in system.definitions for path in files.glob(pattern) if path.is_file()})
    if system.is_go:
        return {"definitions": fields_of(*paths)}
    return {str(path.relative_to(files)): path.read_text().splitlines() for path in paths}


def recorded_definitions(system, folder):
    """Those that the repository describes: what `sandboxc crds` prints, or the recorded release of a package."""
    if not system.is_go:
        files = download(system, system.recorded, folder)
        return definitions(system, files) if files else {}
    ok, out, error = run("cargo", "run", "--quiet", "--", "crds", system.name, cwd=ROOT)
    if not ok:
        sys.exit(error)
    printed = folder / "recorded.yaml"
    printed.write_text(out)
    return {"definitions": fields_of(printed)}


def report(system, folder):
    found = newer(system, folder)
    if not found:
        is_served = download(system, system.recorded, folder)
        state = "is the newest release that the registry serves" if is_served else "is not in the registry, and no newer release is"
        print(f"{system.name}: {system.package} {system.recorded} {state}")
        return False
    version, files = found[-1]
    print(f"{system.name}: {system.package} {', '.join(it for it, _ in found)}; recorded: {system.recorded}")
    before, after = recorded_definitions(system, folder), definitions(system, files)
    for name in sorted({*before, *after}):
        changes = difflib.unified_diff(before.get(name, []), after.get(name, []), f"{name} {system.recorded}", f"{name} {version}", "", "", 0, "")
        print("".join(f"  {line}\n" for line in changes if not line.startswith("@@")), end="")
    return True


def report_checkout(system, checkout):
    """What a checkout changes since the recorded commit, for what no registry has."""
    ok, out, error = run("git", "-C", checkout, "diff", "--stat", f"{system.commit}..HEAD", "--", *system.folders)
    if not ok:
        sys.exit(error)
    print(f"{system.name}: {checkout} since {system.commit[:8]}: " + ("\n" + out if out else "no changes"), end="\n" if not out else "")
    return bool(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("systems", nargs="*", metavar="SYSTEM")
    parser.add_argument("--recorded", action="append", default=[], metavar="SYSTEM=VERSION", help="the recorded version, instead of the pinned one")
    parser.add_argument("--checkout", action="append", default=[], metavar="SYSTEM=FOLDER", help="also compare a checkout with the recorded commit")
    options = parser.parse_args()
    recorded, checkouts = (dict(it.split("=", 1) for it in given) for given in (options.recorded, options.checkout))
    known = systems()
    unknown = {*options.systems, *recorded, *checkouts} - {it.name for it in known}
    if unknown:
        parser.error(f"unknown system: {', '.join(sorted(unknown))}")
    is_newer = False
    for system in known:
        if options.systems and system.name not in options.systems:
            continue
        system.recorded = recorded.get(system.name, system.recorded)
        with tempfile.TemporaryDirectory() as folder:
            is_newer |= report(system, Path(folder))
        if system.name in checkouts:
            is_newer |= report_checkout(system, checkouts.pop(system.name))
    sys.exit(1 if is_newer else 0)


main()
