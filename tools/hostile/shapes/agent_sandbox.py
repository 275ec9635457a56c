"""The rules of agent-sandbox about several objects."""

from .common import EFFECTIVE, definition, hostile, keys, many, project, stream, template, volume_claims

POD = "podTemplate: {spec: {containers: [{name: a, image: 'b:1'}]}}"


def custom(kind, name, spec, group="extensions.agents.x-k8s.io"):
    return f"apiVersion: {group}/v1beta1\nkind: {kind}\nmetadata: {{name: {name}}}\nspec: {{{spec}}}\n"


def network_policy(spec):
    return f"apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {{name: n}}\nspec: {{{spec}}}\n"


@hostile(150_000)
def label_domains(n):
    domains = ", ".join(f"d{i}.io" for i in range(n))
    labels = ", ".join(f"x.y{i}.io/a: b" for i in range(n))
    pool = definition("WarmPool", "w", "spec: {template: t, replicas: 1}\n")
    claim = definition("Claim", "c", f"spec: {{warmPool: w, podMetadata: {{labels: {{{labels}}}}}}}\n")
    return stream([project(f"  agentSandbox: {{allowedLabelDomains: [{domains}]}}\n"), template("t"), pool, claim])


@hostile(40_000)
def policy_rules_and_templates(n):
    """Whether the policy allows DNS matters for each template."""
    rules = ", ".join("{ports: [{port: 443, protocol: TCP}]}" for _ in range(n))
    policy = network_policy(f"podSelector: {{}}, policyTypes: [Egress], egress: [{rules}]")
    return stream([policy, *(template(f"t{i}", "spec: {image: 'a:1', podOverrides: {dnsPolicy: ClusterFirst}}\n") for i in range(n))])


@hostile(50_000)
def selector_and_templates(n):
    expressions = ", ".join(f"{{key: k{i}, operator: DoesNotExist}}" for i in range(n))
    return stream([network_policy(f"podSelector: {{matchExpressions: [{expressions}]}}"), *(template(f"t{i}") for i in range(n))])


@hostile(2_000_000)
def dashes_in_names(n):
    """Each dash can separate the names of a volume and a Sandbox."""
    claim = f"apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {{name: {'a-' * n}b}}\nspec: {{}}\n"
    return stream([custom("Sandbox", "a-" * n + "a", POD, "agents.x-k8s.io"), claim])


@hostile(70_000)
def long_name_of_selectors(n):
    return stream([f"apiVersion: v1\nkind: Service\nmetadata: {{name: {'x' * n * 60}}}\nspec: {{selector: {{{keys(n)}}}}}\n"])


@hostile(12_000, "check {}/input.yaml", "build {}/input.yaml", "effective {}/input.yaml", "build --target agent-sandbox=pods {}/input.yaml")
def long_name_of_template(n):
    """The name is in a finding for each claim."""
    name = "x" * n * 200
    pool = custom("SandboxWarmPool", "w", f"replicas: 0, sandboxTemplateRef: {{name: {name}}}")
    claims = (custom("SandboxClaim", f"c{i}", "warmPoolRef: {name: w}, env: [{name: A, value: b}]") for i in range(n))
    return stream([custom("SandboxTemplate", name, POD), pool, *claims])


@hostile(100_000, *EFFECTIVE)
def effective_labels_of_claims(n):
    """Each claim gets a copy of the labels."""
    labels = f"podMetadata: {{labels: {{{', '.join(f'x/k{i}: v' for i in range(n))}}}}}"
    claims = (definition("Claim", f"c{i}", "spec: {warmPool: w}\n") for i in range(n // 2))
    return stream([template("t", f"spec: {{image: 'a:1', {labels}}}\n"), definition("WarmPool", "w", "spec: {template: t, replicas: 0}\n"), *claims])


@hostile(50_000, *EFFECTIVE)
def effective_members_of_pools(n):
    return stream([template("t"), *(definition("WarmPool", f"w{i}", "spec: {template: t, replicas: 9}\n") for i in range(n))])


@hostile(50_000, *EFFECTIVE)
def effective_volume_claims(n):
    """Each member gets all volumes."""
    return stream([template("t", f"spec: {{image: 'a:1', volumeClaims: [{volume_claims(n)}]}}\n"), definition("WarmPool", "w", f"spec: {{template: t, replicas: {n}}}\n")])


@hostile(50_000, *EFFECTIVE)
def effective_claims_of_stateful_set(n):
    claims = many(n, lambda i: f"{{metadata: {{name: w{i}}}, spec: {{accessModes: [ReadWriteOnce], resources: {{requests: {{storage: 1Gi}}}}}}}}")
    pod = "{metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: 'b:1'}]}}"
    spec = f"replicas: 90000, serviceName: s, selector: {{matchLabels: {{a: b}}}}, template: {pod}, volumeClaimTemplates: {claims}"
    return stream([f"apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {{name: a}}\nspec: {{{spec}}}\n"])
