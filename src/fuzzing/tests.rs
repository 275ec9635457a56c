//! Short runs of each target over its seeds, mutations of the seeds, and every input that has ever
//! failed.

#[path = "../../crates/syntax/src/yaml/mutations.rs"]
pub(crate) mod mutations;
#[path = "../../tests/support/sample.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
pub(crate) mod sample;

use std::fs;
use std::path::{Path, PathBuf};

use super::TARGETS;
use mutations::{Random, fixture_texts};
use sample::portion;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/regressions")
}

/// Runs a target on `runs` seeds, most of them mutated, or on a quarter of them by default. Choose `runs` for
/// about a second of an optimized build.
fn short_run(name: &str, runs: usize) {
    let target = super::target(name).expect("a target");
    let mut random = Random(0x5eed_0009);
    let seeds = seeds(name);
    for round in 0..portion(runs, 4) {
        let seed = &seeds[random.below(seeds.len())];
        if round % 4 == 0 {
            target(seed);
        } else if let Ok(text) = std::str::from_utf8(seed) {
            target(random.mutate(text).as_bytes());
        } else {
            target(&mutated(&mut random, seed));
        }
    }
}

fn seeds(name: &str) -> Vec<Vec<u8>> {
    match name {
        "cel" => {
            let lines = include_str!("../../fixtures/cel/expressions.txt").lines();
            lines.map(|it| it.as_bytes().to_vec()).collect()
        }
        "scalars" => {
            let lines = include_str!("../../fixtures/scalars/kubernetes.tsv").lines();
            let scalars = lines.filter_map(|it| it.split('\t').next());
            scalars.map(|it| [b"\xff", it.as_bytes()].concat()).collect()
        }
        // Every byte of the input is a choice in the grammar, so random bytes are good seeds.
        "cel-grammar" | "expressions-grammar" => {
            let mut random = Random(0x5eed_000a);
            let mut bytes = |length| (0..length).map(|_| byte(&mut random)).collect();
            (0..200).map(|number| bytes(number * 4)).collect()
        }
        "expressions" => fixture_texts()
            .iter()
            .flat_map(|it| it.lines())
            .filter(|it| it.contains("{{") || it.contains("{%"))
            .map(|it| it.as_bytes().to_vec())
            .collect(),
        _ => fixture_texts().into_iter().map(String::into_bytes).collect(),
    }
}

fn mutated(random: &mut Random, seed: &[u8]) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(8) {
        let at = random.below(bytes.len());
        if let Some(byte) = bytes.get_mut(at) {
            *byte = self::byte(random);
        }
    }
    bytes
}

#[test]
fn pipeline_targets_pass_on_mutated_fixtures() {
    short_run("check", 400);
    short_run("build", 400);
    short_run("import", 400);
}

#[test]
fn answers_to_editors_pass_on_mutated_fixtures() {
    short_run("editor", 200);
    short_run("edits", 1_000);
}

#[test]
fn yaml_targets_pass_on_mutated_fixtures() {
    short_run("split", 4_000);
    short_run("readers", 2_000);
    short_run("print", 2_000);
    short_run("scalars", 4_000);
}

#[test]
fn expression_targets_pass_on_mutated_and_generated_input() {
    short_run("cel", 3_000);
    short_run("cel-grammar", 1_000);
    short_run("expressions", 300);
    short_run("expressions-grammar", 600);
}

#[test]
fn targets_pass_on_regressions() {
    let mut count = 0;
    for (name, target) in TARGETS {
        let Ok(entries) = fs::read_dir(folder().join(name)) else { continue };
        let mut paths: Vec<_> = entries.map(|it| it.unwrap().path()).collect();
        paths.sort();
        count += paths.len();
        for path in &paths {
            target(&fs::read(path).unwrap());
        }
    }
    let folders = fs::read_dir(folder()).unwrap().count();
    assert!(
        count >= folders,
        "each folder must be named after a target: {folders} folders, {count} inputs"
    );
}

fn byte(random: &mut Random) -> u8 {
    u8::try_from(random.below(256)).unwrap()
}
