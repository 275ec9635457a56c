//! Template expressions in definitions.

use super::choices::Choices;
use crate::compile::{Options, compile};
use crate::expand;
use crate::source::Workspace;

/// Compiles a definition that contains this string.
fn compile_string(text: &str) {
    let image = serde_json::to_string(text).expect("JSON");
    let mut workspace = Workspace::new();
    workspace.add(
        "t.yaml",
        format!(
            "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\nmetadata: {{name: 'a{{{{ index }}}}'}}\n\
             expand: {{items: [a, {{b: [1, 2]}}]}}\nspec: {{image: {image}}}\n---\n\
             apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nmetadata: {{name: p}}\n\
             spec: {{values: {{a: 3, s: abc, l: [1, 2, 3], m: {{k: v}}}}}}\n"
        ),
    );
    let compilation = compile(&workspace, &Options::default());
    for finding in &compilation.diagnostics {
        let span = workspace.locate(finding.primary.span);
        let text = workspace.file(span.file).text();
        assert!(text.get(span.range()).is_some(), "{} is not at characters", finding.rule.name);
    }
}

/// Compiles the input itself as a string with expressions.
pub(super) fn any_text(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    compile_string(&text);
}

/// Compiles a template generated from a grammar; many are deep and large. Also checks that the
/// guards of expressions do not change the output.
pub(super) fn from_grammar(bytes: &[u8]) {
    let mut choices = Choices::new(bytes, 120);
    let mut text = String::new();
    for _ in 0..=choices.below(4) {
        block(&mut choices, 0, &mut text);
    }
    expand::assert_guards_are_neutral(&text);
    compile_string(&text);
}

const DEPTH: usize = 36;

const TERMS: &[&str] = &[
    "values.a",
    "1",
    "'x'",
    "values.s",
    "values.l",
    "values.m",
    "index",
    "item",
    "true",
    "none",
    "values.m.k",
    "values.l[0]",
    "item.b",
    "'é😀'",
    "1.5",
    "-3",
    "[]",
    "{}",
    "9223372036854775807",
    "1e308",
    "loop.index",
    "x",
    "values.missing",
    "[1, 2, 3]",
    "{'k': 1}",
    "range(3)",
    "range(9)",
    "''",
    "'a,b'",
    "not true",
    "170141183460469231731687303715884105727",
];

const OPERATORS: &[&str] = &[
    " + ", " - ", " ~ ", " / ", " // ", " % ", " * ", " ** ", " == ", " != ", " < ", " >= ",
    " and ", " or ", " in ", " not in ",
];

const FILTERS: &[&str] = &[
    "|upper",
    "|lower",
    "|length",
    "|list",
    "|first",
    "|last",
    "|sort",
    "|unique",
    "|reverse",
    "|join('-')",
    "|join",
    "|replace('a', 'bb')",
    "|default('d')",
    "|int",
    "|float",
    "|string",
    "|abs",
    "|round",
    "|round(2)",
    "|trim",
    "|title",
    "|capitalize",
    "|items",
    "|dictsort",
    "|sum",
    "|min",
    "|max",
    "|batch(2)",
    "|slice(2)",
    "|batch(2, 'f')",
    "|indent(2)",
    "|map('upper')",
    "|map(attribute='k')",
    "|select('odd')",
    "|reject('even')",
    "|selectattr('k')",
    "|groupby('k')",
    "|tojson",
    "|urlencode",
    "|attr('k')",
    "|split(',')",
    "|lines",
    "|chain([1])",
    "|zip([1, 2])",
    "|format(1)",
    "|bool",
    "|escape",
    "|pprint",
];

const TESTS: &[&str] = &[
    " is defined",
    " is none",
    " is string",
    " is number",
    " is mapping",
    " is iterable",
    " is odd",
    " is divisibleby(2)",
    " is in([1, 2])",
    " is sameas(1)",
    " is not eq(1)",
    " is startingwith('x')",
];

fn block(choices: &mut Choices<'_>, depth: usize, out: &mut String) {
    match choices.below(10) {
        0..=4 => wrapped(choices, depth, ["{{ ", " }}"], out),
        5 if depth < DEPTH => {
            wrapped(choices, depth, ["{% if ", " %}"], out);
            block(choices, depth + 1, out);
            out.push_str(choices.pick(&["{% endif %}", "{% else %}e{% endif %}"]));
        }
        6 | 7 => out.push_str(choices.pick(&[
            "text",
            "{{ '{{' }}",
            "{# c #}",
            "{#",
            "{% raw %}{{ x }}{% endraw %}",
            "{%- raw -%} {{ x }} {%- endraw -%}",
            "}}",
            "\n",
        ])),
        _ => wrapped(choices, depth, ["{{- ", " -}}"], out),
    }
}

fn wrapped(choices: &mut Choices<'_>, depth: usize, between: [&str; 2], out: &mut String) {
    choices.wrapped(depth, between, out, expression);
}

fn expression(choices: &mut Choices<'_>, depth: usize, out: &mut String) {
    if depth > DEPTH || !choices.has_room() {
        out.push_str(choices.pick(TERMS));
        return;
    }
    let below = depth + 1;
    match choices.below(12) {
        0..=3 => out.push_str(choices.pick(TERMS)),
        4 | 5 => {
            expression(choices, below, out);
            out.push_str(choices.pick(OPERATORS));
            expression(choices, below, out);
        }
        6 | 7 => {
            expression(choices, below, out);
            out.push_str(choices.pick(FILTERS));
        }
        8 => wrapped(choices, below, ["(", ")"], out),
        9 => {
            expression(choices, below, out);
            out.push_str(choices.pick(TESTS));
        }
        10 => {
            wrapped(choices, below, ["(", " if "], out);
            expression(choices, below, out);
            wrapped(choices, below, [" else ", ")"], out);
        }
        _ => {
            wrapped(choices, below, ["[", ", "], out);
            expression(choices, below, out);
            out.push_str(choices.pick(&["]", "][0]", "][1:]", "][::2]", "][-1]"]));
        }
    }
}
