//! `migrate` of objects of agent-sandbox.

use std::collections::BTreeMap;

use sandboxc::{Migrated, Options, Purpose, Severity, Workspace, compile, migrate};

use crate::support::files_of_cases;

fn migrated(files: &[(String, String)]) -> (Workspace, Migrated) {
    let mut workspace = Workspace::new();
    for (name, text) in files {
        workspace.add(name.clone(), text.clone());
    }
    let migrated = migrate(&workspace, &Options::default());
    (workspace, migrated)
}

fn texts(migrated: &Migrated) -> Vec<String> {
    let workspace = &migrated.edited.workspace;
    workspace.ids().map(|it| workspace.file(it).text().to_owned()).collect()
}

fn one(text: &str) -> (String, Vec<String>) {
    let (_, migrated) = migrated(&[("a.yaml".to_owned(), text.to_owned())]);
    let findings = migrated.edited.diagnostics.iter();
    let findings = findings.map(|it| it.details().message.as_prose().to_string()).collect();
    (texts(&migrated).concat(), findings)
}

const GROUP: &str = "extensions.agents.x-k8s.io";

fn pool(name: &str, template: &str) -> String {
    format!(
        "---\napiVersion: {GROUP}/v1beta1\nkind: SandboxWarmPool\nmetadata: {{name: {name}}}\nspec:\n  \
        sandboxTemplateRef: {{name: {template}}}\n"
    )
}

fn claim(version: &str, policy: &str) -> String {
    let head = format!(
        "apiVersion: {GROUP}/{version} # the version\nkind: SandboxClaim\nmetadata:\n  name: c\nspec:\n"
    );
    format!(
        "{head}{policy}  # from this template\n  sandboxTemplateRef:\n    name: tpl # the template\n  lifecycle: {{ttlSecondsAfterFinished: 5}}\n"
    )
}

fn migrated_claim(pool: &str) -> String {
    claim("v1beta1", "").replace("sandboxTemplateRef", "warmPoolRef").replace("tpl", pool)
}

const SHADOW: &str = "---\napiVersion: extensions.agents.x-k8s.io/v1beta1\nkind: SandboxWarmPool\nmetadata:\n  name: shadow-pool-tpl\n  annotations:\n    agents.x-k8s.io/migration-shadow: \"true\"\n    agents.x-k8s.io/migration-source-template: tpl\nspec:\n  replicas: 0\n  sandboxTemplateRef:\n    name: tpl\n";

#[test]
fn claims_of_a_template_get_its_pool() {
    for version in ["v1alpha1", "v1beta1"] {
        // Without a pool, the shadow pool of the template is added.
        for policy in ["", "  warmpool: default\n", "  warmpool: none\n", "  warmpool: \"\"\n"] {
            let (text, findings) = one(&claim(version, policy));
            assert_eq!(text, migrated_claim("shadow-pool-tpl") + SHADOW, "{policy}");
            assert_eq!(findings, [""; 0]);
            let again = one(&text);
            assert_eq!(again, (text, Vec::new()));
        }
        // The only pool of the template is used, except by a claim that must not use one.
        let pools = pool("fast", "tpl") + &pool("slow", "other");
        for (policy, expected) in
            [("", "fast"), ("  warmpool: default\n", "fast"), ("  warmpool: fast\n", "fast")]
        {
            let (text, findings) = one(&(claim(version, policy) + &pools));
            assert_eq!(text, migrated_claim(expected) + &pools, "{policy}");
            assert_eq!(findings, [""; 0]);
        }
        let (text, _) = one(&(claim(version, "  warmpool: none\n") + &pools));
        assert_eq!(text, migrated_claim("shadow-pool-tpl") + SHADOW + &pools);
        // The pool decides.
        let (text, findings) = one(&(claim(version, "  warmpool: slow\n") + &pools));
        assert_eq!(text, migrated_claim("slow") + &pools);
        assert_eq!(
            findings,
            ["pool `slow` of claim `c` has template `other`, and the claim named `tpl`"]
        );
    }
}

#[test]
fn claims_without_a_certain_pool_are_kept() {
    let long = "t".repeat(52);
    let cases = [
        (claim("v1alpha1", "  warmpool: absent\n"), "SandboxWarmPool `absent` is not in the input"),
        (
            claim("v1alpha1", "") + &pool("b", "tpl") + &pool("a", "tpl"),
            "template `tpl` has several warm pools: a, b",
        ),
        (
            claim("v1alpha1", "").replace("name: tpl", "name:"),
            "`spec.sandboxTemplateRef.name` is missing",
        ),
        (claim("v1alpha1", "").replace("tpl", &long), "would have more than 63 characters"),
        (
            claim("v1alpha1", "  warmPoolRef: {name: a}\n"),
            "the claim has `warmPoolRef` and fields of the old version",
        ),
    ];
    for (text, expected) in cases {
        let (after, findings) = one(&text);
        assert_eq!(after, text);
        assert!(findings.len() == 1 && findings[0].contains(expected), "{findings:?}");
        assert!(findings[0].starts_with("`SandboxClaim/c` is not migrated: "), "{findings:?}");
    }
}

#[test]
fn a_template_has_one_shadow_pool_in_each_namespace() {
    let in_namespace = |it: &str| {
        claim("v1alpha1", "").replace("  name: c\n", &format!("  name: c\n  namespace: {it}\n"))
    };
    let files =
        [in_namespace("a"), in_namespace("a").replace("name: c", "name: d"), in_namespace("b")];
    let files: Vec<_> =
        files.into_iter().enumerate().map(|(at, it)| (format!("{at}.yaml"), it)).collect();
    let (_, migrated) = migrated(&files);
    let counts: Vec<_> =
        texts(&migrated).iter().map(|it| it.matches("kind: SandboxWarmPool").count()).collect();
    assert_eq!(counts, [1, 0, 1]);
}

#[test]
fn lists_and_json_keep_their_form() {
    let list = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: extensions.agents.x-k8s.io/v1alpha1\n  kind: SandboxClaim\n  metadata:\n    name: c\n    annotations:\n      kubectl.kubernetes.io/last-applied-configuration: \"{}\"\n  spec:\n    warmpool: none\n    sandboxTemplateRef:\n      name: tpl\n  status:\n    sandbox: {name: c}\n";
    let (text, findings) = one(list);
    let shadow = SHADOW.trim_start_matches("---\n").trim_end().replace('\n', "\n  ");
    let expected = format!(
        "apiVersion: v1\nkind: List\nitems:\n- apiVersion: extensions.agents.x-k8s.io/v1beta1\n  kind: SandboxClaim\n  metadata:\n    name: c\n  spec:\n    warmPoolRef:\n      name: shadow-pool-tpl\n- {shadow}\n"
    );
    assert_eq!((text, findings), (expected, Vec::new()));
    let json = "{\n  \"apiVersion\": \"agents.x-k8s.io/v1alpha1\",\n  \"kind\": \"Sandbox\",\n  \"metadata\": {\"name\": \"s\"},\n  \"spec\": {\n    \"replicas\": 0,\n    \"podTemplate\": {\"spec\": {\"containers\": []}}\n  }\n}\n";
    let expected = json
        .replace("v1alpha1", "v1beta1")
        .replace("\"replicas\": 0", "\"operatingMode\": \"Suspended\"");
    assert_eq!(one(json), (expected, Vec::new()));
    let json = "{\"apiVersion\":\"extensions.agents.x-k8s.io/v1alpha1\",\"kind\":\"SandboxClaim\",\"metadata\":{\"name\":\"c\"},\"spec\":{\"sandboxTemplateRef\":{\"name\":\"tpl\"}}}";
    let (text, findings) = one(json);
    assert_eq!(text, json);
    assert!(findings[0].contains("a JSON file has one object"), "{findings:?}");
}

#[test]
fn replicas_of_a_sandbox_become_its_mode() {
    let sandbox = |replicas: &str| {
        format!(
            "apiVersion: agents.x-k8s.io/v1alpha1\nkind: Sandbox\nmetadata: {{name: s}}\nspec:\n{replicas}  podTemplate:\n    spec:\n      containers: [{{name: a, image: \"a:1\"}}]\n"
        )
    };
    let new = |mode: &str| sandbox(mode).replace("v1alpha1", "v1beta1");
    assert_eq!(one(&sandbox("")).0, new(""));
    assert_eq!(one(&sandbox("  replicas: 1\n")).0, new(""));
    assert_eq!(
        one(&sandbox("  replicas: 0 # for now\n")).0,
        new("  operatingMode: Suspended # for now\n")
    );
    let (text, findings) = one(&sandbox("  replicas: 2\n"));
    assert_eq!(text, sandbox("  replicas: 2\n"));
    assert!(findings[0].contains("must be 0 or 1"), "{findings:?}");
}

/// The examples of agent-sandbox 0.4.6, by directory.
#[test]
fn upstream_examples_are_accepted_after_the_migration() {
    let mut folders: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for (path, text) in files_of_cases("migrate/agent-sandbox") {
        let (folder, _) = path.rsplit_once('/').unwrap();
        folders.entry(folder.to_owned()).or_default().push((path, text));
    }
    assert!(folders.len() > 15, "{}", folders.len());
    for (folder, files) in folders {
        let (_, migrated_once) = migrated(&files);
        assert!(migrated_once.edited.diagnostics.is_empty(), "{folder}");
        let after: Vec<_> =
            files.iter().map(|it| it.0.clone()).zip(texts(&migrated_once)).collect();
        assert!(after.iter().all(|it| !it.1.contains("agents.x-k8s.io/v1alpha1")), "{folder}");
        let (_, again) = migrated(&after);
        assert!(again.edited.files.is_empty() && again.edited.diagnostics.is_empty(), "{folder}");
        // Some directories have alternatives of an object.
        let mut options = Options::default();
        options.purpose = Purpose::Check;
        let found = compile(&migrated_once.edited.workspace, &options).diagnostics;
        let errors = found.iter().filter(|it| it.severity == Severity::Error);
        let errors: Vec<_> = errors.map(|it| it.details().message.as_prose().to_string()).collect();
        assert!(errors.is_empty(), "{folder}: {errors:?}");
    }
}
