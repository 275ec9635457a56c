"""Writes what compare.py gives to the programs: a stream of Pods and Jobs, one document that both must
refuse, and JSON Schemas.

usage: prepare.py FOLDER   (run.sh does)
"""

import json
import sys
from pathlib import Path

import schemas

ROOT = Path(__file__).resolve().parents[2]
OBJECTS = 10_000
VERSION = "1.37"
KINDS = [("v1", "Pod"), ("batch/v1", "Job"), ("v1", "ConfigMap"), ("v1", "Secret"), ("v1", "ServiceAccount")]

NEEDED = """apiVersion: v1
kind: ConfigMap
metadata: {name: worker, namespace: batch}
data: {mode: fast}
---
apiVersion: v1
kind: Secret
metadata: {name: worker, namespace: batch}
stringData: {token: example}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: runner, namespace: batch}
"""

POD_SPEC = """restartPolicy: @restart
serviceAccountName: runner
terminationGracePeriodSeconds: 30
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
nodeSelector:
  kubernetes.io/os: linux
tolerations:
- key: dedicated
  operator: Equal
  value: batch
  effect: NoSchedule
containers:
- name: main
  image: registry.example.com/team-@team/worker:1.@index.0
  imagePullPolicy: IfNotPresent
  command: ["/bin/worker"]
  args: ["--shard=@index", "--verbose", "--listen=0.0.0.0:8080"]
  ports:
  - name: http
    containerPort: 8080
    protocol: TCP
  env:
  - name: LOG_LEVEL
    value: info
  - name: SHARD
    value: "@index"
  - name: POD_NAME
    valueFrom:
      fieldRef:
        fieldPath: metadata.name
  - name: TOKEN
    valueFrom:
      secretKeyRef:
        name: worker
        key: token
  resources:
    requests:
      cpu: 250m
      memory: 256Mi
    limits:
      cpu: "1"
      memory: 512Mi
  securityContext:
    allowPrivilegeEscalation: false
    readOnlyRootFilesystem: true
    capabilities:
      drop: ["ALL"]
  volumeMounts:
  - name: settings
    mountPath: /etc/worker
    readOnly: true
  - name: scratch
    mountPath: /tmp
volumes:
- name: settings
  configMap:
    name: worker
- name: scratch
  emptyDir:
    sizeLimit: 1Gi
"""

METADATA = """metadata:
  name: @name-@index
  namespace: batch
  labels:
    app.kubernetes.io/name: worker
    app.kubernetes.io/instance: worker-@index
    team: team-@team
"""

POD = "apiVersion: v1\nkind: Pod\n" + METADATA + "spec:\n"
JOB = (
    "apiVersion: batch/v1\nkind: Job\n"
    + METADATA
    + "spec:\n  backoffLimit: 3\n  ttlSecondsAfterFinished: 600\n  template:\n"
    + "    metadata:\n      labels:\n        app.kubernetes.io/name: worker\n    spec:\n"
)


def document(index):
    is_pod = index % 2 == 0
    head, indent, restart, name = (POD, 2, "Always", "pod") if is_pod else (JOB, 6, "Never", "job")
    spec = "".join(" " * indent + line for line in POD_SPEC.splitlines(keepends=True))
    text = (head + spec).replace("@restart", restart).replace("@name", name)
    return text.replace("@team", str(index % 7)).replace("@index", str(index))


def main():
    folder = Path(sys.argv[1])
    (folder / "schemas").mkdir(parents=True, exist_ok=True)
    table = json.loads((ROOT / "schemas/kubernetes.json").read_text())
    schemas.write(table, KINDS, VERSION, folder / "schemas")
    (folder / "input.yaml").write_text("---\n".join([NEEDED, *map(document, range(OBJECTS))]))
    (folder / "broken.yaml").write_text(document(0).replace("  image:", "  imagee:", 1))


main()
