//! Options, each with some others, or each other one: no combination of them panics.

use rayon::prelude::*;

use super::{Folder, OBJECT};
use crate::support::sampled;

/// The options of a verb in its help, without those that require a value of their own, and without
/// `--watch`, with which a run does not end.
fn options(folder: &Folder, verb: &str) -> Vec<String> {
    let help = folder.run(&[verb, "--help"]).stdout;
    let mut options = Vec::new();
    let mut name = "";
    for line in help.lines().map(str::trim) {
        if let Some((value, _)) = line.strip_prefix("- ").and_then(|it| it.split_once(':')) {
            options.push(format!("--{name}={value}"));
        }
        let long = line.strip_prefix("--").or_else(|| line.split_once(", --").map(|it| it.1));
        if let Some(long) = long.filter(|_| line.starts_with('-')) {
            name = long.split(' ').next().unwrap();
            if name == long && !["help", "watch"].contains(&name) {
                options.push(format!("--{name}"));
            }
        }
        if let Some(values) = line.strip_prefix("[possible values: ") {
            let values = values.trim_end_matches(']').split(", ").take(2);
            options.extend(values.map(|value| format!("--{name}={value}")));
        }
    }
    options
}

#[test]
fn each_option_is_accepted_or_rejected_with_each_other_one() {
    let pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  x: 1\n  containers: \
               [{name: main, image: 'python:3.13', envFrom: [{secretRef: {name: token}}]}]\n---\n";
    let template = "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\nmetadata: {name: base}\n\
                    spec: {image: 'python:3.13'}\n";
    let folder = Folder::new(&[("a.yaml", &pod.repeat(3)), ("sub/b.yaml", template)]);
    for (verb, least) in [("check", 20), ("build", 20)] {
        let options = options(&folder, verb);
        assert!(options.len() >= least, "{options:?}");
        let others = |at: usize| options.iter().skip(at);
        let pairs = options.iter().enumerate();
        let pairs = pairs.flat_map(|(at, one)| others(at).map(move |other| (one, other)));
        sampled(pairs, 24).into_par_iter().for_each(|(one, other)| {
            let run = folder.run(&[verb, one, other, "a.yaml", "sub"]);
            let is_sound = (0..=2).contains(&run.status) && !run.stderr.contains("panicked");
            assert!(is_sound, "{verb} {one} {other}: {}\n{}", run.status, run.stderr);
        });
    }
}

#[test]
fn the_path_of_a_value_has_as_many_keys_as_a_document_has_levels() {
    let folder = Folder::new(&[("a.yaml", OBJECT)]);
    let check = |keys: usize| {
        folder.run(&["check", "a.yaml", "--set", &format!("{}=1", ["a"].repeat(keys).join("."))])
    };
    check(100).expect(0);
    let (_, stderr) = check(101).expect(1);
    let expected = "error[values-invalid]: path of a value with more than 100 keys\n";
    assert!(stderr.starts_with(expected), "{stderr}");
}
