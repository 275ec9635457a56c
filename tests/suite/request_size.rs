//! Objects that the API server rejects for their size.

use sandboxc::{Options, Purpose, Workspace, compile};

use crate::support::sampled;

/// The maximum size of a request, in bytes.
const LARGEST: usize = 3 << 20;

/// The rules of an object whose values add up to `size` bytes of a request.
fn rules(values: &str, rest: usize) -> Vec<&'static str> {
    let mut workspace = Workspace::new();
    let padding = "x".repeat(rest);
    workspace.add(
        "a.yaml",
        format!(
            "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata:\n  name: a\n  \
             labels: {values}\nvalue: 1\ndescription: {padding}\n"
        ),
    );
    let findings = compile(&workspace, &Options::default()).diagnostics;
    findings.iter().map(|it| it.rule.name).collect()
}

#[test]
fn the_limit_is_exact() {
    let shapes = [
        ("{}", r"{}"),
        ("{a: b, c: ''}", r#"{"a":"b","c":""}"#),
        ("{a: &x b, c: *x}", r#"{"a":"b","c":"b"}"#),
    ];
    for (yaml, json) in sampled(shapes, 3) {
        let object = format!(
            r#"{{"apiVersion":"scheduling.k8s.io/v1","description":"","kind":"PriorityClass","metadata":{{"labels":{json},"name":"a"}},"value":1}}"#
        );
        let rest = LARGEST - object.len() - "\n".len();
        assert_eq!(rules(yaml, rest), ["object-too-large-to-apply"], "{yaml}");
        assert_eq!(rules(yaml, rest + 1), ["object-too-large"], "{yaml}");
    }
}

/// The API server does not decode such an object, so it is not checked further. It is not missing.
#[test]
fn only_its_size_is_reported() {
    let env = format!("env: [{{name: A, value: {}}}], unknown: 1", "x".repeat(LARGEST));
    let pod = |name, more: &str| {
        format!(
            "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, labels: {{of: {name}}}}}\n\
             spec: {{containers: [{{name: a, image: 'b:1', {more}}}]}}\n"
        )
    };
    let service = "---\napiVersion: v1\nkind: Service\nmetadata: {name: s}\n\
                   spec: {selector: {of: large}, ports: [{port: 80}]}\n";
    let config = format!(
        "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c}}\nimmutable: 1\ndata: {{a: {}}}\n",
        "x".repeat(LARGEST)
    );
    let user = "envFrom: [{configMapRef: {name: c}}]";
    let text = [&pod("large", &env), service, &config, &pod("small", user)].concat();
    for purpose in [Purpose::Build, Purpose::Check] {
        let mut workspace = Workspace::new();
        workspace.add("a.yaml", text.as_str());
        let mut options = Options::default();
        options.purpose = purpose;
        let mut rules: Vec<_> =
            compile(&workspace, &options).diagnostics.iter().map(|it| it.rule.name).collect();
        rules.retain(|it| !it.contains("unset"));
        assert_eq!(rules, ["object-too-large"; 2], "{purpose:?}");
    }
}

/// A document of a few kilobytes whose aliases make a large object, and objects that are large
/// only together.
#[test]
fn aliases_count_in_each_object() {
    let rules = |text: String| {
        let mut workspace = Workspace::new();
        workspace.add("a.yaml", text);
        let findings = compile(&workspace, &Options::default()).diagnostics;
        findings.iter().map(|it| it.rule.name).collect::<Vec<_>>()
    };
    let long = "x".repeat(1000);
    let items = |count| vec!["*x"; count].join(", ");
    let widget = |name, count| {
        format!(
            "apiVersion: example.com/v1\nkind: Widget\nmetadata: {{name: {name}}}\nspec: {{first: \
             &x {long}, all: [{}]}}\n",
            items(count)
        )
    };
    let large = rules(widget("a", 3200));
    assert!(large.contains(&"object-too-large"), "{large:?}");
    let several = rules(format!("{}---\n{}", widget("a", 2000), widget("b", 2000)));
    assert!(!several.contains(&"object-too-large"), "{several:?}");
}
