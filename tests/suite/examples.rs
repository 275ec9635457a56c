//! Runs each program of `examples/` on its own input.

#[path = "../../examples/check.rs"]
#[allow(dead_code, reason = "`main` is for the program")]
mod check;
#[path = "../../examples/compile.rs"]
#[allow(dead_code, reason = "`main` is for the program")]
mod compile;
#[path = "../../examples/render.rs"]
#[allow(dead_code, reason = "`main` is for the program")]
mod render;
#[path = "../../examples/split.rs"]
#[allow(dead_code, reason = "`main` is for the program")]
mod split;
#[path = "../../examples/walk.rs"]
#[allow(dead_code, reason = "`main` is for the program")]
mod walk;

use std::fs;

use crate::support::root;

fn example(path: &str) -> String {
    fs::read_to_string(root().join("examples").join(path)).unwrap()
}

#[test]
fn compile_prints_objects_or_findings() {
    let objects = compile::compiled("dev-box.yaml", &example("quickstart/dev-box.yaml"));
    let kinds: Vec<_> = objects.lines().filter(|line| line.starts_with("kind: ")).collect();
    assert_eq!(kinds, ["kind: NetworkPolicy", "kind: Sandbox"]);
    let findings = compile::compiled("pool.yaml", &example("mistakes/pool.yaml"));
    assert!(findings.starts_with("error[quantity-invalid]"), "{findings}");
}

#[test]
fn check_prints_a_line_per_finding() {
    let findings = check::checked("pool.yaml", &example("mistakes/pool.yaml"));
    let places: Vec<_> = findings.iter().filter_map(|line| line.split(": ").next()).collect();
    assert_eq!(places, ["pool.yaml:6:32", "pool.yaml:11:18", "pool.yaml:11:26"]);
    assert!(findings.iter().any(|line| line.contains("error[unknown-field]")), "{findings:?}");
    assert_eq!(check::checked("dev-box.yaml", &example("quickstart/dev-box.yaml")), [""; 0]);
}

#[test]
fn split_names_the_documents() {
    assert_eq!(
        split::names(&example("quickstart/dev-box.yaml")),
        ["Sandbox/dev-box", "NetworkPolicy/dev-box"]
    );
}

#[test]
fn walk_lists_the_images() {
    assert_eq!(
        walk::images(&example("quickstart/dev-box.yaml")),
        ["Sandbox/dev-box: ghcr.io/acme/dev-box:2026.11"]
    );
}

#[test]
fn render_writes_text_and_machine_formats() {
    let [people, programs] = render::rendered("pool.yaml", &example("mistakes/pool.yaml"));
    assert!(people.contains("--> pool.yaml:6:32"), "{people}");
    let report: serde_json::Value = serde_json::from_str(&programs).unwrap();
    assert_eq!(report["summary"]["errors"], 3);
}
