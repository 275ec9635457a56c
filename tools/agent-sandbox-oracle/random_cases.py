"""Writes random cases for record.sh: random_cases.py FOLDER COUNT [SEED].

Each case has templates, pools, claims and Sandboxes with all fields of v1beta1. In every second case the controllers accept
everything, so that all objects can be compared. Every fourth case has the fields that only line 1.0 has.
Record both lines, and compare: EFFECTIVE_CASES=FOLDER cargo test --test suite effective::recorded
"""

import json
import random
import sys
from pathlib import Path

ALPHABET = ["a", "b", "data", "work", "x-1", "cache"]


class Case:
    def __init__(self, seed, is_sound, is_new):
        self.random = random.Random(seed)
        self.is_sound = is_sound
        self.is_new = is_new

    def fault(self, chance):
        return not self.is_sound and self.maybe(chance)

    def one(self, *choices):
        return self.random.choice(choices)

    def new(self, **fields):
        """Some of these fields, if the case has fields of line 1.0."""
        return {key: value for key, value in fields.items() if self.is_new and self.maybe()}

    def maybe(self, chance=0.5):
        return self.random.random() < chance

    def some(self, most, make):
        return [make() for _ in range(self.random.randint(0, most))]

    def quantity(self):
        return self.one("100m", "0.5", 1, "1", "1000m", "128Mi", "1024Mi", "1.5Gi", "2e3", "100000k", "0.1", "12E", "1Ki", "0")

    def word(self):
        return self.one("", "v", "x y", "<a&b>", "ü\u2028", "8080", "true", "Z" * 20)

    def metadata(self, is_claim=False):
        keys = ["app", "team", "example.com/a", "agents.x-k8s.io/created-by", "agents.x-k8s.io/mine", "sandbox.users.io/user",
                "agents.x-k8s.io/sandbox-name-hash", "agents.x-k8s.io/claim-uid", "extensions.agents.x-k8s.io/x"]
        if is_claim:
            keys = ["sandbox.users.io/user", "sandbox.users.io/run", "x.sandbox.users.io/run"]
            if self.fault(0.12):
                keys += ["app", "example.com/a", "agents.x-k8s.io/mine", "k8s.io/x", "bad key/a"]
        notes = ["note", "example.com/n", "opentelemetry.io/trace-context", "cluster-autoscaler.kubernetes.io/safe-to-evict",
                 "agents.x-k8s.io/pod-name", "api.agents.x-k8s.io/x"]
        if is_claim:
            notes = ["mine", "example.com/m"] + (["cluster-autoscaler.kubernetes.io/safe-to-evict", "note"] if self.fault(0.5) else [])
            if self.is_sound:
                keys = ["x.sandbox.users.io/run", "sandbox.users.io/run"]
        labels = {self.one(*keys): self.one("", "a", "b-1", "go-client", "X_y.z") for _ in range(self.random.randint(0, 3))}
        if self.fault(0.03) and is_claim:
            labels["sandbox.users.io/user"] = "not valid!"
        annotations = {self.one(*notes): self.one("", "true", "false", "<&>", "hi") for _ in range(self.random.randint(0, 3))}
        return self.parts(labels=labels, annotations=annotations)

    def parts(self, **fields):
        return {key: value for key, value in fields.items() if value not in ({}, [], None) or self.maybe(0.1) and value is not None}

    def variable(self):
        name = self.one("A", "B", "PATH", "LONG_NAME")
        source = self.one(None, None, None, {"fieldRef": {"fieldPath": "metadata.name"}}, {"secretKeyRef": {"name": "s", "key": "k", "optional": False}},
                          {"configMapKeyRef": {"key": "k", "name": "c"}}, {"resourceFieldRef": {"resource": "limits.cpu", "divisor": self.one("1", "1m", 0)}},
                          {"resourceFieldRef": {"resource": "limits.cpu", "containerName": "main"}})
        return {"name": name, "valueFrom": source} if source else self.one({"name": name}, {"name": name, "value": self.word()})

    def unique(self, key, items):
        found = {}
        for item in items:
            found.setdefault(str([item.get(it) for it in key]), item)
        return list(found.values())

    def probe(self):
        how = self.one({"httpGet": {"port": self.one(80, "http"), "path": self.one("", "/x"), "scheme": "HTTP", "httpHeaders": [{"name": "A", "value": ""}]}
                                   | self.new(protocol="HTTP2")},
                       {"tcpSocket": {"port": 80}}, {"exec": {"command": ["true"]}}, {"grpc": {"port": 80} | self.new(mode="TLS")}, {"grpc": {"port": 80, "service": "s"}})
        return how | self.parts(initialDelaySeconds=self.one(None, 0, 5), periodSeconds=self.one(None, 0, 3), terminationGracePeriodSeconds=self.one(None, 30))

    def container(self, name, volumes, is_init=False):
        ports = self.some(3, lambda: self.parts(containerPort=self.one(80, 8080, 443, 53), name=self.one(None, "http", "dns", "p-80-tcp"),
                                                protocol=self.one(None, "TCP", "UDP"), hostPort=self.one(None, 0)))
        for port in ports:
            port["containerPort"] = port.get("containerPort", 80)
        named = set()
        ports = [it for it in self.unique(["containerPort"], ports) if it.get("name") is None or not (it["name"] in named or named.add(it["name"]))]
        mounts = [self.parts(name=it, mountPath=f"/m/{i}", readOnly=self.one(None, True, False), subPath=self.one(None, "", "s")) | self.new(bindMountOptions=["noexec"])
                  for i, it in enumerate(volumes) if self.maybe(0.6)]
        kinds = ["cpu", "memory", "ephemeral-storage", "nvidia.com/gpu"]
        limits = {it: self.quantity() for it in kinds[:3] if self.maybe(0.3)}
        requests = dict(limits) if self.maybe(0.3) else {}
        made = self.parts(
            image=self.one("busybox", "python:3.13", "registry.example.com/a@sha256:" + "0" * 64),
            command=self.one(None, ["sh", "-c", "echo <hi> && sleep 1"], []), args=self.one(None, ["a", ""]), workingDir=self.one(None, "", "/w"),
            ports=ports, env=self.unique(["name"], self.some(3, self.variable)),
            envFrom=self.one(None, None, None, [{"secretRef": {"name": "s"}}], [{"prefix": "P_", "configMapRef": {"name": "c", "optional": True}}]),
            resources=self.parts(limits=limits, requests=requests), volumeMounts=mounts,
            imagePullPolicy=self.one(None, "Always"), stdin=self.one(None, True, False), tty=self.one(None, False),
            securityContext=self.one(None, {}, {"runAsUser": 0, "privileged": False, "capabilities": {"drop": ["ALL"], "add": []}},
                                     {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}, "readOnlyRootFilesystem": False}),
            terminationMessagePath=self.one(None, "", "/t"))
        made["name"] = name
        if not is_init or self.maybe(0.4):
            if is_init:
                made["restartPolicy"] = "Always"
            if self.maybe(0.3):
                kind = self.one("livenessProbe", "readinessProbe", "startupProbe")
                made[kind] = self.probe()
                if kind == "readinessProbe":
                    made[kind].pop("terminationGracePeriodSeconds", None)
            if self.maybe(0.2):
                made["lifecycle"] = {"preStop": self.one({"sleep": {"seconds": 0}}, {"exec": {"command": ["true"]}}, {"httpGet": {"port": 80}})}
        return made

    def volume(self, name):
        source = self.one(
            {"emptyDir": {}}, {"emptyDir": {"medium": "Memory", "sizeLimit": self.quantity()}}, {"configMap": {"name": "c", "defaultMode": 0}},
            {"secret": {"secretName": "s", "optional": False, "items": [{"key": "k", "path": "p", "mode": 0}]}}, {"hostPath": {"path": "/h", "type": ""}},
            {"persistentVolumeClaim": {"claimName": "c", "readOnly": False}}, {"downwardAPI": {"items": [{"path": "p", "fieldRef": {"fieldPath": "metadata.labels"}}]}},
            {"projected": {"sources": [{"serviceAccountToken": {"path": "t", "expirationSeconds": 600}}, {"configMap": {"name": "c"}}]}},
            {"csi": {"driver": "d.example.com", "readOnly": False, "volumeAttributes": {"b": "1", "a": ""}}}, {"nfs": {"server": "s", "path": "/", "readOnly": False}},
            {"ephemeral": {"volumeClaimTemplate": {"spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": self.one("1Gi", "1024Mi", "1e9", 5)}}}}}},
            {"image": {"reference": "busybox"}}, {"iscsi": {"targetPortal": "p", "iqn": "iqn.2001-04.com.example:a", "lun": 0}})
        added = {"emptyDir": self.new(mode=0o700), "projected": self.new(defaultUser=0), "secret": self.new(defaultUser=1000),
                 "configMap": self.new(defaultUser=0), "downwardAPI": self.new(defaultUser=5)}
        for kind, fields in added.items():
            if kind in source:
                source[kind] |= fields
                for item in source[kind].get("items", []):
                    item |= self.new(user=0)
        return {"name": name} | source

    def claim_template(self, name):
        spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": self.one("1Gi", "1024Mi", "10G", "0.5Gi")}}}
        spec |= self.parts(storageClassName=self.one(None, "", "fast"), volumeMode=self.one(None, "Block"))
        return {"metadata": {"name": name} | self.parts(labels=self.one({}, {"a": "b"}, {"agents.x-k8s.io/sandbox-name-hash": "x"}), annotations=self.one({}, {"n": ""})), "spec": spec}

    def claim_templates(self, most=2, chance_of_fault=0.05):
        names = self.random.sample(ALPHABET, self.random.randint(0, most))
        if names and self.fault(chance_of_fault):
            names.append(self.one("", names[0]))
        return [self.claim_template(it) for it in names]

    def blueprint(self, chance_of_fault=0.05):
        volumes = [self.volume(it) for it in self.random.sample(ALPHABET, self.random.randint(0, 3))]
        claims = self.claim_templates(2, chance_of_fault)
        names = sorted({it["name"] for it in volumes} | {it["metadata"]["name"] for it in claims} - {""})
        spec = self.parts(
            initContainers=[self.container(f"init-{i}", names, True) for i in range(self.one(0, 0, 1, 2))], volumes=volumes,
            restartPolicy=self.one(None, "Always", "Never", "OnFailure"), terminationGracePeriodSeconds=self.one(None, 0, 30), dnsPolicy=self.one(None, None, None, "ClusterFirst", "Default"),
            serviceAccountName=self.one(None, None, "default"), automountServiceAccountToken=self.one(None, True, False), hostNetwork=self.one(None, False),
            nodeSelector=self.one(None, {"a": "b"}), tolerations=self.one(None, [{"key": "k", "operator": "Exists"}, {"operator": "Exists", "tolerationSeconds": 0, "effect": "NoExecute"}]),
            hostname=self.one(None, "h"), subdomain=self.one(None, "s"), shareProcessNamespace=self.one(None, True, False), enableServiceLinks=self.one(None, False),
            securityContext=self.one(None, {}, {"fsGroup": 0, "supplementalGroups": [1], "sysctls": []}), imagePullSecrets=self.one(None, [{"name": "p"}]),
            topologySpreadConstraints=self.one(None, [{"maxSkew": 1, "topologyKey": "z", "whenUnsatisfiable": "ScheduleAnyway", "labelSelector": {"matchLabels": {"a": "b"}}}]),
            affinity=self.one(None, {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]}]}}}),
            hostAliases=self.one(None, [{"ip": "10.0.0.1", "hostnames": ["a"]}]), os=self.one(None, {"name": "linux"}), readinessGates=self.one(None, None, [{"conditionType": "example.com/g"}]))
        if self.maybe(0.15) and spec.get("dnsPolicy") is None:
            spec["dnsConfig"] = {"nameservers": ["10.0.0.1"], "options": [{"name": "ndots", "value": "2"}]}
        spec |= self.new(evictionResponders=[{"name": "example.com/b", "priority": 0}, {"name": "example.com/a", "priority": 100}])
        spec["containers"] = [self.container(it, names) for it in ["main", "side", "more"][:self.one(1, 1, 2, 3)]]
        pod = {"spec": spec}
        if self.maybe(0.7):
            pod["metadata"] = self.metadata()
        return {"podTemplate": pod} | self.parts(volumeClaimTemplates=claims or None, service=self.one(None, True, False))

    def peer(self):
        return self.one({"podSelector": {}}, {"namespaceSelector": {"matchLabels": {"a": "b"}}}, {"ipBlock": {"cidr": "10.0.0.0/8", "except": ["10.1.0.0/16"]}},
                        {"podSelector": {"matchExpressions": [{"key": "a", "operator": "Exists"}]}})

    def rules(self, direction):
        rule = lambda: self.parts(**{direction: self.some(2, self.peer), "ports": self.some(2, lambda: self.parts(
            port=self.one(None, 53, "http"), protocol=self.one(None, "TCP", "UDP")))})
        return self.some(2, rule)

    def objects(self):
        group = "extensions.agents.x-k8s.io/v1beta1"
        templates, pools = ["t1", "t2"][:self.one(1, 1, 2)], ["p1", "p2", "p3"][:self.one(1, 2, 2, 3)]
        for name in templates:
            spec = self.blueprint(0.02) | self.parts(
                networkPolicy=self.one(None, None, None, {}, self.parts(ingress=self.rules("from"), egress=self.rules("to"))),
                networkPolicyManagement=self.one(None, None, "Managed", "Unmanaged"), envVarsInjectionPolicy=self.one(None, "Allowed", "Allowed", "Overrides", "Overrides", "Disallowed"),
                volumeClaimTemplatesPolicy=self.one(None, "Allowed", "Allowed", "Overrides", "Overrides", "Disallowed"))
            if self.is_sound:
                spec["envVarsInjectionPolicy"] = spec["volumeClaimTemplatesPolicy"] = "Overrides"
            yield {"apiVersion": group, "kind": "SandboxTemplate", "metadata": {"name": name} | self.parts(labels=self.one({}, {"team": "a"})), "spec": spec}
        for name in pools:
            spec = {"sandboxTemplateRef": {"name": "absent" if self.fault(0.05) else self.one(*templates)}} | self.parts(
                replicas=self.one(None, 0, 1, 2, 3), updateStrategy=self.one(None, None, {}, {"type": "Recreate"}, {"type": "OnReplenish"}))
            yield {"apiVersion": group, "kind": "SandboxWarmPool", "metadata": {"name": name}, "spec": spec}
        taken = []
        for i in range(self.one(0, 1, 2)):
            spec = self.blueprint(0.0) | self.parts(operatingMode=self.one(None, "Running", "Running", "Suspended"), shutdownPolicy=self.one(None, "Delete", "Retain"),
                                                 shutdownTime=self.one(None, None, None, "2999-01-01T00:00:00Z", "2020-01-01T00:00:00Z"))
            taken.append(f"s{i}")
            own = self.parts(labels=self.one({}, {"agents.x-k8s.io/created-by": self.one("go-client", "x", "")}, {"agents.x-k8s.io/claim-uid": "u", "agents.x-k8s.io/sandbox-template-ref-hash": "h"}),
                             annotations=self.one({}, {"opentelemetry.io/trace-context": "{}"}, {"n": "x"}))
            yield {"apiVersion": "agents.x-k8s.io/v1beta1", "kind": "Sandbox", "metadata": {"name": taken[-1]} | own, "spec": spec}
        for i in range(self.one(0, 1, 1, 2, 3)):
            name = self.one(*taken) if taken and self.fault(0.04) else f"c{i}"
            env = self.some(3, lambda: self.parts(name=self.one("A", "B", "NEW", "PATH"), value=self.word(), containerName=self.one(None, None, "main", "side" if self.fault(0.3) else "main", "", "init-0" if self.fault(0.2) else None)))
            for it in env:
                it.setdefault("value", "")
            spec = {"warmPoolRef": {"name": "absent" if self.fault(0.05) else self.one(*pools)}} | self.parts(
                env=env if self.maybe(0.4) else None, volumeClaimTemplates=self.claim_templates(2, 0.1) if self.maybe(0.3) else None,
                additionalPodMetadata=self.metadata(True) if self.maybe(0.6) else None,
                lifecycle=self.one(None, None, None, {}, {"ttlSecondsAfterFinished": 0}, {"shutdownTime": "2999-01-01T00:00:00Z", "shutdownPolicy": "Delete"},
                                   {"shutdownTime": "2020-01-01T00:00:00Z"} if self.fault(0.2) else None))
            own = self.parts(labels=self.one({}, {"agents.x-k8s.io/created-by": self.one("go-client", "python-client", "mine", "")}, {"x": "y"}),
                             annotations=self.one({}, {}, {"opentelemetry.io/trace-context": "{\"a\":1}"}, {"n": "x"}))
            yield {"apiVersion": group, "kind": "SandboxClaim", "metadata": {"name": name} | own, "spec": spec}


def main():
    folder, count, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1
    for number in range(count):
        case = folder / f"random-{seed}-{number:03}"
        case.mkdir(parents=True, exist_ok=True)
        is_new = number % 4 == 0
        objects = Case(f"{seed}-{number}", number % 2 == 0, is_new).objects()
        # JSON is YAML.
        text = "---\n".join(json.dumps(it, indent=1) + "\n" for it in objects)
        (case / "input.yaml").write_text("# agent-sandbox: 1.0\n" * is_new + text)


main()
