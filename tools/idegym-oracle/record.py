"""Records what idegym makes of each request below FIXTURES, which `tools/cases.py` writes. See README.md.

usage: record.py CHECKOUT FIXTURES [CASE ...]
"""

import asyncio
import json
import logging
import pathlib
import sys

import orchestrator
import structlog
import yaml

logging.disable(logging.CRITICAL)
structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))

PACKAGES = "idegym-api==0.13.1 idegym-common-utils==0.13.1 idegym-backend-utils==0.10.0"
UPSTREAM = "JetBrains-Research/idegym@a39e385 " + PACKAGES


class Refused(Exception):
    """Upstream does not create the objects."""


def settings(case):
    """The configuration of the orchestrator and the version of its package, from the Project of the case."""
    from idegym.api.config import Config

    path = case / "project.yaml"
    project = yaml.safe_load(path.read_text())["spec"].get("idegym", {}) if path.exists() else {}
    pool, snapshot, tracing = (project.get(key) for key in ("nodePool", "podSnapshot", "tracing"))
    parts = {"orchestrator": {}, "otel": {}}
    if pool is not None:
        names = {"taintKey": "taint_key", "preferenceWeight": "preference_weight"}
        parts["orchestrator"]["node_pool"] = {"enabled": True, **{names[key]: pool[key] for key in pool}}
    if snapshot is not None:
        names = {"serviceAccountName": "service_account_name"}
        parts["orchestrator"]["pod_snapshot"] = {"enabled": True, **{names[key]: snapshot[key] for key in snapshot}}
    if tracing is not None:
        names = {"endpoint": "endpoint", "timeoutSeconds": "timeout"}
        parts["otel"]["tracing"] = {names[key]: tracing[key] for key in tracing}
    return Config.model_validate(parts), str(project.get("version", "latest"))


def validated(request):
    """The request as the API's model reads it. The checkout asks for `snapshot_id`, which is `snapshot.id` since."""
    from idegym.api.orchestrator.servers import StartServerRequest
    from pydantic import ValidationError

    class Request(StartServerRequest):
        @property
        def snapshot_id(self):
            return self.snapshot.id if self.snapshot else None

    try:
        return Request.model_validate(request)
    except ValidationError as error:
        lines = (f"{'.'.join(map(str, it['loc']))}: {it['msg']}" for it in error.errors())
        raise Refused("\n".join(lines)) from error


def with_caller_metadata(request, labels, annotations):
    """Merges managed labels and annotations over those of the caller."""
    for managed in labels:
        for key, value in request.labels.items():
            managed.setdefault(key, value)
    for key, value in request.annotations.items():
        annotations.setdefault(key, value)
    if request.snapshot and request.snapshot.tag:
        annotations["podsnapshot.gke.io/ps-name"] = request.snapshot.tag


def with_request(client, request, deployment):
    """Sets the fields that the installed `deploy_server` does not support yet: typed ones, then the overrides."""
    from idegym.utils.dict import deep_merge

    def dumped(models):
        return [model.model_dump(by_alias=True, exclude_none=True) for model in models]

    template = deployment.spec.template
    pod = orchestrator.serialize(client, template.spec)
    server = pod["containers"][0]
    for owner, key, models in (
        (pod, "volumes", request.volumes),
        (server, "volumeMounts", request.volume_mounts),
        (server, "envFrom", request.env_from),
    ):
        if models:
            owner[key] = dumped(models)
    overrides = request.pod_overrides.model_dump(by_alias=True, exclude_none=True)
    overrides = {key: value for key, value in overrides.items() if value is not None}
    guard(overrides)
    merged = deep_merge(pod, overrides, concat_lists=True)
    try:
        template.spec = orchestrator.deserialize(client, merged, "V1PodSpec")
    except Exception as error:
        raise Refused(str(error)) from error
    with_caller_metadata(
        request, (deployment.metadata.labels, template.metadata.labels), template.metadata.annotations
    )
    return deployment


def guard(overrides):
    """The fields that overrides must not set: the ServiceAccount, and the managed container."""
    for key in ("serviceAccountName", "service_account_name"):
        if key in overrides:
            raise Refused("pod_overrides must not set serviceAccountName; use service_account_name instead")
    if "containers" in overrides:
        containers = overrides["containers"]
        if not isinstance(containers, list):
            raise Refused("pod_overrides.containers must be a list of sidecar containers")
        if any(isinstance(it, dict) and it.get("name") == "server" for it in containers):
            raise Refused("pod_overrides.containers must not redefine the managed 'server' container")


def run(modules, config, server_id, request, is_preparation):
    """The objects for one request."""
    router, client = modules
    snapshots = config.orchestrator.pod_snapshot
    if is_preparation and not snapshots.enabled:
        raise Refused("Pod snapshots are not enabled in the current configuration")
    request = validated(request)
    if is_preparation and request.runtime_class_name != "gvisor":
        # The route that prepares snapshots, which the checkout does not have: HTTP status 400.
        raise Refused("snapshots are only prepared with the runtime class gvisor")
    refusals = []

    def finish(deployment):
        try:
            return with_request(client, request, deployment)
        except Refused as refusal:
            refusals.append(str(refusal))
            raise

    cluster = orchestrator.Cluster(client, finish)
    client.create_clients = cluster.apis
    deploy = client.deploy_server

    async def deploy_server(**arguments):
        arguments["snapshot_id"] = request.snapshot_id
        arguments["service_account_name"] = request.service_account_name or arguments["service_account_name"]
        await deploy(**arguments)

    async def prepare():
        pool = config.orchestrator.node_pool
        resources = request.resources and request.resources.model_dump(by_alias=True, exclude_none=True)
        await deploy(
            image_tag=request.image_tag,
            server_name=f"{request.server_name}-{server_id}",
            namespace=request.namespace,
            service_port=request.service_port,
            container_port=request.container_port,
            service_account_name=snapshots.service_account_name,
            runtime_class_name=request.runtime_class_name,
            run_as_root=request.run_as_root,
            node_selector=request.node_selector,
            node_pool_taint_key=pool.taint_key if pool.enabled else None,
            node_pool_preference_weight=pool.preference_weight,
            resources=resources,
            server_kind=request.server_kind,
        )

    router.deploy_server = deploy_server
    orchestrator.Database.server_id = server_id
    orchestrator.Database.failures = []
    try:
        if is_preparation:
            asyncio.run(prepare())
        else:
            asyncio.run(router._task_start_server(config, request, 1))
    except Refused:
        pass
    if refusals or orchestrator.Database.failures:
        raise Refused((refusals or orchestrator.Database.failures)[0])
    for labeled in cluster.objects[1:]:
        with_caller_metadata(request, (labeled["metadata"]["labels"],), {})
    return cluster.objects


def observe(modules, case):
    """The recording of one case."""
    config, version = settings(case)
    modules[1].__version__ = version
    document = json.loads((case / "input.json").read_text())
    is_preparation = "requests" in document
    objects, refused = [], []
    for request in document["requests"] if is_preparation else [document]:
        try:
            objects += run(modules, config, request.get("server_id", 1), request, is_preparation)
        except Refused as refusal:
            refused.append(str(refusal))
        except OverflowError as error:
            # The models convert infinite quantities to integers.
            refused.append(str(error))
    return {"upstream": UPSTREAM, "refused": refused, "objects": [] if refused else objects}


def main():
    checkout, fixtures, *wanted = sys.argv[1:]
    modules = orchestrator.load(checkout)
    for case in sorted(pathlib.Path(fixtures).iterdir()):
        if case.is_dir() and (not wanted or case.name in wanted):
            first, second = observe(modules, case), observe(modules, case)
            if first != second:
                sys.exit(f"{case.name}: two runs differ")
            text = json.dumps(first, indent=1, ensure_ascii=False)
            (case / "observed.json").write_text(text + "\n")


main()
