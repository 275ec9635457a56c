#!/usr/bin/env python3
"""Writes the formula of Homebrew, the manifest of krew, and the digests for the action of GitHub, for the archives of a release.

    packaging/render.py dist [--repository URL]

`dist` has the archives of all platforms; the files are written next to them. Without the option, the address is
`repository` of `[package]` in Cargo.toml. It requires Python 3.11.
"""

import argparse
import hashlib
import pathlib
import re
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
TEMPLATES = {"sandboxc.rb.in": "sandboxc.rb", "krew.yaml.in": "sandboxc.yaml"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("dist", type=pathlib.Path)
    parser.add_argument("--repository", help="the address of the repository, with https://")
    arguments = parser.parse_args()
    package = tomllib.loads((HERE.parent / "Cargo.toml").read_text())["package"]
    repository = arguments.repository or package.get("repository")
    if repository is None:
        sys.exit("no address: set `repository` of `[package]` in Cargo.toml, or write --repository URL")
    version = package["version"]

    def value(match: re.Match[str]) -> str:
        name, _, suffix = match[1].partition(":")
        if name == "SHA256":
            archive = arguments.dist / f"sandboxc-v{version}-{suffix}"
            if not archive.is_file():
                sys.exit(f"no archive {archive}")
            return hashlib.sha256(archive.read_bytes()).hexdigest()
        downloads = f"{repository}/releases/download/v{version}"
        return {"VERSION": version, "REPOSITORY": repository, "DOWNLOADS": downloads}[name]

    for template, output in TEMPLATES.items():
        text = re.sub(r"@([A-Z0-9]+(?::[a-z0-9_.-]+)?)@", value, (HERE / template).read_text())
        (arguments.dist / output).write_text(text)
        print(arguments.dist / output)
    # The action installs an archive with one of these digests: integrations/github/install.sh.
    lines = [f"{repository}/releases/download/v{version}"]
    for archive in sorted(arguments.dist.glob(f"sandboxc-v{version}-*")):
        if archive.name.endswith((".tar.gz", ".zip")):
            lines.append(f"{hashlib.sha256(archive.read_bytes()).hexdigest()}  {archive.name}")
    (arguments.dist / "release.txt").write_text("".join(f"{line}\n" for line in lines))
    print(arguments.dist / "release.txt")


main()
