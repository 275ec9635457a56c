"""The table of inputs, and the parts that they are made of."""


DEFINITION = "apiVersion: sandboxc.dev/v1alpha1\nkind: {kind}\nmetadata: {{name: {name}}}\n"
INPUTS, COMMANDS = {}, {}


def hostile(count, *commands):
    """Registers an input; `{}` in a command is its folder."""

    def register(function):
        INPUTS[function.__name__] = (function, count)
        if commands:
            COMMANDS[function.__name__] = [command.split() for command in commands]
        return function

    return register


def stream(documents):
    return {"input.yaml": "---\n".join(documents)}


def in_namespaces(n, files):
    """The same documents in each of `n` namespaces."""
    documents = files["input.yaml"].split("---\n")
    return stream(it.replace("metadata: {", f"metadata: {{namespace: n{i}, ", 1) for i in range(n) for it in documents)


def definition(kind, name, rest):
    return DEFINITION.format(kind=kind, name=name) + rest


def template(name, rest="spec: {image: a}\n"):
    return definition("Template", name, rest)


def project(spec):
    return DEFINITION.format(kind="Project", name="p") + "spec:\n" + spec


def pod(name, spec="containers: [{name: a, image: b:1}]", meta=""):
    return f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}{meta}}}\nspec: {{{spec}}}\n"


def crd(properties, name="widgets", extra=""):
    return (
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
        f"metadata: {{name: {name}.e.io}}\nspec:\n  group: e.io\n  scope: Namespaced\n"
        f"  names: {{plural: {name}, singular: {name[:-1]}, kind: {name[:-1].title()}, listKind: {name[:-1].title()}List}}\n"
        "  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n"
        f"        type: object\n        properties:\n{properties}{extra}"
    )


def widget(rest, kind="Widget", name="a"):
    return f"apiVersion: e.io/v1\nkind: {kind}\nmetadata: {{name: {name}}}\n{rest}"


def wide(n, more=""):
    return "{type: object, properties: {" + ", ".join(f"field{i}: {{type: string{more}}}" for i in range(n)) + "}"


def kelos_task(name, rest):
    return definition("Task", name, "spec: {agent: codex, credentials: {type: none}, prompt: a" + rest + "}\n")


def importing(system=""):
    return f"import {system} {{}}/input.yaml"


def policy(name, rest, kind="ValidatingAdmissionPolicy", resources='[""], apiVersions: [v1], operations: [CREATE], resources: [pods]'):
    return (
        f"apiVersion: admissionregistration.k8s.io/v1\nkind: {kind}\nmetadata: {{name: {name}}}\nspec:\n"
        f"  matchConstraints: {{resourceRules: [{{apiGroups: {resources}}}]}}\n{rest}"
    )


def binding(name, of, rest="  validationActions: [Deny]\n"):
    return (
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\n"
        f"metadata: {{name: {name}}}\nspec:\n  policyName: {of}\n{rest}"
    )


CERTIFICATE = "MIIB" + "A" * 60


def policy_of_text(expression, text):
    config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {t: '" + text + "'}\n"
    spec = f"  validations: [{{expression: \"{expression}\"}}]\n"
    return stream([policy("p", spec, resources='[""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]'), binding("b", "p"), config])


def keys(n, value="v", prefix="k"):
    return ", ".join(f"{prefix}{i}: {value}" for i in range(n))


def many(n, item):
    return "[" + ", ".join(item(i) for i in range(n)) + "]"


def volume_claims(n, name="v"):
    return ", ".join(f"{{name: {name}{i}, size: 1Gi}}" for i in range(n))


def claimed(of_template, of_claim):
    return stream([template("t", f"spec: {{image: 'a:1', {of_template}}}\n"), definition("WarmPool", "w", "spec: {template: t, replicas: 1}\n"), definition("Claim", "c", f"spec: {{warmPool: w, {of_claim}}}\n")])


EFFECTIVE = "effective {}/input.yaml", "check {}/input.yaml"


def nodepool(pool, spec=""):
    return stream([project("  nodepool: {labels: [{name: l}]}\n"), definition("NodePool", "p", f"spec:\n{spec}  pools:\n  - {pool}\n")])


def resources(n):
    return ", ".join(f"x.io/r{i}: 1" for i in range(n))


def volumes_and_mounts_reversed(n):
    volumes = ", ".join(f"{{name: v{i}, emptyDir: {{}}}}" for i in range(n))
    mounts = ", ".join(f"{{name: v{n - 1 - i}, mountPath: /a{i}}}" for i in range(n))
    return f"image: a, volumes: [{volumes}], volumeMounts: [{mounts}]"


def versions(n):
    more = "".join(f"  - name: v1alpha{i}\n    served: true\n    storage: false\n    schema: {{openAPIV3Schema: {{type: object, properties: {{spec: {{type: object}}}}}}}}\n" for i in range(n))
    return crd("          spec: {type: object}\n") + more
