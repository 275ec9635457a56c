//! `--watch`: runs after changes.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use super::{Folder, OBJECT};

/// The last line of a run.
const END: &str = "watching for changes; Ctrl-C ends";

/// A time after which a run has certainly ended.
const LONG: Duration = Duration::from_mins(1);

/// A time in which an unwanted run would begin and end.
const SHORT: Duration = Duration::from_millis(700);

/// A process that watches.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(folder: &Folder, arguments: &[&str]) -> Self {
        let mut command = folder.command(arguments);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        Self { child, lines }
    }

    /// The messages of the next run; `None` if there is none within a time.
    fn run_within(&self, time: Duration) -> Option<String> {
        let mut text = String::new();
        loop {
            let line = self.lines.recv_timeout(time).ok()?;
            if line == END {
                return Some(text);
            }
            text.push_str(&line);
            text.push('\n');
        }
    }

    /// The messages of the next run, which contain a text. Some editors make a change of several steps,
    /// which can be several runs on a slow machine.
    #[track_caller]
    fn expect(&self, text: &str) {
        let mut seen = Vec::new();
        while let Some(run) = self.run_within(LONG) {
            if run.contains(text) {
                return;
            }
            seen.push(run);
        }
        panic!("no run with {text:?}: {seen:?}");
    }

    /// Waits until no further run begins.
    fn settle(&self) {
        while self.run_within(SHORT).is_some() {}
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn object(name: &str) -> String {
    OBJECT.replace("web", name)
}

/// An object with an error that names it.
fn wrong(field: &str) -> String {
    format!("{OBJECT}{field}: 1\n")
}

#[test]
fn each_kind_of_change_is_a_run() {
    let folder = Folder::new(&[("sandboxc.yaml", &alone()), ("a.yaml", OBJECT)]);
    let watching = Watching::start(&folder, &["check", "--watch"]);
    watching.expect("checked 2 objects in 2 files");
    folder.write("a.yaml", &wrong("changed"));
    watching.expect("unknown field `changed`");
    folder.write("b.yaml", &object("new"));
    watching.expect("checked 3 objects in 3 files");
    fs::remove_file(folder.path().join("a.yaml")).unwrap();
    watching.expect("checked 2 objects in 2 files");
    fs::rename(folder.path().join("b.yaml"), folder.path().join("c.txt")).unwrap();
    watching.expect("checked 1 object in 1 file");
    fs::rename(folder.path().join("c.txt"), folder.path().join("d.yaml")).unwrap();
    watching.expect("checked 2 objects in 2 files");
    // As many editors write.
    folder.write(".d.yaml.tmp", &wrong("renamed"));
    fs::rename(folder.path().join(".d.yaml.tmp"), folder.path().join("d.yaml")).unwrap();
    watching.expect("unknown field `renamed`");
    // A directory, then a file in it.
    folder.write("e/f/a.yaml", &wrong("nested"));
    watching.expect("unknown field `nested`");
    folder.write("e/f/a.yaml", &wrong("nested2"));
    watching.expect("unknown field `nested2`");
    fs::remove_file(folder.path().join("sandboxc.yaml")).unwrap();
    watching.expect("for Kubernetes 1.37");
    folder.write("sandboxc.yaml", &alone().replace("1.36", "1.35"));
    watching.expect("for Kubernetes 1.35");
    folder.write(".sandboxcignore", "e\n");
    watching.settle();
    folder.write("e/f/a.yaml", &wrong("ignored"));
    assert_eq!(watching.run_within(SHORT), None, "an ignored directory");
    for name in ["d.txt", ".hidden.yaml", "a.snap.txt"] {
        folder.write(name, OBJECT);
    }
    assert_eq!(watching.run_within(SHORT), None, "files that are not input");
}

const PROJECT: &str = "\
apiVersion: sandboxc.dev/v1alpha1
kind: Project
spec:
  kubernetes: '1.36'
  values: {name: a}
  crds: [../shared/crds.yaml]
";

/// The Project without files outside of its directory.
fn alone() -> String {
    PROJECT.replace("  crds: [../shared/crds.yaml]\n", "")
}

#[test]
fn files_outside_of_the_directory_are_watched() {
    let definition = "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\nmetadata: {name: a, namespace: b}\nspec: {image: '{{ values.name }}', podSecurityContext: {runAsUser: 1000, fsGroup: 1}}\n";
    let crd = |name: &str| {
        format!("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n{name}: 1\n")
    };
    let folder = Folder::new(&[
        ("project/sandboxc.yaml", PROJECT),
        ("project/a.yaml", definition),
        ("shared/crds.yaml", &crd("first")),
        ("other/crds.yaml", &crd("other")),
        ("values/a.yaml", "name: b\n"),
        (".git/HEAD", "ref: refs/heads/main\n"),
    ]);
    let arguments =
        ["check", "project", "--values", "values/a.yaml", "--crd", "other/crds.yaml", "--watch"];
    let watching = Watching::start(&folder, &arguments);
    watching.expect("unknown field `first`");
    folder.write("shared/crds.yaml", &crd("second"));
    watching.expect("unknown field `second`");
    folder.write("other/crds.yaml", &crd("third"));
    watching.expect("unknown field `third`");
    folder.write("values/a.yaml", "nam: b\n");
    watching.expect("does not declare the value `nam`");
    folder.write("values/b.yaml", "name: b\n");
    assert_eq!(watching.run_within(SHORT), None, "another file next to a named one");
}

#[test]
fn the_older_form_of_the_input_is_watched() {
    let folder = Folder::new(&[("new/a.yaml", OBJECT), ("old/a.yaml", OBJECT)]);
    let arguments = ["check", "new", "--against", "old", "--watch"];
    let watching = Watching::start(&folder, &arguments);
    watching.run_within(LONG).unwrap();
    folder.write("old/a.yaml", &format!("{OBJECT}data: {{a: b}}\nimmutable: true\n"));
    watching.expect("immutable");
}

#[test]
fn the_output_of_build_is_not_a_change() {
    let folder = Folder::new(&[("a.yaml", OBJECT), ("sandboxc.yaml", &alone())]);
    let watching = Watching::start(&folder, &["build", "-o", "out", "--watch"]);
    watching.run_within(LONG).unwrap();
    assert_eq!(watching.run_within(SHORT), None, "a new output directory");
    folder.write("b.yaml", &object("api"));
    watching.run_within(LONG).unwrap();
    watching.settle();
    assert!(folder.list("out").iter().any(|it| it.contains("api")), "{:?}", folder.list("out"));
    folder.write("b.yaml", &object("db"));
    watching.run_within(LONG).unwrap();
    assert_eq!(watching.run_within(SHORT), None, "an existing output directory");
    let (_, stderr) = folder.run(&["build", ".", "-o", ".", "--watch"]).expect(2);
    assert!(stderr.contains("an output directory that contains the input"), "{stderr}");
    let (_, stderr) = folder.run(&["check", "-", "--watch"]).expect(2);
    assert!(stderr.starts_with("error: `--watch` with standard input\n"), "{stderr}");
}

/// Only the last state counts, whatever runs saw the ones before.
#[test]
fn a_change_during_a_run_is_another_run() {
    let folder = Folder::new(&[("a.yaml", OBJECT)]);
    let watching = Watching::start(&folder, &["check", "a.yaml", "--watch"]);
    watching.run_within(LONG).unwrap();
    for number in 0..40 {
        folder.write("a.yaml", &wrong(&format!("field{number}")));
        thread::sleep(Duration::from_millis(7));
    }
    watching.expect("unknown field `field39`");
    // A missing file is a failure of the run, which does not end.
    fs::remove_file(folder.path().join("a.yaml")).unwrap();
    watching.expect("cannot read `a.yaml`");
    folder.write("a.yaml", OBJECT);
    watching.expect("no findings");
}

#[test]
fn tests_run_again() {
    let test = |count: &str| {
        format!(
            "apiVersion: sandboxc.dev/v1alpha1\nkind: Test\nspec: {{cases: [{{name: a, expect: \
            {{count: {{ConfigMap: {count}}}}}}}]}}\n"
        )
    };
    let folder = Folder::new(&[("a.yaml", OBJECT), ("a.test.yaml", &test("1"))]);
    // The report is standard output; the form of the file is on standard error.
    let watching = Watching::start(&folder, &["test", ".", "--watch"]);
    watching.run_within(LONG).unwrap();
    folder.write("a.test.yaml", &test("one"));
    watching.expect("a.test.yaml:3");
}

#[test]
fn a_signal_ends_the_process() {
    let folder = Folder::new(&[("a.yaml", OBJECT)]);
    let mut watching = Watching::start(&folder, &["check", ".", "--watch"]);
    let first = watching.run_within(LONG).unwrap();
    assert!(!first.contains('\u{1b}'), "{first}");
    // A shell starts jobs in the background with SIGINT ignored, which the program leaves as it is.
    let process = watching.child.id().to_string();
    let status = Command::new("kill").args(["-TERM", &process]).status().unwrap();
    assert!(status.success());
    let end = Instant::now() + LONG;
    let status = loop {
        if let Some(status) = watching.child.try_wait().unwrap() {
            break status;
        }
        assert!(Instant::now() < end, "the process does not end");
        thread::sleep(Duration::from_millis(20));
    };
    assert_eq!((status.code(), status.signal()), (None, Some(15)));
}
