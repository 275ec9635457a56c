//! Tests of each limit of `expand` and of expressions: input at the limit is accepted, and input
//! above it is rejected.

use minijinja::Value;
use serde_json::json;

use super::Cx;
use super::environment::ENVIRONMENT;
use super::expression::{EXPRESSION_FAILED, Guards};
use super::guard::guard;
use super::instances::{fit, of, planned};
use super::meter::{Budget, measure, metered};
use super::over_limit_of_run;
use super::tests::compiled;
use crate::compile::{Options, compile};
use crate::diag::{Diagnostic, Sink};
use crate::limits;
use crate::source::Workspace;
use crate::tree::{Node, Origin};

/// Whether an expression is within its limits.
fn is_accepted(text: &str) -> bool {
    let (rules, _) = compiled(text);
    assert!(rules.iter().all(|it| *it == "expression-too-large"), "{rules:?}");
    rules.is_empty()
}

#[test]
fn a_definition_has_as_many_strings_with_expressions_as_the_limit() {
    for (more, expected) in [(0, true), (1, false)] {
        let count = limits::EXPRESSION_STRINGS.count() + more;
        let origin = Origin::source(Workspace::new().start());
        let root = Node::from_json(json!({"args": vec!["{{ 1 }}"; count]}), origin);
        let (workspace, values) = (Workspace::new(), Node::map(origin));
        let mut sink = Sink::new();
        _ = Guards::new(&Cx::new(&workspace, &values, 1), &root, &mut sink);
        assert_eq!(sink.reported().is_none(), expected, "{count}");
    }
}

#[test]
fn the_expression_length_limit_is_exact() {
    let quotes = 2;
    for (more, expected) in [(-1, true), (0, true), (1, false)] {
        let length = limits::EXPRESSION_LENGTH.count().checked_add_signed(more).unwrap();
        let text = format!("{{{{'{}'}}}}", "x".repeat(length - quotes));
        assert_eq!(is_accepted(&text), expected, "{length}");
    }
}

#[test]
fn the_operator_limit_is_exact() {
    for (more, expected) in [(-1, true), (0, true), (1, false)] {
        let count = limits::EXPRESSION_OPERATORS.count().checked_add_signed(more).unwrap();
        assert_eq!(
            is_accepted(&format!("a{{{{ 1{} }}}}", "+1".repeat(count))),
            expected,
            "{count}"
        );
    }
}

#[test]
fn the_expression_depth_limit_is_exact() {
    for (more, expected) in [(-1, true), (0, true), (1, false)] {
        let count = limits::EXPRESSION_DEPTH.count().checked_add_signed(more).unwrap();
        let text = format!("a{{{{ {}1{} }}}}", "(".repeat(count), ")".repeat(count));
        assert_eq!(is_accepted(&text), expected, "{count}");
    }
}

#[test]
fn the_value_size_limit_is_exact() {
    let of_the_string = 16;
    for (more, expected) in [(-1, true), (0, true), (1, false)] {
        let bytes = limits::EXPRESSION_VALUE.count().checked_add_signed(more).unwrap();
        let value = Value::from("x".repeat(bytes - of_the_string));
        assert_eq!(measure(&value).is_ok(), expected, "{bytes}");
    }
}

#[test]
fn the_number_limit_is_exact() {
    for (more, expected) in [(-1, true), (0, true), (1, false)] {
        let number = limits::EXPRESSION_NUMBER.count().checked_add_signed(more).unwrap();
        assert_eq!(is_accepted(&format!("a{{{{ range({number})|length }}}}")), expected);
        assert_eq!(is_accepted(&format!("a{{{{ 'x'|indent({number})|length }}}}")), expected);
    }
}

/// The number of instructions of a text, up to the limit.
fn instructions(text: &str) -> u64 {
    let guarded = guard(text).unwrap().text;
    let template = ENVIRONMENT.template_from_str(&guarded).unwrap();
    let rendered = template.render_captured_to((), std::io::sink()).unwrap();
    rendered.state().fuel_levels().unwrap().0
}

#[test]
fn an_evaluation_has_as_many_instructions_as_its_limit() {
    let looped = |count: u64, more: u64| {
        let more = "x{##}".repeat(usize::try_from(more).unwrap());
        format!("{{% for i in range({count}) %}}{}{{% endfor %}}{more}", "{{ i }}".repeat(10))
    };
    let (none, one) = (instructions(&looped(1, 0)), instructions(&looped(2, 0)));
    let each = one - none;
    assert_eq!(instructions(&looped(1, 3)), none + 3, "a piece of text is an instruction");
    for (more, expected) in [(-1, true), (0, true), (1, false)] {
        let all = u64::from(limits::EXPRESSION_FUEL.most).checked_add_signed(more).unwrap();
        let rounds = (all - none) / each;
        let text = looped(1 + rounds, all - none - rounds * each);
        assert_eq!(is_accepted(&text), expected, "{all} instructions");
        if expected {
            assert_eq!(instructions(&text), all);
        }
    }
}

#[test]
fn the_run_cost_limit_is_exact() {
    for (more, is_over) in [(-1, false), (0, false), (1, true)] {
        let steps = limits::expression_work(2).checked_add_signed(more).unwrap();
        let budget = Budget::new(2);
        budget.spend(0, 1);
        budget.spend(1, steps - 1);
        assert!(!budget.settle(0));
        assert_eq!(budget.settle(1), is_over, "{steps}");
        let expected = u64::from(more == -1);
        assert_eq!(budget.left(1), expected, "{steps}");
    }
}

/// Results are in memory until the end of the run, whether an expression contains their text or not.
#[test]
fn the_text_of_a_result_counts() {
    let mut workspace = Workspace::new();
    let file = workspace.add("a.yaml", format!("{} {{{{ 1 }}}}", "x".repeat(80_000)));
    let text = workspace.file(file).text().to_owned();
    let document = workspace.start();
    let values = Node::map(Origin::source(document));
    let cx = Cx::new(&workspace, &values, 1);
    let mut root = Node::map(Origin::source(document));
    root.set("text", Node::string(text.as_str(), Origin::source(document)));
    let made = super::run(&cx, 0, root, &mut Sink::new()).unwrap();
    assert!(made[0].str_at(&["text"]).is_some_and(|it| it.ends_with("x 1")));
    assert!(cx.budget.all() - cx.budget.left(0) > 80_000 / 4);
}

/// The steps of a text without its instructions: a loop with this number of rounds, each with the
/// work on a list of 1,000 items.
fn steps_of_rounds(work: &str, rounds: usize) -> u64 {
    let text = format!(
        "{{% set a = range(1000)|list %}}{{% for i in range({rounds}) %}}{{% set b = {work} %}}\
         {{% endfor %}}"
    );
    let guarded = guard(&text).unwrap().text;
    let template = ENVIRONMENT.template_from_str(&guarded).unwrap();
    let (rendered, steps) = metered(u64::MAX, || template.render(()));
    rendered.unwrap();
    steps
}

/// An operation on an item counts as at least the steps of its measured time, 20 ns each.
#[test]
fn work_on_each_item_is_counted() {
    for (work, least) in [
        ("a|sort", 3),
        ("a|unique|list", 13),
        ("a|groupby('x')|length", 9),
        ("a|select('equalto', 3)|list", 10),
        ("a|map('string')|list", 7),
        ("a|sum", 2),
        ("a|min", 2),
        ("a|reverse", 2),
        ("a|batch(2)|list", 4),
        ("-1 in a", 2),
        ("a == a", 2),
        ("a + a", 2),
        ("a[1:]|length", 2),
        ("a ~ ''", 2),
        ("(a|join)|title", 3),
    ] {
        let steps = (steps_of_rounds(work, 11) - steps_of_rounds(work, 1)) / 10;
        assert!(steps >= least * 1000, "{work}: {steps}");
    }
}

/// Later definitions are dropped, so a run above its limit never ends with the findings of a
/// definition alone.
#[test]
fn an_exceeded_run_is_reported_beside_other_findings() {
    let workspace = Workspace::new();
    let document = workspace.start();
    let values = Node::map(Origin::source(document));
    let cx = Cx::new(&workspace, &values, 1);
    cx.budget.spend(0, limits::expression_work(1) + 1);
    let mut sink = Sink::new();
    sink.report(Diagnostic::new(&EXPRESSION_FAILED, document, "a failed expression"));
    assert!(!cx.accepts(0, document, &mut sink));
    let rules: Vec<_> = sink.iter().map(|it| it.rule.name).collect();
    assert_eq!(rules, ["expression-failed", "expression-too-large"]);
}

/// A failed evaluation without a loop costs little, so that a fault that many definitions share
/// does not hide those of the others.
#[test]
fn many_failed_expressions_do_not_exceed_the_run() {
    let definition = |name: usize, spec: &str| {
        format!(
            "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\nmetadata: {{name: a{name}}}\n\
             spec: {{{spec}}}\n---\n"
        )
    };
    let failing = "image: '{{ 1 + \"a\" }}'";
    let mut text: String = (0..600).map(|name| definition(name, failing)).collect();
    text.push_str(&definition(600, "imag: a"));
    let mut workspace = Workspace::new();
    workspace.add("a.yaml", text);
    let compilation = compile(&workspace, &Options::default());
    let count = |rule| compilation.diagnostics.iter().filter(|it| it.rule.name == rule).count();
    assert_eq!(count("expression-failed"), 600);
    assert_eq!(count("unknown-field"), 1);
}

/// Whether an `expand` that creates this number of definitions with this number of values each is
/// within the limits.
fn fits(definitions: usize, values: usize) -> bool {
    let origin = Origin::source(Workspace::new().start());
    let root = Node::from_json(json!({"expand": {"count": 1}}), origin);
    let mut sink = Sink::new();
    let fits = fit(root.entry("expand"), definitions, values, &mut sink);
    let rules: Vec<_> = sink.iter().map(|it| it.rule.name).collect();
    assert_eq!(rules, if fits { vec![] } else { vec!["expand-too-large"] });
    fits
}

#[test]
fn the_limits_of_an_expand_are_exact() {
    let (definitions, values) = (limits::EXPAND_DEFINITIONS.count(), limits::EXPAND_VALUES.count());
    assert!(fits(definitions - 1, 1) && fits(definitions, 1) && !fits(definitions + 1, 1));
    assert!(fits(1, values - 1) && fits(1, values) && !fits(1, values + 1));
    assert!(fits(10, values / 10) && !fits(10, values / 10 + 1));
}

/// The definitions do not contain the list that they are made from.
#[test]
fn the_items_of_an_expand_do_not_count_as_values_of_its_definitions() {
    let origin = Origin::source(Workspace::new().start());
    let items: Vec<_> = (0..1000).collect();
    let root = json!({"expand": {"items": items}, "spec": {"warmPool": "{{ item }}"}});
    let values = Node::from_json(json!({"spec": {"warmPool": "a"}}), origin).weight();
    assert_eq!(planned(&Node::from_json(root, origin)), (1000, 1000 * values));
}

/// Each combination has the keys of all lists, so long keys count.
#[test]
fn the_keys_of_a_matrix_count() {
    let origin = Origin::source(Workspace::new().start());
    for (length, expected) in [(60, true), (64 * 1000, false)] {
        let (workspace, values) = (Workspace::new(), Node::map(origin));
        let matrix = json!({"x".repeat(length): vec![1; 10_000]});
        let root = Node::from_json(json!({"expand": {"matrix": matrix}}), origin);
        let cx = Cx::new(&workspace, &values, 1);
        let instances = of(&cx, root.entry("expand"), true, &mut Sink::new());
        assert_eq!(instances.is_some(), expected, "{length}");
    }
}

#[test]
fn the_limits_of_all_expands_are_exact() {
    let (definitions, values) = (limits::RUN_DEFINITIONS.count(), limits::RUN_VALUES.count());
    for more in [0, 1] {
        assert!(over_limit_of_run(definitions - more, values).is_none());
        assert!(over_limit_of_run(definitions, values - more).is_none());
    }
    assert!(over_limit_of_run(definitions + 1, values).unwrap().contains("definitions"));
    assert!(over_limit_of_run(definitions, values + 1).unwrap().contains("values"));
}

/// An `expand` above its own limit is reported where it is, and the others are compiled.
#[test]
fn an_expand_above_its_limit_does_not_count_for_the_run() {
    let definition = |kind: &str, name: &str, rest: &str| {
        format!(
            "apiVersion: sandboxc.dev/v1alpha1\nkind: {kind}\nmetadata: {{name: '{name}'}}\n{rest}\n"
        )
    };
    let too_large = limits::EXPAND_DEFINITIONS.count() + 1;
    let expand = format!("expand: {{count: {too_large}}}\nspec: {{warmPool: a}}");
    let values = limits::EXPAND_VALUES.count() / 10;
    let args =
        format!("expand: {{count: 11}}\nspec: {{image: a, args: [{}]}}", "1,".repeat(values));
    let mut workspace = Workspace::new();
    for (file, text) in [
        ("count.yaml", definition("Claim", "a{{ index }}", &expand)),
        ("values.yaml", definition("Sandbox", "b{{ index }}", &args)),
        ("later.yaml", definition("Claim", "c", "spec: {warmPoo: a}")),
    ] {
        workspace.add(file, text);
    }
    let compilation = compile(&workspace, &Options::default());
    let found: Vec<_> = compilation
        .diagnostics
        .iter()
        .map(|it| (it.rule.name, workspace.file_at(it.primary.span).name()))
        .filter(|it| ["expand-too-large", "unknown-field"].contains(&it.0))
        .collect();
    let expected = [
        ("expand-too-large", "count.yaml"),
        ("expand-too-large", "values.yaml"),
        ("unknown-field", "later.yaml"),
    ];
    assert_eq!(found, expected);
}
