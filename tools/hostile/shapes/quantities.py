"""Quantities: LimitRanges, quotas and RuntimeClasses with many values, and the Pods that they apply to."""

from .common import hostile, keys, many, pod, stream


def limit_range(name, rest):
    return f"apiVersion: v1\nkind: LimitRange\nmetadata: {{name: {name}}}\nspec: {{limits: [{{{rest}}}]}}\n"


def quota(name, hard):
    return f"apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: {name}}}\nspec: {{hard: {{{hard}}}}}\n"


def runtime_class(rest):
    return "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: r}\nhandler: h\n" + rest + "\n"


def resources(field, n):
    return f"resources: {{{field}: {{{keys(n, 1, 'e.io/r')}}}}}"


def of_sidecar(n):
    """A sidecar with many resources, and as many containers after it."""
    sidecar = f"{{name: s, image: 'b:1', restartPolicy: Always, {resources('limits', n)}}}"
    others = many(n, lambda i: f"{{name: i{i}, image: 'b:1'}}")
    return pod("a", f"initContainers: [{sidecar}, {others[1:]}, containers: [{{name: a, image: 'b:1'}}]")


@hostile(150_000)
def sidecar_and_limit_range(n):
    return stream([limit_range("r", "type: Pod, max: {cpu: 1000}"), of_sidecar(n)])


@hostile(150_000)
def sidecar_and_quota(n):
    return stream([quota("q", "requests.cpu: 1000"), of_sidecar(n)])


@hostile(25_000)
def limit_ranges_of_pods(n):
    """Each LimitRange bounds the sum of the containers."""
    ranges = (limit_range(f"r{i}", "type: Pod, max: {cpu: 1000}") for i in range(n))
    return stream([*ranges, pod("a", f"containers: [{{name: a, image: 'b:1', {resources('limits', 4 * n)}}}]")])


@hostile(25_000)
def limit_ranges_and_defaults(n):
    """The default of each request is in the last LimitRange."""
    ranges = (limit_range(f"r{i}", "type: Container, default: {memory: 1Gi}") for i in range(n))
    last = limit_range("z", "type: Container, default: {" + keys(3 * n, 1, "e.io/r") + "}")
    wanted = f"resources: {{requests: {{{keys(3 * n, 2, 'e.io/r')}}}}}"
    return stream([*ranges, last, pod("a", f"containers: [{{name: a, image: 'b:1', {wanted}}}]")])


@hostile(25_000)
def limit_ranges_and_claims(n):
    ranges = (limit_range(f"r{i}", "type: PersistentVolumeClaim, max: {storage: 1Gi}") for i in range(n))
    claims = many(n, lambda i: f"{{metadata: {{name: v{i}}}, spec: {{accessModes: [ReadWriteOnce], resources: {{requests: {{storage: 1Gi}}}}}}}}")
    template = "{metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: 'b:1'}]}}"
    owner = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: s}\nspec: {serviceName: s, selector: {matchLabels: {a: b}}, template: " + template + ", volumeClaimTemplates: " + claims + "}\n"
    return stream([*ranges, owner])


@hostile(40_000)
def quotas_and_resources(n):
    quotas = (quota(f"q{i}", "pods: 1") for i in range(n))
    return stream([*quotas, pod("a", f"containers: [{{name: a, image: 'b:1', {resources('limits', 4 * n)}}}]")])


@hostile(40_000)
def runtime_class_selector_of_pods(n):
    scheduling = f"scheduling: {{nodeSelector: {{{keys(3 * n)}}}}}"
    return stream([runtime_class(scheduling), *(pod(f"a{i}", "runtimeClassName: r, containers: [{name: a, image: 'b:1'}]") for i in range(n))])


@hostile(40_000)
def runtime_class_overhead_of_pods(n):
    overhead = f"overhead: {{podFixed: {{{keys(3 * n, 1, 'e.io/r')}}}}}"
    return stream([runtime_class(overhead), *(pod(f"a{i}", "runtimeClassName: r, overhead: {cpu: 1}, containers: [{name: a, image: 'b:1'}]") for i in range(n))])


@hostile(1_400)
def defaults_times_containers(n):
    """Each container gets each default."""
    return stream([limit_range("r", f"type: Container, default: {{{keys(n, 1, 'e.io/r')}}}"), pod("a", "containers: " + many(n, lambda i: f"{{name: c{i}, image: 'b:1'}}"))])


@hostile(40_000)
def defaults_times_many_containers(n):
    return stream([limit_range("r", f"type: Container, default: {{{keys(n, 1, 'e.io/r')}}}"), pod("a", "containers: " + many(n, lambda i: f"{{name: c{i}, image: 'b:1'}}"))])
