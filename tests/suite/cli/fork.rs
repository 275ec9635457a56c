//! The comment on a pull request from a fork: `integrations/github/fork`, whose content the fork decides.

use std::os::unix::fs::symlink;

use super::Folder;
use super::runner::Runner;
use crate::support::root;

/// `gh` with the pull requests of a server: those of `stranger:change` have two commits. It keeps the request and the
/// comment.
const GH: &str = r#"#!/usr/bin/env bash
set -euo pipefail
[ "$GH_TOKEN" = word ]
case "$*" in
"api --method GET repos/o/r/pulls --raw-field state=open --raw-field head=stranger:"*)
    printf '%s\n' "$*" >"$HOME/request"
    case "$*" in *'"1111111111111111111111111111111111111111"'*) echo 7 ;; esac
    ;;
*--paginate*) ;;
*"--method POST repos/o/r/issues/7/comments"*) cp "${!#/#body=@/}" "$HOME/comment" ;;
*) echo "unknown request: $*" >&2 && exit 1 ;;
esac
"#;

fn runner(text: &str) -> Runner {
    let mut runner = Runner::new(Folder::new(&[]));
    runner.own.program("gh", GH);
    runner.own.write("temp/comment/comment", text);
    runner.action = root().join("integrations/github/fork");
    let file = runner.own.path().join("temp/comment/comment");
    runner.set("inputs.file", &file.to_string_lossy());
    runner.set("github.token", "word");
    for (name, value) in [
        ("workflow_id", "12"),
        ("head_repository.owner.login", "stranger"),
        ("head_branch", "change"),
        ("head_sha", &"1".repeat(40)),
    ] {
        runner.set(&format!("github.event.workflow_run.{name}"), value);
    }
    runner
}

#[test]
fn the_text_of_a_fork_is_a_quote() {
    let text = "<!-- sandboxc diff 1-2 -->\n### Merge me\n@o/team ![](https://example.com/x) <b>\n```\n~~~\n`````\n\
        </details>\n\u{1b}[31m\r\n";
    let mut runner = runner(text);
    for name in ["Quote", "Find the pull request", "Comment"] {
        let step = runner.run(name);
        assert_eq!((step.status, &*step.commands), (0, &[][..]), "{name}: {}", step.output);
    }
    let comment = runner.own.read("home/comment");
    let expected = "<!-- sandboxc diff 12 -->\n### sandboxc\n\nThe workflow of this pull request reports, as text:\n\n\
        ``````text\n### Merge me\n@o/team ![](https://example.com/x) <b>\n```\n~~~\n`````\n</details>\n[31m\n\n``````\n";
    assert_eq!(comment, expected);
}

#[test]
fn a_fork_does_not_choose_the_pull_request_or_the_file() {
    let find = "Find the pull request";
    let mut runner = runner("a");
    // The name of a branch is a value of the request, and nothing else.
    let branch = "a&head=b $(touch pwned)\n::add-mask::a";
    runner.set("github.event.workflow_run.head_branch", branch);
    let step = runner.run(find);
    assert_eq!((step.status, step.commands), (0, Vec::new()), "{}", step.output);
    let request = runner.own.read("home/request");
    assert!(request.contains(&format!("--raw-field head=stranger:{branch} --jq")), "{request}");
    for commit in ["2".repeat(40), "\") | 8, (\"".to_owned(), String::new()] {
        runner.set("github.event.workflow_run.head_sha", &commit);
        let step = runner.run(find);
        assert_eq!(
            (step.status, &*step.commands),
            (2, &["error".to_owned()][..]),
            "{}",
            step.output
        );
    }
    // A link, which an archive could contain.
    let outside = runner.own.path().join("home/secret");
    runner.own.write("home/secret", "word");
    let link = runner.own.path().join("temp/link");
    symlink(&outside, &link).unwrap();
    for file in [link.to_string_lossy().into_owned(), "nowhere".to_owned(), "/dev/zero".to_owned()]
    {
        runner.set("inputs.file", &file);
        let step = runner.run("Quote");
        assert_eq!(
            (step.status, &*step.commands),
            (2, &["error".to_owned()][..]),
            "{}",
            step.output
        );
    }
    // A long text is cut.
    let long = runner.own.path().join("temp/long");
    std::fs::write(&long, "`".repeat(200_000)).unwrap();
    runner.set("inputs.file", &long.to_string_lossy());
    let step = runner.run("Quote");
    assert_eq!(step.status, 0, "{}", step.output);
    let comment = std::fs::read(&runner.values["steps.quote.outputs.comment"]).unwrap();
    assert!((60_000..65_536).contains(&comment.len()), "{}", comment.len());
}
