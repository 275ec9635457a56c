"""Expressions in CEL that are expensive to check, or to evaluate for their cost."""

import random

from .common import binding, crd, hostile, keys, many, policy, stream, widget

CONFIG_MAPS = '[""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]'
WIDGETS = "[e.io], apiVersions: [v1], operations: [CREATE], resources: [widgets]"
ANYTHING = crd("", extra="        x-kubernetes-preserve-unknown-fields: true\n").replace("        properties:\n", "")


def quoted(expression):
    return "'" + expression.replace("'", "''") + "'"


def parts(texts):
    """Lists of texts of which an object can contain each: the API server reads at most 3 MiB."""
    part, size = [], 0
    for text in texts:
        if part and size + len(text) > 2_500_000:
            yield part
            part, size = [], 0
        part.append(text)
        size += len(text)
    yield part


def judged(expressions, *objects, rest="", resources=CONFIG_MAPS):
    validations = parts([f"  - expression: {quoted(it)}\n" for it in expressions])
    specs = [rest + "  validations:\n" + "".join(it) for it in validations]
    policies = [[policy(f"p{i}", spec, resources=resources), binding(f"b{i}", f"p{i}")] for i, spec in enumerate(specs)]
    return stream([*sum(policies, []), *objects])


def mutated(expressions, *objects, rest="", resources=WIDGETS):
    mutations = parts([f"  - {{patchType: JSONPatch, jsonPatch: {{expression: {quoted(it)}}}}}\n" for it in expressions])
    specs = [rest + "  reinvocationPolicy: Never\n  mutations:\n" + "".join(it) for it in mutations]
    bound = lambda i: binding(f"b{i}", f"p{i}", "").replace("Validating", "Mutating")
    policies = [[policy(f"p{i}", spec, "MutatingAdmissionPolicy", resources), bound(i)] for i, spec in enumerate(specs)]
    return stream([*sum(policies, []), *objects])


def ruled(schema, expressions, *objects):
    rules = many(len(expressions), lambda i: f"{{rule: {quoted(expressions[i])}}}")
    return stream([crd(f"          spec: {{{schema}, x-kubernetes-validations: {rules}}}\n"), *objects])


def config_map(data):
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c}}\ndata: {{{data}}}\n"


def variables(n, expression):
    return "  variables:\n" + "".join(f"  - {{name: v{i}, expression: {quoted(expression(i))}}}\n" for i in range(n))


@hostile(280)
def cel_calls(n):
    """Each call resolves type parameters."""
    return judged(["[" + ", ".join(["1 + 1 == 2"] * 2_600) + "].size() > 0"] * n)


@hostile(50)
def cel_types_doubled(n):
    return judged(["[1]" + ".map(a, {a: a})" * n + ".size() > 0"])


@hostile(50_000)
def cel_types_doubled_to_the_limit(n):
    return judged(["[1]" + ".map(a, {a: a})" * 6 + ".size() > 0"] * n)


@hostile(100_000)
def cel_types_of_variables(n):
    return judged(["1 > 0"], rest=variables(n, lambda i: f"[variables.v{i - 1}]" if i else "1"))


@hostile(200_000)
def cel_type_of_all_variables(n):
    return judged(["1 > 0"], rest=variables(n, lambda i: "variables"))


@hostile(60_000)
def cel_variables_nested(n):
    of_each = [f"[variables.v{i}].size() > 0" for i in range(n)]
    return judged(of_each, config_map("a: b"), rest=variables(n, lambda i: f"[dyn(variables.v{i - 1})]" if i else "1"))


@hostile(40_000)
def cel_fields_of_fields(n):
    return judged(["object" + ".b" * 95 + " == 1"] * n, config_map("a: b"))


@hostile(20)
def cel_fields_in_loops(n):
    deep = "{a: " * 80 + "1" + "}" * 80
    ones = ", ".join(["1"] * 1_000)
    loops = f"[{ones[:3 * n]}].all(x, [{ones}].all(y, object" + ".a" * 80 + " > 0))"
    return judged([loops], ANYTHING, widget(f"a: {deep}\n"), resources=WIDGETS)


@hostile(80_000)
def cel_key_of_large_map(n):
    """Each validation searches the map once."""
    return judged(["object.data['k5'] == 'v'"] * n, config_map(keys(3 * n)))


@hostile(80_000)
def cel_first_of_large_map(n):
    return judged(["object.data.exists(k, true)"] * n, config_map(keys(3 * n)))


@hostile(80_000)
def cel_rules_of_large_map(n):
    return ruled("type: object, additionalProperties: {type: string}", ["self['k5'] == 'v'"] * n, widget(f"spec: {{{keys(2 * n)}}}\n"))


@hostile(80_000)
def cel_first_of_large_list(n):
    return ruled("type: array, items: {type: integer}", ["self.exists(k, true)"] * n, widget("spec: " + many(15 * n, lambda i: "1") + "\n"))


@hostile(300_000)
def cel_maps_merged(n):
    return judged(["object.data.all(a, [1].transformMapEntry(i, v, object.data).size() > 0)"], config_map(keys(n)))


@hostile(60_000)
def cel_maps_printed(n):
    return judged(["'%s'.format([object.data]) != ''"] * 100, config_map(keys(n)))


@hostile(60_000)
def cel_maps_compared(n):
    data = keys(n, "YQ==", prefix="j")
    binary = ", ".join(reversed(data.split(", ")))
    return judged(["object.data == object.binaryData"] * 100, config_map(f"{data}}}\nbinaryData: {{{binary}"))


@hostile(9_000_000)
def cel_find_all(n):
    """The search for each match reads the whole rest."""
    return judged(["object.data.t.findAll('.*[^A-Z]|[A-Z]').size() > 0"], config_map("t: " + "A" * n))


@hostile(100_000)
def cel_bytes(n):
    """Each access decodes them."""
    schema = "type: object, properties: {b: {type: string, format: byte}, l: {type: array, maxItems: 100000, items: {type: integer}}}"
    return ruled(schema, ["self.l.all(x, has(self.b))"], widget("spec: {b: " + "YWFh" * 15 * n + ", l: " + many(n, lambda i: "1") + "}\n"))


@hostile(60_000)
def cel_flatten(n):
    nested = "[" * 60 + "object.a" + "]" * 60
    return judged([nested + ".flatten(60).size() > 0"] * 100, ANYTHING, widget("a: " + many(n, lambda i: "1") + "\n"), resources=WIDGETS)


@hostile(60_000)
def cel_patch_of_map(n):
    return mutated(["[JSONPatch{op: 'add', path: '/x', value: object.data.transformMap(k, v, v)}]"] * 20, config_map(keys(n)), resources=CONFIG_MAPS)


@hostile(40_000)
def cel_patches_nested(n):
    return mutated(["[JSONPatch{op: 'replace', path: '/a', value: {'a': object.a}}]"] * n, ANYTHING, widget("a: 1\n"))


@hostile(40_000)
def cel_patches_of_lists(n):
    return mutated(["[JSONPatch{op: 'replace', path: '/a', value: object.b}]"] * n, ANYTHING, widget("a: 1\nb: " + many(10 * n, lambda i: "1") + "\n"))


SLOW = "(a|b)*a" + "[ab]{900}" * 8 + "c"


def letters(n):
    generator = random.Random(1)
    return "".join(generator.choices("ab", k=n))


@hostile(9_000_000)
def cel_pattern_slow(n):
    """Each byte is compared with all states of the expression."""
    return judged([f"object.data.t.matches('{SLOW}')"], config_map("t: " + letters(n)))


@hostile(9_000_000)
def crd_pattern_slow(n):
    return stream([crd(f"          spec: {{type: string, pattern: '{SLOW}'}}\n"), widget("spec: " + letters(n) + "\n")])


@hostile(9_000)
def crd_pattern_slow_items(n):
    return stream([crd(f"          spec: {{type: array, items: {{type: string, pattern: '{SLOW}'}}}}\n"), *(widget(f"spec: [{letters(1_000)}]\n", name=f"a{i}") for i in range(n))])


def operations(n, operation):
    return [f"lists.range({n}).map(i, JSONPatch{{{operation}}})"]


@hostile(40)
def cel_patch_doubles(n):
    """Each operation copies the object into itself."""
    return mutated(operations(n, "op: 'copy', from: '', path: '/k' + string(i)"), ANYTHING, widget("a: 1\n"))


@hostile(10_000)
def cel_patch_copies(n):
    return mutated(operations(n, "op: 'copy', from: '/a', path: '/b/-'"), ANYTHING, widget(f"b: []\na: {{{keys(n // 3)}}}\n"))


@hostile(10_000)
def cel_patch_removes(n):
    """Each operation moves the rest of the list."""
    return mutated(operations(n, "op: 'remove', path: '/a/0'") * 10, ANYTHING, widget("a: " + many(80 * n, lambda i: "1") + "\n"))


@hostile(18)
def cel_patch_deep(n):
    """Each operation doubles the levels of the object."""
    paths = variables(n, lambda i: f"variables.v{i - 1} + variables.v{i - 1}" if i else "'/a'")
    copies = ", ".join(f"JSONPatch{{op: 'copy', from: '', path: variables.v{i}}}" for i in range(n))
    return mutated([f"[JSONPatch{{op: 'replace', path: '/a', value: {{}}}}, {copies}]"], ANYTHING, widget("a: {}\n"), rest=paths)


@hostile(30_000)
def cel_patches_nested_with_objects(n):
    """The limit of all policies grows with the objects."""
    patches = ["[JSONPatch{op: 'replace', path: '/a', value: {'a': object.a}}]"] * n
    return mutated(patches, ANYTHING, widget("a: 1\n"), *(config_map("a: " + "x" * 100_000) for _ in range(n // 500)))


KEPT = "type: object, x-kubernetes-preserve-unknown-fields: true"


def defaulted(n):
    return crd(f"          spec: {{{KEPT}, default: {{{keys(n)}}}}}\n")


def widgets(n):
    return (widget("", name=f"w{i}, namespace: default") for i in range(n))


@hostile(60_000)
def policies_custom_defaults(n):
    """Each object gets the whole default."""
    policies = [policy("p", "  validations: [{expression: 'true'}]\n", resources=WIDGETS), binding("b", "p")]
    return stream([defaulted(n), *policies, *widgets(n)])


@hostile(60_000)
def policies_custom_parameters(n):
    reference = "  validationActions: [Deny]\n  paramRef: {name: w1, parameterNotFoundAction: Deny, namespace: default}\n"
    of_kind = "  paramKind: {apiVersion: e.io/v1, kind: Widget}\n  validations: [{expression: 'true'}]\n"
    return stream([defaulted(n), policy("p", of_kind, resources=CONFIG_MAPS), binding("b", "p", reference), config_map("a: b"), *widgets(n)])


@hostile(60_000)
def policies_custom_parameters_selected(n):
    """Each object is a parameter, and gets the whole default."""
    reference = "  validationActions: [Deny]\n  paramRef: {selector: {}, parameterNotFoundAction: Deny, namespace: default}\n"
    of_kind = "  paramKind: {apiVersion: e.io/v1, kind: Widget}\n  validations: [{expression: 'true'}]\n"
    return stream([defaulted(n), policy("p", of_kind, resources=CONFIG_MAPS), binding("b", "p", reference), config_map("a: b"), *widgets(n)])


@hostile(150_000)
def policies_custom_keys(n):
    """Each property is searched among as many keys."""
    properties = ", ".join(f"k{i}: {{type: string}}" for i in range(n))
    policies = [policy("p", "  validations: [{expression: 'true'}]\n", resources=WIDGETS), binding("b", "p")]
    return stream([crd(f"          spec: {{type: object, properties: {{{properties}}}}}\n"), *policies, widget(f"spec: {{{keys(n, prefix='j')}}}\n")])


@hostile(300_000)
def cel_defaults_of_items(n):
    """Each item gets the whole default before the rules run."""
    item = f"{{{KEPT}, properties: {{x: {{{KEPT}, default: {{{keys(n // 2)}}}}}}}}}"
    schema = f"type: object, properties: {{l: {{type: array, maxItems: 1000000, items: {item}}}}}"
    return ruled(schema, ["true"], widget("spec: {l: " + many(n, lambda i: "{}") + "}\n"))
