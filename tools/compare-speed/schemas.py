"""JSON Schemas for kubeconform, made of the table that sandboxc checks with: schemas/kubernetes.json.

Both programs then look at the same fields, types, required lists and enums, and both strictly: an
object has no other fields than those of the table.
"""

import json

SCALARS = {
    "string": {"type": "string"},
    "bool": {"type": "boolean"},
    "int32": {"type": "integer"},
    "int64": {"type": "integer"},
    "number": {"type": "number"},
    "quantity": {"type": ["string", "number"]},
    "int-or-string": {"type": ["string", "integer"]},
    "time": {"type": "string"},
    "microtime": {"type": "string"},
    "base64": {"type": "string"},
    "any": {},
}


def is_in(entry, version):
    """Whether a field or an enum value is in a minor version; `1.34-1.37` and the like name others."""
    if entry is None:
        return True
    first, _, last = entry.partition("-")
    minor = lambda text: int(text.split(".")[1])
    return minor(first) <= minor(version) <= minor(last or first)


def schema_of(kind_of_value, version):
    if isinstance(kind_of_value, str):
        return SCALARS.get(kind_of_value, {"$ref": f"#/$defs/{kind_of_value}"})
    if "list" in kind_of_value:
        return {"type": ["array", "null"], "items": schema_of(kind_of_value["list"], version)}
    if "map" in kind_of_value:
        values = schema_of(kind_of_value["map"], version)
        return {"type": ["object", "null"], "additionalProperties": values}
    values = [it.partition("@") for it in kind_of_value["enum"]]
    return {"enum": [name for name, _, versions in values if is_in(versions or None, version)]}


def schema_of_definition(definition, version):
    properties, required = {}, []
    for name, variants in definition["fields"].items():
        for field in variants if isinstance(variants, list) else [variants]:
            if is_in(field.get("versions"), version):
                properties[name] = schema_of(field["type"], version)
                if field.get("required"):
                    required.append(name)
    closed = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**closed, "required": required} if required else closed


def reached(schema):
    """The definitions that a schema names."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].removeprefix("#/$defs/")
        for child in schema.values():
            yield from reached(child)
    elif isinstance(schema, list):
        for child in schema:
            yield from reached(child)


def write(table, kinds, version, folder):
    """Writes one schema for each of `kinds`, pairs of apiVersion and kind, with all that it reaches."""
    definitions = {
        name: schema_of_definition(definition, version) for name, definition in table["definitions"].items()
    }
    for api_version, kind in kinds:
        group, _, name = api_version.rpartition("/")
        found = next(
            it for it in table["kinds"] if (it["group"], it["version"], it["kind"]) == (group, name, kind)
        )
        root = definitions[found["definition"]]
        needed, waiting = {}, set(reached(root))
        while waiting:
            it = waiting.pop()
            needed[it] = definitions[it]
            waiting |= set(reached(definitions[it])) - needed.keys()
        suffix = f"{group.split('.')[0]}-{name}" if group else name
        schema = {"$schema": "http://json-schema.org/draft-07/schema#", **root, "$defs": needed}
        (folder / f"{kind.lower()}-{suffix}.json").write_text(json.dumps(schema))
