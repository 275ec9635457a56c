//! A runner of GitHub Actions: it runs the steps of `action.yml`, and obeys what they print.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::Folder;
use crate::support::{binary, root};

/// A workspace, and a folder with the programs and files of the runner.
pub(super) struct Runner {
    pub(super) workspace: Folder,
    pub(super) own: Folder,
    /// The folder of the action.
    pub(super) action: PathBuf,
    /// Further variables of the environment.
    pub(super) environment: Vec<(String, String)>,
    /// The values of expressions, such as `github.event.pull_request.number`.
    pub(super) values: BTreeMap<String, String>,
}

/// What a step has done.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) status: i32,
    pub(super) output: String,
    /// The names of the commands that the runner has obeyed.
    pub(super) commands: Vec<String>,
    /// What the step has added to the summary.
    pub(super) summary: String,
}

impl Runner {
    pub(super) fn new(workspace: Folder) -> Self {
        let own = Folder::new(&[("temp/.keep", ""), ("home/.keep", "")]);
        own.program("sandboxc", &format!("#!/bin/sh\nexec '{}' \"$@\"\n", binary().display()));
        let values = BTreeMap::new();
        Self { workspace, own, action: root().to_owned(), environment: Vec::new(), values }
    }

    /// Sets an input of the action, or another value of an expression.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        self.values.insert(name.to_owned(), value.to_owned());
    }

    /// Runs the step with this name.
    pub(super) fn run(&mut self, name: &str) -> Step {
        let definition = fs::read_to_string(self.action.join("action.yml")).unwrap();
        let definition: Value = serde_yaml::from_str(&definition).unwrap();
        let steps = definition["runs"]["steps"].as_array().unwrap();
        let step = steps.iter().find(|step| step["name"] == name).unwrap();
        assert_eq!(step["shell"], "bash");
        assert!(step["working-directory"].is_null(), "the scripts check it: {step}");
        let script = step["run"].as_str().unwrap();
        assert!(!script.contains("${{"), "{script}");
        self.own.write("step.sh", script);
        for file in ["output", "summary"] {
            self.own.write(file, "");
        }
        let path = |name: &str| self.own.path().join(name);
        let programs = format!("{}:{}", path("bin").display(), env::var("PATH").unwrap());
        let mut command = Command::new("bash");
        command
            .args(["--noprofile", "--norc", "-e", "-o", "pipefail"])
            .arg(path("step.sh"))
            .current_dir(self.workspace.path())
            .env_clear()
            .env("PATH", programs)
            .env("HOME", path("home"))
            .env("RUNNER_TEMP", path("temp"))
            .env("TMPDIR", path("temp"))
            .env("GITHUB_ACTION_PATH", &self.action)
            .env("GITHUB_WORKSPACE", self.workspace.path())
            .env("GITHUB_REPOSITORY", "o/r")
            .env("GITHUB_OUTPUT", path("output"))
            .env("GITHUB_STEP_SUMMARY", path("summary"))
            .envs(self.environment.iter().cloned());
        for (name, value) in step["env"].as_object().into_iter().flatten() {
            command.env(name, self.evaluate(value.as_str().unwrap(), &definition["inputs"]));
        }
        let output = command.output().unwrap();
        let [stdout, stderr] =
            [output.stdout, output.stderr].map(|it| String::from_utf8_lossy(&it).into_owned());
        // The runner reads both at the same time, so that commands of one do not protect the other.
        let mut commands = obeyed(&stdout);
        commands.extend(obeyed(&stderr));
        if let Some(id) = step["id"].as_str() {
            for line in self.own.read("output").lines() {
                let (name, value) = line.split_once('=').unwrap();
                self.set(&format!("steps.{id}.outputs.{name}"), value);
            }
        }
        let summary = self.own.read("summary");
        let status = output.status.code().unwrap();
        Step { status, output: stdout + &stderr, commands, summary }
    }

    /// The value of an expression such as `${{ inputs.paths }}`.
    fn evaluate(&self, expression: &str, inputs: &Value) -> String {
        let inner = expression.strip_prefix("${{ ").and_then(|it| it.strip_suffix(" }}"));
        let name = inner.unwrap_or_else(|| panic!("{expression}"));
        let default = || {
            let input = name.strip_prefix("inputs.")?;
            Some(inputs[input]["default"].as_str().unwrap().to_owned())
        };
        self.values.get(name).cloned().or_else(default).unwrap_or_default()
    }
}

/// The commands in what a step prints, as the runner finds them: `::name::` at the start of a line, after any spaces,
/// or `##[name]` anywhere in it. A carriage return also ends a line.
fn obeyed(output: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut stopped: Option<String> = None;
    for line in output.split(['\n', '\r']) {
        let Some((name, data)) = command(line) else { continue };
        match &stopped {
            Some(token) if *token == name => stopped = None,
            Some(_) => {}
            None if name == "stop-commands" => stopped = Some(data),
            None => commands.push(name),
        }
    }
    assert_eq!(stopped, None, "commands are stopped for the next step: {output}");
    commands
}

/// The name and the data of a command in a line.
fn command(line: &str) -> Option<(String, String)> {
    let (head, data) = match line.trim_start().strip_prefix("::") {
        Some(rest) => rest.split_once("::")?,
        None => line.split_once("##[")?.1.split_once(']')?,
    };
    let name = head.split(' ').next()?;
    Some((name.to_owned(), data.to_owned()))
}

impl Folder {
    /// Writes a program to `bin`, a directory of the path.
    pub(super) fn program(&self, name: &str, text: &str) {
        self.write(&format!("bin/{name}"), text);
        let path = self.path().join("bin").join(name);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Whether there is a file or a link.
    pub(super) fn has(&self, name: impl AsRef<Path>) -> bool {
        self.path().join(name).symlink_metadata().is_ok()
    }
}

#[test]
fn a_runner_finds_commands_everywhere() {
    assert_eq!(obeyed("a ::error::b\n \t::error file=a::b\r::notice::"), ["error", "notice"]);
    assert_eq!(obeyed("a ##[add-matcher]/x\n"), ["add-matcher"]);
    assert_eq!(obeyed("::stop-commands::t\n::error::\n::t::\n::warning::"), ["warning"]);
}
