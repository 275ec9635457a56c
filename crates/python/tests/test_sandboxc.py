"""The package as its users call it."""

import copy
import os
import pathlib
import threading

import pytest
import sandboxc

POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {container: []}\n"
BOX = "apiVersion: sandboxc.dev/v1alpha1\nkind: Sandbox\nmetadata: {name: dev}\nspec: {image: 'python:3.13'}\n"
PROJECT = """\
apiVersion: sandboxc.dev/v1alpha1
kind: Project
metadata: {name: team}
spec:
  crds: [kinds]
  environments:
    staging: {values: {tag: '3.12'}}
    production: {values: {tag: '3.13'}}
"""
CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.org}
spec:
  group: example.org
  names: {kind: Box, plural: boxes}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: {size: {type: integer}}}}
"""


def test_a_finding_has_its_place_and_its_repair():
    findings = sandboxc.check(POD, name="pod.yaml")
    [finding] = [it for it in findings if it.rule == "unknown-field"]
    assert (finding.severity, finding.file, finding.line, finding.column) == ("error", "pod.yaml", 4, 8)
    assert (finding.end_line, finding.end_column) == (4, 17)
    assert finding.message == "unknown field `container` in `spec`"
    assert str(finding) == f"pod.yaml:4:8: error[unknown-field]: {finding.message}"
    [edit] = finding.edits
    start, end = edit.start_byte, edit.end_byte
    assert POD.encode()[:start] + edit.replacement.encode() + POD.encode()[end:] == POD.replace(
        "container:", "containers:"
    ).encode()
    assert hash(finding) == hash(copy.copy(finding))


def test_a_valid_object_has_no_errors():
    findings = sandboxc.check("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {key: text}\n")
    assert findings == []


def test_settings_select_the_server():
    text = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec: {}\n"
    assert sandboxc.check(text, kubernetes="1.33", policy="restricted")
    for settings, message in [({"kubernetes": "2.0"}, "`2.0`: use 1.33"), ({"policy": "strict"}, "`strict`: use ")]:
        with pytest.raises(sandboxc.SandboxcError, match=message):
            sandboxc.check(text, **settings)


def test_definitions_are_compiled():
    files = {"dev.yaml": BOX}
    [sandbox] = sandboxc.objects(files)
    assert (sandbox["kind"], sandbox["metadata"]["name"]) == ("Sandbox", "dev")
    assert sandboxc.build(files).startswith("apiVersion: agents.x-k8s.io/v1")


def test_input_with_errors_is_an_exception_with_the_findings():
    with pytest.raises(sandboxc.InputError) as raised:
        sandboxc.build({"pod.yaml": POD})
    assert "--> pod.yaml:4:8" in str(raised.value)
    assert "unknown-field" in [it.rule for it in raised.value.findings]


def test_a_directory_is_read_with_its_project(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "sandboxc.yaml").write_text(PROJECT)
    (tmp_path / "kinds").mkdir()
    (tmp_path / "kinds/box.yaml").write_text(CRD)
    (tmp_path / "team").mkdir()
    (tmp_path / "team/dev.yaml").write_text(BOX.replace("python:3.13", "python:{{ values.tag }}"))
    box = "apiVersion: example.org/v1\nkind: Box\nmetadata: {name: a, namespace: b}\nspec: {size: 1}\n"
    (tmp_path / "team/box.yaml").write_text(box)
    (tmp_path / ".sandboxcignore").write_text("left-out.yaml\n")
    (tmp_path / "left-out.yaml").write_text(POD)
    sources: list[str | pathlib.Path] = [tmp_path, tmp_path / "team", str(tmp_path / "team")]
    for source in sources:
        found = {it["kind"]: it for it in sandboxc.objects(source, environment="staging")}
        assert set(found) == {"Sandbox", "Box"}
        assert "python:3.12" in str(found["Sandbox"])
    (tmp_path / "team/box.yaml").write_text(box.replace("size: 1", "size: large"))
    monkeypatch.chdir(tmp_path)
    [finding] = [it for it in sandboxc.check_files("team", environment="production") if it.severity == "error"]
    assert (finding.file, finding.line) == ("team/box.yaml", 4)


def test_a_file_that_cannot_be_read_is_an_exception_of_python(tmp_path: pathlib.Path):
    with pytest.raises(FileNotFoundError) as raised:
        sandboxc.check_files(tmp_path / "absent.yaml")
    assert raised.value.filename.endswith("absent.yaml")
    assert raised.value.strerror == "No such file or directory"


def test_what_a_folder_contains_does_not_lead_out(tmp_path: pathlib.Path):
    (tmp_path / "secret.yaml").write_text(BOX)
    team = tmp_path / "team"
    (team / "kinds").mkdir(parents=True)
    (team / "dev.yaml").write_text(BOX)
    for named in ["../secret.yaml", "..", "/proc/self/environ", "kinds/../../secret.yaml"]:
        (team / "sandboxc.yaml").write_text(PROJECT.replace("[kinds]", f"[{named}]"))
        with pytest.raises(OSError, match="it leads out of the project"):
            sandboxc.build(team, environment="staging")
    (team / "sandboxc.yaml").unlink()
    for target in ["../secret.yaml", "/dev/zero", "/proc/self/environ"]:
        (team / "link.yaml").symlink_to(target)
        with pytest.raises(OSError, match="link.yaml: it leads out of the directory"):
            sandboxc.build(team)
        (team / "link.yaml").unlink()
    os.mkfifo(team / "kinds/pipe.yaml")
    assert len(sandboxc.objects(team)) == 1


def test_a_directory_without_manifests_is_rejected(tmp_path: pathlib.Path):
    (tmp_path / "notes.txt").write_text(POD)
    for call in [sandboxc.check_files, sandboxc.build, sandboxc.objects]:
        with pytest.raises(sandboxc.SandboxcError, match=r"no \*\.yaml, \*\.yml or \*\.json files in `.*`"):
            call(tmp_path)


def test_a_file_in_another_encoding_is_rejected(tmp_path: pathlib.Path):
    (tmp_path / "good.yaml").write_text(BOX)
    (tmp_path / "latin.yaml").write_bytes("# caf\u00e9\n".encode("latin-1") + BOX.encode())
    for source in [tmp_path, tmp_path / "latin.yaml"]:
        with pytest.raises(OSError, match="latin.yaml: invalid UTF-8 at byte 5: save the file as UTF-8"):
            sandboxc.build(source)


@pytest.mark.parametrize("text", ["", "\x00", "a: [", "\ufeff", "\ud800", "&a [*a]", "- " * 100_000, "[" * 1_000_000])
def test_any_text_has_an_answer(text: str):
    for finding in sandboxc.check(text):
        assert finding.rule


def test_other_types_are_rejected():
    for call in [lambda: sandboxc.check(b"a"), lambda: sandboxc.check(None), lambda: sandboxc.build(3)]:  # type: ignore
        with pytest.raises(TypeError):
            call()


def test_too_much_input_is_rejected():
    with pytest.raises(sandboxc.SandboxcError, match="16 MiB"):
        sandboxc.check("#" * (17 << 20))


def test_threads_run_at_the_same_time() -> None:
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(len(sandboxc.check(POD)))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [found[0]] * 8


def test_rules_and_fields_are_explained():
    assert "Severity: error" in sandboxc.explain("unknown-field")
    with pytest.raises(sandboxc.SandboxcError, match="unknown-fild"):
        sandboxc.explain("unknown-fild")


def test_the_version_is_that_of_the_package():
    from importlib.metadata import version

    assert sandboxc.version() == version("sandboxc")
