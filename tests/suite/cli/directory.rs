//! `-o DIR`: what is promised of an output directory.

use std::fs;
use std::time::SystemTime;

use super::{BROKEN, Folder, OBJECT};

const FILE: &str = "out/15_configmap_default_web.yaml";

fn modified(folder: &Folder, path: &str) -> SystemTime {
    fs::metadata(folder.path().join(path)).unwrap().modified().unwrap()
}

fn built() -> Folder {
    let folder = Folder::new(&[("a.yaml", OBJECT)]);
    let (stdout, stderr) = folder.run(&["build", "a.yaml", "-o", "out"]).expect(0);
    assert_eq!(stdout, "");
    assert_eq!(stderr, "out: 1 file written, 0 removed, 0 unchanged\n");
    folder
}

#[test]
fn one_file_per_object_and_a_manifest() {
    let folder = built();
    assert_eq!(folder.list("out"), [".sandboxc-files", "15_configmap_default_web.yaml"]);
    assert!(folder.read(FILE).contains("web"));
    assert_eq!(folder.list("."), ["a.yaml", "out"], "nothing temporary is left");
}

#[test]
fn folders_above_are_made() {
    let folder = Folder::new(&[("a.yaml", OBJECT)]);
    folder.run(&["build", "a.yaml", "-o", "deep/down/out"]).expect(0);
    assert_eq!(folder.list("deep/down/out").len(), 2);
}

#[test]
fn a_build_that_changes_nothing_writes_nothing() {
    let folder = built();
    let before = [
        modified(&folder, FILE),
        modified(&folder, "out"),
        modified(&folder, "out/.sandboxc-files"),
    ];
    let (_, stderr) = folder.run(&["build", "a.yaml", "-o", "out"]).expect(0);
    assert_eq!(stderr, "out: 0 files written, 0 removed, 1 unchanged\n");
    let after = [
        modified(&folder, FILE),
        modified(&folder, "out"),
        modified(&folder, "out/.sandboxc-files"),
    ];
    assert_eq!(before, after);
}

#[test]
fn what_is_no_longer_made_is_removed() {
    let folder = built();
    folder.write("a.yaml", &OBJECT.replace("web", "other"));
    let (_, stderr) = folder.run(&["build", "a.yaml", "-o", "out"]).expect(0);
    assert_eq!(stderr, "out: 1 file written, 1 removed, 0 unchanged\n");
    assert_eq!(folder.list("out"), [".sandboxc-files", "15_configmap_default_other.yaml"]);
}

#[test]
fn with_errors_nothing_is_touched() {
    let folder = built();
    let before = folder.read(FILE);
    folder.write("a.yaml", BROKEN);
    folder.run(&["build", "a.yaml", "-o", "out"]).expect(1);
    assert_eq!(folder.read(FILE), before);
    folder.run(&["build", "a.yaml", "-o", "new"]).expect(1);
    assert!(!folder.path().join("new").exists());
}

#[test]
fn files_of_other_origin_stay() {
    let folder = built();
    folder.write("out/kustomization.yaml", "resources: []\n");
    folder.write("a.yaml", &OBJECT.replace("web", "other"));
    folder.run(&["build", "a.yaml", "-o", "out", "--force"]).expect(0);
    assert_eq!(folder.read("out/kustomization.yaml"), "resources: []\n");
}

#[test]
fn a_foreign_file_in_the_way_stops_the_build() {
    let folder = Folder::new(&[("a.yaml", OBJECT), (FILE, "mine: true\n")]);
    for force in [&[][..], &["--force"]] {
        let arguments = [&["build", "a.yaml", "-o", "out"], force].concat();
        let (_, stderr) = folder.run(&arguments).expect(2);
        assert!(stderr.contains("but sandboxc did not make it"), "{stderr}");
        assert_eq!(folder.read(FILE), "mine: true\n");
        assert_eq!(folder.list("out").len(), 1, "nothing was written");
    }
}

#[test]
fn an_edited_file_stops_the_build_unless_forced() {
    let folder = built();
    folder.write(FILE, "edited: by hand\n");
    let (_, stderr) = folder.run(&["build", "a.yaml", "-o", "out"]).expect(2);
    assert!(stderr.contains("was edited after it was generated"), "{stderr}");
    assert!(stderr.contains("`--force`"), "{stderr}");
    assert_eq!(folder.read(FILE), "edited: by hand\n");
    folder.run(&["build", "a.yaml", "-o", "out", "--force"]).expect(0);
    assert!(folder.read(FILE).contains("web"));
}

#[test]
fn an_edited_file_is_not_removed_unless_forced() {
    let folder = built();
    folder.write(FILE, "edited: by hand\n");
    folder.write("a.yaml", &OBJECT.replace("web", "other"));
    folder.run(&["build", "a.yaml", "-o", "out"]).expect(2);
    assert_eq!(folder.list("out"), [".sandboxc-files", "15_configmap_default_web.yaml"]);
    folder.run(&["build", "a.yaml", "-o", "out", "--force"]).expect(0);
    assert_eq!(folder.list("out"), [".sandboxc-files", "15_configmap_default_other.yaml"]);
}

#[test]
fn equal_bytes_count_as_generated_where_the_manifest_is_lost() {
    let folder = built();
    fs::remove_file(folder.path().join("out/.sandboxc-files")).unwrap();
    folder.run(&["build", "a.yaml", "-o", "out"]).expect(0);
    assert_eq!(folder.list("out").len(), 2);
}

#[test]
fn a_run_that_was_cut_short_is_completed() {
    let folder = built();
    let old = folder.read(FILE);
    folder.write("a.yaml", &format!("{OBJECT}data: {{a: b}}\n"));
    let copy = folder.path().join("out/.sandboxc-files");
    let old_manifest = folder.read("out/.sandboxc-files");
    folder.run(&["build", "a.yaml", "-o", "out"]).expect(0);
    // Between its manifest with both contents and its last rename, a run leaves either content.
    let both = format!("{old_manifest}{}", folder.read("out/.sandboxc-files"));
    for content in [old, folder.read(FILE)] {
        fs::write(&copy, &both).unwrap();
        folder.write(FILE, &content);
        folder.run(&["build", "a.yaml", "-o", "out"]).expect(0);
        assert!(folder.read(FILE).contains("data"));
    }
}

#[test]
fn a_damaged_manifest_is_not_trusted() {
    for line in ["nonsense", "0000000000000000 ../victim.yaml"] {
        let folder = built();
        folder.write("victim.yaml", "");
        folder.write("out/.sandboxc-files", &format!("# made\n{line}\n"));
        let (_, stderr) = folder.run(&["build", "a.yaml", "-o", "out", "--force"]).expect(2);
        assert!(stderr.contains("is damaged at line 2"), "{stderr}");
        assert!(folder.path().join("victim.yaml").exists());
    }
}

#[test]
fn a_file_is_no_directory() {
    let folder = Folder::new(&[("a.yaml", OBJECT), ("out", "")]);
    let (_, stderr) = folder.run(&["build", "a.yaml", "-o", "out"]).expect(2);
    assert!(stderr.contains("`out` is not a directory"), "{stderr}");
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_out_of_the_directory() {
    use std::os::unix::fs::symlink;
    let folder = built();
    folder.write("victim", "precious\n");
    fs::remove_file(folder.path().join(FILE)).unwrap();
    symlink("../victim", folder.path().join(FILE)).unwrap();
    folder.run(&["build", "a.yaml", "-o", "out", "--force"]).expect(2);
    assert_eq!(folder.read("victim"), "precious\n");
    folder.write("a.yaml", &OBJECT.replace("web", "other"));
    folder.run(&["build", "a.yaml", "-o", "out", "--force"]).expect(2);
    assert_eq!(folder.read("victim"), "precious\n");
}

#[cfg(unix)]
#[test]
fn the_directory_itself_may_be_a_link() {
    let folder = Folder::new(&[("a.yaml", OBJECT), ("real/keep", "")]);
    std::os::unix::fs::symlink("real", folder.path().join("out")).unwrap();
    folder.run(&["build", "a.yaml", "-o", "out"]).expect(0);
    assert_eq!(folder.list("real").len(), 3);
}

#[cfg(unix)]
#[test]
fn files_are_as_readable_as_others() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = built();
    folder.write("a.yaml", &format!("{OBJECT}---\n{}", OBJECT.replace("web", "other")));
    folder.run(&["build", "a.yaml", "-o", "out"]).expect(0);
    let mode = |path: &str| fs::metadata(folder.path().join(path)).unwrap().permissions().mode();
    assert_eq!(mode(FILE) & 0o777, mode("a.yaml") & 0o777);
    assert_eq!(mode("out/15_configmap_default_other.yaml") & 0o777, mode("a.yaml") & 0o777);
}
