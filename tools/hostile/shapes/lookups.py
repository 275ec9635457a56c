"""Names that are searched in another part of one object, and in the items before them."""

import base64

from .common import crd, definition, hostile, keys, many, pod, stream


def one(api_version, kind, rest):
    return stream([f"apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: a}}\n{rest}\n"])


def pod_of(containers, rest):
    return stream([pod("a", f"containers: {containers}, {rest}")])


@hostile(300_000)
def token_audiences(n):
    return one("storage.k8s.io/v1", "CSIDriver", "spec: {tokenRequests: " + many(n, lambda i: f"{{audience: a{i:06}}}") + "}")


def webhook(resources):
    rule = "{operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: " + resources + "}"
    return one("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "webhooks: [{name: a.b.c, clientConfig: {url: 'https://a.b'}, sideEffects: None, admissionReviewVersions: [v1], rules: [" + rule + "]}]")


@hostile(600_000)
def webhook_resources(n):
    return webhook(many(n, lambda i: f"r{i:07}/*"))


@hostile(600_000)
def webhook_subresources(n):
    return webhook(many(n, lambda i: f"'*/r{i:07}'"))


@hostile(100_000)
def device_alternatives(n):
    request = "{name: r, firstAvailable: " + many(n, lambda i: f"{{name: a{i:06}, deviceClassName: x}}") + "}"
    return one("resource.k8s.io/v1", "ResourceClaim", "spec: {devices: {requests: [" + request + "], constraints: [{matchAttribute: a.b/c, requests: " + many(n, lambda i: f"r/a{i:06}") + "}]}}")


@hostile(70_000)
def env_files(n):
    env = many(n, lambda i: f"{{name: E{i}, valueFrom: {{fileKeyRef: {{volumeName: v{i:06}, path: a, key: K}}}}}}")
    return pod_of("[{name: a, image: b:1, env: " + env + "}]", "volumes: " + many(n, lambda i: f"{{name: v{i:06}}}"))


@hostile(80_000)
def devices_of_containers(n):
    containers = many(n, lambda i: f"{{name: c{i}, image: b:1, volumeDevices: [{{name: v{i}, devicePath: /a}}]}}")
    return pod_of(containers, "volumes: " + many(n, lambda i: f"{{name: v{i}}}"))


@hostile(70_000)
def claims_of_containers(n):
    containers = many(n, lambda i: f"{{name: c{i}, image: b:1, resources: {{claims: [{{name: v{i}}}]}}}}")
    return pod_of(containers, "resourceClaims: " + many(n, lambda i: f"{{name: v{i}, resourceClaimName: a}}"))


@hostile(200_000)
def claims_and_unknown_fields(n):
    """Each claim lacks a field that may be misspelled."""
    claims = many(n, lambda i: f"{{name: c{i}}}")
    return pod_of("[{name: a, image: b:1, resources: {claims: " + claims + "}}]", ", ".join(f"resurceClaims{i}: 1" for i in range(n)))


@hostile(150_000)
def pod_resources_and_containers(n):
    requests = ", ".join(f"hugepages-{i}Mi: 0" for i in range(n))
    return pod_of(many(n, lambda i: f"{{name: a{i}, image: b:1}}"), f"resources: {{requests: {{{requests}}}}}")


@hostile(200_000)
def pod_resources_and_container(n):
    limits = ", ".join(f"hugepages-{i}Mi: 0" for i in range(n))
    return pod_of(f"[{{name: a, image: b:1, resources: {{limits: {{{limits}}}}}}}]", f"resources: {{limits: {{{limits}}}}}")


@hostile(650_000)
def iscsi_names(n):
    return pod_of("[{name: a, image: b:1}]", "volumes: [{name: v, iscsi: {targetPortal: a, lun: 1, iqn: " + "iqn.2001-04.x." * n + "}}]")


@hostile(400_000)
def pem_beginnings(n):
    """Blocks that do not end."""
    request = base64.b64encode(b"-----BEGIN A-----\n" * n).decode()
    return one("certificates.k8s.io/v1", "CertificateSigningRequest", f"spec: {{signerName: a.b/c, usages: [client auth], request: {request}}}")


@hostile(300_000)
def pem_beginnings_and_end(n):
    request = base64.b64encode(b"-----BEGIN A-----\n" * n + b"\n-----END A-----\n").decode()
    return one("certificates.k8s.io/v1", "CertificateSigningRequest", f"spec: {{signerName: a.b/c, usages: [client auth], request: {request}}}")


def fields(n):
    return "{" + ", ".join(f"p{i:06}: {{type: string}}" for i in range(n)) + "}"


@hostile(140_000)
def crd_selectable_fields(n):
    selectable = "    selectableFields: " + many(n, lambda i: f"{{jsonPath: .spec.q{i:06}}}") + "\n"
    return stream([crd("          spec: {type: object, properties: " + fields(n) + "}\n", extra=selectable)])


@hostile(100_000)
def crd_rule_paths(n):
    rules = many(n, lambda i: f"{{rule: 'true', fieldPath: .p{i:06}}}")
    return stream([crd("          spec: {type: object, properties: " + fields(n) + ", x-kubernetes-validations: " + rules + "}\n")])


@hostile(2_200)
def files_in_folders(n):
    """Each folder of a path can be another file."""
    items = many(n, lambda i: "{key: k, path: " + "a/" * 2_000 + f"{i}}}")
    return pod_of("[{name: a, image: b:1}]", "volumes: [{name: v, secret: {secretName: s, items: " + items + "}}]")


@hostile(70_000)
def pod_security_exempt(n):
    """Each Pod is compared with each exempt namespace."""
    policy = f"spec: {{podSecurity: {{enforce: privileged, exemptNamespaces: {many(n, lambda i: f'n{i:06}')}}}}}\n"
    pods = (pod(f"p{i}", "containers: [{name: a, image: 'b:1'}]", meta=f", namespace: m{i:06}") for i in range(n))
    return stream([definition("Project", "p", policy), *pods])


@hostile(300_000)
def unknown_fields_of_duplicate(n):
    """They precede its name, which each finding has."""
    return stream([f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{{keys(n)}, name: a}}\n", *("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n" for _ in range(n // 6))])


@hostile(300_000)
def unknown_fields_of_config_map(n):
    """They precede its data, where each Pod searches a key."""
    pods = (pod(f"p{i}", "containers: [{name: a, image: 'b:1', env: [{name: A, valueFrom: {configMapKeyRef: {name: c, key: x}}}]}]") for i in range(n // 10))
    return stream([keys(n).replace(", ", "\n") + "\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: b}\n", *pods])


@hostile(300_000)
def unknown_fields_of_service(n):
    """They precede its ports, where each Ingress searches one."""
    backend = "{service: {name: s, port: {number: 81}}}"
    ingresses = (f"apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {{name: i{i}}}\nspec: {{defaultBackend: {backend}}}\n" for i in range(n // 10))
    return stream([f"apiVersion: v1\nkind: Service\nmetadata: {{name: s}}\nspec: {{{keys(n)}, selector: {{a: b}}, ports: [{{port: 80}}]}}\n", *ingresses])


def service(i, rest):
    return f"apiVersion: v1\nkind: Service\nmetadata: {{name: s{i}}}\nspec: {{{rest}}}\n"


@hostile(60_000)
def ports_without_number(n):
    """Each path searches the first ports with one."""
    paths = ", ".join("{path: /, backend: {service: {name: s0, port: {number: 9}}}}" for i in range(n))
    ports = ", ".join(f"{{name: p{i}}}" for i in range(n))
    return stream([service(0, f"selector: {{a: b}}, ports: [{ports}]"), f"apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {{name: i}}\nspec: {{rules: [{{http: {{paths: [{paths}]}}}}]}}\n"])


@hostile(25_000)
def containers_without_ports(n):
    """Each Service searches a port in all containers."""
    containers = ", ".join(["{}"] * (30 * n))
    return stream([pod("a", f"containers: [{containers}]", ", labels: {a: b}"), *(service(i, "selector: {a: b}, ports: [{port: 1, targetPort: x}]") for i in range(n))])


@hostile(25_000, "check {}/input.yaml", "graph {}/input.yaml")
def labels_and_services(n):
    """Each Service searches a label among those of one Pod."""
    labels = ", ".join(f"k{i}: x" for i in range(10 * n))
    return stream([pod("a", meta=f", labels: {{{labels}}}"), *(service(i, "selector: {a: b}, ports: [{port: 1}]") for i in range(n))])
