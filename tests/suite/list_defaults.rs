//! Defaults of lists in custom resource definitions, added to the objects of a run.

use sandboxc::{Options, Workspace, compile};

/// A definition of Sandboxes whose containers have this default, and this number of Sandboxes.
fn rules(default: &str, count: usize) -> Vec<&'static str> {
    let item = format!(
        "{{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {{x: {{type: \
         string, default: '{default}'}}}}}}"
    );
    let levels = ["spec", "podTemplate", "spec"].iter().rev();
    let schema =
        levels.fold(format!("containers: {{type: array, items: {item}}}"), |below, level| {
            let keeps = "x-kubernetes-preserve-unknown-fields: true";
            format!("{level}: {{type: object, {keeps}, properties: {{{below}}}}}")
        });
    let mut text = format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
         metadata: {{name: sandboxes.agents.x-k8s.io}}\nspec:\n  group: agents.x-k8s.io\n  \
         names: {{kind: Sandbox, plural: sandboxes, singular: sandbox, listKind: SandboxList}}\n  \
         scope: Namespaced\n  versions:\n  - name: v1beta1\n    served: true\n    storage: true\n    \
         schema: {{openAPIV3Schema: {{type: object, properties: {{{schema}}}}}}}\n"
    );
    text.extend((0..count).map(|number| {
        format!(
            "---\napiVersion: sandboxc.dev/v1alpha1\nkind: Sandbox\n\
             metadata: {{name: s{number}}}\nspec: {{image: a, security: privileged}}\n"
        )
    }));
    let mut workspace = Workspace::new();
    workspace.add("input.yaml", text);
    let compilation = compile(&workspace, &Options::default());
    let mut rules: Vec<_> = compilation.diagnostics.iter().map(|it| it.rule.name).collect();
    rules.dedup();
    rules
}

#[test]
fn the_defaults_of_a_run_are_limited() {
    let large = "x".repeat(640_000);
    // The definition itself is too large for the annotation of kubectl.
    let expected = ["object-too-large-to-apply", "unknown-field", "schema-unknown"];
    assert_eq!(rules(&large, 290), expected);
    assert!(rules(&large, 4_000).contains(&"too-much-work"));
}

#[test]
fn a_default_of_the_input_is_not_ours() {
    // The error is at the default, in the definition of the kind.
    assert_eq!(rules("a", 1), ["unknown-field", "schema-unknown"]);
}
