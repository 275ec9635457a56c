"""Records the Jobs that the Open Science Archive's server creates.

usage: record.py SERVER FIXTURES

SERVER is the folder `server/` of a checkout of opensciencearchive/server, FIXTURES is a folder with the cases of `fixtures/oracles/osa`, which `tools/cases.py` writes. For each
case, the server's own configuration, models and Kubernetes runners read `input.yaml`; the request that creates the Job
ends the run, and its body is written to `observed.json`. Replaced: the HTTP request of the Kubernetes client, the
object store, and the random part of the Job's name.
"""

import asyncio
import json
import logging
import os
import sys
from datetime import datetime, timezone
from pathlib import Path
from uuid import UUID

COMMIT = "fee05ecaca5d84d012fe492be194bccfcaf168a4"
FEATURE = {"kind": "table", "cardinality": "one", "columns": []}
# Required settings that do not affect Jobs.
SETTINGS = {"OSA_AUTH__JWT__SECRET": "x" * 40, "OSA_BASE_URL": "http://localhost:8000"}

server = Path(sys.argv[1]).resolve()
fixtures = Path(sys.argv[2]).resolve()
for name in [it for it in os.environ if it.startswith("OSA_")]:
    del os.environ[name]
os.environ.update(SETTINGS)
os.chdir("/")
sys.path.insert(0, str(server))
logging.disable(logging.CRITICAL)

import logfire  # noqa: E402
import yaml  # noqa: E402

logfire.configure(send_to_logfire=False, console=False)

from kubernetes_asyncio.client import ApiClient, Configuration  # noqa: E402
from osa.config import Config, K8sConfig  # noqa: E402
from osa.domain.deposition.command.create_convention import (  # noqa: E402
    DeployConventionHook,
    DeployConventionIngester,
)
from osa.domain.shared.model.hook import HookIdentity, OciConfig  # noqa: E402
from osa.domain.shared.model.source import IngesterDefinition  # noqa: E402
from osa.domain.shared.model.srn import ConventionSlug, DepositionSRN  # noqa: E402
from osa.domain.shared.port.ingester_runner import IngesterInputs  # noqa: E402
from osa.domain.validation.model.hook_input import HookRecord  # noqa: E402
from osa.domain.validation.model.hook_release import HookRelease  # noqa: E402
from osa.domain.validation.port.hook_runner import HookInputs  # noqa: E402
from osa.infrastructure.k8s import naming  # noqa: E402
from osa.infrastructure.k8s.ingester_runner import K8sIngesterRunner  # noqa: E402
from osa.infrastructure.k8s.runner import K8sHookRunner  # noqa: E402



class Created(BaseException):
    """Ends a run at the request that creates its Job."""


class Response:
    def __init__(self, body):
        self.status, self.reason, self.data = 200, "OK", json.dumps(body).encode()

    def getheaders(self):
        return {}

    def getheader(self, name, default=None):
        return default


class Cluster(ApiClient):
    """A cluster without Jobs that records the Jobs to create."""

    def __init__(self):
        super().__init__(Configuration(host="http://cluster.invalid"))
        self.jobs = []

    async def request(self, method, url, body=None, **_):
        if method == "POST" and url.endswith("/jobs"):
            self.jobs.append(json.loads(json.dumps(body)))
            raise Created
        if method in ("GET", "DELETE"):
            return Response({"items": []})
        raise AssertionError(f"{method} {url}")


class ObjectStore:
    """An empty object store."""

    async def put_object(self, key, data, *_, **__):
        pass

    async def delete_objects(self, prefix):
        pass


def read_config(case):
    """The `runner` block of the configuration, from the file's content and the environment."""
    path = Path("/tmp") / f"osa-oracle-{os.getpid()}.yaml"
    environment = {name: str(value) for name, value in case.get("environment", {}).items()}
    path.write_text(yaml.safe_dump({"runner": case["runner"]} if "runner" in case else {}))
    os.environ.update(environment, OSA_CONFIG_FILE=str(path))
    try:
        return Config().runner
    finally:
        path.unlink()
        for name in [*environment, "OSA_CONFIG_FILE"]:
            os.environ.pop(name, None)


def read_hook(hook):
    """Identity and runtime, from the form of a deployment or from that of a release."""
    fields = {name: value for name, value in hook.items() if name != "run"}
    if "release" in fields:
        release = {"source_ref": "none", **fields.pop("release")}
        deploy = DeployConventionHook.model_validate(
            {"feature": FEATURE, "config": {}, **fields, "release": release}
        ).to_deploy()
        return deploy.identity, deploy.runtime
    identity = HookIdentity.model_validate({"feature": FEATURE, "name": fields["name"]})
    return identity, OciConfig.model_validate(fields["runtime"])


def read_ingester(ingester):
    fields = {name: value for name, value in ingester.items() if name != "run"}
    if "release" in fields:
        release = {"source_ref": "none", **fields.pop("release")}
        return DeployConventionIngester.model_validate(
            {"name": "ingester", **fields, "release": release}
        ).to_definition()
    return IngesterDefinition.model_validate(fields)


async def run_hook(client, config, hook):
    identity, runtime = read_hook(hook)
    run = hook.get("run")
    if run is None:
        return
    if "deposition" in run:
        # As `ValidationService.validate_deposition` does, unless the run has an ID of its own.
        deposition = DepositionSRN.parse(run["deposition"])
        run_id = run.get("runId") or f"{deposition.domain.root}_{deposition.id.root}"
    else:
        run_id = run["runId"]
    if "batch" in run:
        # As the workflow of a batch does.
        run_id = f"{run_id}_b{run['batch']}"
    release = HookRelease(
        id=UUID(int=1),
        hook_name=identity.name,
        version=1,
        runtime=runtime,
        source_ref="none",
        built_at=datetime(2026, 1, 1, tzinfo=timezone.utc),
    )
    files = {record: Path(path) for record, path in run.get("filesDirs", {}).items()}
    records = [HookRecord(id=record, metadata={}) for record in files or ["r1"]]
    inputs = HookInputs(records=records, run_id=run_id, files_dirs=files, config=run.get("config"))
    runner = K8sHookRunner(client, config, ObjectStore())
    await runner.run(identity, release, inputs, Path(run["workDir"]))


async def run_ingester(client, config, ingester):
    definition = read_ingester(ingester)
    run = ingester.get("run")
    if run is None:
        return
    since = run.get("since")
    inputs = IngesterInputs(
        convention_id=ConventionSlug(run["convention"]) if run.get("convention") else None,
        ingest_run_id=run.get("runId", ""),
        batch_index=run.get("batch", 0),
        config=run.get("config"),
        since=datetime.fromisoformat(since) if since else None,
        limit=run.get("limit"),
        offset=run.get("offset", 0),
        session=run.get("session"),
    )
    runner = K8sIngesterRunner(client, config, ObjectStore())
    await runner.run(definition, inputs, Path(run["filesDir"]), Path(run["workDir"]))


def message(error):
    if hasattr(error, "errors"):
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        return "; ".join(f"{'.'.join(map(str, it['loc']))}: {it['msg']}" for it in faults)
    return str(error)


async def observe(case):
    """The Jobs of one case, or the reason that the server rejects it."""
    refused, objects = [], []
    try:
        runner = read_config(case)
    except Exception as error:  # noqa: BLE001
        return {"upstream": upstream(), "refused": [message(error)], "objects": []}
    assert isinstance(runner.k8s, K8sConfig)
    runs = [(run_hook, it) for it in case.get("hooks", [])]
    runs += [(run_ingester, it) for it in case.get("ingesters", [])]
    for index, (run, definition) in enumerate(runs if runner.backend == "k8s" else []):
        naming.secrets.token_hex = lambda size=None: f"{index:04x}"
        client = Cluster()
        try:
            await run(client, runner.k8s, definition)
        except Created:
            pass
        except Exception as error:  # noqa: BLE001
            refused.append(message(error))
        finally:
            await client.close()
        objects += client.jobs
    return {"upstream": upstream(), "refused": refused, "objects": objects}


def upstream():
    return f"opensciencearchive/server@{COMMIT}"


def main():
    for folder in sorted(it for it in fixtures.iterdir() if it.is_dir()):
        text = (folder / "input.yaml").read_text()
        first, second = (asyncio.run(observe(yaml.safe_load(text))) for _ in range(2))
        assert first == second, f"{folder.name}: two runs differ"
        (folder / "observed.json").write_text(json.dumps(first, indent=1, sort_keys=True) + "\n")
        print(f"{folder.name}: {len(first['objects'])} Jobs, {len(first['refused'])} refused")


main()
