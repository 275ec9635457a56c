//! The words of an unfinished command line.

use clap::{Arg, ArgAction, Command};

/// The words before the one that is completed.
#[derive(Debug)]
pub(super) struct Line<'c> {
    /// The program.
    pub(super) root: &'c Command,
    /// The command that they name.
    pub(super) command: &'c Command,
    /// The options, each with its value, if it has one.
    pub(super) options: Vec<(&'c Arg, Option<String>)>,
    /// The arguments without a name.
    pub(super) positionals: Vec<String>,
    /// The option whose value comes next.
    pub(super) pending: Option<&'c Arg>,
    /// Whether `--` precedes, so that no option follows.
    pub(super) is_escaped: bool,
}

impl<'c> Line<'c> {
    pub(super) fn read(root: &'c Command, words: &[String]) -> Self {
        let (options, positionals) = (Vec::new(), Vec::new());
        let mut line =
            Self { root, command: root, options, positionals, pending: None, is_escaped: false };
        for word in words {
            line.push(word);
        }
        line
    }

    fn push(&mut self, word: &str) {
        if let Some(option) = self.pending.take() {
            self.options.push((option, Some(word.to_owned())));
        } else if self.is_escaped {
            self.positionals.push(word.to_owned());
        } else if word == "--" {
            self.is_escaped = true;
        } else if let Some(long) = word.strip_prefix("--") {
            let (name, value) =
                long.split_once('=').map_or((long, None), |parts| (parts.0, Some(parts.1)));
            if let Some(option) = self.long(name) {
                self.push_option(option, value);
            }
        } else if let Some(short) = word.strip_prefix('-').filter(|it| !it.is_empty()) {
            self.push_short(short);
        } else if let Some(command) = self.subcommand(word) {
            self.command = command;
        } else {
            self.positionals.push(word.to_owned());
        }
    }

    fn push_option(&mut self, option: &'c Arg, value: Option<&str>) {
        if value.is_none() && takes_value(option) {
            self.pending = Some(option);
        } else {
            self.options.push((option, value.map(str::to_owned)));
        }
    }

    /// `-qv`, `-o`, `-oDIR`.
    fn push_short(&mut self, word: &str) {
        for (at, letter) in word.char_indices() {
            let Some(option) = self.arguments().find(|it| it.get_short() == Some(letter)) else {
                return;
            };
            let rest = word.get(at + letter.len_utf8()..).filter(|it| !it.is_empty());
            if takes_value(option) {
                let value = rest.map(|value| value.strip_prefix('=').unwrap_or(value));
                return self.push_option(option, value);
            }
            self.options.push((option, None));
        }
    }

    fn subcommand(&self, word: &str) -> Option<&'c Command> {
        self.command.find_subcommand(word).filter(|_| self.positionals.is_empty())
    }

    fn arguments(&self) -> impl Iterator<Item = &'c Arg> + use<'c> {
        self.command.get_arguments()
    }

    /// The option with a name.
    pub(super) fn long(&self, name: &str) -> Option<&'c Arg> {
        self.arguments().find(|it| it.get_long() == Some(name))
    }

    /// The options that can follow.
    pub(super) fn further_options(&self) -> impl Iterator<Item = &'c Arg> {
        self.arguments().filter(|it| {
            let is_repeatable = matches!(it.get_action(), ArgAction::Append | ArgAction::Count);
            let is_given = self.options.iter().any(|given| given.0.get_id() == it.get_id());
            !it.is_hide_set() && (is_repeatable || !is_given)
        })
    }

    /// The argument without a name that comes next.
    pub(super) fn positional(&self) -> Option<&'c Arg> {
        let all: Vec<_> = self.command.get_positionals().filter(|it| !it.is_last_set()).collect();
        let last = all.last().filter(|argument| matches!(argument.get_action(), ArgAction::Append));
        all.get(self.positionals.len()).or(last).copied()
    }
}

fn takes_value(option: &Arg) -> bool {
    option.get_action().takes_values()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::arguments::Arguments;

    /// The command, the options and the arguments of a line, and the option whose value comes next.
    fn read(line: &str) -> String {
        let mut command = Arguments::command_of_systems();
        command.build();
        let words: Vec<_> = line.split(' ').map(str::to_owned).collect();
        let line = Line::read(&command, &words);
        let option = |(option, value): &(&Arg, Option<String>)| {
            format!("{}={}", option.get_id(), value.as_deref().unwrap_or("-"))
        };
        let options: Vec<_> = line.options.iter().map(option).collect();
        let pending = line.pending.map_or("-", |argument| argument.get_id().as_str());
        let (name, words) = (line.command.get_name(), &line.positionals);
        format!("{name} {} | {} | {pending}", options.join(" "), words.join(" "))
    }

    #[test]
    fn options_have_their_values_and_the_rest_are_arguments() {
        for (line, expected) in [
            ("check --deny", "check  |  | deny"),
            ("check --deny=a b c", "check deny=a | b c | -"),
            ("build -o out -qv d", "build directory=out quiet=- verbose=- | d | -"),
            ("build -oout --output", "build directory=out |  | directory"),
            ("crds collect charts", "collect  | charts | -"),
            ("check -- --deny", "check  | --deny | -"),
            ("check - --unknown x", "check  | - x | -"),
        ] {
            assert_eq!(read(line), expected, "{line}");
        }
    }
}
