//! Files, directories, globs and standard input.

use super::{BROKEN, Folder, OBJECT};

/// The names of the objects that the inputs compile to.
fn built(folder: &Folder, inputs: &[&str]) -> Vec<String> {
    let (stdout, _) = folder.run(&[&["build"], inputs].concat()).expect(0);
    names(&stdout)
}

fn names(stdout: &str) -> Vec<String> {
    use serde::Deserialize as _;
    serde_yaml::Deserializer::from_str(stdout)
        .map(|it| serde_yaml::Value::deserialize(it).unwrap())
        .map(|it| it["metadata"]["name"].as_str().unwrap().to_owned())
        .collect()
}

fn object(name: &str) -> String {
    OBJECT.replace("web", name)
}

fn tree() -> Folder {
    Folder::new(&[
        ("defs/b.yaml", &object("b")),
        ("defs/a.yml", &object("a")),
        (
            "defs/sub/c.json",
            r#"{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}}"#,
        ),
        ("defs/notes.txt", BROKEN),
        ("defs/.hidden.yaml", BROKEN),
        ("defs/.git/x.yaml", BROKEN),
    ])
}

#[test]
fn a_directory_means_all_yaml_and_json_files_below_it() {
    let folder = tree();
    let mut names = built(&folder, &["defs"]);
    names.sort();
    assert_eq!(names, ["a", "b", "c"]);
}

#[test]
fn a_file_is_read_whatever_its_name() {
    let folder = Folder::new(&[("definitions.txt", OBJECT)]);
    assert_eq!(built(&folder, &["definitions.txt"]), ["web"]);
}

#[test]
fn a_file_named_twice_is_read_once() {
    let folder = tree();
    let names =
        built(&folder, &["defs/b.yaml", "./defs/b.yaml", "defs/*.yaml", "defs/sub/../b.yaml"]);
    assert_eq!(names, ["b"]);
}

#[test]
fn the_order_of_inputs_does_not_matter() {
    let folder = tree();
    let run = |inputs: &[&str]| folder.run(&[&["build"], inputs].concat()).expect(0).0;
    let expected = run(&["defs"]);
    assert_eq!(run(&["defs/sub", "defs/b.yaml", "defs/a.yml"]), expected);
}

#[test]
fn globs_match_whole_paths() {
    let folder = tree();
    assert_eq!(built(&folder, &["defs/*.yaml"]), ["b"]);
    assert_eq!(built(&folder, &["./defs/?.y*ml"]), ["a", "b"]);
    assert_eq!(built(&folder, &["././/defs/./?.y*ml"]), ["a", "b"]);
    assert_eq!(built(&folder, &["**/*.json"]), ["c"]);
    let (_, stderr) = folder.run(&["build", "defs/*.toml"]).expect(2);
    assert!(stderr.contains("no file matches `defs/*.toml`"), "{stderr}");
    let (_, stderr) = folder.run(&["build", "nowhere/*.yaml"]).expect(2);
    assert!(stderr.contains("no file matches `nowhere/*.yaml`"), "{stderr}");
    let (_, stderr) = folder.run(&["build", "defs/[a"]).expect(2);
    assert!(stderr.contains("invalid glob `defs/[a`"), "{stderr}");
}

#[test]
fn a_file_whose_name_looks_like_a_glob_is_a_file() {
    let folder = Folder::new(&[("a[1].yaml", OBJECT)]);
    assert_eq!(built(&folder, &["a[1].yaml"]), ["web"]);
}

#[test]
fn a_dash_reads_standard_input() {
    let folder = Folder::new(&[]);
    let (stdout, _) = folder.run_with_stdin(&["build", "-"], OBJECT).expect(0);
    assert_eq!(names(&stdout), ["web"]);
    let (_, stderr) = folder.run_with_stdin(&["check", "-"], BROKEN).expect(1);
    assert!(stderr.contains(" --> <stdin>:"), "{stderr}");
}

#[test]
fn a_directory_without_manifests_is_an_error() {
    let folder = Folder::new(&[
        ("defs/a.txt", OBJECT),
        ("values/a.yaml", "a: 1\n"),
        ("chart/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n"),
        ("chart/templates/a.yaml", "{{ include \"a\" . }}\n"),
    ]);
    for verb in ["build", "check", "split"] {
        let (_, stderr) = folder.run(&[verb, "defs"]).expect(2);
        assert!(stderr.contains("no *.yaml, *.yml or *.json files in `defs`"), "{stderr}");
    }
    for directory in ["values", "chart"] {
        let (_, stderr) = folder.run(&["check", directory]).expect(1);
        assert!(stderr.contains("error[input-without-objects]"), "{stderr}");
    }
    let (_, stderr) = folder.run(&["check", "--crd", "defs", "defs/a.txt"]).expect(2);
    assert!(stderr.contains("no *.yaml, *.yml or *.json files in `defs`"), "{stderr}");
    // A chart can render nothing.
    let (_, stderr) = folder.run_with_stdin(&["check", "-"], "").expect(0);
    assert!(stderr.contains("warning[input-without-objects]"), "{stderr}");
}

#[test]
fn the_current_directory_is_read_only_as_a_project() {
    let folder = Folder::new(&[("a.yaml", OBJECT)]);
    let (_, stderr) = folder.run(&["build"]).expect(2);
    assert!(stderr.contains("no `sandboxc.yaml` in this directory or above"), "{stderr}");
    let (_, stderr) = folder.run(&["check", "."]).expect(0);
    assert_eq!(stderr, "checked 1 object in 1 file for Kubernetes 1.37: no findings\n");
}

#[test]
fn output_of_an_earlier_build_is_not_input() {
    let folder = tree();
    folder.run(&["build", "defs", "-o", "defs/out"]).expect(0);
    let (_, stderr) = folder.run(&["build", "defs", "-o", "defs/out"]).expect(0);
    assert_eq!(stderr, "defs/out: 0 files written, 0 removed, 3 unchanged\n");
    assert_eq!(built(&folder, &["defs/out"]).len(), 3, "unless it is named");
}

#[cfg(unix)]
#[test]
fn links_to_files_are_read_and_links_to_directories_are_not_followed() {
    use std::os::unix::fs::symlink;
    let folder = tree();
    symlink("elsewhere.txt", folder.path().join("defs/linked.yaml")).unwrap();
    symlink(".", folder.path().join("defs/round")).unwrap();
    folder.write("defs/elsewhere.txt", &object("linked"));
    let mut names = built(&folder, &["defs"]);
    names.sort();
    assert_eq!(names, ["a", "b", "c", "linked"]);
}

/// So many files are read by several threads.
#[cfg(unix)]
#[test]
fn each_of_many_files_is_read_once() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new(&[]);
    for number in 0..1_100 {
        folder.write(&format!("defs/b{number}.yaml"), &object(&format!("b{number}")));
    }
    symlink("b7.yaml", folder.path().join("defs/a.yaml")).unwrap();
    symlink("b7.yaml", folder.path().join("defs/c.yaml")).unwrap();
    let (_, stderr) = folder.run(&["check", "defs", "defs/b9.yaml"]).expect(0);
    assert_eq!(stderr, "checked 1100 objects in 1100 files for Kubernetes 1.37: no findings\n");
}

/// The operating system reports a missing file, though the link exists.
#[cfg(unix)]
#[test]
fn a_link_without_a_target_is_named_as_one() {
    let folder =
        Folder::new(&[("a/ok.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")]);
    std::os::unix::fs::symlink("gone.yaml", folder.path().join("a/link.yaml")).unwrap();
    let cause = "cannot read `a/link.yaml`: it is a link to `gone.yaml`, which does not exist";
    let (_, stderr) = folder.run(&["diff", "a/link.yaml", "a/ok.yaml"]).expect(2);
    assert!(stderr.contains(cause), "{stderr}");
    let (stdout, stderr) = folder.run(&["check", "a"]).expect(1);
    assert!(format!("{stdout}{stderr}").contains(cause), "{stdout}{stderr}");
    // A file that is really missing keeps the error of the system.
    let (_, stderr) = folder.run(&["check", "a/none.yaml"]).expect(2);
    assert!(!stderr.contains("link"), "{stderr}");
}
