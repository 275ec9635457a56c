//! Hostile expressions, and ordinary ones with their guards.

use std::time::{Duration, Instant};

use super::environment::ENVIRONMENT;
use super::expression::tree_of;
use super::guard::guard;
use super::{Cx, run};
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
        "{% set a = 'x' * 99 %}{{ a }}",
        "{{ 1.5|chain([1]) < 1.5|chain([1]) }}",
        "{{ [1] * 900000000 }}",
        "{{ ([1] * 900000000)|list }}",
        "{% for i in [1] * 900000000 %}x{% endfor %}",
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
        "{% for i in range(9999) %}{% if 5 in range(9999)|list %}{% endif %}{% endfor %}",
        "{% for a in range(9999) %}{% for b in range(9999) %}x{% endfor %}{% endfor %}",
        "{% for i in range(9999) %}{{ range(9999)|join('xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx') }}{% endfor %}",
        "{{ range(9999)|join(range(9999)|join('xxxxxxxxxxxx')) }}",
        "{{ (range(9999)|join).replace('1', range(9999)|join) }}",
        "{{ range(9999)|join|replace('1', range(9999)|join) }}",
        "{{ range(9999)|map('replace', '1', range(9999)|join)|list }}",
        "{% set n = namespace(x=1) %}{% set n.x = n %}{{ n }}",
        "{{ debug() }}",
        "{{ dict(a=1) }}",
        "{{ 1e308 * 10 }}",
        "{{ 1e308 * 10 - 1e308 * 10 }}",
        "a{{ 1e308 * 10 }}",
        "{{ 'nan'|float }}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}",
        "{% set x %}{% for i in range(9999) %}aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa{% endfor %}{% endset %}{{ x }}",
        "{% filter upper %}x{% endfilter %}",
        "{% with a = 1 %}{{ a }}{% endwith %}",
        "{% do debug() %}",
    ];
    for attack in attacks {
        let start = Instant::now();
        let (rules, image) = compiled(attack);
        assert!(!rules.is_empty() && image.is_none(), "{attack}: {rules:?} {image:?}");
        assert!(start.elapsed() < Duration::from_mins(5), "{attack}");
    }
}

#[test]
fn doubling_and_nesting_end_at_the_limit() {
    let doubling = "{% set a = 'xxxxxxxxxxxxxxxx' %}".to_owned()
        + &"{% set a = a ~ a %}".repeat(40)
        + "{{ a }}";
    assert_eq!(compiled(&doubling).0, ["too-much-work"]);
    let lists = "{% set a = [1] %}".to_owned() + &"{% set a = [a, a] %}".repeat(40) + "{{ a }}";
    assert_eq!(compiled(&lists).0, ["too-much-work"]);
    let deep = "{% set a = [1] %}".to_owned() + &"{% set a = [a] %}".repeat(70) + "{{ a }}";
    assert_eq!(compiled(&deep).0, ["expression-failed"]);
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
        for (count, is_accepted) in [(32, true), (33, false), (20_000, false)] {
            let text = format!("{}a{}", open.repeat(count), close.repeat(count));
            assert_eq!(compiled(&text).0.is_empty(), is_accepted, "{open} {count}");
        }
    }
    let chain = format!("{{% if 0 %}}{}{{% endif %}}a", "{% elif 0 %}".repeat(20_000));
    assert_eq!(compiled(&chain).0, ["expression-too-large"]);
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
        "{% for i in values.l if i > 1 %}{{ i + 1 }},{% else %}none{% endfor %}",
        "{% for k, v in values.m|items %}{{ k ~ v }}{% endfor %}",
        "{% set x, y = 1, 'z' %}{{ x }}{{ y }}",
        "{% set x = values.s ~ '}}' %}{{ x }}",
        "{%- if values.a >= 3 -%} a {%- endif -%}",
        "{% raw %}{{ a * }}{% endraw %}{# {{ * #}b",
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
fn offsets_refer_to_the_written_text() {
    let text = "{{ a ~ b }} {{ c * d }} {% set e = f %}";
    let guarded = guard(text).unwrap();
    assert_eq!(
        guarded.text,
        "{{ a|__value ~ b|__value }} {{ c|__number * d|__number }} {% set e =( f)|__value %}"
    );
    for word in ["a", "b", "c", "d", "e", "f"] {
        let pattern = format!(" {word}");
        let (at, original) = (guarded.text.find(&pattern).unwrap(), text.find(&pattern).unwrap());
        assert_eq!(guarded.original(at + 1), original + 1, "{word}");
    }
    assert!(ENVIRONMENT.template_from_str(&guarded.text).is_ok());
}

#[test]
fn an_undefined_name_has_no_suggestions_after_many_findings() {
    let mut workspace = Workspace::new();
    workspace.add("t.yaml", "");
    let origin = Origin::source(workspace.start());
    let values = Node::from_json(serde_json::json!({"image": 1, "m": {"tag": 2}}), origin);
    let fuel = Fuel::of_run(0);
    let cx = Cx::new(&workspace, &values, &fuel);
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
