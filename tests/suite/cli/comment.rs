//! The comment of `action.yml` on a pull request, in repositories that are hostile.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::runner::{Runner, Step};
use super::{Folder, OBJECT};
use crate::support::root;

/// `gh` with a file for each comment in `comments` of the home directory, whose names are the identifiers.
const GH: &str = r#"#!/usr/bin/env bash
set -euo pipefail
[ "$GH_TOKEN" = word ]
[ ! -e .git ]
cd "$HOME"
mkdir -p comments
[ "$1" = api ]
case "$*" in
*--paginate*"repos/o/r/issues/7/comments?per_page=100 --jq .[]"*)
    marker=$* && marker=${marker#*startswith(\"}
    grep -lF "${marker%%\")*}" comments/* | xargs -rn1 basename || true
    ;;
*"--method PATCH repos/o/r/issues/comments/"*) cp "${!#/#body=@/}" comments/"$(basename "$5")" ;;
*"--method POST repos/o/r/issues/7/comments"*) cp "${!#/#body=@/}" comments/"$((100 + $(ls comments | wc -l)))" ;;
*) echo "unknown request: $*" >&2 && exit 1 ;;
esac
"#;

/// The name of the first step.
const BASE: &str = "Find the base of the pull request";

/// Runs `git`, and returns what it prints.
fn git(folder: &Path, arguments: &[&str]) -> String {
    let user =
        ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"];
    let output =
        Command::new("git").args(user).args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// A server with the repository `o/r`, and the runner of a pull request.
struct PullRequest {
    server: Folder,
    runner: Runner,
}

impl PullRequest {
    /// A pull request that changes `a.yaml`, in a branch that others have changed since, as GitHub checks it out: only
    /// the merge of both. The commit of the event is an older one of the branch.
    fn new(changed: &[(&str, &str)]) -> Self {
        let below = OBJECT.replace("web", "below");
        let server = Folder::new(&[("o/r/a.yaml", &object("old")), ("o/r/fake/c.yaml", &below)]);
        let path = server.path().join("o/r");
        git(&path, &["init", "-q"]);
        git(&path, &["config", "uploadpack.allowAnySHA1InWant", "true"]);
        let commit = |message| {
            git(&path, &["add", "."]);
            git(&path, &["commit", "-qm", message]);
            git(&path, &["rev-parse", "HEAD"])
        };
        let base = commit("base");
        git(&path, &["checkout", "-qb", "change"]);
        for (name, text) in changed {
            server.write(&format!("o/r/{name}"), text);
        }
        commit("change");
        git(&path, &["checkout", "-q", "main"]);
        server.write("o/r/b.yaml", &OBJECT.replace("web", "of-others"));
        commit("others");
        git(&path, &["merge", "-q", "--no-ff", "-m", "merge", "change"]);
        let workspace = Folder::new(&[]);
        let address = format!("file://{}", path.display());
        git(workspace.path(), &["clone", "-q", "--depth", "1", &address, "."]);
        let merge = git(workspace.path(), &["rev-parse", "HEAD"]);
        let mut runner = Runner::new(workspace);
        runner.own.program("gh", GH);
        let program = runner.own.path().join("bin/sandboxc");
        runner.set("steps.install.outputs.program", &program.to_string_lossy());
        runner.set("inputs.paths", "a.yaml b.yaml");
        runner.set("github.token", "word");
        runner.set("github.event.pull_request.base.sha", &base);
        runner.set("github.event.pull_request.number", "7");
        let server_url = format!("file://{}", server.path().display());
        runner.environment =
            [("GITHUB_SHA", &*merge), ("GITHUB_SERVER_URL", &server_url)].map(owned).to_vec();
        Self { server, runner }
    }

    /// Runs the three steps, of which the second one has this exit status.
    #[track_caller]
    fn comment(&mut self, status: i32) -> Step {
        let mut last = None;
        for (name, status) in [(BASE, 0), ("Compare", status), ("Comment", 0)] {
            let step = self.runner.run(name);
            assert_eq!(
                (step.status, &*step.commands),
                (status, &[][..]),
                "{name}: {}",
                step.output
            );
            last = Some(step);
            if status != 0 {
                break;
            }
        }
        last.unwrap()
    }

    /// The comments of the pull request.
    fn comments(&self) -> Vec<String> {
        let is_there = self.runner.own.has("home/comments");
        if is_there { self.runner.own.list("home/comments") } else { Vec::new() }
    }

    fn read(&self, comment: &str) -> String {
        self.runner.own.read(&format!("home/comments/{comment}"))
    }
}

fn owned((name, value): (&str, &str)) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

fn object(value: &str) -> String {
    format!("{OBJECT}data: {{key: {value}}}\n")
}

#[test]
fn the_comment_of_a_pull_request_is_updated() {
    let mut pull_request = PullRequest::new(&[("a.yaml", &object("new"))]);
    pull_request.runner.set("inputs.paths", "b.yaml");
    pull_request.comment(0);
    assert_eq!(pull_request.comments(), [""; 0], "no comment without differences");
    pull_request.runner.set("inputs.paths", "a.yaml\nb.yaml");
    pull_request.comment(0);
    let first = pull_request.read("100");
    assert!(first.starts_with("<!-- sandboxc diff ") && first.contains("-old\n+new"), "{first}");
    assert!(!first.contains("of-others"), "{first}");
    // Those with other inputs have a comment of their own.
    pull_request.runner.set("inputs.diff-arguments", "--kubernetes 1.36");
    pull_request.comment(0);
    pull_request.runner.set("inputs.diff-arguments", "");
    pull_request.runner.workspace.write("a.yaml", &format!("{OBJECT}data: {{key: a\n"));
    pull_request.comment(0);
    assert_eq!(pull_request.comments(), ["100", "101"]);
    let second = pull_request.read("100");
    assert!(second.contains("### The objects cannot be compared"), "{second}");
    assert!(second.contains("```text\nerror[unclosed-bracket]"), "{second}");
    // Then the differences are gone again.
    pull_request.runner.workspace.write("a.yaml", &object("old"));
    pull_request.comment(0);
    assert!(pull_request.read("100").contains("### No differences"));
    // A wrong argument fails, and leaves the comments as they are.
    let before = pull_request.read("101");
    pull_request.runner.set("inputs.diff-arguments", "--kubernetes 2");
    let step = pull_request.comment(2);
    assert!(step.output.contains("invalid value '2'"), "{}", step.output);
    assert_eq!((pull_request.read("101"), pull_request.comments().len()), (before, 2));
}

/// A program that leaves a trace.
fn trap(folder: &Folder) -> (PathBuf, String) {
    let trace = folder.path().join("pwned");
    folder.program("trap", &format!("#!/bin/sh\ntouch '{}'\n", trace.display()));
    (trace, folder.path().join("bin/trap").display().to_string())
}

#[test]
fn the_configuration_of_the_repository_runs_nothing() {
    let mut pull_request = PullRequest::new(&[("a.yaml", &object("new"))]);
    let own = Folder::new(&[]);
    let (trace, program) = trap(&own);
    let workspace = pull_request.runner.workspace.path().to_owned();
    for (name, value) in [
        ("core.fsmonitor", &*program),
        ("core.hooksPath", &own.path().join("bin").display().to_string()),
        ("core.sshCommand", &program),
        ("core.pager", &program),
        ("core.alternateRefsCommand", &program),
        ("credential.helper", &program),
        ("diff.external", &program),
        ("protocol.allow", "always"),
        ("protocol.ext.allow", "always"),
        ("remote.origin.url", &format!("ext::{program}")),
        ("remote.origin.uploadpack", &program),
        ("remote.origin.promisor", "true"),
        ("extensions.partialClone", "origin"),
    ] {
        git(&workspace, &["config", name, value]);
    }
    for hook in ["post-checkout", "reference-transaction", "pre-auto-gc", "post-index-change"] {
        own.program(hook, &format!("#!/bin/sh\nexec '{program}'\n"));
    }
    for name in ["GIT_EXTERNAL_DIFF", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_PROXY_COMMAND"] {
        pull_request.runner.environment.push(owned((name, &program)));
    }
    pull_request.runner.environment.push(owned(("GIT_DIR", "/nowhere")));
    pull_request.comment(0);
    assert!(pull_request.read("100").contains("-old\n+new"));
    assert!(!trace.exists());
    // Nor if the commit cannot be had.
    pull_request.runner.set("github.event.pull_request.base.sha", &"1".repeat(40));
    pull_request.runner.environment.retain(|(name, _)| name != "GITHUB_SHA");
    let step = pull_request.runner.run(BASE);
    assert_eq!((step.status, &*step.commands), (2, &["error".to_owned()][..]), "{}", step.output);
    assert!(step.output.contains("set fetch-depth: 0"), "{}", step.output);
    assert!(!trace.exists());
    // Nor does a value that git quotes command the runner.
    git(&workspace, &["config", "core.bare", "a\n::add-mask::a\n"]);
    let step = pull_request.runner.run(BASE);
    assert_eq!((step.status, &*step.commands), (2, &["error".to_owned()][..]), "{}", step.output);
    drop(pull_request.server);
}

#[test]
fn a_folder_with_the_files_of_a_repository_is_not_one() {
    let own = Folder::new(&[]);
    let (trace, program) = trap(&own);
    let config = format!(
        "[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = \"{program}\"\n\thooksPath = {}\n[remote \"origin\"]\n\t\
        url = \"ext::{program}\"\n[protocol \"ext\"]\n\tallow = always\n",
        own.path().join("bin").display()
    );
    let mut pull_request = PullRequest::new(&[
        ("a.yaml", &object("new")),
        ("fake/HEAD", "ref: refs/heads/main\n"),
        ("fake/config", &config),
        ("fake/objects/.keep", ""),
        ("fake/refs/.keep", ""),
        ("fake/d.yaml", &OBJECT.replace("web", "added")),
    ]);
    pull_request.runner.set("inputs.working-directory", "fake");
    pull_request.runner.set("inputs.paths", ".");
    pull_request.comment(0);
    assert!(pull_request.read("100").contains("added"), "{}", pull_request.read("100"));
    assert!(!trace.exists());
}

#[test]
fn what_is_quoted_does_not_end_the_quote() {
    let hostile = "a: [\n```\n# b\n````\n### No differences\n@everyone\n";
    let mut pull_request = PullRequest::new(&[("a.yaml", hostile)]);
    pull_request.comment(0);
    let comment = pull_request.read("100");
    let lines: Vec<_> = comment.lines().collect();
    assert_eq!(lines[1], "### The objects cannot be compared");
    let fence = lines[3].strip_suffix("text").unwrap();
    assert!(fence.len() >= 3 && fence.bytes().all(|it| it == b'`'), "{comment}");
    let ends = lines.iter().skip(4).filter(|line| {
        let line = line.trim();
        line.len() >= fence.len() && line.bytes().all(|it| it == b'`')
    });
    assert_eq!((ends.count(), *lines.last().unwrap()), (1, fence), "{comment}");
}

#[test]
fn a_step_that_reads_the_repository_has_no_token() {
    let action = fs::read_to_string(root().join("action.yml")).unwrap();
    let action: serde_json::Value = serde_yaml::from_str(&action).unwrap();
    let steps = action["runs"]["steps"].as_array().unwrap();
    let has = |step: &serde_json::Value, name: &str| !step["env"][name].is_null();
    let with = |name: &str| steps.iter().filter(|step| has(step, name)).count();
    assert_eq!((with("GH_TOKEN"), with("SANDBOXC")), (2, 2));
    assert!(!steps.iter().any(|step| has(step, "GH_TOKEN") && has(step, "SANDBOXC")));
}
