"""Records what nodepool's drivers for Kubernetes and OpenShift do with a configuration.

  python record.py CASE...           writes CASE/observed.json

A CASE is a folder with `input.yaml`, a nodepool.yaml, and may have a `project.yaml`, whose
`spec.nodepool.request` is the node request of each launch.

Nodepool's own code runs unchanged: the validator, the loader, the driver, its quota, the request handler
and the launcher, down to the REST layer of the Kubernetes client. Replaced are the REST transport (recorded,
and answered from memory), OpenShift's dynamic client (recorded), ZooKeeper (a dict), threads (run in line) and sleeping (does nothing).
Each label of each pool is launched once, in the order of the file; node ids count from 0.
"""

import base64
import json
import logging
import os
import re
import sys
import tempfile
import time
from types import SimpleNamespace

SCRATCH = tempfile.mkdtemp(prefix="nodepool-oracle-")
KUBECONFIG = os.path.join(SCRATCH, "kubeconfig")
for name in [it for it in os.environ if it.startswith(("STATSD_", "KUBERNETES_", "NODEPOOL_"))]:
    del os.environ[name]
os.environ["KUBECONFIG"] = KUBECONFIG
time.sleep = lambda seconds: None

import yaml
from kubernetes.client import rest
from nodepool import config, launcher
from nodepool.cmd.config_validator import ConfigValidator
from nodepool.driver import Drivers
from nodepool.driver.openshift import provider as openshift
from nodepool.driver.utils import NodeLauncher
from nodepool.zk import zookeeper as zk

Drivers.load()
NodeLauncher.start = lambda self: self.run()
SERVER = "https://cluster.test:6443"
UPSTREAM = "nodepool@11.0.0 on PyPI, with kubernetes@30.1.0"
DRIVERS = ("kubernetes", "openshift", "openshiftpods")
# The maximum number of nodes that are counted, which is above the capacity of any pool in the cases.
COUNTED = 200

REQUEST = {
    "id": "100-0000000001",
    "requestor": "zuul",
    "requestorData": None,
    "relativePriority": 0,
    "eventId": "0123456789abcdef0123456789abcdef",
    "createdTime": 1700000000.25,
    "tenantName": None,
}


class Messages(logging.Handler):
    """What nodepool logs as an error, with the exception's own message."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.rows = []

    def emit(self, record):
        text = re.sub(r"^(\[[^]]*\] )+", "", record.getMessage())
        if record.levelno < logging.ERROR and not re.search("Declining|Not enough quota|Deferring", text):
            return
        if record.exc_info and record.exc_info[1] is not None:
            cause = record.exc_info[1]
            text = "%s: %s" % (type(cause).__name__, str(cause).split("\n")[0])
        text = re.sub(r"0x[0-9a-f]{6,}", "0x…", text.replace(SCRATCH, "$SCRATCH"))
        text = re.sub(r"<Node(Request)? .*?}>", r"<Node\1>", text)
        if text not in self.rows:
            self.rows.append(text)

    def take(self):
        rows, self.rows = self.rows, []
        return rows


MESSAGES = Messages()
logging.getLogger("nodepool").addHandler(MESSAGES)
logging.getLogger("nodepool").setLevel(logging.DEBUG)
logging.getLogger("nodepool").propagate = False
logging.getLogger("kubernetes").setLevel(logging.CRITICAL)


class Cluster:
    """The bodies of all creations, and answers that let a launch go on."""

    def __init__(self):
        self.objects = []

    def answer(self, method, path, body):
        name = path.rsplit("/", 1)[-1]
        if method == "POST":
            created = json.loads(json.dumps(body))
            namespace = re.search("/namespaces/([^/]+)/", path)
            if namespace:
                body["metadata"]["namespace"] = namespace[1]
            self.objects.append(body)
            # The client checks the response, as a cluster would check the request.
            if path.endswith("/pods"):
                created["spec"] = {"containers": [{"name": "any"}]}
            return created
        if "/secrets/" in path:
            token = base64.b64encode(b"token").decode()
            return {"kind": "Secret", "apiVersion": "v1", "metadata": {"name": name},
                    "data": {"token": token, "ca.crt": token}}
        if "/serviceaccounts/" in path:
            return {"kind": "ServiceAccount", "apiVersion": "v1", "metadata": {"name": name},
                    "secrets": [{"name": "token"}]}
        if "/pods/" in path:
            return {"kind": "Pod", "apiVersion": "v1", "metadata": {"name": name},
                    "spec": {"containers": [{"name": "any"}]}, "status": {"phase": "Running"}}
        if method == "DELETE":
            return {"kind": "Status", "apiVersion": "v1", "status": "Success"}
        raise rest.ApiException(status=404, reason="not found")


CLUSTER = [None]


def transport(self, method, url, query_params=None, headers=None, body=None, post_params=None,
              _preload_content=True, _request_timeout=None):
    body = None if body is None else json.loads(json.dumps(body))
    answer = CLUSTER[0].answer(method.upper(), url.removeprefix(SERVER).rstrip("/"), body)
    text = json.dumps(answer)
    return SimpleNamespace(status=200, reason="", data=text if _preload_content else text.encode(),
                           getheaders=dict, getheader=lambda name, default=None: default)


rest.RESTClientObject.request = transport


class DynamicClient:
    """As much of OpenShift's client as its driver calls: each creation is recorded."""

    def __init__(self, client):
        self.configuration = client.configuration
        self.resources = self

    def get(self, api_version=None, kind=None, name=None):
        if name is not None:
            raise rest.ApiException(status=404, reason="not found")
        return self

    def create(self, body, namespace=None):
        body = json.loads(json.dumps(body))
        if namespace:
            body["metadata"]["namespace"] = namespace
        CLUSTER[0].objects.append(body)

    def delete(self, name):
        pass


openshift.DynamicClient = DynamicClient


class Keeper:
    """As much of ZooKeeper as a launcher asks for."""

    def __init__(self, first_id):
        self.nodes, self.requests, self.next_id, self.pools = {}, {}, first_id, []

    def storeNode(self, node):
        node.serialize()
        if not node.id:
            node.id = "%010d" % self.next_id
            self.next_id += 1
            self.nodes[node.id] = node

    def deleteNode(self, node):
        self.nodes.pop(node.id, None)

    def getNode(self, node_id):
        return self.nodes.get(node_id)

    def lockNode(self, node, blocking=True, timeout=None):
        node.lock = True

    def unlockNode(self, node):
        node.lock = None

    def nodeIterator(self, **ignored):
        return iter(list(self.nodes.values()))

    def getReadyNodesOfTypes(self, labels):
        return {}

    def storeNodeRequest(self, request, priority="100"):
        request.serialize()

    def lockNodeRequest(self, request, blocking=True, timeout=None):
        request.lock = True

    def unlockNodeRequest(self, request):
        request.lock = None

    def getNodeRequest(self, request_id, **ignored):
        return self.requests.get(request_id)

    def nodeRequestIterator(self, **ignored):
        return iter(list(self.requests.values()))

    def getRegisteredPools(self):
        return self.pools

    def deleteOldestUnusedNode(self, provider, pool):
        pass


class Registered:
    """A pool as launchers announce it."""

    def __init__(self, **fields):
        self.__dict__.update(fields)


class Nodepool:
    """One launcher that has one pool of one provider."""

    statsd = None
    watermark_sleep = 0

    def __init__(self, loaded, provider, pool, first_id=0):
        self.config, self.zk = loaded, Keeper(first_id)
        self.manager = loaded.providers[provider].driver_object.getProvider(loaded.providers[provider])
        self.manager.start(self.zk)
        self.worker = launcher.PoolWorker(self, provider, pool)
        self.worker.running = True
        self.worker.component_info = SimpleNamespace(paused=False)
        self.zk.pools.append(Registered(
            id=self.worker.launcher_id, provider_name=provider, priority=self.worker.getPriority(),
            paused=False, supported_labels=list(self.worker.getPoolConfig().labels)))

    def getZK(self):
        return self.zk

    def getPoolWorkers(self, provider):
        return [self.worker]

    def getProviderManager(self, provider):
        return self.manager

    def launch(self, request):
        """Whether the request was fulfilled; nodepool's loop has two turns for it."""
        self.zk.requests = {request.id: request}
        for _ in range(2):
            try:
                for _ in self.worker._assignHandlers():
                    self.worker._removeCompletedHandlers()
                    self.worker._process_paused_handlers()
                self.worker._removeCompletedHandlers()
            except Exception:
                logging.getLogger("nodepool").exception("the pool's loop")
            if request.state in (zk.FULFILLED, zk.FAILED):
                break
        return request.state == zk.FULFILLED

    def count(self, request, label):
        """How many nodes of a label the pool has quota for; `null` where there is no end."""
        handler = self.manager.getRequestHandler(self.worker, request)
        handler._setFromPoolWorker()
        provider = self.worker.getProviderConfig().name
        nodes = 0
        while nodes < COUNTED and handler.hasRemainingQuota(label):
            node = zk.Node()
            node.state, node.type = zk.INIT, label
            node.provider, node.pool = provider, self.worker.pool_name
            self.zk.storeNode(node)
            nodes += 1
        return nodes if nodes < COUNTED else None


def node_request(labels, context):
    request = zk.NodeRequest(context["id"])
    request.state, request.node_types = zk.REQUESTED, list(labels)
    request.requestor, request.requestor_data = context["requestor"], context["requestorData"]
    request.relative_priority, request.event_id = context["relativePriority"], context["eventId"]
    request.created_time, request.tenant_name = context["createdTime"], context["tenantName"]
    return request


def write_kubeconfig(text):
    """A kubeconfig that has each context the configuration names."""
    names = sorted({"cluster"} | set(re.findall(r"context:\s*[\"']?([\w.-]+)", text)))
    contexts = [{"name": it, "context": {"cluster": "c", "user": "u"}} for it in names]
    with open(KUBECONFIG, "w") as file:
        yaml.safe_dump({
            "apiVersion": "v1", "kind": "Config", "current-context": "cluster", "contexts": contexts,
            "clusters": [{"name": "c", "cluster": {"server": SERVER, "insecure-skip-tls-verify": True}}],
            "users": [{"name": "u", "user": {"token": "t"}}],
        }, file)


def observe(folder):
    path = os.path.join(folder, "input.yaml")
    with open(path) as file:
        write_kubeconfig(file.read())
    project_path = os.path.join(folder, "project.yaml")
    context = dict(REQUEST)
    if os.path.exists(project_path):
        with open(project_path) as file:
            project = yaml.safe_load(file)
        context.update(project["spec"].get("nodepool", {}).get("request", {}))
    labels_asked = context.pop("labels", None)

    MESSAGES.take()
    observed = {"upstream": UPSTREAM, "refused": [], "objects": [], "quota": []}
    refused = observed["refused"]
    if ConfigValidator(path).validate({}) != 0:
        refused += ["validator: " + it for it in MESSAGES.take()]
    MESSAGES.take()
    try:
        loaded = config.loadConfig(path, {})
    except BaseException as cause:
        refused.append("loader: %s: %s" % (type(cause).__name__, str(cause).split("\n")[0]))
        return observed
    CLUSTER[0] = Cluster()
    next_id = 0
    for provider in loaded.providers.values():
        if provider.driver.name not in DRIVERS:
            continue
        for pool in provider.pools.values():
            for label in pool.labels:
                one = Nodepool(loaded, provider.name, pool.name, next_id)
                next_id += 1
                before = len(CLUSTER[0].objects)
                if not one.launch(node_request(labels_asked or [label], context)):
                    del CLUSTER[0].objects[before:]
                    where = "%s/%s/%s: " % (provider.name, pool.name, label)
                    refused += [where + it for it in MESSAGES.take() or ["never served"]]
                MESSAGES.take()
                observed["quota"].append(quota(loaded, provider.name, pool.name, label, context))
    # Rejected input is not compared.
    observed["objects"] = [] if refused else CLUSTER[0].objects
    return observed


def quota(loaded, provider, pool, label, context):
    row = {"provider": provider, "pool": pool, "label": label}
    try:
        one = Nodepool(loaded, provider, pool)
        row["needs"] = one.manager.quotaNeededByLabel(label, one.worker.getPoolConfig()).get_resources()
        row["capacity"] = one.count(node_request([label], context), label)
    except Exception as cause:
        row["error"] = "%s: %s" % (type(cause).__name__, cause)
    return row


def main():
    for folder in sys.argv[1:]:
        with open(os.path.join(folder, "observed.json"), "w") as file:
            file.write(json.dumps(observe(folder), ensure_ascii=False) + "\n")
    print("%d cases" % len(sys.argv[1:]))


if __name__ == "__main__":
    # The order of some messages depends on sets and dicts in nodepool.
    if os.environ.get("PYTHONHASHSEED") != "0":
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable] + sys.argv)
    main()
