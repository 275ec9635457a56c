//! Commands that are known to exit.

use crate::diag::{Message, message};
use crate::source::Span;
use crate::tree::Node;

/// Programs that read commands, and exit at the end of their input.
const INTERPRETERS: &[&str] =
    &["sh", "bash", "ash", "dash", "zsh", "ksh", "python", "python3", "node", "irb", "ipython"];
/// Programs that accept a script with `-c`.
const SHELLS: &[&str] = &["sh", "bash", "ash", "dash", "zsh", "ksh"];
/// Programs that perform one action and exit.
const SHORT: &[&str] = &[
    "cat", "chmod", "chown", "cp", "date", "echo", "env", "false", "hostname", "id", "ls", "mkdir",
    "mv", "printenv", "printf", "pwd", "rm", "touch", "true", "uname", "whoami",
];
/// A longer sleep, in seconds, counts as a long-lived process.
const LONGEST_SHORT_SLEEP: u64 = 300;

/// The node that makes the command of a container exit immediately, and the reason.
pub(super) fn why_it_ends(container: &Node) -> Option<(Span, Message)> {
    let command = container.get("command").filter(|command| !command.items().is_empty())?;
    let args = container.get("args").map_or(&[][..], Node::items);
    let words: Option<Vec<_>> = command.items().iter().chain(args).map(Node::as_str).collect();
    let words = words?;
    let (program, rest) = words.split_first()?;
    let program = base_name(program);
    let reads_input = ["stdin", "tty"]
        .iter()
        .any(|field| container.get(field).and_then(Node::as_bool) == Some(true));
    let why =
        if INTERPRETERS.contains(&program) && rest.iter().all(|option| is_plain_option(option)) {
            (!reads_input)
                .then(|| message!("`{program}` reads commands from an empty standard input"))?
        } else if let (true, ["-c" | "-lc" | "-ec", script]) = (SHELLS.contains(&program), rest) {
            script_ends(script).then(|| "the script starts no long-lived process".into())?
        } else {
            is_short(program, rest.iter().copied())
                .then(|| message!("`{program}` exits after one command"))?
        };
    Some((command.span(), why))
}

fn base_name(program: &str) -> &str {
    program.rsplit_once('/').map_or(program, |(_, name)| name)
}

/// Whether it is an option that names no program to run: `-i`, `-l`, `--login`.
fn is_plain_option(word: &str) -> bool {
    matches!(word, "-i" | "-l" | "-e" | "-u" | "-x" | "--login" | "--interactive")
}

/// Whether a script consists only of short commands. Other commands may keep running.
fn script_ends(script: &str) -> bool {
    let is_compound = script.contains(['|', '$', '`', '(', '{', '<']) || has_lone_ampersand(script);
    let mut commands = script.split([';', '\n', '&']).map(str::trim).filter(|it| !it.is_empty());
    !is_compound
        && !script.trim().is_empty()
        && commands.all(|command| {
            let mut words = command.split_whitespace();
            words.next().is_some_and(|program| is_short(base_name(program), words))
        })
}

fn has_lone_ampersand(script: &str) -> bool {
    script.replace("&&", "").contains('&')
}

fn is_short<'w>(program: &str, mut arguments: impl Iterator<Item = &'w str>) -> bool {
    match program {
        "sleep" => {
            let seconds =
                arguments.next().and_then(|argument| argument.trim_end_matches('s').parse().ok());
            seconds.is_some_and(|number: u64| number <= LONGEST_SHORT_SLEEP)
        }
        // Without a file `cat` copies its input; `env` can run a program.
        "cat" => arguments.next().is_some(),
        "env" => arguments.next().is_none(),
        _ => SHORT.contains(&program),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Workspace;
    use crate::tree::Origin;

    fn ends(container: serde_json::Value) -> bool {
        let span = Span::new(Workspace::new().add("x.yaml", ""), 0, 0);
        why_it_ends(&Node::from_json(container, Origin::source(span))).is_some()
    }

    #[test]
    fn knows_commands_that_end() {
        use serde_json::json;
        assert!(ends(json!({"command": ["echo", "hello"]})));
        assert!(ends(json!({"command": ["/bin/bash"]})));
        assert!(ends(json!({"command": ["python3"], "args": ["-i"]})));
        assert!(ends(json!({"command": ["sh", "-c", "mkdir -p /work && echo ready"]})));
        assert!(ends(json!({"command": ["sh", "-c"], "args": ["echo a; sleep 5"]})));
        assert!(ends(json!({"command": ["sleep", "30"]})));
    }

    #[test]
    fn accepts_commands_that_run_forever() {
        use serde_json::json;
        assert!(!ends(json!({})));
        assert!(!ends(json!({"args": ["echo"]})));
        assert!(!ends(json!({"command": ["bash"], "stdin": true})));
        assert!(!ends(json!({"command": ["bash"], "tty": true})));
        assert!(!ends(json!({"command": ["python", "server.py"]})));
        assert!(!ends(json!({"command": ["sleep", "infinity"]})));
        assert!(!ends(json!({"command": ["sleep", "3600"]})));
        assert!(!ends(json!({"command": ["sh", "-c", "echo hi; exec server"]})));
        assert!(!ends(json!({"command": ["sh", "-c", "echo hi | server"]})));
        assert!(!ends(json!({"command": ["sh", "-c", "echo hi & server"]})));
        assert!(!ends(json!({"command": ["sh", "-c", "while true; do sleep 1; done"]})));
        assert!(!ends(json!({"command": ["sh", "-c", ""]})));
        assert!(!ends(json!({"command": ["env", "A=b", "server"]})));
        assert!(!ends(json!({"command": ["cat"]})));
    }
}
