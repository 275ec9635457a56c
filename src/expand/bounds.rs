//! Tests of the limits of expressions, and of what they and `expand` spend.

use minijinja::Value;
use serde_json::json;

use super::ExpressionContext;
use super::environment::ENVIRONMENT;
use super::instances::planned;
use super::meter::{measure, with_fuel};
use super::parts::{Part, parts};
use super::tests::compiled;
use crate::compile::{Options, compile};
use crate::diag::Sink;
use crate::limits::{self, Fuel};
use crate::source::Workspace;
use crate::tree::{Node, Origin};

/// Whether an expression is within its limits.
fn is_accepted(text: &str) -> bool {
    let (rules, _) = compiled(text);
    assert!(rules.iter().all(|it| *it == "expression-too-large"), "{rules:?}");
    rules.is_empty()
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
        let text = format!("a{{{{ 1{} }}}}", "+1".repeat(count));
        assert_eq!(is_accepted(&text), expected, "{count}");
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
fn a_value_is_read_as_far_as_there_is_fuel() {
    let value = Value::from("x".repeat(1_000));
    for (steps, expected) in [(253, false), (254, true)] {
        let fuel = Fuel::of(steps);
        assert_eq!(with_fuel(&fuel, 1, || measure(&value)).is_ok(), expected, "{steps}");
        assert!(fuel.left() == 0, "{steps}");
    }
}

/// What would take too much time or memory.
#[test]
fn large_results_are_not_made() {
    for text in [
        "{{ range(1000000000)|length }}",
        "{{ range(99)|join('-')|replace('-', range(9999)|join('-----'))|replace('-', range(9999)|join('-----')) }}",
        "{{ 'x'|indent(1000000000) }}",
        "{{ '%1000000000d'|format(1) }}",
        "{{ [1]|slice(1000000000)|length }}",
    ] {
        let (rules, _) = compiled(text);
        let is_small = rules.is_empty() || rules == ["too-much-work"];
        assert!(is_small, "{text}: {rules:?}");
    }
    assert_eq!(compiled("{{ range(1000000000)|length }}").0, ["too-much-work"]);
}

/// Results are in memory until the end of the run, whether an expression contains their text or not.
#[test]
fn the_text_of_a_result_counts() {
    let mut workspace = Workspace::new();
    let file = workspace.add("a.yaml", format!("{} {{{{ 1 }}}}", "x".repeat(80_000)));
    let text = workspace.file(file).text().to_owned();
    let document = workspace.start();
    let (values, fuel) = (Node::map(Origin::source(document)), Fuel::of_run(0));
    let cx = ExpressionContext::new(&workspace, &values, &fuel);
    let mut root = Node::map(Origin::source(document));
    root.set("text", Node::string(text.as_str(), Origin::source(document)));
    let made = super::run(&cx, 0, root, &mut Sink::new()).unwrap();
    assert!(made[0].str_at(&["text"]).is_some_and(|it| it.ends_with("x 1")));
    assert!(fuel.spent() > 80_000 / 4);
}

/// The steps of the work on a list `a` of 1,000 items, without its instructions.
fn steps_of(work: &str) -> u64 {
    let text = format!("{{{{ {work} }}}}");
    let parts = parts(&text, &Fuel::of(u64::MAX)).unwrap();
    let [Part::Expression(code)] = parts.as_slice() else { panic!("{work}") };
    let guarded = code.guarded().text;
    let expression = ENVIRONMENT.compile_expression(&guarded).unwrap();
    let list: Vec<_> = (0..1000).collect();
    let (values, fuel) = (minijinja::context! { a => list }, Fuel::of(u64::MAX));
    with_fuel(&fuel, 1, || expression.eval(values)).unwrap();
    fuel.spent()
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
        let steps = steps_of(work);
        assert!(steps >= least * 1000, "{work}: {steps}");
    }
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
    let values = |length: usize| {
        let matrix = json!({"x".repeat(length): vec![1; 10_000]});
        planned(&Node::from_json(json!({"expand": {"matrix": matrix}}), origin)).1
    };
    assert_eq!(values(64_060) - values(60), 10_000 * 1_000);
}

/// A run that would create too much creates nothing, and says where.
#[test]
fn definitions_spend_fuel() {
    let claims = |count: u64| {
        let mut workspace = Workspace::new();
        let text = format!(
            "apiVersion: sandboxc.dev/v1alpha1\nkind: Claim\nmetadata: {{name: 'a{{{{ index }}}}'}}\n\
             expand: {{count: {count}}}\nspec: {{warmPool: a}}\n"
        );
        workspace.add("a.yaml", text);
        let (values, fuel) = (Node::map(Origin::source(workspace.start())), Fuel::of_run(0));
        let mut cx = ExpressionContext::new(&workspace, &values, &fuel);
        let expand = json!({"expand": {"count": count}, "spec": {"warmPool": "a"}});
        let mut root = Node::from_json(expand, Origin::source(workspace.start()));
        cx.plan(std::iter::once(&mut root)).map_err(|it| it.rule.name)
    };
    assert_eq!(claims(1_000_000), Ok(()));
    assert_eq!(claims(1_000_000_000_000), Err("too-much-work"));
}
