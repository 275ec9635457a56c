//! Hostile expressions, ordinary ones with their guards, and statements.

use std::time::{Duration, Instant};

use super::environment::ENVIRONMENT;
use super::expression::tree_of;
use super::parts::{Part, parts};
use super::statements::rewritten;
use super::{ExpressionContext, run};
use crate::diag::Sink;
use crate::limits::{self, Fuel};
use crate::source::Workspace;
use crate::tree::{Node, Origin};
use crate::{Options, compile};

/// Compiles a Template with this image; returns the violated rules and the image.
pub(super) fn compiled(text: &str) -> (Vec<&'static str>, Option<String>) {
    let image = serde_json::to_string(text).unwrap();
    let mut workspace = Workspace::new();
    workspace.add(
        "t.yaml",
        format!(
            "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\nmetadata: {{name: a}}\n\
             spec: {{image: {image}}}\n---\napiVersion: sandboxc.dev/v1alpha1\nkind: Project\n\
             metadata: {{name: p}}\nspec: {{values: {{a: 3, s: abc, l: [1, 2, 3], m: {{k: v}}}}}}\n"
        ),
    );
    let compilation = compile(&workspace, &Options::default());
    let rules = compilation.diagnostics.iter().map(|it| it.rule.name);
    let rules = rules.filter(|it| it.starts_with("expression") || *it == "too-much-work").collect();
    let path = ["spec", "podTemplate", "spec", "containers"];
    let image = compilation.objects.iter().find_map(|object| {
        let containers = object.root.at(&path)?;
        Some(containers.items().first()?.str_at(&["image"])?.to_owned())
    });
    (rules, image)
}

#[test]
fn memory_and_time_of_expressions_are_bounded() {
    let attacks: &[&str] = &[
        "{{ 'x' * 99 }}",
        "{{ 99 * 'x' }}",
        "{{ 99 * [1] | list }}",
        "{{ 2 * values.s * 3 }}",
        "{{ 99 * values.l[1:] }}",
        "{{ values.l|first * values.l }}",
        "{{ 1.5|chain([1]) < 1.5|chain([1]) }}",
        "{{ [1] * 900000000 }}",
        "{{ ([1] * 900000000)|list }}",
        "{{ 'x'|indent(900000000) }}",
        "{{ 'x'|indent(width=900000000) }}",
        "{{ ['x']|map('indent', 900000000)|list }}",
        "{{ '%900000000d'|format(1) }}",
        "{{ '%*d'|format(900000000, 1) }}",
        "{{ '%.900000000f'|format(1.5) }}",
        "{{ [1]|batch(900000000, 1) }}",
        "{{ [1]|slice(900000000) }}",
        "{{ 1.5|round(900000000) }}",
        "{{ range(900000000) }}",
        "{{ range(0, -900000000, -1)|list }}",
        "{{ range(9999)|join(range(9999)|join('xxxxxxxxxxxx')) }}",
        "{{ (range(9999)|join).replace('1', range(9999)|join) }}",
        "{{ range(9999)|join|replace('1', range(9999)|join) }}",
        "{{ range(9999)|map('replace', '1', range(9999)|join)|list }}",
        "{{ namespace(x=1) }}",
        "{{ debug() }}",
        "{{ dict(a=1) }}",
        "{{ 1e308 * 10 }}",
        "{{ 1e308 * 10 - 1e308 * 10 }}",
        "a{{ 1e308 * 10 }}",
        "{{ 'nan'|float }}",
    ];
    for attack in attacks {
        let start = Instant::now();
        let (rules, image) = compiled(attack);
        assert!(!rules.is_empty() && image.is_none(), "{attack}: {rules:?} {image:?}");
        assert!(start.elapsed() < Duration::from_mins(5), "{attack}");
    }
}

#[test]
fn nesting_ends_at_the_limit() {
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("{'a':", "}"),
        ("-", ""),
        ("not ", ""),
        ("1 + ", ""),
        ("1 ** ", ""),
        ("1 if 1 else ", ""),
        ("'a' ~ ", ""),
    ] {
        for count in [30, 99, 200, 3000, 30_000] {
            let text = format!("{{{{ {}1{} }}}}", open.repeat(count), close.repeat(count));
            let (rules, _) = compiled(&text);
            assert!(
                count <= 99 || rules.contains(&"expression-too-large"),
                "{open} {count}: {rules:?}"
            );
        }
    }
    for (open, close) in [("{% if 1 %}", "{% endif %}"), ("{% for a in [1] %}", "{% endfor %}")] {
        for count in [1, 20_000] {
            let text = format!("{}a{}", open.repeat(count), close.repeat(count));
            assert_eq!(compiled(&text).0, ["expression-statement"], "{open} {count}");
        }
    }
    for tail in [".a", "[0]", "|upper", "()", "|default('a')", " is odd"] {
        let text = format!("{{{{ values.s{} }}}}", tail.repeat(5000));
        assert!(!compiled(&text).0.is_empty(), "{tail}");
    }
}

/// The result of minijinja without guards, with the values of `compiled`.
fn unguarded(text: &str) -> String {
    let mut environment = minijinja::Environment::new();
    environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    let values = serde_json::json!({"a": 3, "s": "abc", "l": [1, 2, 3], "m": {"k": "v"}});
    environment.render_str(text, serde_json::json!({ "values": values })).unwrap()
}

#[test]
fn guards_do_not_change_results() {
    let texts = [
        "{{ (1 + 2 * 3) ~ 'a' }}",
        "{{ (1 + 2) * 3 }}-x",
        "{{ -2 * -3 }}x",
        "{{ 2 ** 3 * 2 }}x",
        "{{ values.s ~ values.s|upper ~ 'c' }}",
        "{{ values.s[0:2] ~ values.s[1:][:1] }}",
        "{{ values['s'][1:] }}",
        "{{ values.l[values.l[0]] }}x",
        "{{ {'a': {'b': 1}}['a'].b }}x",
        "{{ 'b' in values.s and 2 not in values.l }}x",
        "{{ 'yes' if values.a == 3 else 'no' }}",
        "{{ 'yes' if values.a is odd and not values.a is even else 'no' }}",
        "{{ 'yes' if values.a is divisibleby 3 else 'no' }}",
        "{{ 'yes' if values.a is not defined == false else 'no' }}",
        "{{ values.s ~ '}}' }}x",
        " {{- values.a >= 3 -}} a {{- 1 }}",
        "{{- values.s -}} ",
        "{% raw %}{{ a * }}{% endraw %}b",
        "a {%- raw -%} {{ b }} {%- endraw -%} c",
        "{{ values.a * -2 * 2 ** values.a }}x",
        "{{ values.l|sum * values['l'][1] }}x",
        "{{ (values.s|upper)[1:][0] ~ [values.a, 'b'][1:][0] }}",
        "{{ values.m['k'] ~ values.l.0 ~ {'k': values.a}.k }}",
        "{{ values.s is in(['abc']) and values.s is startingwith values.s[0] }}x",
        "{{ dictsort is undefined }}x",
        "{{ 1e+2 + 1.5e-1 }}x",
        "{{ 0x1e + 1 }}x",
        "{{ 'a*b' ~ \"c'~'d\" ~ 'e\\'f' }}",
        "{{ [1, 2] + [3] }}x",
        "{{ values.l|map('string')|join('-') }}",
        "{{ [values.m]|map(attribute='k')|join }}",
        "{{ values.l|select('>', 1)|list }}x",
        "{{ values.s|replace('b', 'x')|indent(2) }}",
        "{{ '%03d'|format(7) }}",
        "{{ 'a'|upper * 1 if false else 'b' }}",
        "{{ range(3)|list ~ range(3, 0, -1)|list }}",
        "{{ 1 + 2 * 3 }}-{{ 7 - 2 + 1 }}",
        "{{ 'a' ~ 1 * 2 ~ 3 + 0 if false else 2 ~ 3 * 4 }}x",
    ];
    for text in texts {
        let (rules, image) = compiled(text);
        assert_eq!((rules.as_slice(), image), (&[][..], Some(unguarded(text))), "{text}");
    }
}

#[test]
fn the_expression_for_a_statement_has_the_same_result() {
    for text in [
        "a:{% if values.a > 2 %}big{% else %}small{% endif %}!",
        "a{% if values.a > 3 %}-x{% endif %}",
        "{% if values.a > 3 %}x{% elif values.s %}{{ values.s }}-{{ values.a + 1 }}{% else %}{% endif %}",
        "{% if values.a > 3 %}x{% elif values.a > 4 %}y{% endif %}{{ values.a }}",
        "{% if values.a %}{% if (1 if 0 else 0) %}{{ 1 if values.a else 2 }}{% else %}b{% endif %}{% endif %}",
        "{% for i in values.l %}{{ i }}{% endfor %}",
        "<{% for i in [3] + values.l %}{{ i }}{% if not loop.last %}, {% endif %}{% endfor %}>",
        "{% for m in [values.m] %}{{ m.k }}{% if not loop.last %},{% endif %}{% endfor %}{ {#",
    ] {
        let written = rewritten(text, '\'').unwrap_or_else(|| panic!("{text}"));
        assert!(!written.contains("{%"), "{written}");
        let text = text.replace("{#", "");
        assert_eq!(unguarded(&written.replace("{#", "")), unguarded(&text), "{text} as {written}");
    }
    for text in [
        "{% for i in values.l %}{{ i }},{% endfor %}",
        "{% for i in values.l %}{{ i|upper }}{% endfor %}",
        "{% for i in values.l %}{{ i }}{% else %}none{% endfor %}",
        "{% for i in values.l if i > 1 %}{{ i }}{% endfor %}",
        "{% for i in values.l recursive %}{{ i }}{% endfor %}",
        "{% for i in values.l %}{{ i }}{% if loop.first %},{% endif %}{% endfor %}",
        "{% if values.a %}it's{% endif %}",
        "{%- if values.a %} a{% endif %}",
        "{% if values.a %}{% set b = 1 %}{% endif %}",
        "{% if values.a %}{% endfor %}",
        "{% if values.a %}",
        "{% endif %}",
        "{% raw %}{% endraw %}{% if 1 %}a{% endif %}",
        "{% if values.a %}{{ b",
    ] {
        assert_eq!(rewritten(text, '\''), None, "{text}");
    }
}

/// The hashes are recorded in `scalar/name_hash.rs`.
#[test]
fn the_hash_of_the_name_of_a_sandbox_is_that_of_its_controller() {
    let hash = |text: &str| compiled(text).1;
    assert_eq!(hash("{{ sandboxNameHash('dev-box') }}").as_deref(), Some("a6b0e084"));
    assert_eq!(hash("a:{{ sandboxNameHash('run-' ~ 1) }}").as_deref(), Some("a:3c9d57fc"));
    assert_eq!(compiled("{{ sandboxNameHash(1) }}").0, ["expression-failed"]);
    assert_eq!(compiled("{{ sandboxNameHash() }}").0, ["expression-failed"]);
}

#[test]
fn a_value_is_the_same_tree_as_its_json() {
    let origin = Origin::source(Workspace::new().start());
    for text in [
        "[none, true, -1, 18446744073709551615, 0.5, 'x', ('a', 'b'), range(3)]",
        "{'b': {'c': []}, 'a': {}}",
        "{1: 'a', '1': 'b', true: 'c'}",
        "[{none: 1}]",
        "2 ** 70",
    ] {
        let value = ENVIRONMENT.compile_expression(text).unwrap().eval(()).unwrap();
        let json = serde_json::to_value(&value).ok().map(|json| Node::from_json(json, origin));
        assert_eq!(tree_of(&value, origin).ok(), json, "{text}");
    }
}

#[test]
fn variables_and_operands_of_products_are_guarded() {
    let guarded = |text: &str| {
        let parts = parts(text, &Fuel::of(u64::MAX)).unwrap();
        let [Part::Expression(code)] = parts.as_slice() else { panic!("{text}") };
        code.guarded().text.trim().to_owned()
    };
    for (text, expected) in [
        ("{{ a }}", "a"),
        ("{{ a ~ b.c['d'] }}", "a|__value ~ b.c['d']|__value"),
        ("{{ a[b]|join(c) }}", "a[b|__value]|join(c|__value)"),
        ("{{ a.b[1:] }}", "(a.b|__value)[1:]"),
        ("{{ a is odd and b is not in c }}", "a is odd and b is not in c|__value"),
        ("{{ c * d|int ** 2 }}", "c|__value|__number * d|int|__number ** 2"),
        ("{{ 2 * -(1 + 1) }}", "2|__number * -(1 + 1)|__number"),
        ("{{ range(3)|batch(2, fill_with=a) }}", "range(3)|batch(2, fill_with=a|__value)"),
        ("{{ {'a': true}.in }}", "{'a': true}.in"),
    ] {
        assert_eq!(guarded(text), expected, "{text}");
    }
}

/// Each value of a variable that operators read spends fuel, whatever the result.
#[test]
fn large_values_of_operators_spend_fuel() {
    let mut workspace = Workspace::new();
    workspace.add("t.yaml", "");
    let origin = Origin::source(workspace.start());
    let size = 400_000;
    let large = serde_json::json!({"s": "x".repeat(size), "m": {"l": ["y".repeat(size)]}});
    let values = Node::from_json(large, origin);
    for (text, times) in
        [("{{ values.s[1:][1:][1:] == 'a' }}", 4), ("{{ ('a' ~ values.s ~ 'a' ~ 'a')|length }}", 3)]
            .into_iter()
            .chain(
                [
                    "{{ (values.s ~ 'a') is string }}",
                    "{{ values.s == values.s }}",
                    "{{ 'y' in values.s }}",
                    "{{ values.m.l == [] }}",
                    "{{ values.m['l'][0][1:2] }}",
                    "{{ (values.s)[1:2] }}",
                    "{{ [values.s][0][1:2] }}",
                    "{{ 1 if values.m.l + [1] else 2 }}",
                    "a{{ values['s'] < 'a' }}",
                ]
                .map(|text| (text, 1)),
            )
    {
        let fuel = Fuel::of_run(0);
        let cx = ExpressionContext::new(&workspace, &values, &fuel);
        let root = Node::from_json(serde_json::json!({"spec": {"image": text}}), origin);
        assert!(run(&cx, 0, root, &mut Sink::new()).is_ok(), "{text}");
        let least = u64::try_from(times * size / 4).unwrap();
        assert!(fuel.spent() > least, "{text}: {}", fuel.spent());
    }
}

#[test]
fn an_undefined_name_has_no_suggestions_after_many_findings() {
    let mut workspace = Workspace::new();
    workspace.add("t.yaml", "");
    let origin = Origin::source(workspace.start());
    let values = Node::from_json(serde_json::json!({"image": 1, "m": {"tag": 2}}), origin);
    let fuel = Fuel::of_run(0);
    let cx = ExpressionContext::new(&workspace, &values, &fuel);
    let advice = |text: &str, findings| {
        let root = Node::from_json(serde_json::json!({"spec": {"image": text}}), origin);
        let mut sink = Sink::of_document_after(findings);
        assert!(run(&cx, 0, root, &mut sink).is_err());
        let advice = sink
            .iter()
            .map(|it| [it.details().help.as_slice(), it.details().notes.as_slice()].concat());
        advice.collect::<Vec<_>>().concat()
    };
    let many = limits::DETAILED_FINDINGS.count();
    let near = ["did you mean `image`?", "defined names: `image`, `m`"];
    assert_eq!(advice("{{ values.imge }}", many - 1), near);
    assert_eq!(advice("{{ values.m.tg }}", 0), ["did you mean `tag`?", "defined names: `tag`"]);
    assert_eq!(advice("{{ values.imge }}", many), [""; 0]);
}
