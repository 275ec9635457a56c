"""Objects from which controllers create many others."""

from .agent_sandbox import POD, custom
from .common import EFFECTIVE, hostile, keys, many, stream

PODS = "{metadata: {labels: {a: b}}, spec: {restartPolicy: Never, containers: [{name: a, image: 'b:1'}]}}"
POOL = custom("SandboxWarmPool", "w", "replicas: 1, sandboxTemplateRef: {name: t}")


def stateful_set(meta="name: a", spec="", selected="a: b"):
    spec += f"replicas: 90000, serviceName: s, selector: {{matchLabels: {{{selected}}}}}, template: {PODS}"
    return f"apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {{{meta}}}\nspec: {{{spec}}}\n"


def volume_claims(n):
    spec = "spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}"
    return f"volumeClaimTemplates: {many(n, lambda i: f'{{metadata: {{name: w{i}}}, {spec}}}')}, "


def claims(n):
    return [custom("SandboxClaim", f"c{i}", "warmPoolRef: {name: w}") for i in range(n)]


@hostile(300_000, *EFFECTIVE)
def unknown_fields_of_stateful_set(n):
    """They precede the fields that are read for each Pod."""
    return stream([stateful_set(spec=f"{keys(n)}, ")])


@hostile(300_000, *EFFECTIVE)
def unknown_fields_of_metadata(n):
    return stream([stateful_set(meta=f"{keys(n)}, name: a")])


@hostile(300_000, *EFFECTIVE)
def unknown_fields_of_job(n):
    return stream([f"apiVersion: batch/v1\nkind: Job\nmetadata: {{name: a}}\nspec: {{{keys(n)}, parallelism: 90000, template: {PODS}}}\n"])


@hostile(300_000, *EFFECTIVE)
def selector_of_volume_claims(n):
    """Each claim gets the labels."""
    return stream([stateful_set(spec=volume_claims(1), selected=keys(n))])


@hostile(5_000_000, *EFFECTIVE)
def long_name_of_stateful_set(n):
    return stream([stateful_set(meta=f"name: {'x' * n}", spec=volume_claims(10_000))])


@hostile(5_000_000, *EFFECTIVE)
def long_name_of_pool(n):
    pool = custom("SandboxWarmPool", "x" * n, "replicas: 90000, sandboxTemplateRef: {name: t}")
    return stream([custom("SandboxTemplate", "t", POD), pool])


@hostile(60_000, *EFFECTIVE)
def unknown_fields_of_template(n):
    """They precede the fields that are read for each claim."""
    return stream([custom("SandboxTemplate", "t", f"{keys(n)}, {POD}"), POOL, *claims(n)])


@hostile(60_000, *EFFECTIVE)
def unknown_fields_of_pool(n):
    pool = custom("SandboxWarmPool", "w", f"{keys(n)}, replicas: 1, sandboxTemplateRef: {{name: t}}")
    return stream([custom("SandboxTemplate", "t", POD), pool, *claims(n)])


@hostile(130_000, *EFFECTIVE)
def labels_of_template_and_claim(n):
    labels = [", ".join(f"sandbox.users.io/{letter}{i}: x" for i in range(n)) for letter in "ab"]
    pod = POD.replace("{spec", f"{{metadata: {{labels: {{{labels[0]}}}}}, spec")
    claim = custom("SandboxClaim", "c", f"warmPoolRef: {{name: w}}, additionalPodMetadata: {{labels: {{{labels[1]}}}}}")
    return stream([custom("SandboxTemplate", "t", pod), POOL, claim])


@hostile(80_000, *EFFECTIVE)
def variables_of_containers_with_one_name(n):
    """Each container gets the variables of the claim."""
    containers = ", ".join("{name: a, image: 'b:1'}" for _ in range(n))
    variables = many(n, lambda i: f"{{name: v{i}, value: x, containerName: a}}")
    pod = f"envVarsInjectionPolicy: Overrides, podTemplate: {{spec: {{containers: [{containers}]}}}}"
    claim = custom("SandboxClaim", "c", f"warmPoolRef: {{name: w}}, env: {variables}")
    return stream([custom("SandboxTemplate", "t", pod), POOL, claim])
