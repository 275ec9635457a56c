//! `--crd`, and `crds` of the Project.

use super::Folder;

pub(super) const DEFINITION: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ranges.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: ranges, singular: range, kind: Range, listKind: RangeList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties: {low: {type: integer}, high: {type: integer, default: 10}}
            x-kubernetes-validations:
            - {rule: self.low <= self.high, message: low must not be above high}
";

const GOOD: &str =
    "apiVersion: example.com/v1\nkind: Range\nmetadata: {name: a, namespace: b}\nspec: {low: 3}\n";
const BAD: &str =
    "apiVersion: example.com/v1\nkind: Range\nmetadata: {name: a, namespace: b}\nspec: {low: 30}\n";

#[test]
fn known_definitions_check_objects_and_are_not_printed() {
    let folder = Folder::new(&[
        ("good.yaml", GOOD),
        ("bad.yaml", BAD),
        ("crds/range.yaml", DEFINITION),
        ("crds/kustomization.yaml", "resources: [range.yaml]\n"),
    ]);
    let (_, stderr) = folder.run(&["check", "good.yaml"]).expect(0);
    assert!(stderr.contains("is not checked: its definition is not in the input"), "{stderr}");
    for known in ["crds", "crds/range.yaml"] {
        let (stdout, stderr) = folder.run(&["build", "good.yaml", "--crd", known]).expect(0);
        assert!(stdout.contains("kind: Range\n"), "{stdout}");
        assert!(!stdout.contains("CustomResourceDefinition"), "{stdout}");
        assert_eq!(stderr, "");
        let (_, stderr) = folder.run(&["check", "bad.yaml", "--crd", known]).expect(1);
        assert!(stderr.contains("error[cel-rule-broken]: "), "{stderr}");
        assert!(stderr.contains("low must not be above high"), "{stderr}");
    }
    // A definition that is named twice is known, and not printed.
    let (stdout, _) =
        folder.run(&["build", "crds/range.yaml", "good.yaml", "--crd", "crds"]).expect(0);
    assert!(!stdout.contains("CustomResourceDefinition"), "{stdout}");
}

#[test]
fn known_definitions_are_checked_themselves() {
    let wrong = DEFINITION.replace("self.low <=", "self.lwo <=");
    let folder = Folder::new(&[("good.yaml", GOOD), ("range.yaml", &wrong)]);
    let (_, stderr) = folder.run(&["check", "good.yaml", "--crd", "range.yaml"]).expect(1);
    assert!(stderr.contains("error[cel-rule-invalid]: "), "{stderr}");
    assert!(stderr.contains(" --> range.yaml:"), "{stderr}");
}

#[test]
fn paths_in_the_project_are_relative_to_its_file() {
    let project = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec: {crds: [../crds]}\n";
    let folder = Folder::new(&[
        ("team/sandboxc.yaml", project),
        ("team/bad.yaml", BAD),
        ("crds/range.yaml", DEFINITION),
        (".git/HEAD", "ref: refs/heads/main\n"),
    ]);
    let (_, stderr) = folder.run(&["check", "team"]).expect(1);
    assert!(stderr.contains("error[cel-rule-broken]: "), "{stderr}");
}

#[test]
fn a_missing_definition_file_is_a_usage_error() {
    let folder = Folder::new(&[("good.yaml", GOOD)]);
    let (_, stderr) = folder.run(&["check", "good.yaml", "--crd", "crds"]).expect(2);
    assert!(stderr.contains("`crds`"), "{stderr}");
}

/// A definition of `Widget` whose `spec.size` has this type.
fn widget(size: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: widgets.example.com}}\n\
         spec:\n  group: example.com\n  names: {{kind: Widget, plural: widgets}}\n  scope: Namespaced\n  versions:\n  \
         - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        \
         properties: {{spec: {{type: object, properties: {{size: {{type: {size}}}}}}}}}\n"
    )
}

#[test]
fn a_definition_of_the_input_takes_precedence_over_a_known_one() {
    let object = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {size: 3}\n";
    let folder = Folder::new(&[
        ("input/crd.yaml", &widget("integer")),
        ("input/a.yaml", object),
        ("other.yaml", &widget("string")),
        ("same.yaml", &widget("integer")),
    ]);
    for verb in ["check", "build"] {
        let (_, stderr) = folder.run(&[verb, "input", "--crd", "other.yaml"]).expect(0);
        assert!(stderr.contains("note[definition-ambiguous]"), "{stderr}");
        assert!(stderr.contains("--> input/crd.yaml:3:18"), "{stderr}");
        assert!(!stderr.contains("object-duplicate"), "{stderr}");
        let (_, stderr) = folder.run(&[verb, "input", "--crd", "same.yaml"]).expect(0);
        assert!(!stderr.contains("note["), "{stderr}");
    }
    let (_, stderr) = folder.run(&["check", "input/a.yaml", "--crd", "other.yaml"]).expect(1);
    assert!(stderr.contains("`size` must be a string"), "{stderr}");
}

#[test]
fn a_path_without_what_it_is_named_for_is_an_error() {
    let folder = Folder::new(&[
        ("a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"),
        ("broken.yaml", "kind: CustomResourceDefinition\nspec: {\n"),
        ("known/crd.yaml", &widget("integer")),
        ("known/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n"),
    ]);
    for (option, problem) in [
        ("--crd", "no CustomResourceDefinition in `a.yaml`"),
        ("--policies", "no AdmissionPolicy in `a.yaml`"),
    ] {
        let (stdout, stderr) = folder.run(&["check", "a.yaml", option, "a.yaml"]).expect(2);
        assert!(stdout.is_empty() && stderr.contains(problem), "{stderr}");
    }
    folder.run(&["check", "a.yaml", "--crd", "known"]).expect(0);
    let (_, stderr) = folder.run(&["check", "a.yaml", "--crd", "broken.yaml"]).expect(1);
    assert!(stderr.contains("error[unclosed-bracket]"), "{stderr}");
}
