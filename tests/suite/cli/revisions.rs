//! Revisions of hostile repositories: nothing that they contain or configure is run.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use super::{Folder, Run};
use crate::support::has_all;

const OBJECT: &str =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: b}\ndata: {a: one}\n";

/// Runs git in a directory.
pub(super) fn git(directory: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.args([
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@example.com",
        "-c",
        "protocol.file.allow=always",
    ]);
    let output = command.args(arguments).current_dir(directory).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

pub(super) fn commit(folder: &Folder) {
    git(folder.path(), &["add", "--all"]);
    git(folder.path(), &["commit", "--quiet", "--message", "a"]);
}

/// A repository with an object in `a.yaml`.
fn repository() -> Folder {
    let folder = Folder::new(&[("a.yaml", OBJECT)]);
    git(folder.path(), &["init", "--quiet", "--initial-branch", "main"]);
    commit(&folder);
    folder
}

/// The file that a command of an attacker creates.
fn proof(folder: &Folder) -> String {
    folder.path().join(".git/proof").display().to_string()
}

fn write_program(folder: &Folder, path: &str, script: &str) {
    folder.write(path, &format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(folder.path().join(path), fs::Permissions::from_mode(0o755)).unwrap();
}

/// Compares the revision `HEAD` in a directory of the folder, and checks that nothing of it was run.
#[track_caller]
fn compare(folder: &Folder, directory: &str, status: i32) -> (String, String) {
    let mut both = (String::new(), String::new());
    for arguments in [&["diff", "--git", "HEAD", "."][..], &["check", "--against-git", "HEAD", "."]]
    {
        let mut command = folder.command(arguments);
        let run = Run::from(command.current_dir(folder.path().join(directory)).output().unwrap());
        let (stdout, stderr) = run.expect(status);
        both.0.push_str(&stdout);
        both.1.push_str(&stderr);
        assert!(!Path::new(&proof(folder)).exists(), "a command was run: {arguments:?}");
    }
    both
}

/// The configuration of a repository with commands, of which each creates the proof.
fn commands(folder: &Folder) -> String {
    let touch = format!("touch '{}'", proof(folder));
    format!(
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = \"{touch}\"\n\
         \thooksPath = hooks\n\tpager = \"{touch}\"\n\tsshCommand = \"{touch}\"\n\tgitProxy = \"{touch}\"\n\
         \tattributesFile = attributes\n\talternateRefsCommand = \"{touch}\"\n\
         [diff]\n\texternal = \"{touch}\"\n[diff \"x\"]\n\ttextconv = \"{touch}\"\n\tcommand = \"{touch}\"\n\
         [filter \"x\"]\n\tsmudge = \"{touch}; cat\"\n\tprocess = \"{touch}\"\n\trequired = true\n\
         [pager]\n\trev-parse = \"{touch}\"\n\tls-tree = \"{touch}\"\n\
         [alias]\n\trev-parse = \"!{touch}\"\n\tls-tree = \"!{touch}\"\n\tcat-file = \"!{touch}\"\n\
         [credential]\n\thelper = \"!{touch}\"\n[uploadpack]\n\tpackObjectsHook = \"{touch}\"\n"
    )
}

/// A folder that git takes for a repository is part of the commit like any other.
#[test]
fn a_committed_folder_is_no_repository() {
    let folder = repository();
    let inner = folder.path().join("evil");
    git(folder.path(), &["clone", "--quiet", "--bare", ".", "evil"]);
    folder.write("evil/config", &commands(&folder));
    folder.write("evil/attributes", "* filter=x diff=x\n");
    for hook in ["post-index-change", "post-checkout", "reference-transaction"] {
        write_program(
            &folder,
            &format!("evil/hooks/{hook}"),
            &format!("touch '{}'", proof(&folder)),
        );
    }
    // It has no directory without files in a commit.
    for directory in ["refs", "objects"] {
        folder.write(&format!("evil/{directory}/.keep"), "");
    }
    folder.write("evil/a.yaml", OBJECT);
    commit(&folder);
    folder.write("evil/a.yaml", &OBJECT.replace("one", "two"));
    let (stdout, _) = compare(&folder, "evil", 0);
    assert!(stdout.contains("HEAD:a.yaml:4") && stdout.contains("+ two"), "{stdout}");
    assert!(inner.join("HEAD").exists());
}

#[test]
fn the_configuration_of_a_repository_runs_nothing() {
    let folder = repository();
    folder.write(".gitattributes", "* filter=x diff=x\n");
    commit(&folder);
    folder.write(".git/config", &commands(&folder));
    for hook in ["post-index-change", "post-checkout", "reference-transaction"] {
        write_program(
            &folder,
            &format!(".git/hooks/{hook}"),
            &format!("touch '{}'", proof(&folder)),
        );
    }
    folder.write("a.yaml", &OBJECT.replace("one", "two"));
    let (stdout, _) = compare(&folder, ".", 0);
    assert!(stdout.contains("- one"), "{stdout}");
}

/// An object that is missing in a partial clone is not fetched, with any transport.
#[test]
fn nothing_is_fetched() {
    let folder = repository();
    let object = git(folder.path(), &["rev-parse", "HEAD:a.yaml"]);
    let (start, rest) = object.split_at(2);
    fs::remove_file(folder.path().join(".git/objects").join(start).join(rest)).unwrap();
    let config = format!(
        "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = o\n[remote \"o\"]\n\tpromisor = true\n\
         \turl = \"ext::sh -c touch% {}\"\n\tfetch = +refs/heads/*:refs/remotes/o/*\n\
         [protocol \"ext\"]\n\tallow = always\n",
        proof(&folder)
    );
    folder.write(".git/config", &config);
    let (_, stderr) = compare(&folder, ".", 2);
    assert!(stderr.contains("does not have the content of `a.yaml`"), "{stderr}");
}

#[test]
fn a_file_that_names_another_repository_is_refused() {
    let other = repository();
    let folder = Folder::new(&[("a.yaml", OBJECT)]);
    folder.write(".git", &format!("gitdir: {}\n", other.path().join(".git").display()));
    let run = |folder: &Folder| folder.run(&["diff", "--git", "HEAD", "."]).expect(2).1;
    assert!(run(&folder).contains("does not name the working tree"));
    fs::remove_file(folder.path().join(".git")).unwrap();
    symlink(other.path().join(".git"), folder.path().join(".git")).unwrap();
    assert!(run(&folder).contains("is a link"));
    // Its objects, through a link or a list of other directories.
    let folder = repository();
    let objects = folder.path().join(".git/objects");
    let theirs = other.path().join(".git/objects");
    folder.write(".git/objects/info/alternates", &format!("{}\n", theirs.display()));
    assert!(run(&folder).contains("names objects of another repository"));
    let mut allowed = folder.command(&["diff", "--git", "HEAD", "."]);
    allowed.env("GIT_ALTERNATE_OBJECT_DIRECTORIES", &theirs);
    Run::from(allowed.output().unwrap()).expect(0);
    fs::remove_dir_all(&objects).unwrap();
    symlink(&theirs, &objects).unwrap();
    assert!(run(&folder).contains("is neither a file nor a directory"));
    // A directory of git with a pipe would wait.
    let folder = repository();
    fs::remove_file(folder.path().join(".git/config")).unwrap();
    let pipe = Command::new("mkfifo").arg(folder.path().join(".git/config")).status().unwrap();
    assert!(pipe.success());
    assert!(run(&folder).contains("is not a file, or too large"));
}

/// Working trees, submodules, shallow clones and packed references are read as git reads them.
#[test]
fn repositories_of_all_forms_are_read() {
    let folder = Folder::new(&[("origin/a.yaml", OBJECT)]);
    let origin = folder.path().join("origin");
    git(&origin, &["init", "--quiet", "--initial-branch", "main"]);
    git(&origin, &["add", "--all"]);
    git(&origin, &["commit", "--quiet", "--message", "a"]);
    let changed = OBJECT.replace("one", "two");
    let compare = |directory: &str, revision: &str| {
        folder.write(&format!("{directory}/a.yaml"), &changed);
        let mut command = folder.command(&["diff", "--git", revision, "."]);
        let run = Run::from(command.current_dir(folder.path().join(directory)).output().unwrap());
        let (stdout, _) = run.expect(0);
        assert!(stdout.contains("- one"), "{directory} {revision}: {stdout}");
    };
    git(&origin, &["worktree", "add", "--quiet", "-b", "side", "../side"]);
    compare("side", "HEAD");
    compare("side", "main");
    git(&origin, &["tag", "-a", "v1", "-m", "v1"]);
    git(&origin, &["pack-refs", "--all"]);
    for revision in ["v1", "HEAD@{0}", "main^{commit}"] {
        compare("origin", revision);
    }
    git(folder.path(), &["clone", "--quiet", "origin", "clone"]);
    compare("clone", "@{upstream}");
    compare("clone", "origin/main");
    let url = format!("file://{}", origin.display());
    git(folder.path(), &["clone", "--quiet", "--depth", "1", &url, "shallow"]);
    compare("shallow", "HEAD");
    git(folder.path(), &["init", "--quiet", "around"]);
    git(&folder.path().join("around"), &["submodule", "--quiet", "add", &url, "sub"]);
    compare("around/sub", "HEAD");
}

/// A link is followed in the revision; one that leads out of it is not, and nothing of it is shown.
#[test]
fn links_of_a_revision_stay_in_it() {
    let folder = repository();
    folder.write("outside.yaml", &OBJECT.replace("one", "outside"));
    let outside = folder.path().join("outside.yaml");
    folder.write("app/file.txt", &OBJECT.replace("web", "linked"));
    for (link, target) in [
        ("app/in.yaml", Path::new("file.txt")),
        ("app/absolute.yaml", &outside),
        ("app/up.yaml", Path::new("../../../../../../../../../../etc/hostname")),
        ("app/through.yaml", Path::new("folder.yaml/../../outside.yaml")),
        ("app/folder.yaml", Path::new("..")),
    ] {
        symlink(target, folder.path().join(link)).unwrap();
    }
    git(folder.path(), &["add", "app"]);
    git(folder.path(), &["commit", "--quiet", "--message", "b"]);
    fs::remove_dir_all(folder.path().join("app")).unwrap();
    folder.write("app/new.yaml", &OBJECT.replace("web", "new"));
    let (stdout, stderr) = folder.run(&["diff", "--git", "HEAD", "app"]).expect(0);
    assert!(stdout.contains("HEAD:app/in.yaml:3 → app/new.yaml:3"), "{stdout}");
    assert!(!stdout.contains("outside") && stdout.ends_with("\n1 renamed\n"), "{stdout}");
    let left_out = ["absolute", "folder", "through", "up"].map(|it| {
        format!(
            "note: `app/{it}.yaml` is left out: in `HEAD` it is a link to no file of the revision\n"
        )
    });
    assert_eq!(stderr, left_out.concat());
}

/// A commit can contain names that git does not check out.
#[test]
fn hostile_names_of_a_revision_are_refused() {
    let folder = repository();
    let object = git(folder.path(), &["rev-parse", "HEAD:a.yaml"]);
    for name in ["..", ".git", "a/b"] {
        // `hash-object` writes what `mktree` would refuse.
        let mut tree = format!("40000 {name}\0").into_bytes();
        let inner = format!("100644 blob {object}\ta.yaml\n");
        let inner = input(&folder, &["mktree"], inner.as_bytes());
        tree.extend(
            (0..inner.len())
                .step_by(2)
                .map(|at| u8::from_str_radix(&inner[at..at + 2], 16).unwrap()),
        );
        let tree =
            input(&folder, &["hash-object", "-t", "tree", "-w", "--stdin", "--literally"], &tree);
        let (_, stderr) =
            folder.run(&["diff", "--git", &tree, "."]).expect(i32::from(name != "a/b"));
        if name != "a/b" {
            assert!(stderr.contains(&format!("invalid name `{name}/a.yaml`")), "{stderr}");
        }
    }
}

/// The output of git for an input.
fn input(folder: &Folder, arguments: &[&str], stdin: &[u8]) -> String {
    use std::io::Write as _;
    let mut command = Command::new("git");
    command.args(arguments).current_dir(folder.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(stdin).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

/// The errors of a revision cannot be corrected. What it lacks because of them is neither added nor renamed.
#[test]
fn a_revision_with_errors_is_compared_as_far_as_possible() {
    let template = "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\nmetadata: {name: t, namespace: b}\n\
        spec: {image: x:1, podSecurityContext: {runAsUser: 1000}}\n";
    let pool = "apiVersion: sandboxc.dev/v1alpha1\nkind: WarmPool\nmetadata: {name: w, namespace: b}\n\
        spec: {template: t, replicas: 1}\n";
    let service = "apiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: b}\n\
        spec: {selector: {app: a}, ports: [{port: 80}]}\n";
    let files = [
        ("changed.yaml", OBJECT.to_owned()),
        ("invalid.yaml", service.replace("port: 80", "port: none")),
        ("pool.yaml", pool.to_owned()),
        ("template.yaml", template.replace("image", "imag")),
        ("unreadable.yaml", OBJECT.replace("web", "other").replace("b}", "b")),
    ];
    let files: Vec<_> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let folder = Folder::new(&files);
    git(folder.path(), &["init", "--quiet", "--initial-branch", "main"]);
    commit(&folder);
    folder.write("changed.yaml", &OBJECT.replace("one", "two"));
    folder.write("invalid.yaml", service);
    folder.write("template.yaml", template);
    folder.write("unreadable.yaml", &OBJECT.replace("web", "other"));
    folder.write("new.yaml", &OBJECT.replace("web", "new"));
    let note = "note: `HEAD` has errors, so that what it may lack is not compared\n  \
        invalid.yaml:4: wrong-type\n  template.yaml:4: unknown-field\n  unreadable.yaml:3: unclosed-bracket\n";
    let (stdout, stderr) = folder.run(&["diff", "--git", "HEAD", ".", "--summary"]).expect(0);
    assert_eq!(stderr, note);
    assert!(stdout.contains("~ ConfigMap/b/web") && stdout.contains("~ Service/b/s"), "{stdout}");
    assert!(stdout.ends_with("\n2 changed, 1 added; 1 unchanged; 2 not compared\n"), "{stdout}");
    let (stdout, _) = folder.run(&["diff", "--git", "HEAD", ".", "--format", "json"]).expect(0);
    let report: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    let names: Vec<_> =
        report["notCompared"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
    assert_eq!(names, ["other", "t"]);
    let unreadable = ["diff", "--git", "HEAD", "unreadable.yaml", "--exit-code"];
    let (stdout, _) = folder.run(&unreadable).expect(1);
    assert_eq!(stdout, "no differences; 1 not compared\n");
    let (_, stderr) = folder.run(&["check", "--against-git", "HEAD", "."]).expect(0);
    assert!(stderr.starts_with(note), "{stderr}");
    // The working tree can be corrected.
    folder.write("unreadable.yaml", &OBJECT.replace("b}", "b"));
    folder.run(&["diff", "--git", "HEAD", "."]).expect(1);
}

/// A file above the limit is a finding, as in the working tree.
#[test]
fn a_large_file_of_a_revision_is_reported() {
    // Git takes ten seconds for it.
    if !has_all() {
        return;
    }
    let folder = repository();
    fs::write(folder.path().join("b.yaml"), vec![b'\n'; (128 << 20) + 1]).unwrap();
    commit(&folder);
    folder.write("b.yaml", OBJECT);
    let (_, stderr) = folder.run(&["diff", "--git", "HEAD", "b.yaml"]).expect(0);
    assert!(stderr.contains("b.yaml:1: file-too-large"), "{stderr}");
}

/// Nothing is searched in the working directory, which an entry of the `PATH` can mean.
#[test]
fn programs_of_the_working_directory_are_not_run() {
    let folder = repository();
    for name in ["git", "bin/git"] {
        write_program(&folder, name, &format!("touch '{}'", proof(&folder)));
    }
    let path = std::env::var("PATH").unwrap();
    for path in [format!(".:{path}"), format!(":{path}"), format!("bin:./bin:{path}:")] {
        let mut command = folder.command(&["diff", "--git", "HEAD", "a.yaml"]);
        Run::from(command.env("PATH", path).output().unwrap()).expect(0);
        assert!(!Path::new(&proof(&folder)).exists());
    }
    let mut command = folder.command(&["diff", "--git", "HEAD", "a.yaml"]);
    let (_, stderr) = Run::from(command.env("PATH", ".:bin:").output().unwrap()).expect(2);
    assert_eq!(
        stderr,
        "error: `git` is not installed: it is not in the `PATH`\n  help: install git\n"
    );
}

/// git gets no variable that changes what it does, and what it prints is a quote.
#[test]
fn git_has_an_environment_of_its_own() {
    let folder = repository();
    let calls = folder.path().join("calls");
    let messages = r"printf '\033[31mred\n::error::x\n' >&2; exit 3";
    write_program(
        &folder,
        "bin/git",
        &format!("{{ echo \"$@\"; env; }} >>'{}'\n{messages}", calls.display()),
    );
    let mut command = folder.command(&["diff", "--git", "HEAD", "a.yaml"]);
    let path = std::env::join_paths(
        [folder.path().join("bin")]
            .into_iter()
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    command.env("PATH", path.unwrap());
    for name in [
        "GIT_DIR",
        "GIT_EXEC_PATH",
        "GIT_SSH_COMMAND",
        "LD_PRELOAD",
        "TOKEN",
        "GIT_CONFIG_PARAMETERS",
    ] {
        command.env(name, if name == "LD_PRELOAD" { "" } else { "leaked" });
    }
    let (_, stderr) = Run::from(command.output().unwrap()).expect(2);
    assert_eq!(stderr, "error: cannot read the repository: git: ␛[31mred\n");
    let calls = fs::read_to_string(calls).unwrap();
    assert!(!calls.contains("leaked") && !calls.contains("LD_PRELOAD"), "{calls}");
    let home = std::env::var("HOME").unwrap_or_default();
    assert!(!calls.lines().any(|it| it == format!("HOME={home}")), "{calls}");
    for part in [
        "-c safe.bareRepository=explicit -c core.fsmonitor=false -c core.hooksPath=",
        "-c protocol.allow=never",
        "\nGIT_NO_LAZY_FETCH=1\n",
        "\nGIT_CONFIG_NOSYSTEM=1\n",
        "\nGIT_ALLOW_PROTOCOL=none\n",
    ] {
        assert!(calls.contains(part), "{part}: {calls}");
    }
}

#[test]
fn a_path_that_a_revision_lacks_is_new() {
    let folder = repository();
    folder.write("new/b.yaml", &OBJECT.replace("web", "new"));
    folder.write("new.yaml", &OBJECT.replace("web", "other"));
    for (path, object) in [("new", "ConfigMap/b/new"), ("new.yaml", "ConfigMap/b/other")] {
        let (stdout, _) = folder.run(&["diff", "--git", "HEAD", path]).expect(0);
        assert!(stdout.starts_with(&format!("+ {object}")), "{stdout}");
        folder.run(&["check", "--against-git", "HEAD", path]).expect(0);
    }
    let (_, stderr) = folder.run(&["diff", "--git", "HEAD", "none"]).expect(2);
    assert!(stderr.starts_with("error: cannot read `none`"), "{stderr}");
}

#[test]
fn a_template_is_skipped_on_both_sides() {
    let folder = repository();
    let template = "{{- if .Values.x }}\napiVersion: v1\nkind: Secret\nmetadata: {name: {{ .Release.Name }}}\n\
                    {{- end }}\n";
    folder.write("t.yaml", template);
    commit(&folder);
    folder.write("c.yaml", &OBJECT.replace("web", "third"));
    let (stdout, _) = folder.run(&["diff", "--git", "HEAD", "."]).expect(0);
    assert!(stdout.contains("+ ConfigMap/b/third"), "{stdout}");
    folder.run(&["check", "--against-git", "HEAD", "."]).expect(0);
}

/// What a kustomization or a chart becomes, only a program that renders it knows.
#[test]
fn a_changed_kustomization_is_named() {
    let folder = repository();
    let kustomization =
        |count: u8| format!("resources: [..]\nreplicas: [{{name: web, count: {count}}}]\n");
    folder.write("prod/kustomization.yaml", &kustomization(3));
    commit(&folder);
    let (_, stderr) = folder.run(&["diff", "--git", "HEAD", "."]).expect(0);
    assert_eq!(stderr, "");
    folder.write("prod/kustomization.yaml", &kustomization(5));
    for command in [["diff", "--git", "HEAD", "."], ["check", "--against-git", "HEAD", "."]] {
        let (_, stderr) = folder.run(&command).expect(0);
        let note = "note: 1 changed file of a chart or kustomization is not compared: it is not \
                    rendered\n  prod/kustomization.yaml\n";
        assert!(stderr.starts_with(note), "{stderr}");
    }
}
