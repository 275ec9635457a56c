//! Run-time behavior of the objects of kelos: runs the scripts of init containers with a real shell
//! and git, and checks the limits of Linux and the API server.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use sandboxc::{Options, Workspace, compile, emit_stream};
use serde_json::{Value, json};

use crate::cli::Folder;
use crate::unpacked::unpacked;

/// The objects, and the rules of the findings that are errors.
fn build(documents: &[Value]) -> (Vec<Value>, Vec<&'static str>) {
    let mut workspace = Workspace::new();
    let text: Vec<_> = documents.iter().map(|it| serde_yaml::to_string(it).unwrap()).collect();
    workspace.add("a.yaml", text.join("\n---\n"));
    let made = compile(&workspace, &Options::default());
    let errors = made.diagnostics.iter().filter(|it| it.severity == sandboxc::Severity::Error);
    let rules = errors.map(|it| it.rule.name).collect();
    let text = emit_stream(&made.objects);
    let objects = text.split("\n---\n").filter(|it| !it.trim().is_empty());
    (objects.map(|it| serde_yaml::from_str(it).unwrap()).collect(), rules)
}

fn task(fields: Value) -> Value {
    let mut spec = json!({
        "agent": "claude-code",
        "credentials": {"type": "none"},
        "prompt": "Fix the tests.",
        "security": "baseline",
    });
    let Value::Object(fields) = fields else { panic!("{fields}") };
    spec.as_object_mut().unwrap().extend(fields);
    let metadata = json!({"name": "fix"});
    json!({"apiVersion": "sandboxc.dev/v1alpha1", "kind": "Task", "metadata": metadata, "spec": spec})
}

#[test]
fn tasks_copy_a_limited_number_of_values() {
    let text = "x".repeat(20_000 * 64);
    let document = |version: &str, kind: &str, name: String, spec: &Value| {
        let metadata = json!({"name": name});
        json!({"apiVersion": version, "kind": kind, "metadata": metadata, "spec": spec})
    };
    let of_tasks = |version: &str, config: Value, task: Value| {
        let tasks = (0..1_501).map(|it| document(version, "Task", format!("t{it}"), &task));
        let config = document(version, "AgentConfig", "c".to_owned(), &config);
        std::iter::once(config).chain(tasks).collect::<Vec<_>>()
    };
    let (ours, theirs) = ("sandboxc.dev/v1alpha1", "kelos.dev/v1alpha2");
    let settings = json!({"kelos": {"target": "resources"}});
    let none = json!({"type": "none"});
    let task = json!({"agent": "codex", "credentials": none, "prompt": "a", "agentConfigs": ["c"]});
    let mut documents = of_tasks(ours, json!({"agentsMD": text}), task);
    documents.push(document(ours, "Project", "p".to_owned(), &settings));
    assert_eq!(build(&documents).1, ["too-much-work"]);

    let worker = json!({"type": "codex", "credentials": none, "agentConfigRefs": [{"name": "c"}]});
    let task = json!({"worker": worker, "prompt": "a"});
    let documents = of_tasks(theirs, json!({"agentsMD": text}), task);
    assert_eq!(build(&documents).1, ["too-much-work"]);
}

#[test]
fn a_name_that_is_too_long_is_the_only_mistake() {
    let mut task = task(json!({}));
    task["metadata"]["name"] = json!("a".repeat(64));
    assert_eq!(build(&[task]).1, ["name-invalid"]);
}

/// A node whose file system is a directory. The programs in `bin` take precedence.
struct Machine {
    folder: Folder,
    containers: Vec<Value>,
    data: Value,
}

/// The directories of a Pod that the scripts use.
const PATHS: [&str; 4] =
    ["/workspace", "/kelos-plugin-src", "/kelos/", "/tmp/kelos-skills-askpass"];

impl Machine {
    fn of(fields: Value) -> Self {
        let (objects, errors) = build(&[task(fields)]);
        // Ignore Secrets that are not in the input.
        assert!(errors.iter().all(|it| *it == "secret-not-found"), "{errors:?}");
        let of_kind = |kind| objects.iter().find(|it| it["kind"] == kind).cloned();
        let spec = of_kind("Job").unwrap()["spec"]["template"]["spec"].clone();
        let containers = spec["initContainers"].as_array().unwrap().clone();
        let data = of_kind("ConfigMap").map_or(Value::Null, |it| it["data"].clone());
        let folder = Folder::new(&[]);
        for path in ["workspace", "kelos/plugin", "kelos/github-token", "tmp", "bin"] {
            fs::create_dir_all(folder.path().join(path)).unwrap();
        }
        Self { folder, containers, data }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path.trim_start_matches('/'))
    }

    /// Adds a program of the image.
    fn program(&self, name: &str, script: &str) {
        let path = self.path("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn here(&self, text: &str) -> String {
        let root = self.path("").display().to_string();
        let root = root.trim_end_matches('/');
        PATHS
            .iter()
            .fold(text.to_owned(), |text, path| text.replace(path, &format!("{root}{path}")))
    }

    /// Runs an init container as the kubelet does.
    fn run(&self, name: &str) -> Output {
        let container = self.containers.iter().find(|it| it["name"] == name).unwrap();
        let list = |key: &str| container[key].as_array().cloned().unwrap_or_default();
        let variables: Vec<_> = list("env")
            .iter()
            .map(|it| {
                let value = it["value"].as_str().map_or("t0ken".to_owned(), expanded);
                (it["name"].as_str().unwrap().to_owned(), self.here(&value))
            })
            .collect();
        let word = |it: &Value| self.here(&expanded(it.as_str().unwrap()));
        let command: Vec<_> = list("command").iter().map(word).collect();
        // The entrypoint of the image.
        let command = if command.is_empty() { vec!["git".to_owned()] } else { command };
        let path = format!("{}:{}", self.path("bin").display(), std::env::var("PATH").unwrap());
        let origin = format!("url.file://{}.insteadOf", self.path("origin").display());
        let mut process = Command::new(&command[0]);
        process.args(&command[1..]).args(list("args").iter().map(word)).current_dir(self.path(""));
        process.env_clear().env("PATH", path).env("HOME", self.path("tmp"));
        process.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_COUNT", "1");
        process.env("GIT_CONFIG_KEY_0", origin);
        process.env("GIT_CONFIG_VALUE_0", "https://github.com/acme/shop.git");
        process.envs(variables).output().unwrap()
    }

    fn run_well(&self, name: &str) {
        let output = self.run(name);
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Returns the output of git in a directory.
    fn git(&self, folder: &str, args: &[&str]) -> String {
        let output = Command::new("git")
            .args(["-C", self.path(folder).to_str().unwrap()])
            .args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"])
            .args(args)
            .env("HOME", self.path("tmp"))
            .output()
            .unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }

    /// Creates the repository of the workspace, with these branches in addition to `main`.
    fn origin(&self, branches: &[&str]) {
        fs::create_dir(self.path("origin")).unwrap();
        self.git("origin", &["init", "--quiet"]);
        fs::write(self.path("origin/README"), "main").unwrap();
        self.git("origin", &["add", "."]);
        self.git("origin", &["commit", "--quiet", "-m", "first"]);
        for branch in branches {
            self.git("origin", &["checkout", "--quiet", "-b", branch]);
            fs::write(self.path("origin/README"), branch).unwrap();
            self.git("origin", &["commit", "--quiet", "-am", "next"]);
            self.git("origin", &["checkout", "--quiet", "main"]);
        }
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|fault| panic!("{path}: {fault}"))
    }
}

/// A value as the kubelet expands it for a container without any of the variables that it refers
/// to.
fn expanded(text: &str) -> String {
    text.replace("$$", "$")
}

const REPO: &str = "https://github.com/acme/shop.git";
/// A name that git accepts and an unquoted shell script would execute.
const HOSTILE_BRANCH: &str = "fix/it's-\"$(touch${IFS}pwned)\"`id`;$HOME&";

#[test]
fn a_workspace_is_prepared_whatever_its_files_contain() {
    let files = [
        ("a b/c'd.txt", "it's \"$(id)\" `x` \\n $$ ${HOME}\n"),
        ("$HOME/-rf", ""),
        ("-dash", "no line end"),
        ("two\nlines", "\u{fc}\n\n"),
        ("*/?.md", "'"),
    ];
    let remotes = [
        ("upstream", "https://github.com/up/stream.git"),
        ("it's", "https://example.com/a'b/$(touch pwned) c"),
        ("$HOME", "https://example.com/`id`"),
    ];
    let machine = Machine::of(json!({
        "branch": HOSTILE_BRANCH,
        "workspace": {
            "repo": REPO,
            "ref": "main",
            "remotes": remotes.map(|(name, url)| json!({"name": name, "url": url})),
            "files": files.map(|(path, content)| json!({"path": path, "content": content})),
        },
    }));
    machine.origin(&[]);
    for container in ["git-clone", "remote-setup", "branch-setup", "workspace-files"] {
        machine.run_well(container);
    }
    for (name, url) in remotes {
        assert_eq!(machine.git("workspace/repo", &["config", &format!("remote.{name}.url")]), url);
    }
    let branch = machine.git("workspace/repo", &["branch", "--show-current"]);
    assert_eq!(branch, HOSTILE_BRANCH);
    for (path, content) in files {
        assert_eq!(machine.read(&format!("workspace/repo/{path}")), content, "{path}");
    }
    assert_eq!(machine.read("workspace/repo/README"), "main");
    for folder in ["", "workspace", "workspace/repo"] {
        assert!(!machine.path(folder).join("pwned").exists(), "{folder}");
    }
    // A restarted container finds its own results.
    machine.run_well("remote-setup");
    machine.run_well("branch-setup");
    machine.run_well("workspace-files");
}

#[test]
fn a_branch_of_the_remote_is_checked_out() {
    for secret in [json!({}), json!({"secretRef": {"name": "github"}})] {
        let mut workspace = json!({"repo": REPO});
        workspace.as_object_mut().unwrap().extend(secret.as_object().unwrap().clone());
        let machine = Machine::of(json!({"branch": HOSTILE_BRANCH, "workspace": workspace}));
        machine.origin(&[HOSTILE_BRANCH]);
        machine.run_well("git-clone");
        machine.run_well("branch-setup");
        assert_eq!(machine.read("workspace/repo/README"), HOSTILE_BRANCH);
        // The remote has new commits when the container restarts.
        machine.git("origin", &["checkout", "--quiet", HOSTILE_BRANCH]);
        fs::write(machine.path("origin/README"), "newer").unwrap();
        machine.git("origin", &["commit", "--quiet", "-am", "newer"]);
        machine.run_well("branch-setup");
        assert_eq!(machine.read("workspace/repo/README"), "newer");
    }
}

#[test]
fn checking_out_a_branch_fails_if_the_remote_is_unreadable() {
    let machine = Machine::of(json!({"branch": "fix", "workspace": {"repo": REPO}}));
    machine.origin(&[]);
    machine.run_well("git-clone");
    fs::rename(machine.path("origin"), machine.path("gone")).unwrap();
    assert!(!machine.run("branch-setup").status.success());
}

#[test]
fn a_commit_is_checked_out_detached() {
    for has_token in [false, true] {
        let workspace = |commit: &str| {
            let mut workspace = json!({"repo": REPO, "ref": commit});
            if has_token {
                workspace["secretRef"] = json!({"name": "github"});
            }
            json!({"workspace": workspace})
        };
        // The commit is known only after there is a repository.
        let machine = Machine::of(workspace(&"a".repeat(40)));
        machine.origin(&["other"]);
        let commit = machine.git("origin", &["rev-parse", "other"]);
        let machine = Machine { containers: Machine::of(workspace(&commit)).containers, ..machine };
        machine.run_well("git-clone");
        assert_eq!(machine.git("workspace/repo", &["rev-parse", "HEAD"]), commit);
        assert_eq!(machine.git("workspace/repo", &["branch", "--show-current"]), "");
    }
}

#[test]
fn git_finds_the_token_and_reads_a_renewed_one() {
    let workspace = json!({"repo": REPO, "secretRef": {"name": "github"}});
    let machine = Machine::of(json!({"workspace": workspace}));
    machine.origin(&[]);
    machine.run_well("git-clone");
    let ask = || {
        let script = "printf 'protocol=https\\nhost=example.com\\n\\n' | git credential fill";
        let output = Command::new("sh")
            .args(["-c", script])
            .current_dir(machine.path("workspace/repo"))
            .env("HOME", machine.path("tmp"))
            .env("GITHUB_TOKEN", "of-the-variable")
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(ask().contains("username=x-access-token\npassword=of-the-variable\n"), "{}", ask());
    for token in ["first", "it's $(id) renewed"] {
        fs::write(machine.path("kelos/github-token/GITHUB_TOKEN"), token).unwrap();
        assert!(ask().contains(&format!("password={token}\n")), "{}", ask());
    }
}

/// The mount of a ConfigMap, as created by the kubelet: links into a directory that is replaced as
/// a whole.
fn mount_config_map(machine: &Machine, items: &[(&str, &str)]) {
    let folder = machine.path("kelos-plugin-src");
    for (key, path) in items {
        let file = folder.join("..2026_11_22").join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, machine.data[*key].as_str().unwrap()).unwrap();
        let top = path.split('/').next().unwrap();
        let _ = symlink(Path::new("..data").join(top), folder.join(top));
    }
    symlink("..2026_11_22", folder.join("..data")).unwrap();
}

#[test]
fn plugins_are_copied_from_their_config_map() {
    let skill = |name: &str, content: &str| json!({"name": name, "content": content});
    let machine = Machine::of(json!({"agentConfigs": [{"plugins": [
        {"name": "team tools", "skills": [skill("it's", "$(id)\n")], "agents": [skill("-rf", "x")]},
        {"name": ".hidden", "skills": [skill("a", "b")]},
    ]}]}));
    mount_config_map(
        &machine,
        &[
            ("p0-s0", "team tools/skills/it's/SKILL.md"),
            ("p0-a0", "team tools/agents/-rf.md"),
            ("p1-s0", ".hidden/skills/a/SKILL.md"),
        ],
    );
    machine.run_well("plugin-setup");
    assert_eq!(machine.read("kelos/plugin/team tools/skills/it's/SKILL.md"), "$(id)\n");
    assert_eq!(machine.read("kelos/plugin/team tools/agents/-rf.md"), "x");
    assert_eq!(machine.read("kelos/plugin/.hidden/skills/a/SKILL.md"), "b");
    let copied = fs::read_dir(machine.path("kelos/plugin")).unwrap().count();
    assert_eq!(copied, 2, "the entries of the kubelet are not copied");
    let kind = fs::symlink_metadata(machine.path("kelos/plugin/team tools")).unwrap();
    assert!(kind.is_dir(), "a link would break when the kubelet replaces its target");
}

#[test]
fn skills_are_installed_with_their_own_arguments_and_tokens() {
    let machine = Machine::of(json!({"agentConfigs": [{"skills": [
        {"source": "acme/skills"},
        {"source": "it's/`id`", "skill": "$(touch pwned) x", "secretRef": {"name": "a"}},
        {"source": "https://ghe.acme.dev/o/r", "secretRef": {"name": "b"}},
    ]}]}));
    machine.program("apk", "");
    machine.program("chown", "echo \"chown $*\" >>log");
    machine.program(
        "npx",
        "for word; do printf '<%s>' \"$word\"; done >>log
         printf '|%s|%s|%s|' \"${GITHUB_TOKEN-}\" \"${GH_TOKEN-}\" \"${GH_HOST-}\" >>log
         test -z \"${GIT_ASKPASS-}\" || echo \"$($GIT_ASKPASS 'Username for x')/$($GIT_ASKPASS Password)\" >>log
         test -n \"${GIT_ASKPASS-}\" || echo >>log
         mkdir -p \"$HOME/.agents/skills/one\" \"$HOME/.npm\"",
    );
    machine.run_well("skills-install");
    let plugin = machine.path("kelos/plugin").display().to_string();
    assert_eq!(
        machine.read("log"),
        format!(
            "<-y><skills><add><acme/skills><-a><universal><-y><-g>||||\n\
             <-y><skills><add><it's/`id`><-a><universal><-y><-g><-s><$(touch pwned) x>|t0ken|t0ken||x-access-token/t0ken\n\
             <-y><skills><add><https://ghe.acme.dev/o/r><-a><universal><-y><-g>|t0ken||ghe.acme.dev|x-access-token/t0ken\n\
             chown -R 61100:61100 {plugin}\n"
        )
    );
    assert!(machine.path("kelos/plugin/skills-sh/skills/one").is_dir());
    assert!(!machine.path("kelos/plugin/.npm").exists() && !machine.path("pwned").exists());

    machine.program("npx", "");
    let output = machine.run("skills-install");
    assert!(!output.status.success());
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("No skills.sh skills were installed"), "{message}");
}

#[test]
fn what_linux_cannot_start_is_reported_at_its_limit() {
    let longest = 131_071;
    for (bytes, errors) in [(longest, vec![]), (longest + 1, vec!["argument-too-long"])] {
        let text = |taken: usize| "x".repeat(bytes - taken);
        assert_eq!(build(&[task(json!({"prompt": text(0)}))]).1, errors);
        // The kubelet halves the dollar signs.
        let dollars = "$".repeat(10) + &text(10);
        assert_eq!(build(&[task(json!({"prompt": dollars}))]).1, errors);
        let taken = "KELOS_AGENTS_MD=".len();
        let config = json!({"agentConfigs": [{"agentsMD": text(taken)}]});
        assert_eq!(build(&[task(config)]).1, errors);
    }
}

#[test]
fn plugins_are_limited_to_the_size_of_a_config_map() {
    let largest = 900 * 1024;
    for (bytes, errors) in [(largest, vec![]), (largest + 1, vec!["plugins-too-large"])] {
        let content = |bytes: usize| json!({"name": "a", "content": "x".repeat(bytes)});
        let plugin = json!({"name": "p", "skills": [content(bytes - 7)], "agents": [content(7)]});
        assert_eq!(build(&[task(json!({"agentConfigs": [{"plugins": [plugin]}]}))]).1, errors);
    }
}

const PROXY: &str = "apiVersion: kelos.dev/v1alpha2
kind: Workspace
metadata: {name: shop, finalizers: [example.com/x]}
spec: {repo: \"https://github.com/acme/shop.git\", ref: main, ghproxy: {}}
";

#[test]
fn an_import_drops_fields_only_on_request() {
    let folder = Folder::new(&[("a.yaml", PROXY)]);
    let (stdout, stderr) = folder.run(&["import", "a.yaml"]).expect(1);
    assert_eq!(stdout, "");
    assert_eq!(stderr.matches("error[import-lossy]").count(), 2, "{stderr}");
    assert!(stderr.contains("--lossy"), "{stderr}");
    let (stdout, stderr) = folder.run(&["import", "--lossy", "a.yaml"]).expect(0);
    assert!(
        stdout.starts_with(
            "# not imported: `ghproxy` does not exist in a definition: the kelos controller runs the proxy\n\
             # not imported: `metadata.finalizers` does not exist in a definition\n"
        ),
        "{stdout}"
    );
    let (_, definition) = stdout.split_once("\n---\n").unwrap();
    let definition: Value = serde_yaml::from_str(definition).unwrap();
    assert_eq!(definition["spec"], json!({"repo": REPO, "ref": "main"}));
    assert_eq!(definition["metadata"], json!({"name": "shop"}));
    assert_eq!(stderr.matches("warning[import-lossy]").count(), 2, "{stderr}");
    assert!(stderr.contains("`ghproxy`") && stderr.contains("`metadata.finalizers`"), "{stderr}");
}

#[test]
fn a_summary_counts_the_runs_of_each_agent() {
    let rules =
        json!({"rules": [{"action": "FailJob", "onExitCodes": {"operator": "In", "values": [1]}}]});
    let mut careful = task(json!({"podFailurePolicy": rules, "dependsOn": ["fix"]}));
    careful["metadata"]["name"] = json!("careful");
    let text: Vec<_> =
        [task(json!({})), careful].iter().map(|it| serde_yaml::to_string(it).unwrap()).collect();
    let folder = Folder::new(&[("a.yaml", &text.join("\n---\n"))]);
    let (_, stderr) = folder.run(&["build", "--summary", "a.yaml"]).expect(0);
    let expected = "TASK     AGENT        RUNS AT MOST          WAITS FOR
fix      claude-code  2
careful  claude-code  2 (podFailurePolicy)  fix
";
    assert!(stderr.contains(expected), "{stderr}");
}

/// Recorded inputs that are errors here, although kelos makes a Job of them.
const STRICTER: [(&str, &str); 7] = [
    ("example_certificates_mount_undeclared", "the API server rejects the Job"),
    ("example_certificates_mount_workspace", "the mount hides the workspace"),
    ("overrides_mount_taken", "the mount hides the workspace"),
    ("overrides_mount_token", "the API server rejects the Job"),
    ("overrides_mount_unknown", "the API server rejects the Job"),
    ("remote_twice", "the rule of the schema against it has no effect"),
    ("spawner_two_sources", "one of the sources is ignored"),
];
/// Recorded inputs that fail in kelos and are no errors here.
const MILDER: [(&str, &str); 8] = [
    ("github_app_key_invalid", "only the controller parses the private key"),
    ("refused_branch_deadlock", "only if the Tasks are not created in the same second"),
    ("refused_config_missing", "the cluster may have it"),
    ("refused_dependency_missing", "the cluster may have it"),
    ("refused_mcp_secret_missing", "the cluster may have it"),
    ("refused_skills_secret_missing", "the cluster may have it"),
    ("refused_workspace_missing", "the cluster may have it"),
    ("refused_workspace_secret_missing", "the cluster may have it"),
];

/// Hand-written resources are rejected if, and only if, kelos rejects them.
#[test]
fn hand_written_resources_are_errors_if_kelos_rejects_them() {
    let mut wrong = Vec::new();
    let mut cases: Vec<_> = fs::read_dir(unpacked().join("oracles/kelos"))
        .unwrap()
        .map(|it| it.unwrap().path())
        .filter(|it| it.is_dir())
        .collect();
    cases.sort();
    for case in cases {
        let name = case.file_name().unwrap().to_string_lossy().into_owned();
        let observed = fs::read_to_string(case.join("observed.json")).unwrap();
        let observed: Value = serde_json::from_str(&observed).unwrap();
        let is_refused = !observed["refused"].as_array().unwrap().is_empty();
        let mut workspace = Workspace::new();
        workspace.add("input.yaml", fs::read_to_string(case.join("input.yaml")).unwrap());
        let made = compile(&workspace, &Options::default());
        let errors = made.diagnostics.iter().filter(|it| it.severity == sandboxc::Severity::Error);
        let rules: Vec<_> = errors.map(|it| it.rule.name).collect();
        let is_listed = |list: &[(&str, &str)]| list.iter().any(|it| it.0 == name);
        let expected = (is_refused || is_listed(&STRICTER)) && !is_listed(&MILDER);
        if expected == rules.is_empty() {
            wrong.push(format!("{name}: {rules:?}, and kelos: {}", observed["refused"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
