//! CEL expressions of CustomResourceDefinitions.

use std::sync::{Arc, LazyLock};

use super::choices::Choices;
use crate::cel::{Old, Program, Purpose, Shape};
use crate::diag::Sink;
use crate::limits::Fuel;
use crate::source::Workspace;
use crate::tree::Node;
use crate::yaml;

fn node(text: &str) -> Node {
    let mut workspace = Workspace::new();
    let file = workspace.add("fixture.yaml", text);
    yaml::documents(file, text, &mut Sink::new()).read.remove(0).root
}

static SHAPE: LazyLock<Arc<Shape>> = LazyLock::new(|| {
    Shape::of(&node(include_str!("../../fixtures/cel/schema.yaml")), true).expect("a shape")
});

static OBJECT: LazyLock<Node> =
    LazyLock::new(|| node(include_str!("../../fixtures/cel/object.yaml")));

/// The cost limit of one run.
const BUDGET: u64 = 100_000;

fn run(text: &str) {
    for purpose in [Purpose::Rule, Purpose::Message] {
        match Program::compile(text, &SHAPE, false, purpose) {
            Ok(program) => {
                let run = || {
                    let (fuel, mut budget) = (Fuel::of(10_000_000), BUDGET);
                    let result =
                        program.run(&OBJECT, Old::Value(&OBJECT), &SHAPE, &mut budget, &fuel);
                    (result.is_ok(), budget, fuel.spent())
                };
                assert_eq!(run(), run(), "two runs differ: {text}");
            }
            Err(error) => {
                assert!(error.at <= text.len(), "{} is outside of {text:?}", error.at);
                assert!(text.is_char_boundary(error.at), "{} in {text:?}", error.at);
            }
        }
    }
}

/// Runs the input itself as an expression.
pub(super) fn any_text(bytes: &[u8]) {
    run(&String::from_utf8_lossy(bytes));
}

/// Runs an expression generated from a grammar; many are deep and large.
pub(super) fn from_grammar(bytes: &[u8]) {
    let mut choices = Choices::new(bytes, 400);
    let mut text = String::new();
    expression(&mut choices, 0, &mut text);
    run(&text);
}

const TERMS: &[&str] = &[
    "self.size",
    "1",
    "'a'",
    "true",
    "self.text",
    "self.words",
    "self.numbers",
    "self.labels",
    "self.ratio",
    "self.flag",
    "self.pairs",
    "self.nested",
    "self.inner.a",
    "self.maybe",
    "self.either",
    "self.long",
    "self.unbounded",
    "self.time",
    "self.span",
    "self.data",
    "x",
    "y",
    "[]",
    "{}",
    "null",
    "-7",
    "2u",
    "1.5",
    "b'\\xff'",
    "9223372036854775807",
    "-9223372036854775808",
    "1e308",
    "18446744073709551615u",
    "'😀'",
    "'%s %d %.9f %x %b %e'",
    "'a.b.c'",
    "'(a+)+$'",
    "'10.0.0.0/8'",
    "'1h30m'",
    "'2026-03-04T05:06:07Z'",
    "'1Gi'",
    "self.?maybe",
    "self.?inner.?a",
    "self.__namespace__",
    "self[\"size\"]",
    "self.words[0]",
    "duration('1h')",
    "timestamp('2026-03-04T05:06:07.5Z')",
    "quantity('1.5Gi')",
    "ip('10.0.0.1')",
    "cidr('10.0.0.0/8')",
    "url('https://a.b/c?d=e')",
    "semver('1.2.3')",
];

const OPERATORS: &[&str] = &[
    " + ", " - ", " * ", " / ", " % ", " == ", " != ", " < ", " <= ", " > ", " >= ", " && ",
    " || ", " in ",
];

const METHODS: &[&str] = &[
    "size",
    "contains",
    "startsWith",
    "endsWith",
    "matches",
    "split",
    "join",
    "replace",
    "format",
    "indexOf",
    "lastIndexOf",
    "substring",
    "trim",
    "lowerAscii",
    "upperAscii",
    "charAt",
    "find",
    "findAll",
    "isSorted",
    "sum",
    "min",
    "max",
    "reverse",
    "flatten",
    "distinct",
    "sort",
    "slice",
    "first",
    "last",
    "getHours",
    "getFullYear",
    "getMilliseconds",
    "getSeconds",
    "add",
    "sub",
    "compareTo",
    "isGreaterThan",
    "asInteger",
    "asApproximateFloat",
    "sign",
    "isInteger",
    "containsIP",
    "containsCIDR",
    "prefixLength",
    "masked",
    "family",
    "getHost",
    "getQuery",
    "orValue",
    "value",
    "hasValue",
    "or",
    "optMap",
    "lowestBit",
    "major",
    "reverse",
];

const FUNCTIONS: &[&str] = &[
    "size",
    "int",
    "uint",
    "double",
    "string",
    "bytes",
    "bool",
    "dyn",
    "type",
    "duration",
    "timestamp",
    "quantity",
    "isQuantity",
    "ip",
    "isIP",
    "cidr",
    "isCIDR",
    "url",
    "isURL",
    "semver",
    "isSemver",
    "sets.contains",
    "sets.equivalent",
    "sets.intersects",
    "math.greatest",
    "math.least",
    "math.abs",
    "math.ceil",
    "math.bitShiftLeft",
    "math.isNaN",
    "lists.range",
    "base64.encode",
    "base64.decode",
    "optional.of",
    "optional.none",
    "optional.ofNonZeroValue",
    "has",
    "ip.isCanonical",
    "strings.quote",
    "format.named",
    "cel.bind",
];

const MACROS: &[&str] =
    &["all", "exists", "exists_one", "map", "filter", "transformList", "transformMap", "existsOne"];

/// The maximum nesting of generated expressions, which is deeper than the parser accepts.
const DEPTH: usize = 60;

fn expression(choices: &mut Choices<'_>, depth: usize, out: &mut String) {
    if depth > DEPTH || !choices.has_room() {
        out.push_str(choices.pick(TERMS));
        return;
    }
    let below = depth + 1;
    match choices.below(16) {
        0..=2 => out.push_str(choices.pick(TERMS)),
        3..=5 => {
            expression(choices, below, out);
            out.push_str(choices.pick(OPERATORS));
            expression(choices, below, out);
        }
        6 | 7 => {
            expression(choices, below, out);
            out.push('.');
            out.push_str(choices.pick(METHODS));
            arguments(choices, below, out);
        }
        8 => {
            out.push_str(choices.pick(FUNCTIONS));
            arguments(choices, below, out);
        }
        9 | 10 => comprehension(choices, below, out),
        11 => wrapped(choices, below, ["(", ")"], out),
        12 => {
            out.push('[');
            list(choices, below, out);
            out.push(']');
        }
        13 => {
            out.push_str("{'k': ");
            expression(choices, below, out);
            out.push_str(", ");
            expression(choices, below, out);
            out.push_str(": 1}");
        }
        14 => wrapped(choices, below, ["(true ? ", " : 1)"], out),
        _ => {
            out.push_str(choices.pick(&["!", "-", "--", "!!"]));
            wrapped(choices, below, ["(", ")"], out);
        }
    }
}

fn wrapped(choices: &mut Choices<'_>, depth: usize, between: [&str; 2], out: &mut String) {
    choices.wrapped(depth, between, out, expression);
}

fn list(choices: &mut Choices<'_>, depth: usize, out: &mut String) {
    for number in 0..choices.below(4) {
        if number > 0 {
            out.push_str(", ");
        }
        expression(choices, depth, out);
    }
}

fn arguments(choices: &mut Choices<'_>, depth: usize, out: &mut String) {
    out.push('(');
    list(choices, depth, out);
    out.push(')');
}

fn comprehension(choices: &mut Choices<'_>, depth: usize, out: &mut String) {
    expression(choices, depth, out);
    out.push('.');
    out.push_str(choices.pick(MACROS));
    out.push_str(choices.pick(&["(x, ", "(y, ", "(x, y, "]));
    expression(choices, depth, out);
    out.push(')');
}
