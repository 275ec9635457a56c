//! Hooks of Helm and Argo CD, which are created at their events and not with the release.

use sandboxc::{Options, Workspace, compile};

fn account(annotations: &str) -> String {
    format!(
        "apiVersion: v1\nkind: ServiceAccount\nmetadata: {{name: app, namespace: lab, annotations: {{{annotations}}}}}\n"
    )
}

/// The rules of findings about the objects of one stream.
fn rules(objects: &[&str]) -> Vec<&'static str> {
    let mut workspace = Workspace::new();
    let texts: Vec<_> = objects.iter().map(|annotations| account(annotations)).collect();
    workspace.add("a.yaml", texts.join("---\n"));
    compile(&workspace, &Options::default())
        .diagnostics
        .iter()
        .map(|finding| finding.rule.name)
        .collect()
}

#[test]
fn a_hook_may_share_its_name_with_what_it_never_meets() {
    let install = "helm.sh/hook: 'pre-install, post-install'";
    let upgrade = "helm.sh/hook: pre-upgrade";
    assert_eq!(rules(&[install, ""]), <[&str; 0]>::default());
    assert_eq!(
        rules(&[install, upgrade, "", "argocd.argoproj.io/hook: PreSync"]),
        <[&str; 0]>::default()
    );
    assert_eq!(rules(&[install, "", ""]), ["object-duplicate"], "two of the release");
    assert_eq!(rules(&[install, "helm.sh/hook: post-install"]), ["object-duplicate"], "one event");
}
