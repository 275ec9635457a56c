//! The Project of a case: the imported settings, and those that the case adds.

use serde_json::Value;

/// Returns the imported definitions with `own`, a Project, merged over the imported one. A run has
/// only one Project, so users who import into an existing project merge them as well.
pub(super) fn with_project(imported: &str, own: &str) -> String {
    let mut documents: Vec<String> = imported.split("\n---\n").map(str::to_owned).collect();
    let own: Value = serde_yaml::from_str(own).unwrap();
    let read = |text: &str| serde_yaml::from_str::<Value>(text).unwrap();
    let project = documents.iter_mut().find(|it| read(it)["kind"] == "Project");
    let mut merged = project.as_ref().map_or(Value::Null, |it| read(it));
    lay_over(&mut merged, own);
    let text = serde_yaml::to_string(&merged).unwrap();
    match project {
        Some(project) => *project = text,
        None => documents.push(text),
    }
    documents.join("\n---\n")
}

/// Returns the imported definitions without their Project.
pub(super) fn without_project(imported: &str) -> String {
    let read = |text: &str| serde_yaml::from_str::<Value>(text).unwrap();
    let documents = imported.split("\n---\n").filter(|it| read(it)["kind"] != "Project");
    documents.collect::<Vec<_>>().join("\n---\n")
}

fn lay_over(base: &mut Value, over: Value) {
    match (base, over) {
        (Value::Object(base), Value::Object(over)) => {
            for (key, value) in over {
                lay_over(base.entry(key).or_insert(Value::Null), value);
            }
        }
        (base, over) => *base = over,
    }
}

#[test]
fn settings_of_both_sides_are_kept() {
    let imported = "kind: NodePool\n---\nkind: Project\nspec:\n  a: {x: 1}\n";
    let text = with_project(imported, "kind: Project\nspec: {a: {y: 2}}\n");
    assert_eq!(text, "kind: NodePool\n---\nkind: Project\nspec:\n  a:\n    x: 1\n    y: 2\n");
    let text = with_project("kind: NodePool\n", "kind: Project\n");
    assert_eq!(text, "kind: NodePool\n\n---\nkind: Project\n");
}
