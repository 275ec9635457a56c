"""Makes the JSON schemas that kubeconform needs, from what is on this machine.

Built-in kinds: those of the Python package kubernetes-validate, whose references into a common file
kubeconform cannot follow, so the definitions that a kind reaches are put into its file.
Custom resources: the definitions that `sandboxc crds` prints, closed at every object that lists its
properties.
"""

import json
from pathlib import Path

COMMON = "/api/_definitions.json"
OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"


def file_name(kind, group_version):
    """The name by which kubernetes-validate and kubeconform look for a kind's schema."""
    group, _, version = group_version.rpartition("/")
    suffix = f"{group.split('.')[0]}-{version}" if group else version
    return f"{kind.lower()}-{suffix}.json"


def references(schema):
    """The names of the common definitions that a schema names; the references become local."""
    found = set()
    if isinstance(schema, dict):
        target = schema.get("$ref")
        if isinstance(target, str):
            schema["$ref"] = target.removeprefix(COMMON)
            found.add(schema["$ref"].removeprefix("#/$defs/"))
        for child in schema.values():
            found |= references(child)
    elif isinstance(schema, list):
        for child in schema:
            found |= references(child)
    return found


def with_definitions(schema, common):
    """The schema, with all definitions that it reaches."""
    reached, waiting = {}, references(schema)
    while waiting:
        name = waiting.pop()
        reached[name] = json.loads(json.dumps(common[name]))
        waiting |= references(reached[name]) - reached.keys()
    return {**{key: value for key, value in schema.items() if key != "$id"}, "$defs": reached}


def closed(schema):
    """A structural schema of a custom resource definition as strict JSON Schema."""
    if schema.get("x-kubernetes-int-or-string"):
        return {"anyOf": [{"type": "integer"}, {"type": "string"}]}
    result = {}
    for key, value in schema.items():
        if key == "properties":
            result[key] = {name: closed(child) for name, child in value.items()}
        elif key in ("items", "additionalProperties") and isinstance(value, dict):
            result[key] = closed(value)
        elif not key.startswith("x-") and key not in ("description", "nullable", "default"):
            result[key] = value
    if schema.get("nullable"):
        result["type"] = [schema["type"], "null"]
    open_object = schema.get("x-kubernetes-preserve-unknown-fields")
    if "properties" in result and "additionalProperties" not in result and not open_object:
        result["additionalProperties"] = False
    return result


def custom_resources(definitions, common):
    """File name and schema of each version of each custom resource definition."""
    for definition in definitions:
        group, kind = definition["spec"]["group"], definition["spec"]["names"]["kind"]
        for version in definition["spec"]["versions"]:
            group_version = f"{group}/{version['name']}"
            schema = closed(version["schema"]["openAPIV3Schema"])
            schema["properties"]["apiVersion"] = {"const": group_version}
            schema["properties"]["kind"] = {"const": kind}
            schema["properties"]["metadata"] = {"$ref": f"#/$defs/{OBJECT_META}"}
            schema["required"] = sorted({"apiVersion", "kind", *schema.get("required", [])})
            yield file_name(kind, group_version), with_definitions(schema, common)


def write(package, kubernetes, definitions, documents, target):
    """Writes the schemas of all custom resources, and of the built-in kinds among the documents."""
    source = Path(package) / f"kubernetes-json-schema/v{kubernetes}.0-local-strict"
    common = json.loads((source / "_definitions.json").read_text())["$defs"]
    schemas = dict(custom_resources(definitions, common))
    for name in sorted({file_name(it["kind"], it["apiVersion"]) for it in documents}):
        if name not in schemas and (source / name).exists():
            schemas[name] = with_definitions(json.loads((source / name).read_text()), common)
    target.mkdir(parents=True, exist_ok=True)
    for name, schema in schemas.items():
        (target / name).write_text(json.dumps(schema))
