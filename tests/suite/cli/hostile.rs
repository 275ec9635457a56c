//! Hostile input on the command line: names, links, globs, endless files.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use super::{Folder, OBJECT};
use crate::support::{binary, has_all};

#[test]
fn an_endless_file_is_rejected_at_the_limit() {
    if !has_all() {
        return;
    }
    let folder = Folder::new(&[]);
    let (stdout, stderr) = folder.run(&["build", "/dev/zero"]).expect(1);
    assert!(stdout.is_empty() && stderr.contains("error[file-too-large]"), "{stderr}");
}

#[test]
fn a_dangling_link_is_an_error_and_the_other_files_are_checked() {
    let folder = Folder::new(&[("defs/a.yaml", OBJECT), ("defs/d.yaml", "kind: Pod\n")]);
    symlink("nowhere.yaml", folder.path().join("defs/b.yaml")).unwrap();
    symlink("nowhere.txt", folder.path().join("defs/c.txt")).unwrap();
    for (verb, input) in [("build", "defs"), ("build", "defs/*.yaml"), ("check", "defs")] {
        let (stdout, stderr) = folder.run(&[verb, input]).expect(1);
        assert!(stdout.is_empty(), "{stdout}");
        assert!(stderr.contains("error[file-unreadable]: cannot read `defs/b.yaml`"), "{stderr}");
        assert!(stderr.contains("defs/d.yaml") && !stderr.contains("c.txt"), "{stderr}");
    }
    let (stdout, stderr) = folder.run(&["split", "defs"]).expect(1);
    assert!(stdout.is_empty() && stderr.contains("nothing was split"), "{stderr}");
    let (_, stderr) = folder.run(&["check", "defs/b.yaml"]).expect(2);
    assert!(stderr.contains("cannot read `defs/b.yaml`"), "{stderr}");
}

/// The directory around a named file has its Project.
#[test]
fn a_dangling_link_next_to_the_project_is_an_error() {
    let project =
        "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nmetadata: {name: p}\nspec: {}\n";
    let template = "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\nmetadata: {name: t}\n\
                    spec: {image: 'a:1'}\n";
    let folder = Folder::new(&[("sandboxc.yaml", project), ("defs/a.yaml", template)]);
    symlink("nowhere.yaml", folder.path().join("values.yaml")).unwrap();
    let (_, stderr) = folder.run(&["check", "defs/a.yaml"]).expect(1);
    assert!(stderr.contains("error[file-unreadable]: cannot read `values.yaml`"), "{stderr}");
}

#[test]
fn a_glob_with_many_braces_is_an_error() {
    let folder = Folder::new(&[("a.yaml", OBJECT)]);
    let braces = "{a,".repeat(1000) + "b" + &"}".repeat(1000);
    for arguments in [&["build", &braces][..], &["build", "--exclude", &braces, "a.yaml"]] {
        let (_, stderr) = folder.run(arguments).expect(2);
        assert!(stderr.contains("a glob has more than 32 `{`"), "{stderr}");
    }
    let project = format!(
        "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nmetadata: {{name: p}}\n\
         spec:\n  exceptions:\n  - {{rule: image-latest, name: '{braces}', because: x}}\n"
    );
    folder.write("sandboxc.yaml", &project);
    let run = folder.run(&["check", "sandboxc.yaml"]);
    assert!(run.status < 3, "no panic: {}", run.stderr);
}

#[test]
fn a_file_name_cannot_contain_terminal_escapes() {
    let name = "\u{1b}]0;title\u{7}.yaml";
    let folder = Folder::new(&[(name, OBJECT), ("bad.yaml", "a: 1\n")]);
    let (stdout, stderr) = folder.run(&["split", name]).expect(0);
    assert!(stdout.contains("␛]0;title␇.yaml:1"), "{stdout}");
    let (_, missing) = folder.run(&["build", "\u{1b}[31m.yaml"]).expect(2);
    for text in [&stdout, &stderr, &missing] {
        assert!(!text.contains('\u{1b}'), "{text:?}");
    }
}

/// While another run locks the directory, nothing is written; afterwards everything is.
#[test]
fn two_runs_do_not_write_into_one_directory() {
    let folder = Folder::new(&[("a.yaml", OBJECT)]);
    folder.run(&["build", "a.yaml", "-o", "out"]).expect(0);
    let before = folder.list("out");
    let lock = fs::File::open(folder.path().join("out")).unwrap();
    lock.lock().unwrap();
    folder.write("a.yaml", &OBJECT.replace("web", "other"));
    let (_, stderr) = folder.run(&["build", "a.yaml", "-o", "out"]).expect(2);
    assert!(stderr.contains("another run is writing into `out`"), "{stderr}");
    assert_eq!(folder.list("out"), before);
    drop(lock);
    folder.run(&["build", "a.yaml", "-o", "out"]).expect(0);
    assert!(folder.list("out").iter().any(|name| name.contains("other")));
}

/// Concurrent runs: each run that succeeds has written all of its files.
#[test]
fn concurrent_runs_leave_one_of_the_results() {
    let folder = Folder::new(&[]);
    for number in 0..4 {
        let objects: Vec<_> =
            (0..30).map(|at| OBJECT.replace("web", &format!("n{number}-{at}"))).collect();
        folder.write(&format!("{number}.yaml"), &objects.join("---\n"));
    }
    for _ in 0..3 {
        let children: Vec<_> = (0..4)
            .map(|number| {
                let mut command =
                    folder.command(&["build", &format!("{number}.yaml"), "-o", "out"]);
                command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
            })
            .collect();
        let successes = children
            .into_iter()
            .filter_map(|mut child| child.wait().unwrap().success().then_some(()));
        assert!(successes.count() > 0);
        let names = folder.list("out");
        let names: Vec<_> = names.iter().filter(|name| name.contains(".yaml")).collect();
        assert_eq!(names.len(), 30, "{names:?}");
        let of = |number: usize| {
            let part = format!("n{number}-");
            names.iter().filter(|name| name.contains(&part)).count()
        };
        assert!((0..4).any(|number| of(number) == 30), "{names:?}");
        let others = folder.list(".");
        assert!(others.iter().all(|name| !name.contains("sandboxc-tmp")), "{others:?}");
    }
}

/// A run that is terminated by a signal has the exit status of the signal, and leaves the directory
/// complete and no temporary files.
#[test]
fn a_signal_leaves_the_old_or_the_new_directory() {
    let objects: Vec<_> = (0..300).map(|at| OBJECT.replace("web", &format!("n{at}"))).collect();
    let folder = Folder::new(&[("a.yaml", &objects.join("---\n"))]);
    let mut ended = 0;
    for wait in [5, 20, 40, 80, 120, 200] {
        let mut command = folder.command(&["build", "a.yaml", "-o", "out"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(wait));
        let id = child.id().to_string();
        std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap();
        let status = child.wait().unwrap();
        ended += usize::from(status.code().is_none());
        if folder.path().join("out").exists() {
            let names = folder.list("out");
            assert_eq!(names.iter().filter(|name| name.contains(".yaml")).count(), 300);
            fs::remove_dir_all(folder.path().join("out")).unwrap();
        }
    }
    assert!(ended > 0, "a signal came in time");
    folder.run(&["build", "a.yaml", "-o", "out"]).expect(0);
    assert!(folder.list(".").iter().all(|name| !name.contains("sandboxc-tmp")));
}

/// The exit status of a run as a shell reports it, and standard error.
fn in_shell(folder: &Folder, script: &str) -> (Option<i32>, String) {
    let output = Command::new("bash")
        .args(["-c", script])
        .arg(binary())
        .current_dir(folder.path())
        .output()
        .unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_closed_output_is_an_error() {
    let folder = Folder::new(&[("a.yaml", OBJECT)]);
    for arguments in ["build a.yaml", "schema", "check --format json a.yaml", "split a.yaml"] {
        let (status, stderr) = in_shell(&folder, &format!("\"$0\" {arguments} >&-"));
        assert_eq!(status, Some(2), "{arguments}: {stderr}");
        assert!(stderr.contains("error: cannot write to standard output"), "{stderr}");
    }
    // No output is expected, so a closed output is not an error.
    for arguments in ["check a.yaml", "build a.yaml -o out"] {
        let (status, stderr) = in_shell(&folder, &format!("\"$0\" {arguments} >&-"));
        assert_eq!(status, Some(0), "{arguments}: {stderr}");
    }
    assert_eq!(in_shell(&folder, "\"$0\" build a.yaml >/dev/null").0, Some(0));
    assert_eq!(in_shell(&folder, "\"$0\" build a.yaml <>/dev/null >&0").0, Some(0));
}

/// The working directory cannot be exchanged for a new one, so that each file is replaced.
#[test]
fn a_run_has_few_files_open_at_a_time() {
    let object = |at: usize, data: &str| {
        format!("{}data: {{a: {data}}}\n---\n", OBJECT.replace("web", &format!("web{at}")))
    };
    let objects = |data: &str| (0..200).map(|at| object(at, data)).collect::<String>();
    let folder = Folder::new(&[("a.yaml", &objects("x")), ("out/sub/other", "")]);
    let build = || {
        let command = format!("ulimit -n 64; {} build a.yaml -o out", binary().display());
        let mut shell = Command::new("sh");
        super::Run::from(shell.args(["-c", &command]).current_dir(folder.path()).output().unwrap())
    };
    build().expect(0);
    folder.write("a.yaml", &objects("z"));
    let (_, stderr) = build().expect(0);
    assert!(stderr.contains("200 files written"), "{stderr}");
}
