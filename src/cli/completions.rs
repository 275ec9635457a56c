//! `completions`: scripts for shells, and the values that the scripts ask for.
//!
//! A script runs `sandboxc completions SHELL -- WORDS`. The answer has the form in which kubectl asks
//! its plugins: a line for each value, with a description after a tab, and a last line `:` with the
//! sum of the directives. The dynamic engine of `clap_complete` is not used: its interface is not
//! stable, it does not complete `--option=value` in bash, and it does not know kubectl.

mod line;
mod project;
mod values;

use std::fmt::Write as _;

use sandboxc::markup::{is_inert_candidate, visible_line};

use super::arguments::{Arguments, Completions, Shell};
use super::failure::Failure;
use super::{Outcome, output};
use line::Line;

/// What can follow.
#[derive(Default, Debug)]
struct Answer {
    /// Values, with a description that can be empty.
    values: Vec<(String, String)>,
    /// Whether more is written after the value, without a space.
    is_open: bool,
    files: Files,
}

/// What a shell offers if there are no values.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Files {
    #[default]
    None,
    Any,
    Directories,
}

pub(crate) fn run(asked: &Completions) -> Result<Outcome, Failure> {
    let words: Vec<_> =
        asked.words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let text = match (words.split_last(), asked.empty) {
        (None, false) => script(asked.shell).to_owned(),
        (_, true) => answer(&words, "").render(),
        (Some((last, before)), false) => answer(before, last).render(),
    };
    output::print(&text)?;
    Ok(Outcome::Clean)
}

fn script(shell: Shell) -> &'static str {
    match shell {
        Shell::Bash => include_str!("completions/sandboxc.bash"),
        Shell::Elvish => include_str!("completions/sandboxc.elv"),
        Shell::Fish => include_str!("completions/sandboxc.fish"),
        Shell::Powershell => include_str!("completions/sandboxc.ps1"),
        Shell::Zsh => include_str!("completions/sandboxc.zsh"),
        Shell::Kubectl => include_str!("completions/kubectl.sh"),
    }
}

fn answer(before: &[String], last: &str) -> Answer {
    let mut command = Arguments::command_of_systems();
    command.build();
    let line = Line::read(&command, before);
    let mut answer = values::of(&line, last);
    answer.values.retain(|value| value.0.starts_with(last));
    answer
}

impl Answer {
    /// Values of the input, each with a description. One that a shell could read as more than a word is
    /// not offered.
    fn of_input(values: impl IntoIterator<Item = (String, String)>) -> Self {
        Self::of(values.into_iter().filter(|it| is_inert_candidate(&it.0)))
    }

    /// Values of the product.
    fn of(values: impl IntoIterator<Item = (String, String)>) -> Self {
        Self { values: values.into_iter().collect(), ..Self::default() }
    }

    fn files(files: Files) -> Self {
        Self { files, ..Self::default() }
    }

    fn render(&self) -> String {
        let mut text = String::new();
        for (value, about) in &self.values {
            let about = about.lines().next().unwrap_or("");
            let tab = if about.is_empty() { "" } else { "\t" };
            let _ = writeln!(text, "{value}{tab}{}", visible_line(about));
        }
        let files = match self.files {
            Files::None => 4,
            Files::Any => 0,
            Files::Directories => 16,
        };
        let _ = writeln!(text, ":{}", files + if self.is_open { 2 } else { 0 });
        text
    }
}
