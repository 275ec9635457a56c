//! Text that is markup in some format, wherever an input can have text.

use proptest::prelude::*;
use sandboxc::markup::pretty_json;
use sandboxc::{Options, Workspace};
use serde_json::{Value, json};

/// Text of each format that would be more than text.
pub(super) const NASTY: &[&str] = &[
    "::add-mask::secret",
    "  ::stop-commands::x",
    "a\n::error::b",
    "a\r::warning file=a::b",
    "%0A::error::b",
    "##[add-mask]secret",
    "a ##[group]b",
    "##vso[task.setvariable variable=a]b",
    "\u{1b}[2J\u{1b}]0;title\u{7}",
    "\u{9b}31m",
    "a\u{202e}b\u{2066}c\u{200b}d\u{feff}",
    "a\u{85}b\u{2028}c\u{2029}d",
    "\u{0}\u{b}\u{c}\u{fffe}\u{ffff}\u{1ffff}",
    "`",
    "``",
    "a`b",
    "```\n<img src=x onerror=alert(1)>\n```",
    "~~~",
    "<script>alert(1)</script>",
    "<!--",
    "]]>",
    "<![CDATA[",
    "&lt;b&gt;",
    "&amp;#60;",
    "&copy;",
    "@octocat",
    "@org/team",
    "a@b.c",
    "#1",
    "org/repo#1",
    "GH-1",
    "!1",
    "$1",
    "%1",
    "~1",
    "deadbeefdeadbeefdeadbeefdeadbeefdeadbeef",
    "1234567",
    "https://evil.example",
    "www.evil.example",
    "[a](https://evil.example)",
    "![a](//evil.example)",
    "[a]: https://evil.example",
    "[^1]",
    "[^1]: a",
    ":tada:",
    "$x$",
    "*a* _b_ ~~c~~ **d**",
    "|",
    "a|b",
    "a\\|b",
    "\\",
    "a\\",
    "\\`",
    "a\\\\|",
    "- a",
    "1. a",
    "> a",
    "# a",
    "===",
    "---",
    "\"]\n  click n0 href",
    "end",
    "\"",
    "a\"]; b[\"c",
    "%%{init: {}}%%",
    "#quot;",
    "<br/>",
    "\\N\\l\\n",
    "\"; n9 [label=\"x",
    "'",
    "''",
    "${CLIPBOARD}",
    "$(touch x)",
    "a;b",
    "-x",
    "--fail-on=never",
    " ",
    "",
    "a b",
    "a: b",
    "a #b",
    "\t",
    "a\tb",
    "\n",
    "{{ a }}",
    "sandboxc: allow unknown-field because a",
    "/close",
    "kind: ClusterRoleBinding",
    "\n---\nkind: ClusterRoleBinding",
    "ok 1 - a # SKIP",
    "Bail out!",
];

/// Text with many characters that mean something in a format.
pub(super) fn hostile() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        6 => proptest::sample::select(NASTY).prop_map(str::to_owned),
        4 => "[`|<>&@#:\\\\*_\\[\\]()!~$%\"';{}=+/ .\\n\\r\\t-]{1,4}",
        2 => "[\\x00-\\x1f\\x7f-\\u{9f}\\u{2028}\\u{202e}\\u{200b}\\u{feff}\\u{ffff}]{1,2}",
        3 => "[a-f0-9]{1,9}",
        2 => "\\PC{1,3}",
    ];
    proptest::collection::vec(part, 1..5).prop_map(|it| it.concat())
}

/// An input with a text in one of the places that reports show.
pub(super) struct Input {
    pub(super) workspace: Workspace,
    pub(super) options: Options,
}

/// The number of places.
pub(super) const PLACES: usize = 12;

/// An input with a text at a place.
pub(super) fn input(place: usize, text: &str) -> Input {
    let mut workspace = Workspace::new();
    let mut options = Options::default();
    let mut name = "a.yaml".to_owned();
    let pod = |field: &str, value: Value| {
        let mut pod = json!({
            "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "labels": {"a": "b"}},
            "spec": {"containers": [{"name": "main", "image": "a:1"}]},
        });
        pod.as_object_mut().unwrap().insert(field.to_owned(), value);
        pod
    };
    let named = |name: &str, namespace: &str| {
        json!({
            "apiVersion": "v1", "kind": "Service", "metadata": {"name": name, "namespace": namespace},
            "spec": {"selector": {"a": "b"}, "ports": [{"port": 1}], "unknown": 1},
        })
    };
    let documents = match place {
        0 => {
            name = format!("{text}.yaml");
            vec![pod("unknown", json!(1))]
        }
        1 => vec![pod("kind", json!(text))],
        2 => vec![pod("metadata", json!({"name": text}))],
        3 => vec![pod(text, json!(1))],
        4 => vec![pod(
            "spec",
            json!({"containers": [{"name": "main", "image": "a", "imagePullPolicy": text}]}),
        )],
        5 => vec![named(text, "a"), named("a", text), pod("a", json!(1))],
        6 => vec![pod(
            "spec",
            json!({"containers": [{"name": text, "image": "a", "env": [{"name": "A", "valueFrom": {"secretKeyRef": {"name": text, "key": text}}}]}]}),
        )],
        7 => vec![
            definition(text, "self.a != ''"),
            json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}, "spec": {"a": ""}}),
        ],
        8 => vec![pod("apiVersion", json!(text))],
        9 => vec![pod(
            "metadata",
            json!({"name": "web", "labels": {text: text}, "annotations": {text: text}}),
        )],
        10 => vec![policy(text), binding(), pod("a", json!(1))],
        _ => {
            options.environment = Some(text.to_owned());
            let project = json!({
                "apiVersion": "sandboxc.dev/v1alpha1", "kind": "Project", "metadata": {"name": "p"},
                "spec": {"environments": {text: {}}, "unknown": text},
            });
            vec![project, pod("a", json!(1))]
        }
    };
    let documents: Vec<_> = documents.iter().map(pretty_json).collect();
    workspace.add(name, documents.join("---\n"));
    Input { workspace, options }
}

/// A definition of `Widget` whose field `spec` has a rule.
pub(super) fn definition(message: &str, rule: &str) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com", "scope": "Namespaced", "names": {"kind": "Widget", "plural": "widgets"},
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {
                    "type": "object", "description": message,
                    "properties": {
                        "a": {"type": "string", "description": message},
                        message: {"type": "string", "enum": [message, "b"]},
                    },
                    "x-kubernetes-validations": [{"rule": rule, "message": message}],
                }}}},
            }],
        },
    })
}

fn policy(message: &str) -> Value {
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": "policy"},
        "spec": {
            "matchConstraints": {"resourceRules": [{
                "apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["pods"],
            }]},
            "validations": [{"expression": "false", "message": message}],
        },
    })
}

fn binding() -> Value {
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding",
        "metadata": {"name": "policy"}, "spec": {"policyName": "policy", "validationActions": ["Deny"]},
    })
}
