//! One test a rule, with the name of the rule: `cargo test --test rules NAME`. A case `err_*` raises exactly
//! the findings that it announces, and its output in `docs/rules/<rule>.md` has their messages; a case
//! `ok_*` does not raise the rule. The examples of a page announce nothing: all of their findings are in the
//! output. With `INSTA_UPDATE=always` the outputs are written.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "test code"
)]

#[allow(dead_code, unused_imports, reason = "the suite uses all of it")]
#[path = "support/mod.rs"]
mod support;

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use rayon::prelude::*;
use sandboxc::{Rule, rules};

use support::{Compiled, NOT_REACHED, accepted, of_rule};

fn main() -> ExitCode {
    let wanted = Wanted::read(env::args().skip(1));
    let rules: Vec<_> = rules::all()
        .into_iter()
        .filter(|rule| !NOT_REACHED.contains(&rule.name) && wanted.contains(rule.name))
        .collect();
    if wanted.is_list {
        for rule in &rules {
            println!("{}: test", rule.name);
        }
        return ExitCode::SUCCESS;
    }
    println!("\nrunning {} tests of rules", rules.len());
    let failed: Vec<_> = rules.par_iter().filter(|rule| !passes(rule)).map(|it| it.name).collect();
    let (passed, filtered) = (rules.len() - failed.len(), rules::all().len() - rules.len());
    for name in &failed {
        println!("failed: {name}");
    }
    let result = if failed.is_empty() { "ok" } else { "FAILED" };
    println!(
        "\ntest result: {result}. {passed} passed; {} failed; 0 ignored; 0 measured; {filtered} filtered out\n",
        failed.len()
    );
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Which tests to run, in the arguments of Rust's own tests. Those about the printing are accepted.
#[derive(Default)]
struct Wanted {
    names: Vec<String>,
    skipped: Vec<String>,
    is_exact: bool,
    is_list: bool,
    /// None of them are ignored.
    is_ignored: bool,
}

impl Wanted {
    fn read(mut arguments: impl Iterator<Item = String>) -> Self {
        let mut wanted = Self::default();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--exact" => wanted.is_exact = true,
                "--list" => wanted.is_list = true,
                "--ignored" => wanted.is_ignored = true,
                "--skip" => wanted.skipped.extend(arguments.next()),
                "--test-threads" | "--color" | "--format" | "-Z" | "--logfile" => {
                    arguments.next();
                }
                other if other.starts_with('-') => {}
                _ => wanted.names.push(argument),
            }
        }
        wanted
    }

    fn contains(&self, name: &str) -> bool {
        let is_of = |names: &[String]| {
            names.iter().any(|filter| {
                if self.is_exact { name == filter } else { name.contains(filter.as_str()) }
            })
        };
        !self.is_ignored && (self.names.is_empty() || is_of(&self.names)) && !is_of(&self.skipped)
    }
}

/// Runs the test of a rule, and prints what is wrong at once.
fn passes(rule: &Rule) -> bool {
    let complaints = catch_unwind(AssertUnwindSafe(|| complaints(rule)));
    let complaints = complaints.unwrap_or_else(|_| vec!["panicked".to_owned()]);
    if !complaints.is_empty() {
        println!("test {} ... FAILED\n{}\n", rule.name, complaints.join("\n"));
    }
    complaints.is_empty()
}

fn complaints(rule: &Rule) -> Vec<String> {
    let cases: Vec<_> = of_rule(rule).into_iter().map(Compiled::of).collect();
    let mut complaints: Vec<_> = cases.iter().filter_map(|it| it.complaint(rule)).collect();
    let outputs: Vec<_> = cases.iter().map(|case| (case.fixture.case(), case.output())).collect();
    let (path, test) = (format!("docs/rules/{}.md", rule.name), format!("rules {}", rule.name));
    complaints.extend(accepted::difference(&path, &outputs, &test));
    complaints
}
