//! Nothing outside of the directory of a run is written: links, names of other systems, owners and modes.
//!
//! Each folder has a `repo`, in which the command runs, and an `outside`, which no run may change.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use super::{Folder, OBJECT, Run};

/// Input that `fmt`, `check --fix` and `migrate` change.
const OLD: &str = "apiVersion: batch/v1beta1\nkind: CronJob\nmetadata:   {name: a, namespace: b}\n\
    spec:\n  schedule: \"0 0 * * *\"\n  jobTemplate: {spec: {template: {spec: {restartpolicy: Never, containers: [{name: a, image: \"a:1\"}]}}}}\n";

/// The commands that write their input.
const IN_PLACE: [&[&str]; 3] = [&["fmt"], &["check", "--fix", "--unsafe"], &["migrate"]];

/// A folder with files in `repo`, of which `.git` makes a repository, and one in `outside`.
fn folder(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new(&[("outside/target.yaml", OLD), ("repo/.git/HEAD", "")]);
    for (path, text) in files {
        folder.write(&format!("repo/{path}"), text);
    }
    folder
}

fn link(folder: &Folder, target: &str, path: &str) {
    let path = folder.path().join("repo").join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    symlink(target, path).unwrap();
}

fn command(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = folder.command(arguments);
    command.current_dir(folder.path().join("repo"));
    command
}

fn run(folder: &Folder, arguments: &[&str]) -> Run {
    Run::from(command(folder, arguments).output().unwrap())
}

/// Checks that nothing outside has changed.
#[track_caller]
fn assert_untouched(folder: &Folder) {
    assert_eq!(folder.list("outside"), ["target.yaml"]);
    assert_eq!(folder.read("outside/target.yaml"), OLD);
    assert_eq!(folder.list("."), ["outside", "repo"]);
}

fn is_link(folder: &Folder, path: &str) -> bool {
    fs::symlink_metadata(folder.path().join(path)).unwrap().is_symlink()
}

#[test]
fn a_link_that_was_found_is_not_written_through() {
    for verb in IN_PLACE {
        for target in ["../outside/target.yaml", ".git/hidden.yaml"] {
            let folder = folder(&[(".git/hidden.yaml", OLD), ("b.yaml", OLD)]);
            link(&folder, target, "a.yaml");
            let run = run(&folder, &[verb, &["."]].concat());
            assert!(run.stderr.contains("a.yaml"), "{verb:?}: {}", run.stderr);
            assert_eq!(folder.read("repo/.git/hidden.yaml"), OLD, "{verb:?}");
            assert_untouched(&folder);
            assert!(is_link(&folder, "repo/a.yaml"));
        }
    }
}

/// The link sorts before the file.
#[test]
fn a_file_that_a_link_leads_to_is_written_by_its_own_name() {
    for verb in IN_PLACE {
        let folder = folder(&[("z.yaml", OLD)]);
        link(&folder, "z.yaml", "a.yaml");
        let (_, stderr) = run(&folder, &[verb, &["."]].concat()).expect(0);
        assert!(!stderr.contains("a.yaml"), "{verb:?}: {stderr}");
        assert!(folder.read("repo/z.yaml") != OLD && is_link(&folder, "repo/a.yaml"), "{verb:?}");
    }
}

#[test]
fn a_named_link_is_followed_inside_of_the_repository_only() {
    for verb in IN_PLACE {
        let folder = folder(&[("real/z.yaml", OLD), ("sub/b.yaml", OLD)]);
        link(&folder, "../real/z.yaml", "sub/a.yaml");
        let mut command = command(&folder, &[verb, &["a.yaml"]].concat());
        command.current_dir(folder.path().join("repo/sub"));
        Run::from(command.output().unwrap()).expect(0);
        assert!(folder.read("repo/real/z.yaml") != OLD && is_link(&folder, "repo/sub/a.yaml"));
        link(&folder, "../../outside/target.yaml", "sub/c.yaml");
        link(&folder, "../../outside", "sub/d");
        for name in ["sub/c.yaml", "sub/d/target.yaml"] {
            let run = run(&folder, &[verb, &["sub/b.yaml", name]].concat());
            assert!(run.status > 0 && run.stderr.contains(name), "{verb:?}: {}", run.stderr);
            assert_untouched(&folder);
        }
    }
}

/// The files that the command line names, by the arguments before the path.
const NAMED: [&[&str]; 3] = [
    &["check", "a.yaml", "--report=sarif="],
    &["check", "a.yaml", "--report=json="],
    &["build", "a.yaml", "--depfile="],
];

fn named(arguments: &[&str], path: &str) -> Vec<String> {
    let mut all: Vec<_> = arguments.iter().map(|it| (*it).to_owned()).collect();
    all.last_mut().unwrap().push_str(path);
    all
}

#[test]
fn a_file_that_the_command_line_names_is_not_written_through_a_link_that_leaves() {
    for arguments in NAMED {
        for (at, target, path) in [
            ("out.d", "../outside/target.yaml", "out.d"),
            ("out.d", "../outside/new", "out.d"),
            ("out.d", "/proc/self/fd/2", "out.d"),
            ("sub", "../outside", "sub/out.d"),
            ("sub", "../outside", "./sub/../sub/target.d"),
            ("sub/deep", "../../outside", "sub/deep/out.d"),
            ("one.d", "two.d", "one.d"),
        ] {
            let folder = folder(&[("a.yaml", OBJECT)]);
            link(&folder, target, at);
            if path == "one.d" {
                link(&folder, "../outside/new", "two.d");
            }
            let named = named(arguments, path);
            let named: Vec<_> = named.iter().map(String::as_str).collect();
            let run = run(&folder, &named);
            assert!(run.status == 2, "{named:?}: {}", run.stderr);
            let is_named = run.stderr.contains("is a link to") && run.stderr.contains(target);
            assert!(is_named, "{named:?}: {}", run.stderr);
            assert_untouched(&folder);
        }
    }
}

/// From another directory, with an absolute path, and without a repository.
#[test]
fn the_root_does_not_depend_on_how_a_file_is_named() {
    for has_repository in [true, false] {
        let folder = folder(&[("a.yaml", OBJECT), ("sub/b.yaml", OBJECT)]);
        if !has_repository {
            fs::remove_dir_all(folder.path().join("repo/.git")).unwrap();
        }
        link(&folder, "../outside/target.yaml", "out.sarif");
        let repo = folder.path().join("repo");
        let out = format!("--report=sarif={}", repo.join("out.sarif").display());
        let input = repo.display().to_string();
        for (directory, input, report) in [
            ("repo", "a.yaml", "--report=sarif=out.sarif"),
            ("repo/sub", "b.yaml", "--report=sarif=../out.sarif"),
            ("repo", ".", &out),
            ("outside", &input, &out),
            (".", "repo", "--report=sarif=repo/out.sarif"),
        ] {
            if !has_repository && matches!(directory, "." | "repo/sub") {
                continue;
            }
            let mut command = folder.command(&["check", input, report]);
            let run = command.current_dir(folder.path().join(directory)).output().unwrap();
            let run = Run::from(run);
            assert!(run.status == 2, "{directory} {report}: {}", run.stderr);
            assert_untouched(&folder);
        }
    }
}

#[test]
fn a_file_that_the_command_line_names_may_be_a_link_inside() {
    for arguments in NAMED {
        let folder = folder(&[("a.yaml", OBJECT), ("real/out", "old")]);
        link(&folder, "real/out", "out.d");
        link(&folder, "real", "sub");
        for path in ["out.d", "sub/new.d"] {
            let named = named(arguments, path);
            run(&folder, &named.iter().map(String::as_str).collect::<Vec<_>>()).expect(0);
        }
        assert!(is_link(&folder, "repo/out.d"));
        assert!(
            folder.read("repo/real/out").len() > 3 && !folder.read("repo/real/new.d").is_empty()
        );
    }
}

#[test]
fn devices_pipes_and_files_elsewhere_can_be_named() {
    let folder = folder(&[("a.yaml", OBJECT)]);
    let (stdout, _) = run(&folder, &["check", "a.yaml", "--report=json=/dev/stdout"]).expect(0);
    assert!(stdout.starts_with('{'), "{stdout}");
    let (stdout, _) = run(&folder, &["check", "a.yaml", "--report=json=/dev/fd/1"]).expect(0);
    assert!(stdout.starts_with('{'), "{stdout}");
    run(&folder, &["check", "a.yaml", "--report=json=/dev/null"]).expect(0);
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
    let elsewhere = folder.path().join("elsewhere.json");
    let report = format!("--report=json={}", elsewhere.display());
    run(&folder, &["check", "a.yaml", &report]).expect(0);
    run(&folder, &["check", "a.yaml", "--report=json=../relative.json"]).expect(0);
    assert!(folder.read("elsewhere.json") == folder.read("relative.json"));
    // A link that is not part of the input is followed.
    symlink("outside", folder.path().join("mine")).unwrap();
    run(&folder, &["check", "a.yaml", "--report=json=../mine/report.json"]).expect(0);
    assert!(folder.read("outside/report.json") == folder.read("relative.json"));
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut reader = Command::new("cat");
    let reader = reader.arg(&pipe).stdout(Stdio::piped()).spawn().unwrap();
    let report = format!("--report=json={}", pipe.display());
    run(&folder, &["check", "a.yaml", &report]).expect(0);
    let read = reader.wait_with_output().unwrap().stdout;
    assert_eq!(String::from_utf8(read).unwrap(), folder.read("relative.json"));
}

#[test]
fn an_output_directory_is_not_behind_a_link_that_leaves() {
    for verb in [&["build", "a.yaml"][..], &["effective", "a.yaml"], &["split", "a.yaml"]] {
        for (at, target, path) in [
            ("out", "../outside", "out"),
            ("out", "../outside/new", "out"),
            ("sub", "../outside", "sub/out"),
            ("sub", "../outside", "sub/deep/out"),
        ] {
            let folder = folder(&[("a.yaml", OBJECT)]);
            link(&folder, target, at);
            let (_, stderr) = run(&folder, &[verb, &["-o", path]].concat()).expect(2);
            let is_named = stderr.contains("is a link to") && stderr.contains(target);
            assert!(is_named, "{verb:?} {path}: {stderr}");
            assert_untouched(&folder);
        }
        let folder = folder(&[("a.yaml", OBJECT), ("real/keep", "")]);
        link(&folder, "real", "out");
        run(&folder, &[verb, &["-o", "out"]].concat()).expect(0);
        let names = folder.list("repo/real");
        assert!(names.contains(&"keep".to_owned()));
        // No controller creates anything from a ConfigMap.
        let is_written = names.contains(&".sandboxc-files".to_owned());
        assert_eq!(is_written, verb[0] != "effective", "a link that stays inside is followed");
        assert!(is_link(&folder, "repo/out"));
    }
}

const ENVIRONMENTS: &str =
    "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec:\n  environments:\n";

#[test]
fn directories_of_environments_are_not_links_that_leave() {
    let project = format!("{ENVIRONMENTS}    dev: {{}}\n    prod: {{}}\n");
    let folder = folder(&[("a.yaml", OBJECT), ("sandboxc.yaml", &project)]);
    link(&folder, "../../outside", "out/dev");
    let (_, stderr) = run(&folder, &["build", "--all-environments", "-o", "out"]).expect(2);
    assert!(stderr.contains("`out/dev` is a link to `../../outside`"), "{stderr}");
    assert_untouched(&folder);
    assert_eq!(folder.list("repo/out"), ["dev"], "no other environment is written either");
}

#[test]
fn names_that_are_no_files_elsewhere_are_rejected() {
    let build = ["build", "--all-environments", "-o", "out"];
    for names in
        ["A: {}, a: {}", "Prod: {}, dev: {}, pROD: {}", "\"\\u00e9\": {}, \"e\\u0301\": {}"]
    {
        let project = format!("{ENVIRONMENTS}    {{{names}}}\n");
        let folder = folder(&[("a.yaml", OBJECT), ("sandboxc.yaml", &project)]);
        let (_, stderr) = run(&folder, &build).expect(2);
        assert!(stderr.contains("environment"), "{names}: {stderr}");
        assert!(!folder.path().join("repo/out").exists(), "{names}");
    }
    for name in [
        "CON",
        "con",
        "NUL.yaml",
        "com1",
        "LPT9.x",
        "COM\u{b9}",
        "a.",
        "a ",
        "a:b",
        "a*",
        "a|b",
        "a?",
        "a<b",
        "a\\tb",
        ".git",
        ".GIT",
        "..",
        "a\\\\b",
        "a/b",
        "\\u202ea",
        "\\ufeff",
    ] {
        let project = format!("{ENVIRONMENTS}    {{\"{name}\": {{}}, other: {{}}}}\n");
        let folder = folder(&[("a.yaml", OBJECT), ("sandboxc.yaml", &project)]);
        let (_, stderr) = run(&folder, &build).expect(2);
        assert!(stderr.contains("the environment `"), "{name}: {stderr}");
        assert!(!folder.path().join("repo/out").exists(), "{name}");
    }
}

const TEST: &str = "apiVersion: sandboxc.dev/v1alpha1\nkind: Test\nmetadata: {name: t}\nspec:\n  cases:\n  \
    - name: one\n    expect: {snapshot: one.snap.yaml}\n  - name: two\n    expect: {snapshot: SNAPSHOT}\n";

#[test]
fn a_snapshot_is_not_written_outside() {
    for (snapshot, at, target) in [
        ("../outside/new.snap.yaml", "none", "."),
        ("../../../../../../../../tmp/sandboxc-outside.snap.yaml", "none", "."),
        ("x.snap.yaml", "x.snap.yaml", "../outside/target.yaml"),
        ("x.snap.yaml", "x.snap.yaml", "../outside/new.yaml"),
        ("x.snap.yaml", "x.snap.yaml", "sandboxc.yaml"),
        ("sub/x.snap.yaml", "sub", "../outside"),
        ("sub/deep/x.snap.yaml", "sub", "../outside"),
    ] {
        let folder = folder(&[
            ("sandboxc.yaml", "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec: {}\n"),
            ("a.yaml", OBJECT),
            ("a.test.yaml", &TEST.replace("SNAPSHOT", snapshot)),
        ]);
        let project = folder.read("repo/sandboxc.yaml");
        link(&folder, target, at);
        let run = run(&folder, &["test", "--update"]);
        assert!(run.status > 0, "{snapshot}: {}{}", run.stdout, run.stderr);
        assert_untouched(&folder);
        assert!(!Path::new("/tmp/sandboxc-outside.snap.yaml").exists());
        assert!(!folder.path().join("repo/one.snap.yaml").exists(), "{snapshot}: all or none");
        assert_eq!(folder.read("repo/sandboxc.yaml"), project);
    }
}

#[test]
fn a_project_is_not_created_behind_a_link_that_leaves() {
    for (at, target, arguments) in [
        ("new", "../outside", &["init", "new"][..]),
        ("new", "../outside/new", &["init", "new"]),
        ("sub", "../outside", &["init", "sub/new"]),
        (".github", "../outside", &["init", "--ci=github", "new"]),
        (".github/workflows", "../../outside", &["init", "--ci=github", "new"]),
        (".gitlab-ci.yml", "../outside/ci.yml", &["init", "--ci=gitlab", "new"]),
    ] {
        let folder = folder(&[]);
        link(&folder, target, at);
        let (_, stderr) = run(&folder, arguments).expect(2);
        assert!(stderr.contains(at), "{arguments:?}: {stderr}");
        assert_untouched(&folder);
    }
}

/// Whether the tests run as root, who can give files away.
fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|it| it.uid() == 0)
}

fn mode(folder: &Folder, path: &str) -> u32 {
    fs::metadata(folder.path().join(path)).unwrap().mode() & 0o7777
}

#[test]
fn mode_and_owner_stay() {
    let report = ["check", "b.yaml", "--report=json=a.yaml"];
    let depfile = ["build", "b.yaml", "--depfile=a.d"];
    let all =
        [&IN_PLACE.map(|it| [it, &["a.yaml"]].concat())[..], &[report.to_vec(), depfile.to_vec()]];
    for arguments in all.concat() {
        let folder = folder(&[("a.yaml", OLD), ("a.d", "old"), ("b.yaml", OBJECT)]);
        for name in ["a.yaml", "a.d"] {
            let path = folder.path().join("repo").join(name);
            if is_root() {
                std::os::unix::fs::chown(&path, Some(1234), Some(4321)).unwrap();
            }
            fs::set_permissions(&path, Permissions::from_mode(0o2640)).unwrap();
        }
        let before = [folder.read("repo/a.yaml"), folder.read("repo/a.d")];
        run(&folder, &arguments).expect(0);
        assert!(before != [folder.read("repo/a.yaml"), folder.read("repo/a.d")], "{arguments:?}");
        for name in ["repo/a.yaml", "repo/a.d"] {
            let metadata = fs::metadata(folder.path().join(name)).unwrap();
            assert_eq!(mode(&folder, name), 0o2640, "{arguments:?}");
            if is_root() {
                assert_eq!((metadata.uid(), metadata.gid()), (1234, 4321), "{arguments:?}");
            }
        }
    }
}

#[test]
fn generated_files_keep_mode_and_owner() {
    let file = "repo/out/15_configmap_default_web.yaml";
    for has_directory in [false, true] {
        let folder = folder(&[("a.yaml", OBJECT)]);
        run(&folder, &["build", "a.yaml", "-o", "out"]).expect(0);
        if has_directory {
            folder.write("repo/out/sub/other", "");
        }
        let path = folder.path().join(file);
        if is_root() {
            std::os::unix::fs::chown(&path, Some(1234), Some(4321)).unwrap();
        }
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        folder.write("repo/a.yaml", &format!("{OBJECT}data: {{a: b}}\n"));
        run(&folder, &["build", "a.yaml", "-o", "out"]).expect(0);
        assert!(folder.read(file).contains("a: b"));
        assert_eq!(mode(&folder, file), 0o600);
        let metadata = fs::metadata(&path).unwrap();
        if is_root() {
            assert_eq!((metadata.uid(), metadata.gid()), (1234, 4321));
        }
    }
}

/// A file of another user in a directory of the user: a rename would give the file away.
#[test]
fn a_file_whose_owner_cannot_be_kept_is_not_written() {
    use std::os::unix::process::CommandExt as _;
    if !is_root() {
        return;
    }
    let folder = folder(&[("a.yaml", OLD), ("b.yaml", OLD)]);
    for path in ["", "repo", "repo/a.yaml"] {
        std::os::unix::fs::chown(folder.path().join(path), Some(1234), Some(1234)).unwrap();
    }
    fs::set_permissions(folder.path().join("repo/b.yaml"), Permissions::from_mode(0o666)).unwrap();
    // The user may not enter the folder of the build, so the program is copied.
    let program = folder.path().join("program");
    fs::copy(crate::support::binary(), &program).unwrap();
    let mut command = Command::new(&program);
    command.args(["fmt", "a.yaml", "b.yaml"]).current_dir(folder.path().join("repo"));
    let run = Run::from(command.uid(1234).gid(1234).output().unwrap());
    let (_, stderr) = run.expect(2);
    let expected = "error: cannot write `b.yaml`: its owner cannot be kept";
    assert!(stderr.starts_with(expected), "{stderr}");
    assert_eq!([folder.read("repo/a.yaml"), folder.read("repo/b.yaml")], [OLD, OLD]);
    assert_eq!(folder.list("repo"), [".git", "a.yaml", "b.yaml"]);
}

/// Files in more directories than are locked at once.
#[test]
fn all_files_are_written_or_none() {
    for verb in IN_PLACE {
        let folder = folder(&[]);
        let names: Vec<_> = (0..70).map(|it| format!("repo/{it:02}/a.yaml")).collect();
        for name in &names {
            folder.write(name, OLD);
        }
        let last = folder.path().join("repo/69/a.yaml");
        fs::set_permissions(&last, Permissions::from_mode(0o444)).unwrap();
        let (_, stderr) = run(&folder, &[verb, &["."]].concat()).expect(2);
        let expected = "error: cannot write `69/a.yaml`: the file is read-only\n";
        assert!(stderr.ends_with(expected), "{stderr}");
        assert!(names.iter().all(|it| folder.read(it) == OLD), "{verb:?}");
        assert_eq!(folder.list("repo/00"), ["a.yaml"]);
        fs::set_permissions(&last, Permissions::from_mode(0o644)).unwrap();
        run(&folder, &[verb, &["."]].concat()).expect(0);
        assert!(names.iter().all(|it| folder.read(it) != OLD), "{verb:?}");
    }
}
