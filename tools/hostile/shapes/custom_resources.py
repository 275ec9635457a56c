"""CustomResourceDefinitions."""

from .common import crd, definition, hostile, keys, stream, wide, widget


@hostile(40_000)
def crd_one_of_times_items(n):
    branches = ", ".join(f"{{required: [r{i}]}}" for i in range(200))
    schema = f"          spec: {{type: array, items: {{type: object, properties: {{a: {{type: string}}}}, oneOf: [{branches}]}}}}\n"
    return stream([crd(schema), widget("spec:\n" + "- {a: b}\n" * n)])


@hostile(300)
def crd_any_of_nested(n):
    schema = "{required: [a]}"
    for _ in range(12):
        schema = f"{{anyOf: [{schema}, {schema}]}}"
    return stream([crd(f"          spec: {{type: array, items: {{type: object, properties: {{a: {{type: string}}}}, allOf: [{schema}]}}}}\n"), widget("spec:\n" + "- {b: b}\n" * n)])


@hostile(200_000)
def crd_properties(n):
    return stream([crd("".join(f"          p{i}: {{type: string}}\n" for i in range(n))), widget("p1: 3\nq: 4\n")])


@hostile(100_000)
def crd_properties_unknown(n):
    return stream([crd("".join(f"          field{i}: {{type: string}}\n" for i in range(n))), widget("".join(f"feld{i}: a\n" for i in range(n)))])


@hostile(100_000)
def crd_required(n):
    return stream([crd("          spec: {type: object, properties: {a: {type: string}}, required: [" + ", ".join(f"r{i}" for i in range(n)) + "]}\n"), *(widget("spec: {}\n") for _ in range(2000))])


@hostile(200_000)
def crd_enum(n):
    return stream([crd("          spec: {type: array, items: {type: string, enum: [" + ", ".join(f"value{i}" for i in range(n)) + "]}}\n"), widget("spec: [" + ", ".join(f"valu{i}" for i in range(n)) + "]\n")])


@hostile(50_000)
def crd_wide_unknown(n):
    """Many objects with a fault, of a kind with many fields or values, as in the next five inputs."""
    return stream([crd(f"          spec: {wide(n)}}}\n"), *(widget(f"spec: {{feild{i}: a}}\n", name=f"a{i}") for i in range(n))])


@hostile(50_000)
def crd_wide_inner(n):
    return stream([crd(f"          spec: {{type: object, properties: {{a: {wide(n)}}}, b: {{type: array, items: {wide(n)}}}}}}}}}\n"), *(widget(f"spec: {{q{i}: a}}\n", name=f"a{i}") for i in range(n))])


@hostile(50_000)
def crd_wide_wrong(n):
    return stream([crd(f"          spec: {wide(n)}}}\n"), *(widget("spec: a\n", name=f"a{i}") for i in range(n))])


@hostile(50_000)
def crd_wide_items(n):
    return stream([crd(f"          spec: {{type: array, items: {wide(n)}}}, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [field1]}}\n"), *(widget("spec: [{field1: a, x: b}]\n", name=f"a{i}") for i in range(n))])


@hostile(50_000)
def crd_wide_defaults(n):
    rule = ", x-kubernetes-validations: [{rule: 'self.field1 == \"a\"'}]"
    return stream([crd(f"          spec: {wide(n, ', default: a')}{rule}}}\n"), *(widget("spec: {field1: a}\n", name=f"a{i}") for i in range(n))])


@hostile(50_000)
def crd_enum_of_many(n):
    return stream([crd("          spec: {type: string, enum: [" + ", ".join(f"value{i}" for i in range(n)) + "]}\n"), *(widget(f"spec: valeu{i}\n", name=f"a{i}") for i in range(n))])


@hostile(20_000)
def crd_list_map_keys(n):
    keys = ", ".join(f"k{i}" for i in range(n))
    fields = ", ".join(f"k{i}: {{type: string, default: a}}" for i in range(n))
    return stream([crd(f"          spec: {{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [{keys}], items: {{type: object, properties: {{{fields}}}}}}}\n"), widget("spec:\n" + "- {k1: a}\n" * 5 * n)])


@hostile(1_000)
def crd_patterns(n):
    return stream([crd("".join(f"          p{i}: {{type: string, pattern: '^(a{{1,50}}b{{1,50}}){{1,{2 + i % 8}}}c{i}$'}}\n" for i in range(n))), widget("p1: abc\n")])


@hostile(30_000)
def crd_pattern_long(n):
    return stream([crd("          spec: {type: string, pattern: '" + "(a|b{1,100})" * n + "'}\n"), widget("spec: a\n")])


@hostile(1_000_000)
def crd_pattern_open_classes(n):
    return stream([crd("          spec: {type: string, pattern: '[" + "[:" * n + "x'}\n"), widget("spec: a\n")])


@hostile(900_000)
def crd_pattern_unicode_classes(n):
    return stream([crd("          spec: {type: string, pattern: '" + "\\pL" * n + "'}\n"), widget("spec: a\n")])


@hostile(60_000)
def crd_patterns_unicode_class(n):
    return stream([crd("".join(f"          p{i}: {{type: string, pattern: '\\pL'}}\n" for i in range(n))), widget("p1: abc\n")])


@hostile(200)
def crd_pattern_items(n):
    return stream([crd("          spec: {type: array, items: {type: string, pattern: '([a-z]{1,20}[0-9]?){1,30}x$'}}\n"), widget("spec: [" + ", ".join(["'" + "a0" * 20_000 + "'"] * n) + "]\n")])


@hostile(10_000)
def crd_rules(n):
    rules = ", ".join(f"{{rule: 'self.a > {i} && self.b.size() < 4'}}" for i in range(n))
    return stream([crd(f"          spec: {{type: object, properties: {{a: {{type: integer}}, b: {{type: string}}}}, x-kubernetes-validations: [{rules}]}}\n"), widget("spec: {a: 3, b: c}\n")])


@hostile(200_000)
def crd_rule_items(n):
    return stream([crd("          spec: {type: array, maxItems: 1000000, items: {type: object, properties: {a: {type: integer}}, x-kubernetes-validations: [{rule: 'self.a > 3'}]}}\n"), widget("spec:\n" + "- {a: 4}\n" * n)])


@hostile(20_000)
def crd_rule_quadratic(n):
    return stream([crd("          spec: {type: array, items: {type: integer}, x-kubernetes-validations: [{rule: 'self.all(a, self.all(b, a + b > 0))'}]}\n"), widget("spec: [" + ", ".join(["1"] * n) + "]\n")])


@hostile(2_000)
def crd_many(n):
    return stream(d for i in range(n) for d in (crd("          spec: {type: object, properties: {a: {type: string}}}\n", f"w{i}s"), f"apiVersion: e.io/v1\nkind: W{i}\nmetadata: {{name: a}}\nspec: {{b: 1}}\n"))


@hostile(5_000)
def crd_versions(n):
    head, tail = crd("          spec: {type: string}\n").split("  versions:\n")
    return stream([head + "  versions:\n" + "".join(tail.replace("name: v1", f"name: v{i + 1}").replace("storage: true", f"storage: {str(i == 0).lower()}") for i in range(n)), widget("spec: 1\n")])


@hostile(300_000)
def crd_list_map(n):
    return stream([crd("          spec: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a], items: {type: object, required: [a], properties: {a: {type: string}}}}\n"), widget("spec:\n" + "".join(f"- {{a: k{i // 2}}}\n" for i in range(n)))])


@hostile(300_000)
def crd_list_set(n):
    return stream([crd("          spec: {type: array, x-kubernetes-list-type: set, items: {type: string}}\n"), widget("spec: [" + ", ".join(f"k{i // 2}" for i in range(n)) + "]\n")])


@hostile(20_000)
def crd_list_set_of_objects(n):
    return stream([crd("          spec: {type: array, x-kubernetes-list-type: set, items: {type: object, x-kubernetes-map-type: atomic, properties: {a: {type: object, additionalProperties: {type: string}}}}}\n"), widget("spec:\n" + "".join(f"- {{a: {{b: k{i}}}}}\n" for i in range(n)))])


@hostile(100_000)
def crd_list_set_of_numbers(n):
    return stream([crd("          spec: {type: array, x-kubernetes-list-type: set, items: {type: number}}\n"), widget("spec: [" + ", ".join(f"{i}.5" for i in range(n)) + "]\n")])


@hostile(300)
def crd_defaults(n):
    """A default that is set in many items."""
    default = "{" + ", ".join(f"k{i}: v" for i in range(1000)) + "}"
    return stream([crd("          spec: {type: array, items: {type: object, properties: {a: {type: object, additionalProperties: {type: string}, default: " + default + "}}}}\n"), widget("spec:\n" + "- {}\n" * (n * 1000))])


@hostile(80)
def crd_deep(n):
    return stream([crd("          spec: " + "{type: object, properties: {a: " * n + "{type: string}" + "}}" * n + "\n"), *(widget("spec: " + "{a: " * n + "1" + "}" * n + "\n") for _ in range(5_000))])


@hostile(3_000)
def crd_embedded(n):
    return stream([crd("          spec: {type: array, items: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}\n"), widget("spec:\n" + "- {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {x: y}}\n" * (n * 20))])


@hostile(200_000)
def crd_printer_columns(n):
    return stream([crd("          spec: {type: string}\n", extra="    additionalPrinterColumns:\n" + "".join(f"    - {{name: c{i}, type: string, jsonPath: .spec.a.b{i}}}\n" for i in range(n // 2)))])


@hostile(1_000_000)
def crd_description(n):
    return stream([crd("          spec: {type: string, description: '" + "x " * n + "'}\n"), *(widget("spec: 1\n") for _ in range(10_000))])


@hostile(200_000)
def crd_enum_nullable(n):
    """Each `null` is reported with the values."""
    values = ", ".join(f"v{i}" for i in range(n))
    return stream([crd(f"          spec: {{type: array, items: {{type: string, nullable: true, enum: [{values}]}}}}\n"), *(widget("spec: [" + "null," * 2_000 + "]\n", name=f"a{i}") for i in range(4))])


@hostile(1_000)
def crd_enum_of_thousand(n):
    """Fifty thousand findings list the values."""
    values = ", ".join(f"val{i:04d}" for i in range(n))
    return stream([crd(f"          spec: {{type: array, items: {{type: string, enum: [{values}]}}}}\n"), *(widget("spec: [" + "valx00000," * 2_000 + "]\n", name=f"a{i}") for i in range(50))])


@hostile(40_000)
def crd_all_of_properties(n):
    """Each property of the junctor is searched in as many entries."""
    limits = ", ".join(f"k{i}: {{maxLength: 9}}" for i in range(n))
    types = ", ".join(f"k{i}: {{type: string}}" for i in range(n))
    entries = ", ".join(f"k{n - 1 - i}: a" for i in range(n))
    return stream([crd(f"          spec: {{type: object, properties: {{{types}}}, allOf: [{{properties: {{{limits}}}}}]}}\n"), *(widget(f"spec: {{{entries}}}\n", name=f"a{j}") for j in range(4))])


@hostile(80_000)
def crd_any_of_min_properties(n):
    """Each alternative counts the entries."""
    branches = ", ".join(["{minProperties: 9999999}"] * n)
    return stream([crd(f"          spec: {{type: object, additionalProperties: {{type: string}}, anyOf: [{branches}]}}\n"), widget(f"spec: {{{keys(200_000)}}}\n")])


@hostile(80_000)
def crd_all_of_empty_items(n):
    """Each junctor visits the items, for no constraint."""
    branches = ", ".join(["{items: {}}"] * n)
    return stream([crd(f"          spec: {{type: array, items: {{type: string}}, allOf: [{branches}]}}\n"), widget("spec: [" + "a," * 400_000 + "]\n")])


@hostile(20_000)
def crd_list_map_keys_given(n):
    """Each key of an item is searched in as many entries."""
    names = ", ".join(f"k{i}" for i in range(n))
    fields = ", ".join(f"k{i}: {{type: string, default: a}}" for i in range(n))
    item = ", ".join(f"k{i}: v" for i in reversed(range(1, n)))
    return stream([crd(f"          spec: {{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [{names}], items: {{type: object, properties: {{{fields}}}}}}}\n"), *(widget("spec:\n" + "".join(f"- {{k0: a{i}, {item}}}\n" for i in range(10)), name=f"a{j}") for j in range(4))])


@hostile(315)
def crd_fields_of_fields(n):
    """Each unknown field is searched in all fields of all fields, which aliases make."""
    inner = ", ".join(f"p{i}: *s" for i in range(n))
    outer = ", ".join(f"o{i}: *p" for i in range(n - 2))
    schema = f"          spec: {{type: object, properties: {{x: {{type: object, properties: {{o: &p {{type: object, properties: {{y: &s {{type: string}}, {inner}}}}}, {outer}}}}}}}}}\n"
    return stream([crd(schema), *(widget(f"spec: {{x: {{{keys(40, '1', f'qq{j}zz')}}}}}\n", name=f"a{j}") for j in range(125))])


@hostile(2_800_000)
def crd_example_of_long_name(n):
    """Fifty thousand findings name the field that an item could have."""
    return stream([crd("          spec: {type: array, items: {type: object, properties: {" + "x" * n + ": {type: string}}}}\n"), *(widget("spec: [" + "1," * 2_000 + "]\n", name=f"a{i}") for i in range(50))])


@hostile(900_000)
def crd_pattern_quoted(n):
    """Fifty thousand findings quote the pattern."""
    return stream([crd("          spec: {type: array, items: {type: string, pattern: '[" + "a" * n + "]'}}\n"), *(widget("spec: [" + "b," * 2_000 + "]\n", name=f"a{i}") for i in range(50))])


@hostile(1_000_000)
def crd_pattern_open_classes(n):
    return stream([crd("          spec: {type: string, pattern: '[" + "[:" * n + "x'}\n")])


@hostile(900_000)
def crd_pattern_unicode_classes(n):
    return stream([crd("          spec: {type: string, pattern: '" + r"\pL" * n + "'}\n")])


@hostile(60_000)
def crd_patterns_unicode_class(n):
    return stream([crd("          spec: {type: object, properties: {" + ", ".join(f"p{i}: {{type: string, pattern: '" + r"\pL" + "'}" for i in range(n)) + "}}\n")])


SANDBOX = """apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: sandboxes.agents.x-k8s.io}}
spec:
  group: agents.x-k8s.io
  scope: Namespaced
  names: {{plural: sandboxes, singular: sandbox, kind: Sandbox, listKind: SandboxList}}
  versions:
  - {{name: v1beta1, served: true, storage: true, schema: {{openAPIV3Schema: {schema}}}}}
"""
KEPT = "type: object, x-kubernetes-preserve-unknown-fields: true"


def sandbox_crd(pod_spec):
    """A definition of Sandboxes with these properties of the PodSpec."""
    schema = pod_spec
    for level in ("spec", "podTemplate", "spec"):
        schema = f"{level}: {{{KEPT}, properties: {{{schema}}}}}"
    return SANDBOX.format(schema=f"{{type: object, properties: {{{schema}}}}}")


@hostile(60_000)
def crd_default_in_lists(n):
    """Each compiled Sandbox gets the whole default."""
    container = f"{{{KEPT}, properties: {{x: {{{KEPT}, default: {{{keys(n)}}}}}}}}}"
    crd = sandbox_crd(f"containers: {{type: array, items: {container}}}")
    return stream([crd, *(definition("Sandbox", f"s{i}", "spec: {image: a}\n") for i in range(n))])


@hostile(120_000)
def crd_defaults_in_lists(n):
    """Each default is searched among as many keys."""
    properties = ", ".join(f"k{i}: {{type: string, default: a}}" for i in range(n))
    csi = f"{{{KEPT}, properties: {{volumeAttributes: {{{KEPT}, properties: {{{properties}}}}}}}}}"
    crd = sandbox_crd(f"volumes: {{type: array, items: {{{KEPT}, properties: {{csi: {csi}}}}}}}")
    volume = f"{{name: v, csi: {{driver: a, volumeAttributes: {{{keys(n, prefix='j')}}}}}}}"
    return stream([crd, definition("Sandbox", "s", f"spec: {{image: a, podOverrides: {{volumes: [{volume}]}}}}\n")])
