//! `build --depfile`: the rule, and what Make does with it if it is installed.

use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use super::{Folder, OBJECT};
use crate::support::binary;

const PROJECT: &str = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec: {namespace: a}\n";

fn object(name: &str) -> String {
    OBJECT.replace("web", name)
}

#[test]
fn a_rule_has_all_files_that_were_read() {
    let folder = Folder::new(&[
        ("sandboxc.yaml", PROJECT),
        ("definitions/a b.yaml", &object("a")),
        ("definitions/team/c#$%.yaml", &object("c")),
        ("other/d.yaml", &object("d")),
        ("prod.yaml", "tag: x\n"),
    ]);
    let arguments = ["build", "definitions", "--values", "prod.yaml", "--set", "a=b"];
    let (_, stderr) =
        folder.run(&[&arguments[..], &["--depfile", "out/all.yaml.d"]].concat()).expect(2);
    assert!(stderr.starts_with("error: cannot write `out/all.yaml.d`"), "{stderr}");
    folder.run(&[&arguments[..], &["--depfile", "all.yaml.d"]].concat()).expect(0);
    let expected = "all.yaml: \\\n  . \\\n  definitions \\\n  definitions/a\\ b.yaml \\\n  \
        definitions/team \\\n  definitions/team/c\\#$$%.yaml \\\n  other \\\n  other/d.yaml \\\n  \
        prod.yaml \\\n  sandboxc.yaml\n\n.:\n\ndefinitions:\n\ndefinitions/a\\ b.yaml:\n\n\
        definitions/team:\n\ndefinitions/team/c\\#$$\\%.yaml:\n\nother:\n\nother/d.yaml:\n\n\
        prod.yaml:\n\nsandboxc.yaml:\n";
    assert_eq!(folder.read("all.yaml.d"), expected);
}

#[test]
fn errors_and_other_names_write_no_rule() {
    let folder = Folder::new(&[("a.yaml", "a: [b\n"), ("b/c=d.yaml", OBJECT)]);
    folder.run(&["build", "a.yaml", "--depfile", "a.d"]).expect(1);
    assert_eq!(folder.list("."), ["a.yaml", "b"]);
    for name in ["out.yaml", ".d", "out/.d"] {
        let (_, stderr) = folder.run(&["build", "b", "--depfile", name]).expect(2);
        let expected = format!("error: `--depfile {name}` does not name its target\n");
        assert!(stderr.starts_with(&expected), "{stderr}");
    }
    let (stdout, stderr) = folder.run(&["build", "b", "--depfile", "a.d"]).expect(2);
    assert_eq!(stdout, "");
    assert!(stderr.contains("a rule of Make cannot have the name `b/c=d.yaml`"), "{stderr}");
}

#[test]
fn make_builds_what_is_stale() {
    let version = Command::new("make").arg("--version").stdout(Stdio::null()).status();
    assert!(version.is_ok(), "this test needs make: {version:?}");
    let folder = Folder::new(&[
        (
            "Makefile",
            "all.yaml:\n\t$(SANDBOXC) build definitions --depfile $@.d > $@ || { rm -f $@; false; }\n\
             -include all.yaml.d\n",
        ),
        ("definitions/a b.yaml", &object("a")),
        ("definitions/x#y$z%.yaml", &object("b")),
    ]);
    let make = |status: i32| {
        // Times of files are compared, and all of this test happens within a second.
        let past = SystemTime::now() - Duration::from_mins(1);
        let written = ["Makefile", "all.yaml", "all.yaml.d"];
        for name in written.into_iter().filter(|it| folder.path().join(it).exists()) {
            let file = File::options().append(true).open(folder.path().join(name)).unwrap();
            file.set_modified(past).unwrap();
        }
        let sandboxc = format!("SANDBOXC={}", binary().display());
        let mut command = Command::new("make");
        let output = command.args([&sandboxc, "-s"]).current_dir(folder.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let age = |name: &str| {
        let past = SystemTime::now() - Duration::from_hours(1);
        File::open(folder.path().join(name)).unwrap().set_modified(past).unwrap();
    };
    let age_all = || {
        folder.list("definitions").iter().for_each(|it| age(&format!("definitions/{it}")));
        age("definitions");
    };
    let count = || folder.read("all.yaml").matches("kind:").count();
    age_all();
    make(0);
    assert_eq!(count(), 2);
    folder.write("all.yaml", "kept\n");
    make(0);
    assert_eq!(folder.read("all.yaml"), "kept\n", "nothing has changed");
    // A change, a new file and a deleted one.
    folder.write("definitions/x#y$z%.yaml", &object("changed"));
    make(0);
    assert!(folder.read("all.yaml").contains("changed"));
    age_all();
    folder.write("definitions/c.yaml", &object("c"));
    make(0);
    assert_eq!(count(), 3);
    fs::remove_file(folder.path().join("definitions/c.yaml")).unwrap();
    make(0);
    assert_eq!(count(), 2);
    folder.write("definitions/a b.yaml", &(object("a") + "data: {a: 1}\n"));
    let stderr = make(2);
    assert!(stderr.contains("error[wrong-type]") && stderr.contains("Error 1"), "{stderr}");
    assert!(!folder.path().join("all.yaml").exists());
}
