"""Checks Kubernetes YAML as the API server does, offline, and compiles definitions of sandboxes.

>>> import sandboxc
>>> [finding] = sandboxc.check("apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: A}\\n")
>>> finding.rule, finding.line
('name-invalid', 3)

`check` judges a text, `check_files` files, and `build` and `objects` compile files. Nothing is sent anywhere, and no
cluster is needed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from . import _native

__all__ = [
    "Edit",
    "Finding",
    "InputError",
    "SandboxcError",
    "build",
    "check",
    "check_files",
    "explain",
    "objects",
    "version",
]

Severity = Literal["error", "warning", "note"]
Source = str | os.PathLike[str] | Mapping[str, str]
"""A file or directory, or texts by the names of their files."""


class SandboxcError(Exception):
    """A request that has no answer: an unknown setting, too much input."""

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(f"{message}: {help}" if help else message)
        self.message = message
        """What is wrong."""
        self.help = help
        """What to do; can be empty."""


class InputError(SandboxcError):
    """Input with errors, which cannot be compiled. The text of the exception has the findings with their source."""

    def __init__(self, text: str, findings: list[Finding]) -> None:
        super().__init__(text)
        self.findings = findings
        """All findings, also warnings."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of the source that removes the cause of a finding."""

    file: str
    start_byte: int
    end_byte: int
    replacement: str
    text: str
    """What the edit does."""
    is_safe: bool
    """Whether the result certainly means what was intended."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault in the input."""

    rule: str
    """The name of the rule: `explain` describes it."""
    severity: Severity
    """An API server rejects an object with an error."""
    message: str
    """The fault in a sentence."""
    path: str | None
    """The field of the object, such as `spec.containers[0].image`."""
    file: str
    line: int
    """Counted from 1."""
    column: int
    """Counted from 1, in characters."""
    end_line: int
    end_column: int
    kubernetes: tuple[str, ...] | None
    """The versions to which the finding applies, if those are only some of the versions of the run."""
    notes: tuple[str, ...]
    """Consequences and background."""
    help: tuple[str, ...]
    """What to do."""
    edits: tuple[Edit, ...]

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.severity}[{self.rule}]: {self.message}"


def check(
    text: str,
    *,
    name: str = "input.yaml",
    kubernetes: str | None = None,
    policy: str | None = None,
) -> list[Finding]:
    """The findings about a YAML stream or a JSON document, sorted by their place.

    `name` is the name of the file in findings. `kubernetes` selects the versions whose API servers must accept the
    objects: `"1.33"`, `"1.33,1.37"` or `"1.33..1.37"`; by default the newest. `policy` is a Pod Security Standard that
    all Pods must satisfy: `"baseline"`, `"restricted"`, `"restricted@v1.30"`.
    """
    files = [{"name": name, "text": _text(text), "role": "named"}]
    return _findings(files, _settings(kubernetes, policy, None))


def check_files(
    source: Source,
    *,
    environment: str | None = None,
    kubernetes: str | None = None,
    policy: str | None = None,
) -> list[Finding]:
    """The findings about files, with the Projects at or above them.

    `source` is a file, a directory with all YAML and JSON files below that `.gitignore` and `.sandboxcignore` do not
    exclude, or texts by the names of their files. `environment` is an environment of the Project.
    """
    return _findings(_files(source), _settings(kubernetes, policy, environment))


def build(
    source: Source,
    *,
    environment: str | None = None,
    kubernetes: str | None = None,
    policy: str | None = None,
) -> str:
    """The objects of definitions and manifests as one YAML stream in apply order.

    Raises `InputError` if an API server would reject one of them.
    """
    return _build(_files(source), _settings(kubernetes, policy, environment), "yaml")


def objects(
    source: Source,
    *,
    environment: str | None = None,
    kubernetes: str | None = None,
    policy: str | None = None,
) -> list[dict[str, Any]]:
    """Like `build`, as dictionaries."""
    text = _build(_files(source), _settings(kubernetes, policy, environment), "json")
    items: list[dict[str, Any]] = json.loads(text)["items"]
    return items


def explain(subject: str) -> str:
    """The documentation of a rule, or of a kind or field: `explain("Template.network.egress")`."""
    answer: dict[str, str] = _ask({"command": "explain", "subject": _text(subject), "apiVersion": None})
    text = answer.get("page", answer.get("text"))
    if not isinstance(text, str):
        raise SandboxcError("no subject", "name a rule, kind or field")
    return text


def version() -> str:
    """The version of the compiler."""
    answer: dict[str, Any] = _ask({"command": "info"})
    return str(answer["version"])


def _text(text: object) -> str:
    if not isinstance(text, str):
        raise TypeError(f"expected a string, not {type(text).__name__}")
    # JSON cannot carry halves of surrogate pairs, which no file contains.
    return text.encode(errors="replace").decode()


def _files(source: Source) -> list[dict[str, str]]:
    if isinstance(source, Mapping):
        return [{"name": _text(name), "text": _text(text), "role": "found"} for name, text in source.items()]
    files: list[dict[str, str]] = json.loads(_native.read(os.fspath(source)))
    if not files:
        message = f"no *.yaml, *.yml or *.json files in `{os.fspath(source)}`"
        raise SandboxcError(message, "name a directory with definitions, or name the files")
    return files


def _settings(kubernetes: str | None, policy: str | None, environment: str | None) -> dict[str, str]:
    return {"kubernetes": kubernetes or "", "policy": policy or "", "environment": environment or ""}


def _ask(request: dict[str, Any]) -> Any:
    answer = json.loads(_native.answer(json.dumps(request)))
    if "error" in answer:
        raise SandboxcError(answer["error"]["message"], answer["error"]["help"])
    return answer["ok"]


def _findings(files: list[dict[str, str]], settings: dict[str, str]) -> list[Finding]:
    report = _ask({"command": "report", "input": {"files": files, "settings": settings}})
    return [_finding(it) for it in json.loads(report)["diagnostics"]]


def _finding(it: dict[str, Any]) -> Finding:
    edits = tuple(
        Edit(
            file=edit["file"],
            start_byte=edit["startByte"],
            end_byte=edit["endByte"],
            replacement=edit["replacement"],
            text=edit["text"],
            is_safe=edit["safety"] == "safe",
        )
        for edit in it["suggestions"]
    )
    return Finding(
        rule=it["rule"],
        severity=it["severity"],
        message=it["message"],
        path=it["path"],
        file=it["file"],
        line=it["line"],
        column=it["column"],
        end_line=it["endLine"],
        end_column=it["endColumn"],
        kubernetes=None if it["kubernetes"] is None else tuple(it["kubernetes"]),
        notes=tuple(it["notes"]),
        help=tuple(it["help"]),
        edits=edits,
    )


def _build(files: list[dict[str, str]], settings: dict[str, str], to: str) -> str:
    input = {"files": files, "settings": settings}
    answer = _ask({"command": "build", "input": input, "to": to, "isAnnotated": False})
    if answer["hasErrors"]:
        raise InputError(answer["text"], _findings(files, settings))
    text: str = answer["text"]
    return text
